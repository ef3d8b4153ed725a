"""The sample stairs are what their docstrings say."""

import numpy as np
import pytest
import shapely

from tests.checks.plan_triangles import (
    area,
    components,
    enclosed_volume,
    plan_triangles,
    unmatched_edges,
    upward,
)
from walkmesh import SettingsError, samples


@pytest.mark.parametrize("open_risers", [False, True])
def test_stairs_rise_step_by_step(open_risers):
    scene = samples.stairs(0.18, 0.28, 10, 1.2, open_risers=open_risers)
    triangles = upward(scene)
    heights = np.unique(triangles[:, :, 2])
    assert heights == pytest.approx(np.arange(11) * 0.18)
    assert len(components(triangles)) == 11
    assert area(triangles) == pytest.approx(1.2 * (2.0 + 9 * 0.28))
    plan = shapely.union_all([shapely.Polygon(t[:, :2]) for t in triangles])
    assert plan.area == pytest.approx(area(triangles))
    assert unmatched_edges(plan_triangles(scene)) == 0
    assert enclosed_volume(plan_triangles(scene)) > 0.0


def test_open_risers_let_through():
    boards = plan_triangles(samples.stairs(open_risers=True))
    solid = plan_triangles(samples.stairs())
    assert enclosed_volume(boards) == pytest.approx(0.04 * 1.2 * (2.0 + 9 * 0.28))
    assert enclosed_volume(solid) > 10 * enclosed_volume(boards)


def test_nosings_reach_over_the_tread_below():
    triangles = upward(samples.stairs(0.18, 0.28, 10, 1.2, open_risers=True, nosing=0.03))
    assert area(triangles) == pytest.approx(1.2 * (2.0 + 9 * 0.28 + 10 * 0.03))
    plan = shapely.union_all([shapely.Polygon(t[:, :2]) for t in triangles])
    assert plan.area == pytest.approx(1.2 * (2.0 + 9 * 0.28))


def test_side_walls_stand_beside_the_flight():
    without, walled = (
        plan_triangles(samples.stairs(0.2, 0.3, 5, 1.0, side_walls=walls))
        for walls in (False, True)
    )
    walls = walled[len(without) :]
    assert unmatched_edges(walls) == 0
    assert enclosed_volume(walls) == pytest.approx(2 * 0.1 * 3.2 * (0.2 + 1.0 + 1.0))
    across = walls[:, :, 1]
    assert np.all((across <= 0.0) | (across >= 1.0))


def fill_the_plan(tops, expected):
    """Tell whether the tops fill the expected plan, without gaps or overlaps."""
    plan = shapely.union_all([shapely.Polygon(t[:, :2]) for t in tops], grid_size=1e-4)
    assert area(tops) == pytest.approx(plan.area, abs=1e-3)
    assert plan.symmetric_difference(expected).area < 1e-3


@pytest.mark.parametrize("open_risers", [False, True])
@pytest.mark.parametrize("turn", [90, 180])
def test_stairs_with_landing(turn, open_risers):
    scene = samples.stairs_with_landing(0.17, 0.3, 5, 1.1, turn, open_risers=open_risers)
    tops = upward(scene)
    assert np.unique(tops[:, :, 2]) == pytest.approx(np.arange(11) * 0.17)
    assert len(components(tops)) == 11
    if turn == 90:
        second = shapely.box(1.2, 0.0, 2.3, 1.1 + 4 * 0.3 + 1.0)
    else:
        second = shapely.box(1.2 - 4 * 0.3 - 1.0, 1.3, 2.3, 2.4) | shapely.box(1.2, 0, 2.3, 2.4)
    fill_the_plan(tops, shapely.box(-1.0, 0.0, 1.2, 1.1) | second)
    assert enclosed_volume(plan_triangles(scene)) > 0.0


@pytest.mark.parametrize("open_risers", [False, True])
def test_spiral_stairs(open_risers):
    scene = samples.spiral_stairs(0.17, 0.3, 12, 1.0, open_risers=open_risers)
    tops = upward(scene)
    assert np.unique(tops[:, :, 2]) == pytest.approx(np.arange(13) * 0.17)
    assert len(components(tops)) == 13
    radii = np.linalg.norm(tops[:, :, :2], axis=2)
    assert (radii.min(), radii.max()) == pytest.approx((0.7, 1.7), abs=1e-4)
    length = 2.0 + 11 * 0.3
    # A chord of 10 degrees or less lies inside its arc by up to 0.4 % of the radius.
    assert area(tops) == pytest.approx(length * 1.0, rel=0.006)
    fill_the_plan(tops, shapely.union_all([shapely.Polygon(t[:, :2]) for t in tops]))


@pytest.mark.parametrize("open_risers", [False, True])
def test_storeys(open_risers):
    scene = samples.storeys(0.2, 0.25, 13, 1.2, open_risers=open_risers)
    tops = upward(scene)
    assert np.unique(tops[:, :, 2]) == pytest.approx(np.arange(14) * 0.2)
    upper = tops[np.all(tops[:, :, 2] > 2.5, axis=1)]
    run = 12 * 0.25
    assert area(upper) == pytest.approx((run + 4.2) * 4.2 - (run + 0.6) * 1.2)
    treads = tops[(tops[:, :, 2].min(axis=1) > 0.1) & (tops[:, :, 2].max(axis=1) < 2.5)]
    fill_the_plan(treads, shapely.box(0.0, 0.0, run, 1.2))
    # Where the stairs arrive, the last tread and the upper floor meet.
    assert treads[:, :, 0].max() == pytest.approx(run)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: samples.stairs(riser=0.0), "riser is 0.0"),
        (lambda: samples.stairs(steps=0), "steps is 0"),
        (lambda: samples.stairs(steps=2.5), "steps is 2.5"),
        (lambda: samples.stairs(riser=0.03, open_risers=True), "open risers must be above 0.04 m"),
        (lambda: samples.stairs(nosing=0.1), "only stairs with open risers"),
        (lambda: samples.stairs_with_landing(turn=45), "turn is 45"),
        (lambda: samples.spiral_stairs(steps=40), "must not by more than 300"),
        (lambda: samples.spiral_stairs(width=3.0), "width is 3.0"),
        (lambda: samples.storeys(steps=5), "at least 2.4 m"),
    ],
)
def test_impossible_stairs_are_refused(call, message):
    with pytest.raises(SettingsError, match=message):
        call()
