"""The exact method: a navmesh straight from the geometry, without voxels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from walkmesh.build.bridges.rim import Limits
from walkmesh.build.exact.blocked_edges import split_blocked
from walkmesh.build.exact.bridges import bridge
from walkmesh.build.exact.clearance import clear, outline
from walkmesh.build.exact.closed import cut_closed
from walkmesh.build.exact.cut import cut
from walkmesh.build.exact.detail import level_mesh, merge_level, piece_mesh
from walkmesh.build.exact.gaps import close_gaps
from walkmesh.build.exact.holes import fill_holes
from walkmesh.build.exact.kernels.tolerances import MERGED_APART
from walkmesh.build.exact.low_faces import (
    barred_sectors,
    block_misfits,
    cut_impassable,
    drop_far_from_ground,
    drop_impassable,
    find_rubble,
)
from walkmesh.build.exact.partition import make_polygons
from walkmesh.build.exact.patches import drop_lonely, drop_narrow, drop_shut_off, drop_small
from walkmesh.build.exact.ramps import add_ramps
from walkmesh.build.exact.solids import drop_undersides
from walkmesh.build.exact.sound import make_sound
from walkmesh.build.exact.walls import edge_kinds, find_walls
from walkmesh.build.faces import filter_slope
from walkmesh.build.ground import plan_areas
from walkmesh.build.kernels.faces import GROUND, WALL
from walkmesh.build.losses import Losses, mesh_opened_area
from walkmesh.build.mesh import Stage
from walkmesh.build.simplify import simplify
from walkmesh.build.smallest_part import SmallestPart
from walkmesh.build.stitch import stitch
from walkmesh.settings import check, choice, setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from walkmesh.agent import Agent
    from walkmesh.build.faces import Faces
    from walkmesh.build.ground import Ground
    from walkmesh.progress import Progress
    from walkmesh.scene import Scene


@dataclass(frozen=True, kw_only=True)
class Exact:
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

    sides: Literal["front", "back", "both"] = choice(
        "front", "Which sides of the triangles are walked on", "back", "both"
    )
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
        0.01, "How far the navmesh may leave the ground it stands for", "m"
    )
    min_patch_area: float | None = setting(
        None,
        "Connected parts with less area are left out",
        "m2",
        derived="twice the square of the radius, unless four radii long",
    )

    stage_names: ClassVar[tuple[str, ...]] = (
        "slope",
        "cut",
        "stitch",
        "gaps",
        "detail",
        "clearance",
        "patches",
        "ramps",
        "simplify",
        "polygons",
    )
    notes: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        check(self)

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages whose modules a build runs."""
        more = ("walkmesh.build.triangulation", "walkmesh.build.bridges")
        return ("walkmesh.build.exact", *(more if self.bridge_distance else ()))

    def run(
        self, scene: Scene, agent: Agent, progress: Progress, workers: int | None
    ) -> Iterator[Stage]:
        """Yield every stage in order; the last one's mesh is the navmesh."""
        frame = scene.frame

        progress("slope", 0.0)
        faces = filter_slope(scene, agent, self.sides)
        losses = Losses(scene, faces, agent, least=SmallestPart.of(self.min_patch_area, agent))
        yield Stage.of(
            "slope",
            lambda: faces.ground,
            triangles_in=len(scene.faces),
            ground=_count(faces.roles == GROUND),
            walls=_count(faces.roles == WALL),
        )

        progress("cut", 0.0)
        pieces = cut(faces, agent, partial(progress, "cut"), workers)
        losses.check_any(pieces.sources)
        yield Stage.of("cut", lambda: piece_mesh(pieces, frame), pieces_out=len(pieces.sources))

        progress("stitch", 0.0)
        stitched, collapsed = stitch(pieces, agent)
        losses.check_any(stitched.sources)
        near, far = drop_far_from_ground(stitched, faces, agent)
        losses.check_any(near.sources)
        rubble = find_rubble(faces)
        near, impassable = cut_impassable(near, faces, rubble, agent, self.gap_distance)
        losses.check_any(near.sources)
        # Walls are lines, so the inside of solids that stand on the ground is still part of it.
        losses.rooms_only = True
        losses.wide = max(_room_area(near, faces, losses) - losses.survey.buried, 0.0)
        # What a slit or a bridge may join to other ground is not too narrow yet.
        distance = max(self.gap_distance, self.bridge_distance)
        rise = (
            Limits.of(agent, self.bridge_distance).rise if self.bridge_distance else agent.max_step
        )
        wide, narrow = drop_lonely(near, agent, distance, rise)
        losses.check_any(wide.sources)
        counts = collapsed | far | impassable | narrow
        yield Stage.of("stitch", lambda: level_mesh(wide, frame), **counts)

        progress("gaps", 0.0)
        kinds = edge_kinds(wide, faces, agent, workers)
        wide, kinds = split_blocked(wide, kinds, faces, agent, self.gap_distance, workers)
        kinds = block_misfits(wide, kinds, faces, agent, self.gap_distance)
        faced, kinds, narrow = drop_shut_off(wide, kinds, agent, distance, rise)
        losses.check_any(faced.sources)
        closed, contracted = close_gaps(faced, kinds, agent, self.gap_distance)
        losses.check_any(closed.sources)
        passable, low = drop_impassable(closed, faces, rubble, agent, self.gap_distance)
        losses.check_any(passable.sources)
        kinds = edge_kinds(passable, faces, agent, workers)
        whole, filled = fill_holes(passable, kinds, agent, self.gap_distance)
        laid, closed_cut = cut_closed(whole, faces, agent, workers)
        ground, undersides = drop_undersides(laid, faces, agent)
        losses.check_any(ground.sources)
        counts = contracted | low | filled | closed_cut | undersides | narrow
        # Before gaps are bridged, while polygons know the faces that they were made from.
        barred = barred_sectors(ground, faces, rubble, agent, workers)
        if self.bridge_distance:
            bridged, bridges = bridge(ground, faces, agent, self.bridge_distance, workers)
            ground, useless = drop_narrow(bridged, agent)
            losses.check_any(ground.sources)
            counts |= bridges | {name: count + useless[name] for name, count in narrow.items()}
        yield Stage.of("gaps", lambda: level_mesh(ground, frame), **counts)

        progress("detail", 0.0)
        merged = merge_level(level_mesh(ground, frame))
        yield Stage.of("detail", lambda: piece_mesh(merged, frame), pieces_out=len(merged.sources))

        progress("clearance", 0.0)
        boundary = outline(ground)
        walls = find_walls(ground, faces, agent, thick=self.wall_thickness > 0.0)
        cleared = clear(
            merged,
            boundary,
            walls,
            agent,
            barred,
            self.arc_error,
            self.wall_thickness,
            partial(progress, "clearance"),
            workers,
        )
        losses.check_any(cleared.sources)
        free, collapsed = stitch(cleared, agent, MERGED_APART)
        losses.check_any(free.sources)
        yield Stage.of(
            "clearance",
            lambda: level_mesh(free, frame),
            clearance=agent.radius,
            boundary_lines=len(boundary),
            wall_lines=len(walls),
            pieces_out=len(cleared.sources),
            **collapsed,
        )

        progress("patches", 0.0)
        losses.opened = mesh_opened_area(
            free.points, free.offsets, free.vertices, free.mates, agent.radius
        )
        large, dropped = drop_small(free, losses.least)
        losses.check_any(large.sources, after_patches=True)
        losses.free, kept = (float(plan_areas(x).sum()) for x in (free, large))
        losses.small = losses.free - kept
        yield Stage.of(
            "patches", lambda: level_mesh(large, frame), clearance=agent.radius, **dropped
        )

        progress("ramps", 0.0)
        ramps, steps = add_ramps(
            large, agent, self.stair_slope, self.height_tolerance, frame, workers
        )
        sound, left_out = make_sound(ramps, agent, losses.least, workers)
        losses.check_any(sound.triangles)
        yield Stage.of(
            "ramps",
            lambda: sound,
            clearance=agent.radius,
            triangles_out=len(sound.triangles),
            **steps,
            **left_out,
        )

        progress("simplify", 0.0)
        simple, removed = simplify(
            sound,
            height_tolerance=self.height_tolerance,
            boundary_tolerance=self.boundary_tolerance,
            level_height=agent.height / 2.0,
        )
        yield Stage.of(
            "simplify",
            lambda: simple,
            clearance=agent.radius,
            triangles_out=len(simple.triangles),
            **removed,
        )

        progress("polygons", 0.0)
        navmesh = make_polygons(simple, agent, self.height_tolerance / 2.0, len(scene.faces))
        yield Stage(
            "polygons", lambda: navmesh, {"polygons_out": navmesh.polygon_count}, losses=losses
        )


def _room_area(ground: Ground, faces: Faces, losses: Losses) -> float:
    """Return the plan area of ground in connected parts that are large enough to count [m2]."""
    areas = np.where(faces.roles[ground.sources] == GROUND, plan_areas(ground), 0.0)
    labels, outer = ground.components, np.flatnonzero(ground.mates < 0)
    ends = ground.points[ground.vertices]
    lengths = np.hypot(*(ends[ground.following[outer]] - ends[outer]).T)
    total = np.bincount(labels, weights=areas)
    around = np.bincount(labels[ground.owners[outer]], weights=lengths, minlength=len(total))
    return float(total[losses.are_rooms(total, around)].sum())


def _count(chosen: np.ndarray) -> int:
    return int(chosen.sum())
