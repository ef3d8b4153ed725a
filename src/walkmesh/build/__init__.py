"""Building navmeshes: one method, its stages in order, and a report of what they did."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator  # noqa: TC003 - a Protocol's annotations are looked at
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from walkmesh import __version__
from walkmesh.agent import Agent
from walkmesh.build.edge_kinds import Surroundings
from walkmesh.build.exact import Exact
from walkmesh.build.mesh import Stage, TriangleMesh  # noqa: TC001 - likewise
from walkmesh.build.plan import Planar
from walkmesh.build.surface import Surface
from walkmesh.build.voxel import Voxel
from walkmesh.building import Building
from walkmesh.errors import SettingsError
from walkmesh.floor_plan import FloorPlan
from walkmesh.kernels.warmup import warm_up
from walkmesh.navmesh import NavMesh
from walkmesh.report import Report, StageReport, peak_memory_bytes
from walkmesh.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.progress import Progress

AnyMethod = Exact | Voxel | Surface
"""The settings of any way to build from a scene that comes with walkmesh."""

METHODS: dict[str, type[AnyMethod]] = {
    "exact": Exact,
    "voxel": Voxel,
    "surface": Surface,
}
"""The ways to build from a scene, by the names that people type."""


@runtime_checkable
class Method(Protocol):
    """A way to build a navmesh: frozen settings that know how to run."""

    stage_names: ClassVar[tuple[str, ...]]
    notes: ClassVar[tuple[str, ...]]

    @property
    def kernels(self) -> tuple[str, ...]:
        """The packages of kernels that a build needs."""
        ...

    def run(
        self, scene: Any, agent: Agent, progress: Progress, workers: int | None
    ) -> Iterator[Stage]:
        """Yield every stage in order; the last one's mesh is the navmesh."""
        ...


def build(
    scene: Scene | FloorPlan | Building,
    agent: Agent | None = None,
    method: Method | None = None,
    *,
    workers: int | None = None,
    progress: Progress | None = None,
    on_stage: Callable[[str, TriangleMesh | NavMesh], None] | None = None,
) -> NavMesh:
    """Build the navmesh of a scene, or of a floor plan, for an agent.

    Parameters
    ----------
    scene : Scene, FloorPlan or Building
        The triangles, or the outlines.
    agent : Agent, optional
        Who is going to walk; by default a person.
    method : Exact, Voxel, Surface or Planar, optional
        How to build; by default ``Exact()``, and ``Planar()`` for floor plans and buildings, which
        no other method takes.
    workers : int, optional
        How many threads there are; by default as many as cores. They change nothing but the time.
    progress : callable, optional
        Called with the name of the stage and the part of it that is done, from 0 to 1. It may
        raise :class:`walkmesh.Cancelled` to stop the build.
    on_stage : callable, optional
        Called with the name and the mesh of every stage, as :func:`stages` yields them; what it
        takes does not count as build time.

    Returns
    -------
    NavMesh
        With a `report` of what was done. The same input gives the same arrays.

    Raises
    ------
    BuildError
        When there is nothing to walk on.
    Cancelled
        When `progress` said so.

    Examples
    --------
    >>> import walkmesh as wm
    >>> wm.build(wm.samples.floor(width=10, depth=8))
    NavMesh(1 polygon, 4 vertices, 1 component, 69.6 m2)
    >>> wm.build(wm.FloorPlan([(0, 0), (10, 0), (10, 8), (0, 8)]))
    NavMesh(1 polygon, 4 vertices, 1 component, 69.6 m2)
    """
    agent, method = defaults(scene, agent, method)
    if workers is not None and (
        isinstance(workers, bool) or workers != int(workers) or workers < 1
    ):
        raise SettingsError(f"workers is {workers!r}; it must be a whole number from 1 up")
    for package in method.kernels:
        warm_up(package)
    around = surroundings(scene, agent, method)
    before = time.perf_counter()
    reports: list[StageReport] = []
    last: Any = None
    for stage in method.run(scene, agent, progress or _silent, workers):
        seconds = time.perf_counter() - before if stage.seconds is None else stage.seconds
        reports.append(StageReport(stage.name, seconds, stage.counts))
        if progress is not None:
            progress(stage.name, 1.0)
        if on_stage is not None:
            on_stage(stage.name, stage.mesh_in(around))
        last = stage
        before = time.perf_counter()
    navmesh = last.mesh
    report = _report(scene, agent, method, navmesh, tuple(reports))
    return _with_report(navmesh, report)


