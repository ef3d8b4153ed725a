"""Triangulating convex polygons of any number of corners."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.makers.fans import ring, square_rim
from walkmesh.kernels.meshes.triangulate import triangulate_convex


def triangulated(places):
    """Return the (t, 3, 2) triangles of a polygon of (c, 2) corners."""
    points = np.column_stack([places, np.zeros(len(places))])
    corners = np.arange(len(places), dtype=np.int32)
    triangles = np.empty((len(places) - 2, 3), dtype=np.int32)
    triangulate_convex(points, np.array([0, len(places)], dtype=np.int32), corners, triangles)
    return places[triangles]


@given(
    st.integers(3, 150), st.sampled_from([ring, square_rim]), st.floats(0.0, 2.0 * math.pi)
)  # fmt: skip
def test_triangles_have_an_area_and_fill_the_polygon(count, outline, turn):
    places = outline(count, turn=turn)
    (a, b), (c, d) = (np.diff(triangulated(places), axis=1)[:, k].T for k in range(2))
    areas = (a * d - b * c) / 2.0
    assert areas.min() > 0.0
    along = np.roll(places, -1, axis=0)
    whole = (places[:, 0] * along[:, 1] - places[:, 1] * along[:, 0]).sum() / 2.0
    assert areas.sum() == pytest.approx(whole)
