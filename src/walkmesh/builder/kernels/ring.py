"""The ring of a move: the triangles that a collapse or shrinking edge replaces by new ones."""

import numpy as np

from walkmesh.builder.kernels import tolerances as tol
from walkmesh.kernels.geometry.plan import plan_square
from walkmesh.kernels.geometry.turns import turn
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.corners import last_of, next_of

# A vertex with more triangles than this stays; and no collapse goes to one with twice as many,
# since looking at all of them again and again would take time in proportion to n * n.
MOST_SPOKES = 96

# The moves of a boundary vertex: onto the next or the previous one, or its edge shrinks.
TO_NEXT, TO_PREVIOUS, SHRINK = 0, 1, 2


@kernel
def gather_fan(corners, mates, first, spokes, tips):
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
        tips[count] = corners[next_of(edge)]
        count += 1
        last = last_of(edge)
        edge = mates[last]
        if edge < 0:
            tips[count] = corners[last]
            return count
        if edge == first:
            return count


@kernel
def make_ring(spokes, tips, spread, spread_next, border, choice, ring, links):
    """List the vertices around the new triangles, and the old triangle that becomes each of them.

    The new triangle j has the ring's vertices j and j + 1 and the apex.
    """
    if not border:
        for j in range(spread - 1):
            i = (choice + 1 + j) % spread
            ring[j], links[j] = tips[0, i], spokes[0, i] // 3
        return spread - 1
    if choice == TO_NEXT:
        for j in range(spread):
            ring[j] = tips[0, j + 1]
            if j + 1 < spread:
                links[j] = spokes[0, j + 1] // 3
        return spread
    if choice == TO_PREVIOUS:
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
def stays_manifold(
    corners, mates, start, gone, kept, border, shrink, spread, spread_next, tips, stamps, stamp
):
    """Tell whether no edge would be there twice, and no component would vanish."""
    # Who is next to the vertex that stays.
    first = start[kept]
    edge = first
    count = 0
    while True:
        stamps[corners[next_of(edge)]] = stamp
        last = last_of(edge)
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
    while corners[next_of(edge)] != kept and corners[last_of(edge)] != kept:
        edge = mates[last_of(edge)]
    face = 3 * (edge // 3)
    neighbors = 0
    for k in range(3):
        if mates[face + k] >= 0:
            neighbors += 1
    return neighbors > 0


@kernel
def stays_upright(points, apex, ring, ring_size, narrowest):
    """Tell whether all new triangles are counter-clockwise and wide enough."""
    for j in range(ring_size - 1):
        w, x = ring[j], ring[j + 1]
        eu, ev = points[w, 0] - apex[0], points[w, 1] - apex[1]
        fu, fv = points[x, 0] - apex[0], points[x, 1] - apex[1]
        area = eu * fv - ev * fu
        if area <= 0.0:
            return False
        longest = max(eu * eu + ev * ev, fu * fu + fv * fv, plan_square(points, w, x))
        if area * area <= narrowest * narrowest * longest:
            return False
    return True


@kernel
def list_old_edges(bands, u, gone, spokes, tips, spread, spread_next, border, old_edges, old_bands):
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
def lift_apex(points, corners, spokes, spread, spread_next, apex):
    """Give a new vertex the height of the old triangle that it lies in; False if in none."""
    best = -tol.OUTSIDE_SHARE
    found = False
    for which in range(2):
        for i in range(spread if which == 0 else spread_next):
            edge = spokes[which, i]
            p, q, r = corners[edge], corners[next_of(edge)], corners[last_of(edge)]
            area = turn(points, p, q, r)
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
def stays_near(
    points, apex, ring, ring_size, olds, old_edges, old_bands, u, gone, tolerance, ranges,
    new_bands,
):  # fmt: skip
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
    for which in range(1 if u == gone else 2):
        q = u if which == 0 else gone
        for j in range(ring_size - 1):
            w, x = ring[j], ring[j + 1]
            eu, ev = points[w, 0] - apex[0], points[w, 1] - apex[1]
            fu, fv = points[x, 0] - apex[0], points[x, 1] - apex[1]
            qu, qv = points[q, 0] - apex[0], points[q, 1] - apex[1]
            area = eu * fv - ev * fu
            at_w, at_x = (qu * fv - qv * fu) / area, (eu * qv - ev * qu) / area
            if min(at_w, at_x, 1.0 - at_w - at_x) < -tol.REPLACED_SHARE:
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
