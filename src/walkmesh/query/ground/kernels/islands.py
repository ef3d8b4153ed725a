"""The islands that a search for paths can reach."""

from walkmesh.kernels.kernel import borrowing
from walkmesh.query.ground.kernels import columns as col
from walkmesh.query.kernels.islands import reach


@borrowing
def reach_islands(mesh, scratch, stamp, start, goal):
    """Mark the islands that can be reached from a polygon, and tell whether another is on one.

    As :func:`walkmesh.query.kernels.islands.reach`, with polygons, in the scratch of a search.
    """
    target = mesh.polygons[goal, col.ISLAND] if goal >= 0 else -1
    first = mesh.polygons[start, col.ISLAND]
    return reach(mesh.exits, mesh.shores, scratch.reached, scratch.islands, stamp, first, target)
