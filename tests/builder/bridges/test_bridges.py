"""Bridges over gaps that can be crossed: known answers, and what must never be."""

from __future__ import annotations

import itertools
import sys

import numpy as np
import pytest
import shapely
import shapely.affinity
from hypothesis import example, given, settings
from hypothesis import strategies as st

import walkmesh as wm
from fuzz.scenes import soup
from tests.makers import gap_scenes
from tests.makers.gap_scenes import DISTANCE, Gap, scene_of, two_plates
from tests.makers.scenes import SCENES, needs_scenes
from walkmesh.box_tree import BoxTree
from walkmesh.builder.bridges.kernels.crossings import find_crossings
from walkmesh.builder.bridges.layout import _pack, lay_out
from walkmesh.builder.bridges.rim import GapLimits, Parts, Rim, Runs, find_places, split_rim
from walkmesh.samples.soup import Soup
from walkmesh.topology import detail_of, plan_points

EXACT = wm.Exact(bridge_distance=DISTANCE, boundary_tolerance=0.0, min_patch_area=0.001)
# Scenes are rounded to a tenth of a millimetre; over their outlines that is this much. [m2]
ROUNDING = 1e-3
# Parts smaller than the agent's footprint that still count. [m2]
SMALL = 0.05

LEVEL_SCENES = {
    "5 cm apart": gap_scenes.plates_apart(0.05),
    "15 cm apart": gap_scenes.plates_apart(0.15),
    "30 cm apart": gap_scenes.plates_apart(0.30),
    "35 cm apart": gap_scenes.plates_apart(0.35),
    "45 cm apart": gap_scenes.plates_apart(0.45),
    "T": gap_scenes.tee(0.3),
    "Y": gap_scenes.star(3, 0.3),
    "narrow Y": gap_scenes.star(3, 0.05),
    "X": gap_scenes.star(4, 0.3),
    "five plates": gap_scenes.star(5, 0.15),
    "six plates": gap_scenes.star(6, 0.05),
    "plate in a frame": gap_scenes.square_ring(0.3),
    "plate in a frame, narrow": gap_scenes.square_ring(0.06),
    "round plate in a round hole": gap_scenes.round_ring(0.3),
    "plates around a pit": gap_scenes.ring_of_plates(0.3),
    "grate of bars": gap_scenes.bars(0.03, 0.04),
    "grate of bars, wide": gap_scenes.bars(0.05, 0.12),
    "lattice": gap_scenes.lattice(0.03, 0.06),
}


def plan_of(navmesh: wm.NavMesh) -> shapely.Geometry:
    """Return the ground in plan."""
    return shapely.union_all(shapely.polygons(plan_points(navmesh)[navmesh.triangles, :2]))


def build(scene: wm.Scene, agent: wm.Agent, method: wm.Exact = EXACT) -> wm.NavMesh:
    navmesh = wm.build(scene, agent, method)
    assert navmesh.validate() == []
    return navmesh


def stage_counts(navmesh: wm.NavMesh, name: str) -> dict[str, int]:
    assert navmesh.report is not None
    return next(stage.counts for stage in navmesh.report.stages if stage.name == name)


def gap_counts(navmesh: wm.NavMesh) -> dict[str, int]:
    return stage_counts(navmesh, "gaps")


@pytest.mark.parametrize("name", LEVEL_SCENES)
@pytest.mark.parametrize("radius", [0.0, 0.3])
def test_level_plates_become_what_they_are_with_bridges(name: str, radius: float) -> None:
    gap = LEVEL_SCENES[name]
    navmesh = build(gap.scene, wm.Agent(radius=radius))
    ground = plan_of(navmesh)
    assert navmesh.component_count == gap.components
    expected = shapely.buffer(gap.bridged, -radius, quad_segs=64)
    # Arcs around corners that point inwards are straight lines outside of them.
    allowed = ROUNDING + (0.0 if radius == 0.0 else 0.004 * expected.length)
    assert shapely.symmetric_difference(ground, expected).area <= allowed
    holes = sum(len(part.interiors) for part in shapely.get_parts(ground))
    assert holes == sum(len(part.interiors) for part in shapely.get_parts(gap.bridged))


@pytest.mark.parametrize("name", LEVEL_SCENES)
def test_bridges_on_a_navmesh_are_the_same(name: str) -> None:
    gap = LEVEL_SCENES[name]
    exact = wm.Exact(gap_distance=0.0, min_patch_area=1e-5, boundary_tolerance=0.0)
    apart = build(gap.scene, wm.Agent(radius=0.0), exact)
    navmesh = wm.bridge_gaps(apart, DISTANCE)
    assert navmesh.validate() == []
    assert navmesh.component_count == gap.components
    difference = shapely.symmetric_difference(plan_of(navmesh), gap.bridged)
    assert difference.area <= ROUNDING
    assert np.array_equal(navmesh.vertices[: len(apart.vertices)], apart.vertices)


