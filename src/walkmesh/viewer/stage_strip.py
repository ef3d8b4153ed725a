"""The stages of a build, side by side: what each keeps of the ground, takes away and adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.build import defaults, stages
from walkmesh.frame import Frame
from walkmesh.navmesh import NavMesh
from walkmesh.viewer.ink import COMPONENT_COLORS, INK, polygon_edges
from walkmesh.viewer.links import DrawnLinks
from walkmesh.viewer.oblique import (
    EDGE_LIFT,
    covered,
    draw_strokes,
    frame_view,
    link_lift,
    piece_length,
    shaded,
    view_box,
)
from walkmesh.viewer.painter import Camera, Strokes, cut_triangles
from walkmesh.viewer.plan import MANY_TRIANGLES, blank_axes, steep
from walkmesh.viewer.sheet import EDGE, POINTS_PER_INCH, WIDTH, Page
from walkmesh.viewer.subject import scene_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.build import Method
    from walkmesh.build.mesh import TriangleMesh
    from walkmesh.building import Building
    from walkmesh.floor_plan import FloorPlan
    from walkmesh.scene import Scene
    from walkmesh.viewer.figure import Picture

# Okabe and Ito's colours, of which the one for what is gone is mixed with white.
KEPT_COLOR = COMPONENT_COLORS[0]
ADDED_COLOR = "#009E73"
GONE_COLOR = "#F2C4A0"
WALL_COLOR = (0.55, 0.58, 0.62, 0.10)

# Ground that a stage moves by less than this is kept. [Unit: m]
KEPT_WITHIN = 0.05

# Pieces are longer in stages with more of them than this: a large platform has thousands of slivers
# as long as its decks, and millions of pieces would take minutes.
MOST_PIECES = 150_000

# Edges with ends closer than this in plan are one. [Unit: m]
SAME_PLACE = 1e-4

# A triangle of which less than this part is seen from above is upright.
UPRIGHT = 0.02

# Heights of the legend and of a stage's name. [Unit: inches]
HEADER, NAME = 0.5, 0.5


def plot_stages(
    scene: Scene | FloorPlan | Building, agent: Agent | None = None, method: Method | None = None
) -> Figure:
    """Draw every stage of a build, in order, each with its name and its number of triangles.

    Ground that a stage kept of the one before is blue, what it added is green, and what it took
    away is pale. Boundaries are dark; the walls of the scene are light grey.

    Parameters
    ----------
    scene : Scene, FloorPlan or Building
        The triangles, or the outlines.
    agent : Agent, optional
        Who is going to walk; by default a person.
    method : Exact, Voxel, Surface or Planar, optional
        How to build; by default ``Exact()``, or ``Planar()`` for a plan.

    Returns
    -------
    matplotlib.figure.Figure
        A notebook shows it, and ``savefig`` writes it to a file.

    Raises
    ------
    BuildError
        When there is nothing to walk on.

    Examples
    --------
    >>> import walkmesh as wm
    >>> figure = wm.plot_stages(wm.samples.floor(), method=wm.Voxel())
    >>> [axes.get_label() for axes in figure.axes]
    ['heightfield', 'distance', 'regions', 'contours', 'polygons']
    """
    agent, method = defaults(scene, agent, method)
    strip = StageStrip(scene, agent, method)
    for name, mesh in stages(scene, agent, method):
        strip.add(name, mesh)
    return strip.figure


class StageStrip:
    """A page of stages that is drawn as they come, because a build keeps none of them.

    Attributes
    ----------
    figure : matplotlib.figure.Figure
        With the stages that were added.
    """

    figure: Picture

    def __init__(self, shown: Scene | FloorPlan | Building, agent: Agent, method: Method) -> None:
        scene = scene_of(shown, agent, getattr(method, "up", "z"))
        self._scene = scene
        self._max_step = agent.max_step
        self._camera = Camera.looking_down()
        # Not that of the scene, which has its origin there: those of navmeshes have the world's.
        faces = Frame(scene.up).to_plan(scene.vertices)[scene.faces]
        self._longest = piece_length(faces.reshape(-1, 3))
        self._box = view_box(self._camera, faces.reshape(-1, 3))
        walls = faces[steep(faces)]
        colors = np.tile(WALL_COLOR, (len(walls), 1))
        self._walls = Strokes.surface(walls, colors, 0.0, self._longest)
        self._page = Page.holding(
            len(method.stage_names), self._box[1] - self._box[0], header=HEADER, name=NAME,
            least_width=WIDTH / 2.0,
        )  # fmt: skip
        self.figure = self._page.figure()
        self._before: NavMesh | None = None
        _draw_legend(self.figure, self._page)

    def add(self, name: str, mesh: TriangleMesh | NavMesh) -> None:
        """Draw the next stage."""
        ground = _loose(self._scene, mesh)
        axes = blank_axes(self.figure, self._page.place(len(self.figure.axes)))
        axes.set_label(name)
        layers = [self._walls, *self._ground(ground), *self._edges(ground, mesh)]
        if isinstance(mesh, NavMesh):
            point = 1.0 / (self._page.scale * POINTS_PER_INCH)
            lift = link_lift(self._longest, mesh.agent)
            layers += DrawnLinks.of(mesh).strokes(self._camera, point, lift, self._longest)
        draw_strokes(axes, self._camera, layers)
        frame_view(axes, self._box)
        _name_stage(axes, len(self.figure.axes), name, mesh)
        self._before = ground

    def _ground(self, ground: NavMesh) -> list[Strokes]:
        """Return what was kept and added, and behind it what is gone."""
        from matplotlib.colors import to_rgba

        pieces, sources = _cut(_corners(ground), self._longest)
        colors = np.tile(to_rgba(KEPT_COLOR), (len(pieces), 1))
        gone: Floats = np.empty((0, 3, 3))
        if self._before is not None:
            added = ~covered(self._before, pieces, KEPT_WITHIN).all(axis=1)
            colors[added] = to_rgba(ADDED_COLOR)
            gone, _ = _cut(_corners(self._before), self._longest)
            gone = gone[~covered(ground, gone, KEPT_WITHIN).all(axis=1)]
        camera = self._camera if ground.surface else None
        colors = shaded(colors, _corners(ground)[sources], camera)
        gone_colors = np.tile(to_rgba(GONE_COLOR), (len(gone), 1))
        return [
            Strokes.surface(gone, gone_colors, -self._longest, np.inf),
            Strokes.surface(pieces, colors, 0.0, np.inf),
        ]

    def _edges(self, ground: NavMesh, mesh: TriangleMesh | NavMesh) -> list[Strokes]:
        """Return edges between polygons, or triangles unless they are many, and the boundary."""
        from matplotlib.colors import to_rgba

        if isinstance(mesh, NavMesh):
            inner, boundary = polygon_edges(mesh)
        else:
            step = None if ground.surface else self._max_step
            inner, boundary = edges_of(_corners(ground), step)
            if len(ground.triangles) > MANY_TRIANGLES:
                inner = inner[:0]
        lift = EDGE_LIFT * self._longest
        return [
            Strokes.lines(inner, to_rgba("white", 0.7), 0.3, lift, self._longest),
            Strokes.lines(boundary, to_rgba(INK), 0.6, lift, self._longest),
        ]


def edges_of(triangles: Floats, max_step: float | None) -> tuple[Floats, Floats]:
    """Return edges of triangles that are at the same place as one of another, and the others.

    Triangles of early stages share no vertices, and treads of stairs share edges at two heights.

    Parameters
    ----------
    triangles : (t, 3, 3) float64
        In plan coordinates. [Unit: m]
    max_step : float or None
        How far apart in height two edges at the same place in plan may be; None if the same place
        is one in space, as for triangles at any angle. [Unit: m]

    Returns
    -------
    inner, boundary : (n, 2, 3) float64
        Inner ones are there once, at the lower of two heights. [Unit: m]
    """
    edges = np.stack([triangles, triangles[:, [1, 2, 0]]], axis=2).reshape(-1, 2, 3)
    places = np.round(edges[:, :, : 2 if max_step is not None else 3] / SAME_PLACE)
    # The coordinate in which the ends first differ tells which way an edge runs.
    rise = places[:, 1] - places[:, 0]
    forward = np.take_along_axis(rise, (rise != 0.0).argmax(axis=1)[:, None], axis=1)[:, 0] > 0.0
    places[~forward] = places[~forward, ::-1]
    heights = edges[:, :, 2].mean(axis=1)
    keys = places.reshape(len(places), -1)
    order = np.lexsort((heights, *keys.T))
    # Of all edges at one place in plan, each can belong to the one below or above it.
    below, above = order[:-1], order[1:]
    together = (
        (keys[below] == keys[above]).all(axis=1)
        & (forward[below] != forward[above])
        & (heights[above] - heights[below] <= (np.inf if max_step is None else max_step))
    )
    alone = np.ones(len(edges), dtype=np.bool_)
    alone[below[together]] = False
    alone[above[together]] = False
    return edges[below[together]], edges[alone]


def _loose(scene: Scene, mesh: TriangleMesh | NavMesh) -> NavMesh:
    """Return the triangles of a stage as a navmesh of sorts, which can be asked what is near.

    It is one of a surface if any of its ground does not face up, which no other method keeps.
    """
    count = len(mesh.triangles)
    corners = np.ascontiguousarray(mesh.triangles.reshape(-1))
    neighbors = np.full(len(corners), -1)
    offsets = np.arange(0, 3 * count + 1, 3)
    triangles = Frame(scene.up).to_plan(mesh.vertices)[mesh.triangles]
    return NavMesh(
        mesh.vertices, offsets, corners, neighbors=neighbors, up=scene.up,
        surface=_at_any_angle(triangles),
    )  # fmt: skip


def _at_any_angle(triangles: Floats) -> bool:
    """Tell whether more than a hundredth of (n, 3, 3) triangles is upright or faces down."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    return bool(areas[normals[:, 2] < UPRIGHT * areas].sum() > 0.01 * areas.sum())


