"""The numbers of cutting: each is larger and smaller than what it must be."""

from walkmesh.edit import tolerances as t
from walkmesh.tolerances import NO_WIDTH, STRAIGHT


def test_triangles_end_where_their_polygon_does():
    assert 10.0 * NO_WIDTH <= t.TRIANGLE_ON_CUT <= 0.01 * t.ON_CUT


def test_what_is_left_out_would_have_no_width():
    assert NO_WIDTH < t.NARROWEST < t.TRIANGLE_ON_CUT


def test_what_is_flat_is_straight_and_no_less_exact_than_a_cut():
    assert t.PLANAR <= t.ON_CUT < STRAIGHT