def added_ground(gap: Gap, navmesh: wm.NavMesh) -> shapely.Geometry:
    """Return the bridges in plan, after holding them against what all must obey."""
    ground = plan_of(navmesh)
    assert shapely.difference(gap.plates, ground).area <= ROUNDING
    added = shapely.difference(ground, shapely.buffer(gap.plates, 2e-4))
    # Their ends that are no edge of a plate are no longer than the distance.
    mouths = shapely.difference(ground.boundary, shapely.buffer(gap.plates.boundary, 1e-3))
    for mouth in shapely.get_parts(shapely.line_merge(mouths)):
        assert mouth.length <= DISTANCE
    # No circle with the distance as diameter fits into them.
    assert shapely.buffer(added, -DISTANCE / 2.0 - 1e-4).is_empty
    return added


def test_a_gap_that_widens_is_bridged_as_far_as_it_is_narrow() -> None:
    gap, end = gap_scenes.wedge()
    navmesh = build(gap.scene, wm.Agent(radius=0.0))
    added = added_ground(gap, navmesh)
    assert navmesh.component_count == 1
    # Between the shorter of the two ways across its end and the longer one.
    assert 0.1 * end + end * end / 20.0 - 0.02 <= added.area <= 0.1 * end + end * end / 20.0 + 0.02
    assert added.bounds[3] == pytest.approx(end, abs=0.05)


def test_a_gap_beside_which_another_is_too_wide_ends_there() -> None:
    gap = gap_scenes.tee_with_a_wide_foot(0.2)
    navmesh = build(gap.scene, wm.Agent(radius=0.0))
    added = added_ground(gap, navmesh)
    assert navmesh.component_count == 1
    # At the wide foot, as far as a corner is within the distance.
    corner = np.sqrt(DISTANCE**2 - 0.2**2) * 0.2 / 2.0
    assert added.area == pytest.approx(0.2 * (6.0 - 2 * DISTANCE) + 2.0 * corner, abs=0.01)


def placed_plates(gap: float, angle: float, u: float, v: float) -> wm.Scene:
    """Two plates of 2 x 2 m, turned by degrees about the edge of the first, at (u, v)."""
    plan = shapely.MultiPolygon(
        [shapely.box(-2.0, -1.0, 0.0, 1.0), shapely.box(gap, -1.0, gap + 2.0, 1.0)]
    )
    rings = shapely.get_coordinates(shapely.affinity.rotate(plan, angle, (0.0, 0.0)))
    corners = np.delete(rings, [4, 9], axis=0) + (u, v)
    faces = [(0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7)]
    return wm.Scene(np.column_stack([corners, np.zeros(8)]), faces, up="z")


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from([0.03, 0.05, 0.1, 0.2, 0.35, 0.5]) | st.floats(0.03, 0.6),
    st.sampled_from([0.0, 30.0, 45.0, 77.0]) | st.floats(0.0, 360.0),
    st.sampled_from([0.0, 0.1, 100.3]) | st.floats(-1e5, 1e5),
    st.sampled_from([0.0, 0.2, -20.7]) | st.floats(-1e5, 1e5),
)
@example(0.35, 0.0, 0.1, 0.2)
@example(0.2, 30.0, 0.0, 0.0)
@example(0.5, 77.0, 100.3, -20.7)
def test_a_gap_exactly_as_wide_as_the_distance_is_bridged(
    distance: float, angle: float, u: float, v: float
) -> None:
    slim = wm.Agent(radius=0.0)
    narrow = wm.Exact(gap_distance=0.0)
    for more, parts in ((-1e-3, 1), (0.0, 1), (1e-3, 2)):
        gap = distance + more
        scene = placed_plates(gap, angle, u, v)
        built = build(scene, wm.Agent(), wm.Exact(bridge_distance=distance))
        assert built.component_count == parts
        bridged = wm.bridge_gaps(build(scene, slim, narrow), distance, scene)
        assert bridged.validate() == []
        assert bridged.component_count == parts
        # All along, not only somewhere.
        assert bridged.area == pytest.approx(8.0 + (2.0 * gap if parts == 1 else 0.0), abs=1e-4)


@pytest.mark.parametrize("gap", [0.02, 0.1, 0.3])
def test_a_round_edge_beside_a_straight_one(gap: float) -> None:
    scene = gap_scenes.disc_beside_plate(gap)
    # Slits that are closed by moving their sides are another matter.
    exact = wm.Exact(bridge_distance=DISTANCE, boundary_tolerance=0.0, gap_distance=0.0)
    navmesh = build(scene.scene, wm.Agent(radius=0.0), exact)
    added = added_ground(scene, navmesh)
    assert navmesh.component_count == 1
    # As far up and down as the edge is within the distance of the disc.
    reach = np.sqrt((1.5 + DISTANCE) ** 2 - (1.5 + gap) ** 2)
    assert added.bounds[3] == pytest.approx(reach, abs=0.03)
    assert added.bounds[1] == pytest.approx(-reach, abs=0.03)


def plates(gap: float = 0.3, height: float = 0.0) -> Soup:
    """Two plates, the second one higher."""
    soup = Soup()
    soup.sheet(shapely.box(0.0, 0.0, 3.0, 4.0), 0.0)
    soup.sheet(shapely.box(3.0 + gap, 0.0, 6.0 + gap, 4.0), height)
    return soup


