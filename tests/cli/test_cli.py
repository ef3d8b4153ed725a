"""The command line, as processes where that matters and in this one where it does not."""

import dataclasses
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

import walkmesh as wm
from tests.makers.scenes import SCENES, needs_scenes
from walkmesh.cli import run

DIRTY = sorted(file for file in (SCENES / "dirty").rglob("*") if file.is_file())


@pytest.fixture
def floor_file(tmp_path):
    file = tmp_path / "floor.obj"
    file.write_text("v 0 0 0\nv 0 0 4\nv 4 0 4\nv 4 0 0\nf 1 2 3 4\nf 1 2 3 4\n")
    return file


def walkmesh(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "walkmesh", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=600,  # the first may compile all kernels
        check=False,
        **options,
    )


def test_build_writes_every_output(tmp_path, floor_file, capsys):
    names = ("out.walkmesh", "out.obj", "out.glb", "out.ply")
    outputs = [tmp_path / name for name in names]
    arguments = [word for output in outputs for word in ("-o", str(output))]
    code = run(
        ["build", str(floor_file), *arguments, "--report", str(tmp_path / "r.json")]
        + ["--stages", str(tmp_path / "stages"), "--image", str(tmp_path / "p.png")]
        + ["--radius", "0.2", "--height-tolerance", "0.02", "--slope", "30", "--step", "0.3"]
    )
    printed = capsys.readouterr()
    assert code == 0, printed.err
    assert "13.0 m2" in printed.out
    assert "left out: 2 repeated" in printed.out
    assert printed.err == ""
    for output in outputs:
        navmesh = wm.load_navmesh(output)
        assert navmesh.area == pytest.approx(3.6 * 3.6, abs=1e-9)
        assert navmesh.agent == wm.Agent(radius=0.2, max_slope=30, max_step=0.3)
        assert navmesh.report.settings == dataclasses.asdict(wm.Exact(height_tolerance=0.02))
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["total_seconds"] > 0
    assert sorted(f.name for f in (tmp_path / "stages").iterdir()) == [
        "01-slope.ply",
        "02-cut.ply",
        "03-stitch.ply",
        "04-gaps.ply",
        "05-detail.ply",
        "06-clearance.ply",
        "07-patches.ply",
        "08-ramps.ply",
        "09-simplify.ply",
        "10-polygons.ply",
    ]
    assert len(wm.load_scene(tmp_path / "stages/01-slope.ply").faces) == 2
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


def test_what_the_image_shows(tmp_path, floor_file, capsys):
    build = ["build", str(floor_file), "-o", str(tmp_path / "out.walkmesh"), "--image"]
    path = ["path", str(tmp_path / "out.walkmesh"), "--from", "1,0,1", "--to", "3,0,3", "--image"]
    for command, shows in ((build, "stages"), (path, "both")):
        files = [tmp_path / f"{show}.png" for show in ("both", "plans", "oblique", shows)]
        for file in files:
            assert run([*command, str(file), "--image-shows", file.stem]) == 0
        assert run([*command, str(tmp_path / "default.png")]) == 0
        pictures = {file.stem: file.read_bytes() for file in files}
        assert len(set(pictures.values())) == len(pictures)
        assert (tmp_path / "default.png").read_bytes() == pictures["both"]
    assert "wrote " in capsys.readouterr().out
    scene, navmesh = wm.load_scene(floor_file), wm.load_navmesh(tmp_path / "out.walkmesh")
    way = navmesh.find_path((1, 0, 1), (3, 0, 3))
    for name, figure in (
        ("stages", wm.plot_stages(scene)),
        ("plans", navmesh.plot(paths=[way], show="plans")),
    ):
        figure.savefig(tmp_path / "expected.png")
        assert np.array_equal(imread(tmp_path / f"{name}.png"), imread(tmp_path / "expected.png"))


def test_a_picture_of_stages_and_their_files_in_one_build(tmp_path, floor_file):
    command = ["build", str(floor_file), "-o", str(tmp_path / "out.obj"), "--method", "voxel"]
    command += ["--stages", str(tmp_path / "stages"), "--image", str(tmp_path / "stages.svg")]
    assert run([*command, "--image-shows", "stages"]) == 0
    assert len(list((tmp_path / "stages").iterdir())) == len(wm.Voxel.stage_names)
    drawing = (tmp_path / "stages.svg").read_text()
    for name in wm.Voxel.stage_names:
        assert f"  {name}" in drawing


