"""The numbers that links are found by: each is larger and smaller than what it must be."""

from walkmesh.links.kernels import tolerances as t


def test_roundings_are_in_their_order():
    assert t.INSIDE_BOUNDARY < t.REACH_SLACK < t.OFF_GROUND < t.SHORTEST
    assert t.EQUAL < t.REACH_SLACK
    assert t.EQUAL < t.SAME_COST


def test_the_slack_of_a_body_leaves_most_of_the_thinnest():
    assert t.BODY_SLACK < 0.1 * t.THINNEST
    assert t.BODY_SLACK < t.PROBE


def test_places_are_farther_apart_than_candidates():
    assert t.SHORTEST < t.APART < t.SAMPLE_STEP
    assert t.APART < t.DROP_SPACING
    assert t.OFF_GROUND < t.PAST_LEDGE < t.BEYOND_LEDGE
