"""Both triangulators of floor plans: the greedy one, and the constrained Delaunay one."""

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.checks.plan_checks import (
    adjacency_faults,
    component_areas,
    cover_faults,
    edges_of,
    part_areas,
)
from tests.makers.random_plans import pack, random_plan, rings_of
from tests.twins.naive_plan import greedy_triangles
from walkmesh.builder.plan.greedy import MAX_VERTICES, triangulate_greedily
from walkmesh.builder.triangulation import triangulate
from walkmesh.errors import BuildError

pytestmark = pytest.mark.plain_python

TRIANGULATORS = {"delaunay": triangulate, "greedy": triangulate_greedily}
both = pytest.mark.parametrize("method", TRIANGULATORS)
seeds = st.integers(0, 2**32 - 1)
SQUARE = [(0, 0), (12, 0), (12, 12), (0, 12)]


def check(method, points, offsets, corners, free):
    """Hold the triangles of a plan against its rings and its free space, and return them."""
    triangles = TRIANGULATORS[method](points, offsets, corners)
    assert cover_faults(points, offsets, corners, triangles) == []
    assert adjacency_faults(points, offsets, corners, triangles) == []
    assert component_areas(points, triangles) == part_areas(free)
    return triangles


def check_rings(method, rings, *, shared=False):
    """Do the same for a floor, which is the first of the rings, with holes."""
    return check(method, *pack(rings, shared=shared), shapely.Polygon(rings[0], rings[1:]))


@pytest.mark.compiled_only
@given(seeds, st.integers(1, 60), st.sampled_from([3, 7, 1000]), st.booleans(), st.booleans())
@pytest.mark.parametrize(("method", "scale"), [("greedy", 1), ("delaunay", 8)])
@settings(max_examples=40)
def test_random_plans(method, scale, seed, obstacles, step, flat, shared):
    plan = random_plan(seed, scale * obstacles, step=step, flat=flat, shared=shared)
    triangles = check(method, *plan)
    # All triangulations of the same vertices have the same number of triangles.
    assert len(triangles) == len(triangulate(*plan[:3]))


@given(seeds, st.integers(1, 4), st.sampled_from([2, 3, 50]), st.booleans(), st.booleans())
@settings(max_examples=40)
def test_the_greedy_triangles_are_those_of_the_slow_twin(seed, obstacles, step, flat, between):
    plan = random_plan(seed, obstacles, step=step, flat=flat)
    triangles = triangulate_greedily(*plan[:3], between=between)
    expected = greedy_triangles(*plan[:3], between=between)
    assert [tuple(map(tuple, t)) for t in plan.points[triangles].tolist()] == expected


@pytest.mark.compiled_only
@given(seeds, st.integers(1, 30), st.booleans())
def test_without_the_between_test_triangles_still_cover_the_plan(seed, obstacles, flat):
    plan = random_plan(seed, obstacles, step=3, flat=flat)
    triangles = triangulate_greedily(*plan[:3], between=False)
    assert cover_faults(*plan[:3], triangles) == []


def test_a_vertex_between_the_ends_of_an_edge_blocks_an_adjacency():
    # The square's diagonal runs over the obstacle's corner at (6, 6).
    rings = [SQUARE, [(6, 6), (10, 4), (8, 2)]]
    plan = pack(rings)
    blocked = triangulate_greedily(*plan, between=False)
    assert [0, 2, 3] in blocked.tolist()
    assert cover_faults(*plan, blocked) == []
    assert adjacency_faults(*plan, blocked) == [
        "an edge that is no ring edge has no neighbour",
        "a vertex lies in the middle of an edge",
    ]
    # The triangle beyond the diagonal is cut off.
    assert len(component_areas(plan[0], blocked)) == 2
    assert len(component_areas(plan[0], check_rings("greedy", rings))) == 1


def test_a_vertex_between_the_ends_of_a_wall():
    plan = pack([[(0, 8), (0, 0), (8, 0), (8, 8), (4, 8)]])
    blocked = triangulate_greedily(*plan, between=False)
    assert "a ring edge is not the edge of exactly one triangle" in adjacency_faults(*plan, blocked)
    assert adjacency_faults(*plan, triangulate_greedily(*plan)) == []


@both
def test_an_obstacle_that_is_a_triangle_is_none_of_the_triangles(method):
    triangles = check_rings(method, [SQUARE, [(3, 3), (3, 9), (9, 3)]])
    assert {4, 5, 6} not in [set(t) for t in triangles.tolist()]


@both
def test_triangles_hold_no_obstacles(method):
    floor = [(0, 0), (100, 0), (0, 100)]
    check_rings(
        method, [floor, [(20, 20), (20, 24), (24, 24), (24, 20)], [(40, 20), (40, 21), (41, 20)]]
    )
    # Its corners lie on the edges of the triangle that it is in.
    inscribed = [(50, 0), (0, 50), (50, 50)]
    split = [(0, 0), (50, 0), (100, 0), (50, 50), (0, 100), (0, 50)]
    plan = pack([split, inscribed])
    triangles = TRIANGULATORS[method](*plan)
    assert len(triangles) == 3
    assert adjacency_faults(*plan, triangles) == []
    assert len(triangulate_greedily(*plan, between=False)) == 3


