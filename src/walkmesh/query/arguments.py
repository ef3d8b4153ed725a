"""What callers hand to queries, checked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from walkmesh.arguments import is_whole, read_distance
from walkmesh.arrays import as_floats, as_points
from walkmesh.errors import SettingsError
from walkmesh.query.kernels.tolerances import NO_CLEARANCE
from walkmesh.settings import as_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats


AREAS = 256


def snap_of(agent: Agent, max_snap: float | None) -> float:
    """Return how far from the navmesh places may be, by default the agent's height. In metres."""
    return agent.height if max_snap is None else read_distance("max_snap", max_snap)


def query_points(name: str, values: ArrayLike) -> Floats:
    """Return (n, 3) float64 points that are finite."""
    points = as_points(name, values, SettingsError)
    if not np.isfinite(points).all():
        raise SettingsError(f"{name} has a coordinate that is not finite")
    return points


def query_pair(start: Sequence[float], goal: Sequence[float]) -> Floats:
    """Return two finite points as (1, 6) float64, in about a microsecond."""
    try:
        if isinstance(start, np.ndarray):
            start = start.tolist()
        if isinstance(goal, np.ndarray):
            goal = goal.tolist()
        numbers = [*start, *goal]
        # The sum of numbers is finite only if all are; that of numpy's would warn of overflow.
        if len(start) == 3 and len(goal) == 3 and math.isfinite(math.fsum(numbers)):
            return np.array([numbers], dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    points = [_checked_point("start", start), _checked_point("goal", goal)]
    return np.concatenate(points)[None]


def _checked_point(name: str, value: ArrayLike) -> Floats:
    try:
        point = as_floats(value).copy()
    except (TypeError, ValueError, OverflowError):
        point = np.empty(0)
    if point.shape != (3,) or not np.isfinite(point).all():
        raise SettingsError(f"{name} is {value!r}; it must be three finite numbers")
    return point


def extra_clearance(radius: float, agent: Agent) -> float:
    """Return how far a path has to keep from the boundary, 0 if it may come up to it."""
    wanted = as_number(radius)
    if not math.isfinite(wanted) or wanted < agent.radius - NO_CLEARANCE:
        raise SettingsError(
            f"radius is {radius!r}; it must be a finite number at least {agent.radius:g} m, the "
            "radius that the navmesh was built for"
        )
    extra = wanted - agent.radius
    return extra if extra >= NO_CLEARANCE else 0.0


def refuse_with_clearance(area_costs: Mapping[int, float] | None, partial: bool) -> None:
    """Refuse what does not go with a path for another radius."""
    if has_costs(area_costs):
        raise SettingsError(
            "area_costs does not go with a path for another radius; leave out one of them"
        )
    if partial:
        raise SettingsError("a path for another radius is never partial; leave out one of them")


def has_costs(area_costs: Mapping[int, float] | None) -> TypeGuard[Mapping[int, float]]:
    """Tell whether costs of areas are given; SettingsError if they are not by area."""
    if area_costs is None:
        return False
    if not isinstance(area_costs, Mapping):
        raise SettingsError(f"area_costs is {area_costs!r}; it must be a dict of costs by area")
    return len(area_costs) > 0


def area_prices(area_costs: Mapping[int, float]) -> Floats:
    """Return (256,) costs of a metre in each area; infinite for those that are barred."""
    prices = np.ones(AREAS)
    for area, cost in area_costs.items():
        if not is_whole(area) or not 0 <= area < AREAS:
            raise SettingsError(f"area_costs has the area {area!r}; areas are 0 to 255")
        price = as_number(cost)
        if not price > 0.0:
            raise SettingsError(
                f"area_costs[{area}] is {cost!r}; it must be a number above 0, or inf to bar it"
            )
        prices[area] = price
    return prices
