"""Simplification, against GEOS and against the ground and the outline it started from."""

import itertools

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers.merged import make_navmesh
from tests.makers.regions import level, triangle_mesh, triangulated
from walkmesh.builder.kernels.room import measure_room
from walkmesh.builder.polygons import merge_triangles
from walkmesh.builder.simplify import simplify
from walkmesh.kernels.meshes.adjacency import label_components, match_edges

pytestmark = pytest.mark.plain_python


def grid(columns, rows, height=level, size=1.0, present=None):
    """Squares of two triangles each; those that are not present are left out."""
    u, v = np.meshgrid(np.arange(columns + 1), np.arange(rows + 1), indexing="ij")
    u, v = u * size, v * size
    ids = np.arange(u.size).reshape(u.shape)
    present = np.ones((columns, rows), dtype=bool) if present is None else present
    a, b, c, d = (x[present] for x in (ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]))
    return triangle_mesh(
        np.column_stack([u.ravel(), v.ravel(), height(u, v).ravel()]),
        np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]),
    )


def joined(*meshes):
    offsets = np.cumsum([0] + [len(m.points) for m in meshes[:-1]])
    return triangle_mesh(
        np.concatenate([m.points for m in meshes]),
        np.concatenate([m.triangles + o for m, o in zip(meshes, offsets, strict=True)]),
    )


def polygon_count(mesh):
    return len(merge_triangles(mesh, 0.01)[0]) - 1


def plan_triangles(mesh):
    return shapely.polygons(mesh.points[mesh.triangles][:, :, :2])


def outline(mesh):
    return shapely.union_all(plan_triangles(mesh))


