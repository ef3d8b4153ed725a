"""Links between places that no ground connects: jumps, drops, ladders, lifts, doors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.edit.arguments import codes_of, costs_of, flags_of, points_of, snapped
from walkmesh.errors import SettingsError
from walkmesh.navmesh_arrays import LINK_DTYPE
from walkmesh.query.arguments import snap_of
from walkmesh.query.jumps import lengths_along
from walkmesh.variants import changed

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh


def add_links(
    navmesh: NavMesh, starts: ArrayLike, given: dict[str, Any], max_snap: float | None
) -> NavMesh:
    """Return a navmesh with further links; see :meth:`NavMesh.with_links`.

    `given` are its arguments `goals`, `two_way`, `cost` and `kind`.
    """
    snap = snap_of(navmesh.agent, max_snap)
    if isinstance(starts, np.ndarray) and starts.dtype.names is not None:
        starts, given = fields_of(starts, given)
    elif given["goals"] is None:
        raise SettingsError("goals is None; it must be points, unless starts are links")
    places = points_of("starts", starts), points_of("goals", given["goals"])
    new = _make_links(navmesh, *places, given, snap)
    return changed(navmesh, links=np.concatenate([navmesh.links, new]))


def _make_links(
    navmesh: NavMesh, starts: Floats, goals: Floats, given: dict[str, Any], max_snap: float
) -> NDArray[np.void]:
    """(n,) `LINK_DTYPE`: links between places."""
    two_way, cost, kind = given["two_way"], given["cost"], given["kind"]
    if len(starts) != len(goals):
        raise SettingsError(
            f"goals has {len(goals)} places and starts {len(starts)}; "
            "they must have the same length"
        )
    links = np.zeros(len(starts), dtype=LINK_DTYPE)
    links["two_way"] = flags_of("two_way", True if two_way is None else two_way, len(links))
    links["kind"] = codes_of("kind", 0 if kind is None else kind, len(links))
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


def fields_of(
    links: NDArray[Any], given: dict[str, Any]
) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    """Return the starts of (n,) `LINK_DTYPE`, and all else by name; nothing else is given."""
    if links.dtype != LINK_DTYPE or links.ndim != 1:
        raise SettingsError(
            f"starts has shape {links.shape} and fields {links.dtype.names}; links must be an (n,) "
            "array of walkmesh.LINK_DTYPE"
        )
    for name, value in given.items():
        if value is not None:
            raise SettingsError(f"{name} is given, but starts are links, which have their own")
    rest = {"goals": links["goal"], **{name: links[name] for name in ("two_way", "cost", "kind")}}
    return links["start"], rest
