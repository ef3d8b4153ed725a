"""Paths that keep any distance from the boundary, against known answers and GEOS."""

import heapq
import math

import numpy as np
import pytest
import shapely
import shapely.affinity
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point, Polygon, box

import walkmesh as wm
from walkmesh.query.clearance.paths import clear_path
from walkmesh.query.clearance.triangulation import ClearanceMesh

pytestmark = pytest.mark.plain_python

POINT = wm.Agent(radius=0.0)
# How much closer than it should a path may come.
TOLERANCE = 1e-6
MILLIMETRE = 1e-3


def navmesh_of(region, rng=None, inside=0):
    """Return a flat navmesh (z up) of a plan region, with vertices inside at random places."""
    rings = [
        shapely.get_coordinates(shapely.orient_polygons(t))[:3]
        for t in shapely.constrained_delaunay_triangles(region).geoms
    ]
    plan, ids = np.unique(np.concatenate(rings), axis=0, return_inverse=True)
    points, triangles = list(plan), [tuple(t) for t in ids.reshape(-1, 3)]
    for _ in range(inside):
        a, b, c = triangles.pop(rng.integers(len(triangles)))
        middle = len(points)
        points.append(rng.dirichlet((1, 1, 1)) @ [points[a], points[b], points[c]])
        triangles += [(a, b, middle), (b, c, middle), (c, a, middle)]
    vertices = np.column_stack([points, np.zeros(len(points))])
    offsets = 3 * np.arange(len(triangles) + 1)
    return wm.NavMesh(vertices, offsets, np.ravel(triangles), agent=POINT, up="z")


class Floor:
    """A plan region, its navmesh, and paths on it."""

    def __init__(self, region, seed=0, inside=0):
        self.region = region
        self.navmesh = navmesh_of(region, np.random.default_rng(seed), inside)
        self.mesh = ClearanceMesh.of(self.navmesh)

    def path(self, start, goal, radius, max_snap=0.0):
        """Return the path between two places, after looking at how clear it is."""
        ends = np.array([start, goal], dtype=np.float64)
        located = self.navmesh.nearest(np.column_stack([ends, np.zeros(2)]))
        polygons = tuple(int(p) for p in located.polygons)
        path, self.is_known = clear_path(self.mesh, ends, polygons, radius, max_snap)
        if path is not None:
            line = shapely.LineString(path)
            assert self.region.covers(line)
            assert self.region.boundary.distance(line) >= radius - TOLERANCE
            if len(path) > 1 and max_snap == 0.0:
                assert path[0] == pytest.approx(start, abs=1e-12)
                assert path[-1] == pytest.approx(goal, abs=1e-12)
        return path


def length_of(path):
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def random_region(rng, obstacles, *, straight=False):
    """Return a room of 10 m by 10 m with obstacles: polygons and thin walls, or boxes only."""
    blocks = []
    for _ in range(obstacles):
        u, v = rng.uniform(0, 10, 2)
        if straight:
            u, v, a, b = np.round([u, v, *rng.choice([0.1, 0.2, 1.0, 3.0], 2)], 1)
            blocks.append(box(u, v, u + a, v + b))
        elif rng.random() < 0.4:
            angle, half = rng.uniform(0, math.pi), rng.uniform(0.3, 2.0)
            du, dv = half * math.cos(angle), half * math.sin(angle)
            wall = shapely.LineString([(u - du, v - dv), (u + du, v + dv)])
            blocks.append(wall.buffer(rng.uniform(0.02, 0.1), cap_style="flat"))
        else:
            angles = np.sort(rng.uniform(0, 2 * math.pi, rng.integers(3, 9)))
            radii = rng.uniform(0.2, 1.5) * rng.uniform(0.3, 1.0, len(angles))
            plan = np.column_stack([u + radii * np.cos(angles), v + radii * np.sin(angles)])
            blocks.append(Polygon(plan).buffer(0))
    region = shapely.set_precision(box(0, 0, 10, 10).difference(shapely.union_all(blocks)), 1e-6)
    return max(getattr(region, "geoms", [region]), key=lambda part: part.area)


