"""What the page shows: a scene, its navmesh, and what is known of both."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder import TriangleMesh, Voxel
from walkmesh.errors import FormatError, SceneError, WalkmeshError
from walkmesh.io.navmeshes import SUFFIXES, is_navmesh, load_navmesh
from walkmesh.io.scenes import SUFFIXES as SCENE_SUFFIXES
from walkmesh.io.scenes import load_scene
from walkmesh.navmesh import NavMesh
from walkmesh.scene import Scene
from walkmesh.topology import check_usable
from walkmesh.viewer.page.page_frame import PageFrame

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from walkmesh.builder import Method
    from walkmesh.evaluation import Evaluation

READ_SUFFIXES = tuple(dict.fromkeys((*SCENE_SUFFIXES, *SUFFIXES)))
"""What can be opened: scenes and navmeshes."""

MOST_TRIANGLES = 2_000_000
"""Stages with more triangles, such as a fine heightfield, would take all memory of a browser."""

# A navmesh belongs to a scene if it reaches out of its box by no more than this. [m]
_BESIDE = 0.5


@dataclass(frozen=True)
class TooMany:
    """What is kept of a stage that is too large to be shown: how many triangles it has."""

    triangle_count: int


StageMesh = TriangleMesh | NavMesh | TooMany


def kept_stage(mesh: TriangleMesh | NavMesh) -> StageMesh:
    """Return what is kept of a stage."""
    count = len(mesh.triangles)
    return TooMany(count) if count > MOST_TRIANGLES else mesh


def can_keep_stages(scene: Scene, method: Method) -> bool:
    """Tell whether the stages of a build are worth making: not those of tens of millions of cells.

    A cell that is seen is two triangles.
    """
    if not isinstance(method, Voxel):
        return True
    size = np.abs(scene.frame.axes[:2] @ (scene.bounds[1] - scene.bounds[0]))
    return bool(np.prod(size) / method.cell_size**2 <= MOST_TRIANGLES / 2)


@dataclass(frozen=True, eq=False)
class Document:
    """What is open; another one takes its place when anything of it changes.

    Attributes
    ----------
    name : str
        What files made of it are called, without suffix.
    scene : Scene or None
    scale : float
        Metres for a unit of the file that the scene is from.
    left_out : int
        How many triangles of that file could not be used.
    navmesh : NavMesh or None
    stages : tuple of (str, mesh)
        The stages of the build of `navmesh`, if they were kept.
    evaluation : Evaluation or None
        Of `navmesh` against `scene`.
    """

    name: str = "navmesh"
    scene: Scene | None = None
    scale: float = 1.0
    left_out: int = 0
    navmesh: NavMesh | None = None
    stages: tuple[tuple[str, StageMesh], ...] = ()
    evaluation: Evaluation | None = None

    @cached_property
    def page_frame(self) -> PageFrame:
        """Where it is on the page; with a scene, a navmesh changes nothing about that."""
        shown = self.scene or self.navmesh
        if shown is None or len(shown.vertices) == 0:
            return PageFrame.around((0.0, 0.0, 1.0), np.zeros((1, 3)))
        if not isinstance(shown, Scene):
            return PageFrame.around(shown.up, shown.vertices)
        if np.count_nonzero(shown.up) == 1:
            return PageFrame.around(shown.up, shown.bounds)
        # Along an oblique up, a box around the scene is larger than the scene.
        used = np.zeros(len(shown.vertices), dtype=bool)
        used[shown.faces.ravel()] = True
        return PageFrame.around(shown.up, shown.vertices[used])

    def with_navmesh(self, navmesh: NavMesh, name: str) -> Document:
        """Return what is open once a navmesh from a file is; a scene that it belongs to stays."""
        if self.scene is not None and _belongs(navmesh, self.scene):
            return replace(self, name=name, navmesh=navmesh, stages=(), evaluation=None)
        return Document(name=name, navmesh=navmesh)

    def with_up(self, up: str | Sequence[float], scale: float) -> Document:
        """Return the same scene with another up and scale, without a navmesh."""
        assert self.scene is not None
        scene = Scene(self.scene.vertices * (scale / self.scale), self.scene.faces, up)
        return Document(
            name=self.name, scene=scene, scale=scale, left_out=self.left_out + scene.left_out.total
        )

    def with_scene(self, scene: Scene, scale: float, name: str) -> Document:
        """Return what is open once a scene is; a navmesh that belongs to it stays, if it is alone.

        That of another scene was built from that one.
        """
        navmesh = self.navmesh if self.scene is None else None
        if navmesh is not None and not _belongs(navmesh, scene):
            navmesh = None
        left_out = scene.left_out.total
        return Document(name=name, scene=scene, scale=scale, left_out=left_out, navmesh=navmesh)


def open_file(
    path: str | PathLike[str],
    up: str | Sequence[float],
    scale: float,
    before: Document,
    name: str | None = None,
) -> Document:
    """Open a scene or a navmesh; the suffix and the first bytes of a file tell which.

    Of a scene and its navmesh, the one that is open `before` stays. The document is called by
    `name`, or as the file.
    """
    called = Path(path).stem if name is None else name
    if is_navmesh(path):
        navmesh = load_navmesh(path)
        try:
            check_usable(navmesh)
        except FormatError as error:
            raise FormatError(f"{path}: {error}") from None
        return before.with_navmesh(navmesh, called)
    return before.with_scene(load_scene(path, up, scale), scale, called)


def open_upload(
    name: str, content: bytes, up: str | Sequence[float], scale: float, before: Document
) -> Document:
    """Open what someone sent: its name says nothing but what format it is in.

    It is written to a folder of its own, where it lies alone and which goes when it is read. Errors
    name the file as its sender does.
    """
    given = PurePath(name.replace("\\", "/")).name or "file"
    suffix = PurePath(given).suffix.lower()
    if suffix not in READ_SUFFIXES:
        raise SceneError(
            f"{given}: unsupported file type {suffix!r}; supported: {', '.join(READ_SUFFIXES)}"
        )
    with tempfile.TemporaryDirectory(prefix="walkmesh-") as folder:
        file = Path(folder) / f"upload{suffix}"
        file.write_bytes(content)
        try:
            return open_file(file, up, scale, before, PurePath(given).stem)
        except WalkmeshError as error:
            raise type(error)(str(error).replace(str(file), given)) from None


def _belongs(navmesh: NavMesh, scene: Scene) -> bool:
    """Tell whether a navmesh may be one of a scene: up is the same, and so is the place."""
    if len(navmesh.vertices) == 0 or not np.allclose(navmesh.up, scene.up):
        return False
    low, high = scene.bounds
    inside = (navmesh.vertices >= low - _BESIDE) & (navmesh.vertices <= high + _BESIDE)
    return bool(inside.all())
