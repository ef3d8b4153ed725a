"""The kernels' own machinery: declaring, caching, compiling ahead. The JIT must be on."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import walkmesh as wm
from walkmesh.kernels import types as kt
from walkmesh.kernels import warmup
from walkmesh.kernels.kernel import ENTRY_POINTS, EntryPoint, kernel
from walkmesh.kernels.meshes.adjacency import match_edges
from walkmesh.kernels.warmup import all_kernels, kernels_reached

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="needs the JIT")


def run_python(code, package=None):
    """Run code in a process, with another copy of the package and its cache, or with this one."""
    environ = dict(os.environ)
    if package is None:
        environ["PYTHONPATH"] = str(Path(wm.__file__).parents[1])
    else:
        environ["PYTHONPATH"] = str(package.parent)
        environ.pop("NUMBA_CACHE_DIR", None)  # the cache is looked for beside the sources
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environ,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture
def package(tmp_path):
    """A copy of the package, with a cache of its own that is cold."""
    copy = tmp_path / "walkmesh"
    shutil.copytree(Path(wm.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


# Few kernels, as each run below compiles some of them anew: those of scenes and of navmeshes.
ROOMS = ("walkmesh.scene", "walkmesh.navmesh")
FEW = f"""
import walkmesh as wm
from walkmesh.kernels.warmup import prepare

prepare(*{ROOMS})
floor = wm.samples.floor()
print(wm.NavMesh(floor.vertices, range(0, 7, 3), floor.faces.ravel()).area)
"""


def test_the_first_run_compiles_everything_and_the_second_nothing(package):
    def cached(suffix="nbc"):
        return {file.relative_to(package): file for file in package.rglob(f"*.{suffix}")}

    def run():
        return run_python(FEW, package)

    first = run()
    assert first.stdout == "80.0\n", first.stderr
    assert first.stderr.startswith("walkmesh: compiling kernels, once for this machine: 0 of ")
    assert first.stderr.count("\n") == 1  # one line when standard error is no terminal
    compiled = {name: file.stat().st_mtime_ns for name, file in cached().items()}
    reached = {entry.name for entry in kernels_reached(*ROOMS)}
    assert len(compiled) == len(reached) >= 6

    second = run()
    assert (second.stdout, second.stderr) == ("80.0\n", "")
    assert {name: file.stat().st_mtime_ns for name, file in cached().items()} == compiled

    # A change in a file that other kernels call discards those, and no others.
    source = package / "kernels/search/hashing.py"
    source.write_text(source.read_text() + "# changed\n")
    third = run()
    assert third.stdout == "80.0\n"
    renewed = {name: file.stat().st_mtime_ns for name, file in cached().items()}
    fresh = {name.name.partition(".")[0] for name in compiled if compiled[name] < renewed[name]}
    assert fresh == {"adjacency", "soup"}  # they import hashing, and triangulate does not
    assert third.stderr.startswith("walkmesh: compiling kernels")
    stamps = cached("json").values()
    modules = [m for stamp in stamps for m in json.loads(stamp.read_text())["modules"].values()]
    assert all(len(module["environments"]) == 1 for module in modules)
    noted = {name for m in modules for names in m["environments"].values() for name in names}
    assert noted == reached

    # Damaged code in the cache is compiled again.
    for file in cached().values():
        file.write_bytes(file.read_bytes()[:100])
    damaged = run()
    assert (damaged.stdout, damaged.stderr) == ("80.0\n", "")

    # A damaged stamp is no stamp.
    for stamp in stamps:
        stamp.write_bytes(b"\xff{")
    assert run().stdout == "80.0\n"


def test_a_build_compiles_what_its_method_reaches():
    count = len(all_kernels())
    for method in (wm.Exact(), wm.Voxel(), wm.Surface(), wm.Planar()):
        assert 0 < len(kernels_reached(*method.packages)) < count / 2


EVERY_METHOD = """
import walkmesh as wm
from walkmesh.kernels.kernel import ENTRY_POINTS
from walkmesh.kernels.warmup import kernels_reached

