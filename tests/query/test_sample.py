"""Random places: on the ground, as many on each part as its surface says, and always the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers import hills
from tests.twins import naive_mesh


@given(st.integers(0, 2**32 - 1), st.integers(0, 20))
def test_places_are_on_the_ground(seed, count):
    navmesh = hills.two_hills(step=0.2)
    drawn = navmesh.sample(count, seed=seed)
    assert drawn.polygons.shape == (count,)
    assert drawn.polygons.dtype == np.int32
    assert drawn.points.shape == (count, 3)
    assert (drawn.distances == 0.0).all()
    for polygon, place in zip(drawn.polygons, drawn.points, strict=True):
        height = hills.ground(navmesh, polygon, place[None, :2])[0]
        assert height == pytest.approx(place[2], abs=1e-9)


def test_as_many_as_the_surface_says():
    # A steep square has more ground than a level one that looks the same from above.
    navmesh = naive_mesh.grid_mesh(3, 1, np.array([[0, 0], [0, 0], [0.9, 0.9], [0.9, 0.9]]))
    count = 100_000
    drawn = navmesh.sample(count, seed=1)
    surfaces = np.array([1.0, np.sqrt(1.81), 1.0])
    shares = np.bincount(drawn.polygons, minlength=3) / count
    assert shares == pytest.approx(surfaces / surfaces.sum(), abs=0.005)
    # And within a polygon, the same number in each corner of it.
    first = drawn.points[drawn.polygons == 0]
    cells = np.floor(first[:, [0, 2]] * 4).astype(int)
    counts = np.bincount(cells[:, 0] * 4 + cells[:, 1], minlength=16)
    assert counts / len(first) == pytest.approx(np.full(16, 1 / 16), abs=0.005)


def test_the_same_seed_gives_the_same_places():
    navmesh = wm.build(wm.samples.floor(width=10, depth=8))
    first, again = navmesh.sample(5, seed=3), navmesh.sample(5, 3)
    assert first.points.tobytes() == again.points.tobytes()
    assert navmesh.sample(5).points.tobytes() != first.points.tobytes()
    # What numpy's generator gives, written down.
    expected = [(2.262923143332, 0, 0.796191182776), (3.841621584040, 0, 5.450018731496)]
    assert navmesh.sample(2, seed=7).points == pytest.approx(np.array(expected), abs=1e-11)


def test_far_from_the_origin():
    near = naive_mesh.grid_mesh(3, 3, np.random.default_rng(1).uniform(-0.3, 0.3, (4, 4)))
    far = wm.NavMesh(
        near.vertices + (500_000, 300, -450_000), near.polygon_offsets, near.polygon_vertices
    )
    drawn = far.sample(50)
    assert far.nearest(drawn.points).distances.max() < 1e-9


def test_no_ground():
    empty = wm.NavMesh([], [0], [])
    assert len(empty.sample(0).points) == 0
    with pytest.raises(wm.SettingsError, match="n is 3; it must be 0 for a navmesh without ground"):
        empty.sample(3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((-1,), "n is -1; it must be a whole number at least 0"),
        ((2.0,), "n is 2.0"),
        (("many",), "n is 'many'"),
        ((True,), "n is True"),
        ((1, -1), "seed is -1"),
        ((1, None), "seed is None"),
    ],
)
def test_what_cannot_be_drawn(arguments, words):
    with pytest.raises(wm.SettingsError, match=words):
        naive_mesh.grid_mesh(1, 1).sample(*arguments)
