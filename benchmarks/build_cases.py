"""The builds that fingerprints are made of: every method, kind of scene and kind of agent."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import walkmesh as wm
from agents import AGENTS
from named_scenes import FOLDER, agent_for, make_scene, present

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

METHODS: dict[str, Any] = {
    "exact": wm.Exact(),
    "bridges": wm.Exact(bridge_distance=0.35),
    "back": wm.Exact(sides="back"),
    "both": wm.Exact(sides="both", min_patch_area=0.0),
    "coarse": wm.Exact(
        stair_slope=30.0, gap_distance=0.1, wall_thickness=0.1, arc_error=0.1,
        boundary_tolerance=0.1, height_tolerance=0.05, min_patch_area=2.0,
    ),
    "watershed": wm.Voxel(),
    "one tile": wm.Voxel(tile_voxels=4096),
    "small tiles": wm.Voxel(tile_voxels=64, sides="both", min_patch_area=0.0),
    "ears": wm.Voxel(cell_size=0.15, triangulation="ears", boundary_tolerance=1.0),
    "min_area": wm.Voxel(cell_size=0.15, triangulation="min_area", height_tolerance=0.2),
    "slices": wm.Voxel(partition="slices"),
    "slices, one tile": wm.Voxel(partition="slices", tile_voxels=4096),
    "coarse slices": wm.Voxel(partition="slices", cell_size=0.2, cell_height=0.1, tile_voxels=128),
    "surface": wm.Surface(),
    "no ceilings": wm.Surface(max_tilt=135.0, max_turn_convex=60.0, min_patch_area=0.0),
    "gravity": wm.Surface(gravity_center=(0.0, 0.0, 0.0), max_tilt=25.0, sides="both"),
    "delaunay": wm.Planar(),
    "greedy": wm.Planar(triangulator="greedy"),
    "y up": wm.Planar(up="y", arc_error=0.005, wall_thickness=0.1, grid_step=0.001),
}  # fmt: skip

# Scenes, and the methods to build them with, each for the default agent or for the one named.
BUILDS: dict[str, tuple[str, ...]] = {
    "house": ("exact", "exact/point", "exact/robot vacuum", "exact/giant", "bridges", "back",
              "both", "coarse", "watershed", "one tile", "small tiles", "ears", "min_area",
              "slices", "slices, one tile", "surface", "no ceilings"),
    "house, z up": ("exact", "coarse slices"),
    "house, tilted": ("exact", "watershed"),
    "house, far": ("exact", "watershed", "surface"),
    "station": ("exact", "watershed", "slices, one tile"),
    "platform": ("exact", "small tiles"),
    "buildings": ("exact", "bridges/robot vacuum"),
    "terrain:20000": ("exact", "exact/robot vacuum", "exact/giant", "one tile", "surface"),
    "doorways:17": ("exact", "watershed"),
    "plate:17": ("exact", "coarse"),
    "spiral:0.12": ("exact", "slices"),
    "two_levels": ("exact", "slices"),
    "kerb": ("exact", "exact/TurtleBot"),
    "box_room": ("exact", "both"),
    "ramp": ("exact", "watershed"),
    "stairs_with_landing": ("exact", "watershed"),
    "stairs": ("exact", "exact/no step", "watershed", "surface"),
    "spiral_stairs": ("exact", "slices"),
    "storeys": ("exact", "bridges", "surface"),
    "tilted_ramps": ("exact", "watershed/climber"),
    "rubble": ("exact", "bridges/robot vacuum"),
    "careless_plates": ("exact", "bridges"),
    "ruin": ("exact", "both"),
    "trimmed_level": ("exact", "watershed", "surface"),
    "scanned_room": ("exact", "watershed/robot vacuum"),
    "rock_cave": ("exact", "small tiles"),
    "planet:4": ("surface", "gravity", "surface/giant"),
    "hollow:3": ("surface",),
    "cave": ("surface", "no ceilings"),
    "cube": ("surface", "no ceilings"),
    "room": ("exact", "surface", "surface/point"),
    "torus": ("surface",),
    "tunnel": ("surface",),
    "office": ("delaunay", "greedy", "y up", "delaunay/point", "greedy/robot vacuum"),
    "office as a scene": ("exact", "watershed"),
    "office_building": ("delaunay", "y up/robot vacuum"),
    "arena.map": ("delaunay/point", "delaunay"),
    "nav_test": ("exact", "bridges", "both/point", "watershed", "coarse slices", "surface"),
    "dungeon": ("exact", "one tile"),
    "Duplex": ("exact", "bridges", "watershed", "slices"),
    "parking_garage": ("exact", "small tiles", "surface"),
    "lq_e1m1": ("exact", "bridges", "watershed", "coarse slices"),
    "undulating": ("exact", "exact/giant"),
    "Berlin": ("exact/point", "watershed"),
    "zdm2": ("exact", "watershed"),
    "small_house": ("exact", "ears"),
    "delft": ("exact", "watershed"),
}  # fmt: skip
QUICK = ("house", "terrain:20000", "stairs", "ruin", "planet:4", "room", "office",
         "office_building", "nav_test", "Duplex")  # fmt: skip
# What is built for every agent, with nothing else done with it.
EVERYONE = {"house": ("exact", "bridges", "watershed", "slices"), "room": ("surface",)}


def far_house() -> wm.Scene:
    house = wm.samples.house()
    return wm.Scene(house.vertices + (450e3, 30.0, -2e6), house.faces)


ARENA = FOLDER / "movingai" / "arena.map"
SCENES: dict[str, Callable[[], Any]] = {
    "house, z up": partial(wm.samples.house, "z"),
    "house, tilted": partial(wm.samples.house, (0.0, 0.6, 0.8)),
    "house, far": far_house,
    "station": partial(wm.samples.station, 45_000),
    "platform": partial(wm.samples.platform, 20_000),
    "buildings": partial(wm.samples.buildings, 45_000),
    "office as a scene": lambda: wm.samples.office().to_scene(),
    "arena.map": partial(wm.load_plan, ARENA),
}


def scene_named(name: str) -> Any:
    """Return one of `SCENES`, a sample by its function's name, or a scene of `named_scenes`."""
    if name in SCENES:
        return SCENES[name]()
    return getattr(wm.samples, name)() if hasattr(wm.samples, name) else make_scene(name)


def scenes_there(quick: bool) -> tuple[list[str], str]:
    """Return the names of the scenes to build, and a sentence about those that are missing."""
    names, missing = present(name for name in BUILDS if not quick or name in QUICK)
    return [name for name in names if name != "arena.map" or ARENA.is_file()], missing


class Case(NamedTuple):
    """How to build a scene; what is `asked` is more than the build alone."""

    name: str
    agent: wm.Agent
    method: Any
    asked: bool


def cases_of(scene: str, quick: bool) -> Iterator[Case]:
    """Yield all builds of a scene, such as ``exact`` and ``exact/giant``."""
    everyone = () if quick else EVERYONE.get(scene, ())
    others = [f"{method}/{agent}" for method in everyone for agent in AGENTS]
    for name in dict.fromkeys([*BUILDS[scene], *others]):
        method, _, agent = name.partition("/")
        who = AGENTS[agent] if agent else agent_for(scene)
        yield Case(f"{scene}/{name}", who, METHODS[method], name in BUILDS[scene])
