"""Opening the page: :func:`view`, and the viewer that it returns."""

from __future__ import annotations

import atexit
import threading
import webbrowser
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.agent import Agent
from walkmesh.arguments import check_kind, read_count
from walkmesh.builder import METHODS, Exact
from walkmesh.building import Building
from walkmesh.errors import SettingsError
from walkmesh.extras import require
from walkmesh.floor_plan import FloorPlan
from walkmesh.frame import read_up, up_name
from walkmesh.io.scenes import checked_scale
from walkmesh.kernels.warmup import prepare
from walkmesh.navmesh import NavMesh
from walkmesh.scene import Scene
from walkmesh.topology import check_usable
from walkmesh.viewer.subject import scene_of

if TYPE_CHECKING:
    from types import TracebackType

    from viser import ViserServer

    from walkmesh.builder import Method
    from walkmesh.viewer.page.document import Document
    from walkmesh.viewer.page.page import Page

LOOPBACK = "127.0.0.1"

MAX_UPLOAD = 512 * 2**20
"""The largest file that a page may send, by default. [Unit: bytes]"""


class Viewer:
    """A page that is being served.

    Attributes
    ----------
    url : str
        Where it is.
    page : Page
        What it shows and does.
    """

    def __init__(self, server: ViserServer, page: Page, host: str) -> None:
        self._server = server
        self._closed = threading.Event()
        self.page = page
        shown = f"[{host}]" if ":" in host else host
        self.url = f"http://{shown}:{server.get_port()}"
        # A program that just ends would otherwise print what viser says about that.
        atexit.register(self.close)

    def __repr__(self) -> str:
        return f"Viewer({self.url})"

    def __enter__(self) -> Viewer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def wait(self) -> None:
        """Serve until someone closes the viewer or interrupts."""
        # An event that is waited for without a limit cannot be interrupted everywhere.
        while not self._closed.wait(1.0):
            pass

    def close(self) -> None:
        """Stop serving."""
        from walkmesh.viewer.page.server import stop_server

        if not self._closed.is_set():
            self._closed.set()
            atexit.unregister(self.close)
            self.page.close()
            stop_server(self._server)


SCENES = (Scene, FloorPlan, Building)


def view(
    shown: Scene | FloorPlan | Building | NavMesh | None = None,
    *,
    scene: Scene | FloorPlan | Building | None = None,
    agent: Agent | None = None,
    method: Method | None = None,
    host: str = LOOPBACK,
    port: int | None = None,
    open_browser: bool = True,
    max_upload: int = MAX_UPLOAD,
) -> Viewer:
    """Show a scene or a navmesh on a page in the browser, and go on.

    Parameters
    ----------
    shown : Scene, FloorPlan, Building or NavMesh, optional
        What to show; by default nothing, until a file is opened on the page. Plans are shown, and
        built on the page, as the scene of their floors and walls.
    scene : Scene, FloorPlan or Building, optional
        The scene of a navmesh, to see both.
    agent : Agent, optional
        Settings to start with; by default those of the navmesh, or a person.
    method : Exact, Voxel or Surface, optional
        Likewise; by default what the navmesh was built by, or ``Exact()``.
    host : str, default "127.0.0.1"
        The address to serve on. By default no other machine can reach it; with ``"0.0.0.0"``
        everyone in the network can see and change what is on the page.
    port : int, optional
        0 for any that is free; by default the first free one from 8080 on.
    open_browser : bool, default True
        Whether to open the page in a browser.
    max_upload : int, default 512 MiB
        The largest file that can be sent through the page. [Limit: >= 0] [Unit: bytes]

    Returns
    -------
    Viewer
        With its `url`, and `close()`; the page lives no longer than the program.

    Raises
    ------
    SettingsError
        When something is none of these, or the address cannot be listened on.
    FormatError
        When the navmesh is damaged: an id is out of range or a vertex is not finite.

    Examples
    --------
    >>> import walkmesh as wm
    >>> viewer = wm.view(wm.samples.house(), port=0, open_browser=False)
    >>> viewer.url.startswith("http://127.0.0.1:")
    True
    >>> viewer.close()
    """
    from walkmesh.viewer.page.document import Document

    for name, value, kinds in (
        ("shown", shown, (*SCENES, NavMesh)),
        ("scene", scene, SCENES),
        ("agent", agent, (Agent,)),
        ("method", method, METHODS.values()),
    ):
        if value is not None:
            check_kind(name, value, *kinds)
    navmesh = shown if isinstance(shown, NavMesh) else None
    if isinstance(shown, SCENES):
        if scene is not None:
            raise SettingsError("scene is given twice; it goes with a navmesh")
        scene = shown
    if scene is not None:
        owner = Agent() if navmesh is None else navmesh.agent
        scene = scene_of(scene, agent or owner, "z" if navmesh is None else up_name(navmesh.up))
    if navmesh is not None and scene is not None and not np.allclose(navmesh.up, scene.up):
        raise SettingsError(f"up is {scene.up} for the scene and {navmesh.up} for the navmesh")
    document = Document(
        name="scene" if navmesh is None else "navmesh",
        scene=scene,
        left_out=0 if scene is None else scene.left_out.total,
        navmesh=navmesh,
    )
    viewer = serve(document, agent, method, host=host, port=port, max_upload=max_upload)
    if open_browser:
        webbrowser.open(viewer.url)
    return viewer


def serve(
    document: Document,
    agent: Agent | None,
    method: Method | None,
    *,
    up: str = "y",
    scale: float = 1.0,
    host: str,
    port: int | None,
    max_upload: int,
) -> Viewer:
    """Serve a document; see :func:`view`. `up` and `scale` are for scenes that are opened later."""
    for package in ("viser", "matplotlib"):
        require(package, "views in the browser")
    from walkmesh.viewer.page.jobs import PACKAGES
    from walkmesh.viewer.page.page import Page
    from walkmesh.viewer.page.server import start_server, stop_server
    from walkmesh.viewer.page.tabs import built_with

    max_upload = read_count("max_upload", max_upload, 0, None)
    read_up(up)
    checked_scale(scale)
    pages: list[Page] = []

    def refuse(name: str, size: int) -> None:
        for page in pages:
            page.refuse(name, size, max_upload)

    if document.navmesh is not None:
        check_usable(document.navmesh)
        agent = agent or document.navmesh.agent
        method = method or built_with(document.navmesh)
        prepare(*PACKAGES)
    server = start_server(host, port, max_upload, refuse)
    try:
        pages.append(Page(server, document, agent or Agent(), method or Exact(), up, scale))
    except BaseException:
        stop_server(server)
        raise
    return Viewer(server, pages[0], host)
