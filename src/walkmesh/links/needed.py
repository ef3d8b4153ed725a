"""Which links are needed: none beside another, none where walking is nearly as short."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.links.kernels.around import find_short_ways
from walkmesh.links.kernels.merge_links import merge_links
from walkmesh.links.kernels.tolerances import SAME_COST
from walkmesh.query.located import Located

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats
    from walkmesh.frame import Frame
    from walkmesh.navmesh import NavMesh

# A link must save half the way: what can be walked in less than so many times its length stays a
# walk.
WORTH = 2.0

_ENDS = ("start", "goal")


def worth_taking(
    navmesh: NavMesh,
    frame: Frame,
    links: NDArray[np.void],
    lengths: Floats,
    workers: int | None,
) -> NDArray[np.bool_]:
    """Tell which of (n,) links with (n,) lengths spare a walk at least twice as long.

    The way around is over ground and the links that the navmesh has already.
    """
    limits = WORTH * lengths
    worth = ~_short_ways(navmesh, frame, links, limits, workers)
    # There and back may differ.
    back = np.flatnonzero(~worth & links["two_way"])
    if len(back) and not navmesh.links["two_way"].all():
        worth[back] = ~_short_ways(navmesh, frame, _turned(links[back]), limits[back], workers)
    return worth


def _short_ways(
    navmesh: NavMesh,
    frame: Frame,
    links: NDArray[np.void],
    limits: Floats,
    workers: int | None,
) -> NDArray[np.bool_]:
    """Tell around which of (n,) links there are ways shorter than (n,) limits.

    Ways are measured as seen from above, which is never longer than along slopes, and links on them
    at what they cost.
    """
    short = _may_be_short(navmesh, frame, links, limits)
    some, nowhere = links[short], np.zeros(int(short.sum()))
    if len(some):
        ends = (Located(some[f"{end}_polygon"], some[end], nowhere) for end in _ENDS)
        short[short] = navmesh.find_paths(*ends, workers=workers).costs < limits[short]
    return short


def _may_be_short(
    navmesh: NavMesh, frame: Frame, links: NDArray[np.void], limits: Floats
) -> NDArray[np.bool_]:
    """Tell around which links a search is worth its time: in a town one in three."""
    own = np.concatenate([navmesh.links, _turned(navmesh.links[navmesh.links["two_way"]])])
    own = own[np.argsort(own["start_polygon"], kind="stable")]
    jumps = _in_plan(frame, own)
    if np.any(own["cost"] < np.hypot(*(jumps[:, 2:] - jumps[:, :2]).T) - SAME_COST):
        return np.ones(len(links), dtype=bool)  # some lift is faster than the straight line
    firsts = np.searchsorted(own["start_polygon"], np.arange(navmesh.polygon_count + 1))
    short = np.empty(len(links), dtype=np.uint8)
    find_short_ways(
        frame.to_plan(navmesh.vertices), navmesh.polygon_offsets, navmesh.polygon_vertices,
        navmesh.neighbors, jumps, firsts.astype(np.int32),
        np.ascontiguousarray(own["goal_polygon"]), _in_plan(frame, links),
        np.stack([links[f"{end}_polygon"] for end in _ENDS], axis=1),
        limits + SAME_COST, short,
    )  # fmt: skip
    return short.astype(bool)


def _turned(links: NDArray[np.void]) -> NDArray[np.void]:
    """Return (n,) links the other way round."""
    result = links.copy()
    for field in ("{}", "{}_polygon"):
        result[field.format("start")] = links[field.format("goal")]
        result[field.format("goal")] = links[field.format("start")]
    return result


def _in_plan(frame: Frame, links: NDArray[np.void]) -> Floats:
    """Return where (n,) links lead from and to in plan, (n, 4)."""
    return np.concatenate([frame.to_plan(links[end])[:, :2] for end in _ENDS], axis=1)


def merged(
    navmesh: NavMesh, frame: Frame, links: NDArray[np.void], spacing: float
) -> NDArray[np.bool_]:
    """Tell which of (n,) links stay when of those that do the same only the cheapest does.

    What a link of the navmesh does already, no other needs to do.
    """
    every = np.concatenate([navmesh.links, links])
    given = np.arange(len(every)) < len(navmesh.links)
    order = np.lexsort([np.round(every["cost"] / SAME_COST), ~given]).astype(np.int32)
    islands = navmesh.components
    kept = np.empty(len(every), dtype=np.uint8)
    merge_links(
        frame.to_plan(every["start"]), frame.to_plan(every["goal"]),
        islands[every["start_polygon"]], islands[every["goal_polygon"]],
        every["two_way"].astype(np.uint8), order, given.astype(np.uint8),
        max(spacing - SAME_COST, spacing / 2.0), kept,
    )  # fmt: skip
    return kept[len(navmesh.links) :].astype(bool)
