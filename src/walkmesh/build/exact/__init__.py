"""The exact method: a navmesh straight from the geometry, without voxels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from walkmesh.build.exact.slope import filter_slope
from walkmesh.build.exact.weld import weld
from walkmesh.build.mesh import Stage
from walkmesh.build.polygons import make_navmesh
from walkmesh.settings import check, setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from walkmesh.agent import Agent
    from walkmesh.build.progress import Progress
    from walkmesh.scene import Scene


@dataclass(frozen=True, kw_only=True)
class Exact:
    """Settings of the exact method, which works on the triangles themselves.

    It is at its beginning: so far it keeps what is flat enough to stand on, joins faces that share
    their corners, and merges them into convex polygons. Walls, headroom, steps and the agent's
    radius are not looked at yet; every navmesh says so in ``report.notes``.

    Parameters
    ----------
    height_tolerance : float, default 0.01
        How far a polygon may leave the ground it stands for. [Limit: >= 0] [Unit: m]

    Raises
    ------
    SettingsError
        When a value is outside its limit.
    """

    height_tolerance: float = setting(
        0.01, "How far a polygon may leave the ground it stands for", "m"
    )

    stage_names: ClassVar[tuple[str, ...]] = ("slope", "weld", "polygons")
    notes: ClassVar[tuple[str, ...]] = (
        "The exact method is unfinished: walls, headroom, steps and the agent's radius are not "
        "looked at yet.",
    )

    def __post_init__(self) -> None:
        check(self)

    def run(self, scene: Scene, agent: Agent, progress: Progress) -> Iterator[Stage]:
        """Yield every stage in order; the last one's mesh is the navmesh."""
        progress("slope", 0.0)
        walkable = filter_slope(scene, agent)
        discarded = len(scene.faces) - len(walkable.triangles)
        yield Stage(
            "slope",
            walkable,
            {
                "triangles_in": len(scene.faces),
                "triangles_out": len(walkable.triangles),
                "too_steep_or_facing_down": discarded,
            },
        )

        progress("weld", 0.0)
        welded, counts = weld(walkable)
        sizes = {
            "triangles_in": len(walkable.triangles),
            "triangles_out": len(welded.triangles),
        }
        yield Stage("weld", welded, sizes | counts)

        progress("polygons", 0.0)
        navmesh = make_navmesh(welded, agent, self.height_tolerance)
        yield Stage(
            "polygons",
            navmesh,
            {"triangles_in": len(welded.triangles), "polygons_out": navmesh.polygon_count},
        )
