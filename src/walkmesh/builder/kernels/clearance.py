r"""Clearance: ground closer to a boundary or wall than the agent's radius is taken away.

Around each line lies a band as wide as the radius, and around each end of it, where no other line
goes on, a sector::

          ____________________ band
         /|                  |\
        / |                  | \  sector, its arc replaced by tangents
        \ |__________________| /
          ^ line             ^

Bands end square, so lines that meet in a corner leave a gap only on its outer side; a sector fills
it. Its tangents touch the circle where the bands begin, and lie outside of it everywhere else: the
agent never comes too close, and never loses more than the stated error.

A band lies at the height of its line and takes away ground within `window` above and below it.
"""

import numpy as np

from walkmesh.builder.kernels import fragments
from walkmesh.builder.kernels import tolerances as tol
from walkmesh.builder.kernels.packs import OUT_REGIONS, REGIONS
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.search.box_tree import DEPTH_LIMIT, gather_items

# What cutting returns, instead of where it stopped, for a polygon or region of too many corners.
TOO_MANY_CORNERS = -1
# The most sides of a region, and of those the most that stand for an arc.
MOST_SIDES = 36
_MOST_TANGENTS = 30
# Arcs that face another line are finer by this factor.
_FINER = 1.0 / 25.0


@kernel(kt.POINTS, kt.BYTES, kt.FLOATS, kt.TREE, kt.FLOAT, kt.FLOAT, OUT_REGIONS)
def make_regions(lines, two_sided, radii, tree, window, arc_error, output):
    """Write down the bands and sectors around lines.

    Parameters
    ----------
    lines : (n, 6) float64
        Both ends (u, v, h) of each line. [Unit: m]
    two_sided : (n,) uint8
        1 for a wall; 0 for a boundary, with ground to its left only.
    radii : (n,) float64
        How far to stay away from each line. [Unit: m]
    tree : tuple
        A tree of boxes over the lines.
    window : float
        Lines further above each other than this have nothing to do with each other. [Unit: m]
    arc_error : float
        How far the tangents may lie outside an arc. [Unit: m]
    output : OUT_REGIONS, output
    """
    _, order, nodes = tree
    _, offsets, _, _, filled = output
    stack = np.empty(DEPTH_LIMIT, np.int32)
    found = np.empty(len(order) + 1, np.int32)
    angles = np.empty(64, np.float64)
    box = np.empty(6, np.float64)
    filled[0], filled[1] = 0, 0
    offsets[0] = 0
    for line in range(len(lines)):
        write_band(lines, line, two_sided[line], radii[line], output)
        for end in range(2):
            u, v, h = lines[line, 3 * end], lines[line, 3 * end + 1], lines[line, 3 * end + 2]
            reach = 2.0 * radii[line] + 4.0 * arc_error
            box_around(u, v, h, reach, window, box)
            count = gather_items(nodes, order, box, stack, found)
            if 2 * count > len(angles):  # two directions for each line
                angles = np.empty(4 * count, np.float64)
            directions, radius = _directions_at(
                lines, radii, line, end, found, count, window, angles
            )
            for k in range(directions):
                first = angles[k]
                last = angles[k + 1] if k + 1 < directions else angles[0] + 2.0 * np.pi
                turn = last - first - np.pi
                if turn <= tol.NO_TURN:
                    continue
                first += 0.5 * np.pi
                faced = faces_line(lines, found, count, u, v, h, first, turn, reach, window)
                write_sector(u, v, h, first, turn, radius, arc_error, faced, output)


@kernel
def box_around(u, v, h, reach, window, box):
    """Write the box of what is within `reach` of a place in plan, and `window` in height."""
    box[0], box[1], box[2] = u - reach, v - reach, h - window
    box[3], box[4], box[5] = u + reach, v + reach, h + window


@kernel
def _directions_at(lines, radii, line, end, found, count, window, angles):
    """Write the directions in which lines leave an end, in order.

    Of ends at the same place the one of the lowest index does the work. Returns how many directions
    there are, 0 if another end does the work; and the largest radius.
    """
    u, v, h = lines[line, 3 * end], lines[line, 3 * end + 1], lines[line, 3 * end + 2]
    directions, radius = 0, radii[line]
    for place in range(count):
        other = found[place]
        distance, t, length = _nearest_on_line(lines, other, u, v)
        if distance > tol.PASSES_END:
            continue
        if abs(lines[other, 2] + t * (lines[other, 5] - lines[other, 2]) - h) > window:
            continue
        for side in range(2):
            apart = abs(lines[other, 3 * side] - u) + abs(lines[other, 3 * side + 1] - v)
            if apart <= tol.SAME_END and 2 * other + side < 2 * line + end:
                return 0, radius
        radius = max(radius, radii[other])
        for side in range(2):
            # Towards this side's end, if that is not here. A line that only passes by must go on
            # for as long as its band has to stand in for the sector.
            way = t * length if side == 0 else (1.0 - t) * length
            if way <= tol.PASSES_END or (way < radius and length - way > tol.PASSES_END):
                continue
            angle = np.arctan2(
                lines[other, 3 * side + 1] - lines[other, 4 - 3 * side],
                lines[other, 3 * side] - lines[other, 3 - 3 * side],
            )
            slot = directions
            while slot > 0 and angles[slot - 1] > angle:
                angles[slot] = angles[slot - 1]
                slot -= 1
            angles[slot] = angle
            directions += 1
    return directions, radius


