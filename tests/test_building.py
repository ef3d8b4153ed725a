"""Floors joined by stairs: what they take from floors, where they lead, and what is refused."""

import math

import numpy as np
import pytest
import shapely

import walkmesh as wm
from tests.makers.plans import POINT, rectangle, turned

pytestmark = pytest.mark.plain_python

HALL = rectangle(9, 9)
FLIGHT = [[(1, 1), (2, 1)], [(1, 6), (2, 6)]]  # 5 m long, 1 m wide
PERSON = wm.Agent(radius=0.3)


def two_floors(*stairs, height=3.0):
    return wm.Building([wm.FloorPlan(HALL), wm.FloorPlan(HALL, height=height)], stairs)


def winding(turns=0.75, parts=12, inner=0.3, outer=1.6, at=(5, 5)):
    """Return the sections of stairs around a point."""
    angles = np.linspace(0, 2 * math.pi * turns, parts + 1)
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.stack([at + inner * rays, at + outer * rays], axis=1)


@pytest.mark.parametrize("triangulator", ["delaunay", "greedy"])
def test_a_straight_flight(triangulator):
    navmesh = wm.build(two_floors(wm.Stairs(FLIGHT)), POINT, wm.Planar(triangulator=triangulator))
    assert navmesh.validate() == []
    assert navmesh.component_count == 1
    # Under the flight one walks where there is headroom, 1.8 m of its 3 m; and above it where it
    # is as far down.
    slope = math.hypot(5, 3)
    assert navmesh.area == pytest.approx(2 * (81 - 5 * 1.8 / 3) + slope, abs=1e-2)
    path = navmesh.find_path((1.5, 0.5, 0), (1.5, 8, 3))
    assert path.length == pytest.approx(0.5 + slope + 2, abs=1e-6)
    assert path.status == "complete"


def test_clearance_beside_a_flight():
    navmesh = wm.build(two_floors(wm.Stairs(FLIGHT)), PERSON)
    assert navmesh.validate() == []
    assert navmesh.component_count == 1
    path = navmesh.find_path((1.5, 0.5, 0), (1.5, 8, 3))
    assert path.length == pytest.approx(0.5 + math.hypot(5, 3) + 2, abs=1e-3)
    # 1 m less a radius on either side is left of the flight.
    middle = navmesh.nearest([(1.0, 3.5, 1.5), (2.0, 3.5, 1.5)]).points
    assert middle[:, 0] == pytest.approx([1.3, 1.7], abs=1e-3)
    # A flight that is narrower than the agent leads nowhere.
    narrow = [[(1, 1), (1.55, 1)], [(1, 6), (1.55, 6)]]
    navmesh = wm.build(two_floors(wm.Stairs(narrow)), PERSON)
    assert navmesh.validate() == []
    assert navmesh.component_count == 2


@pytest.mark.parametrize("agent", [POINT, PERSON], ids=["point", "person"])
@pytest.mark.parametrize("turns", [0.25, 0.75, 1.5])
def test_winding_stairs(agent, turns):
    agent = wm.Agent(radius=agent.radius, height=1.2)
    height = 4.0 * turns if turns > 0.5 else 1.3
    stairs = wm.Stairs(winding(turns, parts=round(16 * turns)))
    navmesh = wm.build(two_floors(stairs, height=height), agent)
    assert navmesh.validate() == []
    assert navmesh.component_count == 1
    lowest, highest = (5.95, 4.3, 0), np.append(stairs.sections[-1].mean(axis=0), height)
    assert navmesh.find_path(lowest, highest).status == "complete"


def test_a_landing_in_the_middle():
    sections = [[(1, 1), (2, 1)], [(1, 3), (2, 3)], [(1, 4.5), (2, 4.5)], [(1, 6.5), (2, 6.5)]]
    stairs = wm.Stairs(sections, heights=[0, 1.5, 1.5, 3])
    navmesh = wm.build(two_floors(stairs), POINT)
    assert navmesh.validate() == []
    path = navmesh.find_path((1.5, 1, 0), (1.5, 6.5, 3))
    assert path.length == pytest.approx(2 * 2.5 + 1.5, abs=1e-6)


