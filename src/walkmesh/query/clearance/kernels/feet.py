r"""The places on walls that are straight across from a corner.

A passage is narrow between two vertices, or between a vertex v and a wall, where it is as wide as
the way from v to its foot q on the wall is long::

            v                  the disc with the diameter v-q touches the wall in q;
          ( | )                if another vertex were in it, the passage would be narrower there,
     a ----q---------- b       between that vertex and v or the wall

With a vertex at every such foot, all narrow places lie between two vertices whose disc is empty,
and these are joined by a side of every Delaunay triangulation. Then the sides alone tell how wide a
passage is: a disc of radius r can follow a way exactly if all the sides that it crosses, and does
not cross back, have the length 2 r or more (M. Kallmann's refinement for local clearance, taken so
far that the clearance of a side is its length).
"""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.geometry.plan import to_segment
from walkmesh.kernels.geometry.turns import turn_of
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.meshes.corners import last_of, next_of
from walkmesh.query.clearance.kernels.sides import Mesh, end_of, start_of
from walkmesh.query.kernels import tolerances as tol


@kernel(kt.POINTS, kt.INTS, kt.INTS, kt.OUT_INTS, kt.OUT_FLOATS)
def find_feet(points, corners, mates, walls, places):
    """Find the feet of all vertices on walls in sight whose disc may be empty.

    A triangle's circle holds no vertex in sight; so the part of an empty disc at one corner that
    lies beyond the opposite side is inside the triangle's circle, and the foot with it. That is how
    far is looked from each corner.

    Parameters
    ----------
    points : (n, 2) float64
        Positions in plan, all on the boundary. [Unit: m]
    corners, mates : (3 t,) int32
        The constrained Delaunay triangulation.
    walls : (capacity,) int32, output
        The boundary side that each foot lies on.
    places : (capacity,) float64, output
        Where on it: 0 at its start, 1 at its end.

    Returns
    -------
    int
        The number of feet; if it is more than the capacity, the rest is missing.
    """
    mesh = Mesh(points, corners, mates)
    stack = np.empty(len(corners) + 3, np.int32)
    views = np.empty((len(corners) + 3, 4), np.float64)
    found = 0
    for corner in range(len(corners)):
        vu, vv = start_of(mesh, corner)
        opposite = next_of(corner)
        au, av = start_of(mesh, opposite)
        bu, bv = end_of(mesh, opposite)
        cu, cv, radius = _circle(vu, vv, au, av, bu, bv)
        stack[0] = opposite
        views[0, 0], views[0, 1], views[0, 2], views[0, 3] = au, av, bu, bv
        waiting = 1
        looks = 0
        while waiting > 0 and looks < len(stack):
            looks += 1
            waiting -= 1
            side = stack[waiting]
            ru, rv, lu, lv = (
                views[waiting, 0],
                views[waiting, 1],
                views[waiting, 2],
                views[waiting, 3],
            )
            mate = mesh.mates[side]
            if mate < 0:
                place = _foot(mesh, side, vu, vv, au, av, bu, bv, ru, rv, lu, lv)
                if place > 0.0:
                    if found < len(walls):
                        walls[found], places[found] = side, place
                    found += 1
                continue
            wu, wv = start_of(mesh, last_of(mate))
            for k in range(2):
                onward = next_of(mate)
                if k == 1:
                    onward = last_of(mate)
                su, sv = start_of(mesh, onward)
                eu, ev = end_of(mesh, onward)
                square, _ = to_segment(cu, cv, su, sv, eu, ev)
                if square > radius * radius * (1.0 + tol.OUTSIDE_PART):
                    continue
                # The view is narrowed by the vertex: it ends the right part, and begins the left.
                nru, nrv, nlu, nlv = ru, rv, lu, lv
                if k == 0:
                    if turn_of(vu, vv, ru, rv, wu, wv) <= 0.0:
                        continue
                    if turn_of(vu, vv, lu, lv, wu, wv) < 0.0:
                        nlu, nlv = wu, wv
                else:
                    if turn_of(vu, vv, lu, lv, wu, wv) >= 0.0:
                        continue
                    if turn_of(vu, vv, ru, rv, wu, wv) > 0.0:
                        nru, nrv = wu, wv
                if waiting < len(stack):
                    stack[waiting] = onward
                    views[waiting, 0], views[waiting, 1] = nru, nrv
                    views[waiting, 2], views[waiting, 3] = nlu, nlv
                    waiting += 1
    return found


@borrowing
def _foot(mesh, wall, vu, vv, au, av, bu, bv, ru, rv, lu, lv):
    """Return where on a wall the foot of v is; -1 if it is out of view or its disc is not empty."""
    su, sv = start_of(mesh, wall)
    eu, ev = end_of(mesh, wall)
    length = np.sqrt((eu - su) ** 2 + (ev - sv) ** 2)
    _, place = to_segment(vu, vv, su, sv, eu, ev)
    if place * length < tol.NEAR_WALL_END or (1.0 - place) * length < tol.NEAR_WALL_END:
        return -1.0
    qu, qv = su + place * (eu - su), sv + place * (ev - sv)
    if turn_of(vu, vv, ru, rv, qu, qv) < 0.0 or turn_of(vu, vv, lu, lv, qu, qv) > 0.0:
        return -1.0
    # Most discs that are not empty hold one of these three.
    apex_u, apex_v = start_of(mesh, last_of(wall))
    for k in range(3):
        xu, xv = au, av
        if k == 1:
            xu, xv = bu, bv
        elif k == 2:
            xu, xv = apex_u, apex_v
        if (vu - xu) * (qu - xu) + (vv - xv) * (qv - xv) < 0.0:
            return -1.0
    return place


@borrowing
def _circle(au, av, bu, bv, cu, cv):
    """Return centre and radius of the circle through three points; infinite if they are in line."""
    area = 2.0 * turn_of(au, av, bu, bv, cu, cv)
    pu, pv, qu, qv = bu - au, bv - av, cu - au, cv - av
    if area <= 0.0:
        return au, av, np.inf
    p, q = pu * pu + pv * pv, qu * qu + qv * qv
    ou, ov = (qv * p - pv * q) / area, (pu * q - qu * p) / area
    return au + ou, av + ov, np.sqrt(ou * ou + ov * ov)
