"""Paths in batches, partial ones, distances and what can be reached, on navmeshes made by hand."""

import math

import numpy as np
import pytest

import walkmesh as wm
from tests.twins import naive_mesh

pytestmark = pytest.mark.plain_python

UNREACHABLE = ("unreachable", math.inf)


def islands(count=3, links=()):
    """Return unit squares in a row, a metre apart, with links (from, to, two_way, cost)."""
    x = np.arange(count) * 2.0
    corners = [[(a, 0, 0), (a, 0, 1), (a + 1, 0, 1), (a + 1, 0, 0)] for a in x]
    navmesh = wm.NavMesh(
        np.concatenate(corners), np.arange(0, 4 * count + 1, 4), np.arange(4 * count)
    )
    for start, goal, two_way, cost in links:
        navmesh = navmesh.with_links(
            [(2.0 * start + 0.5, 0, 0.5)], [(2.0 * goal + 0.5, 0, 0.5)], two_way=two_way, cost=cost
        )
    return navmesh


def middle(island):
    return (2.0 * island + 0.5, 0.0, 0.5)


def holes(seed, columns=9, rows=9):
    """Return the largest part of a grid of unit squares with random holes."""
    navmesh = naive_mesh.grid_mesh(columns, rows)
    squares = navmesh.polygon_vertices.reshape(-1, 4)
    squares = squares[np.random.default_rng(seed).random(len(squares)) > 0.3]
    used, corners = np.unique(squares, return_inverse=True)
    part = wm.NavMesh(navmesh.vertices[used], np.arange(0, squares.size + 1, 4), corners.ravel())
    largest = np.bincount(part.components).argmax()
    inside = np.flatnonzero(part.components == largest)[0]
    return part.prune(part.polygon(inside).mean(axis=0))


@pytest.mark.compiled_only
@pytest.mark.parametrize("optimal", [True, False])
@pytest.mark.parametrize("workers", [1, 2, 7])
def test_many_paths_are_the_same_bytes_for_any_number_of_workers(optimal, workers):
    navmesh = holes(1)
    starts, goals = navmesh.sample(500, seed=1).points, navmesh.sample(500, seed=2).points
    expected = navmesh.find_paths(starts, goals, optimal=optimal, workers=1)
    paths = navmesh.find_paths(starts, goals, optimal=optimal, workers=workers)
    for name, array in vars(expected).items():
        assert np.array_equal(array, getattr(paths, name)), name
    assert len(paths) == 500
    for i in (0, 17, 499, -1):
        path = navmesh.find_path(starts[i], goals[i], optimal=optimal)
        assert np.array_equal(path.points, paths[i].points)
        assert np.array_equal(path.polygons, paths[i].polygons)
        assert (path.length, path.cost, path.status) == (
            paths[i].length, paths[i].cost, paths[i].status,
        )  # fmt: skip
    assert [path.length for path in paths] == paths.lengths.tolist()
    assert len(paths[3:9]) == 6


def test_paths_between_located_points_are_the_same():
    navmesh = holes(2)
    starts, goals = navmesh.sample(50, seed=1), navmesh.sample(50, seed=2)
    expected = navmesh.find_paths(starts.points, goals.points)
    paths = navmesh.find_paths(starts, goals)
    assert paths.costs == pytest.approx(expected.costs, abs=1e-9)
    assert navmesh.find_paths(starts, goals.points[:1]).costs[0] == paths.costs[0]


def test_no_paths_at_all():
    navmesh = islands()
    paths = navmesh.find_paths([], [])
    assert len(paths) == 0
    assert list(paths) == []
    assert repr(paths) == "Paths(none)"
    assert paths.points.shape == (0, 3)
    assert navmesh.distances(np.empty((0, 3)), (1, 2, 3)).shape == (0,)
    assert navmesh.reachable(np.empty((0, 3)), (1, 2, 3)).shape == (0,)
    with pytest.raises(IndexError):
        paths[0]


