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

from walkmesh.kernels.hashing import hash_pair, table_size
from walkmesh.kernels.heap import heap_pop, heap_push
from walkmesh.kernels.kernel import (
    BYTES,
    FLOAT,
    FLOATS,
    INTS,
    OUT_BYTES,
    OUT_FLOATS,
    OUT_INTS,
    OUT_LONGS,
    OUT_POINTS,
    POINTS,
    kernel,
)

# A vertex with more triangles than this stays; and no collapse goes to one with twice as many,
# since looking at all of them again and again would take time in proportion to n * n.
MOST_SPOKES = 96
# A boundary may leave the old one outwards by this much, so that straight lines can be recognised.
OUTWARDS = 2e-8  # m
# The boundary may always move inwards by this much where there is room, for the same reason; edges
# with more room than this may shrink.
STRAIGHT = 1e-6  # m
# No turn of a normal, as the distance between unit vectors, is larger.
ANY_TURN = 2.0
# Boundary edges whose directions have a larger cosine do not face each other across a passage.
_FACING = 0.2
# Flat ground has no errors to order collapses by: then the shortest edge goes first.
_LENGTH_WEIGHT = 1e-9
# The last room there is, for rounding.
_LEAST_ROOM = 1e-9  # m

# An edge of the boundary stands for at most this many old ones.
_LONGEST_WALK = 100

_TO_NEXT = 0
_TO_PREVIOUS = 1
_SHRINK = 2


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
            edge = mates[_before(edge)]
        count += 1
    return count


@kernel
def _after(edge):
    """Return the edge that follows in the same triangle."""
    return edge + 1 if edge % 3 != 2 else edge - 2


@kernel
def _before(edge):
    """Return the edge that precedes in the same triangle."""
    return edge - 1 if edge % 3 != 0 else edge + 2


@kernel
def _first_edge(mates, edge):
    """Return the first edge of the fan around the vertex that `edge` starts from."""
    current = edge
    while mates[current] >= 0:
        current = _after(mates[current])
        if current == edge:
            break
    return current


# ---------------------------------------------------------------------------------------- room


@kernel(POINTS, INTS, FLOAT, FLOAT, FLOAT, OUT_FLOATS)
def measure_room(points, after, most, share, level, room):
    """Find how far each boundary edge may move inwards: a share of the width before it.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    after : (n,) int32
        The vertex that follows each along the boundary, -1 inside.
    most : float
        What is enough: no edge gets more room than this. [Unit: m]
    share : float
        Room in proportion to the distance to the nearest edge across.
    level : float
        Edges further apart in height are on different levels. [Unit: m]
    room : (n,) float64, output
        For the boundary edge that starts at each vertex; `most` where there is none. [Unit: m]
    """
    n = len(points)
    reach = most / share
    before = np.empty(n, np.int32)
    skipped = np.empty(n, np.int32)
    count = 0
    total = 0.0
    for v in range(n):
        room[v] = most
        before[v], skipped[v] = -1, -1
    for v in range(n):
        if after[v] >= 0:
            before[after[v]] = v
            total += np.sqrt(_plan_square(points, v, after[v]))
            count += 1
    if count == 0:
        return
    cell = max(reach, total / (4.0 * count + 1000.0))
    size = table_size(count)
    offsets = np.zeros(size + 1, np.int32)
    entries = offsets
    for filling in (False, True):  # first count what goes into each bucket
        if filling:
            for bucket in range(size):
                offsets[bucket + 1] += offsets[bucket]
            entries = np.empty(offsets[size], np.int32)
        for v in range(n):  # filling from behind leaves the offsets at the starts
            if after[v] >= 0:
                _enter(points, v, after[v], cell, size - 1, offsets, entries, filling)
    for v in range(n):
        if after[v] >= 0:
            _skip_near(points, after, before, v, 4.0 * most, skipped)
            nearest = _nearest_across(
                points, after, v, reach, level, cell, size - 1, offsets, entries, skipped
            )
            room[v] = max(min(most, share * nearest), _LEAST_ROOM)


@kernel
def _plan_square(points, p, q):
    """Return the square of the plan distance of two points."""
    return (points[q, 0] - points[p, 0]) ** 2 + (points[q, 1] - points[p, 1]) ** 2


@kernel
def _column_span(points, p, q, column, cell, reach):
    """Return the first and last row that an edge, widened by `reach`, has in a column of cells."""
    pu, pv = points[p, 0], points[p, 1]
    eu, ev = points[q, 0] - pu, points[q, 1] - pv
    low, high = 0.0, 1.0
    if eu != 0.0:
        one = (column * cell - reach - pu) / eu
        two = ((column + 1) * cell + reach - pu) / eu
        low, high = max(low, min(one, two)), min(high, max(one, two))
        high = max(low, high)
    one, two = pv + low * ev, pv + high * ev
    return int(np.floor((min(one, two) - reach) / cell)), int(
        np.floor((max(one, two) + reach) / cell)
    )


@kernel
def _column(x, cell):
    return int(np.floor(x / cell))


