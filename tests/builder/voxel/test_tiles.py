"""Tiles change memory and time of the voxel method, and nothing else."""

from functools import cache

import numpy as np
import pytest

import walkmesh as wm
from tests.checks.exact_checks import faces_of
from tests.checks.plan_views import plan_area
from tests.makers.scenes import SCENES, needs_scenes
from walkmesh.builder import voxel
from walkmesh.builder.voxel.heightfield import Lattice, open_columns
from walkmesh.builder.voxel.tiles import _bin
from walkmesh.topology import plan_points

CELL = 0.1
TILES = [64, 256, 467]
FILES = {
    "dungeon": ("recast/dungeon.obj", "y"),
    "duplex": ("ifc/Ifc2x3_Duplex_Architecture_nodoors.obj", "z"),
    "garage": ("mesh_navigation/parking_garage.obj", "z"),
    "nav_test": ("recast/nav_test.obj", "y"),
}
NAMES = ["house", *(pytest.param(name, marks=needs_scenes) for name in ("dungeon", "duplex"))]
named = pytest.mark.parametrize("name", NAMES)


@cache
def scene(name):
    if name == "house":
        return wm.samples.house()
    file, up = FILES[name]
    return wm.load_scene(SCENES / file, up=up)


@cache
def navmesh_of(name, partition, tile):
    method = wm.Voxel(partition=partition, tile_voxels=tile, cell_size=CELL)
    navmesh = wm.build(scene(name), method=method)
    assert navmesh.validate() == []
    return navmesh


@named
@pytest.mark.parametrize("tile", TILES)
def test_slices_are_the_same_bit_by_bit(name, tile):
    one, many = navmesh_of(name, "slices", 0), navmesh_of(name, "slices", tile)
    for field in ("vertices", "polygon_offsets", "polygon_vertices", "neighbors", "links"):
        assert getattr(one, field).tobytes() == getattr(many, field).tobytes()


@named
@pytest.mark.parametrize("tile", TILES)
def test_watersheds_cover_the_same_ground(name, tile):
    one, many = navmesh_of(name, "watershed", 0), navmesh_of(name, "watershed", tile)
    assert many.component_count == one.component_count
    assert plan_area(many) == pytest.approx(plan_area(one), rel=1e-3)
    assert corners_of_tiles(name, tile) == []


@needs_scenes
@pytest.mark.parametrize(("name", "tile"), [("garage", 256), ("garage", 467), ("nav_test", 64)])
def test_ground_above_itself_has_no_corners_where_tiles_meet(name, tile):
    assert corners_of_tiles(name, tile) == []


def corners_of_tiles(name, tile):
    """Return corners of polygons where tiles meet that the navmesh of one tile has not."""
    one, many = navmesh_of(name, "watershed", 0), navmesh_of(name, "watershed", tile)
    corners = np.unique(many.polygon_vertices)
    corners = corners[on_tile_borders(name, many, tile)[corners]]
    here = {tuple(p) for p in np.round(plan_points(one) * 1e3).astype(int).tolist()}
    there = np.round(plan_points(many)[corners] * 1e3).astype(int).tolist()
    return [p for p in there if tuple(p) not in here]


def on_tile_borders(name, navmesh, tile):
    """Return which vertices lie where tiles meet."""
    place = scene(name)
    used = place.frame.to_plan(place.vertices[np.unique(place.faces)])[:, :2]
    low = np.floor(np.round(used.min(axis=0), 6) / CELL)
    cells = place.frame.to_plan(navmesh.vertices)[:, :2] / CELL - low
    return (np.abs(cells / tile - np.round(cells / tile)) * tile < 0.01).any(axis=1)


@named
def test_slices_have_vertices_at_corners_of_cells_alone(name):
    navmesh = navmesh_of(name, "slices", 256)
    cells = scene(name).frame.to_plan(navmesh.vertices)[:, :2] / CELL
    assert np.abs(cells - np.round(cells)).max() < 1e-4


def copies(base, count, cell):
    """Return a square of count x count copies, a multiple of the cell apart."""
    pitch = (np.floor(np.ptp(base.vertices, axis=0) / cell) + 20.0) * cell
    vertices, faces = [], []
    for i in range(count):
        for k in range(count):
            faces.append(base.faces + len(vertices) * len(base.vertices))
            vertices.append(base.vertices + (i * pitch[0], 0.0, k * pitch[2]))
    return wm.Scene(np.concatenate(vertices), np.concatenate(faces))


