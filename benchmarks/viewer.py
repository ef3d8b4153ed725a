"""The viewer: what the page takes for what someone does on it, as scenes grow.

What the browser takes to draw depends on the machine's graphics; this is all that happens before.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

import walkmesh as wm
from page import Section, paragraphs, say, table

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.viewer.page.page import Page

SIZES = (10_000, 100_000, 1_000_000)
QUICK_SIZES = (10_000, 100_000)
REPEAT = 3
PATIENCE = 600.0  # s


@dataclass(frozen=True)
class Result:
    """Seconds for each thing that is done with one scene; the median of some."""

    triangles: int
    show: float
    cut: float
    click: float
    stages: float
    path: float
    export: float
    export_bytes: int


def section(quick: bool) -> Section:
    results = [measure(size) for size in (QUICK_SIZES if quick else SIZES)]
    heads = [
        "triangles", "shown", "cut at a height", "click", "step to a stage, the slowest",
        "path between two clicks", "export", "exported",
    ]  # fmt: skip
    rows = [
        [f"{r.triangles:,}"]
        + [f"{seconds:.2f} s" for seconds in (r.show, r.cut, r.click, r.stages, r.path, r.export)]
        + [f"{r.export_bytes / 1e6:.1f} MB"]
        for r in results
    ]
    return Section(
        "The viewer",
        paragraphs(HOW, table(heads, rows)),
        {"viewer": [asdict(result) for result in results]},
    )


def measure(size: int) -> Result:
    """Do with one terrain what someone does on the page."""
    say(f"viewer with {size:,} triangles")
    scene = wm.samples.terrain(size)
    start = time.perf_counter()
    with wm.view(scene, port=0, open_browser=False) as viewer:
        page = viewer.page
        page.wait(PATIENCE)
        show = time.perf_counter() - start
        page.panel.build.keep_stages.value = True
        page.generate()
        page.wait(PATIENCE)
        navmesh = page.document.navmesh
        assert navmesh is not None
        frame = page.document.page_frame
        heights = np.linspace(frame.base, frame.top, REPEAT + 2)[1:-1]
        cuts = [drawn(page, lambda h=h: set_cut(page, h)) for h in heights]  # type: ignore[misc]
        set_cut(page, frame.top + 1.0)
        steps = [
            drawn(page, lambda k=k: set_stage(page, k))  # type: ignore[misc]
            for k in range(1, len(page.document.stages) + 1)
        ]
        ends = navmesh.sample(2 * REPEAT, seed=1).points
        clicks, paths = [], []
        for first, second in ends.reshape(REPEAT, 2, 3):
            for place in (first, second):
                above = frame.to_page(place).astype(float) + frame.turned(np.array([0, 0, 5.0]))
                ray = above, -frame.turned(np.array([0.0, 0.0, 1.0]))
                clicks.append(timed(lambda ray=ray: page.find_place(*ray)))  # type: ignore[misc]
            page.put_agent(first)
            paths.append(timed(lambda goal=second: page.put_agent(goal)))  # type: ignore[misc]
        start = time.perf_counter()
        exported = len(page.as_html())
        export = time.perf_counter() - start
    return Result(
        len(scene.faces), show, float(np.median(cuts)), float(np.median(clicks)), max(steps),
        float(np.median(paths)), export, exported,
    )  # fmt: skip


def set_cut(page: Page, height: float) -> None:
    page.panel.show.cut_above.value = height


def set_stage(page: Page, stage: int) -> None:
    page.panel.show.stage.value = stage


def drawn(page: Page, change: Callable[[], None]) -> float:
    """Return how long it takes from a change until the page has what it shows."""

    def work() -> None:
        change()
        page.wait(PATIENCE)

    return timed(work)


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


HOW = """What the page takes, in one process with the kernels compiled, until what is shown is on
its way to the browser; what the browser itself takes depends on its graphics. The scenes are
terrains, built by the exact method; *shown* includes starting the server."""
