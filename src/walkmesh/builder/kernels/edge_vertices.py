"""Vertices on an edge, in plan: found in a grid, and put into order by splitting the edge."""

import numpy as np

from walkmesh.builder.kernels import tolerances as tol
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.search.hash_grid import enter, first_in, make_hash_grid

# Vertices are gathered in a band this many times wider than what lies on an edge.
_BAND = 4.0


@kernel
def make_grid(places, cell):
    """Return the grid of vertices (n, 2), and the cell of each."""
    grid = make_hash_grid(len(places))
    cells = np.empty((len(places), 2), np.int64)
    for i in range(len(places)):
        cells[i, 0] = int(np.floor(places[i, 0] / cell))
        cells[i, 1] = int(np.floor(places[i, 1] / cell))
        enter(grid, i, cells[i, 0], cells[i, 1])
    return grid, cells


@borrowing
def follow_edge(places, grid, a, b, distance, cell, search, ring, length):
    """Write the vertices on the edge from a to b to ring[length:], in order.

    The nearest one splits the edge, and both halves, which it may have bent, are split in turn. So
    what becomes of an edge depends on its two ends alone, and is the same for every piece.

    The vertices in a band around the edge are gathered once. Parts of it that have left the band
    are gathered for again. Returns where the vertices end; -1 if there are too many.
    """
    ahead, near, alongs = search
    ahead[0] = b
    waiting, reached = 1, a
    begin, end, count = a, b, -1
    while True:
        following = ahead[waiting - 1]
        if count < 0 or not (
            _is_covered(places, begin, end, reached, distance)
            and _is_covered(places, begin, end, following, distance)
        ):
            begin, end = reached, following
            count = _gather_near(places, grid, begin, end, distance, cell, near, alongs)
            if count == 0 and waiting == 1:
                return length
            if count < 0:
                return -1
        vertex = _nearest_on_edge(
            places, reached, following, distance, begin, end, near, alongs, count
        )
        if vertex >= 0:
            if length + waiting >= len(ahead):
                return -1
            ahead[waiting] = vertex
            waiting += 1
            continue
        waiting -= 1
        if waiting == 0:
            return length
        reached = following
        ring[length] = reached
        length += 1


@borrowing
def _is_covered(places, a, b, vertex, distance):
    """Tell whether all that is near an edge to a vertex was gathered around the edge a-b."""
    du, dv = places[b, 0] - places[a, 0], places[b, 1] - places[a, 1]
    u, v = places[vertex, 0] - places[a, 0], places[vertex, 1] - places[a, 1]
    square = du * du + dv * dv
    if abs(u * dv - v * du) > (_BAND - 1.0) * distance * np.sqrt(square):
        return False
    return 0.0 <= u * du + v * dv <= square


@borrowing
def _gather_near(places, grid, a, b, distance, cell, near, alongs):
    """Write the vertices in a band around the edge a-b, in order, and where along it they are.

    The grid is walked along the axis that the edge follows more closely, a row of cells at a time.
    Returns how many vertices there are; -1 if there are too many.
    """
    vertices, cells = grid
    band = _BAND * distance
    ua, va = places[a, 0], places[a, 1]
    du, dv = places[b, 0] - ua, places[b, 1] - va
    square = du * du + dv * dv
    width, margin = band * band * square, band * np.sqrt(square)
    along_u = abs(du) >= abs(dv)
    begin, across = (ua, va) if along_u else (va, ua)
    run, slope = (du, dv / du) if along_u else (dv, du / dv)
    low, high = min(begin, begin + run) - band, max(begin, begin + run) + band
    count = 0
    for row in range(int(np.floor(low / cell)), int(np.floor(high / cell)) + 1):
        first = across + slope * (max(low, row * cell) - begin)
        last = across + slope * (min(high, (row + 1) * cell) - begin)
        lowest = int(np.floor((min(first, last) - 2.0 * band) / cell))
        highest = int(np.floor((max(first, last) + 2.0 * band) / cell))
        for column in range(lowest, highest + 1):
            cu, cv = (row, column) if along_u else (column, row)
            k = first_in(vertices, cu, cv)
            while k >= 0:
                if k != a and k != b and cells[k, 0] == cu and cells[k, 1] == cv:
                    u, v = places[k, 0] - ua, places[k, 1] - va
                    along = u * du + v * dv
                    if -margin < along < square + margin and (u * dv - v * du) ** 2 <= width:
                        if count == len(near):
                            return -1
                        near[count], alongs[count] = k, along
                        count += 1
                k = vertices.links[k]
    _sort_along(near, alongs, count)
    return count


@borrowing
def _sort_along(near, alongs, count):
    """Sort vertices by where they are along an edge (Shell 1959)."""
    step = count // 2
    while step > 0:
        for i in range(step, count):
            k, along = near[i], alongs[i]
            j = i
            while j >= step and alongs[j - step] > along:
                near[j], alongs[j] = near[j - step], alongs[j - step]
                j -= step
            near[j], alongs[j] = k, along
        step //= 2


@borrowing
def _nearest_on_edge(places, a, b, distance, begin, end, near, alongs, count):
    """Find the vertex nearest to the edge between a and b, of those on it; -1 if there is none.

    Of several as near, the one nearest to the middle is taken, which keeps the halves even. Both
    have to be shorter than the whole, by more than rounding, or splitting would not end where
    vertices crowd: of three that are equally far apart each would split the edge of the others.

    It is looked for among `count` vertices gathered around the edge from `begin` to `end`.
    """
    a, b = min(a, b), max(a, b)  # so that it is the same one from both sides, however rounded
    ua, va = places[a, 0], places[a, 1]
    du, dv = places[b, 0] - ua, places[b, 1] - va
    square = du * du + dv * dv
    low, high = _span(places, a, b, begin, end, distance)
    found, nearest, middle = -1, distance * distance * square, np.inf
    for i in range(_first_after(alongs, count, low), count):
        if alongs[i] > high:
            break
        k = near[i]
        if k in (a, b):
            continue
        u, v = places[k, 0] - ua, places[k, 1] - va
        along, aside = u * du + v * dv, (u * dv - v * du) ** 2
        if not 0.0 < along < square or aside > nearest:
            continue
        longer = max(along, square - along)
        if longer * longer + aside >= tol.SHORTER * square * square:
            continue
        if aside < nearest or longer < middle or (longer == middle and k < found):
            found, nearest, middle = k, aside, longer
    return found


@borrowing
def _span(places, a, b, begin, end, distance):
    """Return where along one edge the vertices near another begin and end."""
    u, v = places[begin, 0], places[begin, 1]
    du, dv = places[end, 0] - u, places[end, 1] - v
    x = (places[a, 0] - u) * du + (places[a, 1] - v) * dv
    y = (places[b, 0] - u) * du + (places[b, 1] - v) * dv
    margin = 2.0 * distance * np.sqrt(du * du + dv * dv)
    return min(x, y) - margin, max(x, y) + margin


@borrowing
def _first_after(alongs, count, low):
    """Return the first of ascending places that is not before `low`."""
    start, stop = 0, count
    while start < stop:
        middle = (start + stop) // 2
        if alongs[middle] < low:
            start = middle + 1
        else:
            stop = middle
    return start