def topology(mesh):
    """Return the number of components and, for each fan of triangles a vertex, Euler's number."""
    corners = mesh.triangles.ravel()
    offsets = np.arange(0, len(corners) + 1, 3, dtype=np.int32)
    mates = np.empty(len(corners), dtype=np.int32)
    match_edges(offsets, corners, mates)
    assert mates.min() >= -1  # an edge has at most two triangles
    labels = np.empty(len(mesh.triangles), dtype=np.int32)
    neighbors = np.where(mates >= 0, mates // 3, -1).astype(np.int32)
    components = label_components(offsets, neighbors, labels)
    fans = fan_count(mates)
    edges = len(corners) - np.count_nonzero(mates >= 0) // 2
    return components, fans - edges + len(mesh.triangles)


def fan_count(mates):
    parent = list(range(len(mates)))

    def root(i):
        while parent[i] != i:
            i = parent[i]
        return i

    for edge, mate in enumerate(mates):
        if mate >= 0:  # the corner at the end of the mate is the corner that the edge starts from
            parent[root(edge)] = root(mate - 2 if mate % 3 == 2 else mate + 1)
    return sum(parent[i] == i for i in range(len(mates)))


def heights(mesh, triangles, plan):
    a, b, c = (mesh.points[mesh.triangles[triangles, k]] for k in range(3))
    e, f, d = b - a, c - a, plan - a[:, :2]
    area = e[:, 0] * f[:, 1] - e[:, 1] * f[:, 0]
    at_b = (d[:, 0] * f[:, 1] - d[:, 1] * f[:, 0]) / area
    at_c = (e[:, 0] * d[:, 1] - e[:, 1] * d[:, 0]) / area
    return a[:, 2] + at_b * e[:, 2] + at_c * f[:, 2]


def largest_gap(points, mesh):
    """Return how far, in height, points are from a mesh, where they are above or below it."""
    tree = shapely.STRtree(plan_triangles(mesh))
    which, triangles = tree.query(shapely.points(points[:, :2]), predicate="intersects")
    gaps = np.full(len(points), np.inf)
    np.minimum.at(gaps, which, abs(heights(mesh, triangles, points[which, :2]) - points[which, 2]))
    return gaps[np.isfinite(gaps)].max(initial=0.0)


def assert_sound(mesh, simple, height_tolerance=0.01, boundary_tolerance=0.02):
    """Check everything that is promised, on one level."""
    assert topology(simple) == topology(mesh)
    plans = plan_triangles(simple)
    assert shapely.is_ccw(shapely.get_exterior_ring(plans)).all()
    before, after = outline(mesh), outline(simple)
    assert shapely.area(plans).sum() == pytest.approx(after.area, abs=1e-6)  # nothing overlaps
    assert after.difference(before.buffer(1e-7)).area < 1e-12
    assert before.difference(after.buffer(boundary_tolerance + 2e-6)).area < 1e-9
    assert before.area - after.area <= before.length * max(boundary_tolerance, 2e-6)
    rng = np.random.default_rng(0)
    weights = rng.dirichlet((1, 1, 1), size=len(simple.triangles))
    samples = np.einsum("ij,ijk->ik", weights, simple.points[simple.triangles])
    assert largest_gap(samples, mesh) <= height_tolerance + 1e-7
    assert largest_gap(mesh.points, simple) <= height_tolerance + 1e-7


def house(seed, quad_segs=4):
    """A hall with furniture, shrunk by an agent's radius: arcs at the corners that stand out."""
    rng = np.random.default_rng(seed)
    things = [
        shapely.affinity.rotate(shapely.box(u, v, u + a, v + b), angle)
        for u, v, a, b, angle in rng.uniform((0, 0, 0.2, 0.2, 0), (10, 8, 2, 2, 90), size=(12, 5))
    ]
    hall = shapely.box(0, 0, 10, 8).buffer(-0.3)
    region = hall.difference(shapely.union_all(things).buffer(0.3, quad_segs=quad_segs))
    return shapely.MultiPolygon([p for p in shapely.get_parts(region) if p.area > 0.01])


@pytest.mark.parametrize("slope", [0.0, 0.3])
def test_a_flat_floor_becomes_two_triangles(slope):
    floor = grid(24, 24, lambda u, v: slope * u - 0.1 * v)
    simple, counts = simplify(floor)
    assert len(simple.triangles) == 2
    assert polygon_count(simple) == 1
    assert counts["inner_vertices_removed"] == 23 * 23
    assert counts["boundary_vertices_cut"] == 4 * 23
    assert outline(simple).equals(shapely.box(0, 0, 24, 24))


@pytest.mark.compiled_only
def test_a_large_flat_floor_becomes_one_fine_polygon():
    simple, _ = simplify(grid(100, 100))
    assert len(simple.triangles) == 2


def test_an_l_shape_becomes_its_six_corners():
    present = np.ones((10, 10), dtype=bool)
    present[5:, 5:] = False
    simple, _ = simplify(grid(10, 10, present=present))
    assert len(simple.points) == 6
    assert polygon_count(simple) <= 3


def test_a_room_with_holes_keeps_them():
    present = np.ones((12, 12), dtype=bool)
    present[2:4, 2:4] = present[7:10, 3:5] = present[5, 8] = False
    floor = grid(12, 12, present=present)
    simple, _ = simplify(floor)
    assert len(simple.points) == 4 + 3 * 4
    assert outline(simple).equals(outline(floor))
    assert polygon_count(simple) <= 10


@pytest.mark.parametrize("quad_segs", [2, 8])
@pytest.mark.parametrize("seed", [0, 1])
def test_arcs_lose_most_of_their_vertices(seed, quad_segs):
    mesh = triangulated(house(seed, quad_segs))
    simple, counts = simplify(mesh)
    assert_sound(mesh, simple)
    assert make_navmesh(simple, wm.Agent(), 0.01).validate() == []
    if quad_segs == 8:
        assert counts["boundary_edges_shrunk"] > 0
        assert polygon_count(simple) < 0.6 * polygon_count(mesh)


def test_without_a_tolerance_the_outline_stays():
    mesh = triangulated(house(2))
    simple, counts = simplify(mesh, boundary_tolerance=0.0)
    assert outline(simple).symmetric_difference(outline(mesh)).area < 1e-5
    assert counts["boundary_edges_shrunk"] == 0


@pytest.mark.parametrize("width", [0.01, 0.05, 0.3])
def test_a_corridor_between_two_arcs_stays_open(width):
    # Two pillars with fine outlines, almost touching each other, in a room.
    pillars = [shapely.Point(side * (1.0 + width / 2), 0).buffer(1.0) for side in (-1, 1)]
    mesh = triangulated(shapely.box(-3, -2, 3, 2).difference(shapely.union_all(pillars)))
    simple, counts = simplify(mesh)
    assert_sound(mesh, simple)
    holes = shapely.get_parts(outline(simple))[0].interiors
    assert len(holes) == 2
    gap = shapely.distance(*holes)
    assert gap >= 0.8 * shapely.distance(*pillars)
    assert counts["boundary_edges_shrunk"] > 0


def test_storeys_over_each_other_do_not_see_each_other():
    # Seen from above, the edge of the upper floor is a centimetre from the wall below.
    arc = shapely.box(0, 0, 6, 4).difference(shapely.Point(3, 4.5).buffer(1.0, quad_segs=8))
    below = triangulated(arc)
    above = triangulated(
        shapely.box(0, 3.49 - 3, 6, 3.49).union(shapely.box(0, 2, 1, 3)),
        lambda u, v: 3.0 + level(u, v),
    )
    alone, _ = simplify(below)
    both, _ = simplify(joined(below, above))
    lower = both.points[both.points[:, 2] < 1.0]
    assert sorted(map(tuple, lower)) == sorted(map(tuple, alone.points))
    # On the same level, it would matter.
    near = triangulated(shapely.box(2, 3.51 - 3, 4, 3.49))
    kept, _ = simplify(joined(below, near))
    assert len(kept.points) > len(alone.points)


def test_ramps_stay():
    def height(u, v):
        return np.clip(u - 5.0, 0.0, 4.0) * 0.5 + 0.0 * v

    mesh = grid(14, 6, height)
    simple, _ = simplify(mesh)
    assert polygon_count(simple) == 3
    assert len(simple.points) == 8
    assert_sound(mesh, simple, 1e-9)


@pytest.mark.parametrize("tolerance", [0.01, 0.05, 0.2])
def test_hills_keep_their_height_within_the_tolerance(tolerance):
    def height(u, v):
        return 0.8 * np.sin(u * 0.7) * np.cos(v * 0.6) + 0.05 * np.sin(3 * u + v)

    mesh = grid(30, 30, height, size=0.4)
    simple, _ = simplify(mesh, height_tolerance=tolerance)
    assert len(simple.triangles) < len(mesh.triangles)
    assert_sound(mesh, simple, tolerance)
    coarser, _ = simplify(mesh, height_tolerance=2 * tolerance)
    assert len(coarser.triangles) < len(simple.triangles)


def test_triangles_that_cannot_lose_anything_stay():
    lone = triangle_mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    simple, counts = simplify(lone)
    assert len(simple.triangles) == 1
    assert not any(counts.values())


def test_edges_with_three_triangles_stay():
    points = [(0, 0, 0), (2, 0, 0), (1, 1, 0), (1, -1, 0), (1, 1, 1), (1, 0, 0)]
    triangles = [(0, 5, 2), (5, 1, 2), (0, 3, 5), (3, 1, 5), (0, 5, 4), (5, 1, 4)]
    simple, _ = simplify(triangle_mesh(points, triangles))
    assert len(simple.triangles) == 6


def test_fans_that_touch_in_one_vertex_stay_apart():
    present = np.array([[True, False], [False, True]])
    mesh = grid(2, 2, present=present)
    simple, _ = simplify(mesh)
    assert topology(simple)[0] == 2
    assert outline(simple).equals(outline(mesh))
    assert make_navmesh(simple, wm.Agent(), 0.01).validate() == []


def test_the_result_is_always_the_same():
    mesh = triangulated(house(3, 6))
    one, two = simplify(mesh)[0], simplify(mesh)[0]
    assert one.points.tobytes() == two.points.tobytes()
    assert one.triangles.tobytes() == two.triangles.tobytes()


@st.composite
def rough_meshes(draw):
    """Squares, some missing, with vertices moved a little in plan and in height."""
    columns, rows = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    present = rng.random((columns, rows)) < draw(st.sampled_from([0.6, 0.85, 1.0]))
    present[0, 0] = True
    mesh = grid(columns, rows, size=draw(st.sampled_from([0.05, 0.3, 1.0])), present=present)
    used = np.unique(mesh.triangles)
    points = mesh.points.copy()
    size = 1e-9 + np.ptp(points[:, 0]) / columns
    moved = draw(st.sampled_from([0.0, 1e-7, 0.01, 0.2])) * size
    points[used, :2] += rng.uniform(-moved, moved, size=(len(used), 2))
    points[used, 2] += rng.uniform(0.0, draw(st.sampled_from([0.0, 0.005, 0.05])), size=len(used))
    points[:, 2] += draw(st.sampled_from([0.0, 0.3])) * points[:, 0]
    return triangle_mesh(points, mesh.triangles)


@given(rough_meshes(), st.sampled_from([0.0, 0.01, 0.1]), st.sampled_from([0.0, 0.02, 0.1]))
def test_rough_meshes_keep_all_promises(mesh, height_tolerance, boundary_tolerance):
    simple, _ = simplify(
        mesh, height_tolerance=height_tolerance, boundary_tolerance=boundary_tolerance
    )
    assert_sound(mesh, simple, height_tolerance, boundary_tolerance)


@pytest.mark.compiled_only
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.sampled_from([0.005, 0.02, 0.1]))
def test_rooms_with_fine_arcs_keep_all_promises(seed, quad_segs, boundary_tolerance):
    mesh = triangulated(house(seed, quad_segs), lambda u, v: 0.05 * np.sin(u) * v)
    simple, _ = simplify(mesh, boundary_tolerance=boundary_tolerance)
    assert_sound(mesh, simple, boundary_tolerance=boundary_tolerance)