@kernel
def _bucket(column, row, mask):
    """Return the bucket of a cell; ids of cells may be negative."""
    return hash_pair(column & 0x3FFFFFFF, row & 0x3FFFFFFF, mask)


@kernel
def _enter(points, p, q, cell, mask, offsets, entries, filling):
    """Count an edge in the buckets of its cells, or enter it there."""
    first = _column(min(points[p, 0], points[q, 0]), cell)
    last = _column(max(points[p, 0], points[q, 0]), cell)
    for column in range(first, last + 1):
        low, high = _column_span(points, p, q, column, cell, 0.0)
        for row in range(low, high + 1):
            bucket = _bucket(column, row, mask)
            if filling:
                offsets[bucket] -= 1
                entries[offsets[bucket]] = p
            else:
                offsets[bucket] += 1


@kernel
def _skip_near(points, after, before, v, length, skipped):
    """Mark the edges that follow an edge along the boundary, within `length` of its ends.

    What they enclose with it is a nook, not a passage.
    """
    skipped[v] = v
    current, left = after[v], length
    while after[current] >= 0 and skipped[current] != v and left >= 0.0:
        skipped[current] = v
        left -= np.sqrt(_plan_square(points, current, after[current]))
        current = after[current]
    current, left = before[v], length
    while current >= 0 and skipped[current] != v and left >= 0.0:
        skipped[current] = v
        left -= np.sqrt(_plan_square(points, current, after[current]))
        current = before[current]


@kernel
def _nearest_across(points, after, v, reach, level, cell, mask, offsets, entries, skipped):
    """Return the plan distance from the edge at v to the nearest edge it faces, up to `reach`."""
    nearest = reach
    p, q = v, after[v]
    first = _column(min(points[p, 0], points[q, 0]) - reach, cell)
    last = _column(max(points[p, 0], points[q, 0]) + reach, cell)
    for column in range(first, last + 1):
        low, high = _column_span(points, p, q, column, cell, reach)
        for row in range(low, high + 1):
            bucket = _bucket(column, row, mask)
            for place in range(offsets[bucket], offsets[bucket + 1]):
                other = entries[place]
                if skipped[other] != v and _facing(points, p, q, other, after[other]):
                    nearest = min(nearest, _edge_distance(points, p, q, other, after[other], level))
    return nearest


@kernel
def _left_of(points, p, q, r):
    """Return twice the plan area of a triangle: positive if r lies to the left of p -> q."""
    return (points[q, 0] - points[p, 0]) * (points[r, 1] - points[p, 1]) - (
        points[q, 1] - points[p, 1]
    ) * (points[r, 0] - points[p, 0])


@kernel
def _facing(points, p, q, r, s):
    """Tell whether two boundary edges, each with the mesh to its left, see each other."""
    eu, ev = points[q, 0] - points[p, 0], points[q, 1] - points[p, 1]
    fu, fv = points[s, 0] - points[r, 0], points[s, 1] - points[r, 1]
    lengths = np.sqrt((eu * eu + ev * ev) * (fu * fu + fv * fv))
    if eu * fu + ev * fv > _FACING * lengths:
        return False
    return (
        max(_left_of(points, p, q, r), _left_of(points, p, q, s)) > 0.0
        and max(_left_of(points, r, s, p), _left_of(points, r, s, q)) > 0.0
    )


@kernel
def _edge_distance(points, p, q, r, s, level):
    """Return the plan distance of two edges on the same level; infinite on different ones."""
    best = np.inf
    for end in range(4):
        if end == 0:
            x, a, b = p, r, s
        elif end == 1:
            x, a, b = q, r, s
        elif end == 2:
            x, a, b = r, p, q
        else:
            x, a, b = s, p, q
        square, t = _to_segment(
            points[x, 0], points[x, 1], points[a, 0], points[a, 1], points[b, 0], points[b, 1]
        )
        height = points[a, 2] + t * (points[b, 2] - points[a, 2])
        if abs(points[x, 2] - height) < level:
            best = min(best, square)
    return np.sqrt(best)


@kernel
def _to_segment(xu, xv, au, av, bu, bv):
    """Return the squared distance of x from the segment a-b, and where on it the nearest point is.

    The place is 0 at a and 1 at b.
    """
    eu, ev = bu - au, bv - av
    square = eu * eu + ev * ev
    t = 0.0
    if square > 0.0:
        t = min(max(((xu - au) * eu + (xv - av) * ev) / square, 0.0), 1.0)
    return (au + t * eu - xu) ** 2 + (av + t * ev - xv) ** 2, t


