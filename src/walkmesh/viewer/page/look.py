"""What a document looks like: from a navmesh and what is to be seen of it to coloured things."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from walkmesh.builder import TriangleMesh
from walkmesh.frame import Frame
from walkmesh.links.kind import LinkKind
from walkmesh.navmesh import NavMesh
from walkmesh.topology import plan_points
from walkmesh.viewer.ink import COMPONENT_COLORS, INK, PATH_COLOR, component_colors, segments_of
from walkmesh.viewer.links import LINK_COLORS
from walkmesh.viewer.page.edges import edges_of
from walkmesh.viewer.page.section import cut_faces, cut_lines
from walkmesh.viewer.page.sheets import lifted_triangles, polygon_edges, triangle_edges
from walkmesh.viewer.page.things import ColoredTriangles, Dots, Lines, Thing, cylinder, rgb
from walkmesh.viewer.verdict import DOUBLED_COLOR, MISSED_COLOR, WRONG_COLOR

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.scene import Scene
    from walkmesh.viewer.page.choices import Choices
    from walkmesh.viewer.page.document import Document, StageMesh
    from walkmesh.viewer.page.page_frame import PageFrame
    from walkmesh.viewer.page.route import Route
    from walkmesh.viewer.page.section import Section

Made = TypeVar("Made")

SCENE_COLOR = "#D2D5DA"
SHARED_COLOR = "#FFFFFF"
OPEN_COLOR = "#E69F00"
BLOCKED_COLOR = INK
INNER_WALL_COLOR = "#CC79A7"
UNKNOWN_COLOR = "#8C510A"
EDGE_COLORS = {
    "shared": SHARED_COLOR,
    "open": OPEN_COLOR,
    "blocked": BLOCKED_COLOR,
    "inner_wall": INNER_WALL_COLOR,
    "boundary": UNKNOWN_COLOR,
}
"""By what is beyond an edge: ground, a ledge, a wall, a wall from behind, or who knows."""

START_COLOR = "#009E73"
VERDICT_COLORS = {"missed": MISSED_COLOR, "wrong": WRONG_COLOR, "doubled": DOUBLED_COLOR}

HEIGHT_BANDS = 16
"""How many colours tell heights apart."""

MOST_EDGES = 300_000
"""With more edges of a kind, that kind is not drawn: they would cover the ground."""

# Layers of the page: the scene is the lowest.
_FACES, _EDGES, _MARKS, _ROUTE = 1, 2, 3, 4
# How wide the dots are that stand for samples of an evaluation. [m]
_DOT = 0.08
# Links are arcs whose middle is this share of their length above the straight line.
_ARC = 0.15
_ARC_PIECES = 6


@dataclass
class PageLook:
    """Makes the things that a page shows, and keeps those that did not change.

    A thing that is the same object as before need not be sent to the browser again.
    """

    notes: list[str] = field(default_factory=list)
    """What of the last things is not shown, in words."""

    _kept: dict[str, tuple[tuple[Any, ...], Any]] = field(default_factory=dict)

    def things(self, document: Document, choices: Choices, route: Route) -> dict[str, Thing]:
        """Return what is to be seen, by the names of nodes in the page's tree."""
        frame, section = document.page_frame, choices.section
        self.notes = []
        things: dict[str, Thing] = {}
        if document.scene is not None and choices.shown != "Navmesh":
            things["/scene"] = self._scene(document, choices)
        if choices.shown != "Scene":
            mesh: StageMesh | None = document.navmesh
            if choices.stage is not None:
                mesh = document.stages[choices.stage][1]
            if isinstance(mesh, NavMesh):
                things |= self._navmesh(mesh, document, choices)
            elif isinstance(mesh, TriangleMesh):
                things |= self._stage(mesh, document, choices)
        if document.evaluation is not None and choices.verdict:
            things |= self._keep(
                "verdict",
                (document.evaluation, frame, section),
                lambda: _verdict_dots(document, frame, section),
            )
        things |= self._keep("route", (route, frame), lambda: route_things(route, frame))
        return {name: thing for name, thing in things.items() if not thing.empty}

    def _keep(self, name: str, key: tuple[Any, ...], make: Callable[[], Made]) -> Made:
        """Return what was made under a name, made anew only if the key is another one."""
        if name not in self._kept or self._kept[name][0] != key:
            self._kept[name] = (key, make())
        made: Made = self._kept[name][1]
        return made

    def _scene(self, document: Document, choices: Choices) -> ColoredTriangles:
        scene, frame, section = document.scene, document.page_frame, choices.section
        assert scene is not None

        def make() -> ColoredTriangles:
            points, faces, _ = cut_faces(frame.frame.to_plan(scene.vertices), scene.faces, section)
            return ColoredTriangles(frame.from_plan(points), faces, rgb(SCENE_COLOR))

        surface = self._keep("scene", (scene, frame, section), make)
        return replace(surface, opacity=choices.scene_opacity)

    def _navmesh(self, navmesh: NavMesh, document: Document, choices: Choices) -> dict[str, Thing]:
        frame, section, scene = document.page_frame, choices.section, document.scene
        things: dict[str, Thing] = {}
        faces = self._keep(
            "faces",
            (navmesh, frame, section, choices.color_by),
            lambda: _colored_faces(navmesh, frame, section, choices.color_by),
        )
        for name, surface in faces.items():
            things[name] = replace(surface, opacity=choices.navmesh_opacity)
        if choices.edges:
            edges = self._keep(
                "edges", (navmesh, scene, frame), lambda: _navmesh_edges(navmesh, scene, frame)
            )
            layer = 0 if navmesh.surface else _EDGES
            things |= self._keep(
                "edge lines",
                (navmesh, scene, frame, section),
                lambda: _edge_lines(edges, frame, section, layer),
            )
            self._note_edges(edges)
        if choices.links:
            things |= self._keep(
                "links",
                (navmesh, frame, section),
                lambda: _link_lines(navmesh, frame, section),
            )
        return things

    def _stage(self, mesh: TriangleMesh, document: Document, choices: Choices) -> dict[str, Thing]:
        frame, section = document.page_frame, choices.section
        # Stages are those of the navmesh, and lie at any angle if that does.
        surface = document.navmesh is not None and document.navmesh.surface
        plan = self._keep("stage plan", (mesh, frame), lambda: frame.frame.to_plan(mesh.vertices))

        def make() -> ColoredTriangles:
            points, triangles, layer = _lifted(plan, mesh.triangles, frame, surface)
            points, faces, _ = cut_faces(points, triangles, section)
            shown = frame.from_plan(points, layer=layer)
            return ColoredTriangles(
                shown, faces, rgb(COMPONENT_COLORS[0]), layer=layer, one_sided=surface
            )

        shape = self._keep("stage", (mesh, frame, section, surface), make)
        things: dict[str, Thing] = {"/stage": replace(shape, opacity=choices.navmesh_opacity)}
        if choices.edges:
            height = frame.height_of(_EDGES) if surface else 0.0
            edges = self._keep(
                "stage edges",
                (mesh, frame, surface),
                lambda: triangle_edges(plan, mesh.triangles, mesh.edge_kinds, height),
            )
            things |= self._keep(
                "stage edge lines",
                (mesh, frame, section, surface),
                lambda: _edge_lines(edges, frame, section, 0 if surface else _EDGES),
            )
            self._note_edges(edges)
        return things

    def _note_edges(self, edges: dict[str, Floats]) -> None:
        for kind, segments in edges.items():
            if len(segments) > MOST_EDGES:
                self.notes.append(f"{len(segments):,} {kind} edges are too many to be shown")


