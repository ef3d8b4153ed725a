"""The page: what its buttons, keys and clicks do."""

from __future__ import annotations

import sys
import threading
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from walkmesh.build import build
from walkmesh.errors import BuildError, SceneError, SettingsError, WalkmeshError
from walkmesh.evaluate import STAGES as EVALUATE_STAGES
from walkmesh.evaluate import evaluate
from walkmesh.frame import read_up, up_name
from walkmesh.io.navmeshes import navmesh_bytes
from walkmesh.io.scenes import checked_scale
from walkmesh.links import STAGES as LINK_STAGES
from walkmesh.links import find_links
from walkmesh.viewer.page.canvas import Canvas
from walkmesh.viewer.page.document import (
    Document,
    can_keep_stages,
    kept_stage,
    open_upload,
)
from walkmesh.viewer.page.keys import add_keys
from walkmesh.viewer.page.look import Look
from walkmesh.viewer.page.page_frame import LAYER
from walkmesh.viewer.page.panel import Panel
from walkmesh.viewer.page.pick import first_hit
from walkmesh.viewer.page.route import Route, search, stand
from walkmesh.viewer.page.server import named_page
from walkmesh.viewer.page.sheets import normal_at
from walkmesh.viewer.page.tabs import SAMPLES, built_with
from walkmesh.viewer.page.things import Surface
from walkmesh.viewer.page.work import COMPILING, Latest, Work, compile_kernels
from walkmesh.viewer.painter import Camera

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike
    from viser import ClientHandle, SceneClickEvent, ViserServer

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.build import Method
    from walkmesh.build.mesh import TriangleMesh
    from walkmesh.navmesh import NavMesh
    from walkmesh.progress import Progress
    from walkmesh.viewer.page.document import StageMesh
    from walkmesh.viewer.page.page_frame import PageFrame
    from walkmesh.viewer.page.things import Thing
    from walkmesh.viewer.page.work import State

# Edges and searches need these; a build brings its own.
PACKAGES = (
    "walkmesh.query",
    "walkmesh.query.ground",
    "walkmesh.query.clearance",
    "walkmesh.links",
    "walkmesh.validate",
)

# The camera stands so many page units from the middle of a scene, which is 12 wide.
_DISTANCE = 13.0

# How long an export waits until all is drawn. [s]
_PATIENCE = 300.0

# How long closing waits for work to stop. [s]
_GRACE = 5.0

# What is more transparent than this is looked through, and clicked through.
_SEE_THROUGH = 0.5

# Scenes with more triangles do not keep the stages of their builds unless told to.
_MANY_TRIANGLES = 300_000


class _Generation(NamedTuple):
    """How a navmesh is built: the names of the stages, and the work that tells them."""

    stages: tuple[str, ...]
    work: Callable[[Progress], None]


