"""Regions, patches and contours of the voxel method, against slow twins."""

import itertools
import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.checks.exact_checks import block, faces_of, sheet
from tests.twins import naive_voxel
from walkmesh.builder.smallest_part import SmallestPart
from walkmesh.builder.voxel.contours import outline_patches
from walkmesh.builder.voxel.heightfield import keep_clear, open_columns
from walkmesh.builder.voxel.kernels.patches import unite_regions
from walkmesh.builder.voxel.kernels.tolerances import GRID
from walkmesh.builder.voxel.kernels.watershed import flood_regions
from walkmesh.builder.voxel.stages.regions import join_tiles
from walkmesh.builder.voxel.tiles import over_tiles
from walkmesh.builder.voxel.watershed import flood_tile

AGENT = wm.Agent(radius=0.2, height=1.7)
CELL = 0.2


def helix(turns, rise, inner=0.6, outer=2.4, pieces=32):
    """Return a ramp that winds around an axis."""
    angle = np.linspace(0.0, 2.0 * np.pi * turns, round(pieces * turns) + 1)
    height = rise * angle / (2.0 * np.pi)
    rims = [np.column_stack([r * np.cos(angle), r * np.sin(angle), height]) for r in (inner, outer)]
    a, b, c, d = rims[0][:-1], rims[1][:-1], rims[1][1:], rims[0][1:]
    return np.stack([a, b, c, a, c, d], axis=1).reshape(-1, 3, 3)


def obstacles(seed):
    random = np.random.default_rng(seed)
    pillars = [
        shapely.affinity.rotate(shapely.box(u, v, u + 0.4, v + 0.7), random.uniform(0.0, 90.0))
        for u, v in random.uniform(0.5, 6.5, (9, 2))
    ]
    return [block(pillar, 0.0, 2.0) for pillar in pillars]


def rooms(seed):
    """Return a floor with pillars."""
    return np.concatenate([sheet(shapely.box(0.0, 0.0, 7.5, 7.5), 0.0), *obstacles(seed)])


def square_helix(turns, rise, inner=1.6, width=1.0):
    """Return a ramp around a square, as deep everywhere: sides that rise, and level corners."""
    size, climb = inner + 2.0 * width, rise / 4.0
    turned, result = np.array([[0.0, -1.0], [1.0, 0.0]]), []
    for i in range(4 * turns):
        landing = sheet(shapely.box(0.0, 0.0, width, width), i * climb)
        side = sheet(
            shapely.box(width, 0.0, width + inner, width),
            lambda u, _v, i=i: (i + (u - width) / inner) * climb,
        )
        piece = np.concatenate([landing, side])
        piece[..., :2] -= size / 2.0
        for _ in range(i % 4):
            piece[..., :2] = piece[..., :2] @ turned.T
        result.append(piece)
    return np.concatenate(result)


SCENES = {
    "square helix": square_helix(2, 2.2),
    "helix": helix(2.4, 2.2),
    "steep helix": helix(3.0, 1.9, inner=0.9),
    "rooms": rooms(0),
    "other rooms": rooms(1),
    "storeys": np.concatenate([rooms(2), rooms(3) + (0.0, 0.0, 2.5)]),
}


def windows(triangles, tile=0, agent=AGENT, cell=CELL):
    """Return window and limits of every tile."""
    faces = faces_of(triangles, agent)
    lattice = naive_voxel.whole(faces, agent, cell, 0.05, tile)

    def work(at, chosen):
        columns = open_columns(faces, chosen, agent, lattice, at)
        return keep_clear(columns, faces, chosen, agent, lattice, agent.radius)

    return [result for _, result in over_tiles(faces, lattice, work, 1)]


def join(triangles, tile=0, agent=AGENT, cell=CELL, min_area=0.0):
    tiles = [
        flood_tile(window, limits, cell, agent.radius, 0.05)
        for window, limits in windows(triangles, tile, agent, cell)
    ]
    return join_tiles(tiles, cell, SmallestPart(min_area))[:2]


def regions_of(triangles, tile=0, agent=AGENT, cell=CELL):
    return join(triangles, tile, agent, cell)[0]


# Watersheds


