"""Low faces: steep ones that can be stepped over stay, the others go."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.builder.exact.kernels.low_faces import (
    SUNKEN,
    find_misfits,
    find_near_ground,
    find_passable,
)
from walkmesh.builder.exact.kernels.low_sectors import MOST_TOGETHER, find_barred, make_sectors
from walkmesh.builder.exact.kernels.low_strips import IMPASSABLE, IN_PARTS, find_strips
from walkmesh.builder.exact.kernels.low_ways import RUBBLE
from walkmesh.builder.exact.kernels.tolerances import MAYBE_A_STEP
from walkmesh.builder.ground import Pieces, plan_boxes, triangulate
from walkmesh.builder.kernels.faces import GROUND, LOW
from walkmesh.builder.regions import Regions, gather_regions
from walkmesh.builder.stitch import stitch_to
from walkmesh.chunks import in_chunks
from walkmesh.kernels.meshes.kinds import BLOCKED, OPEN
from walkmesh.ragged import offsets_of

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Bytes, Floats, Ids
    from walkmesh.builder.faces import Faces
    from walkmesh.builder.ground import Ground


# Wider things, of nothing but low faces, cannot be stepped over. [m]
_WIDEST_STEP = 0.6
# Faces larger than this are no rubble. [m]
_WIDEST_RUBBLE = 0.5
# Parts of low faces this small are looked at as a whole, and how often faces are halved. [m]
_SMALL_PART = 0.08
_MOST_HALVINGS = 3


def close_to_ground(roles: Bytes, boxes: Floats, agent: Agent) -> Bools:
    """Tell which faces are ground, or close enough to ground to be stepped over.

    Parameters
    ----------
    roles : (n,) uint8
        LOW or GROUND.
    boxes : (n, 6) float64
        The box of each face. [Unit: m]
    """
    useful = np.asarray(roles == GROUND)
    low = np.ascontiguousarray(boxes[~useful])
    ground = BoxTree.around(boxes[useful])
    useful[~useful] = ground.close_to(low, _WIDEST_STEP, agent.max_step + MAYBE_A_STEP)
    return useful


def drop_far_from_ground(
    ground: Ground, faces: Faces, agent: Agent
) -> tuple[Ground, dict[str, int]]:
    """Drop low faces that are more than a step above or below the ground that they hang on."""
    low = (faces.roles[ground.sources] == LOW).astype(np.uint8)
    near = np.empty(len(low), dtype=np.uint8)
    find_near_ground(
        ground.offsets, ground.heights, ground.mates, ground.owners, low, agent.max_step, near
    )
    return ground.keep(near == 1), {"low_far_from_ground": int(np.count_nonzero(near == 0))}


def find_rubble(faces: Faces) -> Bools:
    """(m,) bool: low faces small enough to be parts of what is stepped over any way.

    Rubble and rough rock are made of them. Walls, slopes and the like are not, however narrow in
    plan: they are stepped over along their gradient, if at all, and looking at them in every
    direction as well would take several times as long as all the rest.
    """
    corners = faces.points[faces.triangles]
    extents = (corners.max(axis=1) - corners.min(axis=1)).max(axis=1, initial=0.0)
    return np.asarray((faces.roles == LOW) & (extents <= _WIDEST_RUBBLE))


def cut_impassable(
    ground: Ground, faces: Faces, rubble: Bools, agent: Agent, gap: float
) -> tuple[Ground, dict[str, int]]:
    """Cut away low faces, but for where standable ground lies on both sides within a step.

    This comes before slits are closed, which joins whatever is less than a step apart: from the
    foot of a wall that leans to the middle of it, and from there to its top.

    Parameters
    ----------
    gap : float
        The widest slit that may lie between low faces and that ground. [Unit: m]

    Returns
    -------
    Ground
        What can be stood on or stepped over.
    dict of str to int
        Counts: low polygons dropped, and those of which parts were.
    """
    if not _any_low(ground, faces):
        return ground, {"low_impassable": 0, "low_cut": 0}
    verdicts, parts = _cut_into_strips(ground, faces, rubble, agent, gap)
    whole = verdicts != IMPASSABLE
    mixed = verdicts == IN_PARTS
    counts = {
        "low_impassable": int(np.count_nonzero(~whole)),
        "low_cut": int(np.count_nonzero(mixed)),
    }
    if not mixed.any():
        return ground.keep(whole), counts
    whole &= ~mixed
    beside = np.zeros(len(whole), dtype=bool)
    across = ground.mates[mixed[ground.owners]]
    beside[ground.owners[across[across >= 0]]] = True
    left, _ = stitch_to(ground.keep(whole), beside[whole], parts, agent)
    return left, counts


def _cut_into_strips(
    ground: Ground, faces: Faces, rubble: Bools, agent: Agent, gap: float
) -> tuple[Bytes, Pieces]:
    """Return what becomes of each polygon, and the parts of those of which parts are passable."""
    polygons = _ground_and_low(ground, faces, rubble)
    tree = BoxTree.around(plan_boxes(ground))
    limits = _limits(agent, gap)
    verdicts = np.empty(len(ground.sources), dtype=np.uint8)
    filled = np.zeros(2, dtype=np.int64)
    # Most low polygons come in one part at most, and few parts have more corners than this.
    pieces = 4 * int(np.count_nonzero(polygons[-1])) + 64
    room = 8 * pieces
    while True:
        offsets, corners = np.empty(pieces + 1, dtype=np.int32), np.empty((room, 3))
        sources = np.empty(pieces, dtype=np.int32)
        parts = offsets, corners, sources, filled
        find_strips(polygons, tree.arrays, limits, verdicts, parts)
        count, used = (int(n) for n in filled)
        if count <= pieces and used <= room:
            break
        pieces, room = count, used
    cut_from = ground.sources[sources[:count]]
    return verdicts, Pieces(offsets[: count + 1].copy(), corners[:used].copy(), cut_from)


def drop_impassable(
    ground: Ground, faces: Faces, rubble: Bools, agent: Agent, gap: float
) -> tuple[Ground, dict[str, int]]:
    """Drop low faces, unless standable ground lies on both sides of them within a step.

    Those that lie in a slit come up to the ground beside them: between two boards the side of one
    is a low face, and whoever walks over it does not step down into the slit.

    Parameters
    ----------
    gap : float
        The widest slit. [Unit: m]

    Returns
    -------
    Ground
        What can be stood on or stepped over.
    dict of str to int
        Counts: low polygons kept and dropped.
    """
    if not _any_low(ground, faces):
        return ground, {"low_kept": 0, "low_dropped": 0}
    low = faces.roles[ground.sources] == LOW
    passable = judge_low(ground, faces, agent, rubble, gap)
    kept = passable != IMPASSABLE
    dropped = int(np.count_nonzero(~kept))
    counts = {"low_kept": int(np.count_nonzero(low)) - dropped, "low_dropped": dropped}
    left = ground.keep(kept)
    return _raised(left, low[kept], passable[kept] == SUNKEN, agent.max_step), counts


def judge_low(
    ground: Ground, faces: Faces, agent: Agent, rubble: Bools | None = None, gap: float = 0.0
) -> Bytes:
    """(p,) uint8: which polygons can be walked over.

    See :mod:`walkmesh.builder.exact.kernels.low_faces`. Those of `rubble` can be in any direction,
    and only those in slits up to `gap` [m] are sunken.
    """
    passable = np.empty(len(ground.sources), dtype=np.uint8)
    find_passable(_ground_and_low(ground, faces, rubble), _limits(agent, gap), passable)
    return passable


def _raised(ground: Ground, low: Bools, sunken: Bools, max_step: float) -> Ground:
    """Raise sunken triangles to the ground that they share edges with.

    All their corners at one vertex get one height, but no more than a step above any ground there.
    Where they meet each other alone it is that of the nearest place on their other sides.
    """
    starts = np.flatnonzero(sunken[ground.owners] & (ground.mates >= 0))
    starts = starts[~low[ground.owners[ground.mates[starts]]]]
    if len(starts) == 0:
        return ground
    ends, across = ground.following[starts], ground.mates[starts]
    vertices = ground.vertices[np.concatenate([starts, ends])]
    beside = ground.heights[np.concatenate([ground.following[across], across])]
    top = np.full(len(ground.points), -np.inf)
    limit = np.full(len(ground.points), np.inf)
    np.maximum.at(top, vertices, beside)
    np.minimum.at(limit, vertices, beside + max_step)
    rim = np.minimum(top, limit)
    _reach_from_rim(ground.points, ground.vertices.reshape(-1, 3)[sunken], rim)
    reached = rim[ground.vertices]
    higher = sunken[ground.owners] & (reached > ground.heights)
    higher &= reached <= ground.heights + max_step
    return replace(ground, heights=np.where(higher, reached, ground.heights))


def _reach_from_rim(points: Floats, triangles: Ids, rim: Floats) -> None:
    """Give vertices without a height that of the nearest place on the opposite sides of triangles.

    Parameters
    ----------
    points : (n, 2) float64
        Positions in plan. [Unit: m]
    triangles : (t, 3) int32
        Vertex ids.
    rim : (n,) float64, in and out
        The height at each vertex, -inf where none is known. [Unit: m]
    """
    turns = np.concatenate([np.roll(triangles, -k, axis=1) for k in range(3)])
    turns = turns[(rim[turns[:, 0]] == -np.inf) & (rim[turns[:, 1:]].max(axis=1) > -np.inf)]
    apex, p, q = turns.T
    # With one end of a side unknown, the other end stands for the whole.
    p, q = np.where(rim[p] > -np.inf, p, q), np.where(rim[q] > -np.inf, q, p)
    side, way = points[q] - points[p], points[apex] - points[p]
    square = (side * side).sum(axis=1)
    part = (way * side).sum(axis=1) / np.where(square > 0.0, square, 1.0)
    part = np.clip(part, 0.0, 1.0)
    away = ((way - part[:, None] * side) ** 2).sum(axis=1)
    heights = rim[p] + part * (rim[q] - rim[p])
    order = np.lexsort((heights, -away))  # of several, the last one counts
    rim[apex[order]] = heights[order]


def barred_sectors(
    ground: Ground, faces: Faces, rubble: Bools, agent: Agent, workers: int | None = None
) -> Regions:
    """Return the regions from where walks end at rubble that is passable in other directions."""
    if not rubble[ground.sources].any():
        return Regions.none()
    polygons = _ground_and_low(ground, faces, rubble)
    small = _small_parts(ground, polygons[-1] == RUBBLE)
    parts = small.offsets, small.corners, small.sources
    barred = np.empty(len(small.sources), dtype=np.int64)

    def find(start: int, stop: int) -> None:
        find_barred(polygons, parts, start, stop, _limits(agent, 0.0), barred)

    for _ in in_chunks(len(barred), find, workers):
        pass
    return gather_regions(
        int(np.count_nonzero(barred)),
        lambda output: make_sectors(polygons, parts, barred, agent.radius, output),
    )


def _small_parts(ground: Ground, rubble: Bools) -> Pieces:
    """Return the polygons of rubble in small parts, those of one polygon after each other."""
    boxes, sizes = plan_boxes(ground), np.diff(ground.offsets)
    small = ((boxes[:, 3:5] - boxes[:, :2]).max(axis=1) <= _SMALL_PART) & (sizes <= MOST_TOGETHER)
    whole = Pieces(ground.offsets, ground.corners, np.arange(len(sizes), dtype=np.int32))
    triangles = triangulate(ground)
    triangles = triangles[(rubble & ~small)[ground.owners[triangles[:, 0]]]]
    corners, sources = _in_small_parts(ground.corners[triangles], ground.owners[triangles[:, 0]])
    cut = Pieces(offsets_of(np.full(len(sources), 3)), corners.reshape(-1, 3), sources)
    return Pieces.together(whole.keep(rubble & small), cut)


def _in_small_parts(triangles: Floats, sources: Ids) -> tuple[Floats, Ids]:
    """Cut triangles (t, 3, 3) in four as long as they are large; return them by their sources."""
    done, owners = [], []
    for _ in range(_MOST_HALVINGS):
        sides = triangles - np.roll(triangles, -1, axis=1)
        large = np.hypot(sides[:, :, 0], sides[:, :, 1]).max(axis=1) > _SMALL_PART
        done.append(triangles[~large])
        owners.append(sources[~large])
        triangles, sources = triangles[large], sources[large]
        middles = (triangles + np.roll(triangles, -1, axis=1)) / 2.0
        inner = [np.stack([triangles[:, k], middles[:, k], middles[:, k - 1]], 1) for k in range(3)]
        triangles = np.concatenate([middles, *inner])
        sources = np.tile(sources, 4)
    parts = np.concatenate([*done, triangles])
    sources = np.concatenate([*owners, sources]).astype(np.int32)
    order = np.argsort(sources, kind="stable")
    return np.ascontiguousarray(parts[order]), sources[order]


def block_misfits(ground: Ground, kinds: Bytes, faces: Faces, agent: Agent, gap: float) -> Bytes:
    """(c,) uint8: kinds of edges, in which low faces are joined to nothing too high for them.

    The foot of a wall may be low enough to step over, across a corner of it. From there the top of
    the wall is not as high as from the ground; but one cannot stand there.
    """
    if not _any_low(ground, faces):
        return kinds
    misfit = np.empty(len(kinds), dtype=np.uint8)
    tree = BoxTree.around(plan_boxes(ground))
    find_misfits(_ground_and_low(ground, faces), tree.arrays, _limits(agent, gap), misfit)
    return np.where((misfit == 1) & (kinds == OPEN), np.uint8(BLOCKED), kinds)


def _any_low(ground: Ground, faces: Faces) -> bool:
    """Tell whether any polygon is low."""
    return bool((faces.roles[ground.sources] == LOW).any())


def _ground_and_low(
    ground: Ground, faces: Faces, rubble: Bools | None = None
) -> tuple[Ids, Floats, Ids, Ids, Floats, Bytes]:
    """Return the polygons as kernels take them; the last array tells which are low."""
    low = (faces.roles[ground.sources] == LOW).astype(np.uint8)
    if rubble is not None:
        low[rubble[ground.sources]] = RUBBLE
    planes = np.ascontiguousarray(faces.planes[ground.sources])
    return ground.offsets, ground.corners, ground.mates, ground.owners, planes, low


def _limits(agent: Agent, gap: float) -> tuple[float, float, float]:
    """Return the highest step, the widest thing that is stepped over, and a slit. [Unit: m]."""
    return float(agent.max_step), _WIDEST_STEP, float(gap)
