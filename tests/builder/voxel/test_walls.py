"""Walls of the voxel method: where they stand in their cells, at any angle to these."""

import itertools
import math

import numpy as np
import pytest
import shapely

import walkmesh as wm
from tests.checks.exact_checks import curtain, sheet
from tests.twins import naive_voxel
from walkmesh.builder.voxel.kernels.walls import (
    HIGH,
    LOOK_FIELDS,
    LOW,
    SIDE,
    SPAN,
    TO_COL,
    TO_ROW,
    WAY_U,
    WAY_V,
    WAYS,
    find_looks,
    measure_walls,
)
from walkmesh.samples.soup import Soup, turn_plan

AGENT = wm.Agent()
ANGLES = [0.0, 8.0, 17.0, 30.0, 45.0, 71.0]
CELL = 0.1


def looks_of(triangles, cell=CELL):
    """Return columns, looks, ranges and outlines of triangles."""
    faces, _, columns = naive_voxel.columns_of(triangles, AGENT, cell)
    window = columns.window
    room = int(np.count_nonzero(window.neighbors < 0))
    looks = np.empty((room, LOOK_FIELDS), dtype=np.int32)
    ranges = np.empty((room, 2), dtype=np.float32)
    starts = np.empty_like(window.first)
    count = find_looks(
        window, columns.opened, columns.kinds, AGENT.height, AGENT.max_step, looks, ranges, starts
    )
    outlines = np.empty((count, WAYS), dtype=np.float32)
    measure_walls(
        faces.points, faces.triangles, np.arange(len(faces.triangles), dtype=np.int32),
        window.extent, cell, ranges, starts, outlines,
    )  # fmt: skip
    return faces, columns, looks[:count], ranges[:count], outlines


def in_cell(triangle, row, col, cell):
    """Return the corners of the part of a triangle above a cell, which may be upright."""
    corners = triangle
    for axis, low in ((0, row * cell), (1, col * cell)):
        for sign, line in ((1.0, low), (-1.0, low + cell)):
            inside = []
            for a, b in itertools.pairwise([*corners, corners[0]] if len(corners) else []):
                here, there = sign * (a[axis] - line), sign * (b[axis] - line)
                if here >= 0.0:
                    inside.append(a)
                if here * there < 0.0:
                    inside.append(a + (b - a) * here / (here - there))
            corners = inside
    return np.array(corners).reshape(-1, 3)


@pytest.mark.parametrize("seed", range(3))
def test_outlines_are_around_all_that_a_look_finds(seed):
    random = np.random.default_rng(seed)
    triangles = random.uniform(0.013, 2.017, (12, 3, 3)) * (1.0, 1.0, 1.5)
    turn = random.uniform(0.0, math.pi)
    wall = curtain((0.3, 0.3), (0.3 + math.cos(turn), 0.3 + math.sin(turn)), 0.0, 2.0)
    soup = np.concatenate([sheet(shapely.box(0.007, 0.009, 2.011, 2.019), 0.0), triangles, wall])
    faces, columns, looks, ranges, outlines = looks_of(soup, 0.19)
    window, corners = columns.window, faces.points[faces.triangles]
    cells = naive_voxel.span_cells(window)
    found = 0
    for look, (low, high), outline in zip(looks, ranges, outlines, strict=True):
        row, col = cells[look[SPAN]] + (TO_ROW[look[SIDE]], TO_COL[look[SIDE]])
        expected = np.full(WAYS, np.inf)
        for triangle in corners:
            part = in_cell(triangle, row, col, 0.19)
            if len(part) and part[:, 2].max() > low and part[:, 2].min() < high:
                u, v = part[:, 0] / 0.19 - row, part[:, 1] / 0.19 - col
                begins = (np.outer(u, WAY_U) + np.outer(v, WAY_V)).min(axis=0)
                expected = np.minimum(expected, begins)
        assert outline == pytest.approx(expected, abs=1e-4)
        found += math.isfinite(outline[0])
    assert len(looks) > found > 30
    assert (ranges[:, HIGH] - ranges[:, LOW]) == pytest.approx(
        AGENT.height - AGENT.max_step, abs=1e-5
    )


def test_a_wall_against_the_cells_is_known_to_a_tenth_of_a_cell():
    for angle in np.linspace(3.0, 87.0, 15):
        turn = math.radians(angle)
        along = np.array([math.cos(turn), math.sin(turn)])
        across = np.array([-along[1], along[0]])
        start = np.array([1.0, 1.0]) - 3.0 * along
        wall = curtain(start, start + 6.0 * along, 0.0, 2.5)
        scene = np.concatenate([sheet(shapely.box(-3.0, -3.0, 5.0, 5.0), 0.0), wall])
        columns, _, limits = naive_voxel.clear_of(scene, AGENT, CELL)
        middles = (naive_voxel.span_cells(columns.window) + 0.5) * CELL
        ahead, beside = (middles - start) @ along, (middles - start) @ across
        # Beside the wall there are corners of cells that no ground looks into.
        near = (np.abs(ahead - 3.0) < 2.0) & (np.abs(np.abs(beside) - 0.25) < 0.1)
        off = np.abs(beside[near]) / CELL - limits.distance[near]
        assert np.count_nonzero(near) > 100
        assert off.min() > -0.1
        assert off.max() < 0.13


def room(angle):
    """Return a room of 2.0 m x 2.4 m, whose floor is a slab with an underside."""
    inside = shapely.box(0.0, 0.0, 2.0, 2.4)
    soup = Soup()
    soup.prism(inside, -0.3, 0.0)
    soup.prism(inside.buffer(0.2, join_style="mitre").difference(inside), -0.3, 2.5)
    soup.turn(angle)
    return soup.scene("y")


@pytest.mark.parametrize(("partition", "lost"), [("watershed", 0.25), ("slices", 0.4)])
@pytest.mark.parametrize("angle", ANGLES)
def test_no_more_of_a_room_is_lost_than_a_part_of_a_cell(angle, partition, lost):
    navmesh = wm.build(room(angle), AGENT, wm.Voxel(partition=partition))
    middle = turn_plan(np.array([[1.0, 1.2, 0.0]]), angle)
    inside = navmesh.prune(room(angle).frame.to_world(middle))
    free = shapely.box(0.3, 0.3, 1.7, 2.1)
    assert inside.area <= free.area + 0.3 * CELL * free.length
    assert inside.area >= free.area - lost * CELL * free.length


@pytest.mark.parametrize("shift", [0.0, 0.03, 0.071])
@pytest.mark.parametrize("angle", ANGLES)
def test_doors_wider_than_the_agent_and_a_cell_across_are_open(angle, shift):
    # Cells follow each other from side to side across this much at least.
    across = CELL * (abs(math.cos(math.radians(angle))) + abs(math.sin(math.radians(angle))))
    width = 0.6 + across + 0.02
    scene = wm.samples.doorways((width,), angle)
    scene = wm.Scene(scene.vertices + (shift, 0.0, 0.7 * shift), scene.faces)
    navmesh = wm.build(scene, AGENT, wm.Voxel(cell_size=CELL, cell_height=0.1))
    first, second = wm.samples.doorway_rooms(2, angle) + (shift, 0.0, 0.7 * shift)
    assert navmesh.find_path(first, second).status == "complete"
