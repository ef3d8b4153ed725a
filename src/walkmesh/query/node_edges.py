"""The edges between path nodes: who is joined, how long the ways are, and what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from walkmesh.query.finders import backend_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.waypoints import SharedSides


class Joins(NamedTuple):
    """Edges between nodes.

    Attributes
    ----------
    edges, polygons, via, costs, one_way, links
        Those of :class:`~walkmesh.query.path_nodes.PathNodes` with these names, or with `edge_`
        before them.
    """

    edges: Ids
    polygons: Ids
    via: Floats
    costs: Floats
    one_way: NDArray[np.bool_]
    links: Ids

    @classmethod
    def on_foot(cls, edges: Ids, polygons: Ids, via: Floats, costs: Floats) -> Joins:
        """Return edges that can be walked both ways."""
        count = len(edges)
        links = np.full(count, -1, dtype=np.int32)
        return cls(edges, polygons, via, costs, np.zeros(count, dtype=np.bool_), links)

    @classmethod
    def inside(cls, navmesh: NavMesh, positions: Floats, offsets: Ids, members: Ids) -> Joins:
        """Join the nodes of each polygon, which are ragged, by straight lines."""
        edges, polygons = _join_members(offsets, members)
        starts, stops = positions[edges[:, 0]], positions[edges[:, 1]]
        both = np.repeat(polygons[:, None], 2, axis=1)
        via = np.full((len(edges), 3), np.nan)
        return cls.on_foot(edges, both, via, _distances(navmesh, starts, stops))

    @classmethod
    def across(cls, navmesh: NavMesh, centers: Floats, sides: SharedSides) -> Joins:
        """Join the centers of neighbouring polygons through the middles of their sides.

        Polygon p has center p. Neighbours may have several sides in common, of which the cheapest
        is taken.
        """
        # The first side of a shared pair is in the first polygon, so that edges ascend.
        polygons, via = sides.polygons, sides.middles
        first, second = centers[polygons[:, 0]], centers[polygons[:, 1]]
        costs = _distances(navmesh, first, via) + _distances(navmesh, via, second)
        order = np.lexsort((costs, polygons[:, 1], polygons[:, 0]))
        best = order[first_of_equal(polygons[order])]
        return cls.on_foot(polygons[best], polygons[best], via[best], costs[best])

    @classmethod
    def by_links(cls, navmesh: NavMesh, first: int) -> Joins:
        """Join the ends of links, which are nodes from `first` on."""
        links, count = navmesh.links, len(navmesh.links)
        return cls(
            first + np.arange(2 * count, dtype=np.int32).reshape(-1, 2),
            np.stack([links["start_polygon"], links["goal_polygon"]], axis=1),
            np.full((count, 3), np.nan),
            links["cost"],
            ~links["two_way"],
            np.arange(count, dtype=np.int32),
        )

    def and_more(self, others: Joins) -> Joins:
        """Return these edges and then others."""
        pairs: Iterable[Any] = zip(self, others, strict=True)
        return Joins(*(np.concatenate(pair) for pair in pairs))


def measure_edges(navmesh: NavMesh, ends: Floats, polygons: Ids, via: Floats, links: Ids) -> Floats:
    """Measure edges along the ground, and those that are links through the air.

    `ends` (m, 2, 3) are the positions of their nodes; all else is as :class:`Joins` has it.
    """
    starts, stops = ends[:, 0], ends[:, 1]
    lengths = np.asarray(np.linalg.norm(stops - starts, axis=1))
    bent, straight = ~np.isnan(via[:, 0]), (links < 0) & np.isnan(via[:, 0])
    measure = backend_of(navmesh).measure_lines
    lengths[straight] = measure(starts[straight], stops[straight], polygons[straight, 0])
    lengths[bent] = measure(starts[bent], via[bent], polygons[bent, 0])
    lengths[bent] += measure(via[bent], stops[bent], polygons[bent, 1])
    return lengths


def _join_members(offsets: Ids, members: Ids) -> tuple[Ids, Ids]:
    """Join the nodes of the same polygon, each pair of nodes once.

    The nodes of each polygon are ragged and ascending. Returns (m, 2) pairs of nodes, ascending,
    and the first polygon that both belong to, (m,).
    """
    counts, pairs, owners = np.diff(offsets), [], []
    for count in np.unique(counts[counts > 1]).tolist():
        polygons = np.flatnonzero(counts == count)
        nodes = members[offsets[polygons][:, None] + np.arange(count)]
        first, second = np.triu_indices(count, 1)
        pairs.append(np.stack([nodes[:, first], nodes[:, second]], axis=2).reshape(-1, 2))
        owners.append(np.repeat(polygons, len(first)))
    if not pairs:
        return np.empty((0, 2), dtype=np.int32), np.empty(0, dtype=np.int32)
    edges, polygons = np.concatenate(pairs), np.concatenate(owners)
    order = np.lexsort((polygons, edges[:, 1], edges[:, 0]))
    edges, polygons = edges[order], polygons[order]
    new = first_of_equal(edges)
    return edges[new], polygons[new].astype(np.int32)


def first_of_equal(rows: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell which of (n, k) rows differ from the one before."""
    new = np.ones(len(rows), dtype=np.bool_)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return new


def _distances(navmesh: NavMesh, starts: Floats, stops: Floats) -> Floats:
    """Return what straight ways cost."""
    to_measure = backend_of(navmesh).to_measure
    away = to_measure(stops) - to_measure(starts)
    return np.asarray(np.linalg.norm(away, axis=1))