def test_starts_and_goals_that_do_not_fit():
    navmesh = islands()
    with pytest.raises(wm.SettingsError, match="starts are 2 points and goals 3"):
        navmesh.find_paths(np.zeros((2, 3)), np.zeros((3, 3)))
    with pytest.raises(wm.SettingsError, match="cannot be broadcast"):
        navmesh.distances(np.zeros((2, 3)), np.zeros((3, 3)))
    with pytest.raises(wm.SettingsError, match=r"goals has shape \(2,\)"):
        navmesh.distances(np.zeros(3), np.zeros(2))
    with pytest.raises(wm.SettingsError, match="starts"):
        navmesh.find_paths([[0, 0, np.nan]], [[0, 0, 0]])
    with pytest.raises(wm.SettingsError, match="workers is 0"):
        navmesh.find_paths([middle(0)], [middle(1)], workers=0)


def test_a_goal_on_another_island():
    navmesh = islands()
    path = navmesh.find_path(middle(0), middle(2))
    assert (path.status, path.length) == UNREACHABLE
    assert path.cost == math.inf
    assert path.points.shape == (0, 3)
    partial = navmesh.find_path(middle(0), (4.5, 0.0, 0.75), partial=True)
    assert partial.status == "partial"
    assert partial.points[-1] == pytest.approx([1.0, 0.0, 0.75])
    assert partial.length == pytest.approx(math.hypot(0.5, 0.25))
    statuses = navmesh.find_paths(middle(0), [middle(0), middle(1)], partial=True).statuses
    assert statuses.tolist() == ["complete", "partial"]


def test_a_goal_far_from_the_navmesh():
    navmesh = islands()
    far = (0.5, 50.0, 9.0)
    assert navmesh.find_path(middle(0), far).status == "unreachable"
    partial = navmesh.find_path(middle(0), far, partial=True)
    assert partial.status == "partial"
    assert partial.points[-1] == pytest.approx([0.5, 0.0, 1.0])
    # Without a start there is nothing that can be reached.
    assert navmesh.find_path(far, middle(0), partial=True).status == "unreachable"


def test_a_partial_path_goes_by_links_as_near_as_it_can():
    navmesh = islands(4, [(0, 1, False, 2.0), (2, 1, False, 2.0)])
    path = navmesh.find_path(middle(0), middle(3), partial=True)
    assert path.status == "partial"
    assert path.points[-1] == pytest.approx([3.0, 0.0, 0.5])
    assert path.links.tolist() == [0]


def test_reachable_follows_links_their_way():
    navmesh = islands(5, [(0, 1, False, 2.0), (1, 2, True, 2.0), (3, 2, False, 2.0)])
    places = np.array([middle(k) for k in range(5)])
    found = navmesh.reachable(places[:, None], places[None])
    assert found.tolist() == [
        [True, True, True, False, False],
        [False, True, True, False, False],
        [False, True, True, False, False],
        [False, True, True, True, False],
        [False, False, False, False, True],
    ]
    assert np.array_equal(found, np.isfinite(navmesh.distances(places[:, None], places)))
    statuses = [[navmesh.find_path(a, b).status == "complete" for b in places] for a in places]
    assert found.tolist() == statuses
    assert not navmesh.reachable((0, 90, 0), places).any()


def test_links_are_part_of_the_path():
    navmesh = islands(2, [(0, 1, False, 7.5)])
    path = navmesh.find_path((0.1, 0, 0.5), (2.9, 0, 0.5))
    assert path.cost == pytest.approx(0.4 + 7.5 + 0.4)
    assert path.length == pytest.approx(2.8)
    assert path.links.tolist() == [0]
    assert path.polygons.tolist() == [0, 1]
    expected = np.array([(0.1, 0, 0.5), (0.5, 0, 0.5), (2.5, 0, 0.5), (2.9, 0, 0.5)])
    assert path.points == pytest.approx(expected)
    assert navmesh.find_path((2.9, 0, 0.5), (0.1, 0, 0.5)).status == "unreachable"


