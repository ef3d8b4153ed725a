"""Taking bands away from the polygons that they run over."""

import numpy as np

from walkmesh.builder.kernels import fragments
from walkmesh.builder.kernels.clearance import TOO_MANY_CORNERS
from walkmesh.builder.surface.kernels import tolerances as tol
from walkmesh.builder.surface.kernels.regions import MOST_SIDES
from walkmesh.builder.surface.kernels.tangent import along, lift, write_frame
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel


@kernel(kt.POLYGONS, kt.INTS, kt.INT, kt.INT, kt.LONGS, kt.INTS, kt.LONGS, kt.POINTS, kt.OUT_PIECES)
def clear_sheet(polygons, chosen, start, stop, region_starts, regions, side_offsets, sides, pieces):
    """Take regions away from polygons.

    Parameters
    ----------
    polygons : POLYGONS
        Polygons of at most MOST_CORNERS corners, with their normals.
    chosen : (k,) int32
        The polygons to be cut; those from start to stop are.
    region_starts : (k + 1,) int64
        Where the regions of each start in `regions`, (n,) int32.
    side_offsets, sides
        The regions, see :func:`walkmesh.builder.surface.kernels.bands.lay_bands`.
    pieces : OUT_PIECES
        What is left; the source is the polygon.

    Returns
    -------
    int
        Where it stopped because the output was full; `stop` when done; TOO_MANY_CORNERS if a
        polygon or region has more than there is room for.
    """
    offsets, corners, normals = polygons
    filled = pieces[3]
    most = 1
    for place in range(start, stop):
        most = max(most, region_starts[place + 1] - region_starts[place])
    blocked = fragments.region_room(most, MOST_SIDES)
    lines, counts, boxes = blocked
    work = fragments.make_workspace()
    frame = np.empty((3, 3), np.float64)
    polygon = np.empty((fragments.MOST_CORNERS, 2), np.float64)
    flat = np.zeros(3, np.float64)
    for place in range(start, stop):
        p = chosen[place]
        write_frame(normals, p, frame)
        size = offsets[p + 1] - offsets[p]
        if size > fragments.MOST_CORNERS:
            return TOO_MANY_CORNERS
        level = 0.0
        for i in range(size):
            for k in range(2):
                polygon[i, k] = along(frame, k, corners, offsets[p] + i)
            level += along(frame, 2, corners, offsets[p] + i) / size
        count = 0
        for row in range(region_starts[place], region_starts[place + 1]):
            region = regions[row]
            counts[count] = side_offsets[region + 1] - side_offsets[region]
            if counts[count] > MOST_SIDES:
                return TOO_MANY_CORNERS
            for side in range(counts[count]):
                for k in range(3):
                    lines[count, side, k] = sides[side_offsets[region] + side, k]
            for k in range(2):
                boxes[count, k], boxes[count, k + 2] = -np.inf, np.inf
            count += 1
        first = filled[1]
        while True:
            status = fragments.append_fragments(
                polygon, size, blocked, count, tol.NARROW_OVERLAP, 0, work, flat, p, pieces
            )
            if status != fragments.WORKSPACE_FULL:
                break
            work = fragments.more_workspace(work)
        if status == fragments.OUTPUT_FULL:
            return place
        lift(frame, level, pieces[1], first, filled[1])
    return stop
