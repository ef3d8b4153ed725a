"""Navmeshes of floor plans, with GEOS and the exact method as referees."""

import functools
import pickle

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers.plans import (
    POINT,
    check_clear,
    check_sound,
    covered,
    free_area,
    rectangle,
    turned,
    two_rooms,
)

ROOM = rectangle(10, 8)


@functools.cache
def random_plan(seed, count=25):
    """Return a hall with boxes, triangles and hexagons in it, which touch and overlap."""
    generator = np.random.default_rng(seed)
    obstacles = []
    for _ in range(count):
        place = generator.integers(-4, 80, 2) / 4
        size = generator.integers(1, 12, 2) / 4
        kind = generator.integers(3)
        if kind == 0:
            obstacles.append(rectangle(*size, place))
        elif kind == 1:
            obstacles.append(place + [(0, 0), (size[0], 0), (0, size[1])])
        else:
            angles = np.arange(6) * np.pi / 3 + generator.uniform(0, 1)
            ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
            obstacles.append(place + size[0] / 2 * ring)
    return wm.FloorPlan(rectangle(20, 20), obstacles)


def test_a_room():
    navmesh = wm.build(wm.FloorPlan(ROOM), POINT)
    check_sound(navmesh)
    assert navmesh.polygon_count == 1
    assert navmesh.area == 80.0
    navmesh = wm.build(wm.FloorPlan(ROOM, height=2.5))
    assert navmesh.area == pytest.approx(9.4 * 7.4, abs=1e-9)
    assert navmesh.vertices.min(axis=0).tolist() == [0.3, 0.3, 2.5]
    assert navmesh.up == (0.0, 0.0, 1.0)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["delaunay", "greedy"]))
@settings(max_examples=60, deadline=None)
def test_the_free_floor_is_covered(seed, triangulator):
    plan = random_plan(seed)
    free = free_area(plan)
    navmesh = wm.build(plan, POINT, wm.Planar(triangulator=triangulator))
    check_sound(navmesh)
    assert navmesh.area == pytest.approx(free.area, abs=2e-2)
    assert shapely.symmetric_difference(covered(navmesh), free).area < 2e-2
    parts = shapely.get_parts(free)
    assert navmesh.component_count == np.count_nonzero(shapely.area(parts) > 1e-3)


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.05, 0.2, 0.3, 0.7]))
@settings(max_examples=40, deadline=None)
def test_clearance_against_geos(seed, radius):
    plan = random_plan(seed)
    method = wm.Planar(arc_error=0.01)
    navmesh = wm.build(plan, wm.Agent(radius=radius), method)
    check_sound(navmesh)
    check_clear(navmesh, plan, radius, method.arc_error)


@pytest.mark.parametrize("degrees", [0, 17, 45, 71.3])
@pytest.mark.parametrize("triangulator", ["delaunay", "greedy"])
def test_doorways_to_the_millimetre(degrees, triangulator):
    method = wm.Planar(triangulator=triangulator)
    for door, components in ((0.601, 1), (0.599, 2)):
        plan = two_rooms(door, degrees=degrees)
        navmesh = wm.build(plan, wm.Agent(radius=0.3), method)
        check_sound(navmesh)
        assert navmesh.component_count == components
        # The same, with the clearance asked for in the query.
        walls = wm.build(plan, POINT, method)
        here, there = (np.append(turned([place], degrees)[0], 0) for place in [(1, 2), (7, 2)])
        path = walls.find_path(here, there, radius=0.3)
        assert path.status == ("complete" if components == 1 else "unreachable")


@pytest.mark.parametrize("seed", range(4))
def test_clearance_in_the_query_and_in_the_outline_agree(seed):
    plan = random_plan(seed)
    offset = wm.build(plan, wm.Agent(radius=0.3), wm.Planar(arc_error=1e-3))
    walls = wm.build(plan, POINT)
    places = offset.sample(40, seed).points
    for start, goal in zip(places[:20], places[20:], strict=True):
        one, other = offset.find_path(start, goal), walls.find_path(start, goal, radius=0.3)
        assert one.status == other.status
        if one.status == "complete":
            assert one.length == pytest.approx(other.length, abs=0.02)


