"""Locating points and finding paths, against brute force and GEOS."""

import itertools
import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers.regions import floors
from tests.twins import naive_mesh
from tests.twins.naive_paths import shortest

pytestmark = pytest.mark.plain_python

FREE = wm.Agent()


@given(floors(), st.integers(0, 2**32 - 1))
def test_nearest_matches_brute_force(floor, seed):
    _, navmesh, _, _ = floor
    rng = np.random.default_rng(seed)
    points = rng.uniform((-3, -3, -3), (13, 13, 8), size=(20, 3))
    found = navmesh.nearest(points)
    for point, polygon, place, distance in zip(
        points, found.polygons, found.points, found.distances, strict=True
    ):
        assert distance == pytest.approx(naive_mesh.nearest(navmesh, point), abs=1e-9)
        assert distance == pytest.approx(np.linalg.norm(point - place), abs=1e-9)
        plan = naive_mesh.plan_polygon(navmesh, polygon)
        assert plan.distance(shapely.Point(place[:2])) < 1e-9


def test_nearest_takes_the_floor_under_the_feet():
    navmesh = wm.build(wm.samples.two_levels(3.0))
    middle = navmesh.vertices.mean(axis=0)
    points = [(middle[0], y, middle[2]) for y in (-1.0, 0.1, 1.4, 1.6, 2.5, 2.7, 9.0)]
    found = navmesh.nearest(points)
    assert found.points[:, 1] == pytest.approx([0, 0, 0, 0, 0, 3, 3])
    # So high over the floor, a point is not on the floor overhead either, although that is near.
    assert navmesh.nearest([points[4]], max_snap=1.0).polygons.tolist() == [-1]
    assert navmesh.nearest(points, max_snap=1.0).polygons.tolist()[-1] == -1
    assert navmesh.nearest(points, max_snap=1.0).distances[-1] == math.inf
    close = [(middle[0], y, middle[2]) for y in (0.4, 0.6)]
    assert navmesh.nearest(close, max_snap=0.5).polygons.tolist() == [0, -1]


@given(floors())
def test_paths_lie_on_the_navmesh_and_are_not_too_short(floor):
    region, navmesh, start, goal = floor
    path = navmesh.find_path(start, goal)
    assert path.status == "complete"
    assert path.points[0] == pytest.approx(start, abs=1e-9)
    assert path.points[-1] == pytest.approx(goal, abs=1e-9)
    plan = path.points[:, :2]
    if len(plan) > 1:
        assert region.buffer(1e-6).covers(shapely.LineString(plan))
    assert path.points[:, 2] == pytest.approx(0.5 * path.points[:, 0], abs=1e-6)
    length = np.linalg.norm(np.diff(plan, axis=0), axis=1).sum()
    assert length >= shortest(region, start[:2], goal[:2]) - 1e-6
    # Every polygon shares an edge with the next.
    for here, there in itertools.pairwise(path.polygons):
        a, b = navmesh.polygon_offsets[here], navmesh.polygon_offsets[here + 1]
        assert there in navmesh.neighbors[a:b]


@given(st.lists(st.tuples(st.floats(-3, 3), st.floats(0.2, 2.0)), min_size=1, max_size=12))
def test_a_path_in_one_corridor_is_the_shortest(gates):
    """Through a row of gates there is one corridor only, so the funnel must find the optimum."""
    points = [(0.0, -0.1, 0.0), (0.0, 0.1, 0.0)]
    for i, (middle, width) in enumerate(gates, start=1):
        points += [(float(i), middle - width, 0.0), (float(i), middle + width, 0.0)]
    count = len(gates)
    corners = np.concatenate([[2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1] for i in range(count)])
    navmesh = wm.NavMesh(points, np.arange(0, 4 * count + 1, 4), corners, up="z")
    outline = points[0::2] + points[1::2][::-1]
    region = shapely.Polygon([p[:2] for p in outline])
    start, goal = (0.0, 0.0, 0.0), (float(count), gates[-1][0], 0.0)
    path = navmesh.find_path(start, goal)
    assert path.status == "complete"
    assert path.length == pytest.approx(shortest(region, start[:2], goal[:2]), abs=1e-6)


