"""`walkmesh links` on the command line."""

import json

import pytest

import walkmesh as wm
from walkmesh.cli import run
from walkmesh.samples.soup import Soup


@pytest.fixture
def files(tmp_path):
    """A ledge of 2 m as a file, in centimetres and z up, and its navmesh."""
    soup = Soup()
    soup.box((0, 0, 0), (12, 5, 0.1))
    soup.box((0, 0, 0), (4, 5, 2.1))
    scene = soup.scene("z")
    lines = [f"v {100 * x} {100 * y} {100 * z}" for x, y, z in scene.vertices]
    lines += [f"f {a} {b} {c}" for a, b, c in scene.faces + 1]
    (tmp_path / "ledge.obj").write_text("\n".join(lines))
    wm.build(scene).save(tmp_path / "ledge.walkmesh")
    return [str(tmp_path / "ledge.obj"), str(tmp_path / "ledge.walkmesh")]


def links(*words):
    return run(["links", *map(str, words), "--up", "z", "--scale", "0.01"])


def test_links_are_counted_and_written(tmp_path, files, capsys):
    outputs = [tmp_path / f"linked{suffix}" for suffix in (".walkmesh", ".obj", ".glb", ".ply")]
    assert links(*files, *(word for output in outputs for word in ("-o", output))) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    lines = printed.out.splitlines()
    navmesh = wm.load_navmesh(outputs[0])
    count = len(navmesh.links)
    assert 4 <= count <= 5
    assert lines[0].startswith(f"{count} links in ")
    assert lines[0].endswith(f"s: 0 jump, {count} drop, 0 climb")
    assert lines[1:] == [f"wrote {output}" for output in outputs]
    assert set(navmesh.links["kind"].tolist()) == {wm.LinkKind.DROP}
    for output in outputs:
        assert wm.load_navmesh(output).links.tobytes() == navmesh.links.tobytes()


def test_json_flags_and_links_that_are_kept(tmp_path, files, capsys):
    output = tmp_path / "linked.walkmesh"
    flags = ["--max-climb", 2, "--max-drop", 0, "--max-jump", 1, "--spacing", 2, "--workers", 1]
    assert links(*files, "-o", output, *flags, "--json") == 0
    printed = capsys.readouterr()
    content = json.loads(printed.out)
    assert content.pop("seconds") > 0
    count = content["found"]
    assert count >= 2
    assert content == {"found": count, "jump": 0, "drop": 0, "climb": count, "kept": 0}
    assert printed.err == f"wrote {output}\n"
    # In place, and what is there stays.
    assert links(files[0], output, "-o", output, *flags) == 0
    assert capsys.readouterr().out.splitlines()[1] == f"kept: {count}"
    assert len(wm.load_navmesh(output).links) == count


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--max-jump", "far"], "'far' is not a number"),
        (["--max-drop", "-1"], "max_drop is -1.0; it must be a finite number at least 0 m"),
        (["--spacing", "0"], "spacing is 0.0; it must be a finite number above 0 m"),
        (["--workers", "0"], "workers is 0; it must be a whole number at least 1"),
        (["--max-fly", "1"], "No such option"),
        (["-o", "linked.xyz"], "unsupported file type '.xyz'; supported:"),
        (["-o", "no/such/folder.obj"], "there is no folder"),
        (["--up", "y"], "for the scene and"),
        (["--up", "w"], "up is 'w'"),
    ],
)
def test_bad_usage_is_one_line_and_nothing_is_written(tmp_path, files, capsys, words, message):
    output = tmp_path / "linked.walkmesh"
    command = ["links", *files, "-o", str(output), "--up", "z", "--scale", "0.01", *words]
    assert run(command) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert not output.exists()


def test_the_scene_is_never_overwritten_and_both_files_must_be_there(tmp_path, files, capsys):
    assert links(*files, "-o", files[0]) == 2
    assert "it is the scene itself" in capsys.readouterr().err
    assert links(files[0], tmp_path / "none.walkmesh", "-o", tmp_path / "a.obj") == 2
    assert links(tmp_path / "none.obj", files[1], "-o", tmp_path / "a.obj") == 2
    assert links(files[0], files[0], "-o", tmp_path / "a.obj") == 2
    assert "Traceback" not in capsys.readouterr().err
