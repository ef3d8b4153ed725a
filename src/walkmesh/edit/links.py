"""Links between places that no ground connects: jumps, drops, ladders, lifts, doors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.edit.arguments import codes_of, costs_of, flags_of, snapped
from walkmesh.errors import SettingsError
from walkmesh.navmesh import LINK_DTYPE
from walkmesh.query.jumps import lengths_along

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh


def make_links(
    navmesh: NavMesh,
    starts: Floats,
    goals: Floats,
    two_way: Any,
    cost: Any,
    kind: Any,
    max_snap: float,
) -> NDArray[np.void]:
    """(n,) `LINK_DTYPE`: links between places; see :meth:`NavMesh.with_links`."""
    if len(starts) != len(goals):
        raise SettingsError(
            f"goals has {len(goals)} places and starts {len(starts)}; "
            "they must have the same length"
        )
    links = np.zeros(len(starts), dtype=LINK_DTYPE)
    links["two_way"] = flags_of("two_way", two_way, len(links))
    links["kind"] = codes_of("kind", kind, len(links))
    for end, places in (("start", starts), ("goal", goals)):
        located = snapped(navmesh, f"{end}s", places, max_snap)
        links[end] = located.points
        links[f"{end}_polygon"] = located.polygons
    if cost is None:
        to_search = np.asarray if navmesh.surface else navmesh.frame.to_plan
        leads = to_search(links["goal"]) - to_search(links["start"])
        links["cost"] = lengths_along(leads, 3 if navmesh.surface else 2)
    else:
        links["cost"] = costs_of("cost", cost, len(links))
    return links


def fields_of(links: NDArray[Any], given: dict[str, Any]) -> tuple[NDArray[Any], ...]:
    """Return starts, goals, two_way, cost and kind of (n,) `LINK_DTYPE`; nothing else is given."""
    if links.dtype != LINK_DTYPE or links.ndim != 1:
        raise SettingsError(
            f"starts has shape {links.shape} and fields {links.dtype.names}; links must be an (n,) "
            "array of walkmesh.navmesh.LINK_DTYPE"
        )
    for name, value in given.items():
        if value is not None:
            raise SettingsError(f"{name} is given, but starts are links, which have their own")
    return tuple(links[name] for name in ("start", "goal", "two_way", "cost", "kind"))
