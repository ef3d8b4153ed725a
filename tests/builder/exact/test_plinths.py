"""Plinths whose sides lean: stepped up onto if no higher than a step, and never otherwise."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers.plinths import floor, frustum, is_climbed, scene_of

steps = st.sampled_from([0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
plinths = st.fixed_dictionaries(
    {
        "sides": st.integers(3, 8),
        "turn": st.one_of(st.just(0.0), st.floats(0.0, 6.28)),
        "base": st.sampled_from([0.0, 0.1]),
        "bands": st.integers(1, 4),
        "tip": st.sampled_from([0.0, 0.1]),
    }
)
leans = st.one_of(st.sampled_from([0.0, 0.001, 0.002, 0.005, 0.02]), st.floats(-0.05, 0.05))


@given(steps, st.floats(0.0, 1.0), leans, st.sampled_from([0.0, 0.1, 0.3]), plinths)
def test_what_is_higher_than_a_step_is_not_climbed(max_step, share, lean, radius, plinth):
    lowest = 1.03 * max_step + 2e-3
    height = lowest + share * max(1.2 - lowest, 0.0)
    assume(height > 1.1 * (1.0 + plinth["base"] / height) * lean)  # else it is a ramp
    navmesh = wm.build(
        scene_of(floor(), frustum(1.5, height, lean, **plinth)),
        wm.Agent(max_step=max_step, radius=radius),
    )
    assert not is_climbed(navmesh, height + plinth["tip"])
    assert [v for v in navmesh.validate() if v.kind == "rise"] == []


@given(steps, st.floats(0.2, 0.97), leans, st.sampled_from([0.0, 0.1, 0.3]), plinths)
def test_what_is_no_higher_than_a_step_is_climbed(max_step, share, lean, radius, plinth):
    navmesh = wm.build(
        scene_of(floor(), frustum(1.5, share * max_step, lean, **plinth)),
        wm.Agent(max_step=max_step, radius=radius),
    )
    assert is_climbed(navmesh, share * max_step + plinth["tip"])
    assert [v for v in navmesh.validate() if v.kind == "rise"] == []


@pytest.mark.parametrize("lean", [0.001, 0.005, 0.03])
@pytest.mark.parametrize("bands", [1, 3])
def test_beside_rising_ground_a_plinth_is_climbed_where_it_is_low(lean, bands):
    # The floor rises from 0.8 m below the rim to 0.4 m above it, along 8 m.
    scene = scene_of(floor(0.15), frustum(2.8, 0.2, lean, turn=math.pi / 4, base=1.0, bands=bands))
    navmesh = wm.build(scene, wm.Agent(max_step=0.3, radius=0.1))
    path = navmesh.find_path((-1.5, -0.225, 2.6), (-1.5, 0.2, 1.5))
    assert path.status == "complete"
    # At x = -0.667 the rim is a step above the ground.
    crossed = np.flatnonzero(path.points[:, 2] < 1.9)[0]
    assert path.points[crossed][0] > -0.7
    result = wm.evaluate(scene, navmesh, samples=3000, pairs=0)
    assert result.precision.value >= 0.999
    assert result.recall.value >= 0.998


def test_plinths_that_lean_are_where_the_ground_truth_has_them():
    rng = np.random.default_rng(0)
    parts = []
    for x in np.arange(-15.0, 16.0, 5.0):
        for z in np.arange(-15.0, 16.0, 5.0):
            vertices, faces = frustum(
                rng.uniform(0.8, 1.6),
                rng.uniform(0.1, 1.0),
                rng.choice([0.001, 0.005, 0.02, 0.05]),
                sides=int(rng.integers(3, 7)),
                turn=rng.uniform(0.0, 6.28),
                base=rng.choice([0.0, 0.1]),
                bands=int(rng.integers(1, 4)),
            )
            parts.append((vertices + np.array([x, 0.0, z]), faces))
    vertices, faces = floor()
    scene = scene_of((vertices * 5.0, faces), *parts)
    navmesh = wm.build(scene)
    assert navmesh.validate() == []
    result = wm.evaluate(scene, navmesh, samples=5000, pairs=0)
    assert result.precision.value >= 0.999
    assert result.recall.value >= 0.995
