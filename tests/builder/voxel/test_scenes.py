"""The voxel method gives the known answers of the sample scenes."""

import json
import math
from itertools import pairwise

import numpy as np
import pytest
import shapely

import walkmesh as wm
from tests.checks.plan_views import plan, plan_area
from tests.makers.flights import (
    KINDS,
    between_storeys,
    landing_90,
    landing_180,
    spiral,
    straight,
    world,
)
from tests.makers.scenes import SCENES, needs_scenes
from walkmesh import samples
from walkmesh.samples import walls
from walkmesh.topology import plan_points

RADIUS = 0.3
PARTITIONS = ["watershed", "slices"]
both = pytest.mark.parametrize("partition", PARTITIONS)


def sound(scene, agent=None, **settings):
    """Build a navmesh and make sure that nothing is wrong with it."""
    navmesh = wm.build(scene, agent, wm.Voxel(**settings))
    assert navmesh.validate() == []
    return navmesh


def joined(navmesh, *points, near=0.25):
    """Tell whether each point is reached from the one before it."""
    located = navmesh.nearest(points, max_snap=near)
    assert (located.polygons >= 0).all(), f"not on the navmesh: {located}"
    statuses = {navmesh.find_path(a, b, max_snap=near).status for a, b in pairwise(points)}
    assert len(statuses) == 1
    return statuses == {"complete"}


# Floors and rooms


@pytest.mark.parametrize("cell", [0.05, 0.1, 0.15, 0.2, 0.4])
@pytest.mark.parametrize("size", [(10.0, 8.0), (6.0, 6.0), (5.9, 6.1), (6.037, 4.061)])
def test_a_floor_is_free_but_for_the_radius(size, cell):
    navmesh = sound(samples.floor(*size), cell_size=cell, boundary_tolerance=0.0)
    free = shapely.box(RADIUS, RADIUS, size[0] - RADIUS, size[1] - RADIUS)
    assert navmesh.component_count == 1
    points = shapely.points(plan(navmesh)[:, :2])
    assert shapely.distance(free, points).max() < 0.01 * cell
    # Corners are cut where the middle of their cell is too close to both sides.
    assert free.area - 4.0 * cell**2 <= navmesh.area <= free.area + 0.01 * cell * free.length
    for side in shapely.get_parts(shapely.segmentize(free.exterior, 9.0)):
        assert shapely.distance(side, points).min() < 0.01 * cell


@pytest.mark.parametrize("size", [(6.0, 4.0), (6.013, 4.061), (5.957, 4.0999)])
def test_a_room_is_free_but_for_the_radius(size):
    navmesh = sound(samples.box_room(*size), boundary_tolerance=0.0)
    free = shapely.box(RADIUS, RADIUS, size[0] - RADIUS, size[1] - RADIUS)
    assert navmesh.component_count == 1
    points = shapely.points(plan(navmesh)[:, :2])
    assert shapely.distance(free, points).max() < 0.001
    assert free.area - 0.04 <= navmesh.area <= free.area + 1e-3
    # With the default tolerance the boundary only moves inwards.
    simple = sound(samples.box_room(*size))
    assert simple.polygon_count == 1
    assert free.buffer(0.001).covers(shapely.points(plan(simple)[:, :2])).all()
    assert simple.area >= free.area - 0.05 * free.length


@pytest.mark.parametrize("size", [(10.0, 8.0), (6.037, 4.061)])
def test_slices_of_a_floor_have_all_cells_that_are_clear_around_their_middles(size):
    navmesh = sound(samples.floor(*size), partition="slices")
    middles = [np.arange(0.05, side, 0.1) for side in size]
    kept = [
        np.count_nonzero(np.minimum(m, side - m) >= RADIUS + 0.125 * 0.1)
        for m, side in zip(middles, size, strict=True)
    ]
    assert navmesh.area == pytest.approx(math.prod(kept) * 0.01)
    assert plan(navmesh)[:, :2].min() >= RADIUS - 0.375 * 0.1 - 1e-3


@both
def test_an_agent_without_radius_stands_everywhere(partition):
    navmesh = sound(samples.floor(), wm.Agent(radius=0.0), partition=partition)
    # A 128th of a cell, so that grounds beside each other do not touch; or cells at the edge.
    lost = 2 * 0.1 / 128 if partition == "watershed" else 0.2
    assert navmesh.area == pytest.approx((10.0 - lost) * (8.0 - lost), abs=1e-3)