# ------------------------------------------------------------------------------------ collapses


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
    limits : (3,) float64
        How far triangles may leave the ground, in height [Unit: m]; how far their normals may turn,
        as the distance between unit vectors; how narrow new triangles may be [Unit: m].
    bands : (t, 3) float64, input and output
        Where the ground lies above each triangle, at least and at most [Unit: m], and how far the
        normal has turned.
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
            _add_plane(points, corners, triangle, quadrics)
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
    normals = np.empty((2 * MOST_SPOKES + 2, 4), np.float64)
    ranges = np.empty((2 * MOST_SPOKES + 2, 2), np.float64)
    new_bands = np.zeros((2 * MOST_SPOKES + 2, 3), np.float64)
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
        spread = _gather_fan(corners, mates, start[u], spokes[0], tips[0])
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
                if choice == _SHRINK:
                    shrink = True
                    gone, kept = tips[0, 0], u
                elif choice == _TO_PREVIOUS:
                    kept = tips[0, spread]
                else:
                    kept = tips[0, 0]
                at = _measure_move(
                    points, corners, start, outline, chain, first, choice, u, spread, tips[0], apex
                )
                if at < 0:
                    continue
            if not shrink:
                for k in range(3):
                    apex[k] = points[kept, k]
            spread_next = 0
            if shrink:
                spread_next = _gather_fan(corners, mates, start[gone], spokes[1], tips[1])
                if spread_next == 0:
                    continue
            ring_size = _make_ring(spokes, tips, spread, spread_next, border, choice, ring, links)
            if not _stays_upright(points, apex, ring, ring_size, limits[2]):
                continue
            olds = _list_old_edges(
                bands, u, gone, spokes, tips, spread, spread_next, border, old_edges, old_bands
            )
            if shrink and not _lift_apex(points, corners, spokes, spread, spread_next, apex):
                continue
            if not _stays_near(
                points, apex, ring, ring_size, olds, old_edges, old_bands, u, gone, limits[0],
                ranges, new_bands,
            ):  # fmt: skip
                continue
            stamp += 1
            if not _stays_manifold(
                corners, mates, start, gone, kept, border, shrink, spread, spread_next, tips,
                stamps, stamp,
            ):  # fmt: skip
                continue
            if limits[1] < ANY_TURN and not _stays_level(
                points,
                corners,
                bands,
                apex,
                ring,
                ring_size,
                spokes,
                spread,
                spread_next,
                normals,
                limits[1],
                new_bands,
            ):
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
                    beyond = first[corners[_after(start[gone])]]
                    _insert_foot(
                        outline, chain, first[previous], beyond, at, foot, apex[0], apex[1]
                    )
                    first[u] = foot
                else:
                    outwards[previous] += _chord_shift(points, previous, u, following)[1]
                    _shorten_chain(outline, chain, first[previous], first[following])
                counts[2 if shrink else 1] += 1
            else:
                previous, following = -1, -1
                counts[0] += 1
            _move_quadric(points, quadrics, gone, kept, apex, shrink)
            for k in range(3):
                points[kept, k] = apex[k]
            for j in range(ring_size - 1):
                for k in range(3):
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
    last = _before(first)
    while mates[last] >= 0:
        last = _before(mates[last])
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
def _gather_fan(corners, mates, first, spokes, tips):
    """List the triangles around a vertex, by their edges from it, and the vertices across.

    Returns the number of triangles; 0 if they are too many. A fan with a boundary has one tip
    more than triangles.
    """
    count = 0
    edge = first
    while True:
        if count == MOST_SPOKES:
            return 0
        spokes[count] = edge
        tips[count] = corners[_after(edge)]
        count += 1
        last = _before(edge)
        edge = mates[last]
        if edge < 0:
            tips[count] = corners[last]
            return count
        if edge == first:
            return count


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
                _quadric_error(points, quadrics, u, points[v, 0], points[v, 1], points[v, 2])
                + quadrics[v, 9]
                + _LENGTH_WEIGHT * spread * _plan_square(points, u, v)
            )
        return spread
    previous, following = tips[spread], tips[0]
    shift, gain = _chord_shift(points, previous, u, following)
    room = min(outline[first[previous], 2], outline[first[u], 2])
    fits = shift <= room and max(outwards[previous], outwards[u]) + gain <= OUTWARDS
    chord = np.sqrt(_plan_square(points, previous, following))
    for choice in range(2):
        v = following if choice == _TO_NEXT else previous
        costs[choice] = np.inf
        if fits:
            costs[choice] = (
                _quadric_error(points, quadrics, u, points[v, 0], points[v, 1], points[v, 2])
                + _LENGTH_WEIGHT * _plan_square(points, u, v)
                + chord * shift * shift
            )
    costs[_SHRINK] = np.inf
    if not pinned[following] and room > STRAIGHT:
        beyond = corners[_after(start[following])]
        _, _, shift = _meeting_point(points, previous, u, following, beyond)
        if shift <= room:
            costs[_SHRINK] = (
                _LENGTH_WEIGHT * _plan_square(points, u, following)
                + np.sqrt(_plan_square(points, u, following)) * shift * shift
            )
    return 3


@kernel
def _chord_shift(points, a, b, c):
    """Return how far the boundary a-b-c moves, inwards and outwards, when it becomes a-c."""
    square, _ = _to_segment(
        points[b, 0], points[b, 1], points[a, 0], points[a, 1], points[c, 0], points[c, 1]
    )
    if _left_of(points, a, b, c) >= 0.0:
        return np.sqrt(square), 0.0
    return 0.0, np.sqrt(square)


