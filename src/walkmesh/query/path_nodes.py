"""Path nodes: a navmesh as a graph of waypoints, and paths over them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from walkmesh.arrays import read_only
from walkmesh.errors import SettingsError
from walkmesh.extras import require
from walkmesh.query import waypoints
from walkmesh.query.arguments import query_pair, snap_of
from walkmesh.query.finders import backend_of
from walkmesh.query.kernels.path_nodes import search_nodes
from walkmesh.query.node_edges import Joins, first_of_equal, measure_edges
from walkmesh.query.path import Path
from walkmesh.ragged import owners_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.located import Located

# Where nodes can be, in the order in which they are numbered, and what such a node is called.
PLACES = {"centers": "center", "midpoints": "midpoint", "corners": "corner"}
LINK = "link"


@dataclass(frozen=True, eq=False, repr=False)
class PathNodes:
    """The waypoints of a navmesh and the ways between them, as :meth:`NavMesh.path_nodes` makes it.

    Attributes
    ----------
    navmesh : NavMesh
        What the nodes are on.
    positions : (n, 3) float64
        Where the nodes are, on the ground, in world coordinates. [Unit: m]
    kinds : (n,) str
        ``"center"``, ``"midpoint"``, ``"corner"``, or ``"link"`` at the end of a link; in this
        order.
    polygons, polygon_offsets : (k,) and (n + 1,) int32
        The polygons that node i belongs to, ascending: ``polygons[polygon_offsets[i] :
        polygon_offsets[i + 1]]``.
    edges : (m, 2) int32
        Pairs of nodes: those of the same polygon, of neighbouring ones, and last, one for each
        link, from its start to its goal.
    lengths : (m,) float64
        How long edges are along the ground; links, straight through the air. [Unit: m]
    costs : (m,) float64
        What they cost, as in :class:`Path`: the length in plan, along a surface the length; for
        links, their cost. [Unit: m]
    one_way : (m,) bool
        Whether an edge leads from its first node to its second one only, as links may.
    via : (m, 3) float64
        The place that an edge leads through; NaN for those that are straight lines. [Unit: m]
    edge_polygons : (m, 2) int32
        The polygons that an edge starts and ends in; the same unless it leads through a place, or
        over a link.
    edge_links : (m,) int32
        The link that an edge is, -1 for those on foot.

    All arrays are read-only. `lengths` are measured when they are first asked for.
    """

    navmesh: NavMesh
    positions: Floats
    kinds: NDArray[np.str_]
    polygons: Ids
    polygon_offsets: Ids
    edges: Ids
    costs: Floats
    one_way: NDArray[np.bool_]
    via: Floats
    edge_polygons: Ids
    edge_links: Ids

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __getstate__(self) -> dict[str, Any]:
        """Return what is kept when it is pickled or copied: nothing that follows from the rest."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what :meth:`__getstate__` returned; its arrays have become writable on the way."""
        self.__dict__.update(state)
        self.__post_init__()

    def __repr__(self) -> str:
        nodes, edges = len(self.positions), len(self.edges)
        return (
            f"PathNodes({nodes} node{'' if nodes == 1 else 's'}, "
            f"{edges} edge{'' if edges == 1 else 's'})"
        )

    @classmethod
    def of(cls, navmesh: NavMesh, at: str | Sequence[str]) -> PathNodes:
        """Make those of a navmesh; see :meth:`NavMesh.path_nodes`."""
        chosen = chosen_places(at)
        # Making it refuses arrays and links that do not fit together.
        assert backend_of(navmesh) is not None
        sides = waypoints.SharedSides.of(navmesh)
        placed = {}
        if "centers" in chosen:
            placed["center"] = waypoints.place_centers(navmesh)
        if "midpoints" in chosen:
            placed["midpoint"] = waypoints.place_midpoints(sides)
        if "corners" in chosen:
            placed["corner"] = waypoints.place_corners(navmesh, sides)
        placed[LINK] = waypoints.place_link_ends(navmesh)
        counts = [len(part.positions) for part in placed.values()]
        before = np.cumsum([0, *counts])
        positions = np.concatenate([part.positions for part in placed.values()])
        nodes = np.concatenate(
            [part.nodes + first for part, first in zip(placed.values(), before, strict=False)]
        )
        polygons = np.concatenate([part.polygons for part in placed.values()])
        offsets, owners = _ragged(nodes, polygons, len(positions))
        joins = Joins.inside(navmesh, positions, *_ragged(polygons, nodes, navmesh.polygon_count))
        if chosen == {"centers"}:
            joins = joins.and_more(Joins.across(navmesh, positions, sides))
        joins = joins.and_more(Joins.by_links(navmesh, int(before[-2])))
        names = np.array(list(placed), dtype=f"<U{max(map(len, PLACES.values()))}")
        return cls(
            navmesh, positions, np.repeat(names, counts), owners, offsets, joins.edges,
            joins.costs, joins.one_way, joins.via, joins.polygons, joins.links,
        )  # fmt: skip

    @cached_property
    def lengths(self) -> Floats:
        """(m,) float64: how long edges are along the ground; links, through the air."""
        ends = self.positions[self.edges]
        measured = measure_edges(self.navmesh, ends, self.edge_polygons, self.via, self.edge_links)
        return read_only(measured, np.float64)

    @cached_property
    def members(self) -> tuple[Ids, Ids]:
        """(p + 1,) and (k,) int32: the nodes of each polygon, ragged and ascending."""
        nodes = owners_of(self.polygon_offsets)
        offsets, members = _ragged(self.polygons, nodes, self.navmesh.polygon_count)
        return read_only(offsets, np.int32), read_only(members, np.int32)

    @cached_property
    def _arcs(self) -> tuple[Ids, Ids, Ids, Floats]:
        """Edges in the directions that they can be taken, see :func:`search_nodes`."""
        back = np.flatnonzero(~self.one_way)
        edges = np.concatenate([np.arange(len(self.edges)), back]).astype(np.int32)
        starts = np.concatenate([self.edges[:, 0], self.edges[back, 1]])
        stops = np.concatenate([self.edges[:, 1], self.edges[back, 0]])
        order = np.argsort(starts, kind="stable")
        offsets = np.searchsorted(starts[order], np.arange(len(self.positions) + 1))
        edges = edges[order]
        return offsets.astype(np.int32), stops[order], edges, self.costs[edges]

    @cached_property
    def _places(self) -> Floats:
        """(n, 3) float64: the nodes where a straight way costs its length."""
        return backend_of(self.navmesh).to_measure(self.positions)

    def find_path(
        self, start: Sequence[float], goal: Sequence[float], *, max_snap: float | None = None
    ) -> Path:
        """Find the cheapest path over the nodes, by A*.

        It leads from the start straight to a node of its polygon, from node to node along edges,
        and straight to the goal; within one polygon, straight from start to goal. It is not pulled
        tight: :meth:`NavMesh.find_path`, which searches all paths, never has a higher `cost`.

        Parameters
        ----------
        start, goal : 3 float
            World coordinates; the ground that they stand on is found as by :meth:`NavMesh.nearest`.
            [Unit: m]
        max_snap : float, optional
            How far from the navmesh start and goal may be; by default the agent's height.
            [Limit: >= 0] [Unit: m]

        Returns
        -------
        Path
            Laid onto the ground. Its `status` is ``"complete"``, or ``"unreachable"`` when there is
            no way or a point is too far from the navmesh.

        Examples
        --------
        >>> import walkmesh as wm
        >>> navmesh = wm.build(wm.samples.house())
        >>> nodes = navmesh.path_nodes("midpoints")
        >>> over = nodes.find_path(wm.samples.HOUSE_START, wm.samples.HOUSE_GOAL)
        >>> shortest = navmesh.find_path(wm.samples.HOUSE_START, wm.samples.HOUSE_GOAL)
        >>> over.status, over.cost > shortest.cost
        ('complete', True)
        """
        points = query_pair(start, goal).reshape(2, 3)
        found = self.navmesh.nearest(points, max_snap=snap_of(self.navmesh.agent, max_snap))
        if (found.polygons < 0).any():
            return Path.unreachable()
        backend = backend_of(self.navmesh)
        ends = backend.to_measure(found.points)
        offsets, members = self.members
        near = [members[offsets[p] : offsets[p + 1]] for p in found.polygons]
        alone = found.polygons[0] == found.polygons[1]
        direct = float(np.linalg.norm(ends[1] - ends[0])) if alone else np.inf
        way = np.empty((2, len(self.positions)), dtype=np.int32)
        count, cost = search_nodes(
            self._places, *self._arcs, ends, *near, direct, min(backend.link_price, 1.0), *way
        )
        if count < 0:
            return Path.unreachable()
        return self._path(found, way[0, :count], way[1, :count], float(cost))

    def _path(self, ends: Located, nodes: Ids, taken: Ids, cost: float) -> Path:
        """Return the path from start to goal over some nodes, and the edges taken to them."""
        legs = [_Leg([ends.points[0]], [])]
        polygon = int(ends.polygons[0])
        for node, edge in zip(nodes.tolist(), taken.tolist(), strict=True):
            position = self.positions[node]
            if edge < 0:  # straight from the start
                legs[-1].walk(position, polygon)
                continue
            here, there = self.edge_polygons[edge].tolist()
            if self.edges[edge, 1] != node:
                here, there = there, here
            if self.edge_links[edge] >= 0:
                legs.append(_Leg([position], []))
            elif here != there:
                legs[-1].walk(self.via[edge], here)
                legs[-1].walk(position, there)
            else:
                legs[-1].walk(position, here)
        legs[-1].walk(ends.points[1], int(ends.polygons[1]))
        points = np.concatenate([leg.laid_down(self.navmesh) for leg in legs])
        # Nodes may be at the same place, as a link may end in a corner, and so may start and goal.
        moved = first_of_equal(points)
        points = points[moved] if moved.sum() > 1 else points[[0, -1]]
        ways = np.array([p for leg in legs for p in leg.polygons], dtype=np.int32)
        links = self.edge_links[taken[taken >= 0]]
        length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
        ways, links = ways[first_of_equal(ways[:, None])], links[links >= 0]
        return Path.of(points, ways, length, cost, optimal=False, links=links)

    def to_networkx(self) -> networkx.Graph:
        """Return the nodes and edges as a graph of networkx.

        Returns
        -------
        networkx.Graph
            A ``DiGraph`` if any link leads one way only. Nodes are numbered as here, with the
            attributes `position`, 3 float, and `kind`, str. Edges have `length` and `cost`, either
            of which can be a weight, and where there is one, the place `via`, 3 float, or the
            number of the `link`. Of two edges between the same nodes, on foot and by a link,
            the one that costs less is kept.

        Raises
        ------
        ImportError
            When networkx is not installed.

        Examples
        --------
        >>> import networkx
        >>> import walkmesh as wm
        >>> floor = wm.build(wm.samples.floor(width=10, depth=8), wm.Agent(radius=0))
        >>> graph = floor.path_nodes("corners").to_networkx()
        >>> networkx.dijkstra_path_length(graph, 0, 1, weight="length")
        8.0
        """
        require("networkx", "graphs of networkx")
        import networkx

        directed = bool(self.one_way.any())
        graph = networkx.DiGraph() if directed else networkx.Graph()
        attributes = zip(self.positions.tolist(), self.kinds.tolist(), strict=True)
        for node, (position, kind) in enumerate(attributes):
            graph.add_node(node, position=tuple(position), kind=kind)
        for i, (a, b) in enumerate(self.edges.tolist()):
            edge: dict[str, Any] = {"length": float(self.lengths[i]), "cost": float(self.costs[i])}
            if not np.isnan(self.via[i, 0]):
                edge["via"] = tuple(self.via[i].tolist())
            if self.edge_links[i] >= 0:
                edge["link"] = int(self.edge_links[i])
            ways = [(a, b), (b, a)] if directed and not self.one_way[i] else [(a, b)]
            for ends in ways:
                if not graph.has_edge(*ends):
                    graph.add_edge(*ends, **edge)
                elif edge["cost"] < graph.edges[ends]["cost"]:
                    graph.remove_edge(*ends)
                    graph.add_edge(*ends, **edge)
        return graph


