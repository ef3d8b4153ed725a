"""What an evaluation finds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from os import PathLike

    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh
    from walkmesh.scene import Scene

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
        return self.of_what("samples")

    def of_what(self, things: str) -> str:
        """Return the share in words."""
        if self.samples == 0:
            return f"unknown (0 {things})"
        return f"{self.value:.4f} ({self.low:.4f} to {self.high:.4f}, {self.samples} {things})"


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How right a navmesh is; see :func:`walkmesh.evaluate`.

    Attributes
    ----------
    recall : Share
        Of the free ground, what the navmesh covers.
    precision : Share
        Of the navmesh, what is free.
    overlap : Share
        Of the navmesh, what lies over or under another part of it within half the agent's height,
        where there can be one ground only.
    height_error_median, height_error_95, height_error_largest : float
        Between navmesh and ground, away from steps; NaN if nothing could be compared. [Unit: m]
    area : float
        Of the navmesh, along its slopes. [Unit: m2]
    polygons, vertices, components : int
        Of the navmesh.
    connections_kept : Share
        Of pairs of free points that are surely connected in the scene, those that the navmesh
        connects. A point off the navmesh stands for the nearest place of it within the agent's
        radius and step.
    connections_right : Share
        Of pairs of points that the navmesh connects, those that may be connected in the scene.
    connections_undecided : int
        Pairs that were left out: there may be a way through a narrow passage, but the search for
        it was given up, as the scene is large.
    narrowest_kept : float
        Width of the narrowest passage of the scene, on the way between any of these points, that
        the navmesh leads through; NaN if there is none. Known to about a tenth. [Unit: m]
    widest_lost : float
        Width of the widest passage that one would have to walk through where the navmesh does not
        connect; NaN if nothing is lost. Passages much wider than the agent are not measured, so it
        may be more than that. [Unit: m]
    islands : int or None
        Components that no seed lies on; None without seeds.
    island_area : float or None
        Their area. [Unit: m2]
    gap_distance, bridge_distance : float
        The widest slit that was stepped over, and the widest gap that was taken for ground.
        [Unit: m]
    missed : (n, 3) float64
        Sampled free points that the navmesh does not cover, world coordinates. [Unit: m]
    wrong : (n, 3) float64
        Sampled points of the navmesh that are not free. [Unit: m]
    doubled : (n, 3) float64
        Sampled points of the navmesh with another part of it over or under them. [Unit: m]
    lost_pairs : (n, 2, 3) float64
        Pairs of free points that the navmesh should connect and does not. [Unit: m]
    false_pairs : (n, 2, 3) float64
        Pairs of points that the navmesh connects though there is no way. [Unit: m]
    scene : Scene
        What was compared with.
    navmesh : NavMesh
        What was judged; foreign triangles have become one.
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
    connections_kept: Share
    connections_right: Share
    connections_undecided: int
    narrowest_kept: float
    widest_lost: float
    islands: int | None
    island_area: float | None
    gap_distance: float
    bridge_distance: float
    missed: Floats = field(repr=False)
    wrong: Floats = field(repr=False)
    doubled: Floats = field(repr=False)
    lost_pairs: Floats = field(repr=False)
    false_pairs: Floats = field(repr=False)
    scene: Scene = field(repr=False)
    navmesh: NavMesh = field(repr=False)

    def as_dict(self) -> dict[str, Any]:
        """Return the figures, without the points, for JSON; NaN becomes None."""

        def plain(value: Any) -> Any:
            if isinstance(value, Share):
                return {name: plain(part) for name, part in value._asdict().items()}
            return None if isinstance(value, float) and math.isnan(value) else value

        return {f.name: plain(getattr(self, f.name)) for f in fields(self) if f.repr}

    def save_picture(self, path: str | PathLike[str]) -> None:
        """Draw where the navmesh is right, and where not, and write the picture to a file.

        The plan of each level, with the navmesh in grey and what was missed, wrong or doubled in
        colours.

        Parameters
        ----------
        path : str or path-like
            Where to; the suffix, ``.png`` or ``.svg``, tells the format.

        Raises
        ------
        FormatError
            When the suffix is not known or the file cannot be written.
        """
        from walkmesh.viewer.verdict import save_verdict

        save_verdict(path, self.scene, self.navmesh, self)

    def __str__(self) -> str:
        lines = [
            f"recall        {self.recall}",
            f"precision     {self.precision}",
            f"overlap       {self.overlap}",
            f"height error  median {_metres(self.height_error_median)}, "
            f"95 % {_metres(self.height_error_95)}, largest {_metres(self.height_error_largest)}",
            f"navmesh       {self.area:.2f} m2, polygons {self.polygons}, "
            f"vertices {self.vertices}, components {self.components}",
            f"connections   kept {self.connections_kept.of_what('pairs')}",
            f"              right {self.connections_right.of_what('pairs')}",
        ]
        if self.connections_undecided:
            lines.append(f"              undecided {self.connections_undecided}")
        lines.append(
            f"passages      narrowest kept {_metres(self.narrowest_kept, 'none')}, "
            f"widest lost {_metres(self.widest_lost, 'none')}"
        )
        if self.islands is not None:
            lines.append(f"islands       {self.islands}, {self.island_area:.2f} m2")
        if self.bridge_distance > 0.0:
            lines.append(f"gaps          up to {self.bridge_distance:g} m are ground")
        return "\n".join(lines)


def _metres(value: float, unknown: str = "unknown") -> str:
    return unknown if math.isnan(value) else f"{value:.4f} m"