@kernel
def _meeting_point(points, a, b, c, d):
    """Return where the boundary edges before and after b-c meet, and how far the boundary moves.

    Where they do not meet inside the mesh, or only beyond a or d, the move is infinite.
    """
    e1u, e1v = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1]
    e2u, e2v = points[c, 0] - points[b, 0], points[c, 1] - points[b, 1]
    e3u, e3v = points[d, 0] - points[c, 0], points[d, 1] - points[c, 1]
    turn_b = e1u * e2v - e1v * e2u
    turn_c = e2u * e3v - e2v * e3u
    turn = e1u * e3v - e1v * e3u
    if a == d or turn == 0.0 or (turn_b >= 0.0 and turn_c >= 0.0):
        return 0.0, 0.0, np.inf
    s, t = turn_c / turn, -turn_b / turn
    xu, xv = points[b, 0] + s * e1u, points[b, 1] + s * e1v
    bu, bv, cu, cv = points[b, 0], points[b, 1], points[c, 0], points[c, 1]
    if turn_b < 0.0 and turn_c < 0.0:
        if s < 0.0 or t > 0.0:
            return 0.0, 0.0, np.inf
        square, _ = _to_segment(xu, xv, bu, bv, cu, cv)
    elif turn_b < 0.0:  # c bulges outwards: x cuts the edge after it
        if s < 0.0 or t < 0.0 or t > 0.99:
            return 0.0, 0.0, np.inf
        xu, xv = cu + t * e3u, cv + t * e3v
        square, _ = _to_segment(cu, cv, bu, bv, xu, xv)
    else:  # b bulges outwards: x cuts the edge before it
        if s > 0.0 or s < -0.99 or t > 0.0:
            return 0.0, 0.0, np.inf
        square, _ = _to_segment(bu, bv, xu, xv, cu, cv)
    return xu, xv, np.sqrt(square)


@kernel
def _measure_move(points, corners, start, outline, chain, first, choice, u, spread, tips, apex):
    """Tell whether a move keeps the boundary close to the old one, and where a shrunk edge goes.

    The old vertices must be close to the new edges, and the new vertex to the old edges. Returns
    where the old edge starts that is nearest to the new vertex (any, without one); -1 if the
    boundary would move too far.
    """
    previous, following = tips[spread], tips[0]
    shrink = choice == _SHRINK
    end = following
    au, av = points[previous, 0], points[previous, 1]
    if shrink:
        end = corners[_after(start[following])]
        xu, xv, _ = _meeting_point(points, previous, u, following, end)
        apex[0], apex[1] = xu, xv
    else:
        xu, xv = points[end, 0], points[end, 1]
    du, dv = points[end, 0], points[end, 1]
    old, last = first[previous], first[end]
    at = old
    room, slack, farthest, nearest = np.inf, 0.0, 0.0, np.inf
    for _ in range(_LONGEST_WALK):
        ou, ov = outline[old, 0], outline[old, 1]
        square, _ = _to_segment(ou, ov, au, av, xu, xv)
        if shrink:
            other, _ = _to_segment(ou, ov, xu, xv, du, dv)
            square = min(square, other)
        farthest = max(farthest, square)
        if old == last:
            break
        room, slack = min(room, outline[old, 2]), max(slack, outline[old, 3])
        after = chain[old]
        if shrink:
            square, _ = _to_segment(xu, xv, ou, ov, outline[after, 0], outline[after, 1])
            if square < nearest:
                nearest, at = square, old
        old = after
    if shrink:
        farthest = max(farthest, nearest)
    return at if old == last and np.sqrt(farthest) + slack <= room else -1


@kernel
def _insert_foot(outline, chain, old, last, at, foot, xu, xv):
    """Make the point of the old boundary that is nearest to a new vertex a vertex of its own.

    Feet of vertices that are gone leave the chain; they lie on straight lines.
    """
    vertices = len(outline) // 2
    while old != last:
        after = chain[old]
        if after >= vertices and after != last:
            chain[old] = chain[after]
            if at == after:
                at = old
        else:
            old = after
    after = chain[at]
    pu, pv = outline[at, 0], outline[at, 1]
    eu, ev = outline[after, 0] - pu, outline[after, 1] - pv
    _, t = _to_segment(xu, xv, pu, pv, pu + eu, pv + ev)
    outline[foot, 0], outline[foot, 1] = pu + t * eu, pv + t * ev
    outline[foot, 2], outline[foot, 3] = outline[at, 2], outline[at, 3]
    chain[at], chain[foot] = foot, after


@kernel
def _shorten_chain(outline, chain, one, three):
    """Forget the old vertex between two others if it hardly matters, so that walks stay short."""
    two = chain[one]
    if chain[two] != three:
        return
    square, _ = _to_segment(
        outline[two, 0], outline[two, 1],
        outline[one, 0], outline[one, 1],
        outline[three, 0], outline[three, 1],
    )  # fmt: skip
    slack = max(outline[one, 3], outline[two, 3]) + np.sqrt(square)
    room = min(outline[one, 2], outline[two, 2])
    if slack <= 0.02 * room:
        chain[one] = three
        outline[one, 2], outline[one, 3] = room, slack


