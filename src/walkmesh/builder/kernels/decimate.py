r"""Simplifying a mesh of triangles: collapses that keep near the ground and within its outline.

Two moves take a vertex away. A vertex u collapses onto a neighbour v; on the boundary only along
the boundary, and only where the mesh loses ground by it. And an edge b-c of the boundary shrinks
to the point x where the edges before and after it meet when they are made longer (or shorter)::

       w  .  .  w              w  .  .  w             . x .              d
      .  \     / .            .   ___--- .           .     .              \
     w --- u --- v    ->     w ---------- v         b ----- c     or   b --x- c
      .  /     \ .            .   \___   .         /         \        /
       w  .  .  w              w  .  .  w         a  outside  d      a

Every triangle carries a band: the ground it stands for lies between ``low`` and ``high`` metres
above it. Where new triangles replace old ones, the height between both is linear on every piece
that lies in one old and one new triangle, so it is largest at the corners of the pieces: at old
vertices and where new edges cross old ones. That makes the bands of the new triangles, and a move
whose bands leave the tolerance is not made. Quadrics (Garland and Heckbert), of heights instead of
distances, only set the order.

Every edge of the boundary stands for a piece of the old boundary, and may be no further from it
than its room, which follows from the width of the passage before it.

Edges are numbered by the corner they start from, three for each triangle. Every vertex has one fan
of triangles around it, counter-clockwise from ``start``, which is its outgoing boundary edge if it
has one.
"""

import numpy as np

from walkmesh.builder.kernels import tolerances as tol
from walkmesh.builder.kernels.outline_moves import (
    chord_shift,
    insert_foot,
    measure_move,
    meeting_point,
    shorten_chain,
)
from walkmesh.builder.kernels.quadrics import add_plane, move_quadric, quadric_error
from walkmesh.builder.kernels.ring import (
    MOST_SPOKES,
    SHRINK,
    TO_NEXT,
    TO_PREVIOUS,
    gather_fan,
    lift_apex,
    list_old_edges,
    make_ring,
    stays_manifold,
    stays_near,
    stays_upright,
)
from walkmesh.builder.kernels.vertex_fans import join_vertices, previous_vertex
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import plan_square
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.corners import next_of
from walkmesh.kernels.search.heap import heap_pop, heap_push

# Flat ground has no errors to order collapses by: then the shortest edge goes first.
_LENGTH_WEIGHT = 1e-9


# The mesh. points: (n, 3) float64, positions in the plan frame [m]; corners, mates: (3 t,) int32,
# vertex ids, and the matching edge of each edge, -1 for the corners of triangles that are gone;
# start: (n,) int32, the first edge of each vertex, -1 for vertices that are gone.
_MESH = kt.packed(kt.OUT_POINTS, kt.OUT_INTS, kt.OUT_INTS, kt.OUT_INTS)
# The old boundary, and what became of it. places: (2 n, 4) float64, where each vertex was, in plan,
# the room of the boundary edge that started there, and how far that edge may be from vertices that
# it stands for [m]; the second half is for points of the old boundary that belong to new vertices.
# chain: (2 n,) int32, the vertex that followed each along the old boundary, -1 inside.
# first: (n,) int32, the old vertex where the boundary edge that starts at each vertex begins; it
# stands for all of the old boundary up to where the next edge begins.
# outwards: (n,) float64, how far the boundary edge that starts at each vertex has moved outwards
# [m].
_OUTLINE = kt.packed(kt.OUT_POINTS, kt.OUT_INTS, kt.OUT_INTS, kt.OUT_FLOATS)


