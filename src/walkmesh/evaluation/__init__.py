"""How right a navmesh is: any navmesh, against the scene's own triangles."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.agent import Agent
from walkmesh.arguments import check_kind, read_count, read_number
from walkmesh.arrays import as_points
from walkmesh.errors import SettingsError
from walkmesh.evaluation.connections import compare_connections
from walkmesh.evaluation.evaluation import Evaluation, Share
from walkmesh.evaluation.kernels.judge import FREE, IN_DOUBT
from walkmesh.evaluation.kernels.tolerances import BRIDGE, LAYER, SLIT, WIDEST_GAP
from walkmesh.evaluation.triangles import as_navmesh
from walkmesh.evaluation.truth import Truth, areas_of, find_near, sample, under_grid
from walkmesh.kernels.warmup import prepare
from walkmesh.navmesh import NavMesh
from walkmesh.progress import check_callable
from walkmesh.scene import Scene
from walkmesh.settings import as_number
from walkmesh.topology import check_usable

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from walkmesh.arrays import Floats
    from walkmesh.progress import Progress

__all__ = ["STAGES", "Evaluation", "Share", "evaluate"]

STAGES = ("recall", "precision", "connections")
"""What an evaluation tells its progress by."""

# Free points are rare where much ground is close to walls; so many times the samples are tried.
_TRIES = 4
_MOST_SAMPLES = 10_000_000
# So many samples make one pair of points whose connection is asked for.
_SAMPLES_PER_PAIR = 20


def evaluate(
    scene: Scene,
    navmesh: NavMesh | Scene,
    agent: Agent | None = None,
    *,
    samples: int = 20_000,
    band: float = 0.02,
    pairs: int | None = None,
    seeds: ArrayLike | None = None,
    seed: int = 0,
    gap_distance: float | None = None,
    bridge_distance: float | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Compare a navmesh with the ground that is free in a scene.

    Free is a point that the agent can stand on, with headroom, and from which it can walk straight
    out to its radius in every direction: the ground goes on, no rise or drop exceeds `max_step`,
    and nothing stands in the way between `max_step` and `height`. It is decided by trying, over
    the scene's triangles, and shares no code with any way of building. Slits up to `gap_distance`
    are stepped over. Gaps up to `bridge_distance` are ground: places without ground, but with
    ground on two opposite sides that are no further apart, or where no empty disc with that
    diameter finds room; as long as the ground rises by no more than `max_step` or `max_slope`
    from side to side, nothing stands in between, and no agent could be below. Triangles
    count as ground on the `sides` that the navmesh was built with, and on their front if its
    report does not tell.

    - Recall: points drawn from all ground, uniformly by area, of which those count that are free
      with a radius larger by `band`. The navmesh covers one if it is over or under it by no more
      than `max_step` and 5 cm, since ramps stand for steps.
    - Precision: points drawn from the navmesh. There must be ground within `max_step` and 5 cm that
      is free with a radius smaller by `band`. What bridges a slit, or a low thing up to 0.6 m wide,
      with ground on two opposite sides, does not count.
    - Connections: pairs of these points, half of them drawn at random and half close together,
      between which ways are searched over the free ground, through every passage that the agent
      fits through.

    Parameters
    ----------
    scene : Scene
        What the navmesh was made from, in its coordinates.
    navmesh : NavMesh or Scene
        The navmesh, made by whatever; a `Scene` stands for its triangles, which connect where
        their edges touch.
    agent : Agent, optional
        By default the navmesh's own.
    samples : int, default 20000
        How many points to draw for each share.
    band : float, default 0.02
        Half the width of the strip along boundaries where the navmesh may or may not be. [Unit: m]
    pairs : int, optional
        How many pairs of free points, and of points of the navmesh, to search ways between; by
        default one for every 20 samples. 0 leaves that out, which mostly takes the longest.
    seeds : (n, 3) array_like of float, optional
        Places that agents start from; components without any are counted as islands. [Unit: m]
    seed : int, default 0
        Of the samples; the same one gives the same figures.
    gap_distance, bridge_distance : float, optional
        The widest slit that is stepped over and the widest gap that is ground; by default what the
        navmesh was built with, as its report tells, or 0.03 and 0.
        [Limit: 0 <= value <= 2] [Unit: m]
    progress : callable, optional
        Called with one of `STAGES` and the part of it that is done; may raise `Cancelled`.

    Returns
    -------
    Evaluation

    Raises
    ------
    SettingsError
        When a setting cannot be, up differs, a seed is too far from the navmesh, or there is no
        agent to be had.
    FormatError
        When the navmesh is not usable.

    Examples
    --------
    >>> import walkmesh as wm
    >>> scene = wm.samples.floor(width=10, depth=8)
    >>> result = wm.evaluate(scene, wm.build(scene), samples=500)
    >>> result.recall.value, result.precision.value
    (1.0, 1.0)
    """
    _check(scene, navmesh, agent, samples, pairs, seed)
    band = read_number("band", band, unit="m")
    check_callable(progress=progress)
    prepare("walkmesh.evaluation")
    judged = _judged(navmesh, agent)
    if not np.allclose(judged.up, scene.up):
        raise SettingsError(f"up is {judged.up} for the navmesh and {scene.up} for the scene")
    distances = _distances(judged, gap_distance, bridge_distance)
    truth = Truth(scene, agent or judged.agent, *distances, sides=_sides(judged))
    # Ground is missed only where it is sure to be ground.
    wanted = replace(truth, sure=True) if truth.bridge_distance > 0.0 else truth
    islands, island_area = _islands(judged, seeds)

    def telling(stage: str) -> Callable[[float], None]:
        return lambda fraction: None if progress is None else progress(stage, fraction)

    random = np.random.default_rng(seed)
    corners = truth.plan.inward(judged.vertices[judged.triangles])
    mesh = under_grid(corners, 90.0)
    radius, within = truth.agent.radius, truth.agent.max_step + BRIDGE

    free = _free_points(wanted, samples, radius + band, random, telling("recall"))
    covered = find_near(mesh, free, within).nearest >= 0

    points = sample(corners, samples, random).points
    found = truth.judge(
        points, max(0.0, radius - band), within, random, of_navmesh=True,
        progress=telling("precision"),
    )  # fmt: skip
    right, counted = found.states == FREE, found.states != IN_DOUBT
    errors = np.abs(points[:, 2] - found.grounds)[right & (found.level == 1)]
    doubled = find_near(mesh, points, truth.agent.height / 2.0).counts > 1

    walkable = np.column_stack([points[:, :2], found.grounds])[right]
    count = -(-samples // _SAMPLES_PER_PAIR) if pairs is None else pairs
    connections = compare_connections(
        truth, judged, _in_pairs(free, count), _in_pairs(walkable, count), band,
        telling("connections"),
    )  # fmt: skip
    return Evaluation(
        recall=Share.of(int(covered.sum()), len(free)),
        precision=Share.of(int(right.sum()), int(counted.sum())),
        overlap=Share.of(int(doubled.sum()), len(points)),
        height_error_median=float(np.median(errors)) if len(errors) else math.nan,
        height_error_95=float(np.percentile(errors, 95)) if len(errors) else math.nan,
        height_error_largest=float(errors.max()) if len(errors) else math.nan,
        area=judged.area,
        polygons=judged.polygon_count,
        vertices=len(judged.vertices),
        components=judged.component_count,
        islands=islands,
        island_area=island_area,
        gap_distance=truth.gap_distance,
        bridge_distance=truth.bridge_distance,
        missed=truth.plan.outward(free[~covered]),
        wrong=truth.plan.outward(points[counted & ~right]),
        doubled=truth.plan.outward(points[doubled]),
        scene=scene,
        navmesh=judged,
        **connections._asdict(),
    )


def _check(
    scene: Scene,
    navmesh: NavMesh | Scene,
    agent: Agent | None,
    samples: int,
    pairs: int | None,
    seed: int,
) -> None:
    check_kind("scene", scene, Scene)
    if not isinstance(navmesh, NavMesh | Scene):
        raise SettingsError(f"navmesh is {navmesh!r}; it must be a walkmesh.NavMesh or a Scene")
    if isinstance(navmesh, NavMesh) and navmesh.surface:
        raise SettingsError(
            "navmesh is one of a surface; only ground as seen from above can be evaluated"
        )
    if agent is not None:
        check_kind("agent", agent, Agent)
    for name, value, least, most in (
        ("samples", samples, 1, _MOST_SAMPLES),
        ("pairs", 0 if pairs is None else pairs, 0, _MOST_SAMPLES),
        ("seed", seed, 0, np.iinfo(np.int64).max),
    ):
        read_count(name, value, least, most)


def _distances(
    navmesh: NavMesh, gap_distance: float | None, bridge_distance: float | None
) -> tuple[float, float]:
    """Return the widest slit and the widest gap that are stepped across; by default as built."""
    settings = {} if navmesh.report is None else navmesh.report.settings
    widest = []
    for name, value, otherwise in (
        ("gap_distance", gap_distance, SLIT),
        ("bridge_distance", bridge_distance, 0.0),
    ):
        given = settings.get(name, otherwise) if value is None else value
        number = as_number(given)
        if not 0.0 <= number <= WIDEST_GAP:
            raise SettingsError(f"{name} must be >= 0 m and <= {WIDEST_GAP:g} m, got {given!r}")
        widest.append(number)
    return widest[0], widest[1]


def _judged(navmesh: NavMesh | Scene, agent: Agent | None) -> NavMesh:
    if isinstance(navmesh, NavMesh):
        check_usable(navmesh)
        return navmesh
    if agent is None:
        raise SettingsError("a triangle mesh has no agent; pass agent=")
    return as_navmesh(navmesh, agent)


def _sides(navmesh: NavMesh) -> str:
    """Return which sides of triangles a navmesh was built to walk on."""
    settings = {} if navmesh.report is None else navmesh.report.settings
    return str(settings.get("sides", "front"))


def _free_points(
    truth: Truth,
    count: int,
    radius: float,
    random: np.random.Generator,
    progress: Callable[[float], None],
) -> Floats:
    """Draw points from the ground until `count` of them are free, or enough were tried."""
    batches, found = [np.empty((0, 3))], 0
    for _ in range(_TRIES):
        points = sample(truth.ground, count, random).points
        states, grounds, _ = truth.judge(points, radius, LAYER, random, progress=progress)
        points[:, 2] = grounds
        batches.append(points[states == FREE])
        found += len(batches[-1])
        if found >= count:
            break
    return np.concatenate(batches)[:count]


def _in_pairs(points: Floats, pairs: int) -> Floats:
    """Return points for no more than so many pairs, those of each one after the other.

    Of every second pair the points are close together, so that small parts of a large scene have
    pairs of their own.
    """
    chosen = points[: 2 * min(pairs, len(points) // 2)]
    halves = np.split(chosen, [len(chosen) // 4 * 2])
    # From strip to strip of the plan, along each of them.
    local = halves[1]
    extent = np.ptp(local[:, :2], axis=0) if len(local) else np.zeros(2)
    width = max(math.sqrt(float(np.prod(extent)) / max(len(local), 1)), 1e-9)
    strips = np.floor(local[:, 0] / width)
    local = local[np.lexsort([local[:, 1], strips])]
    return np.concatenate([halves[0], local])


def _islands(navmesh: NavMesh, seeds: ArrayLike | None) -> tuple[int | None, float | None]:
    """Return how many components no seed is on, and their area."""
    if seeds is None:
        return None, None
    places = as_points("seeds", seeds, SettingsError)
    located = navmesh.nearest(places, max_snap=navmesh.agent.height)
    for place, polygon in zip(places.tolist(), located.polygons, strict=True):
        if polygon < 0:
            raise SettingsError(
                f"seed {place} is further than the agent's height, {navmesh.agent.height:g} m, "
                "from the navmesh"
            )
    reached = np.unique(navmesh.components[located.polygons])
    alone = ~np.isin(navmesh.components[navmesh.triangle_polygons], reached)
    areas = areas_of(navmesh.vertices[navmesh.triangles])
    return navmesh.component_count - len(reached), float(areas[alone].sum())
