"""The referee for surfaces is right where the answer can be worked out by hand."""

import math

import numpy as np
import pytest

import walkmesh as wm
from tests.twins.naive_surface import (
    Referee,
    distances_to_slab,
    distances_to_triangles,
    geodesic_boundary_distance,
    layers_over,
    normals_of,
    sample_faces,
)
from walkmesh import samples
from walkmesh.frame import Frame

AGENT = wm.Agent(height=1.8, radius=0.3, max_step=0.4)


def sampled(scene, n, seed=0):
    """Return points in the plan frame, too."""
    points, faces = sample_faces(scene.vertices, scene.faces, n, seed)
    return points, faces, Frame(scene.up).to_plan(points)


def referee(scene, agent=AGENT, **options):
    return Referee(scene.vertices, scene.faces, agent, **options)


def distance_to_edges(plan, extent):
    """Return the distance of points on a box from the nearest edge of the side they lie on."""
    to_sides = np.sort(np.concatenate([plan, extent - plan], axis=1), axis=1)
    # The nearest side is the one that the point lies on.
    return to_sides[:, 1]


def test_in_a_room_the_nearest_wall_is_in_the_way():
    extent = np.array([6.0, 4.0, 3.0])
    scene = samples.room(*extent, cells=2)
    points, faces, plan = sampled(scene, 300)
    expected = distance_to_edges(plan, extent)
    judge = referee(scene)
    np.testing.assert_allclose(judge.body_distance(points, faces), expected, atol=1e-9)
    near = judge.body_distance(points, faces, within=0.5)
    np.testing.assert_allclose(near, np.where(expected < 0.5, expected, np.inf), atol=1e-9)
    assert judge.has_headroom(points, faces).all()
    free = judge.is_free_of_obstacles(points, faces, AGENT.radius)
    np.testing.assert_array_equal(free, expected >= 0.3)


def test_a_room_lower_than_the_agent_has_headroom_along_its_longer_sides_only():
    scene = samples.room(6.0, 4.0, 1.5)
    points, faces, plan = sampled(scene, 300)
    level = (plan[:, 2] < 1e-9) | (plan[:, 2] > 1.5 - 1e-9)
    np.testing.assert_array_equal(referee(scene).has_headroom(points, faces), ~level)
    # The body meets the ceiling over itself.
    assert np.all(referee(scene).body_distance(points, faces)[level] == 0.0)
    exact = wm.Agent(height=1.5, max_step=0.4)
    assert referee(scene, exact).has_headroom(points, faces).all()


def test_faces_can_be_left_out():
    scene = samples.room(6.0, 4.0, 3.0)
    points, faces, plan = sampled(scene, 100)
    on_floor = plan[:, 2] < 1e-9
    normals = Frame(scene.up).to_plan(normals_of(scene.vertices[scene.faces]))
    walls = np.abs(normals[:, 2]) < 0.5
    for left_out in (walls, np.flatnonzero(walls)):
        judge = referee(scene, left_out=left_out)
        assert np.all(judge.body_distance(points[on_floor], faces[on_floor]) == np.inf)


@pytest.mark.parametrize("angle", [45.0, 60.0, 75.0])
def test_a_ramp_is_in_the_way_from_the_highest_step_on(angle):
    scene = samples.tilted_ramps((angle,), width=40.0, height=20.0)
    points, faces, plan = sampled(scene, 4000)
    before = (np.abs(plan[:, 2]) < 1e-9) & (plan[:, 0] < 0.0) & (np.abs(plan[:, 1] - 20.0) < 15.0)
    points, faces, plan = points[before], faces[before], plan[before]
    assert len(points) > 20
    tangent = math.tan(math.radians(angle))
    found = referee(scene).body_distance(points, faces)
    np.testing.assert_allclose(found, -plan[:, 0] + (0.4 + 1e-4) / tangent, atol=1e-9)


def test_on_a_ramp_the_floor_is_in_the_way_alike():
    scene = samples.tilted_ramps((60.0,), width=40.0, height=20.0, margin=10.0)
    points, faces, plan = sampled(scene, 4000)
    on = (plan[:, 2] > 1e-9) & (np.abs(plan[:, 1] - 20.0) < 5.0)
    on &= np.abs(plan[:, 2] - plan[:, 0] * math.tan(math.radians(60.0))) < 1e-9
    on &= plan[:, 2] < 3.0
    points, faces, plan = points[on], faces[on], plan[on]
    assert len(points) > 20
    along = plan[:, 2] / math.sin(math.radians(60.0))
    expected = along + (0.4 + 1e-4) / math.tan(math.radians(60.0))
    np.testing.assert_allclose(referee(scene).body_distance(points, faces), expected, atol=1e-9)


