"""The navmesh: convex polygons that an agent can walk on, and how they hang together."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.agent import Agent
from walkmesh.arguments import is_whole, read_distance, read_flag
from walkmesh.arrays import as_points, read_only
from walkmesh.chunks import worker_count
from walkmesh.errors import FormatError, SettingsError
from walkmesh.frame import Frame, up_vector
from walkmesh.kernels.meshes.triangulate import triangulate_convex
from walkmesh.navmesh_arrays import (
    check_offsets,
    find_neighbors,
    read_areas,
    read_detail,
    read_ids,
    read_links,
)
from walkmesh.polygon_planes import in_own_planes, normals_of
from walkmesh.query.arguments import (
    extra_clearance,
    query_pair,
    query_points,
)
from walkmesh.query.ask import Ends, Question, ask, ask_many, located, pair_up
from walkmesh.ragged import label_polygons
from walkmesh.topology import check_usable, plan_points
from walkmesh.triangles import area_vectors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.building import Building
    from walkmesh.floor_plan import FloorPlan
    from walkmesh.query.clearance.triangulation import ClearanceMesh
    from walkmesh.query.locate import Located
    from walkmesh.query.path import Path, Paths
    from walkmesh.query.path_nodes import PathNodes
    from walkmesh.query.rays import Rays
    from walkmesh.query.search_mesh import SearchMesh
    from walkmesh.query.surface.mesh import SurfaceMesh
    from walkmesh.report import Report
    from walkmesh.scene import Scene
    from walkmesh.validate import Violation

_NO_IDS = np.empty(0, dtype=np.int32)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class NavMesh:
    """Convex polygons that an agent can walk on, and how they hang together.

    Polygons are ragged: polygon p has the corners ``polygon_vertices[polygon_offsets[p] :
    polygon_offsets[p + 1]]``, counter-clockwise seen from above, and its edge i runs from corner i
    to the next one around. Polygons are convex in plan; how high the ground is inside them is said
    by triangles, as many as it needs.

    On a navmesh of a surface, as :class:`walkmesh.Surface` builds it, polygons lie at any angle:
    above is where their normal points, which they are counter-clockwise around, and each is flat
    and convex in its own plane.

    Parameters
    ----------
    vertices : (n, 3) array_like of float
        Positions in world coordinates. [Unit: m]
    polygon_offsets : (p + 1,) array_like of int
        Where each polygon's corners start.
    polygon_vertices : (c,) array_like of int
        The vertex of each corner.
    neighbors : (c,) array_like of int, optional
        The polygon across the edge that starts at each corner, -1 at a boundary. By default the
        polygon that has the same edge the other way round.
    areas : (p,) array_like of int, optional
        The kind of ground of each polygon, 0 to 255; by default 0.
    components : (p,) array_like of int, optional
        The connected set that each polygon belongs to; by default as the neighbours have it.
    links : (k,) structured array of `LINK_DTYPE`, optional
        Connections that are no shared edges; by default none.
    triangles : (t, 3) array_like of int, optional
        The ground inside the polygons, as vertex ids, counter-clockwise seen from above. The
        triangles of a polygon cover it exactly in plan; their vertices need be neither corners of
        polygons nor shared with the triangles of the next polygon. By default the polygons
        themselves, cut into triangles.
    triangle_polygons : (t,) array_like of int, optional
        The polygon that each of `triangles` belongs to, ascending; given if and only if these are.
    agent : Agent, optional
        Whom the navmesh is for; its radius is how far the boundary is from walls and ledges. By
        default ``Agent(radius=0)``, for which the boundary is the wall itself.
    up : {"x", "y", "z"} or 3 float, default "y"
        The direction against gravity.
    surface : bool, default False
        Whether polygons may lie at any angle, each with its own normal as up.
    report : Report, optional
        What the build did.

    Attributes
    ----------
    vertices : (n, 3) float64
    polygon_offsets : (p + 1,) int32
    polygon_vertices, neighbors : (c,) int32
    areas : (p,) uint8
    components : (p,) int32
    links : (k,) `LINK_DTYPE`
    triangles : (t, 3) int32
    triangle_polygons : (t,) int32
        All arrays are read-only.

    Raises
    ------
    FormatError
        When the arrays do not fit together. Whether they make a sound navmesh is another question,
        which :meth:`validate` answers.
    SettingsError
        When only one of `triangles` and `triangle_polygons` is given, or `agent` or `up` is none.

    Examples
    --------
    >>> square = NavMesh([(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)], [0, 4], [0, 1, 2, 3])
    >>> square
    NavMesh(1 polygon, 4 vertices, 1 component, 1.0 m2)
    >>> square.validate()
    []
    """

    vertices: Floats
    polygon_offsets: Ids
    polygon_vertices: Ids
    neighbors: Ids
    areas: NDArray[np.uint8]
    components: Ids
    links: NDArray[np.void]
    _detail: tuple[Ids, Ids] | None
    agent: Agent
    up: tuple[float, float, float]
    surface: bool
    report: Report | None

    def __init__(
        self,
        vertices: ArrayLike,
        polygon_offsets: ArrayLike,
        polygon_vertices: ArrayLike,
        *,
        neighbors: ArrayLike | None = None,
        areas: ArrayLike | None = None,
        components: ArrayLike | None = None,
        links: ArrayLike | None = None,
        triangles: ArrayLike | None = None,
        triangle_polygons: ArrayLike | None = None,
        agent: Agent | None = None,
        up: str | Sequence[float] = "y",
        surface: bool = False,
        report: Report | None = None,
    ) -> None:
        if not isinstance(agent, Agent | None):
            raise SettingsError(f"agent is {agent!r}; it must be a walkmesh.Agent")
        offsets = read_ids("polygon_offsets", polygon_offsets)
        corners = read_ids("polygon_vertices", polygon_vertices)
        check_offsets(offsets, len(corners))
        polygons = len(offsets) - 1
        if neighbors is None:
            neighbors = find_neighbors(offsets, corners)
        sides = read_ids("neighbors", neighbors, len(corners))
        if components is None:
            components = label_polygons(offsets, sides)
        if areas is None:
            areas = np.zeros(polygons, dtype=np.uint8)
        values = {
            "vertices": as_points("vertices", vertices, FormatError),
            "polygon_offsets": offsets,
            "polygon_vertices": corners,
            "neighbors": sides,
            "areas": read_areas(areas, polygons),
            "components": read_ids("components", components, polygons),
            "links": read_links(links),
            "_detail": read_detail(triangles, triangle_polygons),
            "agent": Agent(radius=0.0) if agent is None else agent,
            "up": up_vector(up),
            "surface": read_flag("surface", surface),
            "report": report,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is kept when it is pickled or copied: nothing that follows from the rest."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what :meth:`__getstate__` returned; its arrays have become writable on the way."""
        for name, value in state.items():
            for array in value if name == "_detail" and value is not None else (value,):
                if isinstance(array, np.ndarray):
                    array.flags.writeable = False
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        def counted(count: int, noun: str, plural: str | None = None) -> str:
            return f"{count} {noun if count == 1 else plural or noun + 's'}"

        try:
            area = f"{self.area:.1f} m2"
        except FormatError:
            area = "not usable"
        return (
            f"NavMesh({counted(self.polygon_count, 'polygon')}, "
            f"{counted(len(self.vertices), 'vertex', 'vertices')}, "
            f"{counted(self.component_count, 'component')}, {area})"
        )

    @property
    def polygon_count(self) -> int:
        """The number of polygons."""
        return len(self.polygon_offsets) - 1

    @cached_property
    def component_count(self) -> int:
        """The number of connected sets of polygons."""
        return len(np.unique(self.components))

    @cached_property
    def frame(self) -> Frame:
        """The plan frame at the world's origin, in which u and v span the floor plan."""
        return Frame(self.up)

    @cached_property
    def triangles(self) -> Ids:
        """(t, 3) int32: the ground as triangles, polygon by polygon."""
        check_usable(self)
        if self._detail is not None:
            return self._detail[0]
        result = np.empty((len(self.polygon_vertices) - 2 * self.polygon_count, 3), dtype=np.int32)
        if self.surface:
            offsets, points = self.polygon_offsets, self.vertices[self.polygon_vertices]
            flat = in_own_planes(offsets, points, normals_of(offsets, points))
            triangulate_convex(flat, offsets, np.arange(len(flat), dtype=np.int32), result)
            return read_only(self.polygon_vertices[result], np.int32)
        triangulate_convex(plan_points(self), self.polygon_offsets, self.polygon_vertices, result)
        return read_only(result, np.int32)

    @cached_property
    def triangle_polygons(self) -> Ids:
        """(t,) int32: the polygon that each of `triangles` belongs to, ascending."""
        if self._detail is not None:
            check_usable(self)
            return self._detail[1]
        counts = np.diff(self.polygon_offsets) - 2
        return read_only(np.repeat(np.arange(self.polygon_count), counts), np.int32)

    @cached_property
    def triangle_offsets(self) -> Ids:
        """(p + 1,) int32: where the triangles of each polygon start."""
        starts = np.searchsorted(self.triangle_polygons, np.arange(self.polygon_count + 1))
        return read_only(starts, np.int32)

    @cached_property
    def search_mesh(self) -> SearchMesh:
        """The navmesh as searches take it."""
        from walkmesh.query.search_mesh import SearchMesh

        return SearchMesh.of(self)

    @cached_property
    def surface_mesh(self) -> SurfaceMesh:
        """A navmesh of a surface as searches take it."""
        from walkmesh.query.surface.mesh import SurfaceMesh

        return SurfaceMesh.of(self)

    @cached_property
    def clearance_mesh(self) -> ClearanceMesh:
        """The navmesh as searches for paths with clearance take it."""
        from walkmesh.query.clearance.triangulation import ClearanceMesh

        return ClearanceMesh.of(self)

    @cached_property
    def area(self) -> float:
        """The surface of all triangles, measured along their slopes. In square metres."""
        normals = area_vectors(self.vertices[self.triangles])
        return float(np.linalg.norm(normals, axis=1).sum() / 2.0)

    def polygon(self, index: int) -> Floats:
        """Return the corners of one polygon, (k, 3) float64 world coordinates."""
        if not is_whole(index) or not 0 <= index < self.polygon_count:
            raise SettingsError(
                f"index is {index!r}; it must be a whole number from 0 and below "
                f"{self.polygon_count}, the number of polygons"
            )
        start, stop = self.polygon_offsets[int(index) :][:2]
        return self.vertices[self.polygon_vertices[start:stop]]

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
        if self.surface:
            from walkmesh.query.surface.locate import find_places

            found = find_places(self.surface_mesh, self.agent, places, snap)
            return found.located(self.surface_mesh)
        from walkmesh.query.locate import locate

        return locate(self.search_mesh, self.agent, places, snap)

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
        if self.surface:
            from walkmesh.query.surface.locate import stand_inside

            return stand_inside(self.surface_mesh, self.agent, places)
        from walkmesh.query.locate import heights_over

        _, heights = heights_over(self.search_mesh, places)
        return np.abs(heights) <= self.agent.max_step

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
        optimal, partial = read_flag("optimal", optimal), read_flag("partial", partial)
        snap = self.agent.height if max_snap is None else read_distance("max_snap", max_snap)
        extra = 0.0
        if radius is not None:
            extra = extra_clearance(radius, self.agent, area_costs, partial, self.surface)
        if self.surface:
            from walkmesh.query.surface.ask import SurfaceQuestion
            from walkmesh.query.surface.ask import ask as ask_surface

            wish = SurfaceQuestion.about(self, optimal, area_costs, snap, partial)
            return ask_surface(wish, Ends(points[:, :3], _NO_IDS, points[:, 3:], _NO_IDS))
        if extra == 0.0:
            return ask(points, Question.about(self, optimal, area_costs, snap, partial))
        from walkmesh.query.clearance.ask import ask_clear

        ends = Ends(points[:, :3], _NO_IDS, points[:, 3:], _NO_IDS)
        return ask_clear(self, located(ends, self.search_mesh, self.agent, snap), extra, snap)

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
        ends, threads = pair_up(self, starts, goals), worker_count(workers)
        optimal, partial = read_flag("optimal", optimal), read_flag("partial", partial)
        snap = self.agent.height if max_snap is None else read_distance("max_snap", max_snap)
        extra = extra_clearance(radius, self.agent, area_costs, partial, self.surface)
        if self.surface:
            from walkmesh.query.surface.ask import SurfaceQuestion
            from walkmesh.query.surface.ask import ask_many as ask_many_surface

            wish = SurfaceQuestion.about(self, optimal, area_costs, snap, partial)
            if wish.surface is not self.surface_mesh:  # what was found may be barred
                ends = ends._replace(start_polygons=_NO_IDS, goal_polygons=_NO_IDS)
            return ask_many_surface(wish, ends, threads)
        if extra == 0.0:
            question = Question.about(self, optimal, area_costs, snap, partial)
            if question.search is not self.search_mesh:  # what was found may be barred
                ends = ends._replace(start_polygons=_NO_IDS, goal_polygons=_NO_IDS)
            if len(ends.start_polygons) != len(ends.goal_polygons):
                ends = located(ends, question.search, self.agent, snap)
            return ask_many(ends, question, threads)
        from walkmesh.query.clearance.ask import ask_many_clear

        places = located(ends, self.search_mesh, self.agent, snap)
        return ask_many_clear(self, places, extra, snap, threads)

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
        snap = self.agent.height if max_snap is None else read_distance("max_snap", max_snap)
        threads = worker_count(workers)
        if self.surface:
            from walkmesh.query.surface.ask import SurfaceQuestion
            from walkmesh.query.surface.distances import measure_distances as measure_on_surface

            wish = SurfaceQuestion.about(self, True, area_costs, snap, False)
            return measure_on_surface(wish, starts, goals, threads)
        from walkmesh.query.distances import measure_distances

        question = Question.about(self, True, area_costs, snap, False)
        return measure_distances(question, self.agent, starts, goals, snap, threads)

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
        >>> corners = [(0, 0, 0), (0, 0, 2), (2, 0, 2), (2, 0, 0), (5, 0, 2), (5, 0, 0)]
        >>> two = NavMesh(corners, [0, 4, 8], [0, 1, 2, 3, 3, 2, 4, 5])
        >>> two.path_nodes("centers").lengths.tolist()
        [2.5]
        >>> two.path_nodes(["midpoints", "corners"])
        PathNodes(7 nodes, 17 edges)
        """
        from walkmesh.query.path_nodes import PathNodes

        return PathNodes.of(self, at)

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
        if self.surface:
            from walkmesh.query.surface.distances import tell_reachable as tell_on_surface

            return tell_on_surface(self.surface_mesh, self.agent, starts, goals)
        from walkmesh.query.distances import tell_reachable

        return tell_reachable(self.search_mesh, self.agent, starts, goals)

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
        pairs = pair_up(self, starts, ends)
        if self.surface:
            from walkmesh.query.surface.locate import find_places
            from walkmesh.query.surface.rays import cast as cast_on_surface

            surface = self.surface_mesh
            places = find_places(surface, self.agent, pairs.starts, self.agent.height)
            return cast_on_surface(surface, places, pairs.goals)
        from walkmesh.query.locate import locate
        from walkmesh.query.rays import cast

        found = locate(self.search_mesh, self.agent, pairs.starts, self.agent.height)
        placed = pairs._replace(starts=found.points, start_polygons=found.polygons)
        return cast(self.search_mesh, placed)

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
        if self.surface:
            from walkmesh.query.surface.ask import SurfaceQuestion
            from walkmesh.query.surface.distances import measure_walls as measure_on_surface
            from walkmesh.query.surface.locate import find_places

            wish = SurfaceQuestion.about(self, True, None, self.agent.height, False)
            on_foot = find_places(wish.surface, self.agent, places, wish.max_snap)
            return measure_on_surface(wish, on_foot)
        from walkmesh.query.clearance.ask import measure_walls
        from walkmesh.query.locate import heights_over, locate

        found = locate(self.search_mesh, self.agent, places, self.agent.height)
        # Straight below or above a point, so that on a slope it does not move sideways.
        polygons, heights = heights_over(self.search_mesh, places)
        straight = np.abs(heights) <= self.agent.max_step
        ground = np.where(straight, polygons, found.polygons)
        return measure_walls(self, np.where(straight[:, None], places, found.points), ground)

    def validate(self) -> list[Violation]:
        """List everything that is wrong with this navmesh; an empty list means it is sound.

        See :class:`walkmesh.validate.Violation` for what is looked at.
        """
        from walkmesh.validate import violations

        return violations(self)

    def save(self, path: str | PathLike[str], *, polygons: bool = False) -> None:
        """Write the navmesh to a file whose suffix tells the format.

        ``.walkmesh`` is the native format; ``.obj``, ``.glb`` and ``.ply`` hold the triangles that
        give the ground its height, for viewers and engines. All of them are read back by
        :func:`walkmesh.load_navmesh` without loss. The file appears only when it is complete.

        Parameters
        ----------
        path : str or path
            Where to write it.
        polygons : bool, default False
            Whether the faces of an ``.obj`` file are the polygons instead of the triangles. Other
            tools see them without the heights inside, so uneven ground looks flat.

        Raises
        ------
        FormatError
            When the suffix is none of these, the file cannot be written, or polygons are asked for
            in another format than ``.obj``.
        """
        from walkmesh.io.navmeshes import save_navmesh

        save_navmesh(self, path, polygons=polygons)

    def plot(
        self,
        *,
        scene: Scene | FloorPlan | Building | None = None,
        paths: Sequence[ArrayLike | Path] = (),
        show: str = "both",
        edges: bool | None = None,
    ) -> Figure:
        """Draw the navmesh, coloured by component, with its links.

        Links are thin lines coloured by their kind, with a head where they lead one way only.

        Parameters
        ----------
        scene : Scene, FloorPlan or Building, optional
            Drawn in grey around the navmesh; a scene must have the same up.
        paths : sequence of Path or (k, 3) array_like of float, optional
            Drawn over everything; points are in world coordinates. [Unit: m]
        show : {"both", "plans", "oblique"}, default "both"
            A view at an angle from above, with the plan of each level beside it; or one of them
            alone. Of a surface, two views from opposite sides, in which what faces away is faint;
            and plans of what faces up.
        edges : bool, optional
            Whether to draw the edges of polygons; by default if there are at most 20,000 triangles,
            because more would hide the ground.

        Returns
        -------
        matplotlib.figure.Figure
            As large as it needs to be. A notebook shows it, and ``savefig`` writes it to a file.

        Raises
        ------
        SettingsError
            When `show` is something else, up differs, or paths are no points.
        FormatError
            When the navmesh is not usable.

        Examples
        --------
        >>> import walkmesh as wm
        >>> scene = wm.samples.two_levels()
        >>> navmesh = wm.build(scene)
        >>> figure = navmesh.plot(scene=scene, show="plans")
        >>> [axes.get_title(loc="left") for axes in figure.axes]
        ['level 3.0 m', 'level 0.0 m']
        """
        from walkmesh.viewer.picture import draw

        return draw(self, scene=scene, paths=paths, show=show, edges=edges)

    def paint(
        self,
        area: int,
        *,
        polygon: ArrayLike | None = None,
        box: ArrayLike | None = None,
        lowest: float | None = None,
        highest: float | None = None,
    ) -> NavMesh:
        """Return a navmesh in which the ground inside a shape is of another kind.

        Polygons that reach out of the shape are cut along its outline, exactly, but for vertices
        within a micrometre of it, through which the cut goes. The ground stays where it is, and so
        does what is connected. Heights are not cut: what lies inside the outline is painted if its
        middle is between them.

        Parameters
        ----------
        area : int
            The kind of ground. [Limit: 0 <= value <= 255]
        polygon : (k, 3) array_like of float, optional
            Corners of the outline, which counts as seen from above; it may be concave. World
            coordinates. [Unit: m]
        box : (2, 3) array_like of float, optional
            Opposite corners of a box along the world's axes, instead of a polygon. [Unit: m]
        lowest, highest : float, optional
            Between which heights, along up, to paint inside a polygon; by default any. [Unit: m]

        Returns
        -------
        NavMesh
            The parts of a polygon take its place in the order. Links are where they were.

        Examples
        --------
        >>> import walkmesh as wm
        >>> navmesh = wm.build(wm.samples.floor(width=10, depth=8))
        >>> painted = navmesh.paint(3, box=[(2, -1, 2), (5, 1, 4)])
        >>> painted
        NavMesh(5 polygons, 12 vertices, 1 component, 69.6 m2)
        >>> painted.polygon(int(painted.areas.argmax())).tolist()
        [[2.0, 0.0, 2.0], [2.0, 0.0, 4.0], [5.0, 0.0, 4.0], [5.0, 0.0, 2.0]]
        """
        from walkmesh.edit.paint import paint

        return paint(self, area, polygon, box, lowest, highest)

    def with_areas(self, areas: ArrayLike) -> NavMesh:
        """Return the same navmesh with other kinds of ground.

        Parameters
        ----------
        areas : int or (p,) array_like of int
            The kind of ground of each polygon, or of all. [Limit: 0 <= value <= 255]
        """
        from walkmesh.edit.arguments import codes_of
        from walkmesh.variants import changed

        return changed(self, areas=codes_of("areas", areas, self.polygon_count))

    def with_links(
        self,
        starts: ArrayLike,
        goals: ArrayLike | None = None,
        *,
        two_way: bool | ArrayLike | None = None,
        cost: float | ArrayLike | None = None,
        kind: int | ArrayLike | None = None,
        max_snap: float | None = None,
    ) -> NavMesh:
        """Return a navmesh with further links: jumps, drops, ladders, lifts, doors.

        Parameters
        ----------
        starts, goals : (n, 3) array_like of float, or 3 float
            Where each link is entered and left, in world coordinates; the nearest places on the
            navmesh are taken. [Unit: m]. Or, without `goals`, `starts` are links: an (n,) array of
            `LINK_DTYPE`, such as :func:`walkmesh.find_links` returns, which say all but `max_snap`
            themselves.
        two_way : bool or (n,) array_like of bool, optional
            Whether it can be taken from goal to start as well; by default it can.
        cost : float or (n,) array_like of float, optional
            What taking it costs, in metres of walking; by default its length in plan, or in space
            on a navmesh of a surface. [Limit: >= 0] [Unit: m]
        kind : int or (n,) array_like of int, optional
            What kind of link it is, by default 0; the meaning is yours, but for those that
            :class:`walkmesh.LinkKind` names. [Limit: 0 <= value <= 255]
        max_snap : float, optional
            How far from the navmesh places may be; by default the agent's height.
            [Limit: >= 0] [Unit: m]

        Returns
        -------
        NavMesh
            Its `links` are those of this navmesh and then the new ones.

        Raises
        ------
        SettingsError
            Naming the first place that is too far from the navmesh, or what else is wrong.

        Examples
        --------
        >>> import walkmesh as wm
        >>> navmesh = wm.build(wm.samples.floor(width=10, depth=8))
        >>> linked = navmesh.with_links((1, 0, 1), (4, 0, 5), two_way=False, kind=2)
        >>> linked.links["cost"].round(6).tolist(), linked.links["kind"].tolist()
        ([5.0], [2])
        """
        from walkmesh.edit.links import add_links

        given = {"goals": goals, "two_way": two_way, "cost": cost, "kind": kind}
        return add_links(self, starts, given, max_snap)

    def without_links(self) -> NavMesh:
        """Return the same navmesh without its links."""
        from walkmesh.variants import changed

        return changed(self, links=None)

    def prune(self, seeds: ArrayLike, *, max_snap: float | None = None) -> NavMesh:
        """Return a navmesh of only what can be reached from some places, on foot or by links.

        Parameters
        ----------
        seeds : (n, 3) array_like of float, or 3 float
            World coordinates; the nearest places on the navmesh are taken. [Unit: m]
        max_snap : float, optional
            How far from the navmesh they may be; by default the agent's height.
            [Limit: >= 0] [Unit: m]

        Returns
        -------
        NavMesh
            Its polygons are in the same order; links from elsewhere are left out.

        Raises
        ------
        SettingsError
            When there are no seeds, or naming the first that is too far from the navmesh.

        Examples
        --------
        >>> import walkmesh as wm
        >>> navmesh = wm.build(wm.samples.house())
        >>> navmesh.component_count, navmesh.prune(wm.samples.HOUSE_START).component_count
        (8, 1)
        """
        from walkmesh.edit.prune import prune

        return prune(self, seeds, max_snap)

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
        from walkmesh.query.sample import sample

        return sample(self, n, seed)
