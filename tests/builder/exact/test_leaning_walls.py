"""Tall things whose sides are all but upright are walls: nobody walks through them."""

import math

import pytest

import walkmesh as wm
from tests.makers.plinths import floor, frustum, is_climbed, scene_of
from walkmesh.builder.faces import filter_slope
from walkmesh.builder.kernels.faces import WALL

ROBOT = wm.Agent(height=0.1, radius=0.17, max_step=0.02)


@pytest.mark.parametrize("agent", [wm.Agent(), ROBOT, wm.Agent(height=2.5, radius=0.0)])
@pytest.mark.parametrize("height", [3.0, 10.0, 100.0])
@pytest.mark.parametrize("lean", [0.0005, 0.0012, 0.002, 0.005, 0.01, 0.03, 0.1])
def test_a_tower_is_not_entered(agent, height, lean):
    scene = scene_of(floor(), frustum(2.5, height, lean, turn=0.3))
    navmesh = wm.build(scene, agent)
    assert navmesh.find_path((-3.0, 0.0, -3.0), (0.0, 0.0, 0.0)).status != "complete"
    assert not is_climbed(navmesh, height)
    assert navmesh.validate() == []


@pytest.mark.parametrize("agent", [wm.Agent(), ROBOT])
@pytest.mark.parametrize("sides", [4, 12])
@pytest.mark.parametrize(
    ("radius", "height", "lean"),
    [(0.02, 3.0, 0.0016), (0.1, 6.0, 0.002), (0.2, 10.0, 0.005), (0.3, 3.0, 0.024)],
)
def test_a_tapered_pole_is_kept_clear_of(agent, sides, radius, height, lean):
    scene = scene_of(floor(), frustum(radius, height, lean, sides=sides))
    navmesh = wm.build(scene, agent)
    result = wm.evaluate(scene, navmesh, samples=1000, pairs=0)
    assert result.precision.value >= 0.998
    assert result.recall.value >= 0.998
    # The pole stands in the way of what would be straight.
    path = navmesh.find_path((-3.0, 0.0, 0.0), (3.0, 0.0, 0.0))
    assert path.length > 6.0 + 0.5 * agent.radius**2 / 3.0


@pytest.mark.parametrize("radius", [0.0, 0.3])
@pytest.mark.parametrize("step", [0.1, 0.08])
@pytest.mark.parametrize("lean", [0.0024, 0.012, 0.04])
def test_a_pole_stops_agents_that_step_as_high_as_they_are_tall(lean, step, radius):
    scene = scene_of(floor(), frustum(0.06, 0.45, lean, sides=6, base=0.1))
    navmesh = wm.build(scene, wm.Agent(height=0.1, max_step=step, radius=radius))
    result = wm.evaluate(scene, navmesh, samples=1000, pairs=0)
    assert result.precision.value >= 0.998
    assert result.recall.value >= 0.995


def test_a_facade_becomes_parts_that_are_walls():
    vertices, faces = frustum(8.0, 30.0, 0.004)
    scene = scene_of(floor(), (vertices, faces))
    faces = filter_slope(scene, wm.Agent())
    walls = faces.points[faces.triangles[faces.roles == WALL]]
    sides, slant = 8.0 * math.sqrt(2.0) - 0.004, math.hypot(30.0, 0.004)
    edges = walls[:, 1:] - walls[:, :1]
    # All of the facade is there, by its area as seen from its side.
    u, v, h = (edges[:, 0, k] for k in range(3))
    x, y, z = (edges[:, 1, k] for k in range(3))
    twice = ((v * z - h * y) ** 2 + (h * x - u * z) ** 2 + (u * y - v * x) ** 2) ** 0.5
    assert twice.sum() / 2.0 == pytest.approx(4.0 * sides * slant, rel=1e-6)
    assert len(walls) < 100
