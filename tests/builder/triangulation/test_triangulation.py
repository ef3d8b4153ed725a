"""Triangulating regions on a grid, with integer areas and shapely as referees."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from tests.checks.plan_checks import doubled_areas, doubled_ring_area, edges_of, ring_edges
from walkmesh.builder.triangulation import refine, triangulate
from walkmesh.builder.triangulation.discs import MAX_CORNERS_OF_LEAST_AREA
from walkmesh.builder.triangulation.kernels.tolerances import CIRCLE_ROUNDING
from walkmesh.errors import BuildError

METHODS = ("delaunay", "ears", "min_area")


def packed(rings):
    """Return rings of places as points, offsets and corners, each corner a vertex of its own."""
    offsets = np.cumsum([0] + [len(ring) for ring in rings])
    points = np.concatenate([np.asarray(ring) for ring in rings]).astype(np.int32)
    return points, offsets.astype(np.int32), np.arange(len(points), dtype=np.int32)


def shared(rings):
    """Return the same with one vertex for all corners at a place."""
    points, offsets, _ = packed(rings)
    places, corners = np.unique(points, axis=0, return_inverse=True)
    return places.astype(np.int32), offsets, corners.reshape(-1).astype(np.int32)


def boundary_of(triangles):
    edges = set(edges_of(triangles))
    return {edge for edge in edges if edge[::-1] not in edges}


def check(rings, points, offsets, corners, method="delaunay", heights=None):
    """Hold a triangulation against its rings, and return it."""
    if method == "min_area" and heights is None:
        heights = np.zeros(len(points))
    triangles = triangulate(points, offsets, corners, method, heights)
    areas = doubled_areas(points, triangles)
    assert np.all(areas > 0)
    assert sum(areas.tolist()) == doubled_ring_area(rings)
    edges = edges_of(triangles)
    assert len(set(edges)) == len(edges)
    once = boundary_of(triangles)
    assert set(map(tuple, points[list(once)].reshape(-1, 4).tolist())) == {
        (*points[a].tolist(), *points[b].tolist()) for a, b in ring_edges(offsets, corners)
    }
    assert len(once) == len(corners)
    assert set(triangles.ravel().tolist()) == set(corners.tolist())
    return triangles


def check_delaunay(points, triangles):
    """No vertex across an inner edge lies inside the circle, but for rounding."""
    across = {}
    for t in triangles.tolist():
        for k in range(3):
            across[t[k], t[(k + 1) % 3]] = t[(k + 2) % 3]
    places = points.tolist()
    for (p, q), r in across.items():
        if (q, p) not in across:
            continue
        dx, dy = places[across[q, p]]
        rows = [(places[i][0] - dx, places[i][1] - dy) for i in (p, q, r)]
        (a, b), (c, d), (e, f) = rows
        one, two, three = a * a + b * b, c * c + d * d, e * e + f * f
        inside = a * (d * three - two * f) - b * (c * three - two * e) + one * (c * f - d * e)
        scale = math.sqrt(one * two * three) * max(one, two, three) ** 0.5
        assert inside <= 1e-9 * scale


def check_cover(rings, points, triangles):
    """Triangles lie apart, and cover the polygon that GEOS makes of the rings."""
    polygon = shapely.Polygon(rings[0], rings[1:])
    pieces = shapely.polygons(points[triangles].astype(float))
    assert shapely.union_all(pieces).area == pytest.approx(polygon.area)
    assert shapely.area(shapely.difference(pieces, polygon)).sum() <= 1e-9 * polygon.area
    twin = shapely.constrained_delaunay_triangles(polygon)
    assert shapely.area(twin) == pytest.approx(shapely.area(pieces).sum())
    assert len(shapely.get_parts(twin)) == len(triangles)


def contours(cells):
    """Return the rings around the cells of a boolean grid, which part where corners touch."""
    grid = np.pad(cells, 1)
    edges = set()
    for y, x in np.argwhere(grid).tolist():
        for (dx, dy), a, b in (
            ((0, -1), (x, y), (x + 1, y)),
            ((1, 0), (x + 1, y), (x + 1, y + 1)),
            ((0, 1), (x + 1, y + 1), (x, y + 1)),
            ((-1, 0), (x, y + 1), (x, y)),
        ):
            if not grid[y + dy, x + dx]:
                edges.add((a, b))
    rings, left = [], edges.copy()
    while left:
        first = edge = min(left)
        ring = []
        while edge != first or not ring:
            left.remove(edge)
            (ax, ay), (bx, by) = edge
            ring.append((ax, ay))
            dx, dy = bx - ax, by - ay
            # Where two cells touch in a corner, turning left stays with the same cell.
            ends = [(bx - dy, by + dx), (bx + dx, by + dy), (bx + dy, by - dx)]
            edge = next(((bx, by), end) for end in ends if ((bx, by), end) in edges)
        rings.append(ring)
    return rings


@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.booleans(), st.sampled_from(METHODS))
def test_rectilinear_regions_that_touch_in_corners(seed, size, distinct, method):
    generator = np.random.default_rng(seed)
    cells = generator.random((size, size)) < generator.uniform(0.3, 0.9)
    if not cells.any():
        return
    rings = [[(7 * x, 5 * y) for x, y in ring] for ring in contours(cells)]
    data = packed(rings) if distinct else shared(rings)
    triangles = check(rings, *data, method, generator.normal(size=len(data[0])))
    assert sum(doubled_areas(data[0], triangles).tolist()) == 70 * cells.sum()
    if distinct:
        assert {tuple(e) for e in ring_edges(*data[1:])} <= set(edges_of(triangles))
    if method == "delaunay":
        check_delaunay(data[0], triangles)


def random_star(generator, corners, holes, radius=1 << 28, hole_corners=8):
    angles = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    radii = radius * generator.uniform(0.75, 1, corners)
    rings = [np.column_stack([radii * np.cos(angles), radii * np.sin(angles)]).astype(int)]
    side = math.ceil(math.sqrt(holes))
    step = radius / max(side, 1)
    for i in range(holes):
        turns = -np.linspace(0, 2 * np.pi, hole_corners, endpoint=False)
        radii = step * generator.uniform(0.1, 0.45, hole_corners)
        middle = (np.array([i % side, i // side]) + 0.5) * step - radius / 2
        ring = np.column_stack([radii * np.cos(turns), radii * np.sin(turns)])
        rings.append((middle + ring).astype(int))
    return [ring.tolist() for ring in rings]


@given(st.integers(0, 2**32 - 1), st.integers(5, 40), st.integers(0, 5), st.sampled_from(METHODS))
def test_stars_with_holes(seed, corners, holes, method):
    generator = np.random.default_rng(seed)
    rings = random_star(generator, corners, holes, 3000)
    if not shapely.Polygon(rings[0], rings[1:]).is_valid:
        return
    order = generator.permutation(len(rings))
    points, offsets, ids = packed([rings[i] for i in order])
    triangles = check(rings, points, offsets, ids, method, generator.normal(size=len(ids)) * 100)
    check_cover(rings, points, triangles)
    if method == "delaunay":
        check_delaunay(points, triangles)


def test_twenty_thousand_corners_with_500_holes():
    rings = random_star(np.random.default_rng(3), 16_000, 500)
    data = packed(rings)
    triangles = check(rings, *data)
    assert len(triangles) == 20_000 + 2 * 500 - 2
    check_delaunay(data[0], triangles)


def spiral(turns, width):
    """Return a long corridor that winds inwards."""
    outer, inner = [], []
    for k in range(4 * turns):
        reach = (turns * 4 - k) * width
        dx, dy = [(-1, -1), (1, -1), (1, 1), (-1, 1)][k % 4]
        outer.append((dx * reach, dy * reach))
        inner.append((dx * (reach - width), dy * (reach - width)))
    return outer + inner[::-1]


@pytest.mark.parametrize("method", METHODS)
def test_spirals(method):
    ring = spiral(20, 10)
    points = packed([ring])
    triangles = check([ring], *points, method)
    check_cover([ring], points[0], triangles)


@pytest.mark.parametrize("method", METHODS)
def test_corners_along_straight_sides(method):
    side = list(range(0, 40, 4))
    ring = [(x, 0) for x in side] + [(40, y) for y in side]
    ring += [(40 - x, 40) for x in side] + [(0, 40 - y) for y in side]
    hole = [(10, y) for y in range(10, 30, 5)] + [(x, 30) for x in range(10, 30, 5)]
    hole += [(30, 40 - y) for y in range(10, 30, 5)] + [(40 - x, 10) for x in range(10, 30, 5)]
    check([ring, hole], *packed([ring, hole]), method)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("pack", [packed, shared])
def test_a_hole_that_touches_the_outline(method, pack):
    rings = [[(0, 0), (5, 0), (10, 0), (10, 10), (0, 10)], [(5, 0), (3, 4), (7, 4)]]
    triangles = triangulate(*(data := pack(rings)), method, np.zeros(len(data[0])))
    areas = doubled_areas(data[0], triangles)
    assert np.all(areas > 0)
    assert areas.sum() == doubled_ring_area(rings)
    assert set(triangles.ravel().tolist()) == set(data[2].tolist())


def test_a_wall_within_a_region_is_kept():
    points = [(0, 0), (8, 0), (8, 8), (0, 8), (4, 3)]
    triangles = triangulate(points, [0, 6], [0, 4, 0, 1, 2, 3])
    assert {(0, 4), (4, 0)} <= set(edges_of(triangles))
    assert doubled_areas(np.array(points), triangles).sum() == 128


def test_the_largest_extent():
    far = (1 << 30) - 1
    ring = [(0, 0), (far, 0), (far, far), (1, far - 1), (0, far)]
    check([ring], *packed([ring]))
    with pytest.raises(BuildError, match="extent"):
        triangulate([(0, 0), (far + 1, 0), (0, 5)], [0, 3], [0, 1, 2])


def test_nothing_gives_nothing():
    assert triangulate(np.empty((0, 2), np.int32), [0], []).shape == (0, 3)


@pytest.mark.parametrize(
    ("rings", "what"),
    [
        ([[(0, 0), (4, 0), (4, 4), (0, 4)], [(2, 2), (6, 2), (6, 6), (2, 6)]], "cross"),
        ([[(0, 0), (4, 4), (4, 0), (0, 4)]], "cross"),
        ([[(0, 0), (8, 0), (8, 8), (0, 8)], [(4, 0), (2, 4), (6, 4)]], "middle of a ring edge"),
        ([[(0, 0), (0, 4), (4, 4), (4, 0)]], "left of every ring edge"),
        ([[(0, 0), (9, 0), (9, 9), (0, 9)], [(2, 2), (4, 2), (4, 4), (2, 4)]], "left of every"),
        ([[(0, 0), (4, 0), (0, 4)], [(0, 0), (4, 0), (0, 4)]], "same direction"),
        ([[(0, 0), (4, 0), (4, 0), (0, 4)]], "no length"),
        ([[(3, 3)]], "no length"),
        ([[(0, 0), (4, 0), (9, 0)]], "middle"),
    ],
)
def test_rings_that_bound_nothing(rings, what):
    for method in METHODS:
        with pytest.raises(BuildError, match=what):
            triangulate(*packed(rings), method, np.zeros(sum(map(len, rings))))


@given(st.integers(0, 2**32 - 1), st.integers(1, 30))
def test_any_rings_end_in_triangles_or_an_error(seed, size):
    generator = np.random.default_rng(seed)
    points = generator.integers(0, generator.integers(2, 50), (size, 2)).astype(np.int32)
    corners = generator.integers(0, size, 2 * size).astype(np.int32)
    offsets = np.unique(np.concatenate([[0, 2 * size], generator.integers(0, 2 * size, 3)]))
    for method in METHODS:
        try:
            triangles = triangulate(points, offsets, corners, method, np.zeros(size))
        except BuildError:
            continue
        assert np.all(doubled_areas(points, triangles) > 0)


def test_wrong_arguments():
    points, ring = [(0, 0), (4, 0), (0, 4)], [0, 1, 2]
    for arguments, what in (
        ((np.zeros((3, 2)), [0, 3], ring), "integers"),
        ((points, [0, 2], ring), "ascend"),
        ((points, [1, 3], ring), "first offset"),
        ((points, [0, 3], [0, 1, 3]), "vertex ids"),
        ((points, [0, 3], ring, "fan"), "method"),
        ((points, [0, 3], ring, "min_area"), "heights"),
        ((points, [0, 3], ring, "min_area", [1.0]), "shape"),
    ):
        with pytest.raises(BuildError, match=what):
            triangulate(*arguments)


def surface(points, heights, triangles):
    places = np.column_stack([points, heights])[triangles]
    normals = np.cross(places[:, 1] - places[:, 0], places[:, 2] - places[:, 0])
    return 0.5 * np.linalg.norm(normals, axis=1).sum()


def all_triangulations(corners):
    """Yield every way to cut a polygon's corners into triangles."""
    if len(corners) < 3:
        yield []
        return
    first, last = corners[0], corners[-1]
    for k in range(1, len(corners) - 1):
        for one in all_triangulations(corners[: k + 1]):
            for two in all_triangulations(corners[k:]):
                yield [(first, corners[k], last), *one, *two]


