"""Triangulating regions on an integer grid, and fitting the triangles to measured heights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from walkmesh.builder.triangulation.discs import cut_anew
from walkmesh.builder.triangulation.kernels.delaunay import triangulate_rings
from walkmesh.builder.triangulation.kernels.grid import BITS, hilbert_keys
from walkmesh.builder.triangulation.kernels.recovery import (
    CROSSING,
    TWICE,
    VERTEX_ON_EDGE,
    WRONG_SIDE,
    ZERO_LENGTH,
)
from walkmesh.builder.triangulation.kernels.refinement import (
    TRIANGLES,
    UNSEEN,
    VERTICES,
    refine_heights,
)
from walkmesh.errors import BuildError
from walkmesh.triangles import match_triangles

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from walkmesh.arrays import Floats, Ids, Longs

Method = Literal["delaunay", "ears", "min_area"]

_FAULTS = {
    CROSSING: "ring edges cross each other",
    VERTEX_ON_EDGE: "a vertex lies in the middle of a ring edge; the edge must be split there",
    TWICE: "two rings run along the same edge in the same direction",
    ZERO_LENGTH: "a ring edge has no length, or a ring has a single corner",
    WRONG_SIDE: "rings do not agree on what is inside, which lies to the left of every ring edge",
}


def triangulate(
    points: ArrayLike,
    ring_offsets: ArrayLike,
    rings: ArrayLike,
    method: Method = "delaunay",
    heights: ArrayLike | None = None,
) -> Ids:
    """Triangulate regions, with no vertices but those of their rings.

    Rings may touch at vertices, each other or themselves. Vertices at the same place stay
    different: triangles between two ring edges around that place have the vertex of the ring edge
    that leaves it there. Every ring edge is an edge of exactly one triangle, also where several
    lie on a line.

    Parameters
    ----------
    points : (n, 2) int
        Vertices on a grid; the extent must be less than 2^30. [Unit: grid steps]
    ring_offsets, rings : (r + 1,) and (c,) int
        Ragged rings of vertex ids: outlines counter-clockwise, holes clockwise, of as many regions
        as you like, in any order. What lies to the left of every ring edge is inside.
    method : {"delaunay", "ears", "min_area"}
        The constrained Delaunay triangulation, in O(c log c); ear clipping, in a time that is
        quadratic in the corners of each polygon; or the triangulation of the least surface in
        space, in cubic time. A polygon of more than `MAX_CORNERS_OF_LEAST_AREA` corners keeps its
        Delaunay triangles instead. The latter two join holes to the outline by the shortest edges
        of the Delaunay triangulation, which stay edges.
    heights : (n,) float, optional
        Heights of the vertices, for "min_area". [Unit: grid steps]

    Returns
    -------
    (t, 3) int32
        Vertex ids of the triangles, counter-clockwise; all have area.

    Raises
    ------
    BuildError
        When rings cross, or are no boundary of any region for another reason.

    Examples
    --------
    >>> kite = [(0, 0), (3, 0), (2, 2), (0, 3)]
    >>> sorted(triangulate(kite, [0, 4], [0, 1, 2, 3]).tolist())
    [[0, 2, 3], [2, 0, 1]]
    """
    if method not in ("delaunay", "ears", "min_area"):
        raise BuildError(f"method is {method!r}; it must be 'delaunay', 'ears' or 'min_area'")
    if method == "min_area" and heights is None:
        raise BuildError("method 'min_area' needs the heights of the points")
    grid = _grid(points)
    places, offsets, corners = read_rings(grid, ring_offsets, rings)
    if not len(corners):
        return np.empty((0, 3), dtype=np.int32)
    keys = np.empty(len(places), dtype=np.int64)
    hilbert_keys(places, keys)
    order = np.argsort(keys, kind="stable")
    triangles = np.empty((2 * len(corners), 3), dtype=np.int32)
    mates = np.empty(triangles.size, dtype=np.int64)
    count = triangulate_rings(places, keys, order, offsets, corners, triangles, mates)
    if count < 0:
        raise BuildError(f"no triangulation: {_FAULTS.get(count, 'the rings bound no region')}")
    delaunay, mates = triangles[:count].copy(), mates[: 3 * count]
    if method == "delaunay":
        return delaunay
    # They are checked also where they are not used.
    above = np.zeros(len(grid)) if heights is None else _heights("heights", heights, len(grid))
    return cut_anew(grid, above, delaunay, mates, method)


def refine(
    points: ArrayLike,
    heights: ArrayLike,
    triangles: ArrayLike,
    samples: ArrayLike,
    sample_heights: ArrayLike,
    tolerance: float,
) -> tuple[Ids, Floats, Ids]:
    """Insert samples of the ground as vertices until all lie near the triangles in height.

    The worst sample is inserted first, and edges around it are flipped to stay Delaunay in plan
    (Garland and Heckbert 1995). Boundary edges, which are those of one triangle, stay as they are.
    Samples on them, at vertices, and outside of all triangles do not count; of several at one
    place, the worst does.

    Parameters
    ----------
    points, heights : (n, 2) int and (n,) float
        Vertices on a grid, and their heights. [Unit: grid steps, and any]
    triangles : (t, 3) int
        Vertex ids of triangles with area, counter-clockwise.
    samples, sample_heights : (m, 2) int and (m,) float
        Where the ground was measured. The time depends on the number of different y in a
        triangle, so samples should lie in rows. [Unit: as those of the vertices]
    tolerance : float
        How far a sample may lie above or below the triangles. [Unit: as the heights]

    Returns
    -------
    points : (n + k, 2) int32
    heights : (n + k,) float64
    triangles : (t + 2 k, 3) int32
        The given vertices and k more, and triangles on them.

    Examples
    --------
    >>> square, flat = [(0, 0), (8, 0), (8, 8), (0, 8)], [0, 0, 0, 0]
    >>> points, heights, triangles = refine(
    ...     square, flat, [(0, 1, 2), (0, 2, 3)], [(2, 2), (5, 4)], [0.1, 3], tolerance=0.5
    ... )
    >>> points[4:].tolist(), heights[4:].tolist(), len(triangles)
    ([[5, 4], [2, 2]], [3.0, 0.1], 6)
    """
    grid = _grid(points)
    if not tolerance >= 0:
        raise BuildError(f"tolerance is {tolerance}; it must be 0 or more")
    if len(grid) and (grid.max(axis=0) - grid.min(axis=0)).max() >= 1 << BITS:
        raise BuildError(f"the extent of the points must be less than 2^{BITS}")
    above = _heights("heights", heights, len(grid)).copy()
    corners = np.array(triangles, dtype=np.int32).reshape(-1)
    if len(corners) % 3 or (len(corners) and not 0 <= corners.min() <= corners.max() < len(grid)):
        raise BuildError("triangles must be (t, 3) vertex ids")
    places: Ids = np.ascontiguousarray(samples, dtype=np.int32).reshape(-1, 2)
    ground = _heights("sample_heights", sample_heights, len(places))
    places, ground, rows = _in_rows(places, ground)
    mates = match_triangles(corners.reshape(-1, 3))
    start = np.full(len(grid), -1, dtype=np.int32)
    start[corners] = np.arange(len(corners), dtype=np.int32)
    state = np.array([len(grid), len(corners) // 3], dtype=np.int64)
    errors = np.empty(state[TRIANGLES], dtype=np.float64)
    worst = np.full(state[TRIANGLES], UNSEEN, dtype=np.int32)
    more = len(grid) // 4 + 256
    while True:
        grid, above, start = _grown(grid, more), _grown(above, more), _grown(start, more)
        corners, mates = _grown(corners, 6 * more), _grown(mates, 6 * more)
        errors, worst = _grown(errors, 2 * more), _grown(worst, 2 * more)
        mesh, outliers = (grid, above, corners, mates, start), (errors, worst)
        if refine_heights(mesh, outliers, (places, ground, rows), float(tolerance), state):
            break
        more = len(grid)
    count = state[VERTICES]
    return (
        grid[:count].astype(np.int32),
        above[:count].copy(),
        corners[: 3 * state[TRIANGLES]].reshape(-1, 3).copy(),
    )


def read_rings(
    points: ArrayLike, ring_offsets: ArrayLike, rings: ArrayLike
) -> tuple[Longs, Ids, Ids]:
    """Return where the corners of rings lie, and the rings, as kernels take them.

    Parameters
    ----------
    points, ring_offsets, rings
        As for `triangulate`.

    Returns
    -------
    places : (c, 2) int64
        The corners' places, counted from zero. [Unit: grid steps]
    ring_offsets, rings : (r + 1,) and (c,) int32

    Raises
    ------
    BuildError
        When the arrays are no ragged rings of vertex ids, or their extent is too large.
    """
    grid = _grid(points)
    offsets = np.ascontiguousarray(ring_offsets, dtype=np.int32)
    corners = np.ascontiguousarray(rings, dtype=np.int32)
    _check_rings(len(grid), offsets, corners)
    places = grid[corners]
    if len(places):
        places -= places.min(axis=0)
        if places.max() >= 1 << BITS:
            raise BuildError(f"the rings' extent is {places.max()}; it must be less than 2^{BITS}")
    return places, offsets, corners


def _grid(points: ArrayLike) -> Longs:
    """Return points as (n, 2) int64."""
    grid = np.asarray(points)
    if grid.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if grid.ndim != 2 or grid.shape[1] != 2 or grid.dtype.kind not in "iu":
        raise BuildError(
            f"points are {grid.dtype} of shape {grid.shape}; they must be integers of shape (n, 2)"
        )
    return np.ascontiguousarray(grid, dtype=np.int64)


def _heights(name: str, values: ArrayLike, count: int) -> Floats:
    """Return heights as (count,) float64."""
    heights = np.ascontiguousarray(values, dtype=np.float64)
    if heights.shape != (count,):
        raise BuildError(f"{name} has shape {heights.shape}; it must have shape ({count},)")
    return heights


def _check_rings(count: int, offsets: Ids, corners: Ids) -> None:
    """Say what is wrong with ragged rings of `count` vertices."""
    if offsets.ndim != 1 or corners.ndim != 1 or not len(offsets) or offsets[0] != 0:
        raise BuildError("ring_offsets and rings must be ragged, and the first offset 0")
    if offsets[-1] != len(corners) or np.any(np.diff(offsets) < 0):
        raise BuildError(f"ring_offsets must ascend to the number of corners, {len(corners)}")
    if len(corners) and not 0 <= corners.min() <= corners.max() < count:
        raise BuildError(f"rings must have vertex ids from 0 to {count - 1}")


def _in_rows(samples: Ids, heights: Floats) -> tuple[Ids, Floats, Longs]:
    """Return samples by ascending y and then x, and the ragged offsets of the rows."""
    up = np.diff(samples[:, 1])
    if np.any(up < 0) or np.any(np.diff(samples[:, 0])[up == 0] < 0):
        order = np.lexsort((samples[:, 0], samples[:, 1]))
        samples, heights = samples[order], heights[order]
        up = np.diff(samples[:, 1])
    starts = np.flatnonzero(up) + 1
    ends = [0, *starts, len(samples)] if len(samples) else [0]
    return samples, heights, np.array(ends, dtype=np.int64)


def _grown(array: Any, more: int) -> Any:
    """Return a copy with room for more rows."""
    grown = np.empty((len(array) + more, *array.shape[1:]), dtype=array.dtype)
    grown[: len(array)] = array
    return grown
