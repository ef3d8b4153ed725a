"""The stages of a build, side by side: what each keeps of the ground, takes away and adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder import defaults, stages
from walkmesh.extras import require
from walkmesh.frame import Frame
from walkmesh.kernels.meshes.kinds import BLOCKED, INNER, INNER_WALL, OPEN
from walkmesh.navmesh import NavMesh
from walkmesh.tolerances import SAME_PLACE
from walkmesh.topology import plan_points
from walkmesh.triangles import area_vectors, at_any_angle
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
from walkmesh.viewer.sheet import EDGE, POINTS_PER_INCH, WIDTH, PictureLayout
from walkmesh.viewer.subject import loose_navmesh, scene_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.builder import Method, PolygonMesh, TriangleMesh
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

# Stages are drawn half as large as a picture of a navmesh, so pieces may be this much longer than
# there; and the walls of the scene, which are a hint, this much longer again.
PIECE_LENGTH, WALL_PIECES = 1.3, 2.5

# Boundaries by what is beyond, in the colours of the page: a ledge, something in the way, a wall
# seen from behind.
KIND_COLORS = {OPEN: "#D55E00", BLOCKED: INK, INNER_WALL: "#CC79A7"}
KIND_NAMES = {OPEN: "ledge", BLOCKED: "blocked", INNER_WALL: "wall from behind"}

# How far from the edge the ground is, from near to far: light to dark.
DISTANCE_COLORS = ("#E3F1FA", "#56B4E9", "#08306B")

# Heights of the legend and of a stage's name. [Unit: inches]
HEADER, NAME = 0.5, 0.5


def plot_stages(
    scene: Scene | FloorPlan | Building, agent: Agent | None = None, method: Method | None = None
) -> Figure:
    """Draw every stage of a build, in order, each with its name and its number of triangles.

    Ground that a stage kept of the one before is blue, what it added is green, and what it took
    away is pale. The distance field of the voxel method is a gradient, darkest farthest from the
    edge, and its regions have colours of their own. Boundaries are dark where something is in the
    way, orange at ledges and pink behind walls; the walls of the scene are light grey.

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
        require("matplotlib", "pictures")
        scene = scene_of(shown, agent, getattr(method, "up", "z"))
        self._scene = scene
        self._camera = Camera.looking_down()
        # Not that of the scene, which has its origin there: those of navmeshes have the world's.
        faces = Frame(scene.up).to_plan(scene.vertices)[scene.faces]
        self._longest = PIECE_LENGTH * piece_length(faces.reshape(-1, 3))
        self._box = view_box(self._camera, faces.reshape(-1, 3))
        walls = faces[steep(faces)]
        colors = np.tile(WALL_COLOR, (len(walls), 1))
        self._walls = Strokes.surface(walls, colors, 0.0, WALL_PIECES * self._longest)
        self._page = PictureLayout.holding(
            len(method.stage_names), self._box[1] - self._box[0], header=HEADER, name=NAME,
            least_width=WIDTH / 2.0,
        )  # fmt: skip
        self.figure = self._page.figure()
        self._before: NavMesh | None = None
        _draw_legend(self.figure, self._page)

    def add(self, name: str, mesh: TriangleMesh | PolygonMesh) -> None:
        """Draw the next stage."""
        ground = _loose(self._scene, mesh)
        axes = blank_axes(self.figure, self._page.place(len(self.figure.axes)))
        axes.set_label(name)
        layers = [self._walls, *self._ground(ground, mesh), *self._edges(ground, mesh)]
        if isinstance(mesh, NavMesh):
            point = 1.0 / (self._page.scale * POINTS_PER_INCH)
            lift = link_lift(self._longest, mesh.agent)
            layers += DrawnLinks.of(mesh).strokes(self._camera, point, lift, self._longest)
        draw_strokes(axes, self._camera, layers)
        frame_view(axes, self._box)
        _name_stage(axes, len(self.figure.axes), name, mesh)
        self._before = ground

    def _ground(self, ground: NavMesh, mesh: TriangleMesh | PolygonMesh) -> list[Strokes]:
        """Return what was kept and added, or what the stage found, and behind it what is gone."""
        from matplotlib.colors import to_rgba

        pieces, sources = _cut(_corners(ground), self._longest)
        colors = np.tile(to_rgba(KEPT_COLOR), (len(pieces), 1))
        gone: Floats = np.empty((0, 3, 3))
        if self._before is not None:
            added = ~covered(self._before, pieces, KEPT_WITHIN).all(axis=1)
            colors[added] = to_rgba(ADDED_COLOR)
            gone, _ = _cut(_corners(self._before), self._longest)
            gone = gone[~covered(ground, gone, KEPT_WITHIN).all(axis=1)]
        found = None if isinstance(mesh, NavMesh) else found_colors(mesh)
        if found is not None:
            colors = found[sources]
        camera = self._camera if ground.surface else None
        colors = shaded(colors, _corners(ground)[sources], camera)
        gone_colors = np.tile(to_rgba(GONE_COLOR), (len(gone), 1))
        return [
            Strokes.surface(gone, gone_colors, -self._longest, np.inf),
            Strokes.surface(pieces, colors, 0.0, np.inf),
        ]

    def _edges(self, ground: NavMesh, mesh: TriangleMesh | PolygonMesh) -> list[Strokes]:
        """Return edges between polygons, or triangles unless they are many, and boundaries."""
        from matplotlib.colors import to_rgba

        edges = edges_by_kind(_corners(ground), mesh.edge_kinds)
        if isinstance(mesh, NavMesh):
            edges[INNER] = polygon_edges(mesh)[0]
        elif len(ground.triangles) > MANY_TRIANGLES:
            edges[INNER] = edges[INNER][:0]
        lift = EDGE_LIFT * self._longest
        boundaries = [
            Strokes.lines(edges[kind], to_rgba(color), 0.6, lift, self._longest)
            for kind, color in KIND_COLORS.items()
        ]
        inner = Strokes.lines(edges[INNER], to_rgba("white", 0.7), 0.3, lift, self._longest)
        return [inner, *boundaries]


