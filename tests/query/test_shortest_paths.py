"""Paths against the slow and obvious search, on random floors above each other."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.makers.known_paths import CASES
from tests.makers.storeys import random_navmesh, random_places
from tests.twins.naive_paths import VisibilityGraph, follow

# On each random navmesh. The graph of a navmesh takes as long as 20 searches on it.
QUERIES = 50

seeds = st.integers(0, 2**32 - 1)


def random_queries(seed, count=QUERIES):
    """Return a navmesh, (n, 3) starts and goals, and the (n,) polygons of both."""
    rng = np.random.default_rng(seed)
    navmesh = random_navmesh(rng)
    starts, start_polygons = random_places(navmesh, rng, count)
    goals, goal_polygons = random_places(navmesh, rng, count)
    return navmesh, starts, goals, start_polygons, goal_polygons


def close_to(cost):
    return pytest.approx(cost, rel=1e-6, abs=1e-6)


def check_way(navmesh, path, start, goal, homes):
    """Check that a path leads over the ground from start to goal, and costs what it says."""
    assert path.status == "complete"
    assert path.points[0] == pytest.approx(start, abs=1e-6)
    assert path.points[-1] == pytest.approx(goal, abs=1e-6)
    assert follow(navmesh, path, *homes) == close_to(path.cost)


@pytest.mark.parametrize("name", CASES)
def test_known_answers(name):
    navmesh, start, start_polygon, goal, goal_polygon, cost = CASES[name]
    path = navmesh.find_path(start, goal)
    assert path.cost == close_to(cost)
    if cost == math.inf:
        assert path.status == "unreachable"
    else:
        check_way(navmesh, path, start, goal, (start_polygon, goal_polygon))


@given(seeds)
def test_optimal_paths_cost_what_the_slow_search_finds(seed):
    navmesh, starts, goals, *homes = random_queries(seed)
    graph = VisibilityGraph(navmesh)
    optimal = navmesh.find_paths(starts, goals)
    corridors = navmesh.find_paths(starts, goals, optimal=False)
    for i, (start, goal, *polygons) in enumerate(zip(starts, goals, *homes, strict=True)):
        expected = graph.cost(start, polygons[0], goal, polygons[1])
        if expected == math.inf:
            assert optimal[i].status == corridors[i].status == "unreachable"
            continue
        check_way(navmesh, optimal[i], start, goal, polygons)
        assert optimal[i].cost == close_to(expected), f"query {i}"
        check_way(navmesh, corridors[i], start, goal, polygons)
        assert corridors[i].cost >= expected - 1e-6 * max(1.0, expected), f"query {i}"


@pytest.mark.parametrize("optimal", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_many_paths_are_those_found_one_by_one(seed, optimal):
    navmesh, starts, goals, *_ = random_queries(seed)
    one, two = (navmesh.find_paths(starts, goals, optimal=optimal, workers=w) for w in (1, 2))
    assert len(one) == QUERIES
    for name in ("points", "offsets", "lengths", "statuses"):
        assert np.array_equal(getattr(one, name), getattr(two, name)), name
    for i, (start, goal) in enumerate(zip(starts, goals, strict=True)):
        path = navmesh.find_path(start, goal, optimal=optimal)
        assert path.status == one[i].status
        assert path.points.tobytes() == one[i].points.tobytes()
        assert path.links.tolist() == one[i].links.tolist()
        assert path.cost == one[i].cost


@given(seeds)
def test_the_way_back_costs_the_same_without_one_way_links(seed):
    navmesh, starts, goals, *_ = random_queries(seed)
    if not navmesh.links["two_way"].all():
        return
    for there, back in zip(
        navmesh.find_paths(starts, goals), navmesh.find_paths(goals, starts), strict=True
    ):
        assert there.status == back.status
        assert there.cost == close_to(back.cost)


@pytest.mark.parametrize("seed", range(5))
def test_distances_are_lengths_of_paths(seed):
    navmesh, starts, goals, *_ = random_queries(seed, 12)
    lengths = [[navmesh.find_path(a, b).length for b in goals[:7]] for a in starts[:5]]
    found = navmesh.distances(starts[:5, None], goals[:7])
    assert found.shape == (5, 7)
    assert found == pytest.approx(np.array(lengths), rel=1e-6, abs=1e-6)
