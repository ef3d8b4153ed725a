"""Ramps: steps become slopes, and a flight of them one."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.checks.exact_checks import AGENT, FRAME, block, ground_of, height_at, ramped, sheet
from tests.twins import naive_exact
from walkmesh import samples
from walkmesh.box_tree import BoxTree
from walkmesh.builder.exact.kernels.ramps import raise_to_ramps
from walkmesh.builder.exact.stages.ramps import add_ramps

FLOOR = shapely.box(0.0, 0.0, 6.0, 4.0)
WITHOUT_RADIUS = wm.Agent(radius=0.0)


def flight(riser, tread, steps, width=1.2):
    """Return a floor, the treads of a flight that rises along u from 0, and a landing."""
    parts = [sheet(shapely.box(-1.0, 0.0, 0.0, width), 0.0)]
    for k in range(1, steps):
        box = shapely.box((k - 1) * tread, 0.0, k * tread, width)
        parts.append(sheet(box, k * riser))
    run = (steps - 1) * tread
    parts.append(sheet(shapely.box(run, 0.0, run + 1.0, width), steps * riser))
    return np.concatenate(parts)


# Flights


@pytest.mark.parametrize(("riser", "tread"), [(0.17, 0.28), (0.1, 0.2), (0.3, 0.5), (0.05, 0.25)])
def test_a_flight_lies_on_the_plane_through_its_edges(riser, tread):
    mesh, counts = ramped(flight(riser, tread, 8))
    assert counts == {"steps": 8, "steps_from_treads": 7}
    u, _, h = mesh.points.T
    # The edge of each tread is its upper end; below the first step lies a ramp of its own.
    on_flight = (u >= 0.0) & (u <= 7 * tread)
    # A millimetre beyond the lowest edge lies a vertex that is still on the tread.
    assert h[on_flight] == pytest.approx(riser + u[on_flight] / tread * riser, abs=1e-3)
    assert h[u > 7 * tread] == pytest.approx(8 * riser)
    for place in np.linspace(0.01, 7 * tread, 11):
        assert height_at(mesh, place, 0.6) == pytest.approx(riser * (1.0 + place / tread), abs=1e-3)


@pytest.mark.parametrize("steps", [4, 8, 16])
def test_a_flight_takes_few_polygons_however_many_steps_it_has(steps):
    navmesh = wm.build(samples.stairs(0.17, 0.28, steps))
    assert navmesh.polygon_count <= 4
    assert navmesh.component_count == 1


def test_deep_treads_get_ramps_of_their_own():
    # 1 m deep and 0.1 m high is less than fifteen degrees, so each step is one by itself.
    mesh, counts = ramped(flight(0.1, 1.0, 4))
    assert counts == {"steps": 4, "steps_from_treads": 0}
    for k in range(1, 4):
        assert height_at(mesh, k - 0.5, 0.6) == pytest.approx(k * 0.1)


# Single steps


@pytest.mark.parametrize("stair_slope", [30.0, 45.0, 60.0])
@pytest.mark.parametrize("rise", [0.05, 0.2, 0.4])
def test_a_single_step_gets_a_ramp_of_the_slope_asked_for(rise, stair_slope):
    low, high = shapely.box(0.0, 0.0, 3.0, 4.0), shapely.box(3.0, 0.0, 6.0, 4.0)
    triangles = np.concatenate([sheet(low, 0.0), sheet(high, rise)])
    mesh, counts = ramped(triangles, stair_slope=stair_slope)
    assert counts == {"steps": 1, "steps_from_treads": 0}
    width = rise / math.tan(math.radians(stair_slope))
    u, _, h = mesh.points.T
    expected = rise * np.clip(1.0 - (3.0 - u) / width, 0.0, 1.0)
    assert h == pytest.approx(expected, abs=1e-6)
    feet = np.sort(np.unique(np.round(u[(u > 0.0) & (u < 3.0)], 6)))
    assert feet == pytest.approx([3.0 - width], abs=1e-6)
    for u, part in [(3.0 - 0.5 * width, 0.5), (3.0 - width - 0.01, 0.0), (0.5, 0.0), (4.5, 1.0)]:
        assert height_at(mesh, u, 1.7) == pytest.approx(part * rise, abs=1e-6)


def test_differences_below_the_level_are_no_steps():
    low, high = shapely.box(0.0, 0.0, 3.0, 4.0), shapely.box(3.0, 0.0, 6.0, 4.0)
    mesh, counts = ramped(np.concatenate([sheet(low, 0.0), sheet(high, 0.009)]))
    assert counts == {"steps": 0, "steps_from_treads": 0}
    # One height at each place all the same: the upper one.
    assert mesh.points[mesh.points[:, 0] == 3.0, 2] == pytest.approx(0.009)
    assert len(mesh.points) == 6


def test_ground_without_steps_stays_as_it_is():
    triangles = sheet(FLOOR, lambda u, v: 0.2 * u - 0.1 * v)
    mesh, counts = ramped(triangles)
    assert counts == {"steps": 0, "steps_from_treads": 0}
    u, v, h = mesh.points.T
    assert h == pytest.approx(0.2 * u - 0.1 * v)


# Blocks


@pytest.mark.parametrize("rise", [0.1, 0.3])
def test_ramps_go_around_the_corners_of_a_block(rise):
    plan = shapely.box(2.0, 1.0, 4.0, 3.0)
    mesh, counts = ramped(np.concatenate([sheet(FLOOR, 0.0), block(plan, 0.0, rise)]))
    assert counts["steps"] >= 4
    assert counts["steps_from_treads"] == 0
    random = np.random.default_rng(0)
    for u, v in random.uniform([1.0, 0.2], [5.0, 3.8], (150, 2)):
        away = plan.distance(shapely.Point(u, v))
        h = height_at(mesh, u, v)
        cone = rise * max(0.0, 1.0 - away / rise)
        if 2.0 <= u <= 4.0 or 1.0 <= v <= 3.0:
            assert h == pytest.approx(cone, abs=1e-6)
        else:
            # Around a corner the slope is made of a few triangles: at worst one, from foot to
            # foot, or two up to 5 cm outside of the arc.
            within = rise * max(0.0, 1.0 - away * math.sqrt(2.0) / rise)
            outside = rise * max(0.0, 1.0 - away / (rise + 0.05))
            assert within - 1e-6 <= h <= outside + 1e-6
    assert height_at(mesh, 3.0, 2.0) == pytest.approx(rise)
    sector = [(2.0 - 0.5 * rise * math.cos(a), 1.0 - 0.5 * rise * math.sin(a)) for a in (0.4, 0.8)]
    for place in sector:
        assert height_at(mesh, *place) > 0.25 * rise


@pytest.mark.parametrize("rise", [0.1, 0.3])
def test_all_ground_of_a_block_and_its_floor_has_one_height(rise):
    plan = shapely.Polygon([(2.0, 1.0), (4.0, 1.5), (3.0, 3.0)])
    mesh, _ = ramped(np.concatenate([sheet(FLOOR, 0.0), block(plan, 0.0, rise)]), WITHOUT_RADIUS)
    corners = shapely.polygons(mesh.points[mesh.triangles][..., :2])
    assert shapely.area(corners).sum() == pytest.approx(FLOOR.area, abs=1e-3)
    # Vertices at one place are one: two would be two heights there.
    places = np.round(mesh.points[np.unique(mesh.triangles), :2], 5)
    assert len(np.unique(places, axis=0)) == len(places)


def test_a_ramp_does_not_reach_to_the_storey_above_or_below():
    low, high = shapely.box(0.0, 0.0, 3.0, 4.0), shapely.box(3.0, 0.0, 6.0, 4.0)
    faces = np.concatenate([sheet(low, 0.0), sheet(high, 0.3), sheet(FLOOR, 2.5)])
    mesh, counts = add_ramps(ground_of(faces)[1], AGENT, 45.0, 0.01, FRAME, None)
    assert counts["steps"] == 1
    upper = mesh.points[mesh.points[:, 2] > 1.0]
    assert upper[:, 2] == pytest.approx(2.5)


def test_a_step_that_runs_out_along_a_slope_takes_its_ramp_with_it():
    slope = sheet(shapely.box(0.0, 0.0, 4.0, 2.0), lambda u, _v: 0.1 * u)
    mesh, counts = ramped(np.concatenate([slope, sheet(shapely.box(0.0, 2.0, 4.0, 4.0), 0.4)]))
    assert counts["steps"] == 1
    assert mesh.points[:, 2].max() == pytest.approx(0.4)
    for u in (0.5, 2.0, 3.5):
        assert height_at(mesh, u, 2.0) == pytest.approx(0.4, abs=1e-6)
        for v in (0.5, 1.7, 1.9):
            assert 0.1 * u - 1e-6 <= height_at(mesh, u, v) <= 0.4 + 1e-6


# Twin


PLACE = st.integers(0, 20).map(lambda k: 0.1 * k)
LINE = st.tuples(PLACE, PLACE, PLACE, PLACE, PLACE, PLACE)
RISE = st.floats(0.0, 0.4)


@given(
    st.lists(st.tuples(PLACE, PLACE, st.floats(-1.0, 3.0)), min_size=1, max_size=12),
    st.lists(st.tuples(LINE, st.floats(0.05, 1.0), st.tuples(RISE, RISE)), min_size=1, max_size=5),
)
def test_vertices_are_raised_to_the_highest_ramp_over_them(places, steps):
    steps = [step for step in steps if step[0][:2] != step[0][3:5]]
    if not steps:
        return
    lines, widths, rises = (np.array(column) for column in zip(*steps, strict=True))
    points = np.array(places)
    heights = np.ascontiguousarray(points[:, 2])
    expected = naive_exact.on_ramps(points[:, :2], heights, lines, widths, rises, 0.9)
    low, high = np.minimum(lines[:, :3], lines[:, 3:]), np.maximum(lines[:, :3], lines[:, 3:])
    low[:, :2] -= widths[:, None]
    high[:, :2] += widths[:, None]
    tree = BoxTree.around(np.concatenate([low, high], axis=1))
    plan = np.ascontiguousarray(points[:, :2])
    raise_to_ramps(plan, lines, widths, rises, tree.nodes, tree.order, 0.9, heights)
    assert heights == pytest.approx(np.array(expected), abs=1e-9)


def test_ramps_that_crowd_do_not_shred_the_ground():
    # A pit whose steps all face its middle: every ramp lies over every other.
    sides = 80
    turns = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    pit = shapely.Polygon(0.2 * np.column_stack([np.cos(turns), np.sin(turns)]))
    floor = shapely.box(-1.0, -1.0, 1.0, 1.0).difference(pit)
    mesh, counts = ramped(np.concatenate([sheet(floor, 0.3), sheet(pit, 0.0)]))
    assert counts["steps"] == sides
    assert len(mesh.triangles) < 70 * sides
