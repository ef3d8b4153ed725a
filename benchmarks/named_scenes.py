"""The scenes that are measured, by name: samples, and real ones where their files are.

Real scenes are looked for in ``../shared/scenes`` beside the repository.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import walkmesh as wm
from walkmesh.samples.soup import turn_plan

if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "scenes"
# The file of each real scene, which way is up in it, and how many metres its unit is.
REAL = {
    "nav_test": ("recast/nav_test.obj", "y", 1.0),
    "dungeon": ("recast/dungeon.obj", "y", 1.0),
    "undulating": ("recast/undulating.obj", "y", 1.0),
    "parking_garage": ("mesh_navigation/parking_garage.obj", "z", 1.0),
    "Duplex": ("ifc/Ifc2x3_Duplex_Architecture_nodoors.obj", "z", 1.0),
    "delft": ("city/delft_3dfier.obj", "z", 1.0),
    "small_house": ("aws-robomaker/small_house.glb", "y", 1.0),
    "arena": ("movingai/arena.obj", "y", 1.0),
    "Berlin": ("movingai/Berlin_0_256.obj", "y", 1.0),
    "lq_e1m1": ("librequake/lq_e1m1.obj", "y", 1.0),
    "zdm2": ("game-maps-obj/zdm2.obj", "y", 0.1),
    "hospital": ("aws-robomaker/hospital_three_floors.glb", "y", 1.0),
    "mars": ("nasa-ammos/dingo_gap_961k.glb", "y", 1.0),
}

# Scenes that were made for another agent than the default one.
AGENTS = {"lq_e1m1": wm.Agent(height=1.75, radius=0.5, max_step=0.56)}

# A centimetre wider and a centimetre narrower than an agent with a radius of 0.3 m. [m]
DOORS = (0.61, 0.59, 0.61, 0.61, 0.59)
HOUSE_PITCH = (16.0, 14.5)  # m from one copy of the house to the next, so that yards do not meet


def make_scene(name: str) -> wm.Scene:
    """Return a scene by its name.

    Real ones have the names in `REAL`. Samples are ``floor``, ``house``, ``rubble``, ``station``,
    ``platform``, ``buildings``, ``ruin`` and ``trimmed_level``, and with a number ``terrain:10000``
    and ``houses:10000`` (triangles), ``planet:5`` and ``hollow:5`` (subdivisions), ``doorways:17``
    and ``plate:17`` (degrees), and ``spiral:0.12`` (clearance in metres). A hollow is the inside of
    a sphere. With ``@45`` after its name, a scene is turned by so many degrees about up.
    """
    name, _, degrees = name.partition("@")
    if degrees:
        return turned(make_scene(name), float(degrees))
    kind, _, value = name.partition(":")
    match kind:
        case "floor":
            return wm.samples.floor()
        case "house":
            return wm.samples.house()
        case "rubble":
            return wm.samples.rubble()
        case "station":
            return wm.samples.station()
        case "platform":
            return wm.samples.platform()
        case "buildings":
            return wm.samples.buildings()
        case "ruin":
            return wm.samples.ruin()
        case "trimmed_level":
            return wm.samples.trimmed_level()
        case "terrain":
            return wm.samples.terrain(int(value))
        case "houses":
            return houses(int(value))
        case "planet":
            return wm.samples.planet(subdivisions=int(value))
        case "hollow":
            return wm.samples.sphere(subdivisions=int(value), inside=True)
        case "doorways":
            return wm.samples.doorways(DOORS, float(value))
        case "spiral":
            return wm.samples.spiral_corridor(float(value))
        case "plate":
            return wm.samples.sloping_plate(angle=float(value))
    file, up, scale = REAL[name]
    return wm.load_scene(FOLDER / file, up=up, scale=scale)


def turned(scene: wm.Scene, degrees: float) -> wm.Scene:
    """Return a scene turned about its up direction."""
    plan = turn_plan(scene.frame.to_plan(scene.vertices), degrees)
    return wm.Scene(scene.frame.to_world(plan), scene.faces, scene.up)


def agent_for(name: str) -> wm.Agent:
    """Return the agent that a scene was made for, or the default one."""
    return AGENTS.get(name.partition("@")[0], wm.Agent())


def houses(triangles: int) -> wm.Scene:
    """Return copies of the furnished house side by side, with about so many triangles."""
    one = wm.samples.house()
    count = max(1, round(triangles / len(one.faces)))
    columns = max(1, round(count**0.5))
    places = np.arange(count)
    shift = np.zeros((count, 1, 3))
    shift[:, 0, 2] = places % columns * HOUSE_PITCH[0]
    shift[:, 0, 0] = places // columns * HOUSE_PITCH[1]
    vertices = (one.vertices + shift).reshape(-1, 3)
    faces = (one.faces + (places * len(one.vertices))[:, None, None]).reshape(-1, 3)
    return wm.Scene(vertices, faces)


def present(names: Iterable[str]) -> tuple[list[str], str]:
    """Return the scenes that can be had, and a sentence about those whose files are missing."""
    wanted = list(names)
    files = {name: REAL.get(name.partition("@")[0]) for name in wanted}
    missing = [name for name, file in files.items() if file and not (FOLDER / file[0]).is_file()]
    sentence = f"Left out, since their files are missing: {', '.join(missing)}." if missing else ""
    return [name for name in wanted if name not in missing], sentence
