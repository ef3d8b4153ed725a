"""Rays along the ground, distances to walls, and what stands on the navmesh."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers.merged import make_navmesh
from tests.makers.regions import regions, triangulated
from tests.twins import naive_mesh
from walkmesh.topology import corner_polygons, edge_ends, plan_points

pytestmark = pytest.mark.plain_python


@st.composite
def floors(draw):
    """A region with holes, its navmesh (z up, tilted), and places on it."""
    region = draw(regions())
    navmesh = make_navmesh(triangulated(region, lambda u, _: 0.5 * u), wm.Agent(radius=0), 0.01)
    return region, navmesh, navmesh.sample(12, seed=draw(st.integers(0, 2**32 - 1))).points


@given(floors())
def test_rays_end_where_the_region_does(floor):
    region, navmesh, places = floor
    starts, ends = places[:6], places[6:]
    rays = navmesh.raycast(starts, ends)
    for i in range(6):
        a, b = starts[i, :2], ends[i, :2]
        seen = shapely.LineString([a, b]).intersection(region.buffer(1e-9))
        parts = [p for p in getattr(seen, "geoms", [seen]) if p.distance(shapely.Point(a)) < 1e-8]
        reach = max((part.length for part in parts), default=0.0)
        whole = np.linalg.norm(b - a)
        if abs(reach - whole) < 1e-6 or abs(reach - rays.distances[i]) < 1e-6:
            assert rays.distances[i] == pytest.approx(reach, abs=1e-6)
        else:  # the ray touches a corner: on either side of it is right
            touched = shapely.Point(rays.points[i, :2])
            assert touched.distance(region.boundary) < 1e-6
        assert rays.hits[i] == (rays.distances[i] < whole - 1e-9)
        assert rays.points[i, 2] == pytest.approx(0.5 * rays.points[i, 0], abs=1e-6)
        if rays.hits[i]:
            assert navmesh.neighbors[rays.edges[i]] == -1
            assert corner_polygons(navmesh)[rays.edges[i]] == rays.polygons[i]


@given(floors())
def test_distances_to_walls_are_those_to_the_outline(floor):
    region, navmesh, places = floor
    expected = shapely.distance(region.boundary, shapely.points(places[:, :2]))
    assert navmesh.wall_distance(places) == pytest.approx(expected, abs=1e-6)


@given(floors())
def test_what_is_contained_lies_in_the_region(floor):
    region, navmesh, places = floor
    rng = np.random.default_rng(0)
    moved = places + rng.uniform(-1.0, 1.0, places.shape) * (1, 1, 0)
    moved[:, 2] = 0.5 * moved[:, 0] + rng.uniform(-0.8, 0.8, len(places))
    inside = shapely.contains_xy(region, moved[:, :2])
    near = np.abs(moved[:, 2] - 0.5 * moved[:, 0]) <= navmesh.agent.max_step
    clear = shapely.distance(region.boundary, shapely.points(moved[:, :2])) > 1e-6
    found = navmesh.contains(moved)
    assert np.array_equal(found[clear], (inside & near)[clear])


def test_a_ray_through_the_vertices_of_a_grid():
    navmesh = naive_mesh.grid_mesh(4, 4)
    rays = navmesh.raycast((0.5, 0, 0.5), [(3.5, 0, 3.5), (3.5, 0, 0.5), (9, 0, 9), (0.5, 0, 0.5)])
    assert rays.hits.tolist() == [False, False, True, False]
    assert rays.points[2] == pytest.approx([4, 0, 4])
    assert rays.distances.tolist() == pytest.approx([3 * math.sqrt(2), 3, 3.5 * math.sqrt(2), 0])


def test_a_ray_along_an_edge_and_along_the_boundary():
    navmesh = naive_mesh.grid_mesh(4, 4)
    rays = navmesh.raycast([(0, 0, 2), (0, 0, 0), (2, 0, 2)], [(4, 0, 2), (4, 0, 0), (2, 0, 9)])
    assert rays.distances.tolist() == pytest.approx([4, 4, 2])


def test_a_ray_that_starts_nowhere():
    rays = naive_mesh.grid_mesh(2, 2).raycast((9, 9, 9), (1, 0, 1))
    assert rays.hits.tolist() == [True]
    assert rays.polygons.tolist() == [-1]
    assert rays.distances.tolist() == [0.0]
    assert rays.points.tolist() == [[9, 9, 9]]


def test_walls_of_another_floor_do_not_count():
    navmesh = wm.build(wm.samples.two_levels(3.0), wm.Agent(radius=0))
    low, high = navmesh.vertices.min(axis=0), navmesh.vertices.max(axis=0)
    middle = (low + high) / 2.0
    for y in (0.0, 3.0):
        place = np.array([middle[0], y, middle[2]])
        component = navmesh.components[navmesh.nearest([place]).polygons[0]]
        mine = navmesh.components[corner_polygons(navmesh)] == component
        walls = mine & (navmesh.neighbors < 0)
        lines = shapely.linestrings(
            np.stack(
                [
                    plan_points(navmesh)[navmesh.polygon_vertices[walls], :2],
                    plan_points(navmesh)[edge_ends(navmesh)[walls], :2],
                ],
                axis=1,
            )
        )
        here = shapely.Point(navmesh.frame.to_plan(place[None])[0, :2])
        expected = shapely.distance(lines, here).min()
        assert navmesh.wall_distance([place])[0] == pytest.approx(expected, abs=1e-9)
