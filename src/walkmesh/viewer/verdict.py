"""A picture of an evaluation: what of a navmesh is right, what it misses, and what is wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from walkmesh.extras import require
from walkmesh.files import check_target
from walkmesh.topology import edge_ends, plan_points
from walkmesh.triangles import area_vectors
from walkmesh.viewer.ink import INK, draw_lines
from walkmesh.viewer.levels import BIN, Missed, is_flat, level_heights, levels_of
from walkmesh.viewer.plan import (
    LEVEL_NAME,
    MANY_TRIANGLES,
    SUFFIXES,
    blank_axes,
    draw_ground,
    draw_walls,
    frame_plan,
    name_level,
    on_level,
    plan_box,
    save_figure,
    steep,
)
from walkmesh.viewer.sheet import DOTS_PER_INCH, EDGE, WIDTH, PictureLayout
from walkmesh.viewer.subject import loose_navmesh

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Floats
    from walkmesh.evaluation import Evaluation, Share
    from walkmesh.navmesh import NavMesh
    from walkmesh.scene import Scene

# Three colours that stay apart for colour-blind eyes (Okabe and Ito 2008), on a quiet grey.
RIGHT_COLOR = "#D3D9DF"
MISSED_COLOR = "#D55E00"
WRONG_COLOR = "#0072B2"
DOUBLED_COLOR = "#CC79A7"

# Samples are drawn no smaller than this, so that a single one can be seen. [Unit: pixels]
SMALLEST_SQUARE = 1.5

# Samples fall at random, so squares of just the area that they stand for would leave 37 % of a lost
# room open, which is 1 / e. Half as much again leaves 22 %, and the room looks filled.
FILLING = 1.5

# With fewer covered samples than this, they do not tell the area that each stands for.
FEW_SAMPLES = 30

# More pairs than this of a kind would be a web. They are drawn as thin dashes.
MOST_PAIRS = 12

# What figures and legend take up above the plans. [Unit: inches]
HEADER = 0.66


def save_verdict(
    path: str | PathLike[str], scene: Scene, navmesh: NavMesh, evaluation: Evaluation
) -> None:
    """Draw what an evaluation found and write the picture to a file, see :func:`draw_verdict`."""
    check_target(path, SUFFIXES)
    save_figure(path, draw_verdict(scene, navmesh, evaluation))


def draw_verdict(scene: Scene, navmesh: NavMesh, evaluation: Evaluation) -> Figure:
    """Return the picture of an evaluation: the plan of each level, with the navmesh in grey.

    Samples are squares about as large as the area that each stands for: missed ones in vermilion,
    wrong ones in blue, doubled ones in pink. Of the pairs of places that should be connected and
    are not, or the other way round, a few are dashed lines. The walls of the scene are lines.
    """
    require("matplotlib", "pictures")
    faces = navmesh.frame.to_plan(scene.vertices)[scene.faces]
    marks = _marks(navmesh, evaluation)
    missed = marks[0].points
    flat = _on_flat(missed, faces)
    levels = level_heights(navmesh, Missed(missed[:, 2], flat, marks[0].area or 1.0))
    extent = np.concatenate([plan_points(navmesh)[navmesh.polygon_vertices], missed])
    if len(extent) == 0:
        extent = faces.reshape(-1, 3)
    low, high = plan_box(extent)
    # The header takes the whole width.
    page = PictureLayout.holding(
        len(levels), high - low, header=HEADER, name=LEVEL_NAME, least_width=WIDTH
    )
    figure = page.figure()
    pairs = [
        _DrawnPairs.of("lost", evaluation.lost_pairs, navmesh, levels, MISSED_COLOR),
        _DrawnPairs.of("false", evaluation.false_pairs, navmesh, levels, WRONG_COLOR),
    ]
    walls = faces[steep(faces)]
    # The top level comes first.
    for place, level in enumerate(reversed(range(len(levels)))):
        axes = blank_axes(figure, page.place(place))
        _draw_navmesh(axes, navmesh, levels, level)
        draw_walls(axes, walls, levels[level])
        counts = [_draw_mark(axes, mark, levels, level, page.scale) for mark in marks]
        for kind in pairs:
            _draw_pairs(axes, kind, level)
        frame_plan(axes, extent)
        found = [f"{mark.name} {n}" for mark, n in zip(marks, counts, strict=True) if n]
        name_level(axes, levels[level], "".join(f", {part}" for part in found))
    _draw_header(figure, page, evaluation, marks, pairs)
    return figure


@dataclass(frozen=True)
class _Mark:
    """Samples of one kind: (n, 3) plan points, each of which stands for an area in m2."""

    name: str
    points: Floats
    area: float
    color: str


@dataclass(frozen=True)
class _DrawnPairs:
    """Pairs of places of one kind: how many there are, and the (n, 2, 3) that are drawn.

    `levels` has the level of each that is drawn.
    """

    name: str
    count: int
    drawn: Floats
    levels: NDArray[np.intp]
    color: str

    @classmethod
    def of(
        cls, name: str, places: Floats, navmesh: NavMesh, levels: Floats, color: str
    ) -> _DrawnPairs:
        """Choose a few pairs, evenly, among those with both places on one level."""
        pairs = navmesh.frame.to_plan(places)
        ends = levels_of(pairs[:, :, 2], levels)
        level = np.flatnonzero(ends[:, 0] == ends[:, 1])
        few = np.linspace(0, len(level) - 1, min(len(level), MOST_PAIRS)).astype(np.intp)
        chosen = level[few]
        return cls(name, len(pairs), pairs[chosen], ends[chosen, 0], color)


def _marks(navmesh: NavMesh, evaluation: Evaluation) -> list[_Mark]:
    """Return the samples that are not right: missed ones, then what there mostly is less of."""
    missed, wrong, doubled = (
        navmesh.frame.to_plan(np.asarray(points).reshape(-1, 3))
        for points in (evaluation.missed, evaluation.wrong, evaluation.doubled)
    )
    area = evaluation.area / max(evaluation.precision.samples, 1)
    return [
        _Mark("missed", missed, _missed_area(missed, navmesh, evaluation), MISSED_COLOR),
        _Mark("wrong", wrong, area, WRONG_COLOR),
        _Mark("doubled", doubled, area, DOUBLED_COLOR),
    ]


def _missed_area(missed: Floats, navmesh: NavMesh, evaluation: Evaluation) -> float:
    """Return the area that a missed sample stands for. [Unit: m2].

    It is that of a covered one, since both are drawn alike from the free ground, and those that are
    covered stand for the right part of the navmesh.
    """
    covered = evaluation.recall.samples - len(missed)
    if covered >= FEW_SAMPLES and evaluation.precision.value > 0.0:
        return evaluation.precision.value * evaluation.area / covered
    if len(missed) == 0:
        return 0.0
    # Nearly all is missed: see how much of the plan the samples take up, storey by storey, in cells
    # of some nine samples each.
    low, high = missed.min(axis=0), missed.max(axis=0)
    cell = 3.0 * math.sqrt(float(np.prod((high - low)[:2])) / len(missed))
    if cell == 0.0:
        return 0.0
    cells = np.floor((missed - low) / (cell, cell, navmesh.agent.height))
    return len(np.unique(cells, axis=0)) * cell**2 / len(missed)


def _on_flat(points: Floats, faces: Floats) -> NDArray[np.bool_]:
    """Tell which (n, 3) plan points are on flat ones of the scene's (t, 3, 3) faces."""
    normals = area_vectors(faces)
    ground = (normals[:, 2] > 0.0) & ~steep(faces)
    if len(points) == 0 or not ground.any():
        return np.zeros(len(points), dtype=np.bool_)
    corners = np.arange(3 * np.count_nonzero(ground)).reshape(-1, 3)
    loose = loose_navmesh(faces[ground].reshape(-1, 3), corners, up="z")
    found = loose.nearest(points, max_snap=BIN).polygons
    return np.asarray((found >= 0) & is_flat(normals[ground])[found])


