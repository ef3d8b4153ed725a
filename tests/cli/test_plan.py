"""``walkmesh plan``: what it writes and prints, and what it refuses."""

import json

import networkx
import pytest

import walkmesh as wm
from walkmesh.cli import run

ROOM = "POLYGON ((0 0, 10 0, 10 8, 0 8, 0 0), (4 3, 6 3, 6 5, 4 5, 4 3))"


def feature(geometry, **properties):
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def square(**properties):
    ring = [[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]]
    return feature({"type": "Polygon", "coordinates": [ring]}, **properties)


BUILDING = {
    "type": "FeatureCollection",
    "features": [
        square(level=0),
        square(level=1),
        feature(
            {"type": "MultiLineString", "coordinates": [[[1, 1], [2, 1]], [[1, 6], [2, 6]]]},
            stairs=[0, 1],
        ),
    ],
}


@pytest.fixture
def room(tmp_path):
    file = tmp_path / "room.wkt"
    file.write_text(ROOM)
    return file


def test_everything_is_written(tmp_path, room, capsys):
    outputs = [tmp_path / f"out{suffix}" for suffix in (".walkmesh", ".obj", ".glb", ".ply")]
    words = [word for output in outputs for word in ("-o", str(output))]
    code = run(
        ["plan", str(room), *words, "--report", str(tmp_path / "r.json")]
        + ["--stages", str(tmp_path / "stages"), "--image", str(tmp_path / "p.png")]
        + ["--graph", str(tmp_path / "g.json"), "--nodes", "centers,corners"]
        + ["--radius", "0.2", "--triangulator", "greedy", "--scale", "2"]
    )
    printed = capsys.readouterr()
    assert code == 0, printed.err
    assert "from FloorPlan(20 x 16 m" in printed.out
    for output in outputs:
        navmesh = wm.load_navmesh(output)
        assert navmesh.agent == wm.Agent(radius=0.2)
        assert navmesh.report.settings["triangulator"] == "greedy"
        assert navmesh.area == pytest.approx(19.6 * 15.6 - 4.4 * 4.4, abs=0.1)
    assert len(list((tmp_path / "stages").iterdir())) == 4
    assert json.loads((tmp_path / "r.json").read_text())["method"] == "Planar"
    graph = json.loads((tmp_path / "g.json").read_text())
    nodes = navmesh.path_nodes(["centers", "corners"])
    assert len(graph["nodes"]) == len(nodes.positions)
    assert [edge["nodes"] for edge in graph["edges"]] == nodes.edges.tolist()
    assert [edge["length"] for edge in graph["edges"]] == nodes.lengths.tolist()


def test_a_graph_for_other_tools(tmp_path, room):
    file = tmp_path / "g.graphml"
    assert run(["plan", str(room), "-o", str(tmp_path / "o.walkmesh"), "--graph", str(file)]) == 0
    graph = networkx.read_graphml(file)
    nodes = wm.build(wm.load_plan(room)).path_nodes("midpoints")
    assert (len(graph), graph.number_of_edges()) == (len(nodes.positions), len(nodes.edges))
    x, y, z = nodes.positions[0]
    assert graph.nodes["0"] == {"kind": "midpoint", "x": x, "y": y, "z": z}


def test_a_building(tmp_path, capsys):
    file = tmp_path / "house.geojson"
    file.write_text(json.dumps(BUILDING))
    out = tmp_path / "house.walkmesh"
    assert run(["plan", str(file), "-o", str(out), "--floor-height", "2.8"]) == 0
    assert "Building(2 floors, 1 stairs)" in capsys.readouterr().out
    navmesh = wm.load_navmesh(out)
    assert navmesh.component_count == 1
    assert navmesh.vertices[:, 2].max() == 2.8
    # Too steep for someone on wheels.
    assert run(["plan", str(file), "-o", str(out), "--slope", "10"]) == 0
    assert "left out: 1 stairs too steep for the agent" in capsys.readouterr().out
    assert wm.load_navmesh(out).component_count == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--triangulator", "fast"], "Planar.triangulator is 'fast'; it must be one of"),
        (["--up", "x"], "Planar.up is 'x'; it must be one of 'z', 'y'"),
        (["--radius", "-1"], "Agent.radius is -1.0; it must be"),
        (["--radius", "9"], "18 m wide can stand nowhere"),
        (["--grid-step", "1e-9"], "the plan is 10 m wide, which is too much for a grid of 1e-09 m"),
        (["--scale", "0"], "scale is 0.0; it must be a finite number above 0"),
        (["--layers", "walls"], "layers is ['walls']; a .wkt file has none"),
        (["--nodes", "corners"], "--nodes is given without --graph"),
        (["--graph", "g.json", "--nodes", "middles"], "at has 'middles'; it must be one or"),
        (
            ["--graph", "g.txt"],
            "cannot write g.txt: unsupported file type '.txt'; supported: .json, .graphml",
        ),
        (["--scenarios", "none.scen"], "none.scen: there is no such file"),
        (["--image-shows", "plans"], "--image-shows is given without --image"),
    ],
)
def test_what_is_refused(tmp_path, room, capsys, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    assert run(["plan", str(room), "-o", "out.walkmesh", *arguments]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""
    assert sorted(file.name for file in tmp_path.iterdir()) == ["room.wkt"]


@pytest.mark.parametrize("name", ["plan.txt", "plan.obj", "plan"])
def test_files_that_are_no_plans(tmp_path, capsys, name):
    file = tmp_path / name
    file.write_text("nothing")
    assert run(["plan", str(file), "-o", str(tmp_path / "o.walkmesh")]) == 2
    assert "supported: .geojson" in capsys.readouterr().err
    assert run(["plan", str(tmp_path / "gone.svg"), "-o", str(tmp_path / "o.walkmesh")]) == 2
    assert "there is no such file" in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["--report", "--graph"])
def test_no_file_is_written_over(tmp_path, capsys, monkeypatch, flag):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(BUILDING))
    assert run(["plan", "plan.json", "-o", "o.walkmesh", flag, "plan.json"]) == 2
    assert "it is what the navmesh is built from" in capsys.readouterr().err
    both = ["--report", "x.json", "--graph", "./x.json"]
    assert run(["plan", "plan.json", "-o", "o.walkmesh", *both]) == 2
    assert "cannot write ./x.json: another result goes there too" in capsys.readouterr().err
    assert json.loads(file.read_text()) == BUILDING


def test_a_graph_through_the_middles_of_edges(tmp_path, room):
    file = tmp_path / "g.json"
    arguments = ["--graph", str(file), "--nodes", "centers"]
    assert run(["plan", str(room), "-o", str(tmp_path / "o.walkmesh"), *arguments]) == 0
    nodes = wm.build(wm.load_plan(room)).path_nodes("centers")
    assert [edge["via"] for edge in json.loads(file.read_text())["edges"]] == nodes.via.tolist()


def test_the_plan_itself_is_not_overwritten(tmp_path, capsys):
    file = tmp_path / "plan.geojson"
    file.write_text(json.dumps(BUILDING))
    link = tmp_path / "o.ply"
    link.symlink_to(file)
    assert run(["plan", str(file), "-o", str(link)]) == 2
    assert "it is what the navmesh is built from" in capsys.readouterr().err
