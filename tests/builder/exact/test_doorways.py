"""Doorways whose floors, walls and thresholds miss each other by millimetres, as in CAD."""

import itertools

import numpy as np
import pytest

import walkmesh as wm
from tests.makers.planks import box, scene_of

MISSES = (-0.01, -0.002, 0.0, 0.002, 0.01)


def two_rooms(floor, wall, slit, angle):
    """Return two rooms beside a wall 0.2 m thick, with a doorway 1.1 m wide and its threshold.

    The floors end so far beyond x = 4 and 4.2, and the wall begins so far behind; there is a slit
    around the threshold.
    """
    parts = [
        box((0.0, 0.0, -0.2), (4.0 + floor, 4.0, 0.0)),
        box((4.2 - floor, 0.0, -0.2), (8.2, 4.0, 0.0)),
        box((4.0 + wall, -0.2, -0.2), (4.2 - wall, 1.45, 2.7)),
        box((4.0 + wall, 2.55, -0.2), (4.2 - wall, 4.2, 2.7)),
        box((4.0 + slit, 1.45 + slit, -0.2), (4.2 - slit, 2.55 - slit, 0.0)),
    ]
    triangles = np.concatenate(parts)
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    return scene_of(triangles @ turn.T), turn


@pytest.mark.parametrize("radius", [0.0, 0.05, 0.3])
@pytest.mark.parametrize("slit", [0.001, 0.003, 0.01])
def test_no_miss_shuts_a_doorway(slit, radius):
    for floor, wall in itertools.product(MISSES, MISSES):
        for angle in (0.0, 17.0):
            scene, turn = two_rooms(floor, wall, slit, angle)
            navmesh = wm.build(scene, wm.Agent(radius=radius))
            ends = np.array([(2.0, 2.0, 0.0), (6.0, 2.0, 0.0)]) @ turn.T
            assert navmesh.reachable(ends[:1], ends[1:])[0], (floor, wall, angle)
            assert navmesh.validate() == []
