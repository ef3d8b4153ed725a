"""What kinds of links there are, and what taking them costs."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.links.kernels.tolerances import REACH_SLACK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats


class LinkKind(IntEnum):
    """The `kind` of the links that :func:`walkmesh.find_links` finds.

    Attributes
    ----------
    CUSTOM
        Of no kind that walkmesh knows: the default of :meth:`NavMesh.with_links`.
    JUMP
        Across a gap, both ends no more than a step apart in height. Leads both ways.
    DROP
        Down to ground that is lower than can be climbed. One way.
    CLIMB
        Down to ground that is lower by more than a step, and up again. Leads both ways.
    """

    CUSTOM = 0
    JUMP = 1
    DROP = 2
    CLIMB = 3


# Metres of walking that a metre of a link costs, by kind. No link is cheaper than walking, so that
# one that saves nothing is not taken; what takes run-up or hands costs more.
COSTS = {LinkKind.CUSTOM: 1.0, LinkKind.JUMP: 1.5, LinkKind.DROP: 1.0, LinkKind.CLIMB: 3.0}


def kinds_of(falls: Floats, max_step: float, max_climb: float) -> NDArray[np.uint8]:
    """Return the kind of each of (n,) links whose goal is lower than its start by `falls`."""
    kinds = np.full(len(falls), LinkKind.DROP, dtype=np.uint8)
    kinds[falls <= max_climb + REACH_SLACK] = LinkKind.CLIMB
    kinds[np.abs(falls) <= max_step + REACH_SLACK] = LinkKind.JUMP
    return kinds


def costs_of(lengths: Floats, kinds: NDArray[np.uint8]) -> Floats:
    """Return what (n,) links cost, from their straight lengths, in metres."""
    costs: Floats = lengths * np.array([COSTS[kind] for kind in LinkKind])[kinds]
    return costs