@needs_scenes
@pytest.mark.parametrize("partition", ["watershed", "slices"])
def test_copies_of_a_dungeon_have_copies_of_its_components(partition):
    method = wm.Voxel(partition=partition, cell_size=0.25, cell_height=0.125)
    one = wm.build(scene("dungeon"), method=method)
    navmesh = wm.build(copies(scene("dungeon"), 3, 0.25), method=method)
    assert navmesh.validate() == []
    assert navmesh.component_count == 9 * one.component_count
    assert navmesh.area == pytest.approx(9 * one.area, rel=0.01)
    large = np.bincount(navmesh.components, np.bincount(navmesh.triangle_polygons))
    assert np.count_nonzero(large > 0.5 * large.max()) % 9 == 0


@pytest.mark.parametrize("partition", ["watershed", "slices"])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_tile_that_fails_is_named(monkeypatch, workers, partition):
    def fail(faces, chosen, agent, lattice, tile):
        if tile == (1, 2):
            raise ValueError("out of luck")
        return open_columns(faces, chosen, agent, lattice, tile)

    monkeypatch.setattr(voxel.tiles, "open_columns", fail)
    method = wm.Voxel(tile_voxels=64, partition=partition)
    with pytest.raises(wm.BuildError, match="tile 1, 2 failed: out of luck"):
        wm.build(wm.samples.house(), method=method, workers=workers)


@pytest.mark.parametrize("seed", range(6))
def test_triangles_are_in_every_tile_that_their_boxes_reach_into(seed):
    random = np.random.default_rng(seed)
    corners = random.uniform(-9.0, 9.0, (60, 1, 3)) + random.uniform(-1.0, 1.0, (60, 3, 3))
    corners[:3] *= (40.0, 1.0, 1.0)  # some are far away, and wide
    faces = faces_of(corners, wm.Agent())
    lattice = Lattice.over(faces, wm.Agent(), 0.25, 0.1, int(random.choice([16, 37, 0])))
    keys, starts, items = _bin(faces, lattice)
    boxes = np.floor(faces.points[:, :2][faces.triangles] / 0.25) - lattice.low
    rows, cols = lattice.shape
    expected = {}
    for row in range(rows):
        for col in range(cols):
            low = np.array([row, col]) * lattice.tile - lattice.margin
            high = low + lattice.tile + 2 * lattice.margin
            inside = (boxes.max(axis=1) >= low) & (boxes.min(axis=1) < high)
            if inside.all(axis=1).any():
                expected[row * cols + col] = np.flatnonzero(inside.all(axis=1)).tolist()
    got = {int(key): items[starts[i] : starts[i + 1]].tolist() for i, key in enumerate(keys)}
    assert got == expected
    assert list(got) == sorted(got)


def test_triangles_in_too_many_tiles_say_what_helps(monkeypatch):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(voxel.tiles, "bin_triangles", fail)
    with pytest.raises(wm.BuildError, match="larger tiles or larger cells need less"):
        wm.build(scene("house"), method=wm.Voxel())
    monkeypatch.undo()
    monkeypatch.setattr(voxel.tiles, "_MOST", 10)
    with pytest.raises(wm.BuildError, match="larger tiles or larger cells make fewer"):
        wm.build(scene("house"), method=wm.Voxel())


def test_a_tile_without_memory_says_what_helps(monkeypatch):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(voxel.tiles, "open_columns", fail)
    with pytest.raises(wm.BuildError, match="smaller tiles or larger cells"):
        wm.build(wm.samples.house(), method=wm.Voxel())


def test_tiles_are_counted_and_only_those_with_triangles_worked_on(monkeypatch):
    seen = []

    def count(faces, chosen, agent, lattice, tile):
        seen.append(tile)
        return open_columns(faces, chosen, agent, lattice, tile)

    monkeypatch.setattr(voxel.tiles, "open_columns", count)
    floor = wm.samples.floor(4.0, 4.0)
    vertices = np.concatenate([floor.vertices, floor.vertices + (300.0, 0.0, 300.0)])
    two = wm.Scene(vertices, np.concatenate([floor.faces, floor.faces + len(floor.vertices)]))
    navmesh = wm.build(two, method=wm.Voxel(tile_voxels=64))
    assert navmesh.component_count == 2
    assert navmesh.report.stages[0].counts["tiles"] == 48 * 48
    assert len(seen) == len(set(seen)) <= 8


@pytest.mark.parametrize(("count", "cell", "height"), [(2, 0.3, 0.2), (9, 0.05, 0.05)])
def test_houses_beside_each_other_have_a_navmesh(count, cell, height):
    house = wm.samples.house()
    places = np.arange(count)
    shift = np.zeros((count, 1, 3))
    shift[:, 0, 2], shift[:, 0, 0] = places % 3 * 16.0, places // 3 * 14.5
    vertices = (house.vertices + shift).reshape(-1, 3)
    faces = (house.faces + (places * len(house.vertices))[:, None, None]).reshape(-1, 3)
    method = wm.Voxel(cell_size=cell, cell_height=height)
    assert wm.build(wm.Scene(vertices, faces), method=method).validate() == []
