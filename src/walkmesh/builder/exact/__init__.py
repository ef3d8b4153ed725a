"""The exact method: a navmesh straight from the geometry, without voxels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from walkmesh.builder.exact.stages import STAGES
from walkmesh.builder.exact.state import ExactBuild
from walkmesh.builder.stage import StagedMethod, arc_setting, part_setting, sides_setting
from walkmesh.settings import setting


@dataclass(frozen=True, kw_only=True)
class Exact(StagedMethod):
    """Settings of the exact method, which works on the triangles themselves.

    The navmesh is where the agent's centre may be: ground that is flat enough, with headroom, and
    no closer than `radius` to a wall, a ledge or anything higher than a step. Doorways a millimetre
    wider than the agent stay open, and narrower ones shut, whichever way they are turned.

    Parameters
    ----------
    sides : {"front", "back", "both"}, default "front"
        Which sides of the scene's triangles are walked on, as long as they lie on top. The front is
        where a triangle is counter-clockwise. With "back", a scene that is wound the other way is
        walked on; with "both", every level face that has headroom above it is, and so is the inside
        of solids higher than the agent.
    stair_slope : float, default 45
        How steep the ramp below a single step is; a flight of steps becomes one ramp from edge to
        edge. [Limit: >= 10, <= 89] [Unit: degrees]
    gap_distance : float, default 0.03
        The widest slit in the ground that is closed. [Limit: >= 0, <= 0.5] [Unit: m]
    bridge_distance : float, default 0
        The widest gap in the ground that is bridged: between plates, bars of a grate or the sides
        of a slot, where the agent can step across and nothing stands in the way. 0 for none.
        [Limit: >= 0, <= 2] [Unit: m]
    wall_thickness : float, default 0
        Added to the agent's radius around walls. [Limit: >= 0] [Unit: m]
    arc_error : float, default 0.025
        How far the corners of the straight lines that stand for an arc around an obstacle may lie
        outside of it, where there is room; where two obstacles face each other it is a 25th of
        this. [Limit: >= 0.0001, <= 1] [Unit: m]
    boundary_tolerance : float, default 0.025
        How far the boundary may be moved inwards to make it simpler, at most a tenth of the width
        that a passage has. [Limit: >= 0, <= 1] [Unit: m]
    height_tolerance : float, default 0.01
        How far the navmesh may leave the ground it stands for, in height. [Limit: >= 0] [Unit: m]
    min_patch_area : float, optional
        Connected parts with less area in plan are left out. By default twice the square of the
        radius, 0.18 m2 for 0.3 m, but parts four radii long stay. [Limit: >= 0] [Unit: m2]

    Raises
    ------
    SettingsError
        When a value is outside its limit.
    """

    sides: Literal["front", "back", "both"] = sides_setting()
    stair_slope: float = setting(
        45.0, "How steep the ramp below a step is", "degrees", minimum=10.0, maximum=89.0
    )
    gap_distance: float = setting(
        0.03, "The widest slit in the ground that is closed", "m", maximum=0.5
    )
    bridge_distance: float = setting(
        0.0, "The widest gap in the ground that is bridged; 0 for none", "m", maximum=2.0
    )
    wall_thickness: float = setting(0.0, "Added to the radius around walls", "m")
    arc_error: float = arc_setting()
    boundary_tolerance: float = setting(
        0.025, "How far the boundary may be moved inwards to make it simpler", "m", maximum=1.0
    )
    height_tolerance: float = setting(
        0.01, "How far the navmesh may leave the ground it stands for", "m"
    )
    min_patch_area: float | None = part_setting()

    stages: ClassVar = STAGES
    state: ClassVar = ExactBuild

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages whose modules a build runs."""
        more = ("walkmesh.builder.triangulation", "walkmesh.builder.bridges")
        return ("walkmesh.builder.exact", *(more if self.bridge_distance else ()))
