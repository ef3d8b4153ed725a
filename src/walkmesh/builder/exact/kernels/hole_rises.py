"""Holes in the ground whose sides are more than a step apart in height."""

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.kernel import kernel


@kernel(kt.INTS, kt.POINTS, kt.POINTS, kt.BYTES, kt.FLOAT, kt.FLOAT, kt.OUT_BYTES)
def find_level_holes(offsets, starts, ends, chosen, widest, max_step, level):
    """Tell which holes have all that faces each other across them within a step.

    Parameters
    ----------
    offsets : (l + 1,) int32
        Where the edges of each hole start.
    starts, ends : (e, 3) float64
        Both ends of each edge in the plan frame. [Unit: m]
    chosen : (l,) uint8
        1 for the holes to look at.
    widest : float
        Places of the outline that are closer than this in plan face each other. [Unit: m]
    max_step : float
        The highest step. [Unit: m]
    level : (l,) uint8, output
        1 for chosen holes of this kind.
    """
    for hole in range(len(offsets) - 1):
        level[hole] = chosen[hole]
        for i in range(offsets[hole], offsets[hole + 1]):
            for half in range(2):
                if not level[hole]:
                    break
                # Its start, and its middle.
                u = starts[i, 0] + 0.5 * half * (ends[i, 0] - starts[i, 0])
                v = starts[i, 1] + 0.5 * half * (ends[i, 1] - starts[i, 1])
                h = starts[i, 2] + 0.5 * half * (ends[i, 2] - starts[i, 2])
                for j in range(offsets[hole], offsets[hole + 1]):
                    if _rises(starts, ends, j, u, v, h, widest, max_step):
                        level[hole] = 0
                        break


@kernel
def _rises(starts, ends, edge, u, v, h, widest, max_step):
    """Tell whether an edge, where it is nearest to (u, v), is close to it and not within a step."""
    square, part = to_segment(u, v, starts[edge, 0], starts[edge, 1], ends[edge, 0], ends[edge, 1])
    there = starts[edge, 2] + part * (ends[edge, 2] - starts[edge, 2])
    return square <= widest * widest and abs(there - h) > max_step
