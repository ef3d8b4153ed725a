"""Faults of the exact method that were found once, and what mended them."""

import numpy as np
import pytest

import walkmesh as wm
from tests.makers.scenes import SCENES, needs_scenes
from walkmesh import samples
from walkmesh.builder.exact.stages.detail import _without_straight_corners
from walkmesh.topology import plan_points

FLOOR = np.array([(0.0, 0.0, 0.0), (0.0, 0.0, 8.0), (10.0, 0.0, 8.0), (10.0, 0.0, 0.0)])
FLOOR_FACES = np.array([(0, 1, 2), (0, 2, 3)])


def scene_of(*parts):
    """Return a scene of parts, each vertices and faces."""
    vertices, faces, count = [], [], 0
    for part_vertices, part_faces in parts:
        vertices.append(part_vertices)
        faces.append(np.asarray(part_faces) + count)
        count += len(part_vertices)
    return wm.Scene(np.concatenate(vertices), np.concatenate(faces))


def post(x, z, radius, height, sides):
    """Return the sides and the top of an upright prism."""
    angles = np.arange(sides) * 2.0 * np.pi / sides
    ring = np.column_stack([x + radius * np.cos(angles), z + radius * np.sin(angles)])
    low = np.insert(ring, 1, 0.0, axis=1)
    high = np.insert(ring, 1, height, axis=1)
    faces = []
    for i in range(sides):
        j = (i + 1) % sides
        faces += [(i, sides + i, j), (j, sides + i, sides + j)]
        if i > 1:
            faces.append((sides, sides + i, sides + i - 1))
    return np.concatenate([low, high]), faces


@pytest.mark.parametrize("shift", [0.0, 0.0005, 0.001, 0.002, 0.003, 0.005])
@pytest.mark.parametrize("sides", [8, 16, 32])
def test_posts_that_come_twice_are_kept_away_from(shift, sides):
    vertices, faces = post(3.0, 6.0, 0.1, 2.0, sides)
    scene = scene_of((FLOOR, FLOOR_FACES), (vertices, faces), (vertices + shift, faces))
    navmesh = wm.build(scene)
    inner = 0.1 * np.cos(np.pi / sides)  # from the axis to the middle of a side
    near = navmesh.nearest([(3.0, 0.0, 6.0)], max_snap=1.0).distances[0]
    assert inner + 0.3 - 1e-6 <= near <= inner + 0.3 + 0.02
    assert navmesh.validate() == []


@pytest.mark.parametrize(
    "corners",
    [
        [(2.906, 0.102, 0.422), (3.225, 0.121, 0.415), (5.039, 0.124, 1.805)],
        [(5.011, -0.241, 2.363), (4.577, 0.041, 1.77), (4.554, 0.21, 0.614)],
    ],
)
def test_thin_plates_just_over_a_floor_leave_no_t_junction(corners):
    plate = np.array(corners), [(0, 1, 2), (0, 2, 1)]
    assert wm.build(scene_of((FLOOR, FLOOR_FACES), plate)).validate() == []


@pytest.mark.parametrize("size", [1e5, 1e9, 1e12])
def test_very_large_floors_are_no_more_work(size):
    corners = [(0, 0, 0), (0, 0, size), (size, 0, size), (size, 0, 0)]
    navmesh = wm.build(wm.Scene(np.array(corners, dtype=np.float64), FLOOR_FACES))
    assert navmesh.polygon_count == 1
    assert navmesh.area == pytest.approx((size - 0.6) ** 2, rel=1e-9)


@pytest.mark.parametrize("height", [2.0, 2.6, 3.5])
def test_the_foot_of_a_ramp_is_joined_to_the_floor_as_far_as_a_step(height):
    ramp = np.array([(4.0, height, 1.0), (4.0, 0.0, 7.0), (6.0, 0.0, 7.0), (6.0, height, 1.0)])
    scene = scene_of((FLOOR, FLOOR_FACES), (ramp, FLOOR_FACES))
    navmesh = wm.build(scene, method=wm.Exact(min_patch_area=0.0))
    result = wm.evaluate(scene, navmesh, samples=3000)
    assert result.recall.value >= 0.999
    assert result.precision.value >= 0.999


def test_patches_that_come_apart_late_are_left_out_too():
    rng = np.random.default_rng(0)
    middles = rng.uniform((1.0, 0.05, 1.0), (9.0, 0.35, 7.0), (60, 3))
    corners = (middles[:, None] + rng.uniform(-0.3, 0.3, (60, 3, 3))).reshape(-1, 3)
    loose = corners, np.arange(len(corners)).reshape(-1, 3)
    navmesh = wm.build(scene_of((FLOOR, FLOOR_FACES), loose))
    a, b, c = (plan_points(navmesh)[navmesh.triangles[:, k], :2] for k in range(3))
    ab, ac = b - a, c - a
    area = (ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]) / 2.0
    parts = np.bincount(navmesh.components[navmesh.triangle_polygons], weights=area)
    assert parts.min() >= 0.09  # of the 0.1 that are asked for; simplification takes a little
    assert navmesh.validate() == []


@pytest.mark.parametrize(
    "settings",
    [
        {"stair_slope": 5.0},
        {"gap_distance": 0.6},
        {"arc_error": 1e-9},
        {"arc_error": 2.0},
        {"boundary_tolerance": 1.5},
    ],
)
def test_settings_beyond_sense_are_refused(settings):
    with pytest.raises(wm.SettingsError, match=next(iter(settings))):
        wm.Exact(**settings)


