"""Faces of the scene: what each of them can be to an agent."""

import numpy as np

from walkmesh.builder.kernels import tolerances as tol
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel

# What a face is. Walls are seen edge-on from above. Ground can be stood on. All the others are low
# faces: too steep, or facing down, but what they are part of may be low enough to step over.
WALL, LOW, GROUND = 0, 1, 2

# Which sides of triangles can be stood on: where they are counter-clockwise, clockwise, or both.
FRONT, BACK, BOTH = 1, -1, 0


@kernel(kt.POINTS, kt.TRIPLES, kt.FLOAT, kt.INT, kt.OUT_BYTES, kt.OUT_POINTS)
def classify_faces(points, triangles, lowest_cosine, sides, roles, planes):
    """Tell what each face is, and find its plane.

    Parameters
    ----------
    points : (n, 3) float64
        Positions in the plan frame. [Unit: m]
    triangles : (m, 3) int32
        Vertex ids.
    lowest_cosine : float
        Cosine of the steepest slope that can be stood on.
    sides : int
        FRONT, BACK or BOTH.
    roles : (m,) uint8, output
        WALL, LOW or GROUND.
    planes : (m, 3) float64, output
        h = planes[0] u + planes[1] v + planes[2]; zeros for walls.
    """
    for i in range(len(triangles)):
        p, q, r = triangles[i, 0], triangles[i, 1], triangles[i, 2]
        eu, ev = points[q, 0] - points[p, 0], points[q, 1] - points[p, 1]
        fu, fv = points[r, 0] - points[p, 0], points[r, 1] - points[p, 1]
        eh, fh = points[q, 2] - points[p, 2], points[r, 2] - points[p, 2]
        nu, nv, nh = ev * fh - eh * fv, eh * fu - eu * fh, eu * fv - ev * fu
        length = np.sqrt(nu * nu + nv * nv + nh * nh)
        longest = np.sqrt(
            max(eu * eu + ev * ev, fu * fu + fv * fv, (fu - eu) ** 2 + (fv - ev) ** 2)
        )
        steep = abs(nh) < lowest_cosine * length
        if abs(nh) <= tol.NO_FACE_AREA or (steep and abs(nh) < tol.WALL_WIDTH * longest):
            roles[i] = WALL
            planes[i, 0], planes[i, 1], planes[i, 2] = 0.0, 0.0, 0.0
            continue
        planes[i, 0], planes[i, 1] = -nu / nh, -nv / nh
        planes[i, 2] = points[p, 2] - planes[i, 0] * points[p, 0] - planes[i, 1] * points[p, 1]
        roles[i] = GROUND if nh * sides >= 0.0 and not steep else LOW