def route_things(route: Route, frame: PageFrame) -> dict[str, Thing]:
    """Return the agent where it starts and where it goes, and the path between."""
    things: dict[str, Thing] = {}
    body, faces = cylinder(route.radius, route.height)
    for name, place, up, color in (
        ("start", route.start, route.start_up, START_COLOR),
        ("goal", route.goal, route.goal_up, PATH_COLOR),
    ):
        if place is None:
            continue
        if up is None:
            points = frame.from_plan(frame.frame.to_plan(place) + body, layer=_MARKS)
        else:
            x, y, z = up.tolist()
            raised = body + (0.0, 0.0, frame.height_of(_MARKS))
            points = frame.to_page(place + raised @ Frame((x, y, z)).axes)
        things[f"/route/{name}"] = ColoredTriangles(points, faces, rgb(color), 0.55)
    if route.path is not None and len(route.path.points) > 1:
        if route.lifts is None:
            points = frame.to_page(route.path.points, layer=_ROUTE)
        else:
            points = frame.to_page(route.path.points + frame.height_of(_ROUTE) * route.lifts)
        things["/route/path"] = Lines(segments_of(points), rgb(PATH_COLOR), 6.0)
    return things


def triangle_colors(navmesh: NavMesh, color_by: str) -> NDArray[np.uint8]:
    """Return (t, 3) colours of the triangles of a navmesh, from 0 to 255."""
    if color_by == "component":
        colors = component_colors(navmesh)[:, :3]
    elif color_by == "area":
        palette = np.array([rgb(color) for color in COMPONENT_COLORS]) / 255.0
        colors = palette[navmesh.areas[navmesh.triangle_polygons] % len(palette)]
    else:
        from matplotlib import colormaps

        heights = plan_points(navmesh)[navmesh.triangles][:, :, 2].mean(axis=1)
        low, high = heights.min(initial=np.inf), heights.max(initial=-np.inf)
        share = (heights - low) / max(float(high - low), 1e-9)
        band = np.minimum((share * HEIGHT_BANDS).astype(np.intp), HEIGHT_BANDS - 1)
        colors = colormaps["viridis"]((band + 0.5) / HEIGHT_BANDS)[:, :3]
    return np.round(colors * 255.0).astype(np.uint8)


