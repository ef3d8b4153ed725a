"""The page: what its buttons, keys and clicks do."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from walkmesh.errors import WalkmeshError
from walkmesh.evaluation import STAGES as EVALUATE_STAGES
from walkmesh.frame import read_up
from walkmesh.io.navmeshes import navmesh_bytes
from walkmesh.io.scenes import checked_scale
from walkmesh.links import STAGES as LINK_STAGES
from walkmesh.viewer.page.document import Document, open_upload
from walkmesh.viewer.page.drawn import DrawnPage
from walkmesh.viewer.page.jobs import (
    PACKAGES,
    evaluate_navmesh,
    generate_navmesh,
    link_navmesh,
)
from walkmesh.viewer.page.keys import add_keys
from walkmesh.viewer.page.panel import Panel
from walkmesh.viewer.page.route import Route, search, stand
from walkmesh.viewer.page.sheets import normal_at
from walkmesh.viewer.page.tabs import SAMPLES, built_with
from walkmesh.viewer.page.work import COMPILING, compile_kernels

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike
    from viser import ClientHandle, SceneClickEvent, ViserServer

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.builder import Method
    from walkmesh.navmesh import NavMesh
    from walkmesh.progress import Progress
    from walkmesh.viewer.page.jobs import Outcome


Result = TypeVar("Result")


class _Generation(NamedTuple):
    """How a navmesh is built: the names of the stages, and the work that tells them."""

    stages: tuple[str, ...]
    work: Callable[[Progress], None]


def _complaining(method: Callable[..., Result]) -> Callable[..., Result | None]:
    """Have a method of a page say on it what is wrong, and return None, instead of raising that."""

    @wraps(method)
    def call(page: Page, *arguments: Any) -> Result | None:
        try:
            return method(page, *arguments)
        except WalkmeshError as error:
            page._complain(str(error))
            return None

    return call


class Page(DrawnPage):
    """One document, and what can be done with it.

    Agent, method, up and scale are what its panel shows first, and how scenes are opened.
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
        super().__init__(server)
        self._clicking = threading.Lock()
        self.panel = Panel(server, self, agent, method, up, scale)
        add_keys(server, self)
        server.scene.on_click()(self._clicked)
        self._show(document)

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

    # Long work

    def generate(self) -> None:
        """Build the navmesh of the scene."""
        generation = self._generation()
        if generation is not None:
            self._start("Generate", *generation)

    @_complaining
    def _generation(self) -> _Generation:
        """Return how to build the navmesh with what is set now; None if that cannot be."""
        agent, method = self.panel.build.read()
        keep = self.panel.build.keep_stages.value

        def work(progress: Progress) -> None:
            self._take(generate_navmesh(self.document, agent, method, keep, progress))

        return _Generation((COMPILING, *method.stage_names), work)

    @_complaining
    def find_links(self) -> None:
        """Find where the agent can jump, drop and climb, and put that on the navmesh."""
        limits = vars(self.panel.build.limits.read())

        def work(progress: Progress) -> None:
            self._take(link_navmesh(self.document, limits, progress))

        self._start("Find links", (COMPILING, *LINK_STAGES), work)

    def evaluate(self) -> None:
        """Compare the navmesh with what is free in the scene."""
        samples, pairs = int(self.panel.check.samples.value), int(self.panel.check.pairs.value)

        def work(progress: Progress) -> None:
            self._take(evaluate_navmesh(self.document, samples, pairs, progress))

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

    def _take(self, outcome: Outcome) -> None:
        """Put new parts in the place of old ones of the document, and show that."""
        parts = outcome.parts
        with self._lock:
            self.document = replace(self.document, **parts)
            if "stages" in parts:
                self.panel.show.reset_stage(self.document)
            if "navmesh" in parts:
                assert self.document.navmesh is not None
                self.panel.path.radius.value = self.document.navmesh.agent.radius
                self.route = Route()
            self._tell()
        self.panel.tell(outcome.words)

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

    @_complaining
    def put_agent(self, place: ArrayLike) -> None:
        """Put the agent at a place: first to start from, then to go to, then anew."""
        place = np.asarray(place, dtype=np.float64)
        navmesh = self.document.navmesh
        if navmesh is None:
            agent = self.panel.build.agent.read()
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

    @_complaining
    def _search(self, navmesh: NavMesh, start: Floats, goal: Floats) -> None:
        tab = self.panel.path
        route = search(
            navmesh, start, goal, radius=float(tab.radius.value),
            optimal=tab.optimal.value, partial=tab.partial.value,
        )  # fmt: skip
        self._set_route(route, navmesh)

    def clear_route(self) -> None:
        """Forget the places that were clicked."""
        self._set_route(Route(), self.document.navmesh)

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

    @_complaining
    def export(self, client: ClientHandle | None) -> None:
        """Send the view to a page as one HTML file, as the page's camera sees it."""
        if client is not None:
            content = self.as_html(client).encode()
            name = f"{self.document.name}.html"
            client.send_file_download(name, content, save_immediately=True)
            self.panel.tell(f"exported {name}, {len(content):,} bytes")
