"""Taking bands away from the polygons that they run over."""

import numpy as np

from walkmesh.build.kernels.clearance import TOO_MANY_CORNERS
from walkmesh.build.kernels.fragments import (
    MOST_CORNERS,
    OUTPUT_FULL,
    WORKSPACE_FULL,
    make_workspace,
    subtract_regions,
)
from walkmesh.build.surface.kernels.regions import MOST_SIDES, NARROW
from walkmesh.build.surface.kernels.tangent import along, write_frame
from walkmesh.kernels.kernel import (
    INT,
    INTS,
    LONGS,
    OUT_INTS,
    OUT_LONGS,
    OUT_POINTS,
    POINTS,
    kernel,
)


@kernel(
    INTS, POINTS, POINTS, INTS, INT, INT, LONGS, INTS, LONGS, POINTS,
    OUT_INTS, OUT_POINTS, OUT_INTS, OUT_LONGS,
)  # fmt: skip
def clear_sheet(
    offsets, corners, normals, chosen, start, stop, region_starts, regions, side_offsets, sides,
    out_offsets, out_corners, out_sources, filled,
):  # fmt: skip
    """Take regions away from polygons.

    Parameters
    ----------
    offsets, corners, normals : arrays
        Polygons of at most MOST_CORNERS corners, see :class:`walkmesh.build.surface.sheet.Sheet`.
    chosen : (k,) int32
        The polygons to be cut; those from start to stop are.
    region_starts : (k + 1,) int64
        Where the regions of each start in `regions`, (n,) int32.
    side_offsets, sides
        The regions, see :func:`walkmesh.build.surface.kernels.bands.lay_bands`.
    out_offsets, out_corners, out_sources, filled : arrays, output
        Pieces; the source is the polygon.

    Returns
    -------
    int
        Where it stopped because the output was full; `stop` when done; TOO_MANY_CORNERS if a
        polygon or region has more than there is room for.
    """
    most = 1
    for place in range(start, stop):
        most = max(most, region_starts[place + 1] - region_starts[place])
    lines = np.empty((most, MOST_SIDES, 3), np.float64)
    counts = np.empty(most, np.int32)
    boxes = np.empty((most, 4), np.float64)
    work = make_workspace(256, 4096)
    frame = np.empty((3, 3), np.float64)
    polygon = np.empty((MOST_CORNERS, 2), np.float64)
    flat = np.zeros(3, np.float64)
    pieces = (out_offsets, out_corners, out_sources, filled)
    for place in range(start, stop):
        p = chosen[place]
        write_frame(normals, p, frame)
        size = offsets[p + 1] - offsets[p]
        if size > MOST_CORNERS:
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
        before = filled[0], filled[1]
        while True:
            status = subtract_regions(
                polygon, size, lines, counts, boxes, count, NARROW, 0, work, flat, p, pieces
            )
            if status != WORKSPACE_FULL:
                break
            work = make_workspace(2 * len(work.counts), 4 * len(work.lists))
            filled[0], filled[1] = before
        if status == OUTPUT_FULL:
            filled[0], filled[1] = before
            return place
        for corner in range(before[1], filled[1]):
            u, v = out_corners[corner, 0], out_corners[corner, 1]
            for k in range(3):
                out_corners[corner, k] = u * frame[0, k] + v * frame[1, k] + level * frame[2, k]
    return stop
