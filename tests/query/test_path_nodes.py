"""Path nodes against lengths worked out by hand, networkx, and paths that are free to turn."""

import itertools
import math
import pickle
import sys

import networkx
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers import hills
from tests.makers.regions import floors, navmesh_points
from tests.makers.surfaces import any_rotation, cube, turned
from tests.twins import naive_mesh
from walkmesh import LINK_DTYPE

pytestmark = pytest.mark.plain_python

PLACES = ("centers", "midpoints", "corners")
CHOICES = [c for count in (1, 2, 3) for c in itertools.combinations(PLACES, count)]
ARRAYS = (
    "positions", "kinds", "polygons", "polygon_offsets", "edges", "costs", "one_way", "via",
    "edge_polygons", "edge_links", "lengths",
)  # fmt: skip


def of_polygons(vertices, polygons, **arguments):
    arguments.setdefault("up", "z")
    return wm.NavMesh(
        vertices, np.cumsum([0, *map(len, polygons)]), np.concatenate(polygons), **arguments
    )


def two_squares(**arguments):
    """Two squares of 2 m, side by side."""
    vertices = [(0, 0, 0), (2, 0, 0), (4, 0, 0), (0, 2, 0), (2, 2, 0), (4, 2, 0)]
    return of_polygons(vertices, [[0, 1, 4, 3], [1, 2, 5, 4]], **arguments)


def bend():
    """A corridor 2 m wide: 4 m along x, a square, and 4 m along y."""
    vertices = [(0, 0, 0), (4, 0, 0), (6, 0, 0), (0, 2, 0), (4, 2, 0), (6, 2, 0), (4, 6, 0),
                (6, 6, 0)]  # fmt: skip
    return of_polygons(vertices, [[0, 1, 4, 3], [1, 2, 5, 4], [4, 5, 7, 6]])


def apart(**arguments):
    """Two squares of 2 m, 1 m apart."""
    vertices = [(x, y, 0) for x in (0, 2, 3, 5) for y in (0, 2)]
    return of_polygons(vertices, [[0, 2, 3, 1], [4, 6, 7, 5]], **arguments)


def link(start, goal, polygons, two_way, cost):
    links = np.zeros(1, dtype=LINK_DTYPE)
    links[0] = (start, goal, *polygons, two_way, cost, 0)
    return links


def lengths_by_hand(navmesh, nodes):
    """Return the lengths of edges, and check that both nodes are in the polygon that they cross."""
    lengths = []
    owners = np.split(nodes.polygons, nodes.polygon_offsets[1:-1])
    for (a, b), via, (first, last) in zip(nodes.edges, nodes.via, nodes.edge_polygons, strict=True):
        assert first in owners[a]
        assert last in owners[b]
        stops = [nodes.positions[a], nodes.positions[b]]
        if not np.isnan(via).any():
            stops.insert(1, via)
        lengths.append(sum(math.dist(p, q) for p, q in itertools.pairwise(stops)))
    return lengths


def test_nodes_of_two_squares():
    navmesh = two_squares()
    centers = navmesh.path_nodes("centers")
    assert centers.positions.tolist() == [[1, 1, 0], [3, 1, 0]]
    assert centers.kinds.tolist() == ["center", "center"]
    assert centers.edges.tolist() == [[0, 1]]
    assert centers.via.tolist() == [[2, 1, 0]]
    assert centers.lengths.tolist() == centers.costs.tolist() == [2.0]
    assert centers.edge_polygons.tolist() == [[0, 1]]
    midpoints = navmesh.path_nodes()
    assert midpoints.positions.tolist() == [[2, 1, 0]]
    assert midpoints.polygons.tolist() == [0, 1]
    assert repr(midpoints) == "PathNodes(1 node, 0 edges)"
    corners = navmesh.path_nodes("corners")
    assert sorted(corners.positions.tolist()) == sorted(navmesh.vertices.tolist())
    assert len(corners.edges) == 11  # six in each square, the side between them once
    assert np.isnan(corners.via).all()
    both = navmesh.path_nodes(["corners", "centers"])
    assert both.kinds.tolist() == ["center"] * 2 + ["corner"] * 6
    assert len(both.edges) == 11 + 8