@given(st.integers(0, 2**32 - 1))
def test_a_path_through_fans_of_triangles_is_the_shortest(seed):
    """In a strip of triangles many gates share a vertex, on the left or on the right."""
    rng = np.random.default_rng(seed)
    points = [(0.0, -1.0, 0.0), (0.0, 1.0, 0.0)]
    low, high, triangles = 0, 1, []
    for _ in range(rng.integers(3, 14)):
        moved = high if rng.random() < 0.5 else low
        x = points[moved][0]
        side = 1.0 if moved == high else -1.0
        points.append((x + rng.uniform(0.3, 3.0), side * rng.uniform(0.2, 4.0), 0.0))
        triangles.append((low, len(points) - 1, high))
        if moved == high:
            high = len(points) - 1
        else:
            low = len(points) - 1
    plans = [shapely.Polygon([points[i][:2] for i in t]) for t in triangles]
    region = shapely.union_all(plans)
    if min(p.area for p in plans) < 1e-3 or region.area < sum(p.area for p in plans) - 1e-9:
        return  # the strip runs over itself
    if region.geom_type != "Polygon" or not all(p.exterior.is_ccw for p in plans):
        return
    navmesh = wm.NavMesh(
        points, np.arange(0, 3 * len(triangles) + 1, 3), np.ravel(triangles), up="z"
    )
    start, goal = (np.mean([points[i] for i in triangles[k]], axis=0) for k in (0, -1))
    path = navmesh.find_path(start, goal)
    assert path.status == "complete"
    assert path.length == pytest.approx(shortest(region, start[:2], goal[:2]), abs=1e-6)


@pytest.mark.parametrize("parts", [3, 8, 40])
def test_a_path_around_one_vertex_turns_there_and_nowhere_else(parts):
    # Three quarters of a disc, cut into triangles around its middle, and a corridor at either end.
    angles = np.linspace(0.0, 1.5 * np.pi, parts + 1)
    rim = [(2 * np.cos(a), 2 * np.sin(a), 0.0) for a in angles]
    points = [(0.0, 0.0, 0.0), *rim, (0.0, -8.0, 0.0), (2.0, -8.0, 0.0)]
    last = parts + 1
    triangles = [(0, i, i + 1) for i in range(1, last)]
    triangles += [(last + 1, last + 2, 1), (last + 1, 1, 0)]
    navmesh = wm.NavMesh(
        points, np.arange(0, 3 * len(triangles) + 1, 3), np.ravel(triangles), up="z"
    )
    start, goal = (1.0, -6.0, 0.0), (-0.1, -1.9 * np.cos(0.1), 0.0)
    expected = math.hypot(1.0, 6.0) + math.hypot(*goal[:2])
    for ends in ((start, goal), (goal, start)):
        path = navmesh.find_path(*ends)
        assert path.status == "complete"
        assert path.length == pytest.approx(expected, abs=1e-6)


def test_a_path_that_turns_back_keeps_its_turning_point():
    # Two rooms beside a wall without thickness, joined at its end: polygons share one edge only.
    vertices = [(0, 0, 0), (5, 0, 0), (6, 0, 0), (6, 3, 0), (0, 3, 0), (0, 0, 0), (0, -3, 0)]
    navmesh = wm.NavMesh(
        [*vertices, (6, -3, 0)], [0, 5, 10], [0, 1, 2, 3, 4, 5, 6, 7, 2, 1], up="z"
    )
    path = navmesh.find_path((1, 1e-9, 0), (1, -1e-9, 0))
    assert path.length == pytest.approx(8.0, abs=1e-6)
    assert len(path.points) == 3


