"""Islands: sets of polygons that can be reached from each other, and one-way links between them."""

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel


@kernel(kt.INTS, kt.INTS, kt.INTS, kt.INTS, kt.INTS, kt.OUT_FLOATS, kt.OUT_INTS, kt.OUT_BYTES)
def compare_islands(starts, goals, labels, exits, shores, reached, stack, result):
    """Tell whether there is a way from one polygon to another.

    Parameters
    ----------
    starts, goals : (n,) int32
        Polygons, -1 for none.
    labels, exits, shores
        See :class:`walkmesh.query.islands.Islands`.
    reached, stack : (i,) float64 and int32, scratch
        The first of them cleared.
    result : (n,) uint8, output
        1 if there is.
    """
    for i in range(len(starts)):
        result[i] = 0
        if starts[i] >= 0 and goals[i] >= 0:
            start, goal = labels[starts[i]], labels[goals[i]]
            result[i] = reach(exits, shores, reached, stack, i + 1.0, start, goal)


@borrowing
def reach(exits, shores, reached, stack, stamp, start, goal):
    """Mark the islands that can be reached from one, and tell whether another is among them.

    All that can be reached, or at least the goal, get a stamp in `reached` that was not used
    before. A goal of -1 is none; `exits` and `shores` are those of
    :class:`walkmesh.query.islands.Islands`.
    """
    stack[0] = start
    reached[start] = stamp
    waiting = 1
    while waiting > 0:
        waiting -= 1
        island = stack[waiting]
        if island == goal:
            return True
        for k in range(exits[island], exits[island + 1]):
            there = shores[k]
            if reached[there] != stamp:
                reached[there] = stamp
                stack[waiting] = there
                waiting += 1
    return False