@kernel(_MESH, _OUTLINE, kt.BYTES, kt.FLOATS, kt.OUT_POINTS, kt.OUT_BYTES, kt.OUT_LONGS)
def collapse_edges(mesh, outline, pinned, limits, bands, touched, counts):
    """Collapse edges, the least error first, while everything stays within its limits.

    Parameters
    ----------
    mesh, outline : _MESH and _OUTLINE, input and output
    pinned : (n,) uint8
        1 for vertices that stay where they are.
    limits : (2,) float64
        How far triangles may leave the ground, in height; how narrow new triangles may be.
        [Unit: m]
    bands : (t, 2) float64, input and output
        Where the ground lies above each triangle, at least and at most. [Unit: m]
    touched : (n,) uint8, input and output
        1 for the vertices to look at; all 0 afterwards.
    counts : (3,) int64, input and output
        Vertices removed inside, vertices of the boundary cut off, edges of the boundary shrunk.
    """
    points, corners, mates, start = mesh
    n = len(points)
    quadrics = np.zeros((n, 10), np.float64)
    for triangle in range(len(corners) // 3):
        if corners[3 * triangle] >= 0:
            add_plane(points, corners, triangle, quadrics)
    keys = np.empty(3 * n + 16, np.float64)
    items = np.empty(3 * n + 16, np.int32)
    current = np.empty(n, np.float64)  # the key of each vertex that counts
    waiting = 0
    dirty = np.empty(n, np.int32)  # vertices whose key must be found again
    is_dirty = np.empty(n, np.uint8)
    stamps = np.empty(n, np.int32)
    for v in range(n):
        current[v], stamps[v], is_dirty[v] = np.inf, -1, 0
    marked = 0
    for v in range(n - 1, -1, -1):
        if touched[v]:
            marked = _mark_dirty(v, dirty, is_dirty, marked)
            touched[v] = 0
    stamp = 0
    costs = np.empty(MOST_SPOKES + 1, np.float64)
    scratch = _make_scratch(stamps)
    spokes, tips, ring = scratch[0], scratch[1], scratch[2]
    while marked > 0 or waiting > 0:
        trying = marked == 0
        if trying:
            key, u = heap_pop(keys, items, waiting)
            waiting -= 1
            if start[u] < 0 or key != current[u]:
                continue
            current[u] = np.inf
        else:
            marked -= 1
            u = dirty[marked]
            is_dirty[u] = 0
            if start[u] < 0 or pinned[u]:
                continue
        spread = gather_fan(corners, mates, start[u], spokes[0], tips[0])
        if spread == 0:
            current[u] = np.inf
            continue
        border = mates[start[u]] < 0
        choices = _list_moves(mesh, outline, pinned, quadrics, u, spread, border, tips[0], costs)
        if not trying:
            best = np.inf
            for choice in range(choices):
                best = min(best, costs[choice])
            if best == current[u]:  # it is in the heap already
                continue
            current[u] = np.inf
            if best < np.inf:
                if waiting == len(keys):
                    waiting = _sweep_heap(keys, items, waiting, current)
                current[u] = best
                heap_push(keys, items, waiting, best, u)
                waiting += 1
            continue
        while True:
            choice = _cheapest(costs, choices)
            if choice < 0:
                break
            costs[choice] = np.inf
            stamp += 1
            size, kept = _try_move(
                mesh, outline, bands, quadrics, limits, u, spread, choice, scratch, stamp, counts
            )
            if size == 0:
                continue
            for j in range(size):
                marked = _mark_dirty(ring[j], dirty, is_dirty, marked)
            marked = _mark_dirty(kept, dirty, is_dirty, marked)
            if border:
                previous, following = tips[0, spread], tips[0, 0]
                marked = _mark_dirty(previous, dirty, is_dirty, marked)
                marked = _mark_dirty(following, dirty, is_dirty, marked)
                # Shrinking looks two vertices ahead.
                earlier = previous_vertex(corners, mates, start[previous])
                marked = _mark_dirty(earlier, dirty, is_dirty, marked)
            break


@kernel
def _make_scratch(stamps):
    """Return room for moves: for fans, for the new triangles, and for the old edges inside them.

    Fans are that of the vertex at hand, and that of the next one along the boundary.
    """
    spokes = np.empty((2, MOST_SPOKES + 1), np.int32)
    tips = np.empty((2, MOST_SPOKES + 1), np.int32)
    size = 2 * MOST_SPOKES + 2
    ring, links = np.empty(size, np.int32), np.empty(size, np.int32)
    old_edges, old_bands = np.empty((size, 2), np.int32), np.empty((size, 2), np.float64)
    ranges, new_bands = np.empty((size, 2), np.float64), np.zeros((size, 2), np.float64)
    apex = np.empty(3, np.float64)
    return spokes, tips, ring, links, old_edges, old_bands, ranges, new_bands, apex, stamps


@borrowing
def _try_move(mesh, outline, bands, quadrics, limits, u, spread, choice, scratch, stamp, counts):
    """Make a move of vertex u, if everything stays within its limits.

    Returns how many vertices there are in the ring around the new triangles, 0 if the move was not
    made; and the vertex in their middle.
    """
    points, corners, mates, start = mesh
    places, chain, first, outwards = outline
    spokes, tips, ring, links, old_edges, old_bands, ranges, new_bands, apex, stamps = scratch
    border = mates[start[u]] < 0
    previous, following = tips[0, spread], tips[0, 0]
    shrink = border and choice == SHRINK
    # Who goes, and who stays or moves to the apex.
    gone, kept, at = u, tips[0, choice], -1
    if border:
        if shrink:
            gone, kept = following, u
        else:
            kept = previous if choice == TO_PREVIOUS else following
        at = measure_move(
            points, corners, start, places, chain, first, choice, u, spread, tips[0], apex
        )
        if at < 0:
            return 0, kept
    spread_next = 0
    if shrink:
        spread_next = gather_fan(corners, mates, start[gone], spokes[1], tips[1])
        if spread_next == 0:
            return 0, kept
    else:
        for k in range(3):
            apex[k] = points[kept, k]
    size = make_ring(spokes, tips, spread, spread_next, border, choice, ring, links)
    if not stays_upright(points, apex, ring, size, limits[1]):
        return 0, kept
    olds = list_old_edges(
        bands, u, gone, spokes, tips, spread, spread_next, border, old_edges, old_bands
    )
    if shrink and not lift_apex(points, corners, spokes, spread, spread_next, apex):
        return 0, kept
    if not stays_near(
        points, apex, ring, size, olds, old_edges, old_bands, u, gone, limits[0], ranges, new_bands
    ):
        return 0, kept
    if not stays_manifold(
        corners, mates, start, gone, kept, border, shrink, spread, spread_next, tips, stamps, stamp
    ):
        return 0, kept
    if border:
        outwards[previous] = max(outwards[previous], outwards[u])
        if shrink:
            outwards[u] = max(outwards[u], outwards[gone])
            # The vertex after the one that goes has not changed.
            foot = len(points) + counts[2]
            beyond = first[corners[next_of(start[gone])]]
            insert_foot(places, chain, first[previous], beyond, at, foot, apex[0], apex[1])
            first[u] = foot
        else:
            outwards[previous] += chord_shift(points, previous, u, following)[1]
            shorten_chain(places, chain, first[previous], first[following])
        counts[2 if shrink else 1] += 1
    else:
        counts[0] += 1
    move_quadric(points, quadrics, gone, kept, apex, shrink)
    for k in range(3):
        points[kept, k] = apex[k]
    for j in range(size - 1):
        for k in range(2):
            bands[links[j], k] = new_bands[j, k]
    which, count = (1, spread_next) if shrink else (0, spread)
    join_vertices(corners, mates, start, spokes[which], count, gone, kept)
    return size, kept


@kernel
def _mark_dirty(v, dirty, is_dirty, marked):
    """Put a vertex on the list of those whose key must be found again."""
    if not is_dirty[v]:
        is_dirty[v] = 1
        dirty[marked] = v
        marked += 1
    return marked


@kernel
def _sweep_heap(keys, items, waiting, current):
    """Make room in a full heap by dropping the items whose key counts no more."""
    left = 0
    for i in range(waiting):
        key, item = keys[i], items[i]
        if current[item] == key:
            heap_push(keys, items, left, key, item)
            left += 1
            current[item] = np.inf  # an item stays once
    for i in range(left):
        current[items[i]] = keys[i]
    return left


@kernel
def _cheapest(costs, choices):
    """Return the cheapest choice that is left, -1 if none is."""
    best = -1
    least = np.inf
    for choice in range(choices):
        if costs[choice] < least:
            best, least = choice, costs[choice]
    return best


@borrowing
def _list_moves(mesh, outline, pinned, quadrics, u, spread, border, tips, costs):
    """Write the cost of every move of vertex u, infinite for those that cannot be; return how many.

    Inside: a collapse onto each tip. At the boundary: onto the next vertex, onto the previous one,
    and shrinking the edge to the next.
    """
    points, corners, _, start = mesh
    places, _, first, outwards = outline
    if not border:
        for i in range(spread):
            v = tips[i]
            costs[i] = (
                quadric_error(points, quadrics, u, points[v, 0], points[v, 1], points[v, 2])
                + quadrics[v, 9]
                + _LENGTH_WEIGHT * spread * plan_square(points, u, v)
            )
        return spread
    previous, following = tips[spread], tips[0]
    shift, gain = chord_shift(points, previous, u, following)
    room = min(places[first[previous], 2], places[first[u], 2])
    fits = shift <= room and max(outwards[previous], outwards[u]) + gain <= tol.OUTWARDS
    chord = np.sqrt(plan_square(points, previous, following))
    for choice in range(2):
        v = following if choice == TO_NEXT else previous
        costs[choice] = np.inf
        if fits:
            costs[choice] = (
                quadric_error(points, quadrics, u, points[v, 0], points[v, 1], points[v, 2])
                + _LENGTH_WEIGHT * plan_square(points, u, v)
                + chord * shift * shift
            )
    costs[SHRINK] = np.inf
    if not pinned[following] and room > tol.STRAIGHT_BOUNDARY:
        beyond = corners[next_of(start[following])]
        _, _, shift = meeting_point(points, previous, u, following, beyond)
        if shift <= room:
            costs[SHRINK] = (
                _LENGTH_WEIGHT * plan_square(points, u, following)
                + np.sqrt(plan_square(points, u, following)) * shift * shift
            )
    return 3
