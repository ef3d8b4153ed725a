"""Ragged polygons: polygon p has the corners from offsets[p] up to offsets[p + 1]."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from walkmesh.kernels.meshes.adjacency import label_components, match_edges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids

Ragged = TypeVar("Ragged", bound="RaggedPolygons")


def offsets_of(counts: NDArray[np.integer]) -> Ids:
    """(p + 1,) int32: where each polygon's corners start, from their numbers."""
    offsets = np.zeros(len(counts) + 1, dtype=np.int32)
    np.cumsum(counts, out=offsets[1:])
    return offsets


def owners_of(offsets: NDArray[np.integer]) -> Ids:
    """(c,) int32: the polygon that each corner belongs to."""
    return np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))


def ranges(starts: NDArray[np.integer], stops: NDArray[np.integer]) -> NDArray[np.int64]:
    """(n,) int64: the numbers from each start up to its stop, one range after the other."""
    counts = stops - starts
    ends = np.cumsum(counts, dtype=np.int64)
    return np.arange(counts.sum(), dtype=np.int64) + np.repeat(starts - (ends - counts), counts)


def following_corners(offsets: NDArray[np.integer]) -> Ids:
    """(c,) int32: the corner after each in its polygon."""
    following = np.arange(1, offsets[-1] + 1, dtype=np.int32)
    following[offsets[1:] - 1] = offsets[:-1]
    return following


def offsets_with(offsets: Ids, before: NDArray[np.integer]) -> Ids:
    """(p + 1,) int32: where corners start once one more follows each of some, or more than one."""
    added = np.bincount(owners_of(offsets)[before], minlength=len(offsets) - 1)
    return offsets_of(np.diff(offsets) + added)


def offsets_keeping(offsets: Ids, stays: NDArray[np.bool_]) -> Ids:
    """(p + 1,) int32: where corners start once only those are left that stay."""
    return offsets_of(np.bincount(owners_of(offsets)[stays], minlength=len(offsets) - 1))


def match_polygons(offsets: Ids, corners: Ids) -> Ids:
    """(c,) int32: the edge across each edge; negative where there is none or more than one."""
    mates = np.empty(len(corners), dtype=np.int32)
    match_edges(offsets, corners, mates)
    return mates


def label_polygons(offsets: Ids, neighbors: Ids) -> Ids:
    """(p,) int32: which polygons hang together, by the polygon across each edge, or -1."""
    labels = np.empty(len(offsets) - 1, dtype=np.int32)
    label_components(offsets, neighbors, labels)
    return labels


def across(owners: Ids, mates: Ids) -> Ids:
    """(c,) int32: the polygon across each edge; -1 where there is none or more than one."""
    return np.where(mates >= 0, owners[mates], -1).astype(np.int32)


def fit_planes(offsets: Ids, corners: Floats) -> Floats:
    """(p, 3) float64: the plane h = a u + b v + c of each polygon, by Newell's normals."""
    starts, sizes = offsets[:-1], np.diff(offsets)
    following = following_corners(offsets)
    # Coordinate by coordinate: numpy takes thrice the time for rows of three.
    u, v, h = (corners[:, k] - np.repeat(corners[starts, k], sizes) for k in range(3))
    next_u, next_v, next_h = (x[following] for x in (u, v, h))
    normal_u = np.add.reduceat(v * next_h - h * next_v, starts)
    normal_v = np.add.reduceat(h * next_u - u * next_h, starts)
    normal_h = np.add.reduceat(u * next_v - v * next_u, starts)
    middle_u, middle_v, middle_h = (np.add.reduceat(x, starts) / sizes for x in (u, v, h))
    planes = np.zeros((len(sizes), 3))
    solid = normal_h > 0.0
    planes[solid, 0] = -normal_u[solid] / normal_h[solid]
    planes[solid, 1] = -normal_v[solid] / normal_h[solid]
    planes[:, 2] = corners[starts, 2] + middle_h
    planes[:, 2] -= planes[:, 0] * (corners[starts, 0] + middle_u)
    planes[:, 2] -= planes[:, 1] * (corners[starts, 1] + middle_v)
    return planes


@dataclass(frozen=True, eq=False)
class RaggedPolygons:
    """Polygons as one array after the other; those that hand on more have further arrays.

    These have a row for each corner, or for each polygon.

    Attributes
    ----------
    offsets : (p + 1,) int32
        Where each polygon's corners start.
    """

    offsets: Ids

    @cached_property
    def owners(self) -> Ids:
        """(c,) int32: the polygon of each corner."""
        return owners_of(self.offsets)

    @cached_property
    def following(self) -> Ids:
        """(c,) int32: the corner after each in its polygon."""
        return following_corners(self.offsets)

    @classmethod
    def together(cls: type[Ragged], *parts: Any) -> Ragged:
        """Return the polygons of all parts, which may be of other kinds with the same arrays."""
        sizes = np.concatenate([np.diff(part.offsets) for part in parts])
        names = [field.name for field in fields(cls)[1:]]
        arrays = (np.concatenate([getattr(part, name) for part in parts]) for name in names)
        return cls(offsets_of(sizes), *arrays)

    def keep(self: Ragged, chosen: NDArray[np.bool_]) -> Ragged:
        """Return the chosen polygons alone."""
        sizes = np.diff(self.offsets)
        staying = np.repeat(chosen, sizes)
        arrays = (getattr(self, field.name) for field in fields(self)[1:])
        rows = (array[staying if len(array) == len(staying) else chosen] for array in arrays)
        return type(self)(offsets_of(sizes[chosen]), *rows)


class JoinedPolygons(RaggedPolygons):
    """Polygons that know their neighbours.

    Attributes
    ----------
    mates : (c,) int32
        The edge across each edge, named by its first corner; -1 at a boundary.
    """

    mates: Ids

    @cached_property
    def components(self) -> Ids:
        """(p,) int32: which polygons hang together."""
        return label_polygons(self.offsets, across(self.owners, self.mates))
