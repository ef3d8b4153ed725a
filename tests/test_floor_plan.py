"""Floor plans: what is accepted as an outline, and what is said about the rest."""

import numpy as np
import pytest
import shapely

import walkmesh as wm
from tests.makers.plans import rectangle

ROOM = rectangle(8, 5)
BOW_TIE = [(0, 0), (2, 2), (2, 0), (0, 2)]


@pytest.mark.parametrize(
    "boundary",
    [
        ROOM,
        np.array(ROOM),
        np.array(ROOM)[::-1],
        [ROOM],
        [*ROOM, ROOM[0]],
        shapely.Polygon(ROOM),
        shapely.MultiPolygon([shapely.Polygon(ROOM)]),
        [rectangle(3, 5), rectangle(5, 5, (3, 0))],
        [rectangle(5, 5), rectangle(5, 5, (3, 0)), [(0, 0), (1, 0), (1, 1)]],
    ],
)
def test_outlines_in_any_form(boundary):
    plan = wm.FloorPlan(boundary)
    assert plan.boundary.area == 40.0
    assert len(plan.boundary.geoms) == 1
    assert plan.bounds.tolist() == [[0, 0], [8, 5]]
    assert repr(plan) == "FloorPlan(8 x 5 m, 0 obstacles, 0 walls, height=0)"


def test_one_obstacle_needs_no_list():
    assert len(wm.FloorPlan(ROOM, rectangle(1, 1, (1, 1))).obstacles) == 1
    assert len(wm.FloorPlan(ROOM, [rectangle(1, 1, (1, 1)), BOW_TIE[:3]]).obstacles) == 2
    assert len(wm.FloorPlan(ROOM, walls=[(0, 0), (1, 1)]).walls) == 1
    assert len(wm.FloorPlan(ROOM, walls=shapely.LineString([(0, 0), (1, 1)])).walls) == 1


def test_holes_of_obstacles_are_free():
    ring = shapely.box(1, 1, 4, 4).difference(shapely.box(2, 2, 3, 3))
    navmesh = wm.build(wm.FloorPlan(ROOM, [ring]), wm.Agent(radius=0))
    assert navmesh.area == pytest.approx(40 - 9 + 1)
    assert navmesh.component_count == 2


def test_without_a_boundary_it_is_the_rectangle_around_everything():
    plan = wm.FloorPlan(None, [rectangle(1, 1)], [[(3, 3), (7, 2)]])
    assert plan.boundary.bounds == (0, 0, 7, 3)


def test_what_crosses_itself_is_repaired_and_counted():
    floor = wm.FloorPlan(BOW_TIE)
    assert floor.repaired == 1
    assert floor.boundary.area == 2.0
    # Around the middle twice: even so all of it is in the way.
    star = [(0, 3), (2, -3), (-3, 1), (3, 1), (-2, -3)]
    blocked = wm.FloorPlan(rectangle(20, 20, (-10, -10)), [star])
    assert blocked.repaired == 1
    assert shapely.union_all(blocked.obstacles).contains(shapely.Point(0, 0))
    assert wm.build(blocked, wm.Agent(radius=0)).report.scene["repaired"] == 1


def test_an_obstacle_without_area_is_a_wall():
    plan = wm.FloorPlan(ROOM, [[(1, 1), (2, 2), (3, 3)]])
    assert (len(plan.obstacles), len(plan.walls)) == (0, 1)
    # So is the part of an outline that goes forth and back.
    flag = [(2, 0), (2, 1), (3, 1), (2, 1), (2, 5), (1, 5), (1, 0)]
    for first in range(len(flag)):
        plan = wm.FloorPlan(ROOM, [np.roll(flag, first, axis=0)])
        navmesh = wm.build(plan, wm.Agent(radius=0.2))
        assert not navmesh.contains([(2.9, 1.1, 0)])[0]