@needs_scenes
@pytest.mark.parametrize("cell", [0.1, 0.2])
def test_a_town_of_real_scenes_keeps_its_streets_without_radius(cell):
    # All streets are one patch, whose outlines must not cross anywhere, at vertices neither.
    scene = wm.load_scene(SCENES / "city" / "delft_3dfier.obj", up="z")
    navmesh = sound(scene, wm.Agent(radius=0.0), cell_size=cell)
    assert navmesh.report.stages[-1].counts["patches_left_out"] == 0
    assert navmesh.area > 42_900.0  # 39,600 with a radius of 0.3 m


@needs_scenes
def test_heights_of_one_patch_of_real_scenes_never_reach_another():
    # Without a radius the middles of cells may lie outside of their patch.
    scene = wm.load_scene(SCENES / "ifc" / "Ifc2x3_Duplex_Architecture_nodoors.obj", up="z")
    navmesh = sound(scene, wm.Agent(radius=0.0))
    assert navmesh.report.stages[-1].counts.get("polygons_left_out", 0) == 0


# Doorways

ANGLES = [0.0, 17.0, 30.0, 45.0]


@both
@pytest.mark.parametrize("thickness", [0.2, 0.0])
@pytest.mark.parametrize("angle", ANGLES)
def test_doors_two_cells_wider_are_passed_and_narrower_ones_not(angle, thickness, partition):
    cell = 0.05
    spare = 2 * cell if partition == "watershed" else 3.5 * cell
    wide, narrow = 2 * RADIUS + spare + 0.01, 2 * RADIUS - 0.01
    widths = (wide, narrow, wide, wide, narrow)
    scene = samples.doorways(widths, angle, thickness)
    navmesh = sound(scene, cell_size=cell, partition=partition)
    rooms = samples.doorway_rooms(len(widths) + 1, angle, thickness)
    assert [joined(navmesh, a, b) for a, b in pairwise(rooms)] == [w == wide for w in widths]
    # Vertices keep the radius, but for a part of a cell; those of slices are corners of cells.
    part = 0.5 if partition == "watershed" else math.sqrt(0.5)
    solid = shapely.union_all(walls.doorway_walls(widths, thickness))
    on_floor = plan(navmesh, angle)
    on_floor = on_floor[on_floor[:, 2] < 0.1]
    assert shapely.distance(solid, shapely.points(on_floor[:, :2])).min() >= RADIUS - part * cell


@both
@pytest.mark.parametrize("angle", [0.0, 17.0])
def test_an_agent_without_radius_does_not_pass_through_walls(angle, partition):
    scene = samples.doorways((0.0, 0.5, 0.0), angle, 0.0)
    navmesh = sound(scene, wm.Agent(radius=0.0), cell_size=0.05, partition=partition)
    rooms = samples.doorway_rooms(4, angle, 0.0)
    assert [joined(navmesh, a, b) for a, b in pairwise(rooms)] == [False, True, False]


# Levels, steps and slopes


@both
def test_levels_are_apart(partition):
    navmesh = sound(samples.two_levels(3.0), partition=partition)
    assert navmesh.component_count == 2
    assert navmesh.area == pytest.approx(2 * 5.4 * 3.4, abs=0.01)
    low = sound(samples.two_levels(1.7), partition=partition)
    assert low.component_count == 1
    assert low.vertices[:, 1] == pytest.approx(1.7, abs=1e-3)


@both
@pytest.mark.parametrize("open_risers", [False, True], ids=["closed", "open"])
@pytest.mark.parametrize(("riser", "tread"), [(0.1, 0.28), (0.17, 0.28), (0.25, 0.28), (0.33, 0.5)])
@pytest.mark.parametrize("kind", KINDS)
def test_stairs_are_climbed(kind, riser, tread, open_risers, partition):
    scene, bottom, top = kind(riser, tread, open_risers)
    assert joined(sound(scene, partition=partition), bottom, top)


