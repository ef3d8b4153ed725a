"""Taking convex regions away from a convex polygon, in plan.

What is left is cut into convex fragments: the polygon is split along each side of a region, the
part outside that side stays, and the part inside all of them goes. A region that does not reach
into a fragment leaves it whole. Where many regions reach into a large fragment it is halved first,
so that each half has to do with its own regions only and the work grows as n log n.

A region is given by its sides: lines ``a u + b v + c``, of unit normal, positive inside.
"""

from typing import NamedTuple

import numpy as np

from walkmesh.builder.kernels import tolerances as tol
from walkmesh.kernels.geometry.half_planes import clip
from walkmesh.kernels.kernel import borrowing, kernel

DONE, OUTPUT_FULL, WORKSPACE_FULL = 0, 1, 2

# The most corners a polygon to be cut may have, and the room for fragments, which may have more:
# every side of a region adds one, and so it does again when a fragment left of that is clipped.
MOST_CORNERS = 32
_ROOM = 4 * MOST_CORNERS
# With more regions than this in a fragment, and none that covers a quarter of it, halve it.
_CROWD = 24
# A region with all its sides splits a fragment into no more parts than this.
_MOST_SPLITS = 40


class Workspace(NamedTuple):
    """Scratch for :func:`subtract_regions`: a stack of fragments, each with a list of regions."""

    corners: np.ndarray  # (d, _ROOM, 2) float64
    counts: np.ndarray  # (d,) int32
    covers: np.ndarray  # (d,) int32: how many regions each fragment lies in
    starts: np.ndarray  # (d,) int64: where the list of regions of each fragment starts
    lengths: np.ndarray  # (d,) int64
    lists: np.ndarray  # (l,) int32: lists of regions, end to end
    polygons: np.ndarray  # (5, _ROOM, 3) float64: corners, and how far each is from a line


@kernel
def make_workspace(depth=256, listed=4096):
    """Return a workspace for `depth` fragments on the stack and `listed` regions in all lists."""
    return Workspace(
        np.empty((depth, _ROOM, 2), np.float64),
        np.empty(depth, np.int32),
        np.empty(depth, np.int32),
        np.empty(depth, np.int64),
        np.empty(depth, np.int64),
        np.empty(listed, np.int32),
        np.empty((5, _ROOM, 3), np.float64),
    )


@kernel
def region_room(room, sides):
    """Return (lines, line_counts, boxes) for so many regions of at most so many sides."""
    return (
        np.empty((room, sides, 3), np.float64),
        np.empty(room, np.int32),
        np.empty((room, 4), np.float64),
    )


@kernel
def more_regions(lines, line_counts, boxes, regions):
    """Return room for twice as many regions, with those there are."""
    more = region_room(2 * len(line_counts), lines.shape[1])
    for region in range(regions):
        more[1][region] = line_counts[region]
        for k in range(4):
            more[2][region, k] = boxes[region, k]
        for side in range(line_counts[region]):
            for k in range(3):
                more[0][region, side, k] = lines[region, side, k]
    return more


@kernel
def limit_height(gu, gv, gc, least, most, low, high, lines, region, count):
    """Write the sides that limit a region to where gu u + gv v + gc is between two heights.

    Only those from which heights between `least` and `most` lie outwards are; returns how many
    sides the region has then.
    """
    slope = np.sqrt(gu * gu + gv * gv)
    if least < low and slope > 0.0:
        lines[region, count, 0], lines[region, count, 1] = gu / slope, gv / slope
        lines[region, count, 2] = (gc - low) / slope
        count += 1
    if most > high and slope > 0.0:
        lines[region, count, 0], lines[region, count, 1] = -gu / slope, -gv / slope
        lines[region, count, 2] = (high - gc) / slope
        count += 1
    return count


@kernel
def more_workspace(work):
    """Return a workspace for twice as many fragments, and lists four times as long."""
    return make_workspace(2 * len(work.counts), 4 * len(work.lists))


@borrowing
def append_fragments(polygon, count, blocked, regions, narrow, keep, work, plane, source, pieces):
    """Append what regions leave of a polygon to the pieces, or nothing if there is no room.

    The regions are given as (lines, line_counts, boxes), the rest as to :func:`subtract_regions`.
    Returns DONE, OUTPUT_FULL, or WORKSPACE_FULL for another try: returning a larger one from here
    makes cutting a fifth slower, since references to its arrays are counted.
    """
    filled = pieces[3]
    before = filled[0], filled[1]
    status = subtract_regions(
        polygon, count, *blocked, regions, narrow, keep, work, plane, source, pieces
    )
    if status != DONE:
        filled[0], filled[1] = before
    return status


