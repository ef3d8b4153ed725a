"""Tolerances of builds are larger or smaller than each other, as their comments say."""

from importlib import import_module

import pytest

from walkmesh import tolerances as navmesh
from walkmesh.builder.exact import Exact
from walkmesh.builder.exact.kernels import tolerances as exact
from walkmesh.builder.kernels import tolerances as shared
from walkmesh.edit import tolerances as edit
from walkmesh.kernels import tolerances as kernels

ROUNDED = 1e-6  # positions are rounded to micrometres


@pytest.mark.parametrize(
    "ascending",
    [
        (exact.FACES_BESIDE, exact.SAME_PLANE, exact.SAME_SHEET, exact.SAME_SHELL),
        (exact.SAME_SHELL, navmesh.SAME_LAYER),
        (exact.CUT_HEADROOM_SLACK, navmesh.HEADROOM_SLACK),
        (shared.STITCHED_STEP, exact.STEP_SLACK, exact.MAYBE_A_STEP),
        (exact.STEP_SLACK, exact.HOLE_STEP_SLACK),
        (exact.ASIDE, shared.WELDED),
        (exact.THIN_PART, Exact.gap_distance),
        (exact.LEAST_ALTITUDE, exact.THIN_TRIANGLE, shared.WELDED),
        (exact.LEAST_ALTITUDE, exact.END_APART, exact.SNAP_LEAST),
        (exact.GAP_STEP, exact.SLIT_ROUNDING),
        (exact.SIDES_TOUCH, exact.BLUNT_END),
        (exact.NOT_MOVED, exact.MOVED),
        (exact.BELOW_AREA, exact.CLOSED_AREA),
        (exact.SAME_WALL_LINE, exact.WALLS_TOUCH),
        (exact.LINE_SIDEWAYS, shared.WELDED),
        (shared.LEVEL_CORNERS, exact.MERGED_FLAT),
        (shared.LEANING_PART, shared.WALL_WIDTH),
        (shared.ON_SIDE, shared.NO_OVERLAP),
        (shared.WELD_ROUNDING, shared.WELDED),
        (shared.STITCHED_STEP, shared.SINGLE_STEP),
        (shared.SAME_END, shared.PASSES_END),
        (shared.BAND_SLACK, shared.BESIDE_EDGE),
        (shared.LEAST_ROOM, shared.OUTWARDS, shared.STRAIGHT_BOUNDARY),
        (shared.OUTSIDE_SHARE, shared.REPLACED_SHARE),
        (shared.ON_POLYGON_SIDE, shared.NO_DETAIL_WIDTH),
    ],
)
def test_order(ascending):
    assert list(ascending) == sorted(set(ascending))


def test_multiples():
    assert exact.SHORT_EDGE == shared.NARROW_CUT == 2.0 * shared.WELDED
    assert exact.MERGED_APART == 2.0 * exact.MERGED_FLAT
    assert exact.CROSSES_EDGE == 40.0 * exact.WALL_ON_EDGE
    # Level faces are whole micrometres apart: rounding must not choose.
    for apart in (exact.SAME_PLANE, exact.SAME_SHEET):
        assert abs(apart / ROUNDED - round(apart / ROUNDED)) > 0.01


ROOMS = (
    "builder.bridges", "builder.exact", "builder", "builder.surface", "builder.triangulation",
    "builder.voxel", "evaluation", "links", "query",
)  # fmt: skip


def test_one_name_has_one_value():
    values = {}
    rooms = [import_module(f"walkmesh.{room}.kernels.tolerances") for room in ROOMS]
    for module in [navmesh, edit, kernels, *rooms]:
        for name, value in vars(module).items():
            if name.isupper():
                assert values.setdefault(name, value) == value, name


def test_builds_and_validation_share_no_names():
    named = [
        {name: value for name, value in vars(module).items() if name.isupper()}
        for module in (exact, shared, navmesh)
    ]
    for i, some in enumerate(named):
        for others in named[i + 1 :]:
            assert not set(some) & set(others)
