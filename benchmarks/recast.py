"""Recast on the same scenes, through the small program ``recast_driver.cpp``."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import walkmesh as wm
from runs import Run
from walkmesh.io.obj import read_obj

if TYPE_CHECKING:
    from numpy.typing import NDArray

DRIVER = Path(__file__).parent / ".build" / "recast_driver"


class Cell(NamedTuple):
    """The voxels that Recast works with. [Unit: m]."""

    size: float
    height: float

    def __str__(self) -> str:
        return f"{self.size:g}/{self.height:g}"


@dataclass(frozen=True)
class Pairs:
    """Places to search paths between.

    Attributes
    ----------
    starts, goals : (n, 3) float64
        World coordinates. [Unit: m]
    start_polygons, goal_polygons : (n,) int32
        The polygons they are on.
    """

    starts: NDArray[np.float64]
    goals: NDArray[np.float64]
    start_polygons: NDArray[np.int32]
    goal_polygons: NDArray[np.int32]


@dataclass(frozen=True)
class Answers:
    """What Detour made of some queries.

    Attributes
    ----------
    complete, partial, failed : int
        How many paths lead to the goal, to somewhere else, and nowhere.
    path_ms, nearest_and_path_ms : float
        CPU time of all queries by ``findPath`` and ``findStraightPath``, with the polygons of both
        ends known, and with ``findNearestPoly`` to find them. [Unit: ms]
    """

    complete: int
    partial: int
    failed: int
    path_ms: float
    nearest_and_path_ms: float


class Recast:
    """Recast on one scene, for one agent.

    Parameters
    ----------
    scene : Scene
        Its triangles are written once, as an OBJ file.
    agent : Agent
        Who is going to walk.
    folder : Path
        For that file and for navmeshes.
    """

    def __init__(self, scene: wm.Scene, agent: wm.Agent, folder: Path) -> None:
        if not DRIVER.is_file():
            raise SystemExit(f"{DRIVER} is not built: `make {DRIVER.relative_to(Path.cwd())}`")
        self.scene = scene
        self.agent = agent
        self.folder = folder
        self._write_scene()

    def build(self, cell: Cell, *, tile: int = 0, limit_seconds: float = 600.0) -> Run:
        """Build once.

        Parameters
        ----------
        cell : Cell
            The voxels.
        tile : int
            Cells along the side of a tile; 0 for a navmesh of one piece.
        limit_seconds : float
            What takes longer is stopped, and counts as failed. [Unit: s]
        """
        answer = self._run(cell, {"--tile": tile} if tile else {}, limit_seconds)
        if isinstance(answer, str):
            return Run(error=answer)
        answer["error"] = answer["overflow"] or answer["error"]
        return Run(**{field.name: answer[field.name] for field in fields(Run)})

    def find_paths(
        self, cell: Cell, pairs: Pairs, repeat: int
    ) -> tuple[Answers, NDArray[np.float64]]:
        """Build once more, and let Detour search paths on the polygons.

        Parameters
        ----------
        cell : Cell
            The voxels.
        pairs : Pairs
            Starts and goals, in the scene's coordinates, and the polygons of `polygons` they are
            on.
        repeat : int
            How often; the fastest time counts.

        Returns
        -------
        Answers
            What it took.
        (n,) float64
            Lengths of the paths seen from above, -1 where the goal is not reached. [Unit: m]
        """
        queries, lengths = self.folder / "queries.txt", self.folder / "lengths.txt"
        ends = [
            np.column_stack([polygons, self.scene.frame.to_plan(points)[:, [1, 2, 0]]])
            for points, polygons in (
                (pairs.starts, pairs.start_polygons),
                (pairs.goals, pairs.goal_polygons),
            )
        ]
        np.savetxt(queries, np.column_stack(ends), fmt=["%d", *["%.9g"] * 3] * 2)
        flags = {"--queries": queries, "--lengths": lengths, "--repeat": repeat}
        answer = self._run(cell, flags, 600.0)
        if isinstance(answer, str):
            raise SystemExit(f"{DRIVER}: {answer}")
        answers = Answers(**{field.name: answer[field.name] for field in fields(Answers)})
        return answers, np.loadtxt(lengths, ndmin=1)

    def _run(self, cell: Cell, more: dict[str, Any], limit_seconds: float) -> dict[str, Any] | str:
        """Run the driver, and return what it answers, or why it does not."""
        flags = {
            "--cs": cell.size,
            "--ch": cell.height,
            "--height": self.agent.height,
            "--radius": self.agent.radius,
            "--climb": self.agent.max_step,
            "--slope": self.agent.max_slope,
            "--out": self._file(cell, "polygons"),
            "--out-detail": self._file(cell, "detail"),
            **more,
        }
        words = [str(word) for flag in flags.items() for word in flag]
        try:
            finished = subprocess.run(
                [DRIVER, self.folder / "scene.obj", *words],
                capture_output=True,
                text=True,
                check=False,
                timeout=limit_seconds,
            )
        except subprocess.TimeoutExpired:
            return f"no result within {limit_seconds:g} s"
        if finished.returncode:
            return finished.stderr.strip() or f"stopped by signal {-finished.returncode}"
        answer: dict[str, Any] = json.loads(finished.stdout)
        return answer

    def polygons(self, cell: Cell) -> wm.NavMesh:
        """Return the polygons of the latest build with this cell, in the scene's coordinates."""
        read = read_obj(self._file(cell, "polygons").read_bytes())
        return wm.NavMesh(
            self._to_world(read.vertices),
            read.offsets,
            read.corners,
            agent=self.agent,
            up=self.scene.up,
        )

    def detail(self, cell: Cell) -> wm.Scene:
        """Return the detail mesh of the latest build with this cell, in the scene's coordinates."""
        read = wm.load_scene(self._file(cell, "detail"))
        return wm.Scene(self._to_world(read.vertices), read.faces, self.scene.up)

    def _file(self, cell: Cell, kind: str) -> Path:
        return self.folder / f"{kind}-{cell.size:g}-{cell.height:g}.obj"

    def _write_scene(self) -> None:
        """Write triangles with y up around the scene's own origin: Recast has 32 bits only."""
        used, faces = np.unique(self.scene.faces, return_inverse=True)
        vertices = self.scene.frame.to_plan(self.scene.vertices[used])[:, [1, 2, 0]]
        triangles = faces.reshape(-1, 3) + 1
        with (self.folder / "scene.obj").open("w") as file:
            file.writelines(f"v {x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in vertices.tolist())
            file.writelines(f"f {a} {b} {c}\n" for a, b, c in triangles.tolist())

    def _to_world(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.scene.frame.to_world(np.ascontiguousarray(points[:, [2, 0, 1]]))
