"""walkmesh view on the command line."""

import re
import signal
import subprocess
import sys
import time
import urllib.request

import pytest

import walkmesh as wm
from walkmesh.cli import run


def write_plate(folder):
    path = folder / "plate.obj"
    path.write_text("v 0 0 0\nv 0 0 4\nv 4 0 4\nv 4 0 0\nf 1 2 3 4\n")
    return path


def test_it_serves_until_interrupted(tmp_path):
    command = [sys.executable, "-m", "walkmesh", "view", str(write_plate(tmp_path))]
    with subprocess.Popen(
        [*command, "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell's background job ignores interrupts, and so would what it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        line = process.stdout.readline()
        url = re.match(r"(http://127\.0\.0\.1:\d+)  \(Ctrl-C to stop\)$", line)[1]
        with urllib.request.urlopen(url, timeout=30) as answer:
            assert b"<html" in answer.read()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=30)
    assert (process.returncode, out, error) == (0, "", "")


def test_a_view_is_written_as_one_file(tmp_path, capsys):
    scene = write_plate(tmp_path)
    out = tmp_path / "view.html"
    assert run(["view", str(scene), "--html", str(out), "--radius", "0.5"]) == 0
    assert capsys.readouterr().out == f"wrote {out}\n"
    content = out.read_text()
    assert "<title>walkmesh</title>" in content
    assert "__VISER_EMBED_DATA__" in content
    # It loads nothing from anywhere.
    assert not re.search(r"<(script|link)[^>]+(src|href)=\"http", content)


def test_a_navmesh_with_its_scene(tmp_path, capsys):
    scene, out = write_plate(tmp_path), tmp_path / "view.html"
    wm.build(wm.load_scene(scene)).save(tmp_path / "plate.walkmesh")
    files = [str(tmp_path / "plate.walkmesh"), "--scene", str(scene)]
    assert run(["view", *files, "--html", str(out)]) == 0
    assert run(["view", files[0], "--html", str(out)]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing.obj"], "nothing.obj: there is no such file"),
        (
            ["{scene}", "--port", "99999"],
            "port is 99999; it must be a whole number",
        ),
        (["{scene}", "--host", "no.such.host.invalid"], "cannot listen on no.such.host.invalid"),
        (["{scene}", "--method", "magic"], "--method is 'magic'"),
        (["{scene}", "--cell-size", "0.1"], "--cell-size is not a setting of the exact method"),
        (["{scene}", "--radius", "-1"], "Agent.radius is -1.0"),
        (["{scene}", "--up", "w"], "up is 'w'"),
        (["{scene}", "--scale", "0"], "scale is 0.0"),
        (["--scale", "-1"], "scale is -1.0"),
        (["--scale", "nan"], "scale is nan"),
        (["{navmesh}", "--html", "x.html", "--scale", "-3"], "scale is -3.0"),
        (["--up", "banana"], "up is 'banana'"),
        (["--up", "0,0,0"], "up is (0.0, 0.0, 0.0)"),
        (["--up", "1,2"], "up is (1.0, 2.0)"),
        (["{scene}", "--max-upload", "-1"], "--max-upload is -1"),
        (["{scene}", "--html", "view.png"], "unsupported file type '.png'; supported: .html"),
        (["--html", "view.html"], "--html needs a FILE"),
        (["{scene}", "--scene", "{scene}"], "is not a navmesh of"),
        (["{navmesh}", "--scene", "{navmesh}"], "which is a navmesh; it must be a scene"),
        (["{navmesh}", "--scene", "{far}"], "is not a navmesh of"),
        (["{broken}"], "broken.glb: "),
    ],
)
def test_bad_input_is_one_line(arguments, words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {"scene": write_plate(tmp_path), "navmesh": tmp_path / "plate.walkmesh"}
    files["broken"] = tmp_path / "broken.glb"
    files["broken"].write_bytes(b"glTF" + bytes(30))
    files["far"] = tmp_path / "far.obj"
    files["far"].write_text("v 90 0 0\nv 90 0 4\nv 94 0 4\nv 94 0 0\nf 1 2 3 4\n")
    wm.build(wm.load_scene(files["scene"])).save(files["navmesh"])
    before = sorted(tmp_path.iterdir())
    code = run(["view", *(word.format(**files) for word in arguments), "--no-browser"])
    out, error = capsys.readouterr()
    assert (code, out) == (2, "")
    assert error.startswith("walkmesh: ")
    assert error.count("\n") == 1
    assert words in error
    assert sorted(tmp_path.iterdir()) == before