def random_place(region, rng, radius):
    """Return a place in a region that is more than a radius away from its boundary, or None."""
    low, high = np.reshape(region.bounds, (2, 2))
    for _ in range(2000):
        place = rng.uniform(low, high)
        if region.contains(Point(place)) and region.boundary.distance(Point(place)) > radius + 1e-5:
            return place
    return None


def turned(region, angle):
    return shapely.affinity.rotate(region, angle, origin=(0, 0))


def turned_place(place, angle):
    return np.array(shapely.affinity.rotate(Point(place), angle, origin=(0, 0)).coords[0])


# Rooms with one gap of a width, and a place on either side of it.
ROOM = box(-5, -5, 5, 5)


def between_corners(width):
    """Two walls that end in points towards each other."""
    walls = [
        Polygon([(-6, -0.5), (-6, 0.5), (-width / 2, 0)]),
        Polygon([(6, -2), (6, 2), (width / 2, 0)]),
    ]
    return ROOM.difference(shapely.union_all(walls)), (0.5, -4), (0, 4)


def between_corner_and_wall(width):
    wall = Polygon([(-6, -0.5), (-6, 0.5), (5 - width, 0.1)])
    return ROOM.difference(wall), (0.5, -4), (0, 4)


def between_parallel_walls(width):
    walls = [box(-6, -1, -width / 2, 1), box(width / 2, -1.5, 6, 2)]
    return ROOM.difference(shapely.union_all(walls)), (0.5, -4), (0, 4)


def between_slanted_walls(width):
    """A corner of one wall is nearest to the middle of the other."""
    slant = Polygon([(width, -3), (6, -3), (6, 3), (width + 1.5, 3)])
    foot = np.array([width, -3]) + 0.4 * np.array([1.5, 6])
    normal = np.array([-6, 1.5]) / math.hypot(6, 1.5)
    corner = foot + width * normal
    wall = Polygon([corner, (-6, corner[1] - 0.5), (-6, corner[1] + 2.0)][::-1])
    return ROOM.difference(shapely.union_all([slant, wall])), (-1, -4.4), (-2, 4.4)


def two_behind_each_other(width):
    """The second gap is the narrow one, close behind the first and to the side of it."""
    walls = [box(-6, -0.1, -0.8, 0.1), box(width - 0.6, -0.1, 6, 0.1)]
    walls += [box(-6, width + 0.1, 6, width + 0.3).difference(box(-4, 0, -2, 4))]
    return ROOM.difference(shapely.union_all(walls)), (0, -4), (0, 4)


def beyond_a_side_not_crossed(width):
    """The corner at (0, width) narrows the way along the wall, but the way does not turn there.

    The triangulation of these corners alone has no triangle in which the way turns around it
    (Kallmann's disturbance).
    """
    low = Polygon(
        [(-1.2 * width - 0.1, -0.01), (-1.2 * width, 0.2 * width), (-1.2 * width - 3, 0.2)]
    )
    ground = box(-6, -6, 6, 0)
    high = Polygon([(0, width), (5 * width, 1.5 * width), (5, 6), (0.1, 6)])
    return ROOM.difference(shapely.union_all([low, ground, high])), (-3, 4), (4.5, 0.75)


GAPS = [
    between_corners,
    between_corner_and_wall,
    between_parallel_walls,
    between_slanted_walls,
    two_behind_each_other,
    beyond_a_side_not_crossed,
]


@pytest.mark.parametrize("angle", [0, 17, 90, 211.3])
@pytest.mark.parametrize("gap", GAPS)
def test_a_gap_is_taken_if_it_is_wide_enough(gap, angle):
    width = 1.0
    region, start, goal = gap(width)
    floor = Floor(turned(region, angle), inside=10)
    start, goal = turned_place(start, angle), turned_place(goal, angle)
    assert floor.path(start, goal, (width - MILLIMETRE) / 2) is not None
    assert floor.path(start, goal, (width + MILLIMETRE) / 2) is None


