"""The surface method: a navmesh on floors, walls and ceilings, at any angle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from walkmesh.build.mesh import Stage, TriangleMesh, check_any
from walkmesh.build.smallest_part import SmallestPart
from walkmesh.build.surface.charts import simplify_surface
from walkmesh.build.surface.clearance import clear
from walkmesh.build.surface.cut import cut, name_blockers
from walkmesh.build.surface.faces import prepare_faces
from walkmesh.build.surface.join import join
from walkmesh.build.surface.kernels.tolerances import NO_PART
from walkmesh.build.surface.polygons import make_navmesh
from walkmesh.build.surface.stitch import stitch
from walkmesh.build.surface.turns import Turns
from walkmesh.settings import check, choice, place, setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from walkmesh.agent import Agent
    from walkmesh.build.surface.sheet import Sheet
    from walkmesh.progress import Progress
    from walkmesh.scene import Scene


@dataclass(frozen=True, kw_only=True)
class Surface:
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
    sides: str = choice("front", "Which sides of the triangles are walked on", "back", "both")
    gap_distance: float = setting(
        0.03, "The widest slit in the surface that is closed", "m", maximum=0.5
    )
    arc_error: float = setting(
        0.025,
        "How far corners may lie outside an arc around an obstacle",
        "m",
        minimum=1e-4,
        maximum=1.0,
    )
    boundary_tolerance: float = setting(
        0.025, "How far the boundary may be moved inwards to make it simpler", "m", maximum=1.0
    )
    height_tolerance: float = setting(
        0.01, "How far the navmesh may leave the surface it stands for", "m"
    )
    min_patch_area: float | None = setting(
        None,
        "Connected parts with less area are left out",
        "m2",
        derived="twice the square of the radius, unless four radii long",
    )

    stage_names: ClassVar[tuple[str, ...]] = (
        "faces",
        "cut",
        "stitch",
        "joints",
        "clearance",
        "patches",
        "simplify",
        "polygons",
    )
    notes: ClassVar[tuple[str, ...]] = ()
    packages: ClassVar[tuple[str, ...]] = ("walkmesh.build.surface",)

    def __post_init__(self) -> None:
        check(self)

    def run(
        self, scene: Scene, agent: Agent, progress: Progress, workers: int | None
    ) -> Iterator[Stage]:
        """Yield every stage in order; the last one's mesh is the navmesh."""
        frame = scene.frame
        turns = Turns(self.max_turn_convex, self.max_turn_concave)

        progress("faces", 0.0)
        faces, found = prepare_faces(scene, self.sides, self.max_tilt, self.gravity_center)
        mates = faces.mates(turns)
        yield Stage.of("faces", lambda: faces.walkable_mesh, triangles_in=len(scene.faces), **found)

        progress("cut", 0.0)
        pieces = cut(faces, mates, agent, self.arc_error, partial(progress, "cut"), workers)
        check_any(pieces.sources, agent)
        yield Stage.of("cut", lambda: pieces.mesh(frame), pieces_out=len(pieces.sources))

        progress("stitch", 0.0)
        stitched, collapsed = stitch(pieces, turns)
        check_any(stitched.sources, agent)
        stitched = name_blockers(stitched, faces, agent, self.arc_error)
        yield Stage.of("stitch", lambda: stitched.mesh(frame), **collapsed)

        progress("joints", 0.0)
        joined, joints = join(stitched, faces, agent, self.gap_distance, turns)
        yield Stage.of("joints", lambda: joined.mesh(frame), **joints)

        progress("clearance", 0.0)
        cleared, edges = clear(
            joined, faces, agent, turns, self.arc_error, partial(progress, "clearance"), workers
        )
        check_any(cleared.sources, agent)
        yield Stage.of("clearance", lambda: cleared.mesh(frame), clearance=agent.radius, **edges)

        progress("patches", 0.0)
        least = SmallestPart.of(self.min_patch_area, agent)
        large, dropped = _drop_small(cleared, least)
        check_any(large.sources, agent, least)
        yield Stage.of("patches", lambda: large.mesh(frame), clearance=agent.radius, **dropped)

        progress("simplify", 0.0)
        whole = large.with_edges_apart().mesh(frame)
        points, triangles, simplified = simplify_surface(
            whole.points,
            whole.triangles,
            self.height_tolerance,
            self.boundary_tolerance,
            agent.height,
        )
        simple = TriangleMesh(points, triangles, frame)
        yield Stage.of(
            "simplify",
            lambda: simple,
            clearance=agent.radius,
            triangles_in=len(whole.triangles),
            triangles_out=len(triangles),
            **simplified,
        )

        progress("polygons", 0.0)
        navmesh, doubled = make_navmesh(points, triangles, agent, frame)
        check_any(navmesh.areas, agent)
        yield Stage.of(
            "polygons",
            lambda: navmesh,
            triangles_in=len(triangles),
            polygons_out=navmesh.polygon_count,
            **doubled,
        )


def _drop_small(sheet: Sheet, least: SmallestPart) -> tuple[Sheet, dict[str, int]]:
    """Drop connected parts that are too small to be of use."""
    labels = sheet.components
    areas = np.bincount(labels, weights=sheet.areas)
    large = (areas >= NO_PART) & least.hold(areas, sheet.corners, labels[sheet.owners])
    return sheet.keep(large[labels]), {"patches_too_small": int(np.count_nonzero(~large))}
