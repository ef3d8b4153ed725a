"""Wall clearance: ground closer to a boundary or wall than the agent's radius is taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.exact.kernels.outline import straighten_outline
from walkmesh.builder.exact.kernels.tolerances import LEAST_RADIUS, MERGED_APART
from walkmesh.builder.exact.walls import find_walls
from walkmesh.builder.ground import level_mesh
from walkmesh.builder.regions import Regions, bands_around, take_away, window_of
from walkmesh.builder.stitch import stitch

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.builder.exact.state import ExactBuild
    from walkmesh.builder.ground import Ground, Pieces
    from walkmesh.builder.stage import Stage

# How far the feet of ramps may lie outside the arc around a corner. [m]
_FOOT_ERROR = 0.05
# Ground below so many ramps at once is not split for more of them. Two meet at every inner corner;
# where clutter crowds hundreds do, and its heights are a matter of taste.
_MOST_RAMPS = 4


def run(build: ExactBuild) -> Stage:
    """Take away what is closer to a boundary or wall than the agent's radius."""
    method, agent, workers = build.method, build.agent, build.workers
    boundary = outline(build.ground)
    walls = find_walls(build.ground, build.faces, agent, thick=method.wall_thickness > 0.0)
    cleared = clear(
        build.pieces,
        boundary,
        walls,
        agent,
        build.barred,
        method.arc_error,
        method.wall_thickness,
        build.on_part,
        workers,
    )
    build.losses.check_any(cleared.sources)
    free, collapsed = stitch(cleared, agent, MERGED_APART)
    build.losses.check_any(free.sources)
    build.ground = free
    return build.made(
        lambda: level_mesh(free, build.scene.frame),
        clearance=agent.radius,
        boundary_lines=len(boundary),
        wall_lines=len(walls),
        pieces_out=len(cleared.sources),
        **collapsed,
    )


def outline(ground: Ground) -> Floats:
    """Return the boundary of the ground as straight lines (n, 6): both ends as (u, v, h)."""
    lines = np.empty((int(np.count_nonzero(ground.mates < 0)), 6), dtype=np.float64)
    count = straighten_outline(
        ground.offsets, ground.vertices, ground.points, ground.heights, ground.mates, lines
    )
    return lines[:count]


def clear(
    pieces: Pieces,
    boundary: Floats,
    walls: Floats,
    agent: Agent,
    barred: Regions,
    arc_error: float,
    wall_thickness: float,
    on_chunk: Callable[[float], None],
    workers: int | None,
) -> Pieces:
    """Take away from pieces what is closer to the boundary or to walls than the agent's radius.

    Parameters
    ----------
    pieces : Pieces
        The ground, in convex polygons of few corners.
    boundary, walls : (n, 6) float64
        Straight lines, both ends as (u, v, h). [Unit: m]
    barred : Regions
        What else is taken away.
    arc_error : float
        How far corners may lie outside the arc around the end of a line. [Unit: m]
    wall_thickness : float
        Added to the radius around walls. [Unit: m]
    """
    radius = max(agent.radius, LEAST_RADIUS)
    if agent.radius == 0.0:
        boundary = boundary[:0]
    lines = np.concatenate([boundary, walls])
    two_sided = np.repeat(np.array([0, 1], dtype=np.uint8), [len(boundary), len(walls)])
    radii = np.repeat([radius, radius + wall_thickness], [len(boundary), len(walls)])
    regions = bands_around(lines, two_sided, radii, window_of(agent), arc_error).and_also(barred)
    return take_away(pieces, regions, agent, 0, on_chunk, workers)


def split_along(
    pieces: Pieces, lines: Floats, widths: Floats, agent: Agent, workers: int | None
) -> Pieces:
    """Split pieces at a distance from lines, to the left of them.

    Parameters
    ----------
    pieces : Pieces
        The ground, in convex polygons of few corners.
    lines : (n, 6) float64
        Both ends (u, v, h) of each line. [Unit: m]
    widths : (n,) float64
        The distance from each. [Unit: m]
    """
    one_sided = np.zeros(len(lines), dtype=np.uint8)
    regions = bands_around(lines, one_sided, widths, window_of(agent), _FOOT_ERROR)
    return take_away(pieces, regions, agent, _MOST_RAMPS, lambda _: None, workers)
