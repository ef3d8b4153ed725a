"""Slits: whether a boundary vertex faces an edge of the boundary across a gap in the ground.

Being near is not enough. The way to the edge must lead through the gap, and not through the ground
between; the edge must run against one at the vertex, as the other side of a slit does; and it must
not be reached as well along the boundary, as the next but one edge of an arc is.
"""

import numpy as np

from walkmesh.builder.exact.kernels import tolerances as tol
from walkmesh.builder.exact.kernels.fans import (
    AFTER,
    HEAD,
    MATE,
    NONE,
    VERTEX,
    edge_length,
    is_open,
    last_boundary,
    next_boundary,
)
from walkmesh.kernels.kernel import borrowing
from walkmesh.kernels.meshes.corners import last_of, next_of

# A boundary that bends by more than about 120 degrees between two points makes a slit there;
# twice their distance along it is the way around an equilateral triangle.
_DETOUR = 2.0
# A hole whose outline is shorter than this many gap distances closes, slit or not.
_SMALL_HOLE = 4.0
# More triangles than this are not looked at on the way across an overlap.
_MOST_TRIANGLES = 64


@borrowing
def faces_across_a_slit(mesh, vertex, edge, end, du, dv, along, rest, reach):
    """Tell whether a vertex faces an open edge, or its end, across a slit.

    It is to be contracted with the vertex `end` of the edge, or with the edge itself for NONE. The
    way there is (du, dv), its foot `along` and `rest` away from the edge's start and end, and the
    gap distance `reach`. [Unit: m]
    """
    # Where corners meet, the nearest edge is often one that only happens to end there.
    if not _runs_against(mesh, vertex, edge):
        return False
    gap = np.sqrt(du * du + dv * dv)
    if gap > tol.SIDES_TOUCH:
        inside = _runs_inside(mesh, vertex, du, dv)
        if end >= 0:
            inside_there = _runs_inside(mesh, end, -du, -dv)
        else:
            p, q = mesh.corners[edge, VERTEX], mesh.corners[next_of(edge), VERTEX]
            eu = mesh.points[q, 0] - mesh.points[p, 0]
            ev = mesh.points[q, 1] - mesh.points[p, 1]
            inside_there = eu * dv - ev * du < 0.0
        # Across a gap the way leaves the ground on one side and meets it on the other. Where two
        # pieces overlap it runs inside both of them, but not from one to the other; and two corners
        # as near as that may lie in any way.
        if inside != inside_there and (end < 0 or gap > tol.OVERLAP):
            return False
        if inside and gap > tol.OVERLAP:
            return False
        if inside or inside_there:
            start, to_edge, to_vertex, turn = vertex, edge, end, 1.0
            if not inside:
                start, to_edge, to_vertex, turn = end, NONE, vertex, -1.0
            if _leads_through(mesh, start, to_edge, to_vertex, turn * du, turn * dv):
                return False
    if end >= 0:
        # From the end that is the target there is no way left to go.
        if end == mesh.corners[edge, VERTEX]:
            along, rest = 0.0, along + rest
        else:
            along, rest = along + rest, 0.0
    return not _is_around_the_corner(mesh, vertex, edge, end, gap, along, rest) or _is_small_hole(
        mesh, vertex, _SMALL_HOLE * reach
    )


@borrowing
def _runs_inside(mesh, vertex, du, dv):
    """Tell whether a direction from a vertex runs inside one of its triangles."""
    square = du * du + dv * dv
    corner = mesh.vertices[vertex, HEAD]
    while corner >= 0:
        x, y = mesh.corners[next_of(corner), VERTEX], mesh.corners[last_of(corner), VERTEX]
        xu, xv = (
            mesh.points[x, 0] - mesh.points[vertex, 0],
            mesh.points[x, 1] - mesh.points[vertex, 1],
        )
        yu, yv = (
            mesh.points[y, 0] - mesh.points[vertex, 0],
            mesh.points[y, 1] - mesh.points[vertex, 1],
        )
        # Along a boundary is outside, along an edge between two triangles inside.
        right, left = xu * dv - xv * du, du * yv - dv * yu
        right_limit, left_limit = 0.0, 0.0
        if mesh.corners[corner, MATE] < 0:
            right_limit = tol.ALONG_EDGE * np.sqrt(square * (xu * xu + xv * xv))
        if mesh.corners[last_of(corner), MATE] < 0:
            left_limit = tol.ALONG_EDGE * np.sqrt(square * (yu * yu + yv * yv))
        if right >= right_limit and left >= left_limit and (right > 0.0 or left > 0.0):
            return True
        corner = mesh.corners[corner, AFTER]
    return False


@borrowing
def _runs_against(mesh, vertex, edge):
    """Tell whether an open edge at a vertex runs more or less against another edge."""
    p, q = mesh.corners[edge, VERTEX], mesh.corners[next_of(edge), VERTEX]
    eu, ev = mesh.points[q, 0] - mesh.points[p, 0], mesh.points[q, 1] - mesh.points[p, 1]
    corner = mesh.vertices[vertex, HEAD]
    while corner >= 0:
        for other in (corner, last_of(corner)):
            if is_open(mesh, other):
                p, q = mesh.corners[other, VERTEX], mesh.corners[next_of(other), VERTEX]
                fu, fv = (
                    mesh.points[q, 0] - mesh.points[p, 0],
                    mesh.points[q, 1] - mesh.points[p, 1],
                )
                along = eu * fu + ev * fv
                if along < 0.0 and along * along >= tol.AGAINST * (eu * eu + ev * ev) * (
                    fu * fu + fv * fv
                ):
                    return True
        corner = mesh.corners[corner, AFTER]
    return False


