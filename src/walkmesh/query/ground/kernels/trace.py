"""From the steps of a search to the path: pulled tight, and laid onto the ground."""

import math

from walkmesh.kernels.geometry.vectors import way_between
from walkmesh.kernels.kernel import borrowing, shared_borrowing
from walkmesh.query.ground.kernels import columns as col
from walkmesh.query.ground.kernels.drape import lay_down
from walkmesh.query.ground.kernels.steps import FROM_START
from walkmesh.query.kernels import tolerances as tol
from walkmesh.query.kernels.funnel import pull_tight
from walkmesh.query.kernels.jumps import COST, END_H, END_U, END_V, START_H, START_U, START_V


@shared_borrowing
def trace(mesh, ground, scratch, steps, polygon, ends, tolerance, path, ways, links, used):
    """Write the shortest path through the sides and jumps that a search has found; return its cost.

    Parameters
    ----------
    mesh, ground, scratch
        See :mod:`walkmesh.query.ground.kernels.mesh`; the steps are the first in `scratch`.
    polygon : int
        The polygon that the path starts in.
    ends : (2, 3) float64
        Start and goal in the plan frame. [Unit: m]
    tolerance : float
        How far the path may be from the ground, in height. [Unit: m]
    path, ways, links : (k, 3) float64, (w,) and (l,) int32, output
        Points in the plan frame, polygons and links of the path, as far as there is room.
    used : (3,) int64, output
        How many places of these three are used, or would be if there were as many.
    """
    rights, lefts, crossings = scratch.rights, scratch.lefts, scratch.crossings
    u, v, h = ends[0, 0], ends[0, 1], ends[0, 2]
    cost = 0.0
    step = 0
    while True:
        # The gates up to the goal or the next jump.
        _set(rights, lefts, 0, u, v, h)
        gates = 1
        while step < steps and scratch.steps[step] >= 0:
            side = scratch.steps[step]
            # Polygons are counter-clockwise: leaving one, its side runs from right to left.
            right = mesh.sides[side, col.VERTEX]
            left = mesh.sides[mesh.sides[side, col.MATE], col.VERTEX]
            for k in range(3):
                rights[gates, k] = mesh.points[right, k]
                lefts[gates, k] = mesh.points[left, k]
            scratch.ways[gates - 1] = polygon
            polygon = mesh.sides[side, col.NEIGHBOR]
            gates += 1
            step += 1
        scratch.ways[gates - 1] = polygon
        jump = -1
        u, v, h = ends[1, 0], ends[1, 1], ends[1, 2]
        if step < steps:
            jump = FROM_START - 1 - scratch.steps[step]
            u, v, h = (
                mesh.jumps[jump, START_U],
                mesh.jumps[jump, START_V],
                mesh.jumps[jump, START_H],
            )
        _set(rights, lefts, gates, u, v, h)
        pull_tight(rights, lefts, gates + 1, crossings)
        for i in range(gates):
            du = crossings[i + 1, 0] - crossings[i, 0]
            dv = crossings[i + 1, 1] - crossings[i, 1]
            cost += mesh.costs[scratch.ways[i]] * math.sqrt(du * du + dv * dv)
            if used[1] < len(ways):
                ways[used[1]] = scratch.ways[i]
            used[1] += 1
        before = used[0]
        used[0] = lay_down(
            crossings, scratch.ways, gates,
            (mesh.points, ground.triangles, mesh.polygons, mesh.diagonals), tolerance,
            (scratch.relief, scratch.cuts, scratch.profile, scratch.stack), path, before,
        )  # fmt: skip
        if used[0] <= len(path):
            used[0] = straighten(path, before, used[0])
        if jump < 0:
            return cost
        cost += mesh.jumps[jump, COST]
        if used[2] < len(links):
            links[used[2]] = mesh.targets[jump, col.LINK]
        used[2] += 1
        polygon = mesh.targets[jump, col.POLYGON]
        u, v, h = mesh.jumps[jump, END_U], mesh.jumps[jump, END_V], mesh.jumps[jump, END_H]
        step += 1


@borrowing
def _set(rights, lefts, gate, u, v, h):
    """Make a gate of one point."""
    rights[gate, 0], rights[gate, 1], rights[gate, 2] = u, v, h
    lefts[gate, 0], lefts[gate, 1], lefts[gate, 2] = u, v, h


@borrowing
def straighten(path, first, stop):
    """Drop the points that lie on the way between the one kept before and the next one.

    Returns
    -------
    int
        Where the path stops now.
    """
    kept = first
    for i in range(first + 1, stop - 1):
        eu, ev, eh = way_between(path, kept, i + 1)
        du, dv, dh = way_between(path, kept, i)
        # The nearest place on the way, not on the line beyond it: a path may turn back.
        squared = eu * eu + ev * ev + eh * eh
        share = 0.0
        if squared > 0.0:
            share = min(max((du * eu + dv * ev + dh * eh) / squared, 0.0), 1.0)
        off = (du - share * eu) ** 2 + (dv - share * ev) ** 2 + (dh - share * eh) ** 2
        if off > tol.STRAIGHT_WAY * tol.STRAIGHT_WAY:
            kept += 1
            for k in range(3):
                path[kept, k] = path[i, k]
    if stop - first > 1:
        kept += 1
        for k in range(3):
            path[kept, k] = path[stop - 1, k]
    return kept + 1


@borrowing
def measure(path, first, stop):
    """Return the length of a path."""
    length = 0.0
    for i in range(first, stop - 1):
        du, dv, dh = way_between(path, i, i + 1)
        length += math.sqrt(du * du + dv * dv + dh * dh)
    return length
