"""The command line of bridges: build --bridge-distance, and bridge."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

import walkmesh as wm
from tests.makers import gap_scenes
from walkmesh.cli import app


@pytest.fixture
def scene_file(tmp_path):
    """Return the file of two plates, 30 cm apart."""
    scene = gap_scenes.plates_apart(0.3).scene
    lines = [f"v {x} {y} {z}" for x, y, z in scene.vertices]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in scene.faces]
    file = tmp_path / "plates.obj"
    file.write_text("\n".join(lines))
    return file


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_build_with_bridges(scene_file, tmp_path):
    target = tmp_path / "plates.walkmesh"
    result = run("build", scene_file, "-o", target, "--bridge-distance", 0.35)
    assert result.exit_code == 0
    assert wm.load_navmesh(target).component_count == 1


def test_bridge_a_navmesh(scene_file, tmp_path):
    apart, whole = tmp_path / "apart.walkmesh", tmp_path / "whole.glb"
    assert run("build", scene_file, "-o", apart, "--radius", 0).exit_code == 0
    result = run("bridge", apart, "-o", whole, "--distance", 0.35, "--scene", scene_file)
    assert result.exit_code == 0
    assert result.stdout.startswith("polygons of bridges: 1\ncomponents: 1, before 2\n")
    assert wm.load_navmesh(whole).component_count == 1


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--distance", "0"], "distance is 0.0; it must be a number above 0 and at most 2 m"),
        (["--distance", "nan"], "distance is nan"),
        (["--distance", "wide"], "wide"),
        (["--distance", "0.3", "--scene", "missing.obj"], "missing.obj"),
        ([], "--distance"),
    ],
)
def test_bad_input_is_one_line_and_no_file(scene_file, tmp_path, flags, message):
    apart, whole = tmp_path / "apart.walkmesh", tmp_path / "whole.walkmesh"
    assert run("build", scene_file, "-o", apart, "--radius", 0).exit_code == 0
    command = [sys.executable, "-m", "walkmesh", "bridge", str(apart), "-o", str(whole), *flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not whole.exists()
