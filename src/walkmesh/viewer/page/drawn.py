"""The page as it is drawn: a document and a route, in all browsers that look at it."""

from __future__ import annotations

import sys
import threading
import traceback
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.errors import BuildError, WalkmeshError
from walkmesh.frame import up_name
from walkmesh.viewer.page.canvas import Canvas
from walkmesh.viewer.page.document import Document
from walkmesh.viewer.page.jobs import words_of
from walkmesh.viewer.page.look import PageLook
from walkmesh.viewer.page.page_frame import LAYER
from walkmesh.viewer.page.pick import first_surface
from walkmesh.viewer.page.route import Route
from walkmesh.viewer.page.server import named_page
from walkmesh.viewer.page.work import Latest, Work
from walkmesh.viewer.painter import Camera

if TYPE_CHECKING:
    from viser import ClientHandle, ViserServer

    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh
    from walkmesh.viewer.page.page_frame import PageFrame
    from walkmesh.viewer.page.panel import Panel
    from walkmesh.viewer.page.things import Thing
    from walkmesh.viewer.page.work import State

# The camera stands so many page units from the middle of a scene, which is 12 wide.
_DISTANCE = 13.0

# How long an export waits until all is drawn. [s]
_PATIENCE = 300.0

# How long closing waits for work to stop. [s]
_GRACE = 5.0

# Scenes with more triangles do not keep the stages of their builds unless told to.
_MANY_TRIANGLES = 300_000


class DrawnPage:
    """A document and a route on it, drawn in all pages of a server."""

    panel: Panel

    def __init__(self, server: ViserServer) -> None:
        self._server = server
        self._lock = threading.RLock()
        self.document = Document()
        self.route = Route()
        self._look, self._canvas = PageLook(), Canvas(server)
        # What was drawn last, and where.
        self._drawn: tuple[PageFrame, dict[str, Thing]] = self.document.page_frame, {}
        self._closed = self._draw_failed = False
        self._telling = threading.Lock()
        self.work = Work(self._tell_work, self._fail)
        self._drawing = Latest(self._draw, "draw")
        server.scene.world_axes.visible = False

    def close(self) -> None:
        """Stop what is being done, and draw no more."""
        self.work.cancel()
        # What it says last must still find the server; a long stage is not waited for.
        self.work.wait(_GRACE)
        with self._telling:
            self._closed = True
        self._drawing.close()

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

    def _tell_up(self) -> None:
        """Write up and scale of what is open, whatever someone wanted them to be."""
        shown, tab = self.document.scene or self.document.navmesh, self.panel.file
        if shown is not None:
            tab.show_up(up_name(shown.up))
        if self.document.scene is not None:
            tab.scale.value = self.document.scale

    def _tell_work(self, state: State) -> None:
        with self._telling:
            if not self._closed:
                self.panel.tell_work(state)

    def _fail(self, title: str, error: Exception) -> None:
        if self._closed:
            return
        if not isinstance(error, WalkmeshError | MemoryError):
            traceback.print_exception(error, file=sys.stderr)
        self._complain(words_of(title, error))

    def _complain(self, words: str) -> None:
        """Say on all pages what is wrong."""
        self.panel.complain(words)
        for client in self._server.get_clients().values():
            client.add_notification("walkmesh", words, color="red", auto_close_seconds=10.0)

    def find_place(self, origin: Floats, direction: Floats) -> Floats | None:
        """Return the world coordinates of what a ray of the page meets first."""
        frame, things = self._drawn
        found = first_surface(things, origin, direction)
        if found is None:
            return None
        hit, layer = found
        navmesh = self.document.navmesh
        if navmesh is not None and navmesh.surface:
            # Of a thin sheet, the side is meant that was clicked.
            hit -= LAYER / float(np.linalg.norm(direction))
        return frame.to_world(origin + hit * direction, layer=layer)

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
