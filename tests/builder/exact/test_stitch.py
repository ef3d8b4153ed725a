"""Stitching: pieces come to share vertices and edges, also across steps."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from tests.checks.exact_checks import AGENT, pieces_of, stitched
from tests.twins import naive_exact
from walkmesh.builder.exact.low_faces import drop_far_from_ground
from walkmesh.builder.exact.stages.clearance import outline
from walkmesh.builder.ground import plan_areas
from walkmesh.builder.kernels.faces import GROUND, LOW
from walkmesh.builder.kernels.stitch import match_steps, number_fans, weld_plan
from walkmesh.builder.stitch import stitch
from walkmesh.ragged import offsets_of

HAIR = 2.5e-4
STEP = AGENT.max_step
SQUARE = shapely.box(0.0, 0.0, 4.0, 4.0)


def split(polygon, point, angle):
    """Return the two parts of a convex polygon (n, 2) on either side of a line."""
    normal = np.array([math.cos(angle), math.sin(angle)])
    values = (np.asarray(polygon) - point) @ normal
    parts = [naive_exact.part_above(list(polygon), list(sign * values)) for sign in (1.0, -1.0)]
    return [np.array(part) for part in parts if len(part) >= 3 and shapely.Polygon(part).area > 0]


def random_pieces(random, cuts, slivers):
    """Cut the square into convex pieces, one at a time, so that corners meet edges anywhere."""
    polygons = [np.array(SQUARE.exterior.coords)[:-1][::-1]]
    for k in range(cuts):
        index = random.integers(len(polygons))
        polygon = polygons.pop(index)
        weights = random.dirichlet(np.ones(len(polygon)))
        point, angle = weights @ polygon, random.uniform(0.0, math.pi)
        parts = split(polygon, point, angle)
        if k < slivers and len(parts) == 2:
            # A second cut beside the first one leaves a strip between them.
            aside = point - random.uniform(1e-5, 2e-3) * np.array(
                [math.cos(angle), math.sin(angle)]
            )
            parts = [parts[0], *split(parts[1], aside, angle)]
        polygons += parts
    return [p if shapely.LinearRing(p).is_ccw else p[::-1] for p in polygons]


def with_heights(polygons, height=lambda u, _v: 0.0 * u):
    return pieces_of([np.column_stack([p, height(p[:, 0], p[:, 1])]) for p in polygons])


def inner_boundary(ground):
    """Return the length of boundary edges that do not lie on the outline of the square."""
    edges = np.flatnonzero(ground.mates < 0)
    ends = ground.points[ground.vertices[np.column_stack([edges, ground.following[edges]])]]
    middles = shapely.points(ends.mean(axis=1))
    inside = shapely.distance(SQUARE.exterior, middles) > 1e-3
    return float(np.hypot(*(ends[inside, 1] - ends[inside, 0]).T).sum())


# Shared edges


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("slope", [0.0, 0.3])
def test_pieces_of_a_square_share_all_edges_inside(seed, slope):
    random = np.random.default_rng(seed)
    polygons = random_pieces(random, 25, 0)
    jittered = [p + random.uniform(-5e-5, 5e-5, p.shape) for p in polygons]
    ground, counts = stitched(with_heights(jittered, lambda u, _v: slope * u))
    assert inner_boundary(ground) == 0.0
    assert plan_areas(ground).sum() == pytest.approx(16.0, abs=16.0 * 2 * HAIR)
    assert len(set(ground.components.tolist())) == 1
    assert counts["pieces_turned_over"] == 0


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("cuts", "slivers"), [(15, 10), (80, 60)])
def test_slivers_collapse_and_leave_no_slits(seed, cuts, slivers):
    random = np.random.default_rng(seed)
    ground, counts = stitched(with_heights(random_pieces(random, cuts, slivers)))
    assert inner_boundary(ground) == 0.0
    assert counts["pieces_turned_over"] == 0
    assert plan_areas(ground).sum() == pytest.approx(16.0, abs=16.0 * 2 * HAIR)


def test_a_strip_narrower_than_a_hair_is_gone_and_its_neighbours_meet():
    boxes = [(0.0, 2.0), (2.0, 2.0 + 0.5 * HAIR), (2.0 + 0.5 * HAIR, 4.0)]
    ground, counts = stitched(with_heights([corners_of(u, 0.0, x, 4.0) for u, x in boxes]))
    assert counts["pieces_collapsed"] == 1
    assert len(ground.sources) == 2
    assert np.count_nonzero(ground.mates >= 0) == 2
    assert inner_boundary(ground) == 0.0


def test_a_vertex_beside_a_sliver_that_collapses_is_one_of_the_longer_edge_across_it():
    # A doorway, on the left, and a room meet in a sliver 0.5 mm wide at the top, which leans the
    # way its lower end is welded: the doorway's corner comes to lie within a hair of the sliver's
    # right side, but not of the room's, which goes on further down.
    left, right, low = 0.0, 2.0 * HAIR, 0.7 * HAIR
    doorway = np.array([(-1.0, 0.0), (left, 0.0), (left, 0.7), (-1.0, 0.7)])
    sliver = np.array([(left, 0.0), (low, 0.0), (right, 1.7), (left, 1.7)])
    slope = (right - low) / 1.7
    room = np.array([(low - slope, -1.0), (3.0, -1.0), (3.0, 1.7), (right, 1.7)])
    ground, _ = stitched(with_heights([doorway, sliver, room]))
    assert len(set(ground.components.tolist())) == 1


def corners_of(u, v, x, y):
    return np.array([(u, v), (x, v), (x, y), (u, y)])


def test_a_corner_on_a_long_edge_becomes_a_corner_of_it():
    parts = [(0, 0, 4, 2), (0, 2, 1, 4), (1, 2, 4, 4)]
    ground, _ = stitched(with_heights([corners_of(*map(float, part)) for part in parts]))
    assert np.diff(ground.offsets).tolist() == [5, 4, 4]
    assert inner_boundary(ground) == 0.0
    assert len(ground.points) == 8


def test_pieces_that_only_touch_at_a_corner_have_vertices_of_their_own():
    parts = [corners_of(0.0, 0.0, 2.0, 2.0), corners_of(2.0, 2.0, 4.0, 4.0)]
    ground, _ = stitched(with_heights(parts))
    assert len(ground.points) == 8
    assert sorted(set(ground.components.tolist())) == [0, 1]


# Steps


@pytest.mark.parametrize(
    ("rise", "matched"),
    [(0.0, True), (0.2, True), (STEP, True), (STEP + 1e-4, False), (2.0, False)],
)
@pytest.mark.parametrize("base", [0.0, 0.1, 12.7])
def test_steps_are_matched_up_to_the_highest(base, rise, matched):
    low = np.column_stack([corners_of(0.0, 0.0, 2.0, 4.0), np.full(4, base)])
    high = np.column_stack([corners_of(2.0, 0.0, 4.0, 4.0), np.full(4, base + rise)])
    ground, _ = stitched(pieces_of([low, high]))
    assert np.count_nonzero(ground.mates >= 0) == (2 if matched else 0)
    # Heights stay with the pieces on either side.
    assert sorted(set(np.round(ground.heights, 9))) == sorted(
        {round(base, 9), round(base + rise, 9)}
    )


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("grade", [0.2, 0.25, 0.4])
def test_an_edge_that_leaves_the_range_of_a_step_is_split_there(grade, sign):
    level = np.column_stack([corners_of(0.0, 0.0, 2.0, 4.0), np.zeros(4)])
    flat = corners_of(2.0, 0.0, 4.0, 4.0)
    sloping = np.column_stack([flat, sign * grade * flat[:, 1]])
    ground, _ = stitched(pieces_of([level, sloping]))
    inner = np.flatnonzero(ground.mates >= 0)
    assert len(inner) == 2
    place = STEP / grade
    spans = (
        ground.points[ground.vertices[inner]],
        ground.points[ground.vertices[ground.following[inner]]],
    )
    v = np.concatenate(spans)[:, 1]
    assert (v.min(), v.max()) == (0.0, pytest.approx(place, abs=1e-5))
    assert plan_areas(ground).sum() == pytest.approx(16.0)
    # Beyond it both run on along the same line, each with a boundary of its own; before it they
    # have one line together.
    assert len(outline(ground)) == 7


def test_of_storeys_above_each_other_the_nearest_match():
    parts = []
    for h in (0.0, 3.0, 6.0):
        parts.append(np.column_stack([corners_of(0.0, 0.0, 2.0, 4.0), np.full(4, h)]))
        parts.append(np.column_stack([corners_of(2.0, 0.0, 4.0, 4.0), np.full(4, h + 0.2)]))
    ground, _ = stitched(pieces_of(parts))
    assert ground.components.tolist() == [0, 0, 1, 1, 2, 2]


# Twins


NEAR = st.integers(0, 30).map(lambda k: k * 1e-4)


@given(st.lists(st.tuples(NEAR, NEAR, st.floats(0, 3)), min_size=1, max_size=30))
def test_corners_are_welded_to_the_first_vertex_close_enough(corners):
    corners = np.array(corners)
    ids = np.empty(len(corners), dtype=np.int32)
    places = np.empty((len(corners), 2))
    count = weld_plan(corners, HAIR, ids, places)
    assert ids.tolist() == naive_exact.weld(corners.tolist(), HAIR)
    assert count == ids.max() + 1


@st.composite
def triangle_soups(draw):
    """Triangles on few vertices, in stacks: (t, 3) ids and heights, no two edges equally high."""
    count = draw(st.integers(1, 10))
    turns = list(itertools.permutations(range(5), 3))
    triangles = [draw(st.sampled_from(turns)) for _ in range(count)]
    levels = draw(
        st.lists(st.integers(0, 40_000), min_size=3 * count, max_size=3 * count, unique=True)
    )
    heights = (
        np.array(levels).reshape(-1, 3) * 1e-4 + np.sqrt(np.arange(3 * count)).reshape(-1, 3) * 1e-6
    )
    return triangles, heights


@given(triangle_soups())
def test_edges_are_matched_from_the_nearest_on(soup):
    triangles, heights = soup
    ids = np.array(triangles, dtype=np.int32).ravel()
    offsets = offsets_of(np.full(len(triangles), 3))
    mates, crossings = np.empty(len(ids), dtype=np.int32), np.empty(len(ids))
    match_steps(offsets, ids, np.ascontiguousarray(heights.ravel()), STEP, mates, crossings)
    edges = [
        ((t[k], h[k]), (t[(k + 1) % 3], h[(k + 1) % 3]))
        for t, h in zip(triangles, heights.tolist(), strict=True)
        for k in range(3)
    ]
    expected, split_at = naive_exact.mates(edges, STEP)
    assert mates.tolist() == expected
    assert crossings == pytest.approx([split_at.get(i, 0.0) for i in range(len(edges))])
    vertices = np.empty(len(ids), dtype=np.int32)
    count = number_fans(offsets, mates, vertices)
    fans = {frozenset(np.flatnonzero(vertices == k).tolist()) for k in range(count)}
    assert fans == naive_exact.fans(offsets, mates)


# Outlines


@pytest.mark.parametrize("seed", range(4))
def test_outlines_are_straight_and_as_long_as_the_boundary(seed):
    random = np.random.default_rng(seed)
    polygons = [p for p in random_pieces(random, 30, 0) if shapely.Polygon(p).area > 1e-3]
    chosen = [p for p in polygons if random.random() < 0.8]
    ground, _ = stitched(with_heights(chosen))
    lines = outline(ground)
    edges = np.flatnonzero(ground.mates < 0)
    ends = ground.points[ground.vertices[np.column_stack([edges, ground.following[edges]])]]
    assert len(lines) <= len(edges)
    length = np.hypot(*(ends[:, 1] - ends[:, 0]).T).sum()
    assert np.hypot(*(lines[:, 3:5] - lines[:, :2]).T).sum() == pytest.approx(length, rel=1e-3)
    joined = shapely.union_all([shapely.LineString([a[:2], a[3:5]]) for a in lines])
    for corner in ends.reshape(-1, 2):
        assert joined.distance(shapely.Point(corner)) <= 3e-4


def test_the_outline_of_a_square_has_four_lines_with_the_ground_to_the_left():
    random = np.random.default_rng(1)
    lines = outline(stitched(with_heights(random_pieces(random, 20, 0)))[0])
    assert len(lines) == 4
    assert shapely.LinearRing(lines[np.argsort(_angle(lines)), :2]).is_ccw
    middles, ahead = (lines[:, :2] + lines[:, 3:5]) / 2.0, lines[:, 3:5] - lines[:, :2]
    inward = np.column_stack([-ahead[:, 1], ahead[:, 0]])
    assert ((2.0 - middles) * inward).sum(axis=1).min() > 0.0


def _angle(lines):
    return np.arctan2(lines[:, 1] - 2.0, lines[:, 0] - 2.0)


# Low faces that hang on the ground


def test_of_a_cliff_only_what_is_within_a_step_of_its_foot_and_rim_is_left():
    # Six strips of 0.3 m each, from ground at 0 to ground at 1.8 m.
    heights = [0.0, 0.0, 0.3, 0.6, 0.9, 1.2, 1.5, 1.8, 1.8]
    places = [-2.0, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 2.0]
    strips = [
        [(u, 0.0, h), (v, 0.0, k), (v, 1.0, k), (u, 1.0, h)]
        for u, v, h, k in zip(places, places[1:], heights, heights[1:], strict=False)
    ]
    ground, _ = stitched(pieces_of(strips))
    faces = SimpleNamespace(roles=np.array([GROUND, *[LOW] * 6, GROUND], dtype=np.uint8))
    left, counts = drop_far_from_ground(ground, faces, AGENT)
    assert left.sources.tolist() == [0, 1, 2, 5, 6, 7]
    assert counts == {"low_far_from_ground": 2}


def test_vertices_that_are_equally_far_apart_do_not_split_each_other_for_ever():
    # Rounding made each side of this triangle longer than the one before it.
    base, hair = np.array([-1.115045, 47.646232]), 1e-5
    places = base + [
        (0.0, 0.0),
        (hair, 0.0),
        (hair / 2, hair),
        (3.0, -3.0),
        (6.0, 1.0),
        (-2.0, 4.0),
    ]
    places = np.column_stack([np.round(places, 6), np.zeros(6)])
    pieces = pieces_of([places[list(ids)] for ids in ((0, 3, 2), (1, 3, 4), (2, 4, 5), (1, 4, 2))])
    ground, _ = stitch(pieces, AGENT)
    assert plan_areas(ground).sum() == pytest.approx(plan_areas(pieces).sum(), abs=1e-3)


@pytest.mark.parametrize("away", [0.0, 2e-4], ids=["straight", "leaving"])
def test_a_large_piece_may_have_any_number_of_vertices_on_one_edge(away):
    count, width = 12_000, 0.01
    length = count * width
    floor = [(0.0, 0.0, 0.0), (length, 0.0, 0.0), (length, 50.0, 0.0)]
    left = np.arange(count) * width
    beside = -away * left / length
    tiles = [
        [(u, v, 0.1), (u, v - 1.0, 0.1), (u + 0.6 * width, v - 1.0, 0.1), (u + 0.6 * width, v, 0.1)]
        for u, v in zip(left, beside, strict=True)
    ]
    ground, counts = stitch(pieces_of([floor, *tiles]), AGENT)
    assert counts["pieces_collapsed"] == 0
    sizes = np.diff(ground.offsets)
    assert sizes.max() > 2 * count
    # Every tile shares one edge with the floor.
    first = np.flatnonzero(sizes == sizes.max())[0]
    neighbors = ground.owners[ground.mates[ground.mates >= 0]]
    assert np.count_nonzero(neighbors == first) == count


def test_pieces_that_all_collapse_leave_no_ground():
    ground, counts = stitch(
        pieces_of([[(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 8e-6, 0.0)]]), AGENT
    )
    assert len(ground.sources) == 0
    assert counts["pieces_collapsed"] == 1
