"""Walls that cross slits, steps and narrow faces of the ground: nobody passes, everybody beside."""

from __future__ import annotations

import numpy as np
import pytest

import walkmesh as wm

EXACT = wm.Exact(min_patch_area=0.0)


def quad(*corners: tuple[float, float, float]) -> list[np.ndarray]:
    """Two triangles."""
    a, b, c, d = map(np.array, corners)
    return [np.array([a, b, c]), np.array([a, c, d])]


def two_floors(
    gap: float, rise: float, *, riser: bool, wall_at: float, turn: float = 0.3
) -> wm.Scene:
    """Two floors of 5 x 10 m, with a gap of any kind between them, and a wall across both."""
    edge = 5.0 + gap
    parts = quad((0, 0, 0), (5, 0, 0), (5, 10, 0), (0, 10, 0))
    if riser:
        parts += quad((5, 0, 0), (edge, 0, rise), (edge, 10, rise), (5, 10, 0))
    parts += quad((edge, 0, rise), (10, 0, rise), (10, 10, rise), (edge, 10, rise))
    parts += quad((0, wall_at, -1), (10, wall_at, -1), (10, wall_at, 3), (0, wall_at, 3))
    cos, sin = np.cos(turn), np.sin(turn)
    corners = np.array(parts) @ np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]])
    return wm.Scene(corners.reshape(-1, 3), np.arange(3 * len(parts)).reshape(-1, 3), up="z")


@pytest.mark.parametrize("radius", [0.0, 0.3])
@pytest.mark.parametrize("wall_at", [5.0, 2.5, 4.3])
@pytest.mark.parametrize("rise", [0.0, 0.2])
@pytest.mark.parametrize("gap", [3e-4, 1e-3, 0.025])
def test_a_wall_in_the_middle_of_a_slit_does_not_keep_it_open(
    gap: float, rise: float, wall_at: float, radius: float
) -> None:
    navmesh = wm.build(
        two_floors(gap, rise, riser=False, wall_at=wall_at), wm.Agent(radius=radius), EXACT
    )
    assert navmesh.validate() == []
    assert navmesh.component_count == 2


@pytest.mark.parametrize("radius", [0.0, 0.1, 0.3, 1.0])
@pytest.mark.parametrize("lean", [2e-4, 3e-4, 5e-4, 8e-4, 1e-3, 1.1e-3, 2e-3])
@pytest.mark.parametrize("rise", [0.05, 0.2])
def test_a_wall_does_not_end_at_a_face_a_millimetre_wide(
    rise: float, lean: float, radius: float
) -> None:
    navmesh = wm.build(
        two_floors(lean, rise, riser=True, wall_at=5.0), wm.Agent(radius=radius), EXACT
    )
    assert navmesh.validate() == []
    assert navmesh.component_count == 2
