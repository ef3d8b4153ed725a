"""The surface method on ramps, steps, floors and real scenes, against the referee and Exact."""

import math

import numpy as np
import pytest
import shapely

import walkmesh as wm
from tests.checks.surface_checks import check_navmesh
from tests.makers.scenes import SCENES, needs_scenes
from tests.makers.surface_builds import (
    AGENT,
    PLAIN,
    R,
    build,
    component_areas,
    has_one_layer,
    plan_of,
    plate,
    together,
)
from walkmesh import samples
from walkmesh.frame import Frame
from walkmesh.samples.soup import Soup

# Settings by which only floors are left, as for an agent with one up for all.
FLOORS = {"max_turn_convex": 10.0, "max_turn_concave": 10.0, "max_tilt": 45.0}
ANGLES = (15.0, 30.0, 45.0, 60.0, 75.0)


# Ramps


@pytest.mark.parametrize("solids", [False, True])
@pytest.mark.parametrize("gap", [0.0, 2.0])
def test_ramps_of_all_angles_are_one_component_with_one_layer(solids, gap):
    scene = samples.tilted_ramps(ANGLES, gap=gap, solids=solids)
    navmesh = build(scene)
    assert navmesh.component_count == 1
    assert has_one_layer(navmesh, 1000)
    # The middle of each ramp, or what is close to it, is reached from the floor.
    run = 1.0 / np.tan(np.radians(ANGLES))
    middles = np.column_stack([run, 1.5 + np.arange(5) * (3.0 + gap), np.ones(5)])
    frame = Frame(scene.up)
    places, floor = frame.to_world(middles), frame.to_world(np.array([(-1.5, 0.0, 0.0)] * 5))
    assert navmesh.nearest(places).distances.max() < 0.02
    assert navmesh.reachable(floor, places).all()


@pytest.mark.parametrize("solids", [False, True])
@pytest.mark.parametrize("angle", ANGLES)
def test_a_single_ramp_is_right(angle, solids):
    scene = samples.tilted_ramps((angle,), solids=solids)
    navmesh = build(scene)
    assert navmesh.component_count == 1
    assert has_one_layer(navmesh)
    # On solids faces do not share edges, so the referee cannot tell where the ground ends.
    if not solids:
        shares = check_navmesh(
            navmesh, scene, AGENT, samples=200, max_turn_convex=120.0, allowed=0.02
        )
        assert shares.precision >= 0.98
        assert shares.recall >= 0.97


@pytest.mark.parametrize("angle", ANGLES)
def test_steep_ramps_are_left_out_for_small_tilts(angle):
    scene = samples.tilted_ramps((angle,))
    navmesh = build(scene, max_tilt=45.0)
    assert navmesh.component_count == 1
    assert (navmesh.vertices[:, 1].max() > 1.0) == (angle <= 45.0)


# Steps


@pytest.mark.parametrize("tilt", [45.0, 180.0])
@pytest.mark.parametrize(
    "scene",
    [
        pytest.param(samples.stairs(), id="stairs"),
        pytest.param(samples.stairs(0.4, 0.4, 4), id="high steps"),
        pytest.param(samples.stairs_with_landing(), id="with landing"),
        pytest.param(samples.spiral_stairs(), id="spiral"),
    ],
)
def test_stairs_are_one_component(scene, tilt):
    navmesh = build(scene, max_tilt=tilt)
    assert navmesh.component_count == 1
    assert has_one_layer(navmesh, 300, reach=0.1)
    top, bottom = scene.bounds[1][1], 0.0
    heights = navmesh.vertices[:, 1]
    assert np.count_nonzero(np.abs(heights - bottom) < 1e-3) >= 2
    assert np.count_nonzero(np.abs(heights - top) < 1e-3) >= 2


def test_boards_are_stepped_on():
    assert build(samples.stairs(open_risers=True), max_tilt=45.0).component_count == 1


def test_boards_that_are_walked_all_around_have_no_edges_to_step_from():
    assert build(samples.stairs(open_risers=True)).component_count == 11


@pytest.mark.parametrize("bevel", [50.0, 60.0, 75.0, 90.0])
@pytest.mark.parametrize("height", [0.03, 0.15, 0.3, 0.4, 0.41])
def test_kerbs_are_stepped_over_up_to_the_highest_step(height, bevel):
    navmesh = build(samples.kerb(bevel, height), max_turn_concave=20.0, max_turn_convex=20.0,
                    max_tilt=45.0, **PLAIN)  # fmt: skip
    if height <= AGENT.max_step:
        run = height / math.tan(math.radians(bevel))
        # The step is as long as the bevel, and the same distance is kept at either end of it.
        slope = math.hypot(run, height)
        assert component_areas(navmesh) == pytest.approx([(4.0 - 0.6 + slope) * 2.4], rel=0.05)
    else:
        assert navmesh.component_count == 2