@pytest.mark.parametrize("seed", range(4))
def test_distances_are_the_lengths_of_paths(seed):
    navmesh = holes(seed)
    starts, goals = navmesh.sample(7, seed=seed).points, navmesh.sample(90, seed=9).points
    table = navmesh.distances(starts[:, None], goals)
    assert table.shape == (7, 90)
    for i, start in enumerate(starts):
        lengths = navmesh.find_paths(start, goals).lengths
        assert table[i] == pytest.approx(lengths, abs=1e-9)
        assert navmesh.distances(start, goals) == pytest.approx(lengths, abs=1e-9)
        assert navmesh.distances(goals, start) == pytest.approx(lengths, abs=1e-9)
    pairs = navmesh.distances(np.repeat(starts, 2, axis=0), goals[:14], workers=1)
    assert pairs == pytest.approx([table[i // 2, i] for i in range(14)], abs=1e-9)


def test_areas_that_must_not_be_entered():
    navmesh = naive_mesh.grid_mesh(3, 3).with_areas([0, 0, 0, 0, 5, 0, 0, 0, 0])
    start, goal = (0.5, 0, 1.5), (2.5, 0, 1.5)
    assert navmesh.find_path(start, goal).length == pytest.approx(2.0)
    around = navmesh.find_path(start, goal, area_costs={5: math.inf})
    assert around.length == pytest.approx(1.0 + 2.0 * math.hypot(0.5, 0.5))
    assert 4 not in around.polygons
    # It is the shortest again, as for a hole; and one can neither start nor end there.
    beside = navmesh.find_path(start, (1.5, 0, 1.5), area_costs={5: math.inf}).points[-1]
    assert math.dist(beside, (1.5, 0, 1.5)) == pytest.approx(0.5)
    inside = navmesh.nearest([(1.4, 0, 1.5), (1.6, 0, 1.5)])
    paths = navmesh.find_paths(inside, start, area_costs={5: math.inf}, max_snap=0.1)
    assert paths.statuses.tolist() == ["unreachable", "unreachable"]
    walled = navmesh.with_areas([0, 0, 0, 5, 5, 5, 0, 0, 0])
    path = walled.find_path(start, goal, area_costs={5: math.inf})
    assert path.status == "unreachable"
    assert walled.find_path(start, goal).status == "complete"


def test_the_same_cost_everywhere_changes_no_path():
    navmesh = holes(3)
    starts, goals = navmesh.sample(40, seed=1).points, navmesh.sample(40, seed=2).points
    shortest = navmesh.find_paths(starts, goals)
    for cost in (0.25, 3.0):
        paths = navmesh.find_paths(starts, goals, area_costs={0: cost, 7: math.inf})
        assert paths.lengths == pytest.approx(shortest.lengths, abs=1e-9)
        assert paths.costs == pytest.approx(cost * shortest.costs, abs=1e-9)


def test_an_expensive_area_is_gone_around_if_that_is_cheaper():
    navmesh = naive_mesh.grid_mesh(7, 7)
    areas = np.zeros((7, 7), dtype=int)
    areas[3, :6] = 1
    navmesh = navmesh.with_areas(areas.ravel())
    start, goal = (1.5, 0, 1.5), (5.5, 0, 1.5)
    through = navmesh.find_path(start, goal, area_costs={1: 2.0})
    assert navmesh.areas[through.polygons].max() == 1
    assert through.cost == pytest.approx(5.0, abs=0.3)
    around = navmesh.find_path(start, goal, area_costs={1: 50.0})
    assert navmesh.areas[around.polygons].max() == 0
    assert around.cost == pytest.approx(around.length)
    assert around.cost < 15.0


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ({300: 1.0}, "area 300"),
        ({"mud": 1.0}, "area 'mud'"),
        ({1: 0.0}, r"area_costs\[1\] is 0.0"),
        ({1: -2.0}, "above 0"),
        ({1: math.nan}, "above 0"),
        ({1: "2"}, "above 0"),
        ([1, 2], "dict"),
    ],
)
def test_what_is_no_cost(costs, words):
    with pytest.raises(wm.SettingsError, match=words):
        islands().find_path(middle(0), middle(1), area_costs=costs)


def test_an_empty_navmesh():
    navmesh = wm.NavMesh(np.empty((0, 3)), [0], [])
    assert navmesh.find_path((0, 0, 0), (1, 0, 1), partial=True).status == "unreachable"
    assert navmesh.find_paths([(0, 0, 0)] * 3, (1, 0, 1)).statuses.tolist() == ["unreachable"] * 3
    assert navmesh.find_path((0, 0, 0), (1, 0, 1), radius=0.5).status == "unreachable"
    assert navmesh.distances((0, 0, 0), [(1, 0, 1)] * 20).tolist() == [math.inf] * 20
    assert not navmesh.reachable((0, 0, 0), (0, 0, 0))
    assert navmesh.nearest([(0, 0, 0)]).polygons.tolist() == [-1]
    assert navmesh.contains([(0, 0, 0)]).tolist() == [False]
    assert np.isnan(navmesh.wall_distance([(0, 0, 0)])).all()
    assert navmesh.raycast([(0, 0, 0)], (1, 0, 0)).hits.tolist() == [True]


@pytest.mark.parametrize("optimal", [True, False])
@pytest.mark.parametrize(
    ("start", "goal", "length"),
    [
        ((1.5, 0, 1.5), (1.5, 0, 1.5), 0.0),  # nowhere to go
        ((1, 0, 1), (2, 0, 2), math.sqrt(2)),  # from vertex to vertex
        ((1, 0, 1), (1, 0, 1), 0.0),
        ((0, 0, 0), (4, 0, 4), math.hypot(4, 4)),  # along diagonals, through vertices
        ((0, 0, 2), (4, 0, 2), 4.0),  # along edges
        ((1.5, 0, 1), (2.5, 0, 3), math.hypot(1, 2)),  # from edge to edge
        ((0, 0, 0.5), (0, 0, 3.5), 3.0),  # along the boundary
        ((-0.5, 0, 2), (4.5, 0, 2), 4.0),  # off the navmesh, beside it
        ((2, 1.0, 2), (3, -1.0, 3), math.sqrt(2)),  # above and below it
    ],
)
def test_ends_in_special_places(start, goal, length, optimal):
    navmesh = naive_mesh.grid_mesh(4, 4)
    path = navmesh.find_path(start, goal, optimal=optimal)
    assert path.status == "complete"
    assert path.length >= length - 1e-9
    if optimal:
        assert path.length == pytest.approx(length, abs=1e-9)
        assert len(path.points) <= 2


@pytest.mark.compiled_only
def test_scratch_memory_grows_with_the_search():
    # A comb: a path from one end to the other leads around every tooth.
    teeth = 400
    keep = np.ones((2 * teeth + 1, 6), dtype=bool)
    keep[1::4, :5] = False
    keep[3::4, 1:] = False
    navmesh = naive_mesh.grid_mesh(*keep.shape)
    squares = navmesh.polygon_vertices.reshape(-1, 4)[keep.ravel()]
    used, corners = np.unique(squares, return_inverse=True)
    comb = wm.NavMesh(navmesh.vertices[used], np.arange(0, squares.size + 1, 4), corners.ravel())
    start, goal = (0.5, 0, 0.5), (2 * teeth + 0.5, 0, 0.5)
    for optimal in (True, False):
        path = comb.find_path(start, goal, optimal=optimal)
        assert path.status == "complete"
        assert len(path.points) > teeth
        assert len(path.polygons) > 4 * teeth
    assert comb.distances(start, [goal] * 20)[7] == pytest.approx(
        comb.find_path(start, goal).length
    )


def test_a_path_tells_whether_it_is_optimal():
    navmesh = holes(3)
    starts, goals = navmesh.sample(40, seed=1).points, navmesh.sample(40, seed=2).points
    optimal, corridor = (navmesh.find_paths(starts, goals, optimal=wish) for wish in (True, False))
    assert optimal.optimal.all()
    assert not corridor.optimal.any()
    assert (optimal.costs <= corridor.costs + 1e-9).all()
    kinds = np.where(np.arange(navmesh.polygon_count) % 5 == 0, 3, 0)
    painted = navmesh.with_areas(kinds)
    # Areas with different costs are searched by corridors; barred ones are holes like others.
    assert not painted.find_path(starts[0], goals[0], area_costs={3: 2.0}).optimal
    barred = painted.find_paths(starts, goals, area_costs={3: math.inf})
    assert barred.optimal.all()
    assert not navmesh.path_nodes().find_path(starts[0], goals[0]).optimal
    assert navmesh.find_path(starts[0], goals[0], radius=0.1, max_snap=1.0).optimal
    assert "may not be the shortest" in repr(corridor[0])
    assert "shortest" not in repr(optimal[0])
    apart = islands()
    assert apart.find_path(middle(0), middle(2)).optimal  # certain that there is none
    assert apart.find_path(middle(0), middle(2), partial=True).optimal