def length_bridged(navmesh: wm.NavMesh, at: float = 3.15) -> float:
    """Return how much of the gap has ground, along its middle."""
    line = shapely.LineString([(at, -1.0), (at, 5.0)])
    return float(shapely.intersection(plan_of(navmesh), line).length)


def fence(soup: Soup, first: float, last: float, height: float = 1.5) -> None:
    soup.curtain([(3.15, first), (3.15, last)], 0.0, height)


def railing(soup: Soup) -> None:
    for v in range(5):
        soup.box((3.13, v - 0.02, -0.5), (3.17, v + 0.02, 1.0))
    for h in (0.5, 0.95):
        soup.box((3.14, -0.1, h), (3.16, 4.1, h + 0.05))


OBSTACLES = {
    "nothing": (lambda _: None, 4.0),
    "fence": (lambda soup: fence(soup, -0.1, 4.1), 0.0),
    "fence along a half": (lambda soup: fence(soup, -0.1, 2.0), 2.0),
    "kerb lower than a step": (lambda soup: fence(soup, -0.1, 4.1, 0.39), 4.0),
    "kerb higher than a step": (lambda soup: fence(soup, -0.1, 4.1, 0.41), 0.0),
    "wall": (lambda soup: soup.box((3.05, -1.0, -1.0), (3.25, 5.0, 2.5)), 0.0),
    "railing": (railing, 0.0),
    "low beam": (lambda soup: soup.box((3.1, 1.0, 1.5), (3.2, 2.0, 1.6)), 3.0),
    "beam above the head": (lambda soup: soup.box((3.1, 1.0, 1.81), (3.2, 2.0, 1.9)), 4.0),
    "low ceiling": (lambda soup: soup.box((2.5, -1.0, 1.7), (3.8, 5.0, 1.9)), 0.0),
    "post": (lambda soup: soup.box((3.14, 2.0, -1.0), (3.16, 2.02, 1.0)), 3.98),
    # Of which only one half is looked at.
    "partition across": (lambda soup: soup.curtain([(0.0, 2.0), (6.3, 2.0)], 0.0, 2.0), 1.995),
    "wall up to the gap": (lambda soup: soup.curtain([(0.0, 2.0), (3.0, 2.0)], 0.0, 2.0), 3.99),
    # From the ends of which bridges lead slantwise across, as far as the distance.
    "screen on the rim": (lambda soup: soup.curtain([(3.0, 1.0), (3.0, 1.5)], 0.0, 1.0), 3.67),
    "leaning board": (  # which is 0.8 m wide where it is higher than a step
        lambda soup: soup.add([[(3.0, 1.0, 0.0), (3.0, 2.0, 0.0), (3.3, 1.5, 2.0)]]),
        3.2,
    ),
}


# These stand on the plates, or take ground away from them, and so end their edges.
ON_THE_RIM = {"low ceiling", "partition across", "wall up to the gap", "screen on the rim"}


@pytest.mark.parametrize("name", OBSTACLES)
def test_nothing_is_bridged_through_what_stands_in_a_gap(name: str) -> None:
    add, bridged = OBSTACLES[name]
    soup = plates()
    add(soup)
    navmesh = build(soup.scene("y"), wm.Agent(radius=0.0))
    below = navmesh.prune([(1.0, 0.0, 1.0), (1.0, 0.0, 5.0)])
    assert length_bridged(below) == pytest.approx(bridged, abs=0.03)
    one = bool(navmesh.reachable((1.0, 0.0, 1.0), (1.0, 0.0, 5.0)))
    assert one == (bridged > 0.0)
    if bridged < 4.0 and name not in ON_THE_RIM:
        assert gap_counts(navmesh)["gaps_blocked"] > 0
    # The same on a navmesh, if it knows the scene.
    apart = build(plates().scene("y"), wm.Agent(radius=0.0), wm.Exact(boundary_tolerance=0.0))
    over = wm.bridge_gaps(apart, DISTANCE, scene=soup.scene("y"))
    assert over.validate() == []
    if name not in ON_THE_RIM:
        assert length_bridged(over) == pytest.approx(bridged, abs=0.03)
    assert length_bridged(wm.bridge_gaps(apart, DISTANCE)) == pytest.approx(4.0)


@given(
    left=st.lists(st.floats(0.1, 3.9), max_size=6),
    right=st.lists(st.floats(0.1, 3.9), max_size=6),
    first=st.floats(0.3, 2.5),
    width=st.floats(0.1, 1.2),
)
@settings(max_examples=40)
def test_vertices_on_the_rim_do_not_widen_what_stands_in_a_gap(
    left: list[float], right: list[float], first: float, width: float
) -> None:
    soup = Soup()
    for begin, cuts in ((0.0, left), (3.3, right)):
        bounds = sorted({0.0, 4.0, *(round(cut, 1) for cut in cuts)})
        for low, high in itertools.pairwise(bounds):
            soup.sheet(shapely.box(begin, low, begin + 3.0, high), 0.0)
    # A board that is higher than a step over 0.8 of its width.
    board = [(3.0, first, 0.0), (3.0, first + width, 0.0), (3.3, first + width / 2.0, 2.0)]
    soup.add([board])
    navmesh = build(soup.scene("y"), wm.Agent(radius=0.0))
    assert length_bridged(navmesh) == pytest.approx(4.0 - 0.8 * width, abs=0.03)


