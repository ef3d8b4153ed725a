"""A picture of a navmesh: an oblique view, and beside it the plan of each level."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from walkmesh.files import check_target, replacing
from walkmesh.viewer.ink import (
    INK,
    PATH_COLOR,
    component_colors,
    draw_lines,
    draw_path,
    polygon_edges,
)
from walkmesh.viewer.levels import level_heights, levels_of
from walkmesh.viewer.painter import Camera, Strokes, cut_segments, cut_triangles, painted, shade
from walkmesh.viewer.plan import (
    DOTS_PER_INCH,
    MANY_TRIANGLES,
    SUFFIXES,
    blank_axes,
    draw_ground,
    draw_walls,
    frame_plan,
    name_level,
    on_level,
    steep,
    write_figure,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh
    from walkmesh.scene import Scene

# The oblique view cuts surfaces into pieces of the scene's extent divided by this.
PIECES_ACROSS = 56

# Faces of the scene this close to the navmesh are the ground that it stands for. [Unit: m]
COVERED_WITHIN = 0.02

# Paths are cut into pieces of this length, each of which belongs to one level. [Unit: m]
PATH_PIECE = 0.1


def save_picture(
    path: str | PathLike[str],
    navmesh: NavMesh,
    *,
    scene: Scene | None = None,
    paths: Sequence[ArrayLike] = (),
) -> None:
    """Draw a navmesh and write the picture to a file.

    Parameters
    ----------
    path : str or path-like
        Where to; the suffix, ``.png`` or ``.svg``, tells the format.
    navmesh : NavMesh
        Its polygons are coloured by component, the largest in blue.
    scene : Scene, optional
        Drawn in grey around the navmesh; must have the same up.
    paths : sequence of (k, 3) array_like of float, optional
        Points of each path in world coordinates, drawn over everything. [Unit: m]

    Raises
    ------
    FormatError
        When the suffix is not known or the file cannot be written.
    """
    check_target(path, SUFFIXES)
    figure = draw(navmesh, scene=scene, paths=paths)
    with replacing(path) as temporary:
        write_figure(figure, temporary, Path(path).suffix.lower())


def draw(
    navmesh: NavMesh, *, scene: Scene | None = None, paths: Sequence[ArrayLike] = ()
) -> Figure:
    """Return the picture that :func:`save_picture` writes, as a matplotlib figure."""
    from matplotlib.figure import Figure

    routes = [navmesh.frame.to_plan(points) for points in paths if len(np.asarray(points))]
    faces = np.empty((0, 3, 3))
    if scene is not None:
        faces = navmesh.frame.to_plan(scene.vertices)[scene.faces]
    levels = level_heights(navmesh)
    figure = Figure(figsize=(11.0, 6.4), dpi=DOTS_PER_INCH, facecolor="white")
    grid = figure.add_gridspec(
        len(levels), 2, width_ratios=(1.9, 1.0), wspace=0.03, hspace=0.16,
        left=0.01, right=0.985, bottom=0.03, top=0.955,
    )  # fmt: skip
    _draw_oblique(blank_axes(figure, grid[:, 0]), navmesh, faces, routes)
    for level in range(len(levels)):
        # The top level is on top of the page.
        axes = blank_axes(figure, grid[len(levels) - 1 - level, 1])
        _draw_plan(axes, navmesh, faces, routes, levels, level)
    return figure


def _draw_oblique(axes: Axes, navmesh: NavMesh, faces: Floats, routes: list[Floats]) -> None:
    from matplotlib.collections import PolyCollection
    from matplotlib.colors import to_rgba

    triangles = navmesh.plan_points[navmesh.triangles]
    everything = np.concatenate([faces, triangles]).reshape(-1, 3)
    if len(everything) == 0:
        return
    longest = (float(np.ptp(everything, axis=0).max()) or 1.0) / PIECES_ACROSS
    ground = component_colors(navmesh)
    ground[:, :3] = np.minimum(ground[:, :3] * shade(triangles, 0.2)[:, None], 1.0)
    pieces, sources = cut_triangles(faces, longest)
    shown = ~_covered(navmesh, pieces)
    layers = [
        Strokes.surface(pieces[shown], _greys(faces)[sources[shown]], 0.0, longest),
        Strokes.surface(triangles, ground, longest / 4.0, longest),
    ]
    if len(triangles) <= MANY_TRIANGLES:
        inner, boundary = polygon_edges(navmesh)
        lift = 0.7 * longest
        layers.append(Strokes.lines(inner, to_rgba("white", 0.6), 0.35, lift, longest))
        layers.append(Strokes.lines(boundary, to_rgba(INK), 0.6, lift, longest))
    for route in routes:
        pieces = _segments(route)
        # The casing counts as farther than the line, by more than a piece is long, so that no
        # piece's casing hides the line of the piece before.
        layers.append(Strokes.lines(pieces, to_rgba("white"), 4.6, 3.0 * longest, longest))
        layers.append(Strokes.lines(pieces, to_rgba(PATH_COLOR), 2.6, 5.0 * longest, longest))
    camera = Camera.looking_down()
    corners, colors, widths = painted(camera, layers)
    surface = PolyCollection(
        cast("Sequence[ArrayLike]", corners),
        facecolors=colors, edgecolors=colors, linewidths=widths, capstyle="round",
        # Smoothing would leave hairlines between opaque pieces, and its lack would leave dots
        # between see-through ones, where a pixel is covered twice.
        antialiaseds=(widths > 0.0) | (colors[:, 3] < 1.0),
    )  # fmt: skip
    # Tens of thousands of pieces would make an SVG slow to open, so there they are one image.
    surface.set_rasterized(True)
    # Matplotlib takes a second to find the extent of this many pieces.
    axes.add_collection(surface, autolim=False)
    axes.update_datalim(corners.reshape(-1, 2))
    for route in routes:
        _draw_hidden_path(axes, camera.project(route))
    axes.autoscale_view()


def _covered(navmesh: NavMesh, pieces: Floats) -> NDArray[np.bool_]:
    """Tell which (n, 3, 3) pieces of the scene lie under the navmesh, which is drawn instead.

    Ground and navmesh are at the same distance from the viewer, and would show in patches.
    """
    corners = navmesh.frame.to_world(pieces.reshape(-1, 3))
    found = navmesh.nearest(corners, max_snap=COVERED_WITHIN).polygons >= 0
    return np.asarray(found.reshape(-1, 3).all(axis=1))


def _draw_hidden_path(axes: Axes, points: Floats) -> None:
    """Draw a path as thin dashes over everything, for where surfaces hide it, and its ends."""
    axes.plot(points[:, 0], points[:, 1], color=PATH_COLOR, linewidth=0.9, linestyle=(0, (2, 2)))
    draw_path(axes, np.empty((0, 2, 2)), points[0], points[-1], 2.6)


def _draw_plan(
    axes: Axes,
    navmesh: NavMesh,
    faces: Floats,
    routes: list[Floats],
    levels: Floats,
    level: int,
) -> None:
    def here(pieces: Floats) -> NDArray[np.bool_]:
        return on_level(pieces, levels, level)

    triangles = navmesh.plan_points[navmesh.triangles]
    shown = here(triangles)
    many = len(triangles) > MANY_TRIANGLES
    draw_ground(axes, triangles[shown, :, :2], component_colors(navmesh)[shown], as_image=many)
    if not many:
        inner, boundary = polygon_edges(navmesh)
        draw_lines(axes, inner[here(inner), :, :2], "white", 0.3)
        draw_lines(axes, boundary[here(boundary), :, :2], INK, 0.5)
    draw_walls(axes, faces[steep(faces)], levels[level])
    for route in routes:
        pieces = cut_segments(_segments(route), PATH_PIECE)
        start, goal = (
            end[:2] if levels_of(end[2:], levels)[0] == level else None
            for end in (route[0], route[-1])
        )
        draw_path(axes, pieces[here(pieces), :, :2], start, goal, 1.6)
    frame_plan(axes, navmesh.plan_points[navmesh.polygon_vertices])
    name_level(axes, levels[level])


def _greys(faces: Floats) -> Floats:
    """Return (n, 4) colours of scene faces: soft greys, see-through where they are steep."""
    colors = np.ones((len(faces), 4))
    colors[:, :3] = np.minimum(0.93 * shade(faces, 0.65), 1.0)[:, None]
    colors[steep(faces), 3] = 0.3
    return colors


def _segments(points: Floats) -> Floats:
    """Return the (k - 1, 2, d) segments of a line through (k, d) points."""
    return np.stack([points[:-1], points[1:]], axis=1)
