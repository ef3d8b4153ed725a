"""Fingerprints of everything that walkmesh makes, to show that a refactoring changes no bit of it.

Builds with their reports and stages, queries, edits, files, judgements, errors and the command
line: each result has a name, such as ``build/house/exact/vertices``, and a fingerprint. Only public
names of walkmesh are used, so the same script runs before a refactoring and after it::

    python benchmarks/fingerprints.py --output before.json
    python benchmarks/fingerprints.py --compare before.json

Times and memory are left out. All else is the same in every run on the same machine with the same
versions of what walkmesh depends on; elsewhere the last bits of sines and cosines may differ.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
import time
from contextlib import chdir
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import shapely

import walkmesh as wm
from build_cases import cases_of, scene_named, scenes_there
from command_prints import add_commands
from named_scenes import FOLDER, REAL
from prints import Prints, differences
from questions import NAVMESH, PATHS, ask
from small_files import write_plans, write_scenes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

RESULT = Path(__file__).parent / ".build" / "fingerprints.json"
PACKAGES = ("numpy", "numba", "shapely", "pillow", "ezdxf", "networkx", "click")

# The builds that each section looks at.
STAGED = ("house/exact", "house/bridges", "house/small tiles", "house/slices", "house/surface",
          "ruin/exact", "stairs/exact", "planet:4/gravity", "office_building/delaunay",
          "nav_test/both/point", "Duplex/watershed", "dungeon/exact")  # fmt: skip
SAVED = ("house/exact", "house, z up/coarse slices", "planet:4/surface", "room/surface",
         "office_building/delaunay", "nav_test/coarse slices", "terrain:20000/exact")  # fmt: skip
EVALUATED = ("stairs/watershed", "office as a scene/exact", "house/exact", "house/bridges",
             "nav_test/exact")  # fmt: skip
LINKED = ("house/exact", "nav_test/exact", "lq_e1m1/watershed")
BRIDGED = ("house/exact", "careless_plates/exact", "nav_test/exact", "office/delaunay")
DAMAGED = ("house/exact", "stairs/watershed", "room/surface", "nav_test/coarse slices")

SCENE = ("vertices", "faces", "up", "counts")
STAGE = ("vertices", "triangles", "edge_kinds")
VERDICT = ("missed", "wrong", "doubled", "lost_pairs", "false_pairs")


class Build(NamedTuple):
    """What was built, of what and how."""

    scene: Any
    agent: wm.Agent
    method: Any
    navmesh: wm.NavMesh


class Builds(dict[str, Build]):
    """Builds by name, such as ``house/exact``."""

    def some(self, names: Sequence[str]) -> Iterator[tuple[str, Build]]:
        """Yield those that there are."""
        return ((name, self[name]) for name in names if name in self)


def add_navmesh(prints: Prints, name: str, navmesh: wm.NavMesh) -> None:
    prints.add_all(name, navmesh, NAVMESH)
    prints.add(f"{name}/agent", asdict(navmesh.agent))
    if navmesh.report is not None:
        report = navmesh.report.without_measurements().as_dict()
        for stage in report.pop("stages"):
            prints.add(f"{name}/report/stages/{stage['name']}", stage)
        for key, value in report.items():
            prints.add(f"{name}/report/{key}", value)


def add_violations(prints: Prints, name: str, navmesh: wm.NavMesh) -> None:
    found = [(v.kind, str(v), v.polygon, v.edge, v.other) for v in navmesh.validate()]
    prints.add(f"{name}/violations", found)


# Sections


def add_builds(prints: Prints, builds: Builds, quick: bool) -> None:
    names, missing = scenes_there(quick)
    if missing:
        print(f"  {missing}", flush=True)
    for name in names:
        scene = prints.attempt(f"scene/{name}", partial(scene_named, name), may_fail=False)
        if scene is None:
            continue
        if isinstance(scene, wm.Scene):
            prints.add_all(f"scene/{name}", scene, SCENE)
        for case in cases_of(name, quick):
            title = f"build/{case.name}"
            make = partial(wm.build, scene, case.agent, case.method)
            navmesh = prints.attempt(title, make)
            if navmesh is not None:
                add_navmesh(prints, title, navmesh)
                add_violations(prints, title, navmesh)
                if case.asked:
                    builds[case.name] = Build(scene, case.agent, case.method, navmesh)


def add_stages(prints: Prints, builds: Builds, quick: bool) -> None:
    for name, build in builds.some(STAGED[: 5 if quick else None]):
        for stage, mesh in wm.stages(build.scene, build.agent, build.method):
            prints.add_all(f"stage/{name}/{stage}", mesh, STAGE)
            for extra in ("distances", "regions"):
                if isinstance(values := getattr(mesh, extra, None), np.ndarray):
                    prints.add(f"stage/{name}/{stage}/{extra}", values)


def add_queries(prints: Prints, builds: Builds, quick: bool) -> None:
    for name, build in builds.items():
        count = 12 if build.navmesh.surface else 20 if quick else 40
        title = f"query/{name}"
        prints.attempt(title, partial(ask, prints, title, build.navmesh, count), may_fail=False)


def add_files(prints: Prints, builds: Builds, quick: bool) -> None:
    del quick
    for name, build in builds.some(SAVED):
        for file_name in ("all.walkmesh", "triangles.obj", "polygons.obj", "all.glb", "all.ply"):
            file, title = Path(file_name), f"file/{name}/{file_name}"
            build.navmesh.save(file, polygons=file_name == "polygons.obj")
            prints.add(f"{title}/bytes", file.read_bytes())
            add_navmesh(prints, f"{title}/read", wm.load_navmesh(file))
            prints.attempt(f"{title}/scene", partial(read_scene, prints, f"{title}/scene", file))


def add_readers(prints: Prints, builds: Builds, quick: bool) -> None:
    """Read small files in every format and all real ones, each as everything that it may be."""
    del builds
    folder = Path("small")
    folder.mkdir()
    write_scenes(folder)
    write_plans(folder)
    real = [file for file in FOLDER.rglob("*") if file.suffix.lower() not in (".md", ".txt")]
    if quick:
        large = [FOLDER / name for name, _, _ in REAL.values()]
        real = [file for file in real if file not in large]
    for file in sorted([*folder.iterdir(), *filter(Path.is_file, real)]):
        small = file.parent == folder
        name = f"read/{file if small else file.relative_to(FOLDER)}"
        options = {"up": "z", "scale": 0.01} if small else {}
        for kind, read in READERS.items():
            title = f"{name}/{kind}"
            prints.attempt(title, partial(read, prints, title, file, **options))
        if small and file.suffix in (".svg", ".dxf"):
            plan = wm.load_plan(file, layers=["desks", "walls"])
            add_plan(prints, f"{name}/layers", plan)


def read_scene(prints: Prints, name: str, file: Path, **options: Any) -> None:
    scene = wm.load_scene(file, **options)
    prints.add_all(name, scene, (*SCENE, "bounds"))


def read_plan(prints: Prints, name: str, file: Path, scale: float = 1.0, **_: Any) -> None:
    add_plan(prints, name, wm.load_plan(file, scale=scale))


def read_building(prints: Prints, name: str, file: Path, scale: float = 1.0, **_: Any) -> None:
    building = wm.load_building(file, scale=scale, floor_height=2.8)
    for i, floor in enumerate(building.floors):
        add_plan(prints, f"{name}/floor {i}", floor)
    for i, flight in enumerate(building.stairs):
        prints.add_all(f"{name}/stairs {i}", flight, ("sections", "floors", "way"))
    prints.add_all(f"{name}/extruded", building.to_scene(), SCENE)


def add_plan(prints: Prints, name: str, plan: wm.FloorPlan) -> None:
    prints.add_all(name, plan, ("height", "counts", "bounds"))
    for kind in ("obstacles", "walls", "hairlines"):
        prints.add(f"{name}/{kind}", b"".join(map(shapely.to_wkb, getattr(plan, kind))))
    prints.add(f"{name}/boundary", shapely.to_wkb(plan.boundary))


READERS: dict[str, Callable[..., None]] = {
    "scene": read_scene,
    "plan": read_plan,
    "building": read_building,
}


def add_judgements(prints: Prints, builds: Builds, quick: bool) -> None:
    """Evaluate, look for links, bridge gaps, and validate what was damaged."""
    for name, build in builds.some(EVALUATED[: 3 if quick else None]):
        scene, navmesh = build.scene, build.navmesh
        foreign = wm.Scene(navmesh.vertices, navmesh.triangles, navmesh.up)
        seeds = navmesh.sample(2, seed=3).points
        for kind, judged in (("own", navmesh), ("foreign", foreign)):
            found = wm.evaluate(
                scene, judged, build.agent, samples=500 if quick else 2000, pairs=10, seeds=seeds
            )
            prints.add(f"evaluate/{name}/{kind}/figures", found.as_dict())
            prints.add(f"evaluate/{name}/{kind}/words", str(found).splitlines())
            prints.add_all(f"evaluate/{name}/{kind}", found, VERDICT)
    for name, build in builds.some(LINKED):
        links = wm.find_links(build.scene, build.navmesh)
        prints.add(f"links/{name}", links)
        linked = build.navmesh.with_links(links)
        add_violations(prints, f"links/{name}/linked", linked)
        ends = np.split(linked.sample(200, seed=4).points, 2)
        prints.add_all(f"links/{name}/paths", linked.find_paths(*ends), PATHS)
    for name, build in builds.some(BRIDGED):
        for kind, scene in (("alone", None), ("in its scene", build.scene)):
            if scene is None or isinstance(scene, wm.Scene):
                bridged = wm.bridge_gaps(build.navmesh, 0.8, scene=scene)
                add_navmesh(prints, f"bridge_gaps/{name}/{kind}", bridged)
    for name, build in builds.some(DAMAGED):
        for kind, damaged in damage(build.navmesh):
            add_violations(prints, f"damaged/{name}/{kind}", damaged)


def damage(navmesh: wm.NavMesh) -> Iterator[tuple[str, wm.NavMesh]]:
    """Yield copies of a navmesh, each of them wrong in another way."""
    arrays = {name: getattr(navmesh, name) for name in NAVMESH if name != "area"}
    detail = {name: arrays.pop(name) for name in ("triangles", "triangle_polygons")}
    if not np.array_equal(wm.NavMesh(**arrays).triangles, detail["triangles"]):
        arrays |= detail
    shaken = np.random.default_rng(5).normal(0.0, 0.1, navmesh.vertices.shape)
    linked = navmesh.with_links(*np.split(navmesh.sample(6, seed=6).points, 2)).links.copy()
    linked["cost"][0], linked["goal"][1], linked["start_polygon"][2] = -1.0, math.nan, 1 << 30
    changes = {
        "vertices": navmesh.vertices + shaken,
        "polygon_vertices": np.roll(navmesh.polygon_vertices, 1),
        "neighbors": np.roll(navmesh.neighbors, 1),
        "components": np.arange(navmesh.polygon_count),
        "links": linked,
    }
    for name, array in changes.items():
        yield name, wm.NavMesh(**{**arrays, name: array}, agent=navmesh.agent)


def add_errors(prints: Prints, builds: Builds, quick: bool) -> None:
    """Ask for what is impossible."""
    del builds, quick
    scene, plan = wm.samples.floor(), wm.samples.office()
    navmesh = wm.build(scene)
    here = (1.0, 0.0, 1.0)
    wrong: dict[str, Callable[[], object]] = {
        "slope": lambda: wm.Agent(max_slope=95),
        "radius": lambda: wm.Agent(radius=-1),
        "cell size": lambda: wm.Voxel(cell_size=0),
        "sides": lambda: wm.Exact(sides="left"),  # type: ignore[arg-type]
        "partition": lambda: wm.Voxel(partition="hexagons"),  # type: ignore[arg-type]
        "triangulator": lambda: wm.Planar(triangulator="best"),
        "no scene": lambda: wm.build("house"),  # type: ignore[arg-type]
        "plan and method": lambda: wm.build(plan, method=wm.Exact()),
        "scene and method": lambda: wm.build(scene, method=wm.Planar()),
        "nothing to stand on": lambda: wm.build(scene, wm.Agent(radius=40)),
        "upside down": lambda: wm.build(wm.Scene(scene.vertices, scene.faces[:, ::-1])),
        "no faces": lambda: wm.Scene([(0, 0, 0)], []),
        "face out of range": lambda: wm.Scene([(0, 0, 0)], [(0, 1, 2)]),
        "no area": lambda: wm.FloorPlan([(0, 0), (1, 1), (2, 2)]),
        "missing file": lambda: wm.load_scene("missing.obj"),
        "unknown suffix": lambda: wm.load_navmesh("navmesh.xyz"),
        "unknown target": lambda: navmesh.save("navmesh.xyz"),
        "polygons": lambda: navmesh.save("navmesh.ply", polygons=True),
        "offsets": lambda: wm.NavMesh(navmesh.vertices, [0, 9], [0, 1, 2, 3]),
        "not a number": lambda: navmesh.find_path((math.nan, 0, 0), here),
        "shape": lambda: navmesh.nearest([(1.0, 2.0)]),
        "smaller radius": lambda: navmesh.find_path(here, here, radius=0.1),
        "area cost": lambda: navmesh.find_path(here, here, area_costs={1: -2}),
        "far links": lambda: navmesh.with_links([(99, 0, 0)], [here]),
        "outline": lambda: navmesh.paint(1, polygon=[(0, 0, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1)]),
        "nodes": lambda: navmesh.path_nodes("edges"),
        "samples": lambda: wm.evaluate(scene, navmesh, samples=-1),
        "jump": lambda: wm.find_links(scene, navmesh, max_jump=-1.0),
        "gap": lambda: wm.bridge_gaps(navmesh, math.inf),
    }
    for name, fail in wrong.items():
        if prints.attempt(f"error/{name}", fail) is not None:
            prints.add(f"error/{name}", "accepted")


SECTIONS = {
    "builds": add_builds,
    "stages": add_stages,
    "queries": add_queries,
    "files": add_files,
    "readers": add_readers,
    "judgements": add_judgements,
    "errors": add_errors,
    "command line": add_commands,
}


def make_prints(quick: bool) -> Prints:
    """Make all fingerprints, section by section."""
    prints, builds = Prints(), Builds()
    for name, section in SECTIONS.items():
        before, start, used = len(prints.entries), time.perf_counter(), os.times()
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            fill = partial(section, prints, builds, quick)
            prints.attempt(f"section/{name}", fill, may_fail=False)
        cpu = sum(os.times()[:4]) - sum(used[:4])
        count, wall = len(prints.entries) - before, time.perf_counter() - start
        print(f"{name}: {count} fingerprints, {wall:.0f} s, {cpu:.0f} s of CPU", flush=True)
    return prints


def main(arguments: Sequence[str] | None = None) -> int:
    """Make fingerprints, compare them, and return 1 if any differ."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", type=Path, default=RESULT, help="the file to write")
    parser.add_argument("--quick", action="store_true", help="make a part of them, in a minute")
    parser.add_argument(
        "--compare",
        type=Path,
        nargs="+",
        metavar="JSON",
        help="fingerprints from before; a second file has those from afterwards, and then none "
        "are made",
    )
    chosen = parser.parse_args(arguments)
    files = [json.loads(file.read_text()) for file in chosen.compare or ()]
    if len(files) > 2:
        parser.error(f"--compare takes one file or two, got {len(files)}")
    if len(files) == 1 and files[0]["about"]["quick"] != chosen.quick:
        parser.error("--compare must be given with --quick if and only if the file was made so")
    if len(files) < 2:
        prints = make_prints(chosen.quick)
        versions = {name: version(name) for name in PACKAGES}
        about = {"quick": chosen.quick, "python": sys.version.split()[0], **versions}
        content = {"about": about, "unexpected": prints.unexpected, "prints": prints.entries}
        chosen.output.parent.mkdir(parents=True, exist_ok=True)
        chosen.output.write_text(json.dumps(content, indent=1) + "\n")
        print(f"{len(prints.entries)} fingerprints in {chosen.output}")
        files.append(content)
    return compare(*files) if chosen.compare else 0


def compare(before: dict[str, Any], after: dict[str, Any]) -> int:
    """Print how two files differ, and return 1 if they do."""
    for line in differences(before["about"], after["about"]):
        print(f"made otherwise, {line}")
    found = differences(before["prints"], after["prints"])
    print("\n".join([*found, f"{len(found)} of {len(before['prints'])} fingerprints differ"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
