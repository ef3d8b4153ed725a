"""The navmesh: convex polygons that an agent can walk on, and how they hang together."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.agent import Agent
from walkmesh.arguments import check_kind, is_whole, read_flag
from walkmesh.arrays import as_points, read_only
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
from walkmesh.query.methods import Queries
from walkmesh.ragged import label_polygons
from walkmesh.topology import check_usable, plan_points
from walkmesh.triangles import area_vectors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.building import Building
    from walkmesh.floor_plan import FloorPlan
    from walkmesh.query.path import Path
    from walkmesh.report import Report
    from walkmesh.scene import Scene
    from walkmesh.validate import Violation


@dataclass(frozen=True, init=False, eq=False, repr=False)
class NavMesh(Queries):
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
        if agent is not None:
            check_kind("agent", agent, Agent)
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
