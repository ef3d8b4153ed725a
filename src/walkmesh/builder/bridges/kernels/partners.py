r"""Partners: what lies across a gap from an edge of the ground.

Two open edges face each other if each lies on the outside of the other, and outsides point more
against each other than along::

    ground          ------------------ e
    ..............      |  |  | outside          the edges of one gap; those of a corner of 90
                        |  |  |                  degrees or more face nothing
                  f ------------------
    ground

From a place on e the gap is as wide as the nearest place on f is far away in plan. It can be
crossed if that is no more than the distance, and the rise no more than a step or the steepest
slope. Where along e that begins or ends is a straight line's zero, so it is found exactly.
"""

import numpy as np

from walkmesh.builder.bridges.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items, touches


@kernel(kt.POINTS, kt.BYTES, kt.TREE, kt.FLOAT, kt.FLOAT, kt.FLOAT, kt.OUT_INTS, kt.OUT_FLOATS)
def find_splits(edges, is_open, tree, distance, max_step, steepness, split, places):
    """Find the places on edges where a gap begins or ends, or has a corner straight across.

    Parameters
    ----------
    edges : (n, 6) float64
        Both ends (u, v, h) of each edge; the ground lies to the left. [Unit: m]
    is_open : (n,) uint8
        1 for those that a bridge may start from.
    tree : TREE
        Over the edges.
    distance : float
        The widest gap. [Unit: m]
    max_step, steepness : float
        The highest step [Unit: m], and the tangent of the steepest slope.
    split : (capacity,) int32, output
        The edge that each place lies on.
    places : (capacity,) float64, output
        Where on it: above 0, below 1.

    Returns
    -------
    int
        The number of places; if it is more than the capacity, the rest is missing.
    """
    boxes, order, nodes = tree
    stack = np.empty(DEPTH_LIMIT, np.int32)
    found = np.empty(len(order) + 4, np.int32)
    box = np.empty(6, np.float64)
    span = np.empty(2, np.float64)
    count = 0
    for e in range(len(edges)):
        if not is_open[e]:
            continue
        _widen(edges, e, distance, max(max_step, steepness * distance), box)
        near = gather_items(nodes, order, box, stack, found)
        for i in range(near):
            f = found[i]
            if f == e or not is_open[f] or not touches(boxes, f, box):
                continue
            if not _face_each_other(edges, e, f):
                continue
            if _within(edges, e, f, distance - tol.WIDENING, span):
                for k in range(2):
                    count = _add(edges, e, span[k], split, places, count)
                    count = _add_across(edges, e, f, span[k], distance, split, places, count)
            for k in range(2):
                count = _add_across(edges, e, f, float(k), distance, split, places, count)
            count = _add_steps(
                edges, e, f, distance, max_step, steepness, span, split, places, count
            )
    return count


@kernel(
    kt.POINTS, kt.INTS, kt.POINTS, kt.BYTES, kt.TREE, kt.FLOAT, kt.FLOAT, kt.FLOAT, kt.OUT_BYTES
)
def find_active(parts, owners, edges, is_open, tree, distance, max_step, steepness, active):
    """Tell which parts of edges have a gap in front of them that can be crossed.

    Parameters
    ----------
    parts : (m, 6) float64
        Parts of edges between two places where that can change. [Unit: m]
    owners : (m,) int32
        The edge that each belongs to.
    edges, is_open, tree, distance, max_step, steepness
        As for :func:`find_splits`.
    active : (m,) uint8, output
        1 for those that have.
    """
    boxes, order, nodes = tree
    stack = np.empty(DEPTH_LIMIT, np.int32)
    found = np.empty(len(order) + 4, np.int32)
    box = np.empty(6, np.float64)
    for part in range(len(parts)):
        active[part] = 0
        e = owners[part]
        if not is_open[e]:
            continue
        u = 0.5 * (parts[part, 0] + parts[part, 3])
        v = 0.5 * (parts[part, 1] + parts[part, 4])
        h = 0.5 * (parts[part, 2] + parts[part, 5])
        rise = max(max_step, steepness * distance)
        box[0], box[1], box[2] = u - distance, v - distance, h - rise
        box[3], box[4], box[5] = u + distance, v + distance, h + rise
        near = gather_items(nodes, order, box, stack, found)
        for i in range(near):
            f = found[i]
            if f == e or not is_open[f] or not touches(boxes, f, box):
                continue
            if _face_each_other(edges, e, f) and _can_cross(
                edges, e, f, u, v, h, distance, max_step, steepness
            ):
                active[part] = 1
                break


