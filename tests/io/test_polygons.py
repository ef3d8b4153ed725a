"""Cutting faces into triangles, with shapely as the referee."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from walkmesh.errors import SceneError
from walkmesh.io.polygons import MAX_CORNERS, Polygons

pytestmark = pytest.mark.plain_python


def check(ring, rotation, offset):
    """Hold the triangles of a ring in the plane against shapely's polygon."""
    flat = np.column_stack([ring, np.zeros(len(ring))])
    vertices = flat @ rotation.T + offset
    corners = np.arange(len(ring), dtype=np.int32)
    polygons = Polygons(vertices, np.array([0, len(ring)], dtype=np.int32), corners)
    triangles = polygons.triangles()
    assert triangles.shape == (len(ring) - 2, 3)
    expected = shapely.Polygon(ring)
    pieces = shapely.polygons(np.asarray(ring)[triangles])
    tolerance = 1e-9 * max(1.0, expected.area)
    assert abs(shapely.area(pieces).sum() - expected.area) < tolerance
    assert shapely.area(shapely.difference(pieces, expected)).sum() < tolerance
    used = shapely.area(pieces) > 1e-12
    # Every corner is the corner of a triangle with area, so that no neighbour is torn off.
    assert set(triangles[used].ravel()) == set(range(len(ring)))
    a, b, c = (ring[triangles[:, k]] for k in range(3))
    turns = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
    orientation = 1 if shapely.is_ccw(shapely.LinearRing(ring)) else -1
    assert np.all(turns[used] * orientation > 0)


def random_rotation(generator):
    matrix, _ = np.linalg.qr(generator.normal(size=(3, 3)))
    return matrix


@given(st.integers(0, 2**32 - 1), st.integers(4, 24), st.booleans(), st.booleans())
@settings(max_examples=150, deadline=None)
def test_star_shaped_polygons_in_any_orientation(seed, size, reverse, oblique):
    generator = np.random.default_rng(seed)
    angles = np.sort(generator.choice(1000, size, replace=False)) * (2 * math.pi / 1000)
    radii = generator.uniform(0.2, 1, size)
    ring = np.column_stack([radii * np.cos(angles), radii * np.sin(angles)])
    if not shapely.Polygon(ring).is_valid:
        return
    rotation = random_rotation(generator) if oblique else np.eye(3)[generator.permutation(3)]
    check(ring[::-1] if reverse else ring, rotation, generator.normal(size=3) * 10)


@given(st.integers(0, 2**32 - 1), st.integers(1, 14))
@settings(max_examples=150, deadline=None)
def test_rooms_on_a_grid_with_corners_along_their_walls(seed, cells):
    generator = np.random.default_rng(seed)
    room, x, y = shapely.box(0, 0, 1, 1), 0, 0
    for _ in range(cells):
        dx, dy = [(1, 0), (-1, 0), (0, 1), (0, -1)][generator.integers(4)]
        x, y = x + dx, y + dy
        room = room.union(shapely.box(x, y, x + 1, y + 1))
    outline = shapely.Polygon(room.exterior)
    if shapely.Polygon(outline.exterior).buffer(-0.1).geom_type != "Polygon":
        return
    ring = np.array(shapely.segmentize(outline, 0.5 if seed % 2 else 1.0).exterior.coords)[:-1]
    check(np.roll(ring, generator.integers(len(ring)), axis=0), np.eye(3), np.zeros(3))


def test_a_hole_joined_to_the_outline():
    ring = np.array(
        [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (1, 1), (1, 3), (3, 3), (3, 1), (1, 1)], float
    )
    polygons = Polygons(
        np.column_stack([ring, np.zeros(10)]),
        np.array([0, 10], dtype=np.int32),
        np.arange(10, dtype=np.int32),
    )
    pieces = shapely.polygons(ring[polygons.triangles()])
    hole = shapely.box(1, 1, 3, 3)
    assert shapely.area(pieces).sum() == 12
    assert shapely.area(shapely.intersection(pieces, hole)).sum() == 0


@given(st.integers(0, 2**32 - 1), st.integers(4, 40))
@settings(max_examples=60, deadline=None)
def test_faces_that_cross_themselves_or_have_no_area_come_to_an_end(seed, size):
    generator = np.random.default_rng(seed)
    vertices = generator.integers(0, 4, (size, 3)).astype(float)
    vertices[generator.random(size) < 0.1] = generator.choice([np.nan, np.inf, 1e308])
    corners = generator.integers(0, size, size).astype(np.int32)
    with np.errstate(over="ignore", invalid="ignore"):
        triangles = Polygons(vertices, np.array([0, size], np.int32), corners).triangles()
    assert len(triangles) == size - 2
    assert set(triangles.ravel()) <= set(corners)


def test_too_many_corners_are_refused():
    size = MAX_CORNERS + 1
    polygons = Polygons(
        np.zeros((size, 3)), np.array([0, size], np.int32), np.arange(size, dtype=np.int32)
    )
    with pytest.raises(SceneError, match="face 0 has 4097 corners; at most 4096 are read"):
        polygons.triangles()


def test_convex_faces_are_fans():
    angles = np.arange(7)
    vertices = np.column_stack([np.cos(angles * 0.9), np.sin(angles * 0.9), np.zeros(7)])
    polygons = Polygons(vertices, np.array([0, 7], np.int32), np.arange(7, dtype=np.int32))
    assert polygons.triangles().tolist() == [[0, k, k + 1] for k in range(1, 6)]
