"""The tolerances of the voxel method: each is larger or smaller than those it goes with."""

import numpy as np

from walkmesh.builder.voxel.kernels import tolerances as t


def test_heights_and_clearances_are_told_apart_in_order():
    assert t.LIMIT_ROUNDING < t.SAME_SURFACE
    assert t.LIMIT_ROUNDING < t.LEAST_CLEARANCE
    # What float32 makes of heights up to a kilometre.
    assert float(np.spacing(np.float32(1000.0))) < t.LIMIT_ROUNDING


def test_parts_of_cells_are_told_apart_in_order():
    assert 0.0 < t.LEAST_CLIP_AREA < t.LEAST_COVER < 1.0
    assert t.LEAST_SIDE > 1.0 / t.GRID
    assert t.PLACED < 0.01 / t.GRID
    assert t.FARTHEST_MOVE <= t.BEYOND_RADIUS
    assert 0.0 < t.CLEAR_PART <= 0.5
    assert 0.0 <= t.OVERHANG < 1.0


def test_contours_are_no_further_off_than_the_ground_beside_them_leaves():
    assert 1.0 / t.GRID <= t.OFF_LINE < t.CONTOUR_ERROR < 0.5
    assert t.CONTOUR_SHARE <= 0.5  # on both sides


def test_places_on_the_lattice_are_the_same_after_rounding():
    assert t.ALONG_AXIS < t.SAME_LATTICE_PLACE < t.LEAST_CLEARANCE
    assert 0.0 < t.WHOLE_PIECES <= t.WHOLE_LEVELS < 1.0