@pytest.mark.parametrize(
    ("at", "length"),
    [
        # Through the centers (2, 1), (5, 1) and (5, 4), and the middles of sides between them.
        ("centers", math.hypot(1.5, 0.5) + 3 + 3 + math.hypot(0.5, 1.5)),
        ("midpoints", math.hypot(3.5, 0.5) + math.hypot(1, 1) + math.hypot(0.5, 3.5)),
        ("corners", 2 * math.hypot(3.5, 1.5)),
        (PLACES, 2 * math.hypot(3.5, 1.5)),
    ],
)
def test_paths_around_a_bend(at, length):
    navmesh = bend()
    start, goal = (0.5, 0.5, 0), (5.5, 5.5, 0)
    path = navmesh.path_nodes(at).find_path(start, goal)
    assert path.status == "complete"
    assert path.length == pytest.approx(length, abs=1e-12)
    assert path.cost == pytest.approx(length, abs=1e-12)
    assert path.polygons[[0, -1]].tolist() == [0, 2]
    assert path.points[[0, -1]].tolist() == [list(start), list(goal)]


def test_within_a_polygon_the_way_is_straight():
    for at in CHOICES:
        path = two_squares().path_nodes(at).find_path((0.2, 0.3, 0), (1.2, 1.6, 0))
        assert path.points.tolist() == [[0.2, 0.3, 0], [1.2, 1.6, 0]]
        assert path.polygons.tolist() == [0]
    still = two_squares().path_nodes().find_path((1, 1, 0), (1, 1, 0))
    assert (still.status, still.length, len(still.points)) == ("complete", 0.0, 2)


def test_centers_are_centroids():
    trapezium = of_polygons([(0, 0, 5), (4, 0, 5), (2, 3, 5), (0, 3, 5)], [[0, 1, 2, 3]])
    assert trapezium.path_nodes("centers").positions[0] == pytest.approx([14 / 9, 4 / 3, 5])
    far = of_polygons(trapezium.vertices + [5e5, -5e5, 0], [[0, 1, 2, 3]])
    away = far.path_nodes("centers").positions[0] - [5e5, -5e5, 0]
    assert away == pytest.approx([14 / 9, 4 / 3, 5], abs=1e-9)
    line = of_polygons([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [[0, 1, 2]])
    assert line.path_nodes("centers").positions.tolist() == [[1, 0, 0]]


def test_neighbours_with_two_sides_in_common_are_joined_once_over_the_cheaper():
    vertices = [(0, 0, 0), (3, 0, 0), (3, 1, 0), (3, 4, 0), (0, 4, 0), (6, 0, 0), (6, 4, 0)]
    navmesh = of_polygons(vertices, [[0, 1, 2, 3, 4], [1, 5, 6, 3, 2]])
    nodes = navmesh.path_nodes("centers")
    assert nodes.via.tolist() == [[3, 2.5, 0]]
    assert nodes.lengths == pytest.approx([2 * math.hypot(1.5, 0.5)])
    assert len(navmesh.path_nodes().edges) == 1


def test_nobody_squeezes_through_a_vertex():
    vertices = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (4, 2, 0), (4, 4, 0), (2, 4, 0)]
    navmesh = of_polygons(vertices, [[0, 1, 2, 3], [2, 4, 5, 6]])
    nodes = navmesh.path_nodes("corners")
    assert len(nodes.positions) == 8
    assert nodes.find_path((1, 1, 0), (3, 3, 0)).status == "unreachable"
    assert not navmesh.reachable((1, 1, 0), (3, 3, 0))


def test_heights_are_those_of_the_ground():
    top = hills.pyramid(height=1.0).path_nodes("centers")
    assert top.positions.tolist() == [[2, 2, 1]]
    over = hills.pyramid(height=1.0).path_nodes("corners")
    diagonal = over.edges.tolist().index([0, 2])
    assert over.lengths[diagonal] == pytest.approx(2 * math.hypot(2, 2, 1))
    assert over.costs[diagonal] == pytest.approx(math.hypot(4, 4))
    navmesh = hills.two_hills()
    nodes = navmesh.path_nodes(PLACES)
    owners = nodes.polygons[nodes.polygon_offsets[:-1]]
    for node, polygon in enumerate(owners):
        height = hills.ground(navmesh, polygon, nodes.positions[node : node + 1, :2])
        assert nodes.positions[node, 2] == pytest.approx(height[0], abs=1e-9)
    for at in CHOICES:
        path = navmesh.path_nodes(at).find_path((0.4, 0.7, 0), (7.1, 3.3, 0), max_snap=9)
        assert hills.off_ground(navmesh, path) < 1.1e-3
    for edge in np.flatnonzero((nodes.edge_polygons == 0).all(axis=1)):
        ends = nodes.positions[nodes.edges[edge], :2]
        # A path leaves the ground by up to a millimetre, and so is a little shorter.
        assert nodes.lengths[edge] == pytest.approx(hills.polyline(navmesh, *ends), rel=2e-3)


