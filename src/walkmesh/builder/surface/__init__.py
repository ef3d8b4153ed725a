"""The surface method: a navmesh on floors, walls and ceilings, at any angle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from walkmesh.builder.stage import StagedMethod, arc_setting, part_setting, sides_setting
from walkmesh.builder.surface.stages import STAGES
from walkmesh.builder.surface.state import SurfaceBuild
from walkmesh.settings import place, setting


@dataclass(frozen=True, kw_only=True)
class Surface(StagedMethod):
    """Settings of the surface method, for agents that walk on floors, walls and ceilings alike.

    Up is where the surface's normal points, at every place another one. The navmesh is where the
    agent's centre may be: its height fits above the surface, along the normal; nothing higher than
    a step is closer than its radius, in the surface's own plane; and so is no ledge, along the
    surface. Around edges and into corners the navmesh goes on as one, as long as the turn is small
    enough. In a corner sharper than the agent's body allows, both sides end where the body touches
    the other one, and a flat strip joins them.

    The agent's `max_slope` tells how much the surface may bend below its feet before that counts
    as an obstacle.

    Parameters
    ----------
    max_turn_convex : float, default 120
        The largest turn around an edge, such as from the top of a cube to its side, 90 degrees.
        [Limit: >= 0, <= 180] [Unit: degrees]
    max_turn_concave : float, default 120
        The largest turn into a corner, such as from a floor to a wall, 90 degrees.
        [Limit: >= 0, <= 180] [Unit: degrees]
    max_tilt : float, default 180
        How far the surface may be tilted from level: 45 for floors alone, 135 for all but
        ceilings, 180 for everything. [Limit: >= 0, <= 180] [Unit: degrees]
    gravity_center : 3 float, optional
        World coordinates of a point that gravity pulls to, for planets: up leads away from it. By
        default up is that of the scene. It matters for `max_tilt` alone. [Unit: m]
    sides : {"front", "back", "both"}, default "front"
        Which sides of the scene's triangles are walked on. The front is where a triangle is
        counter-clockwise.
    gap_distance : float, default 0.03
        The widest slit in the surface that is closed. [Limit: >= 0, <= 0.5] [Unit: m]
    arc_error : float, default 0.025
        How far the corners of the straight lines that stand for an arc around an obstacle may lie
        outside of it. [Limit: >= 0.0001, <= 1] [Unit: m]
    boundary_tolerance : float, default 0.025
        How far the boundary may be moved inwards to make it simpler, at most a tenth of the width
        that a passage has. [Limit: >= 0, <= 1] [Unit: m]
    height_tolerance : float, default 0.01
        How far the navmesh may leave the surface it stands for. [Limit: >= 0] [Unit: m]
    min_patch_area : float, optional
        Connected parts with less area are left out. By default twice the square of the radius,
        0.18 m2 for 0.3 m, but parts four radii long stay. [Limit: >= 0] [Unit: m2]

    Raises
    ------
    SettingsError
        When a value is outside its limit.
    """

    max_turn_convex: float = setting(
        120.0, "The largest turn around an edge", "degrees", maximum=180.0
    )
    max_turn_concave: float = setting(
        120.0, "The largest turn into a corner", "degrees", maximum=180.0
    )
    max_tilt: float = setting(
        180.0, "How far the surface may be tilted from level", "degrees", maximum=180.0
    )
    gravity_center: tuple[float, float, float] | None = place(
        "The point that gravity pulls to, for planets", "m"
    )
    sides: str = sides_setting()
    gap_distance: float = setting(
        0.03, "The widest slit in the surface that is closed", "m", maximum=0.5
    )
    arc_error: float = arc_setting()
    boundary_tolerance: float = setting(
        0.025, "How far the boundary may be moved inwards to make it simpler", "m", maximum=1.0
    )
    height_tolerance: float = setting(
        0.01, "How far the navmesh may leave the surface it stands for", "m"
    )
    min_patch_area: float | None = part_setting()

    stages: ClassVar = STAGES
    state: ClassVar = SurfaceBuild
    packages: ClassVar[tuple[str, ...]] = ("walkmesh.builder.surface",)
