"""The sample scenes that try a build's precision are what their docstrings say."""

from itertools import pairwise

import numpy as np
import pytest
import shapely

from tests.checks.plan_triangles import (
    area,
    components,
    enclosed_volume,
    normals_and_areas,
    plan_triangles,
    unmatched_edges,
    upward,
)
from walkmesh import SettingsError, samples
from walkmesh.frame import Frame
from walkmesh.samples import walls


def free_plan(floor, obstacles, radius):
    """Return where a disc fits on a floor between obstacles, and each part of it."""
    blocked = shapely.union_all(obstacles).buffer(radius, quad_segs=32)
    free = floor.buffer(-radius, join_style="mitre").difference(blocked)
    return [part for part in getattr(free, "geoms", [free]) if part.area > 1e-9]


@pytest.mark.parametrize("thickness", [0.0, 0.2])
def test_doorways_part_the_rooms_that_a_disc_cannot_pass(thickness):
    widths = (0.61, 0.59, 0.0, 0.61)
    plan = walls.doorway_walls(widths, thickness)
    floor = shapely.box(*shapely.total_bounds(plan))
    parts = free_plan(floor, plan, 0.3)
    rooms = Frame((0.0, 1.0, 0.0)).to_plan(samples.doorway_rooms(5, thickness=thickness))
    homes = [
        next(i for i, part in enumerate(parts) if part.contains(shapely.Point(room[:2])))
        for room in rooms
    ]
    assert [a == b for a, b in pairwise(homes)] == [True, False, False, True]
    assert len(parts) == 3


@pytest.mark.parametrize("angle", [0.0, 17.0, 61.3])
def test_doorways_are_turned_as_a_whole(angle):
    scene = samples.doorways((1.0, 0.5), angle)
    triangles = plan_triangles(scene)
    floor, boxes = triangles[:2], triangles[2:]
    assert area(floor) == pytest.approx(6.8 * 2.8, rel=1e-3)
    assert unmatched_edges(boxes) == 0
    ring = 6.8 * 2.8 - 6.4 * 2.4
    volume = 2.5 * (ring + 0.2 * (1.4 + 1.9))
    assert enclosed_volume(boxes) == pytest.approx(volume, rel=1e-3)
    rooms = plan_points(samples.doorway_rooms(3, angle))
    gaps = np.diff(rooms[:, :2], axis=0)
    assert np.degrees(np.arctan2(gaps[:, 1], gaps[:, 0])) == pytest.approx([angle, angle])
    assert np.linalg.norm(gaps, axis=1) == pytest.approx([2.2, 2.2])


def plan_points(points):
    return Frame((0.0, 1.0, 0.0)).to_plan(points)


@pytest.mark.parametrize("thickness", [0.0, 0.1])
@pytest.mark.parametrize(("radius", "parts"), [(0.359, 1), (0.361, 2)])
def test_the_spiral_corridor_is_as_wide_as_it_says(thickness, radius, parts):
    triangles = plan_triangles(samples.spiral_corridor(0.12, 0.3, 2, thickness))
    floor, walls_of_it = triangles[:2], triangles[2:]
    if thickness:
        assert unmatched_edges(walls_of_it) == 0
        assert enclosed_volume(walls_of_it) > 0.0
    lines = [shapely.LineString(t[:, :2]) for t in walls_of_it]
    outline = shapely.box(*floor[:, :, :2].reshape(-1, 2).min(axis=0), *floor[0, :, :2].max(axis=0))
    reachable = [
        part
        for part in free_plan(outline, lines, radius)
        # Inside a thin wall and between two walls nobody fits.
        if part.area > 0.5
    ]
    assert len(reachable) >= parts
    middle = [part for part in reachable if part.contains(shapely.Point(0.0, 0.0))]
    corner = shapely.Point(*(floor[0, :, :2].max(axis=0) - 0.5))
    assert len(middle) == 1
    assert middle[0].contains(corner) == (parts == 1)


@pytest.mark.parametrize("slope", [10.0, 30.0, 70.0])
def test_the_sloping_plate_is_a_metre_eighty_up_at_the_headroom_line(slope):
    triangles = plan_triangles(samples.sloping_plate(slope, low=0.5))
    floor, plate = triangles[:2], triangles[2:]
    line = samples.headroom_line(slope)
    assert area(floor) == pytest.approx(3.0 * (line + 4.0), abs=1e-3)
    assert unmatched_edges(plate) == 0
    assert enclosed_volume(plate) == pytest.approx(0.05 * 4.0 * (line + 4.0), abs=1e-2)
    normals, _ = normals_and_areas(plate)
    under = plate[(normals[:, 2] < 0.0) & (np.ptp(plate[:, :, 0], axis=1) > 0.1)][0]
    rise = np.tan(np.radians(slope))
    assert under[:, 2] - under[:, 0] * rise == pytest.approx([0.5] * 3, abs=1e-3)
    assert 0.5 + line * rise == pytest.approx(1.8)


