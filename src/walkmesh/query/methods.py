"""The queries of a navmesh, as callers see them."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, cast

from walkmesh.arguments import read_distance
from walkmesh.chunks import worker_count
from walkmesh.query.arguments import query_pair, query_points, snap_of
from walkmesh.query.ends import Pairs, broadcast_points, pair_up
from walkmesh.query.finders import Finders
from walkmesh.query.located import Located
from walkmesh.query.path_nodes import PathNodes
from walkmesh.query.sample import sample

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.located import Rays
    from walkmesh.query.path import Path, Paths


class Queries:
    """What can be asked of a :class:`walkmesh.NavMesh`, which has these methods from here."""

    @cached_property
    def _finders(self) -> Finders:
        """What knows this kind of navmesh, and finds paths on it."""
        return Finders(cast("NavMesh", self))

    def nearest(self, points: ArrayLike, *, max_snap: float = math.inf) -> Located:
        """Find the ground that each point stands on.

        This is the nearest place on the navmesh, but with the floor under the feet before the one
        overhead: a place more than the agent's step above the point counts as twice the agent's
        height farther away than it is. On a navmesh of a surface, above is where a polygon's normal
        points, so that of two sides of a wall the one that faces the point is taken.

        Parameters
        ----------
        points : (n, 3) array_like of float
            World coordinates. [Unit: m]
        max_snap : float, optional
            How far away the place may be; by default any distance. [Limit: >= 0] [Unit: m]

        Returns
        -------
        Located
            With `polygons`, `points` and `distances`.

        Examples
        --------
        >>> import walkmesh as wm
        >>> navmesh = wm.build(wm.samples.floor(width=10, depth=8))
        >>> navmesh.nearest([(1, 0.5, 1), (1, -2, 2)]).distances.tolist()
        [0.5, 2.0]
        """
        places, snap = query_points("points", points), read_distance("max_snap", max_snap)
        backend = self._finders.backend
        found = backend.locate(places, snap)
        return Located(backend.polygons_of(found.cells), found.points, found.distances)

    def contains(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Tell which points stand on the navmesh.

        Parameters
        ----------
        points : (n, 3) array_like of float
            World coordinates. [Unit: m]

        Returns
        -------
        (n,) bool
            Whether there is ground straight below or above each point, no farther than the agent's
            step; on a navmesh of a surface, along its normal.

        Examples
        --------
        >>> import walkmesh as wm
        >>> navmesh = wm.build(wm.samples.floor(width=10, depth=8))
        >>> navmesh.contains([(1, 0.1, 1), (1, 2, 1), (-5, 0, 1)]).tolist()
        [True, False, False]
        """
        places = query_points("points", points)
        return self._finders.backend.contains(places)

    def find_path(
        self,
        start: Sequence[float],
        goal: Sequence[float],
        *,
        radius: float | None = None,
        optimal: bool = True,
        area_costs: Mapping[int, float] | None = None,
        max_snap: float | None = None,
        partial: bool = False,
    ) -> Path:
        """Find a path from one point to another.

        It is the shortest there is, seen from above, and follows the ground, which it leaves by no
        more than a millimetre of height. Links are taken where they pay. On a navmesh of a surface
        it is the shortest along the surface itself.

        Parameters
        ----------
        start, goal : 3 float
            World coordinates; the ground that they stand on is found as by :meth:`nearest`.
            [Unit: m]
        radius : float, optional
            The radius of an agent larger than the one that the navmesh was built for. The path
            keeps that much more distance from the boundary, around corners in arcs, and takes no
            passage that is too narrow. Start and goal are moved to where there is room. Such a path
            is on foot all the way. Not on navmeshes of surfaces, which serve the radius that they
            were built for. [Limit: >= agent.radius] [Unit: m]
        optimal : bool, default True
            Whether the path has to be the shortest. Otherwise it is the shortest in the corridor of
            polygons that is shortest through the middles of their edges: seldom much longer, and
            found in about half the time. That is also taken where the shortest would need more than
            0.4 GB of memory, as it can on navmeshes with hundreds of thousands of polygons or
            thousands of links; the path's `optimal` tells.
        area_costs : dict of int to float, optional
            What a metre costs in an area, by default 1; infinite for areas that must not be
            entered. With different costs the path is that of the cheapest corridor, not always the
            cheapest there is. [Limit: > 0]
        max_snap : float, optional
            How far from the navmesh start and goal may be; by default the agent's height.
            [Limit: >= 0] [Unit: m]
        partial : bool, default False
            Whether to go as near as possible to a goal that cannot be reached.

        Returns
        -------
        Path
            Its `status` is ``"complete"``; or ``"unreachable"`` when there is no way or a point is
            too far from the navmesh, which costs no search; or, if asked for, ``"partial"`` when it
            leads to the place nearest to the goal of all that can be reached. Its `optimal` is
            False if a shorter one may exist.

        Examples
        --------
        >>> import walkmesh as wm
        >>> navmesh = wm.build(wm.samples.floor(width=10, depth=8))
        >>> navmesh.find_path((1, 0, 1), (4, 0, 5))
        Path(complete, 5.000 m, 2 points)
        """
        points = query_pair(start, goal)
        return self._finders.of(radius, optimal, area_costs, max_snap, partial).find_path(points)

    def find_paths(
        self,
        starts: ArrayLike | Located,
        goals: ArrayLike | Located,
        *,
        radius: float | None = None,
        optimal: bool = True,
        area_costs: Mapping[int, float] | None = None,
        max_snap: float | None = None,
        partial: bool = False,
        workers: int | None = None,
    ) -> Paths:
        """Find many paths, each from one of the starts to the goal beside it.

        Parameters
        ----------
        starts, goals : (n, 3) array_like of float, or Located
            World coordinates, or what :meth:`nearest` found for them. One of them may be a single
            point. [Unit: m]
        radius, optimal, area_costs, max_snap, partial
            As for :meth:`find_path`.
        workers : int, optional
            How many threads to use; by default one for each core. The paths are the same.
            [Limit: >= 1]

        Returns
        -------
        Paths
            A sequence of :class:`Path`, kept in arrays.

        Examples
        --------
        >>> import walkmesh as wm
        >>> navmesh = wm.build(wm.samples.floor(width=10, depth=8))
        >>> navmesh.find_paths([(1, 0, 1), (1, 0, 5)], (4, 0, 5)).lengths.tolist()
        [5.0, 3.0]
        """
        ends = pair_up(self._finders.navmesh.polygon_count, starts, goals)
        threads = worker_count(workers)
        finder = self._finders.of(radius, optimal, area_costs, max_snap, partial)
        if finder.backend is not self._finders.backend:  # what was found may be barred there
            ends = ends.anywhere()
        return finder.find_paths(ends, threads)

    def distances(
        self,
        starts: ArrayLike,
        goals: ArrayLike,
        *,
        area_costs: Mapping[int, float] | None = None,
        max_snap: float | None = None,
        workers: int | None = None,
    ) -> Floats:
        """Measure how far it is from starts to goals.

        From a start with many goals, one search finds the ways to all of them.

        Parameters
        ----------
        starts, goals : (..., 3) array_like of float
            World coordinates, broadcast against each other: (n, 3) and (n, 3) for pairs, (3,) and
            (m, 3) from one to many, (n, 1, 3) and (m, 3) from all to all. [Unit: m]
        area_costs, max_snap, workers
            As for :meth:`find_paths`.

        Returns
        -------
        (...) float64
            The lengths of the paths that :meth:`find_paths` finds, see :class:`Path`; infinite
            where there is none. Its `optimal` tells which of them may not be the shortest.
            [Unit: m]

        Examples
        --------
        >>> import walkmesh as wm
        >>> navmesh = wm.build(wm.samples.floor(width=10, depth=8))
        >>> navmesh.distances((1, 0, 1), [(4, 0, 5), (1, 0, 7), (50, 0, 0)]).tolist()
        [5.0, 6.0, inf]
        """
        snap, threads = snap_of(self._finders.navmesh.agent, max_snap), worker_count(workers)
        query = self._finders.query(True, area_costs, snap, False)
        points, (first, second), shape = broadcast_points(starts, goals)
        froms, tos = (query.backend.locate(some, snap) for some in points)
        pairs = Pairs(froms, tos, first, second)
        # Where every way can be taken back, it does not matter which end is searched from.
        if len(tos.points) < len(froms.points) and query.backend.both_ways:
            pairs = pairs.turned()
        return query.measure(pairs, threads).reshape(shape)

    def path_nodes(self, at: str | Sequence[str] = "midpoints") -> PathNodes:
        """Return the navmesh as a graph of waypoints, for searches and plans of your own.

        Nodes of the same polygon are joined pairwise by lines that are straight, seen from above,
        and follow the ground; they never leave it, as polygons are convex. A polygon with k nodes
        has k (k - 1) / 2 edges. With centers alone, those of neighbouring polygons are joined
        through the middle of the edge between them. Each link is an edge between two nodes of its
        own, one at each of its ends.

        Parameters
        ----------
        at : str or sequence of str, default "midpoints"
            Where nodes are, one or several of

            - ``"centers"``: at the centroid of each polygon;
            - ``"midpoints"``: in the middle of each edge between two polygons;
            - ``"corners"``: at each vertex that is a corner of a polygon. Where polygons have
              nothing but a vertex in common, there is a node for each of them.

        Returns
        -------
        PathNodes
            With `positions`, `kinds`, `edges`, `lengths` and more; ``to_networkx()`` and
            ``find_path(start, goal)``.

        Raises
        ------
        SettingsError
            When `at` is something else, or names a place twice.

        Examples
        --------
        >>> import walkmesh as wm
        >>> corners = [(0, 0, 0), (0, 0, 2), (2, 0, 2), (2, 0, 0), (5, 0, 2), (5, 0, 0)]
        >>> two = wm.NavMesh(corners, [0, 4, 8], [0, 1, 2, 3, 3, 2, 4, 5])
        >>> two.path_nodes("centers").lengths.tolist()
        [2.5]
        >>> two.path_nodes(["midpoints", "corners"])
        PathNodes(7 nodes, 17 edges)
        """
        return PathNodes.of(self._finders.navmesh, at)

    def reachable(self, starts: ArrayLike, goals: ArrayLike) -> NDArray[np.bool_]:
        """Tell whether there is a way from starts to goals, on foot or by links.

        It takes no search: polygons know what they hang together with. Only one-way links are
        followed, from island to island.

        Parameters
        ----------
        starts, goals : (..., 3) array_like of float
            World coordinates, broadcast against each other; the ground that they stand on is no
            farther than the agent's height away. [Unit: m]

        Returns
        -------
        (...) bool

        Examples
        --------
        >>> import walkmesh as wm
        >>> navmesh = wm.build(wm.samples.floor(width=10, depth=8))
        >>> bool(navmesh.reachable((1, 0, 1), (4, 0, 5)))
        True
        """
        backend, height = self._finders.backend, self._finders.navmesh.agent.height
        points, (first, second), shape = broadcast_points(starts, goals)
        froms, tos = (backend.polygons_of(backend.locate(some, height).cells) for some in points)
        return backend.islands.reaches(froms[first], tos[second]).reshape(shape)

    def raycast(self, starts: ArrayLike, ends: ArrayLike) -> Rays:
        """Walk straight on, as seen from above, until the navmesh ends.

        On a navmesh of a surface, above is along the normal where the walk starts: it heads for
        the end, and goes as far, as seen from there. Over edges it turns neither left nor right, as
        if the surface were laid flat.

        Parameters
        ----------
        starts, ends : (n, 3) array_like of float
            World coordinates. One of them may be a single point. The ground that the starts stand
            on is found as by :meth:`nearest`, no farther away than the agent's height; the height
            of the ends does not matter. [Unit: m]

        Returns
        -------
        Rays
            With `hits`, `points`, `polygons`, `edges` and `distances`.

        Examples
        --------
        >>> import walkmesh as wm
        >>> navmesh = wm.build(wm.samples.floor(width=10, depth=8), wm.Agent(radius=0))
        >>> rays = navmesh.raycast((1, 0, 1), [(4, 0, 1), (40, 0, 1)])
        >>> rays.hits.tolist(), rays.distances.tolist()
        ([False, True], [3.0, 7.0])
        """
        navmesh = self._finders.navmesh
        pairs = pair_up(navmesh.polygon_count, starts, ends)
        backend = self._finders.backend
        return backend.cast(backend.locate(pairs.starts, navmesh.agent.height), pairs.goals)

    def wall_distance(self, points: ArrayLike) -> Floats:
        """Measure how far points are from the boundary of the navmesh.

        Parameters
        ----------
        points : (n, 3) array_like of float
            World coordinates; the ground that they stand on is that straight below or above, no
            farther than the agent's step, or else found as by :meth:`nearest`, no farther away than
            the agent's height. [Unit: m]

        Returns
        -------
        (n,) float64
            The distance to the nearest boundary edge in straight sight, seen from above; so that of
            another floor does not count. On a navmesh of a surface, along it; infinite if it has
            no boundary, and in places where the search would take more than 0.4 GB, the length of a
            way that may not be the shortest. NaN for points that do not stand on the navmesh.
            [Unit: m]

        Examples
        --------
        >>> import walkmesh as wm
        >>> navmesh = wm.build(wm.samples.floor(width=10, depth=8), wm.Agent(radius=0))
        >>> navmesh.wall_distance([(1, 0, 4), (4, 0, 5)]).tolist()
        [1.0, 4.0]
        """
        places = query_points("points", points)
        return self._finders.backend.wall_distances(places)

    def sample(self, n: int, seed: int = 0) -> Located:
        """Draw random places on the ground, uniformly by its surface.

        Parameters
        ----------
        n : int
            How many. [Limit: >= 0]
        seed : int, default 0
            What the places depend on: the same seed gives the same places, on every machine.
            [Limit: >= 0]

        Returns
        -------
        Located
            With `polygons` and `points`; all `distances` are 0.

        Examples
        --------
        >>> import walkmesh as wm
        >>> navmesh = wm.build(wm.samples.floor(width=10, depth=8))
        >>> navmesh.sample(1000).points.mean(axis=0).round().tolist()
        [4.0, 0.0, 5.0]
        """
        return sample(self._finders.navmesh, n, seed)