# Room


def corridor(width, pieces, height=0.0):
    """Return the outline of a strip 6 m long, counter-clockwise, its long sides in pieces."""
    along = np.linspace(0.0, 6.0, pieces + 1)
    sides = [(u, 0.0, height) for u in along], [(u, width, height) for u in along[::-1]]
    return np.array([*sides[0], *sides[1]])


def rooms(outlines, most=0.05, share=0.1, level=1.0):
    """Return the room of every edge of some outlines, one array each."""
    starts = np.cumsum([0, *map(len, outlines)])
    after = np.concatenate(
        [np.roll(np.arange(a, b), -1) for a, b in itertools.pairwise(starts.tolist())]
    ).astype(np.int32)
    room = np.empty(starts[-1])
    measure_room(np.concatenate(outlines), after, most, share, level, room)
    return np.split(room, starts[1:-1])


@pytest.mark.parametrize("angle", [0.0, 17.0, 45.0, 90.0])
@pytest.mark.parametrize("pieces", [1, 2, 9])
def test_sides_of_passages_have_room_for_a_share_of_their_width(pieces, angle):
    widths = [0.001, 0.02, 0.1, 0.3, 0.45, 0.55, 2.0]
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    turn = np.array([(cos, sin), (-sin, cos)])
    outlines = [corridor(width, pieces) + (0.0, 9.0 * k, 0.0) for k, width in enumerate(widths)]
    for outline in outlines:
        outline[:, :2] = outline[:, :2] @ turn
    for width, room in zip(widths, rooms(outlines), strict=True):
        long_sides = np.delete(room, [pieces, 2 * pieces + 1])
        assert long_sides == pytest.approx(min(0.05, 0.1 * width), abs=1e-9)


def test_passages_are_those_of_one_level():
    # Two floors across a gap of air, which is none of their width.
    low, high = corridor(3.0, 4), corridor(3.0, 4, 0.5) + (0.0, 0.02, 0.0)
    for room in rooms([low, high], level=0.3):
        assert room == pytest.approx(0.05)
    narrow = corridor(0.2, 4)
    assert rooms([narrow, corridor(0.2, 4, 2.0)])[0][:4] == pytest.approx(0.02)