@both
@pytest.mark.parametrize("open_risers", [False, True], ids=["closed", "open"])
@pytest.mark.parametrize("kind", [straight, landing_90, landing_180, spiral, between_storeys])
def test_stairs_with_risers_above_the_step_are_not_climbed(kind, open_risers, partition):
    scene, bottom, top = kind(0.45, 0.5, open_risers)
    assert not joined(sound(scene, partition=partition, min_patch_area=0.0), bottom, top)


@both
@pytest.mark.parametrize(("slope", "walkable"), [(20.0, True), (44.0, True), (46.0, False)])
def test_slopes_count_up_to_the_steepest_that_the_agent_takes(slope, walkable, partition):
    navmesh = sound(samples.ramp(slope, 5.0, 2.0), partition=partition)
    rise = 5.0 * math.tan(math.radians(slope))
    assert joined(navmesh, world(-0.5, 1.0, 0.0), world(5.5, 1.0, rise)) == walkable
    if partition == "watershed" and walkable:
        exact = 1.4 * (5.0 / math.cos(math.radians(slope)) + 1.4)
        assert navmesh.area == pytest.approx(exact, rel=0.01)


@both
@pytest.mark.parametrize("bevel", [60.0, 90.0])
@pytest.mark.parametrize(("height", "passed"), [(0.05, True), (0.15, True), (0.45, False)])
def test_kerbs_up_to_a_step_are_taken_however_steep(height, passed, bevel, partition):
    navmesh = sound(samples.kerb(bevel, height), partition=partition)
    run = height / math.tan(math.radians(bevel))
    ends = world(-1.0, 1.5, 0.0), world(run + 1.0, 1.5, height)
    assert joined(navmesh, *ends) == passed


@pytest.mark.parametrize("angle", [0.0, 17.0])
@pytest.mark.parametrize("slope", [30.0, 60.0])
@pytest.mark.parametrize("radius", [0.0, RADIUS])
def test_the_navmesh_ends_where_a_sloping_plate_comes_too_low(radius, slope, angle):
    scene = samples.sloping_plate(slope, 0.5, angle)
    navmesh = sound(scene, wm.Agent(radius=radius), cell_size=0.05)
    points = plan(navmesh, angle)
    on_floor = points[points[:, 2] < 0.05]
    line = samples.headroom_line(slope)
    # What hangs above fills its cells.
    off = 0.05 * math.sqrt(2.0) + 0.01
    assert line + radius - 0.03 <= on_floor[:, 0].min() <= line + radius + 2.0 * off
    assert on_floor[:, 0].max() == pytest.approx(line + 4.0 - radius, abs=off)
    assert on_floor[:, 1].min() == pytest.approx(radius, abs=off)


@pytest.mark.parametrize("cell", [0.1, 0.25])
@pytest.mark.parametrize("tolerance", [0.02, 0.05, 0.2])
def test_terrain_keeps_its_heights(tolerance, cell):
    scene = samples.terrain(1_000)
    navmesh = sound(scene, wm.Agent(max_slope=80), height_tolerance=tolerance, cell_size=cell)
    assert navmesh.component_count == 1
    exact = wm.build(scene, wm.Agent(max_slope=80, radius=0.0), wm.Exact(height_tolerance=0.0))
    ticks = np.arange(0.6, 10.4, 0.17)
    x, z = (ticks.ravel() for ticks in np.meshgrid(ticks, ticks))
    here, there = (heights_at(mesh, x, z) for mesh in (navmesh, exact))
    # The ground bends within cells, too.
    assert np.abs(here - there).max() <= tolerance + 0.1 * cell


def heights_at(navmesh, x, z):
    """Return the height of a navmesh with one level above places, by its triangles."""
    corners = navmesh.vertices[navmesh.triangles]
    tree = shapely.STRtree(shapely.polygons(corners[..., [0, 2]]).tolist())
    places, triangles = tree.query(shapely.points(x, z), predicate="intersects")
    a, b, c = (corners[triangles, k] for k in range(3))
    normals = np.cross(b - a, c - a)
    heights = np.full(len(x), np.nan)
    away = normals[:, 0] * (x[places] - a[:, 0]) + normals[:, 2] * (z[places] - a[:, 2])
    heights[places] = a[:, 1] - away / normals[:, 1]
    assert np.isfinite(heights).all()
    return heights


# Houses


