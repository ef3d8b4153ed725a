"""What a navmesh connects, against what is connected in the scene."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.evaluation.discs import label_joined
from walkmesh.evaluation.evaluation import Share
from walkmesh.evaluation.kernels.tolerances import FINEST, WIDE
from walkmesh.evaluation.passages import find_ways

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.evaluation.passages import Ways
    from walkmesh.evaluation.truth import Truth
    from walkmesh.navmesh import NavMesh


class Connections(NamedTuple):
    """See the fields of the same names of :class:`~walkmesh.evaluation.evaluation.Evaluation`."""

    connections_kept: Share
    connections_right: Share
    connections_undecided: int
    narrowest_kept: float
    widest_lost: float
    lost_pairs: Floats
    false_pairs: Floats


def compare_connections(
    truth: Truth,
    navmesh: NavMesh,
    free: Floats,
    walkable: Floats,
    band: float,
    progress: Callable[[float], None],
) -> Connections:
    """Compare what a navmesh connects with what one can walk.

    Each two points, one after the other, make a pair: (2 n, 3) that are `free` with a radius larger
    by `band`, and (2 m, 3) of the navmesh that are with one smaller by it; all in the plan. [Unit:
    m]
    """
    radius = truth.agent.radius
    finest = max(band, FINEST)
    points = np.concatenate([free, walkable])
    ground = truth.ground_area / max(len(points), 1)
    pairs = np.arange(len(points), dtype=np.int32).reshape(-1, 2)
    first, second = _homes(navmesh, truth.plan.outward(points))[pairs].T
    joined = (first >= 0) & (first == second)
    rooms = max(0.0, radius - band - finest), radius + max(WIDE, math.sqrt(ground)), finest
    ways = find_ways(truth, points, pairs, joined, rooms, progress)
    of_free = np.arange(len(pairs)) < len(free) // 2

    wanted = of_free & (ways.rooms >= radius + band)
    lost = wanted & ~joined
    claimed = ~of_free & joined & ways.decided
    right = claimed & (ways.rooms >= radius - band)
    places = truth.plan.outward(points[pairs])
    return Connections(
        Share.of(int((wanted & joined).sum()), int(wanted.sum())),
        Share.of(int(right.sum()), int(claimed.sum())),
        int((ways.known & ~ways.decided & (of_free | joined)).sum()),
        _width(ways, joined & ways.narrow, min),
        # Points in the lost passage itself have a wide way to one of its sides.
        _width(ways, lost & ways.narrow if (lost & ways.narrow).any() else lost, max),
        places[lost],
        places[claimed & ~right],
    )


def _width(ways: Ways, chosen: NDArray[np.bool_], best: Callable[..., float]) -> float:
    return float(2.0 * best(ways.rooms[chosen], default=math.nan))


def _homes(navmesh: NavMesh, points: Floats) -> Ids:
    """Return which part of the navmesh each point is on or close to, -1 for none.

    Close is within the agent's radius and step, as a query would look for it there.
    """
    if navmesh.polygon_count == 0:
        return np.full(len(points), -1, dtype=np.int32)
    agent = navmesh.agent
    found = navmesh.nearest(points, max_snap=agent.radius + agent.max_step).polygons
    parts = np.unique(navmesh.components, return_inverse=True)[1].astype(np.int32)
    starts, goals = parts[navmesh.links["start_polygon"]], parts[navmesh.links["goal_polygon"]]
    labels = label_joined(starts, goals, int(parts.max()) + 1)
    return np.where(found >= 0, labels[parts[found]], -1)
