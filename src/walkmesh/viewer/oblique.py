"""The oblique view: surfaces seen at an angle from above, walls see-through."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from walkmesh.triangles import area_vectors
from walkmesh.viewer.ink import INK, PATH_COLOR, draw_path, segments_of
from walkmesh.viewer.painter import LIGHT, Camera, Strokes, cut_triangles, painted, shade
from walkmesh.viewer.plan import steep
from walkmesh.viewer.subject import PIECES_ACROSS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh
    from walkmesh.viewer.subject import Subject

# How much nearer than it is a line on the ground counts, in such pieces. With more, lines would
# show through the storey above where a scene is wide and low.
EDGE_LIFT = 0.7

# How opaque the back of a surface is, and the scene around it.
BACK_OPACITY = 0.1
SCENE_GREY = (0.55, 0.58, 0.62)

# Faces of the scene this close to the navmesh are the ground that it stands for. [Unit: m]
COVERED_WITHIN = 0.02

# Around what a view shows, in parts of its longer side: room for the ends of paths and for lines.
MARGIN = 0.012


def view_box(camera: Camera, points: Floats) -> tuple[Floats, Floats]:
    """Return the lowest and the highest position in a picture that shows (n, 3) points."""
    if len(points) == 0:
        return np.zeros(2), np.ones(2)
    seen = camera.project(points)
    low, high = seen.min(axis=0), seen.max(axis=0)
    margin = MARGIN * (float((high - low).max()) or 1.0)
    return low - margin, high + margin


def piece_length(points: Floats) -> float:
    """Return how long pieces of surfaces may be in a picture that shows (n, 3) points."""
    return (float(np.ptp(points, axis=0).max()) or 1.0) / PIECES_ACROSS


def draw_oblique(axes: Axes, subject: Subject, camera: Camera, point: float) -> None:
    """Draw all of a picture's subject; `point` is the metres that a point measures.

    Of a surface, the sides that face away are faint, so that one looks into rooms, and so are the
    faces of the scene.
    """
    from matplotlib.colors import to_rgba

    extent = subject.extent
    if len(extent) == 0:
        return
    longest = piece_length(extent)
    ground = shaded(subject.colors, subject.triangles, camera if subject.surface else None)
    inner, boundary = subject.seen_edges(camera)
    edge_lift = EDGE_LIFT * longest
    scene = _faint_scene(subject, longest) if subject.surface else _scene_strokes(subject, longest)
    layers = [
        *scene,
        Strokes.surface(subject.triangles, ground, longest / 4.0, longest),
        Strokes.lines(inner, to_rgba("white", 0.6), 0.35, edge_lift, longest),
        Strokes.lines(boundary, to_rgba(INK), 0.6, edge_lift, longest),
        *subject.links.strokes(camera, point, link_lift(longest, subject.navmesh.agent), longest),
    ]
    for route in subject.routes:
        line = segments_of(route)
        # The casing counts as farther than the line, by more than a piece is long, so that no
        # piece's casing hides the line of the piece before.
        layers.append(Strokes.lines(line, to_rgba("white"), 4.6, 3.0 * longest, longest))
        layers.append(Strokes.lines(line, to_rgba(PATH_COLOR), 2.6, 5.0 * longest, longest))
    draw_strokes(axes, camera, layers)
    for route in subject.routes:
        _draw_hidden_path(axes, camera.project(route))
    frame_view(axes, view_box(camera, extent))


def link_lift(longest: float, agent: Agent) -> float:
    """Return how much nearer than it is a link counts, so that ledges do not hide it. [Unit: m]."""
    return max(EDGE_LIFT * longest, min(2.0 * longest, agent.height / 2.0))


def draw_strokes(axes: Axes, camera: Camera, layers: list[Strokes]) -> None:
    """Paint what the camera sees."""
    from matplotlib.collections import PolyCollection

    corners, colors, widths = painted(camera, layers)
    surface = PolyCollection(
        cast("Sequence[ArrayLike]", corners),
        facecolors=colors, edgecolors=colors, linewidths=widths, capstyle="round",
        # Smoothing would leave hairlines between opaque pieces, and its lack would leave dots
        # between see-through ones, where a pixel is covered twice.
        antialiaseds=(widths > 0.0) | (colors[:, 3] < 1.0),
    )  # fmt: skip
    # Tens of thousands of pieces would make an SVG slow to open, so there they are one image.
    surface.set_rasterized(True)
    # Matplotlib takes a second to find the extent of this many pieces.
    axes.add_collection(surface, autolim=False)


def frame_view(axes: Axes, box: tuple[Floats, Floats]) -> None:
    """Give a view the extent of a box that :func:`view_box` returned."""
    (left, bottom), (right, top) = box
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)


def shaded(colors: Floats, triangles: Floats, camera: Camera | None = None) -> Floats:
    """Return (n, 4) colours of ground, darker where (n, 3, 3) triangles turn from the light.

    With a camera, the triangles are of a surface that may face anywhere: the light comes from the
    camera's side, and what faces away is faint.
    """
    result = colors.copy()
    if camera is None:
        brightness = shade(triangles, 0.2)
    else:
        brightness = shade(triangles, 0.55, LIGHT if camera.towards[2] > 0.0 else -LIGHT)
        result[~camera.faces(triangles), 3] = BACK_OPACITY
    result[:, :3] = np.minimum(colors[:, :3] * brightness[:, None], 1.0)
    return result


def covered(navmesh: NavMesh, pieces: Floats, within: float) -> NDArray[np.bool_]:
    """Tell which corners of (n, 3, 3) pieces lie within some metres of the navmesh, (n, 3)."""
    corners = navmesh.frame.to_world(pieces.reshape(-1, 3))
    found = navmesh.nearest(corners, max_snap=within).polygons >= 0
    return np.asarray(found.reshape(-1, 3))


def _scene_strokes(subject: Subject, longest: float) -> list[Strokes]:
    """Return what is drawn of the scene.

    Ground under the navmesh is not: both are at the same distance from the viewer, and would show
    in patches. What lies under it in part counts as farther, and so do faces that look down,
    because the other side of a slab is closer than a piece is long.
    """
    pieces, sources = cut_triangles(subject.faces_in_view, longest)
    under = covered(subject.navmesh, pieces, COVERED_WITHIN)
    sides = area_vectors(pieces)
    lift = np.where(under.any(axis=1), -longest, 0.0)
    lift[~steep(pieces) & (sides[:, 2] < 0.0)] = -2.0 * longest
    shown = ~under.all(axis=1)
    colors = _greys(subject.faces_in_view)[sources]
    return [
        Strokes.surface(pieces[chosen], colors[chosen], value, longest)
        for value in (-2.0 * longest, -longest, 0.0)
        for chosen in [shown & (lift == value)]
    ]


def _faint_scene(subject: Subject, longest: float) -> list[Strokes]:
    """Return the scene around a surface, but for the faces under it: a hint of what is there."""
    pieces, _ = cut_triangles(subject.faces_in_view, longest)
    shown = pieces[~covered(subject.navmesh, pieces, COVERED_WITHIN).all(axis=1)]
    colors = np.tile([*SCENE_GREY, BACK_OPACITY], (len(shown), 1))
    return [Strokes.surface(shown, colors, -longest, longest)]


def _draw_hidden_path(axes: Axes, points: Floats) -> None:
    """Draw a path as thin dashes over everything, for where surfaces hide it, and its ends."""
    axes.plot(points[:, 0], points[:, 1], color=PATH_COLOR, linewidth=0.9, linestyle=(0, (2, 2)))
    draw_path(axes, np.empty((0, 2, 2)), points[0], points[-1], 2.6)


def _greys(faces: Floats) -> Floats:
    """Return (n, 4) colours of scene faces: soft greys, see-through where they are steep."""
    colors = np.ones((len(faces), 4))
    colors[:, :3] = np.minimum(0.93 * shade(faces, 0.65), 1.0)[:, None]
    colors[steep(faces), 3] = 0.3
    return colors
