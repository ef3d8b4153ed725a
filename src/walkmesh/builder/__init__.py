"""Building navmeshes: one method, its stages in order, and a report of what they did."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Iterator  # noqa: TC003 - a Protocol's annotations are looked at
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

from walkmesh import __version__
from walkmesh.agent import Agent
from walkmesh.builder.bridges.onto_navmesh import bridge_gaps
from walkmesh.builder.edge_kinds import Surroundings
from walkmesh.builder.exact import Exact
from walkmesh.builder.mesh import PolygonMesh, TriangleMesh, check_any
from walkmesh.builder.plan import Planar
from walkmesh.builder.plan.extrude import extrude
from walkmesh.builder.soundness import make_valid
from walkmesh.builder.surface import Surface
from walkmesh.builder.voxel import Voxel
from walkmesh.building import Building
from walkmesh.chunks import worker_count
from walkmesh.errors import BuildError, SettingsError
from walkmesh.floor_plan import FloorPlan
from walkmesh.kernels.warmup import prepare
from walkmesh.navmesh import NavMesh
from walkmesh.progress import check_callable
from walkmesh.report import Report, StageReport, peak_memory_bytes
from walkmesh.scene import Scene
from walkmesh.variants import changed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from walkmesh.builder.stage import Stage
    from walkmesh.progress import Progress

__all__ = [
    "METHODS",
    "AnyMethod",
    "Exact",
    "Method",
    "Planar",
    "PolygonMesh",
    "Surface",
    "TriangleMesh",
    "Voxel",
    "bridge_gaps",
    "build",
    "defaults",
    "extrude",
    "stages",
]

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
    def packages(self) -> tuple[str, ...]:
        """The packages whose modules a build runs."""
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
    on_stage: Callable[[str, TriangleMesh | PolygonMesh], None] | None = None,
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
        When there is nothing to walk on, or the build does not fit into memory.
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
    check_callable(progress=progress, on_stage=on_stage)
    workers = worker_count(workers)
    prepare(*method.packages, "walkmesh.validate")
    around = surroundings(scene, agent, method)
    before = time.perf_counter()
    reports: list[StageReport] = []
    last: Any = None
    notes: list[str] = []
    lost_areas: dict[str, float] = {}
    with _within_memory():
        for stage in _run(scene, agent, method, progress or _silent, workers, notes):
            seconds = time.perf_counter() - before if stage.seconds is None else stage.seconds
            reports.append(StageReport(stage.name, seconds, stage.counts))
            if progress is not None:
                progress(stage.name, 1.0)
            if on_stage is not None:
                on_stage(stage.name, stage.mesh_in(around))
            last = stage
            before = time.perf_counter()
        navmesh = last.mesh
        if last.losses is not None:
            notes = [*last.losses.notes(), *notes]
            lost_areas = last.losses.areas
    report = _report(scene, agent, method, navmesh, tuple(reports), notes, lost_areas)
    return changed(navmesh, report=report)


def stages(
    scene: Scene | FloorPlan | Building, agent: Agent | None = None, method: Method | None = None
) -> Iterator[tuple[str, TriangleMesh | PolygonMesh]]:
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
    with _within_memory():
        for stage in _run(scene, agent, method, _silent, None, []):
            yield stage.name, stage.mesh_in(around)


def surroundings(scene: Scene | FloorPlan | Building, agent: Agent, method: Method) -> Surroundings:
    """Return what the edges of a build's meshes end at."""
    return Surroundings(scene, agent, float(getattr(method, "cell_size", 0.0)))


def _run(
    scene: Scene | FloorPlan | Building,
    agent: Agent,
    method: Method,
    progress: Progress,
    workers: int | None,
    notes: list[str],
) -> Iterator[Stage]:
    """Yield every stage in order, the last one with a sound navmesh; notes on that are added."""
    for stage in method.run(scene, agent, progress, workers):
        if stage.name != method.stage_names[-1]:
            yield stage
            continue
        made = stage.mesh
        assert isinstance(made, NavMesh)
        judged = changed(made, report=_report(scene, agent, method, made))
        valid, counts, area = make_valid(judged)
        left_out = stage.counts.get("patches_left_out", 0)
        if any(counts.values()):
            check_any(valid.areas, agent)
            counts = stage.counts | {"polygons_out": valid.polygon_count} | counts
            navmesh = changed(valid, report=None)
            stage = dataclasses.replace(stage, make_mesh=partial(_same, navmesh), counts=counts)
        notes += _notes(counts | {"patches_left_out": left_out}, area)
        yield stage


def _same(navmesh: NavMesh) -> NavMesh:
    return navmesh


def _notes(counts: dict[str, int], area: float) -> Iterator[str]:
    """Say what was mended or left out because it was not sound."""
    for name, what in (
        ("polygons_left_out", f"polygons ({area:.3g} m2) left out: they did not pass validation"),
        ("links_left_out", "links left out: they did not pass validation"),
        ("polygons_without_detail", "polygons without detail: theirs did not pass validation"),
        ("patches_left_out", "patches left out: their outlines bound no region"),
    ):
        if counts.get(name):
            yield f"{counts[name]} {what}"


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


@contextlib.contextmanager
def _within_memory() -> Iterator[None]:
    """Turn the end of memory, in any stage, into one line."""
    try:
        yield
    except MemoryError:
        raise BuildError(
            "the build does not fit into this machine's memory; build a part of the scene, or with "
            "a larger Voxel.cell_size"
        ) from None


def _silent(stage: str, fraction: float, /) -> None:
    """Progress for callers that did not ask for any."""


def _report(
    scene: Scene | FloorPlan | Building,
    agent: Agent,
    method: Method,
    navmesh: NavMesh,
    stage_reports: tuple[StageReport, ...] = (),
    notes: Iterable[str] = (),
    lost_areas: dict[str, float] | None = None,
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
        lost_areas=lost_areas or {},
        notes=(*method.notes, *notes),
    )