def test_stairs_in_a_well_of_their_own():
    # The flight lies outside of both floors, behind openings in their walls.
    stairs = wm.Stairs([[(9, 2), (9, 3)], [(14, 2), (14, 3)]])
    upper = wm.FloorPlan(rectangle(9, 9, (14, 0)), height=3)
    building = wm.Building([wm.FloorPlan(HALL), upper], [stairs])
    for agent in (POINT, PERSON):
        navmesh = wm.build(building, agent)
        assert navmesh.validate() == []
        assert navmesh.component_count == 1
        path = navmesh.find_path((8, 2.5, 0), (15, 2.5, 3))
        assert path.length == pytest.approx(2 + math.hypot(5, 3), abs=1e-3)


@pytest.mark.parametrize("degrees", [0, 12.5, 30, 45, 77])
def test_a_flight_turned_any_way(degrees):
    angle = math.radians(degrees)
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    hall, flight = np.array(HALL) @ turn, np.array(FLIGHT) @ turn
    floors = [wm.FloorPlan(hall), wm.FloorPlan(hall, height=3)]
    for agent in (POINT, PERSON):
        navmesh = wm.build(wm.Building(floors, [wm.Stairs(flight)]), agent)
        assert navmesh.validate() == []
        assert navmesh.component_count == 1


def test_an_obstacle_before_a_flight_narrows_the_way_on():
    floors = [wm.FloorPlan(HALL, [rectangle(0.5, 0.5, (1, 0.5))]), wm.FloorPlan(HALL, height=3)]
    building = wm.Building(floors, [wm.Stairs(FLIGHT)])
    navmesh = wm.build(building, POINT)
    assert navmesh.validate() == []
    assert navmesh.component_count == 1
    assert wm.build(building, PERSON).component_count == 2  # 0.5 m are left for one of 0.6 m
    assert wm.build(building, wm.Agent(radius=0.2)).component_count == 1


def test_five_floors_and_two_flights_each():
    floors = [wm.FloorPlan(HALL, height=3 * i) for i in range(5)]
    stairs = []
    for i in range(4):
        x = 1 if i % 2 else 3
        stairs.append(wm.Stairs([[(x, 1), (x + 1, 1)], [(x, 6), (x + 1, 6)]], (i, i + 1)))
        stairs.append(wm.Stairs([[(x + 4, 6), (x + 5, 6)], [(x + 4, 1), (x + 5, 1)]], (i, i + 1)))
    navmesh = wm.build(wm.Building(floors, stairs), PERSON)
    assert navmesh.validate() == []
    assert navmesh.component_count == 1
    assert navmesh.find_path((8.5, 8.5, 0), (8.5, 8.5, 12)).status == "complete"
    assert navmesh.report.scene["stairs"] == 8


def test_flights_one_above_the_other():
    floors = [wm.FloorPlan(HALL, height=3 * i) for i in range(4)]
    stairs = [wm.Stairs(FLIGHT, (i, i + 1)) for i in range(3)]
    for agent in (POINT, PERSON):
        navmesh = wm.build(wm.Building(floors, stairs), agent)
        assert navmesh.validate() == []
        assert navmesh.component_count == 1


def test_two_flights_side_by_side_on_one_line():
    beside = wm.Stairs([[(2, 1), (3, 1)], [(2, 6), (3, 6)]])
    for agent in (POINT, PERSON):
        navmesh = wm.build(two_floors(wm.Stairs(FLIGHT), beside), agent)
        assert navmesh.validate() == []
        assert navmesh.component_count == 1


@pytest.mark.parametrize("degrees", [0, 7, 30, 61.3])
@pytest.mark.parametrize("overlap", [1e-4, 3e-4, 1e-3, 2e-3])
def test_flights_that_are_drawn_over_each_other_by_a_millimetre(overlap, degrees):
    left = 2 - overlap
    beside = [[(left, 1), (3, 1)], [(left, 6), (3, 6)]]
    other_way = [[(left, 6), (3, 6)], [(left, 1), (3, 1)]]
    hall, flight = turned(HALL, degrees), turned(FLIGHT, degrees)
    floors = [wm.FloorPlan(hall), wm.FloorPlan(hall, height=3)]
    for second in (beside, other_way):
        building = wm.Building(floors, [wm.Stairs(flight), wm.Stairs(turned(second, degrees))])
        for agent in (POINT, PERSON):
            navmesh = wm.build(building, agent)
            assert navmesh.component_count == 1
            assert navmesh.validate() == []
            assert navmesh.report.notes == ()  # nothing was left out to make it so