def test_on_the_outside_of_a_ball_nothing_is_in_the_way():
    scene = samples.sphere(subdivisions=3)
    points, faces, _ = sampled(scene, 200)
    assert np.all(referee(scene).body_distance(points, faces) == np.inf)
    assert referee(scene).has_headroom(points, faces).all()


@pytest.mark.parametrize("height", [1.8, 3.9])
def test_in_a_hollow_ball_the_ground_rises_around(height):
    radius, step = 2.0, 0.4
    scene = samples.sphere(radius, 4, inside=True)
    # In the middles of faces, where their normals are those of the sphere.
    faces = np.arange(0, len(scene.faces), 50)
    points = scene.vertices[scene.faces[faces]].mean(axis=1)
    judge = referee(scene, wm.Agent(height=height, max_step=step))
    lowest = [math.sqrt(2 * radius * h - h * h) for h in (step, height)]
    # Sides are flat, so where the ball closes overhead it is narrower by a few percent.
    np.testing.assert_allclose(judge.body_distance(points, faces), min(lowest), rtol=0.04)
    assert judge.has_headroom(points, faces).all()
    too_high = referee(scene, wm.Agent(height=4.1, max_step=step))
    assert not too_high.has_headroom(points, faces).any()


def test_far_from_the_origin_and_turned_the_answers_are_the_same():
    scene = samples.room(6.0, 4.0, 3.0)
    points, faces, _ = sampled(scene, 50)
    turn, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))
    turn *= np.linalg.det(turn)
    away = np.array([3000.0, -2000.0, 500.0])
    moved = Referee(scene.vertices @ turn + away, scene.faces, AGENT)
    found = moved.body_distance(points @ turn + away, faces)
    np.testing.assert_allclose(found, referee(scene).body_distance(points, faces), atol=1e-6)


def test_samples_are_even_and_lie_on_their_faces():
    scene = samples.room(6.0, 4.0, 3.0)
    points, faces, plan = sampled(scene, 20_000)
    corners, normals = scene.vertices[scene.faces], normals_of(scene.vertices[scene.faces])
    offsets = np.einsum("ij,ij->i", points - corners[faces, 0], normals[faces])
    assert np.abs(offsets).max() < 1e-12
    share = np.mean(np.abs(plan[:, 2]) < 1e-9)
    assert share == pytest.approx(24.0 / 108.0, abs=0.01)
    again, _ = sample_faces(scene.vertices, scene.faces, 20_000, 0)
    np.testing.assert_array_equal(points, again)


def test_parts_of_triangles_are_as_far_away_as_their_points():
    random = np.random.default_rng(3)
    corners = random.normal(size=(200, 3, 3)) + random.normal(size=(200, 1, 3))
    corners[:20, :, 2] = corners[:20, :1, 2]  # level
    corners[20:40, :, 0] = corners[20:40, :1, 0]  # upright
    low, high = -0.3, 0.6
    ticks = np.linspace(0.0, 1.0, 301)
    s, t = (grid[np.add.outer(ticks, ticks) <= 1.0] for grid in np.meshgrid(ticks, ticks))
    found = distances_to_slab(corners, low, high)
    for (a, b, c), away in zip(corners, found, strict=True):
        points = a + s[:, None] * (b - a) + t[:, None] * (c - a)
        points = points[(points[:, 2] >= low) & (points[:, 2] <= high)]
        if len(points) == 0:
            # At most a corner is left, too small for a point of the grid.
            from_ends = np.abs(np.subtract.outer((a[2], b[2], c[2]), (low, high)))
            assert away == np.inf or from_ends.min() < 0.1
        else:
            nearest = np.hypot(points[:, 0], points[:, 1]).min()
            assert nearest - 0.05 < away <= nearest + 1e-9
    assert 50 < np.count_nonzero(np.isfinite(found)) < 200
    assert np.count_nonzero(found == 0.0) > 5


def test_distances_to_triangles():
    corners = np.array([[(0.0, 0, 0), (4, 0, 0), (0, 4, 0)], [(0.0, 0, 5), (4, 0, 5), (0, 4, 5)]])
    for point, away, place in [
        ((1.0, 1, 2), (2, 3), (1, 1, 0)),
        ((-3.0, 0, 4), (5, math.sqrt(10)), (0, 0, 0)),
        ((3.0, 3, 0), (math.sqrt(2), math.sqrt(27)), (2, 2, 0)),
    ]:
        found, places = distances_to_triangles(corners, np.array(point))
        assert found == pytest.approx(away)
        assert places[0] == pytest.approx(place)


