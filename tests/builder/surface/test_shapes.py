"""Navmeshes on surfaces of which all can be worked out by hand."""

import math
from functools import cache

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

import walkmesh as wm
from tests.checks.surface_checks import room_area
from tests.makers.surface_builds import (
    AGENT,
    PLAIN,
    R,
    build,
    component_areas,
    euler_characteristic,
    flipped,
    folded,
    has_one_layer,
    is_closed,
    moved,
    plate,
    surface_area,
    together,
)
from tests.makers.surfaces import any_rotation
from walkmesh import samples

# Why strips are missing in some rooms.

# Shapes to walk on all around


@cache
def of_sphere():
    return build(samples.sphere(10.0, 5))


def test_a_sphere_is_one_closed_surface():
    navmesh = of_sphere()
    assert navmesh.component_count == 1
    assert is_closed(navmesh)
    assert euler_characteristic(navmesh) == 2
    assert navmesh.area == pytest.approx(surface_area(samples.sphere(10.0, 5)), rel=0.01)


def test_from_pole_to_pole_it_is_half_around_a_sphere():
    path = of_sphere().find_path((0, 10, 0), (0, -10, 0))
    assert path.status == "complete"
    assert path.length == pytest.approx(math.pi * 10.0, rel=0.01)


def test_a_hollow_sphere_is_one_closed_surface():
    scene = samples.sphere(10.0, 4, inside=True)
    navmesh = build(scene)
    assert is_closed(navmesh)
    assert euler_characteristic(navmesh) == 2
    assert navmesh.area == pytest.approx(surface_area(scene), rel=0.01)


@pytest.mark.parametrize("cells", [1, 3])
def test_a_cube_has_six_polygons_joined_around_all_edges(cells):
    navmesh = build(samples.cube(4.0, cells))
    assert navmesh.polygon_count == 6
    assert is_closed(navmesh)
    assert navmesh.component_count == 1
    assert euler_characteristic(navmesh) == 2
    assert navmesh.area == pytest.approx(96.0, rel=1e-6)
    path = navmesh.find_path((0, 0, 0), (4, 4, 4))
    assert path.status == "complete"
    # Two sides of the cube laid flat are 8 m by 4 m.
    assert path.length == pytest.approx(4.0 * math.sqrt(5.0), rel=0.01)


@pytest.mark.parametrize("radius", [0.0, 0.3, 1.0])
def test_the_sides_of_a_cube_are_apart_for_small_turns(radius):
    navmesh = build(samples.cube(), wm.Agent(radius=radius), max_turn_convex=60.0)
    assert navmesh.component_count == 6
    assert component_areas(navmesh) == pytest.approx(np.full(6, (4.0 - 2 * radius) ** 2), rel=1e-4)


def test_a_turn_of_exactly_the_limit_is_walked_around():
    for seed in range(3):
        cube = moved(samples.cube(), any_rotation(seed))
        assert build(cube, max_turn_convex=90.0).component_count == 1
        assert build(cube, max_turn_convex=89.9).component_count == 6


@pytest.mark.parametrize(
    ("scene", "euler"),
    [
        pytest.param(samples.torus(), 0, id="torus"),
        pytest.param(samples.planet(), 2, id="planet"),
        pytest.param(samples.cave(), 2, id="cave"),
        pytest.param(
            samples.cave(crease=60.0, seed=1, subdivisions=2),
            2,
            id="sharp cave",
            marks=pytest.mark.xfail(strict=True, reason="holes stay where several strips meet"),
        ),
    ],
)
def test_closed_surfaces_stay_closed(scene, euler):
    navmesh = build(scene)
    assert navmesh.component_count == 1
    assert is_closed(navmesh)
    assert euler_characteristic(navmesh) == euler
    assert navmesh.area == pytest.approx(surface_area(scene), rel=0.01)
    assert has_one_layer(navmesh, reach=0.5)


