"""The command line on navmeshes of surfaces."""

import dataclasses
import json
from typing import ClassVar

import pytest

import walkmesh as wm
from tests.makers import surface_shapes
from walkmesh.builder import METHODS
from walkmesh.cli import run
from walkmesh.viewer.page.document import can_keep_stages
from walkmesh.viewer.page.tabs import built_with


@pytest.fixture
def files(tmp_path):
    """A room as a scene, and all its sides as a navmesh."""
    room = surface_shapes.box(inside=True, agent=wm.Agent())
    lines = [f"v {x} {y} {z}" for x, y, z in room.vertices]
    lines += [f"f {a} {b} {c}" for a, b, c in room.triangles + 1]
    (tmp_path / "room.obj").write_text("\n".join(lines))
    room.save(tmp_path / "room.walkmesh")
    return str(tmp_path / "room.obj"), str(tmp_path / "room.walkmesh")


def test_info_tells_that_it_is_a_surface(files, capsys):
    assert run(["info", files[1], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["surface"] is True
    assert told["violations"] == []
    assert told["area_m2"] == pytest.approx(94.0)


@pytest.mark.parametrize(
    "command",
    [
        ["evaluate", "{scene}", "{navmesh}"],
        ["links", "{scene}", "{navmesh}", "-o", "{out}"],
        ["bridge", "{navmesh}", "--distance", "0.3", "-o", "{out}"],
    ],
)
def test_what_needs_plain_ground_is_one_line(command, files, tmp_path, capsys):
    out = tmp_path / "out.walkmesh"
    words = [word.format(scene=files[0], navmesh=files[1], out=out) for word in command]
    assert run(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert "navmesh is one of a surface" in line
    assert not out.exists()


def test_a_view_is_written(files, tmp_path, capsys):
    html = tmp_path / "room.html"
    assert run(["view", files[1], "--scene", files[0], "--html", str(html)]) == 0
    assert "wrote" in capsys.readouterr().out
    assert html.stat().st_size > 10_000


@pytest.fixture
def cube(tmp_path):
    """A cube of 2 m to walk around, as a scene."""
    scene = wm.samples.cube(2.0)
    lines = [f"v {x} {y} {z}" for x, y, z in scene.vertices]
    lines += [f"f {a} {b} {c}" for a, b, c in scene.faces + 1]
    (tmp_path / "cube.obj").write_text("\n".join(lines))
    return str(tmp_path / "cube.obj")


SURFACE = ["--method", "surface", "--height", "0.5", "--radius", "0.1", "--step", "0.1"]


def test_a_surface_is_built_and_everything_about_it_written(cube, tmp_path, capsys):
    suffixes = [".walkmesh", ".obj", ".glb", ".ply"]
    outputs = [str(tmp_path / f"out{suffix}") for suffix in suffixes]
    report, stages, image = (str(tmp_path / name) for name in ("r.json", "stages", "i.png"))
    words = ["build", cube, *(word for path in outputs for word in ("-o", path)), *SURFACE]
    words += ["--max-tilt", "135", "--sides", "front", "--gravity-center", "-1,0,2.5"]
    assert run([*words, "--report", report, "--stages", stages, "--image", image]) == 0
    assert "NavMesh(" in capsys.readouterr().out
    method = wm.Surface(max_tilt=135.0, gravity_center=(-1.0, 0.0, 2.5))
    navmeshes = [wm.load_navmesh(path) for path in outputs]
    for navmesh in navmeshes:
        assert navmesh.surface
        assert navmesh.validate() == []
        assert navmesh.polygon_count == navmeshes[0].polygon_count
        assert navmesh.report.settings == dataclasses.asdict(method)
        assert built_with(navmesh) == method
    told = json.loads((tmp_path / "r.json").read_text())
    assert told["method"] == "Surface"
    assert told["settings"]["gravity_center"] == [-1.0, 0.0, 2.5]
    assert [stage["name"] for stage in told["stages"]] == list(method.stage_names)
    names = [f"{k + 1:02d}-{name}.ply" for k, name in enumerate(method.stage_names)]
    assert sorted(path.name for path in (tmp_path / "stages").iterdir()) == names
    assert (tmp_path / "i.png").stat().st_size > 1000
    assert run(["info", outputs[0]]) == 0
    assert "gravity_center" in capsys.readouterr().out


def test_stages_of_a_surface_are_drawn(cube, tmp_path):
    words = ["build", cube, "-o", str(tmp_path / "out.walkmesh"), *SURFACE]
    image = tmp_path / "stages.png"
    assert run([*words, "--image", str(image), "--image-shows", "stages"]) == 0
    assert image.stat().st_size > 1000
    # By default there is nothing that gravity pulls to.
    assert built_with(wm.load_navmesh(tmp_path / "out.walkmesh")) == wm.Surface()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--gravity-center", "1,2"], "--gravity-center is '1,2'; it must be like 1,0,2.5"),
        (["--gravity-center", ""], "--gravity-center is ''; it must be like 1,0,2.5"),
        (["--gravity-center", "a,b,c"], "--gravity-center is 'a,b,c'; it must be like 1,0,2.5"),
        (["--gravity-center", "0,inf,0"], "it must be three finite numbers in m, or None"),
        (["--max-tilt", "200"], "Surface.max_tilt is 200"),
        (["--sides", "top"], "Surface.sides is 'top'; it must be one of"),
        (["--cell-size", "0.1"], "--cell-size is not a setting of the surface method"),
        (
            ["--method", "exact", "--max-tilt", "90"],
            "--max-tilt is not a setting of the exact method",
        ),
    ],
)
def test_bad_settings_are_one_line(words, said, cube, tmp_path, capsys):
    out = tmp_path / "out.walkmesh"
    assert run(["build", cube, "-o", str(out), *SURFACE, *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert not out.exists()


@pytest.mark.parametrize("command", ["build", "view"])
def test_help_tells_defaults_of_each_method(command, capsys):
    assert run([command, "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "How to build: exact, voxel or surface." in told
    assert "--gravity-center x,y,z The point that gravity pulls to, for planets, in m." in told
    assert "[default: exact 0.025 m, voxel 0.5 cells, surface 0.025 m]" in told
    assert "[default: exact 0.01, voxel 0.05, surface 0.01]" in told


@dataclasses.dataclass(frozen=True, kw_only=True)
class Other(wm.Exact):
    """A method with settings like those of another, under its own name."""

    notes: ClassVar[tuple[str, ...]] = ("another way",)


def test_the_page_takes_any_method(monkeypatch):
    # What a subclass is asked for first must not be taken for the class above it.
    monkeypatch.setitem(METHODS, "exact", Other)
    method = Other(height_tolerance=0.02)
    scene = wm.samples.floor()
    navmesh = wm.build(scene, method=method)
    assert built_with(navmesh) == method
    assert can_keep_stages(scene, method)
    with wm.view(navmesh, scene=scene, port=0, open_browser=False) as viewer:
        assert viewer.page.wait(60.0)
        agent, shown = viewer.page.panel.build.read()
        assert shown == method
        assert agent == navmesh.agent
    with pytest.raises(wm.SettingsError, match=r"it must be a walkmesh\.Other or a walkmesh\.V"):
        wm.view(scene, method=wm.Agent(), port=0, open_browser=False)
