"""Agents whose steps are high for their height, or who take none at all."""

from __future__ import annotations

import numpy as np
import pytest

import walkmesh as wm
from walkmesh.evaluation.truth import Truth

EXACT = wm.Exact(min_patch_area=0.0)


def level(west: float, east: float, height: float) -> list[np.ndarray]:
    """Two triangles of level ground, 6 m long."""
    a, b = (west, 0.0, height), (east, 0.0, height)
    c, d = (east, 6.0, height), (west, 6.0, height)
    return [np.array([a, b, c]), np.array([a, c, d])]


def upright(east: float, low: float, high: float) -> list[np.ndarray]:
    """Two triangles of a wall, 6 m long."""
    a, b = (east, 0.0, low), (east, 6.0, low)
    c, d = (east, 6.0, high), (east, 0.0, high)
    return [np.array([a, b, c]), np.array([a, c, d])]


def scene_of(parts: list[np.ndarray]) -> wm.Scene:
    corners = np.array(parts)
    return wm.Scene(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3), up="z")


@pytest.mark.parametrize(
    "agent",
    [
        wm.Agent(height=1.8, radius=0.3, max_step=1.0),
        wm.Agent(height=0.3, radius=0.2, max_step=0.25),
        wm.Agent(height=0.3, radius=0.08, max_step=0.3),
    ],
)
def test_the_ledge_at_the_top_of_a_high_step_is_kept_away_from(agent: wm.Agent) -> None:
    rise = 0.95 * agent.max_step
    edge = 4.0 + 0.2 * agent.radius
    scene = scene_of([*level(0.0, 4.0, 0.0), *upright(4.0, 0.0, rise), *level(4.0, edge, rise)])
    navmesh = wm.build(scene, agent, EXACT)
    assert navmesh.validate() == []
    assert navmesh.vertices[:, 0].max() == pytest.approx(edge - agent.radius, abs=2e-3)
    evaluation = wm.evaluate(scene, navmesh, samples=2000, band=0.005, pairs=0)
    assert evaluation.precision.value == evaluation.recall.value == 1.0


def test_a_wall_over_the_edge_of_a_step_is_in_the_way_of_a_low_agent() -> None:
    """The agent is no higher than the step, so on both sides of it nothing is in the way twice."""
    floors = [*level(0.0, 4.0, 0.3), *upright(4.0, 0.0, 0.3), *level(4.0, 8.0, 0.0)]
    scene = scene_of([*floors, *upright(4.0, 0.3, 3.0)])
    truth = Truth(scene, wm.Agent(height=0.3, radius=0.1, max_step=0.3))
    points = [(3.95, 3.0, 0.3), (3.85, 3.0, 0.3), (4.05, 3.0, 0.0), (4.15, 3.0, 0.0)]
    assert truth.free(points).tolist() == [False, True, False, True]


@pytest.mark.parametrize("apart", [5e-6, 5e-5])
def test_ground_that_rounding_parts_in_height_is_one_for_agents_without_a_step(
    apart: float,
) -> None:
    scene = scene_of([*level(0.0, 4.0, 0.0), *level(4.0, 8.0, apart)])
    navmesh = wm.build(scene, wm.Agent(max_step=0.0), EXACT)
    assert navmesh.validate() == []
    assert navmesh.component_count == 1


def waves(rise) -> wm.Scene:
    """Return a sheet of 4 by 4 m as high as a function of places (u, v), in triangles of 0.1 m."""
    line = np.linspace(0.0, 4.0, 41)
    u, v = (axis.ravel() for axis in np.meshgrid(line, line, indexing="ij"))
    first = (np.arange(40)[:, None] * 41 + np.arange(40)).ravel()
    a, b, c, d = first, first + 41, first + 42, first + 1
    faces = np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    return wm.Scene(np.column_stack([u, v, rise(u, v)]), faces, up="z")


@pytest.mark.parametrize("step", [0.0, 0.001])
def test_smooth_ground_is_one_for_agents_without_a_step(step: float) -> None:
    # Pieces of ground that are merged may be a millimetre off it, each in its own way.
    scene = waves(lambda u, v: 0.1 * np.sin(2.0 * u) * np.sin(2.0 * v))
    navmesh = wm.build(scene, wm.Agent(max_step=step))
    assert navmesh.validate() == []
    assert navmesh.component_count == 1
    assert wm.evaluate(scene, navmesh, samples=1000, pairs=0).recall.value == 1.0
