"""A build never hands over what validate() refuses."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import walkmesh as wm
from fuzz.scenes import SHAPES
from walkmesh.builder.exact.stages import polygons
from walkmesh.builder.mesh import TriangleMesh
from walkmesh.builder.polygons import make_navmesh, merge_triangles, share_vertices, weld
from walkmesh.builder.soundness import make_valid
from walkmesh.frame import Frame

SQUARE = [(0.0, 0.0, 0.0), (0.0, 0.0, 4.0), (4.0, 0.0, 4.0), (4.0, 0.0, 0.0)]
# Seeds whose scenes gave navmeshes with violations, for each method.
SEEDS = {
    "exact": (*range(14), 128),
    "bridges": (*range(7), 191),
    "voxel": (*range(7), 22, 28, 104),
    "surface": tuple(range(7)),
}


def hostile_scene(seed: int) -> tuple[wm.Scene, wm.Agent]:
    """Return a hostile scene, and an agent for it."""
    random = np.random.default_rng(seed)
    corners = list(SHAPES.values())[seed % 7](random).reshape(-1, 3)
    if random.random() < 0.3:
        corners = corners + random.choice([1e2, 1e4, 5e5]) * random.normal(size=3)
    scene = wm.Scene(corners, np.arange(len(corners)).reshape(-1, 3))
    height = random.choice([0.2, 1.0, 1.8, 1.8, 3.0])
    agent = wm.Agent(
        radius=float(random.choice([0.0, 0.0, 0.05, 0.1, 0.3, 0.5])),
        height=float(height),
        max_step=float(min(height, random.choice([0.0, 0.02, 0.2, 0.4]))),
        max_slope=float(random.choice([5.0, 30.0, 45.0, 60.0, 80.0])),
    )
    return scene, agent


def hostile_method(seed: int, name: str) -> wm.Exact | wm.Voxel | wm.Surface:
    """Return settings of a method by its name: exact, bridges, voxel or surface."""
    match name:
        case "exact":
            return wm.Exact(min_patch_area=0.0 if seed % 3 == 0 else 0.1)
        case "bridges":
            return wm.Exact(bridge_distance=(0.1, 0.5, 2.0)[seed % 3])
        case "voxel":
            return wm.Voxel(cell_size=(0.05, 0.1, 0.3)[seed % 3], cell_height=0.05)
        case "surface":
            return wm.Surface()
    raise ValueError(name)


@pytest.mark.parametrize(
    ("seed", "method"), [(seed, method) for method, seeds in SEEDS.items() for seed in seeds]
)
def test_hostile_scenes_give_a_sound_navmesh_or_none(seed: int, method: str) -> None:
    scene, agent = hostile_scene(seed)
    try:
        navmesh = wm.build(scene, agent, hostile_method(seed, method))
    except wm.BuildError as error:
        refusal = str(error)
    else:
        assert navmesh.validate() == []
        return
    assert any(reason in refusal for reason in ("stand nowhere", "min_patch_area", "walkable"))


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_any_hostile_scene_gives_a_sound_navmesh_or_none(seed: int) -> None:
    test_hostile_scenes_give_a_sound_navmesh_or_none(seed, "exact")


def test_what_is_sound_stays_the_same() -> None:
    navmesh = wm.NavMesh(SQUARE, [0, 4], range(4))
    valid, counts, area = make_valid(navmesh)
    assert valid is navmesh
    assert not any(counts.values())
    assert area == 0.0


def test_of_two_polygons_over_each_other_the_smaller_is_left_out() -> None:
    small = np.array(SQUARE) * 0.25 + (1.0, 0.5, 1.0)
    navmesh = wm.NavMesh(np.concatenate([small, SQUARE]), [0, 4, 8], range(8))
    valid, counts, area = make_valid(navmesh)
    assert valid.validate() == []
    assert valid.area == pytest.approx(16.0)
    assert counts["polygons_left_out"] == 1
    assert area == pytest.approx(1.0)


def test_bad_detail_is_replaced_and_its_polygon_stays() -> None:
    navmesh = wm.NavMesh(SQUARE, [0, 4], range(4), triangles=[(0, 1, 2)], triangle_polygons=[0])
    valid, counts, _ = make_valid(navmesh)
    assert valid.validate() == []
    assert valid.area == pytest.approx(16.0)
    assert counts["polygons_without_detail"] == 1
    assert counts["polygons_left_out"] == 0


def test_links_with_an_end_off_their_polygon_are_left_out() -> None:
    linked = wm.NavMesh(SQUARE, [0, 4], range(4)).with_links((1, 0, 1), (3, 0, 3))
    links = linked.links.copy()
    links["goal"] += 100.0
    navmesh = wm.NavMesh(SQUARE, [0, 4], range(4), links=links)
    valid, counts, _ = make_valid(navmesh)
    assert valid.validate() == []
    assert valid.polygon_count == 1
    assert counts["links_left_out"] == len(links)


def test_a_build_says_what_it_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = wm.samples.floor(width=10, depth=8)
    made = wm.build(floor)
    low = made.vertices + (0.0, 0.5, 0.0)
    doubled = wm.NavMesh(
        np.concatenate([made.vertices, low * (0.5, 1.0, 0.5) + (2.0, 0.0, 2.0)]),
        [0, 4, 8],
        np.concatenate([made.polygon_vertices, 4 + made.polygon_vertices]),
        agent=made.agent,
    )
    monkeypatch.setattr(polygons, "make_polygons", lambda *_: doubled)
    built = wm.build(floor)
    assert built.validate() == []
    assert built.report is not None
    assert built.report.stages[-1].counts["polygons_left_out"] == 1
    assert built.report.stages[-1].counts["polygons_out"] == built.polygon_count == 1
    assert any(note.startswith("1 polygons (17.4 m2) left out") for note in built.report.notes)
    *_, (name, last) = wm.stages(floor)
    assert name == "polygons"
    assert last.validate() == []


def test_vertices_at_one_place_become_one() -> None:
    """Two fans that meet on the edge of a third polygon, a rounding error apart."""
    points = np.array(
        [(0, 0), (2, 0), (2, -1), (0, -1), (1, 0), (0, 1), (1 + 1e-15, 1e-15), (2, 1)], dtype=float
    )
    points = np.column_stack([points, np.zeros(len(points))])
    offsets = np.array([0, 4, 7, 10], dtype=np.int32)
    corners = np.array([3, 2, 1, 0, 0, 4, 5, 6, 1, 7], dtype=np.int32)
    places, offsets, corners = weld(points, offsets, corners)
    offsets, corners = share_vertices(places, offsets, corners)
    navmesh = wm.NavMesh(Frame((0.0, 1.0, 0.0)).to_world(places), offsets, corners)
    assert navmesh.validate() == []
    assert navmesh.component_count == 1


def test_welding_never_makes_three_polygons_share_an_edge() -> None:
    points = np.array([(0, 0), (1, 0), (0, 1), (0, -1), (0, 0), (1, 0), (0.5, -1)], dtype=float)
    points = np.column_stack([points, np.zeros(len(points))])
    offsets = np.array([0, 3, 6, 9], dtype=np.int32)
    corners = np.array([0, 1, 2, 1, 0, 3, 5, 4, 6], dtype=np.int32)
    places, offsets, corners = weld(points, offsets, corners)
    assert len(places) == len(points)
    assert len(offsets) == 4


def test_a_vertex_on_two_sides_of_a_needle_becomes_one_corner() -> None:
    points = np.array(
        [(0, 0), (4, -5e-7), (4, 5e-7), (1, 0), (1, 1), (0.5, 1), (0, 1)], dtype=float
    )
    points = np.column_stack([points, np.zeros(len(points))])
    offsets = np.array([0, 3, 6], dtype=np.int32)
    corners = np.array([0, 1, 2, 3, 4, 5], dtype=np.int32)
    offsets, corners = share_vertices(points, offsets, corners)
    for start, stop in pairwise(offsets):
        assert len(set(corners[start:stop])) == stop - start


def test_flat_polygons_around_a_vertex_are_no_needle() -> None:
    """What looks like a needle's tip at the origin is a whole turn around it."""
    tiny = 1e-9
    points = np.array([(0, 0), (1, 0), (0, 1), (-1, 0), (1, -tiny), (0, -1)], dtype=float)
    points = np.column_stack([points, np.zeros(len(points))])
    triangles = np.array([(0, 1, 2), (0, 2, 3), (0, 3, 5), (0, 5, 4)], dtype=np.int32)
    offsets, corners = merge_triangles(TriangleMesh(points, triangles, Frame((0, 1, 0))), np.inf)
    for start, stop in pairwise(offsets):
        places = points[corners[start:stop], :2]
        before, after = np.roll(places, 1, axis=0), np.roll(places, -1, axis=0)
        e, f = places - before, after - places
        turns = np.arctan2(e[:, 0] * f[:, 1] - e[:, 1] * f[:, 0], (e * f).sum(axis=1))
        assert turns.sum() == pytest.approx(2.0 * np.pi)


def test_detail_reaches_what_only_a_tip_leads_to() -> None:
    """The ground in a square, where a strip of no width parts one half from the other."""
    points = np.array([(0, 0), (2, 0), (2, 2), (0, 2), (1, 0), (1, 2), (1 + 1e-10, 1)], dtype=float)
    heights = np.array([0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    ground = np.array(
        [(0, 4, 5), (0, 5, 3), (4, 6, 5), (4, 1, 6), (6, 1, 2), (6, 2, 5)], dtype=np.int32
    )
    frame = Frame((0.0, 1.0, 0.0))
    fine = TriangleMesh(np.column_stack([points, heights]), ground, frame)
    coarse = TriangleMesh(fine.points, np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32), frame)
    navmesh = make_navmesh(fine, coarse, wm.Agent(radius=0), 0.01)
    assert navmesh.validate() == []
    assert navmesh.area == pytest.approx(2.0 + 2.0 * 2.0**0.5)