@pytest.mark.parametrize("tile", [0, 16])
@pytest.mark.parametrize("name", SCENES)
def test_regions_are_connected_maps_that_cover_all_that_is_kept(name, tile):
    for window, _ in windows(SCENES[name], tile):
        depth, labels = (np.empty(len(window.kept), dtype=np.int32) for _ in range(2))
        count = flood_regions(window, depth, labels)
        cells = naive_voxel.span_cells(window)
        low_row, high_row, low_col, high_col = window.extent[4:]
        inside = (cells[:, 0] >= low_row) & (cells[:, 0] < high_row)
        inside &= (cells[:, 1] >= low_col) & (cells[:, 1] < high_col)
        assert np.array_equal(labels >= 0, inside & (window.kept == 1))
        assert set(labels[labels >= 0].tolist()) == set(range(count))
        for region in range(count):
            assert len(naive_voxel.parts(window.neighbors, labels == region)) == 1
            places = cells[labels == region]
            assert len(np.unique(places, axis=0)) == len(places)
        expected = naive_voxel.chamfer_depths(window.neighbors, window.kept)
        assert np.array_equal(depth[window.kept == 1], expected[window.kept == 1])


def test_a_floor_is_one_region_and_two_rooms_are_two():
    agent = wm.Agent(radius=0.1)
    floor = sheet(shapely.box(0.0, 0.0, 6.0, 4.0), 0.0)
    wall = shapely.union_all([shapely.box(2.9, 0.0, 3.1, 1.4), shapely.box(2.9, 2.4, 3.1, 4.0)])
    walls = [block(part, 0.0, 2.5) for part in shapely.get_parts(wall)]
    assert len(sizes_of_regions(floor, agent)) == 1
    # The tops of the walls are two more.
    sizes = sizes_of_regions(np.concatenate([floor, *walls]), agent)
    assert sizes[0] + sizes[1] > 0.9 * sizes.sum()
    assert sizes[0] < 1.3 * sizes[1]


def sizes_of_regions(triangles, agent):
    """Return how many cells each region has, the largest first."""
    ((window, _),) = windows(triangles, agent=agent)
    depth, labels = (np.empty(len(window.kept), dtype=np.int32) for _ in range(2))
    flood_regions(window, depth, labels)
    return np.sort(np.bincount(labels[labels >= 0]))[::-1]


# Patches


@pytest.mark.parametrize("tile", [0, 16])
@pytest.mark.parametrize("name", SCENES)
def test_patches_are_maps(name, tile):
    regions = regions_of(SCENES[name], tile)
    contours, _ = outline_patches(regions, CELL, 0.05, 0.025, 0.2, 0.9)
    for patch in range(len(contours.patch_rings) - 1):
        rings = range(contours.patch_rings[patch], contours.patch_rings[patch + 1])
        lines = [
            contours.points[contours.rings[contours.ring_offsets[r] : contours.ring_offsets[r + 1]]]
            for r in rings
        ]
        shapes = [shapely.Polygon(line) for line in lines]
        outer = [s for s, line in zip(shapes, lines, strict=True) if twice_area(line) > 0]
        holes = [s for s, line in zip(shapes, lines, strict=True) if twice_area(line) < 0]
        assert len(outer) == 1
        # Rings may touch themselves in plan, but never cover a place twice.
        for shape, line in zip(shapes, lines, strict=True):
            valid = shapely.make_valid(shape)
            assert valid.area == abs(twice_area(line)) / 2.0
        assert all(shapely.make_valid(outer[0]).buffer(1).covers(hole) for hole in holes)
    names = np.unique(regions.patches)
    assert len(contours.patch_rings) - 1 == len(names)


def twice_area(line):
    ahead = np.roll(line, -1, axis=0).astype(np.int64)
    return int((line[:, 0] * ahead[:, 1] - line[:, 1] * ahead[:, 0]).sum())


def test_a_helix_is_several_patches_of_one_component():
    regions, counts = join(SCENES["helix"])
    assert counts["components"] == 1
    assert len(np.unique(regions.patches)) >= 3


