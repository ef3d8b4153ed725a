"""The tolerances that rooms share: each is larger and smaller than what it must be."""

import pytest

import walkmesh as wm
from walkmesh import tolerances as t

HALF_A_MILLION = 5e5
"""How far from the origin scenes may be, in metres."""


def test_lengths_are_in_their_order():
    rounding = HALF_A_MILLION * 2.0**-52
    # What has no width is far narrower than what touches, that than what counts as straight.
    assert t.NO_WIDTH < t.TOUCHING < t.STRAIGHT < t.HEADROOM_SLACK
    # What touches is more than coordinates are rounded by anywhere, and less than edges are moved.
    assert rounding < t.TOUCHING < t.SAME_PLACE
    # A chain of corners that are straight each is still as flat as a polygon of a surface must be.
    assert t.STRAIGHT < t.FLAT <= t.FOLDED
    # Where a link ends is known less well than where polygons are flat.
    assert t.FLAT < t.LINK_SLACK
    # Layers that are the same are closer than any step, and farther apart than a fold.
    assert t.FOLDED < t.SAME_LAYER < t.RISE_SLACK


def test_surfaces_fold_less_than_they_face_away():
    # Of two polygons that fold as much as a step does, one is not a wall to the other.
    assert 0.0 < t.SAME_WAY < t.STEP_FOLD < 1.0


@pytest.mark.parametrize("height", [1e-4, 0.05, 1.8, 100.0])
def test_headroom_is_less_than_the_height_but_not_by_much(height):
    agent = wm.Agent(height=height, radius=0.0, max_step=0.0)
    assert height / 2.0 <= t.headroom(agent) < height


@pytest.mark.parametrize("slope", [0.0, 45.0, 80.0])
def test_the_steepest_ramp_is_steeper_than_what_is_walked(slope):
    from math import radians, tan

    agent = wm.Agent(max_slope=slope)
    assert t.steepest_ramp(agent) >= tan(radians(max(slope, 45.0)))
    assert t.steepest_ramp(agent) >= agent.max_step / t.SHORTEST_TREAD