def test_up_and_scale(tmp_path, capsys):
    (tmp_path / "floor.obj").write_text("v 0 0 0\nv 400 0 0\nv 400 400 0\nv 0 400 0\nf 1 2 3 4\n")
    build = ["build", str(tmp_path / "floor.obj"), "-o", str(tmp_path / "out.walkmesh")]
    for up in ("z", "0,0,1", "0,0,5"):
        assert run([*build, "--up", up, "--scale", "0.01", "--radius", "0"]) == 0
        assert wm.load_navmesh(tmp_path / "out.walkmesh").area == 16.0
    assert run([*build, "--up", "y"]) == 2
    assert "is that the right up" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--radius", "-1"], "Agent.radius is -1.0; it must be a finite number at least 0 m"),
        (["--slope", "90"], "Agent.max_slope is 90.0"),
        (["--slope", "nan"], "Agent.max_slope is nan"),
        (["--step", "2"], "Agent.max_step is 2; it must be at most the agent's height, 1.8 m"),
        (["--height", "0"], "Agent.height is 0.0"),
        (["--height", "tall"], "'--height': 'tall' is not a number"),
        (["--height-tolerance", "-1"], "Exact.height_tolerance is -1.0"),
        (["--scale", "0"], "scale is 0.0"),
        (["--scale", "nan"], "scale is nan"),
        (["--up", "w"], "up is 'w'"),
        (["--up", "1,2"], "up is (1.0, 2.0)"),
        (["--up", "a,b,c"], "up is 'a,b,c'"),
        (["--method", "magic"], "--method is 'magic'; it must be one of exact"),
        (["--no-such-flag"], "No such option"),
        (["-o", "out.fbx"], "'.fbx'; supported: .walkmesh, .obj, .glb, .ply"),
        (["-o", "missing/out.obj"], "there is no folder missing"),
        (["--image", "p.jpg"], "'.jpg'; supported: .png, .svg"),
        (
            ["--image", "p.png", "--image-shows", "floors"],
            "--image-shows is 'floors'; it must be one of both, plans, oblique, stages",
        ),
        (["--image-shows", "plans"], "--image-shows is given without --image"),
        (["--report", "r.txt"], "'.txt'; supported: .json"),
    ],
)
def test_bad_settings_are_one_line_and_nothing_is_written(
    tmp_path, monkeypatch, capsys, floor_file, arguments, words
):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert run(["build", str(floor_file), "-o", "out.obj", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert words in printed.err
    assert printed.err.startswith("walkmesh: ")
    assert printed.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["build"], "Missing"),
        (["build", "missing.obj", "-o", "out.obj"], "missing.obj: there is no such file"),
        (["build", "missing.obj"], "Missing option"),
        (["info", "missing.obj"], "missing.obj: there is no such file"),
        (["info", "missing.walkmesh"], "missing.walkmesh: there is no such file"),
        (["fly"], "No such command 'fly'"),
    ],
)
def test_bad_usage_is_one_line(capsys, arguments, words):
    assert run(arguments) == 2
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.err.count("\n") == 1


@needs_scenes
@pytest.mark.parametrize("file", DIRTY, ids=lambda file: file.name)
def test_dirty_files_give_a_navmesh_or_one_line(tmp_path, capsys, file):
    code = run(["build", str(file), "-o", str(tmp_path / "out.walkmesh")])
    printed = capsys.readouterr()
    if code == 0:
        assert wm.load_navmesh(tmp_path / "out.walkmesh").polygon_count > 0
    else:
        assert code == 2
        assert printed.out == ""
        assert printed.err.startswith("walkmesh: ")
        assert printed.err.count("\n") == 1
        assert list(tmp_path.iterdir()) == []


def test_info_of_a_navmesh_and_of_a_scene(tmp_path, floor_file, capsys):
    assert run(["info", str(floor_file), "--json"]) == 0
    scene = json.loads(capsys.readouterr().out)
    assert scene["kind"] == "scene"
    assert scene["triangles"] == 2
    assert scene["left_out"] == {"non_finite": 0, "no_area": 0, "repeated": 2}
    for suffix in (".walkmesh", ".obj", ".glb", ".ply"):
        file = tmp_path / f"navmesh{suffix}"
        wm.build(wm.load_scene(floor_file), wm.Agent(radius=0.25)).save(file)
        assert run(["info", str(file), "--json"]) == 0
        navmesh = json.loads(capsys.readouterr().out)
        assert navmesh["kind"] == "navmesh"
        assert navmesh["polygons"] == 1
        assert navmesh["area_m2"] == 12.25
        assert navmesh["violations"] == []
        assert navmesh["bounds"] == [[0.25, 0, 0.25], [3.75, 0, 3.75]]
        assert navmesh["notes"] == []
    broken = wm.NavMesh(np.zeros((3, 3)), [0, 3], [0, 1, 2])
    broken.save(tmp_path / "broken.walkmesh")
    assert run(["info", str(tmp_path / "broken.walkmesh")]) == 0
    printed = capsys.readouterr().out
    assert "violations: 1\n  no area: polygon 0 " in printed


