"""The tabs of the panel: inputs and buttons, and what they are set to."""

from __future__ import annotations

import contextlib
import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from walkmesh import samples
from walkmesh.builder import METHODS
from walkmesh.errors import SettingsError
from walkmesh.io.navmeshes import SUFFIXES
from walkmesh.links.limits import Limits
from walkmesh.viewer.page.choices import COLOR_BY, SHOWN, Choices
from walkmesh.viewer.page.document import READ_SUFFIXES, TooMany
from walkmesh.viewer.page.section import Section
from walkmesh.viewer.page.server import forget_upload, was_dropped
from walkmesh.viewer.page.settings_form import Input, SettingsForm
from walkmesh.viewer.page.words import legend, paragraph

if TYPE_CHECKING:
    from collections.abc import Callable

    from viser import GuiApi, GuiEvent

    from walkmesh.agent import Agent
    from walkmesh.builder import Method
    from walkmesh.navmesh import NavMesh
    from walkmesh.viewer.page.document import Document
    from walkmesh.viewer.page.page import Page

SAMPLES: dict[str, Callable[[], Any]] = {
    "house": samples.house,
    "spiral stairs": samples.spiral_stairs,
    "station": samples.station,
    "platform": samples.platform,
    "buildings": samples.buildings,
    "terrain": samples.terrain,
    "planet": samples.planet,
    "cave": samples.cave,
    "room": samples.room,
}

METHOD_HINTS = {
    "exact": "straight from the geometry",
    "voxel": "by cells, for dirty or huge scenes",
    "surface": "walls and ceilings too, for whoever walks on them",
}

UPS = ("y", "z", "x")


@dataclass(frozen=True)
class FileTab:
    """Opening, saving and exporting."""

    up: Input
    scale: Input

    @classmethod
    def add(cls, gui: GuiApi, page: Page, up: str, scale: float) -> FileTab:
        """Add the inputs to the container that is open."""
        upload = gui.add_upload_button(
            "Open a scene or navmesh", mime_type=",".join(READ_SUFFIXES),
            hint=f"Files to open: {' '.join(READ_SUFFIXES)}. Or drop one onto the page.",
        )  # fmt: skip
        tab = cls(
            gui.add_dropdown("up", UPS, hint="The scene's axis against gravity."),
            gui.add_number(
                "scale [m]", scale, min=0.0, step=0.001, hint="Metres for a unit of the scene."
            ),
        )
        tab.scale.precision = 9
        apply = gui.add_button("Apply the scale", hint="To the scene that is open.")
        tab.show_up(up)
        sample = gui.add_dropdown("sample", tuple(SAMPLES), hint="A scene made by walkmesh.")
        open_sample = gui.add_button("Open the sample")
        gui.add_divider()
        suffix = gui.add_dropdown("format", SUFFIXES, hint="What to save the navmesh as.")
        save = gui.add_button("Save the navmesh")
        export = gui.add_button(
            "Export the view", hint="As one HTML file that opens without a server."
        )

        def opened(event: GuiEvent[Any]) -> None:
            sent = event.target.value
            forget_upload(event.target)
            page.open_upload(sent.name, sent.content, build=was_dropped(gui, sent.name))

        upload.on_upload(opened)
        # Only what someone does on a page counts; a program that sets values knows why.
        tab.up.on_update(lambda event: page.turn() if event.client is not None else None)
        # Not with every digit: 0.0254 begins with 0.
        apply.on_click(lambda _: page.turn())
        open_sample.on_click(lambda _: page.open_sample(sample.value))
        save.on_click(lambda event: page.save(suffix.value, event.client))
        export.on_click(lambda event: page.export(event.client))
        return tab

    def show_up(self, up: str) -> None:
        """Show an up direction, also one that cannot be chosen otherwise."""
        self.up.options = UPS if up in UPS else (up, *UPS)
        self.up.value = up