floor, plan = wm.samples.floor(), wm.FloorPlan([(0, 0), (8, 0), (8, 5), (0, 5)])
before = {name for name, entry in ENTRY_POINTS.items() if entry._compiled is not None}
for scene, method in [
    (floor, wm.Exact()),
    (floor, wm.Exact(bridge_distance=0.3)),
    (floor, wm.Voxel()),
    (floor, wm.Voxel(partition="slices", triangulation="ears")),
    (floor, wm.Surface()),
    (plan, wm.Planar()),
]:
    wm.build(scene, method=method)
    used = {name for name, entry in ENTRY_POINTS.items() if entry._compiled is not None}
    reached = {entry.name for entry in kernels_reached(*method.packages, "walkmesh.validate")}
    print(sorted(used - before - reached))
    before = used
"""


def test_methods_name_all_packages_that_a_build_runs():
    run = run_python(EVERY_METHOD)
    assert run.stdout.splitlines() == ["[]"] * 6


def test_without_any_place_for_a_cache_kernels_still_run():
    code = (
        "import numba.core.caching as c\n"
        "c.CacheImpl._locator_classes = []\n"
        "from walkmesh.kernels.meshes.soup import match_positions\n"
        "import numpy as np\n"
        "out = np.empty(2, np.int32)\n"
        "print(match_positions(np.zeros((2, 3), np.int64), out), out)"
    )
    done = run_python(code)
    assert done.stdout == "1 [0 0]\n", done.stderr


def test_a_call_with_other_types_is_an_error_and_compiles_nothing():
    offsets = np.array([0, 3], dtype=np.int32)
    corners = np.array([0, 1, 2], dtype=np.int64)
    with pytest.raises(TypeError):
        match_edges(offsets, corners, np.empty(3, dtype=np.int32))


def test_read_only_arrays_are_taken_and_outputs_must_be_writable():
    offsets, corners = np.array([0, 3], dtype=np.int32), np.array([0, 1, 2], dtype=np.int32)
    mates = np.empty(3, dtype=np.int32)
    for array in (offsets, corners):
        array.flags.writeable = False
    match_edges(offsets, corners, mates)
    assert mates.tolist() == [-1, -1, -1]
    mates.flags.writeable = False
    with pytest.raises(TypeError):
        match_edges(offsets, corners, mates)


def test_entry_points_are_declared_with_types():
    @kernel
    def inner(value):
        return value + 1

    assert not isinstance(inner, EntryPoint)
    assert all(isinstance(entry, EntryPoint) for entry in ENTRY_POINTS.values())

    def outer(values):
        for i in range(len(values)):
            values[i] = inner(values[i])

    entry = EntryPoint(outer, (kt.OUT_INTS,))
    entry.compile()
    values = np.zeros(3, dtype=np.int32)
    entry(values)
    assert values.tolist() == [1, 1, 1]
    assert entry.name not in ENTRY_POINTS


def test_a_scene_needs_few_kernels():
    assert 0 < len(kernels_reached("walkmesh.scene")) <= 6


def test_a_build_from_voxels_needs_few_kernels():
    rooms = (*wm.Voxel().packages, "walkmesh.validate", "walkmesh.scene")
    assert 40 < len(kernels_reached(*rooms)) <= 55


def test_a_kernel_that_was_prepared_compiles_none_beside_it(monkeypatch):
    asked = []
    monkeypatch.setattr(warmup, "warm_up", asked.extend)
    monkeypatch.setattr(warmup, "_checked", {match_edges.name})
    warmup.warm_up_module(match_edges)
    assert asked == []
    monkeypatch.setattr(warmup, "_checked", set())
    warmup.warm_up_module(match_edges)
    assert {entry.__module__ for entry in asked} == {match_edges.__module__}
    assert len(asked) > 1


def test_names_of_kernels_are_their_own():
    assert len(all_kernels()) == len({entry.name for entry in all_kernels()}) > 150
