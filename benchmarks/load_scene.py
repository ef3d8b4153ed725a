"""How long loading a scene takes, against trimesh, for every format.

Writes a terrain of a million triangles in every format to a temporary folder, and loads each file
with walkmesh, with trimesh as a user would call it, and with trimesh's ``process=False``, which
leaves vertices as they are. trimesh is asked for the triangles too, since of a GLB file it only
looks at the bytes until then. The best of three runs counts, after the kernels are compiled.

walkmesh's time includes checking every triangle of the scene (no area, not finite, repeated), about
0.2 s for a million.

Run it with ``python benchmarks/load_scene.py``; ``--side 100`` makes a smaller terrain.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import trimesh

from machine import describe
from walkmesh.io.scenes import load_scene

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

REPEATS = 3


def make_terrain(side: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the vertices of a hilly terrain, and its (m, 4) quads."""
    x, z = (axis.ravel() * 0.25 for axis in np.meshgrid(np.arange(side + 1), np.arange(side + 1)))
    vertices = np.column_stack([x, 3.0 * np.sin(0.11 * x) * np.cos(0.07 * z), z])
    first = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).ravel()
    return vertices, np.column_stack([first, first + side + 1, first + side + 2, first + 1])


def write_files(folder: Path, side: int) -> list[Path]:
    """Write the terrain in every format."""
    vertices, quads = make_terrain(side)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    half = len(quads) // 2
    mixed = [
        *quads[:half].tolist(),
        *quads[half:, [0, 1, 2]].tolist(),
        *quads[half:, [0, 2, 3]].tolist(),
    ]
    mesh = trimesh.Trimesh(vertices, triangles, process=False)
    write_obj(folder / "triangles.obj", vertices, triangles.tolist())
    write_obj(folder / "mixed_quads.obj", vertices, mixed)
    mesh.export(folder / "terrain.glb")
    mesh.export(folder / "binary.ply", vertex_normal=False)
    mesh.export(folder / "text.ply", encoding="ascii", vertex_normal=False)
    mesh.export(folder / "terrain.stl")
    mesh.export(folder / "terrain.off")
    names = ("triangles.obj", "mixed_quads.obj", "terrain.glb", "binary.ply", "text.ply",
             "terrain.stl", "terrain.off")  # fmt: skip
    return [folder / name for name in names]


def write_obj(file: Path, vertices: NDArray[np.float64], faces: list[list[int]]) -> None:
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in vertices.tolist()]
    lines += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    file.write_text("\n".join(lines) + "\n")


def best_time(load: Callable[[], Any]) -> float:
    """Return how many seconds the shortest of some runs takes."""
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        load()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time loading scenes, against trimesh.")
    parser.add_argument("--side", type=int, default=708, help="quads along each side")
    side = parser.parse_args().side
    logging.getLogger("trimesh").setLevel(logging.ERROR)
    print(describe("walkmesh", "trimesh", "numpy"))
    print(f"{2 * side * side} triangles, best of {REPEATS}, in seconds\n")
    print(f"{'file':<18}{'MB':>7}{'walkmesh':>10}{'trimesh':>10}{'process=False':>15}")
    with tempfile.TemporaryDirectory() as folder:
        for file in write_files(Path(folder), side):
            ours = best_time(lambda file=file: load_scene(file))  # type: ignore[misc]
            plain = best_time(lambda file=file: trimesh.load_scene(file).triangles)  # type: ignore[misc]
            raw = best_time(
                lambda file=file: trimesh.load_scene(file, process=False).triangles  # type: ignore[misc]
            )
            size = file.stat().st_size / 1e6
            print(f"{file.name:<18}{size:>7.1f}{ours:>10.2f}{plain:>10.2f}{raw:>15.2f}", flush=True)


if __name__ == "__main__":
    main()
