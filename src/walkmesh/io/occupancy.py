"""Occupancy grids: the outlines of their free cells.

Notation: a *place* is a point of the lattice that the cells' corners form; ``x`` and ``y`` count
columns to the right and rows upwards. Four cells meet at a place::

    nw | ne        Where an odd number of them is free, an outline has a corner. Where two are
    ---+---        free that touch by their corners alone, it has two, one around each free cell:
    sw | se        nobody passes there.

Along each row of places, borders between free and blocked cells run from the first corner to the
second, from the third to the fourth, and so on; and so they do along each column.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely

from walkmesh.errors import SceneError
from walkmesh.io.drawing import BOUNDARY, Shape, check_coordinates
from walkmesh.io.kernels.cell_borders import UNSEEN, follow_borders
from walkmesh.ragged import following_corners, offsets_of, owners_of, ranges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats

    Longs = NDArray[np.int64]


class _FreeBorders(NamedTuple):
    """Corners of outlines, with the free cells to the left of each border.

    Attributes
    ----------
    xy : (n, 2) int64
        Places of the corners.
    successors : (n,) int64
        The corner after each.
    twins : (n,) int64
        The other corner at the same place; -1 for none.
    risers : (n / 2,) int64
        The lower corner of each vertical border, by column and then row.
    """

    xy: Longs
    successors: Longs
    twins: Longs
    risers: Longs


def free_polygons(
    free: NDArray[np.bool_],
    cell_size: float = 1.0,
    origin: tuple[float, float] = (0.0, 0.0),
    yaw: float = 0.0,
) -> list[shapely.Polygon]:
    """Return the outlines of free cells, exactly along the cells' borders.

    Parameters
    ----------
    free : (rows, columns) bool
        Which cells are free; the first row is the lowest.
    cell_size : float
        [Unit: m]
    origin : 2 float
        The lower left corner of the first cell. [Unit: m]
    yaw : float
        How far the grid is turned about `origin`, counter-clockwise. [Unit: rad]

    Returns
    -------
    list of shapely.Polygon
        One for each set of free cells that share sides, with holes. Free cells that touch by a
        corner alone are not joined.

    Examples
    --------
    >>> free_polygons(np.array([[True, True], [True, False]]))[0].area
    3.0
    """
    padded = np.zeros((free.shape[0] + 2, free.shape[1] + 2), dtype=bool)
    padded[1:-1, 1:-1] = free
    borders = _borders(padded)
    n = len(borders.xy)
    if n == 0:
        return []
    offsets, corners = np.empty(n + 1, dtype=np.int64), np.empty(n, dtype=np.int64)
    scratch, places = np.empty(n, dtype=np.int64), np.full(n, UNSEEN, dtype=np.int64)
    rings = follow_borders(borders.successors, borders.twins, offsets, corners, scratch, places)
    offsets = offsets[: rings + 1]
    owners, is_hole = _owners(padded, borders, offsets, corners)

    order = np.lexsort((is_hole, owners))
    coordinates, ring_offsets = _closed(borders.xy[corners], offsets, order)
    polygon_offsets = np.append(np.flatnonzero(~is_hole[order]), rings)
    points = _placed(coordinates, cell_size, origin, yaw)
    check_coordinates(points)
    polygons = shapely.from_ragged_array(
        shapely.GeometryType.POLYGON, points, (ring_offsets, polygon_offsets)
    )
    return list(polygons)


def free_shapes(
    free: NDArray[np.bool_],
    cell_size: float,
    origin: tuple[float, float] = (0.0, 0.0),
    yaw: float = 0.0,
) -> list[Shape]:
    """Return :func:`free_polygons` as floors; SceneError if nothing is free."""
    polygons = free_polygons(free, cell_size, origin, yaw)
    if not polygons:
        raise SceneError(f"none of its {free.shape[1]} x {free.shape[0]} cells is free")
    return [Shape(polygon, BOUNDARY) for polygon in polygons]


def _borders(padded: NDArray[np.bool_]) -> _FreeBorders:
    """Return the corners of outlines in a grid whose outermost cells are blocked."""
    sw, se, nw, ne = padded[:-1, :-1], padded[:-1, 1:], padded[1:, :-1], padded[1:, 1:]
    left, right = sw ^ nw, se ^ ne
    is_corner = left ^ right
    is_double = left & right
    is_double &= nw ^ ne
    is_corner |= is_double
    rows, columns = is_corner.shape

    places = np.flatnonzero(is_corner)
    doubled = is_double.ravel()[places]
    at = np.repeat(places, 1 + doubled)
    y, x = np.divmod(at, columns)
    first_of_two = np.flatnonzero(at[1:] == at[:-1])
    twins = np.full(len(at), -1, dtype=np.int64)
    twins[first_of_two], twins[first_of_two + 1] = first_of_two + 1, first_of_two

    # Of two corners at a place the first ends the border from the left, the second starts the one
    # to the right. If the free cells are sw and ne, the first goes with the border below and the
    # second with the one above; otherwise the other way around.
    is_second = np.zeros(len(at), dtype=bool)
    is_second[first_of_two + 1] = True
    is_upper = (twins >= 0) & (is_second == ne[y, x])
    by_column = np.argsort((x * rows + y) * 2 + is_upper, kind="stable")

    successors = np.empty(len(at), dtype=np.int64)
    a, b = np.arange(0, len(at), 2), np.arange(1, len(at), 2)
    _direct(successors, a, b, ne[y[a], x[a]])
    risers, tops = by_column[0::2], by_column[1::2]
    _direct(successors, risers, tops, nw[y[risers], x[risers]])
    return _FreeBorders(np.column_stack([x, y]), successors, twins, risers)


def _direct(successors: Longs, a: Longs, b: Longs, forth: NDArray[np.bool_]) -> None:
    """Let each border lead from `a` to `b`, or back."""
    successors[a[forth]] = b[forth]
    successors[b[~forth]] = a[~forth]


def _owners(
    padded: NDArray[np.bool_], borders: _FreeBorders, offsets: Longs, corners: Longs
) -> tuple[Longs, NDArray[np.bool_]]:
    """Return the outer ring that each ring belongs to, and which rings are holes.

    Left of a hole's lowest leftmost corner the cells are free, up to a border of the same polygon:
    the outer ring's, or that of a hole further to the left.
    """
    starts = offsets[:-1]
    rows = padded.shape[0] - 1
    x, y = borders.xy[corners].T
    following = following_corners(offsets)
    is_hole = np.add.reduceat(x * y[following] - x[following] * y, starts) < 0

    owners = np.arange(len(starts))
    holes = np.flatnonzero(is_hole)
    hole_x, hole_y = np.divmod(np.minimum.reduceat(x * rows + y, starts)[holes], rows)
    cells = padded.ravel()
    run_starts = np.flatnonzero(cells[1:] & ~cells[:-1]) + 1
    run = np.searchsorted(run_starts, (hole_y + 1) * padded.shape[1] + hole_x, "right") - 1
    border_x = run_starts[run] % padded.shape[1] - 1

    riser_x, riser_y = borders.xy[borders.risers].T
    riser = np.searchsorted(riser_x * rows + riser_y, border_x * rows + hole_y, "right") - 1
    ring_of_corner = np.empty(len(corners), dtype=np.int64)
    ring_of_corner[corners] = owners_of(offsets)
    owners[holes] = ring_of_corner[borders.risers[riser]]
    while is_hole[owners].any():
        owners = owners[owners]
    return owners, is_hole


def _closed(xy: Longs, offsets: Longs, order: Longs) -> tuple[Longs, Longs]:
    """Return rings in another order, each with its first point once more at its end."""
    lengths = np.diff(offsets)[order] + 1
    ring_offsets = offsets_of(lengths)
    within = ranges(np.zeros_like(lengths), lengths)
    within[ring_offsets[1:] - 1] = 0
    return xy[within + np.repeat(offsets[:-1][order], lengths)], ring_offsets.astype(np.int64)


def _placed(xy: Longs, cell_size: float, origin: tuple[float, float], yaw: float) -> Floats:
    """Return places of the lattice in metres."""
    points: Floats = xy * np.float64(cell_size)
    if yaw != 0.0:
        cos, sin = np.cos(yaw), np.sin(yaw)
        points = points @ np.array([[cos, sin], [-sin, cos]])
    return points + np.asarray(origin, dtype=np.float64)
