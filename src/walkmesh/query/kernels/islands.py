"""Islands: sets of polygons that can be reached from each other, and one-way links between them."""

from walkmesh.kernels.adjacency import find_root
from walkmesh.kernels.kernel import OUT_INTS, TRIPLES, borrowing, kernel
from walkmesh.query.kernels.mesh import ISLAND


@kernel(TRIPLES, OUT_INTS)
def join_islands(pairs, labels):
    """Join the islands between which links lead both ways.

    Parameters
    ----------
    pairs : (k, 2) int32
        Islands that are joined.
    labels : (n,) int32, output
        For each island, the first of those that it is joined with.
    """
    for i in range(len(labels)):
        labels[i] = i
    for k in range(len(pairs)):
        a, b = find_root(labels, pairs[k, 0]), find_root(labels, pairs[k, 1])
        if a < b:
            labels[b] = a
        else:
            labels[a] = b
    for i in range(len(labels)):
        labels[i] = find_root(labels, i)


@borrowing
def reach_islands(mesh, scratch, stamp, start, goal):
    """Mark the islands that can be reached from a polygon, and tell whether another is on one.

    Parameters
    ----------
    mesh : Mesh
    scratch : Scratch
        Its `reached` gets the stamp for all islands that can be reached, or at least for one that
        the goal is on.
    stamp : float
        A number that was not used before.
    start, goal : int
        Polygons; -1 for no goal.
    """
    marks, stack = scratch.reached, scratch.islands
    target = mesh.polygons[goal, ISLAND] if goal >= 0 else -1
    stack[0] = mesh.polygons[start, ISLAND]
    marks[stack[0]] = stamp
    waiting = 1
    while waiting > 0:
        waiting -= 1
        island = stack[waiting]
        if island == target:
            return True
        for k in range(mesh.exits[island], mesh.exits[island + 1]):
            there = mesh.shores[k]
            if marks[there] != stamp:
                marks[there] = stamp
                stack[waiting] = there
                waiting += 1
    return False