@kernel
def _nearest_on_line(lines, line, u, v):
    """Return how far a place is from a line, at which part of it, and how long the line is."""
    au, av, bu, bv = lines[line, 0], lines[line, 1], lines[line, 3], lines[line, 4]
    square, t = to_segment(u, v, au, av, bu, bv)
    return np.sqrt(square), t, np.sqrt((bu - au) ** 2 + (bv - av) ** 2)


@kernel
def faces_line(lines, found, count, u, v, h, first, turn, reach, window):
    """Tell whether the arc from the angle `first` on faces another line within `reach`."""
    for place in range(count):
        other = found[place]
        distance, t, _ = _nearest_on_line(lines, other, u, v)
        if distance <= tol.PASSES_END or distance > reach:
            continue
        if abs(lines[other, 2] + t * (lines[other, 5] - lines[other, 2]) - h) > window:
            continue
        eu = lines[other, 0] + t * (lines[other, 3] - lines[other, 0]) - u
        ev = lines[other, 1] + t * (lines[other, 4] - lines[other, 1]) - v
        beyond = np.arctan2(ev, eu) - first
        beyond -= 2.0 * np.pi * np.floor(beyond / (2.0 * np.pi))
        if beyond <= turn + 0.3 or beyond >= 2.0 * np.pi - 0.3:
            return True
    return False


@kernel
def write_side(a, b, u, v, distance, output):
    """Write the side of a region through a place, moved outwards by a distance."""
    sides, filled = output[0], output[4]
    if filled[1] < len(sides):
        row = filled[1]
        sides[row, 0], sides[row, 1] = a, b
        sides[row, 2] = distance - a * u - b * v
    filled[1] += 1


@kernel
def finish_region(gu, gv, gc, ulo, vlo, hlo, uhi, vhi, hhi, output):
    """Write the plane and the box of the region whose sides were written."""
    offsets, planes, boxes, filled = output[1], output[2], output[3], output[4]
    region = filled[0]
    if region < len(planes):
        planes[region, 0], planes[region, 1], planes[region, 2] = gu, gv, gc
        boxes[region, 0], boxes[region, 1], boxes[region, 2] = ulo, vlo, hlo
        boxes[region, 3], boxes[region, 4], boxes[region, 5] = uhi, vhi, hhi
        offsets[region + 1] = filled[1]
    filled[0] += 1


@kernel
def write_band(lines, line, two_sided, radius, output):
    """Write the band along a line, to its left, or on both sides."""
    u, v, h = lines[line, 0], lines[line, 1], lines[line, 2]
    x, y, k = lines[line, 3], lines[line, 4], lines[line, 5]
    length = np.sqrt((x - u) ** 2 + (y - v) ** 2)
    if length == 0.0:
        return
    du, dv = (x - u) / length, (y - v) / length
    # The far side first: what lies beyond it stays in one piece.
    write_side(dv, -du, u, v, radius, output)
    behind = radius if two_sided else tol.BEYOND_BOUNDARY
    write_side(-dv, du, u, v, behind, output)
    # No sector lies between ends at the same place, and walls come in pieces that do not quite
    # meet on narrow polygons. Ends with a sector lose half a micrometre by this, at 0.3 m.
    apart = 0.5 * tol.PASSES_END if two_sided else 0.0
    write_side(du, dv, u, v, apart, output)
    write_side(-du, -dv, x, y, apart, output)
    slope = (k - h) / length
    finish_region(
        slope * du, slope * dv, h - slope * (du * u + dv * v),
        min(u, x) - radius, min(v, y) - radius, min(h, k),
        max(u, x) + radius, max(v, y) + radius, max(h, k),
        output,
    )  # fmt: skip


@kernel
def write_sector(u, v, h, first, turn, radius, arc_error, faced, output):
    """Write a sector, from the angle `first` on, whose arc is replaced by tangents."""
    error = arc_error * _FINER if faced else arc_error
    step = 2.0 * np.arccos(radius / (radius + error))
    count = int(np.ceil(turn / step))
    if faced and count > 1 and count % 2 == 1:
        count += 1  # so that in the middle, towards the other side, there is no corner
    count = max(1, min(count, _MOST_TANGENTS))
    step = turn / count
    for k in range(count + 1):
        angle = first + k * step
        write_side(-np.cos(angle), -np.sin(angle), u, v, radius, output)
    last = first + turn
    write_side(-np.sin(first), np.cos(first), u, v, 0.0, output)
    write_side(np.sin(last), -np.cos(last), u, v, 0.0, output)
    reach = radius / np.cos(0.5 * step)
    finish_region(0.0, 0.0, h, u - reach, v - reach, h, u + reach, v + reach, h, output)


