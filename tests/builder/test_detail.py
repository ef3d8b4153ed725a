"""Detail triangles: the height of the ground inside polygons that are convex in plan alone."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers.hills import (
    ground,
    hill,
    off_ground,
    one_hill,
    polyline,
    pyramid,
    two_hills,
    wave,
)
from tests.twins import naive_mesh
from walkmesh.builder.stage import Stage
from walkmesh.topology import detail_of
from walkmesh.viewer.ink import polygon_edges
from walkmesh.viewer.picture import save_picture

pytestmark = pytest.mark.plain_python


class TestMaking:
    def test_arrays_are_kept_and_read_only(self):
        vertices, corners, triangles = hill()
        owners = np.zeros(len(triangles), dtype=np.int64)
        navmesh = wm.NavMesh(
            vertices, [0, 4], corners, triangles=triangles, triangle_polygons=owners, up="z"
        )
        assert navmesh.triangles.dtype == navmesh.triangle_polygons.dtype == np.int32
        assert not navmesh.triangles.flags.writeable
        assert not navmesh.triangle_polygons.flags.writeable
        assert (navmesh.triangles == triangles).all()
        triangles[0] = 0
        assert navmesh.triangles[0].tolist() != [0, 0, 0]
        assert navmesh.triangle_offsets.tolist() == [0, len(triangles)]
        assert navmesh.validate() == []

    def test_derived_triangles_are_as_before(self):
        navmesh = naive_mesh.grid_mesh(3, 2)
        assert detail_of(navmesh) is None
        assert navmesh.triangles.shape == (12, 3)
        assert navmesh.triangle_polygons.tolist() == np.repeat(range(6), 2).tolist()
        assert navmesh.triangle_offsets.tolist() == list(range(0, 14, 2))

    def test_area_is_that_of_the_triangles_in_space(self):
        # Four sides, each a triangle over 4 m and as high as the slope is long.
        assert pyramid(1.5).area == pytest.approx(4 * 4.0 * math.hypot(2.0, 1.5) / 2.0)
        flat = wm.NavMesh(pyramid().vertices[:4], [0, 4], range(4), up="z")
        assert flat.area == 16.0

    def test_one_without_the_other(self):
        square = naive_mesh.grid_mesh(1, 1)
        arrays = (square.vertices, square.polygon_offsets, square.polygon_vertices)
        with pytest.raises(wm.SettingsError, match="triangles is given without triangle_polygons"):
            wm.NavMesh(*arrays, triangles=[(0, 1, 2)])
        with pytest.raises(wm.SettingsError, match="triangle_polygons is given without triangles"):
            wm.NavMesh(*arrays, triangle_polygons=[0])

    @pytest.mark.parametrize(
        ("triangles", "owners", "words"),
        [
            ([0, 1, 2], [0], "triangles has shape"),
            ([(0, 1, 2, 3)], [0], "triangles has shape"),
            ([(0, 1, 2), (0, 1)], [0, 0], "triangles is not"),
            ([(0, 1, 0.5)], [0], "triangles is of type"),
            ([(0, 1, 2**40)], [0], "triangles has values beyond"),
            ([(0, 1, 2)], [0, 0], "triangle_polygons has shape"),
            ([(0, 1, 2)], [0.5], "triangle_polygons is of type"),
            ([(0, 1, 2), (0, 2, 3)], [1, 0], "triangle_polygons does not ascend"),
        ],
    )
    def test_arrays_that_do_not_fit_together(self, triangles, owners, words):
        square = naive_mesh.grid_mesh(1, 1)
        with pytest.raises(wm.FormatError, match=words):
            wm.NavMesh(
                square.vertices,
                square.polygon_offsets,
                square.polygon_vertices,
                triangles=triangles,
                triangle_polygons=owners,
            )

    @pytest.mark.parametrize(
        ("triangles", "owners", "words"),
        [
            ([(0, 1, 4)], [0], "triangles has ids out of range"),
            ([(0, 1, -1)], [0], "triangles has ids out of range"),
            ([(0, 1, 2)], [1], "triangle_polygons has ids out of range"),
            ([(0, 1, 2)], [-1], "triangle_polygons has ids out of range"),
        ],
    )
    def test_ids_that_would_lead_astray(self, tmp_path, triangles, owners, words):
        square = naive_mesh.grid_mesh(1, 1)
        navmesh = wm.NavMesh(
            square.vertices,
            square.polygon_offsets,
            square.polygon_vertices,
            triangles=triangles,
            triangle_polygons=owners,
        )
        assert {v.kind for v in navmesh.validate()} == {"triangle"}
        assert "not usable" in repr(navmesh)
        for ask in (
            lambda: navmesh.find_path((0, 0, 0), (1, 0, 1)),
            lambda: navmesh.nearest([(0, 0, 0)]),
            lambda: navmesh.area,
            lambda: navmesh.triangle_polygons,
            lambda: navmesh.save(tmp_path / "broken.walkmesh"),
        ):
            with pytest.raises(wm.FormatError, match=words):
                ask()


class TestQueries:
    def test_nearest_is_on_the_hill(self):
        navmesh = one_hill()
        rng = np.random.default_rng(1)
        places = rng.uniform(0.0, 4.0, size=(50, 2))
        on_it = np.column_stack([places, ground(navmesh, 0, places)])
        found = navmesh.nearest(on_it)
        assert found.points == pytest.approx(on_it, abs=1e-9)
        assert found.distances == pytest.approx(0.0, abs=1e-9)
        assert (found.polygons == 0).all()
        above = rng.uniform((-1, -1, -2), (5, 5, 2), size=(20, 3))
        for point, distance in zip(above, navmesh.nearest(above).distances, strict=True):
            assert distance == pytest.approx(naive_mesh.nearest(navmesh, point), abs=1e-9)

    def test_a_path_over_a_peak(self):
        path = pyramid(1.0).find_path((0.5, 2.0, 0.25), (3.5, 2.0, 0.25))
        assert path.status == "complete"
        assert path.points == pytest.approx(
            np.array([(0.5, 2, 0.25), (2, 2, 1), (3.5, 2, 0.25)]), abs=1e-12
        )
        assert path.length == pytest.approx(2.0 * math.hypot(1.5, 0.75))
        # Past the peak it crosses two ridges, at u - v = 0 and u + v = 4.
        path = pyramid(1.0).find_path((0.5, 1.5, 0.25), (3.5, 1.5, 0.25))
        assert path.points == pytest.approx(
            np.array([(0.5, 1.5, 0.25), (1.5, 1.5, 0.75), (2.5, 1.5, 0.75), (3.5, 1.5, 0.25)]),
            abs=1e-12,
        )

    def test_a_bump_that_does_not_matter_makes_no_points(self):
        ends = (0.5, 1.5, 0.0), (3.5, 1.5, 0.0)
        assert len(pyramid(0.0009).find_path(*ends).points) == 2
        assert len(pyramid(0.0060).find_path(*ends).points) == 4

    @given(st.integers(0, 2**32 - 1))
    def test_paths_lie_on_the_ground(self, seed):
        navmesh = two_hills(cells=(16, 5)) if seed % 2 else one_hill()
        rng = np.random.default_rng(seed)
        high = (8.0, 4.0) if seed % 2 else (4.0, 4.0)
        # Some of them along lines of the grid, and along the outline.
        ends = rng.uniform((0.0, 0.0), high, size=(2, 2))
        if rng.random() < 0.4:
            ends[:, 1] = rng.choice([0.0, 0.25, 1.0, 2.0, 4.0])
        start, goal = ([*end, wave(*end)] for end in ends)
        path = navmesh.find_path(start, goal)
        assert path.status == "complete"
        assert off_ground(navmesh, path, samples=12) <= 1e-3 + 1e-9

    def test_the_length_is_that_of_the_ground(self):
        for navmesh, start, goal in (
            (one_hill(cells=4), (0.3, 0.2), (3.9, 3.1)),
            (one_hill(cells=4), (0.3, 2.0), (3.9, 2.0)),
            (two_hills(cells=(4, 4)), (0.3, 0.2), (7.9, 3.1)),
        ):
            ends = [[*end, wave(*end)] for end in (start, goal)]
            path = navmesh.find_path(*ends, max_snap=2.0)
            plan = path.points[[0, -1], :2]
            assert path.length == pytest.approx(polyline(navmesh, *plan), rel=1e-4)

    def test_an_edge_between_polygons_follows_the_ground_and_is_no_gap(self):
        navmesh = two_hills()
        assert navmesh.validate() == []
        path = navmesh.find_path((1.0, 2.0, wave(1, 2)), (7.0, 2.1, wave(7, 2.1)))
        assert path.polygons.tolist() == [0, 1]
        # The edge runs straight from corner to corner, the ground far below or above it.
        assert abs(wave(4.0, 2.05) - (wave(4.0, 0.0) + wave(4.0, 4.0)) / 2) > 0.1
        assert off_ground(navmesh, path) <= 1e-3 + 1e-9
        assert np.diff(path.points[:, 0]).min() > 0.0

    def test_a_step_between_polygons_is_taken_upright(self):
        for step, points_there in ((0.0005, 1), (0.2, 2)):
            navmesh = two_hills(step)
            path = navmesh.find_path((3.9, 2.0, wave(3.9, 2)), (4.1, 2.0, wave(4.1, 2) + step))
            there = path.points[np.abs(path.points[:, 0] - 4.0) < 1e-9]
            assert len(there) == points_there
            assert off_ground(two_hills(step), path) <= (1e-3 + 1e-9 if step < 1e-3 else 0.1)
            if points_there == 2:
                assert there[1, 2] - there[0, 2] == pytest.approx(step)

    def test_a_path_along_the_outline_where_triangles_fall_short_of_it(self):
        vertices = np.array(pyramid(1.0).vertices)
        inner = np.array([(0, 0), (4, 0), (4, 4), (0, 4)]) * (1 - 4e-6) + 8e-6
        vertices = np.concatenate([vertices, np.column_stack([inner, np.zeros(4)])])
        sides = [(5, 6, 4), (6, 7, 4), (7, 8, 4), (8, 5, 4)]
        navmesh = wm.NavMesh(
            vertices, [0, 4], range(4), triangles=sides, triangle_polygons=[0] * 4, up="z"
        )
        assert navmesh.validate() == []
        path = navmesh.find_path((0, 0, 0), (4, 0, 0))
        assert path.length == pytest.approx(4.0, abs=1e-4)
        path = navmesh.find_path((0, 2, 0), (4, 2, 0))
        assert path.length == pytest.approx(2 * math.hypot(2.0, 1.0), abs=1e-4)

    def test_start_is_goal(self):
        path = pyramid().find_path((2, 2, 1), (2, 2, 1))
        assert path.length == 0.0

    def test_y_up_and_far_away(self):
        here = pyramid()
        vertices = here.vertices[:, [1, 2, 0]] + (450_000.0, 0.0, -450_000.0)
        there = wm.NavMesh(
            vertices, [0, 4], range(4), triangles=here.triangles, triangle_polygons=[0] * 4
        )
        assert there.validate() == []
        path = there.find_path(*(vertices[4] + np.array([(1.5, -0.75, 0), (-1.5, -0.75, 0)])))
        assert path.length == pytest.approx(2.0 * math.hypot(1.5, 0.75), abs=1e-6)


def changed(navmesh, **arrays):
    names = ("vertices", "polygon_offsets", "polygon_vertices", "triangles", "triangle_polygons")
    values = {name: getattr(navmesh, name) for name in names} | arrays
    return wm.NavMesh(**values, agent=navmesh.agent, up=navmesh.up)


class TestValidate:
    def one_violation(self, navmesh):
        (violation,) = navmesh.validate()
        assert violation.kind == "triangle"
        assert violation.edge is None
        return violation

    def test_vertex_out_of_range(self):
        for vertex in (-1, 5, 2**30):
            triangles = pyramid().triangles.copy()
            triangles[2, 1] = vertex
            found = self.one_violation(changed(pyramid(), triangles=triangles))
            assert found.polygon == 0
            assert f"triangle 2 of polygon 0 has vertex {vertex}; there are 5" in str(found)

    def test_owner_out_of_range(self):
        for owners, triangle in (([-1, 0, 0, 0], 0), ([0, 0, 0, 7], 3)):
            found = changed(pyramid(), triangle_polygons=owners).validate()
            assert f"triangle {triangle} belongs to polygon" in str(found[0])
            assert found[0].polygon is None
            assert "cover 12 m2 of its 16 m2" in str(found[1])
            assert {v.kind for v in found} == {"triangle"}

    def test_wound_the_wrong_way(self):
        triangles = pyramid().triangles.copy()
        triangles[1] = triangles[1, ::-1]
        found = self.one_violation(changed(pyramid(), triangles=triangles))
        assert "triangle 1 of polygon 0 is clockwise seen from above" in str(found)

    def test_no_area(self):
        triangles = np.concatenate([pyramid().triangles, [(0, 4, 4)]])
        found = self.one_violation(
            changed(pyramid(), triangles=triangles, triangle_polygons=[0] * 5)
        )
        assert "triangle 4 of polygon 0 has an area of 0 m2" in str(found)

    @pytest.mark.parametrize("count", [3, 1])
    def test_triangles_that_are_missing(self, count):
        few = changed(
            pyramid(), triangles=pyramid().triangles[:count], triangle_polygons=[0] * count
        )
        found = self.one_violation(few)
        assert f"the triangles of polygon 0 cover {4 * count} m2 of its 16 m2" in str(found)

    def test_a_triangle_twice(self):
        triangles = pyramid().triangles[[0, 1, 2, 3, 3]]
        found = self.one_violation(
            changed(pyramid(), triangles=triangles, triangle_polygons=[0] * 5)
        )
        assert "cover 20 m2 of its 16 m2" in str(found)

    def test_a_polygon_without_triangles(self):
        navmesh = two_hills()
        first = navmesh.triangle_polygons == 0
        found = changed(
            navmesh,
            triangles=navmesh.triangles[first],
            triangle_polygons=np.zeros(first.sum()).astype(int),
        ).validate()
        assert {v.kind for v in found} == {"triangle", "vertex unused"}
        assert "the triangles of polygon 1 cover 0 m2" in str(found[-1])

    @pytest.mark.parametrize(("distance", "count"), [(9e-6, 0), (1.2e-5, 2), (0.5, 2)])
    def test_reaching_out(self, distance, count):
        navmesh = pyramid()
        vertices = np.concatenate([navmesh.vertices, [(2, -distance, 0)]])
        triangles = [(0, 5, 4), (5, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]
        found = changed(
            navmesh, vertices=vertices, triangles=triangles, triangle_polygons=[0] * 5
        ).validate()
        assert [v.kind for v in found] == ["triangle"] * count
        for t, violation in enumerate(found):
            assert f"triangle {t} of polygon 0 reaches {distance:.3g} m out of it" in str(violation)

    def test_a_side_that_bends_by_less_than_matters(self):
        # The line of the short edge at the bend cuts off a third of the polygon.
        vertices = [(0, 0, 0), (2, 9e-6, 0), (2.01, 0, 0), (4, 0, 0), (4, 4, 0), (0, 4, 0)]
        plain = wm.NavMesh(vertices, [0, 6], range(6), up="z")
        assert plain.validate() == []
        given_too = wm.NavMesh(
            vertices,
            [0, 6],
            range(6),
            triangles=plain.triangles,
            triangle_polygons=[0] * 4,
            up="z",
        )
        assert given_too.validate() == []

    def test_an_unused_vertex(self):
        vertices = np.concatenate([pyramid().vertices, [(1, 1, 0)]])
        (found,) = changed(pyramid(), vertices=vertices).validate()
        assert found.kind == "vertex unused"

    def test_a_vertex_of_triangles_alone_is_not_finite(self):
        vertices = pyramid().vertices.copy()
        vertices[4, 2] = np.nan
        assert {v.kind for v in changed(pyramid(), vertices=vertices).validate()} == {
            "vertex not finite"
        }

    @pytest.mark.parametrize("gap", [1.0, 3.0])
    def test_overlaps_go_by_the_height_of_the_triangles(self, gap):
        # A flat square above the peak: its corners are far above those of the polygon below.
        peak = pyramid(5.0)
        above = [(1.9, 1.9, 5.0), (2.1, 1.9, 5.0), (2.1, 2.1, 5.0), (1.9, 2.1, 5.0)]
        roof = np.array(above) + (0.0, 0.0, gap)
        navmesh = wm.NavMesh(
            np.concatenate([peak.vertices, roof]),
            [0, 4, 8],
            [0, 1, 2, 3, 5, 6, 7, 8],
            triangles=[*peak.triangles.tolist(), (5, 6, 7), (5, 7, 8)],
            triangle_polygons=[0] * 4 + [1] * 2,
            up="z",
        )
        found = [v.kind for v in navmesh.validate()]
        assert found == (["overlap"] if gap < navmesh.agent.height else [])
        # Down in a pit the ground is far from a roof at the height of the corners.
        pit = changed(
            navmesh,
            vertices=np.concatenate(
                [np.array(peak.vertices) * (1, 1, -1), roof * (1, 1, 0) + (0, 0, gap - 3.0)]
            ),
        )
        assert pit.validate() == []

    @pytest.mark.parametrize("width", [5e-7, 3e-6, 1e-3])
    def test_overlaps_of_given_and_derived_triangles_are_alike(self, width):
        squares = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
        vertices = [*squares, *(np.array(squares) + (1 - width, 0.25, 0.5))]
        derived = wm.NavMesh(vertices, [0, 4, 8], range(8), up="z")
        same = changed(derived)
        assert detail_of(same) is not None
        assert derived.validate() == same.validate()
        assert len(same.validate()) == (width > 1e-6)

    def test_triangles_that_reach_over_the_edge_by_little_are_no_overlap(self):
        vertices = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, 0, 0), (2, 1, 0)]
        navmesh = wm.NavMesh(
            [*vertices, (1 + 9e-6, 0.5, 0), (1 - 9e-6, 0.5, 0)],
            [0, 4, 8],
            [0, 1, 2, 3, 1, 4, 5, 2],
            triangles=[(0, 1, 6), (0, 6, 3), (6, 2, 3), (1, 4, 7), (4, 5, 7), (5, 2, 7)],
            triangle_polygons=[0] * 3 + [1] * 3,
            up="z",
        )
        assert navmesh.validate() == []


def test_edges_are_drawn_on_the_ground(tmp_path):
    navmesh = two_hills()
    for edges, length in zip(polygon_edges(navmesh), (4.0, 24.0), strict=True):
        assert np.hypot(*(edges[:, 1] - edges[:, 0])[:, :2].T).sum() == pytest.approx(length)
        middles = edges.mean(axis=1)
        heights = [ground(navmesh, p, middles[:, :2]) for p in (0, 1)]
        assert np.nanmax(np.abs(np.array(heights) - middles[:, 2])) <= 1e-3
    save_picture(tmp_path / "hills.png", navmesh)


@dataclass(frozen=True)
class Given:
    """A way to build that has its navmesh already."""

    stage_names: ClassVar = ("polygons",)
    packages: ClassVar = ()
    notes: ClassVar = ()

    def run(self, *_):
        yield Stage("polygons", pyramid, {})


def test_a_build_hands_the_triangles_on():
    built = wm.build(wm.samples.floor(), method=Given())
    assert built.triangles.tolist() == pyramid().triangles.tolist()
    assert built.triangle_polygons.tolist() == [0] * 4
    assert built.report.triangles == 4
