"""Stitching: pieces share vertices, and know who lies across their edges."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arrays import Bools, Indices, find_all
from walkmesh.builder.mesh import check_any
from walkmesh.builder.surface.kernels.tolerances import WELD
from walkmesh.builder.surface.kernels.weld import find_junctions, weld_places
from walkmesh.builder.surface.sheet import Sheet
from walkmesh.builder.surface.slivers import tree_over_edges
from walkmesh.builder.surface.stages.cut import name_blockers
from walkmesh.builder.surface.stages.faces import match
from walkmesh.ragged import following_corners, offsets_of, owners_of

if TYPE_CHECKING:
    from walkmesh.arrays import Floats, Ids
    from walkmesh.builder.stage import Stage
    from walkmesh.builder.surface.sheet import SheetPieces
    from walkmesh.builder.surface.state import SurfaceBuild, Turns

# Vertices made corners can lie on further edges, and so on.
_ROUNDS = 8


def run(build: SurfaceBuild) -> Stage:
    """Join the pieces into a sheet, and name what stands in the way beyond its edges."""
    faces, agent = build.faces, build.agent
    stitched, collapsed = stitch(build.pieces, build.turns)
    check_any(stitched.sources, agent)
    build.sheet = named = name_blockers(stitched, faces, agent, build.method.arc_error)
    return build.made(lambda: named.mesh(build.scene.frame), **collapsed)


def stitch(pieces: SheetPieces, turns: Turns) -> tuple[Sheet, dict[str, int]]:
    """Weld corners, make vertices on edges corners, and match edges.

    Returns
    -------
    Sheet
    dict of str to int
        How many pieces collapsed.
    """
    first = np.empty(len(pieces.corners), dtype=np.int32)
    weld_places(pieces.corners, WELD, first)
    points, joints = pieces.corners, (pieces.sources < 0).astype(np.uint8)
    offsets, vertices, blockers, alive = _without_repeats(pieces.offsets, first, pieces.blockers)
    normals, sources, joints = pieces.normals[alive], pieces.sources[alive], joints[alive]
    collapsed = int(np.count_nonzero(~alive))
    for _ in range(_ROUNDS):
        owners = owners_of(offsets)
        ends = vertices[following_corners(offsets)]
        mates = match(points, vertices, ends, owners, normals, joints, turns)
        found = find_on_edges(points, vertices, ends, mates, WELD)
        if found is None:
            break
        places, inserted = found
        new, own = new_to_polygons(owners, vertices, places, inserted, len(points))
        split = _split_at_own(points, offsets, vertices, blockers, normals, owners, places[own],
                              inserted[own])  # fmt: skip
        keep = new & ~split.gone[owners[places]]
        if not keep.any() and not split.gone.any():
            break
        places, inserted = places[keep], inserted[keep]
        sizes = np.diff(offsets) + np.bincount(owners[places], minlength=len(sources))
        vertices = np.insert(vertices, places + 1, inserted).astype(np.int32)
        blockers = np.insert(blockers, places + 1, blockers[places]).astype(np.int32)
        stays = np.repeat(~split.gone, sizes)
        vertices = np.concatenate([vertices[stays], *split.vertices]).astype(np.int32)
        blockers = np.concatenate([blockers[stays], *split.blockers]).astype(np.int32)
        more = [len(part) for part in split.vertices]
        offsets = offsets_of(np.concatenate([sizes[~split.gone], more]).astype(np.int64))
        chosen = np.concatenate([np.flatnonzero(~split.gone), split.owners]).astype(np.intp)
        normals, sources, joints = normals[chosen], sources[chosen], joints[chosen]
        collapsed += int(np.count_nonzero(split.gone))
    else:
        owners = owners_of(offsets)
        ends = vertices[following_corners(offsets)]
        mates = match(points, vertices, ends, owners, normals, joints, turns)
    sheet = Sheet(
        offsets, np.ascontiguousarray(points[vertices]), mates, blockers, normals, sources
    )
    return sheet, {"pieces_collapsed": collapsed}


@dataclass(frozen=True)
class _Split:
    """Polygons that are gone, (p,) bool, and what they were split into, with what they were."""

    gone: Bools
    vertices: list[Ids]
    blockers: list[Ids]
    owners: list[int]


def _split_at_own(
    points: Floats,
    offsets: Ids,
    vertices: Ids,
    blockers: Ids,
    normals: Floats,
    owners: Ids,
    places: Indices,
    own: Ids,
) -> _Split:
    """Split polygons that have a vertex of their own on one of their edges.

    There they have no width: what lies on both sides of them comes together once that part is
    gone. What has no width at all goes altogether.
    """
    split = _Split(np.zeros(len(offsets) - 1, dtype=bool), [], [], [])
    for place, vertex in zip(places.tolist(), own.tolist(), strict=True):
        polygon = int(owners[place])
        if split.gone[polygon]:
            continue  # once in a round
        split.gone[polygon] = True
        start, stop = int(offsets[polygon]), int(offsets[polygon + 1])
        # From the end of the edge around to its start.
        ring = np.roll(vertices[start:stop], start - place - 1)
        marks = np.roll(blockers[start:stop], start - place - 1)
        at = int(np.flatnonzero(ring == vertex)[0])
        for part in (slice(0, at + 1), slice(at, len(ring))):
            corners, edges = ring[part], marks[part].copy()
            # The last edge of the first part, and of the second, is a part of the split one.
            edges[-1] = blockers[place]
            if len(corners) >= 3 and _width(points[corners], normals[polygon]) > WELD:
                split.vertices.append(corners)
                split.blockers.append(edges)
                split.owners.append(polygon)
    return split


def _without_repeats(offsets: Ids, vertices: Ids, blockers: Ids) -> tuple[Ids, Ids, Ids, Bools]:
    """Drop corners that come twice, one after the other, and polygons with less than three."""
    owners = owners_of(offsets)
    distinct = vertices != vertices[following_corners(offsets)]
    counts = np.bincount(owners[distinct], minlength=len(offsets) - 1)
    alive = counts >= 3
    stays = distinct & alive[owners]
    return offsets_of(counts[alive]), vertices[stays], blockers[stays], alive


def _width(corners: Floats, normal: Floats) -> float:
    """Return twice the area of a polygon of (k, 3) corners over its longest edge, in metres.

    Negative if it runs around the normal the other way.
    """
    local = corners - corners[0]
    ahead = np.roll(local, -1, axis=0)
    longest = np.sqrt(((ahead - local) ** 2).sum(axis=1).max())
    return float(np.cross(local, ahead).sum(axis=0) @ normal / longest)


def find_on_edges(
    points: Floats, starts: Ids, ends: Ids, mates: Ids, distance: float
) -> tuple[Indices, Ids] | None:
    """Find vertices inside of edges that have no mate, no farther off than a distance.

    Returns
    -------
    places, inserted : (k,) int
        The edges, and the vertices to insert in them, in the order along each; None if there are
        none.
    """
    free = np.flatnonzero(mates < 0)
    edges = np.ascontiguousarray(np.stack([starts[free], ends[free]], axis=1))
    if len(edges) == 0:
        return None
    tree = tree_over_edges(points, edges)
    looked = np.unique(edges).astype(np.int32)
    find = partial(find_junctions, points, looked, edges, tree.arrays, distance)
    found = find_all(find)
    if len(found) == 0:
        return None
    away = np.linalg.norm(points[found[:, 0]] - points[edges[found[:, 1], 0]], axis=1)
    order = np.lexsort((away, found[:, 1]))
    return free[found[order, 1]], found[order, 0]


def new_to_polygons(
    owners: Ids, vertices: Ids, places: Indices, inserted: Ids, count: int
) -> tuple[Bools, Bools]:
    """Tell which vertices their polygon does not have yet, each once, and which it has."""
    concerned = np.isin(owners, owners[places])
    own = owners[concerned].astype(np.int64) * count + vertices[concerned]
    keys = owners[places].astype(np.int64) * count + inserted
    _, index = np.unique(keys, return_index=True)
    once = np.zeros(len(keys), dtype=bool)
    once[index] = True
    there = np.isin(keys, own)
    return once & ~there, there
