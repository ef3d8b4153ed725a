"""Regions: convex parts of the plan that are taken away from pieces, such as bands around lines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.builder.ground import cut_in_chunks
from walkmesh.builder.kernels.clearance import clear_polygons, make_regions
from walkmesh.builder.kernels.tolerances import LEDGE_SLACK
from walkmesh.ragged import fit_planes

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.agent import Agent
    from walkmesh.arrays import Bytes, Floats, Longs
    from walkmesh.builder.ground import PieceArrays, Pieces


class Regions(NamedTuple):
    """Convex regions in plan, each with a height; see :mod:`walkmesh.builder.kernels.clearance`."""

    sides: Floats  # (s, 3)
    offsets: Longs  # (r + 1,)
    planes: Floats  # (r, 3)
    boxes: Floats  # (r, 6)

    @classmethod
    def none(cls) -> Regions:
        """Return no regions at all."""
        rows = (np.empty((0, columns)) for columns in (3, 3, 6))
        return cls(next(rows), np.zeros(1, dtype=np.int64), *rows)

    def and_also(self, more: Regions) -> Regions:
        """Return these regions and more of them."""
        if len(more.planes) == 0:
            return self
        offsets = np.concatenate([self.offsets, len(self.sides) + more.offsets[1:]])
        rest = (np.concatenate([getattr(x, n) for x in (self, more)]) for n in ("planes", "boxes"))
        return Regions(np.concatenate([self.sides, more.sides]), offsets, *rest)


def take_away(
    pieces: Pieces,
    regions: Regions,
    agent: Agent,
    keep: int,
    on_chunk: Callable[[float], None],
    workers: int | None,
) -> Pieces:
    """Take regions away from pieces; unless `keep` is 0, only split pieces along their sides.

    See :func:`walkmesh.builder.kernels.fragments.subtract_regions`.
    """
    if len(regions.planes) == 0 or len(pieces.sources) == 0:
        return pieces
    tree = BoxTree.around(regions.boxes)
    planes, window = fit_planes(pieces.offsets, pieces.corners), window_of(agent)

    def run(start: int, stop: int, output: PieceArrays) -> int:
        done = clear_polygons(
            (pieces.offsets, pieces.corners, planes), start, stop, tuple(regions), tree.arrays,
            window, keep, output,
        )  # fmt: skip
        return int(done)

    return cut_in_chunks(len(pieces.sources), run, on_chunk, workers)


def bands_around(
    lines: Floats, two_sided: Bytes, radii: Floats, window: float, arc_error: float
) -> Regions:
    """Return the bands around lines, and the sectors around their ends."""
    tree = BoxTree.over_lines(lines)
    return gather_regions(
        len(lines),
        lambda output: make_regions(
            lines, two_sided, radii, tree.arrays, window, arc_error, output
        ),
    )


def gather_regions(lines: int, write: Callable[..., None]) -> Regions:
    """Return the regions that a kernel writes around so many lines.

    Parameters
    ----------
    write : callable
        Called with a tuple (sides, offsets, planes, boxes, filled), again with more room if there
        were more regions or sides than these arrays have.
    """
    regions, rows = 3 * lines + 16, 12 * lines + 64
    while True:
        sides = np.empty((rows, 3), dtype=np.float64)
        offsets = np.empty(regions + 1, dtype=np.int64)
        planes = np.empty((regions, 3), dtype=np.float64)
        boxes = np.empty((regions, 6), dtype=np.float64)
        filled = np.empty(2, dtype=np.int64)
        write((sides, offsets, planes, boxes, filled))
        if filled[0] <= regions and filled[1] <= rows:
            count = filled[0]
            return Regions(sides[: filled[1]], offsets[: count + 1], planes[:count], boxes[:count])
        regions, rows = int(filled[0]), int(filled[1])


def window_of(agent: Agent) -> float:
    """Return how far above and below itself a line acts on the ground.

    Standable ground at one place in plan lies a whole height apart. So as long as it rises by less
    than half of that within the radius, a line acts on the ground it belongs to and on no other.
    Where agents may climb more than that, the line acts on all of it: rather on other ground too
    than not on its own.
    """
    rise = agent.max_step + agent.radius * math.tan(math.radians(agent.max_slope))
    return min(max(agent.height / 2.0, rise + LEDGE_SLACK), agent.height)