# Ways around the gaps, outside of the room.
AROUND_LEFT = [box(-20, -5, -4.9, -3), box(-20, -5, -18, 5), box(-20, 3, -4.9, 5)]
AROUND_RIGHT = [box(4.9, 0, 9, 1.5), box(7.5, 0, 9, 8), box(-4, 4.9, 9, 8)]


@pytest.mark.parametrize("gap", GAPS)
def test_a_longer_way_is_taken_where_the_short_one_is_too_narrow(gap):
    region, start, goal = gap(1.0)
    around = AROUND_RIGHT if gap is beyond_a_side_not_crossed else AROUND_LEFT
    region = shapely.union_all([region, *around])
    floor = Floor(max(getattr(region, "geoms", [region]), key=lambda part: part.area))
    short, long = floor.path(start, goal, 0.4995), floor.path(start, goal, 0.5005)
    assert length_of(long) > length_of(short) + 5.0


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_there_is_a_path_exactly_if_the_shrunk_region_has_one(seed, straight):
    rng = np.random.default_rng(seed)
    floor = Floor(random_region(rng, rng.integers(3, 30), straight=straight), seed, inside=20)
    # Radii that are random, and such that a passage is just wide enough or just not.
    critical = floor.mesh.widths[floor.mesh.widths > 0.04] / 2
    radii = [rng.uniform(0.02, 0.6), *rng.choice(critical, 2) + rng.choice([-1e-4, 1e-4], 2)]
    for radius in radii:
        free = floor.region.buffer(-radius, quad_segs=400)
        parts = [part for part in getattr(free, "geoms", [free]) if not part.is_empty]
        for _ in range(3):
            places = [random_place(floor.region, rng, radius) for _ in range(2)]
            if places[0] is None or places[1] is None:
                break
            homes = [
                {i for i, p in enumerate(parts) if p.distance(Point(q)) < 1e-5} for q in places
            ]
            path = floor.path(*places, radius)
            assert (path is not None) == bool(homes[0] & homes[1])


def reflex_corners(ring, is_hole):
    corners = np.array(ring.coords)[:-1]
    before, after = corners - np.roll(corners, 1, 0), np.roll(corners, -1, 0) - corners
    turns = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return corners[(turns > 0) == (ring.is_ccw == is_hole)]


def shortest_length(free, start, goal):
    """Return the length of the shortest way in a region, by its graph of visibility."""
    rings = [(free.exterior, False), *((hole, True) for hole in free.interiors)]
    places = np.concatenate([[start, goal], *(reflex_corners(*ring) for ring in rings)])
    room = free.buffer(1e-7, join_style="mitre")
    shapely.prepare(room)
    lengths = np.full(len(places), np.inf)
    lengths[0] = 0.0
    done = np.zeros(len(places), dtype=bool)
    heap = [(0.0, 0)]
    while heap:
        _, i = heapq.heappop(heap)
        if done[i]:
            continue
        if i == 1:
            break
        done[i] = True
        steps = np.linalg.norm(places - places[i], axis=1)
        better = np.flatnonzero(~done & (lengths[i] + steps < lengths))
        ways = np.stack([np.broadcast_to(places[i], (len(better), 2)), places[better]], axis=1)
        for j in better[shapely.covers(room, shapely.linestrings(ways))]:
            lengths[j] = lengths[i] + steps[j]
            heapq.heappush(heap, (lengths[j] + np.linalg.norm(places[j] - places[1]), j))
    return lengths[1]