@both
def test_the_storeys_of_the_house_are_joined(partition):
    navmesh = sound(samples.house(), partition=partition)
    path = navmesh.find_path(samples.HOUSE_START, samples.HOUSE_GOAL)
    assert path.status == "complete"
    assert path.length < 38.0
    wide = sound(samples.house(), wm.Agent(radius=0.55), partition=partition)
    assert wide.find_path(samples.HOUSE_START, samples.HOUSE_GOAL).status != "complete"


@both
def test_a_scene_far_away_gives_the_same_navmesh_moved(partition):
    house = samples.house()
    offset = np.array([450_000.0, 200.0, -333_333.0])
    vertices = np.round(house.vertices * 2**20) / 2**20
    here = sound(wm.Scene(vertices, house.faces), partition=partition)
    there = sound(wm.Scene(vertices + offset, house.faces), partition=partition)
    assert (there.polygon_vertices == here.polygon_vertices).all()
    assert len(there.links) == len(here.links)
    assert np.abs(there.vertices - offset - here.vertices).max() < 1e-9


@both
def test_up_is_where_one_says(partition):
    here = sound(samples.house(), partition=partition)
    there = sound(samples.house(up="z"), partition=partition)
    assert (there.polygon_vertices == here.polygon_vertices).all()
    assert np.abs(plan_points(there) - plan_points(here)).max() < 1e-9
    assert len(there.links) == len(here.links)


@both
@pytest.mark.parametrize("triangulation", ["ears", "min_area"])
def test_other_triangulations_give_the_same_ground(triangulation, partition):
    scene = samples.house()
    here = sound(scene, partition=partition)
    there = sound(scene, partition=partition, triangulation=triangulation)
    assert there.component_count == here.component_count
    assert plan_area(there) == pytest.approx(plan_area(here), rel=2e-3)
    assert there.area == pytest.approx(here.area, rel=5e-3)


@both
def test_workers_change_nothing(partition):
    scene, method = samples.house(), wm.Voxel(partition=partition, tile_voxels=48)
    one, two = (wm.build(scene, method=method, workers=n) for n in (1, 2))
    for name in ("vertices", "polygon_offsets", "polygon_vertices", "neighbors", "links"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()


@both
def test_stages_have_meshes_and_counts(partition):
    scene, method = samples.house(), wm.Voxel(partition=partition, tile_voxels=64)
    meshes = dict(wm.stages(scene, method=method))
    assert tuple(meshes) == wm.Voxel.stage_names
    for mesh in meshes.values():
        assert len(mesh.triangles) > 0
        assert mesh.vertices.shape[1] == 3
    report = wm.build(scene, method=method).report
    counts = {stage.name: stage.counts for stage in report.stages}
    assert tuple(counts) == wm.Voxel.stage_names
    assert counts["heightfield"]["tiles"] == 9
    assert counts["heightfield"]["solid_spans"] > counts["distance"]["kept_spans"] > 0
    assert counts["regions"]["regions"] > 0
    assert counts["polygons"]["polygons_out"] == meshes["polygons"].polygon_count
    content = json.loads(json.dumps(report.as_dict()))
    assert content["method"] == "Voxel"
    assert content["settings"]["partition"] == partition
    assert sum(s["seconds"] for s in content["stages"]) == pytest.approx(content["total_seconds"])


@both
def test_progress_goes_on_in_order(partition):
    calls = []
    method = wm.Voxel(partition=partition, tile_voxels=64)
    wm.build(samples.house(), method=method, progress=lambda *call: calls.append(call))
    names = list(wm.Voxel.stage_names)
    assert list(dict.fromkeys(name for name, _ in calls)) == names
    assert calls == sorted(calls, key=lambda call: (names.index(call[0]), call[1]))
    assert any(name == "heightfield" and 0.0 < part < 1.0 for name, part in calls)
    for name in names:
        parts = [part for stage, part in calls if stage == name]
        assert (parts[0], parts[-1]) == (0.0, 1.0)


@both
@pytest.mark.parametrize("last", wm.Voxel.stage_names)
def test_progress_can_stop_the_build(last, partition):
    def stop(stage, fraction):
        if stage == last and (fraction > 0.0 or stage != "heightfield"):
            raise wm.Cancelled("enough")

    with pytest.raises(wm.Cancelled, match="enough"):
        wm.build(
            samples.house(), method=wm.Voxel(partition=partition, tile_voxels=32), progress=stop
        )
