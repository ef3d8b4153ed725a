"""The sample scenes are what their docstrings say."""

import numpy as np
import pytest
import shapely

import walkmesh as wm
from tests.checks.plan_triangles import (
    area,
    components,
    enclosed_volume,
    hits,
    normals_and_areas,
    plan_triangles,
    unmatched_edges,
    upward,
)
from walkmesh import samples
from walkmesh.samples import houses
from walkmesh.samples.soup import Soup


def test_floor_is_one_rectangle():
    triangles = upward(samples.floor(width=10, depth=8))
    assert len(triangles) == 2
    assert area(triangles) == pytest.approx(80.0)
    assert len(components(triangles)) == 1


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_up_only_turns_the_scene(up):
    turned = plan_triangles(samples.box_room(up=up))
    np.testing.assert_array_equal(turned, plan_triangles(samples.box_room(up="z")))


def test_box_room_is_closed_walls_on_a_floor():
    triangles = plan_triangles(samples.box_room(6.0, 4.0, 2.5, 0.2))
    floor, walls = triangles[:2], triangles[2:]
    assert area(floor) == pytest.approx(6.4 * 4.4)
    assert unmatched_edges(walls) == 0
    assert enclosed_volume(walls) == pytest.approx(2.5 * (6.4 * 4.4 - 6.0 * 4.0))
    normals, areas = normals_and_areas(walls)
    assert areas[normals[:, 2] > 0.5].sum() == pytest.approx(2 * 0.2 * (6.0 + 4.0 + 0.4))


@pytest.mark.parametrize(("max_slope", "count"), [(45.0, 1), (29.0, 2)])
def test_ramp_has_its_slope_and_holds_together(max_slope, count):
    scene = samples.ramp(slope_degrees=30.0, length=5.0, width=2.0)
    assert unmatched_edges(plan_triangles(scene)) == 0
    triangles = upward(scene)
    normals, areas = normals_and_areas(triangles)
    sloping = normals[:, 2] < 0.999
    assert np.degrees(np.arccos(normals[sloping, 2])) == pytest.approx(30.0, abs=0.01)
    assert areas[sloping].sum() == pytest.approx(10.0 / np.cos(np.radians(30.0)), abs=1e-3)
    assert areas[~sloping].sum() == pytest.approx(4.0)
    assert len(components(upward(scene, max_slope))) == count


def test_two_levels_lie_one_over_the_other():
    parts = components(upward(samples.two_levels(gap=2.5, width=6.0, depth=4.0)))
    assert [area(part) for part in parts] == pytest.approx([24.0, 24.0])
    assert sorted(part[0, 0, 2] for part in parts) == [0.0, 2.5]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_terrain_is_one_gentle_component(seed):
    scene = samples.terrain(2_000, seed)
    triangles = plan_triangles(scene)
    cells = 32
    assert len(triangles) == 2 * cells**2
    assert len(scene.vertices) == (cells + 1) ** 2
    normals, _ = normals_and_areas(triangles)
    assert np.degrees(np.arccos(normals[:, 2].min())) <= 35.3
    assert len(components(triangles)) == 1
    flat = triangles.copy()
    flat[:, :, 2] = 0.0
    assert area(flat) == pytest.approx((cells / 2) ** 2)


def test_terrain_depends_on_its_seed_only():
    first, again, other = samples.terrain(200, 7), samples.terrain(200, 7), samples.terrain(200, 8)
    np.testing.assert_array_equal(first.vertices, again.vertices)
    assert np.any(first.vertices != other.vertices)


@pytest.mark.parametrize("along", ["u", "v", "h"])
def test_prisms_are_closed_and_face_outwards(along):
    soup = Soup()
    ring = shapely.box(0, 0, 3, 2).difference(shapely.box(1, 0.5, 2, 1.5))
    soup.prism(ring, 1.0, 5.0, along)
    triangles = plan_triangles(soup.scene("z"))
    assert unmatched_edges(triangles) == 0
    assert enclosed_volume(triangles) == pytest.approx(20.0)
    axis = "uvh".index(along)
    assert (triangles[:, :, axis].min(), triangles[:, :, axis].max()) == (1.0, 5.0)


@pytest.fixture(scope="module")
def house():
    return samples.house()


@pytest.fixture(scope="module")
def house_components(house):
    return components(upward(house))


def test_the_house_has_no_useless_triangle(house):
    assert house.left_out.total == 0


def test_the_floors_of_the_house_are_one_component(house_components):
    ground, top_of_ramp, upper = 170.155, 15.0 * np.sqrt(1.09), 92.75
    largest, second = house_components[:2]
    assert area(largest) == pytest.approx(ground + top_of_ramp + upper)
    assert area(second) < 4.0
    at_ground = np.all(largest[:, :, 2] == 0.0, axis=1)
    on_upper = np.all(largest[:, :, 2] == 3.0, axis=1)
    assert area(largest[at_ground]) == pytest.approx(ground)
    assert area(largest[on_upper]) == pytest.approx(upper)
    ramp = largest[~at_ground & ~on_upper]
    assert area(ramp) == pytest.approx(top_of_ramp)
    normals, _ = normals_and_areas(ramp)
    assert np.degrees(np.arccos(normals[:, 2])) == pytest.approx(np.degrees(np.arctan(0.3)))


