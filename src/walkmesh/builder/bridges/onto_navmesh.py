"""Bridges as polygons of a navmesh."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.arguments import read_length
from walkmesh.box_tree import BoxTree
from walkmesh.builder.bridges import Bridges, GapLimits, Obstacles, find_bridges, name_corners
from walkmesh.builder.bridges.kernels.tolerances import LEVEL, ONE_PLANE, SAME_HEIGHT
from walkmesh.builder.bridges.rim import Rim
from walkmesh.builder.mesh import TriangleMesh
from walkmesh.builder.polygons import has_width, merge_triangles, share_vertices
from walkmesh.errors import SettingsError
from walkmesh.kernels.meshes.triangulate import triangulate_convex
from walkmesh.kernels.warmup import prepare
from walkmesh.navmesh import NavMesh
from walkmesh.overlaps import overlapping_pairs
from walkmesh.ragged import fit_planes, offsets_of
from walkmesh.scene import Scene
from walkmesh.tolerances import TOUCHING
from walkmesh.topology import check_usable, corner_polygons, detail_of, edge_ends, plan_points
from walkmesh.triangles import compact

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Floats, Ids, Indices
    from walkmesh.report import Report

# The widest gap that may be asked for. [m]
_WIDEST = 2.0


def bridge_gaps(navmesh: NavMesh, distance: float, scene: Scene | None = None) -> NavMesh:
    """Return a navmesh with polygons over gaps that the agent can step across.

    A gap lies between boundary edges of the navmesh, of one component or of several. Those that a
    build made keep the agent's radius from every ledge; so what is 0.1 m wide in the scene is 0.7 m
    wide here for a radius of 0.3 m. To bridge gaps of the scene, build with
    ``Exact(bridge_distance=...)``; this is for navmeshes of radius 0, or from elsewhere.

    Parameters
    ----------
    navmesh : NavMesh
        Its agent says how steep a bridge may be, or else how high a step.
    distance : float
        The widest gap, seen from above. [Limit: > 0, <= 2] [Unit: m]
    scene : Scene, optional
        What the navmesh was built from. Nothing is bridged where it has something between the
        agent's step and height above the bridge, or closer to it than the agent's radius; by
        default that is not looked at.

    Returns
    -------
    NavMesh
        Its first polygons are those of this one, which get further vertices where bridges meet
        their edges. Bridges have the area code of the ground beside them, and lie over no other
        ground closer than the agent is high. Bridges that :meth:`NavMesh.validate` would refuse,
        or that make it refuse the ground beside them, are left out, and a note in the report says
        how many. The report's ``settings["bridge_distance"]`` becomes the widest gap of the scene
        that is bridged.

    Raises
    ------
    SettingsError
        When the distance is outside its limit, `scene` has another up, or the navmesh is one of a
        surface.
    BuildError
        When there are too many gaps for the length of the boundary, as in overlapping soups.

    Examples
    --------
    >>> import walkmesh as wm
    >>> corners = [(0, 0, 0), (0, 0, 4), (3, 0, 4), (3, 0, 0)]
    >>> corners += [(3.2, 0, 0), (3.2, 0, 4), (6, 0, 4), (6, 0, 0)]
    >>> apart = wm.NavMesh(corners, [0, 4, 8], range(8))
    >>> apart, wm.bridge_gaps(apart, 0.3)  # doctest: +NORMALIZE_WHITESPACE
    (NavMesh(2 polygons, 8 vertices, 2 components, 23.2 m2),
     NavMesh(3 polygons, 8 vertices, 1 component, 24.0 m2))
    """
    widest = _checked(navmesh, distance, scene)
    check_usable(navmesh)
    prepare("walkmesh.builder.bridges", "walkmesh.builder.triangulation")
    corners = np.flatnonzero(navmesh.neighbors < 0)
    starts, ends = navmesh.polygon_vertices[corners], edge_ends(navmesh)[corners]
    edges = np.concatenate([plan_points(navmesh)[starts], plan_points(navmesh)[ends]], axis=1)
    long = (edges[:, :2] != edges[:, 3:5]).any(axis=1)
    corners, edges = corners[long], np.ascontiguousarray(edges[long])
    rim = Rim(edges, np.ones(len(edges), dtype=np.uint8))
    limits = GapLimits.of(navmesh.agent, widest)
    found, _ = find_bridges(rim, limits, navmesh.agent, _obstacles(navmesh, scene))
    found = _not_over_ground(navmesh, found)
    # What has no width is left out; the vertices between which it was lie on one line.
    found = found.keep(found.has_width)
    cells = len(np.unique(found.cells))
    while len(found):
        left_out = cells - len(np.unique(found.cells))
        report = _report(navmesh, widest, left_out)
        bridged, triangles = _with_bridges(navmesh, corners, found, report)
        polygons = corner_polygons(navmesh)[corners[found.edges]]
        spoiled = unsound_bridges(navmesh, bridged, triangles, polygons)
        if not spoiled.any():
            return bridged
        found = found.keep(~np.isin(found.cells, found.cells[spoiled]))
    return navmesh


def _checked(navmesh: NavMesh, distance: float, scene: Scene | None) -> float:
    """Return the distance as a number, if it and the others are what they must be."""
    if not isinstance(navmesh, NavMesh):
        raise SettingsError(f"navmesh is {navmesh!r}; it must be a walkmesh.NavMesh")
    if navmesh.surface:
        raise SettingsError(
            "navmesh is one of a surface; only gaps in ground as seen from above are bridged"
        )
    if not isinstance(scene, Scene | None):
        raise SettingsError(f"scene is {scene!r}; it must be a walkmesh.Scene")
    number = read_length("distance", distance, maximum=_WIDEST)
    if scene is not None and scene.up != navmesh.up:
        raise SettingsError(f"the scene's up is {scene.up}, that of the navmesh {navmesh.up}")
    return number


def _obstacles(navmesh: NavMesh, scene: Scene | None) -> Obstacles | None:
    """Return a scene in the navmesh's frame."""
    if scene is None:
        return None
    vertices, faces = compact(scene.vertices, scene.faces)
    points = navmesh.frame.to_plan(vertices)
    return Obstacles(points, faces, BoxTree.over(points, faces), navmesh.agent.radius)