def _colored_faces(
    navmesh: NavMesh, frame: PageFrame, section: Section, color_by: str
) -> dict[str, ColoredTriangles]:
    """Return a surface for every colour that triangles have."""
    plan = frame.frame.to_plan(navmesh.vertices)
    plan, triangles, layer = _lifted(plan, navmesh.triangles, frame, navmesh.surface)
    points, faces, sources = cut_faces(plan, triangles, section)
    colors = triangle_colors(navmesh, color_by)[sources]
    palette, choice = np.unique(colors, axis=0, return_inverse=True)
    shown = frame.from_plan(points, layer=layer)
    surfaces = {}
    for index, (red, green, blue) in enumerate(palette.tolist()):
        used, local = np.unique(faces[choice.ravel() == index], return_inverse=True)
        color = red, green, blue
        surfaces[f"/navmesh/faces/{index}"] = ColoredTriangles(
            shown[used], local.reshape(-1, 3), color, layer=layer, one_sided=navmesh.surface
        )
    return surfaces


def _lifted(
    plan: Floats, triangles: Ids, frame: PageFrame, surface: bool
) -> tuple[Floats, Ids, int]:
    """Return plan points and triangles, and by how many layers they are still to be lifted.

    Those of a surface are lifted here, along their own normals.
    """
    if surface:
        return *lifted_triangles(plan, triangles, frame.height_of(_FACES)), 0
    return plan, triangles, _FACES


def _navmesh_edges(navmesh: NavMesh, scene: Scene | None, frame: PageFrame) -> dict[str, Floats]:
    """Return edges by their kind in the plan frame; those of a surface are lifted already."""
    if navmesh.surface:
        plan = frame.frame.to_plan(navmesh.vertices)
        return polygon_edges(navmesh, plan, frame.height_of(_EDGES))
    return edges_of(navmesh, scene, frame.frame)._asdict()


def _edge_lines(
    edges: dict[str, Floats], frame: PageFrame, section: Section, layer: int
) -> dict[str, Thing]:
    things: dict[str, Thing] = {}
    for kind, segments in edges.items():
        if len(segments) > MOST_EDGES:
            continue
        shown, _ = cut_lines(segments, section)
        width = 1.0 if kind == "shared" else 2.5
        things[f"/navmesh/edges/{kind}"] = Lines(
            frame.from_plan(shown, layer=layer), rgb(EDGE_COLORS[kind]), width
        )
    return things


def _link_lines(navmesh: NavMesh, frame: PageFrame, section: Section) -> dict[str, Thing]:
    """Return links as arcs, with a head where they may be left."""
    things: dict[str, Thing] = {}
    links = navmesh.links
    starts, goals = (frame.frame.to_plan(links[end]) for end in ("start", "goal"))
    middles = (starts + goals)[:, 2] / 2.0
    inside = (middles >= section.low) & (middles <= section.high)
    known = np.minimum(links["kind"], len(LinkKind))
    for kind in (*LinkKind, len(LinkKind)):
        chosen = inside & (known == kind)
        if not chosen.any():
            continue
        arcs = _arcs(starts[chosen], goals[chosen], frame.scale)
        heads = [_heads(arcs[:, -2], arcs[:, -1])]
        both = links["two_way"][chosen]
        heads.append(_heads(arcs[both, 1], arcs[both, 0]))
        pieces = np.stack([arcs[:, :-1], arcs[:, 1:]], axis=2).reshape(-1, 2, 3)
        segments = np.concatenate([pieces, *heads])
        color = LINK_COLORS[LinkKind(kind) if kind < len(LinkKind) else LinkKind.CUSTOM]
        things[f"/navmesh/links/{kind}"] = Lines(
            frame.from_plan(segments, layer=_MARKS), rgb(color), 2.0
        )
    return things


def _arcs(starts: Floats, goals: Floats, scale: float) -> Floats:
    """Return (n, k, 3) points along arcs over links, at least a layer above the ground."""
    share = np.linspace(0.0, 1.0, _ARC_PIECES + 1)[None, :, None]
    arcs: Floats = starts[:, None] * (1.0 - share) + goals[:, None] * share
    rise = np.maximum(_ARC * np.linalg.norm(goals - starts, axis=1), 0.02 / scale)
    arcs[:, :, 2] += rise[:, None] * (4.0 * share * (1.0 - share))[:, :, 0]
    return arcs


def _heads(before: Floats, tips: Floats) -> Floats:
    """Return the (2 n, 2, 3) lines of arrow heads at (n, 3) tips."""
    back = before - tips
    aside = np.column_stack([-back[:, 1], back[:, 0], np.zeros(len(back))])
    barbs = [tips + 0.8 * back + side * 0.35 * aside for side in (-1.0, 1.0)]
    return np.concatenate([np.stack([tips, barb], axis=1) for barb in barbs])


def _verdict_dots(document: Document, frame: PageFrame, section: Section) -> dict[str, Thing]:
    assert document.evaluation is not None
    things: dict[str, Thing] = {}
    for name, color in VERDICT_COLORS.items():
        points = frame.frame.to_plan(np.asarray(getattr(document.evaluation, name)).reshape(-1, 3))
        inside = (points[:, 2] >= section.low) & (points[:, 2] <= section.high)
        things[f"/verdict/{name}"] = Dots(
            frame.from_plan(points[inside], layer=_MARKS), rgb(color), _DOT * frame.scale
        )
    return things
