"""What counts as straight, as flat, as touching and as wide enough, in navmeshes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from walkmesh.agent import Agent

# How far a polygon may fall short of its convex hull and still count as convex: more than the
# rounding of coordinates in files bends straight sides, far less than matters to anyone.
STRAIGHT = 1e-5  # m
# How much the plan areas of a polygon's triangles may differ from its own, besides what a strip of
# the width `STRAIGHT` along its outline has.
AREA_SHARE = 1e-6
# Closer than this, a vertex lies on an edge; and an overlap no wider than this is none.
TOUCHING = 1e-6  # m
# A polygon narrower than this has no area.
NO_WIDTH = 1e-9  # m
# How far outside of its polygon, in plan or on a surface, a link may start or end.
LINK_SLACK = 0.01  # m
# Headroom that is short by less than this counts as enough.
HEADROOM_SLACK = 1e-3  # m
# How far off its plane a corner of a surface's polygon may be, besides the height tolerance that
# the navmesh was built with: polygons of a surface have no detail, so this is what the place of an
# agent may be wrong by. Cutting and snapping on a millimetre grid moves corners by less.
FLAT = 2e-3  # m
# An overlap on a surface that is no wider than this is none: closing gaps and snapping fold the
# surface back by about as much as they may move corners off its planes.
FOLDED = FLAT
# Sheets of a surface that face the same way: at a larger angle, one of them is a wall or a ceiling
# to the other, and whether the agent fits between them is a question of headroom.
SAME_WAY = 0.5  # cosine of 60 degrees
# A polygon of a surface is a step, or lies across a corner, if it is no wider than so many of the
# agent's steps and folded against a neighbour by more than 30 degrees, given by its cosine.
STEP_WIDTH = 1.5
STEP_FOLD = 0.866
# Ground this steep is not walked up but stepped up: steeper than ramps below single steps are by
# default, and than flights of the highest steps with treads that a foot hardly finds.
STEEPEST_RAMP = 60.0  # degrees
SHORTEST_TREAD = 0.05  # m
# How much a rise may exceed the highest step: the height tolerance of builds, up and down, and what
# low things beside a step add to its ramp (3 cm in a game map with spikes on its stairs).
RISE_SLACK = 0.05  # m
# Edges of triangles that share no vertices are one if their ends are closer than this.
SAME_PLACE = 1e-4  # m
# Two layers no farther apart than this are the same one twice.
SAME_LAYER = 0.02  # m


def headroom(agent: Agent) -> float:
    """Return how far apart floors must be at least, in metres."""
    return max(agent.height - HEADROOM_SLACK, agent.height / 2.0)


def steepest_ramp(agent: Agent) -> float:
    """Return the rise over run of the steepest ground that an agent climbs.

    Flights of stairs are ramps from edge to edge, and steeper than the agent walks.
    """
    return max(
        math.tan(math.radians(max(agent.max_slope, STEEPEST_RAMP))),
        agent.max_step / SHORTEST_TREAD,
    )
