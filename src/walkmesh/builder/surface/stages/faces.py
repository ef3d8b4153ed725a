"""Faces: the sides of the scene's triangles, and which of them can be walked on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.builder.kernels.tolerances import ANGLE_ROUNDING
from walkmesh.builder.mesh import TriangleMesh
from walkmesh.builder.surface.kernels.match_sides import match_sides
from walkmesh.builder.surface.kernels.tolerances import FACE_WIDTH
from walkmesh.builder.surface.slivers import tree_over_faces
from walkmesh.errors import BuildError
from walkmesh.triangles import area_vectors, compact, first_at_place

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Bytes, Floats, Ids
    from walkmesh.builder.stage import Stage
    from walkmesh.builder.surface.state import SurfaceBuild, Turns
    from walkmesh.frame import Frame
    from walkmesh.scene import Scene


@dataclass(frozen=True)
class Sides:
    """The sides of a scene's triangles."""

    points: Floats  # (n, 3): positions in `frame`, each place once [m]
    triangles: Ids  # (m, 3): vertex ids, counter-clockwise seen from where one walks
    normals: Floats  # (m, 3): unit normals
    walkable: Bytes  # (m,): 1 for faces that gravity allows to walk on
    two_sided: bool  # whether every triangle is there with both its sides
    frame: Frame  # the frame of `points`

    @property
    def arrays(self) -> tuple[Floats, Ids, Floats]:
        """Points, triangles and normals, as kernels take them."""
        return self.points, self.triangles, self.normals

    @cached_property
    def tree(self) -> BoxTree:
        """A tree of boxes over all faces."""
        return BoxTree.over(self.points, self.triangles)

    @cached_property
    def fine_tree(self) -> BoxTree:
        """The tree for looking at one place: it has each long sliver in several boxes."""
        return tree_over_faces(self.points, self.triangles, self.tree)

    @cached_property
    def levels(self) -> Floats:
        """(m,) float64: how far along its normal each face is. [Unit: m]."""
        return np.asarray((self.normals * self.points[self.triangles[:, 0]]).sum(axis=1))

    @cached_property
    def backs(self) -> Ids:
        """(m,) int32: the face with the same corners that faces the other way, -1 for none."""
        low, middle, high = np.sort(self.triangles, axis=1).T
        pairs = low.astype(np.int64) * len(self.points) + middle
        order = np.lexsort((high, pairs))
        same = (np.diff(pairs[order]) == 0) & (np.diff(high[order]) == 0)
        one, two = order[:-1][same], order[1:][same]
        backs = np.full(len(self.triangles), -1, dtype=np.int32)
        backs[one], backs[two] = two, one
        return backs

    def mates(self, turns: Turns) -> Ids:
        """(3 m,) int32: the edge across each edge that one can walk over, -1 for none."""
        corners = np.ascontiguousarray(self.triangles.ravel())
        ends = np.ascontiguousarray(np.roll(self.triangles, -1, axis=1).ravel())
        owners = np.repeat(np.arange(len(self.triangles), dtype=np.int32), 3)
        joints = np.zeros(len(self.triangles), dtype=np.uint8)
        return match(self.points, corners, ends, owners, self.normals, joints, turns)

    @property
    def walkable_mesh(self) -> TriangleMesh:
        """The faces that can be walked on."""
        points, triangles = compact(self.points, self.triangles[self.walkable == 1])
        return TriangleMesh(points, triangles, self.frame)


def match(
    points: Floats,
    starts: Ids,
    ends: Ids,
    owners: Ids,
    normals: Floats,
    joints: Bytes,
    turns: Turns,
) -> Ids:
    """Find the edge across each edge, for edges that share both their vertices.

    Parameters
    ----------
    points : (n, 3) float64
        Positions. [Unit: m]
    starts, ends : (c,) int32
        The vertices of each edge, its owner on its left.
    owners : (c,) int32
        Whose edge it is.
    normals : (p, 3) float64
        The normals of the owners.
    joints : (p,) uint8
        1 for owners that were made to be walked over, whatever the turn.
    turns : Turns
        What turns can be walked over.

    Returns
    -------
    (c,) int32
        The edge across, -1 for none.
    """
    keys = np.minimum(starts, ends).astype(np.int64) * len(points) + np.maximum(starts, ends)
    order = np.argsort(keys, kind="stable").astype(np.int32)
    new = np.diff(keys[order], prepend=-1) != 0
    groups = np.append(np.flatnonzero(new), len(order)).astype(np.int32)
    mates = np.empty(len(starts), dtype=np.int32)
    match_sides(points, starts, ends, owners, normals, joints, order, groups, turns.limits, mates)
    return mates


