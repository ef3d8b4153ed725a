"""Steps: what a search did to come where it is, and the codes that it ends with."""

from walkmesh.kernels.kernel import borrowing
from walkmesh.query.ground.kernels import columns as col

# A step is a side that is crossed; `FROM_START` - 1 - j for jump j; or the start itself.
FROM_START = -1

# What a search ends with when it finds nothing: there is no way, or its scratch is too small.
NO_WAY, NO_ROOM = -1, -2


@borrowing
def polygon_after(mesh, step):
    """Return the polygon that a side or jump leads to."""
    if step >= 0:
        return mesh.sides[step, col.NEIGHBOR]
    return mesh.targets[FROM_START - 1 - step, col.POLYGON]


@borrowing
def reverse(values, count):
    """Reverse the first values of an array."""
    for i in range(count // 2):
        values[i], values[count - 1 - i] = values[count - 1 - i], values[i]
