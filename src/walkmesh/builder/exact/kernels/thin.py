r"""Removing thin triangles, which keep slits from closing.

A triangle with a short side loses it by a contraction. One that is flat against its longest side is
handed over to the triangle across, which is split in two by the corner there::

                  w                       w
              x ----- y               x -/|\- y
               \     /                 \  |  /
                \   /         ->        \ | /
                 \ /                     \|/
                  z                       z

Both halves keep the heights of the ground across. If neither is possible the triangle is deleted,
and the edges across from it become boundary of the kind that it had there.
"""

import numpy as np

from walkmesh.builder.exact.kernels import tolerances as tol
from walkmesh.builder.exact.kernels.contract import (
    contract,
    remove_triangle,
)
from walkmesh.builder.exact.kernels.fans import (
    AFTER,
    HEAD,
    HEIGHT,
    HOME_U,
    HOME_V,
    KIND,
    MATE,
    NONE,
    SOUND,
    VERTEX,
    attach,
    detach,
    edge_length,
    find_fault,
    make_mesh,
    plan_shape,
    triangle_shape,
)
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.kernels.meshes.kinds import INNER, OPEN

# Removing a triangle can make another one thin; in the last round all of them are deleted.
_ROUNDS = 6


@kernel(kt.OUT_POINTS, kt.OUT_LONGS_2D, kt.OUT_POINTS, kt.FLOAT, kt.INT, kt.OUT_LONGS)
def remove_thin(points, corners, places, altitude, check, counts):
    """Remove the triangles that are thinner than a limit, unless that would leave a hole.

    The arrays are those of ``gaps.contract_gaps``, and changed in place.

    Parameters
    ----------
    points, corners, places
        The mesh.
    altitude : float
        Triangles with any altitude below are removed. [Unit: m]
    check : int
        Whether to look over the whole mesh after each round.
    counts : (1,) int64, output
        The number of triangles removed.

    Returns
    -------
    int
        What is wrong with the mesh; 0 if nothing.
    """
    triangles = len(corners) // 3
    any_thin = False
    for triangle in range(triangles):
        a = corners[3 * triangle, VERTEX]
        b = corners[3 * triangle + 1, VERTEX]
        c = corners[3 * triangle + 2, VERTEX]
        area, longest = plan_shape(
            points[a, 0], points[a, 1], points[b, 0], points[b, 1], points[c, 0], points[c, 1]
        )
        if not area >= altitude * longest:
            any_thin = True
    if not any_thin:
        return SOUND
    mesh = make_mesh(points, corners, places, triangles)
    for turn in range(_ROUNDS):
        changed = False
        for triangle in range(triangles):
            if corners[3 * triangle, VERTEX] < 0:
                continue
            area, longest = triangle_shape(mesh, triangle)
            if area >= altitude * longest:
                continue
            if turn < _ROUNDS - 1 and _dissolve(mesh, triangle, altitude):
                changed = True
                counts[0] += 1
            elif area <= 0.0 or _hangs_by_one_edge(mesh, triangle):
                # Any other is better left: without it its neighbours would come apart.
                _delete(mesh, triangle)
                changed = True
                counts[0] += 1
        if check and changed:
            fault = find_fault(mesh, 0.0)
            if fault != SOUND:
                return fault
        if not changed:
            break
    return SOUND


@borrowing
def _dissolve(mesh, triangle, altitude):
    """Remove a thin triangle without leaving a hole; False if that is not possible."""
    shortest, longest = 3 * triangle, 3 * triangle
    for edge in range(3 * triangle + 1, 3 * triangle + 3):
        length = edge_length(mesh, edge)
        if length < edge_length(mesh, shortest):
            shortest = edge
        if length > edge_length(mesh, longest):
            longest = edge
    if edge_length(mesh, shortest) < altitude:
        a, b = mesh.corners[shortest, VERTEX], mesh.corners[next_of(shortest), VERTEX]
        return contract(mesh, a, b, 4.0 * altitude, np.inf, tol.STEEPEST)
    return _hand_over(mesh, longest)


@borrowing
def _hangs_by_one_edge(mesh, triangle):
    """Tell whether a triangle shares one edge at most."""
    shared = 0
    for edge in range(3 * triangle, 3 * triangle + 3):
        if mesh.corners[edge, MATE] >= 0:
            shared += 1
    return shared <= 1