@pytest.mark.parametrize("seed", range(6))
def test_the_exact_method_on_the_extruded_plan_agrees(seed):
    plan = random_plan(seed)
    agent = wm.Agent(radius=0.25)
    planar = wm.build(plan, agent, wm.Planar(arc_error=1e-3))
    exact = wm.build(
        plan.to_scene(), agent, wm.Exact(arc_error=1e-3, boundary_tolerance=0, min_patch_area=0)
    )
    difference = shapely.symmetric_difference(covered(planar), covered(exact))
    assert difference.area < 2e-3 * planar.area


def test_walls_are_lines_that_cannot_be_crossed():
    wall = [[(5, 0), (5, 8)]]
    for agent in (POINT, wm.Agent(radius=0.3)):
        navmesh = wm.build(wm.FloorPlan(ROOM, walls=wall), agent)
        check_sound(navmesh)
        assert navmesh.component_count == 2
        open_end = wm.build(wm.FloorPlan(ROOM, walls=[[(5, 0), (5, 7)]]), agent)
        check_sound(open_end)
        assert open_end.component_count == 1
    thick = wm.build(wm.FloorPlan(ROOM, walls=wall), POINT, wm.Planar(wall_thickness=0.2))
    assert thick.area == pytest.approx(80 - 0.2 * 8)
    # Drawn in pieces, whose ends meet.
    pieces = [[(5, 0), (5, 3)], [(5, 3), (6, 5)], [(6, 5), (5, 8)]]
    assert wm.build(wm.FloorPlan(ROOM, walls=pieces), POINT).component_count == 2


def test_the_thickness_of_walls_is_not_that_of_obstacles():
    block = [(2, 2), (5, 2), (5, 5), (3.5, 5), (3.5, 7), (3.4999, 5), (2, 5)]  # with a hair on it
    star = [(8, 3), (8.5, 1), (7, 2), (9, 2), (7.5, 1)]
    plan = wm.FloorPlan(ROOM, [block, star])
    thin, thick = (wm.build(plan, POINT, wm.Planar(wall_thickness=t)) for t in (0, 0.5))
    assert thick.area == thin.area
    check_sound(thin)


def test_an_obstacle_thinner_than_the_grid_is_still_in_the_way():
    hair = [(5, 0), (5 + 2e-5, 0), (5 + 2e-5, 8), (5, 8)]
    assert wm.build(wm.FloorPlan(ROOM, [hair]), POINT).component_count == 2


def test_a_neck_thinner_than_the_grid_is_still_in_the_way():
    bell = [(4, 0), (6, 0), (6, 3), (5.00002, 3), (5.00002, 5), (6, 5), (6, 8), (4, 8), (4, 5)]
    bell += [(5, 5), (5, 3), (4, 3)]
    navmesh = wm.build(wm.FloorPlan(ROOM, [bell]), POINT)
    check_sound(navmesh)
    assert navmesh.component_count == 2


def test_a_spike_thinner_than_the_grid_is_still_in_the_way():
    spike = [(2, 2), (8, 4), (2, 2.0002)]
    fin = [(5, 2), (5.0009, 162), (5, 162)]  # which reaches out of the room
    for first in range(3):
        navmesh = wm.build(wm.FloorPlan(ROOM, [np.roll(spike, first, 0)]), wm.Agent(radius=0.2))
        check_sound(navmesh)
        assert not navmesh.contains([(7.95, 4.1, 0)])[0]
        navmesh = wm.build(wm.FloorPlan(ROOM, [np.roll(fin, first, 0)]), wm.Agent(radius=0.2))
        assert navmesh.find_path((2, 7, 0), (8, 7, 0)).length > 10


@pytest.mark.parametrize("degrees", [0.3, 0.7, 2.0, 5.0, 8.0])
def test_tips_of_obstacles_are_kept_clear_of(degrees):
    width = 2 * 6 * np.tan(np.radians(degrees / 2))
    for first in range(3):
        tip = np.array([(0, 0), (width / 2, 6), (-width / 2, 6)]) + (5.00003, 3.00004)
        plan = wm.FloorPlan(ROOM, [np.roll(tip, first, 0)])
        navmesh = wm.build(plan, wm.Agent(radius=0.1))
        gap = covered(navmesh).distance(shapely.Polygon(tip))
        assert gap > 0.1 - 1.5e-3