@pytest.mark.parametrize("bevel", [30.0, 60.0, 75.0, 90.0])
def test_kerb(bevel):
    scene = samples.kerb(bevel, 0.15)
    assert unmatched_edges(plan_triangles(scene)) == 0
    tops = upward(scene)
    flat = tops[np.ptp(tops[:, :, 2], axis=1) == 0.0]
    assert np.unique(flat[:, :, 2]) == pytest.approx([0.0, 0.15])
    assert area(flat) == pytest.approx(12.0)
    assert len(components(tops)) == (1 if bevel < 45.0 else 2)


@pytest.mark.parametrize("seed", range(4))
def test_careless_plates_cover_their_outline_but_for_slits(seed):
    scene = samples.careless_plates(seed)
    tops = upward(scene)
    plates = tops[normals_and_areas(tops)[1] > 1e-2]
    plan = shapely.union_all([shapely.Polygon(t[:, :2]) for t in plates])
    outline = shapely.box(0.0, 0.0, 9.0, 6.0)
    assert outline.covers(plan)
    missing = outline.difference(plan)
    assert 0.0 < missing.area < 0.3
    # Slits are 5 mm wide, and a little wider where they cross.
    assert missing.buffer(-0.0036).is_empty
    assert 1 - missing.buffer(-0.0026).area / missing.area > 0.999
    assert area(plates) > plan.area + 0.1
    assert np.ptp(scene.vertices[:, 1]) <= 0.003
    assert len(components(plates)) > 30
    assert scene.left_out.repeated == 22
    assert scene.left_out.no_area >= 10
    facing_down = plan_triangles(scene)
    normals, _ = normals_and_areas(facing_down)
    assert np.count_nonzero(normals[:, 2] < -0.99) >= 22


@pytest.mark.parametrize("seed", range(4))
def test_rubble_is_low_and_the_log_lies_across(seed):
    triangles = plan_triangles(samples.rubble(seed, 40))
    floor, boxes, rest = triangles[:2], triangles[2:26], triangles[26:]
    assert area(floor) == pytest.approx(8.0 * 2.2)
    assert enclosed_volume(boxes) == pytest.approx(2 * 0.1 * 8.0 * 2.5)
    assert unmatched_edges(rest) == 0
    assert 0.2 < rest[:, :, 2].max() <= 0.3
    log = rest[np.isclose(rest[:, :, 1].max(axis=1), 2.05)]
    assert log[:, :, 1].min() == pytest.approx(-0.05)
    assert log[:, :, 2].max() == pytest.approx(0.06 + 0.12, abs=0.01)
    pieces = rest[36:]
    assert (pieces[:, :, 0].min(), pieces[:, :, 0].max()) == pytest.approx((1.0, 7.0), abs=0.5)
    assert np.all((pieces[:, :, 1] >= 0.0) & (pieces[:, :, 1] <= 2.0))


def test_random_samples_depend_on_their_seed_only():
    for make in (samples.careless_plates, samples.rubble):
        np.testing.assert_array_equal(make(3).vertices, make(3).vertices)
        assert np.any(make(3).vertices != make(4).vertices)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: samples.doorways((2.0,)), r"widths\[0\] is 2.0"),
        (lambda: samples.doorways((0.6,), thickness=-0.1), "thickness is -0.1"),
        (lambda: samples.spiral_corridor(clearance=1.0), "clearance is 1.0"),
        (lambda: samples.spiral_corridor(radius=float("nan")), "radius is nan"),
        (lambda: samples.spiral_corridor(turns=0), "turns is 0"),
        (lambda: samples.spiral_corridor(turns=256, thickness=0.1), "from 1 to 100"),
        (lambda: samples.sloping_plate(90.0), "slope_degrees is 90.0"),
        (lambda: samples.sloping_plate(30.0, low=1.8), "low is 1.8"),
        (lambda: samples.kerb(bevel_degrees=0), "bevel_degrees is 0"),
        (lambda: samples.kerb(height="a"), "height is 'a'"),
        (lambda: samples.careless_plates(-1), "seed is -1"),
        (lambda: samples.rubble(pieces=-1), "pieces is -1"),
    ],
)
def test_impossible_trials_are_refused(call, message):
    with pytest.raises(SettingsError, match=message):
        call()