@pytest.mark.parametrize(
    ("gap", "height", "joined"),
    [
        (0.3, 0.2, True),
        (0.3, 0.39, True),  # steeper than 45 degrees, but a step
        (0.3, -0.39, True),
        (0.3, 0.41, False),
        (0.05, 0.39, True),
        (0.05, 0.41, False),
    ],
)
@pytest.mark.parametrize("radius", [0.0, 0.3])
def test_plates_at_different_heights(
    gap: float, height: float, joined: bool, radius: float
) -> None:
    navmesh = build(plates(gap, height).scene("y"), wm.Agent(radius=radius))
    assert navmesh.component_count == (1 if joined else 2)
    assert bool(navmesh.reachable((1.0, 0.0, 1.0), (1.0, height, 5.0))) == joined
    if joined:
        whole = (6.0 + gap - 2.0 * radius) * (4.0 - 2.0 * radius)
        assert plan_of(navmesh).area == pytest.approx(whole, abs=ROUNDING)


@pytest.mark.parametrize(("height", "joined"), [(0.049, True), (0.17, True), (0.18, False)])
def test_a_bridge_is_no_steeper_than_the_agent_climbs(height: float, joined: bool) -> None:
    agent = wm.Agent(radius=0.0, max_step=0.05, max_slope=30.0)
    navmesh = build(plates(0.3, height).scene("y"), agent)
    assert navmesh.component_count == (1 if joined else 2)


def tilted(gap: float, heights: tuple[float, float, float, float]) -> wm.Scene:
    """A level plate, and one with heights at its four corners, the first two at the gap."""
    soup = Soup()
    soup.sheet(shapely.box(0.0, 0.0, 3.0, 4.0), 0.0)
    corners = [(3.0 + gap, 0.0), (3.0 + gap, 4.0), (6.0 + gap, 4.0), (6.0 + gap, 0.0)]
    p, q, r, s = (np.array([*c, h]) for c, h in zip(corners, heights, strict=True))
    soup.add(np.array([[p, s, q], [s, r, q]]))
    return soup.scene("y")


def test_a_tilted_plate_is_joined_as_far_as_it_is_within_a_step() -> None:
    navmesh = build(tilted(0.1, (0.0, 0.8, 0.8, 0.0)), wm.Agent(radius=0.0))
    assert navmesh.component_count == 1
    assert length_bridged(navmesh, at=3.05) == pytest.approx(2.0, abs=0.01)


def test_a_plate_that_rises_from_the_gap_is_joined() -> None:
    navmesh = build(tilted(0.3, (-0.2, -0.2, 0.4, 0.4)), wm.Agent(radius=0.3))
    assert navmesh.component_count == 1
    assert plan_of(navmesh).area == pytest.approx(5.7 * 3.4, abs=ROUNDING)


def test_storeys_are_bridged_each_by_itself() -> None:
    sheets = [(two_plates(0.2), 3.0 * k) for k in range(4)]
    navmesh = build(scene_of(*sheets), wm.Agent())
    assert navmesh.component_count == 4
    assert gap_counts(navmesh)["components_joined"] == 4
    assert navmesh.area == pytest.approx(4 * 5.6 * 3.4, abs=ROUNDING)


def helix(inner: float, outer: float) -> np.ndarray:
    """Return the triangles of three turns, 3 m apart."""
    turns = np.linspace(0.0, 6.0 * np.pi, 145)
    rims = [
        np.column_stack([r * np.cos(turns), r * np.sin(turns), 1.5 * turns / np.pi])
        for r in (inner, outer)
    ]
    a, b, c, d = rims[0][:-1], rims[1][:-1], rims[1][1:], rims[0][1:]
    return np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


@pytest.mark.parametrize("radius", [0.0, 0.3])
def test_a_gap_along_a_spiral_ramp_lies_above_itself(radius: float) -> None:
    split, whole = Soup(), Soup()
    split.add(helix(4.0, 5.9))
    split.add(helix(6.1, 8.0))
    whole.add(helix(4.0, 8.0))
    navmesh = build(split.scene("y"), wm.Agent(radius=radius))
    expected = build(whole.scene("y"), wm.Agent(radius=radius))
    assert navmesh.component_count == 1
    assert navmesh.area == pytest.approx(expected.area, abs=0.3)


@pytest.mark.parametrize("depth", [0.5, 1.5, 2.5])
def test_ground_below_a_bridge_needs_headroom(depth: float) -> None:
    soup = plates()
    soup.sheet(shapely.box(2.0, -2.0, 4.3, 6.0), -depth)
    navmesh = build(soup.scene("y"), wm.Agent())
    assert navmesh.reachable((1.0, 0.0, 1.0), (1.0, 0.0, 5.0))
    # Where the agent fits under the plates and the bridge, all of it stays.
    below = 7.4 * 1.7 if depth > 1.8 else 2.0 * 1.4 * 1.7
    assert navmesh.area == pytest.approx(5.7 * 3.4 + below, abs=ROUNDING)


