"""Where someone wants to go: two places, and the path between them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.viewer.page.sheets import lifts_along, normal_at

if TYPE_CHECKING:
    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh
    from walkmesh.query.path import Path


@dataclass(frozen=True, eq=False)
class Route:
    """Places that were clicked, and what was found between them.

    Attributes
    ----------
    start, goal : (3,) float64 or None
        World coordinates. [Unit: m]
    path : Path or None
        None until both places are there.
    radius, height : float
        Of the agent that stands at both. [Unit: m]
    seconds : float
        What the search took, once what all searches need was there.
    start_up, goal_up : (3,) float64 or None
        Where up is for the agent, in world coordinates; None if it is up for everyone.
    lifts : (k, 3) float64 or None
        Where each point of the path is to be moved to lie a metre above the ground, likewise.
    on_navmesh : bool
        Whether the agent stands on a navmesh, or on the scene alone.
    """

    start: Floats | None = None
    goal: Floats | None = None
    path: Path | None = None
    radius: float = 0.3
    height: float = 1.8
    seconds: float = 0.0
    start_up: Floats | None = None
    goal_up: Floats | None = None
    lifts: Floats | None = None
    on_navmesh: bool = True

    @property
    def words(self) -> str:
        """What there is to say about it."""
        if self.start is None:
            return "Click a place on the ground to start from, and then one to go to."
        if self.path is None and not self.on_navmesh:
            return f"At {_place(self.start)}. There is no navmesh yet to go on."
        if self.path is None:
            return f"From {_place(self.start)}. Click where to go."
        ends = f"From {_place(self.start)} to {_place(self.goal)}"
        if self.path.status == "unreachable":
            return f"{ends}: unreachable."
        return (
            f"{ends}: {self.path.status}, {self.path.length:.2f} m{self.path.doubt}, "
            f"{len(self.path.polygons)} polygons, {self.seconds * 1e3:.2f} ms."
        )


def stand(navmesh: NavMesh, place: Floats) -> Floats | None:
    """Return where on the navmesh an agent stands that was put at a place; None if nowhere near."""
    found = navmesh.nearest(np.asarray(place)[None], max_snap=navmesh.agent.height)
    return None if found.polygons[0] < 0 else found.points[0]


def search(
    navmesh: NavMesh,
    start: Floats,
    goal: Floats,
    *,
    radius: float,
    optimal: bool,
    partial: bool,
) -> Route:
    """Find a path, and measure how long that takes; see :meth:`NavMesh.find_path`."""

    def find() -> Path:
        return navmesh.find_path(
            start.tolist(), goal.tolist(), radius=radius, optimal=optimal, partial=partial
        )

    find()  # prepares what all later searches need
    before = time.perf_counter()
    path = find()
    seconds = time.perf_counter() - before
    return Route(
        start, goal, path, radius, navmesh.agent.height, seconds,
        normal_at(navmesh, start), normal_at(navmesh, goal), lifts_along(navmesh, path.points),
    )  # fmt: skip


def _place(place: Floats | None) -> str:
    return "(" + ", ".join(f"{c:.2f}" for c in np.asarray(place).tolist()) + ")"