def test_a_straight_way_has_two_points_and_a_ramp_shows_its_bends():
    navmesh = naive_mesh.grid_mesh(8, 8)
    path = navmesh.find_path((0.5, 0, 0.5), (7.5, 0, 6.5))
    assert len(path.points) == 2
    assert path.length == pytest.approx(math.hypot(7, 6))
    heights = np.tile(np.array([0.0, 0, 0, 0.3, 0.6, 0.6, 0.6, 0.6, 0.6])[:, None], 9)
    path = naive_mesh.grid_mesh(8, 8, heights).find_path((0.5, 0, 4.5), (7.5, 0.6, 4.5))
    assert path.points.tolist() == pytest.approx(
        np.array([(0.5, 0, 4.5), (2, 0, 4.5), (4, 0.6, 4.5), (7.5, 0.6, 4.5)])
    )
    assert path.length == pytest.approx(5.0 + math.hypot(2.0, 0.6))


def test_unreachable_and_too_far():
    navmesh = wm.build(wm.samples.two_levels(3.0))
    middle = navmesh.vertices.mean(axis=0)
    below, above = (middle[0], 0.0, middle[2]), (middle[0], 3.0, middle[2])
    path = navmesh.find_path(below, above)
    assert path.status == "unreachable"
    assert path.points.shape == (0, 3)
    assert path.length == math.inf
    assert navmesh.find_path(below, (middle[0], -1.0, middle[2])).status == "complete"
    far = (middle[0], -2.0, middle[2])
    assert navmesh.find_path(below, far).status == "unreachable"
    assert navmesh.find_path(below, far, max_snap=5.0).status == "complete"


def test_start_is_goal():
    path = naive_mesh.grid_mesh(2, 2).find_path((0.5, 0, 0.5), (0.5, 0, 0.5))
    assert path.status == "complete"
    assert path.length == 0.0


@pytest.mark.parametrize("point", [(0, 0), (0, np.nan, 0), "here", (0, np.inf, 0), None])
def test_what_is_no_point(point):
    navmesh = naive_mesh.grid_mesh(2, 2)
    with pytest.raises(wm.SettingsError, match="goal"):
        navmesh.find_path((0, 0, 0), point)
    with pytest.raises(wm.SettingsError, match="max_snap"):
        navmesh.find_path((0, 0, 0), (1, 0, 1), max_snap=-1.0)


def test_far_from_the_origin():
    scene = wm.samples.house()
    offset = np.array([450_000.0, 100.0, -450_000.0])
    here = wm.build(scene)
    there = wm.build(wm.Scene(scene.vertices + offset, scene.faces))
    ends = np.array([wm.samples.HOUSE_START, wm.samples.HOUSE_GOAL])
    length = here.find_path(*ends).length
    # A build rounds to micrometres, and coordinates so far out have lost digits before that.
    assert there.find_path(*(ends + offset)).length == pytest.approx(length, abs=1e-4)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"polygon_vertices": [0, 1, 4, 9]}, "polygon_vertices has ids out of range"),
        ({"polygon_vertices": [0, 1, -4, 2]}, "polygon_vertices has ids out of range"),
        ({"neighbors": [-1, -1, 7, -1]}, "neighbors has ids out of range"),
        ({"neighbors": [-1, -2, -1, -1]}, "neighbors has ids out of range"),
        ({"vertices": np.full((4, 3), np.nan)}, "not finite"),
    ],
)
def test_a_navmesh_that_would_lead_astray_is_refused(tmp_path, change, words):
    square = naive_mesh.grid_mesh(1, 1)
    arrays = {name: getattr(square, name) for name in ("vertices", "polygon_vertices")}
    navmesh = wm.NavMesh(**(arrays | {"polygon_offsets": [0, 4]} | change))
    assert navmesh.validate()
    assert "not usable" in repr(navmesh)
    for ask in (
        lambda: navmesh.find_path((0, 0, 0), (1, 0, 1)),
        lambda: navmesh.nearest([(0, 0, 0)]),
        lambda: navmesh.area,
        lambda: navmesh.save(tmp_path / "broken.walkmesh"),
    ):
        with pytest.raises(wm.FormatError, match=words):
            ask()
