"""A picture of a navmesh: an oblique view, the plan of each level, or both beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.errors import SettingsError
from walkmesh.extras import require
from walkmesh.files import check_target
from walkmesh.viewer.ink import INK, draw_lines, draw_path, segments_of
from walkmesh.viewer.levels import levels_of
from walkmesh.viewer.oblique import draw_oblique, view_box
from walkmesh.viewer.painter import Camera, cut_segments
from walkmesh.viewer.plan import (
    LEVEL_NAME,
    MANY_TRIANGLES,
    SUFFIXES,
    blank_axes,
    draw_ground,
    draw_walls,
    frame_plan,
    name_level,
    name_view,
    on_level,
    plan_box,
    save_figure,
    steep,
)
from walkmesh.viewer.sheet import EDGE, POINTS_PER_INCH, PictureLayout, blank_figure
from walkmesh.viewer.subject import Subject

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Floats
    from walkmesh.building import Building
    from walkmesh.floor_plan import FloorPlan
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.path import Path
    from walkmesh.scene import Scene
    from walkmesh.viewer.figure import Picture

# Paths are cut into pieces of this length, each of which belongs to one level. [Unit: m]
PATH_PIECE = 0.1

# A page with an oblique view and plans. [Unit: inches]
PAGE = 11.0, 6.4

# The line that the legend of links takes on other pages, which are wide enough for it, and for the
# names of levels in any case. [Unit: inches]
LEGEND_HEIGHT, LEGEND_WIDTH, LEAST_WIDTH = 0.3, 4.5, 1.6


def save_picture(
    path: str | PathLike[str],
    navmesh: NavMesh,
    *,
    scene: Scene | FloorPlan | Building | None = None,
    paths: Sequence[ArrayLike | Path] = (),
    show: str = "both",
) -> None:
    """Draw a navmesh and write the picture to a file, which appears only when it is complete.

    Its suffix, ``.png`` or ``.svg``, tells the format; all else is as :meth:`NavMesh.plot` takes
    it.
    """
    check_target(path, SUFFIXES)
    save_figure(path, draw(navmesh, scene=scene, paths=paths, show=show))


def draw(
    navmesh: NavMesh,
    *,
    scene: Scene | FloorPlan | Building | None = None,
    paths: Sequence[ArrayLike | Path] = (),
    show: str = "both",
    edges: bool | None = None,
) -> Picture:
    """Return the picture that :meth:`NavMesh.plot` describes."""
    if not isinstance(show, str) or show not in SHOWS:
        words = ", ".join(repr(word) for word in SHOWS)
        raise SettingsError(f"show is {show!r}; it must be one of {words}")
    require("matplotlib", "pictures")
    return SHOWS[show](Subject.of(navmesh, scene, paths, edges))


def _draw_both(subject: Subject) -> Picture:
    if subject.surface:  # each polygon faces one of two opposite sides, but few face up
        return _draw_views(subject, [Camera.looking_down(), Camera.looking_down().opposite])
    count = len(subject.levels)
    figure = blank_figure(*PAGE)
    grid = figure.add_gridspec(
        count, 2, width_ratios=(1.9, 1.0), wspace=0.03, hspace=0.16,
        left=0.01, right=0.985, bottom=0.03, top=0.955,
    )  # fmt: skip
    view = blank_axes(figure, grid[:, 0])
    camera = Camera.looking_down()
    box = view_box(camera, subject.extent)
    draw_oblique(view, subject, camera, _metres_a_point(figure, view, box))
    for level in range(count):
        # The top level is on top of the page.
        axes = blank_axes(figure, grid[count - 1 - level, 1])
        _draw_plan(figure, axes, subject, level)
    subject.links.draw_legend(figure, (EDGE / PAGE[0], 1.0 - EDGE / PAGE[1]))
    return figure


def _draw_plans(subject: Subject) -> Picture:
    extent = subject.plan_extent
    low, high = plan_box(extent) if len(extent) else (np.zeros(2), np.ones(2))
    count = len(subject.levels)
    page = _page(subject, count, high - low, LEVEL_NAME)
    figure = page.figure()
    for place, level in enumerate(reversed(range(count))):
        _draw_plan(figure, blank_axes(figure, page.place(place)), subject, level)
    _draw_legend_on(page, figure, subject)
    return figure


def _draw_view(subject: Subject) -> Picture:
    return _draw_views(subject, [Camera.looking_down()])


def _draw_views(subject: Subject, cameras: list[Camera]) -> Picture:
    """Draw a picture for each camera, all of one size."""
    boxes = [view_box(camera, subject.extent) for camera in cameras]
    size = np.max([high - low for low, high in boxes], axis=0)
    named = len(cameras) > 1
    page = _page(subject, len(cameras), size, LEVEL_NAME if named else EDGE)
    figure = page.figure()
    for place, camera in enumerate(cameras):
        axes = blank_axes(figure, page.place(place))
        draw_oblique(axes, subject, camera, 1.0 / (page.scale * POINTS_PER_INCH))
        if named:
            name_view(axes, "from above" if camera.towards[2] > 0.0 else "from below, opposite")
    _draw_legend_on(page, figure, subject)
    return figure


SHOWS: dict[str, Callable[[Subject], Picture]] = {
    "both": _draw_both,
    "plans": _draw_plans,
    "oblique": _draw_view,
}
"""What pictures can show, and what draws it."""


def _page(subject: Subject, count: int, extent: Floats, name: float) -> PictureLayout:
    """Return the page for some pictures, with a line for the legend if there are links."""
    header, width = (LEGEND_HEIGHT, LEGEND_WIDTH) if len(subject.links.ends) else (0.0, LEAST_WIDTH)
    return PictureLayout.holding(count, extent, header=header, name=name, least_width=width)


def _draw_legend_on(page: PictureLayout, figure: Picture, subject: Subject) -> None:
    subject.links.draw_legend(figure, (EDGE / page.width, 1.0 - EDGE / 2.0 / page.height))


def _metres_a_point(figure: Picture, axes: Axes, box: tuple[Floats, Floats]) -> float:
    """Return the metres that a point measures on axes that show all of a box."""
    inches = axes.get_position().size * figure.get_size_inches()
    return float(((box[1] - box[0]) / inches).max()) / POINTS_PER_INCH


def _draw_plan(figure: Picture, axes: Axes, subject: Subject, level: int) -> None:
    levels = subject.levels

    def here(pieces: Floats) -> NDArray[np.bool_]:
        return on_level(pieces, levels, level)

    shown = here(subject.triangles) & subject.on_plans
    many = len(subject.triangles) > MANY_TRIANGLES
    draw_ground(axes, subject.triangles[shown, :, :2], subject.colors[shown], as_image=many)
    inner, boundary = subject.seen_edges(Camera.from_above())
    for lines, color, width in ((inner, "white", 0.3), (boundary, INK, 0.5)):
        draw_lines(axes, lines[here(lines), :, :2], color, width, as_image=many)
    draw_walls(axes, subject.faces[steep(subject.faces)], levels[level])
    extent = subject.plan_extent
    if len(extent):
        subject.links.draw(axes, levels, level, _metres_a_point(figure, axes, plan_box(extent)))
    for route in subject.routes:
        pieces = cut_segments(segments_of(route), PATH_PIECE)
        start, goal = (
            end[:2] if levels_of(end[2:], levels)[0] == level else None
            for end in (route[0], route[-1])
        )
        draw_path(axes, pieces[here(pieces), :, :2], start, goal, 1.6)
    frame_plan(axes, extent)
    name_level(axes, levels[level], ", what faces up" if subject.surface else "")