def test_layers_are_counted_along_the_normal():
    scene = samples.two_levels(gap=1.0)
    points, faces, _ = sampled(scene, 100)
    normals = normals_of(scene.vertices[scene.faces])[faces]
    for reach, layers in ((0.9, 1), (1.1, 2)):
        assert np.all(layers_over(scene.vertices, scene.faces, points, normals, reach) == layers)
    # The other way round nothing faces as the points do.
    turned = layers_over(scene.vertices, scene.faces[:, ::-1], points, normals, 1.1)
    assert np.all(turned == 0)
    ball = samples.sphere(1.0, 3)
    points, faces, _ = sampled(ball, 100)
    normals = normals_of(ball.vertices[ball.faces])[faces]
    assert np.all(layers_over(ball.vertices, ball.faces, points, normals, 3.0) == 1)


def ways_to_ends(scene, points, faces, **options):
    return geodesic_boundary_distance(scene.vertices, scene.faces, points, faces, **options)


def test_a_floor_ends_at_its_rim():
    scene = samples.terrain(200)
    flat = wm.Scene(scene.vertices * (1.0, 0.0, 1.0), scene.faces)
    points, faces, plan = sampled(flat, 100)
    size = plan.max() // 0.5 * 0.5 + 0.5
    expected = np.minimum(plan[:, :2], size - plan[:, :2]).min(axis=1)
    found = ways_to_ends(flat, points, faces, spacing=0.05)
    assert np.all(found >= expected - 1e-9)
    np.testing.assert_allclose(found, expected, rtol=0.01, atol=0.005)
    near = ways_to_ends(flat, points, faces, spacing=0.05, within=1.0)
    np.testing.assert_allclose(near, np.where(found <= 1.0, found, np.inf))


def test_turns_beyond_the_limits_are_ends():
    extent = np.array([4.0, 4.0, 4.0])
    for inside, limits in ((False, "max_turn_convex"), (True, "max_turn_concave")):
        scene = samples.cube(4.0, 2, inside=inside)
        points, faces, plan = sampled(scene, 100)
        for limit in (90.0, 180.0):
            found = ways_to_ends(scene, points, faces, spacing=0.2, **{limits: limit})
            assert np.all(found == np.inf)
        found = ways_to_ends(scene, points, faces, spacing=0.2, **{limits: 89.0})
        expected = distance_to_edges(plan, extent)
        assert np.all(found >= expected - 1e-9)
        np.testing.assert_allclose(found, expected, rtol=0.01, atol=0.005)
        # The limit of the other kind of turn says nothing.
        other = {"max_turn_convex": 180.0, "max_turn_concave": 180.0, limits: 180.0}
        other["max_turn_concave" if limits == "max_turn_convex" else "max_turn_convex"] = 10.0
        assert np.all(ways_to_ends(scene, points, faces, spacing=0.2, **other) == np.inf)


def test_ways_go_around_bends():
    scene = samples.tunnel(3.0, 10.0, sides=12, cells=5)
    points, faces, plan = sampled(scene, 100)
    found = ways_to_ends(scene, points, faces, spacing=0.1)
    np.testing.assert_allclose(found, np.minimum(plan[:, 0], 10.0 - plan[:, 0]), rtol=0.01)
    # Limits that no edge exceeds change nothing; with one that all exceed each side is alone.
    same = ways_to_ends(scene, points, faces, spacing=0.1, max_turn_concave=30.0)
    np.testing.assert_allclose(same, found)
    narrow = ways_to_ends(scene, points, faces, spacing=0.1, max_turn_concave=29.0)
    assert narrow.max() <= 3.0 * math.sin(math.pi / 12) + 1e-9


def test_ways_go_over_edges():
    block = samples.cube(4.0, 2)
    normals = Frame(block.up).to_plan(normals_of(block.vertices[block.faces]))
    scene = wm.Scene(block.vertices, block.faces[normals[:, 2] < 0.5])
    points, faces, plan = sampled(scene, 100)
    on_bottom = plan[:, 2] < 1e-9
    to_side = np.minimum(plan[:, :2], 4.0 - plan[:, :2]).min(axis=1)
    expected = np.where(on_bottom, 4.0 + to_side, 4.0 - plan[:, 2])
    found = ways_to_ends(scene, points, faces, spacing=0.1)
    assert np.all(found >= expected - 1e-9)
    np.testing.assert_allclose(found, expected, rtol=0.01)
