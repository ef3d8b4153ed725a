"""The ground truth: which points of a scene are free, decided by walking from them.

Nothing here is taken from the build. A point is free if the agent can stand on it and walk straight
out to its radius in every direction, so that is what is tried, over the triangles themselves:
nothing is cut, grown or put into voxels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.chunks import in_chunks
from walkmesh.evaluation.crossings import cover_gaps
from walkmesh.evaluation.kernels.drawing import Walker
from walkmesh.evaluation.kernels.judge import FREE, States, find_layers, judge_points
from walkmesh.evaluation.kernels.soup import (
    GROUND_FACE,
    OTHER_FACE,
    UPRIGHT_FACE,
    Soup,
    fill_grid,
)
from walkmesh.evaluation.kernels.tolerances import (
    GRID_MARGIN,
    LAYER,
    PLAN_SLACK,
    SLIT,
    SLOPE_SLACK,
    SMALLEST_CELL,
    UPRIGHT_NORMAL,
)
from walkmesh.evaluation.kernels.walk import DIRECTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.scene import Scene

# How many cells the grid over a scene has, about.
_FEWEST_CELLS, _MOST_CELLS = 65_536, 4_000_000
# Where gaps meet, what is left between them may be too narrow for a pit once they are ground. That
# is looked at so often.
_MOST_ROUNDS = 4


@dataclass(frozen=True)
class Plan:
    """A scene's plan: the third axis is up, the origin is amid the scene."""

    axes: Floats
    origin: Floats

    @classmethod
    def of(cls, scene: Scene) -> Plan:
        """Return the plan of a scene."""
        up = np.asarray(scene.up, dtype=np.float64)
        up = up / np.linalg.norm(up)
        # Any direction will do for u that is not close to up.
        other = np.eye(3)[np.argmin(np.abs(up))]
        u = np.cross(other, up)
        u /= np.linalg.norm(u)
        used = scene.vertices[scene.faces.ravel()]
        return cls(np.array([u, np.cross(up, u), up]), (used.min(axis=0) + used.max(axis=0)) / 2.0)

    def inward(self, points: ArrayLike) -> Floats:
        """Return world points in the plan."""
        return np.ascontiguousarray((np.asarray(points) - self.origin) @ self.axes.T)

    def outward(self, points: Floats) -> Floats:
        """Return points of the plan in the world."""
        return np.asarray(points @ self.axes + self.origin)


def under_grid(corners: Floats, max_slope: float, sides: str = "front") -> Soup:
    """Put (t, 3, 3) triangles of the plan under a grid.

    Ground is no steeper than `max_slope`, in degrees, and is on the `sides` of triangles where
    these are counter-clockwise from above ("front"), clockwise ("back"), or on "both".
    """
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    cosines = normals[:, 2] / np.where(lengths > 0.0, lengths, 1.0)
    kinds = np.full(len(corners), OTHER_FACE, dtype=np.uint8)
    upward = {"front": cosines, "back": -cosines, "both": np.abs(cosines)}[sides]
    kinds[upward >= math.cos(math.radians(max_slope)) - SLOPE_SLACK] = GROUND_FACE
    kinds[np.abs(cosines) < UPRIGHT_NORMAL] = UPRIGHT_FACE
    low, high = corners.min(axis=1), corners.max(axis=1)
    centres = (low[:, :2] + high[:, :2]) / 2.0
    radii = np.linalg.norm(high[:, :2] - low[:, :2], axis=1) / 2.0 + PLAN_SLACK
    corner = low.min(axis=0)[:2] - GRID_MARGIN if len(corners) else np.zeros(2)
    extent = high.max(axis=0)[:2] + GRID_MARGIN - corner if len(corners) else np.ones(2)
    cells = min(max(_FEWEST_CELLS, 8 * len(corners)), _MOST_CELLS)
    size = max(SMALLEST_CELL, math.sqrt(extent[0] * extent[1] / cells), extent.max() / cells)
    columns, rows = (math.ceil(e / size) for e in extent)
    grid = np.array([*corner, size, columns])
    starts = np.zeros(columns * rows + 1, dtype=np.int64)
    fill_grid(corners, grid, rows, starts, np.empty(0, dtype=np.int32), 0)
    starts = np.cumsum(starts)
    members = np.empty(starts[-1], dtype=np.int32)
    fill_grid(corners, grid, rows, starts[:-1].copy(), members, 1)
    circles = np.column_stack([centres, radii])
    heights = np.column_stack([low[:, 2], high[:, 2]])
    return Soup(corners, kinds, circles, heights, grid, starts, members)


class Layers(NamedTuple):
    """What lies over and under points."""

    counts: NDArray[np.int32]  # (n,): how many triangles have the point inside
    nearest: NDArray[np.int32]  # (n,): the nearest triangle, -1 for none


def find_near(soup: Soup, points: Floats, within: float) -> Layers:
    """Look for triangles over and under points, no further than `within`."""
    found = Layers(np.empty(len(points), dtype=np.int32), np.empty(len(points), dtype=np.int32))
    find_layers(tuple(soup), points, within, *found)
    return found


