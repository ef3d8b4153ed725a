"""Stages: what each of them makes, and how a build runs through all of them.

A method has a package ``stages`` with one file a stage. The package lists its modules as ``STAGES``
in their order; a module's name is the stage's, and its function ``run`` does the stage. What later
stages need of it is kept on the build that all of them are handed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from walkmesh.builder.mesh import PolygonMesh, TriangleMesh
from walkmesh.navmesh import NavMesh
from walkmesh.settings import check, choice, setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from walkmesh.agent import Agent
    from walkmesh.builder.edge_kinds import Surroundings
    from walkmesh.builder.losses import Losses
    from walkmesh.progress import Progress


@dataclass(frozen=True)
class Stage:
    """What one stage of a build made.

    Attributes
    ----------
    name : str
        The stage's name.
    make_mesh : callable
        Returns its result as a mesh to look at, which is only made when someone does.
    counts : dict of str to int
        Sizes in and out, and how much was discarded and why; they go into the report.
    seconds : float or None
        What it took, for stages that are worked on together; None for the time since the last.
    losses : Losses or None
        What was lost until here, where that is known.
    clearance : float
        How far its boundary keeps from what stands there. [Unit: m]
    """

    name: str
    make_mesh: Callable[[], TriangleMesh | NavMesh]
    counts: dict[str, int]
    seconds: float | None = None
    losses: Losses | None = None
    clearance: float = 0.0

    @property
    def mesh(self) -> TriangleMesh | NavMesh:
        """Its result; the last stage's is the navmesh."""
        return self.make_mesh()

    def mesh_in(self, surroundings: Surroundings) -> TriangleMesh | PolygonMesh:
        """Return its result, whose edges can be told apart by what they end at."""
        mesh = self.mesh
        if isinstance(mesh, NavMesh):
            return PolygonMesh.of(mesh, surroundings)
        return replace(mesh, surroundings=surroundings, clearance=self.clearance)


@dataclass
class Build:
    """A build under way: what is built and how, and what its stages keep for later ones.

    Attributes
    ----------
    method
        The settings, of the method that is run.
    scene : Scene, FloorPlan or Building
        What is built.
    agent : Agent
        Who is going to walk.
    progress : callable
        Called with the name of a stage and the part of it that is done.
    workers : int or None
        How many threads there are; None for as many as cores.
    stage : str
        The name of the stage that is worked on.
    losses : Losses or None
        What is lost on the way, for methods that can tell.
    """

    method: Any
    scene: Any
    agent: Agent
    progress: Progress
    workers: int | None
    stage: str = field(default="", init=False)
    losses: Losses | None = field(default=None, init=False)

    def on_part(self, done: float) -> None:
        """Report the part of the stage that is done, from 0 to 1."""
        self.progress(self.stage, done)

    def made(
        self,
        make_mesh: Callable[[], TriangleMesh | NavMesh],
        *,
        clearance: float = 0.0,
        **counts: int,
    ) -> Stage:
        """Return what the stage made, with its counts by name."""
        return Stage(self.stage, make_mesh, counts, None, self.losses, clearance)


class StageModule(Protocol):
    """A file of a method's ``stages``."""

    __name__: str

    def run(self, build: Any) -> Stage:
        """Do the stage."""
        ...


class StagedMethod:
    """Settings of a method with a package ``stages``; a method is a frozen dataclass of this kind.

    It says which stages these are, and which :class:`Build` they work on.
    """

    stages: ClassVar[tuple[StageModule, ...]] = ()
    state: ClassVar[type[Build]] = Build
    stage_names: ClassVar[tuple[str, ...]] = ()
    notes: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.stage_names = tuple(stage.__name__.rpartition(".")[2] for stage in cls.stages)

    def __post_init__(self) -> None:
        check(self)

    def run(
        self, scene: Any, agent: Agent, progress: Progress, workers: int | None
    ) -> Iterator[Stage]:
        """Yield every stage in order; the last one's mesh is the navmesh."""
        build = self.state(self, scene, agent, progress, workers)
        for name, stage in zip(self.stage_names, self.stages, strict=True):
            build.stage = name
            build.on_part(0.0)
            yield stage.run(build)


def sides_setting() -> Any:
    """Declare which sides of triangles are walked on."""
    return choice("front", "Which sides of the triangles are walked on", "back", "both")


def arc_setting() -> Any:
    """Declare how closely straight lines follow an arc."""
    words = "How far corners may lie outside an arc around an obstacle"
    return setting(0.025, words, "m", minimum=1e-4, maximum=1.0)


def part_setting() -> Any:
    """Declare the smallest part that stays, see :class:`SmallestPart`."""
    derived = "twice the square of the radius, unless four radii long"
    return setting(None, "Connected parts with less area are left out", "m2", derived=derived)