@kernel(kt.POLYGONS, kt.INT, kt.INT, REGIONS, kt.TREE, kt.FLOAT, kt.INT, kt.OUT_PIECES)
def clear_polygons(polygons, start, stop, regions, tree, window, keep, pieces):
    """Take regions away from the polygons start to stop.

    Parameters
    ----------
    polygons : POLYGONS
        None has more corners than MOST_CORNERS.
    regions, tree : REGIONS and TREE
        The tree is over the regions.
    window : float
        How far above and below a region ground is taken away. [Unit: m]
    keep : int
        See :func:`walkmesh.builder.kernels.fragments.subtract_regions`.
    pieces : OUT_PIECES, output
        The source of each is the polygon.

    Returns
    -------
    int
        The polygon at which the output was full; `stop` when done; TOO_MANY_CORNERS if a polygon
        or region has more than there is room for.
    """
    _, order, nodes = tree
    offsets, corners, planes = polygons
    side_offsets = regions[1]
    found = np.empty(len(order) + 1, np.int32)
    stack = np.empty(DEPTH_LIMIT, np.int32)
    room = 64
    local = fragments.region_room(room, MOST_SIDES)
    work = fragments.make_workspace()
    polygon = np.empty((fragments.MOST_CORNERS, 2), np.float64)
    box = np.empty(6, np.float64)
    for p in range(start, stop):
        for k in range(3):
            box[k], box[k + 3] = np.inf, -np.inf
        size = offsets[p + 1] - offsets[p]
        if size > fragments.MOST_CORNERS:
            return TOO_MANY_CORNERS
        for i in range(size):
            corner = offsets[p] + i
            polygon[i, 0], polygon[i, 1] = corners[corner, 0], corners[corner, 1]
            for k in range(3):
                x = corners[corner, k]
                box[k], box[k + 3] = min(box[k], x), max(box[k + 3], x)
        box[2] -= window
        box[5] += window
        count = gather_items(nodes, order, box, stack, found)
        if count > room:
            room = 2 * count
            local = fragments.region_room(room, MOST_SIDES)
        near = 0
        for place in range(count):
            region = found[place]
            # A region is cut by up to two more lines, where it leaves the window.
            if side_offsets[region + 1] - side_offsets[region] + 2 > MOST_SIDES:
                return TOO_MANY_CORNERS
            if _add_region(regions, region, planes, p, box, window, local, near):
                near += 1
        while True:
            status = fragments.append_fragments(
                polygon, size, local, near, tol.NO_OVERLAP, keep, work, planes[p], p, pieces
            )
            if status != fragments.WORKSPACE_FULL:
                break
            work = fragments.more_workspace(work)
        if status == fragments.OUTPUT_FULL:
            return p
    return stop


@borrowing
def _add_region(regions, region, planes, p, box, window, local, slot):
    """Copy a region, cut to where it is within the window of polygon p; False if it is nowhere."""
    sides, side_offsets, region_planes, region_boxes = regions
    lines, line_counts, boxes = local
    for k in range(3):
        if region_boxes[region, k] >= box[k + 3] or region_boxes[region, k + 3] <= box[k]:
            return False
    count = 0
    for side in range(side_offsets[region], side_offsets[region + 1]):
        for k in range(3):
            lines[slot, count, k] = sides[side, k]
        count += 1
    # The difference in height is linear: over what both boxes share it differs from the middle by
    # at most `spread`.
    gu, gv = region_planes[region, 0] - planes[p, 0], region_planes[region, 1] - planes[p, 1]
    gc = region_planes[region, 2] - planes[p, 2]
    ulo, uhi = max(region_boxes[region, 0], box[0]), min(region_boxes[region, 3], box[3])
    vlo, vhi = max(region_boxes[region, 1], box[1]), min(region_boxes[region, 4], box[4])
    middle = gu * 0.5 * (ulo + uhi) + gv * 0.5 * (vlo + vhi) + gc
    spread = abs(gu) * 0.5 * (uhi - ulo) + abs(gv) * 0.5 * (vhi - vlo)
    if abs(middle) - spread >= window:
        return False
    slope = np.sqrt(gu * gu + gv * gv)
    if middle + spread > window and slope > 0.0:
        lines[slot, count, 0], lines[slot, count, 1] = -gu / slope, -gv / slope
        lines[slot, count, 2] = (window - gc) / slope
        count += 1
    if middle - spread < -window and slope > 0.0:
        lines[slot, count, 0], lines[slot, count, 1] = gu / slope, gv / slope
        lines[slot, count, 2] = (window + gc) / slope
        count += 1
    line_counts[slot] = count
    boxes[slot, 0], boxes[slot, 1] = region_boxes[region, 0], region_boxes[region, 1]
    boxes[slot, 2], boxes[slot, 3] = region_boxes[region, 3], region_boxes[region, 4]
    return True
