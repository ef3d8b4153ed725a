"""Recast beside walkmesh: the same scene and agent, through a program that runs Recast.

The program is not part of walkmesh. It is called as ``PROGRAM scene.obj --cs C --ch C --height H
--radius R --climb S --slope D --out navmesh.obj`` on an OBJ file with y up, writes its polygons to
the other file, and prints one line of JSON with at least ``total_build_ms`` and
``detour_create_ms`` (CPU time of its one thread), ``polys``, ``components`` and ``peak_rss_mib``,
and ``error`` or ``overflow`` when it did not work out.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import shapely

if TYPE_CHECKING:
    from numpy.typing import NDArray

    import walkmesh as wm


@dataclass(frozen=True)
class RecastRun:
    """What Recast made of a scene.

    Attributes
    ----------
    cell_size, cell_height : float
        [Unit: m]
    milliseconds : float
        CPU time of the build with the creation of Detour's navmesh; the median of some runs.
    polygons, components : int
    peak_mebibytes : float
        Memory of the process, reading the OBJ file included.
    error : str
        Why there is no navmesh, or why it cannot be right; empty otherwise.
    joined : list of bool
        For each of the given pairs of places, whether one can walk from one to the other.
    """

    cell_size: float
    cell_height: float
    milliseconds: float
    polygons: int
    components: int
    peak_mebibytes: float
    error: str
    joined: list[bool]


def run_recast(
    program: Path,
    scene: wm.Scene,
    agent: wm.Agent,
    cell_size: float,
    cell_height: float,
    *,
    runs: int = 3,
    pairs: NDArray[np.float64] | None = None,
) -> RecastRun:
    """Build a navmesh with Recast.

    Parameters
    ----------
    program : Path
        What runs Recast, as the module's docstring says.
    scene, agent
        As for ``wm.build``.
    cell_size, cell_height : float
        Of Recast's voxels. [Unit: m]
    runs : int
        Of which the median time is taken.
    pairs : (n, 2, 3) float64, optional
        Places in world coordinates, to be told whether a way leads from one to the other.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_y_up(scene, folder / "scene.obj")
        answers = [
            _run(program, folder, agent, cell_size, cell_height) for _ in range(max(1, runs))
        ]
        joined = []
        error = str(answers[0].get("error", answers[0].get("overflow", "")))
        if pairs is not None and not error:
            joined = _joined(folder / "navmesh.obj", to_y_up(scene, pairs))
    times = [float(a["total_build_ms"]) + float(a["detour_create_ms"]) for a in answers]
    return RecastRun(
        cell_size,
        cell_height,
        statistics.median(times),
        int(answers[0].get("polys", 0)),
        int(answers[0].get("components", 0)),
        float(answers[0].get("peak_rss_mib", 0.0)),
        error,
        joined,
    )


def to_y_up(scene: wm.Scene, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return world points with y up, around the scene's own origin: Recast has 32 bits only."""
    return scene.frame.to_plan(points)[..., [1, 2, 0]]


def write_y_up(scene: wm.Scene, file: Path) -> None:
    """Write the scene's triangles as an OBJ file with y up."""
    vertices = to_y_up(scene, np.nan_to_num(scene.vertices, posinf=0.0, neginf=0.0))
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in vertices.tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (scene.faces + 1).tolist()]
    file.write_text("\n".join(lines) + "\n")


def _run(
    program: Path, folder: Path, agent: wm.Agent, cell_size: float, cell_height: float
) -> dict[str, float | str]:
    flags = {
        "--cs": cell_size,
        "--ch": cell_height,
        "--height": agent.height,
        "--radius": agent.radius,
        "--climb": agent.max_step,
        "--slope": agent.max_slope,
        "--out": folder / "navmesh.obj",
    }
    words = [str(word) for flag in flags.items() for word in flag]
    finished = subprocess.run(
        [str(program), str(folder / "scene.obj"), *words],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        answer: dict[str, float | str] = json.loads(finished.stdout)
    except json.JSONDecodeError:
        raise SystemExit(f"{program} printed no JSON: {finished.stderr[-500:]}") from None
    return answer


def _joined(navmesh: Path, pairs: NDArray[np.float64]) -> list[bool]:
    """Tell whether places are in one component of polygons that share edges."""
    vertices: list[list[float]] = []
    polygons: list[list[int]] = []
    for line in navmesh.read_text().splitlines():
        kind, *words = line.split() or [""]
        if kind == "v":
            vertices.append([float(word) for word in words])
        elif kind == "f":
            polygons.append([int(word.split("/")[0]) - 1 for word in words])
    points = np.array(vertices)
    parent = list(range(len(polygons)))

    def root(index: int) -> int:
        while parent[index] != index:
            index = parent[index]
        return index

    owners: dict[frozenset[int], int] = {}
    for index, corners in enumerate(polygons):
        for k, corner in enumerate(corners):
            edge = frozenset((corner, corners[k - 1]))
            parent[root(index)] = root(owners.setdefault(edge, index))

    plans = [shapely.Polygon(points[corners][:, [2, 0]]) for corners in polygons]
    heights = np.array([points[corners, 1].mean() for corners in polygons])

    def home(place: NDArray[np.float64]) -> int:
        apart = shapely.distance(plans, shapely.Point(place[2], place[0]))
        nearest = int(np.argmin(np.hypot(apart, heights - place[1])))
        return root(nearest) if apart[nearest] < 0.5 else -1

    homes = [(home(a), home(b)) for a, b in pairs]
    return [a >= 0 and a == b for a, b in homes]
