"""Hostile scenes for all methods and agents: a sound navmesh, or a clear error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import walkmesh as wm
from fuzz.fault import Fault
from fuzz.scenes import DAMAGE, SHAPES
from fuzz.values import Random, pick

if TYPE_CHECKING:
    from walkmesh.arrays import Floats

# The time of a build by voxels follows their number, which is no fault: scenes are no wider than
# so many of them.
_MOST_CELLS = 1000


def prepare() -> None:
    """Do nothing: every case makes its own scene."""


def case(number: int) -> None:
    """Build the navmesh of a hostile scene for some agent by some method, and check it."""
    random = np.random.default_rng(number)
    corners = pick(random, list(SHAPES.values()))(random)
    for _ in range(int(random.integers(3))):
        corners = pick(random, DAMAGE)(random, corners)
    places = corners.reshape(-1, 3)
    faces = np.arange(len(places)).reshape(-1, 3)
    scene = wm.Scene(places, faces, up=pick(random, ["y", "y", "y", "z", "x"]))
    agent = _agent(random)
    method = _method(random, scene)
    navmesh = wm.build(scene, agent, method, workers=1)
    _check(navmesh, type(method).__name__)
    if not navmesh.surface and random.random() < 0.3:
        distance = float(pick(random, [0.1, 0.5, 2.0]))
        _check(wm.bridge_gaps(navmesh, distance, scene), "bridges")


def _check(navmesh: wm.NavMesh, method: str) -> None:
    if not np.isfinite(navmesh.vertices).all():
        raise Fault(f"{method}: coordinates that are not finite")
    violations = navmesh.validate()
    if violations:
        raise Fault(f"{method}: {violations[0].kind}", f"{len(violations)}: {violations[:3]}")


def _agent(random: Random) -> wm.Agent:
    height = float(pick(random, [1.8, 1.8, 0.1, 0.5, 5.0, 40.0, 1e-3]))
    return wm.Agent(
        height=height,
        radius=float(pick(random, [0.3, 0.0, 0.01, 0.17, 0.05, 1.0, 4.0, 1e-6])),
        max_slope=float(pick(random, [45.0, 0.0, 20.0, 60.0, 89.99])),
        max_step=min(float(pick(random, [0.4, 0.0, 0.02, 1.0, 1e-6])), height),
    )


def _method(random: Random, scene: wm.Scene) -> wm.Exact | wm.Voxel | wm.Surface:
    kind = random.integers(10)
    if kind < 5:
        return wm.Exact(
            bridge_distance=float(pick(random, [0.0, 0.0, 0.1, 0.5, 2.0])),
            min_patch_area=pick(random, [None, None, 0.0]),
        )
    if kind < 7:
        extent = float(np.ptp(_finite(scene.vertices), axis=0).max(initial=0.0))
        return wm.Voxel(
            cell_size=max(float(pick(random, [0.1, 0.05, 0.3])), min(extent / _MOST_CELLS, 100.0)),
            partition=pick(random, ["watershed", "slices"]),
        )
    return wm.Surface(
        sides=pick(random, ["front", "back", "both"]),
        max_tilt=float(pick(random, [180.0, 45.0])),
        gap_distance=float(pick(random, [0.03, 0.0, 0.5])),
    )


def _finite(points: Floats) -> Floats:
    """Return the points (n, 3) that are somewhere; a single one if none is."""
    usable = points[(np.abs(points) < 1e100).all(axis=1)]
    return usable if len(usable) else np.zeros((1, 3))
