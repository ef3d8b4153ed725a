"""Clearance: what is left of the ground is where the agent's centre may be."""

import itertools
import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.checks.exact_checks import (
    AGENT,
    block,
    cleared,
    curtain,
    ground_of,
    plans,
    polygonal,
    sheet,
    union,
)
from tests.twins import naive_exact
from walkmesh.builder.exact.walls import find_walls, join_lines
from walkmesh.samples.soup import turn_plan

RADIUS, STEP, HEAD = AGENT.radius, AGENT.max_step, AGENT.height
ARC_ERROR = 0.025
FLOOR = shapely.box(0.0, 0.0, 6.0, 5.0)


def within_a_circle(region, radius, walls=()):
    """Return the region further than a radius from its outline and from walls, arcs as fine."""
    lines = [shapely.LineString(wall) for wall in walls]
    taken = shapely.union_all([region.boundary, *lines]).buffer(radius, quad_segs=64)
    return region - taken


def check_cleared(left, region, walls=(), agent=AGENT, arc_error=ARC_ERROR):
    """What is left keeps the radius, and no place further away than it is missing."""
    # A circle of 256 sides lies inside the true one by this much.
    inside = agent.radius * (1.0 - math.cos(math.pi / 256)) + 1e-6
    most = within_a_circle(region, agent.radius - inside, walls)
    least = within_a_circle(region, agent.radius + arc_error + 1e-6, walls)
    assert (left - most.buffer(1e-6)).area < 1e-8
    assert (least - left.buffer(1e-6)).area < 1e-8


@st.composite
def grounds(draw):
    """A floor with holes of any form."""
    region = FLOOR
    for _ in range(draw(st.integers(1, 3))):
        u, v = draw(st.integers(2, 10)) * 0.5, draw(st.integers(2, 8)) * 0.5
        size = draw(st.integers(1, 8)) * 0.1
        sides, turn = draw(st.integers(3, 7)), draw(st.integers(0, 12)) * 0.1
        angles = turn + np.arange(sides) * 2.0 * math.pi / sides
        hole = np.round(np.column_stack([u + size * np.cos(angles), v + size * np.sin(angles)]), 3)
        region = region - shapely.Polygon(hole)
    return region


@given(grounds(), st.sampled_from([0.2, 0.3, 0.5]), st.sampled_from([0.005, 0.025]))
def test_ground_with_holes_keeps_its_radius(region, radius, arc_error):
    agent = wm.Agent(radius=radius)
    pieces = cleared(
        np.concatenate([sheet(part, 0.0) for part in polygonal(region)]), agent, arc_error
    )
    check_cleared(union(plans(pieces)), region, agent=agent, arc_error=arc_error)


@given(grounds())
def test_blocks_are_kept_away_from_like_holes(region):
    region = shapely.MultiPolygon(polygonal(region))
    holes = polygonal(FLOOR - region)
    triangles = [sheet(FLOOR, 0.0), *(block(hole, 0.0, 1.2) for hole in holes)]
    pieces = cleared(np.concatenate(triangles))
    middles = [
        pieces.corners[a:b, 2].max()
        for a, b in zip(pieces.offsets, pieces.offsets[1:], strict=False)
    ]
    on_floor = [plan for plan, h in zip(plans(pieces), middles, strict=True) if h < 0.1]
    check_cleared(union(on_floor), region)


# Walls of no thickness


WALLS = [
    [((2.0, 1.0), (2.0, 4.0))],
    [((1.5, 1.5), (4.5, 3.5))],
    [((1.0, 2.5), (5.0, 2.5)), ((3.0, 2.5), (3.0, 4.0))],
    [((1.0, 1.0), (5.0, 4.0)), ((1.0, 4.0), (5.0, 1.0))],
    [((0.0, 2.5), (3.0, 2.5))],
    [((2.0, 2.0), (2.0, 3.0)), ((2.9, 2.0), (2.9, 3.0))],
]


@pytest.mark.parametrize("two_sided", [False, True])
@pytest.mark.parametrize("walls", WALLS)
def test_walls_of_no_thickness_are_kept_away_from_on_both_sides(walls, two_sided):
    curtains = [curtain(*wall, 0.0, 2.5) for wall in walls]
    if two_sided:
        curtains += [faces[:, ::-1] for faces in curtains]
    pieces = cleared(np.concatenate([sheet(FLOOR, 0.0), *curtains]))
    check_cleared(union(plans(pieces)), FLOOR, walls)


@pytest.mark.parametrize("angle", [0.0, 17.0, 45.0])
def test_where_walls_meet_in_a_t_the_far_side_is_straight(angle):
    def place(u, v):
        return tuple(turn_plan(np.array([[u, v, 0.0]]), angle)[0, :2])

    floor = shapely.Polygon([place(-3, -2), place(3, -2), place(3, 2), place(-3, 2)])
    walls = [(place(-2.0, 0.0), place(2.0, 0.0)), (place(0.0, 0.0), place(0.0, 1.5))]
    pieces = cleared(np.concatenate([sheet(floor, 0.0), *(curtain(*w, 0.0, 2.5) for w in walls)]))
    below = shapely.Polygon(
        [place(-1.9, -1.0), place(1.9, -1.0), place(1.9, -RADIUS), place(-1.9, -RADIUS)]
    )
    missing = below.buffer(-2e-6) - union(plans(pieces))
    assert missing.area < 1e-9