def test_demo_shows_a_path_across_both_floors(tmp_path, capsys):
    assert run(["demo", "--out", str(tmp_path / "demo")]) == 0
    printed = capsys.readouterr().out
    assert "complete" in printed
    assert "note:" not in printed
    navmesh = wm.load_navmesh(tmp_path / "demo/house.glb")
    assert navmesh.polygon_count == wm.load_navmesh(tmp_path / "demo/house.obj").polygon_count
    assert (tmp_path / "demo/house.png").read_bytes().startswith(b"\x89PNG")


def test_help_and_version_of_a_process():
    shown = walkmesh("--version")
    assert (shown.returncode, shown.stdout) == (0, f"walkmesh {wm.__version__}\n")
    for command, words in (
        ("build", ["--height-tolerance", "--radius", "--report", "--stages"]),
        ("info", ["--json"]),
        ("demo", ["--out"]),
        ("warmup", ["Compile"]),
    ):
        shown = walkmesh(command, "--help", env={**os.environ, "COLUMNS": "120"})
        assert shown.returncode == 0
        for word in words:
            assert word in shown.stdout
    assert walkmesh("warmup").returncode == 0


def test_no_progress_bar_in_a_pipe_and_one_on_a_terminal(tmp_path, floor_file):
    arguments = ("build", floor_file, "-o", tmp_path / "out.obj")
    piped = walkmesh(*arguments)
    assert piped.returncode == 0
    assert "\x1b" not in piped.stderr + piped.stdout
    assert piped.stderr == ""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "walkmesh", *map(str, arguments)]
    with subprocess.Popen(
        command, stderr=slave, stdout=subprocess.DEVNULL, env={**os.environ, "TERM": "xterm"}
    ) as process:
        process.wait(timeout=60)
        os.close(slave)
        shown = os.read(master, 100_000).decode()
    os.close(master)
    assert "polygons" in shown
    assert "\x1b" in shown