@borrowing
def _delete(mesh, triangle):
    """Delete a triangle; edges across become boundary of its kind, which is open if it had none."""
    kind = INNER
    for edge in range(3 * triangle, 3 * triangle + 3):
        if mesh.corners[edge, MATE] < 0:
            kind = max(kind, mesh.corners[edge, KIND])
    if kind == INNER:
        kind = OPEN
    for edge in range(3 * triangle, 3 * triangle + 3):
        mate = mesh.corners[edge, MATE]
        if mate >= 0:
            mesh.corners[mate, MATE], mesh.corners[mate, KIND] = NONE, kind
    remove_triangle(mesh, triangle)


@borrowing
def _hand_over(mesh, edge):
    """Hand a flat triangle over to the one across its longest edge; False if that makes no better.

    The corners that the two triangles have at the ends of the edge stay, one each; the two others
    trade places.
    """
    mate = mesh.corners[edge, MATE]
    if mate < 0:
        return False
    x, y = mesh.corners[edge, VERTEX], mesh.corners[mate, VERTEX]  # the edge runs from x to y
    w, z = mesh.corners[last_of(edge), VERTEX], mesh.corners[last_of(mate), VERTEX]
    if w == z or _are_neighbours(mesh, w, z):
        return False
    points = mesh.points
    old, old_longest = triangle_shape(mesh, edge // 3)
    for first, second in ((x, z), (z, y)):
        area, longest = plan_shape(
            points[first, 0],
            points[first, 1],
            points[second, 0],
            points[second, 1],
            points[w, 0],
            points[w, 1],
        )
        # Strictly better, so that two flat triangles cannot hand over to each other forever.
        if area <= tol.LEAST_ALTITUDE * longest or area * old_longest <= 2.0 * old * longest:
            return False
    _replace(mesh, edge, mate, w, z)
    return True


@borrowing
def _are_neighbours(mesh, a, b):
    """Tell whether two vertices share an edge."""
    corner = mesh.vertices[a, HEAD]
    while corner >= 0:
        if mesh.corners[next_of(corner), VERTEX] == b or mesh.corners[last_of(corner), VERTEX] == b:
            return True
        corner = mesh.corners[corner, AFTER]
    return False


@borrowing
def _replace(mesh, edge, mate, w, z):
    """Put the triangles (x, z, w) and (z, y, w) in the place of (x, y, w) and (y, x, z)."""
    en, el, mn, ml = next_of(edge), last_of(edge), next_of(mate), last_of(mate)
    places = mesh.places
    # The height of the ground across, at w: on its edge, which w is all but on.
    along, rest = edge_length(mesh, el), edge_length(mesh, en)
    height_x, height_y, height_z = places[mn, HEIGHT], places[mate, HEIGHT], places[ml, HEIGHT]
    height = height_x + along / (along + rest) * (height_y - height_x)
    after_y, kind_after_y = mesh.corners[en, MATE], mesh.corners[en, KIND]
    after_x, kind_after_x = mesh.corners[mn, MATE], mesh.corners[mn, KIND]
    # The first becomes (x, z, w): edge runs from x to z, en from z to w, el from w to x.
    detach(mesh, en)
    attach(mesh, en, z)
    # The second becomes (y, w, z): mate runs from y to w, mn from w to z, ml from z to y.
    detach(mesh, mn)
    attach(mesh, mn, w)
    places[edge, HEIGHT], places[en, HEIGHT], places[el, HEIGHT] = height_x, height_z, height
    places[mate, HEIGHT], places[mn, HEIGHT], places[ml, HEIGHT] = height_y, height, height_z
    for corner, vertex in ((en, z), (mn, w)):
        places[corner, HOME_U], places[corner, HOME_V] = (
            mesh.points[vertex, 0],
            mesh.points[vertex, 1],
        )
    _connect(mesh, edge, after_x, kind_after_x)
    _connect(mesh, mate, after_y, kind_after_y)
    mesh.corners[en, MATE], mesh.corners[mn, MATE] = mn, en
    mesh.corners[en, KIND], mesh.corners[mn, KIND] = INNER, INNER


@borrowing
def _connect(mesh, edge, mate, kind):
    """Give an edge its mate, or NONE, and its kind."""
    mesh.corners[edge, MATE], mesh.corners[edge, KIND] = mate, kind
    if mate >= 0:
        mesh.corners[mate, MATE] = edge