def _not_over_ground(navmesh: NavMesh, found: Bridges) -> Bridges:
    """Leave out bridges over or under other ground that is closer than the agent is high."""
    count = len(found)
    if count == 0:
        return found
    points = np.concatenate([plan_points(navmesh), found.corners.reshape(-1, 3)])
    new = np.arange(len(navmesh.vertices), len(points), dtype=np.int32).reshape(-1, 3)
    triangles = np.concatenate([navmesh.triangles, new])
    # Of two triangles of the ground it does not matter whether they lie over each other.
    owners = np.concatenate([np.zeros(len(navmesh.triangles)), 1 + np.arange(count)])
    pairs = overlapping_pairs(
        points, triangles, owners.astype(np.int32), navmesh.agent.height, TOUCHING
    )
    over = np.zeros(int(found.cells.max()) + 1, dtype=bool)
    over[found.cells[pairs[pairs > 0] - 1]] = True
    return found.keep(~over[found.cells])


def _with_bridges(
    navmesh: NavMesh, boundary: Indices, found: Bridges, report: Report | None
) -> tuple[NavMesh, Ids]:
    """Add bridges to a navmesh, whose boundary edges start at corners (b,).

    Returns
    -------
    NavMesh
    (t, 3) int32
        The vertices of it that the bridges have; -1 for those that no polygon needs.
    """
    vertices = _vertices(navmesh, boundary, found)
    # New vertices become corners of the polygons whose edges they lie on, in the order along them.
    at = boundary[vertices.edges]
    old = len(navmesh.vertices)
    rings = np.insert(navmesh.polygon_vertices, at + 1, old + np.arange(len(at)))
    added = np.bincount(corner_polygons(navmesh)[at], minlength=navmesh.polygon_count)
    offsets = offsets_of(np.diff(navmesh.polygon_offsets) + added)
    mesh = TriangleMesh(vertices.points, vertices.triangles, navmesh.frame)
    new_offsets, new_rings = merge_triangles(mesh, LEVEL)
    # Bridges are of the same kind as the ground at one of their corners.
    kinds = np.zeros(len(vertices.points), dtype=np.uint8)
    kinds[vertices.triangles] = navmesh.areas[corner_polygons(navmesh)[boundary[found.edges]]]
    triangles, owners = None, None
    if detail_of(navmesh) is not None or not _are_flat(navmesh, added > 0):
        laid = np.empty((len(new_rings) - 2 * (len(new_offsets) - 1), 3), dtype=np.int32)
        triangulate_convex(vertices.points, new_offsets, new_rings, laid)
        triangles = np.concatenate([vertices.renamed[navmesh.triangles], laid])
        numbers = navmesh.polygon_count + np.arange(len(new_offsets) - 1)
        laid_on = np.repeat(numbers, np.diff(new_offsets) - 2)
        owners = np.concatenate([navmesh.triangle_polygons, laid_on])
        # Corners in a line make triangles without area, of which detail must have none.
        solid = has_width(vertices.points[triangles].reshape(-1, 9))
        triangles, owners = triangles[solid], owners[solid]
    positions = np.concatenate([navmesh.vertices, navmesh.frame.to_world(vertices.points[old:])])
    corners = np.concatenate([vertices.renamed[rings], new_rings])
    offsets = np.concatenate([offsets, offsets[-1] + new_offsets[1:]]).astype(np.int32)
    offsets, corners = share_vertices(vertices.points, offsets, corners)
    used = np.concatenate([corners, corners[:0] if triangles is None else triangles.ravel()])
    numbers = np.full(len(positions), -1, dtype=np.int32)
    before = used
    positions, used = compact(positions, used)
    numbers[before] = used
    bridged = NavMesh(
        positions,
        offsets,
        used[: len(corners)],
        areas=np.concatenate([navmesh.areas, kinds[new_rings[new_offsets[:-1]]]]),
        links=navmesh.links,
        triangles=None if triangles is None else used[len(corners) :].reshape(-1, 3),
        triangle_polygons=owners,
        agent=navmesh.agent,
        up=navmesh.up,
        report=report,
    )
    return bridged, np.asarray(numbers[vertices.triangles])


