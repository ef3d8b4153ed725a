"""What a picture of a navmesh shows, checked and in plan coordinates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.arguments import read_flag
from walkmesh.building import Building
from walkmesh.errors import SettingsError
from walkmesh.floor_plan import FloorPlan
from walkmesh.frame import up_name
from walkmesh.navmesh import NavMesh
from walkmesh.query.arguments import query_points
from walkmesh.query.path import Path
from walkmesh.scene import Scene
from walkmesh.topology import corner_polygons, plan_points
from walkmesh.viewer.cutaway import cut_away
from walkmesh.viewer.ink import component_colors, polygon_edges
from walkmesh.viewer.levels import facing_up, level_heights
from walkmesh.viewer.links import DrawnLinks
from walkmesh.viewer.plan import MANY_TRIANGLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.viewer.painter import Camera

# Plans show walls that stand this much further out than the agent's radius from the navmesh: those
# around its rooms, with their thickness. [Unit: m]
WALLS_WITHIN = 0.4

# Surfaces are cut into pieces of the extent divided by this, or smaller ones.
PIECES_ACROSS = 56


@dataclass(frozen=True)
class Subject:
    """What a picture shows; positions are in plan coordinates.

    Attributes
    ----------
    navmesh : NavMesh
    triangles : (t, 3, 3) float64
        Its ground. [Unit: m]
    colors : (t, 4) float64
        By component.
    inner, boundary : (n, 2, 3) float64
        Edges between polygons and at the boundary, none if they are not to be drawn. [Unit: m]
    links : DrawnLinks
    faces : (f, 3, 3) float64
        Those of the scene, none without one. [Unit: m]
    routes : list of (k, 3) float64
        Paths with at least one point. [Unit: m]
    levels : (l,) float64
        Heights of the levels, ascending. [Unit: m]
    """

    navmesh: NavMesh
    triangles: Floats
    colors: Floats
    inner: Floats
    boundary: Floats
    links: DrawnLinks
    faces: Floats
    routes: list[Floats]
    levels: Floats

    @classmethod
    def of(
        cls,
        navmesh: NavMesh,
        scene: Scene | FloorPlan | Building | None,
        paths: Sequence[ArrayLike | Path],
        edges: bool | None,
    ) -> Subject:
        """Look at a navmesh; the arguments are those of :meth:`NavMesh.plot`."""
        faces = np.empty((0, 3, 3))
        if scene is not None:
            scene = scene_of(scene, navmesh.agent, up_name(navmesh.up))
            _check_scene(scene, navmesh)
            faces = navmesh.frame.to_plan(scene.vertices)[scene.faces]
        triangles = plan_points(navmesh)[navmesh.triangles]
        if edges is None:
            edges = len(triangles) <= MANY_TRIANGLES
        edges = read_flag("edges", edges)
        inner, boundary = polygon_edges(navmesh) if edges else np.empty((2, 0, 2, 3))
        routes = [navmesh.frame.to_plan(points) for points in _points_of(paths) if len(points)]
        return cls(
            navmesh, triangles, component_colors(navmesh), inner, boundary, DrawnLinks.of(navmesh),
            faces, routes, level_heights(navmesh),
        )  # fmt: skip

    @property
    def surface(self) -> bool:
        """Whether its polygons lie at any angle."""
        return self.navmesh.surface

    @property
    def on_plans(self) -> NDArray[np.bool_]:
        """(t,) bool: the triangles that plans show; of a surface, those that face up."""
        if self.surface:
            return facing_up(self.triangles)
        return np.ones(len(self.triangles), dtype=np.bool_)

    def seen_edges(self, camera: Camera) -> tuple[Floats, Floats]:
        """Return the edges between polygons and at the boundary that a camera sees.

        Of a surface, they are those of a polygon that faces the camera; all of them otherwise.
        """
        navmesh = self.navmesh
        if not self.surface or len(self.inner) + len(self.boundary) == 0:
            return self.inner, self.boundary
        seen = np.zeros(navmesh.polygon_count, dtype=np.bool_)
        seen[navmesh.triangle_polygons[camera.faces(self.triangles)]] = True
        once = navmesh.neighbors > corner_polygons(navmesh)
        inner = seen[corner_polygons(navmesh)[once]] | seen[navmesh.neighbors[once]]
        outer = seen[corner_polygons(navmesh)[navmesh.neighbors < 0]]
        return self.inner[inner], self.boundary[outer]

    @property
    def plan_extent(self) -> Floats:
        """(n, 3) float64: what plans are framed by, the navmesh and the walls around it."""
        points = plan_points(self.navmesh)[self.navmesh.polygon_vertices]
        if len(points) == 0 or len(self.faces) == 0:
            return points
        reach = self.navmesh.agent.radius + WALLS_WITHIN
        corners = self.faces.reshape(-1, 3)
        low, high = points.min(axis=0), points.max(axis=0)
        lowest = np.clip(corners.min(axis=0), low - reach, low)
        highest = np.clip(corners.max(axis=0), high, high + reach)
        return np.concatenate([points, [lowest, highest]])

    @cached_property
    def faces_in_view(self) -> Floats:
        """(f, 3, 3) float64: the faces of the scene that a view at an angle shows. [Unit: m]."""
        if self.surface:
            return self.faces
        return cut_away(self.faces, self.triangles, self.navmesh.agent.height, PIECES_ACROSS)

    @property
    def extent(self) -> Floats:
        """(n, 3) float64: all that there is to see in such a view."""
        parts = (self.triangles.reshape(-1, 3), self.faces_in_view.reshape(-1, 3), *self.routes)
        return np.concatenate([*parts, self.links.ends.reshape(-1, 3)])


def scene_of(shown: Scene | FloorPlan | Building, agent: Agent, up: str) -> Scene:
    """Return what is drawn of a scene, or of a plan for an agent, where `up` says how it lies."""
    if isinstance(shown, FloorPlan | Building):
        return shown.to_scene(headroom=agent.height, up=up)
    return shown


def loose_navmesh(points: Floats, triangles: NDArray[np.integer], **settings: Any) -> NavMesh:
    """Return triangles that are not joined as a navmesh, which can be asked what is near."""
    corners = np.ascontiguousarray(triangles.reshape(-1))
    offsets = np.arange(0, len(corners) + 1, 3)
    return NavMesh(points, offsets, corners, neighbors=np.full(len(corners), -1), **settings)


def _check_scene(scene: Scene, navmesh: NavMesh) -> None:
    if not isinstance(scene, Scene):
        raise SettingsError(
            f"scene is {scene!r}; it must be a walkmesh.Scene, or a FloorPlan or Building"
        )
    if not np.allclose(navmesh.up, scene.up):
        raise SettingsError(
            f"up is {scene.up} for the scene and {navmesh.up} for the navmesh; it must be the same"
        )


def _points_of(paths: Sequence[ArrayLike | Path]) -> list[Floats]:
    if not isinstance(paths, Iterable) or (isinstance(paths, np.ndarray) and paths.ndim == 0):
        raise SettingsError(f"paths is {paths!r}; it must be a list of paths")
    return [
        path.points if isinstance(path, Path) else query_points(f"paths[{i}]", path)
        for i, path in enumerate(paths)
    ]
