"""How right a navmesh is: any navmesh, against the scene's own triangles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.errors import SettingsError
from walkmesh.evaluate.evaluation import Evaluation, Share
from walkmesh.evaluate.kernels.judge import BRIDGE, FREE, IN_DOUBT
from walkmesh.evaluate.kernels.soup import GROUND_FACE
from walkmesh.evaluate.kernels.walk import LAYER, STEP_SLACK
from walkmesh.evaluate.truth import Soup, Truth, sample
from walkmesh.navmesh import NavMesh

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.scene import Scene

__all__ = ["Evaluation", "Share", "evaluate"]

# Free points are rare where much ground is close to walls; so many times the samples are tried.
_TRIES = 4
# Vertices of foreign triangles closer than this are one. [m]
_SAME_PLACE = 1e-3


def evaluate(
    scene: Scene,
    navmesh: NavMesh | Scene,
    agent: Agent | None = None,
    *,
    samples: int = 20_000,
    band: float = 0.02,
    seeds: ArrayLike | None = None,
    seed: int = 0,
) -> Evaluation:
    """Compare a navmesh with the ground that is free in a scene.

    Free is a point that the agent can stand on, with headroom, and from which it can walk straight
    out to its radius in every direction: the ground goes on, no rise or drop exceeds `max_step`,
    and nothing stands in the way between `max_step` and `height`. It is decided by trying, over
    the scene's triangles, and shares no code with any way of building.

    - Recall: points drawn from all ground, uniformly by area, of which those count that are free
      with a radius larger by `band`. The navmesh covers one if it is over or under it by no more
      than `max_step`, since ramps stand for steps.
    - Precision: points drawn from the navmesh. There must be ground within `max_step` and 5 cm that
      is free with a radius smaller by `band`. What bridges a slit or a low thing, with ground on
      two opposite sides, does not count.

    Parameters
    ----------
    scene : Scene
        What the navmesh was made from, in its coordinates.
    navmesh : NavMesh or Scene
        The navmesh, made by whatever; a `Scene` stands for its triangles.
    agent : Agent, optional
        By default the navmesh's own.
    samples : int, default 20000
        How many points to draw for each share.
    band : float, default 0.02
        Half the width of the strip along boundaries where the navmesh may or may not be. [Unit: m]
    seeds : (n, 3) array_like of float, optional
        Places that agents start from; components without any are counted as islands. [Unit: m]
    seed : int, default 0
        Of the samples; the same one gives the same figures.

    Returns
    -------
    Evaluation

    Raises
    ------
    SettingsError
        When there are no samples, `band` is negative, or there is no agent to be had.
    """
    if samples < 1:
        raise SettingsError(f"samples = {samples}: at least one is needed")
    if not 0.0 <= band < np.inf:
        raise SettingsError(f"band = {band:g} m: must be at least 0")
    judged = navmesh if isinstance(navmesh, NavMesh) else _as_navmesh(navmesh, agent)
    truth = Truth(scene, agent or judged.agent)
    random = np.random.default_rng(seed)
    corners = truth.plan.inward(judged.vertices[judged.triangles])
    mesh = Soup.of(corners, 90.0)
    step = truth.agent.max_step

    free = _free_points(truth, samples, truth.agent.radius + band, random)
    covered = mesh.layers(free, step + STEP_SLACK) > 0

    points = sample(corners, samples, random)
    radius = max(0.0, truth.agent.radius - band)
    found = truth.judge(points, radius, step + BRIDGE, random, of_navmesh=True)
    right, counted = found.states == FREE, found.states != IN_DOUBT
    errors = np.abs(points[:, 2] - found.grounds)[right & found.level]
    doubled = mesh.layers(points, truth.agent.height / 2.0) > 1
    islands, island_area = _islands(judged, seeds)
    return Evaluation(
        recall=Share.of(int(covered.sum()), len(free)),
        precision=Share.of(int(right.sum()), int(counted.sum())),
        overlap=Share.of(int(doubled.sum()), len(points)),
        height_error_median=float(np.median(errors)) if len(errors) else np.nan,
        height_error_95=float(np.percentile(errors, 95)) if len(errors) else np.nan,
        height_error_largest=float(errors.max()) if len(errors) else np.nan,
        area=float(_areas(judged).sum()),
        polygons=judged.polygon_count,
        vertices=len(judged.vertices),
        components=judged.component_count,
        islands=islands,
        island_area=island_area,
        missed=truth.plan.outward(free[~covered]),
        wrong=truth.plan.outward(points[counted & ~right]),
        doubled=truth.plan.outward(points[doubled]),
    )


def _free_points(truth: Truth, count: int, radius: float, random: np.random.Generator) -> Floats:
    """Draw points from the ground until `count` of them are free, or enough were tried."""
    ground = truth.soup.corners[truth.soup.kinds == GROUND_FACE]
    batches, found = [np.empty((0, 3))], 0
    for _ in range(_TRIES):
        points = sample(ground, count, random)
        states, grounds, _ = truth.judge(points, radius, LAYER, random)
        points[:, 2] = grounds
        batches.append(points[states == FREE])
        found += len(batches[-1])
        if found >= count:
            break
    return np.concatenate(batches)[:count]


def _as_navmesh(scene: Scene, agent: Agent | None) -> NavMesh:
    """Return foreign triangles as a navmesh; those that share corners are neighbours."""
    if agent is None:
        raise SettingsError("triangles know no agent: name the one that they are meant for")
    corners = scene.vertices[scene.faces].reshape(-1, 3)
    places = np.round((corners - corners.min(axis=0)) / _SAME_PLACE)
    _, first, ids = np.unique(places, axis=0, return_index=True, return_inverse=True)
    offsets = np.arange(0, len(corners) + 1, 3)
    return NavMesh(corners[first], offsets, ids.ravel(), agent=agent, up=scene.up)


def _areas(navmesh: NavMesh) -> Floats:
    """(t,) float64: the area of each triangle. [Unit: m2]."""
    a, b, c = (navmesh.vertices[navmesh.triangles[:, k]] for k in range(3))
    return np.asarray(np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2.0)


def _islands(navmesh: NavMesh, seeds: ArrayLike | None) -> tuple[int | None, float | None]:
    """Return how many components no seed is on, and their area."""
    if seeds is None:
        return None, None
    reached = np.unique(navmesh.components[navmesh.nearest(seeds).polygons])
    alone = ~np.isin(navmesh.components[navmesh.triangle_polygons], reached)
    count = navmesh.component_count - len(reached)
    return count, float(_areas(navmesh)[alone].sum())