def _report(navmesh: NavMesh, widest: float, left_out: int) -> Report | None:
    """Return the report with the widest gap of the scene that is bridged now.

    The boundary keeps the agent's radius from both sides of a gap.
    """
    report = navmesh.report
    if report is None:
        return None
    before = float(report.settings.get("bridge_distance", 0.0))
    of_scene = max(before, widest - 2.0 * navmesh.agent.radius)
    notes = report.notes
    if left_out:
        notes = (*notes, f"{left_out} bridges left out: they did not pass validation")
    return replace(report, settings=report.settings | {"bridge_distance": of_scene}, notes=notes)


class _Vertices(NamedTuple):
    """The vertices of a navmesh and its bridges."""

    points: Floats  # (n + k, 3): those of the navmesh, then new ones, in the plan frame [m]
    edges: Ids  # (k,): the boundary edge that each new one lies on; ascending, and along them
    renamed: Ids  # (n + k,): the vertex that stands for each
    triangles: Ids  # (t, 3): the vertices of the bridges


def _vertices(navmesh: NavMesh, boundary: Indices, found: Bridges) -> _Vertices:
    """Find the vertices that bridges share with the boundary, and make those that it lacks."""
    starts, ends = navmesh.polygon_vertices[boundary], edge_ends(navmesh)[boundary]
    names = name_corners(found, starts, ends, len(navmesh.vertices))
    a, b = plan_points(navmesh)[starts[names.edges]], plan_points(navmesh)[ends[names.edges]]
    points = np.concatenate([plan_points(navmesh), a + names.shares[:, None] * (b - a)])
    # Several vertices at one place become the first of them; those of the navmesh come first.
    same = np.abs(points[names.corners, 2] - points[names.firsts, 2]) <= SAME_HEIGHT
    renamed = names.unified(len(points), same)
    return _Vertices(points, names.edges, renamed, renamed[names.corners])


def _are_flat(navmesh: NavMesh, chosen: Bools) -> bool:
    """Tell whether the corners of each of the chosen polygons (p,) lie in a plane."""
    of_chosen = chosen[corner_polygons(navmesh)]
    corners = plan_points(navmesh)[navmesh.polygon_vertices[of_chosen]]
    if len(corners) == 0:
        return True
    sizes = np.diff(navmesh.polygon_offsets)[chosen]
    planes = np.repeat(fit_planes(offsets_of(sizes), corners), sizes, axis=0)
    off = corners[:, 2] - (corners[:, :2] * planes[:, :2]).sum(axis=1) - planes[:, 2]
    return bool(np.abs(off).max() <= ONE_PLANE)


def unsound_bridges(navmesh: NavMesh, bridged: NavMesh, triangles: Ids, polygons: Ids) -> Bools:
    """Tell which bridges to leave out for a navmesh to be as sound as it was without them.

    Bridges share vertices with the ground at places that are equal on a grid of 0.01 mm. Ground
    that is narrower than that, as scenes of needles have it, can come to touch itself.

    Parameters
    ----------
    navmesh, bridged : NavMesh
        Before, and with the polygons of bridges at the end. What is wrong in both is not the fault
        of the bridges.
    triangles : (t, 3) int32
        The vertices of `bridged` that the bridges have; -1 for those that no polygon needs.
    polygons : (t, 3) int32
        The polygons of `navmesh` that the corners of the bridges lie on.

    Returns
    -------
    (t,) bool
        At least one if anything is wrong, so that leaving out comes to an end.
    """
    wrong = bridged.validate()
    if wrong:
        before = {(v.kind, v.polygon, v.other) for v in navmesh.validate()}
        wrong = [v for v in wrong if (v.kind, v.polygon, v.other) not in before]
    if not wrong:
        return np.zeros(len(triangles), dtype=bool)
    bad = np.zeros(bridged.polygon_count, dtype=bool)
    bad[[p for v in wrong for p in (v.polygon, v.other) if p is not None]] = True
    corners = np.zeros(len(bridged.vertices) + 1, dtype=bool)
    corners[bridged.polygon_vertices[bad[corner_polygons(bridged)]]] = True
    corners[-1] = True
    # The triangles that a bridge was merged from have all their corners among its own. Ground that
    # is wrong loses the bridges beside it.
    for chosen in (
        corners[triangles].all(axis=1) | bad[polygons].any(axis=1),
        corners[triangles].any(axis=1),
    ):
        if chosen.any():
            return np.asarray(chosen)
    return np.ones(len(triangles), dtype=bool)