def test_an_interrupt_is_no_traceback(monkeypatch, capsys, tmp_path, floor_file):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("walkmesh.cli.products.build", interrupted)
    assert run(["build", str(floor_file), "-o", str(tmp_path / "out.obj")]) == 130
    assert capsys.readouterr().err.strip() == "walkmesh: interrupted"


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path):
    # The violations of 5,000 polygons are more than a pipe holds.
    count = 5_000
    wm.NavMesh(np.zeros((3 * count, 3)), range(0, 3 * count + 1, 3), range(3 * count)).save(
        tmp_path / "many.walkmesh"
    )
    command = f"{sys.executable} -m walkmesh"
    shown = subprocess.run(
        [
            "bash",
            "-c",
            f"{command} info --json {tmp_path}/many.walkmesh | head -n 1; exit $PIPESTATUS",
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (shown.stdout, shown.stderr, shown.returncode) == ("{\n", "", 0)


def test_closed_standard_streams_are_no_error(tmp_path, floor_file):
    command = f"{sys.executable} -m walkmesh"
    for closed in (">&-", "2>&-", ">&- 2>&-"):
        target = tmp_path / "out.obj"
        target.unlink(missing_ok=True)
        words = f"{command} build {floor_file} -o {target} {closed}"
        done = subprocess.run(["bash", "-c", words], timeout=120, check=False)
        assert done.returncode == 0
        assert target.exists()


def test_the_scene_itself_is_never_overwritten(tmp_path, floor_file, capsys):
    before = floor_file.read_bytes()
    link = tmp_path / "link.obj"
    link.symlink_to(floor_file)
    for target in (floor_file, link):
        assert run(["build", str(floor_file), "-o", str(target)]) == 2
        assert "it is what the navmesh is built from" in capsys.readouterr().err
    assert floor_file.read_bytes() == before


@pytest.mark.parametrize("name", ["x" * 300 + ".obj", "a\0b.obj"])
def test_names_that_no_file_can_have(tmp_path, floor_file, capsys, name):
    assert run(["build", str(floor_file), "-o", str(tmp_path / name)]) == 2
    assert run(["info", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_a_full_disk_behind_standard_output_is_one_line(tmp_path, floor_file):
    with Path("/dev/full").open("w") as full:
        words = [sys.executable, "-m", "walkmesh", "info", str(floor_file)]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "walkmesh: cannot print the result: No space left on device\n"


@pytest.fixture
def rooms_file(tmp_path):
    """A navmesh of two floors without a way between them, built for a radius of 0."""
    file = tmp_path / "rooms.walkmesh"
    wm.build(wm.samples.two_levels(3.0), wm.Agent(radius=0)).save(file)
    return file


def test_path_prints_points_or_json(tmp_path, rooms_file, capsys):
    navmesh = wm.load_navmesh(rooms_file)
    low, high = navmesh.vertices.min(axis=0), navmesh.vertices.max(axis=0)
    ends = [low + (0.1, 0, 0.1), (high[0] - 0.5, low[1], high[2] - 0.5)]
    texts = [",".join(f"{c:.17g}" for c in end) for end in ends]
    command = ["path", str(rooms_file), "--from", texts[0], "--to", texts[1]]
    assert run([*command, "--image", str(tmp_path / "path.png")]) == 0
    expected = navmesh.find_path(*ends)
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == f"complete, {expected.length:.3f} m"
    assert np.loadtxt(lines) == pytest.approx(expected.points, rel=1e-5)
    assert (tmp_path / "path.png").read_bytes().startswith(b"\x89PNG")
    assert run([*command, "--json", "--radius", "0.4"]) == 0
    content = json.loads(capsys.readouterr().out)
    clear = navmesh.find_path(*ends, radius=0.4)
    assert content["points"] == clear.points.tolist()
    assert (content["status"], content["length"]) == ("complete", clear.length)
    assert content["cost"] == clear.cost
    assert content["links"] == []
    assert content["optimal"] is True
    assert run([*command, "--corridor"]) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith(" m, may not be the shortest")
    assert run([*command, "--corridor", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["optimal"] is False


def test_path_to_what_cannot_be_reached(rooms_file, capsys):
    middle = wm.load_navmesh(rooms_file).vertices.mean(axis=0)
    command = ["path", str(rooms_file), "--from", f"{middle[0]},0,{middle[2]}"]
    command += ["--to", f"{middle[0]},3,{middle[2]}"]
    assert run(command) == 0
    assert capsys.readouterr().out == "unreachable\n"
    assert run([*command, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["status"] == "unreachable"
    assert content["length"] is None
    assert run([*command, "--partial", "--corridor"]) == 0
    assert capsys.readouterr().out.startswith("partial, 0.000 m")
    assert run([*command, "--area-cost", "0=inf"]) == 0
    assert capsys.readouterr().out == "unreachable\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--from", "1,0"], "--from is '1,0'"),
        (["--to", "nan,0,0"], "goal"),
        (["--radius", "-1"], "radius is -1.0"),
        (["--radius", "nan"], "radius is nan"),
        (["--max-snap", "-3"], "max_snap is -3.0"),
        (["--area-cost", "mud=2"], "--area-cost is 'mud=2'"),
        (["--area-cost", "300=2"], "area 300"),
        (["--area-cost", "1=-2"], "area_costs[1] is -2.0"),
        (["--radius", "0.5", "--partial"], "never partial"),
        (["--image", "path.txt"], "path.txt"),
        (
            ["--image", "path.png", "--image-shows", "stages"],
            "--image-shows is 'stages'; it must be one of both, plans, oblique",
        ),
        (["--image-shows", "both"], "--image-shows is given without --image"),
    ],
)
def test_bad_usage_of_path(monkeypatch, tmp_path, rooms_file, capsys, arguments, words):
    monkeypatch.chdir(tmp_path)
    command = ["path", str(rooms_file), "--from", "1,0,1", "--to", "2,0,2", *arguments]
    assert run(command) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_path_needs_a_navmesh(tmp_path, floor_file, capsys):
    for file in (floor_file, tmp_path / "missing.walkmesh"):
        assert run(["path", str(file), "--from", "1,0,1", "--to", "2,0,2"]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_obj_files_hold_triangles_or_polygons(tmp_path, capsys):
    ground = tmp_path / "ground.obj"
    scene = wm.samples.terrain(500)
    lines = [f"v {x} {y} {z}" for x, y, z in scene.vertices.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in scene.faces.tolist()]
    ground.write_text("\n".join(lines) + "\n")
    target = str(tmp_path / "mesh.obj")
    command = ["build", str(ground), "--slope", "80", "-o", target]
    assert run(command) == 0
    triangles = wm.load_scene(target)
    assert run([*command, "--polygons"]) == 0
    polygons = wm.load_scene(target)
    navmesh = wm.load_navmesh(target)
    assert len(triangles.faces) == len(navmesh.triangles) > len(polygons.faces)
    capsys.readouterr()
    assert run(["build", str(ground), "-o", str(tmp_path / "mesh.ply"), "--polygons"]) == 2
    assert "--polygons is for .obj files" in capsys.readouterr().err
    assert not (tmp_path / "mesh.ply").exists()