def test_outlines_that_cross_themselves_all_over_are_refused():
    angles = np.arange(30_000) * (2 * np.pi * 11_111 / 30_000)
    star = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for make in (wm.FloorPlan, lambda s: wm.FloorPlan(ROOM, [s]), wm.FloorPlan.of_shapes):
        with pytest.raises(wm.SceneError, match=r" 0 crosses itself, and has 30001 corners"):
            make(star)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([(0, 0), (1, 1)],), "boundary 0 has 2 corners; an outline has at least 3"),
        (([(0, 0), (1, np.nan), (1, 0)],), "boundary 0 has a coordinate that is not finite"),
        (([(0, 0), (1, np.inf), (1, 0)],), "boundary 0 has a coordinate that is not finite"),
        (([(0, 0), (1, 1), (2, 2)],), "the boundary has no area; it must be the outline"),
        ((5,), "outlines are 5; they must be arrays of corners"),
        (("room",), "boundary 0 is 'r'; it must be an"),
        (([(0, 0, 0), (1, 0, 0), (1, 1, 0)],), r"boundary 0 has shape \(3, 3\); it must have"),
        ((None,), "the plan is empty: there is no boundary"),
        ((ROOM, [ROOM, [(0, 0)]]), "obstacle 1 has 1 corners"),
        ((ROOM, [], [[(0, 0)]]), "wall 0 has 1 points; a line has at least 2"),
        ((ROOM, [], [[(0, 0), (np.nan, 1)]]), "wall 0 has a coordinate that is not finite"),
        ((shapely.Polygon(),), "the boundary has no area"),
        (
            (ROOM, [], [[(0, 0), (1e300, 1)]]),
            r"wall 0 has the coordinate 1e\+300; it must be at most",
        ),
    ],
)
def test_what_is_no_plan(arguments, message):
    with pytest.raises(wm.SceneError, match=f"^{message}"):
        wm.FloorPlan(*arguments)


@pytest.mark.parametrize("height", [np.nan, np.inf, 1e16, "3", None, True])
def test_what_is_no_height(height):
    with pytest.raises(wm.SceneError, match=r"^height is .*; it must be a number of metres up to"):
        wm.FloorPlan(ROOM, height=height)


def test_shapes_that_do_not_tell_what_they_are():
    floor, inside, sticking_out, beside = (
        shapely.box(*corners)
        for corners in [(0, 0, 5, 5), (1, 1, 2, 2), (4, 4, 6, 6), (5, 0, 7, 1)]
    )
    plan = wm.FloorPlan.of_shapes([inside, floor, sticking_out, beside])
    assert plan.boundary.equals(shapely.union(floor, beside))
    assert set(plan.obstacles) == {inside, sticking_out}
    # A table in a room that is drawn in lines is not the floor.
    walls = [shapely.LineString([(-1, -1), (9, -1), (9, 9), (-1, 9), (-1, -1)])]
    plan = wm.FloorPlan.of_shapes([floor, inside], walls)
    assert plan.boundary.bounds == (-1, -1, 9, 9)
    assert len(plan.obstacles) == 2
    plan = wm.FloorPlan.of_shapes([], walls)
    assert plan.boundary.bounds == (-1, -1, 9, 9)
    # Walls stick out of floors a little, as they are drawn.
    plan = wm.FloorPlan.of_shapes([ROOM], [[(5, 0), (5, 5.1)]])
    assert (plan.boundary.area, len(plan.obstacles), len(plan.walls)) == (40.0, 0, 1)


def test_the_scene_of_a_plan():
    plan = wm.FloorPlan(ROOM, [rectangle(1, 1, (2, 2))], height=3)
    scene = plan.to_scene(wall_height=2, up="y")
    assert scene.bounds.tolist() == [[0, 3, -5], [8, 5, 0]]
    navmesh = wm.build(scene)
    same = wm.build(plan, method=wm.Planar(up="y"))
    assert same.area == pytest.approx(navmesh.area, rel=2e-3)
    assert wm.evaluate(scene, same).precision.value > 0.999
    for wrong in (0, "2", None, True, np.nan):
        with pytest.raises(wm.SettingsError, match=r"^wall_height is .*; it must be"):
            plan.to_scene(wall_height=wrong)
    with pytest.raises(wm.SettingsError, match=r"^up is 'x'; it must be 'z' or 'y'"):
        plan.to_scene(up="x")
