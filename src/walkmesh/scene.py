"""The scene: triangles with no promise at all."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arrays import read_only
from walkmesh.errors import SceneError
from walkmesh.frame import Frame, up_vector
from walkmesh.kernels.meshes.soup import (
    NO_AREA,
    NON_FINITE,
    VALID,
    mark_repeats,
    measure_triangles,
)
from walkmesh.triangles import first_at_place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Floats, Ids


@dataclass(frozen=True)
class LeftOut:
    """How many triangles of the input are not in the scene, and why.

    Attributes
    ----------
    non_finite : int
        A corner is infinite or not a number, or the area is too large for a float.
    no_area : int
        The corners lie on one line or in one point, to the last digits of a float.
    repeated : int
        The same three corners in the same winding stand in the input before.
    """

    non_finite: int = 0
    no_area: int = 0
    repeated: int = 0

    @property
    def total(self) -> int:
        """All triangles that were left out."""
        return self.non_finite + self.no_area + self.repeated


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Scene:
    """Triangles to walk on and to walk into, in metres.

    Triangles that no computation could use (a corner that is not finite, no area) are left out,
    and exact repeats are collapsed; `left_out` counts them. Nothing else is changed.

    Parameters
    ----------
    vertices : (n, 3) array_like of float
        Positions. [Unit: m]
    faces : (m, 3) array_like of int
        The vertices of each triangle, counter-clockwise seen from its front.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.

    Attributes
    ----------
    vertices : (n, 3) float64, read-only
        All positions that were given, also those that no triangle uses.
    faces : (k, 3) int32, read-only
        The valid triangles, each once, in the order of the input.
    up : tuple of 3 float
        Unit vector.
    left_out : LeftOut
        Counts of the triangles that were given and are not in `faces`.

    Raises
    ------
    SceneError
        When the arrays have the wrong shape, an index is out of range, or no triangle is valid.

    Examples
    --------
    >>> scene = Scene([(0, 0, 0), (0, 0, 1), (1, 0, 0)], [(0, 1, 2), (0, 1, 2), (0, 1, 1)])
    >>> scene
    Scene(1 triangle, 3 vertices, up=(0.0, 1.0, 0.0))
    >>> scene.left_out
    LeftOut(non_finite=0, no_area=1, repeated=1)
    """

    vertices: Floats
    faces: Ids
    up: tuple[float, float, float]
    left_out: LeftOut

    def __init__(
        self, vertices: ArrayLike, faces: ArrayLike, up: str | Sequence[float] = "y"
    ) -> None:
        positions = _checked_vertices(vertices)
        given = _checked_faces(faces, len(positions))
        kept, left_out = _leave_out(positions, given)
        if len(kept) == 0:
            raise SceneError(_why_empty(len(given), left_out))
        object.__setattr__(self, "vertices", positions)
        object.__setattr__(self, "faces", read_only(kept, np.int32))
        object.__setattr__(self, "up", up_vector(up))
        object.__setattr__(self, "left_out", left_out)

    def __repr__(self) -> str:
        count = len(self.faces)
        return (
            f"Scene({count} triangle{'s' if count != 1 else ''}, {len(self.vertices)} vertices, "
            f"up={self.up})"
        )

    @property
    def counts(self) -> dict[str, int]:
        """How many triangles there are, and how many were left out, by reason."""
        return {"triangles": len(self.faces), **asdict(self.left_out)}

    @cached_property
    def bounds(self) -> Floats:
        """(2, 3) float64: lowest and highest coordinates of all triangles. In metres."""
        used = np.zeros(len(self.vertices), dtype=bool)
        used[self.faces.ravel()] = True
        corners = self.vertices if used.all() else self.vertices[used]
        # One coordinate after the other: along the long axis numpy takes three times as long.
        return read_only([[f(x) for x in corners.T] for f in (np.min, np.max)], np.float64)

    @cached_property
    def frame(self) -> Frame:
        """The plan frame around the middle of the scene.

        Its origin is a whole number of metres (of a larger power of two for scenes of planetary
        size), so that moving into the frame and back loses no bit of a coordinate that has bits to
        spare, and a scene moved by whole metres gets the same plan coordinates.
        """
        middle = self.bounds.mean(axis=0)
        step = 2.0 ** max(0.0, np.ceil(np.log2(max(np.abs(self.bounds).max(), 1.0))) - 50.0)
        # Not np.round, which rounds halves to even: half of all moves would change the plan.
        x, y, z = (float(c) + 0.0 for c in np.floor(middle / step + 0.5) * step)
        return Frame(self.up, (x, y, z))


def _checked_vertices(vertices: ArrayLike) -> Floats:
    try:
        array = np.asarray(vertices)
        if np.iscomplexobj(array):
            raise TypeError("complex numbers")
        result = read_only(array, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise SceneError(f"vertices are not an (n, 3) array of numbers: {error}") from None
    if result.size == 0:
        return read_only(np.empty((0, 3)), np.float64)
    if result.ndim != 2 or result.shape[1] != 3:
        raise SceneError(f"vertices have shape {result.shape}; they must have shape (n, 3)")
    return result


def _checked_faces(faces: ArrayLike, vertex_count: int) -> NDArray[np.int32]:
    try:
        array = np.asarray(faces)
    except ValueError as error:
        raise SceneError(f"faces are not an (m, 3) array of integers: {error}") from None
    if array.size == 0:
        raise SceneError("the scene has no triangles")
    if array.ndim != 2 or array.shape[1] != 3:
        raise SceneError(f"faces have shape {array.shape}; they must have shape (m, 3)")
    if array.dtype.kind not in "iu":
        raise SceneError(f"faces are of type {array.dtype}; they must be integers")
    low, high = int(array.min()), int(array.max())
    if low < 0 or high >= vertex_count:
        raise SceneError(
            f"a face names vertex {low if low < 0 else high}; "
            f"there are {vertex_count} vertices, numbered from 0"
        )
    return np.ascontiguousarray(array, dtype=np.int32)


def _leave_out(vertices: Floats, faces: NDArray[np.int32]) -> tuple[NDArray[np.int32], LeftOut]:
    """Return the faces that are valid and no repeats, and the counts of the others."""
    state = np.empty(len(faces), dtype=np.uint8)
    with np.errstate(over="ignore", invalid="ignore"):
        measure_triangles(vertices, faces, state)
    valid = faces[state == VALID]
    # Adding zero makes 0.0 of -0.0, which is the same position with another bit pattern.
    representative = first_at_place(vertices + 0.0)
    repeated = np.empty(len(valid), dtype=np.uint8)
    mark_repeats(representative[valid], repeated)
    left_out = LeftOut(
        non_finite=int(np.count_nonzero(state == NON_FINITE)),
        no_area=int(np.count_nonzero(state == NO_AREA)),
        repeated=int(np.count_nonzero(repeated)),
    )
    return (faces if left_out.total == 0 else valid[repeated == 0]), left_out


def _why_empty(given: int, left_out: LeftOut) -> str:
    return (
        f"the scene has no valid triangle: of {given} given, {left_out.non_finite} are not finite "
        f"and {left_out.no_area} have no area"
    )