@dataclass(frozen=True)
class Truth:
    """A scene and an agent: what is free in it.

    Attributes
    ----------
    scene : Scene
    agent : Agent
    gap_distance : float
        Slits up to this width are stepped over, whatever lies below. [Unit: m]
    bridge_distance : float
        Gaps up to this width are ground, where the agent can step across. [Unit: m]
    sure : bool
        Whether only gaps between two sides count, not what is left between several that meet.
    sides : {"front", "back", "both"}
        Which sides of the scene's triangles count as ground.
    """

    scene: Scene
    agent: Agent
    gap_distance: float = SLIT
    bridge_distance: float = 0.0
    sure: bool = False
    sides: str = "front"

    @cached_property
    def plan(self) -> Plan:
        """The scene's plan."""
        return Plan.of(self.scene)

    @cached_property
    def soup(self) -> Soup:
        """The scene's triangles, and ground over the gaps that can be stepped across."""
        corners = self.plan.inward(self.scene.vertices[self.scene.faces])
        soup = under_grid(corners, self.agent.max_slope, self.sides)
        bridged = self.bridge_distance > self.gap_distance
        rounds = (1 if self.sure else _MOST_ROUNDS) if bridged else 0
        for nth in range(rounds):
            ground = soup.corners[soup.kinds == GROUND_FACE]
            over_gaps = cover_gaps(
                soup, ground, self.walker, self.agent.radius, self.bridge_distance,
                straight=nth == 0,
            )  # fmt: skip
            if len(over_gaps) == 0:
                break
            soup = under_grid(
                np.concatenate([soup.corners, over_gaps]), self.agent.max_slope, self.sides
            )
        return soup

    @cached_property
    def ground(self) -> Floats:
        """(t, 3, 3) float64: the triangles that are not too steep to stand on, in the plan."""
        return np.asarray(self.soup.corners[self.soup.kinds == GROUND_FACE])

    @cached_property
    def ground_area(self) -> float:
        """Of these, along their slopes. [Unit: m2]."""
        return float(areas_of(self.ground).sum())

    @property
    def walker(self) -> Walker:
        """What kernels take of the agent."""
        agent, tangent = self.agent, math.tan(math.radians(self.agent.max_slope))
        return Walker(float(agent.height), float(agent.max_step), tangent, float(self.gap_distance))

    def free(
        self,
        points: ArrayLike,
        *,
        radius: float | None = None,
        within: float = LAYER,
        seed: int = 0,
    ) -> NDArray[np.bool_]:
        """Tell which (n, 3) world points are free.

        One walks as far as `radius`, by default the agent's, from ground that lies `within` so many
        metres above or below a point. The seed is that of the directions.
        """
        radius = self.agent.radius if radius is None else radius
        random = np.random.default_rng(seed)
        return np.asarray(
            self.judge(self.plan.inward(points), radius, within, random).states == FREE
        )

    def judge(
        self,
        points: Floats,
        radius: float,
        within: float,
        random: np.random.Generator,
        *,
        of_navmesh: bool = False,
        progress: Callable[[float], None] = lambda _: None,
    ) -> States:
        """Decide what (n, 3) points of the plan are; see :func:`~.kernels.judge.judge_points`."""
        phases = random.random(len(points)) * 2.0 * math.pi / DIRECTIONS
        judged = States(
            np.empty(len(points), dtype=np.uint8),
            np.empty(len(points)),
            np.empty(len(points), dtype=np.uint8),
        )

        def run(start: int, stop: int) -> None:
            part = tuple(values[start:stop] for values in judged)
            judge_points(
                tuple(self.soup), tuple(self.walker), points[start:stop], phases[start:stop],
                radius, within, int(of_navmesh), part,
            )  # fmt: skip

        for stop, _ in in_chunks(len(points), run):
            progress(stop / len(points))
        return judged


class Sample(NamedTuple):
    """Points on triangles."""

    points: Floats  # (n, 3) [m]
    triangles: NDArray[np.intp]  # (n,): which triangle each is on


def sample(corners: Floats, count: int, random: np.random.Generator) -> Sample:
    """Draw points from (t, 3, 3) triangles uniformly by area; none if they have no area."""
    areas = areas_of(corners)
    if not areas.sum() > 0.0:
        return Sample(np.empty((0, 3)), np.empty(0, dtype=np.intp))
    chosen = random.choice(len(corners), size=count, p=areas / areas.sum())
    weights = random.random((count, 2))
    outside = weights.sum(axis=1) > 1.0
    weights[outside] = 1.0 - weights[outside]
    sides = corners[chosen, 1:] - corners[chosen, :1]
    points = corners[chosen, 0] + np.einsum("nk,nkx->nx", weights, sides)
    return Sample(np.asarray(points), chosen)


def areas_of(corners: Floats) -> Floats:
    """(t,) float64: the areas of (t, 3, 3) triangles, along their slopes."""
    sides = corners[:, 1:] - corners[:, :1]
    return np.asarray(np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1) / 2.0)