@dataclass(frozen=True)
class BuildTab:
    """The agent, the method and their settings."""

    agent: SettingsForm[Agent]
    method: Input
    methods: dict[str, SettingsForm[Any]]
    keep_stages: Input
    limits: SettingsForm[Limits]

    @classmethod
    def add(cls, gui: GuiApi, page: Page, agent: Agent, method: Method) -> BuildTab:
        """Add the inputs to the container that is open."""
        with gui.add_folder("Agent"):
            agent_form = SettingsForm(gui, agent)
        current = next(name for name, kind in METHODS.items() if isinstance(method, kind))
        chosen = gui.add_dropdown(
            "method", tuple(METHODS), initial_value=current,
            hint=". ".join(f"{name}: {METHOD_HINTS.get(name, name)}" for name in METHODS) + ".",
        )  # fmt: skip
        folders, forms = {}, {}
        for name, kind in METHODS.items():
            folders[name] = gui.add_folder(f"Settings of {name}", visible=name == current)
            with folders[name]:
                forms[name] = SettingsForm(gui, method if name == current else kind())
        keep = gui.add_checkbox(
            "keep stages", True,
            hint="To step through them. In large scenes this takes time and memory.",
        )  # fmt: skip
        with gui.add_folder("Links", expand_by_default=False):
            limits = SettingsForm(gui, Limits())
            find = gui.add_button("Find links", hint="Where the agent can jump, drop and climb.")

        def switched(_: GuiEvent[Any]) -> None:
            for name, folder in folders.items():
                folder.visible = name == chosen.value

        chosen.on_update(switched)
        find.on_click(lambda _: page.find_links())
        return cls(agent_form, chosen, forms, keep, limits)

    def read(self) -> tuple[Agent, Method]:
        """Return the agent and the method as they are set; SettingsError if they cannot be."""
        return self.agent.read(), self.methods[self.method.value].read()

    def write(self, agent: Agent, method: Method | None) -> None:
        """Show an agent and a method; None leaves the method as it is."""
        self.agent.write(agent)
        for name, kind in METHODS.items():
            if isinstance(method, kind):
                self.methods[name].write(method)
                self.method.value = name


def built_with(navmesh: NavMesh) -> Method | None:
    """Return the method that a navmesh was built by, if it tells and there is such a one."""
    report = navmesh.report
    for kind in METHODS.values():
        if report is not None and report.method == kind.__name__:
            known = {field.name for field in dataclasses.fields(kind)}
            # An edit may have added to them.
            if known <= set(report.settings):
                with contextlib.suppress(SettingsError):
                    return kind(**{name: report.settings[name] for name in known})
    return None