def test_a_trench_that_the_agent_fits_into_is_not_bridged() -> None:
    soup = plates()
    soup.sheet(shapely.box(2.0, -2.0, 4.3, 6.0), -1.0)
    agent = wm.Agent(radius=0.1)
    navmesh = build(soup.scene("y"), agent)
    assert not navmesh.reachable((1.0, 0.0, 1.0), (1.0, 0.0, 5.0))
    assert navmesh.reachable((-1.5, -1.0, 3.15), (5.5, -1.0, 3.15))


def test_bars_over_a_shaft_hide_what_is_below() -> None:
    gap = gap_scenes.bars(0.03, 0.04)
    soup = Soup()
    for plate in shapely.get_parts(gap.plates):
        soup.sheet(plate, 0.0)
    soup.sheet(shapely.box(0.0, 0.0, 1.0, 1.0), -0.7)
    navmesh = build(soup.scene("y"), wm.Agent())
    assert navmesh.component_count == 1
    assert plan_of(navmesh).area == pytest.approx(4.4**2, abs=ROUNDING)


def test_no_distance_no_bridges() -> None:
    scene = gap_scenes.plates_apart(0.05).scene
    assert build(scene, wm.Agent(), wm.Exact()).component_count == 2
    assert "bridge_triangles" not in gap_counts(build(scene, wm.Agent(), wm.Exact()))


def test_workers_change_nothing_and_neither_does_the_place() -> None:
    gap = gap_scenes.round_ring(0.3)
    one, two = (wm.build(gap.scene, wm.Agent(), EXACT, workers=n) for n in (1, 2))
    assert np.array_equal(one.vertices, two.vertices)
    assert np.array_equal(one.polygon_vertices, two.polygon_vertices)
    far = np.array([524_288.0, 0.0, -262_144.0])
    moved = wm.build(wm.Scene(gap.scene.vertices + far, gap.scene.faces), wm.Agent(), EXACT)
    assert np.allclose(moved.vertices - far, one.vertices, atol=1e-6)
    bridged = [
        wm.bridge_gaps(wm.build(scene, wm.Agent(radius=0.0)), DISTANCE)
        for scene in (gap.scene, wm.Scene(gap.scene.vertices + far, gap.scene.faces))
    ]
    assert bridged[1].validate() == []
    assert bridged[1].area == pytest.approx(bridged[0].area, abs=1e-6)


@pytest.mark.parametrize("up", ["x", "z", (1.0, 2.0, 3.0)])
def test_any_up(up: str | tuple[float, float, float]) -> None:
    scene = plates().scene(up)
    assert build(scene, wm.Agent()).component_count == 1
    assert wm.bridge_gaps(wm.build(scene, wm.Agent(radius=0.0)), DISTANCE).component_count == 1


def test_a_bridge_on_a_navmesh_keeps_everything_else() -> None:
    agent = wm.Agent(radius=0.0)
    lower = wm.build(plates().scene("y"), agent)
    linked = lower.with_areas(5).with_links((1, 0, 1), (1, 0, 5), kind=7)
    bridged = wm.bridge_gaps(linked, DISTANCE)
    assert bridged.areas.tolist() == [5, 5, 5]
    assert np.array_equal(bridged.links, linked.links)
    assert bridged.agent == agent


def test_a_bridge_to_ground_that_is_not_flat_leaves_it_where_it_is() -> None:
    # A polygon with four corners not in a plane, and a plate beside half of its edge.
    corners = [(0, 0, 0), (0, 0, 4), (3, 0.1, 4), (3, 0, 0)]
    corners += [(3.2, 0, 0), (3.2, 0, 2), (6, 0, 2), (6, 0, 0)]
    apart = wm.NavMesh(corners, [0, 4, 8], range(8), agent=wm.Agent(radius=0.0))
    bridged = wm.bridge_gaps(apart, 0.3)
    assert bridged.validate() == []
    assert bridged.component_count == 1
    assert np.array_equal(bridged.triangles[:2], apart.triangles[:2])


@pytest.mark.parametrize(
    "distance", [0.0, -1.0, float("nan"), float("inf"), 2.1, True, "wide", None, [0.3]]
)
def test_impossible_distances_are_refused(distance: object) -> None:
    navmesh = wm.build(plates().scene("y"))
    with pytest.raises(wm.SettingsError, match=r"^distance is .*; it must be a number above 0"):
        wm.bridge_gaps(navmesh, distance)  # type: ignore[arg-type]


