"""The heightfield of the voxel method, against slow twins and against what is known."""

import itertools
import math

import numba
import numpy as np
import pytest
import shapely

import walkmesh as wm
from tests.checks.exact_checks import curtain, sheet
from tests.twins import naive_voxel
from walkmesh.builder.voxel.heightfield import Lattice, open_columns
from walkmesh.builder.voxel.kernels import raster
from walkmesh.builder.voxel.kernels.clip import MOST_CORNERS, clip_strip
from walkmesh.builder.voxel.kernels.spans import BOTTOM, CEILING, MIDDLE, TOP, WALKABLE

AGENT = wm.Agent()
OFFSETS = [0.0, 0.013, 0.05, 0.077, 0.0999]


# Clipping


@numba.njit
def clip(triangle, axis, low, high, strip):
    """Let Python call what only kernels call."""
    return clip_strip(triangle, len(triangle), axis, low, high, strip)


def strip_of(triangle, axis, low, high):
    strip = np.empty((MOST_CORNERS, 3))
    return strip[: clip(triangle, axis, low, high, strip)]


@pytest.mark.parametrize("axis", [0, 1])
def test_strips_of_triangles_are_what_geos_cuts(axis):
    random = np.random.default_rng(axis)
    for _ in range(300):
        triangle = random.uniform(-1.0, 1.0, (3, 3))
        low = random.uniform(-1.2, 1.0)
        high = low + random.uniform(0.05, 1.5)
        strip = strip_of(triangle, axis, low, high)
        box = (low, -9.0, high, 9.0) if axis == 0 else (-9.0, low, 9.0, high)
        expected = shapely.Polygon(triangle[:, :2]).intersection(shapely.box(*box))
        if len(strip) < 3:
            assert expected.area < 1e-12
            continue
        got = shapely.Polygon(strip[:, :2])
        assert got.area == pytest.approx(expected.area, abs=1e-12)
        assert got.symmetric_difference(expected).area < 1e-9
        for u, v, h in strip:
            a, b, c = triangle
            normal = np.cross(b - a, c - a)
            plane = a[2] - ((u - a[0]) * normal[0] + (v - a[1]) * normal[1]) / normal[2]
            assert h == pytest.approx(plane, abs=1e-6 / abs(normal[2]))


def test_strips_that_only_touch_have_what_touches():
    triangle = np.array([(0.0, 0.0, 1.0), (1.0, 0.0, 2.0), (1.0, 1.0, 3.0)])
    assert strip_of(triangle, 0, 1.0, 2.0).tolist() == triangle[1:].tolist()
    assert strip_of(triangle, 0, -1.0, 0.0).tolist() == triangle[:1].tolist()
    assert len(strip_of(triangle, 0, 1.1, 2.0)) == 0
    assert len(strip_of(triangle, 1, -1.0, -0.1)) == 0


# Solid spans