def test_the_walls_of_a_ledge_are_another_way_up():
    assert build(samples.kerb(90.0, 0.41)).component_count == 1
    assert build(samples.kerb(90.0, 1.5)).component_count == 1


# Floors, as by the exact method


BOXES = [((2, 2, 0), (3, 3, 1)), ((5, 1, 0), (5.2, 6, 2)), ((7, 5, 0), (9, 7, 0.3))]
PLATE = shapely.box(0, 0, 10, 8)


@pytest.mark.parametrize(
    "scene",
    [
        pytest.param(samples.floor(), id="floor"),
        pytest.param(samples.box_room(), id="room"),
        pytest.param(samples.doorways(), id="doorways"),
        pytest.param(samples.doorways((1.0, 0.59, 0.7), angle=33.0), id="doorways turned"),
        pytest.param(samples.doorways((0.61, 0.9), thickness=0.0), id="thin doorways"),
        pytest.param(samples.two_levels(), id="levels"),
        pytest.param(samples.kerb(), id="kerb"),
        pytest.param(samples.kerb(90.0, 0.4), id="plain step"),
        pytest.param(plate(PLATE - shapely.box(4, 3, 6, 5)), id="hole"),
        pytest.param(plate(PLATE - shapely.Point(5, 4).buffer(1.5)), id="round hole"),
        pytest.param(plate(PLATE, *BOXES[:2]), id="boxes"),
        pytest.param(plate(PLATE - shapely.box(6, 3, 8, 4.5), *BOXES[:2]), id="hole and boxes"),
    ],
)
def test_level_floors_are_as_by_the_exact_method(scene):
    surface = build(scene, **FLOORS, **PLAIN)
    exact = wm.build(scene, AGENT, wm.Exact(**PLAIN))
    assert surface.component_count == exact.component_count
    here, there = plan_of(surface, scene), plan_of(exact, scene)
    assert here.symmetric_difference(there).area < 1e-3 * there.area


def turned_box(degrees):
    """Return a floor of 6 m by 5 m with a cube of 1 m on it, turned about the upright axis."""
    soup = Soup()
    soup.sheet(shapely.box(0, 0, 6, 5), 0.0)
    soup.box((2, 2, 0), (3, 3, 1))
    soup.turn(degrees)
    return soup.scene("y")


@pytest.mark.parametrize("degrees", [0.0, 9.0, 15.0, 30.0, 33.0, 51.0])
def test_a_box_on_a_floor_is_the_same_turned(degrees):
    # Less than the agent's footprint is free on the cube.
    navmesh = build(turned_box(degrees), max_tilt=45.0, min_patch_area=0.1, **PLAIN)
    box = shapely.box(2, 2, 3, 3)
    floor = 5.4 * 4.4 - box.buffer(R).area
    assert component_areas(navmesh) == pytest.approx([floor, 0.4 * 0.4], rel=2e-3)


@pytest.mark.parametrize("degrees", [0.0, 15.0])
def test_a_strip_leads_from_a_floor_up_a_low_box(degrees):
    assert build(turned_box(degrees)).component_count == 1


