"""Pruning keeps what a flood over neighbours and links reaches, and nothing else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers import hills
from tests.twins import naive_mesh

SPACING = 4.0


def archipelago(count, **options):
    """Return islands of 2 unit squares each, every 4 m along x."""
    island = naive_mesh.grid_mesh(2, 1)
    vertices = [island.vertices + (SPACING * i, 0, 0) for i in range(count)]
    corners = [island.polygon_vertices + len(island.vertices) * i for i in range(count)]
    offsets = np.arange(0, 8 * count + 1, 4)
    return wm.NavMesh(np.concatenate(vertices), offsets, np.concatenate(corners), **options)


def on_island(i):
    return (SPACING * i + 0.5, 0.0, 0.5)


def flooded(count, routes, seeds):
    """Return the islands that are reached from some by (start, goal, two_way) routes."""
    reached = set(seeds)
    for _ in range(count):
        for start, goal, two_way in routes:
            if start in reached:
                reached.add(goal)
            if two_way and goal in reached:
                reached.add(start)
    return sorted(reached)


@given(st.data())
def test_what_is_kept_is_what_a_flood_reaches(data):
    count = data.draw(st.integers(1, 7))
    number = st.integers(0, count - 1)
    routes = data.draw(st.lists(st.tuples(number, number, st.booleans()), max_size=8))
    seeds = data.draw(st.lists(number, min_size=1, max_size=2))
    areas = data.draw(st.lists(st.integers(0, 255), min_size=2 * count, max_size=2 * count))
    navmesh = archipelago(count, areas=areas, agent=wm.Agent(radius=0.1))
    for i, (start, goal, two_way) in enumerate(routes):
        navmesh = navmesh.with_links(on_island(start), on_island(goal), two_way=two_way, kind=i)
    pruned = navmesh.prune([on_island(i) for i in seeds])
    kept = flooded(count, routes, seeds)
    assert pruned.validate() == []
    assert pruned.polygon_count == 2 * len(kept)
    polygons = [2 * i + k for i in kept for k in range(2)]
    for new, old in enumerate(polygons):
        assert pruned.polygon(new).tolist() == navmesh.polygon(old).tolist()
    assert pruned.areas.tolist() == [areas[old] for old in polygons]
    assert pruned.components.tolist() == [i for i in range(len(kept)) for _ in range(2)]
    expected = [i for i, (a, b, _) in enumerate(routes) if a in kept and b in kept]
    assert pruned.links["kind"].tolist() == expected
    assert (pruned.agent, pruned.up) == (navmesh.agent, navmesh.up)


def test_detail_is_kept():
    left, right = hills.one_hill(), hills.one_hill(origin=(10.0, 0.0))
    count = len(left.vertices)
    navmesh = wm.NavMesh(
        np.concatenate([left.vertices, right.vertices]),
        [0, 4, 8],
        np.concatenate([left.polygon_vertices, right.polygon_vertices + count]),
        triangles=np.concatenate([left.triangles, right.triangles + count]),
        triangle_polygons=np.repeat([0, 1], len(left.triangles)),
        up="z",
    )
    pruned = navmesh.prune((12, 2, 0))
    assert pruned.validate() == []
    assert pruned.vertices.tolist() == right.vertices.tolist()
    assert pruned.triangles.tolist() == right.triangles.tolist()
    assert navmesh.prune([(12, 2, 0), (1, 1, 0)]).vertices.tolist() == navmesh.vertices.tolist()


def test_a_house_keeps_what_its_front_door_leads_to():
    navmesh = wm.build(wm.samples.house())
    pruned = navmesh.prune(wm.samples.HOUSE_START)
    assert pruned.validate() == []
    assert pruned.component_count == 1
    way = navmesh.find_path(wm.samples.HOUSE_START, wm.samples.HOUSE_GOAL)
    again = pruned.find_path(wm.samples.HOUSE_START, wm.samples.HOUSE_GOAL)
    assert again.length == pytest.approx(way.length)
    assert pruned.report == navmesh.report


@pytest.mark.parametrize(
    ("seeds", "words"),
    [
        ([on_island(0), (3, 0, 0.5)], None),
        ([on_island(0), (0, 9, 0)], r"seeds\[1\] is \(0, 9, 0\), 9 m from the navmesh; it must be"),
        ([], "seeds has no places; it must have at least one"),
        ((0, 0), r"seeds has shape \(2,\)"),
        ((0, np.nan, 0), r"seeds\[0\] is \(0, nan, 0\); it must be finite"),
        ("here", "seeds is 'here'"),
    ],
)
def test_seeds_that_are_nowhere(seeds, words):
    navmesh = archipelago(2)
    if words is None:
        assert navmesh.prune(seeds).polygon_count in (2, 4)
        return
    with pytest.raises(wm.SettingsError, match=words):
        navmesh.prune(seeds)


def test_an_empty_navmesh_has_no_place_for_a_seed():
    with pytest.raises(
        wm.SettingsError, match=r"seeds\[0\] is \(0, 0, 0\), inf m from the navmesh"
    ):
        wm.NavMesh([], [0], []).prune((0, 0, 0))


def test_how_far_seeds_may_be():
    navmesh = archipelago(2)
    assert navmesh.prune((0, 5, 0), max_snap=5).polygon_count == 2
    with pytest.raises(wm.SettingsError, match="within max_snap, 4 m"):
        navmesh.prune((0, 5, 0), max_snap=4)
