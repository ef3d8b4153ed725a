"""Painted ground: GEOS is the referee of areas, and every triangle that there was of heights."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers import hills
from tests.makers.scenes import SCENES, needs_scenes
from tests.twins import naive_mesh
from walkmesh import LINK_DTYPE
from walkmesh.topology import detail_of, plan_points

CODE = 3


def on_plan(navmesh, outline):
    """Return (k, 2) points of the plan as world points, at any height."""
    heights = np.linspace(-3.0, 5.0, len(outline))
    return navmesh.frame.to_world(np.column_stack([outline, heights]))


def shapes(navmesh):
    return [naive_mesh.plan_polygon(navmesh, i) for i in range(navmesh.polygon_count)]


def painted_area(navmesh):
    return sum(
        shape.area
        for shape, code in zip(shapes(navmesh), navmesh.areas, strict=True)
        if code == CODE
    )


def off_ground(navmesh, places):
    """Return how far places of the plan frame are above or below the ground at most."""
    heights = [hills.ground(navmesh, p, places[:, :2]) for p in range(navmesh.polygon_count)]
    return np.nanmin(np.abs(np.array(heights) - places[:, 2]), axis=0).max()


def assert_painted(before, after, outline, slack=1e-9):
    """Hold a painted navmesh against GEOS, and its ground against the one it was."""
    assert after.validate() == []
    shape = shapely.Polygon(outline)
    expected = sum(polygon.intersection(shape).area for polygon in shapes(before))
    assert painted_area(after) == pytest.approx(expected, abs=slack)
    assert after.area == pytest.approx(before.area, abs=1e-6)
    assert after.component_count == before.component_count
    assert min(2.0 * s.area / s.length for s in shapes(after)) >= 1e-6
    for polygon in np.flatnonzero(after.areas == CODE):
        outside = shapes(after)[polygon].difference(shape)
        assert outside.area <= 2e-6 * outside.length


def random_outline(rng, size, near):
    """Return a simple polygon, most of its corners within `near` of a grid of half metres."""
    while True:
        count = rng.integers(3, 9)
        outline = rng.integers(-2, 2 * size + 3, (count, 2)) / 2.0
        outline += rng.uniform(-near, near, outline.shape)
        shape = shapely.Polygon(outline)
        if shape.is_valid and shape.area > 0.01:
            return outline


# How far corners may be from the vertices and edges of the mesh: on them, closer than the cut can
# tell, about as close, and anywhere.
NEAR = [0.0, 1e-10, 1e-7, 5e-7, 1e-6, 2e-6, 1e-5, 1e-3, 0.25]


@pytest.mark.parametrize("near", NEAR)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.booleans())
def test_the_outline_is_cut_exactly(near, seed, size, flat):
    rng = np.random.default_rng(seed)
    heights = None if flat else rng.uniform(-0.3, 0.3, (size + 1, size + 1))
    navmesh = naive_mesh.grid_mesh(size, size, heights)
    outline = random_outline(rng, size, near)
    painted = navmesh.paint(CODE, polygon=on_plan(navmesh, outline))
    # What lies within a micrometre of the outline may be on either side.
    slack = 1e-9 if near == 0.0 or near > 0.1 else 2e-6 * shapely.Polygon(outline).length
    assert_painted(navmesh, painted, outline, slack)
    assert off_ground(navmesh, navmesh.frame.to_plan(painted.sample(20).points)) < 2e-6
    assert detail_of(painted) is None or not flat
    whole = painted.paint(0, polygon=on_plan(navmesh, outline))
    assert whole.validate() == []
    assert not whole.areas.any()


@given(st.integers(0, 2**32 - 1))
def test_detail_is_cut_along(seed):
    rng = np.random.default_rng(seed)
    navmesh = hills.two_hills(step=0.1 * rng.integers(0, 2))
    outline = random_outline(rng, 8, 0.25) * (1.0, 0.5)
    painted = navmesh.paint(CODE, polygon=on_plan(navmesh, outline))
    assert_painted(navmesh, painted, outline)
    assert off_ground(navmesh, painted.sample(50).points) < 1e-6


def test_vertices_inside_have_the_height_of_the_ground_and_those_on_edges_of_the_edge():
    navmesh = hills.two_hills()
    painted = navmesh.paint(CODE, polygon=[(2, 1, 0), (6, 1, 0), (6, 3, 0), (2, 3, 0)])
    corners = painted.vertices[np.unique(painted.polygon_vertices)]
    inside = corners[(corners[:, 0] == 2) & (corners[:, 1] == 1)]
    assert inside[:, 2] == pytest.approx(hills.wave(2, 1))
    ends = navmesh.vertices[navmesh.polygon_vertices]
    ends = ends[ends[:, 0] == 4]
    low, high = ends[ends[:, 1] == 0][0], ends[ends[:, 1] == 4][0]
    shared = corners[(corners[:, 0] == 4) & (corners[:, 1] == 3)]
    assert shared[:, 2] == pytest.approx([low[2] + 0.75 * (high[2] - low[2])])


def test_a_rectangle_in_one_polygon():
    navmesh = naive_mesh.grid_mesh(1, 1)
    painted = navmesh.paint(7, box=[(0.25, -1, 0.5), (0.75, 1, 0.75)])
    assert painted.areas.tolist().count(7) == 1
    assert painted.polygon_count == 5
    corners = painted.polygon(int(painted.areas.argmax())).tolist()
    assert sorted(corners) == [[0.25, 0, 0.5], [0.25, 0, 0.75], [0.75, 0, 0.5], [0.75, 0, 0.75]]
    assert (navmesh.areas == 0).all()


def test_an_outline_along_edges_cuts_nothing():
    navmesh = naive_mesh.grid_mesh(4, 4)
    painted = navmesh.paint(CODE, box=[(1, -1, 1), (3, 1, 4)])
    assert painted.polygon_count == 16
    assert painted.vertices.tolist() == navmesh.vertices.tolist()
    assert painted_area(painted) == 6.0
    again = painted.paint(CODE, box=[(1.5, -1, 1.5), (2.5, 1, 2.5)])
    assert again.polygon_count == 16  # it is of this kind already
    elsewhere = painted.paint(CODE, box=[(10, -1, 10), (11, 1, 11)])
    assert elsewhere is painted


def test_a_cut_through_corners_needs_no_vertex():
    navmesh = naive_mesh.grid_mesh(1, 1)
    painted = navmesh.paint(CODE, polygon=[(0, 0, 0), (0, 0, 1), (1, 0, 1)])
    assert len(painted.vertices) == 4
    assert painted.areas.tolist() in ([0, CODE], [CODE, 0])


def test_a_shape_of_many_corners():
    navmesh = naive_mesh.grid_mesh(20, 20)
    angle = np.arange(300) * 2 * np.pi / 300
    radius = 7 + 2 * np.cos(5 * angle)
    outline = np.column_stack([10 + radius * np.cos(angle), 9.7 + radius * np.sin(angle)])
    painted = navmesh.paint(CODE, polygon=on_plan(navmesh, outline))
    assert_painted(navmesh, painted, outline)


def test_corners_that_repeat_count_once():
    navmesh = naive_mesh.grid_mesh(2, 2)
    outline = [(0.5, 0.5), (0.5, 0.5), (0.5, 0.5 + 1e-8), (0.5, 1.5), (1.5, 1), (0.5, 0.5)]
    painted = navmesh.paint(CODE, polygon=on_plan(navmesh, np.array(outline)))
    assert_painted(navmesh, painted, outline, slack=1e-7)
    assert painted.polygon_count < 20


def storeys(gap=3.0):
    """Return two floors of 4 squares each, one above the other."""
    floor = naive_mesh.grid_mesh(2, 2)
    return wm.NavMesh(
        np.concatenate([floor.vertices, floor.vertices + (0, gap, 0)]),
        np.arange(0, 33, 4),
        np.concatenate([floor.polygon_vertices, floor.polygon_vertices + len(floor.vertices)]),
    )


def test_only_between_the_heights():
    navmesh = storeys()
    box = [(0.5, 2, 0.5), (1.5, 4, 1.5)]
    outline = [(0.5, 9, 0.5), (0.5, 0, 1.5), (1.5, 0, 1.5), (1.5, 0, 0.5)]
    for painted in (
        navmesh.paint(CODE, box=box),
        navmesh.paint(CODE, box=box[::-1]),
        navmesh.paint(CODE, polygon=outline, lowest=2),
    ):
        assert painted.validate() == []
        assert painted_area(painted) == pytest.approx(1.0)
        heights = {y for p in np.flatnonzero(painted.areas) for y in painted.polygon(p)[:, 1]}
        assert heights == {3.0}
        assert painted.polygon_count > 8
        assert painted.polygon_offsets[:5].tolist() == [0, 4, 8, 12, 16]  # the floor below is whole
    assert painted_area(navmesh.paint(CODE, polygon=outline)) == pytest.approx(2.0)
    assert painted_area(navmesh.paint(CODE, polygon=outline, highest=2.9)) == pytest.approx(1.0)
    assert navmesh.paint(CODE, polygon=outline, lowest=1, highest=2) is navmesh


def test_a_slope_is_painted_where_the_middle_of_a_part_is_between_the_heights():
    slope = naive_mesh.grid_mesh(2, 1, np.array([[0, 0], [1, 1], [2, 2]]))
    painted = slope.paint(CODE, polygon=[(0, 0, 0), (0, 0, 1), (2, 0, 1), (2, 0, 0)], highest=1.0)
    assert painted.areas.tolist() == [CODE, 0]


def test_polygons_that_only_lie_beside_each_other_stay_unconnected_and_sound():
    square = naive_mesh.grid_mesh(1, 1)
    navmesh = wm.NavMesh(
        np.concatenate([square.vertices, square.vertices + (1, 0, 0)]),
        [0, 4, 8],
        np.concatenate([square.polygon_vertices, square.polygon_vertices + 4]),
    )
    assert navmesh.validate() == []
    painted = navmesh.paint(CODE, box=[(0.5, -1, 0.25), (1.5, 1, 0.75)])
    assert painted.validate() == []
    assert painted.component_count == 2
    assert painted_area(painted) == pytest.approx(0.5)
    left = navmesh.paint(CODE, box=[(0.5, -1, 0.25), (1.0, 1, 0.75)])
    assert left.validate() == []
    assert left.component_count == 2


def test_links_stay_where_they_are_and_know_their_new_polygons():
    navmesh = storeys().with_links([(0.2, 0, 0.2), (0.75, 0, 0.75)], [(1.9, 3, 1.9), (0.9, 3, 0.9)])
    painted = navmesh.paint(CODE, box=[(0.5, -1, 0.5), (0.875, 9, 0.875)])
    assert painted.validate() == []
    assert painted.links["start"].tolist() == navmesh.links["start"].tolist()
    assert painted.links["goal"].tolist() == navmesh.links["goal"].tolist()
    for end in ("start", "goal"):
        located = painted.nearest(painted.links[end])
        assert painted.links[f"{end}_polygon"].tolist() == located.polygons.tolist()
    assert painted.areas[painted.links["start_polygon"]].tolist() == [0, CODE]
    assert painted.areas[painted.links["goal_polygon"]].tolist() == [0, 0]


@pytest.mark.parametrize("up", ["x", "y", "z", (0, -1, 0), (0.1, 0.7, -0.2)])
@pytest.mark.parametrize("offset", [(0, 0, 0), (500_000, 300, -450_000)])
def test_any_up_and_any_place(up, offset):
    flat = naive_mesh.grid_mesh(6, 6, np.random.default_rng(2).uniform(-0.3, 0.3, (7, 7)))
    frame = wm.frame.Frame(wm.frame.up_vector(up))
    navmesh = wm.NavMesh(
        frame.to_world(plan_points(flat)) + offset,
        flat.polygon_offsets,
        flat.polygon_vertices,
        up=up,
        agent=wm.Agent(radius=0.2),
    )
    outline = np.array([(0.7, 0.3), (5.2, 1.1), (2.6, 2.4), (3.3, 4.9)])
    world = frame.to_world(np.column_stack([outline, np.zeros(4)])) + offset
    painted = navmesh.paint(CODE, polygon=world)
    assert_painted(navmesh, painted, navmesh.frame.to_plan(world)[:, :2], slack=1e-6)
    assert (painted.agent, painted.up, painted.report) == (navmesh.agent, navmesh.up, None)
    again = navmesh.paint(CODE, polygon=world)
    assert again.vertices.tobytes() == painted.vertices.tobytes()
    assert again.polygon_vertices.tobytes() == painted.polygon_vertices.tobytes()
    old = painted.vertices[: len(navmesh.vertices)]
    assert old.tobytes() == navmesh.vertices.tobytes()


def test_the_report_is_kept():
    navmesh = wm.build(wm.samples.floor())
    assert navmesh.paint(CODE, box=[(1, -1, 1), (2, 1, 2)]).report == navmesh.report


def test_painted_navmeshes_are_saved(tmp_path):
    painted = hills.two_hills().paint(CODE, polygon=[(1, 1, 0), (6, 1, 0), (5, 3, 0)])
    for suffix in (".walkmesh", ".obj", ".glb", ".ply"):
        painted.save(tmp_path / f"a{suffix}")
        loaded = wm.load_navmesh(tmp_path / f"a{suffix}")
        assert loaded.areas.tolist() == painted.areas.tolist()
        assert loaded.validate() == []


def test_a_painted_house():
    navmesh = wm.build(wm.samples.house())
    low, high = plan_points(navmesh).min(axis=0), plan_points(navmesh).max(axis=0)
    rng = np.random.default_rng(4)
    for _ in range(4):
        outline = shapely.MultiPoint(rng.uniform(low[:2], high[:2], (6, 2))).convex_hull
        corners = shapely.get_coordinates(outline)[:-1]
        painted = navmesh.paint(CODE, polygon=on_plan(navmesh, corners))
        assert_painted(navmesh, painted, corners, slack=1e-6)


@needs_scenes
@pytest.mark.parametrize("name", ["recast/dungeon.obj", "recast/undulating.obj"])
def test_real_scenes(name):
    navmesh = wm.build(wm.load_scene(SCENES / name))
    (low_u, low_v), (high_u, high_v) = (
        plan_points(navmesh)[:, :2].min(axis=0),
        plan_points(navmesh)[:, :2].max(axis=0),
    )
    u, v = (low_u + high_u) / 2.0, (low_v + high_v) / 2.0
    outline = np.array([(low_u, v), (u, low_v), (high_u, v), (u, v), (u, high_v)])
    painted = navmesh.paint(CODE, polygon=on_plan(navmesh, outline))
    assert painted.validate() == navmesh.validate() == []
    expected = shapely.intersection(shapes(navmesh), shapely.Polygon(outline))
    assert painted_area(painted) == pytest.approx(shapely.area(expected).sum(), abs=1e-6)


def test_areas_of_all_polygons():
    navmesh = naive_mesh.grid_mesh(2, 1).with_links((0.5, 0, 0.5), (1.5, 0, 0.5))
    assert navmesh.with_areas([4, 255]).areas.tolist() == [4, 255]
    assert navmesh.with_areas(9).areas.tolist() == [9, 9]
    assert len(navmesh.with_areas(9).links) == 1
    for wrong in ([1], [1, 2, 3], [1.5, 2], [0, 256], -1, "a", [[1, 2]]):
        with pytest.raises(wm.SettingsError, match=r"^areas "):
            navmesh.with_areas(wrong)


def test_an_empty_navmesh():
    empty = wm.NavMesh([], [0], [])
    assert empty.paint(1, box=[(0, 0, 0), (1, 1, 1)]).polygon_count == 0
    assert empty.with_areas([]).polygon_count == 0


TRIANGLE = [(0, 0, 0), (0, 0, 1), (1, 0, 1)]


@pytest.mark.parametrize(
    ("area", "arguments", "words"),
    [
        (256, {"polygon": TRIANGLE}, "area is 256; it must be a whole number from 0 to 255"),
        (-1, {"polygon": TRIANGLE}, "area is -1"),
        (1.5, {"polygon": TRIANGLE}, "area is 1.5"),
        (True, {"polygon": TRIANGLE}, "area is True"),
        ("mud", {"polygon": TRIANGLE}, "area is 'mud'"),
        ([1], {"polygon": TRIANGLE}, r"area is \[1\]"),
        (1, {}, "polygon is None, and so is box"),
        (1, {"polygon": TRIANGLE, "box": TRIANGLE[:2]}, "both given"),
        (1, {"polygon": TRIANGLE[:2]}, "polygon has 2 corners; it must have at least 3"),
        (1, {"polygon": [(0, 0), (1, 1), (1, 0)]}, r"polygon has shape \(3, 2\)"),
        (1, {"polygon": "here"}, "polygon is 'here'"),
        (1, {"polygon": [*TRIANGLE, (np.nan, 0, 0)]}, r"polygon\[3\] is \(nan, 0, 0\)"),
        (1, {"polygon": [(0, 0, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1)]}, "self-intersection"),
        (1, {"polygon": [(0, 0, 0), (0, 1, 0), (0, 2, 0)]}, "polygon"),
        (1, {"polygon": [(0, 0, 0), (1, 0, 1e-7), (2, 0, 0)]}, "polygon has an area of 1e-07 m2"),
        (1, {"polygon": TRIANGLE, "lowest": 2, "highest": 1}, "lowest is 2"),
        (1, {"polygon": TRIANGLE, "lowest": "low"}, "lowest is 'low'"),
        (1, {"polygon": TRIANGLE, "highest": float("nan")}, "highest is nan"),
        (1, {"box": TRIANGLE}, "box has 3 corners; it must have 2"),
        (1, {"box": [(0, 0, 0), (0, 1, 1)]}, "box"),
        (1, {"box": [(0, 0, 0), (1, 1, 1)], "lowest": 1}, "a box has its own heights"),
    ],
)
def test_what_cannot_be_painted(area, arguments, words):
    with pytest.raises(wm.SettingsError, match=words) as raised:
        naive_mesh.grid_mesh(1, 1).paint(area, **arguments)
    assert "\n" not in str(raised.value)


def test_a_box_needs_an_up_along_an_axis():
    navmesh = wm.NavMesh([], [0], [], up=(0.1, 0.7, -0.2))
    with pytest.raises(wm.SettingsError, match="box stands along the axes, but up is"):
        navmesh.paint(1, box=[(0, 0, 0), (1, 1, 1)])


def test_links_to_polygons_that_do_not_exist_stay_that_way():
    links = np.zeros(1, dtype=LINK_DTYPE)
    links["goal_polygon"] = 9
    square = naive_mesh.grid_mesh(1, 1)
    navmesh = wm.NavMesh(square.vertices, [0, 4], square.polygon_vertices, links=links)
    painted = navmesh.paint(CODE, box=[(0.5, -1, 0.5), (2, 1, 2)])
    assert painted.links["goal_polygon"].tolist() == [9]