def assert_on_the_ground(navmesh, nodes):
    parts = np.linspace(0.02, 0.98, 9)[:, None]
    ends = nodes.positions[nodes.edges]
    middle = np.where(np.isnan(nodes.via), ends.mean(axis=1), nodes.via)
    on_foot = nodes.edge_links < 0
    for a, b in ((ends[:, 0], middle), (middle, ends[:, 1])):
        places = (a + parts[:, None] * (b - a))[:, on_foot].reshape(-1, 3)
        found = navmesh.nearest(places)
        # On the boundary itself, rounding may put a place beside it.
        assert found.distances.max(initial=0.0) < 1e-6


def assert_inside_polygons(navmesh, nodes):
    """Check that edges stay inside the polygons that they cross, as seen from above."""
    plans = np.array([naive_mesh.plan_polygon(navmesh, p) for p in range(navmesh.polygon_count)])
    plans = shapely.buffer(plans, 1e-6)
    starts, stops = np.moveaxis(nodes.positions[nodes.edges], 1, 0)
    bent = ~np.isnan(nodes.via[:, 0])
    first = np.where(bent[:, None], nodes.via, stops)
    for a, b, polygons in (
        (starts, first, nodes.edge_polygons[:, 0]),
        (first, stops, nodes.edge_polygons[:, 1]),
    ):
        lines = shapely.linestrings(np.stack([measured(navmesh, a), measured(navmesh, b)], axis=1))
        on_foot = nodes.edge_links < 0
        assert shapely.covers(plans[polygons], lines)[on_foot].all()


def measured(navmesh, points):
    """Return points where straight ways cost their length: in plan, or along a surface."""
    return points if navmesh.surface else navmesh.frame.to_plan(points)[:, :2]


def assert_as_networkx(nodes, ends, found):
    """Compare paths from start to goal with those of networkx over the same nodes."""
    navmesh = nodes.navmesh
    graph = nodes.to_networkx()
    owners = np.split(nodes.polygons, nodes.polygon_offsets[1:-1])
    places = measured(navmesh, nodes.positions)
    for (a, b), path in zip(ends, found, strict=True):
        at = navmesh.nearest([a, b])
        graph.add_nodes_from("ab")
        points = measured(navmesh, at.points)
        for node, polygons in enumerate(owners):
            if at.polygons[0] in polygons:
                graph.add_edge("a", node, cost=math.dist(points[0], places[node]))
            if at.polygons[1] in polygons:
                graph.add_edge(node, "b", cost=math.dist(points[1], places[node]))
        if at.polygons[0] == at.polygons[1]:
            graph.add_edge("a", "b", cost=math.dist(*points))
        if path.status == "complete":
            best = networkx.dijkstra_path_length(graph, "a", "b", weight="cost")
            assert path.cost == pytest.approx(best, abs=1e-9)
        else:
            assert not networkx.has_path(graph, "a", "b")
        graph.remove_nodes_from("ab")


def compare(navmesh, at, ends):
    nodes = navmesh.path_nodes(at)
    found = [nodes.find_path(a, b) for a, b in ends]
    assert_as_networkx(nodes, ends, found)
    for (a, b), path in zip(ends, found, strict=True):
        best = navmesh.find_path(a, b)
        assert path.status == best.status
        assert (path.status == "complete") == navmesh.reachable(a, b)
        if path.status == "complete":
            assert path.cost >= best.cost - 1e-9
            assert path.points[[0, -1]] == pytest.approx(best.points[[0, -1]], abs=1e-9)
    return nodes


@given(floors(), st.sampled_from(CHOICES))
@settings(max_examples=25)
def test_paths_are_those_of_networkx(floor, at):
    _, navmesh, start, goal = floor
    others = navmesh_points(navmesh, 3, 4)
    nodes = compare(navmesh, at, [(start, goal), *others.reshape(2, 2, 3)])
    assert_on_the_ground(navmesh, nodes)