def soup(seed, count=40, size=1.5):
    """Return a floor, so that there is ground, and random triangles around it."""
    random = np.random.default_rng(seed)
    middles = random.uniform(-2.0, 2.0, (count, 1, 3))
    triangles = middles + random.uniform(-size, size, (count, 3, 3))
    triangles[: count // 8, :, 1] = triangles[: count // 8, :1, 1]  # upright, along an axis
    return np.concatenate([triangles, sheet(shapely.box(-2.03, -2.01, 2.02, 2.0), -4.0)])


@pytest.mark.parametrize("seed", range(2))
def test_columns_are_solid_where_triangles_are(seed):
    triangles, cell, gap = soup(seed, 24), 0.43, 0.05
    faces, _, columns = naive_voxel.columns_of(triangles, AGENT, cell, gap)
    solid = naive_voxel.solid_spans(columns)
    corners = faces.points[faces.triangles]
    window = columns.window
    total = 0
    row0, col0, rows, cols, *_ = window.extent.tolist()
    for row in range(row0, row0 + rows):
        for col in range(col0, col0 + cols):
            expected = naive_voxel.solid_intervals(corners, cell, row, col, gap)
            got = solid.get((row, col), np.empty((0, raster.SPAN_FIELDS)))
            assert got[:, :2] == pytest.approx(expected, abs=2e-6)
            total += len(expected)
    assert total > 200


@pytest.mark.parametrize("seed", range(3))
def test_other_windows_hold_the_same_bits(seed):
    triangles = soup(seed, 60)
    faces, whole, columns = naive_voxel.columns_of(triangles, AGENT, 0.1)
    expected = naive_voxel.solid_spans(columns)
    opened = opened_by_cell(columns)
    chosen = np.arange(len(faces.triangles), dtype=np.int32)
    seen = set()
    lattice = Lattice(0.1, 0.05, 17, whole.margin, whole.low, whole.high)
    for tile in itertools.product(*map(range, lattice.shape)):
        part = open_columns(faces, chosen, AGENT, lattice, tile)
        for place, rows in naive_voxel.solid_spans(part).items():
            if place in expected:  # windows reach beyond each other, but not beyond all of it
                assert rows.tobytes() == expected[place].tobytes()
                seen.add(place)
        for place, rows in opened_by_cell(part).items():
            assert rows.tobytes() == opened[place].tobytes()
    assert seen == expected.keys()


def opened_by_cell(columns):
    result = {}
    cells = naive_voxel.span_cells(columns.window)
    for place in np.unique(cells, axis=0).tolist():
        result[tuple(place)] = columns.opened[(cells == place).all(axis=1)]
    return result


@pytest.mark.parametrize("cell", [0.1, 0.23])
def test_ground_has_the_area_and_the_heights_that_geos_finds(cell):
    scene = wm.samples.terrain(72, seed=3)
    u, v, h = (scene.vertices[:, 2], scene.vertices[:, 0], scene.vertices[:, 1])
    turn = math.radians(20.0)
    points = np.column_stack(
        [u * math.cos(turn) - v * math.sin(turn), u * math.sin(turn) + v * math.cos(turn), h]
    )
    triangles = points[scene.faces]
    faces, _, columns = naive_voxel.columns_of(triangles, AGENT, cell)
    plans = shapely.polygons(faces.points[faces.triangles][..., :2])
    tree = shapely.STRtree(plans)
    solid = naive_voxel.solid_spans(columns)
    total, lost = 0.0, 0
    for (row, col), spans in solid.items():
        box = shapely.box(row * cell, col * cell, (row + 1) * cell, (col + 1) * cell)
        assert len(spans) == 1
        pieces = [(i, plans[i].intersection(box)) for i in tree.query(box)]
        area = sum(piece.area for _, piece in pieces) / cell**2
        # Pieces that touch the rest of the ground only by others that come later are lost.
        assert spans[0, raster.AREA] <= area + 2e-6
        lost += spans[0, raster.AREA] < area - 2e-6
        if spans[0, raster.AREA] < max(1e-4, area - 2e-6):
            continue
        moment, heights = 0.0, []
        for i, piece in pieces:
            if piece.area > 0.0:
                plane = faces.planes[i]
                middle = piece.centroid
                level = plane[0] * middle.x + plane[1] * middle.y + plane[2]
                moment += piece.area / cell**2 * level
                corners = shapely.get_coordinates(piece)
                heights.extend(corners @ plane[:2] + plane[2])
        assert spans[0, raster.MOMENT] / spans[0, raster.AREA] == pytest.approx(
            moment / area, abs=1e-3
        )
        if area > 1e-3:
            assert spans[0, raster.GROUND_LOW] == pytest.approx(min(heights), abs=1e-5)
            assert spans[0, raster.GROUND_HIGH] == pytest.approx(max(heights), abs=1e-5)
        total += spans[0, raster.AREA] * cell**2
    assert lost <= 0.1 * len(solid)
    assert total == pytest.approx(9.0, rel=0.1)


def test_a_column_may_hold_more_spans_than_there_was_room_for():
    plates = [sheet(shapely.box(0.0, 0.0, 1.0, 1.0), 0.2 * k) for k in range(200)]
    _, _, columns = naive_voxel.columns_of(np.concatenate(plates[::-1]), AGENT, 0.5)
    spans = naive_voxel.solid_spans(columns)[0, 0]
    assert spans[:, raster.LOW] == pytest.approx(0.2 * np.arange(200), abs=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_solids_closer_than_a_voxel_are_one_whatever_their_order(seed):
    heights = [0.0, 0.03, 0.06, 0.5, 0.56, 0.62, 0.65]
    order = np.random.default_rng(seed).permutation(len(heights))
    plates = [sheet(shapely.box(0.0, 0.0, 1.0, 1.0), heights[k]) for k in order]
    _, _, columns = naive_voxel.columns_of(np.concatenate(plates), AGENT, 0.5, gap=0.05)
    spans = naive_voxel.solid_spans(columns)[0, 0]
    expected = [(0.0, 0.06), (0.5, 0.5), (0.56, 0.56), (0.62, 0.65)]
    assert spans[:, :2] == pytest.approx(np.array(expected), abs=1e-6)
    assert spans[:, raster.GROUND_HIGH] == pytest.approx([0.06, 0.5, 0.56, 0.65], abs=1e-6)
    assert spans[:, raster.AREA] == pytest.approx(1.0, abs=1e-5)


# Open spans


@pytest.mark.parametrize(("room", "opened"), [(1.79, 1), (1.8, 2), (1.81, 2)])
def test_headroom_is_the_agents_height_and_no_less(room, opened):
    plates = [sheet(shapely.box(0.0, 0.0, 2.0, 2.0), h) for h in (0.0, room)]
    _, _, columns = naive_voxel.columns_of(np.concatenate(plates), AGENT, 0.25)
    inside = columns.kinds == WALKABLE
    assert np.count_nonzero(inside) == 64 * opened
    ceilings = columns.opened[inside, CEILING].reshape(-1, opened)
    assert np.isinf(ceilings[:, -1]).all()
    assert ceilings[:, :-1] == pytest.approx(room, abs=1e-6)


def test_open_spans_tell_where_sloping_ground_lies():
    ground = sheet(shapely.box(0.0, 0.0, 2.0, 2.0), lambda u, _v: 0.5 * u)
    _, _, columns = naive_voxel.columns_of(ground, AGENT, 0.25)
    rows = naive_voxel.span_cells(columns.window)[:, 0]
    inside = columns.kinds == WALKABLE
    for field, at in ((BOTTOM, 0.0), (MIDDLE, 0.5), (TOP, 1.0)):
        expected = 0.5 * 0.25 * (rows + at)
        assert columns.opened[inside, field] == pytest.approx(expected[inside], abs=1e-5)


# Connections


@pytest.mark.parametrize("turn", [0.0, 30.0, 45.0])
@pytest.mark.parametrize("cell", [0.1, 0.3, 0.5])
def test_ground_that_goes_on_is_connected_however_steep(cell, turn):
    agent = wm.Agent(max_step=0.2, max_slope=46.0)
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    ground = sheet(shapely.box(0.02, 0.03, 4.0, 4.0), lambda u, v: c * u + s * v)
    _, _, columns = naive_voxel.columns_of(ground, agent, cell)
    parts = naive_voxel.walkable_parts(columns)
    assert len(parts) == 1
    # No ledges: every cell is connected to the ones around it, if there is any ground there.
    cells = {tuple(p): s for s, p in enumerate(naive_voxel.span_cells(columns.window).tolist())}
    for (row, col), span in cells.items():
        for side, (to_row, to_col) in enumerate(naive_voxel.SIDES):
            if span in parts[0] and cells.get((row + to_row, col + to_col)) in parts[0]:
                assert columns.window.neighbors[span, side] == cells[row + to_row, col + to_col]


@pytest.mark.parametrize("upright", [True, False], ids=["riser", "open"])
@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize(("step", "parts"), [(0.05, 1), (0.4, 1), (0.42, 2), (1.0, 2)])
def test_steps_are_taken_up_to_the_largest(step, parts, offset, upright):
    scene = [
        sheet(shapely.box(-1.0, 0.0, offset, 1.0), 0.0),
        sheet(shapely.box(offset, 0.0, 1.5, 1.0), step),
    ]
    if upright:
        scene.append(curtain((offset, 0.0), (offset, 1.0), 0.0, step))
    _, _, columns = naive_voxel.columns_of(np.concatenate(scene), AGENT, 0.1)
    found = naive_voxel.walkable_parts(columns)
    assert len([part for part in found if len(part) > 20]) == parts
    for part in found[:parts]:
        assert len(part) >= 80


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize(("height", "over"), [(0.39, True), (0.42, False)])
def test_low_things_are_stepped_over(height, over, offset):
    # A rail 0.15 m wide with no ground on its top: its sides lean to a ridge.
    low, high = 1.0 + offset, 1.15 + offset
    middle = (low + high) / 2.0
    left = [(low, 0, 0), (low, 1, 0), (middle, 1, height), (middle, 0, height)]
    right = [(middle, 0, height), (middle, 1, height), (high, 1, 0), (high, 0, 0)]
    quads = [np.array([q[0], q[1], q[2], q[0], q[2], q[3]]).reshape(2, 3, 3) for q in (left, right)]
    scene = np.concatenate([sheet(shapely.box(0.0, 0.0, 2.5, 1.0), 0.0), *quads])
    _, _, columns = naive_voxel.columns_of(scene, AGENT, 0.1)
    found = [part for part in naive_voxel.walkable_parts(columns) if len(part) > 20]
    assert len(found) == (1 if over else 2)


# Distances


@pytest.mark.parametrize("cell", [0.1, 0.05])
@pytest.mark.parametrize("offset", OFFSETS)
def test_distances_to_walls_along_axes_are_exact(offset, cell):
    low, high = np.array([offset, 0.03]), np.array([3.0 + 0.7 * offset, 2.041])
    room = shapely.box(*low, *high)
    ring = itertools.pairwise(shapely.get_coordinates(room).tolist())
    walls = np.concatenate([curtain(a, b, 0.0, 2.5) for a, b in ring])
    floor = sheet(room.buffer(0.2, join_style="mitre"), 0.0)
    agent = wm.Agent(radius=0.5)
    columns, window, limits = naive_voxel.clear_of(np.concatenate([floor, walls]), agent, cell)
    middles = (naive_voxel.span_cells(window) + 0.5) * cell
    inside = ((middles > low + 0.5 * cell) & (middles < high - 0.5 * cell)).all(axis=1)
    exact = np.minimum(middles - low, high - middles).min(axis=1)
    near = inside & (exact < agent.radius + cell) & (columns.opened[:, TOP] < 0.1)
    assert np.count_nonzero(near) > 300
    assert limits.distance[near] == pytest.approx(exact[near] / cell, abs=1e-3)
    deep = inside & (exact > agent.radius + 2.0 * cell) & (columns.opened[:, TOP] < 0.1)
    assert (limits.distance[deep] * cell > agent.radius).all()
    kept = window.kept == 1
    assert kept[inside & (exact > agent.radius + 1e-3) & (columns.opened[:, TOP] < 0.1)].all()
    assert not kept[inside & (exact < agent.radius - 1e-3)].any()


@pytest.mark.parametrize("axis", [0, 1])
def test_a_wall_inside_a_cell_has_two_faces(axis):
    scene = [sheet(shapely.box(0.0, 0.0, 3.0, 3.0), 0.0)]
    for across in (1.52, 1.56):
        ends = (across, 0.0), (across, 3.0)
        scene.append(curtain(*(end[:: 1 - 2 * axis] for end in ends), 0.0, 2.0))
    columns, window, limits = naive_voxel.clear_of(np.concatenate(scene), AGENT, 0.1)
    middles = (naive_voxel.span_cells(window) + 0.5) * 0.1
    across, along = middles[:, axis], middles[:, 1 - axis]
    exact = np.maximum(1.52 - across, across - 1.56)
    near = (exact > 0.05) & (exact < 0.35) & (along > 0.5) & (along < 2.5)
    assert np.count_nonzero(near) > 100
    assert limits.distance[near] == pytest.approx(exact[near] / 0.1, abs=1e-3)
    assert (columns.kinds[near] == WALKABLE).all()


@pytest.mark.parametrize("offset", OFFSETS)
def test_distances_to_where_ground_ends_are_exact(offset):
    low, high = np.array([offset, 0.03]), np.array([3.0 + 0.7 * offset, 2.041])
    columns, window, limits = naive_voxel.clear_of(sheet(shapely.box(*low, *high), 0.0), AGENT, 0.1)
    middles = (naive_voxel.span_cells(window) + 0.5) * 0.1
    exact = np.minimum(middles - low, high - middles).min(axis=1)
    # Ground that covers less than a hundredth of a cell is none; and corners cover less of their
    # cells than sides do.
    near = (exact > 0.1) & (exact < AGENT.radius + 0.1)
    beside = np.sort(np.minimum(middles - low, high - middles), axis=1)[:, 1] > 0.5
    assert np.count_nonzero(near & beside) > 100
    assert limits.distance[near & beside] == pytest.approx(exact[near & beside] / 0.1, abs=0.0101)
    assert (columns.kinds[near] == WALKABLE).all()


@pytest.mark.parametrize("seed", range(4))
def test_distances_are_those_to_the_closest_limit(seed):
    random = np.random.default_rng(seed)
    room, walls = shapely.box(0.0, 0.0, 5.0, 5.0), []
    for u, v in random.uniform(0.8, 4.0, (4, 2)):
        pillar = shapely.box(u, v, u + random.uniform(0.1, 0.5), v + random.uniform(0.1, 0.5))
        pillar = shapely.affinity.rotate(pillar, random.uniform(0.0, 90.0))
        # No ground on it nor inside, so that all limits there are matter to the floor.
        ring = itertools.pairwise(shapely.get_coordinates(pillar).tolist())
        walls.extend(curtain(a, b, 0.0, 3.0) for a, b in ring)
        room = room.difference(pillar)
    scene = np.concatenate([sheet(room, 0.0), *walls])
    columns, _, limits = naive_voxel.clear_of(scene, wm.Agent(radius=0.6), 0.1)
    expected = naive_voxel.distances_to_limits(columns, limits)
    near = (columns.kinds == WALKABLE) & (expected < 6.5) & (expected > 0.51)
    assert np.count_nonzero(near) > 500
    # Handed on from cell to cell: never closer than any limit, and hardly ever the second closest.
    off = limits.distance[near] - expected[near]
    assert off.min() > -1e-4
    assert off.max() < 0.5
    assert np.quantile(off, 0.95) < 1e-4
