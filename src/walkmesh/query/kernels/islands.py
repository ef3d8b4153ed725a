"""Islands: sets of polygons that can be reached from each other, and one-way links between them."""

from walkmesh.kernels.kernel import (
    INTS,
    OUT_BYTES,
    OUT_FLOATS,
    OUT_INTS,
    TRIPLES,
    borrowing,
    kernel,
)
from walkmesh.query.kernels.mesh import ISLAND


@kernel(INTS, INTS, TRIPLES, INTS, INTS, OUT_FLOATS, OUT_INTS, OUT_BYTES)
def compare_islands(starts, goals, polygons, exits, shores, reached, stack, result):
    """Tell whether there is a way from one polygon to another.

    Parameters
    ----------
    starts, goals : (n,) int32
        Polygons, -1 for none.
    polygons, exits, shores
        See :mod:`walkmesh.query.kernels.mesh`.
    reached, stack : (i,) float64 and int32, scratch
        The first of them cleared.
    result : (n,) uint8, output
        1 if there is.
    """
    for i in range(len(starts)):
        result[i] = 0
        if starts[i] >= 0 and goals[i] >= 0:
            result[i] = _reach(
                polygons, exits, shores, reached, stack, i + 1.0, starts[i], goals[i]
            )


@borrowing
def reach_islands(mesh, scratch, stamp, start, goal):
    """Mark the islands that can be reached from a polygon, and tell whether another is on one.

    Parameters
    ----------
    mesh, scratch
        Its `reached` gets the stamp for all islands that can be reached, or at least for the one
        that the goal is on.
    stamp : float
        A number that was not used before.
    start, goal : int
        Polygons; -1 for no goal.
    """
    return _reach(
        mesh.polygons, mesh.exits, mesh.shores, scratch.reached, scratch.islands, stamp, start, goal
    )


@borrowing
def _reach(polygons, exits, shores, reached, stack, stamp, start, goal):
    """Do the work of :func:`reach_islands`; `reached` and `stack` are its scratch."""
    target = polygons[goal, ISLAND] if goal >= 0 else -1
    stack[0] = polygons[start, ISLAND]
    reached[stack[0]] = stamp
    waiting = 1
    while waiting > 0:
        waiting -= 1
        island = stack[waiting]
        if island == target:
            return True
        for k in range(exits[island], exits[island + 1]):
            there = shores[k]
            if reached[there] != stamp:
                reached[there] = stamp
                stack[waiting] = there
                waiting += 1
    return False