def test_an_end_of_a_wall_gets_an_arc():
    walls = [((0.0, 2.5), (3.0, 2.5))]
    pieces = cleared(np.concatenate([sheet(FLOOR, 0.0), curtain(*walls[0], 0.0, 2.5)]))
    left = union(plans(pieces))
    beyond = shapely.get_coordinates(left) - (3.0, 2.5)
    distances = np.hypot(*beyond[beyond[:, 0] > 0.0].T)
    around = distances[distances < 2 * RADIUS]
    assert len(around) >= 3
    assert around.min() >= RADIUS - 1e-6
    assert around.max() <= RADIUS + ARC_ERROR + 1e-6


@pytest.mark.parametrize("width", [2 * RADIUS + 0.002, 2 * RADIUS + 0.02])
def test_between_two_ends_of_walls_an_agent_that_fits_comes_through(width):
    walls = [((0.0, 2.5), (3.0, 2.5)), ((3.0 + width, 2.5), (6.0, 2.5))]
    pieces = cleared(np.concatenate([sheet(FLOOR, 0.0), *(curtain(*w, 0.0, 2.5) for w in walls)]))
    assert union(plans(pieces)).buffer(1e-7).geom_type == "Polygon"
    closed = [((0.0, 2.5), (3.0, 2.5)), ((3.0 + 2 * RADIUS - 0.002, 2.5), (6.0, 2.5))]
    pieces = cleared(np.concatenate([sheet(FLOOR, 0.0), *(curtain(*w, 0.0, 2.5) for w in closed)]))
    assert len(shapely.get_parts(union(plans(pieces)).buffer(1e-7))) == 2


@pytest.mark.parametrize("thickness", [0.05, 0.2])
def test_wall_thickness_is_added_around_walls_only(thickness):
    wall = ((2.0, 1.5), (4.0, 3.5))
    triangles = np.concatenate([sheet(FLOOR, 0.0), curtain(*wall, 0.0, 2.5)])
    left = union(plans(cleared(triangles, wall_thickness=thickness)))
    around = shapely.LineString(wall).buffer(RADIUS + thickness, quad_segs=256)
    expected = FLOOR.buffer(-RADIUS, join_style="mitre") - around
    assert (left - expected.buffer(1e-4)).area < 1e-8
    assert left.area == pytest.approx(expected.area, abs=ARC_ERROR * 4.0)


def test_without_a_radius_walls_cut_the_ground_but_take_next_to_nothing():
    agent = wm.Agent(radius=0.0)
    wall = ((2.0, 0.0), (2.0, 5.0))
    pieces = cleared(np.concatenate([sheet(FLOOR, 0.0), curtain(*wall, 0.0, 2.5)]), agent)
    left = union(plans(pieces))
    assert len(shapely.get_parts(left)) == 2
    assert left.area == pytest.approx(30.0 - 5.0 * 0.002, abs=1e-4)
    assert left.bounds == FLOOR.bounds


@pytest.mark.parametrize(
    ("low", "high", "matters"),
    [
        (0.0, STEP, False),
        (0.0, STEP + 0.01, True),
        (0.0, 5.0, True),
        (HEAD, 5.0, False),
        (HEAD - 0.01, 5.0, True),
        (1.0, 1.2, True),
        (-1.0, 0.2, False),
        (-3.0, -0.5, False),
    ],
)
@pytest.mark.parametrize("base", [0.0, 3.3])
def test_walls_matter_between_step_and_head(base, low, high, matters):
    wall = ((2.0, 1.0), (4.0, 4.0))
    faces, ground = ground_of(
        np.concatenate([sheet(FLOOR, base), curtain(*wall, base + low, base + high)])
    )
    lines = find_walls(ground, faces, AGENT)
    assert len(lines) == matters
    if matters:
        assert lines[0].tolist() == pytest.approx([2.0, 1.0, base, 4.0, 4.0, base], abs=2e-3)


SIDE = st.tuples(
    st.integers(0, 12).map(lambda k: 0.5 * k), st.integers(-4, 24).map(lambda k: k / 10)
)


@given(st.tuples(SIDE, SIDE, SIDE), st.sampled_from([0.0, 0.2, -0.1]))
def test_an_upright_triangle_matters_where_it_is_in_the_way(corners, slope):
    wall = np.array([(u, 0.0, h) for u, h in corners])
    if shapely.Polygon(wall[:, [0, 2]]).area < 0.05:
        return
    floor = sheet(shapely.box(0.0, -1.0, 6.0, 1.0), lambda u, _v: slope * u)
    faces, ground = ground_of(np.concatenate([floor, [wall]]))
    lines = find_walls(ground, faces, AGENT)
    found = shapely.union_all([shapely.LineString([a[[0, 1]], a[[3, 4]]]) for a in lines])
    for u in np.linspace(0.03, 5.97, 23):
        expected = naive_exact.wall_matters(wall, u, slope * u, STEP, HEAD)
        # Close to where it begins or ends a few millimetres may be on either side.
        near = [
            naive_exact.wall_matters(wall, u + d, slope * (u + d), STEP, HEAD)
            for d in (-0.01, 0.01)
        ]
        if near == [expected, expected]:
            assert (found.distance(shapely.Point(u, 0.0)) < 1e-6) == expected


