"""Rough scenes: what their docstrings say, and navmeshes of them that can be trusted."""

import numpy as np
import pytest

import walkmesh as wm
from walkmesh import SettingsError, samples

ROUGH = {
    "scanned_room": lambda seed: samples.scanned_room(seed, spacing=0.05),
    "rock_cave": lambda seed: samples.rock_cave(seed, spacing=0.1),
    "ruin": lambda seed: samples.ruin(seed, stones=60),
    "trimmed_level": samples.trimmed_level,
}


@pytest.mark.parametrize("name", ROUGH)
def test_the_same_seed_gives_the_same_scene(name):
    first, second, other = ROUGH[name](1), ROUGH[name](1), ROUGH[name](2)
    assert np.array_equal(first.vertices, second.vertices)
    assert first.vertices.shape != other.vertices.shape or not np.array_equal(
        first.vertices, other.vertices
    )


def test_rough_scenes_are_as_large_as_they_say():
    width, height, depth = np.sort(np.ptp(samples.scanned_room(spacing=0.1).bounds, axis=0))
    assert (width, height, depth) == pytest.approx((2.2, 3.0, 4.0), abs=0.4)
    assert np.ptp(samples.rock_cave(spacing=0.2).bounds, axis=0)[[2, 0]] == pytest.approx(
        (8.0, 6.0), abs=0.2
    )
    assert np.ptp(samples.trimmed_level().bounds, axis=0) == pytest.approx(
        (5.48, 3.05, 12.68), abs=0.1
    )


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, "wide"])
def test_spacing_must_be_a_length(bad):
    with pytest.raises(SettingsError, match="spacing"):
        samples.scanned_room(spacing=bad)
    with pytest.raises(SettingsError, match="spacing"):
        samples.rock_cave(spacing=bad)


@pytest.mark.parametrize(
    ("name", "recall", "precision"),
    [("scanned_room", 0.995, 0.995), ("trimmed_level", 0.995, 0.995)],
)
@pytest.mark.parametrize("radius", [0.1, 0.3])
def test_navmeshes_of_rough_scenes_are_right(name, recall, precision, radius):
    scene = ROUGH[name](0)
    navmesh = wm.build(scene, wm.Agent(radius=radius))
    assert navmesh.validate() == []
    result = wm.evaluate(scene, navmesh, samples=2000, pairs=0)
    assert result.recall.value >= recall
    assert result.precision.value >= precision


def test_pinholes_in_the_flanks_of_boulders_close():
    # What is left of faces that nobody can walk over, narrower than a slit, among those that one
    # can: each kept the agent a radius away, and together they took a hundredth of the ground.
    scene = samples.rock_cave()
    result = wm.evaluate(scene, wm.build(scene), samples=5000, pairs=0)
    assert result.recall.value >= 0.985
    assert result.precision.value >= 0.993


def test_faces_that_are_higher_than_a_step_end_the_ground_of_rough_rock():
    # Along the contour of one of them, 4 cm high, one can go across it; up and down one cannot.
    scene = samples.rock_cave()
    navmesh = wm.build(scene, wm.Agent(max_step=0.01), wm.Exact(min_patch_area=0.0))
    result = wm.evaluate(scene, navmesh, samples=2000, pairs=0)
    assert result.recall.value >= 0.93
    assert result.precision.value >= 0.995
