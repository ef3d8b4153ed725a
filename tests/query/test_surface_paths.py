"""Paths along surfaces: floors, walls and ceilings at any angle."""

import dataclasses
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers import surfaces
from tests.makers.merged import make_navmesh
from tests.makers.regions import regions, triangulated
from tests.twins import naive_surface_paths
from walkmesh.navmesh import NavMesh
from walkmesh.topology import edge_ends

pytestmark = pytest.mark.plain_python

SHAPES = {
    "cube": surfaces.cube,
    "room": surfaces.room,
    "open cube": lambda: surfaces.cube(without=(3,)),
    "sphere": lambda: surfaces.icosphere(1),
    "tube": lambda: surfaces.tube(9, 3),
    "torus": lambda: surfaces.torus(12, 8),
    "saddle": lambda: surfaces.saddle(5),
    "rough": lambda: surfaces.rough(6, 1),
    "rough with holes": lambda: surfaces.rough(6, 2, holes={(1, 1), (1, 2), (3, 3), (4, 4)}),
}
HOLES = {(2, 2), (2, 3), (3, 3), (5, 5), (6, 5), (6, 2)}


def flat(holes=(), quads=False):
    return surfaces.sheet(8, 8, lambda u, v: (u, v, 0), holes=holes, quads=quads)


def special_places(navmesh, seed, count):
    """Places inside polygons, on edges and on vertices."""
    rng = np.random.default_rng(seed)
    used = np.unique(navmesh.polygon_vertices)
    middles = (
        navmesh.vertices[navmesh.polygon_vertices] + navmesh.vertices[edge_ends(navmesh)]
    ) / 2
    return np.concatenate(
        [
            navmesh.sample(count, seed).points,
            navmesh.vertices[used[rng.integers(len(used), size=count)]],
            middles[rng.integers(len(middles), size=count)],
        ]
    )


def check_path(navmesh, path, start, goal):
    """A path leads over the surface from start to goal, and is as long as it says."""
    assert path.points[0] == pytest.approx(np.asarray(start), abs=1e-9)
    assert path.points[-1] == pytest.approx(np.asarray(goal), abs=1e-9)
    steps = np.linalg.norm(np.diff(path.points, axis=0), axis=1)
    assert path.length == pytest.approx(steps.sum(), abs=1e-12)
    between = [
        a + part * (b - a)
        for a, b in itertools.pairwise(path.points)
        for part in (0.0, 0.21, 0.5, 0.83)
    ]
    if between:
        assert navmesh.nearest(between).distances.max() < 1e-6
    for p, q in itertools.pairwise(path.polygons):
        first, second = (
            navmesh.polygon_vertices[navmesh.polygon_offsets[k] : navmesh.polygon_offsets[k + 1]]
            for k in (p, q)
        )
        assert p != q
        assert set(first) & set(second)


@pytest.mark.parametrize("shape", SHAPES)
def test_no_way_is_shorter(shape):
    navmesh = SHAPES[shape]()
    graph = naive_surface_paths.Graph(navmesh, 8)
    apart = 1.5 / 9  # how far places on the same edge are from each other, at most
    places = special_places(navmesh, 3, 3)
    for start, goal in zip(places, np.roll(places, 4, axis=0), strict=True):
        path = navmesh.find_path(start, goal)
        assert path.status == "complete"
        check_path(navmesh, path, start, goal)
        way = graph.distance(start, goal)
        assert path.length <= way + 1e-9
        assert way <= 1.03 * path.length + 0.5 * apart
        assert path.cost == pytest.approx(path.length, abs=1e-9)
        corridor = navmesh.find_path(start, goal, optimal=False)
        check_path(navmesh, corridor, start, goal)
        assert path.length <= corridor.length + 1e-9


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", [1, 2])
def test_all_searches_agree(shape, seed):
    """Back is as far as there, and one search for all goals finds what one for each does."""
    navmesh = SHAPES[shape]()
    if seed == 2:
        navmesh = surfaces.turned(navmesh, surfaces.any_rotation(5), (4e5, -3e5, 1e5))
    places = special_places(navmesh, seed, 3)
    count = len(places)
    paths = navmesh.find_paths(np.repeat(places, count, axis=0), np.tile(places, (count, 1)))
    lengths = paths.lengths.reshape(count, count)
    assert lengths == pytest.approx(lengths.T, abs=1e-9)
    assert lengths == pytest.approx(navmesh.distances(places[:, None], places), abs=1e-9)
    through = (lengths[:, :, None] + lengths[None]).min(axis=1)
    assert np.all(lengths <= through + 1e-9)