def test_other_impossible_arguments_are_refused() -> None:
    navmesh = wm.build(plates().scene("y"))
    with pytest.raises(wm.SettingsError, match=r"^navmesh is 3; it must be a walkmesh.NavMesh"):
        wm.bridge_gaps(3, 0.3)  # type: ignore[arg-type]
    with pytest.raises(wm.SettingsError, match=r"^scene is 'x'; it must be a walkmesh.Scene"):
        wm.bridge_gaps(navmesh, 0.3, scene="x")  # type: ignore[arg-type]
    with pytest.raises(wm.SettingsError, match=r"^the scene's up is"):
        wm.bridge_gaps(navmesh, 0.3, scene=plates().scene("z"))
    with pytest.raises(wm.SettingsError, match=r"Exact.bridge_distance is 2.5; it must be"):
        wm.Exact(bridge_distance=2.5)


def test_a_navmesh_without_polygons_has_no_gaps() -> None:
    empty = wm.NavMesh(np.empty((0, 3)), [0], [])
    assert wm.bridge_gaps(empty, 0.3) is empty


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(2, 14), st.integers(2, 14)),
        min_size=2,
        max_size=9,
    ),
    st.integers(0, 89),
)
def test_any_level_plates(boxes: list[tuple[int, int, int, int]], angle: int) -> None:
    """Bridges of any arrangement obey the rules, and no gap between two plates stays."""
    plan = shapely.union_all([shapely.box(u, v, u + w, v + d) for u, v, w, d in boxes])
    plan = shapely.affinity.rotate(shapely.transform(plan, lambda p: 0.1 * p), angle, origin=(0, 0))
    plan = shapely.make_valid(shapely.transform(plan, lambda p: np.round(p, 4)))
    gap = Gap(scene_of((plan, 0.0)), plan, plan, 0)
    navmesh = build(gap.scene, wm.Agent(radius=0.0))
    added_ground(gap, navmesh)
    parts = shapely.get_parts(plan)
    for i, one in enumerate(parts):
        for other in parts[i + 1 :]:
            if 0.0 < one.distance(other) <= DISTANCE - 0.002:
                a, b = (p.representative_point() for p in (one, other))
                assert navmesh.reachable((a.y, 0.0, a.x), (b.y, 0.0, b.x))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.integers(0, 8), min_size=4, max_size=4), min_size=1, max_size=12))
def test_crossings_are_those_that_shapely_finds(ends: list[list[int]]) -> None:
    lines = {tuple(sorted(((u, v), (x, y)))) for u, v, x, y in ends if (u, v) != (x, y)}
    if not lines:
        return
    places = sorted({p for line in lines for p in line})
    ids = np.array([[places.index(p) for p in line] for line in sorted(lines)], dtype=np.int32)
    points = np.array(places, dtype=np.int64)
    flat = np.column_stack([points, np.zeros(len(points))])
    tree = BoxTree.over_lines(np.concatenate([flat[ids[:, 0]], flat[ids[:, 1]]], axis=1))
    crossing = np.empty(len(ids), dtype=np.uint8)
    find_crossings(points, ids, tree.arrays, crossing)
    shapes = [shapely.LineString(points[line]) for line in ids]
    for i, shape in enumerate(shapes):
        meets = False
        for j, other in enumerate(shapes):
            common = shapely.intersection(shape, other)
            at_ends = shapely.MultiPoint(points[np.intersect1d(ids[i], ids[j])])
            meets |= i != j and not shapely.difference(common, at_ends).is_empty
        assert bool(crossing[i]) == meets


@pytest.mark.parametrize(("count", "size"), [(5, 1.0), (4000, 300.0), (300_000, 2.0)])
def test_so_many_gaps_as_there_may_be_are_laid_out_apart(count: int, size: float) -> None:
    ends = np.tile([[0.0, 0.0], [size, size]], (count, 1, 1)) + 5e5
    grid, step = _pack(ends, np.arange(count, dtype=np.int32), 1.0)
    assert 0 <= grid.min() <= grid.max() < 2**30
    # In a row each is beyond the last, and rows begin above all of the row before.
    (left, bottom), (right, top) = grid.transpose(1, 2, 0)
    same = bottom[1:] == bottom[:-1]
    assert np.all(left[1:][same] > right[:-1][same])
    assert np.all(bottom[1:][~same] > top[:-1][~same])
    assert np.abs((right - left) * step - size).max() <= step


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(-60, 60), min_size=8, max_size=8),
    st.lists(st.integers(-3, 3), min_size=4, max_size=4),
)
def test_parts_with_a_gap_are_those_that_a_search_finds(plan: list[int], rise: list[int]) -> None:
    """The parts of two edges, against places tried one by one."""
    (au, av, bu, bv), (cu, cv, du, dv) = (np.array(plan).reshape(2, 4) / 100.0).tolist()
    heights = np.array(rise) / 10.0
    edges = np.array(
        [[au, av, heights[0], bu, bv, heights[1]], [cu, cv, heights[2], du, dv, heights[3]]]
    )
    rim = Rim(edges, np.ones(2, dtype=np.uint8), Runs.none())
    crossing = shapely.LineString(edges[0].reshape(2, 3)[:, :2]).intersects(
        shapely.LineString(edges[1].reshape(2, 3)[:, :2])
    )
    if rim.lengths.min() < 0.05 or crossing:
        return
    limits = GapLimits(DISTANCE, 0.1, 0.5, 1.8)
    parts = split_rim(rim, find_places(rim, limits), limits)
    outside = np.column_stack([edges[:, 4] - edges[:, 1], edges[:, 0] - edges[:, 3]])
    outside /= rim.lengths[:, None]
    facing = outside[0] @ outside[1] < -1e-6 and all(
        max((edges[1 - e, k : k + 2] - edges[e, :2]) @ outside[e] for k in (0, 3)) > 1e-6
        for e in (0, 1)
    )
    for line, e, shares, active, _ in zip(*parts, strict=True):
        # Not at the very ends of a part, where it changes.
        if (shares[1] - shares[0]) * rim.lengths[e] < 0.02:
            continue
        for t in np.linspace(0.1, 0.9, 5):
            x = line[:3] + t * (line[3:] - line[:3])
            f = edges[1 - e]
            way = f[3:5] - f[:2]
            s = np.clip((x[:2] - f[:2]) @ way / (way @ way), 0.0, 1.0)
            y = f[:3] + s * (f[3:] - f[:3])
            across = y[:2] - x[:2]
            width, step = np.hypot(*across), abs(y[2] - x[2])
            margin = min(abs(width - DISTANCE), abs(step - max(0.1, 0.5 * width)))
            if margin < 0.003 or 0.0 < s * (1.0 - s) < 1e-9:
                continue
            expected = (
                facing and width <= DISTANCE and step <= max(0.1, 0.5 * width)
                and across @ outside[e] >= 0.0 and across @ outside[1 - e] <= 0.0
            )  # fmt: skip
            middle = 0.5 * (line[:3] + line[3:])
            if s in (0.0, 1.0) or width > DISTANCE - 0.002:
                continue  # beside the end of the other edge the limits are no straight lines
            assert bool(active) == expected, (t, middle)