def _draw_navmesh(axes: Axes, navmesh: NavMesh, levels: Floats, level: int) -> None:
    triangles = plan_points(navmesh)[navmesh.triangles]
    many = len(triangles) > MANY_TRIANGLES
    shown = on_level(triangles, levels, level)
    draw_ground(axes, triangles[shown, :, :2], RIGHT_COLOR, seam=0.6, as_image=many)
    ends = np.stack([navmesh.polygon_vertices, edge_ends(navmesh)], axis=1)
    boundary = plan_points(navmesh)[ends[navmesh.neighbors < 0]]
    shown = on_level(boundary, levels, level)
    draw_lines(axes, boundary[shown, :, :2], INK, 0.4, as_image=many)


def _draw_mark(axes: Axes, mark: _Mark, levels: Floats, level: int, scale: float) -> int:
    """Draw the samples of a level as squares, and return how many there are.

    `scale` is in inches for a metre.
    """
    from matplotlib.collections import PolyCollection

    points = mark.points[on_level(mark.points[:, None], levels, level), :2]
    side = max(math.sqrt(FILLING * mark.area), SMALLEST_SQUARE / (scale * DOTS_PER_INCH))
    corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    squares = PolyCollection(
        cast("Sequence[ArrayLike]", points[:, None] + side * corners),
        # Between ground and lines. Smoothing would leave hairlines between squares.
        facecolors=mark.color, linewidths=0.0, antialiaseds=False, zorder=1.5, label=mark.name,
    )  # fmt: skip
    squares.set_rasterized(len(points) > MANY_TRIANGLES)
    axes.add_collection(squares)
    return len(points)


