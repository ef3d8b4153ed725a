"""`walkmesh evaluate` on the command line."""

import json

import numpy as np
import pytest

import walkmesh as wm
from walkmesh import samples
from walkmesh.cli import run


def write_obj(file, vertices, faces):
    lines = [f"v {x} {y} {z}" for x, y, z in vertices] + [f"f {a} {b} {c}" for a, b, c in faces + 1]
    file.write_text("\n".join(lines))
    return str(file)


@pytest.fixture
def files(tmp_path):
    """A floor as a file, its navmesh as one of ours, and the same as plain triangles."""
    scene = samples.floor(6.0, 4.0)
    navmesh = wm.build(scene)
    navmesh.save(tmp_path / "floor.walkmesh")
    return (
        write_obj(tmp_path / "floor.obj", scene.vertices, scene.faces),
        str(tmp_path / "floor.walkmesh"),
        write_obj(tmp_path / "triangles.obj", navmesh.vertices, navmesh.triangles),
    )


def evaluate(*words):
    return run(["evaluate", *map(str, words), "--samples", "500"])


def test_figures_picture_and_report(tmp_path, files, capsys):
    report, image = tmp_path / "r.json", tmp_path / "p.png"
    assert evaluate(*files[:2], "--report", report, "--image", image, "--from", "3,0,2") == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    lines = printed.out.splitlines()
    assert lines[0].startswith("recall        1.0000 (0.99")
    assert "islands       0, 0.00 m2" in lines
    assert lines[-2:] == [f"wrote {report}", f"wrote {image}"]
    assert json.loads(report.read_text())["recall"]["value"] == 1.0
    assert image.read_bytes().startswith(b"\x89PNG")


def test_triangles_and_json(files, capsys):
    assert evaluate(files[0], files[2], "--json") == 0
    content = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert content["recall"] == {
        "value": 1.0,
        "low": content["recall"]["low"],
        "high": 1.0,
        "samples": 500,
    }
    assert content["narrowest_kept"] is None
    assert content["islands"] is None
    assert content["polygons"] == 2


def test_the_agent_is_the_navmesh_s_own_unless_told(files, capsys):
    evaluate(*files[:2], "--radius", "0.5", "--json")
    told = json.loads(capsys.readouterr().out)
    # The navmesh keeps 0.3 m away, not 0.5.
    right = (5.04 * 3.04) / (5.4 * 3.4)
    assert told["precision"]["value"] == pytest.approx(right, abs=0.08)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no.obj", "{navmesh}"], "no.obj"),
        (["{scene}", "no.walkmesh"], "no.walkmesh"),
        (["{scene}", "{navmesh}", "--band", "-1"], "band is -1.0; it must be a finite number"),
        (["{scene}", "{navmesh}", "--radius", "nan"], "Agent.radius is nan"),
        (["{scene}", "{navmesh}", "--seed", "-1"], "seed is -1"),
        (["{scene}", "{navmesh}", "--from", "1,2"], "--from is '1,2'; it must be like 1,0,2.5"),
        (["{scene}", "{navmesh}", "--from", "a,b,c"], "--from is 'a,b,c'"),
        (["{scene}", "{navmesh}", "--from", "nan,0,0"], "not finite"),
        (["{scene}", "{navmesh}", "--from", "0,99,0"], "further than the agent's height"),
        (["{scene}", "{navmesh}", "--image", "p.jpg"], "p.jpg"),
        (["{scene}", "{navmesh}", "--report", "r.txt"], "r.txt"),
        (["{scene}", "{navmesh}", "--up", "z"], "up is"),
        (["{navmesh}", "{scene}"], "floor.walkmesh"),
    ],
)
def test_bad_input_is_one_line(files, capsys, monkeypatch, tmp_path, words, message):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert evaluate(*(word.format(scene=files[0], navmesh=files[1]) for word in words)) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_no_samples(files, capsys):
    assert run(["evaluate", *files[:2], "--samples", "0"]) == 2
    assert "samples is 0; it must be a whole number from 1 to" in capsys.readouterr().err


def test_triangles_in_centimetres(tmp_path, capsys):
    scene = samples.floor(6.0, 4.0, up="z")
    navmesh = wm.build(scene)
    names = (
        write_obj(tmp_path / "scene.obj", 100 * scene.vertices, scene.faces),
        write_obj(tmp_path / "navmesh.obj", 100 * navmesh.vertices, navmesh.triangles),
    )
    assert evaluate(*names, "--up", "z", "--scale", "0.01", "--json") == 0
    content = json.loads(capsys.readouterr().out)
    assert content["area"] == pytest.approx(5.4 * 3.4)
    assert np.isclose(content["precision"]["value"], 1.0)