@pytest.mark.parametrize("seed", range(8))
def test_paths_are_as_short_as_can_be(seed):
    rng = np.random.default_rng(seed)
    floor = Floor(random_region(rng, 8), seed, inside=10)
    radius = rng.uniform(0.1, 0.4)
    free = floor.region.buffer(-radius, quad_segs=16)
    part = max(getattr(free, "geoms", [free]), key=lambda part: part.area)
    start, goal = (random_place(part, rng, 1e-3) for _ in range(2))
    path = floor.path(start, goal, radius)
    assert length_of(path) <= 1.0003 * shortest_length(part, start, goal)
    assert floor.is_known  # none of these is bent around a corner that the search did not know


def test_corners_are_rounded_with_few_points():
    floor = Floor(ROOM.difference(box(-6, -0.1, 2, 0.1)))
    path = floor.path((0, -2), (0, 2), 0.3)
    # Tangents from the places to the discs around both corners, and two quarters of arcs.
    reach = math.hypot(2, 1.9)
    tangent = math.sqrt(reach**2 - 0.3**2)
    angle = math.atan2(1.9, 2) - math.asin(0.3 / reach)
    expected = 2 * tangent + 0.2 + 2 * 0.3 * (math.pi / 2 - angle)
    assert length_of(path) == pytest.approx(expected, rel=1e-4)
    assert len(path) < 50


def test_a_place_without_room_is_moved_to_the_nearest_that_has():
    floor = Floor(ROOM)
    path = floor.path((-4.9, 0), (0, 0), 0.5, max_snap=1.0)
    assert path[0] == pytest.approx((-4.5, 0))
    path = floor.path((-4.9, -4.8), (4.7, 4.9), 0.5, max_snap=1.0)
    assert path[0] == pytest.approx((-4.5, -4.5))
    assert path[-1] == pytest.approx((4.5, 4.5))
    assert floor.path((-4.9, 0), (0, 0), 0.5, max_snap=0.3) is None


@given(st.integers(0, 2**32 - 1))
def test_places_are_moved_no_further_than_needed(seed):
    rng = np.random.default_rng(seed)
    floor = Floor(random_region(rng, rng.integers(3, 30)), seed)
    radius = rng.uniform(0.05, 0.6)
    free = floor.region.buffer(-radius, quad_segs=400)
    place = random_place(floor.region, rng, 0.0)
    path = floor.path(place, place, radius, max_snap=1.0)
    if path is not None:
        assert np.linalg.norm(path[0] - place) <= 1.0 + 1e-9
        assert np.linalg.norm(path[0] - place) >= free.distance(Point(place)) - 1e-4


def spiral(turns, inner, outer, rise, steps=16):
    """Return a ramp around a pillar that lies above itself, as a navmesh (z up)."""
    angles = np.arange(turns * steps + 1) * 2 * math.pi / steps
    rims = [
        np.column_stack([rim * np.cos(angles), rim * np.sin(angles), rise * angles / (2 * math.pi)])
        for rim in (inner, outer)
    ]
    count = len(angles)
    first = np.arange(count - 1)
    quads = np.column_stack([first, first + count, first + count + 1, first + 1])
    return wm.NavMesh(
        np.concatenate(rims), 4 * np.arange(count), quads.ravel(), agent=POINT, up="z"
    )


