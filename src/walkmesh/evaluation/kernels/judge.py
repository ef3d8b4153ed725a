"""What points are: without ground, not free, free, or in what can be stepped over."""

import math
from collections import namedtuple

from walkmesh.evaluation.kernels import tolerances as tol
from walkmesh.evaluation.kernels.drawing import WALKER, Ray, Walker, make_scratch, standable
from walkmesh.evaluation.kernels.room import height_range, make_lists, measure_room, next_stamp
from walkmesh.evaluation.kernels.soup import SOUP, Soup, gather, height_at, pile
from walkmesh.evaluation.kernels.walk import DIRECTIONS, lies_between, walk
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel

# What a point is.
NO_GROUND, NOT_FREE, FREE, IN_DOUBT = 0, 1, 2, 3


# What points are. states: (n,) uint8, NO_GROUND, NOT_FREE, FREE or, in what can be stepped over,
# IN_DOUBT. grounds: (n,) float64, the height of their ground, NaN without any. level: (n,) uint8, 1
# where a free point of a navmesh has no steps around it. [m]
States = namedtuple("States", "states grounds level")
STATES = kt.packed(kt.OUT_BYTES, kt.OUT_FLOATS, kt.OUT_BYTES)


@kernel(SOUP, WALKER, kt.POINTS, kt.FLOATS, kt.FLOAT, kt.FLOAT, kt.INT, STATES)
def judge_points(scene, agent, points, phases, radius, within, of_navmesh, judged):
    """Decide what points are.

    Parameters
    ----------
    scene : Soup
    agent : Walker
    points : (n, 3) float64
        In the plan. [Unit: m]
    phases : (n,) float64
        By how much each point's directions are turned. [Unit: radians]
    radius : float
        How far to walk. [Unit: m]
    within : float
        How far above or below a point its ground is looked for. [Unit: m]
    of_navmesh : int
        Whether to ask, of a point that has no ground, if it lies in what can be stepped over, and
        of a free one, if there are steps around it.
    judged : States, output
    """
    soup, walker = Soup(*scene), Walker(*agent)
    states, grounds, level = judged
    size = len(soup.corners)
    scratch = make_scratch(size)
    lists = make_lists(size)
    for n in range(len(points)):
        u, v, h = points[n, 0], points[n, 1], points[n, 2]
        level[n] = 0
        piled = pile(soup, u, v, scratch.heights, scratch.grounds)
        ground = standable(scratch.heights, scratch.grounds, piled, h, within, walker.height)
        grounds[n] = ground
        if ground != ground:
            states[n] = NO_GROUND
            if of_navmesh and lies_between(
                soup, u, v, h, tol.WIDEST_STEP, max(tol.BRIDGE, walker.slit), lists.others,
                lists.others_seen, next_stamp(lists), walker, scratch,
            ):  # fmt: skip
                states[n] = IN_DOUBT
            continue
        room, _ = measure_room(
            soup, u, v, ground, phases[n], radius, radius, walker, lists, scratch
        )
        free = room >= radius
        states[n] = FREE if free else NOT_FREE
        if of_navmesh and free and _is_level(soup, u, v, ground, phases[n], walker, lists, scratch):
            level[n] = 1


@kernel
def _is_level(soup, u, v, ground, phase, walker, lists, scratch):
    """Tell whether there are no steps around a point."""
    low, high = height_range(ground, tol.LEVEL_REACH + tol.BEYOND, walker)
    stamp = next_stamp(lists)
    count = gather(soup, u, v, tol.LEVEL_REACH, low, high, lists.found, 0, lists.seen, stamp)
    for k in range(0, DIRECTIONS, DIRECTIONS // 8):
        angle = phase + k * 2 * math.pi / DIRECTIONS
        ray = Ray(u, v, ground, math.cos(angle), math.sin(angle))
        _, stepped, _, _, _, _, _ = walk(
            soup, lists.found, count, lists.found[:count], ray, tol.LEVEL_REACH, tol.LEVEL_REACH,
            tol.LEVEL_REACH, walker.slit, False, walker, scratch,
        )  # fmt: skip
        if stepped:
            return False
    return True


@kernel(SOUP, kt.POINTS, kt.FLOAT, kt.OUT_INTS, kt.OUT_INTS)
def find_layers(scene, points, within, layers, nearest):
    """Count the triangles over and under each point, and find the nearest of them.

    Parameters
    ----------
    scene : Soup
    points : (n, 3) float64
        In the plan. [Unit: m]
    within : float
        How far above or below a point they may be. [Unit: m]
    layers : (n,) int32, output
        How many have the point inside.
    nearest : (n,) int32, output
        The triangle with the least difference in height; -1 for none.
    """
    corners, _, _, _, grid, starts, members = scene
    columns = int(grid[3])
    rows = (len(starts) - 1) // columns
    for n in range(len(points)):
        layers[n] = 0
        nearest[n] = -1
        i = math.floor((points[n, 0] - grid[0]) / grid[2])
        j = math.floor((points[n, 1] - grid[1]) / grid[2])
        if i < 0 or j < 0 or i >= columns or j >= rows:
            continue
        closest = within
        for k in range(starts[j * columns + i], starts[j * columns + i + 1]):
            h = height_at(corners, members[k], points[n, 0], points[n, 1], tol.PLAN_SLACK)
            away = abs(h - points[n, 2])
            if not away <= within:
                continue
            if away <= closest:
                closest = away
                nearest[n] = members[k]
            # Triangles that meet at the point are one layer.
            h = height_at(corners, members[k], points[n, 0], points[n, 1], -tol.PLAN_SLACK)
            if h == h:
                layers[n] += 1
