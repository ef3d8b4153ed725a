"""The sides that polygons share, each as its neighbour has it."""

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.adjacency import next_corner


@kernel(kt.INTS, kt.INTS, kt.INTS, kt.OUT_INTS)
def find_mates(offsets, corners, neighbors, mates):
    """Find each side as its neighbour has it.

    Parameters
    ----------
    offsets, corners : (p + 1,) and (c,) int32
        Ragged polygons.
    neighbors : (c,) int32
        The polygon across each side, -1 for none.
    mates : (c,) int32, output
        The side of the neighbour that runs through the same vertices the other way; -1 where there
        is none.
    """
    for polygon in range(len(offsets) - 1):
        for i in range(offsets[polygon], offsets[polygon + 1]):
            mates[i] = -1
            other = neighbors[i]
            if other < 0 or other == polygon:
                continue
            end = corners[next_corner(offsets, polygon, i)]
            for j in range(offsets[other], offsets[other + 1]):
                back = corners[next_corner(offsets, other, j)]
                if corners[j] == end and back == corners[i] and neighbors[j] == polygon:
                    mates[i] = j
                    break