def run(build: SurfaceBuild) -> Stage:
    """Take the faces that can be walked on, and find out which of them go on in each other."""
    method, scene = build.method, build.scene
    faces, found = prepare_faces(scene, method.sides, method.max_tilt, method.gravity_center)
    build.faces, build.mates = faces, faces.mates(build.turns)
    return build.made(lambda: faces.walkable_mesh, triangles_in=len(scene.faces), **found)


def prepare_faces(
    scene: Scene, sides: str, max_tilt: float, center: tuple[float, float, float] | None
) -> tuple[Sides, dict[str, int]]:
    """Bring the sides of a scene's triangles into shape, and tell which can be walked on.

    Triangles without width and triangles that are there twice are left out.

    Parameters
    ----------
    sides : {"front", "back", "both"}
        Which sides of the triangles count.
    max_tilt : float
        How far normals may be away from up. [Unit: degrees]
    center : 3 float or None
        World coordinates of the point that up leads away from; None for the scene's up.

    Raises
    ------
    BuildError
        When nothing can be walked on.
    """
    vertices, triangles = compact(scene.vertices, scene.faces)
    # Rounded to micrometres, so that a scene far away, whose coordinates have fewer digits, gives
    # the same navmesh as one at the origin.
    points = np.round(scene.frame.to_plan(vertices), 6) + 0.0
    representative = first_at_place(points)
    points, triangles = compact(points, representative[triangles])
    if sides == "back":
        triangles = triangles[:, ::-1]
    elif sides == "both":
        triangles = np.concatenate([triangles, triangles[:, ::-1]])
    triangles = np.ascontiguousarray(triangles, dtype=np.int32)
    wide = _widths(points, triangles) > FACE_WIDTH
    narrow = int(np.count_nonzero(~wide))
    triangles = triangles[wide]
    first = _first_copies(triangles)
    twice = int(np.count_nonzero(~first))
    triangles = np.ascontiguousarray(triangles[first])
    normals = _normals(points, triangles)
    walkable = _within_tilt(points, triangles, normals, max_tilt, center, scene.frame)
    if not walkable.any():
        raise BuildError(
            f"none of the {len(triangles)} faces can be walked on: none lies within "
            f"{max_tilt:g} degrees of up; is that the right up, or the right side of the triangles?"
        )
    faces = Sides(
        points, triangles, normals, walkable.astype(np.uint8), sides == "both", scene.frame
    )
    return faces, {
        "faces": len(triangles),
        "walkable": int(walkable.sum()),
        "without_width": narrow,
        "repeated": twice,
    }


def _widths(points: Floats, triangles: Ids) -> Floats:
    """Return how high each triangle is over its longest side. [Unit: m]."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    twice = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    longest = np.max([np.linalg.norm(x, axis=1) for x in (b - a, c - b, a - c)], axis=0)
    return np.asarray(np.divide(twice, longest, out=np.zeros_like(twice), where=longest > 0.0))


def _first_copies(triangles: Ids) -> Bools:
    """Tell which triangles are no repetition of an earlier one that faces the same way."""
    turned = triangles.argmin(axis=1)[:, None]
    keys = np.take_along_axis(triangles, (turned + np.arange(3)) % 3, axis=1)
    _, index = np.unique(keys, axis=0, return_index=True)
    first = np.zeros(len(triangles), dtype=bool)
    first[index] = True
    return first


def _normals(points: Floats, triangles: Ids) -> Floats:
    normals = area_vectors(points[triangles])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return np.ascontiguousarray(normals + 0.0)


def _within_tilt(
    points: Floats,
    triangles: Ids,
    normals: Floats,
    max_tilt: float,
    center: tuple[float, float, float] | None,
    frame: Frame,
) -> Bools:
    if max_tilt >= 180.0:
        return np.ones(len(triangles), dtype=bool)
    lowest = math.cos(math.radians(max_tilt) + ANGLE_ROUNDING)
    if center is None:
        return np.asarray(normals[:, 2] >= lowest)
    up = points[triangles].mean(axis=1) - frame.to_plan(np.array([center]))[0]
    up /= np.abs(up).max(axis=1, keepdims=True)  # so that far away no square overflows
    length = np.linalg.norm(up, axis=1)
    return np.asarray((normals * up).sum(axis=1) >= lowest * length)