@given(st.integers(0, 2**32 - 1), st.sampled_from(CHOICES))
@settings(max_examples=25)
def test_paths_over_random_links(seed, at):
    rng = np.random.default_rng(seed)
    polygons = [rng.integers(3, size=2) + 1 for _ in range(3)]
    parts = [naive_mesh.grid_mesh(*map(int, size)) for size in polygons]
    vertices, offsets, corners = [], [0], []
    for k, part in enumerate(parts):
        corners.extend(part.polygon_vertices + sum(map(len, vertices)))
        vertices.append(part.vertices + 10.0 * k * part.frame.axes[0])
        offsets.extend(part.polygon_offsets[1:] + offsets[-1])
    navmesh = wm.NavMesh(np.concatenate(vertices), offsets, corners, up=parts[0].up)
    starts, goals = navmesh.sample(4, seed).points, navmesh.sample(4, seed + 1).points
    cost = rng.choice([0.0, 0.5, 30.0], size=4)
    linked = navmesh.with_links(starts, goals, two_way=rng.random(4) < 0.5, cost=cost)
    compare(linked, at, navmesh.sample(12, seed + 2).points.reshape(6, 2, 3))


@pytest.mark.parametrize("at", PLACES)
def test_links_become_edges(at):
    links = link((1, 1, 0), (4, 1, 0), (0, 1), False, 7.0)
    nodes = apart(links=links).path_nodes(at)
    assert nodes.kinds[-2:].tolist() == ["link", "link"]
    assert nodes.edges[-1].tolist() == [len(nodes.positions) - 2, len(nodes.positions) - 1]
    assert nodes.edge_links.tolist()[-1] == 0
    assert (nodes.lengths[-1], nodes.costs[-1], nodes.one_way[-1]) == (3.0, 7.0, True)
    there = nodes.find_path((0.5, 1, 0), (4.5, 1, 0))
    assert (there.status, there.length, there.cost) == ("complete", 4.0, 8.0)
    assert there.links.tolist() == [0]
    assert there.polygons.tolist() == [0, 1]
    assert there.points.tolist() == [[0.5, 1, 0], [1, 1, 0], [4, 1, 0], [4.5, 1, 0]]
    assert nodes.find_path((4.5, 1, 0), (0.5, 1, 0)).status == "unreachable"
    assert nodes.to_networkx().is_directed()
    links["two_way"] = True
    both = apart(links=links).path_nodes(at)
    back = both.find_path((4.5, 1, 0), (0.5, 1, 0))
    assert (back.status, back.cost) == ("complete", 8.0)
    assert not both.to_networkx().is_directed()


def test_a_link_inside_a_polygon_is_beside_the_way_on_foot():
    nodes = apart(links=link((0.5, 1, 0), (1.5, 1, 0), (0, 0), False, 0.25)).path_nodes()
    assert nodes.edges.tolist() == [[0, 1], [0, 1]]
    graph = nodes.to_networkx()
    assert graph.edges[0, 1] == {"length": 1.0, "cost": 0.25, "link": 0}
    assert graph.edges[1, 0] == {"length": 1.0, "cost": 1.0}
    assert nodes.find_path((0, 1, 0), (2, 1, 0)).cost == 1.25
    assert nodes.find_path((2, 1, 0), (0, 1, 0)).cost == 2.0


def test_networkx_has_all_attributes():
    graph = two_squares().path_nodes("centers").to_networkx()
    assert dict(graph.nodes(data=True)) == {
        0: {"position": (1.0, 1.0, 0.0), "kind": "center"},
        1: {"position": (3.0, 1.0, 0.0), "kind": "center"},
    }
    assert list(graph.edges(data=True)) == [
        (0, 1, {"length": 2.0, "cost": 2.0, "via": (2.0, 1.0, 0.0)})
    ]


def test_without_networkx_an_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    nodes = two_squares().path_nodes()
    with pytest.raises(ImportError, match=r"pip install 'walkmesh\[plans\]'"):
        nodes.to_networkx()