def stages(
    scene: Scene | FloorPlan | Building, agent: Agent | None = None, method: Method | None = None
) -> Iterator[tuple[str, TriangleMesh | NavMesh]]:
    """Yield the name and the mesh of every stage of a build, in order.

    A mesh has `vertices` in world coordinates, `triangles`, and `edge_kinds`, which tell inner
    edges, ledges and walls apart; the last one is the navmesh.

    Examples
    --------
    >>> import walkmesh as wm
    >>> for name, mesh in wm.stages(wm.samples.floor()):
    ...     print(name, len(mesh.triangles))
    slope 2
    cut 2
    stitch 2
    gaps 2
    detail 2
    clearance 2
    patches 2
    ramps 2
    simplify 2
    polygons 2
    """
    agent, method = defaults(scene, agent, method)
    around = surroundings(scene, agent, method)
    for stage in method.run(scene, agent, _silent, None):
        yield stage.name, stage.mesh_in(around)


def surroundings(scene: Scene | FloorPlan | Building, agent: Agent, method: Method) -> Surroundings:
    """Return what the edges of a build's meshes end at."""
    return Surroundings(scene, agent, float(getattr(method, "cell_size", 0.0)))


def defaults(
    scene: Scene | FloorPlan | Building, agent: Agent | None, method: Method | None
) -> tuple[Agent, Method]:
    """Fill in what is not given, and refuse what is no scene, agent or method."""
    is_plan = isinstance(scene, FloorPlan | Building)
    agent = Agent() if agent is None else agent
    if method is None:
        method = Planar() if is_plan else Exact()
    for name, value, kind, example in (
        ("scene", scene, Scene | FloorPlan | Building, "Scene, or a FloorPlan or Building"),
        ("agent", agent, Agent, "Agent"),
        ("method", method, Method, "Method such as walkmesh.Exact()"),
    ):
        if not isinstance(value, kind) or isinstance(value, type):
            raise SettingsError(f"{name} is {value!r}; it must be a walkmesh.{example}")
    if is_plan != isinstance(method, Planar):
        way = "Planar()" if is_plan else "Exact()"
        raise SettingsError(
            f"method is {method!r}; for a {type(scene).__name__} it must be one such as "
            f"walkmesh.{way}"
        )
    return agent, method


def _silent(stage: str, fraction: float, /) -> None:
    """Progress for callers that did not ask for any."""


def _report(
    scene: Scene | FloorPlan | Building,
    agent: Agent,
    method: Method,
    navmesh: NavMesh,
    stage_reports: tuple[StageReport, ...],
) -> Report:
    return Report(
        version=__version__,
        method=type(method).__name__,
        settings=dataclasses.asdict(method),  # type: ignore[call-overload]
        agent=dataclasses.asdict(agent),
        scene=scene.counts,
        stages=stage_reports,
        polygons=navmesh.polygon_count,
        vertices=len(navmesh.vertices),
        triangles=len(navmesh.triangles),
        components=navmesh.component_count,
        area=navmesh.area,
        total_seconds=sum(stage.seconds or 0.0 for stage in stage_reports),
        peak_memory_bytes=peak_memory_bytes(),
        notes=method.notes,
    )


def _with_report(navmesh: NavMesh, report: Report) -> NavMesh:
    triangles, owners = navmesh.detail or (None, None)
    return NavMesh(
        navmesh.vertices,
        navmesh.polygon_offsets,
        navmesh.polygon_vertices,
        neighbors=navmesh.neighbors,
        areas=navmesh.areas,
        components=navmesh.components,
        links=navmesh.links,
        triangles=triangles,
        triangle_polygons=owners,
        agent=navmesh.agent,
        up=navmesh.up,
        surface=navmesh.surface,
        report=report,
    )