@pytest.mark.parametrize("overlap", [0.0, 5e-5, 1e-4])
@pytest.mark.parametrize("degrees", [13.7, 101.9, 222.2])
def test_flights_beside_each_other_that_are_shifted(overlap, degrees):
    left = 2.0 - overlap
    hall, flight = turned(HALL, degrees), turned(FLIGHT, degrees)
    floors = [wm.FloorPlan(hall), wm.FloorPlan(hall, height=3)]
    for shift in (-0.53, 0.31):
        lower, upper = [(left, 1 + shift), (3, 1 + shift)], [(left, 6 + shift), (3, 6 + shift)]
        for second in ([lower, upper], [upper, lower]):
            stairs = [wm.Stairs(flight), wm.Stairs(turned(second, degrees))]
            navmesh = wm.build(wm.Building(floors, stairs), POINT)
            assert navmesh.component_count == 1
            assert navmesh.validate() == []
            assert navmesh.report.notes == ()


def test_flights_through_each_other_are_refused():
    overlapping = wm.Stairs([[(1.5, 1), (2.5, 1)], [(1.5, 6), (2.5, 6)]])
    with pytest.raises(wm.SceneError, match=r"^stairs 0 and 1: they lie over each other in plan"):
        wm.build(two_floors(wm.Stairs(FLIGHT), overlapping), POINT)
    for first, second in (
        (FLIGHT, FLIGHT),
        ([[(5, 5), (6, 5)], [(5, 8.5), (6, 8.5)]], [[(3, 7), (3, 8)], [(8, 7), (8, 8)]]),
        ([[(5, 2), (6, 2)], [(5, 7), (6, 7)]], [[(6, 2), (7, 2)], [(5.5, 7), (6.5, 7)]]),
    ):
        with pytest.raises(wm.SceneError, match=r"^stairs 0 and 1: they lie over each other"):
            wm.build(two_floors(wm.Stairs(first), wm.Stairs(second)), PERSON)
    # A spiral whose turns are 1.5 m apart, for someone 1.8 m high and someone 1.2 m high.
    spiral = two_floors(wm.Stairs(winding(2.0, parts=32)))
    with pytest.raises(wm.SceneError, match=r"^stairs 0: they lie over each other in plan"):
        wm.build(spiral, POINT)
    assert wm.build(spiral, wm.Agent(radius=0, height=1.2)).validate() == []


def test_stairs_that_are_lost_are_counted_or_refused():
    narrow = wm.Stairs([[(1, 1), (1.55, 1)], [(1, 6), (1.55, 6)]])
    report = wm.build(two_floors(narrow), PERSON).report.as_dict()
    assert report["stages"][1]["stair_parts_too_narrow"] == 3
    with pytest.raises(wm.SceneError, match=r"^stairs 0: they are finer than the grid, whose step"):
        wm.build(two_floors(wm.Stairs(FLIGHT)), POINT, wm.Planar(grid_step=3))


@pytest.mark.parametrize("seed", range(12))
def test_obstacles_at_the_sides_of_flights(seed):
    generator = np.random.default_rng(seed)
    blocks = [
        turned(rectangle(*generator.uniform(0.2, 2, 2)), generator.uniform(0, 90))
        + generator.uniform(0, 9, 2)
        for _ in range(8)
    ]
    flight = turned(np.array(FLIGHT).reshape(-1, 2) - [1.5, 3.5], 30 * seed) + [4.5, 4.5]
    floors = [
        wm.FloorPlan(HALL, [b for b in blocks if clear_of(b, flight)], height=h) for h in (0, 3)
    ]
    navmesh = wm.build(wm.Building(floors, [wm.Stairs(flight.reshape(2, 2, 2))]), POINT)
    assert navmesh.validate() == []


def clear_of(block, flight):
    """Tell whether a block leaves the ends of a flight free."""
    ends = shapely.linestrings(flight.reshape(2, 2, 2))
    return shapely.distance(shapely.Polygon(block), ends).min() > 0.3


