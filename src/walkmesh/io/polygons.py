"""Polygons as a file has them: the one thing that every reader of a scene returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.errors import SceneError
from walkmesh.kernels.meshes.ears import cut_into_triangles
from walkmesh.ragged import offsets_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

# Ear clipping takes a time that grows with the square of this: 0.1 s for a face of 4096 corners.
MAX_CORNERS = 4096

MAX_ID = 2**31 - 1


@dataclass(frozen=True, eq=False)
class Polygons:
    """Vertices and ragged faces, as they stand in a file.

    Face f has the corners ``corners[offsets[f] : offsets[f + 1]]``. Nothing is left out, not even
    faces with fewer than three corners.

    Attributes
    ----------
    vertices : (n, 3) float64
        Positions, in the file's unit.
    offsets : (f + 1,) int32
        Where each face's corners start.
    corners : (c,) int32
        Vertex ids, each below n.
    face_properties : mapping of str to (f,) array
        Further numbers that the file has for each face, by name.
    comments : tuple of str
        The comments in the file's header.
    """

    vertices: NDArray[np.float64]
    offsets: NDArray[np.int32]
    corners: NDArray[np.int32]
    face_properties: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    comments: tuple[str, ...] = ()

    @classmethod
    def from_lists(
        cls,
        vertices: NDArray[np.float64],
        counts: NDArray[Any],
        corners: NDArray[Any],
        face_properties: Mapping[str, NDArray[Any]] | None = None,
        comments: tuple[str, ...] = (),
    ) -> Polygons:
        """Make polygons of corner counts, and of vertex ids end to end, which are checked."""
        check_ids(len(vertices), len(corners))
        if len(corners) > 0:
            low, high = corners.min(), corners.max()
            if not (low >= 0 and high < len(vertices)):
                wrong = high if low >= 0 else low
                raise SceneError(
                    f"a face names vertex {wrong:.0f}; there are {len(vertices)}, numbered from 0"
                )
            if corners.dtype.kind == "f" and not np.all(corners == np.floor(corners)):
                wrong = corners[corners != np.floor(corners)][0]
                raise SceneError(f"a face names vertex {wrong:g}, which is not an integer")
        return cls(
            vertices,
            offsets_of(counts),
            np.ascontiguousarray(corners, dtype=np.int32),
            face_properties or {},
            comments,
        )

    @classmethod
    def from_triangles(
        cls, vertices: NDArray[np.float64], triangles: NDArray[np.int32]
    ) -> Polygons:
        """Make polygons of (m, 3) triangles that name existing vertices."""
        check_ids(len(vertices), triangles.size)
        offsets = np.arange(0, triangles.size + 1, 3, dtype=np.int32)
        return cls(vertices, offsets, np.ascontiguousarray(triangles).reshape(-1))

    def triangles(self) -> NDArray[np.int32]:
        """Cut the faces into (m, 3) int32 triangles, in the order of the faces.

        A face with fewer than three corners gives one triangle without area, so that it is counted
        with those; SceneError for one with more than `MAX_CORNERS`.
        """
        sizes = np.diff(self.offsets)
        if len(sizes) > 0 and len(self.vertices) == 0:
            raise SceneError(f"it has {len(sizes)} faces and no vertices")
        if np.all(sizes == 3):
            return self.corners.reshape(-1, 3)
        most = int(sizes.max())
        if most > MAX_CORNERS:
            raise SceneError(
                f"face {int(sizes.argmax())} has {most} corners; at most {MAX_CORNERS} are read, "
                "so triangulate the scene when you export it"
            )
        triangles = np.empty((int(np.maximum(sizes - 2, 1).sum()), 3), dtype=np.int32)
        cut_into_triangles(self.vertices, self.offsets, self.corners, triangles)
        return triangles


def check_ids(vertices: int, corners: int) -> None:
    """Refuse more vertices or corners than 32-bit ids can count."""
    for count, name in ((vertices, "vertices"), (corners, "corners of faces")):
        if count > MAX_ID:
            raise SceneError(f"it has {count} {name}; at most {MAX_ID} are read")