@borrowing
def _widen(edges, e, width, height, box):
    """Write the box of an edge, larger by a width in plan and a height."""
    for k in range(3):
        margin = width if k < 2 else height
        box[k] = min(edges[e, k], edges[e, k + 3]) - margin
        box[k + 3] = max(edges[e, k], edges[e, k + 3]) + margin


@borrowing
def _outside(edges, e):
    """Return the direction to the outside of an edge, to the right of it."""
    eu, ev = edges[e, 3] - edges[e, 0], edges[e, 4] - edges[e, 1]
    length = np.sqrt(eu * eu + ev * ev)
    if length == 0.0:
        return 0.0, 0.0
    return ev / length, -eu / length


@borrowing
def _face_each_other(edges, e, f):
    """Tell whether each of two edges lies outside of the other, at least in part."""
    eu, ev = _outside(edges, e)
    fu, fv = _outside(edges, f)
    if eu * fu + ev * fv >= -tol.SAME_LENGTH:
        return False
    return _reaches_outside(edges, e, f, eu, ev) and _reaches_outside(edges, f, e, fu, fv)


@borrowing
def _reaches_outside(edges, e, f, out_u, out_v):
    """Tell whether an end of f lies outside of e."""
    for k in range(0, 6, 3):
        if (edges[f, k] - edges[e, 0]) * out_u + (
            edges[f, k + 1] - edges[e, 1]
        ) * out_v > tol.SAME_LENGTH:
            return True
    return False


@borrowing
def _within(edges, e, f, distance, span):
    """Write from where to where e is within a distance of f in plan; False if it is nowhere.

    The distance from f is a convex function along e, so this is one interval: the union of those
    within the distance of either end of f and of what lies between them.
    """
    au, av = edges[e, 0], edges[e, 1]
    eu, ev = edges[e, 3] - au, edges[e, 4] - av
    square = eu * eu + ev * ev
    low, high = np.inf, -np.inf
    for k in range(0, 6, 3):
        qu, qv = edges[f, k] - au, edges[f, k + 1] - av
        middle = (qu * eu + qv * ev) / square
        off = qu * ev - qv * eu
        reach = distance * distance - off * off / square
        if reach >= 0.0:
            reach = np.sqrt(reach / square)
            low, high = min(low, middle - reach), max(high, middle + reach)
    fu, fv = edges[f, 3] - edges[f, 0], edges[f, 4] - edges[f, 1]
    length = np.sqrt(fu * fu + fv * fv)
    off, change = _off_line(edges, e, f, length)
    along = ((au - edges[f, 0]) * fu + (av - edges[f, 1]) * fv) / (length * length)
    onward = (eu * fu + ev * fv) / (length * length)
    start, stop = _where(off + distance, change, 0.0, 1.0)
    start, stop = _where(distance - off, -change, start, stop)
    start, stop = _where(along, onward, start, stop)
    start, stop = _where(1.0 - along, -onward, start, stop)
    if start <= stop:
        low, high = min(low, start), max(high, stop)
    span[0], span[1] = max(low, 0.0), min(high, 1.0)
    return span[0] <= span[1]


@borrowing
def _off_line(edges, e, f, length):
    """Return how far to the right of f's line e starts, and how much farther it ends."""
    fu, fv = edges[f, 3] - edges[f, 0], edges[f, 4] - edges[f, 1]
    start = (edges[e, 0] - edges[f, 0]) * fv - (edges[e, 1] - edges[f, 1]) * fu
    stop = (edges[e, 3] - edges[f, 0]) * fv - (edges[e, 4] - edges[f, 1]) * fu
    return start / length, (stop - start) / length


@borrowing
def _where(value, change, start, stop):
    """Cut an interval to where value + t change is not negative; it may become empty."""
    if change == 0.0:
        return (start, stop) if value >= 0.0 else (1.0, 0.0)
    zero = -value / change
    if change > 0.0:
        return max(start, zero), stop
    return start, min(stop, zero)