@borrowing
def _leads_through(mesh, vertex, edge, end, du, dv):
    """Tell whether the straight way inside a vertex's triangles leads to an edge or vertex.

    A way that leaves them counts too: it would run across a thin piece and a gap.
    """
    points = mesh.points
    u, v = points[vertex, 0], points[vertex, 1]
    corner = mesh.vertices[vertex, HEAD]
    while corner >= 0:
        x, y = mesh.corners[next_of(corner), VERTEX], mesh.corners[last_of(corner), VERTEX]
        if (points[x, 0] - u) * dv - (points[x, 1] - v) * du >= 0.0 and du * (
            points[y, 1] - v
        ) - dv * (points[y, 0] - u) >= 0.0:
            break
        corner = mesh.corners[corner, AFTER]
    if corner < 0:
        return True
    crossed = next_of(corner)
    for _ in range(_MOST_TRIANGLES):
        for side in range(crossed - crossed % 3, crossed - crossed % 3 + 3):
            if side == edge or (end >= 0 and mesh.corners[side, VERTEX] == end):
                return True
        p, q = mesh.corners[crossed, VERTEX], mesh.corners[next_of(crossed), VERTEX]
        eu, ev = points[q, 0] - points[p, 0], points[q, 1] - points[p, 1]
        if eu * (v + dv - points[p, 1]) - ev * (u + du - points[p, 0]) > 0.0:
            return False  # it ends in this triangle
        mate = mesh.corners[crossed, MATE]
        if mate < 0:
            return True
        z = mesh.corners[last_of(mate), VERTEX]
        if du * (points[z, 1] - v) - dv * (points[z, 0] - u) > 0.0:
            crossed = next_of(mate)
        else:
            crossed = last_of(mate)
    return True


@borrowing
def _is_around_the_corner(mesh, vertex, edge, end, gap, along, rest):
    """Tell whether the boundary leads from a vertex to its target without much of a detour."""
    corner = mesh.vertices[vertex, HEAD]
    while corner >= 0:
        for forward in range(2):
            first = corner if forward == 1 else last_of(corner)
            if mesh.corners[first, MATE] >= 0:
                continue
            current = first
            left = _DETOUR * gap - (along if forward == 1 else rest)
            while True:
                left -= edge_length(mesh, current)
                if left < 0.0:
                    break
                there = next_of(current) if forward == 1 else current
                reached = mesh.corners[there, VERTEX]
                last = current
                if forward == 1:
                    current = next_boundary(mesh, current)
                else:
                    current = last_boundary(mesh, current)
                if reached == end or (end < 0 and current == edge):
                    if forward == 1:
                        blunt = _ends_a_slit(mesh, first, last, gap)
                    else:
                        blunt = _ends_a_slit(mesh, last, first, gap)
                    if not blunt:
                        return True
                    break
                if reached == vertex:
                    break
        corner = mesh.corners[corner, AFTER]
    return False


@borrowing
def _ends_a_slit(mesh, first, last, gap):
    """Tell whether a run of boundary edges is the blunt end of a slit, or very short.

    ::

            x ----> p
                    | first    the ground is left of the edges, the slit right of them; its sides
                    | last     run together or side by side
            y <---- q
    """
    if not (is_open(mesh, first) and is_open(mesh, last)):
        return False
    if gap <= tol.BLUNT_END:
        return True
    before, after = last_boundary(mesh, first), next_boundary(mesh, last)
    points = mesh.points
    p, q = mesh.corners[first, VERTEX], mesh.corners[next_of(last), VERTEX]
    x, y = mesh.corners[before, VERTEX], mesh.corners[next_of(after), VERTEX]
    eu, ev = points[q, 0] - points[p, 0], points[q, 1] - points[p, 1]
    au, av = points[x, 0] - points[p, 0], points[x, 1] - points[p, 1]
    bu, bv = points[y, 0] - points[q, 0], points[y, 1] - points[q, 1]
    if au * ev - av * eu <= 0.0 or eu * bv - ev * bu >= 0.0:
        return False
    cosines = (au * eu + av * ev) / np.sqrt(au * au + av * av)
    cosines -= (bu * eu + bv * ev) / np.sqrt(bu * bu + bv * bv)
    return cosines >= -tol.PARALLEL_SIDES * np.sqrt(eu * eu + ev * ev)


@borrowing
def _is_small_hole(mesh, vertex, reach):
    """Tell whether the boundary leads from a vertex back to it on a way no longer than `reach`."""
    corner = mesh.vertices[vertex, HEAD]
    while corner >= 0:
        if mesh.corners[corner, MATE] < 0:
            left = reach
            current = corner
            while left >= 0.0:
                left -= edge_length(mesh, current)
                current = next_boundary(mesh, current)
                if current == corner:
                    return left >= 0.0
        corner = mesh.corners[corner, AFTER]
    return False
