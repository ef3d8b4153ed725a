"""Level regions joined into one ground and by links, against slow twins on unit edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.twins.naive_slices import (
    CELL_HEIGHT,
    cells_of,
    facing_edges,
    maps,
    plan,
    rings_with_vertices,
    unit_steps,
    windows_of,
)
from walkmesh.builder.voxel.slices.contours import merge_slices, slice_tile
from walkmesh.builder.voxel.slices.join import join_slices

pytestmark = pytest.mark.plain_python

CELL = 0.25


def join(cells, max_levels=4, spacing=1.0, radius=0.0, size=4):
    tiles = [slice_tile(window, CELL_HEIGHT) for window in windows_of(cells, size)]
    return join_slices(
        merge_slices(tiles),
        max_levels,
        cell=CELL,
        cell_height=CELL_HEIGHT,
        spacing=spacing,
        radius=radius,
    )


def check_rings(cells):
    """Compare the joined rings with the slow twin: the same points, and vertices one to one."""
    joined = join(cells)
    rings, levels = rings_with_vertices(cells)
    assert len(joined.ring_offsets) == len(rings) + 1
    pairs = set()
    for ring, a, b in zip(rings, joined.ring_offsets[:-1], joined.ring_offsets[1:], strict=True):
        vertices = joined.vertices[a:b]
        assert [tuple(p) for p in joined.points[vertices].tolist()] == [p for p, _ in ring]
        pairs |= set(zip(vertices.tolist(), (vertex for _, vertex in ring), strict=True))
    assert len(pairs) == len(joined.points) == len({vertex for _, vertex in pairs})
    for ours, theirs in pairs:
        assert joined.heights[ours] == pytest.approx(sum(levels[theirs]) / 2 * CELL_HEIGHT)
    return joined


def stairs(treads, depth, width, rise, gap=0):
    return {
        (tread * (depth + gap) + row, col, tread * rise)
        for tread in range(treads)
        for row in range(depth)
        for col in range(width)
    }


def test_nothing_is_joined_to_nothing():
    joined = join(set(), radius=1.0)
    assert len(joined.vertices) == len(joined.heights) == len(joined.links.lower) == 0


@pytest.mark.parametrize("rise", [2, 3, 4])
def test_a_flight_of_ten_treads_has_nine_links(rise):
    links = join(stairs(10, 2, 4, rise), radius=0.9).links
    assert links.lower.tolist() == list(range(9))
    assert links.upper.tolist() == list(range(1, 10))
    assert not links.facing.any()
    np.testing.assert_allclose(links.low[:, :2], links.high[:, :2])
    np.testing.assert_allclose(links.low[0], [2 * CELL, 2 * CELL, 0.0])
    np.testing.assert_allclose(links.high[:, 2] - links.low[:, 2], rise * CELL_HEIGHT)


def test_steps_that_are_too_high_have_no_links():
    assert len(join(stairs(4, 2, 4, 5), radius=0.9).links.lower) == 0


def test_treads_with_gaps_between_are_linked():
    links = join(stairs(10, 2, 4, 2, gap=1), radius=0.3).links
    assert links.lower.tolist() == list(range(9))
    assert links.facing.all()
    np.testing.assert_allclose(links.high[:, 0] - links.low[:, 0], CELL)
    assert len(join(stairs(10, 2, 4, 2, gap=1), radius=CELL).links.lower) == 0


def test_a_wide_step_has_links_no_further_apart_than_the_spacing():
    links = join(stairs(2, 2, 10, 2), spacing=1.0).links
    np.testing.assert_allclose(links.low[:, 1], (np.arange(3) + 0.5) * 10 * CELL / 3)
    assert len(join(stairs(2, 2, 4, 2), spacing=1.0).links.lower) == 1


def test_a_ramp_is_one_ground_without_links():
    joined = check_rings(stairs(10, 1, 5, 1))
    assert len(join(stairs(10, 1, 5, 1), radius=2.0).links.lower) == 0
    assert len(joined.points) == 22
    heights = sorted(set(np.round(joined.heights, 9)))
    assert heights == pytest.approx([0.0, *(np.arange(9) + 0.5) * CELL_HEIGHT, 0.9])


def test_a_long_edge_gets_the_corners_of_those_across():
    joined = check_rings(plan("1111", "0022"))
    assert len(joined.points) == 9  # below the corner, 0 and 2 meet without being joined
    middle = np.flatnonzero((joined.points == [1, 2]).all(axis=1))
    assert joined.heights[middle].tolist() == pytest.approx([CELL_HEIGHT])


def test_regions_that_meet_at_a_point_only_share_no_vertex():
    joined = check_rings(plan("0.", ".1"))
    assert len(joined.points) == 8


def test_storeys_above_each_other_share_no_vertex():
    cells = plan("0011") | {(0, col, 40 + level) for _, col, level in plan("0011")}
    assert len(check_rings(cells).points) == 12


@given(maps())
def test_random_grounds(cells):
    check_rings(cells)


@given(maps(layers=3, most=5))
def test_random_layers(cells):
    check_rings(cells)


@given(maps(layers=2, most=6), st.integers(0, 9))
def test_every_unit_of_a_step_has_a_link(cells, most):
    links = join(cells, max_levels=most, spacing=CELL).links
    found = list(zip(links.lower, links.upper, *(links.low[:, :2] / CELL).T.tolist(), strict=True))
    assert len(found) == len(set(found))
    assert set(found) == unit_steps(cells, most)


@given(maps(layers=2, most=6), st.integers(0, 4), st.sampled_from([0.3, 0.6, 1.1]))
def test_edges_that_face_each_other(cells, most, radius):
    links = join(cells, max_levels=most, radius=radius).links
    far = links.facing
    found = [
        (low, high, tuple(a), tuple(b))
        for low, high, a, b in zip(
            links.lower[far],
            links.upper[far],
            (links.low[far, :2] / CELL).tolist(),
            (links.high[far, :2] / CELL).tolist(),
            strict=True,
        )
    ]
    assert found == facing_edges(cells, most, radius / CELL)


def test_a_large_random_ground():
    random = np.random.default_rng(3)
    levels = random.integers(0, 3, (60, 60)).tolist()
    check_rings(cells_of([levels]))