@given(st.integers(0, 2**32 - 1), st.sampled_from(["delaunay", "greedy"]))
@settings(max_examples=40, deadline=None)
def test_the_free_floor_is_covered_to_the_last_step(seed, triangulator):
    # With even coordinates and sides along axes and diagonals, all crossings are on the grid.
    generator = np.random.default_rng(seed)
    obstacles = []
    for _ in range(40):
        x, y = 2 * generator.integers(-5, 200, 2)
        w, h = 2 * generator.integers(1, 30, 2)
        box, diamond = rectangle(w, h, (x, y)), [(x - w, y), (x, y - w), (x + w, y), (x, y + w)]
        obstacles.append(diamond if generator.random() < 0.5 else box)
    plan = wm.FloorPlan(rectangle(400, 400), obstacles)
    navmesh = wm.build(plan, POINT, wm.Planar(triangulator=triangulator, grid_step=1))
    assert navmesh.validate() == []
    a, b, c = (navmesh.vertices[navmesh.triangles[:, k], :2].astype(np.int64) for k in range(3))
    ab, ac = b - a, c - a
    doubled = (ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]).sum()
    assert doubled == round(2 * free_area(plan).area)
    assert navmesh.component_count == len(shapely.get_parts(free_area(plan)))


def test_what_is_smaller_than_a_millimetre_is_kept_clear_of():
    tip = [(5, 0), (5.0003, 0.0003), (5.0006, 0)]
    notch = [(0, 4), (0.0004, 4), (0.0004, 4.0004), (0, 4.0004)]
    plan = wm.FloorPlan(ROOM, [tip, notch, rectangle(0.0005, 0.0005, (7, 5))])
    navmesh = wm.build(plan, wm.Agent(radius=0.3), wm.Planar(arc_error=1e-3))
    check_sound(navmesh)
    check_clear(navmesh, plan, 0.3, 1e-3)


def test_obstacles_that_touch_at_a_corner_let_nobody_through():
    blocks = [rectangle(5, 4), rectangle(5, 4, (5, 4))]
    for agent in (POINT, wm.Agent(radius=0.3)):
        navmesh = wm.build(wm.FloorPlan(ROOM, blocks), agent)
        check_sound(navmesh)
        assert navmesh.component_count == 2


def test_an_obstacle_that_touches_walls():
    tip = [(5, 0), (6, 4), (4, 4)]
    navmesh = wm.build(wm.FloorPlan(ROOM, [tip, rectangle(2, 1, (4, 7))]), POINT)
    check_sound(navmesh)
    assert navmesh.area == pytest.approx(80 - 4 - 2)
    assert navmesh.component_count == 1


def test_obstacles_in_a_row_leave_a_straight_wall():
    boxes = [rectangle(1, 1, (x, 0)) for x in range(10)]
    navmesh = wm.build(wm.FloorPlan(ROOM, boxes), POINT)
    assert (navmesh.polygon_count, len(navmesh.vertices)) == (1, 4)


def test_a_hole_that_touches_a_wall_between_its_corners():
    triangle = [(5, 0), (6, 4), (4, 4)]
    navmesh = wm.build(wm.FloorPlan(shapely.Polygon(ROOM, [triangle])), POINT)
    check_sound(navmesh)
    assert navmesh.area == pytest.approx(80 - 4)


def test_a_room_inside_an_obstacle_inside_a_room():
    ring = shapely.box(2, 2, 8, 6).difference(shapely.box(3, 3, 7, 5))
    navmesh = wm.build(wm.FloorPlan(ROOM, [ring, rectangle(1, 1, (4, 3.5))]), POINT)
    check_sound(navmesh)
    assert navmesh.area == pytest.approx(80 - 24 + 8 - 1)
    assert navmesh.component_count == 2


def test_coordinates_come_back_bit_by_bit():
    outline = [(0.1, 0.2), (7.3, 0.7), (6.9, 5.1234)]
    navmesh = wm.build(wm.FloorPlan(outline), POINT)
    assert {tuple(v[:2]) for v in navmesh.vertices.tolist()} == set(outline)


@pytest.mark.parametrize("offset", [(450_000.0, -31_000.0), (-7.0, 1e6)])
def test_far_from_the_origin_it_is_the_same(offset):
    near = random_plan(3)
    shapes = [shapely.transform(s, lambda p: p + offset) for s in (near.boundary, *near.obstacles)]
    moved = wm.build(wm.FloorPlan(shapes[0], shapes[1:]), POINT)
    there = wm.build(near, POINT)
    assert moved.polygon_vertices.tolist() == there.polygon_vertices.tolist()
    np.testing.assert_allclose(moved.vertices, there.vertices + [*offset, 0], atol=1e-9, rtol=0)


