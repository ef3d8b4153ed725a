"""Colours and lines that all views of a navmesh share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from walkmesh.query.ground.backend import ground_of
from walkmesh.topology import corner_polygons, detail_of, edge_ends, plan_points
from walkmesh.triangles import area_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh

# Colours that stay apart for colour-blind eyes (Okabe and Ito 2008). The largest component has the
# first one; vermilion is kept for paths.
COMPONENT_COLORS = ("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#0072B2")
SPECK_COLOR = "#C3CBD3"
PATH_COLOR = "#D55E00"
INK = "#33475B"

# Components smaller than this part of the largest, such as the tops of tables, share one quiet
# colour: a picture with a hundred bright specks shows nothing.
SPECK_SHARE = 0.02


def component_colors(navmesh: NavMesh) -> Floats:
    """Return (t, 4) colours of the navmesh's triangles: the largest component has the first.

    The others take turns, in the order of their area, with the rest of the palette, down to the
    specks.
    """
    from matplotlib.colors import to_rgba_array

    corners = navmesh.vertices[navmesh.triangles]
    areas = np.linalg.norm(area_vectors(corners), axis=1)
    _, component = np.unique(navmesh.components, return_inverse=True)
    component = component[navmesh.triangle_polygons]
    totals = np.bincount(component, areas)
    order = np.argsort(-totals, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    others = len(COMPONENT_COLORS) - 1
    choice = np.where(rank == 0, 0, 1 + (rank - 1) % others)
    choice[totals < SPECK_SHARE * totals.max(initial=0.0)] = len(COMPONENT_COLORS)
    colors: Floats = to_rgba_array((*COMPONENT_COLORS, SPECK_COLOR))[choice[component]]
    return colors


def polygon_edges(navmesh: NavMesh) -> tuple[Floats, Floats]:
    """Return the edges between polygons, each once, and those of the boundary.

    Both are (n, 2, 3) float64 in plan coordinates, in pieces where the ground under an edge is not
    straight. [Unit: m]
    """
    once = navmesh.neighbors > corner_polygons(navmesh)
    return _edges(navmesh, once), _edges(navmesh, navmesh.neighbors < 0)


def _edges(navmesh: NavMesh, chosen: NDArray[np.bool_]) -> Floats:
    """Return the edges that start at the chosen corners as (n, 2, 3) plan segments."""
    corners = np.flatnonzero(chosen)
    vertices = np.stack([navmesh.polygon_vertices, edge_ends(navmesh)], axis=1)[corners]
    ends = plan_points(navmesh)[vertices]
    if detail_of(navmesh) is None or len(ends) == 0:
        return ends
    owners = corner_polygons(navmesh)[corners]
    mesh = ground_of(navmesh).mesh
    lines = [mesh.on_ground(edge, [p]) for edge, p in zip(ends, owners, strict=True)]
    return np.concatenate([segments_of(line) for line in lines])


def segments_of(points: NDArray[Any]) -> NDArray[Any]:
    """Return the (k - 1, 2, d) segments of a line through (k, d) points."""
    return np.stack([points[:-1], points[1:]], axis=1)


def draw_lines(
    axes: Axes,
    segments: Floats,
    color: str,
    width: float,
    zorder: float = 2.0,
    *,
    as_image: bool = False,
) -> None:
    """Draw (n, 2, 2) segments in one colour; `width` is in points.

    `as_image` makes them one image in an SVG, which opens faster when there are many.
    """
    from matplotlib.collections import LineCollection

    # An array is a sequence of arrays to everyone but the type checker.
    lines = cast("Sequence[ArrayLike]", segments)
    drawn = LineCollection(lines, colors=color, linewidths=width, capstyle="round", zorder=zorder)
    drawn.set_rasterized(as_image)
    axes.add_collection(drawn)


def draw_path(
    axes: Axes, segments: Floats, start: Floats | None, goal: Floats | None, width: float
) -> None:
    """Draw (n, 2, 2) pieces of a path, with a ring at its start and a disc at its goal.

    Ends that cannot be seen are None; `width` is that of the line, in points.
    """
    draw_lines(axes, segments, "white", 1.8 * width, zorder=3.0)
    draw_lines(axes, segments, PATH_COLOR, width, zorder=3.0)
    for end, inside, outline in ((start, "white", PATH_COLOR), (goal, PATH_COLOR, "white")):
        if end is not None:
            axes.plot(*end, "o", ms=3.0 * width, mfc=inside, mec=outline, mew=0.6 * width, zorder=4)