def _draw_pairs(axes: Axes, pairs: _DrawnPairs, level: int) -> None:
    for start, goal in pairs.drawn[pairs.levels == level, :, :2]:
        axes.plot(
            *np.stack([start, goal], axis=1), color=pairs.color, linewidth=0.7,
            linestyle=(0, (4, 3)), marker="o", markersize=2.6, markerfacecolor="white",
            markeredgewidth=0.7, zorder=3.0,
        )  # fmt: skip


def _draw_header(
    figure: Figure,
    page: PictureLayout,
    evaluation: Evaluation,
    marks: list[_Mark],
    pairs: list[_DrawnPairs],
) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    title = f"recall {_value(evaluation.recall)}    precision {_value(evaluation.precision)}"
    place = EDGE / WIDTH, 1.0 - EDGE / page.height
    figure.text(*place, title, fontsize=12, color=INK, ha="left", va="top", weight="bold")
    handles: list[Artist] = [Patch(facecolor=RIGHT_COLOR, edgecolor=INK, lw=0.4, label="right")]
    shares = (evaluation.recall, evaluation.precision, evaluation.overlap)
    for mark, share in zip(marks, shares, strict=True):
        label = f"{mark.name} {len(mark.points)} of {share.samples}"
        if share.samples:
            label += f", {100.0 * len(mark.points) / share.samples:.2f} %"
        handles.append(Patch(facecolor=mark.color, label=label))
    for kind in pairs:
        if kind.count:
            drawn = f", {len(kind.drawn)} drawn" if len(kind.drawn) < kind.count else ""
            label = f"{kind.name} pairs {kind.count}{drawn}"
            handles.append(Line2D([], [], color=kind.color, lw=0.9, ls=(0, (3, 2)), label=label))
    figure.legend(
        handles=handles, loc="upper left", ncols=len(handles), frameon=False, fontsize=7.5,
        labelcolor=INK, bbox_to_anchor=(place[0], 1.0 - 0.45 / page.height), borderpad=0.0,
        borderaxespad=0.0, handlelength=1.4, handletextpad=0.5, columnspacing=1.6,
    )  # fmt: skip


def _value(share: Share) -> str:
    return "unknown" if math.isnan(share.value) else f"{share.value:.4f}"