def _cut(triangles: Floats, longest: float) -> tuple[Floats, NDArray[np.intp]]:
    """Cut triangles as :func:`cut_triangles` does, but into fewer pieces if those are too many."""
    sides = np.linalg.norm(triangles[:, [1, 2, 0]] - triangles, axis=2).max(axis=1)
    crosses = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    heights = np.linalg.norm(crosses, axis=1) / np.maximum(sides, np.finfo(float).tiny)
    while longest < sides.max(initial=0.0):
        if (np.ceil(2.0 * sides / longest) * np.ceil(heights / longest)).sum() <= MOST_PIECES:
            break
        longest *= 1.5
    return cut_triangles(triangles, longest)


def _corners(ground: NavMesh) -> Floats:
    return ground.plan_points[ground.triangles]


def _name_stage(axes: Axes, number: int, name: str, mesh: TriangleMesh | NavMesh) -> None:
    counts = f"{len(mesh.triangles):,} triangles"
    if isinstance(mesh, NavMesh):
        counts = f"{mesh.polygon_count:,}, in {counts}"  # the stage's name says of what
    for text, over, size, weight in (
        (f"{number}  {name}", 15, 11, "bold"),
        (counts, 3, 9, "normal"),
    ):
        axes.annotate(
            text, (0.0, 1.0), (0.0, over), xycoords="axes fraction", textcoords="offset points",
            fontsize=size, weight=weight, color=INK,
        )  # fmt: skip


def _draw_legend(figure: Figure, page: Page) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    figure.legend(
        handles=[
            Patch(facecolor=KEPT_COLOR, label="ground"),
            Patch(facecolor=ADDED_COLOR, label="added by the stage"),
            Patch(facecolor=GONE_COLOR, label="taken away by it"),
            Line2D([], [], color=INK, lw=1.0, label="boundary"),
        ],
        loc="upper left", bbox_to_anchor=(EDGE / page.width, 1.0 - EDGE / page.height), ncols=4,
        frameon=False, fontsize=10, labelcolor=INK, borderpad=0.0, borderaxespad=0.0,
        handlelength=1.4, handletextpad=0.5, columnspacing=1.6,
    )  # fmt: skip
