"""Triangles that are wound the other way: `sides`, and what is said about them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers.scenes import SCENES, needs_scenes

METHODS = (wm.Exact, wm.Voxel)


def turned_over(scene, share=1.0, seed=0):
    """Return a scene with a share of its triangles wound the other way."""
    chosen = np.random.default_rng(seed).random(len(scene.faces)) < share
    faces = scene.faces.copy()
    faces[chosen] = faces[chosen][:, ::-1]
    return wm.Scene(scene.vertices, faces, up=scene.up)


def recall(scene, navmesh):
    return wm.evaluate(scene, navmesh, samples=2000, pairs=0).recall.value


@pytest.mark.parametrize("method", METHODS)
def test_the_back_of_a_scene_is_the_front_of_one_turned_over(method):
    scene = wm.samples.house()
    front = wm.build(scene, method=method())
    back = wm.build(turned_over(scene), method=method(sides="back"))
    assert back.area == pytest.approx(front.area, rel=1e-3)
    assert back.component_count == front.component_count


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["house", "rubble", "terrain"])
def test_with_both_sides_it_does_not_matter_how_triangles_are_wound(method, name):
    scene = {
        "house": wm.samples.house,
        "rubble": wm.samples.rubble,
        "terrain": lambda: wm.samples.terrain(3000),
    }[name]()
    mixed = turned_over(scene, 0.3)
    both = method(sides="both")
    navmesh = wm.build(mixed, method=both)
    assert navmesh.area == pytest.approx(wm.build(scene, method=both).area, rel=5e-3)
    # What is free in the scene as it is wound is there, whatever is added inside of solids.
    front = wm.build(scene, method=method())
    assert recall(scene, navmesh) >= recall(scene, front) - 0.002
    assert recall(mixed, navmesh) >= recall(scene, front) - 0.002
    assert wm.evaluate(mixed, navmesh, samples=2000, pairs=0).precision.value > 0.99
    assert wm.build(mixed, method=method()).area < 0.9 * front.area


@pytest.mark.parametrize("method", METHODS)
def test_slabs_and_ceilings_have_no_ground_but_on_top(method):
    slab = [((0, -0.2, 0), (8, 0, 8)), ((0, 2.6, 0), (8, 2.9, 8))]
    corners = np.concatenate([_box(*extent) for extent in slab])
    scene = wm.Scene(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))
    front, both = (wm.build(scene, method=method(sides=sides)) for sides in ("front", "both"))
    assert both.area == pytest.approx(front.area, rel=1e-6)
    assert both.component_count == 2


def _box(low, high):
    """(12, 3, 3): the triangles of a box, counter-clockwise from outside."""
    points = np.array([[(low, high)[i >> k & 1][k] for k in range(3)] for i in range(8)])
    quads = [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)]
    return points[[corner for a, b, c, d in quads for corner in ((a, b, c), (a, c, d))]]


@given(seed=st.integers(0, 1000), share=st.floats(0.15, 0.5))
@settings(max_examples=15, deadline=None)
def test_mixed_winding_is_told(seed, share):
    scene = turned_over(wm.samples.terrain(800), share, seed)
    (note,) = wm.build(scene).report.notes
    assert "faces down" in note
    assert 'sides="both"' in note


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_a_house_turned_over_is_told(method, share):
    """With all of it turned over, what is left of the ground is the ceilings."""
    scene = turned_over(wm.samples.house(), share)
    notes = wm.build(scene, method=method()).report.notes
    assert any("faces down" in note and "sides=" in note for note in notes)
    assert wm.build(scene, method=method(sides="both")).report.notes == ()


def test_storeys_turned_over_that_lie_on_each_other_are_told():
    """What is left is their ceilings, with the floors' backs below them, as solids have."""
    scene = turned_over(wm.samples.station(60_000))
    (note,) = wm.build(scene).report.notes
    assert 'faces down, with headroom above: it is wound the other way; sides="both"' in note
    # Right way round, the ground lies over the bottoms of solids.
    blocks = [((12 * i, 0, 0), (12 * i + 10, 12, 10)) for i in range(4)]
    corners = np.concatenate([_box(*extent) for extent in blocks])
    solids = wm.Scene(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))
    assert wm.build(solids).report.notes == ()


@pytest.mark.parametrize("method", METHODS)
def test_nothing_but_backs_is_one_clear_line(method):
    scene = turned_over(wm.samples.terrain(200))
    with pytest.raises(wm.BuildError, match=r'all level faces face down.*sides="back"'):
        wm.build(scene, method=method())


@needs_scenes
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("sides", ["back", "both"])
def test_the_garage_that_is_wound_the_other_way(method, sides):
    flipped = wm.load_scene(SCENES / "mesh_navigation" / "parking_garage_flipped.obj", up="z")
    navmesh = wm.build(flipped, method=method(sides=sides))
    assert navmesh.component_count == 1
    assert navmesh.area == pytest.approx(10_980, rel=2e-3)
    assert recall(flipped, navmesh) > 0.99


@pytest.mark.parametrize("sides", ["up", "", None, 1])
@pytest.mark.parametrize("method", METHODS)
def test_sides_that_cannot_be(method, sides):
    with pytest.raises(wm.SettingsError, match=r"sides is .*'front', 'back', 'both'"):
        method(sides=sides)


# A shell around an object, a little larger and wound the other way, that draws its outline.


def with_shell(thickness):
    floor = _box((0, -0.2, 0), (8, 0, 8))
    pillar = _box((3, 0, 3), (4, 2.5, 4))
    shells = [
        _box(*(np.array(end) + sign * thickness for end, sign in ((low, -1), (high, 1))))[:, ::-1]
        for low, high in (((0, -0.2, 0), (8, 0, 8)), ((3, 0, 3), (4, 2.5, 4)))
    ]
    corners = np.concatenate([floor, pillar, *shells])
    return wm.Scene(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("thickness", [0.002, 0.009])
def test_the_shell_of_an_outline_is_no_obstacle(method, thickness):
    scene = with_shell(thickness)
    navmesh = wm.build(scene, method=method())
    # The floor less its margin, and less the pillar in its shell with the agent around it.
    outline = 1.0 + 2.0 * thickness
    pillar = outline**2 + 4.0 * outline * 0.3 + np.pi * 0.3**2
    assert navmesh.area == pytest.approx(7.4**2 - pillar, abs=0.2 if method is wm.Exact else 0.8)
    assert recall(scene, navmesh) > (0.99 if method is wm.Exact else 0.97)
    assert navmesh.validate() == []


def test_a_thick_shell_is_told_and_both_sides_walk_on_it():
    scene = with_shell(0.04)
    with pytest.raises(wm.BuildError, match=r'faces down.*sides="'):
        wm.build(scene)
    assert wm.build(scene, method=wm.Exact(sides="both")).area > 50.0


@given(gap=st.floats(0.0, 0.3), top=st.floats(0.0, 0.3))
@settings(max_examples=25, deadline=None)
def test_a_mat_over_the_floor_is_ground_once(gap, top):
    """The sheet rule is for backs alone: where something has a top, that is the ground."""
    mat = _box((1, gap, 1), (7, gap + max(top, 0.001), 7))
    corners = np.concatenate([_box((0, -0.2, 0), (8, 0, 8)), mat])
    scene = wm.Scene(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))
    navmesh = wm.build(scene)
    found = navmesh.nearest([[4.0, gap + top, 4.0]], max_snap=0.05)
    assert found.points[0][1] == pytest.approx(gap + max(top, 0.001), abs=0.011)
    assert wm.evaluate(scene, navmesh, samples=300, pairs=0).overlap.value == 0.0