def test_the_floors_add_up_by_hand():
    south, north, hall = 3.7, 2.6, 11.6 * 2.0 - 4.2
    door, outer_door = 0.9 * 0.15, 0.9 * 0.2
    yard = 15.0 * 13.5 - 12.0 * 9.0 - 10.0 * 1.6 - 2 * 0.2**2
    rooms = hall + (6.8 + 4.65) * south + (4.3 + 1.95 + 5.05) * north
    assert houses.ground_plan().area == pytest.approx(yard + rooms + 6 * door + outer_door)
    rooms = hall - 0.53 + (4.8 + 4.95 + 1.55) * south + (3.6 + 4.5 + 3.2) * north
    assert houses.upper_plan().area == pytest.approx(rooms + 6 * door + outer_door + 1.4 * 1.5)


@pytest.mark.parametrize(
    ("plan", "walls", "parts"),
    [
        (houses.ground_plan(), houses.GROUND_WALLS, 6 + 1),  # the yard
        (houses.upper_plan(), houses.UPPER_WALLS, 7 + 1),  # the landing
    ],
)
def test_rooms_are_joined_by_doorways_only(plan, walls, parts):
    assert plan.geom_type == "Polygon"
    assert sum(len(wall.doors) for wall in walls) == 7
    closed = plan.difference(shapely.union_all([shapely.box(*rectangle(w)) for w in walls]))
    assert len(closed.geoms) == parts


def rectangle(wall):
    return wall.west, wall.south, wall.east, wall.north


def test_the_library_has_one_doorway():
    goal_v, _, goal_u = samples.HOUSE_GOAL
    shut = houses.upper_plan().difference(shapely.box(3.8, 7.0, 3.95, 7.9))
    library = min(shut.geoms, key=lambda part: part.area)
    assert library.area == pytest.approx(11.7)
    assert library.contains(shapely.Point(goal_u, goal_v))


@pytest.mark.parametrize("point", [samples.HOUSE_START, samples.HOUSE_GOAL])
def test_start_and_goal_stand_free_on_the_floor(house, house_components, point):
    v, h, u = point
    floor = house_components[0]
    here = floor[hits(floor, (u, v))]
    assert h in here[:, :, 2]
    triangles = plan_triangles(house)
    over = triangles[
        np.array([shapely.Polygon(t[:, :2]).distance(shapely.Point(u, v)) < 0.3 for t in triangles])
    ]
    low, high = over[:, :, 2].min(axis=1), over[:, :, 2].max(axis=1)
    assert not np.any((high > h + 0.01) & (low < h + 1.8))


def test_stairs_of_the_house(house_components):
    rise = 3.0 / 16
    treads = [
        part[0, 0, 2]
        for part in house_components
        if np.all((part[:, :, 0] >= 4.0) & (part[:, :, 0] <= 8.2))
        and np.all((part[:, :, 1] >= 5.05) & (part[:, :, 1] <= 6.05))
    ]
    assert sorted(treads) == pytest.approx(rise * np.arange(1, 16))


def test_doors_have_lintels_and_walls_are_closed():
    wall = houses.Wall(0.0, 0.0, 4.0, 0.2, doors=(1.0, 2.5))
    soup = Soup()
    wall.add_to(soup, 3.0)
    triangles = plan_triangles(soup.scene("z"))
    assert unmatched_edges(triangles) == 0
    assert enclosed_volume(triangles) == pytest.approx(0.2 * (4.0 * 2.7 - 2 * 0.9 * 2.0))
    normals, _ = normals_and_areas(triangles)
    lintels = triangles[(normals[:, 2] < -0.5) & (triangles[:, :, 2].min(axis=1) > 3.0)]
    assert np.all(lintels[:, :, 2] == 5.0)
    assert area(lintels) == pytest.approx(2 * 0.9 * 0.2)


@pytest.mark.parametrize("floors", [1, 3])
def test_offices(floors):
    building = samples.office_building(floors)
    for radius in (0.0, 0.449):
        navmesh = wm.build(building, wm.Agent(radius=radius))
        assert navmesh.validate() == []
        assert navmesh.component_count == 1
    shut = wm.build(building, wm.Agent(radius=0.451))
    assert shut.validate() == []
    rooms = [(x, y, 0) for x in (2.0, 6.0, 10.0, 14.0, 18.0) for y in (3.0, 9.0)]
    assert len(set(shut.components[shut.nearest(rooms, max_snap=0.5).polygons])) == 10
    with pytest.raises(wm.SettingsError, match="floors is 0; it must be"):
        samples.office_building(0)
