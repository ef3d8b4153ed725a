"""Finding the boundary edges that the ends of step links lie on."""

from walkmesh.builder.voxel.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel


@kernel(kt.POINTS, kt.INTS, kt.POINTS, kt.INT, kt.FLOAT, kt.OUT_INTS)
def find_edges(edges, owners, places, axis, height, polygons):
    """Find the polygon whose boundary edge each place lies on.

    Parameters
    ----------
    edges : (e, 5) float64
        Edges along one axis: where they lie across it, from and to along it, and their lowest and
        highest end; sorted by the first two. [Unit: m]
    owners : (e,) int32
        The polygon of each.
    places : (n, 3) float64
        Places as (u, v, h). [Unit: m]
    axis : int
        Which axis that is.
    height : float
        How far above or below an edge a place may be. [Unit: m]
    polygons : (n,) int32, in and out
        The polygon of each place; those that are known already stay.
    """
    for i in range(len(places)):
        if polygons[i] >= 0:
            continue
        across, along, h = places[i, 1 - axis], places[i, axis], places[i, 2]
        # The last edge that begins before the place, on its line.
        low, high = 0, len(edges)
        while low < high:
            middle = (low + high) // 2
            before = edges[middle, 0] < across - tol.SAME_LATTICE_PLACE or (
                edges[middle, 0] <= across + tol.SAME_LATTICE_PLACE
                and edges[middle, 1] <= along + tol.SAME_LATTICE_PLACE
            )
            if before:
                low = middle + 1
            else:
                high = middle
        e = low - 1
        while e >= 0 and edges[e, 0] >= across - tol.SAME_LATTICE_PLACE:
            if (
                edges[e, 2] >= along - tol.SAME_LATTICE_PLACE
                and edges[e, 3] - height <= h <= edges[e, 4] + height
            ):
                polygons[i] = owners[e]
                break
            e -= 1