def test_walls_along_the_boundary_are_left_to_it():
    ring = np.array(FLOOR.exterior.coords)
    curtains = [curtain(a, b, 0.0, 2.5) for a, b in itertools.pairwise(ring)]
    faces, ground = ground_of(np.concatenate([sheet(FLOOR, 0.0), *curtains]))
    assert len(find_walls(ground, faces, AGENT)) == 0


@pytest.mark.parametrize("seed", range(3))
def test_lines_of_one_wall_become_one(seed):
    random = np.random.default_rng(seed)
    a, b = np.array([1.0, 2.0, 0.0]), np.array([5.0, 3.0, 0.0])
    stops = np.sort(np.concatenate([[0.0, 1.0], random.uniform(0.0, 1.0, 9)]))
    ends = a + stops[:, None] * (b - a)
    lines = np.column_stack([ends[:-1], ends[1:]])
    flipped = random.random(len(lines)) < 0.5
    lines[flipped] = lines[flipped][:, [3, 4, 5, 0, 1, 2]]
    joined = join_lines(random.permutation(lines))
    assert joined.tolist() == [pytest.approx([*a, *b])]
    apart = join_lines(
        np.concatenate([lines, lines + [0, 0, 3.0, 0, 0, 3.0], lines + [0, 0.1, 0, 0, 0.1, 0]])
    )
    assert len(apart) == 3


def test_two_walls_at_a_slight_angle_are_both_kept_away_from():
    # They leave one place, and are 16 mm apart at their far ends.
    ends = (20.0, 0.012), (20.0, 0.028)
    lines = join_lines(np.array([(0.0, 0.0, 0.0, *end, 0.0) for end in ends]))
    for end in ends:
        distances = [
            shapely.LineString([a[:2], a[3:5]]).distance(shapely.Point(end)) for a in lines
        ]
        assert min(distances) < 2e-3


def test_two_walls_half_a_millimetre_apart_are_both_kept_away_from():
    # Joined, they would be one that runs across from the first to the second.
    walls = [(0.0, 0.0, 0.0, 2.0, 0.0, 0.0), (1.0, 4e-4, 0.0, 3.0, 4e-4, 0.0)]
    assert join_lines(np.array(walls)).tolist() == [list(wall) for wall in walls]


# Heights


def test_storeys_two_metres_apart_do_not_clear_each_other():
    upper = shapely.box(2.0, 1.0, 4.0, 4.0)
    pieces = cleared(np.concatenate([sheet(FLOOR, 0.0), sheet(upper, 2.0)]))
    of_upper = np.array([pieces.corners[a, 2] > 1.0 for a in pieces.offsets[:-1]])
    kept = np.array(plans(pieces), dtype=object)
    check_cleared(union(kept[of_upper]), upper)
    check_cleared(union(kept[~of_upper]), FLOOR)


@pytest.mark.parametrize("slope", [0.1, 0.5, 0.9])
def test_ramps_keep_their_radius_in_plan(slope):
    ramp = shapely.box(2.0, 1.0, 4.0, 4.0)
    pieces = cleared(sheet(ramp, lambda u, _v: slope * u))
    check_cleared(union(plans(pieces)), ramp)


def test_a_ramp_that_goes_on_from_a_floor_is_cleared_with_it():
    flat, ramp = shapely.box(0.0, 0.0, 3.0, 2.0), shapely.box(3.0, 0.0, 6.0, 2.0)
    triangles = np.concatenate([sheet(flat, 0.0), sheet(ramp, lambda u, _v: 0.4 * (u - 3.0))])
    check_cleared(union(plans(cleared(triangles))), flat | ramp)


@pytest.mark.parametrize("slope", [0.5, 0.8])
def test_beside_a_ramp_the_floor_is_kept_away_from_where_it_is_higher_than_a_step(slope):
    floor, ramp = shapely.box(0.0, 0.0, 6.0, 2.0), shapely.box(0.0, 2.0, 6.0, 4.0)
    triangles = np.concatenate([sheet(floor, 0.0), sheet(ramp, lambda u, _v: slope * u)])
    left = union(plans(cleared(triangles)))
    # From where the ramp is a step above the floor, the edge between them is a boundary.
    edge = STEP / slope
    expected = (floor | ramp).buffer(-RADIUS, join_style="mitre")
    expected -= shapely.LineString([(edge, 2.0), (6.0, 2.0)]).buffer(RADIUS, quad_segs=64)
    assert (left - expected.buffer(1e-4)).area < 1e-4
    assert left.area == pytest.approx(expected.area, abs=2.0 * ARC_ERROR)
