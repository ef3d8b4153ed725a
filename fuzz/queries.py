"""Public calls with arguments that are wrong in every way: only WalkmeshError may come of it."""

from __future__ import annotations

import inspect
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import walkmesh as wm
from fuzz.fault import Fault
from fuzz.values import Random, pick, value
from walkmesh.errors import WalkmeshError

_FOLDER = tempfile.TemporaryDirectory(prefix="walkmesh-fuzz-")
_CALLS: dict[str, list[str]] = {
    "navmesh": [
        "contains", "distances", "find_path", "find_paths", "nearest", "paint", "path_nodes",
        "polygon", "prune", "raycast", "reachable", "sample", "save", "wall_distance",
        "with_areas", "with_links",
    ],
    "wm": [
        "Agent", "Building", "Exact", "FloorPlan", "NavMesh", "Planar", "Scene", "Stairs",
        "Surface", "Voxel", "bridge_gaps", "build", "evaluate", "find_links", "load_building",
        "load_navmesh", "load_plan", "load_scene", "stages",
    ],
    "FloorPlan": ["of_shapes"],
    "plan": ["to_scene"],
    "building": ["to_scene"],
    "nodes": ["find_path"],
    "samples": [n for n in wm.samples.__all__ if inspect.isfunction(getattr(wm.samples, n))],
}  # fmt: skip
_NAMES = [(owner, name) for owner, names in _CALLS.items() for name in names]
_THINGS: dict[str, Any] = {}
# What is right for an argument, by its name.
_GOOD: dict[str, Any] = {
    "area": 1,
    "area_costs": {1: 2.0},
    "at": "midpoints",
    "box": [(0, 0, 0), (1, 1, 1)],
    "boundary": [[(0, 0), (8, 0), (8, 5), (0, 5)]],
    "distance": 0.5,
    "faces": [[0, 1, 2]],
    "index": 0,
    "kind": 1,
    "layers": "walls",
    "max_snap": 1.0,
    "n": 5,
    "pairs": 5,
    "polygon": [(0, 0, 0), (0, 0, 2), (2, 0, 2)],
    "polygon_offsets": [0, 3],
    "polygon_vertices": [0, 1, 2],
    "radius": 0.4,
    "samples": 50,
    "sections": [[(0, 0), (1, 0)], [(0, 3), (1, 3)]],
    "seed": 1,
    "two_way": True,
    "up": "y",
    "vertices": [(0, 0, 0), (0, 0, 1), (1, 0, 0)],
    "workers": 1,
}


def prepare() -> None:
    """Build what calls are made on."""
    scene = wm.samples.house()
    navmesh = wm.build(scene)
    plan = wm.FloorPlan([[(0, 0), (8, 0), (8, 5), (0, 5)]])
    _THINGS.update(
        wm=wm,
        samples=wm.samples,
        FloorPlan=wm.FloorPlan,
        scene=scene,
        navmesh=navmesh,
        surface=wm.build(scene, wm.Agent(), wm.Surface()),
        plan=plan,
        building=wm.Building([plan]),
        floors=[plan],
        nodes=navmesh.path_nodes(),
        agent=wm.Agent(),
        method=wm.Voxel(),
    )


def case(number: int) -> None:
    """Make a call with arguments some of which are wrong."""
    random = np.random.default_rng(number)
    owner, name = pick(random, _NAMES)
    thing = _THINGS[owner]
    if owner == "navmesh" and random.random() < 0.3:
        thing = _THINGS["surface"]
    call = getattr(thing, name)
    keywords = {
        argument: _bad(random, argument) if random.random() < 0.4 else _good(random, argument)
        for argument, parameter in inspect.signature(call).parameters.items()
        if parameter.default is parameter.empty or random.random() < 0.4
    }
    try:
        result = call(**keywords)
        if name == "stages":
            list(result)
    except WalkmeshError as error:
        if len(str(error)) > 1000:
            raise Fault(f"message of {len(str(error))} characters from {owner}.{name}") from error
        raise


def _bad(random: Random, name: str) -> Any:
    """Return an argument that is likely to be wrong.

    What a callback raises is the caller's own, so there are none that cannot be called.
    """
    result = value(random)
    return None if name in ("progress", "on_stage") and callable(result) else result


def _good(random: Random, name: str) -> Any:
    """Return an argument that is right, or might be."""
    if name in ("start", "goal"):
        return tuple(random.uniform(-1.0, 9.0, 3))
    if name in ("points", "starts", "goals", "ends", "seeds"):
        return random.uniform(-1.0, 9.0, (int(random.integers(4)), 3))
    if name == "path":
        return Path(_FOLDER.name) / pick(random, ["a.walkmesh", "a.obj", "b.glb", "c.xyz", ""])
    if name in ("progress", "on_stage"):
        return None
    if name in _THINGS:
        return _THINGS[name]
    return _GOOD.get(name, pick(random, [1, 0.5, 2.5, 0]))
