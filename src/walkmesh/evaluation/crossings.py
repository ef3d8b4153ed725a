"""Ground over gaps: where an agent can step across, the ground goes on.

Gaps are looked at in square cells. From the rim of the ground, cells are added one beside the other
as long as they lie over a gap that can be stepped across; what they cover becomes ground like any
other. Cells are smaller than the slits that a walk steps over, so their edges leave no trace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.chunks import in_chunks
from walkmesh.evaluation.kernels.crossings import find_crossable
from walkmesh.evaluation.kernels.tolerances import (
    LARGEST_GAP_CELL,
    LEVEL_CELLS,
    SAME_EDGE,
    SMALLEST_GAP_CELL,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats
    from walkmesh.evaluation.kernels.drawing import Walker
    from walkmesh.evaluation.kernels.soup import Soup

    # Called with (n, 3) places; returns which of them can be stepped across, and how high.
    Judge = Callable[[Floats], tuple[NDArray[np.bool_], Floats]]


def cover_gaps(
    soup: Soup,
    ground: Floats,
    walker: Walker,
    radius: float,
    distance: float,
    *,
    straight: bool,
) -> Floats:
    """Return (t, 3, 3) triangles over all gaps that can be stepped across, in the plan.

    The `ground` are the (t, 3, 3) triangles of the scene that are not too steep, counter-clockwise;
    `distance` is the widest gap. [Unit: m] To be stepped across, it has ground on two opposite
    sides, if `straight`; otherwise, no empty disc with the distance as diameter finds room.
    """
    size = min(max(distance / 10.0, SMALLEST_GAP_CELL), LARGEST_GAP_CELL)

    def judge(places: Floats) -> tuple[NDArray[np.bool_], Floats]:
        crossable, levels = np.empty(len(places), dtype=np.uint8), np.empty(len(places))

        def run(start: int, stop: int) -> None:
            find_crossable(
                tuple(soup), tuple(walker), radius, distance, int(straight), places[start:stop],
                crossable[start:stop], levels[start:stop],
            )  # fmt: skip

        for _ in in_chunks(len(places), run):
            pass
        return crossable == 1, levels

    cells, levels = _spread(_beside_rim(ground, size), size, walker.height / 2.0, judge)
    return _as_triangles(cells, levels, size)


def _beside_rim(ground: Floats, size: float) -> Floats:
    """Return (n, 3) places just outside of the edges that only one triangle has."""
    edges = np.stack([ground, np.roll(ground, -1, axis=1)], axis=2).reshape(-1, 2, 3)
    ends = np.round(edges / SAME_EDGE).astype(np.int64)
    swapped = _is_later(ends[:, 0], ends[:, 1])
    ends[swapped] = ends[swapped, ::-1]
    _, first, counts = np.unique(ends.reshape(-1, 6), axis=0, return_index=True, return_counts=True)
    edges = edges[np.sort(first[counts == 1])]
    ways = edges[:, 1] - edges[:, 0]
    lengths = np.hypot(ways[:, 0], ways[:, 1])
    edges, ways, lengths = (values[lengths > SAME_EDGE] for values in (edges, ways, lengths))
    steps = np.ceil(lengths / size).astype(np.int64)
    which = np.repeat(np.arange(len(steps)), steps)
    along = np.arange(len(which)) - np.repeat(np.cumsum(steps) - steps, steps)
    places = edges[which, 0] + ((along + 0.5) / steps[which])[:, None] * ways[which]
    # The ground lies to the left of its edges.
    outward = np.column_stack([ways[:, 1], -ways[:, 0]]) / lengths[:, None]
    places[:, :2] += size * outward[which]
    return np.asarray(places)


def _is_later(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(n,) bool: whether the first of two (n, 3) places comes after the second, in any order."""
    differ = first != second
    column = differ.argmax(axis=1)
    rows = np.arange(len(first))
    return np.asarray(first[rows, column] > second[rows, column])


def _spread(
    places: Floats, size: float, storey: float, judge: Judge
) -> tuple[NDArray[np.int64], Floats]:
    """Return the (n, 2) cells that can be stepped across, and their (n,) heights.

    Cells are looked at again in another storey.
    """
    cells, levels = [np.empty((0, 2), dtype=np.int64)], [np.empty(0)]
    if len(places) == 0:
        return cells[0], levels[0]
    around = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)])
    waiting = np.floor(places[:, :2] / size).astype(np.int64)
    heights = places[:, 2]
    lowest = np.append(waiting.min(axis=0), np.floor(heights.min() / storey)).astype(np.int64) - 2
    highest = np.append(waiting.max(axis=0), np.floor(heights.max() / storey)).astype(np.int64) + 2
    # Gaps lie between ground and ground, so that nothing is ever further out.
    extent = highest - lowest + 1
    known = np.empty(0, dtype=np.int64)
    while len(waiting):
        where = np.column_stack([waiting, np.floor(heights / storey).astype(np.int64)]) - lowest
        keys = (where[:, 0] * extent[1] + where[:, 1]) * extent[2] + where[:, 2]
        keys, first = np.unique(keys, return_index=True)
        new = ~_among(keys, known)
        first = first[new]
        known = np.sort(np.concatenate([known, keys[new]]), kind="stable")
        waiting, heights = waiting[first], heights[first]
        found, at = judge(np.column_stack([(waiting + 0.5) * size, heights]))
        cells.append(waiting[found])
        levels.append(at[found])
        waiting = (cells[-1][:, None] + around).reshape(-1, 2)
        heights = np.repeat(levels[-1], len(around))
    return np.concatenate(cells), np.concatenate(levels)


def _among(keys: NDArray[np.int64], known: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(n,) bool: which keys are among the known ones, which are in order."""
    if len(known) == 0:
        return np.zeros(len(keys), dtype=bool)
    at = np.searchsorted(known, keys).clip(max=len(known) - 1)
    return np.asarray(known[at] == keys)


def _as_triangles(cells: NDArray[np.int64], levels: Floats, size: float) -> Floats:
    """Return (t, 3, 3) triangles over (n, 2) cells at (n,) heights; cells in a row share theirs."""
    order = np.lexsort([cells[:, 0], cells[:, 1], np.round(levels / LEVEL_CELLS)])
    cells, levels = cells[order], levels[order]
    begins = np.ones(len(cells), dtype=bool)
    begins[1:] = (
        (np.diff(cells[:, 0]) != 1)
        | (np.diff(cells[:, 1]) != 0)
        | (np.abs(np.diff(levels)) > LEVEL_CELLS)
    )
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(cells)) - 1 if len(first) else first
    low, high = cells[first] * size, (cells[last] + 1) * size
    corners = np.empty((len(first), 4, 3))
    corners[:, :, 2] = levels[first, None]
    corners[:, 0, :2], corners[:, 2, :2] = low, high
    corners[:, 1, 0], corners[:, 1, 1] = high[:, 0], low[:, 1]
    corners[:, 3, 0], corners[:, 3, 1] = low[:, 0], high[:, 1]
    return np.asarray(corners[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3, 3))