@borrowing
def _add(edges, e, place, split, places, count):
    """Add a place on an edge, unless it is at an end."""
    eu, ev = edges[e, 3] - edges[e, 0], edges[e, 4] - edges[e, 1]
    length = np.sqrt(eu * eu + ev * ev)
    if place * length < tol.AT_EDGE_END or (1.0 - place) * length < tol.AT_EDGE_END:
        return count
    if count < len(split):
        split[count], places[count] = e, place
    return count + 1


@borrowing
def _add_across(edges, e, f, place, distance, split, places, count):
    """Add the place on f across from one on e, if it is near enough."""
    u = edges[e, 0] + place * (edges[e, 3] - edges[e, 0])
    v = edges[e, 1] + place * (edges[e, 4] - edges[e, 1])
    square, across = to_segment(u, v, edges[f, 0], edges[f, 1], edges[f, 3], edges[f, 4])
    if square > (distance + tol.SAME_LENGTH) ** 2:
        return count
    return _add(edges, f, across, split, places, count)


@borrowing
def _add_steps(edges, e, f, distance, max_step, steepness, span, split, places, count):
    """Add the places on e, and across on f, where the rise over the gap becomes too much or not."""
    fu, fv = edges[f, 3] - edges[f, 0], edges[f, 4] - edges[f, 1]
    length = np.sqrt(fu * fu + fv * fv)
    width, widening = _off_line(edges, e, f, length)
    au, av = edges[e, 0] - edges[f, 0], edges[e, 1] - edges[f, 1]
    bu, bv = edges[e, 3] - edges[f, 0], edges[e, 4] - edges[f, 1]
    climb = (edges[f, 5] - edges[f, 2]) / (length * length)
    rise = edges[e, 2] - edges[f, 2] - (au * fu + av * fv) * climb
    more = edges[e, 5] - edges[f, 2] - (bu * fu + bv * fv) * climb - rise
    if rise == 0.0 and more == 0.0:
        return count
    if not _within(edges, e, f, distance, span):
        return count
    for sign in (-1.0, 1.0):
        for k in range(2):
            if k == 0:
                value, change = max_step - sign * rise, -sign * more
            else:
                value, change = steepness * width - sign * rise, steepness * widening - sign * more
            if change == 0.0:
                continue
            place = -value / change
            if place < span[0] or place > span[1]:
                continue
            # Where one of the two limits is passed the other one may still hold.
            gap, height = width + place * widening, sign * (rise + place * more)
            if height < max(max_step, steepness * gap) - tol.SAME_LENGTH:
                continue
            count = _add(edges, e, place, split, places, count)
            count = _add_across(edges, e, f, place, distance, split, places, count)
    return count


@borrowing
def _can_cross(edges, e, f, u, v, h, distance, max_step, steepness):
    """Tell whether the gap from a place on e to f can be crossed."""
    square, across = to_segment(u, v, edges[f, 0], edges[f, 1], edges[f, 3], edges[f, 4])
    if square > (distance + tol.SAME_LENGTH) ** 2:
        return False
    xu = edges[f, 0] + across * (edges[f, 3] - edges[f, 0]) - u
    xv = edges[f, 1] + across * (edges[f, 4] - edges[f, 1]) - v
    eu, ev = _outside(edges, e)
    fu, fv = _outside(edges, f)
    if xu * eu + xv * ev < -tol.SAME_LENGTH or xu * fu + xv * fv > tol.SAME_LENGTH:
        return False
    rise = abs(edges[f, 2] + across * (edges[f, 5] - edges[f, 2]) - h)
    return rise <= max(max_step, steepness * np.sqrt(square)) + tol.SAME_LENGTH


@kernel(kt.INTS, kt.FLOATS, kt.FLOATS, kt.OUT_BYTES)
def thin_out(split, places, lengths, kept):
    """Leave out places that are too close to the one before on the same edge.

    Parameters
    ----------
    split, places : (k,) int32 and float64
        Places on edges, by ascending edge and then place.
    lengths : (n,) float64
        The length of each edge in plan. [Unit: m]
    kept : (k,) uint8, output
        1 for those that stay.
    """
    last, edge = 0.0, -1
    for i in range(len(split)):
        if split[i] != edge:
            edge, last = split[i], 0.0
        kept[i] = (places[i] - last) * lengths[edge] >= tol.AT_EDGE_END
        if kept[i]:
            last = places[i]
