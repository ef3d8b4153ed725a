"""The kernels' own machinery: declaring, caching, compiling ahead. The JIT must be on."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np
import pytest

import walkmesh as wm
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import ENTRY_POINTS, EntryPoint, kernel
from walkmesh.kernels.meshes.adjacency import match_edges
from walkmesh.kernels.warmup import all_kernels, kernels_reached

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="needs the JIT")


def run_python(code, package=None, **environment):
    """Run code in a process, with another copy of the package and its cache, or with this one."""
    environ = os.environ | environment
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


def kept(package):
    """The files of compiled kernels beside a copy of the package, with their times."""
    return {file.name: file.stat().st_mtime_ns for file in package.rglob("*.code")}


def kernels_of(files):
    return {name.partition("-")[0] for name in files}


def test_the_first_run_compiles_everything_and_the_second_nothing(package):
    first = run_python(FEW, package)
    assert first.stdout == "80.0\n", first.stderr
    assert first.stderr.startswith("walkmesh: compiling kernels, once for this machine\n")
    assert first.stderr.count("\n") == 1  # one line when standard error is no terminal
    compiled = kept(package)
    reached = {entry.name for entry in kernels_reached(*ROOMS)}
    assert kernels_of(compiled) == reached
    assert len(reached) >= 6

    second = run_python(FEW, package)
    assert (second.stdout, second.stderr) == ("80.0\n", "")
    assert kept(package) == compiled


def test_a_change_discards_the_kernels_that_it_reaches_and_no_others(package):
    run_python(FEW, package)
    compiled = kept(package)
    source = package / "kernels/search/hashing.py"
    source.write_text(source.read_text() + "# changed\n")
    done = run_python(FEW, package)
    assert done.stdout == "80.0\n"
    assert done.stderr.startswith("walkmesh: compiling kernels")
    renewed = kept(package)
    fresh = {name.rsplit(".", 1)[0] for name in kernels_of(renewed.keys() - compiled.keys())}
    # They import hashing, and triangulate does not.
    assert fresh == {"walkmesh.kernels.meshes.adjacency", "walkmesh.kernels.meshes.soup"}
    assert kernels_of(renewed) == kernels_of(compiled)
    assert len(renewed) == len(compiled)  # what was made of the old source is gone


@pytest.mark.parametrize("damage", [b"", b"\xff{", None])
def test_damaged_code_is_compiled_again(package, damage):
    run_python(FEW, package)
    for file in package.rglob("*.code"):
        content = file.read_bytes()
        file.write_bytes(content[:-100] + bytes(100) if damage is None else damage)
    done = run_python(FEW, package)
    assert done.stdout == "80.0\n"
    assert "Traceback" not in done.stderr
    again = run_python(FEW, package)
    assert (again.stdout, again.stderr) == ("80.0\n", "")


def test_what_the_start_of_python_prints_is_no_answer(package):
    (package.parent / "sitecustomize.py").write_text("print('x' * 100)\n")
    done = run_python(FEW, package, PYTHONUNBUFFERED="1")
    assert done.stdout.endswith("80.0\n")
    assert "Traceback" not in done.stderr


def test_processes_of_other_settings_are_not_used(package):
    code = "import numba\nnumba.config.CPU_NAME = 'generic'\nnumba.config.CPU_FEATURES = ''\n"
    answers = "from walkmesh.kernels.compilers import shared as s\nprint(s._asked > 0, s._done)"
    done = run_python(code + FEW + answers, package)
    assert done.stdout == "80.0\nTrue 0\n", done.stderr


def test_folders_of_others_are_no_sources_of_kernels(package):
    foreign = package.parent / "robot" / "walkmesh" / "kernels"
    foreign.mkdir(parents=True)
    (foreign / "__init__.py").touch()
    code = "from walkmesh.kernels.sources import kernel_packages\nprint(kernel_packages())"
    assert run_python(code, package).stdout == run_python(code).stdout


def test_a_standard_error_that_is_full_stops_nothing(package):
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    done = run_python(
        "import os, sys\nos.dup2(os.open('/dev/full', os.O_WRONLY), 2)" + FEW, package
    )
    assert done.stdout == "80.0\n"


def test_a_fork_compiles_for_itself(package):
    if not hasattr(os, "fork"):
        pytest.skip("needs fork")
    code = """
import os, sys, threading
import walkmesh as wm
from walkmesh.kernels import compilers
from walkmesh.kernels.kernel import ENTRY_POINTS
import walkmesh.kernels.meshes.soup
name = "walkmesh.kernels.meshes.soup.measure_triangles"
compilers.shared.ask([name])
child = os.fork()
if not child:
    ENTRY_POINTS[name].compile()
    os.write(1, b"compiled")
    os._exit(0)
os.waitpid(child, 0)
"""
    done = run_python(code, package)
    assert done.stdout == "compiled", done.stderr


def test_processes_that_compile_at_once_do_not_disturb_each_other(package):
    with ThreadPoolExecutor(2) as threads:
        runs = list(threads.map(lambda _: run_python(FEW, package), range(2)))
    assert [run.stdout for run in runs] == ["80.0\n"] * 2
    assert not any("Traceback" in run.stderr for run in runs)
    assert run_python(FEW, package).stderr == ""


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


def test_without_any_place_to_keep_them_kernels_still_run():
    code = (
        "from walkmesh.kernels import store\n"
        "store._folders = lambda: ()\n"
        "from walkmesh.kernels.meshes.soup import match_positions\n"
        "import numpy as np\n"
        "out = np.empty(2, np.int32)\n"
        "print(match_positions(np.zeros((2, 3), np.int64), out), out)"
    )
    done = run_python(code)
    assert done.stdout == "1 [0 0]\n", done.stderr
    assert "no folder to keep compiled kernels in; NUMBA_CACHE_DIR can name one" in done.stderr


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


def test_names_of_kernels_are_their_own():
    assert len(all_kernels()) == len({entry.name for entry in all_kernels()}) > 150
