"""Links: made between places, kept in files, and held against the ground by validate()."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers import hills
from tests.twins import naive_mesh
from walkmesh import LINK_DTYPE


def islands(gap=2.0, drop=0.0):
    """Return two squares of 4 unit squares each, `gap` apart along x, the second one lower."""
    here = naive_mesh.grid_mesh(2, 2)
    return wm.NavMesh(
        np.concatenate([here.vertices, here.vertices + (2 + gap, -drop, 0)]),
        np.arange(0, 33, 4),
        np.concatenate([here.polygon_vertices, here.polygon_vertices + len(here.vertices)]),
    )


def test_links_are_snapped_to_the_ground_and_cost_their_length_in_plan():
    navmesh = islands(drop=3.0)
    linked = navmesh.with_links([(1.5, 0.5, 1.5), (2.5, 0, 0.5)], [(4.5, -3, 1.5), (5, -4, 0.5)])
    assert linked.validate() == []
    assert len(navmesh.links) == 0
    links = linked.links
    assert links.dtype == LINK_DTYPE
    assert links["start"].tolist() == [[1.5, 0, 1.5], [2, 0, 0.5]]
    assert links["goal"].tolist() == [[4.5, -3, 1.5], [5, -3, 0.5]]
    for end in ("start", "goal"):
        located = navmesh.nearest(links[end])
        assert links[f"{end}_polygon"].tolist() == located.polygons.tolist()
    assert links["cost"].tolist() == [3.0, 3.0]
    assert links["two_way"].tolist() == [True, True]
    assert links["kind"].tolist() == [0, 0]
    assert not links.flags.writeable


def test_one_value_counts_for_all_or_each_has_its_own():
    places = [(0.5, 0, 0.5), (1.5, 0, 0.5)], [(4.5, 0, 0.5), (5.5, 0, 0.5)]
    linked = islands().with_links(*places, two_way=False, cost=7, kind=5)
    assert linked.links[["two_way", "cost", "kind"]].tolist() == [(False, 7.0, 5)] * 2
    linked = linked.with_links(*places, two_way=[True, False], cost=[0, 2.5], kind=[0, 255])
    assert linked.links[["two_way", "cost", "kind"]].tolist()[2:] == [
        (True, 0, 0),
        (False, 2.5, 255),
    ]
    assert linked.links[["two_way", "cost", "kind"]].tolist()[:2] == [(False, 7.0, 5)] * 2
    assert len(linked.without_links().links) == 0
    assert len(linked.with_links([], []).links) == 4


@given(st.integers(0, 2**32 - 1))
def test_links_between_any_places_are_sound(seed):
    rng = np.random.default_rng(seed)
    navmesh = hills.two_hills()
    starts, goals = (rng.uniform((-1, -1, -1), (9, 5, 1), (5, 3)) for _ in range(2))
    linked = navmesh.with_links(starts, goals, max_snap=np.inf)
    assert linked.validate() == []
    flat = linked.links["goal"][:, :2] - linked.links["start"][:, :2]
    assert linked.links["cost"] == pytest.approx(np.linalg.norm(flat, axis=1))


@pytest.mark.parametrize("suffix", [".walkmesh", ".obj", ".glb", ".ply"])
@pytest.mark.parametrize("detail", [False, True])
def test_links_are_saved(suffix, detail, tmp_path):
    navmesh = hills.two_hills() if detail else islands()
    places = navmesh.sample(8).points
    linked = navmesh.with_links(
        places[:4], places[4:], two_way=[True, False, True, False], kind=[0, 1, 2, 255]
    )
    linked.save(tmp_path / f"a{suffix}")
    loaded = wm.load_navmesh(tmp_path / f"a{suffix}")
    assert loaded.links.tobytes() == linked.links.tobytes()
    assert loaded.validate() == []


HERE, THERE = (0.5, 0, 0.5), (4.5, 0, 0.5)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"starts": [HERE, (0.5, 4.5, 0.5)]}, r"starts\[1\] is \(0.5, 4.5, 0.5\), 4.5 m from the"),
        ({"goals": [THERE, (9, 0, 0.5)]}, r"goals\[1\] is \(9, 0, 0.5\), 3 m from the navmesh; it"),
        ({"max_snap": 0.25, "goals": [THERE, (6.5, 0, 1)]}, "must be within max_snap, 0.25 m"),
        ({"goals": THERE}, "goals has 1 places and starts 2"),
        ({"starts": [HERE, (0, np.inf, 0)]}, r"starts\[1\] is \(0, inf, 0\)"),
        ({"starts": [(0, 0), (1, 1)]}, "starts has shape"),
        ({"goals": [[1, 2], 3]}, "goals is"),
        ({"cost": -1}, "cost is -1; it must be a finite number at least 0 m"),
        ({"cost": [1, np.nan]}, r"cost\[1\] is nan"),
        ({"cost": np.inf}, "cost is inf"),
        ({"cost": "much"}, "cost is 'much'"),
        ({"cost": [1, 2, 3]}, r"cost has shape \(3,\)"),
        ({"kind": 256}, "kind is 256; it must be a whole number from 0 to 255"),
        ({"kind": 0.5}, "kind is 0.5"),
        ({"two_way": "yes"}, "two_way is 'yes'; it must be True or False"),
        ({"two_way": 1}, "two_way is 1"),
        ({"max_snap": -1}, "max_snap is -1"),
        ({"max_snap": "far"}, "max_snap is 'far'"),
    ],
)
def test_what_is_no_link(arguments, words):
    with pytest.raises(wm.SettingsError, match=words) as raised:
        islands().with_links(**{"starts": [HERE] * 2, "goals": [THERE] * 2} | arguments)
    assert "\n" not in str(raised.value)


def with_one(navmesh, **fields):
    """Return a navmesh with one link, on the ground but for some of its fields."""
    links = navmesh.with_links(HERE, THERE).links.copy()
    for name, value in fields.items():
        links[name] = value
    return wm.NavMesh(
        navmesh.vertices, navmesh.polygon_offsets, navmesh.polygon_vertices, links=links
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, None),
        ({"start": (-0.009, 0, 0.5)}, None),
        ({"start": (-0.011, 0, 0.5)}, "link 0: its start is 0.011 m outside of its polygon, 0"),
        ({"start": (1.5, 0, 0.5)}, "link 0: its start is 0.5 m outside of its polygon, 0"),
        ({"start": (0.5, 0.39, 0.5)}, None),
        ({"goal": (4.5, 0.41, 0.5)}, "link 0: its goal is 0.41 m above or below its polygon, 4"),
        ({"goal": (4.5, -9, 0.5)}, "link 0: its goal is 9 m above or below its polygon, 4"),
        ({"goal_polygon": 5}, "link 0: its goal is 0.5 m outside of its polygon, 5"),
        ({"cost": 0.0}, None),
        ({"cost": -0.5}, "link 0: its cost is -0.5; that is not a length"),
        ({"cost": np.nan}, "link 0: its cost is nan; that is not a length"),
        ({"cost": np.inf}, "link 0: its cost is inf; that is not a length"),
    ],
)
def test_validate_looks_at_links(fields, words):
    found = with_one(islands(), **fields).validate()
    assert [str(v) for v in found] == ([] if words is None else [f"link: {words}"])


def test_links_lie_on_the_triangles_of_their_polygon():
    pyramid = hills.pyramid(height=2.0)
    assert pyramid.with_links((2, 2, 2), (1, 2, 1)).validate() == []
    links = pyramid.with_links((2, 2, 2), (1, 2, 1)).links.copy()
    links["start"] = (2, 2, 0)
    below = wm.NavMesh(
        pyramid.vertices,
        [0, 4],
        range(4),
        triangles=pyramid.triangles,
        triangle_polygons=pyramid.triangle_polygons,
        links=links,
        up="z",
    )
    assert [v.kind for v in below.validate()] == ["link"]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("start_polygon", 99, "links has ids out of range"),
        ("goal_polygon", -1, "links has ids out of range"),
        ("start", np.nan, "links has ends that are not finite"),
        ("goal", np.inf, "links has ends that are not finite"),
        ("cost", -1.0, "links has costs that are not lengths"),
        ("cost", np.nan, "links has costs that are not lengths"),
        ("cost", np.inf, "links has costs that are not lengths"),
    ],
)
def test_links_that_would_lead_astray_are_refused(field, value, words):
    good = naive_mesh.grid_mesh(2, 2).with_links([(0.5, 0, 0.5)], [(1.5, 0, 1.5)])
    links = good.links.copy()
    links[field] = value
    bad = wm.NavMesh(good.vertices, good.polygon_offsets, good.polygon_vertices, links=links)
    assert bad.validate()
    for ask in (
        lambda: bad.find_path((0.5, 0, 0.5), (1.5, 0, 1.5)),
        lambda: bad.distances((0.5, 0, 0.5), [(1.5, 0, 1.5)] * 20),
        lambda: bad.nearest([(0, 0, 0)]),
    ):
        with pytest.raises(wm.FormatError, match=words):
            ask()
