"""The greedy triangulation of floor plans: simple to follow, and slow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.plan.kernels.greedy import make_triangles
from walkmesh.builder.triangulation import read_rings, triangulate
from walkmesh.builder.triangulation.kernels.grid import BITS
from walkmesh.errors import BuildError
from walkmesh.ragged import following_corners

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from walkmesh.arrays import Ids, Longs

# Random plans of this size take 1.2 s, and those where everything sees everything 8 s.
MAX_VERTICES = 2500


def triangulate_greedily(
    points: ArrayLike, ring_offsets: ArrayLike, rings: ArrayLike, *, between: bool = True
) -> Ids:
    """Triangulate regions by trying all triples of their vertices, in the order of the rings.

    A triple becomes a triangle when nothing speaks against it: no obstacle crosses its edges or
    lies inside, and it overlaps none that was made before. Which triangles come out depends on the
    order only, and many are long and thin; 'delaunay' makes better ones, and faster.

    Trying all triples against everything would take a time that grows with the fourth power of the
    number of vertices. Most edges fail early, and their verdicts are kept, so random plans of 250,
    500, 1000, 2000 and 4000 vertices take 0.006, 0.03, 0.15, 0.9 and 5 s on one core: the time
    grows with the power 2.5. Where nearly everything sees everything, as in a hall with small
    pillars, it grows with the third power, and 4000 vertices take 30 s.

    Parameters
    ----------
    points, ring_offsets, rings
        Rings on an integer grid, as for :func:`walkmesh.builder.triangulation.triangulate`.
    between : bool
        Refuse edges that have a vertex strictly between their ends. Without this test, a triangle
        may have a vertex in the middle of an edge, and is then no neighbour of those beyond it,
        though they touch: that is to be seen, not to be used.

    Returns
    -------
    (t, 3) int32
        Vertex ids of the triangles, counter-clockwise, as from `triangulate`; in the order in
        which they were made.

    Raises
    ------
    BuildError
        When rings cross, or are no boundary of any region for another reason; or when they have
        vertices at more than `MAX_VERTICES` places.

    Examples
    --------
    >>> kite = [(0, 0), (3, 0), (2, 2), (0, 3)]
    >>> triangulate_greedily(kite, [0, 4], [0, 1, 2, 3]).tolist()
    [[0, 1, 2], [0, 2, 3]]
    """
    places, offsets, corners = read_rings(points, ring_offsets, rings)
    if not len(corners):
        return np.empty((0, 3), dtype=np.int32)
    place_of, distinct = _number_places(places)
    if len(distinct) > MAX_VERTICES:
        raise BuildError(
            f"the plan has {len(distinct)} vertices; the greedy triangulation takes at most "
            f"{MAX_VERTICES}, and 'delaunay' any number"
        )
    # Says what is wrong with rings that bound no region, in a time that does not count here.
    triangulate(points, offsets, corners)
    following = following_corners(np.unique(offsets))  # without the rings that are empty
    triangles = np.empty((2 * len(corners), 3), dtype=np.int32)
    count = make_triangles(
        distinct, place_of, place_of[following], corners, int(between), triangles
    )
    return triangles[:count].copy()


def _number_places(places: Longs) -> tuple[Longs, Longs]:
    """Return the number of each corner's place, and the distinct places, by first appearance."""
    keys = (places[:, 0] << BITS) + places[:, 1]
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    ranks = np.empty(len(first), dtype=np.int64)
    ranks[np.argsort(first)] = np.arange(len(first))
    return ranks[inverse], places[np.sort(first)]