def test_around_a_cube():
    cube = surfaces.cube()
    path = cube.find_path((0, 0, 0), (1, 1, 1))
    assert path.length == pytest.approx(math.sqrt(5), abs=1e-12)
    assert len(path.points) == 3
    assert len(path.polygons) == 2 or len(path.polygons) == 3
    over = cube.find_path((0.5, 1, 0.5), (0.5, 0, 0.5))
    assert over.length == pytest.approx(2, abs=1e-12)
    assert len(over.points) == 4
    # Inside one plane, no place is left where triangles meet.
    assert len(cube.find_path((0.1, 1, 0.2), (0.9, 1, 0.7)).points) == 2


def test_the_spider_and_the_fly():
    """H. E. Dudeney 1903: over five of the six sides of a room it is 40 feet."""
    room = surfaces.of_polygons(
        surfaces.CUBE * (30.0, 12.0, 12.0), [side[::-1] for side in surfaces.SIDES]
    )
    path = room.find_path((0, 11, 6), (30, 1, 6))
    assert path.length == pytest.approx(40, abs=1e-9)
    assert len(path.polygons) == 5


@pytest.mark.parametrize("sides", [3, 12])
def test_around_a_tube(sides):
    """A tube can be laid flat, in one direction or the other."""
    tube = surfaces.tube(sides, 4)
    width = 2.0 * math.sin(math.pi / sides)
    rng = np.random.default_rng(4)
    for u, v, x, y in rng.uniform((0, 0, 0, 0), (sides, 4, sides, 4), size=(20, 4)):
        start, goal = (
            (1 - w % 1) * tube.vertices[5 * int(w)]
            + w % 1 * tube.vertices[5 * (int(w + 1) % sides)]
            for w in (u, x)
        )
        across = min(abs(u - x), sides - abs(u - x)) * width
        path = tube.find_path(start + (0, 0, v), goal + (0, 0, y))
        assert path.length == pytest.approx(math.hypot(across, v - y), abs=1e-9)


@pytest.mark.compiled_only
def test_fine_sphere_from_pole_to_pole():
    sphere = surfaces.icosphere(5)
    assert sphere.polygon_count == 20480
    path = sphere.find_path((0, 1, 0), (0, -1, 0))
    assert path.status == "complete"
    assert 0.99 * math.pi < path.length < math.pi
    assert np.linalg.norm(path.points, axis=1) == pytest.approx(1.0, abs=1e-3)
    # All ways around are nearly as long.
    middle = sphere.nearest([(1, 0, 0)]).points[0]
    halves = sphere.distances(middle, [(0, 1, 0), (0, -1, 0)])
    assert path.length <= halves.sum() + 1e-9


def taken(located, order):
    return dataclasses.replace(
        located, points=located.points[order], polygons=located.polygons[order]
    )


@given(regions(), st.integers(0, 2**32 - 1))
def test_flat_ground_is_as_in_plan(region, seed):
    plan = make_navmesh(triangulated(region, lambda _u, _v: 0.0), surfaces.POINT, 0.01)
    rotation = surfaces.any_rotation(seed)
    surface = surfaces.turned(plan, rotation, (3.0, -2.0, 7.0))
    places = special_places(plan, seed, 3)
    turned = places @ rotation.T + (3.0, -2.0, 7.0)
    there = np.roll(np.arange(len(places)), 4)
    # On the same polygons, where parts touch at a vertex.
    found = plan.nearest(places)
    starts = dataclasses.replace(found, points=turned)
    expected = plan.find_paths(found, taken(found, there)).lengths
    lengths = surface.find_paths(starts, taken(starts, there)).lengths
    assert lengths == pytest.approx(expected, abs=1e-9)
    walls = plan.wall_distance(places)
    assert surface.wall_distance(turned) == pytest.approx(walls, abs=1e-9)
    inside = plan.sample(4, seed).points
    ends = inside + np.random.default_rng(seed).uniform(-8, 8, size=(4, 3)) * (1, 1, 0)
    rays = plan.raycast(inside, ends)
    shift = (3.0, -2.0, 7.0)
    straight = surface.raycast(inside @ rotation.T + shift, ends @ rotation.T + shift)
    assert straight.distances == pytest.approx(rays.distances, abs=1e-9)
    assert straight.hits.tolist() == rays.hits.tolist()
    assert straight.points == pytest.approx(rays.points @ rotation.T + shift, abs=1e-8)


