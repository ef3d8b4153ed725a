"""The report of a build: what each stage did and took."""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class StageReport:
    """What one stage did.

    Attributes
    ----------
    name : str
        The stage's name, as in ``walkmesh.stages``.
    seconds : float or None
        What it took; None in a report read from a file.
    counts : dict of str to int
        Sizes in and out, and how much was discarded and why.
    """

    name: str
    seconds: float | None = None
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """What a build did, with which settings, and what it took.

    Attributes
    ----------
    version : str
        The version of walkmesh that built the navmesh.
    method : str
        Name of the method's settings class, such as ``"Exact"``.
    settings : dict of str to float, str, 3 float or None
        The method's settings; and if :func:`walkmesh.bridge_gaps` was used, `bridge_distance`.
    agent : dict of str to float
        The agent's settings.
    scene : dict of str to int
        Triangles of the scene, and how many were left out for which reason; or outlines,
        obstacles, walls and stairs of a plan.
    stages : tuple of StageReport
        In the order in which they ran.
    polygons, vertices, triangles, components : int
        Sizes of the navmesh.
    area : float
        Its surface. [Unit: square metres]
    total_seconds : float or None
        Time inside the build, kernels compiled before; None in a report read from a file.
    peak_memory_bytes : int or None
        The largest resident memory of the process so far; None where the system does not tell and
        in a report read from a file.
    lost_areas : dict of str to float
        About how much ground in plan was lost for facing down (``"reversed"``), for too little
        headroom, for being narrow, and in small parts; empty for methods that do not measure it.
        [Unit: square metres]
    notes : tuple of str
        What a user of this navmesh has to know: where much of the ground was lost and why.
    """

    version: str
    method: str
    settings: dict[str, Any]
    agent: dict[str, float]
    scene: dict[str, int]
    stages: tuple[StageReport, ...]
    polygons: int
    vertices: int
    triangles: int
    components: int
    area: float
    total_seconds: float | None = None
    peak_memory_bytes: int | None = None
    lost_areas: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain dicts, lists and numbers, ready for JSON."""
        result = dataclasses.asdict(self)
        result["settings"] = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self.settings.items()
        }
        result["stages"] = [
            {"name": stage.name, "seconds": stage.seconds, **stage.counts} for stage in self.stages
        ]
        result["notes"] = list(self.notes)
        return result

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Report:
        """Read back what :meth:`as_dict` returned; KeyError, TypeError if it is something else."""
        stages = tuple(
            StageReport(
                name=str(stage["name"]),
                seconds=stage["seconds"],
                counts={k: int(v) for k, v in stage.items() if k not in ("name", "seconds")},
            )
            for stage in content["stages"]
        )
        # JSON has no tuples; settings have no lists.
        settings = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in content["settings"].items()
        }
        notes = tuple(content["notes"])
        return cls(**{**content, "settings": settings, "stages": stages, "notes": notes})

    def without_measurements(self) -> Report:
        """Return the report without times and memory: what equal builds have in common.

        Files hold this one, so that the same scene and settings give the same bytes.
        """
        stages = tuple(dataclasses.replace(stage, seconds=None) for stage in self.stages)
        return dataclasses.replace(self, stages=stages, total_seconds=None, peak_memory_bytes=None)


def peak_memory_bytes() -> int | None:
    """Return the largest resident memory of this process so far, where the system tells."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
