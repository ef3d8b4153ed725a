"""The slow and obvious search for shortest paths, where the answers are known otherwise."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest
import shapely
from hypothesis import assume, given

from tests.makers import storeys
from tests.makers.known_paths import (
    AROUND,
    CASES,
)
from tests.makers.regions import floors
from tests.twins.naive_paths import VisibilityGraph, follow, shortest, touches


@pytest.mark.parametrize("name", CASES)
def test_known_answers(name):
    case = CASES[name]
    found = VisibilityGraph(case.navmesh).cost(*case[1:5])
    assert found == pytest.approx(case.cost, abs=1e-9)


@given(floors())
def test_one_floor_as_geos_has_it(floor):
    region, navmesh, start, goal = floor
    corners = np.concatenate([shapely.get_coordinates(r)[:-1] for r in rings(region)])
    # GEOS would let a path slip through a corner at which two holes touch.
    assume(len(np.unique(corners, axis=0)) == len(corners))
    homes = navmesh.nearest([start, goal]).polygons.tolist()
    found = VisibilityGraph(navmesh).cost(start, homes[0], goal, homes[1])
    assert found == pytest.approx(shortest(region, start[:2], goal[:2]), abs=1e-6)


def rings(region):
    return [region.exterior, *region.interiors]


@pytest.mark.parametrize(
    ("edge", "expected"),
    [
        (((3, -1), (3, 1)), (3, 3)),
        (((3, 0), (3, 1)), (3, 3)),
        (((3, 1), (3, 2)), None),
        (((2, 0), (4, 0)), (2, 4)),
        (((-2, 0), (4, 0)), (0, 4)),
        (((4, 0), (20, 0)), (4, 10)),
        (((2, 1e-12), (4, 0)), (2, 4)),
        (((11, -1), (11, 1)), None),
        (((10, -1), (10, 1)), (10, 10)),
    ],
)
def test_where_a_way_comes_near_an_edge(edge, expected):
    for ends in (edge, edge[::-1]):
        found = touches((0, 0), (10, 0), *ends, 1e-9)
        assert found == (expected and pytest.approx(expected, abs=1e-6))


def walked(points, links=()):
    return SimpleNamespace(points=np.array(points, dtype=float), links=links)


def test_following_a_path():
    case = CASES["around a pillar"]
    homes = case.start_polygon, case.goal_polygon
    good = [(1, 5, 0), (4, 6, 0), (6, 6, 0), (9, 5, 0)]
    assert follow(case.navmesh, walked(good), *homes) == pytest.approx(AROUND)
    assert follow(case.navmesh, walked([good[0], good[-1]]), *homes) == math.inf
    assert follow(case.navmesh, walked(good[:-1]), *homes) == math.inf
    above = np.array(good) + [(0, 0, 0), (0, 0, 0.01), (0, 0, 0), (0, 0, 0)]
    assert follow(case.navmesh, walked(above), *homes) == math.inf


def test_following_a_path_through_links():
    case = CASES["links in a row"]
    homes = case.start_polygon, case.goal_polygon
    points = [(1, 1, 0), (9, 1, 0), (1, 3, 0)]
    assert follow(case.navmesh, walked(points, [0, 1]), *homes) == 1.5
    assert follow(case.navmesh, walked(points, [0]), *homes) == math.inf
    assert follow(case.navmesh, walked(points, [1, 0]), *homes) == math.inf
    straight = walked([points[0], points[-1]])
    assert follow(case.navmesh, straight, *homes) == 2.0
    backwards = follow(case.navmesh, walked(points[::-1], [1, 0]), *homes[::-1])
    assert backwards == math.inf


def test_following_a_path_from_floor_to_floor():
    case = CASES["two storeys"]
    good = [(1, 1, 0), (11, 2, 0), (11, 8, 4), (1, 9, 4)]
    assert follow(case.navmesh, walked(good), 0, 1) == pytest.approx(case.cost)
    assert follow(case.navmesh, walked([(1, 1, 0), (1, 9, 4)]), 0, 1) == math.inf
    assert follow(case.navmesh, walked([(1, 1, 0), (1, 9, 0)]), 0, 1) == math.inf


def test_random_navmeshes_are_sound_and_of_every_kind():
    seen = set()
    for seed in range(40):
        navmesh = storeys.random_navmesh(np.random.default_rng(seed))
        assert navmesh.validate() == [], f"seed {seed}"
        counts = np.diff(navmesh.polygon_offsets)
        graph = VisibilityGraph(navmesh)
        turned = np.any(navmesh.vertices[:, :2] % storeys.GRID > 0.0)
        seen |= {
            "turned" if turned else "along the axes",
            "merged" if counts.max() > 3 else "triangles",
            "one component" if navmesh.component_count == 1 else "more components",
            "linked" if len(navmesh.links) else "not linked",
            "storeys" if np.ptp(navmesh.vertices[:, 2]) > storeys.STOREY else "one floor",
        }
        places = [place for place, _ in graph.nodes[: len(graph.nodes) - 2 * len(navmesh.links)]]
        if any(math.dist(a, b) < 1e-9 for a, b in itertools.combinations(places, 2)):
            seen.add("corners that touch or lie above each other")
    assert len(seen) == 11, sorted(seen)
