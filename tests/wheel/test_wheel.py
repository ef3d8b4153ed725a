"""A wheel with compiled kernels, installed where nothing can be written, by a user of no rights.

``make wheel-test`` builds the wheel and names its folder in WALKMESH_WHEELS.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from installed import forbid_writing, install, interpreter, run, wheels_in

HERE = Path(__file__).parent
TESTS = HERE.parent
WHEELS = wheels_in(Path(os.environ.get("WALKMESH_WHEELS", "-")).resolve())

pytestmark = [
    pytest.mark.skipif(not WHEELS, reason="no wheel; `make wheel-test` builds one"),
    pytest.mark.skipif(interpreter() is None, reason="no Python that a user of no rights may run"),
]

# A scene and a navmesh: few kernels, since fallbacks compile them.
FEW = """
import walkmesh as wm
floor = wm.samples.floor()
print(wm.NavMesh(floor.vertices, range(0, 7, 3), floor.faces.ravel()).area)
"""


@pytest.fixture(scope="module")
def place():
    # pytest's own folders are closed to others.
    folder = Path(tempfile.mkdtemp(prefix="walkmesh-wheel-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def python(place):
    """The environment, which nobody may write to."""
    made = install(WHEELS[-1], place / "env", "pytest", "hypothesis", "networkx", "matplotlib")
    forbid_writing(place / "env")
    return made


@pytest.fixture
def empty(place):
    """A folder to work in, where results may go."""
    folder = Path(tempfile.mkdtemp(dir=place))
    folder.chmod(0o777)
    return folder


def snapshot(folder):
    return {path: path.lstat().st_mtime_ns for path in folder.rglob("*")}


def installed(python):
    (package,) = (python.parents[1] / "lib").glob("python*/site-packages/walkmesh")
    return package


def copy_of(python, empty):
    """The installed package, to be damaged, and the variables with which it is imported."""
    package = installed(python)
    copy = empty / "damaged" / "walkmesh"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (copy, *copy.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    (empty / "cache").mkdir()
    (empty / "cache").chmod(0o777)
    return copy, {"PYTHONPATH": str(copy.parent), "NUMBA_CACHE_DIR": str(empty / "cache")}


def test_a_build_compiles_nothing_and_writes_its_result_alone(python, empty):
    before = snapshot(python.parents[1])
    code = "import walkmesh as wm; wm.build(wm.samples.house()).save('house.walkmesh')"
    done = run([python, "-c", code], empty)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert [file.name for file in empty.iterdir()] == ["house.walkmesh"]
    assert snapshot(python.parents[1]) == before

    command = python.parent / "walkmesh"
    ends = ["--from", "1,0,1", "--to", "3,0,3"]
    path = run([command, "path", "house.walkmesh", *ends], empty)
    assert (path.returncode, path.stderr) == (0, "")
    assert path.stdout.startswith("complete, ")
    assert run([command, "--help"], empty).stdout.startswith("Usage: walkmesh")
    assert run([command, "warmup"], empty).stdout == "all kernels were compiled already\n"


def test_shipped_kernels_give_the_same_bytes_as_those_compiled_here(python, empty):
    shipped = run([python, HERE / "hashes.py"], empty)
    assert (shipped.returncode, shipped.stderr) == (0, "")
    here = subprocess.run(
        [sys.executable, HERE / "hashes.py"], capture_output=True, text=True, check=True
    )
    assert len(shipped.stdout.splitlines()) == 40
    assert shipped.stdout == here.stdout


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("target", "numba", "0.1.0 with llvmlite 0.1.0"), "they are for numba 0.1.0"),
        (("target", "Python", "cpython-38"), "they are for Python cpython-38"),
        (("target", "processor", "x86-64-v9"), "they are for processors of level x86-64-v9"),
        (("sources", None, "0" * 64), "the sources of kernels have changed"),
        (("kernels", None, None), "their list is damaged"),
    ],
)
def test_kernels_for_another_target_are_not_used(python, empty, change, reason):
    package, environ = copy_of(python, empty)
    file = package / "kernels" / "shipped" / "manifest.json"
    manifest = json.loads(file.read_text())
    part, name, value = change
    if name is None:
        manifest[part] = value
    else:
        manifest[part][name] = value
    file.write_text(json.dumps(manifest))
    done = run([python, "-c", FEW], empty, **environ)
    assert done.stdout == "80.0\n", done.stderr
    assert f"cannot be used: {reason}" in done.stderr
    assert "compiling kernels, once for this machine" in done.stderr
    assert "Traceback" not in done.stderr
    # The second time nothing is compiled, and it still says why.
    again = run([python, "-c", FEW], empty, **environ)
    assert again.stdout == "80.0\n"
    assert "compiling" not in again.stderr


def test_a_damaged_kernel_is_compiled_by_two_processes_at_once(python, empty):
    package, environ = copy_of(python, empty)
    for file in (package / "kernels" / "shipped").glob("walkmesh.kernels.meshes.*.code"):
        file.write_bytes(file.read_bytes()[:-7] + b"damaged")
    with ThreadPoolExecutor(2) as threads:
        runs = list(threads.map(lambda _: run([python, "-c", FEW], empty, **environ), range(2)))
    for done in runs:
        assert done.stdout == "80.0\n", done.stderr
        assert "that came with walkmesh is damaged; compiling it" in done.stderr
        assert "Traceback" not in done.stderr


def test_without_an_extra_the_error_names_it(place, empty):
    python = install(WHEELS[-1], place / "bare")
    code = "import walkmesh as wm; wm.build(wm.samples.floor()).save('floor.walkmesh')"
    assert run([python, "-c", code], empty).stderr == ""
    command = python.parent / "walkmesh"
    done = run([command, "view", "floor.walkmesh"], empty)
    assert done.returncode == 2
    assert done.stderr == (
        "walkmesh: views in the browser need viser: pip install 'walkmesh[view]'\n"
    )
    (empty / "plan.dxf").write_text("0\nSECTION\n")
    (empty / "plan.png").write_bytes(b"\x89PNG")
    for name, extra in (("plan.dxf", "ezdxf"), ("plan.png", "pillow")):
        done = run([command, "plan", name, "-o", "plan.walkmesh"], empty)
        assert done.returncode == 2
        assert done.stderr.endswith(f"need {extra}: pip install 'walkmesh[plans]'\n")
    picture = ["floor.walkmesh", "--from", "1,0,1", "--to", "3,0,3", "--image", "path.png"]
    done = run([command, "path", *picture], empty)
    assert done.returncode == 2
    assert done.stderr == "walkmesh: pictures need matplotlib: pip install 'walkmesh[plot]'\n"


def test_tests_pass_outside_the_source_tree(python, empty):
    shutil.copytree(TESTS, empty / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    (empty / "pytest.ini").write_text(
        "[pytest]\naddopts = --import-mode=importlib -p no:cacheprovider\npythonpath = .\n"
        "markers =\n    plain_python\n    compiled_only\n"
    )
    parts = ("query", "edit", "validate", "test_scene.py", "builder/exact/test_doorways.py")
    left_out = "--ignore=tests/query/test_movingai.py"  # it needs the benchmarks
    command = [python, "-m", "pytest", "-q", left_out, *(f"tests/{part}" for part in parts)]
    done = run(command, empty, HYPOTHESIS_DATABASE_FILE=str(empty / "examples"))
    assert done.returncode == 0, done.stdout[-3000:]
    assert "passed" in done.stdout
    assert "compiling kernels" not in done.stderr
