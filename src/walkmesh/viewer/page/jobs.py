"""What takes long: builds, links and evaluations, as new parts of a document and words on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from walkmesh.builder import build
from walkmesh.errors import SceneError, WalkmeshError
from walkmesh.evaluation import evaluate
from walkmesh.links import find_links
from walkmesh.viewer.page.document import can_keep_stages, kept_stage
from walkmesh.viewer.page.work import compile_kernels

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.builder import Method
    from walkmesh.builder.mesh import TriangleMesh
    from walkmesh.navmesh import NavMesh
    from walkmesh.progress import Progress
    from walkmesh.scene import Scene
    from walkmesh.viewer.page.document import Document, StageMesh

# Edges and searches need these; a build brings its own.
PACKAGES = (
    "walkmesh.query",
    "walkmesh.query.ground",
    "walkmesh.query.clearance",
    "walkmesh.links",
    "walkmesh.validate",
)


class Outcome(NamedTuple):
    """New parts of a document, by name, and what there is to say about them."""

    parts: dict[str, Any]
    words: str


def generate_navmesh(
    document: Document, agent: Agent, method: Method, keep_stages: bool, progress: Progress
) -> Outcome:
    """Build the navmesh of a scene, and keep its stages if wanted and possible."""
    scene = document.scene
    if scene is None:
        raise SceneError("There is no scene to build from; open one in the File tab.")
    keep = keep_stages and can_keep_stages(scene, method)
    notes = ["built"]
    if keep_stages and not keep:
        notes.append("its stages have too many cells to be kept")
    compile_kernels((*method.packages, *PACKAGES), progress)
    stages: list[tuple[str, StageMesh]] = []

    def on_stage(name: str, mesh: TriangleMesh | NavMesh) -> None:
        stages.append((name, kept_stage(mesh)))

    navmesh = build(scene, agent, method, progress=progress, on_stage=on_stage if keep else None)
    # The last stage is the navmesh, which by now has a report.
    kept = (*stages[:-1], (method.stage_names[-1], navmesh)) if keep else ()
    assert navmesh.report is not None
    parts = {"navmesh": navmesh, "stages": kept, "evaluation": None}
    return Outcome(parts, "; ".join([*notes, *navmesh.report.notes]))


def link_navmesh(document: Document, limits: dict[str, Any], progress: Progress) -> Outcome:
    """Find where the agent can jump, drop and climb."""
    scene, navmesh = _both(document, "Links need")
    compile_kernels(PACKAGES, progress)
    found = find_links(scene, navmesh, progress=progress, **limits)
    return Outcome({"navmesh": navmesh.with_links(found)}, f"{len(found)} links found")


def evaluate_navmesh(document: Document, samples: int, pairs: int, progress: Progress) -> Outcome:
    """Compare the navmesh with what is free in the scene."""
    scene, navmesh = _both(document, "An evaluation needs")
    compile_kernels(("walkmesh.evaluation", *PACKAGES), progress)
    found = evaluate(scene, navmesh, samples=samples, pairs=pairs, progress=progress)
    words = f"recall {found.recall.value:.4f}, precision {found.precision.value:.4f}"
    return Outcome({"evaluation": found}, words)


def _both(document: Document, need: str) -> tuple[Scene, NavMesh]:
    if document.scene is None or document.navmesh is None:
        raise SceneError(f"{need} a scene and its navmesh; generate it first.")
    return document.scene, document.navmesh


def words_of(title: str, error: Exception) -> str:
    """Return what to say of work that failed."""
    if isinstance(error, WalkmeshError):
        return str(error)
    if isinstance(error, MemoryError):
        return f"{title} needs more memory than this machine has."
    return f"{title} failed, which is a fault of walkmesh: {error!r}"
