"""Maps of the MovingAI benchmarks as floor plans: every scenario is solved, and none is longer."""

import functools

import networkx
import numpy as np
import pytest

import walkmesh as wm
from tests.makers import movingai
from tests.makers.scenes import SCENES, needs_scenes
from walkmesh.cli import run
from walkmesh.io.movingai import load_scenarios

FOLDER = SCENES / "movingai"
MAPS = ("arena", "Berlin_0_256")
# The coarser of the files rounds to six digits, and its longest optimum is 62.1543 cells.
ROUNDED = 1e-4


@functools.cache
def case(name, radius=0.0, triangulator="delaunay"):
    """Return the navmesh of a map, its scenarios, and the paths of all of them."""
    method = wm.Planar(triangulator=triangulator)
    navmesh = wm.build(wm.load_plan(FOLDER / f"{name}.map"), wm.Agent(radius=radius), method)
    trips = load_scenarios(FOLDER / f"{name}.map.scen")
    starts, goals = (np.column_stack([p, np.zeros(len(p))]) for p in (trips.starts, trips.goals))
    return navmesh, trips, navmesh.find_paths(starts, goals)


@needs_scenes
@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("radius", [0.0, 0.3, 0.49])
def test_every_scenario_is_solved_and_none_is_longer_than_over_cells(name, radius):
    navmesh, trips, paths = case(name, radius)
    assert navmesh.validate() == []
    assert set(paths.statuses) == {"complete"}
    assert np.all(paths.lengths <= trips.lengths + ROUNDED)
    straight = np.linalg.norm(trips.goals - trips.starts, axis=1)
    assert np.all(paths.lengths >= straight - 1e-9)


@needs_scenes
def test_both_triangulators_find_the_same_lengths():
    one, other = (case("arena", 0.0, t)[2].lengths for t in ("delaunay", "greedy"))
    np.testing.assert_allclose(one, other, atol=1e-9)


@needs_scenes
@pytest.mark.parametrize("name", MAPS)
def test_no_path_leaves_the_free_cells(name):
    free = movingai.read_map(FOLDER / f"{name}.map")
    navmesh, _, paths = case(name)
    assert navmesh.area == pytest.approx(free.sum())
    height = free.shape[1]
    for path in list(paths)[::7]:
        points = np.column_stack([path.points[:, 0], height - path.points[:, 1]])
        assert movingai.stays_on_cells(free, points)


@needs_scenes
@pytest.mark.parametrize("at", ["centers", "midpoints", "corners"])
def test_scenarios_over_path_nodes(at):
    navmesh, trips, paths = case("arena")
    nodes = navmesh.path_nodes(at)
    assert networkx.number_connected_components(nodes.to_networkx()) == navmesh.component_count
    for i in range(0, len(trips.starts), 10):
        start, goal = (np.append(places[i], 0.0) for places in (trips.starts, trips.goals))
        over = nodes.find_path(start, goal)
        assert over.status == "complete"
        assert over.length >= paths[i].length - 1e-9


@needs_scenes
def test_a_map_too_large_for_the_greedy_triangulator():
    plan = wm.load_plan(FOLDER / "Berlin_0_256.map")
    with pytest.raises(wm.BuildError, match=r"has \d+ vertices; .* 'delaunay' any number"):
        wm.build(plan, wm.Agent(radius=0), wm.Planar(triangulator="greedy"))


@needs_scenes
@pytest.mark.parametrize("up", ["z", "y"])
def test_scenarios_on_the_command_line(tmp_path, capsys, up):
    arguments = ["plan", str(FOLDER / "arena.map"), "-o", str(tmp_path / "arena.walkmesh")]
    arguments += ["--scenarios", str(FOLDER / "arena.map.scen"), "--radius", "0", "--up", up]
    assert run(arguments) == 0
    printed = capsys.readouterr().out
    assert "160 of 160 scenarios solved, 0 longer than over cells" in printed
