"""Turns of three places, and where segments cross or meet: against fractions and GEOS."""

from fractions import Fraction

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.segments import cross, cross_of, meet_of
from walkmesh.kernels.geometry.turns import along, lies_between, turn, turn_of
from walkmesh.kernels.kernel import kernel

pytestmark = pytest.mark.plain_python

# Few places, so that three are often in one line, and many, near the limit of what is exact.
small = st.integers(0, 4)
large = st.integers(-(2**28), 2**28)
places = st.sampled_from([small, large]).flatmap(
    lambda numbers: st.lists(st.tuples(numbers, numbers), min_size=4, max_size=4)
)


@kernel(kt.LONGS_2D)
def turn_on_grid(points):
    return turn(points, 0, 1, 2)


@kernel(kt.LONGS_2D)
def along_on_grid(points):
    return along(points, 0, 1, 2)


@kernel(kt.LONGS_2D)
def is_between(points):
    return lies_between(points, 0, 1, 2)


@kernel(kt.POINTS)
def turn_in_metres(points):
    return turn_of(
        points[0, 0], points[0, 1], points[1, 0], points[1, 1], points[2, 0], points[2, 1]
    )


@kernel(kt.LONGS_2D, kt.INT)
def do_cross(points, of):
    if of:
        return cross_of(
            points[0, 0], points[0, 1], points[1, 0], points[1, 1],
            points[2, 0], points[2, 1], points[3, 0], points[3, 1],
        )  # fmt: skip
    return cross(points, 0, 1, 2, 3)


@kernel(kt.LONGS_2D)
def do_meet(points):
    return meet_of(
        points[0, 0], points[0, 1], points[1, 0], points[1, 1],
        points[2, 0], points[2, 1], points[3, 0], points[3, 1],
    )  # fmt: skip


def exact_turn(a, b, c):
    (au, av), (bu, bv), (cu, cv) = (tuple(map(Fraction, place)) for place in (a, b, c))
    return au * bv - av * bu + bu * cv - bv * cu + cu * av - cv * au


@given(places)
def test_turns_on_a_grid_are_exact(corners):
    assert turn_on_grid(np.array(corners)) == exact_turn(*corners[:3])


@given(st.lists(st.tuples(*[st.floats(-1e3, 1e3)] * 2), min_size=3, max_size=3))
def test_turns_in_metres_are_right_but_for_rounding(corners):
    result = turn_in_metres(np.array(corners))
    assert result == pytest.approx(float(exact_turn(*corners)), rel=1e-9, abs=1e-9)


@given(places)
def test_what_lies_between_is_nearer_to_both_ends_than_they_are_to_each_other(corners):
    a, b, c = (np.array(place, dtype=object) for place in corners[:3])
    points = np.array(corners)
    assert along_on_grid(points) == ((b - a) * (c - a)).sum()
    if exact_turn(*corners[:3]) == 0:
        length = ((b - a) ** 2).sum()
        nearer = max(((c - a) ** 2).sum(), ((c - b) ** 2).sum()) < length
        assert is_between(points) == (nearer and (c != a).any() and (c != b).any())


@given(places, st.booleans())
def test_segments_cross_where_each_parts_the_ends_of_the_other(corners, of):
    a, b, c, d = corners
    apart = exact_turn(a, b, c) * exact_turn(a, b, d) < 0
    assert do_cross(np.array(corners), of) == (
        apart and exact_turn(c, d, a) * exact_turn(c, d, b) < 0
    )


@given(places.filter(lambda corners: corners[0] != corners[1] and corners[2] != corners[3]))
def test_segments_meet_but_for_a_common_end_as_geos_says(corners):
    one, two = shapely.LineString(corners[:2]), shapely.LineString(corners[2:])
    common = shapely.intersection(one, two)
    at_end = common.geom_type == "Point" and set(corners[:2]) & set(corners[2:])
    # GEOS's predicates are exact; its places are not, but those on a common end are.
    expected = shapely.intersects(one, two) and not at_end
    assert do_meet(np.array(corners)) == expected