@given(st.data())
def test_regions_are_united_unless_they_overlap(data):
    count = data.draw(st.integers(2, 14))
    pair = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(
        lambda p: p[0] != p[1]
    )
    borders = data.draw(st.lists(pair, max_size=30))
    overlaps = {tuple(sorted(p)) for p in data.draw(st.lists(pair, max_size=8))}
    above = [[] for _ in range(count)]
    for a, b in overlaps:
        above[a].append(b)
        above[b].append(a)
    starts = np.cumsum([0, *map(len, above)]).astype(np.int32)
    flat = np.array([x for row in above for x in row], dtype=np.int32)
    patches = np.empty(count, dtype=np.int32)
    pairs = np.array(borders, dtype=np.int32).reshape(-1, 2)
    unite_regions(pairs, starts, flat, patches)

    # As sets, in the same order.
    sets = {r: {r} for r in range(count)}
    for a, b in borders:
        if sets[a] is not sets[b] and not any(
            tuple(sorted(p)) in overlaps for p in itertools.product(sets[a], sets[b])
        ):
            union = sets[a] | sets[b]
            for r in union:
                sets[r] = union
    for r in range(count):
        assert set(np.flatnonzero(patches == patches[r]).tolist()) == sets[r]
        assert patches[patches[r]] == patches[r]


def test_regions_united_earlier_are_not_forgotten():
    # 1 lies below 3, so 2, which hangs together with 1 by way of 0, cannot take 3.
    borders = np.array([(0, 1), (0, 2), (2, 3)], dtype=np.int32)
    patches = np.empty(4, dtype=np.int32)
    starts, above = np.array([0, 0, 1, 1, 2], dtype=np.int32), np.array([3, 1], dtype=np.int32)
    unite_regions(borders, starts, above, patches)
    assert patches.tolist() == [0, 0, 0, 3]


def test_small_parts_are_dropped_with_all_that_belongs_to_them():
    large = sheet(shapely.box(0.0, 0.0, 4.0, 4.0), 0.0)
    small = sheet(shapely.box(9.2, 1.2, 10.1, 2.1), 0.0)
    both = np.concatenate([small, large])
    regions, counts = join(both, tile=16)
    assert (counts["components"], counts["small_components"]) == (2, 0)
    left, counts = join(both, tile=16, min_area=1.0)
    assert (counts["components"], counts["small_components"]) == (1, 1)
    assert len(left.loops.ends) == len(regions.loops.ends) - 1
    assert left.loops.points[:, 0].max() < 5.0 / CELL * GRID
    assert len(left.samples) < len(regions.samples)


# Edges


@pytest.mark.parametrize("tile", [16, 23, 64])
@pytest.mark.parametrize("name", SCENES)
def test_edges_of_the_ground_are_the_same_whatever_the_tiles(name, tile):
    (one, ones), (many, manies) = join(SCENES[name]), join(SCENES[name], tile)
    assert np.array_equal(one.loops.offsets, many.loops.offsets)
    assert np.array_equal(one.loops.keys, many.loops.keys)
    assert one.loops.points.tobytes() == many.loops.points.tobytes()
    assert np.array_equal(one.loops.ends, many.loops.ends)
    assert ones["components"] == manies["components"]


@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.07, 0.13), (0.199, 0.001)])
def test_corners_of_a_floor_are_moved_to_the_radius(shift):
    floor = sheet(shapely.box(*shift, 4.0 + shift[0], 3.0 + shift[1]), 1.0)
    regions = regions_of(floor)
    points = regions.loops.points * (CELL / GRID, CELL / GRID, 1.0) - (*shift, 1.0)
    away = shapely.distance(shapely.box(0.2, 0.2, 3.8, 2.8).exterior, shapely.points(points[:, :2]))
    # Ground that covers less than a hundredth of a cell is none.
    assert np.quantile(away, 0.9) < 0.0101 * CELL
    assert points[:, 2] == pytest.approx(0.0, abs=1e-5)
    assert len(regions.loops.ends) == 1


# Contours


def test_contours_lie_on_a_grid_that_fits():
    regions = regions_of(SCENES["rooms"])
    contours, counts = outline_patches(regions, CELL, 0.05, 0.025, 0.2, 0.9)
    reach = math.ceil(7.5 / CELL) * GRID
    assert contours.points.min() >= 0
    assert contours.points.max() <= reach
    assert counts["vertices"] == len(contours.points)
    assert counts["outer_edges"] == len(regions.loops.labels)