class _Leg(NamedTuple):
    """A part of a path on foot: its points, and the polygon from each to the next."""

    points: list[Floats]
    polygons: list[int]

    def walk(self, point: Floats, polygon: int) -> None:
        """Go straight on to a point, inside a polygon."""
        self.points.append(point)
        self.polygons.append(polygon)

    def laid_down(self, navmesh: NavMesh) -> Floats:
        """Return its points, and those in between where the ground leaves the straight line."""
        return backend_of(navmesh).lay_down(np.array(self.points), self.polygons)


def chosen_places(at: str | Sequence[str]) -> set[str]:
    """Return the places of nodes that `at` names."""
    known = "one or several of " + ", ".join(map(repr, PLACES))
    try:
        words = [at] if isinstance(at, str) else list(at)
    except TypeError:
        words = []
    if not words:
        raise SettingsError(f"at is {at!r}; it must be {known}")
    for place, word in enumerate(words):
        if not isinstance(word, str) or word not in PLACES:
            raise SettingsError(f"at has {word!r}; it must be {known}")
        if word in words[:place]:
            raise SettingsError(f"at has {word!r} twice; it must be {known}, each of them once")
    return set(words)


def _ragged(keys: NDArray[np.integer], values: NDArray[np.integer], count: int) -> tuple[Ids, Ids]:
    """Return (count + 1,) and (k,) int32: the values of each key, ascending, each of them once."""
    order = np.lexsort((values, keys))
    chosen = order[first_of_equal(np.stack([keys, values], axis=1)[order])]
    offsets = np.searchsorted(keys[chosen], np.arange(count + 1))
    return offsets.astype(np.int32), values[chosen].astype(np.int32)
