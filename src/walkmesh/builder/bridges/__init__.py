"""Bridges over gaps in the ground that an agent can step across.

The rim of the ground is split where a gap before it begins, ends or has a corner straight across;
what lies between facing parts is triangulated; narrow cells of it become bridges, unless something
stands in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.bridges.cells import find_cells
from walkmesh.builder.bridges.kernels.tolerances import AT_EDGE_END
from walkmesh.builder.bridges.layout import lay_out
from walkmesh.builder.bridges.obstacles import (
    Obstacles,
    leave_room_below,
    obstacles_on,
    rim_among,
    runs_along,
)
from walkmesh.builder.bridges.rim import GapLimits, Rim, RimPlaces, Runs, find_places, split_rim
from walkmesh.builder.bridges.triangles import Bridges, name_corners
from walkmesh.errors import BuildError
from walkmesh.ragged import ranges

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Ids, Indices
    from walkmesh.builder.bridges.cells import Cells
    from walkmesh.builder.bridges.rim import Parts

__all__ = [
    "Bridges",
    "GapLimits",
    "Obstacles",
    "find_bridges",
    "leave_room_below",
    "name_corners",
    "rim_among",
]

# How often gaps are split around what stands in them. Every vertex on their rim makes their cells
# smaller, and from one cell only as much is known of an obstacle as stands in it.
_SPLITS = 2
# Beyond so many parts, and so many for each edge, everything is near everything: time grows with
# the square. Real scenes have up to 6 for each edge (a game map, gaps of 2 m); hostile ones of
# overlapping triangles have hundreds.
_MOST_PARTS, _MOST_FOR_EDGE = 1 << 16, 32
# The most pairs of parts that are near each other, which time follows. A game map has half a
# million with gaps of 2 m; layers of triangles through each other have billions.
_MOST_PAIRS = 1 << 28
# From how many parts, evenly spread, the number of pairs is estimated.
_PROBES = 64


def find_bridges(
    rim: Rim, limits: GapLimits, agent: Agent, obstacles: Obstacles | None = None
) -> tuple[Bridges, int]:
    """Find the bridges over all gaps no wider than the distance.

    Bridges lie beside each other and the ground, not over it; where their side is no part of the
    rim it is another one's, or no longer than the distance.

    Parameters
    ----------
    rim : Rim
        The boundary of the ground.
    limits : GapLimits
        The widest gap, and what rise may be crossed.
    agent : Agent
        Who needs room on the bridges.
    obstacles : Obstacles, optional
        What bridges must not lead through; by default nothing.

    Returns
    -------
    Bridges
    int
        How many cells of gaps were left open since something stands in them.

    Raises
    ------
    BuildError
        When edges face each other across gaps so often that the time would have no bound.
    """
    places = find_places(rim, limits)
    parts = split_rim(rim, places, limits)
    if len(parts.edges) > max(_MOST_PARTS, _MOST_FOR_EDGE * len(rim.edges)):
        raise BuildError(
            f"gaps of up to {limits.distance:g} m between the {len(rim.edges):,} boundary edges of "
            f"the ground split these into {len(parts.edges):,} parts, too many to bridge; a "
            "smaller distance makes fewer"
        )
    pairs = _count_pairs(parts, limits)
    if pairs > _MOST_PAIRS:
        raise BuildError(
            f"gaps of up to {limits.distance:g} m between the {len(rim.edges):,} boundary edges of "
            f"the ground are near each other {pairs:.2g} times, too many to bridge; a smaller "
            "distance makes fewer"
        )
    done = np.zeros(len(parts.edges), dtype=bool)
    bridges, count = Bridges.none(), 0
    for last in (*[False] * _SPLITS, True):
        layout = lay_out(parts, limits)
        if layout is None:
            break
        # What was at home in a cluster that is not laid out again was found there.
        layout = layout._replace(homes=np.where(done, -1, layout.homes).astype(np.int32))
        cells = find_cells(layout, parts, limits)
        blocked, around = _blocked(rim, parts, cells, agent, obstacles)
        # What stands in a gap blocks it from one side of the rim to the other, and no farther.
        # Clusters with parts that are free only in part are laid out again, split around what
        # stands there.
        within = _parts_at(parts, around.edges, around.shares)
        homes = layout.homes[within[_cut_apart(rim, parts, within, around)]]
        again = np.zeros(int(layout.clusters.max()) + 1, dtype=bool)
        again[homes[homes >= 0]] = not last
        chosen = cells.choose(blocked) & ~again[cells.clusters]
        bridges = bridges.followed_by(Bridges.of(parts, cells, chosen))
        here = np.zeros_like(blocked)
        here[cells.labels[~again[cells.clusters]]] = True
        count += int(np.count_nonzero(blocked & here))
        if not again.any():
            break
        places = places.followed_by(around)
        finer = split_rim(rim, places, limits)
        at = _parts_at(parts, finer.edges, finer.shares.mean(axis=1))
        home = layout.homes[at]
        waiting = (home >= 0) & again[home]
        done = done[at] | ((home >= 0) & ~again[home])
        parts = finer._replace(active=np.where(waiting, finer.active, 0).astype(np.uint8))
    return bridges, count


def _count_pairs(parts: Parts, limits: GapLimits) -> float:
    """Return about how many parts are near active ones in all, or a bound that is low enough."""
    active = np.flatnonzero(parts.active == 1)
    most = float(len(active)) * len(parts.edges)
    if most <= _MOST_PAIRS:
        return most
    first, last = parts.lines[:, :3], parts.lines[:, 3:]
    lows, highs = np.minimum(first, last), np.maximum(first, last)
    margin = np.array([2.0 * limits.distance, 2.0 * limits.distance, limits.rise])
    probes = active[np.linspace(0, len(active) - 1, _PROBES).astype(np.int64)]
    near = [
        np.count_nonzero(((lows <= high) & (highs >= low)).all(axis=1))
        for low, high in zip(lows[probes] - margin, highs[probes] + margin, strict=True)
    ]
    return float(np.mean(near)) * len(active)


def _parts_at(parts: Parts, edges: Ids, shares: Floats) -> Indices:
    """(k,) int: the part at each place on edges."""
    # Shares are at most 1, so that twice the edge and the share make one number.
    starts = 2.0 * parts.edges + parts.shares[:, 0]
    return np.asarray(np.searchsorted(starts, 2.0 * edges + shares, side="right") - 1)


def _cut_apart(rim: Rim, parts: Parts, within: Indices, places: RimPlaces) -> Bools:
    """(k,) bool: places that cut the active part (k,) which they lie on in two."""
    off = places.shares[:, None] - parts.shares[within]
    inside = np.abs(off).min(axis=1) * rim.lengths[places.edges] > AT_EDGE_END
    return np.asarray(inside & (parts.active[within] == 1))


def _blocked(
    rim: Rim, parts: Parts, cells: Cells, agent: Agent, obstacles: Obstacles | None
) -> tuple[Bools, RimPlaces]:
    """Tell which cells (c,) something stands in, and between which places on the rim."""
    blocked = np.zeros(len(cells.usable), dtype=bool)
    nowhere = Runs.none().ends
    chosen = np.flatnonzero(cells.choose(blocked))
    if obstacles is None or len(chosen) == 0:
        return blocked, nowhere
    hit, outlines = obstacles_on(
        np.ascontiguousarray(cells.corners[chosen]), cells.across[chosen] >= 0, obstacles, agent
    )
    labels = cells.labels[chosen[hit]]
    blocked[labels] = True
    # Each obstacle with all edges of the rim that its cell lies along.
    triangle, side = np.nonzero((cells.across >= 0) & blocked[cells.labels][:, None])
    edges = parts.edges[cells.across[triangle, side]]
    pairs = np.unique(cells.labels[triangle].astype(np.int64) << 32 | edges)
    first = np.searchsorted(pairs, labels.astype(np.int64) << 32, side="left")
    last = np.searchsorted(pairs, (labels.astype(np.int64) + 1) << 32, side="left")
    if first.size == 0 or (first == last).all():
        return blocked, nowhere
    outlines = np.repeat(outlines, last - first, axis=0)
    return blocked, runs_along(outlines, pairs[ranges(first, last)] & 0xFFFFFFFF, rim).ends
