"""From the triangles of a surface to a navmesh: flat convex polygons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build.mesh import compact
from walkmesh.build.polygons import merge_triangles
from walkmesh.build.ragged import following_corners, offsets_of
from walkmesh.build.surface.charts import lay_out
from walkmesh.navmesh import NavMesh

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids
    from walkmesh.frame import Frame

# How far a polygon may be from flat; and how far charts may be tilted against it, so that what is
# convex in one is so in its own plane as well. [m, degrees]
_FLAT = 2e-5
_TILT = 10.0
# A vertex this close to the line between its neighbours is not needed by it. [m]
_STRAIGHT = 1e-6


def make_navmesh(points: Floats, triangles: Ids, agent: Agent, frame: Frame) -> NavMesh:
    """Merge triangles into flat convex polygons, and turn them into a navmesh."""
    charts = lay_out(points, triangles, widest=_TILT)
    offsets, corners = merge_triangles(charts.mesh, _FLAT)
    places, ids = charts.surface(points)
    offsets, corners = _straighten(places, offsets, ids[corners])
    places, corners = compact(places, corners)
    return NavMesh(frame.to_world(places), offsets, corners, agent=agent, up=frame.up, surface=True)


def _straighten(points: Floats, offsets: Ids, corners: Ids) -> tuple[Ids, Ids]:
    """Drop vertices in the middle of straight lines between two polygons and no others."""
    following = following_corners(offsets)
    preceding = np.empty_like(following)
    preceding[following] = np.arange(len(corners), dtype=np.int32)
    before, after = points[corners[preceding]], points[corners[following]]
    chord = after - before
    square = np.maximum((chord * chord).sum(axis=1), 1e-300)
    way = points[corners] - before
    share = (way * chord).sum(axis=1) / square
    off = np.linalg.norm(way - share[:, None] * chord, axis=1)
    straight = (off <= _STRAIGHT) & (share > 0.0) & (share < 1.0)
    # In both polygons the same line, run through the other way.
    order = np.argsort(corners, kind="stable")
    vertices, first, counts = np.unique(corners[order], return_index=True, return_counts=True)
    two = counts == 2
    a, b = order[first[two]], order[first[two] + 1]
    same = (corners[preceding[a]] == corners[following[b]]) & (
        corners[following[a]] == corners[preceding[b]]
    )
    useless = np.zeros(len(points), dtype=bool)
    useless[vertices[two][same & straight[a] & straight[b]]] = True
    owners = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    stays = ~useless[corners]
    # A polygon keeps three corners.
    few = np.bincount(owners[stays], minlength=len(offsets) - 1) < 3
    useless[corners[few[owners]]] = False
    stays = ~useless[corners]
    sizes = np.bincount(owners[stays], minlength=len(offsets) - 1)
    return offsets_of(sizes), np.ascontiguousarray(corners[stays], dtype=np.int32)
