"""What an evaluation finds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from walkmesh.arrays import Floats

# Of a normal distribution, 95 % lie within so many standard deviations.
_DEVIATIONS = 1.959964


class Share(NamedTuple):
    """A share of samples, and between which values it lies with 95 % confidence (Wilson).

    All three are NaN for a share of no samples.
    """

    value: float
    low: float
    high: float
    samples: int

    @classmethod
    def of(cls, part: int, samples: int) -> Share:
        """Return the share of `part` in `samples`."""
        if samples == 0:
            return cls(math.nan, math.nan, math.nan, 0)
        value = part / samples
        square = _DEVIATIONS**2 / samples
        middle = (value + square / 2.0) / (1.0 + square)
        spread = math.sqrt(square * (value * (1.0 - value) + square / 4.0)) / (1.0 + square)
        return cls(value, max(0.0, middle - spread), min(1.0, middle + spread), samples)

    def __str__(self) -> str:
        return f"{self.value:.4f} ({self.low:.4f} to {self.high:.4f}, {self.samples} samples)"


@dataclass(frozen=True)
class Evaluation:
    """How right a navmesh is; see :func:`walkmesh.evaluate`.

    Attributes
    ----------
    recall : Share
        Of the free ground, what the navmesh covers.
    precision : Share
        Of the navmesh, what is free.
    overlap : Share
        Of the navmesh, what lies over or under another part of it within the agent's height.
    height_error_median, height_error_95, height_error_largest : float
        Between navmesh and ground, away from steps; NaN if nothing could be compared. [Unit: m]
    area : float
        Of the navmesh, along its slopes. [Unit: m2]
    polygons, vertices, components : int
        Of the navmesh.
    islands : int or None
        Components that no seed lies on; None without seeds.
    island_area : float or None
        Their area. [Unit: m2]
    missed : (n, 3) float64
        Sampled free points that the navmesh does not cover, world coordinates. [Unit: m]
    wrong : (n, 3) float64
        Sampled points of the navmesh that are not free. [Unit: m]
    doubled : (n, 3) float64
        Sampled points of the navmesh with another part of it over or under them. [Unit: m]
    """

    recall: Share
    precision: Share
    overlap: Share
    height_error_median: float
    height_error_95: float
    height_error_largest: float
    area: float
    polygons: int
    vertices: int
    components: int
    islands: int | None
    island_area: float | None
    missed: Floats
    wrong: Floats
    doubled: Floats

    def as_dict(self) -> dict[str, Any]:
        """Return the figures, without the points, for JSON; NaN becomes None."""

        def plain(value: Any) -> Any:
            if isinstance(value, Share):
                return {name: plain(part) for name, part in value._asdict().items()}
            return None if isinstance(value, float) and math.isnan(value) else value

        points = ("missed", "wrong", "doubled")
        return {name: plain(value) for name, value in self.__dict__.items() if name not in points}

    def __str__(self) -> str:
        lines = [
            f"recall        {self.recall}",
            f"precision     {self.precision}",
            f"overlap       {self.overlap}",
            f"height error  median {_metres(self.height_error_median)}, "
            f"95 % {_metres(self.height_error_95)}, largest {_metres(self.height_error_largest)}",
            f"navmesh       {self.area:.2f} m2, polygons {self.polygons}, "
            f"vertices {self.vertices}, components {self.components}",
        ]
        if self.islands is not None:
            lines.append(f"islands       {self.islands}, {self.island_area:.2f} m2")
        return "\n".join(lines)


def _metres(value: float) -> str:
    return "unknown" if math.isnan(value) else f"{value:.4f} m"
