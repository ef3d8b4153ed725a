"""How long loading a scene takes, against trimesh, for every format."""

from __future__ import annotations

import logging
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import trimesh

from page import Section, paragraphs, table
from runs import Times
from walkmesh.io.scenes import load_scene

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

RUNS = 3
QUICK_RUNS = 2
# Quads along each side: a million triangles.
SIDE = 708
QUICK_SIDE = 100


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


def time_runs(load: Callable[[], Any], runs: int) -> Times:
    each = []
    for _ in range(runs):
        start = time.perf_counter()
        load()
        each.append((time.perf_counter() - start) * 1e3)
    return Times(tuple(each))


def section(quick: bool) -> Section:
    logging.getLogger("trimesh").setLevel(logging.ERROR)
    side, runs = (QUICK_SIDE, QUICK_RUNS) if quick else (SIDE, RUNS)
    rows, numbers = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for file in write_files(Path(folder), side):
            loaders: dict[str, Callable[[], Any]] = {
                "walkmesh": partial(load_scene, file),
                "trimesh": partial(load_with_trimesh, file),
                "trimesh, process=False": partial(load_with_trimesh, file, process=False),
            }
            times = {name: time_runs(load, runs) for name, load in loaders.items()}
            fastest = min(times, key=lambda name: times[name].median)
            size = f"{file.stat().st_size / 1e6:.1f}"
            rows.append([file.name, size, *(str(each) for each in times.values()), fastest])
            numbers[file.name] = {name: each.each for name, each in times.items()}
    heads = ["file", "MB", *loaders, "fastest"]
    words = f"A terrain of {2 * side * side:,} triangles, {HOW}"
    return Section("Loading a scene", paragraphs(words, table(heads, rows)), numbers)


def load_with_trimesh(file: Path, **options: Any) -> Any:
    # Triangles are asked for, since of a GLB file trimesh only looks at the bytes until then.
    return trimesh.load_scene(file, **options).triangles


HOW = """\
in ms: the median with (largest - smallest, runs). trimesh is called as a user would, and with
`process=False`, which leaves vertices as they are. walkmesh's time includes checking every triangle
(no area, not finite, repeated)."""