def test_sections_drawn_either_way_round():
    crossed = [FLIGHT[0], FLIGHT[1][::-1]]
    one, other = (wm.build(two_floors(wm.Stairs(s)), PERSON) for s in (FLIGHT, crossed))
    assert one.vertices.tolist() == other.vertices.tolist()


def test_stairs_too_steep_stand_in_the_way():
    steep = wm.Stairs([[(1, 1), (2, 1)], [(1, 3), (2, 3)]])
    navmesh = wm.build(two_floors(steep), POINT)
    assert navmesh.validate() == []
    assert navmesh.component_count == 2
    assert navmesh.report.as_dict()["stages"][0]["stairs_too_steep"] == 1
    assert not navmesh.contains([(1.5, 1.5, 0)])[0]
    climber = wm.Agent(radius=0, max_slope=60)
    assert wm.build(two_floors(steep), climber).component_count == 1


def test_the_scene_of_a_building_agrees():
    building = two_floors(wm.Stairs(FLIGHT))
    agent = wm.Agent(radius=0.3, max_step=0.01)  # nobody steps over the sides of the flight
    planar = wm.build(building, agent)
    exact = wm.build(building.to_scene(), agent)
    assert exact.component_count == planar.component_count == 1
    assert exact.area == pytest.approx(planar.area, rel=0.01)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: wm.Stairs([[(0, 0), (1, 0)]]), r"the sections of stairs have shape \(1, 2, 2\)"),
        (lambda: wm.Stairs("up"), "the sections of stairs must be a"),
        (lambda: wm.Stairs([[(0, 0), (np.nan, 0)], FLIGHT[1]]), ".*not finite"),
        (lambda: wm.Stairs([[(0, 0), (0, 0)], [(1, 0), (1, 0)]]), "section 0 of the stairs is 0 m"),
        (lambda: wm.Stairs([[(0, 0), (1, 0)], [(0, 0), (1, 1)]]), "sections 0 and 1 of the stairs"),
        (lambda: wm.Stairs([[(0, 0), (9, 0)], [(3, -1), (4, 1)]]), "between sections 0 and 1"),
        (lambda: wm.Stairs(FLIGHT, (0.9, 1.7)), r"floors is \(0.9, 1.7\); it must be two"),
        (lambda: wm.Stairs(FLIGHT, (0, 1, 2)), r"floors is \(0, 1, 2\); it must be two"),
        (lambda: wm.Stairs(FLIGHT, heights=[0, 1, 2]), "the heights of stairs have shape"),
        (lambda: wm.Stairs(FLIGHT, heights=[3, 0]), "the heights of stairs are not finite, or do"),
        (lambda: wm.Building([]), "the building has no floors"),
        (lambda: wm.Building("house"), "floors is 'house'; it must be a list of FloorPlan"),
        (lambda: wm.Building([HALL]), "floors has .*; it must be a walkmesh.FloorPlan"),
        (lambda: two_floors(FLIGHT), "stairs has .*; it must be a walkmesh.Stairs"),
        (lambda: two_floors(wm.Stairs(FLIGHT, (0, 2))), "stairs 0 names floor 2; there are 2"),
        (lambda: two_floors(wm.Stairs(FLIGHT, (1, 0))), "stairs 0 leads from a height of 3 m to"),
        (
            lambda: two_floors(wm.Stairs(FLIGHT, heights=[0, 2.5])),
            "stairs 0 runs from 0 to 2.5 m, and its floors lie at 0 and 3 m",
        ),
    ],
)
def test_what_is_no_building(make, message):
    with pytest.raises(wm.SceneError, match=f"^{message}"):
        make()


@pytest.mark.parametrize(
    ("sections", "end"),
    [
        ([[(-3, 1), (-2, 1)], [(-3, 6), (-2, 6)]], "floor 0 in front of the first"),
        ([[(7, 4), (7, 5)], [(12, 4), (12, 5)]], "floor 1 in front of the last"),
    ],
)
def test_stairs_without_a_floor_before_them(sections, end):
    with pytest.raises(wm.SceneError, match=f"^stairs 0: there is no {end} section"):
        wm.build(two_floors(wm.Stairs(sections)), POINT)
