"""The panel: what is open and being done on top, and tabs for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from walkmesh.viewer.page.tabs import BuildTab, CheckTab, FileTab, PathTab, ShowTab
from walkmesh.viewer.page.words import ERROR_COLOR, about, paragraph

if TYPE_CHECKING:
    from viser import ViserServer

    from walkmesh.agent import Agent
    from walkmesh.builder import Method
    from walkmesh.viewer.page.document import Document
    from walkmesh.viewer.page.page import Page
    from walkmesh.viewer.page.route import Route
    from walkmesh.viewer.page.settings_form import Input
    from walkmesh.viewer.page.work import State


class Panel:
    """All controls of the page, the same in all pages of a server; the page does what they say."""

    def __init__(
        self,
        server: ViserServer,
        page: Page,
        agent: Agent,
        method: Method,
        up: str,
        scale: float,
    ) -> None:
        gui = server.gui
        gui.set_panel_label("walkmesh")
        gui.configure_theme(control_width="large", show_logo=False, show_share_button=False)
        gui.main_panel.dock_right()  # beside the view, not over it
        self._about = gui.add_html(paragraph(""))
        self._generate = gui.add_button("Generate (G)", hint="Build the navmesh of the scene.")
        self._cancel = gui.add_button("Cancel", color="red", disabled=True)
        self._bar: Input = gui.add_progress_bar(0.0, visible=False)
        self._status = gui.add_html(paragraph(""))
        self._error = gui.add_html("", visible=False)
        tabs = gui.add_tab_group()
        with tabs.add_tab("Build"):
            self.build = BuildTab.add(gui, page, agent, method)
        with tabs.add_tab("Show"):
            self.show = ShowTab.add(gui, page)
        with tabs.add_tab("Path"):
            self.path = PathTab.add(gui, page)
        with tabs.add_tab("Check"):
            self.check = CheckTab.add(gui, page)
        with tabs.add_tab("File"):
            self.file = FileTab.add(gui, page, up, scale)
        self._generate.on_click(lambda _: page.generate())
        self._cancel.on_click(lambda _: page.cancel())

    def tell_document(self, document: Document) -> None:
        """Write what is open."""
        self._about.content = paragraph(*about(document), name="about")
        lines = [] if document.evaluation is None else str(document.evaluation).splitlines()
        self.check.words.content = paragraph(*lines, name="figures")

    def tell_work(self, state: State) -> None:
        """Show what is being done."""
        busy = bool(state.title)
        self._generate.disabled = busy
        self._cancel.disabled = not busy or state.stopping
        self._bar.visible = busy
        self._bar.value = 100.0 * state.share
        if state.words:
            self.tell(f"{state.title}: {state.words}" if busy else state.words)

    def tell(self, words: str) -> None:
        """Write below the buttons what is being done, or was."""
        self._status.content = paragraph(words, name="status")

    def complain(self, words: str) -> None:
        """Write below that what is wrong; nothing removes it."""
        self._error.content = paragraph(words, color=ERROR_COLOR, name="error")
        self._error.visible = bool(words)

    def tell_route(self, route: Route) -> None:
        """Write what was found between the places that were clicked."""
        self.path.words.content = paragraph(route.words, name="route")
