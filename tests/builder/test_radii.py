"""What a larger agent can pass, a smaller one can."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers.scenes import SCENES, needs_scenes
from walkmesh.builder.exact.soundness import make_sound
from walkmesh.builder.mesh import TriangleMesh
from walkmesh.builder.smallest_part import SmallestPart
from walkmesh.frame import Frame
from walkmesh.triangles import match_triangles

RADII = (0.0, 0.02, 0.1, 0.3)
METHODS = {"exact": wm.Exact(), "voxel": wm.Voxel(cell_size=0.1)}


def plate(x: float, z: float, width: float, depth: float, height: float = 0.0) -> np.ndarray:
    """(2, 3, 3) float64: a plate that faces up, from (x, z) on."""
    a, b = (x, height, z), (x, height, z + depth)
    c, d = (x + width, height, z + depth), (x + width, height, z)
    return np.array([(a, b, c), (a, c, d)])


def wall(x: float, z: float, width: float, depth: float) -> np.ndarray:
    """(10, 3, 3) float64: a wall 2.5 m high, without a bottom."""
    low = np.array([(x, z), (x + width, z), (x + width, z + depth), (x, z + depth)])
    parts = [plate(x, z, width, depth, 2.5)]
    for (u, v), (p, q) in zip(low, np.roll(low, -1, axis=0), strict=True):
        a, b, c, d = (u, 0.0, v), (p, 0.0, q), (p, 2.5, q), (u, 2.5, v)
        parts.append(np.array([(a, c, b), (a, d, c)]))
    return np.concatenate(parts)


@st.composite
def rooms(draw: st.DrawFn) -> wm.Scene:
    """Two rooms joined by a doorway, whose floors and threshold leave slits or lie over each other.

    The doorway goes through a wall between x = 4 and 4.2.
    """
    offset = st.sampled_from([0.0, 0.0, 1e-7, 1e-4, 1e-3, 0.01, 0.02, -1e-7, -1e-4, -1e-3, -0.05])
    step = st.sampled_from([0.0, 0.0, 1e-6, 1e-3, 0.02])
    left, right = draw(offset), draw(offset)
    door = draw(st.floats(1.5, 1.7)), draw(st.floats(2.3, 2.5))
    parts = [
        plate(0.0, 0.0, 4.0 - left, 4.0),
        plate(4.2 + right, 0.0, 4.0, 4.0, draw(step)),
        plate(4.0, door[0], 0.2, door[1] - door[0], draw(step)),
        wall(4.0, 0.0, 0.2, door[0]),
        wall(4.0, door[1], 0.2, 4.0 - door[1]),
    ]
    corners = np.concatenate(parts).reshape(-1, 3)
    angle = draw(st.sampled_from([0.0, 0.3, 1.0]))
    cos, sin = np.cos(angle), np.sin(angle)
    corners = corners @ np.array([[cos, 0.0, -sin], [0.0, 1.0, 0.0], [sin, 0.0, cos]])
    return wm.Scene(corners, np.arange(len(corners)).reshape(-1, 3))


def check_radii(scene: wm.Scene, method: wm.Exact | wm.Voxel, agent: wm.Agent) -> None:
    """Check that what is connected for each radius is so for all smaller ones."""
    places: np.ndarray = np.empty((0, 3))
    labels: np.ndarray = np.empty(0, dtype=int)
    area = 0.0
    for radius in sorted(RADII, reverse=True):
        smaller = wm.Agent(radius=radius, height=agent.height, max_step=agent.max_step)
        navmesh = wm.build(scene, smaller, method)
        assert navmesh.validate() == []
        assert navmesh.area >= area
        found = navmesh.nearest(places, max_snap=0.2)
        assert (found.polygons >= 0).all()
        now = navmesh.components[found.polygons]
        for label in np.unique(labels):
            assert len(np.unique(now[labels == label])) == 1
        sample = navmesh.sample(100)
        places, labels = sample.points, navmesh.components[sample.polygons]
        area = navmesh.area


@settings(max_examples=8)
@given(scene=rooms())
def test_what_a_larger_agent_passes_a_smaller_one_does(scene: wm.Scene) -> None:
    check_radii(scene, METHODS["exact"], wm.Agent())


@settings(max_examples=4)
@given(scene=rooms())
def test_what_a_larger_agent_passes_a_smaller_one_does_on_voxels(scene: wm.Scene) -> None:
    check_radii(scene, METHODS["voxel"], wm.Agent())


@pytest.mark.parametrize("method", ["exact", "voxel"])
@pytest.mark.parametrize("name", ["house", "rubble"])
def test_samples_at_every_radius(name: str, method: str) -> None:
    check_radii(getattr(wm.samples, name)(), METHODS[method], wm.Agent())


@needs_scenes
@pytest.mark.parametrize(
    ("name", "up"),
    [("ifc/Ifc2x3_Duplex_Architecture_nodoors.obj", "z"), ("aws-robomaker/small_house.glb", "y")],
)
def test_real_scenes_at_every_radius(name: str, up: str) -> None:
    check_radii(wm.load_scene(SCENES / name, up=up), METHODS["exact"], wm.Agent())


@needs_scenes
@pytest.mark.parametrize(
    ("name", "scale"), [("librequake/lq_e1m1.obj", 1.0), ("game-maps-obj/zdm2.obj", 0.1)]
)
def test_low_agents_under_much_detail(name: str, scale: float) -> None:
    scene = wm.load_scene(SCENES / name, up="y", scale=scale)
    larger = wm.build(scene, wm.Agent())
    navmesh = wm.build(scene, wm.Agent(height=0.5))
    assert navmesh.validate() == []
    assert navmesh.area > larger.area


def across(points: list[tuple[float, float]], triangles: list[tuple[int, int, int]]) -> list[int]:
    """Make a mesh sound; return how many boundary edges and triangles it has."""
    places = np.column_stack([np.array(points), np.zeros(len(points))])
    mesh = TriangleMesh(places, np.array(triangles, dtype=np.int32), Frame((0.0, 1.0, 0.0)))
    sound, counts = make_sound(mesh, wm.Agent(), SmallestPart())
    assert counts["triangles_without_area"] == counts["triangles_over_others"] == 0
    mates = match_triangles(sound.triangles)
    return [int(np.count_nonzero(mates < 0)), len(sound.triangles)]


def test_a_sliver_on_an_edge_does_not_part_the_ground() -> None:
    """The vertex in the middle is a tenth of a millimetre on the wrong side of the long edge."""
    for off in (0.0, 1e-4):
        points = [(0.0, 0.0), (4.0, 0.0), (2.0, -off), (2.0, 2.0), (0.0, -2.0), (4.0, -2.0)]
        boundary, count = across(points, [(0, 2, 1), (0, 1, 3), (0, 4, 2), (2, 5, 1), (4, 5, 2)])
        assert boundary == 5
        assert count == 5


def test_a_needle_turned_over_does_not_part_the_ground() -> None:
    """Both vertices of its short side have come to lie the wrong way round."""
    points = [(0.0, 1e-4), (0.0, -1e-4), (5.0, 0.0), (0.0, 2.0), (0.0, -2.0), (-3.0, 0.0)]
    # Vertex 0 belongs to the ground below, vertex 1 to that above, and they are swapped.
    triangles = [(1, 2, 3), (4, 2, 0), (0, 2, 1), (5, 4, 0), (3, 5, 1), (5, 0, 1)]
    boundary, count = across(points, triangles)
    assert boundary == 4
    assert count == 4
