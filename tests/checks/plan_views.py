"""Navmeshes seen from above."""

import math

import numpy as np

from walkmesh.topology import plan_points


def plan(navmesh, angle=0.0):
    """Return the vertices as (u, v, h), turned back by `angle` degrees about up."""
    u, v, h = plan_points(navmesh).T
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return np.column_stack([cosine * u + sine * v, cosine * v - sine * u, h])


def plan_area(navmesh, chosen=slice(None)):
    """Return the area of the navmesh, or of chosen triangles of it, seen from above."""
    a, b, c = (plan_points(navmesh)[navmesh.triangles[chosen, k], :2] for k in range(3))
    ab, ac = b - a, c - a
    return float((ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]).sum() / 2.0)
