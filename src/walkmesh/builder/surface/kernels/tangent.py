"""The tangent frame of a face: u and v span its plane, h is the height over it.

It follows from the normal alone, so faces of one plane have one frame, and what cuts them cuts
them along the same lines.
"""

import numpy as np

from walkmesh.kernels.kernel import kernel


@kernel
def write_frame(normals, f, frame):
    """Write the unit vectors u, v and h of a face's frame as the rows of `frame`, (3, 3)."""
    largest = 0
    for k in range(1, 3):
        if abs(normals[f, k]) > abs(normals[f, largest]):
            largest = k
    following = (largest + 1) % 3
    share = normals[f, following]
    square = 0.0
    for k in range(3):
        frame[0, k] = (1.0 if k == following else 0.0) - share * normals[f, k]
        square += frame[0, k] * frame[0, k]
        frame[2, k] = normals[f, k]
    length = np.sqrt(square)
    for k in range(3):
        frame[0, k] /= length
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        frame[1, k] = frame[2, i] * frame[0, j] - frame[2, j] * frame[0, i]


@kernel
def along(frame, axis, points, i):
    """Return a coordinate of a point in a frame."""
    return (
        frame[axis, 0] * points[i, 0]
        + frame[axis, 1] * points[i, 1]
        + frame[axis, 2] * points[i, 2]
    )


@kernel
def lift(frame, level, corners, first, stop):
    """Bring corners from the plane of a face, so far along its normal, back into space."""
    for corner in range(first, stop):
        u, v = corners[corner, 0], corners[corner, 1]
        for k in range(3):
            corners[corner, k] = u * frame[0, k] + v * frame[1, k] + level * frame[2, k]
