"""The command line on navmeshes of surfaces."""

import dataclasses
import json
from typing import ClassVar

import pytest

import surface_shapes
import walkmesh as wm
from walkmesh.build import METHODS
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
