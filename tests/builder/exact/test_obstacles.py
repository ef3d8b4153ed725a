"""What stands in the way ends the ground, however thin it is; what can be stepped over does not."""

import numpy as np
import pytest

import walkmesh as wm
from walkmesh import chunks

# A corridor 2 m wide and 8 m long, between walls that leave no way around.
CORRIDOR = [((0.0, 0.0, 0.0), (0.0, 0.0, 8.0), (2.0, 0.0, 8.0), (2.0, 0.0, 0.0))]
ENDS = (1.0, 0.0, 1.0), (1.0, 0.0, 7.0)


def bar(start, end, radius, sides=4):
    """Return the sides of a round bar between two points; with four, none of them is upright."""
    start, end = np.array(start), np.array(end)
    along = (end - start) / np.linalg.norm(end - start)
    across = np.cross(along, (0.3, 0.2, 0.9))
    across /= np.linalg.norm(across)
    other = np.cross(along, across)
    angles = np.arange(sides) * 2.0 * np.pi / sides
    ring = radius * (np.cos(angles)[:, None] * across + np.sin(angles)[:, None] * other)
    return [
        (start + ring[k - 1], start + ring[k], end + ring[k], end + ring[k - 1])
        for k in range(sides)
    ]


def scene_of(quads):
    quads = np.array([np.array(quad) for quad in quads])
    first = 4 * np.arange(len(quads))[:, None]
    faces = np.concatenate([first + (0, 1, 2), first + (0, 2, 3)])
    return wm.Scene(quads.reshape(-1, 3), faces)


def is_open(quads, **settings):
    navmesh = wm.build(scene_of(CORRIDOR + quads), method=wm.Exact(**settings))
    assert navmesh.validate() == []
    return navmesh.find_path(*ENDS).status == "complete"


def test_an_empty_corridor_is_open():
    assert is_open([])


@pytest.mark.parametrize("radius", [0.002, 0.01, 0.03])
@pytest.mark.parametrize(
    ("height", "passed"), [(0.2, True), (0.6, False), (1.0, False), (1.9, True)]
)
def test_a_rail_across_counts_between_step_and_head(height, passed, radius):
    rail = bar((-0.5, height, 4.0), (2.5, height, 4.1), radius)
    assert is_open(rail) == passed


@pytest.mark.parametrize("radius", [0.005, 0.02])
def test_a_fence_of_upright_bars_is_a_fence(radius):
    fence = [
        side
        for x in np.arange(-0.1, 2.2, 0.11)
        for side in bar((x, 0.0, 4.0), (x + 0.01, 1.2, 4.02), radius, sides=6)
    ]
    assert not is_open(fence)


@pytest.mark.parametrize("slit", [0.01, 0.025])
def test_a_slit_under_a_rail_is_not_closed(slit):
    floors = [
        ((0.0, 0.0, 0.0), (0.0, 0.0, 4.0), (2.0, 0.0, 4.0), (2.0, 0.0, 0.0)),
        ((0.0, 0.0, 4.0 + slit), (0.0, 0.0, 8.0), (2.0, 0.0, 8.0), (2.0, 0.0, 4.0 + slit)),
    ]
    middle = 4.0 + slit / 2.0
    rail = bar((-0.5, 1.0, middle), (2.5, 1.0, middle), slit)
    for quads, passed in ((floors, True), (floors + rail, False)):
        navmesh = wm.build(scene_of(quads))
        assert (navmesh.find_path(*ENDS).status == "complete") == passed


def test_a_floor_upside_down_says_what_is_wrong():
    flipped = [quad[::-1] for quad in CORRIDOR]
    with pytest.raises(wm.BuildError, match="all level faces face down") as raised:
        wm.build(scene_of(flipped))
    assert 'sides="back" walks on them, if that is the right up' in str(raised.value)


@pytest.mark.parametrize("radius", [0.002, 0.005, 0.009])
@pytest.mark.parametrize("slit", [0.01, 0.02, 0.028])
@pytest.mark.parametrize(("height", "passed"), [(0.2, True), (0.5, False), (1.0, False)])
def test_a_rail_in_a_slit_is_not_walked_through(height, passed, slit, radius):
    near, far = 4.0 - slit / 2.0, 4.0 + slit / 2.0
    halves = [
        ((0.0, 0.0, 0.0), (0.0, 0.0, near), (2.0, 0.0, near), (2.0, 0.0, 0.0)),
        ((0.0, 0.0, far), (0.0, 0.0, 8.0), (2.0, 0.0, 8.0), (2.0, 0.0, far)),
    ]
    navmesh = wm.build(scene_of(halves + bar((-0.5, height, 4.0), (2.5, height, 4.0), radius)))
    assert (navmesh.find_path(*ENDS).status == "complete") == passed
    assert navmesh.validate() == []


@pytest.mark.parametrize("threads", [1, 3, 16])
def test_any_number_of_threads_gives_the_same_bytes(threads, monkeypatch):
    scene = wm.samples.terrain(10_000)  # several chunks of work
    expected = wm.build(scene)
    monkeypatch.setattr(chunks.os, "cpu_count", lambda: threads)
    navmesh = wm.build(scene)
    for name in ("vertices", "polygon_offsets", "polygon_vertices", "triangles", "components"):
        assert getattr(navmesh, name).tobytes() == getattr(expected, name).tobytes()