def test_up_along_y():
    plan = random_plan(5)
    z, y = (wm.build(plan, method=wm.Planar(up=up)) for up in "zy")
    assert y.validate() == []
    assert y.up == (0.0, 1.0, 0.0)
    assert y.vertices.tolist() == (z.vertices[:, [0, 2, 1]] * [1, 1, -1] + 0.0).tolist()
    assert y.area == pytest.approx(z.area)


def test_the_same_whatever_the_workers():
    plan = random_plan(11, 60)
    one, many = (wm.build(plan, workers=n) for n in (1, 4))
    for name in ("vertices", "polygon_offsets", "polygon_vertices", "neighbors"):
        assert np.array_equal(getattr(one, name), getattr(many, name))


def test_grids():
    plan = random_plan(2)
    coarse = wm.build(plan, POINT, wm.Planar(grid_step=0.25))
    assert coarse.validate() == []
    assert np.array_equal(np.round(coarse.vertices * 4), coarse.vertices * 4)
    # Wider than 2^26 tenths of a millimetre.
    country = wm.build(wm.FloorPlan(rectangle(3e5, 2e5), [rectangle(7e4, 1, (5, 5))]), POINT)
    assert country.validate() == []
    assert country.area == pytest.approx(6e10 - 7e4)
    with pytest.raises(wm.SceneError, match=r"^the plan is 300000 m wide, which is too much"):
        wm.build(wm.FloorPlan(rectangle(3e5, 2e5)), POINT, wm.Planar(grid_step=1e-3))
    with pytest.raises(wm.SceneError, match=r"^the plan lies 9e\+08 m from the origin"):
        wm.build(wm.FloorPlan(rectangle(1, 1, (9e8, 0))), POINT, wm.Planar(grid_step=1e-7))


def test_stages_and_report():
    plan = random_plan(1)
    assert [name for name, _ in wm.stages(plan)] == list(wm.Planar.stage_names)
    navmesh = wm.build(plan)
    assert navmesh.report.method == "Planar"
    assert navmesh.report.scene == {
        "outlines": 1,
        "obstacles": 25,
        "walls": 0,
        "repaired": 0,
        "passed_over": 0,
    }
    triangles = dict(wm.stages(plan))["triangles"]
    assert len(triangles.triangles) == navmesh.report.as_dict()["stages"][2]["triangles_out"]
    assert pickle.loads(pickle.dumps(navmesh)).report == navmesh.report
    figure = wm.plot_stages(plan)
    assert [axes.get_label() for axes in figure.axes] == list(wm.Planar.stage_names)
    assert navmesh.plot(scene=plan).axes


def test_a_build_can_be_stopped():
    def stop(stage, fraction):
        if stage == "triangles":
            raise wm.Cancelled("enough")

    with pytest.raises(wm.Cancelled):
        wm.build(random_plan(1), progress=stop)


def test_an_agent_too_large_for_the_plan():
    with pytest.raises(wm.BuildError, match="6 m wide can stand nowhere"):
        wm.build(wm.FloorPlan(rectangle(5, 5)), wm.Agent(radius=3))
    with pytest.raises(wm.BuildError, match="can stand nowhere"):
        wm.build(wm.FloorPlan(rectangle(5, 5), [rectangle(5, 5)]), POINT)


def test_plans_and_scenes_have_methods_of_their_own():
    with pytest.raises(wm.SettingsError, match=r"for a FloorPlan it must be one such as .*Planar"):
        wm.build(wm.FloorPlan(ROOM), method=wm.Exact())
    with pytest.raises(wm.SettingsError, match=r"for a Scene it must be one such as .*Exact"):
        wm.build(wm.samples.floor(), method=wm.Planar())
    with pytest.raises(wm.SettingsError, match=r"Planar.triangulator is 'fast'; it must be one of"):
        wm.Planar(triangulator="fast")


def test_saved_and_loaded(tmp_path):
    navmesh = wm.build(random_plan(8))
    for suffix in (".walkmesh", ".obj", ".glb", ".ply"):
        navmesh.save(tmp_path / f"plan{suffix}")
        again = wm.load_navmesh(tmp_path / f"plan{suffix}")
        for name in ("vertices", "polygon_offsets", "polygon_vertices", "neighbors"):
            assert np.array_equal(getattr(again, name), getattr(navmesh, name))
        assert again.report == navmesh.report.without_measurements()