@borrowing
def subtract_regions(
    polygon, count, lines, line_counts, boxes, regions, narrow, keep, work, plane, source, pieces
):
    """Take regions away from a polygon and append the fragments left to the pieces.

    Returns DONE, OUTPUT_FULL or WORKSPACE_FULL.

    Parameters
    ----------
    polygon : (k, 2) float64
        A convex polygon, counter-clockwise, of `count` corners, at most MOST_CORNERS.
    lines, line_counts, boxes : (r, l, 3) float64, (r,) int32 and (r, 4) float64
        Sides (a, b, c) of the first `regions` regions, how many each has, and lowest u, v and
        highest u, v of each.
    narrow : float
        An overlap no wider than this is none. Regions whose borders are further apart than this,
        and closer than they are exact, tear a fragment into ever smaller ones. [Unit: m]
    keep : int
        0 to take away what lies inside the regions. Otherwise all is kept and only split along
        their sides, but what lies inside so many of them no more: where regions crowd, there are
        as many parts of the plane as the square of their number.
    plane : (3,) float64
        Height of the polygon: h = plane[0] u + plane[1] v + plane[2].
    source : int
        Written for each fragment.
    pieces : OUT_PIECES
    """
    if regions > len(work.lists):
        return WORKSPACE_FULL
    for i in range(count):
        work.corners[0, i, 0], work.corners[0, i, 1] = polygon[i, 0], polygon[i, 1]
    work.counts[0], work.starts[0], work.lengths[0], work.covers[0] = count, 0, regions, 0
    for region in range(regions):
        work.lists[region] = region
    current, inside, outside = work.polygons[0], work.polygons[1], work.polygons[2]
    depth = 1
    while depth > 0:
        depth -= 1
        count = work.counts[depth]
        _copy(work.corners[depth], count, current)
        ulo, vlo, uhi, vhi = _plan_box(current, count)
        start, box = work.starts[depth], (ulo, vlo, uhi, vhi)
        kept, covers, largest, largest_area = _keep_near(
            work, depth, current, count, box, lines, line_counts, boxes, narrow, keep
        )
        if kept < 0 and not keep:
            continue  # covered whole
        if kept <= 0:
            if not _append(current, count, plane, source, pieces):
                return OUTPUT_FULL
            continue
        # Splitting by the sides of a region asks for a list for each fragment, one a side.
        most = _MOST_SPLITS
        if depth + most > len(work.counts) or start + most * kept > len(work.lists):
            return WORKSPACE_FULL
        crowded = kept > _CROWD and largest_area < 0.25 * area_of(current, count)
        if crowded or count > MOST_CORNERS:
            if uhi - ulo > vhi - vlo:
                a, b, c = 1.0, 0.0, -0.5 * (ulo + uhi)
            else:
                a, b, c = 0.0, 1.0, -0.5 * (vlo + vhi)
            low, high = _measure(current, count, a, b, c)
            sizes = _split(current, count, low, high, inside, outside)
            _push(work, depth, inside, sizes[0], start, kept, covers)
            for place in range(start, start + kept):
                work.lists[place + kept] = work.lists[place]
            _push(work, depth + 1, outside, sizes[1], start + kept, kept, covers)
            depth += 2
            continue
        region = work.lists[largest]
        kept -= 1
        work.lists[largest] = work.lists[start + kept]
        for side in range(line_counts[region]):
            a, b, c = lines[region, side, 0], lines[region, side, 1], lines[region, side, 2]
            low, high = _measure(current, count, a, b, c)
            if low < 0.0:
                for place in range(start, start + kept):
                    work.lists[place + kept] = work.lists[place]
                if high > 0.0:
                    sizes = _split(current, count, low, high, inside, outside)
                    _push(work, depth, outside, sizes[1], start, kept, covers)
                    count = sizes[0]
                    _copy(inside, count, current)
                else:
                    _push(work, depth, current, count, start, kept, covers)
                depth += 1
                start += kept
            if high == 0.0:
                count = 0
                break
        if keep and count > 0:
            more = kept if covers + 1 < keep else 0
            _push(work, depth, current, count, start, more, covers + 1)
            depth += 1
    return DONE


@borrowing
def _keep_near(work, depth, polygon, count, box, lines, line_counts, boxes, narrow, keep):
    """Leave in the list of a fragment, with a box, the regions that reach into it.

    Returns how many there are, -1 if the fragment is covered whole, or by `keep` of them; how many
    cover it whole; and the place of the one that covers most of it, with that area.
    """
    ulo, vlo, uhi, vhi = box
    start, covers = work.starts[depth], work.covers[depth]
    kept, largest, largest_area = 0, -1, 0.0
    for place in range(start, start + work.lengths[depth]):
        region = work.lists[place]
        if boxes[region, 0] > uhi or boxes[region, 2] < ulo:
            continue
        if boxes[region, 1] > vhi or boxes[region, 3] < vlo:
            continue
        area = _covered_area(polygon, count, lines, region, line_counts[region], narrow, work)
        if area < 0.0:
            covers += 1
            if covers < keep:
                continue
            kept = -1
            break
        if area > 0.0:
            if area > largest_area:
                largest, largest_area = start + kept, area
            work.lists[start + kept] = region
            kept += 1
    return kept, covers, largest, largest_area


@borrowing
def _push(work, depth, polygon, count, start, length, covers):
    _copy(polygon, count, work.corners[depth])
    work.counts[depth], work.starts[depth], work.lengths[depth] = count, start, length
    work.covers[depth] = covers