def turned(u, v, height, angle):
    """Return points (u, v) at a height, turned about the vertical by an angle in degrees."""
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    u, v = np.asarray(u), np.asarray(v)
    return np.stack(np.broadcast_arrays(cos * u - sin * v, height, -sin * u - cos * v), axis=-1)


def plate(low, high, angle=0.0, height=0.0):
    """Return a level plate between two corners, turned about the origin."""
    (u, v), (u_end, v_end) = low, high
    return turned([u, u_end, u_end, u], [v, v, v_end, v_end], height, angle), FLOOR_FACES


# The width of the slit between two plates, and what lies between each of them and a third.
@pytest.mark.parametrize(
    ("slit", "left", "right"),
    [
        (0.025, 0.025, 0.001),
        (0.025, 0.01, 0.01),
        (0.029, 0.01, 0.01),
        (0.02, 0.001, 0.025),
        (0.0299, 0.025, 0.01),
    ],
)
@pytest.mark.parametrize("angle", [0, 15, 30, 60, 105, 180, 270, 330])
def test_slits_that_meet_close_at_any_angle(slit, left, right, angle):
    navmesh = wm.build(
        scene_of(
            plate((0, 0), (5, 5), angle),
            plate((-3, -6), (0, -left), angle),
            plate((slit, -6), (3, -right), angle),
        )
    )
    assert navmesh.component_count == 1
    start, goal = turned([-2.0, 2.0], [-5.0, -5.0], 0.0, angle)
    path = navmesh.find_path(start, goal)
    assert path.length == pytest.approx(4.0, abs=1e-3)
    assert navmesh.validate() == []


@pytest.mark.parametrize("angle", [0.0, 11.25, 22.5])
def test_flat_low_things_are_stepped_over_at_any_angle(angle):
    vertices, faces = plate((4, -5.1), (4.57, -2.9), angle, height=0.2)
    upside_down = vertices, faces[:, ::-1]
    navmesh = wm.build(scene_of(plate((0, -5), (10, -3), angle), upside_down))
    start, goal = turned([1.0, 9.0], [-4.0, -4.0], 0.0, angle)
    assert navmesh.find_path(start, goal).status == "complete"


@pytest.mark.parametrize("width", [0.6005, 0.601, 0.605, 0.61, 0.62])
def test_the_ends_of_narrow_strips_stay(width):
    navmesh = wm.build(scene_of(plate((0, 0), (width, 5))), method=wm.Exact(min_patch_area=0.0))
    assert navmesh.area == pytest.approx((width - 0.6) * 4.4, rel=0.11)


@pytest.mark.parametrize("thickness", [0.0, 0.1, 0.5])
def test_walls_at_the_edge_of_a_floor_have_thickness(thickness):
    ring = np.concatenate([FLOOR, FLOOR + (0.0, 2.5, 0.0)])
    walls = [(i, (i + 1) % 4, 4 + i) for i in range(4)]
    walls += [((i + 1) % 4, 4 + (i + 1) % 4, 4 + i) for i in range(4)]
    navmesh = wm.build(
        scene_of((FLOOR, FLOOR_FACES), (ring, walls)), method=wm.Exact(wall_thickness=thickness)
    )
    inset = 2.0 * (0.3 + thickness)
    assert navmesh.area == pytest.approx((10.0 - inset) * (8.0 - inset), abs=1e-6)


# A sliver between the doorway and the room collapsed, and the two no longer shared an edge.
@pytest.mark.parametrize(("width", "angle"), [(1.02, 45), (1.1, 45), (1.14, 45), (1.14, 77)])
def test_doorways_beside_a_sliver_stay_open(width, angle):
    navmesh = wm.build(samples.doorways((width,), angle=angle))
    assert navmesh.component_count == 1
    assert navmesh.validate() == []


@pytest.mark.parametrize("width", [8e-6, 2e-4, 0.01])
def test_a_scene_of_nothing_but_slivers_says_that_the_agent_cannot_stand(width):
    strip = np.array([(0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (width, 0.0, 1.0)])
    with pytest.raises(wm.BuildError, match="can stand nowhere"):
        wm.build(wm.Scene(strip, [(0, 1, 2)]))


@needs_scenes
@pytest.mark.parametrize(
    ("name", "scale"), [("librequake/lq_e1m1.obj", 1.0), ("game-maps-obj/zdm2.obj", 0.1)]
)
def test_real_scenes_can_be_walked_by_low_agents(name, scale):
    scene = wm.load_scene(SCENES / name, scale=scale)
    navmesh = wm.build(scene, wm.Agent(height=0.5, radius=0.2, max_step=0.2))
    assert not navmesh.validate()
    assert navmesh.area > 1000.0


def test_corners_at_one_place_are_no_reason_to_lose_the_corner():
    corners = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 0), (0, 1, 0)], dtype=np.float64)
    corners[3] += 1e-15
    offsets, left = _without_straight_corners(np.array([0, 5], dtype=np.int32), corners)
    assert offsets.tolist() == [0, 4]
    assert np.allclose(left[:, :2], [(0, 0), (1, 0), (1, 1), (0, 1)])
