"""Evaluations with few samples, which also run without compiled kernels."""

import numpy as np
import pytest

import walkmesh as wm
from walkmesh.evaluation.triangles import as_navmesh

pytestmark = pytest.mark.plain_python

# Plans of two rooms, and a doorway between them or not; walls without thickness across x = 3.
FLOOR = [(0, 0, 0), (6, 0, 0), (6, 0, 3), (0, 0, 3)]


def two_rooms(*walls):
    """Return a floor with walls 2 m high, each between two z."""
    vertices = [*FLOOR]
    faces = [(0, 2, 1), (0, 3, 2)]
    for start, end in walls:
        first = len(vertices)
        vertices += [(3, 0, start), (3, 0, end), (3, 2, end), (3, 2, start)]
        faces += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    return wm.Scene(np.array(vertices, dtype=float), faces)


def rectangles(*given):
    """Return a navmesh of rectangles (x, z, x_end, z_end)."""
    corners = np.array(
        [[(x, 0, z), (x, 0, w), (u, 0, w), (u, 0, z)] for x, z, u, w in given], float
    )
    quads = np.arange(4 * len(given)).reshape(-1, 4)
    faces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return as_navmesh(wm.Scene(corners.reshape(-1, 3), faces), wm.Agent())


HALVES = (0.3, 0.3, 2.7, 2.7), (3.3, 0.3, 5.7, 2.7)
DOOR = (2.7, 1.3, 3.3, 1.7)


@pytest.mark.parametrize(
    ("walls", "navmesh", "kept", "right"),
    [
        pytest.param([(0, 1), (2, 3)], rectangles(*HALVES, DOOR), True, True, id="open door"),
        pytest.param([(0, 1), (2, 3)], rectangles(*HALVES), False, True, id="lost door"),
        pytest.param([(0, 3)], rectangles(*HALVES), True, True, id="wall"),
        pytest.param([(0, 3)], rectangles(*HALVES, DOOR), True, False, id="through a wall"),
    ],
)
def test_two_rooms(walls, navmesh, kept, right):
    result = wm.evaluate(two_rooms(*walls), navmesh, samples=60)
    assert result.connections_kept.samples > 0
    assert (result.connections_kept.value == 1.0) == kept
    assert (result.connections_right.value == 1.0) == right
    assert result.recall.value > 0.9
    assert (result.precision.value > 0.99) == right