@borrowing
def _append(polygon, count, plane, source, pieces):
    """Write a fragment down as a piece; False if there is no room."""
    offsets, corners, sources, filled = pieces
    piece, corner = filled[0], filled[1]
    if piece >= len(sources) or corner + count > len(corners):
        return False
    for i in range(count):
        u, v = polygon[i, 0], polygon[i, 1]
        corners[corner + i, 0], corners[corner + i, 1] = u, v
        corners[corner + i, 2] = plane[0] * u + plane[1] * v + plane[2]
    sources[piece] = source
    offsets[piece + 1] = corner + count
    filled[0], filled[1] = piece + 1, corner + count
    return True


@borrowing
def _copy(polygon, count, target):
    for i in range(count):
        target[i, 0], target[i, 1] = polygon[i, 0], polygon[i, 1]


@borrowing
def _plan_box(polygon, count):
    ulo, vlo, uhi, vhi = np.inf, np.inf, -np.inf, -np.inf
    for i in range(count):
        ulo, uhi = min(ulo, polygon[i, 0]), max(uhi, polygon[i, 0])
        vlo, vhi = min(vlo, polygon[i, 1]), max(vhi, polygon[i, 1])
    return ulo, vlo, uhi, vhi


@borrowing
def area_of(polygon, count):
    """Return the area of a polygon, taken from its first corner so that none is lost far away."""
    twice = 0.0
    u, v = polygon[0, 0], polygon[0, 1]
    for i in range(1, count - 1):
        twice += (polygon[i, 0] - u) * (polygon[i + 1, 1] - v)
        twice -= (polygon[i, 1] - v) * (polygon[i + 1, 0] - u)
    return 0.5 * twice


@borrowing
def _covered_area(polygon, count, lines, region, sides, narrow, work):
    """Return the area that a region covers of a polygon; -1 if it covers all of it."""
    whole = True
    for side in range(sides):
        a, b, c = lines[region, side, 0], lines[region, side, 1], lines[region, side, 2]
        low, high = np.inf, -np.inf
        for i in range(count):
            distance = a * polygon[i, 0] + b * polygon[i, 1] + c
            low, high = min(low, distance), max(high, distance)
        if high <= narrow:
            return 0.0
        if low < -narrow:
            whole = False
    if whole:
        return -1.0
    clipped, other = polygon, work.polygons[3]
    spare = work.polygons[4]
    for side in range(sides):
        a, b, c = lines[region, side, 0], lines[region, side, 1], lines[region, side, 2]
        left = _clip(clipped, count, a, b, c - narrow, other)
        if left >= 0:
            if left < 3:
                return 0.0
            count, clipped = left, other
            other, spare = spare, other
    return max(area_of(clipped, count), 0.0)


@borrowing
def _clip(polygon, count, a, b, c, clipped):
    """Write the part of a polygon on the positive side of a line; return its corners' number.

    It is -1, and nothing is written, if that is all of the polygon.
    """
    least = np.inf
    for i in range(count):
        polygon[i, 2] = a * polygon[i, 0] + b * polygon[i, 1] + c
        least = min(least, polygon[i, 2])
    if least >= 0.0:
        return -1
    return clip(polygon, count, 2, True, clipped)


@borrowing
def _measure(polygon, count, a, b, c):
    """Write the distances of corners from a line, 0 for those on it.

    Returns
    -------
    float, float
        The least and the greatest of them, and of 0.
    """
    low, high = 0.0, 0.0
    for i in range(count):
        distance = a * polygon[i, 0] + b * polygon[i, 1] + c
        if -tol.ON_SIDE < distance < tol.ON_SIDE:
            distance = 0.0
        polygon[i, 2] = distance
        low, high = min(low, distance), max(high, distance)
    return low, high


@borrowing
def _split(polygon, count, low, high, inside, outside):
    """Split a polygon by a line, from which its corners are at distances between low and high.

    Returns
    -------
    int, int
        The corners of the parts on its positive and negative side; 0 for one that has no area.
    """
    ins, outs = 0, 0
    for i in range(count):
        j = i + 1 if i + 1 < count else 0
        here, there = polygon[i, 2], polygon[j, 2]
        if here >= 0.0:
            inside[ins, 0], inside[ins, 1] = polygon[i, 0], polygon[i, 1]
            ins += 1
        if here <= 0.0:
            outside[outs, 0], outside[outs, 1] = polygon[i, 0], polygon[i, 1]
            outs += 1
        if (here > 0.0 and there < 0.0) or (here < 0.0 and there > 0.0):
            # From the positive end, whichever way the edge runs: neighbours get equal corners.
            p, q = (i, j) if here > 0.0 else (j, i)
            t = polygon[p, 2] / (polygon[p, 2] - polygon[q, 2])
            u = polygon[p, 0] + t * (polygon[q, 0] - polygon[p, 0])
            v = polygon[p, 1] + t * (polygon[q, 1] - polygon[p, 1])
            inside[ins, 0], inside[ins, 1] = u, v
            outside[outs, 0], outside[outs, 1] = u, v
            ins += 1
            outs += 1
    if high == 0.0:
        ins = 0
    if low == 0.0:
        outs = 0
    return ins, outs
