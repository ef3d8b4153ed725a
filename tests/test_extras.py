"""What needs a package that is not installed names it, and the command that installs it."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import walkmesh as wm
from walkmesh.cli import run
from walkmesh.extras import EXTRAS

ROOT = Path(__file__).parents[1]


def without(monkeypatch, package):
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)


def test_extras_are_those_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for extra in EXTRAS.values():
        listed = project["optional-dependencies"][extra.name]
        assert any(line.startswith(extra.distribution + ">") for line in listed), extra


@pytest.mark.parametrize(
    ("package", "name"), [("ezdxf", "plan.dxf"), ("PIL", "plan.png"), ("yaml", "map.yaml")]
)
def test_plans(monkeypatch, tmp_path, package, name):
    content = b"0\nEOF\n" if name.endswith("dxf") else b"resolution: 1"
    (tmp_path / name).write_bytes(content)
    without(monkeypatch, package)
    with pytest.raises(wm.MissingPackageError) as error:
        wm.load_plan(tmp_path / name)
    extra = EXTRAS[package]
    assert f" need {extra.distribution}: pip install 'walkmesh[plans]'" in str(error.value)
    assert isinstance(error.value, ImportError)


def test_graphs(monkeypatch):
    nodes = wm.build(wm.samples.floor()).path_nodes("centers")
    without(monkeypatch, "networkx")
    with pytest.raises(wm.MissingPackageError, match="networkx need networkx: pip install"):
        nodes.to_networkx()


def test_pictures_and_pages(monkeypatch):
    navmesh = wm.build(wm.samples.floor())
    without(monkeypatch, "matplotlib")
    with pytest.raises(wm.MissingPackageError, match=r"walkmesh\[plot\]"):
        navmesh.plot()
    without(monkeypatch, "viser")
    with pytest.raises(wm.MissingPackageError, match=r"walkmesh\[view\]"):
        wm.view(navmesh, open_browser=False)


def test_the_command_line_says_it_in_one_line(monkeypatch, tmp_path, capsys):
    wm.build(wm.samples.floor()).save(tmp_path / "floor.walkmesh")
    without(monkeypatch, "matplotlib")
    ends = ["--from", "1,0,1", "--to", "3,0,3", "--image", str(tmp_path / "path.png")]
    assert run(["path", str(tmp_path / "floor.walkmesh"), *ends]) == 2
    error = capsys.readouterr().err
    assert error == "walkmesh: pictures need matplotlib: pip install 'walkmesh[plot]'\n"


def test_help_and_import_bring_nothing_heavy():
    code = """if True:
        import sys, walkmesh
        from walkmesh.cli import run
        run(["--help"])
        print(sorted({"numba", "numpy", "shapely", "matplotlib", "viser"} & sys.modules.keys()))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")