def found_colors(mesh: TriangleMesh) -> Floats | None:
    """Return (t, 4) colours of what a stage found about its triangles; None for nothing."""
    from matplotlib.colors import LinearSegmentedColormap, to_rgba_array

    if mesh.distances is not None:
        gradient = LinearSegmentedColormap.from_list("distance", DISTANCE_COLORS)
        far = mesh.distances - mesh.distances.min(initial=np.inf)
        return np.asarray(gradient(far / max(float(far.max(initial=0.0)), 1e-9)))
    if mesh.regions is not None:
        palette = to_rgba_array(COMPONENT_COLORS)
        return np.asarray(palette[mesh.regions % len(palette)])
    return None


def edges_by_kind(triangles: Floats, kinds: NDArray[np.uint8]) -> dict[int, Floats]:
    """Return the edges of (t, 3, 3) triangles, as (n, 2, 3), by their (t, 3) kinds.

    Inner ones are there once, at the lower of two heights, where two triangles have them.
    """
    edges = np.stack([triangles, triangles[:, [1, 2, 0]]], axis=2).reshape(-1, 2, 3)
    flat = kinds.ravel()
    by_kind = {kind: edges[flat == kind] for kind in (OPEN, BLOCKED, INNER_WALL)}
    inner = edges[flat == INNER]
    # The same edge of two triangles has the same middle in plan, and mostly the same height.
    middles = np.round(inner.mean(axis=1)[:, :2] / SAME_PLACE)
    order = np.lexsort((inner[:, :, 2].mean(axis=1), middles[:, 1], middles[:, 0]))
    first = np.ones(len(inner), dtype=bool)
    first[1:] = (np.diff(middles[order], axis=0) != 0.0).any(axis=1)
    # Where more than two share a middle, in storeys, all of them are drawn.
    counts = np.diff(np.append(np.flatnonzero(first), len(inner)))
    first |= np.repeat(counts, counts) > 2
    return {INNER: inner[order[first]], **by_kind}


def _loose(scene: Scene, mesh: TriangleMesh | PolygonMesh) -> NavMesh:
    """Return the triangles of a stage as a navmesh of sorts, which can be asked what is near.

    It is one of a surface if any of its ground does not face up, which no other method keeps.
    """
    surface = at_any_angle(Frame(scene.up).to_plan(mesh.vertices)[mesh.triangles])
    return loose_navmesh(mesh.vertices, mesh.triangles, up=scene.up, surface=surface)


def _cut(triangles: Floats, longest: float) -> tuple[Floats, NDArray[np.intp]]:
    """Cut triangles as :func:`cut_triangles` does, but into fewer pieces if those are too many."""
    sides = np.linalg.norm(triangles[:, [1, 2, 0]] - triangles, axis=2).max(axis=1)
    crosses = area_vectors(triangles)
    heights = np.linalg.norm(crosses, axis=1) / np.maximum(sides, np.finfo(float).tiny)
    while longest < sides.max(initial=0.0):
        if (np.ceil(2.0 * sides / longest) * np.ceil(heights / longest)).sum() <= MOST_PIECES:
            break
        longest *= 1.5
    return cut_triangles(triangles, longest)


def _corners(ground: NavMesh) -> Floats:
    return plan_points(ground)[ground.triangles]


def _name_stage(axes: Axes, number: int, name: str, mesh: TriangleMesh | PolygonMesh) -> None:
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


def _draw_legend(figure: Figure, page: PictureLayout) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    figure.legend(
        handles=[
            Patch(facecolor=KEPT_COLOR, label="ground"),
            Patch(facecolor=ADDED_COLOR, label="added by the stage"),
            Patch(facecolor=GONE_COLOR, label="taken away by it"),
            *(
                Line2D([], [], color=color, lw=1.0, label=KIND_NAMES[kind])
                for kind, color in KIND_COLORS.items()
            ),
        ],
        loc="upper left", bbox_to_anchor=(EDGE / page.width, 1.0 - EDGE / page.height), ncols=6,
        frameon=False, fontsize=10, labelcolor=INK, borderpad=0.0, borderaxespad=0.0,
        handlelength=1.4, handletextpad=0.5, columnspacing=1.6,
    )  # fmt: skip
