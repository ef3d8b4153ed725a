"""Clipping to half planes, against fractions and GEOS."""

from fractions import Fraction

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from tests.makers.fans import ring
from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.half_planes import clip, clip_to_plane, width_of
from walkmesh.kernels.kernel import kernel

pytestmark = pytest.mark.plain_python

normals = st.tuples(*[st.integers(-3, 3)] * 3)


@kernel(kt.OUT_POINTS, kt.INT, kt.INT, kt.INT, kt.OUT_POINTS)
def clip_corners(polygon, count, columns, on_line, clipped):
    return clip(polygon, count, columns, on_line != 0, clipped)


@kernel(kt.OUT_POINTS, kt.POINTS, kt.INT, kt.OUT_POINTS)
def clip_to(polygon, planes, on_line, spare):
    count = len(polygon) - len(planes)
    for i in range(len(planes)):
        nu, nv, nh, offset = planes[i, 0], planes[i, 1], planes[i, 2], planes[i, 3]
        count = clip_to_plane(polygon, count, nu, nv, nh, offset, on_line != 0, spare)
    return count


@kernel(kt.POINTS)
def measure_width(polygon):
    return width_of(polygon, len(polygon))


def clipped_exactly(corners, normal, offset, on_line):
    """Return what `clip` should write, in fractions."""
    corners = [tuple(map(Fraction, corner)) for corner in corners]
    inside = [sum(n * x for n, x in zip(normal, p, strict=True)) + offset for p in corners]
    kept = []
    for i, here in enumerate(inside):
        there, p, q = inside[i - len(corners) + 1], corners[i], corners[i - len(corners) + 1]
        if here > 0 or (here == 0 and on_line):
            kept.append(p)
        if here * there < 0 or (not on_line and here * there == 0 and max(here, there) > 0):
            kept.append(
                tuple(a + here / (here - there) * (b - a) for a, b in zip(p, q, strict=True))
            )
    return kept


@given(
    st.lists(st.tuples(*[st.integers(-4, 4)] * 3), min_size=3, max_size=7),
    normals,
    st.integers(-6, 6),
    st.booleans(),
)
def test_a_plane_leaves_the_corners_that_fractions_say(corners, normal, offset, on_line):
    polygon = np.zeros((len(corners) + 8, 4))
    polygon[: len(corners), :3] = corners
    spare = np.empty_like(polygon)
    polygon[: len(corners), 3] = polygon[: len(corners), :3] @ normal + offset
    count = clip_corners(polygon, len(corners), 3, on_line, spare)
    expected = clipped_exactly(corners, normal, offset, on_line)
    assert spare[:count, :3] == pytest.approx(np.array(expected, dtype=float).reshape(-1, 3))


@given(
    st.integers(3, 12),
    st.lists(st.tuples(normals.filter(lambda n: any(n[:2])), st.floats(-2, 2)), max_size=4),
)
def test_half_planes_leave_of_a_polygon_what_geos_leaves(count, planes):
    outline = ring(count)
    rows = np.array([(n[0], n[1], 0.0, c) for n, c in planes]).reshape(-1, 4)
    polygon = np.zeros((count + len(rows), 4))
    polygon[:count, :2] = outline
    left = clip_to(polygon, rows, True, np.empty_like(polygon))
    part = shapely.Polygon(outline)
    for nu, nv, _, offset in rows:
        length = np.hypot(nu, nv)
        u, v = np.array([nu, nv]) / length
        at = -offset / length * np.array([u, v])
        along = 50.0 * np.array([-v, u])
        inwards = 50.0 * np.array([u, v])
        half = shapely.Polygon([at - along, at - along + inwards, at + along + inwards, at + along])
        part = part.intersection(half)
    area = shapely.Polygon(polygon[:left, :2]).area if left >= 3 else 0.0
    assert area == pytest.approx(part.area, abs=1e-9)


def test_what_only_touches_the_line_is_left_if_the_line_counts():
    square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    polygon = np.zeros((8, 4))
    for on_line, left in ((True, 2), (False, 0)):
        polygon[:4, :3] = square
        polygon[:4, 3] = -square[:, 0]
        assert clip_corners(polygon, 4, 3, on_line, np.empty_like(polygon)) == left
    polygon[:4, 3] = 0.0
    assert clip_corners(polygon, 4, 3, True, np.empty_like(polygon)) == 4
    assert clip_corners(polygon, 4, 3, False, np.empty_like(polygon)) == 0


def test_corners_without_room_are_left_away():
    polygon = np.array([[0.0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])
    assert clip_corners(polygon, 4, 2, True, np.empty((3, 3))) == 3


@given(st.floats(0.01, 10.0), st.floats(1.0, 100.0))
def test_the_width_of_a_polygon_is_its_area_over_half_its_outline(width, length):
    strip = np.array([[0.0, 0], [length, 0], [length, width], [0, width]])
    box = shapely.Polygon(strip)
    assert measure_width(strip) == pytest.approx(box.area / (box.length / 2.0))


def test_a_polygon_without_outline_has_no_width():
    assert measure_width(np.zeros((3, 2))) == 0.0
