"""Cutting: what each face is, and what headroom leaves of it."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from tests.checks.exact_checks import (
    AGENT,
    block,
    curtain,
    cut_faces,
    faces_of,
    plans,
    sheet,
    union,
)
from tests.twins import naive_exact
from tests.twins.naive_exact import GROUND, LOW, WALL
from walkmesh.box_tree import BoxTree
from walkmesh.kernels.search.box_tree import find_close
from walkmesh.samples.soup import turn_plan

FLOOR = sheet(shapely.box(0.0, 0.0, 4.0, 4.0), 0.0)
HEAD, STEP = AGENT.height, AGENT.max_step
# What the area of a few triangles may be off by. [m2]
NOTHING = 1e-6


def tilted(degrees, across=1.0, facing=1):
    """Return a triangle that rises along u."""
    rise = across * math.tan(math.radians(degrees))
    triangle = np.array([(0.0, 0.0, 0.0), (across, 0.0, rise), (0.0, 2.0, 0.0)])
    return triangle[::facing]


def areas_by_face(faces, pieces):
    """Return the area left of each face."""
    left = np.zeros(len(faces.roles))
    np.add.at(left, pieces.sources, [plan.area for plan in plans(pieces)])
    return left


# Faces


@pytest.mark.parametrize(
    ("triangle", "expected"),
    [
        (tilted(0.0), GROUND),
        (tilted(0.0, facing=-1), LOW),
        (tilted(44.9), GROUND),
        (tilted(44.9, facing=-1), LOW),
        (tilted(45.1), LOW),
        (tilted(89.0), LOW),
        (tilted(89.0, facing=-1), LOW),
        (curtain((0.0, 0.0), (1.0, 0.3), 0.0, 2.0)[0], WALL),
        (tilted(89.99, across=5e-4), WALL),
        (tilted(0.0, across=5e-4), GROUND),
    ],
)
def test_roles_of_faces(triangle, expected):
    faces = faces_of(np.concatenate([FLOOR, [triangle]]))
    assert faces.roles[-1] == expected
    assert naive_exact.role(np.asarray(triangle), AGENT.max_slope) == expected


@pytest.mark.parametrize("run", [0.5, 1.0, 3.0])
def test_exactly_the_steepest_slope_is_ground(run):
    triangle = [(0.0, 0.0, 0.0), (run, 0.0, run), (0.0, run, 0.0)]
    assert faces_of(np.concatenate([FLOOR, [triangle]])).roles[-1] == GROUND


def test_exactly_the_steepest_slope_is_ground_whichever_way_it_is_turned():
    triangle = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 1.0), (0.0, 1.0, 0.0)])
    turned = [turn_plan(triangle, degrees) for degrees in range(0, 90, 5)]
    faces = faces_of(np.concatenate([FLOOR, turned]))
    assert (faces.roles[2:] == GROUND).all()


GRID = st.integers(0, 8).map(lambda k: 0.5 * k)
HEIGHTS = st.integers(-4, 24).map(lambda k: 0.1 * k)
CORNER = st.tuples(GRID, GRID, HEIGHTS)
PLACE = st.integers(0, 40).map(lambda tenths: tenths / 10.0)
BOX = st.tuples(*[PLACE] * 3).map(lambda low: (*low, low[0] + 0.3, low[1] + 0.2, low[2] + 0.1))


@st.composite
def soups(draw, most=4):
    """A floor that may slope, and a few triangles in any position over and under it."""
    slope = draw(st.sampled_from([0.0, 0.1, -0.3]))
    floor = sheet(shapely.box(0.0, 0.0, 4.0, 4.0), lambda u, _v: slope * u)
    others = draw(st.lists(st.tuples(CORNER, CORNER, CORNER), max_size=most))
    solid = [t for t in others if np.linalg.norm(np.cross(*np.diff(t, axis=0))) > 0.01]
    triangles = np.concatenate([floor, np.array(solid).reshape(-1, 3, 3)])
    return triangles[draw(st.permutations(range(len(triangles))))]


@given(soups())
def test_roles_and_planes_of_any_faces(triangles):
    faces = faces_of(triangles)
    for triangle, role, plane in zip(triangles, faces.roles, faces.planes, strict=True):
        assert role == naive_exact.role(triangle, AGENT.max_slope)
        if role != WALL:
            heights = triangle[:, :2] @ plane[:2] + plane[2]
            assert heights == pytest.approx(triangle[:, 2], abs=1e-9)


# Headroom


@given(soups())
def test_what_is_left_of_ground_is_the_face_without_what_blocks_it(triangles):
    faces, pieces = cut_faces(triangles)
    left = areas_by_face(faces, pieces)
    rounded = faces.points[faces.triangles]
    for index in np.flatnonzero(faces.roles == GROUND):
        expected = naive_exact.free_plan(rounded, faces.roles, index, HEAD)
        assert left[index] == pytest.approx(expected.area, abs=NOTHING)
        kept = [p for p, s in zip(plans(pieces), pieces.sources, strict=True) if s == index]
        assert union(kept).symmetric_difference(expected).area < 1e-4


@given(soups())
def test_all_that_is_left_lies_the_agents_height_apart(triangles):
    faces, pieces = cut_faces(triangles)
    ground = faces.roles[pieces.sources] == GROUND
    kept = [plan for plan, chosen in zip(plans(pieces), ground, strict=True) if chosen]
    sources = pieces.sources[ground]
    for i in range(len(kept)):
        for j in range(i):
            common = kept[i].intersection(kept[j])
            if common.area < 1e-5:
                continue
            middle = common.representative_point()
            heights = [
                naive_exact.height_on(faces.points[faces.triangles[sources[k]]], *middle.coords[0])
                for k in (i, j)
            ]
            assert abs(heights[0] - heights[1]) >= HEAD - 2e-4


@pytest.mark.parametrize("floor", [0.0, 0.1, 17.3, -2.7])
@pytest.mark.parametrize("over", [HEAD, HEAD - 5e-5])
def test_headroom_of_exactly_the_agents_height_is_enough(over, floor):
    ceiling = sheet(shapely.box(1.0, 1.0, 3.0, 3.0), floor + over)[:, ::-1]
    faces, pieces = cut_faces(np.concatenate([FLOOR + [0.0, 0.0, floor], ceiling]))
    assert areas_by_face(faces, pieces)[:2].sum() == pytest.approx(16.0)


@pytest.mark.parametrize("over", [HEAD - 1e-3, 1.0, 0.0102])
def test_less_headroom_is_not(over):
    ceiling = sheet(shapely.box(1.0, 1.0, 3.0, 3.0), over)[:, ::-1]
    faces, pieces = cut_faces(np.concatenate([FLOOR, ceiling]))
    assert areas_by_face(faces, pieces)[:2].sum() == pytest.approx(12.0)


@pytest.mark.parametrize("over", [0.01, 2e-4])
def test_the_back_of_a_sheet_right_above_the_ground_is_not_in_the_way(over):
    shell = sheet(shapely.box(1.0, 1.0, 3.0, 3.0), over)[:, ::-1]
    faces, pieces = cut_faces(np.concatenate([FLOOR, shell]))
    assert areas_by_face(faces, pieces) == pytest.approx([8.0, 8.0, 0.0, 0.0])


def test_walls_take_no_ground_away():
    wall = curtain((1.0, 1.0), (3.0, 3.0), 0.0, 3.0)
    _, pieces = cut_faces(np.concatenate([FLOOR, wall]))
    assert sum(plan.area for plan in plans(pieces)) == pytest.approx(16.0)


def test_a_block_takes_its_plan_away_and_puts_its_top_there():
    plan = shapely.box(1.0, 1.0, 2.0, 3.0)
    faces, pieces = cut_faces(np.concatenate([FLOOR, block(plan, 0.0, 1.0)]))
    assert areas_by_face(faces, pieces)[:2].sum() == pytest.approx(14.0)
    assert areas_by_face(faces, pieces)[2:].sum() == pytest.approx(2.0)


# One plane


PLANES = st.sampled_from([(0.0, 0.0), (0.25, 0.0), (0.1, -0.3)])


@st.composite
def layers(draw, apart):
    """Triangles of one plane, facing both ways, some of them twice, a hair apart."""
    a, b = draw(PLANES)
    corner = st.tuples(GRID, GRID)
    outlines = draw(st.lists(st.tuples(corner, corner, corner), min_size=1, max_size=5))
    outlines += draw(st.lists(st.sampled_from(outlines), max_size=3))
    triangles = [sheet(shapely.box(0.0, 0.0, 4.0, 4.0), lambda u, v: a * u + b * v)]
    for k, outline in enumerate(outlines):
        flat = np.array(outline)
        if shapely.Polygon(flat).area > 0.1:
            heights = flat @ (a, b) + apart * (k % 4)
            triangles.append(np.column_stack([flat, heights])[None])
    triangles = np.concatenate(triangles)
    return triangles[draw(st.permutations(range(len(triangles))))]


@pytest.mark.parametrize("apart", [0.0, 1e-5])
@given(data=st.data())
def test_of_layers_in_one_plane_exactly_one_stays(apart, data):
    faces, pieces = cut_faces(data.draw(layers(apart)))
    kept = plans(pieces)
    assert sum(plan.area for plan in kept) == pytest.approx(16.0, abs=2e-5)
    assert union(kept).area == pytest.approx(16.0, abs=2e-5)
    # Where there is ground, that is what stays of two faces, and not the one that faces down.
    ground = union(
        [shapely.Polygon(t[:, :2]) for t in faces.points[faces.triangles[faces.roles == GROUND]]]
    )
    assert areas_by_face(faces, pieces)[faces.roles == GROUND].sum() == pytest.approx(
        ground.area, abs=2e-5
    )


@pytest.mark.parametrize("repeats", [2, 5])
def test_of_equal_floors_one_stays_whole(repeats):
    faces, pieces = cut_faces(np.concatenate([FLOOR, FLOOR[:, ::-1]] * repeats))
    left = areas_by_face(faces, pieces)
    assert left[:2] == pytest.approx(8.0)
    assert left[2:].sum() == 0.0


@pytest.mark.parametrize(
    "order",
    [
        (0, 1, 2),
        (2, 1, 0),
        (0, 2, 1),
    ],
)
def test_layers_that_differ_by_less_than_a_tenth_of_a_millimetre_leave_no_hole(order):
    levels = [FLOOR + [0.0, 0.0, k * 8e-5] for k in order]
    _, pieces = cut_faces(np.concatenate(levels))
    assert union(plans(pieces)).area == pytest.approx(16.0, abs=1e-5)


@pytest.mark.parametrize(
    "order",
    [
        (0, 1),
        (1, 0),
    ],
)
def test_of_layers_exactly_a_tenth_of_a_millimetre_apart_one_stays(order):
    _, pieces = cut_faces(np.concatenate([FLOOR + [0.0, 0.0, k * 1e-4] for k in order]))
    assert sum(plan.area for plan in plans(pieces)) == pytest.approx(16.0, abs=1e-5)


# Planes that cross


@pytest.mark.parametrize("slope", [5.0, 20.0, 44.0])
@pytest.mark.parametrize("floor_first", [True, False])
def test_planes_that_cross_are_cut_along_the_same_line(floor_first, slope):
    gradient = math.tan(math.radians(slope)) * np.array([0.8, 0.6])
    plate = sheet(
        shapely.box(1.5, 1.5, 2.5, 2.5), lambda u, v: gradient[0] * (u - 2) + gradient[1] * (v - 2)
    )
    parts = [FLOOR, plate] if floor_first else [plate, FLOOR]
    faces, pieces = cut_faces(np.concatenate(parts))
    of_plate = np.abs(faces.planes[pieces.sources, 0]) > 1e-9
    kept = np.array(plans(pieces), dtype=object)
    below, above = union(kept[~of_plate]), union(kept[of_plate])
    assert below.intersection(above).area < 1e-9
    assert below.area + above.area == pytest.approx(16.0, abs=1e-6)
    # Half of the plate is above the floor, and that half stays.
    shift = 1e-4 / math.hypot(*gradient)
    assert above.area == pytest.approx(0.5, abs=1.3 * shift)
    # Across the gradient the line lies in the middle, but for a tenth of a millimetre in height.
    ring = np.array(above.exterior.coords) - 2.0
    assert (ring @ (0.8, 0.6)).min() == pytest.approx(0.0, abs=1.1 * shift)


# Low faces


@pytest.mark.parametrize(
    ("aside", "below", "stays"),
    [(0.59, 0.39, True), (0.61, 0.0, False), (0.0, 0.41, False), (0.3, 0.2, True)],
)
def test_low_faces_far_from_ground_are_left_out(aside, below, stays):
    triangle = [(0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.25, 0.1, 0.3)]
    ground = sheet(shapely.box(0.5 + aside, 0.0, 2.0, 1.0), -below)
    faces, pieces = cut_faces(np.concatenate([ground, [triangle]]))
    assert faces.roles[2] == LOW
    assert (2 in pieces.sources) == stays


@given(st.lists(BOX, min_size=1, max_size=60), st.lists(BOX, max_size=20))
def test_boxes_close_to_a_tree_are_found(boxes, queries):
    boxes, queries = (np.array(x, dtype=np.float64).reshape(-1, 6) for x in (boxes, queries))
    tree = BoxTree.around(boxes)
    close = np.empty(len(queries), dtype=np.uint8)
    find_close(queries, tree.boxes, tree.order, tree.nodes, 0.6, 0.4, close)
    margin = np.array([0.6, 0.6, 0.4])
    low, high = queries[:, None, :3] - margin, queries[:, None, 3:] + margin
    touching = (boxes[:, :3] <= high) & (boxes[:, 3:] >= low)
    assert (close == touching.all(axis=2).any(axis=1)).all()


# Many regions on one face


@pytest.mark.parametrize("seed", range(2))
def test_hundreds_of_blocks_leave_the_rest_of_a_face(seed):
    random = np.random.default_rng(seed)
    plates = [
        sheet(shapely.box(u, v, u + 0.15, v + 0.1), 1.0)
        for u, v in np.round(random.uniform(0.0, 3.8, (300, 2)), 3)
    ]
    faces, pieces = cut_faces(np.concatenate([FLOOR, *plates]))
    on_floor = faces.points[faces.triangles[pieces.sources, 0], 2] == 0.0
    kept = [plan for plan, chosen in zip(plans(pieces), on_floor, strict=True) if chosen]
    covered = union([shapely.box(*_bounds(plate)) for plate in plates])
    free = shapely.box(0.0, 0.0, 4.0, 4.0) - covered
    assert sum(part.area for part in kept) == pytest.approx(free.area, abs=1e-4)
    assert union(kept).symmetric_difference(free).area < 1e-4


def _bounds(triangles):
    plan = triangles.reshape(-1, 3)[:, :2]
    return *plan.min(axis=0), *plan.max(axis=0)
