"""Links that the agent can take: places to jump across, drop down and climb up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arguments import check_kind
from walkmesh.chunks import worker_count
from walkmesh.errors import SettingsError
from walkmesh.kernels.warmup import prepare
from walkmesh.links.boundary import Boundary
from walkmesh.links.candidates import (
    find_candidates,
    on_ground,
    sample_step,
    straight_lengths,
)
from walkmesh.links.kind import LinkKind, costs_of, kinds_of
from walkmesh.links.limits import Limits
from walkmesh.links.needed import merged, worth_taking
from walkmesh.links.sweep import LinkObstacles, can_leave, clear_ways
from walkmesh.navmesh import NavMesh
from walkmesh.navmesh_arrays import LINK_DTYPE
from walkmesh.progress import check_callable
from walkmesh.scene import Scene
from walkmesh.topology import check_usable

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from walkmesh.links.candidates import LinkEnds
    from walkmesh.progress import Progress

__all__ = ["STAGES", "Limits", "LinkKind", "find_links"]

STAGES = ("boundary", "candidates", "sweep", "merge")
"""What finding links tells its progress by."""


def find_links(
    scene: Scene,
    navmesh: NavMesh,
    *,
    max_jump: float = 2.0,
    max_drop: float = 3.0,
    max_climb: float = 1.0,
    spacing: float = 1.0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> NDArray[np.void]:
    """Find where the agent can jump across, drop down or climb up.

    Links start at the boundary of the navmesh and end on ground that lies outwards of it. Each is
    checked against the scene: the agent's cylinder, from `max_step` to `height` over its feet, is
    swept along an arc, straight or ballistic, and meets nothing. What takes less than twice the
    link's length to walk gets none, and links side by side are merged.

    Lengths are from where the agent stands to where it stands: a navmesh ends its radius before a
    ledge, so the gap that is seen is two radii shorter than the jump across it.

    Parameters
    ----------
    scene : Scene
        What the navmesh was made from, in its coordinates.
    navmesh : NavMesh
        Made by whatever; for its agent. Links that it has are neither found again nor returned.
    max_jump : float, default 2
        How far apart in plan the ends of a link may be; past a ledge, links lead down by up to two
        radii and half a metre even if that is more. 0 for no jumps. [Limit: >= 0] [Unit: m]
    max_drop : float, default 3
        How far down a link may lead. 0 for no drops. [Limit: >= 0] [Unit: m]
    max_climb : float, default 1
        How far up a link may lead. 0 for no climbs. [Limit: >= 0] [Unit: m]
    spacing : float, default 1
        Of links closer together than this, at both ends, the cheapest stays. They are looked for at
        places 0.25 m apart, or closer for a smaller spacing, down to 0.1 m.
        [Limit: > 0] [Unit: m]
    workers : int, optional
        How many threads to use; by default one for each core. The links are the same.
        [Limit: >= 1]
    progress : callable, optional
        Called with one of `STAGES` and the part of it that is done; may raise `Cancelled`.

    Returns
    -------
    (n,) `LINK_DTYPE`
        For :meth:`NavMesh.with_links`. The kinds are those of :class:`LinkKind`: a JUMP has ends
        within a step in height; of the others, which lead from the higher end to the lower, those
        no higher than `max_climb` are a CLIMB, which leads both ways, and the rest a DROP. The cost
        is the straight length times 1.5 for a jump, 1 for a drop and 3 for a climb.

    Raises
    ------
    SettingsError
        When a setting cannot be, up differs, or the navmesh is one of a surface.
    FormatError
        When the navmesh is not usable.

    Examples
    --------
    >>> import walkmesh as wm
    >>> scene = wm.samples.house()
    >>> navmesh = wm.build(scene)
    >>> links = wm.find_links(scene, navmesh)
    >>> {wm.LinkKind(kind).name for kind in links["kind"]}  # tables, beds and cupboards
    {'CLIMB'}
    >>> navmesh.with_links(links).validate()
    []
    """
    limits = Limits(max_jump=max_jump, max_drop=max_drop, max_climb=max_climb, spacing=spacing)
    check_callable(progress=progress)
    threads = worker_count(workers)
    _check(scene, navmesh)
    prepare("walkmesh.links")

    def telling(stage: str) -> Callable[[float], None]:
        def tell(fraction: float) -> None:
            if progress is not None:
                progress(stage, fraction)

        tell(0.0)
        return tell

    telling("boundary")
    frame, agent = scene.frame, navmesh.agent
    boundary, obstacles = Boundary.of(navmesh, frame), LinkObstacles.of(scene, frame)
    places = boundary.sample(sample_step(limits.spacing))
    places = places[can_leave(obstacles, places, agent, threads)]
    starts, near = on_ground(navmesh, frame, places[:, :3])

    candidates = find_candidates(
        navmesh, frame, boundary, places[near], starts.take(near), limits, threads,
        telling("candidates"),
    )  # fmt: skip
    chosen, _ = clear_ways(
        obstacles, candidates.starts.plan, candidates.goals.plan, candidates.groups, agent,
        threads, telling("sweep"),
    )  # fmt: skip

    tell = telling("merge")
    clear = chosen[chosen >= 0]
    ends = candidates.starts.take(clear), candidates.goals.take(clear)
    links = _make_links(*ends, agent.max_step, limits)
    links = links[worth_taking(navmesh, frame, links, straight_lengths(*ends), threads)]
    links = links[merged(navmesh, frame, links, limits.spacing)]
    tell(1.0)
    return links


def _check(scene: Scene, navmesh: NavMesh) -> None:
    check_kind("scene", scene, Scene)
    check_kind("navmesh", navmesh, NavMesh)
    if navmesh.surface:
        raise SettingsError(
            "navmesh is one of a surface; jumps, drops and climbs need ground as seen from above"
        )
    check_usable(navmesh)
    if not np.allclose(navmesh.up, scene.up):
        raise SettingsError(
            f"up is {scene.up} for the scene and {navmesh.up} for the navmesh; it must be the same"
        )


def _make_links(
    starts: LinkEnds, goals: LinkEnds, max_step: float, limits: Limits
) -> NDArray[np.void]:
    """Return links between places: what kind they are, which way they lead and what they cost."""
    links = np.zeros(len(starts.polygons), dtype=LINK_DTYPE)
    links["start"], links["start_polygon"] = starts.world, starts.polygons
    links["goal"], links["goal_polygon"] = goals.world, goals.polygons
    falls = starts.plan[:, 2] - goals.plan[:, 2]
    links["kind"] = kinds_of(falls, max_step, limits.max_climb)
    links["two_way"] = links["kind"] != LinkKind.DROP
    links["cost"] = costs_of(straight_lengths(starts, goals), links["kind"])
    return links
