"""Level regions and their contours, against slow twins that know nothing of tiles."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.twins.naive_slices import CELL_HEIGHT, cells_of, contours_of, maps, plan, windows_of
from walkmesh.builder.voxel.slices.contours import merge_slices, slice_tile

pytestmark = pytest.mark.plain_python

SIZES = (2, 3, 5, 8, None)


def contours_by_tiles(cells, size, **how):
    return merge_slices(slice_tile(w, CELL_HEIGHT) for w in windows_of(cells, size, **how))


def as_lists(contours):
    """Return [(level, number of cells, rings)], as the slow twin does."""
    rings = [
        [tuple(p) for p in contours.points[a:b].tolist()]
        for a, b in zip(contours.ring_offsets[:-1], contours.ring_offsets[1:], strict=True)
    ]
    return [
        (int(level), int(count), rings[a:b])
        for level, count, a, b in zip(
            contours.levels,
            contours.cells,
            contours.region_rings[:-1],
            contours.region_rings[1:],
            strict=True,
        )
    ]


def area(ring):
    following = ring[1:] + ring[:1]
    twice = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(ring, following, strict=True))
    assert twice % 2 == 0
    return twice // 2


def check(cells, sizes=SIZES, **how):
    """Compare all tilings with the slow twin, and with each other bit by bit."""
    expected = contours_of(cells)
    reference = contours_by_tiles(cells, None, **how)
    assert as_lists(reference) == expected
    for _, count, rings in expected:
        assert sum(area(ring) for ring in rings) == count
        assert area(rings[0]) > 0
    for size in sizes:
        contours = contours_by_tiles(cells, size, **how)
        for name, values in vars(reference).items():
            np.testing.assert_array_equal(getattr(contours, name), values)
            assert getattr(contours, name).dtype == values.dtype
    return reference


def test_nothing_gives_nothing():
    contours = check(set())
    assert contours.points.shape == (0, 2)
    assert contours.region_rings.tolist() == [0]
    assert merge_slices([]).ring_offsets.tolist() == [0]


def test_a_rectangle_across_tiles_has_four_corners():
    contours = check(plan("0000000000", "0000000000", "0000000000"))
    assert as_lists(contours) == [(0, 30, [[(0, 0), (3, 0), (3, 10), (0, 10)]])]


def test_a_hole_is_clockwise():
    contours = check(plan("000", "0.0", "000"))
    assert as_lists(contours)[0][2][1] == [(1, 1), (1, 2), (2, 2), (2, 1)]


@pytest.mark.parametrize("lines", [("0.", ".0"), (".0", "0.")])
def test_cells_that_touch_at_a_point_are_one_region_of_two_rings(lines):
    contours = check(plan(*lines))
    assert contours.levels.tolist() == [0]
    assert np.diff(contours.ring_offsets).tolist() == [4, 4]


@pytest.mark.parametrize(
    "lines", [("0000", "0.00", "00.0", "0000"), ("0000", "00.0", "0.00", "0000")]
)
def test_holes_that_touch_at_a_point_are_one_ring(lines):
    contours = check(plan(*lines))
    assert np.diff(contours.ring_offsets).tolist() == [4, 8]


def test_regions_touch_at_the_corner_of_four_tiles():
    check(plan("0000", "0..0", "0.00", "0000"), sizes=(2,))
    check(plan("01", "10"), sizes=(1, 2))
    check(plan("00..", "00..", "..00", "..00"), sizes=(1, 2, 3))


def test_layers_above_each_other_are_regions_of_their_own():
    cells = plan("000", "000") | {(0, 1, 30), (1, 1, 30)}
    assert check(cells).levels.tolist() == [0, 30]


def test_spans_of_one_level_in_a_column_are_one_cell():
    window = windows_of(plan("00", "00"), None)[0]
    heights = np.repeat(window.heights, 2)
    heights[1::2] += np.float32(0.01)
    doubled = window._replace(
        first=2 * window.first, heights=heights, kept=np.repeat(window.kept, 2)
    )
    contours = merge_slices([slice_tile(doubled, CELL_HEIGHT)])
    assert as_lists(contours) == [(0, 4, [[(0, 0), (2, 0), (2, 2), (0, 2)]])]


def test_levels_are_rounded_heights():
    window = windows_of(plan("012"), None)[0]
    heights = window.heights.copy()
    heights[window.kept == 1] = [-0.149, -0.051, 0.049]
    tile = slice_tile(window._replace(heights=heights), CELL_HEIGHT)
    assert sorted(tile.levels.tolist()) == [-1, 0]


@given(maps(), st.sampled_from([(1, (0, 0)), (3, (1, 2))]))
def test_random_maps(cells, how):
    margin, origin = how
    check(cells, sizes=(1, *SIZES), margin=margin, origin=origin)


@given(maps(layers=3, most=6))
def test_random_layers(cells):
    check(cells)


@given(maps(most=6), st.integers(-20, 20), st.integers(-20, 20))
def test_maps_anywhere_on_the_lattice(cells, i, j):
    moved = {(row + i, col + j, level) for row, col, level in cells}
    contours, reference = check(moved), check(cells)
    np.testing.assert_array_equal(contours.points - np.array([i, j]), reference.points)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8, 0.95])
def test_large_random_maps(share):
    random.seed(int(100 * share))
    lines = [
        [0 if random.random() < share else random.choice([1, None]) for _ in range(100)]
        for _ in range(100)
    ]
    check(cells_of([lines]), sizes=(32,))


def test_the_order_of_tiles_does_not_matter():
    random.seed(1)
    cells = cells_of([[[random.choice([0, 0, 1, None]) for _ in range(20)] for _ in range(20)]])
    tiles = [slice_tile(window, CELL_HEIGHT) for window in windows_of(cells, 5)]
    reference = as_lists(merge_slices(tiles))
    random.shuffle(tiles)
    assert as_lists(merge_slices(tiles)) == reference == contours_of(cells)


def test_a_missing_tile_is_an_error():
    tiles = [slice_tile(window, CELL_HEIGHT) for window in windows_of(plan("000", "0.0", "000"), 2)]
    with pytest.raises(ValueError, match="do not fit together"):
        merge_slices(tiles[1:])