@given(st.integers(0, 2**32 - 1), st.integers(4, 9))
def test_least_surface_against_all_triangulations(seed, size):
    generator = np.random.default_rng(seed)
    ring = random_star(generator, size, 0, 60)[0]
    if not shapely.Polygon(ring).is_valid:
        return
    points, offsets, corners = packed([ring])
    heights = generator.normal(size=size) * 40
    triangles = check([ring], points, offsets, corners, "min_area", heights)
    # Of all ways, those whose triangles all turn left cover the polygon once.
    least = min(
        surface(points, heights, np.array(way))
        for way in all_triangulations(list(range(size)))
        if np.all(doubled_areas(points, np.array(way)) > 0)
    )
    assert surface(points, heights, triangles) == pytest.approx(least)


def test_a_large_polygon_keeps_its_delaunay_triangles():
    small = [(0, 0), (900, 0), (900, 900), (0, 900)]
    generator = np.random.default_rng(5)
    large = random_star(generator, MAX_CORNERS_OF_LEAST_AREA + 1, 0, 10**6)[0]
    large = [(x + 10**7, y) for x, y in large]
    points, offsets, corners = packed([small, large])
    heights = np.zeros(len(points))
    heights[[1, 3]] = 500
    plain = check([small, large], points, offsets, corners)
    least = check([small, large], points, offsets, corners, "min_area", heights)
    rows = {tuple(sorted(t)) for t in least.tolist()}
    assert {tuple(sorted(t)) for t in plain.tolist() if min(t) >= 4} <= rows
    assert surface(points, heights, least) <= surface(points, heights, plain)