@needs_scenes
@pytest.mark.parametrize(
    ("file", "up"),
    [
        ("recast/nav_test.obj", "y"),
        ("recast/dungeon.obj", "y"),
        ("ifc/Ifc2x3_Duplex_Architecture_nodoors.obj", "z"),
        ("aws-robomaker/small_house.glb", "y"),
    ],
)
def test_real_scenes_are_sound_with_bridges(file: str, up: str) -> None:
    scene = wm.load_scene(SCENES / file, up=up)
    navmesh = build(scene, wm.Agent(), wm.Exact(bridge_distance=DISTANCE))
    before = build(scene, wm.Agent(), wm.Exact())
    # Bridges add ground and never take it away, but for what simplifying moves.
    places = before.sample(20_000, seed=1).points
    assert np.mean(navmesh.contains(places)) > 0.999


@pytest.mark.parametrize("distance", [0.35, 1.0, 2.0])
def test_no_bridge_is_laid_twice_where_something_stands(distance: float) -> None:
    scene = wm.samples.house()
    apart = build(scene, wm.Agent(radius=0.0), wm.Exact())
    assert wm.bridge_gaps(apart, distance, scene=scene).validate() == []


@pytest.mark.parametrize("width", [0.02, 0.2, 0.55])
def test_no_bridge_on_a_navmesh_leads_through_a_slit_too_narrow_for_the_agent(width: float) -> None:
    soup = Soup()
    soup.sheet(shapely.box(0.0, 0.0, 8.0, 4.0), 0.0)
    soup.box((3.95, -0.1, 0.0), (4.05, 2.0 - width / 2.0, 2.5))
    soup.box((3.95, 2.0 + width / 2.0, 0.0), (4.05, 4.1, 2.5))
    scene = soup.scene("z")
    rooms = build(scene, wm.Agent(), wm.Exact()).prune([(1.0, 1.0, 0.0), (7.0, 1.0, 0.0)])
    assert rooms.component_count == 2
    assert wm.bridge_gaps(rooms, 0.75, scene=scene).component_count == 2
    assert wm.bridge_gaps(rooms, 0.75).component_count == 1


