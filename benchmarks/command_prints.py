"""Fingerprints of what the command line prints and writes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import walkmesh as wm
from small_files import write_obj, write_plans, write_scenes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prints import Prints

# A missing command, and one that there is not, print what there is.
HELP = ("", "build", "path", "info", "plan", "evaluate", "links", "bridge", "view", "demo",
        "warmup", "nothing")  # fmt: skip
COMMANDS = """\
--version
build house.obj -o house.walkmesh -o faces.obj --polygons --report house.json --stages stages
build house.obj -o slices.glb --method voxel --cell-size 0.15 --partition slices --up y
build small/nodes.glb -o walls.ply --method surface --max-tilt 120 --radius 0.2
build small/faces.off -o faces.walkmesh --scale 0.5 --height 1 --bridge-distance 0.2
build small/text.stl -o text.walkmesh
build missing.obj -o missing.walkmesh
build house.obj -o house.obj
build house.obj -o house.ply --radius -1
info house.walkmesh
info slices.glb --json
info house.obj --json
info small/binary.stl --up z
path house.walkmesh --from 7.6,0,10.6 --to 7.4,3,7.6
path faces.obj --from 7.6,0,10.6 --to 7.4,3,7.6 --radius 0.35 --json
path slices.glb --from 7.6,0,10.6 --to 7.4,3,7.6 --corridor --partial --area-cost 0=2 --json
path house.walkmesh --from 1,2 --to 3,4,5
links house.obj house.walkmesh -o linked.walkmesh --max-jump 1.5 --json
bridge house.walkmesh -o bridged.obj --distance 0.6 --scene house.obj
evaluate house.obj house.walkmesh --samples 500 --from 7.6,0,10.6 --json --report verdict.json
evaluate house.obj slices.glb --samples 500 --pairs 10
plan small/room.svg -o svg.walkmesh --scale 0.1 --layers walls,desks --report svg.json
plan small/room.dxf -o dxf.ply --radius 0.1 --graph dxf.graphml --nodes corners,centers
plan small/ros.yaml -o ros.obj --radius 0 --triangulator greedy --graph ros.json
plan small/storeys.geojson -o storeys.glb --floor-height 2.8 --stages storeys
"""
MEASURED = re.compile(r'\d+\.\d+ s\b|"(?:total_)?seconds": [\d.e-]+|"peak_memory_bytes": \d+')


def add_commands(prints: Prints, builds: Mapping[str, object], quick: bool) -> None:
    """Run the command line in the working directory, on small files and a house."""
    del builds
    folder = Path("small")
    folder.mkdir()
    write_scenes(folder)
    write_plans(folder)
    write_obj(Path("house.obj"), wm.samples.house())
    helps = [f"{command} --help".strip() for command in HELP]
    for line in [*helps[: 3 if quick else None], *COMMANDS.splitlines()[: 15 if quick else None]]:
        run(prints, line)
    for file in sorted(filter(Path.is_file, Path().rglob("*"))):
        content = file.read_bytes()
        if file.suffix == ".json":
            content = MEASURED.sub("measured", content.decode()).encode()
        prints.add(f"command/written/{file}", content)


def run(prints: Prints, line: str) -> None:
    """Run one command; times and memory are left out of what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "walkmesh", *line.split()],
        capture_output=True,
        check=False,
        env={**os.environ, "COLUMNS": "100"},
        text=True,
    )
    prints.add(f"command/{line}/code", done.returncode)
    for name, text in (("output", done.stdout), ("errors", done.stderr)):
        prints.add(f"command/{line}/{name}", MEASURED.sub("measured", text).splitlines())