@dataclass(frozen=True)
class ShowTab:
    """What is to be seen."""

    shown: Input
    scene_opacity: Input
    navmesh_opacity: Input
    color_by: Input
    edges: Input
    links: Input
    verdict: Input
    stage: Any
    stage_words: Any
    cut_above: Any
    cut_below: Any

    @classmethod
    def add(cls, gui: GuiApi, page: Page) -> ShowTab:
        """Add the inputs to the container that is open."""
        tab = cls(
            shown=gui.add_dropdown("show", SHOWN),
            scene_opacity=gui.add_slider("scene opacity", 0.0, 1.0, 0.05, 1.0),
            navmesh_opacity=gui.add_slider("navmesh opacity", 0.0, 1.0, 0.05, 1.0),
            color_by=gui.add_dropdown(
                "color by", COLOR_BY, hint="What the colour of polygons tells."
            ),
            stage=gui.add_slider(
                "stage", 1, 2, 1, 2, disabled=True,
                hint="Of the build, in order; the last is the navmesh.",
            ),
            stage_words=gui.add_html(paragraph("")),
            cut_above=gui.add_slider(
                "cut above [m]", 0.0, 1.0, 0.1, 1.0, hint="What is higher is not shown."
            ),
            cut_below=gui.add_slider(
                "cut below [m]", 0.0, 1.0, 0.1, 0.0, hint="What is lower is not shown."
            ),
            edges=gui.add_checkbox("edges", True),
            links=gui.add_checkbox("links", True),
            verdict=gui.add_checkbox(
                "evaluation", True, hint="Samples that are missed, wrong or doubled."
            ),
        )  # fmt: skip
        gui.add_html(legend())
        look = gui.add_button("Look at all of it (L)")
        look.on_click(lambda event: page.look_at_all(event.client))
        for field in dataclasses.fields(cls):
            handle = getattr(tab, field.name)
            if handle is not tab.stage_words:
                handle.on_update(lambda _: page.redraw())
        return tab

    def reset_stage(self, document: Document) -> None:
        """Fit the slider to the stages there are, and show the navmesh."""
        count = len(document.stages)
        self.stage.disabled = count < 2
        self.stage.max = max(count, 2)
        self.stage.value = max(count, 2)

    def reset_section(self, document: Document) -> None:
        """Fit the sliders to the heights there are, and show all of them."""
        frame = document.page_frame
        step = 10.0 ** math.floor(math.log10(max(frame.top - frame.base, 1e-3) / 50.0))
        # All of it is shown: rounding must not cut what is lowest and highest.
        low, high = (math.floor(frame.base / step) * step, math.ceil(frame.top / step) * step)
        digits = max(0, -round(math.log10(step)))
        for handle, value in ((self.cut_above, high), (self.cut_below, low)):
            handle.min, handle.max, handle.step = round(low, digits), round(high, digits), step
            handle.precision = digits
            handle.value = round(value, digits)

    def read(self, document: Document) -> Choices:
        """Return what is chosen."""
        frame = document.page_frame
        # At the ends of the sliders nothing is cut, so that nothing is cut in two for no reason.
        low, high = self.cut_below.value, self.cut_above.value
        section = Section(
            -math.inf if low <= self.cut_below.min else frame.height_in_plan(low),
            math.inf if high >= self.cut_above.max else frame.height_in_plan(high),
        )
        stage = int(self.stage.value)
        return Choices(
            shown=self.shown.value,
            scene_opacity=self.scene_opacity.value,
            navmesh_opacity=self.navmesh_opacity.value,
            color_by=self.color_by.value,
            edges=self.edges.value,
            links=self.links.value,
            verdict=self.verdict.value,
            stage=stage - 1 if stage < len(document.stages) else None,
            section=section,
        )

    def tell_stage(self, document: Document, stage: int | None, notes: list[str]) -> None:
        """Write which stage is shown, and what else there is to say."""
        if not document.stages:
            words = "" if document.navmesh is None else "no stages were kept"
        else:
            number = len(document.stages) if stage is None else stage + 1
            name, mesh = document.stages[number - 1]
            words = f"{number} of {len(document.stages)}: {name}, "
            if isinstance(mesh, TooMany):
                words += f"{mesh.triangle_count:,} triangles are too many to be shown"
            else:
                words += f"{len(mesh.triangles):,} triangles"
        self.stage_words.content = paragraph(words, *notes, name="stage")


@dataclass(frozen=True)
class PathTab:
    """How paths are searched, and what was found."""

    radius: Input
    optimal: Input
    partial: Input
    words: Any

    @classmethod
    def add(cls, gui: GuiApi, page: Page) -> PathTab:
        """Add the inputs to the container that is open."""
        radius = gui.add_number(
            "radius [m]", 0.3, min=0.0, step=0.01,
            hint="Of the agent that walks: that of the navmesh, or larger.",
        )  # fmt: skip
        radius.precision = 6
        tab = cls(
            radius,
            gui.add_checkbox(
                "shortest", True, hint="Or the path of a corridor, which is found faster."
            ),
            gui.add_checkbox(
                "partial", False, hint="Go as near as possible to what cannot be reached."
            ),
            gui.add_html(paragraph("")),
        )
        clear = gui.add_button("Clear")
        for handle in (tab.radius, tab.optimal, tab.partial):
            handle.on_update(lambda event: page.search() if event.client is not None else None)
        clear.on_click(lambda _: page.clear_route())
        return tab


@dataclass(frozen=True)
class CheckTab:
    """How right the navmesh is."""

    samples: Input
    pairs: Input
    words: Any

    @classmethod
    def add(cls, gui: GuiApi, page: Page) -> CheckTab:
        """Add the inputs to the container that is open."""
        tab = cls(
            gui.add_number(
                "samples", 20_000, min=1, max=10_000_000, step=1000, hint="Points to draw."
            ),
            gui.add_number(
                "pairs", 1000, min=0, max=10_000_000, step=100,
                hint="Pairs of points to search ways between; 0 for none.",
            ),
            gui.add_html(paragraph("")),
        )  # fmt: skip
        check = gui.add_button(
            "Evaluate", hint="Compare the navmesh with what is free in the scene."
        )
        check.on_click(lambda _: page.evaluate())
        return tab