def test_parts_that_share_a_vertex_only_are_apart():
    navmesh = surfaces.sheet(2, 2, lambda u, v: (u, v, 0), holes={(0, 1), (1, 0)}, quads=True)
    assert navmesh.component_count == 2
    assert navmesh.find_path((0.5, 0.5, 0), (1.5, 1.5, 0)).status == "unreachable"
    assert navmesh.find_path((0.5, 0.5, 0), (1, 1, 0)).length == pytest.approx(math.sqrt(0.5))
    # Around it, by a third part, there is a way.
    ring = surfaces.sheet(3, 3, lambda u, v: (u, v, 0), holes={(0, 1), (1, 0)}, quads=True)
    assert ring.find_path((0.5, 0.5, 0), (1.5, 1.5, 0)).status == "unreachable"
    assert ring.find_path((0.5, 2.5, 0), (2.5, 0.5, 0)).status == "complete"


def two_plates(**arguments):
    """A floor, and a wall of its own 2 m beyond it that faces the floor."""
    vertices = [
        (0, 0, 0), (0, 0, 4), (4, 0, 4), (4, 0, 0),
        (6, 0, 0), (6, 0, 4), (6, 4, 4), (6, 4, 0),
    ]  # fmt: skip
    return surfaces.of_polygons(
        np.array(vertices, dtype=float), [(0, 1, 2, 3), (4, 5, 6, 7)], **arguments
    )


def test_what_cannot_be_reached():
    plates = two_plates()
    start, goal = (1, 0, 2), (6, 3, 2)
    assert plates.find_path(start, goal).status == "unreachable"
    assert plates.find_path(start, goal).length == math.inf
    assert plates.find_path((1, 9, 2), goal).status == "unreachable"
    partial = plates.find_path(start, goal, partial=True)
    assert partial.status == "partial"
    assert partial.points[-1] == pytest.approx((4, 0, 2))
    far = plates.find_path(start, (50, 0, 2), partial=True)
    assert far.status == "partial"
    assert far.points[-1] == pytest.approx((4, 0, 2))
    assert plates.reachable(start, [(3, 0, 3), goal]).tolist() == [True, False]
    assert plates.distances(start, [(3, 0, 2), goal, (50, 0, 0)]).tolist() == [2.0, np.inf, np.inf]
    assert plates.prune(start).polygon_count == 1
    assert plates.prune(start).surface


def test_links_are_taken_where_they_pay():
    plates = two_plates().with_links((4, 0, 2), (6, 1, 2), two_way=False)
    assert plates.links["cost"] == pytest.approx([math.sqrt(5)])
    there = plates.find_path((1, 0, 2), (6, 3, 2))
    assert there.status == "complete"
    assert there.links.tolist() == [0]
    assert there.points == pytest.approx(np.array([(1, 0, 2), (4, 0, 2), (6, 1, 2), (6, 3, 2)]))
    assert there.length == pytest.approx(5 + math.sqrt(5))
    assert there.polygons.tolist() == [0, 1]
    assert plates.find_path((6, 3, 2), (1, 0, 2)).status == "unreachable"
    assert plates.reachable((1, 0, 2), (6, 3, 2))
    assert not plates.reachable((6, 3, 2), (1, 0, 2))
    corridor = plates.find_path((1, 0, 2), (6, 3, 2), optimal=False)
    assert corridor.length == pytest.approx(there.length)
    assert corridor.links.tolist() == [0]
    both = two_plates().with_links((4, 0, 2), (6, 1, 2), cost=0.5)
    back = both.find_path((6, 3, 2), (1, 0, 2))
    assert back.cost == pytest.approx(5.5)
    assert back.links.tolist() == [0]
    assert both.distances((6, 3, 2), [(1, 0, 2), (2, 0, 2), (3, 0, 2), (4, 0, 2)]) == (
        pytest.approx(np.array([5, 4, 3, 2]) + math.sqrt(5))
    )