def test_several_threads_at_once():
    data = packed(random_star(np.random.default_rng(8), 2000, 50))
    expected = triangulate(*data)
    with ThreadPoolExecutor(4) as pool:
        for triangles in pool.map(lambda _: triangulate(*data), range(8)):
            assert np.array_equal(triangles, expected)


def hills(x, y):
    return 40 * np.sin(x / 170) * np.cos(y / 130) + 10 * np.sin(x / 41 + y / 57)


def heights_at(points, heights, triangles, samples):
    """Return the triangles' heights at samples; NaN outside, and on boundary edges."""
    result = np.full(len(samples), np.nan)
    region = shapely.union_all(shapely.polygons(points[triangles].astype(float)))
    inner = shapely.contains_properly(region, shapely.points(samples))
    for t, full in zip(triangles, doubled_areas(points, triangles), strict=True):
        a, b, c = points[t].astype(np.int64)
        one = ((samples - b) @ [-(c - b)[1], (c - b)[0]]) / full
        two = ((samples - c) @ [-(a - c)[1], (a - c)[0]]) / full
        inside = inner & (one >= 0) & (two >= 0) & (one + two <= 1)
        weights = np.column_stack([one, two, 1 - one - two])[inside]
        result[inside] = weights @ heights[t]
    return result


