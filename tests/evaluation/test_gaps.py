"""Evaluations of navmeshes with bridges: gaps that can be stepped across are ground."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers import gap_scenes
from tests.makers.gap_scenes import DISTANCE
from walkmesh.evaluation.truth import Truth
from walkmesh.samples.soup import Soup

SCENES = {
    "plates 0.3 m apart": gap_scenes.plates_apart(0.3),
    "plates 0.34 m apart": gap_scenes.plates_apart(0.34),
    "plates too far apart": gap_scenes.plates_apart(0.36),
    "star of 3": gap_scenes.star(3, 0.3),
    "star of 4": gap_scenes.star(4, 0.3),
    "tee": gap_scenes.tee(0.3),
    "tee with a wide foot": gap_scenes.tee_with_a_wide_foot(0.3),
    "square ring": gap_scenes.square_ring(0.3),
    "round ring": gap_scenes.round_ring(0.3),
    "ring of plates": gap_scenes.ring_of_plates(0.3),
    "bars": gap_scenes.bars(0.05, 0.1),
    "lattice": gap_scenes.lattice(0.05, 0.2),
    "wedge": gap_scenes.wedge()[0],
    "disc": gap_scenes.disc_beside_plate(0.2),
}


def judged(scene, navmesh, **options):
    return wm.evaluate(scene, navmesh, samples=1500, pairs=0, **options)


@pytest.mark.parametrize("radius", [0.3, 0.0])
@pytest.mark.parametrize("name", SCENES)
def test_rightly_bridged_navmeshes_are_right(name, radius):
    scene = SCENES[name].scene
    navmesh = wm.build(scene, wm.Agent(radius=radius), wm.Exact(bridge_distance=DISTANCE))
    result = judged(scene, navmesh)
    assert result.bridge_distance == DISTANCE
    assert result.precision.value >= 0.995
    assert result.recall.value >= 0.995


@pytest.mark.parametrize("seed", range(4))
def test_bridges_between_plates_of_any_kind_are_right(seed):
    scene = gap_scenes.random_plates(seed)
    agent = wm.Agent(radius=(0.3, 0.1)[seed % 2])
    navmesh = wm.build(scene, agent, wm.Exact(bridge_distance=DISTANCE))
    assert judged(scene, navmesh).precision.value >= 0.995


def test_gaps_are_ground_only_up_to_the_distance():
    scene = gap_scenes.plates_apart(0.3).scene
    bridged = wm.build(scene, method=wm.Exact(bridge_distance=DISTANCE))
    apart = wm.build(scene)
    assert judged(scene, bridged, bridge_distance=0.25).precision.value < 0.9
    assert judged(scene, bridged, bridge_distance=0).precision.value < 0.9
    assert judged(scene, apart).recall.value == 1.0
    # A navmesh without bridges misses the ground over gaps that count.
    assert judged(scene, apart, bridge_distance=DISTANCE).recall.value < 0.9
    connected = wm.evaluate(scene, bridged, samples=400)
    assert connected.connections_kept.value == connected.connections_right.value == 1.0
    lost = wm.evaluate(scene, apart, samples=400, bridge_distance=DISTANCE)
    assert lost.connections_kept.value < 0.9


def test_a_bridge_over_too_wide_a_gap_is_wrong():
    scene = gap_scenes.plates_apart(0.45).scene
    navmesh = wm.build(scene, method=wm.Exact(bridge_distance=0.5))
    assert judged(scene, navmesh).precision.value == 1.0
    assert judged(scene, navmesh, bridge_distance=DISTANCE).precision.value < 0.9


def fenced():
    """Return two plates with a fence in the gap between them, along its first half."""
    soup = Soup()
    for plate in shapely.get_parts(gap_scenes.two_plates(0.3)):
        soup.sheet(plate, 0.0)
    soup.box((3.14, 0.0, -0.5), (3.16, 2.0, 1.0))
    return soup.scene("y")


def test_a_bridge_through_an_obstacle_is_wrong():
    scene, agent = fenced(), wm.Agent(radius=0)
    around = wm.build(scene, agent, wm.Exact(bridge_distance=DISTANCE))
    result = judged(scene, around)
    assert result.precision.value >= 0.995
    # Without the scene, and without the top of the fence, nothing is known of the fence.
    apart = wm.build(scene, agent, wm.Exact(min_patch_area=0.05))
    assert apart.component_count == 2
    through = wm.bridge_gaps(apart, DISTANCE)
    assert through.report.settings["bridge_distance"] == DISTANCE
    wrong = judged(scene, through)
    gap_area = 0.3 * 2.0
    assert wrong.precision.value < 1.0 - 0.7 * gap_area / through.area
    places = wrong.wrong
    assert len(places) > 5
    assert ((places[:, 2] > 2.99) & (places[:, 2] < 3.31)).all()


@pytest.mark.parametrize(("rise", "crossed"), [(0.35, True), (0.45, False)])
def test_how_high_a_gap_may_rise(rise, crossed):
    plates = shapely.get_parts(gap_scenes.two_plates(0.3))
    scene = gap_scenes.scene_of((plates[0], 0.0), (plates[1], rise))
    truth = Truth(scene, wm.Agent(radius=0), bridge_distance=DISTANCE)
    place = [(2.0, rise / 2.0, 3.15)]
    assert truth.free(place, within=rise)[0] == crossed


@pytest.mark.parametrize(("radius", "crossed"), [(0.1, False), (0.3, True)])
def test_gaps_over_ground_that_the_agent_fits_on_stay_open(radius, crossed):
    plates = gap_scenes.two_plates(0.3)
    floor = shapely.box(-1.0, -1.0, 8.0, 5.0)
    scene = gap_scenes.scene_of((plates, 1.0), (floor, 0.0))
    truth = Truth(scene, wm.Agent(radius=radius), bridge_distance=DISTANCE)
    assert truth.free([(2.0, 1.0, 3.15)])[0] == crossed


@pytest.mark.parametrize(("gap", "distance"), [(0.01, 0.03), (0.02, 0.0), (0.1, 0.15)])
def test_slits_count_as_they_were_closed(gap, distance):
    scene = gap_scenes.plates_apart(gap).scene
    navmesh = wm.build(scene, method=wm.Exact(gap_distance=distance))
    assert navmesh.component_count == (1 if gap <= distance else 2)
    result = judged(scene, navmesh)
    assert result.gap_distance == distance
    assert min(result.precision.value, result.recall.value) >= 0.995
    other = judged(scene, navmesh, gap_distance=0.0 if gap <= distance else 0.03)
    assert min(other.precision.value, other.recall.value) < 0.9


def test_bridges_on_a_navmesh_with_a_radius_tell_the_gap_of_the_scene():
    scene = gap_scenes.plates_apart(0.1).scene
    navmesh = wm.build(scene, wm.Agent(radius=0.1))
    bridged = wm.bridge_gaps(navmesh, 0.35, scene=scene)
    assert bridged.component_count == 1
    assert bridged.report.settings["bridge_distance"] == pytest.approx(0.15)
    assert judged(scene, bridged).precision.value >= 0.995
    # A navmesh that tells nothing is judged as one without bridges.
    alone = wm.NavMesh(
        bridged.vertices, bridged.polygon_offsets, bridged.polygon_vertices, agent=bridged.agent
    )
    assert judged(scene, alone).precision.value < 0.97
    assert judged(scene, alone, bridge_distance=0.15).precision.value >= 0.995


@settings(max_examples=10, deadline=None)
@given(gap=st.floats(0.06, 0.6), distance=st.floats(0.06, 0.6), turn=st.floats(0.0, 2.0 * math.pi))
def test_a_gap_is_ground_exactly_if_it_is_narrow_enough(gap, distance, turn):
    if abs(gap - distance) < 0.01:
        return
    scene = gap_scenes.plates_apart(gap).scene
    cosine, sine = math.cos(turn), math.sin(turn)
    about_y = np.array([(cosine, 0.0, sine), (0.0, 1.0, 0.0), (-sine, 0.0, cosine)])
    turned = wm.Scene(scene.vertices @ about_y.T, scene.faces)
    truth = Truth(turned, wm.Agent(radius=0), bridge_distance=distance)
    places = np.array([(x, 0.0, 3.0 + share * gap) for share in (0.3, 0.7) for x in (1.0, 2.5)])
    assert (truth.free(places @ about_y.T) == (gap < distance)).all()


@pytest.mark.parametrize("name", ["gap_distance", "bridge_distance"])
@pytest.mark.parametrize("value", [-0.1, math.nan, 2.5, True, "wide"])
def test_distances_that_cannot_be(name, value):
    scene = gap_scenes.plates_apart(0.1).scene
    with pytest.raises(wm.SettingsError, match=f"{name} must be >= 0 m and <= 2 m"):
        wm.evaluate(scene, wm.build(scene), **{name: value})