@pytest.mark.parametrize("seed", range(4))
def test_links_that_save_way(seed):
    navmesh = surfaces.icosphere(1)
    places = navmesh.sample(10, seed).points
    costs = np.random.default_rng(seed).uniform(0.0, 1.0, 3)
    linked = navmesh.with_links(places[:3], places[3:6], cost=costs, two_way=False)
    links = list(zip(linked.links["start"], linked.links["goal"], costs, strict=True))
    graph = naive_surface_paths.Graph(navmesh, 8)
    for start, goal in itertools.combinations(places[6:], 2):
        path = linked.find_path(start, goal)
        way = graph.distance(start, goal, links)
        assert path.cost <= way + 1e-9
        assert way <= 1.05 * path.cost + 1e-9
        assert path.cost <= navmesh.find_path(start, goal).cost + 1e-9


@pytest.mark.parametrize("seed", range(6))
def test_links_save_as_much_way_back(seed):
    """Searches see cheap links from both ends, and roots inside triangles from both sides."""
    navmesh = surfaces.rough(5, seed, holes={(1, 1), (3, 2)})
    ends = navmesh.sample(8, seed + 5).points
    costs = np.random.default_rng(seed).uniform(0, 2, 4)
    linked = navmesh.with_links(ends[:4], ends[4:], cost=costs)
    places = linked.nearest(special_places(linked, seed, 4)).points
    count = len(places)
    paths = linked.find_paths(np.repeat(places, count, axis=0), np.tile(places, (count, 1)))
    back = paths.costs.reshape(count, count).T
    assert paths.costs.reshape(count, count) == pytest.approx(back, abs=1e-9)


def test_areas():
    """A strip across the middle of a sheet that is turned upright."""
    sheet = surfaces.turned(flat(quads=True), surfaces.any_rotation(8))
    middles = np.array([sheet.polygon(p).mean(axis=0) for p in range(sheet.polygon_count)])
    plan = middles @ surfaces.any_rotation(8)
    strip = (np.abs(plan[:, 0] - 3.5) < 0.1) & (plan[:, 1] < 7)
    sheet = sheet.with_areas(strip.astype(int))
    start, goal = np.array([(0.5, 0.5, 0), (7.5, 0.5, 0)]) @ surfaces.any_rotation(8).T
    assert sheet.find_path(start, goal).length == pytest.approx(7)
    barred = sheet.find_path(start, goal, area_costs={1: math.inf})
    assert barred.length == pytest.approx(1 + math.hypot(2.5, 6.5) + math.hypot(3.5, 6.5))
    assert not strip[barred.polygons].any()
    mud = sheet.find_path(start, goal, area_costs={1: 3.0})
    assert mud.length == pytest.approx(7)
    assert mud.cost == pytest.approx(9)
    bog = sheet.find_path(start, goal, area_costs={1: 50.0})
    assert not strip[bog.polygons].any()
    assert bog.length >= barred.length - 1e-9
    assert sheet.find_path(start, goal, area_costs={0: 2.0, 1: 2.0}).cost == pytest.approx(14)
    assert sheet.distances(start, goal, area_costs={1: math.inf}) == pytest.approx(barred.length)
    closed = sheet.find_path(start, goal, area_costs={0: math.inf}, max_snap=0.5)
    assert closed.status == "unreachable"


def test_nearest_is_on_the_side_that_faces_the_point():
    wall = [(0, 0, 0), (0, 4, 0), (0, 4, 4), (0, 0, 4)]
    back = [(0.1, 0, 0), (0.1, 0, 4), (0.1, 4, 4), (0.1, 4, 0)]
    thin = surfaces.of_polygons(np.array(wall + back, dtype=float), [(0, 3, 2, 1), (4, 7, 6, 5)])
    found = thin.nearest([(-0.5, 2, 2), (0.6, 2, 2), (-1e-3, 2, 2), (0.101, 2, 2)])
    assert found.polygons.tolist() == [0, 1, 0, 1]
    assert found.distances == pytest.approx([0.5, 0.5, 1e-3, 1e-3])
    # The back of a floor overhead is nearer than the floor, which is the one that is stood on.
    floors = [(x, y, z) for y in (0, 2) for x, z in ((0, 0), (0, 4), (4, 4), (4, 0))]
    storeys = surfaces.of_polygons(np.array(floors, dtype=float), [(0, 1, 2, 3), (4, 5, 6, 7)])
    assert storeys.nearest([(2, 1.5, 2), (2, 1.7, 2), (2, 2.5, 2)]).polygons.tolist() == [0, 1, 1]
    # But a ceiling faces down.
    room = surfaces.room(4.0)
    assert room.nearest([(2, 3.5, 2)]).points[0] == pytest.approx((2, 4, 2))
    assert room.nearest([(2, 3.5, 2)], max_snap=0.4).polygons.tolist() == [-1]


