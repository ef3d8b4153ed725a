"""Convex merging, against GEOS and against the ground it started from."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers.merged import make_navmesh
from tests.makers.regions import regions, triangle_mesh, triangulated
from tests.twins import naive_mesh
from walkmesh.topology import corner_polygons, plan_points

pytestmark = pytest.mark.plain_python


def ground_height(mesh, u, v):
    """Return the heights of all triangles over a plan point."""
    return [
        naive_mesh.height_on(mesh.points, triangle, u, v)
        for triangle in mesh.triangles
        if shapely.Polygon(mesh.points[triangle, :2]).buffer(1e-9).covers(shapely.Point(u, v))
    ]


@given(regions())
def test_flat_regions_keep_their_area_and_become_fewer_polygons(region):
    mesh = triangulated(region, lambda u, v: 0.25 * u - 0.5 * v)
    navmesh = make_navmesh(mesh, wm.Agent(), 0.01)
    assert navmesh.validate() == []
    plans = [naive_mesh.plan_polygon(navmesh, p) for p in range(navmesh.polygon_count)]
    assert sum(p.area for p in plans) == pytest.approx(region.area)
    assert shapely.union_all(plans).symmetric_difference(region).area < 1e-9
    for plan in plans:
        assert plan.convex_hull.area == pytest.approx(plan.area)
    # Hertel and Mehlhorn: no diagonal is left that could go without making a corner reflex.
    assert navmesh.component_count == 1
    assert removable_diagonals(navmesh) == []


def removable_diagonals(navmesh):
    result = []
    plans = [naive_mesh.plan_polygon(navmesh, p) for p in range(navmesh.polygon_count)]
    for corner, neighbor in enumerate(navmesh.neighbors):
        polygon = corner_polygons(navmesh)[corner]
        if neighbor > polygon:
            both = shapely.union_all([plans[polygon], plans[neighbor]])
            if both.geom_type == "Polygon" and both.convex_hull.area - both.area < 1e-12:
                result.append((polygon, neighbor))
    return result


@given(regions(), st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.01, 0.1, 0.5]))
def test_no_polygon_leaves_its_ground_by_more_than_the_tolerance(region, seed, tolerance):
    rng = np.random.default_rng(seed)
    mesh = triangulated(region, lambda u, _: 0.3 * np.sin(u / 3.0) + rng.uniform(0.0, 0.05))
    navmesh = make_navmesh(mesh, wm.Agent(), tolerance)
    assert navmesh.validate() == []
    weights = rng.dirichlet((1, 1, 1), size=len(navmesh.triangles))
    for triangle, weight in zip(navmesh.triangles, weights, strict=True):
        u, v, h = weight @ plan_points(navmesh)[triangle]
        distance = min(abs(h - ground) for ground in ground_height(mesh, u, v))
        assert distance <= tolerance + 1e-9
    # The bound is met at the vertices of the ground, if anywhere.
    made = triangle_mesh(plan_points(navmesh), navmesh.triangles)
    for u, v, h in mesh.points:
        distance = min(abs(h - height) for height in ground_height(made, u, v))
        assert distance <= tolerance + 1e-9


def test_vertices_that_no_corner_needs_are_dropped():
    # A square of 4 x 4 cells is one polygon whose sides keep their corners: they are the border.
    u, v = np.meshgrid(np.arange(5.0), np.arange(5.0), indexing="ij")
    ids = np.arange(25).reshape(5, 5)
    a, b, c, d = (x.ravel() for x in (ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]))
    mesh = triangle_mesh(
        np.column_stack([u.ravel(), v.ravel(), np.zeros(25)]),
        np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]),
    )
    navmesh = make_navmesh(mesh, wm.Agent(), 0.01)
    assert navmesh.polygon_count == 1
    assert len(navmesh.vertices) == 16


def test_a_straight_vertex_between_two_polygons_is_dropped_from_both():
    # Two rows of cells at different slopes: the border between them loses its inner vertices.
    u, v = np.meshgrid(np.arange(6.0), np.array([0.0, 1.0, 2.0]), indexing="ij")
    h = np.where(v > 1.0, 0.5, 0.0)
    ids = np.arange(18).reshape(6, 3)
    a, b, c, d = (x.ravel() for x in (ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]))
    mesh = triangle_mesh(
        np.column_stack([u.ravel(), v.ravel(), h.ravel()]),
        np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]),
    )
    navmesh = make_navmesh(mesh, wm.Agent(), 0.01)
    assert navmesh.validate() == []
    assert navmesh.polygon_count == 2
    inner = (plan_points(navmesh)[:, 1] == 1.0) & (plan_points(navmesh)[:, 0] % 5 != 0)
    assert not inner.any()


def test_triangles_keep_apart_where_heights_differ():
    # A roof: two planes that meet at an angle of 90 degrees must not become one polygon.
    points = [(0, 0, 0), (4, 0, 0), (4, 2, 2), (0, 2, 2), (4, 4, 0), (0, 4, 0)]
    triangles = [(0, 1, 2), (0, 2, 3), (3, 2, 4), (3, 4, 5)]
    navmesh = make_navmesh(triangle_mesh(points, triangles), wm.Agent(), 0.01)
    assert navmesh.polygon_count == 2
    assert navmesh.component_count == 1
    assert make_navmesh(triangle_mesh(points, triangles), wm.Agent(), 4.0).polygon_count == 1


@pytest.mark.compiled_only
@pytest.mark.parametrize("length", [0.001, 0.003, 0.01, 0.1])
@pytest.mark.parametrize("radius", [3.0, 100.0])
def test_a_fine_arc_does_not_become_one_polygon(radius, length):
    # A quarter of a ring, a metre wide: straight at every single corner of the inner arc.
    count = min(int(radius * np.pi / 2 / length), 4000)
    angles = np.linspace(0, count * length / radius, count + 1)
    arc = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(count + 1)])
    i = np.arange(count)
    triangles = [(i, i + count + 1, i + 1), (i + 1, i + count + 1, i + count + 2)]
    mesh = triangle_mesh(
        np.concatenate([arc * radius, arc * (radius + 1)]),
        np.concatenate([np.stack(t, axis=1) for t in triangles]),
    )
    navmesh = make_navmesh(mesh, wm.Agent(), 0.01)
    assert navmesh.validate() == []
    for p in range(navmesh.polygon_count):
        plan = naive_mesh.plan_polygon(navmesh, p)
        corners = shapely.points(shapely.get_coordinates(plan))
        assert shapely.distance(plan.convex_hull.boundary, corners).max() <= 1e-5