@kernel
def _stays_manifold(
    corners, mates, start, gone, kept, border, shrink, spread, spread_next, tips, stamps, stamp
):
    """Tell whether no edge would be there twice, and no component would vanish."""
    # Who is next to the vertex that stays.
    first = start[kept]
    edge = first
    count = 0
    while True:
        stamps[corners[_after(edge)]] = stamp
        last = _before(edge)
        edge = mates[last]
        if edge < 0:
            stamps[corners[last]] = stamp
            break
        if edge == first:
            break
        count += 1
        if count > 2 * MOST_SPOKES:
            return False
    which = 1 if shrink else 0
    triangles = spread_next if shrink else spread
    common = 0
    for i in range(triangles + 1 if border else triangles):
        if stamps[tips[which, i]] == stamp:
            common += 1
    if not border:
        return common == 2
    if common != 1:
        return False
    # The one triangle that goes must have a neighbour that stays.
    edge = start[gone]
    while corners[_after(edge)] != kept and corners[_before(edge)] != kept:
        edge = mates[_before(edge)]
    face = 3 * (edge // 3)
    neighbors = 0
    for k in range(3):
        if mates[face + k] >= 0:
            neighbors += 1
    return neighbors > 0


@kernel
def _make_ring(spokes, tips, spread, spread_next, border, choice, ring, links):
    """List the vertices around the new triangles, and the old triangle that becomes each of them.

    The new triangle j has the ring's vertices j and j + 1 and the apex.
    """
    if not border:
        for j in range(spread - 1):
            i = (choice + 1 + j) % spread
            ring[j], links[j] = tips[0, i], spokes[0, i] // 3
        return spread - 1
    if choice == _TO_NEXT:
        for j in range(spread):
            ring[j] = tips[0, j + 1]
            if j + 1 < spread:
                links[j] = spokes[0, j + 1] // 3
        return spread
    if choice == _TO_PREVIOUS:
        for j in range(spread):
            ring[j], links[j] = tips[0, j], spokes[0, j] // 3
        return spread
    size = 0
    for i in range(spread_next):
        ring[size], links[size] = tips[1, i], spokes[1, i] // 3
        size += 1
    for i in range(2, spread + 1):
        links[size - 1] = spokes[0, i - 1] // 3
        ring[size] = tips[0, i]
        size += 1
    return size


@kernel
def _stays_upright(points, apex, ring, ring_size, narrowest):
    """Tell whether all new triangles are counter-clockwise and wide enough."""
    for j in range(ring_size - 1):
        w, x = ring[j], ring[j + 1]
        eu, ev = points[w, 0] - apex[0], points[w, 1] - apex[1]
        fu, fv = points[x, 0] - apex[0], points[x, 1] - apex[1]
        area = eu * fv - ev * fu
        if area <= 0.0:
            return False
        longest = max(eu * eu + ev * ev, fu * fu + fv * fv, _plan_square(points, w, x))
        if area * area <= narrowest * narrowest * longest:
            return False
    return True


@kernel
def _list_old_edges(
    bands, u, gone, spokes, tips, spread, spread_next, border, old_edges, old_bands
):
    """List the edges inside the ring, with the band of the triangles on both sides."""
    count = 0
    for which in range(2):
        triangles = spread if which == 0 else spread_next
        if triangles == 0:
            continue
        for i in range(triangles + 1 if border else triangles):
            old_edges[count, 0] = u if which == 0 else gone
            old_edges[count, 1] = tips[which, i]
            low, high = np.inf, -np.inf
            if i < triangles:
                face = spokes[which, i] // 3
                low, high = min(low, bands[face, 0]), max(high, bands[face, 1])
            if i > 0 or not border:
                face = spokes[which, i - 1 if i > 0 else triangles - 1] // 3
                low, high = min(low, bands[face, 0]), max(high, bands[face, 1])
            old_bands[count, 0], old_bands[count, 1] = low, high
            count += 1
    return count


@kernel
def _lift_apex(points, corners, spokes, spread, spread_next, apex):
    """Give a new vertex the height of the old triangle that it lies in; False if in none."""
    best = -1e-9
    found = False
    for which in range(2):
        for i in range(spread if which == 0 else spread_next):
            edge = spokes[which, i]
            p, q, r = corners[edge], corners[_after(edge)], corners[_before(edge)]
            area = _left_of(points, p, q, r)
            if area <= 0.0:
                continue
            eu, ev = apex[0] - points[p, 0], apex[1] - points[p, 1]
            wq = (eu * (points[r, 1] - points[p, 1]) - ev * (points[r, 0] - points[p, 0])) / area
            wr = ((points[q, 0] - points[p, 0]) * ev - (points[q, 1] - points[p, 1]) * eu) / area
            inside = min(wq, wr, 1.0 - wq - wr)
            if inside > best:
                best = inside
                found = True
                apex[2] = (
                    points[p, 2]
                    + wq * (points[q, 2] - points[p, 2])
                    + wr * (points[r, 2] - points[p, 2])
                )
    return found


@kernel
def _stays_near(
    points,
    apex,
    ring,
    ring_size,
    olds,
    old_edges,
    old_bands,
    u,
    gone,
    tolerance,
    ranges,
    new_bands,
):
    """Find the bands of the new triangles; False if one leaves the tolerance.

    `ranges` holds, for each new edge from the apex, where the ground lies above it.
    """
    # At the apex both surfaces meet.
    low_apex, high_apex = 0.0, 0.0
    low_all, high_all = np.inf, -np.inf
    for i in range(olds):
        low_all, high_all = min(low_all, old_bands[i, 0]), max(high_all, old_bands[i, 1])
    low_apex, high_apex = low_all, high_all
    for i in range(olds):
        t = old_edges[i, 1]
        if points[t, 0] == apex[0] and points[t, 1] == apex[1]:
            low_apex, high_apex = old_bands[i, 0], old_bands[i, 1]
    for j in range(ring_size - 1):
        new_bands[j, 0], new_bands[j, 1] = low_apex, high_apex
    # The old vertices that go.
    for turn in range(1 if u == gone else 2):
        q = u if turn == 0 else gone
        for j in range(ring_size - 1):
            w, x = ring[j], ring[j + 1]
            eu, ev = points[w, 0] - apex[0], points[w, 1] - apex[1]
            fu, fv = points[x, 0] - apex[0], points[x, 1] - apex[1]
            qu, qv = points[q, 0] - apex[0], points[q, 1] - apex[1]
            area = eu * fv - ev * fu
            at_w, at_x = (qu * fv - qv * fu) / area, (eu * qv - ev * qu) / area
            if min(at_w, at_x, 1.0 - at_w - at_x) < -1e-7:
                continue
            rise = (
                apex[2] + at_w * (points[w, 2] - apex[2]) + at_x * (points[x, 2] - apex[2])
            ) - points[q, 2]
            new_bands[j, 0] = min(new_bands[j, 0], low_all - rise)
            new_bands[j, 1] = max(new_bands[j, 1], high_all - rise)
            if new_bands[j, 0] < -tolerance or new_bands[j, 1] > tolerance:
                return False
    # Where new edges cross old ones.
    for j in range(ring_size):
        w = ring[j]
        low, high = low_apex, high_apex
        ru, rv, rh = points[w, 0] - apex[0], points[w, 1] - apex[1], points[w, 2] - apex[2]
        for i in range(olds):
            q, t = old_edges[i, 0], old_edges[i, 1]
            rise = 0.0
            if t != w:
                su, sv = points[t, 0] - points[q, 0], points[t, 1] - points[q, 1]
                across = ru * sv - rv * su
                if across == 0.0:
                    continue
                du, dv = points[q, 0] - apex[0], points[q, 1] - apex[1]
                along_new = (du * sv - dv * su) / across
                along_old = (du * rv - dv * ru) / across
                if not (0.0 <= along_new <= 1.0 and 0.0 <= along_old <= 1.0):
                    continue
                rise = (apex[2] + along_new * rh) - (
                    points[q, 2] + along_old * (points[t, 2] - points[q, 2])
                )
            low, high = min(low, old_bands[i, 0] - rise), max(high, old_bands[i, 1] - rise)
        if low < -tolerance or high > tolerance:
            return False
        ranges[j, 0], ranges[j, 1] = low, high
    for j in range(ring_size - 1):
        new_bands[j, 0] = min(new_bands[j, 0], ranges[j, 0], ranges[j + 1, 0])
        new_bands[j, 1] = max(new_bands[j, 1], ranges[j, 1], ranges[j + 1, 1])
    return True


@kernel
def _stays_level(
    points,
    corners,
    bands,
    apex,
    ring,
    ring_size,
    spokes,
    spread,
    spread_next,
    normals,
    most,
    new_bands,
):
    """Find how far the normals of new triangles have turned; False if one turned too far.

    `normals` holds those of the old triangles, and how far they had turned before.
    """
    faces = spread + spread_next
    for i in range(faces):
        edge = spokes[0, i] if i < spread else spokes[1, i - spread]
        p, q, r = corners[edge], corners[_after(edge)], corners[_before(edge)]
        normals[i, 0], normals[i, 1], normals[i, 2] = _normal(
            points[q, 0] - points[p, 0],
            points[q, 1] - points[p, 1],
            points[q, 2] - points[p, 2],
            points[r, 0] - points[p, 0],
            points[r, 1] - points[p, 1],
            points[r, 2] - points[p, 2],
        )
        normals[i, 3] = bands[edge // 3, 2]
    for j in range(ring_size - 1):
        w, x = ring[j], ring[j + 1]
        nu, nv, nh = _normal(
            points[w, 0] - apex[0],
            points[w, 1] - apex[1],
            points[w, 2] - apex[2],
            points[x, 0] - apex[0],
            points[x, 1] - apex[1],
            points[x, 2] - apex[2],
        )
        largest = 0.0
        for i in range(faces):
            square = (
                (normals[i, 0] - nu) ** 2 + (normals[i, 1] - nv) ** 2 + (normals[i, 2] - nh) ** 2
            )
            largest = max(largest, normals[i, 3] + np.sqrt(square))
        if largest > most:
            return False
        new_bands[j, 2] = largest
    return True


@kernel
def _normal(eu, ev, eh, fu, fv, fh):
    """Return the unit normal of the triangle that two vectors span; up if they span none."""
    nu, nv, nh = ev * fh - eh * fv, eh * fu - eu * fh, eu * fv - ev * fu
    length = np.sqrt(nu * nu + nv * nv + nh * nh)
    if length == 0.0:
        return 0.0, 0.0, 1.0
    return nu / length, nv / length, nh / length


@kernel
def _remove_face(corners, mates, start, face, kept):
    """Take a triangle with two equal corners away, and join what lies across its other edges."""
    # The edge between equal corners; then x is the corner across it.
    short = face
    while corners[short] != corners[_after(short)]:
        short += 1
    toward, back = _after(short), _before(short)  # kept -> x and x -> kept
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
    start[kept] = _first_edge(mates, two if two >= 0 else _after(one))
    start[x] = _first_edge(mates, one if one >= 0 else _after(two))


@kernel
def _add_plane(points, corners, triangle, quadrics):
    """Add the plane of a triangle, weighted with its area, to the quadrics of its corners.

    A quadric is a sum of w * (gu, gv, -1, c) squared: the gradient of a plane and its height above
    the vertex, in the order uu, uv, u, vv, v, 1, uc, vc, c, cc.
    """
    p, q, r = corners[3 * triangle], corners[3 * triangle + 1], corners[3 * triangle + 2]
    eu, ev, eh = (
        points[q, 0] - points[p, 0],
        points[q, 1] - points[p, 1],
        points[q, 2] - points[p, 2],
    )
    fu, fv, fh = (
        points[r, 0] - points[p, 0],
        points[r, 1] - points[p, 1],
        points[r, 2] - points[p, 2],
    )
    area = eu * fv - ev * fu
    if area <= 0.0:
        return
    gu, gv = (eh * fv - fh * ev) / area, (fh * eu - eh * fu) / area
    for k in range(3):
        v = corners[3 * triangle + k]
        quadrics[v, 0] += area * gu * gu
        quadrics[v, 1] += area * gu * gv
        quadrics[v, 2] += area * gu
        quadrics[v, 3] += area * gv * gv
        quadrics[v, 4] += area * gv
        quadrics[v, 5] += area


@kernel
def _quadric_error(points, quadrics, v, pu, pv, ph):
    """Return the error of a point by the quadric of vertex v."""
    du, dv, dh = pu - points[v, 0], pv - points[v, 1], ph - points[v, 2]
    square = (
        quadrics[v, 0] * du * du
        + quadrics[v, 3] * dv * dv
        + quadrics[v, 5] * dh * dh
        + 2.0 * (quadrics[v, 1] * du * dv - quadrics[v, 2] * du * dh - quadrics[v, 4] * dv * dh)
        + 2.0 * (quadrics[v, 6] * du + quadrics[v, 7] * dv - quadrics[v, 8] * dh)
        + quadrics[v, 9]
    )
    return max(square, 0.0)


@kernel
def _move_quadric(points, quadrics, gone, kept, apex, shrink):
    """Add the quadric of the vertex that goes to that of the one that stays, at the apex."""
    for turn in range(2):
        v = kept if turn == 0 else gone
        if turn == 0 and not shrink:
            continue
        du, dv, dh = apex[0] - points[v, 0], apex[1] - points[v, 1], apex[2] - points[v, 2]
        error = _quadric_error(points, quadrics, v, apex[0], apex[1], apex[2])
        quadrics[v, 6] += quadrics[v, 0] * du + quadrics[v, 1] * dv - quadrics[v, 2] * dh
        quadrics[v, 7] += quadrics[v, 1] * du + quadrics[v, 3] * dv - quadrics[v, 4] * dh
        quadrics[v, 8] += quadrics[v, 2] * du + quadrics[v, 4] * dv - quadrics[v, 5] * dh
        quadrics[v, 9] = error
    for k in range(10):
        quadrics[kept, k] += quadrics[gone, k]


# ---------------------------------------------------------------------------------------- flips


@kernel(POINTS, FLOATS, OUT_INTS, OUT_INTS, OUT_INTS, OUT_POINTS, OUT_BYTES)
def flip_edges(points, limits, corners, mates, start, bands, touched):
    """Flip edges until the triangulation is Delaunay in plan, as far as the ground allows.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    limits, corners, mates, start, bands
        As for `collapse_edges`.
    touched : (n,) uint8, output
        1 for the vertices around a flip.

    Returns
    -------
    int
        The number of flips.
    """
    stack = np.empty(len(corners), np.int32)
    on_stack = np.zeros(len(corners), np.uint8)
    waiting = 0
    for edge in range(len(corners) - 1, -1, -1):
        if corners[edge] >= 0 and mates[edge] > edge:
            stack[waiting] = edge
            on_stack[edge] = 1
            waiting += 1
    flips = 0
    left = 20 * len(corners)  # rounding must not make it go round in circles
    while waiting > 0 and left > 0:
        left -= 1
        waiting -= 1
        e = stack[waiting]
        on_stack[e] = 0
        m = mates[e]
        if m < 0 or not _should_flip(points, corners, mates, start, bands, limits, e, m):
            continue
        _flip(corners, mates, start, e, m)
        flips += 1
        for k in range(4):
            if k == 0:
                side = e
            elif k == 1:
                side = _before(e)
            elif k == 2:
                side = m
            else:
                side = _before(m)
            touched[corners[side]] = 1
            if mates[side] >= 0:
                side = min(side, mates[side])
                if not on_stack[side]:
                    on_stack[side] = 1
                    stack[waiting] = side
                    waiting += 1
    return flips


@kernel
def _should_flip(points, corners, mates, start, bands, limits, e, m):
    r"""Tell whether a flip makes the smallest angle larger and is allowed; then update the bands.

    ::

            r                    r
          /   \                / | \
         p --e-> q     ->     p  |  q
          \   /                \ | /
            s                    s
    """
    p, q, r, s = corners[e], corners[m], corners[_before(e)], corners[_before(m)]
    # Delaunay: the angles at r and s together are more than two right angles.
    au, av = points[p, 0] - points[r, 0], points[p, 1] - points[r, 1]
    bu, bv = points[q, 0] - points[r, 0], points[q, 1] - points[r, 1]
    cu, cv = points[q, 0] - points[s, 0], points[q, 1] - points[s, 1]
    du, dv = points[p, 0] - points[s, 0], points[p, 1] - points[s, 1]
    sin_r, cos_r = au * bv - av * bu, au * bu + av * bv
    sin_s, cos_s = cu * dv - cv * du, cu * du + cv * dv
    scale = np.sqrt(
        (au * au + av * av) * (bu * bu + bv * bv) * (cu * cu + cv * cv) * (du * du + dv * dv)
    )
    if sin_r * cos_s + cos_r * sin_s >= -1e-12 * scale:
        return False
    area_p, area_q = _left_of(points, p, s, r), _left_of(points, s, q, r)
    if area_p <= 0.0 or area_q <= 0.0:
        return False
    across = _plan_square(points, r, s)
    longest = max(across, _plan_square(points, p, s), _plan_square(points, r, p))
    if area_p * area_p <= limits[2] * limits[2] * longest:
        return False
    longest = max(across, _plan_square(points, q, s), _plan_square(points, r, q))
    if area_q * area_q <= limits[2] * limits[2] * longest:
        return False
    # The surface moves most where both diagonals cross.
    along_new = sin_s / (sin_r + sin_s)  # heights of s and r above p-q are as these areas
    along_old = area_p / (area_p + area_q)
    rise = (points[s, 2] + along_new * (points[r, 2] - points[s, 2])) - (
        points[p, 2] + along_old * (points[q, 2] - points[p, 2])
    )
    one, two = e // 3, m // 3
    low = min(bands[one, 0], bands[two, 0]) + min(0.0, -rise)
    high = max(bands[one, 1], bands[two, 1]) + max(0.0, -rise)
    if low < -limits[0] or high > limits[0]:
        return False
    turn = 0.0
    if limits[1] < ANY_TURN:
        turn = _flip_turn(points, p, q, r, s) + max(bands[one, 2], bands[two, 2])
        if turn > limits[1]:
            return False
    if _has_edge(corners, mates, start[r], s):
        return False
    for face in (one, two):
        bands[face, 0], bands[face, 1], bands[face, 2] = low, high, turn
    return True


@kernel
def _flip_turn(points, p, q, r, s):
    """Return the largest turn from a normal before a flip to one after it."""
    largest = 0.0
    for k in range(4):
        a, b, c = (p, q, r) if k < 2 else (q, p, s)
        nu, nv, nh = _corner_normal(points, a, b, c)
        a, b, c = (r, p, s) if k % 2 == 0 else (s, q, r)
        mu, mv, mh = _corner_normal(points, a, b, c)
        largest = max(largest, np.sqrt((nu - mu) ** 2 + (nv - mv) ** 2 + (nh - mh) ** 2))
    return largest


@kernel
def _corner_normal(points, p, q, r):
    """Return the unit normal of three points."""
    return _normal(
        points[q, 0] - points[p, 0],
        points[q, 1] - points[p, 1],
        points[q, 2] - points[p, 2],
        points[r, 0] - points[p, 0],
        points[r, 1] - points[p, 1],
        points[r, 2] - points[p, 2],
    )


@kernel
def _has_edge(corners, mates, first, target):
    """Tell whether an edge of the fan that begins with `first` leads to a vertex."""
    edge = first
    while True:
        if corners[_after(edge)] == target:
            return True
        last = _before(edge)
        edge = mates[last]
        if edge < 0:
            return corners[last] == target
        if edge == first:
            return False


@kernel
def _flip(corners, mates, start, e, m):
    """Turn the edge between two triangles into the other diagonal of their quadrilateral."""
    e1, m1 = _after(e), _after(m)
    p, q, r, s = corners[e], corners[m], corners[_before(e)], corners[_before(m)]
    below, above = mates[m1], mates[e1]
    corners[e1], corners[m1] = s, r
    mates[e], mates[m] = below, above
    if below >= 0:
        mates[below] = e
    if above >= 0:
        mates[above] = m
    mates[e1], mates[m1] = m1, e1
    if start[p] == m1:
        start[p] = e
    if start[q] == e1:
        start[q] = m