@pytest.mark.parametrize("at", CHOICES)
def test_on_a_surface(at):
    navmesh = cube(size=2.0)
    nodes = navmesh.path_nodes(at)
    assert nodes.lengths == pytest.approx(lengths_by_hand(navmesh, nodes))
    assert nodes.costs == pytest.approx(nodes.lengths)
    assert_on_the_ground(navmesh, nodes)
    ends = navmesh.sample(24, 4).points.reshape(12, 2, 3)
    compare(navmesh, at, ends)
    rotation = any_rotation(5)
    moved = turned(navmesh, rotation, (3.0, 1.0, 2.0)).path_nodes(at)
    assert moved.positions == pytest.approx(nodes.positions @ rotation.T + (3.0, 1.0, 2.0))
    assert moved.lengths == pytest.approx(nodes.lengths)


def test_centers_over_the_edge_of_a_cube():
    path = cube(size=2.0).path_nodes("centers").find_path((1, 1, 0), (1, 2, 1))
    assert path.length == path.cost == 2.0
    assert path.points.tolist()[1:-1] == [[1, 2, 0]]


@pytest.mark.parametrize("at", CHOICES)
def test_a_navmesh_without_polygons(at):
    for surface in (False, True):
        nodes = wm.NavMesh(np.empty((0, 3)), [0], [], surface=surface).path_nodes(at)
        assert repr(nodes) == "PathNodes(0 nodes, 0 edges)"
        assert len(nodes.lengths) == 0
        assert nodes.find_path((0, 0, 0), (1, 0, 0)).status == "unreachable"
        assert len(nodes.to_networkx()) == 0


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("edges", "at has 'edges'; it must be one or several of 'centers', 'midpoints', 'corners'"),
        (["centers", "corners", "centers"], "at has 'centers' twice"),
        ([], r"at is \[\]; it must be one or several of"),
        (3, "at is 3; it must be one or several of"),
        (["corners", 3], "at has 3; it must be one or several of"),
        ([["corners"]], r"at has \['corners'\]; it must be"),
    ],
)
def test_other_places_are_refused(at, message):
    with pytest.raises(wm.SettingsError, match=message):
        two_squares().path_nodes(at)


def test_bad_points_are_refused():
    nodes = two_squares().path_nodes()
    with pytest.raises(wm.SettingsError, match="start is"):
        nodes.find_path((0, math.nan, 0), (1, 1, 0))
    with pytest.raises(wm.SettingsError, match="max_snap is -1"):
        nodes.find_path((0, 0, 0), (1, 1, 0), max_snap=-1)
    assert nodes.find_path((1, 1, 1), (3, 1, 0)).status == "complete"
    assert nodes.find_path((1, 1, 1), (3, 1, 0), max_snap=0.5).status == "unreachable"
    with pytest.raises(wm.FormatError, match="links has ids out of range"):
        apart(links=link((1, 1, 0), (4, 1, 0), (0, 9), True, 1.0)).path_nodes()


def test_nodes_are_the_same_every_time_in_any_order_and_after_pickling():
    navmesh = hills.two_hills()
    first, second = navmesh.path_nodes(PLACES), navmesh.path_nodes(PLACES[::-1])
    ends = (0.4, 0.7, 0), (7.1, 3.3, 0)
    path = first.find_path(*ends)
    for other in (second, pickle.loads(pickle.dumps(first))):
        for name in ARRAYS:
            array = getattr(other, name)
            assert array.tobytes() == getattr(first, name).tobytes()
            assert array.dtype == getattr(first, name).dtype
            assert not array.flags.writeable
        assert other.find_path(*ends).points.tobytes() == path.points.tobytes()


@pytest.mark.compiled_only
@pytest.mark.parametrize("at", CHOICES)
def test_nodes_of_real_scenes(at):
    for scene in (wm.samples.house(), wm.samples.spiral_stairs(), wm.samples.terrain()):
        navmesh = wm.build(scene)
        nodes = compare(navmesh, at, navmesh.sample(12, 1).points.reshape(6, 2, 3))
        assert_inside_polygons(navmesh, nodes)
        ends = nodes.positions[nodes.edges]
        assert (nodes.lengths >= np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) - 1e-9).all()
        assert (nodes.lengths >= nodes.costs - 1e-9).all()
        for path in (
            nodes.find_path(a, b) for a, b in navmesh.sample(8, 2).points.reshape(4, 2, 3)
        ):
            assert navmesh.nearest(path.points).distances.max(initial=0.0) < 1e-3