def region_with_a_hole():
    rings = [[(0, 0), (500, 0), (1000, 0), (1000, 1000), (0, 1000)]]
    rings.append([(400, 400), (400, 650), (600, 600), (600, 400)])
    points, offsets, corners = packed(rings)
    return points, triangulate(points, offsets, corners)


@pytest.mark.parametrize("tolerance", [8.0, 1.0])
@pytest.mark.parametrize("step", [25, 20])
def test_hills_come_within_tolerance(tolerance, step):
    points, triangles = region_with_a_hole()
    x, y = np.meshgrid(np.arange(-50, 1051, step), np.arange(-50, 1051, step))
    samples = np.column_stack([x.ravel(), y.ravel()]).astype(np.int32)
    ground = hills(samples[:, 0], samples[:, 1])
    heights = hills(points[:, 0], points[:, 1])
    order = np.random.default_rng(1).permutation(len(samples))
    finer = refine(points, heights, triangles, samples, ground, tolerance)
    areas = doubled_areas(finer[0], finer[2])
    assert np.all(areas > 0)
    assert areas.sum() == doubled_areas(points, triangles).sum()
    assert boundary_of(finer[2]) == boundary_of(triangles)
    assert np.array_equal(finer[0][: len(points)], points)
    assert len(points) + 5 < len(finer[0]) < len(samples)
    assert len(finer[2]) == len(triangles) + 2 * (len(finer[0]) - len(points))
    check_delaunay(finer[0], finer[2])
    distances = np.abs(heights_at(*finer, samples) - ground)
    assert np.nanmax(distances) <= tolerance + 1e-9
    assert np.count_nonzero(~np.isnan(distances)) > 1000
    shuffled = refine(points, heights, triangles, samples[order], ground[order], tolerance)
    assert all(np.array_equal(one, two) for one, two in zip(finer, shuffled, strict=True))