@pytest.mark.parametrize("sides", [8, 32])
def test_a_tunnel_is_walked_all_around_but_not_over_its_ends(sides):
    navmesh = build(samples.tunnel(3.0, 20.0, sides))
    assert navmesh.component_count == 1
    assert euler_characteristic(navmesh) == 0
    around = 2 * sides * 3.0 * math.sin(math.pi / sides)
    assert navmesh.area == pytest.approx(around * (20.0 - 2 * R), rel=0.005)


# Rooms


@pytest.mark.parametrize("cells", [1, 2, 5])
@pytest.mark.parametrize("extent", [(6.0, 4.0, 3.0), (12.0, 2.5, 2.2), (2.0, 2.0, 2.0)])
@pytest.mark.parametrize("radius", [0.1, 0.3, 0.7])
def test_a_room_is_joined_by_strips_along_its_edges(extent, cells, radius):
    navmesh = build(samples.room(*extent, cells=cells), wm.Agent(radius=radius))
    assert navmesh.area == pytest.approx(room_area(*extent, radius), rel=1e-3)
    assert navmesh.component_count == 1
    assert is_closed(navmesh)
    assert euler_characteristic(navmesh) == 2


@pytest.mark.parametrize(("cells", "radius"), [(5, 0.6), (6, 0.5), (10, 0.3), (2, 0.6)])
def test_edges_may_lie_where_the_body_touches(cells, radius):
    navmesh = build(samples.room(cells=cells), wm.Agent(radius=radius))
    assert navmesh.area == pytest.approx(room_area(6.0, 4.0, 3.0, radius), rel=1e-3)
    assert is_closed(navmesh)


SMALL = wm.Agent(height=0.5, radius=0.0625, max_step=0.1)


@pytest.mark.parametrize(
    ("cells", "seed"),
    [
        (1, 2),
        (1, 6),
        *((2, seed) for seed in (0, 2, 6, 9)),
    ],
)
def test_a_small_room_is_the_same_turned(cells, seed):
    navmesh = build(moved(samples.room(1.0, 1.0, 1.0, cells), any_rotation(seed)), SMALL)
    assert navmesh.area == pytest.approx(room_area(1.0, 1.0, 1.0, SMALL.radius), rel=1e-3)
    assert is_closed(navmesh)


@pytest.mark.parametrize("up", ["x", "y", "z", (0.3, -0.5, 0.8)])
def test_a_room_is_the_same_whatever_is_up(up):
    navmesh = build(samples.room(cells=2, up=up))
    assert navmesh.area == pytest.approx(room_area(6.0, 4.0, 3.0, R), rel=1e-3)
    assert is_closed(navmesh)


@pytest.mark.parametrize("shift", [0.0, 5e5])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_room_is_the_same_turned_and_far_away(seed, shift):
    scene = moved(samples.room(cells=3), any_rotation(seed), (shift, -shift, 0.3 * shift))
    navmesh = build(scene)
    assert navmesh.area == pytest.approx(room_area(6.0, 4.0, 3.0, R), rel=1e-3)
    assert navmesh.component_count == 1
    assert is_closed(navmesh)


@pytest.mark.parametrize("cells", [1, 3])
def test_the_sides_of_a_room_are_apart_for_small_turns(cells):
    navmesh = build(samples.room(cells=cells), max_turn_concave=60.0)
    w, d, h = 6.0 - 2 * R, 4.0 - 2 * R, 3.0 - 2 * R
    assert component_areas(navmesh) == pytest.approx([w * d] * 2 + [w * h] * 2 + [d * h] * 2)


# Gravity


@pytest.mark.parametrize("cells", [1, 3])
@pytest.mark.parametrize("tilt", [45.0, 90.0, 135.0])
def test_tilt_takes_walls_and_ceilings_away(tilt, cells):
    navmesh = build(samples.room(cells=cells), max_tilt=tilt)
    w, d, h = 6.0 - 2 * R, 4.0 - 2 * R, 3.0 - 2 * R
    area = w * d
    if tilt > 45.0:
        strips = math.sqrt(2.0) * R * (2 * w + 2 * d + 4 * h)
        corners = 4 * math.sqrt(3.0) / 2.0 * R * R
        area += 2 * (w * h + d * h) + strips + corners
    assert navmesh.component_count == 1
    assert navmesh.area == pytest.approx(area, rel=1e-4)