@pytest.mark.parametrize("degrees", [0.0, 30.0])
def test_a_strip_leads_from_a_floor_up_a_high_box(degrees):
    soup = Soup()
    soup.sheet(shapely.box(0, 0, 6, 5), 0.0)
    soup.box((2, 2, 0), (3, 3, 2.5))
    soup.turn(degrees)
    navmesh = build(soup.scene("y"))
    # The floor, the top, the sides and the strips between; what is inside of the box is apart.
    assert component_areas(navmesh)[0] == pytest.approx(
        5.4 * 4.4 - shapely.box(2, 2, 3, 3).buffer(R).area
        + 1.0 + 4 * (2.5 - R) + 4 * math.sqrt(2.0) * R, rel=0.02,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_any_plate_with_boxes_is_as_by_the_exact_method(seed):
    random = np.random.default_rng(seed)
    polygon, boxes = shapely.box(0, 0, 12, 10), []
    for _ in range(5):
        u, v = random.uniform((0, 0), (11, 9))
        w, d = random.uniform(0.3, 2.5, 2)
        if random.random() < 0.4:
            polygon -= shapely.box(u, v, u + w, v + d)
        else:
            # Lower than the agent, so that nobody stands inside, and no step.
            boxes.append(((u, v, 0.0), (u + w, v + d, random.uniform(0.5, 1.7))))
    scene = plate(polygon, *boxes)
    surface = build(scene, **FLOORS, **PLAIN)
    exact = wm.build(scene, AGENT, wm.Exact(**PLAIN))
    assert surface.component_count == exact.component_count
    here, there = plan_of(surface, scene), plan_of(exact, scene)
    assert here.symmetric_difference(there).area < 1e-3 * there.area


# Careless scenes


@pytest.mark.parametrize("sides", ["front", "both"])
@pytest.mark.parametrize("seed", range(3))
def test_careless_scenes_give_sound_navmeshes(seed, sides):
    for scene in (samples.careless_plates(seed), samples.rubble(seed, 20)):
        assert has_one_layer(build(scene, sides=sides), 200, reach=0.1)


@pytest.mark.parametrize(
    ("scene", "settings"),
    [
        pytest.param(
            samples.careless_plates(1125), {"sides": "both", "arc_error": 0.3}, id="no area"
        ),
        pytest.param(samples.rubble(2584, 20), {"boundary_tolerance": 0.0}, id="edge overused"),
        pytest.param(
            samples.careless_plates(50342),
            {"max_turn_convex": 180.0, "max_turn_concave": 90.0, "gap_distance": 0.5},
            id="vertex repeated",
        ),
    ],
)
def test_all_polygons_are_sound(scene, settings):
    build(scene, **settings)


# Samples and real scenes, by the referee


@pytest.mark.parametrize(
    ("scene", "rims"),
    [
        pytest.param(samples.cave(), True, id="cave"),
        pytest.param(samples.planet(subdivisions=4), True, id="planet"),
        pytest.param(samples.tunnel(), True, id="tunnel"),
        pytest.param(samples.kerb(), False, id="kerb"),
        pytest.param(samples.doorways(), False, id="doorways"),
    ],
)
def test_the_referee_calls_it_free(scene, rims):
    shares = check_navmesh(build(scene), scene, AGENT, samples=200, rims=rims, allowed=0.02)
    assert shares.precision >= 0.98
    # Beside rims, nobody is asked for what they take away.
    assert shares.recall >= (0.98 if rims else 0.9)


@needs_scenes
def test_a_parking_garage():
    scene = wm.load_scene(SCENES / "mesh_navigation/parking_garage.obj", up="z")
    assert build(scene).component_count == 1


@needs_scenes
def test_a_game_level():
    scene = wm.load_scene(SCENES / "librequake/lq_e1m1.obj")
    navmesh = build(scene)
    # Steps are walked over where the body of one who stood there would not fit.
    shares = check_navmesh(
        navmesh, scene, AGENT, samples=150, rims=False, normal_tolerance=30.0, allowed=0.1
    )
    assert shares.precision >= 0.98


# What was wrong once


@pytest.mark.parametrize(("riser", "tread"), [(0.15, 0.3), (0.17, 0.29), (0.18, 0.28), (0.2, 0.25)])
def test_stairs_whose_risers_are_free_in_part_are_climbed_straight(riser, tread):
    steps = 8
    navmesh = build(samples.stairs(riser, tread, steps))
    level = build(samples.stairs(riser, tread, steps), max_tilt=45.0)
    assert navmesh.component_count == 1
    # Up the middle, over treads and risers, whether or not risers can be stood on.
    start = level.vertices[level.vertices[:, 1].argmin()]
    goal = level.vertices[level.vertices[:, 1].argmax()]
    way = level.find_path(start, goal)
    assert way.status == "complete"
    assert navmesh.find_path(start, goal).length <= way.length + 0.05


@pytest.mark.parametrize("gap", [0.45, 0.8])
def test_a_box_that_hangs_in_the_air_is_on_its_own(gap):
    hanging = samples.cube(1.0)
    hanging = wm.Scene(hanging.vertices + (2.0, gap, 2.0), hanging.faces, hanging.up)
    navmesh = build(together(samples.room(6.0, 6.0, 6.0), hanging))
    assert navmesh.component_count == 2


def test_one_triangle_has_two_sides():
    sheet = wm.Scene([(0, 0, 0), (4, 0, 0), (0, 0, 4)], [(0, 2, 1)])
    navmesh = build(sheet, sides="both", max_turn_convex=180.0)
    assert navmesh.area == pytest.approx(16.0)
    assert (navmesh.neighbors >= 0).all()


@needs_scenes
def test_an_agent_as_large_as_the_scene():
    # Shadows whose borders were 10 micrometres apart once tore pieces into ever smaller ones.
    scene = wm.load_scene(SCENES / "dirty/assimp/regr01.obj")
    agent = wm.Agent(height=164, radius=16.4, max_step=0)
    navmesh = wm.build(scene, agent, wm.Surface(sides="both", min_patch_area=0))
    assert navmesh.polygon_count > 0
