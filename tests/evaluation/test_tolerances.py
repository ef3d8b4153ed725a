"""The numbers of the evaluation: each is larger and smaller than what it must be."""

import math

from walkmesh.evaluation.kernels import crossings, walk
from walkmesh.evaluation.kernels import tolerances as t


def test_roundings_are_in_their_order():
    assert t.LINE_ROUNDING < t.ON_LINE < t.BEFORE_END < t.BISECTED < t.LEAST_ADVANCE < t.STRIDE
    assert t.ON_LINE < t.BEHIND_RIM < t.SLACK
    assert t.PLAN_SLACK < t.GRID_MARGIN < t.SMALLEST_CELL
    assert t.PLAN_SLACK < t.SLIT


def test_what_is_compared_with_the_agent_is_less_than_a_layer():
    assert t.STEP_ROUNDING < t.SLACK < t.LAYER < t.SAME_GROUND
    assert t.STEP_ROUNDING < t.LEVEL_RISE


def test_a_walk_sees_every_slit_and_looks_beyond_what_it_steps_over():
    assert t.STRIDE < t.SLIT < t.BRIDGE < t.ACROSS < t.BEYOND < t.WIDEST_STEP < t.WIDEST_GAP
    between_directions = 2 * math.pi / walk.DIRECTIONS
    assert 0.01 * between_directions > t.AIM_SLACK


def test_discs_are_moved_by_less_than_the_smallest_one():
    assert t.OFF_CENTRE < t.FINEST < t.COARSE < t.WIDE
    assert 0.0 < t.IN_DISC < 1.0
    assert 0.0 < t.NARROW < 1.0


def test_gaps_are_covered_without_traces():
    assert t.SMALLEST_GAP_CELL <= t.LARGEST_GAP_CELL < t.SLIT
    assert t.SAME_EDGE < t.LEVEL_CELLS < t.LAYER
    # Between two directions, a gap seems wider than it is by no more than this.
    assert 1.0 / math.cos(math.pi / crossings._RAYS) - 1.0 < t.WIDTH_SLACK


def test_neighbours_are_looked_for_beyond_what_is_one_vertex():
    assert t.SAME_VERTEX < t.PAST_EDGE < t.PLACES_APART
