"""The arrays that a navmesh is made of, checked and read-only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arrays import read_only
from walkmesh.errors import FormatError, SettingsError
from walkmesh.ragged import across, match_polygons, owners_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Ids

# A link: a connection between two polygons that is no shared edge.
LINK_DTYPE = np.dtype(
    [
        ("start", "<f8", (3,)),  # where it is entered, world coordinates
        ("goal", "<f8", (3,)),  # where it is left
        ("start_polygon", "<i4"),
        ("goal_polygon", "<i4"),
        ("two_way", "?"),  # whether it can be taken from goal to start as well
        ("cost", "<f8"),  # what taking it costs, in metres of walking
        ("kind", "u1"),
    ]
)


def read_ids(name: str, values: ArrayLike, length: int | None = None) -> Ids:
    """Return `values` as read-only int32, or say what is wrong with them."""
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise FormatError(f"{name} is not an array of integers: {error}") from None
    if array.size == 0:
        array = array.astype(np.int32)
    if array.ndim != 1 or (length is not None and len(array) != length):
        wanted = "(n,)" if length is None else f"({length},)"
        raise FormatError(f"{name} has shape {array.shape}; it must have shape {wanted}")
    if array.dtype.kind not in "iu":
        raise FormatError(f"{name} is of type {array.dtype}; it must be integers")
    limits = np.iinfo(np.int32)
    if array.size and (array.min() < limits.min or array.max() > limits.max):
        raise FormatError(f"{name} has values beyond 32 bits")
    return read_only(array, np.int32)


def read_detail(triangles: ArrayLike | None, owners: ArrayLike | None) -> tuple[Ids, Ids] | None:
    """Return triangles and the polygons that they belong to as they are kept; None for none."""
    if triangles is None and owners is None:
        return None
    if triangles is None or owners is None:
        given, missing = ("triangles", "triangle_polygons")[:: 1 if owners is None else -1]
        raise SettingsError(f"{given} is given without {missing}; both must be given, or none")
    try:
        corners = np.asarray(triangles)
    except ValueError as error:
        raise FormatError(f"triangles is not an array of integers: {error}") from None
    if corners.size == 0:
        corners = corners.astype(np.int32).reshape(0, 3)
    if corners.ndim != 2 or corners.shape[1] != 3:
        raise FormatError(f"triangles has shape {corners.shape}; it must have shape (t, 3)")
    ids = read_ids("triangles", corners.reshape(-1))
    polygons = read_ids("triangle_polygons", owners, len(corners))
    if np.any(polygons[1:] < polygons[:-1]):
        raise FormatError("triangle_polygons does not ascend; triangles go polygon by polygon")
    # A reshaped array is a view, which read_only would copy each time that it is handed on.
    kept = np.array(ids.reshape(-1, 3))
    kept.flags.writeable = False
    return kept, polygons


def check_offsets(offsets: Ids, corner_count: int) -> None:
    """Refuse offsets that do not cut the corners into polygons of at least 3 each."""
    if len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != corner_count:
        raise FormatError(
            f"polygon_offsets must run from 0 to the number of corners, {corner_count}"
        )
    counts = np.diff(offsets.astype(np.int64))  # of 32 bits, a difference could wrap around
    if len(counts) and counts.min() < 3:
        polygon = int(counts.argmin())
        raise FormatError(f"polygon {polygon} has fewer than 3 corners")


def find_neighbors(offsets: Ids, corners: Ids) -> Ids:
    """Return the polygon across each edge, -1 where there is none or more than one."""
    return across(owners_of(offsets), match_polygons(offsets, corners))


def read_areas(values: ArrayLike, polygons: int) -> NDArray[np.uint8]:
    """Return the kinds of ground of polygons as read-only uint8, or say what is wrong."""
    codes = read_ids("areas", values, polygons)
    if codes.size and (codes.min() < 0 or codes.max() > 255):
        raise FormatError("areas has values outside 0 to 255")
    return read_only(codes, np.uint8)


def read_links(values: ArrayLike | None) -> NDArray[np.void]:
    """Return links as a read-only array of `LINK_DTYPE`, by default none."""
    try:
        array = np.empty(0, dtype=LINK_DTYPE) if values is None else np.asarray(values)
    except ValueError as error:
        raise FormatError(f"links is not an array: {error}") from None
    if array.dtype != LINK_DTYPE or array.ndim != 1:
        raise FormatError("links is not a one-dimensional array of walkmesh.LINK_DTYPE")
    result = array.copy()
    result.flags.writeable = False
    return result
