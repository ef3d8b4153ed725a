"""What follows from the arrays of a navmesh, worked out when it is first asked for and then kept.

Inside walkmesh these say how polygons hang together; :class:`walkmesh.NavMesh` shows what callers
need.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from walkmesh.arguments import LARGEST
from walkmesh.arrays import read_only
from walkmesh.errors import FormatError
from walkmesh.ragged import following_corners, owners_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh

Result = TypeVar("Result")


def kept(make: Callable[[NavMesh], Result]) -> Callable[[NavMesh], Result]:
    """Have a function of a navmesh keep what it returns with the navmesh."""
    name = f"_{make.__module__}.{make.__name__}"

    @wraps(make)
    def find(navmesh: NavMesh) -> Result:
        values = vars(navmesh)
        if name not in values:
            values[name] = make(navmesh)
        found: Result = values[name]
        return found

    return find


@kept
def plan_points(navmesh: NavMesh) -> Floats:
    """(n, 3) float64: the vertices as (u, v, h) in the navmesh's `frame`."""
    return read_only(navmesh.frame.to_plan(navmesh.vertices), np.float64)


@kept
def corner_polygons(navmesh: NavMesh) -> Ids:
    """(c,) int32: the polygon that each corner belongs to."""
    return read_only(owners_of(navmesh.polygon_offsets), np.int32)


@kept
def edge_ends(navmesh: NavMesh) -> Ids:
    """(c,) int32: the vertex that ends the edge starting at each corner."""
    following = following_corners(navmesh.polygon_offsets)
    return read_only(navmesh.polygon_vertices[following], np.int32)


def detail_of(navmesh: NavMesh) -> tuple[Ids, Ids] | None:
    """(t, 3) and (t,) int32: triangles and their polygons as given; None if polygons tell them."""
    return navmesh._detail


def check_usable(navmesh: NavMesh) -> None:
    """Refuse ids out of range and vertices that are not finite, which would mislead a query.

    Queries and files do so by themselves. Whether the navmesh is sound is another question, which
    :meth:`NavMesh.validate` answers.
    """
    ranges = [
        ("polygon_vertices", navmesh.polygon_vertices, 0, len(navmesh.vertices)),
        ("neighbors", navmesh.neighbors, -1, navmesh.polygon_count),
    ]
    detail = detail_of(navmesh)
    if detail is not None:
        triangles, owners = detail
        ranges.append(("triangles", triangles, 0, len(navmesh.vertices)))
        ranges.append(("triangle_polygons", owners, 0, navmesh.polygon_count))
    for name, ids, lowest, count in ranges:
        if ids.size and not lowest <= ids.min() <= ids.max() < count:
            raise FormatError(f"{name} has ids out of range; validate() lists them")
    # Comparing what is not a number is False.
    if not (np.abs(navmesh.vertices) <= LARGEST).all():
        raise FormatError(
            f"vertices has coordinates that are not finite or beyond {LARGEST:g} m; "
            "validate() lists them"
        )
