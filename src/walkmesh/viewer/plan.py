"""What floor plans share: walls cut as architects do, a scale bar, and how figures are saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from walkmesh.files import check_target, replacing
from walkmesh.triangles import area_vectors
from walkmesh.viewer.ink import INK, draw_lines
from walkmesh.viewer.levels import levels_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.gridspec import SubplotSpec
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Floats

SUFFIXES = (".png", ".svg")

# With more triangles than this, edges would cover the faces and are left out, and the plans in an
# SVG become images, which open faster.
MANY_TRIANGLES = 20_000

# Plans cut walls at this height above their level, as architects do: above tables and under
# lintels. [Unit: m]
SECTION_HEIGHT = 1.1

# Around what a plan shows, in parts of its longer side.
MARGIN = 0.01

# The scale bar below a plan, and the margin that it is in, in parts of the mean of its sides: in
# parts of the longer one, they would be a wide gap below a long hall.
BAR_BELOW, MARGIN_BELOW = 0.05, 0.08

# What the name of a level takes up above its plan. [Unit: inches]
LEVEL_NAME = 0.28


def blank_axes(figure: Figure, place: SubplotSpec | tuple[float, float, float, float]) -> Axes:
    """Add axes without ticks or frame, on which a metre is as long in u as in v."""
    axes = figure.add_axes(place) if isinstance(place, tuple) else figure.add_subplot(place)
    axes.set_axis_off()
    axes.set_aspect("equal")
    return axes


def on_level(pieces: Floats, levels: Floats, level: int) -> NDArray[np.bool_]:
    """Tell which (n, k, 3) pieces in plan coordinates belong to a level, by their mean height."""
    chosen: NDArray[np.bool_] = levels_of(pieces[:, :, 2].mean(axis=1), levels) == level
    return chosen


def draw_ground(
    axes: Axes, triangles: Floats, colors: Floats | str, *, seam: float = 0.25, as_image: bool
) -> None:
    """Fill (n, 3, 2) triangles with their colours, or all with one.

    Outlines of the width `seam`, in points, close the hairlines that smoothing leaves between them;
    `as_image` makes them one image in an SVG.
    """
    from matplotlib.collections import PolyCollection

    ground = PolyCollection(
        cast("Sequence[ArrayLike]", triangles),
        facecolors=colors, edgecolors=colors, linewidths=seam,
    )  # fmt: skip
    ground.set_rasterized(as_image)
    axes.add_collection(ground)


def draw_walls(axes: Axes, walls: Floats, level: float) -> None:
    """Draw the lines in which (n, 3, 3) walls are cut above the level at this height."""
    lines = section(walls, level + SECTION_HEIGHT)
    draw_lines(axes, lines, INK, 0.9, as_image=len(lines) > MANY_TRIANGLES)


def plan_box(points: Floats) -> tuple[Floats, Floats]:
    """Return the lowest and the highest (u, v) of a plan that shows (n, 2 or 3) points, n > 0."""
    low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    margin = MARGIN * _size(low, high)
    below = MARGIN_BELOW * _mean_size(low, high)
    return low - np.array([margin, below]), high + margin


def frame_plan(axes: Axes, points: Floats) -> None:
    """Give a plan the extent of (n, 2 or 3) plan points, and draw a scale bar below it."""
    if len(points) == 0:
        return
    low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    size = _size(low, high)
    bar = _round_length(size / 4.0)
    y = low[1] - BAR_BELOW * _mean_size(low, high)
    axes.plot([high[0] - bar, high[0]], [y, y], color=INK, linewidth=1.4, solid_capstyle="butt")
    axes.text(
        high[0] - bar - 0.015 * size, y, f"{bar:g} m",
        fontsize=7, color=INK, ha="right", va="center",
    )  # fmt: skip
    (left, bottom), (right, top) = plan_box(points)
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)


def name_level(axes: Axes, level: float, note: str = "") -> None:
    """Write the height of a level over its plan, and a note after it."""
    name_view(axes, f"level {level:.1f} m{note}")


def name_view(axes: Axes, name: str) -> None:
    """Write a name over a picture."""
    axes.set_title(name, fontsize=9, color=INK, loc="left", pad=3)


def steep(faces: Floats) -> NDArray[np.bool_]:
    """Tell which (n, 3, 3) triangles are walls: steeper than 60 degrees."""
    normals = area_vectors(faces)
    chosen: NDArray[np.bool_] = np.abs(normals[:, 2]) < 0.5 * np.linalg.norm(normals, axis=1)
    return chosen


def section(faces: Floats, height: float) -> Floats:
    """Return the (n, 2, 2) plan lines in which triangles meet the plane at `height`."""
    above = faces[:, :, 2] > height
    crossing = above.any(axis=1) & ~above.all(axis=1)
    faces, above = faces[crossing], above[crossing]
    # Of the three corners one is alone on its side; the plane cuts the two sides that meet there.
    alone = np.where(above.sum(axis=1) == 1, above.argmax(axis=1), above.argmin(axis=1))
    rows = np.arange(len(faces))
    apex = faces[rows, alone]
    ends = [faces[rows, (alone + k) % 3] for k in (1, 2)]
    shares = [(height - apex[:, 2]) / (end[:, 2] - apex[:, 2]) for end in ends]
    return np.stack(
        [
            apex[:, :2] + t[:, None] * (end - apex)[:, :2]
            for t, end in zip(shares, ends, strict=True)
        ],
        axis=1,
    )


def save_figure(path: str | PathLike[str], figure: Figure) -> None:
    """Write a figure so that the same picture is the same bytes."""
    import matplotlib

    check_target(path, SUFFIXES)
    suffix = Path(path).suffix.lower()
    # Both formats would note a time or a version, and SVG would number its parts at random.
    metadata = {".png": {"Software": None}, ".svg": {"Date": None, "Creator": None}}[suffix]
    with matplotlib.rc_context({"svg.hashsalt": "walkmesh"}), replacing(path) as temporary:
        figure.savefig(temporary, format=suffix[1:], metadata=metadata)


def _size(low: Floats, high: Floats) -> float:
    """Return the longer side of a box; that of a point is one metre."""
    return float((high - low).max()) or 1.0


def _mean_size(low: Floats, high: Floats) -> float:
    """Return the geometric mean of a box's sides, but at least 0.6 of the longer one."""
    return max(float(np.sqrt(np.prod(high - low))), 0.6 * _size(low, high))


def _round_length(length: float) -> float:
    """Return the largest of 1, 2 or 5 times a power of ten that is not over `length`."""
    power = 10.0 ** np.floor(np.log10(max(length, 1e-9)))
    return float(power * max(factor for factor in (1.0, 2.0, 5.0) if factor * power <= length))
