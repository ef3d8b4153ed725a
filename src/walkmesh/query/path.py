"""Paths from one point to another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from walkmesh.arrays import read_only

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids

Status = Literal["complete", "partial", "unreachable"]

# In the order of the kernels' codes.
STATUSES: tuple[Status, ...] = ("complete", "partial", "unreachable")


@dataclass(frozen=True, eq=False, repr=False)
class Path:
    """A way to walk, and whether it leads all the way.

    Attributes
    ----------
    points : (k, 3) float64, read-only
        Where to turn, or where the slope changes, from start to goal in world coordinates; none
        if there is no way. The line through them lies on the ground, but for a millimetre of
        height and for the links that it takes: there, it goes straight from the link's start to
        its goal. [Unit: m]
    polygons : (m,) int32, read-only
        The polygons that it leads through, in order.
    links : (l,) int32, read-only
        The links that it takes, in order.
    status : {"complete", "partial", "unreachable"}
        Whether it leads to the goal, to the nearest place that can be reached, or nowhere.
    length : float
        The length of the way along its slopes; infinite if there is none. [Unit: m]
    cost : float
        What a search makes as small as it can: the length in plan, of each area times its cost,
        and the costs of links. On a navmesh of a surface, lengths are not in plan but along it.
        Infinite if there is no way. [Unit: m]
    optimal : bool
        Whether no path costs less, but for the rounding of corners in paths with clearance. False
        for the path of a corridor, which is taken if asked for (``optimal=False``), where areas
        have different costs, and where the search for the shortest would need too much memory; for
        a path with clearance that had to be bent around corners that the search did not turn
        around; and for paths over :class:`PathNodes`. Of a partial path, whether it is optimal to
        the place where it ends; of none, whether it is certain that there is none.
    """

    points: Floats
    polygons: Ids
    links: Ids
    status: Status
    length: float
    cost: float
    optimal: bool

    @classmethod
    def made(cls, **attributes: Any) -> Path:
        """Return a path with all attributes given, as the constructor does.

        That of a frozen class sets them one by one, which takes half a microsecond longer.
        """
        path = object.__new__(cls)
        path.__dict__.update(attributes)
        return path

    @classmethod
    def of(
        cls, points: Floats, polygons: Ids, length: float, cost: float, optimal: bool,
        links: Ids | tuple[()] = (), status: Status = "complete",
    ) -> Path:  # fmt: skip
        """Return a path; by default one that leads all the way on foot."""
        ways, taken = read_only(polygons, np.int32), read_only(links, np.int32)
        return cls(read_only(points, np.float64), ways, taken, status, length, cost, optimal)

    @classmethod
    def unreachable(cls, *, certain: bool = True) -> Path:
        """Return the path for a goal to which there is no way, or none was found."""
        nowhere = read_only([], np.int32)
        nothing = read_only(np.empty((0, 3)), np.float64)
        return cls(nothing, nowhere, nowhere, "unreachable", math.inf, math.inf, certain)

    @property
    def doubt(self) -> str:
        """What to add to its length: nothing if it is `optimal`."""
        return "" if self.optimal else ", may not be the shortest"

    def __repr__(self) -> str:
        return f"Path({self.status}, {self.length:.3f} m{self.doubt}, {len(self.points)} points)"


@dataclass(frozen=True, eq=False, repr=False)
class Paths(Sequence[Path]):
    """Many paths, end to end in arrays; each of them is a :class:`Path`.

    Attributes
    ----------
    points, offsets : (k, 3) float64 and (n + 1,) int64, read-only
        The points of all paths, and where those of each path start. [Unit: m]
    polygons, polygon_offsets : (m,) int32 and (n + 1,) int64, read-only
        The polygons that they lead through, likewise.
    links, link_offsets : (l,) int32 and (n + 1,) int64, read-only
        The links that they take, likewise.
    codes : (n,) uint8, read-only
        Their statuses: 0 complete, 1 partial, 2 unreachable.
    lengths, costs : (n,) float64, read-only
        See :class:`Path`. [Unit: m]
    optimal : (n,) bool, read-only
        See :class:`Path`.
    """

    points: Floats
    offsets: NDArray[np.int64]
    polygons: Ids
    polygon_offsets: NDArray[np.int64]
    links: Ids
    link_offsets: NDArray[np.int64]
    codes: NDArray[np.uint8]
    lengths: Floats
    costs: Floats
    optimal: NDArray[np.bool_]

    def __post_init__(self) -> None:
        for array in vars(self).values():
            array.flags.writeable = False

    @property
    def statuses(self) -> NDArray[np.str_]:
        """(n,) str: the status of each path."""
        return np.array(STATUSES)[self.codes]

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, index: int) -> Path: ...
    @overload
    def __getitem__(self, index: slice) -> list[Path]: ...
    def __getitem__(self, index: int | slice) -> Path | list[Path]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        i = range(len(self))[index]
        return Path(
            self.points[self.offsets[i] : self.offsets[i + 1]],
            self.polygons[self.polygon_offsets[i] : self.polygon_offsets[i + 1]],
            self.links[self.link_offsets[i] : self.link_offsets[i + 1]],
            STATUSES[self.codes[i]],
            float(self.lengths[i]),
            float(self.costs[i]),
            bool(self.optimal[i]),
        )

    @classmethod
    def of(cls, paths: Sequence[Path]) -> Paths:
        """Put paths end to end."""

        def joined(name: str, nothing: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
            arrays = [getattr(path, name) for path in paths]
            ends = np.cumsum([0, *map(len, arrays)], dtype=np.int64)
            return np.concatenate([nothing, *arrays]), ends

        codes = np.array([STATUSES.index(path.status) for path in paths], dtype=np.uint8)
        return cls(
            *joined("points", np.empty((0, 3))),
            *joined("polygons", np.empty(0, dtype=np.int32)),
            *joined("links", np.empty(0, dtype=np.int32)),
            codes,
            np.array([path.length for path in paths]),
            np.array([path.cost for path in paths]),
            np.array([path.optimal for path in paths], dtype=np.bool_),
        )

    def __repr__(self) -> str:
        counts = np.bincount(self.codes, minlength=len(STATUSES))
        parts = [f"{n} {status}" for n, status in zip(counts, STATUSES, strict=True) if n]
        return f"Paths({', '.join(parts) or 'none'})"