def test_up_leads_away_from_the_center_of_gravity():
    scene = samples.sphere(10.0, 4)
    everything = build(scene)
    assert build(scene, gravity_center=(0, 0, 0)).area == everything.area
    assert build(scene, gravity_center=(0, 0, 0), max_tilt=20.0).area == everything.area
    planet = build(samples.planet(), gravity_center=(0, 0, 0), max_tilt=60.0)
    assert is_closed(planet)
    # From outside of it, all that faces away from the center is ground.
    half = build(scene, gravity_center=(1e4, 0, 0), max_tilt=90.0)
    assert half.vertices[:, 0].max() < R
    assert half.area == pytest.approx(everything.area * (1.0 - R / 10.0) / 2.0, rel=0.03)


def test_off_its_middle_a_sphere_is_too_steep_in_a_belt():
    tilt, offset, radius = 45.0, 8.0, 10.0
    navmesh = build(samples.sphere(radius, 5), gravity_center=(offset, 0, 0), max_tilt=tilt)
    # In the triangle of middle, center and a place, whose angle at the place is the tilt.
    beside = math.degrees(math.asin(radius / offset * math.sin(math.radians(tilt))))
    turns = np.radians([beside - tilt, 180.0 - beside - tilt])
    caps = [1.0 - math.cos(turns[0] - R / radius), 1.0 + math.cos(turns[1] + R / radius)]
    expected = sorted(2.0 * math.pi * radius**2 * np.array(caps), reverse=True)
    assert component_areas(navmesh) == pytest.approx(expected, rel=0.05)


# Sides


def test_backs_are_the_fronts_of_the_flipped_scene():
    for scene in (samples.floor(), samples.cube(), samples.house()):
        back, front = build(scene, sides="back"), build(flipped(scene))
        assert back.area == pytest.approx(front.area, rel=1e-6)
        assert back.component_count == front.component_count


@pytest.mark.parametrize("turn", [120.0, 180.0])
def test_both_sides_of_a_sheet(turn):
    navmesh = build(samples.floor(10.0, 8.0), sides="both", max_turn_convex=turn)
    if turn < 180.0:
        assert component_areas(navmesh) == pytest.approx([9.4 * 7.4] * 2)
    else:
        # Around its rim a sheet turns by 180 degrees.
        assert component_areas(navmesh) == pytest.approx([160.0])
        assert is_closed(navmesh)


def test_both_sides_of_a_box_are_its_outside_and_its_inside():
    navmesh = build(samples.room(), sides="both")
    outside = 2 * (6 * 4 + 6 * 3 + 4 * 3)
    expected = sorted([outside, room_area(6.0, 4.0, 3.0, R)], reverse=True)
    assert component_areas(navmesh) == pytest.approx(expected, rel=1e-4)
    assert is_closed(navmesh)


@pytest.mark.parametrize("step", [0.1, 0.0])
def test_both_sides_of_a_sphere_are_its_outside_and_its_inside(step):
    scene = samples.sphere(2.0, 2)
    agent = wm.Agent(height=0.7, radius=0.0, max_step=step)
    assert build(scene, agent, sides="back").component_count == 1
    navmesh = build(scene, agent, sides="both")
    assert component_areas(navmesh) == pytest.approx([surface_area(scene)] * 2, rel=1e-3)
    assert is_closed(navmesh)


# Headroom


@pytest.mark.parametrize("size", [1.0, 1.7])
def test_there_is_no_room_in_a_cube_lower_than_the_agent(size):
    with pytest.raises(wm.BuildError):
        build(samples.cube(size, inside=True))


def test_parallel_plates():
    floor = samples.floor(5.0, 4.0)

    def plates(gap):
        return together(floor, moved(flipped(floor), shift=(0.0, gap, 0.0)))

    with pytest.raises(wm.BuildError):
        build(plates(1.7))
    navmesh = build(plates(1.8))
    assert component_areas(navmesh) == pytest.approx([4.4 * 3.4] * 2)
    # From below nothing is in the way, neither of one nor of the other.
    assert build(plates(0.2), sides="back").area == pytest.approx(2 * 4.4 * 3.4)