@both
def test_an_obstacle_that_fills_the_plan_leaves_nothing(method):
    free = shapely.difference(shapely.box(0, 0, 9, 9), shapely.box(-1, -1, 9, 12))
    plan = pack(rings_of(free))
    assert check(method, *plan, free).shape == (0, 3)
    assert TRIANGULATORS[method](np.empty((0, 2), int), [0], []).shape == (0, 3)
    assert TRIANGULATORS[method](SQUARE, [0, 0, 4, 4], [0, 1, 2, 3]).shape == (2, 3)


@both
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize(
    "rings",
    [
        # obstacles that touch each other in a point
        [SQUARE, [(2, 2), (2, 6), (6, 6), (6, 2)], [(6, 6), (6, 10), (10, 10), (10, 6)]],
        # an obstacle that touches the floor's corner, and one that touches its side
        [SQUARE, [(0, 0), (4, 6), (6, 4)]],
        [[(0, 0), (6, 0), *SQUARE[1:]], [(6, 0), (4, 4), (8, 4)]],
        # floors that touch in a point, and along a wall without a width
        [SQUARE, [(12, 12), (20, 12), (12, 20)]],
        [SQUARE, [(12, 0), (20, 0), (12, 12)]],
        # a ring that touches itself
        [[(0, 0), (6, 6), (12, 0), (12, 12), (6, 6), (0, 12)]],
        # an island in an obstacle, which touches it
        [SQUARE, [(2, 2), (2, 10), (10, 10), (10, 2)], [(2, 2), (8, 4), (4, 8)]],
        # aligned corners, which are on one line with the floor's
        [SQUARE, [(3, 3), (3, 5), (5, 5), (5, 3)], [(7, 7), (7, 9), (9, 9), (9, 7)]],
    ],
)
def test_rings_that_touch(method, rings, shared):
    plan = pack(rings, shared=shared)
    triangles = TRIANGULATORS[method](*plan)
    assert cover_faults(*plan, triangles) == []
    assert adjacency_faults(*plan, triangles) == []


def test_both_give_corners_the_same_vertices():
    # Four triangles around (6, 6), each with a vertex of its own there.
    rings = [[(6, 6), (0, 5), (5, 0)], [(6, 6), (7, 0), (12, 5)], [(6, 6), (12, 7), (7, 12)]]
    rings.append([(5, 12), (0, 7), (6, 6)])
    found = [edges_of(method(*pack(rings))) for method in TRIANGULATORS.values()]
    assert set(found[0]) == set(found[1])


def test_the_largest_extent():
    far = (1 << 30) - 1
    plan = pack([[(0, 0), (far, 0), (far, far), (1, far - 1), (0, far)]])
    triangles = triangulate_greedily(*plan)
    assert adjacency_faults(*plan, triangles) == []
    assert len(triangles) == 3
    with pytest.raises(BuildError, match="extent"):
        triangulate_greedily([(0, 0), (far + 1, 0), (0, 5)], [0, 3], [0, 1, 2])


def test_too_many_vertices():
    count = MAX_VERTICES + 1
    points = [(k, k * k) for k in range(count)]
    message = f"the plan has {count} vertices; .* at most {MAX_VERTICES}, and 'delaunay' any number"
    with pytest.raises(BuildError, match=message):
        triangulate_greedily(points, [0, count], range(count))


@pytest.mark.parametrize(
    ("rings", "what"),
    [
        ([[(0, 0), (4, 4), (4, 0), (0, 4)]], "cross"),
        ([[(0, 0), (8, 0), (8, 8), (0, 8)], [(4, 0), (2, 4), (6, 4)]], "middle of a ring edge"),
        ([[(0, 0), (0, 4), (4, 4), (4, 0)]], "left of every ring edge"),
        ([[(0, 0), (4, 0), (0, 4)], [(0, 0), (4, 0), (0, 4)]], "same direction"),
        ([[(3, 3)]], "no length"),
        # an obstacle on the whole floor, which should have left no rings
        ([SQUARE, SQUARE[::-1]], "left of every ring edge"),
    ],
)
def test_rings_that_bound_nothing(rings, what):
    for method in TRIANGULATORS.values():
        with pytest.raises(BuildError, match=what):
            method(*pack(rings))


def test_wrong_arguments():
    points, ring = [(0, 0), (4, 0), (0, 4)], [0, 1, 2]
    for arguments, what in (
        ((np.zeros((3, 2)), [0, 3], ring), "integers"),
        ((points, [0, 2], ring), "ascend"),
        ((points, [1, 3], ring), "first offset"),
        ((points, [0, 3], [0, 1, 3]), "vertex ids"),
    ):
        with pytest.raises(BuildError, match=what):
            triangulate_greedily(*arguments)
