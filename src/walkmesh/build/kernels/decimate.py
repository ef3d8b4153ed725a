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

from walkmesh.build.kernels.outline_moves import (
    chord_shift,
    insert_foot,
    measure_move,
    meeting_point,
    shorten_chain,
)
from walkmesh.build.kernels.quadrics import add_plane, move_quadric, quadric_error
from walkmesh.build.kernels.ring import (
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
from walkmesh.kernels.geometry.plan import plan_square
from walkmesh.kernels.kernel import (
    BYTES,
    FLOATS,
    INTS,
    OUT_BYTES,
    OUT_FLOATS,
    OUT_INTS,
    OUT_LONGS,
    OUT_POINTS,
    kernel,
)
from walkmesh.kernels.meshes.fans import last_of, next_of
from walkmesh.kernels.search.heap import heap_pop, heap_push

# A boundary may leave the old one outwards by this much, so that straight lines can be recognised.
OUTWARDS = 2e-8  # m
# The boundary may always move inwards by this much where there is room, for the same reason; edges
# with more room than this may shrink.
STRAIGHT = 1e-6  # m
# Flat ground has no errors to order collapses by: then the shortest edge goes first.
_LENGTH_WEIGHT = 1e-9


@kernel(INTS, OUT_INTS, OUT_INTS, OUT_INTS)
def split_fans(mates, corners, start, sources):
    """Give every fan of triangles a vertex of its own.

    Parameters
    ----------
    mates : (3 t,) int32
        The matching edge of each edge, negative where there is none.
    corners : (3 t,) int32, input and output
        Vertex ids of the triangles, counter-clockwise; renumbered.
    start : (3 t,) int32, output
        In its first places the first edge of each fan: its boundary edge if it has one.
    sources : (3 t,) int32, output
        In its first places the vertex that each fan was at.

    Returns
    -------
    int
        The number of fans.
    """
    seen = np.zeros(len(corners), np.uint8)
    count = 0
    for i in range(len(corners)):
        if seen[i]:
            continue
        first = _first_edge(mates, i)
        start[count], sources[count] = first, corners[i]
        edge = first
        while edge >= 0 and not seen[edge]:
            seen[edge] = 1
            corners[edge] = count
            edge = mates[last_of(edge)]
        count += 1
    return count


@kernel
def _first_edge(mates, edge):
    """Return the first edge of the fan around the vertex that `edge` starts from."""
    current = edge
    while mates[current] >= 0:
        current = next_of(mates[current])
        if current == edge:
            break
    return current


@kernel(
    OUT_POINTS, OUT_INTS, OUT_INTS, OUT_INTS, BYTES, FLOATS, OUT_POINTS, OUT_POINTS, OUT_INTS,
    OUT_INTS, OUT_FLOATS, OUT_BYTES, OUT_LONGS,
)  # fmt: skip
def collapse_edges(
    points, corners, mates, start, pinned, limits, bands, outline, chain, first, outwards,
    touched, counts,
):  # fmt: skip
    """Collapse edges, the least error first, while everything stays within its limits.

    Parameters
    ----------
    points : (n, 3) float64, input and output
        Positions in the plan frame. [Unit: m]
    corners, mates : (3 t,) int32, input and output
        Vertex ids, and the matching edge of each edge; -1 for the corners of triangles that are
        gone.
    start : (n,) int32, input and output
        The first edge of each vertex; -1 for vertices that are gone.
    pinned : (n,) uint8
        1 for vertices that stay where they are.
    limits : (2,) float64
        How far triangles may leave the ground, in height; how narrow new triangles may be.
        [Unit: m]
    bands : (t, 2) float64, input and output
        Where the ground lies above each triangle, at least and at most. [Unit: m]
    outline : (2 n, 4) float64, input and output
        The old boundary: where each vertex was, in plan, the room of the boundary edge that started
        there, and how far that edge may be from vertices that it stands for. The second half is for
        points of the old boundary that belong to new vertices. [Unit: m]
    chain : (2 n,) int32, input and output
        The vertex that followed each along the old boundary, -1 inside.
    first : (n,) int32, input and output
        The old vertex where the boundary edge that starts at each vertex begins; it stands for
        all of the old boundary up to where the next edge begins.
    outwards : (n,) float64, input and output
        How far the boundary edge that starts at each vertex has moved outwards. [Unit: m]
    touched : (n,) uint8, input and output
        1 for the vertices to look at; all 0 afterwards.
    counts : (3,) int64, input and output
        Vertices removed inside, vertices of the boundary cut off, edges of the boundary shrunk.
    """
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
    soiled = 0
    for v in range(n - 1, -1, -1):
        if touched[v]:
            soiled = _soil(v, dirty, is_dirty, soiled)
            touched[v] = 0
    stamp = 0
    # The fan of the vertex at hand, and of the next one along the boundary.
    spokes = np.empty((2, MOST_SPOKES + 1), np.int32)
    tips = np.empty((2, MOST_SPOKES + 1), np.int32)
    costs = np.empty(MOST_SPOKES + 1, np.float64)
    # A move: the ring of the new triangles, and the old edges inside it.
    ring = np.empty(2 * MOST_SPOKES + 2, np.int32)
    links = np.empty(2 * MOST_SPOKES + 2, np.int32)
    old_edges = np.empty((2 * MOST_SPOKES + 2, 2), np.int32)
    old_bands = np.empty((2 * MOST_SPOKES + 2, 2), np.float64)
    ranges = np.empty((2 * MOST_SPOKES + 2, 2), np.float64)
    new_bands = np.zeros((2 * MOST_SPOKES + 2, 2), np.float64)
    apex = np.empty(3, np.float64)
    while soiled > 0 or waiting > 0:
        trying = soiled == 0
        if trying:
            key, u = heap_pop(keys, items, waiting)
            waiting -= 1
            if start[u] < 0 or key != current[u]:
                continue
            current[u] = np.inf
        else:
            soiled -= 1
            u = dirty[soiled]
            is_dirty[u] = 0
            if start[u] < 0 or pinned[u]:
                continue
        spread = gather_fan(corners, mates, start[u], spokes[0], tips[0])
        if spread == 0:
            current[u] = np.inf
            continue
        border = mates[start[u]] < 0
        choices = _list_moves(
            points, corners, start, pinned, quadrics, outline, first, outwards, u, spread, border,
            tips[0], costs,
        )  # fmt: skip
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
            # Who goes, and who stays or moves to the apex.
            gone, kept = u, tips[0, choice]
            shrink = False
            if border:
                if choice == SHRINK:
                    shrink = True
                    gone, kept = tips[0, 0], u
                elif choice == TO_PREVIOUS:
                    kept = tips[0, spread]
                else:
                    kept = tips[0, 0]
                at = measure_move(
                    points, corners, start, outline, chain, first, choice, u, spread, tips[0], apex
                )
                if at < 0:
                    continue
            if not shrink:
                for k in range(3):
                    apex[k] = points[kept, k]
            spread_next = 0
            if shrink:
                spread_next = gather_fan(corners, mates, start[gone], spokes[1], tips[1])
                if spread_next == 0:
                    continue
            ring_size = make_ring(spokes, tips, spread, spread_next, border, choice, ring, links)
            if not stays_upright(points, apex, ring, ring_size, limits[1]):
                continue
            olds = list_old_edges(
                bands, u, gone, spokes, tips, spread, spread_next, border, old_edges, old_bands
            )
            if shrink and not lift_apex(points, corners, spokes, spread, spread_next, apex):
                continue
            if not stays_near(
                points, apex, ring, ring_size, olds, old_edges, old_bands, u, gone, limits[0],
                ranges, new_bands,
            ):  # fmt: skip
                continue
            stamp += 1
            if not stays_manifold(
                corners, mates, start, gone, kept, border, shrink, spread, spread_next, tips,
                stamps, stamp,
            ):  # fmt: skip
                continue
            # The move is good.
            if border:
                previous = tips[0, spread]
                following = tips[0, 0]
                outwards[previous] = max(outwards[previous], outwards[u])
                if shrink:
                    outwards[u] = max(outwards[u], outwards[gone])
                    # The vertex after the one that goes has not changed.
                    foot = n + counts[2]
                    beyond = first[corners[next_of(start[gone])]]
                    insert_foot(outline, chain, first[previous], beyond, at, foot, apex[0], apex[1])
                    first[u] = foot
                else:
                    outwards[previous] += chord_shift(points, previous, u, following)[1]
                    shorten_chain(outline, chain, first[previous], first[following])
                counts[2 if shrink else 1] += 1
            else:
                previous, following = -1, -1
                counts[0] += 1
            move_quadric(points, quadrics, gone, kept, apex, shrink)
            for k in range(3):
                points[kept, k] = apex[k]
            for j in range(ring_size - 1):
                for k in range(2):
                    bands[links[j], k] = new_bands[j, k]
            which, count = (1, spread_next) if shrink else (0, spread)
            _join_vertices(corners, mates, start, spokes[which], count, gone, kept)
            for j in range(ring_size):
                soiled = _soil(ring[j], dirty, is_dirty, soiled)
            soiled = _soil(kept, dirty, is_dirty, soiled)
            if border:
                soiled = _soil(previous, dirty, is_dirty, soiled)
                soiled = _soil(following, dirty, is_dirty, soiled)
                # Shrinking looks two vertices ahead.
                earlier = _previous_vertex(corners, mates, start[previous])
                soiled = _soil(earlier, dirty, is_dirty, soiled)
            break


@kernel
def _join_vertices(corners, mates, start, spokes, count, gone, kept):
    """Let one vertex take the place of another in its triangles, and remove those with both."""
    for k in range(count):
        corners[spokes[k]] = kept
    for k in range(count):
        face = 3 * (spokes[k] // 3)
        if (
            corners[face] == corners[face + 1]
            or corners[face + 1] == corners[face + 2]
            or corners[face + 2] == corners[face]
        ):
            _remove_face(corners, mates, start, face, kept)
    start[gone] = -1


@kernel
def _previous_vertex(corners, mates, first):
    """Return the vertex before the one whose boundary edge is `first`, along the boundary."""
    last = last_of(first)
    while mates[last] >= 0:
        last = last_of(mates[last])
    return corners[last]


@kernel
def _soil(v, dirty, is_dirty, soiled):
    """Put a vertex on the list of those whose key must be found again."""
    if not is_dirty[v]:
        is_dirty[v] = 1
        dirty[soiled] = v
        soiled += 1
    return soiled


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


@kernel
def _list_moves(
    points,
    corners,
    start,
    pinned,
    quadrics,
    outline,
    first,
    outwards,
    u,
    spread,
    border,
    tips,
    costs,
):
    """Write the cost of every move of vertex u, infinite for those that cannot be; return how many.

    Inside: a collapse onto each tip. At the boundary: onto the next vertex, onto the previous one,
    and shrinking the edge to the next.
    """
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
    room = min(outline[first[previous], 2], outline[first[u], 2])
    fits = shift <= room and max(outwards[previous], outwards[u]) + gain <= OUTWARDS
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
    if not pinned[following] and room > STRAIGHT:
        beyond = corners[next_of(start[following])]
        _, _, shift = meeting_point(points, previous, u, following, beyond)
        if shift <= room:
            costs[SHRINK] = (
                _LENGTH_WEIGHT * plan_square(points, u, following)
                + np.sqrt(plan_square(points, u, following)) * shift * shift
            )
    return 3


@kernel
def _remove_face(corners, mates, start, face, kept):
    """Take a triangle with two equal corners away, and join what lies across its other edges."""
    # The edge between equal corners; then x is the corner across it.
    short = face
    while corners[short] != corners[next_of(short)]:
        short += 1
    toward, back = next_of(short), last_of(short)  # kept -> x and x -> kept
    x = corners[back]
    one, two = mates[toward], mates[back]  # x -> kept and kept -> x, in the neighbours
    if one >= 0:
        mates[one] = two
    if two >= 0:
        mates[two] = one
    if mates[short] >= 0:
        mates[mates[short]] = -1
    for k in range(3):
        corners[face + k] = -1
        mates[face + k] = -1
    start[kept] = _first_edge(mates, two if two >= 0 else next_of(one))
    start[x] = _first_edge(mates, one if one >= 0 else next_of(two))
