"""Which links are needed: none beside another, none where walking is nearly as short."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.links.kernels.merge_links import merge_links
from walkmesh.query.locate import Located

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats
    from walkmesh.frame import Frame
    from walkmesh.navmesh import NavMesh

# A link must save half the way: what can be walked in less than so many times its length stays a
# walk.
WORTH = 2.0
# Costs closer than this are equal, and ends closer than spacing by less are not close, so that a
# scene far from the origin gets the same links. [m]
_EQUAL = 1e-5


def worth_taking(
    navmesh: NavMesh, links: NDArray[np.void], lengths: Floats, workers: int | None
) -> NDArray[np.bool_]:
    """Tell which of (n,) links spare a walk at least twice as long.

    The way around is over ground and the links that the navmesh has already.

    Parameters
    ----------
    navmesh : NavMesh
    links : (n,) `LINK_DTYPE`
    lengths : (n,) float64
        How long they are. [Unit: m]
    workers : int, optional
        How many threads there are.
    """
    if len(links) == 0:
        return np.empty(0, dtype=bool)
    walks = _walks(navmesh, links, "start", "goal", workers)
    back = links["two_way"] & (walks < WORTH * lengths)
    if navmesh.search_mesh.has_one_way_links and back.any():  # there and back may differ
        others = _walks(navmesh, links[back], "goal", "start", workers)
        walks[back] = np.maximum(walks[back], others)
    worth: NDArray[np.bool_] = walks >= WORTH * lengths
    return worth


def _walks(
    navmesh: NavMesh, links: NDArray[np.void], start: str, goal: str, workers: int | None
) -> Floats:
    """Return how long the ways around (n,) links are, (n,) float64; infinite if there is none.

    They are measured as seen from above, which is never longer than along slopes, and links on the
    way at what they cost.
    """
    nowhere = np.zeros(len(links))
    ends = (Located(links[f"{end}_polygon"], links[end], nowhere) for end in (start, goal))
    return navmesh.find_paths(*ends, workers=workers).costs.copy()


def merged(
    navmesh: NavMesh, frame: Frame, links: NDArray[np.void], spacing: float
) -> NDArray[np.bool_]:
    """Tell which of (n,) links stay when of those that do the same only the cheapest does.

    What a link of the navmesh does already, no other needs to do.
    """
    every = np.concatenate([navmesh.links, links])
    given = np.arange(len(every)) < len(navmesh.links)
    order = np.lexsort([np.round(every["cost"] / _EQUAL), ~given]).astype(np.int32)
    islands = navmesh.components
    kept = np.empty(len(every), dtype=np.uint8)
    merge_links(
        frame.to_plan(every["start"]), frame.to_plan(every["goal"]),
        islands[every["start_polygon"]], islands[every["goal_polygon"]],
        every["two_way"].astype(np.uint8), order, given.astype(np.uint8),
        max(spacing - _EQUAL, spacing / 2.0), kept,
    )  # fmt: skip
    return kept[len(navmesh.links) :].astype(bool)