def test_contains():
    cube = surfaces.cube(4.0)
    points = [(2, 4.3, 2), (2, 4.5, 2), (2, 3.7, 2), (4.2, 4.2, 2), (4.4, 4.4, 2), (2, 2, 2)]
    assert cube.contains(points).tolist() == [True, False, True, True, False, False]
    plate = flat()
    beside = [(4, 4, 0.3), (4, 4, -0.3), (8, 4, 0.2), (8.1, 4, 0.2), (8.1, 8.1, 0), (4, 4, 0.5)]
    assert plate.contains(beside).tolist() == [True, True, True, False, False, False]


def test_wall_distance():
    tube = surfaces.tube(12, 6)
    assert tube.wall_distance(tube.vertices[[0, 2, 3, 5]]) == pytest.approx([0, 2, 3, 1])
    assert surfaces.icosphere(1).wall_distance([(0, 1, 0)]).tolist() == [math.inf]
    assert np.isnan(tube.wall_distance([(40, 0, 0)])).all()
    bucket = surfaces.cube(2.0, without=(3,))
    assert bucket.wall_distance([(1, 0, 1), (0, 0.5, 1)]) == pytest.approx([3, 1.5])


def test_raycast_goes_straight_over_edges():
    cube = surfaces.cube()
    ray = cube.raycast((0.5, 1, 0.5), [(0.5, 1, 1.75)])
    assert ray.points[0] == pytest.approx((0.5, 0.25, 1))
    assert not ray.hits[0]
    assert ray.distances[0] == pytest.approx(1.25)
    assert cube.raycast((0.5, 1, 0.5), [(0.5, 1, 4.5)]).points[0] == pytest.approx((0.5, 1, 0.5))
    # A height over the start is no way.
    assert cube.raycast((0.5, 1, 0.5), [(0.7, 9, 0.5)]).distances[0] == pytest.approx(0.2)
    tube = surfaces.tube(12, 6)
    start = (tube.vertices[0] + tube.vertices[7]) / 2 + (0, 0, 1)
    tangent = tube.vertices[7] - tube.vertices[0]
    stopped = tube.raycast(start, start + 100.0 * (tangent * (1, 1, 0) + (0, 0, 0.06)))
    assert stopped.hits[0]
    assert tube.neighbors[stopped.edges[0]] == -1
    assert stopped.points[0][2] == pytest.approx(6)
    off = tube.raycast((40, 0, 0), (0, 0, 0))
    assert off.hits[0]
    assert off.polygons[0] == -1


def test_rays_through_vertices_end():
    navmesh = flat()
    rays = navmesh.raycast((0, 0, 0), [(8, 8, 0), (9, 9, 0), (8, 4, 0), (-1, -1, 0)])
    assert rays.distances == pytest.approx([math.sqrt(128), math.sqrt(128), math.sqrt(80), 0])
    sphere = surfaces.icosphere(2)
    around = sphere.raycast(sphere.vertices[:40], sphere.vertices[:40] * 2.0 + (1.0, 2.0, 3.0))
    assert not around.hits.any()
    assert sphere.nearest(around.points).distances.max() < 1e-9