def test_many_lonely_parts_are_no_matter() -> None:
    soup = Soup()
    soup.sheet(shapely.box(-1.0, -1.0, 61.0, 61.0), 0.0)
    for k in range(3600):
        soup.sheet(shapely.box(k % 60, k // 60, k % 60 + 0.1, k // 60 + 0.1), 3.5)
    navmesh = build(soup.scene("y"), wm.Agent())
    assert navmesh.component_count == 1
    assert navmesh.area == pytest.approx(61.4**2, abs=0.01)


def test_ground_below_the_end_of_a_wide_bridge_keeps_its_room() -> None:
    plates = [
        [(2.1, 2.4, 2.2), (1.7, 2.1, 2.2), (2.4, 1.0, 2.2), (2.8, 1.3, 2.2)],
        [(1.3, 0.8, 3.1), (-0.5, 2.6, 3.1), (-1.1, 2.0, 3.1), (0.7, 0.1, 3.1)],
        [(3.0, 2.3, 0.6), (0.9, 2.1, 0.6), (1.2, -0.8, 0.6), (3.2, -0.6, 0.6)],
    ]
    faces = [(4 * i, 4 * i + k, 4 * i + k + 1) for i in range(3) for k in (1, 2)]
    scene = wm.Scene(np.concatenate(plates), faces, up="z")
    apart = build(scene, wm.Agent(), wm.Exact())
    bridged = build(scene, wm.Agent(), wm.Exact(bridge_distance=2.0))
    places = apart.sample(2000, seed=1).points
    assert np.mean(bridged.contains(places)) > 0.995


@pytest.mark.parametrize("distance", [0.1, 0.35, 0.8])
@pytest.mark.parametrize("seed", range(20))
def test_random_plates(seed: int, distance: float) -> None:
    scene = gap_scenes.random_plates(seed)
    agent = wm.Agent(radius=[0.0, 0.1, 0.3][seed % 3])
    # Parts that only bridges make large enough to count would be new components.
    apart = wm.build(scene, agent, wm.Exact(min_patch_area=SMALL))
    bridged = wm.build(scene, agent, wm.Exact(bridge_distance=distance, min_patch_area=SMALL))
    assert bridged.validate() == []
    assert wm.bridge_gaps(apart, distance).validate() == []
    places = apart.sample(2000, seed=1).points
    assert np.mean(bridged.contains(places)) > 0.98
    assert bridged.component_count <= apart.component_count


@pytest.mark.parametrize("distance", [0.0, 0.1, 0.35, 0.8])
@pytest.mark.parametrize("seed", [0, 3, 20, 26, 33, 45])
def test_random_plates_of_slim_agents_rise_no_more_than_a_step(seed: int, distance: float) -> None:
    # Slivers of ground between low and high plates carry two steps one behind the other.
    scene = gap_scenes.random_plates(seed)
    method = wm.Exact(bridge_distance=distance, min_patch_area=SMALL)
    for radius in (0.0, 0.01, 0.1):
        navmesh = wm.build(scene, wm.Agent(radius=radius), method)
        assert navmesh.validate() == []
        # Whole polygons would be left out for what a few triangles of them are.
        assert "polygons_left_out" not in stage_counts(navmesh, "polygons")


def soup_navmesh(seed: int, agent: wm.Agent) -> wm.NavMesh:
    corners = soup(np.random.default_rng(seed)).reshape(-1, 3)
    return wm.build(wm.Scene(corners, np.arange(len(corners)).reshape(-1, 3)), agent)


@pytest.mark.parametrize("seed", [0, 4, 6, 9])
def test_bridges_that_validation_refuses_are_left_out(seed: int) -> None:
    agent = wm.Agent(height=0.5, radius=0.0, max_slope=89.99, max_step=0.0)
    apart = soup_navmesh(seed, agent)
    bridged = wm.bridge_gaps(apart, 0.1)
    assert bridged.validate() == []
    assert bridged.area > apart.area
    assert bridged.report is not None
    assert any("bridges left out" in note for note in bridged.report.notes)


def test_low_agents_and_wide_gaps_do_not_multiply_the_work() -> None:
    """Slabs of a quarter of the agent's height would show everything hundreds of times."""
    rim = np.column_stack([np.tile([0, 0, 1, 0, 0, 1], 40), np.linspace(0.0, 2.0, 240)])
    lines = np.column_stack([rim, np.linspace(0.0, 2.0, 240), rim + (0.5, 0.0), np.zeros(240)])
    lines[:, 5] = lines[:, 2]
    active = np.ones(len(lines), dtype=np.uint8)
    parts = Parts(
        lines,
        np.arange(len(lines), dtype=np.int32),
        np.tile([0.0, 1.0], (len(lines), 1)),
        active,
        np.zeros(len(lines), dtype=bool),
    )
    agent = wm.Agent(height=0.001, max_step=0.001)
    layout = lay_out(parts, GapLimits.of(agent, 2.0))
    assert layout is not None
    assert layout.clusters.max() < 10


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts are few for each edge, but all are near all others: their pairs take the time."""
    apart = soup_navmesh(4, wm.Agent(height=0.5, radius=0.0, max_slope=80.0))
    monkeypatch.setattr(sys.modules["walkmesh.builder.bridges"], "_MOST_PAIRS", 1000)
    with pytest.raises(wm.BuildError, match=r"near each other .* times, too many to bridge"):
        wm.bridge_gaps(apart, 2.0)


def test_too_many_gaps_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["walkmesh.builder.bridges"], "_MOST_PARTS", 10)
    monkeypatch.setattr(sys.modules["walkmesh.builder.bridges"], "_MOST_FOR_EDGE", 1)
    apart = soup_navmesh(4, wm.Agent(height=0.5, radius=0.0, max_slope=80.0))
    with pytest.raises(wm.BuildError, match="too many to bridge; a smaller distance"):
        wm.bridge_gaps(apart, 0.5)


def test_corners_in_a_line_give_no_triangle_without_area() -> None:
    apart = soup_navmesh(13, wm.Agent(height=0.5, radius=0.0, max_slope=89.99, max_step=0.0))
    assert detail_of(apart) is None
    bridged = wm.bridge_gaps(apart, 0.1)
    assert bridged.validate() == []
    assert bridged.component_count < apart.component_count