@pytest.mark.parametrize("turns", [1, 3])
def test_a_spiral_above_itself(turns):
    navmesh = spiral(turns, inner=1.0, outer=2.0, rise=3.0)
    mesh = ClearanceMesh.of(navmesh)
    ends = np.array([(1.5, 0.3), (1.5, -0.3)])
    polygons = (0, navmesh.polygon_count - 1)
    narrowest = math.cos(math.pi / 16)  # between the middles of both rims, straight across
    path, _ = clear_path(mesh, ends, polygons, narrowest / 2 - 5e-4, 0.5)
    # Seen from above, the rims of all turns are the same.
    rims = shapely.MultiLineString(navmesh.vertices[:, :2].reshape(2, -1, 2).tolist())
    assert rims.distance(shapely.LineString(path)) >= narrowest / 2 - 5e-4 - TOLERANCE
    around = np.unwrap(np.arctan2(path[:, 1], path[:, 0]))
    assert around[-1] - around[0] > 2 * math.pi * turns - 0.8
    assert clear_path(mesh, ends, polygons, narrowest / 2 + 5e-4, 0.5) == (None, True)
    # A thin path is nearly the shortest one around the pillar.
    path, _ = clear_path(mesh, ends, polygons, 0.01, 0.0)
    swept = 2 * math.pi * turns - 2 * math.atan2(0.3, 1.5)
    reach = math.hypot(1.5, 0.3)
    expected = 2 * math.sqrt(reach**2 - 1.01**2) + 1.01 * (swept - 2 * math.acos(1.01 / reach))
    assert length_of(path) == pytest.approx(expected, rel=0.01)


def test_walls_of_another_floor_do_not_count():
    # Two floors above each other; the upper one has a pillar where the lower one is free.
    lower = navmesh_of(ROOM)
    upper = navmesh_of(ROOM.difference(box(-1, -3, 1, 3)))
    count = len(lower.vertices)
    vertices = np.concatenate([lower.vertices, upper.vertices + (0, 0, 3)])
    corners = np.concatenate([lower.polygon_vertices, upper.polygon_vertices + count])
    navmesh = wm.NavMesh(
        vertices, 3 * np.arange(len(corners) // 3 + 1), corners, agent=POINT, up="z"
    )
    mesh = ClearanceMesh.of(navmesh)
    for height, length in ((0.0, 8.0), (3.0, 2 * math.hypot(3, 3) + 2)):
        located = navmesh.nearest([(-4, 0, height), (4, 0, height)])
        path, _ = clear_path(mesh, located.points[:, :2].copy(), tuple(located.polygons), 0.1, 0.0)
        assert length_of(path) == pytest.approx(length, abs=0.2)
    ends = navmesh.nearest([(-4, 0, 0), (4, 0, 3)])
    apart = clear_path(mesh, ends.points[:, :2].copy(), tuple(ends.polygons), 0.1, 1.0)
    assert apart == (None, True)


@given(st.integers(0, 2**32 - 1))
def test_the_triangulation_is_delaunay_and_covers_the_region(seed):
    rng = np.random.default_rng(seed)
    floor = Floor(random_region(rng, rng.integers(1, 20), straight=seed % 2 == 0), seed, inside=30)
    mesh = floor.mesh
    corners = mesh.points[mesh.corners].reshape(-1, 3, 2)
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    areas = (first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2
    assert areas.min() > 0
    assert areas.sum() == pytest.approx(floor.region.area)
    # No vertices are left inside, and none lies in the circle across a shared side.
    assert floor.region.boundary.distance(shapely.points(mesh.points)).max() < 1e-9
    for side, mate in enumerate(mesh.mates):
        if mate < 0:
            continue
        assert mesh.mates[mate] == side
        a, b, c = (corners[side // 3, (side + k) % 3] for k in range(3))
        d = corners[mate // 3, (mate + 2) % 3]
        angles = [
            math.atan2(abs((a - x)[0] * (b - x)[1] - (a - x)[1] * (b - x)[0]), (a - x) @ (b - x))
            for x in (c, d)
        ]
        assert sum(angles) <= math.pi + 1e-6


def test_far_from_the_origin_the_path_is_the_same():
    region = random_region(np.random.default_rng(5), 12)
    rng = np.random.default_rng(1)
    start, goal = random_place(region, rng, 0.2), random_place(region, rng, 0.2)
    near = Floor(region).path(start, goal, 0.2)
    away = np.array((500_000.0, -300_000.0))
    far = Floor(shapely.affinity.translate(region, *away)).path(start + away, goal + away, 0.2)
    assert length_of(far) == pytest.approx(length_of(near), abs=1e-6)