def test_triangles_lie_in_the_planes_of_their_polygons():
    """A wall with corners in the middle of its sides, which a fan would cut without area."""
    wall = [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 1, 2), (0, 2, 2), (0, 2, 1), (0, 2, 0), (0, 1, 0)]
    navmesh = surfaces.of_polygons(np.array(wall, dtype=float), [range(8)])
    a, b, c = (navmesh.vertices[navmesh.triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    assert (normals[:, 0] < -0.1).all()
    assert navmesh.area == pytest.approx(4)
    assert navmesh.sample(500).points.mean(axis=0) == pytest.approx((0, 1, 1), abs=0.1)


def test_many_paths_are_those_of_one():
    torus = surfaces.torus(12, 8)
    places = torus.sample(12, 5)
    one_by_one = [torus.find_path(a, b) for a, b in itertools.pairwise(places.points)]
    located = [torus.nearest(some) for some in (places.points[:-1], places.points[1:])]
    for paths in (
        torus.find_paths(places.points[:-1], places.points[1:]),
        torus.find_paths(*located, workers=1),
        torus.find_paths(*located, workers=3),
    ):
        for one, other in zip(one_by_one, paths, strict=True):
            assert other.points.tobytes() == one.points.tobytes()
            assert other.polygons.tolist() == one.polygons.tolist()
            assert other.length == one.length


def test_a_search_with_too_little_memory_takes_the_corridor(monkeypatch):
    from walkmesh.query.surface import scratch

    monkeypatch.setattr(scratch, "_NODES", 64)
    navmesh = surfaces.rough(8, 3)
    start, goal = navmesh.sample(2, 1).points
    grown = navmesh.find_path(start, goal)
    assert grown.optimal
    assert grown.length <= navmesh.find_path(start, goal, optimal=False).length
    monkeypatch.setattr(scratch, "_MOST_NODES", 64)
    little = surfaces.rough(8, 3)
    assert little.find_path(start, goal).length == (
        little.find_path(start, goal, optimal=False).length
    )
    assert not little.find_path(start, goal).optimal
    assert not little.find_paths(start, [goal]).optimal[0]
    distances = little.distances(start, [goal, start, (start + goal) / 2, goal])
    assert distances[0] == little.find_path(start, goal).length


def test_walls_with_too_little_memory_are_never_too_near(monkeypatch):
    from walkmesh.query.surface import scratch

    shapes = [lambda: surfaces.rough(8, 3), lambda: surfaces.tube(12, 40), linked_tube]
    places = [make().sample(20, 1).points for make in shapes]
    known = [make().wall_distance(p) for make, p in zip(shapes, places, strict=True)]
    monkeypatch.setattr(scratch, "_NODES", 16)
    for most in (16, 64):
        monkeypatch.setattr(scratch, "_MOST_NODES", most)
        for make, some, right in zip(shapes, places, known, strict=True):
            found = make().wall_distance(some)
            assert np.isfinite(right).all()
            assert (found >= right - 1e-9).all()
            assert (found <= 1.5 * right + 1e-9).all()


def linked_tube():
    """Return a ball that has no boundary but over a link to a tube."""
    ball, tube = surfaces.icosphere(1), surfaces.tube(12, 6)
    vertices = np.concatenate([ball.vertices, tube.vertices + (20.0, 0.0, 0.0)])
    offsets = np.concatenate(
        [ball.polygon_offsets, len(ball.polygon_vertices) + tube.polygon_offsets[1:]]
    )
    corners = np.concatenate([ball.polygon_vertices, len(ball.vertices) + tube.polygon_vertices])
    both = wm.NavMesh(vertices, offsets, corners, surface=True)
    return both.with_links(ball.vertices[0], vertices[-1], cost=2.0)


def test_what_surfaces_do_not_know():
    cube = surfaces.cube()
    with pytest.raises(wm.SettingsError, match=r"radius is 0\.5; on a navmesh of a surface"):
        cube.find_path((0, 0, 0), (1, 1, 1), radius=0.5)
    with pytest.raises(wm.SettingsError, match="radius is"):
        cube.find_paths((0, 0, 0), (1, 1, 1), radius=0.5)
    assert cube.find_path((0, 0, 0), (1, 1, 1), radius=0.0).status == "complete"
    with pytest.raises(wm.SettingsError, match="paint"):
        cube.paint(1, box=[(0, 0, 0), (1, 1, 1)])
    with pytest.raises(wm.SettingsError, match="of a surface"):
        wm.bridge_gaps(cube, 0.5)
    with pytest.raises(wm.SettingsError, match="of a surface"):
        wm.find_links(wm.samples.floor(), cube)
    with pytest.raises(wm.SettingsError, match="start is"):
        cube.find_path((math.nan, 0, 0), (1, 1, 1))
    with pytest.raises(wm.SettingsError, match="not finite"):
        cube.nearest([(math.inf, 0, 0)])


def test_a_navmesh_of_nothing():
    nothing = NavMesh(np.empty((0, 3)), [0], [], surface=True)
    assert nothing.nearest([(0, 0, 0)]).polygons.tolist() == [-1]
    assert nothing.contains([(0, 0, 0)]).tolist() == [False]
    assert nothing.find_path((0, 0, 0), (1, 0, 0)).status == "unreachable"
    assert nothing.find_path((0, 0, 0), (1, 0, 0), partial=True).status == "unreachable"
    assert nothing.distances((0, 0, 0), [(1, 0, 0)]).tolist() == [math.inf]
    assert np.isnan(nothing.wall_distance([(0, 0, 0)])).all()
    assert nothing.raycast((0, 0, 0), (1, 0, 0)).hits.tolist() == [True]
