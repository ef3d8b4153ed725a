"""Links in pictures: thin lines coloured by kind, with a head where they lead one way only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.errors import FormatError
from walkmesh.links.kind import LinkKind
from walkmesh.viewer.ink import INK, draw_lines
from walkmesh.viewer.levels import levels_of
from walkmesh.viewer.painter import Camera, Strokes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh

# Dark, because most ground is bright, and apart from each other and from paths for colour-blind
# eyes too. Kinds that walkmesh does not know are drawn as those without one.
LINK_COLORS = {
    LinkKind.JUMP: "#0A6A41",
    LinkKind.DROP: "#8E1A7A",
    LinkKind.CLIMB: "#2A17B8",
    LinkKind.CUSTOM: "#000000",
}
LINK_NAMES = {kind: kind.name.lower() for kind in LINK_COLORS} | {LinkKind.CUSTOM: "other links"}

# With more links than this, lines are thinner.
MANY_LINKS = 300

# The head of an arrow, smaller where it would be longer than this part of the link. [Unit: points]
HEAD_LENGTH, HEAD_WIDTH = 6.0, 4.5
LONGEST_HEAD = 0.8


@dataclass(frozen=True)
class DrawnLinks:
    """Links as pictures show them.

    Attributes
    ----------
    ends : (n, 2, 3) float64
        Start and goal in plan coordinates, all finite. [Unit: m]
    kinds : (n,) uint8
        Their :class:`LinkKind`.
    one_way : (n,) bool
        Whether they lead from start to goal only.
    """

    ends: Floats
    kinds: NDArray[np.uint8]
    one_way: NDArray[np.bool_]

    @classmethod
    def of(cls, navmesh: NavMesh) -> DrawnLinks:
        """Return the links of a navmesh, or refuse those that are nowhere."""
        links = navmesh.links
        ends = navmesh.frame.to_plan(np.stack([links["start"], links["goal"]], axis=1))
        known = np.isin(links["kind"], list(LINK_COLORS))
        kinds = np.where(known, links["kind"], LinkKind.CUSTOM)
        if not np.isfinite(ends).all():
            raise FormatError("links has ends that are not finite; validate() lists them")
        return cls(ends, kinds.astype(np.uint8), ~links["two_way"])

    def take(self, chosen: NDArray[np.bool_]) -> DrawnLinks:
        """Return some of the links."""
        return DrawnLinks(self.ends[chosen], self.kinds[chosen], self.one_way[chosen])

    def by_kind(self) -> Iterator[tuple[LinkKind, DrawnLinks]]:
        """Yield every kind that there is, with its links."""
        for kind in LINK_COLORS:
            chosen = self.kinds == kind
            if chosen.any():
                yield kind, self.take(chosen)

    @property
    def width(self) -> float:
        """Of their lines. [Unit: points]."""
        return 1.1 if len(self.ends) <= MANY_LINKS else 0.6

    def strokes(self, camera: Camera, point: float, lift: float, longest: float) -> list[Strokes]:
        """Return lines and heads for the painter; `point` is the metres that a point measures."""
        from matplotlib.colors import to_rgba

        layers = []
        for kind, links in self.by_kind():
            color = to_rgba(LINK_COLORS[kind])
            layers.append(Strokes.lines(links.ends, color, self.width, lift, longest))
            # Heads are flat in the picture, not on the ground.
            ends = links.ends[links.one_way]
            shown = camera.project(ends)
            across = arrow_heads(shown, point) - shown[:, 1:]
            heads = ends[:, 1:] + across @ np.stack([camera.right, camera.up])
            layers.append(Strokes.surface(heads, np.tile(color, (len(heads), 1)), lift, longest))
        return layers

    def draw(self, axes: Axes, levels: Floats, level: int, point: float) -> None:
        """Draw those with an end on a level into its plan; `point` as in :meth:`strokes`."""
        from matplotlib.collections import PolyCollection

        here = (levels_of(self.ends[:, :, 2], levels) == level).any(axis=1)
        for kind, links in self.take(here).by_kind():
            color, ends = LINK_COLORS[kind], links.ends[:, :, :2]
            many = len(self.ends) > MANY_LINKS
            draw_lines(axes, ends, color, self.width, zorder=2.5, as_image=many)
            heads = arrow_heads(ends[links.one_way], point)
            drawn = PolyCollection(list(heads), facecolors=color, linewidths=0.0, zorder=2.5)
            drawn.set_rasterized(many)
            axes.add_collection(drawn)

    def draw_legend(self, figure: Figure, place: tuple[float, float]) -> None:
        """Write what the colours mean, and how many links of each kind there are.

        `place` is the upper left corner, in parts of the page.
        """
        from matplotlib.lines import Line2D

        handles = [
            Line2D(
                [], [], color=LINK_COLORS[kind], lw=1.6,
                label=f"{LINK_NAMES[kind]} {len(links.ends)}",
            )
            for kind, links in self.by_kind()
        ]  # fmt: skip
        if handles:
            figure.legend(
                handles=handles, loc="upper left", bbox_to_anchor=place, ncols=len(handles),
                frameon=False, fontsize=8, labelcolor=INK, borderpad=0.0, borderaxespad=0.0,
                handlelength=1.6, handletextpad=0.5, columnspacing=1.6,
            )  # fmt: skip


def arrow_heads(ends: Floats, point: float) -> Floats:
    """Return (n, 3, 2) triangles at the second of (n, 2, 2) ends, the tip first.

    `point` is the metres that a point measures in the picture.
    """
    tips = ends[:, 1]
    along = tips - ends[:, 0]
    lengths = np.linalg.norm(along, axis=1, keepdims=True)
    along /= np.maximum(lengths, np.finfo(float).tiny)
    size = np.minimum(HEAD_LENGTH * point, LONGEST_HEAD * lengths)
    sideways = np.stack([-along[:, 1], along[:, 0]], axis=1) * (HEAD_WIDTH / HEAD_LENGTH / 2.0)
    return np.stack([tips, tips + size * (sideways - along), tips - size * (sideways + along)], 1)