def test_a_plane_needs_no_more_vertices():
    points, triangles = region_with_a_hole()
    x, y = np.meshgrid(np.arange(0, 1001, 10), np.arange(0, 1001, 10))
    samples = np.column_stack([x.ravel(), y.ravel()]).astype(np.int32)
    plane = np.array([0.3, -0.2])
    result = refine(points, points @ plane, triangles, samples, samples @ plane, 1e-6)
    assert len(result[0]) == len(points)
    assert np.array_equal(result[2], triangles)


def test_stairs():
    points = np.array([(0, 0), (1000, 0), (1000, 200), (0, 200)])
    triangles = triangulate(points, [0, 4], [0, 1, 2, 3])
    x, y = np.meshgrid(np.arange(0, 1001, 5), np.arange(0, 201, 5))
    samples = np.column_stack([x.ravel(), y.ravel()]).astype(np.int32)
    ground = 20.0 * (samples[:, 0] // 100)
    finer = refine(points, np.array([0.0, 200, 200, 0]), triangles, samples, ground, 3.0)
    assert np.nanmax(np.abs(heights_at(*finer, samples) - ground)) <= 3.0 + 1e-9
    assert boundary_of(finer[2]) == boundary_of(triangles)


def test_samples_on_boundary_edges_and_at_vertices_do_not_count():
    points = np.array([(0, 0), (10, 0), (10, 10), (0, 10)])
    triangles = triangulate(points, [0, 4], [0, 1, 2, 3])
    samples = np.array([(0, 0), (5, 0), (10, 10), (10, 3), (20, 5), (-3, 5)])
    result = refine(points, np.zeros(4), triangles, samples, np.full(6, 9.0), 0.5)
    assert len(result[0]) == 4
    split = refine(points, np.zeros(4), triangles, [(5, 5)], [9.0], 0.5)
    assert len(split[2]) == 4
    assert refine(points, np.zeros(4), triangles, np.empty((0, 2)), [], 1.0)[2].shape == (2, 3)
    with pytest.raises(BuildError, match="tolerance"):
        refine(points, np.zeros(4), triangles, samples, np.zeros(6), -1.0)


def test_circles_are_told_apart_by_more_than_rounding():
    assert CIRCLE_ROUNDING > 2.0 * 4.0 * 2.0**-53
