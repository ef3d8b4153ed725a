"""Damaged files: a scene, plan or navmesh that holds together, or a clear error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import walkmesh as wm
from fuzz.campaign import ROOT
from fuzz.fault import Fault
from fuzz.seeds import folder_with_image, seeds
from fuzz.values import damage, pick
from walkmesh.errors import FormatError, SceneError

if TYPE_CHECKING:
    from pathlib import Path

_LOADERS: dict[str, tuple[Any, type[Exception]]] = {
    "scene": (wm.load_scene, SceneError),
    "plan": (wm.load_plan, SceneError),
    "building": (wm.load_building, SceneError),
    "navmesh": (wm.load_navmesh, FormatError),
}
_SEEDS: dict[str, list[tuple[str, bytes]]] = {}
_FOLDERS: list[Path] = []


def prepare() -> None:
    """Make the files that are damaged."""
    _SEEDS.update(seeds(ROOT.parent / "shared" / "scenes"))
    _FOLDERS.append(folder_with_image())


def case(number: int) -> None:
    """Damage a file and read it; now and then with the suffix of another."""
    random = np.random.default_rng(number)
    kind = pick(random, list(_LOADERS))
    load, error = _LOADERS[kind]
    suffix, data = pick(random, _SEEDS[kind])
    if random.random() < 0.05:
        suffix, _ = pick(random, _SEEDS[kind])
    file = _FOLDERS[0] / f"a{suffix}"
    file.write_bytes(damage(random, data))
    try:
        result = load(file)
    except error as refused:
        if not str(refused).startswith(f"{file}: "):
            raise Fault("message without the name of the file", str(refused)) from refused
        raise
    if kind == "navmesh":
        if not np.isfinite(result.vertices).all():
            raise Fault("navmesh with coordinates that are not finite")
        result.validate()
        result.nearest([(0.0, 0.0, 0.0)])
    elif not np.isfinite(result.bounds).all():
        raise Fault(f"{kind} with bounds that are not finite")