@pytest.mark.parametrize("opening", [45.0, 60.0, 80.0])
@pytest.mark.parametrize("turn_slack", [1.0, -1.0])
def test_a_wedge_is_left_where_it_is_too_low(opening, turn_slack):
    length, width = 8.0, 6.0
    scene = folded(shapely.box(-length, 0.0, length, width), 0.0, 180.0 - opening)
    navmesh = build(scene, max_turn_concave=180.0 - opening + turn_slack)
    away = AGENT.height / math.tan(math.radians(opening)) + R
    each = (length - R - away) * (width - 2 * R)
    if turn_slack < 0.0:
        assert component_areas(navmesh) == pytest.approx([each, each], rel=1e-3)
    else:
        strip = 2.0 * away * math.sin(math.radians(opening / 2.0)) * (width - 2 * R)
        assert component_areas(navmesh) == pytest.approx([2.0 * each + strip], rel=1e-3)


# Ledges


def test_around_a_hole_the_clearance_is_round():
    hole = shapely.box(4.0, 3.0, 6.0, 5.0)
    polygon = shapely.box(0.0, 0.0, 10.0, 8.0) - hole
    navmesh = build(plate(polygon), **PLAIN)
    assert navmesh.area == pytest.approx(9.4 * 7.4 - hole.buffer(R).area, rel=2e-4)


ELL = shapely.Polygon([(-4, 0), (4, 0), (4, 2), (1, 2), (1, 6), (-4, 6)])


@pytest.mark.parametrize("degrees", [-30.0, 30.0, -60.0])
@pytest.mark.parametrize("line", [-2.0, 0.0, 1.0, 2.5])
def test_clearance_goes_around_folds(line, degrees):
    navmesh = build(folded(ELL, line, degrees), **PLAIN)
    assert navmesh.component_count == 1
    assert navmesh.area == pytest.approx(ELL.buffer(-R, quad_segs=64).area, rel=1e-3)


@pytest.mark.parametrize("radius", [0.2, 0.8])
@pytest.mark.parametrize("seed", [0, 1])
def test_reflex_corners_get_arcs_on_plates_at_any_angle(radius, seed):
    scene = moved(plate(ELL), any_rotation(seed))
    navmesh = build(scene, wm.Agent(radius=radius), **PLAIN)
    assert navmesh.area == pytest.approx(ELL.buffer(-radius, quad_segs=64).area, rel=2e-4)


def test_who_keeps_no_distance_walks_to_the_ledge():
    navmesh = build(plate(ELL), wm.Agent(radius=0.0))
    assert navmesh.area == pytest.approx(ELL.area)


# Any box

SIDE = st.floats(1.0, 8.0)


@settings(max_examples=12)
@given(st.tuples(SIDE, SIDE, SIDE), st.integers(0, 999), st.integers(1, 3))
def test_the_outside_of_any_box_is_free(extent, seed, cells):
    scene = flipped(moved(samples.room(*extent, cells=cells), any_rotation(seed)))
    navmesh = build(scene)
    assert navmesh.area == pytest.approx(surface_area(scene), rel=1e-4)
    assert is_closed(navmesh)
    assert euler_characteristic(navmesh) == 2


@settings(max_examples=12)
@given(
    st.tuples(SIDE, SIDE, SIDE),
    st.integers(0, 999),
    st.floats(0.05, 0.33),
    st.floats(0.2, 0.94),
)
def test_the_inside_of_any_box_is_a_room(extent, seed, radius_share, height_share):
    radius, height = min(extent) * radius_share, min(extent) * height_share
    agent = wm.Agent(radius=radius, height=height, max_step=0.2 * height)
    scene = moved(samples.room(*extent), any_rotation(seed))
    navmesh = build(scene, agent, min_patch_area=0.0)
    assert navmesh.area == pytest.approx(room_area(*extent, radius), rel=1e-3)
    assert navmesh.component_count == 1
    assert is_closed(navmesh)
    assert euler_characteristic(navmesh) == 2