class Page:
    """One document, shown in all pages of a server.

    Parameters
    ----------
    server : viser.ViserServer
    document : Document
        What is open at first.
    agent : Agent
    method : one of METHODS
        Settings to start with.
    up, scale
        Of scenes that are opened; see :func:`walkmesh.load_scene`.
    """

    def __init__(
        self,
        server: ViserServer,
        document: Document,
        agent: Agent,
        method: Method,
        up: str,
        scale: float,
    ) -> None:
        self._server = server
        self._lock = threading.RLock()
        self.document = Document()
        self.route = Route()
        self._look, self._canvas = Look(), Canvas(server)
        # What was drawn last, and where.
        self._drawn: tuple[PageFrame, dict[str, Thing]] = self.document.page_frame, {}
        self._closed = self._draw_failed = False
        self._clicking, self._telling = threading.Lock(), threading.Lock()
        self.work = Work(self._tell_work, self._fail)
        self._drawing = Latest(self._draw, "draw")
        self.panel = Panel(server, self, agent, method, up, scale)
        add_keys(server, self)
        server.scene.world_axes.visible = False
        server.scene.on_click()(self._clicked)
        self._show(document)

    def close(self) -> None:
        """Stop what is being done, and draw no more."""
        self.work.cancel()
        # What it says last must still find the server; a long stage is not waited for.
        self.work.wait(_GRACE)
        with self._telling:
            self._closed = True
        self._drawing.close()

    # Opening

    def open_upload(self, name: str, content: bytes, *, build: bool = False) -> None:
        """Open a file that was sent, and build the navmesh of a scene if wanted."""
        up, scale = self.panel.file.up.value, float(self.panel.file.scale.value)
        generation = self._generation() if build else None

        def work(progress: Progress) -> None:
            compile_kernels(("walkmesh.io",), progress)
            document = open_upload(name, content, read_up(up), scale, self.document)
            compile_kernels(PACKAGES if document.navmesh is not None else (), progress)
            progress(COMPILING, 1.0)
            self._show(document)
            if document.navmesh is not None:
                self.panel.build.write(document.navmesh.agent, built_with(document.navmesh))
            self.panel.tell(f"opened {document.name}")
            if generation is not None and document.navmesh is None:
                generation.work(progress)

        stages = (COMPILING,) if generation is None else generation.stages
        self._start("Open", stages, work)

    def open_sample(self, name: str) -> None:
        """Open a scene made by code."""

        def work(progress: Progress) -> None:
            compile_kernels(("walkmesh.io",), progress)
            document = Document(name=name.replace(" ", "_"), scene=SAMPLES[name]())
            progress(COMPILING, 1.0)
            self._show(document)
            self.panel.tell(f"opened {name}")

        self._start("Open", (COMPILING,), work)

    def turn(self) -> None:
        """Take the scene with the up and the scale of the panel."""
        up, scale = self.panel.file.up.value, float(self.panel.file.scale.value)
        if self.document.scene is None:
            return

        def work(progress: Progress) -> None:
            try:
                document = self.document.with_up(read_up(up), checked_scale(scale))
                progress(COMPILING, 1.0)
            except WalkmeshError:
                self._tell_up()
                raise
            self._show(document)
            self.panel.tell(f"up is {up}, a unit is {scale:g} m")

        if not self._start("Turn", (COMPILING,), work):
            self._tell_up()

    def _tell_up(self) -> None:
        """Write up and scale of what is open, whatever someone wanted them to be."""
        shown, tab = self.document.scene or self.document.navmesh, self.panel.file
        if shown is not None:
            tab.show_up(up_name(shown.up))
        if self.document.scene is not None:
            tab.scale.value = self.document.scale

    def _show(self, document: Document) -> None:
        """Show another document from its start."""
        with self._lock:
            self.document = document
            self.route = Route()
            if document.scene is not None:
                self.panel.build.keep_stages.value = len(document.scene.faces) <= _MANY_TRIANGLES
            if document.navmesh is not None:
                self.panel.path.radius.value = document.navmesh.agent.radius
            self.panel.show.reset_stage(document)
            self.panel.show.reset_section(document)
            self._canvas.light(document.page_frame)
            self._tell_up()
            self._tell()
        self._aim_new_pages()
        for client in self._server.get_clients().values():
            self.look_at_all(client)

    # Long work

    def generate(self) -> None:
        """Build the navmesh of the scene."""
        generation = self._generation()
        if generation is not None:
            self._start("Generate", *generation)

    def _generation(self) -> _Generation | None:
        """Return how to build the navmesh with what is set now; None if that cannot be."""
        try:
            agent, method = self.panel.build.read()
        except SettingsError as error:
            self._complain(str(error))
            return None
        wanted = self.panel.build.keep_stages.value

        def work(progress: Progress) -> None:
            scene = self.document.scene
            if scene is None:
                raise SceneError("There is no scene to build from; open one in the File tab.")
            keep = wanted and can_keep_stages(scene, method)
            notes = ["built"]
            if wanted and not keep:
                notes.append("its stages have too many cells to be kept")
            compile_kernels((*method.packages, *PACKAGES), progress)
            stages: list[tuple[str, StageMesh]] = []

            def on_stage(name: str, mesh: TriangleMesh | NavMesh) -> None:
                stages.append((name, kept_stage(mesh)))

            navmesh = build(
                scene, agent, method, progress=progress, on_stage=on_stage if keep else None
            )
            # The last stage is the navmesh, which by now has a report.
            kept = (*stages[:-1], (method.stage_names[-1], navmesh)) if keep else ()
            self._change(navmesh=navmesh, stages=kept, evaluation=None)
            assert navmesh.report is not None
            self.panel.tell("; ".join([*notes, *navmesh.report.notes]))

        return _Generation((COMPILING, *method.stage_names), work)

    def find_links(self) -> None:
        """Find where the agent can jump, drop and climb, and put that on the navmesh."""
        try:
            limits = vars(self.panel.build.limits.read())
        except SettingsError as error:
            self._complain(str(error))
            return

        def work(progress: Progress) -> None:
            scene, navmesh = self.document.scene, self.document.navmesh
            if scene is None or navmesh is None:
                raise SceneError("Links need a scene and its navmesh; generate it first.")
            compile_kernels(PACKAGES, progress)
            found = find_links(scene, navmesh, progress=progress, **limits)
            self._change(navmesh=navmesh.with_links(found))
            self.panel.tell(f"{len(found)} links found")

        self._start("Find links", (COMPILING, *LINK_STAGES), work)

    def evaluate(self) -> None:
        """Compare the navmesh with what is free in the scene."""
        samples, pairs = int(self.panel.check.samples.value), int(self.panel.check.pairs.value)

        def work(progress: Progress) -> None:
            scene, navmesh = self.document.scene, self.document.navmesh
            if scene is None or navmesh is None:
                raise SceneError("An evaluation needs a scene and its navmesh; generate it first.")
            compile_kernels(("walkmesh.evaluate", *PACKAGES), progress)
            found = evaluate(scene, navmesh, samples=samples, pairs=pairs, progress=progress)
            self._change(evaluation=found)
            self.panel.tell(
                f"recall {found.recall.value:.4f}, precision {found.precision.value:.4f}"
            )

        self._start("Evaluate", (COMPILING, *EVALUATE_STAGES), work)

    def cancel(self) -> None:
        """Stop what is being done."""
        self.work.cancel()

    def _start(self, title: str, stages: tuple[str, ...], work: Any) -> bool:
        """Start work, which alone changes the document; False if there is some already."""
        self.panel.complain("")
        if self.work.start(title, stages, work):
            return True
        self._complain(f"{self.work.title or 'Something'} is under way; cancel it first.")
        return False

    def _change(self, **parts: Any) -> None:
        """Put new parts in the place of old ones of the document, and show that."""
        with self._lock:
            self.document = replace(self.document, **parts)
            if "stages" in parts:
                self.panel.show.reset_stage(self.document)
            if "navmesh" in parts:
                assert self.document.navmesh is not None
                self.panel.path.radius.value = self.document.navmesh.agent.radius
                self.route = Route()
            self._tell()

    def _tell_work(self, state: State) -> None:
        with self._telling:
            if not self._closed:
                self.panel.tell_work(state)

    def _fail(self, title: str, error: Exception) -> None:
        if self._closed:
            return
        if isinstance(error, WalkmeshError):
            self._complain(str(error))
        elif isinstance(error, MemoryError):
            self._complain(f"{title} needs more memory than this machine has.")
        else:
            traceback.print_exception(error, file=sys.stderr)
            self._complain(f"{title} failed, which is a fault of walkmesh: {error!r}")

    def _complain(self, words: str) -> None:
        """Say on all pages what is wrong."""
        self.panel.complain(words)
        for client in self._server.get_clients().values():
            client.add_notification("walkmesh", words, color="red", auto_close_seconds=10.0)

    def refuse(self, name: str, size: int, most: int) -> None:
        """Say that a file is too large to be sent."""
        self._complain(
            f"{name} has {size / 1e6:,.0f} MB; {most / 1e6:,.0f} MB at most can be uploaded. "
            "Name it on the command line: walkmesh view FILE"
        )

    # Paths

    def _clicked(self, event: SceneClickEvent) -> None:
        # Clicks come in threads of their own; each must see what the one before did.
        with self._clicking:
            place = self.find_place(np.array(event.ray_origin), np.array(event.ray_direction))
            if place is not None:
                self.put_agent(place)

    def find_place(self, origin: Floats, direction: Floats) -> Floats | None:
        """Return the world coordinates of what a ray of the page meets first."""
        frame, things = self._drawn
        surfaces = [
            thing
            for name, thing in things.items()
            if isinstance(thing, Surface) and not name.startswith("/route")
        ]
        solid = [surface for surface in surfaces if surface.opacity >= _SEE_THROUGH]
        for group in (solid, surfaces):
            hits = [
                (first_hit(s.points, s.faces, origin, direction, one_sided=s.one_sided), s.layer)
                for s in group
            ]
            near = min(((hit, layer) for hit, layer in hits if hit is not None), default=None)
            if near is not None:
                hit, layer = near
                navmesh = self.document.navmesh
                if navmesh is not None and navmesh.surface:
                    # Of a thin sheet, the side is meant that was clicked.
                    hit -= LAYER / float(np.linalg.norm(direction))
                return frame.to_world(origin + hit * direction, layer=layer)
        return None

    def put_agent(self, place: ArrayLike) -> None:
        """Put the agent at a place: first to start from, then to go to, then anew."""
        place = np.asarray(place, dtype=np.float64)
        navmesh = self.document.navmesh
        if navmesh is None:
            try:
                agent = self.panel.build.agent.read()
            except SettingsError as error:
                self._complain(str(error))
                return
            route = Route(place, radius=agent.radius, height=agent.height, on_navmesh=False)
            self._set_route(route, None)
            return
        standing = stand(navmesh, place)
        if standing is None:
            words = f"The navmesh has nothing within {navmesh.agent.height:g} m of that place."
            self._complain(words)
            return
        route = self.route
        if route.start is None or route.path is not None:
            radius = float(self.panel.path.radius.value)
            height, up = navmesh.agent.height, normal_at(navmesh, standing)
            self._set_route(Route(standing, radius=radius, height=height, start_up=up), navmesh)
        else:
            self._search(navmesh, route.start, standing)

    def search(self) -> None:
        """Find the path again, with what is set now."""
        route, navmesh = self.route, self.document.navmesh
        if navmesh is None or route.start is None:
            return
        if route.goal is None:
            radius = float(self.panel.path.radius.value)
            self._set_route(replace(route, radius=radius), navmesh)
        else:
            self._search(navmesh, route.start, route.goal)

    def _search(self, navmesh: NavMesh, start: Floats, goal: Floats) -> None:
        tab = self.panel.path
        try:
            route = search(
                navmesh, start, goal, radius=float(tab.radius.value),
                optimal=tab.optimal.value, partial=tab.partial.value,
            )  # fmt: skip
        except WalkmeshError as error:
            self._complain(str(error))
            return
        self._set_route(route, navmesh)

    def clear_route(self) -> None:
        """Forget the places that were clicked."""
        self._set_route(Route(), self.document.navmesh)

    def _set_route(self, route: Route, navmesh: NavMesh | None) -> None:
        """Show a route, unless another navmesh is open by now than the one that it is on."""
        with self._lock:
            if navmesh is not self.document.navmesh:
                return
            self.panel.complain("")
            self.route = route
            self.panel.tell_route(route)
            if route.path is not None:
                self.panel.tell(route.words)
        self.redraw()

    # Files

    def save(self, suffix: str, client: ClientHandle | None) -> None:
        """Send the navmesh to a page as a file."""
        document = self.document
        if document.navmesh is None:
            self._complain("There is no navmesh to save; generate it first.")
        elif client is not None:
            content = navmesh_bytes(document.navmesh, suffix)
            client.send_file_download(f"{document.name}{suffix}", content, save_immediately=True)
            self.panel.tell(f"saved {document.name}{suffix}, {len(content):,} bytes")

    def export(self, client: ClientHandle | None) -> None:
        """Send the view to a page as one HTML file, as the page's camera sees it."""
        if client is not None:
            try:
                content = self.as_html(client).encode()
            except BuildError as error:
                self._complain(str(error))
                return
            name = f"{self.document.name}.html"
            client.send_file_download(name, content, save_immediately=True)
            self.panel.tell(f"exported {name}, {len(content):,} bytes")

    def as_html(self, client: ClientHandle | None = None) -> str:
        """Return the view as one HTML file, seen by the camera of a page or from afar."""
        if not self._drawing.wait(_PATIENCE) or self._draw_failed:
            raise BuildError("the view could not be drawn, so there is nothing to export")
        with self._lock:
            first = self._server.initial_camera
            if client is not None:
                first.position, first.look_at = client.camera.position, client.camera.look_at
            content: str = self._server.scene.as_html()
            self._aim_new_pages()
        return named_page(content.encode()).decode()

    # Looking

    def redraw(self) -> None:
        """Show what is chosen now."""
        self._drawing.ask()

    def wait(self, timeout: float) -> bool:
        """Wait until nothing is being done and all is drawn; False if that takes longer."""
        self.work.wait(timeout)
        return not self.work.title and self._drawing.wait(timeout)

    def look_at_all(self, client: ClientHandle | None) -> None:
        """Turn the camera of a page to all that is open."""
        if client is None:
            return
        with client.atomic():
            client.camera.up_direction = self.document.page_frame.frame.up
            client.camera.position = self._viewpoint
            client.camera.look_at = (0.0, 0.0, 0.0)

    def _aim_new_pages(self) -> None:
        camera = self._server.initial_camera
        camera.position, camera.look_at = self._viewpoint, (0.0, 0.0, 0.0)

    @property
    def _viewpoint(self) -> tuple[float, float, float]:
        """Where a camera stands that looks down on all of it, in page units."""
        towards = _DISTANCE * Camera.looking_down().towards
        x, y, z = self.document.page_frame.turned(towards).tolist()
        return x, y, z

    def _tell(self) -> None:
        """Write and draw what is open."""
        self.panel.tell_document(self.document)
        self.panel.tell_route(self.route)
        self.redraw()

    def _draw(self) -> None:
        with self._lock:
            document, route = self.document, self.route
            choices = self.panel.show.read(document)
        self._draw_failed = True
        try:
            things = self._look.things(document, choices, route)
            self._canvas.show(things)
            self._drawn = document.page_frame, things
            self._draw_failed = False
            self.panel.show.tell_stage(document, choices.stage, self._look.notes)
        except Exception as error:  # the page must live on
            self._fail("Drawing", error)
