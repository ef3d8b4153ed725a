"""Paths on the maps of the MovingAI benchmarks, whose optima on the grid are known."""

import functools

import numpy as np
import pytest

from queries import squares
from tests.makers import movingai
from tests.makers.scenes import SCENES, needs_scenes

MAPS = ("arena", "Berlin_0_256")
# The coarser of the files rounds to six digits, and its longest optimum is 62.1543 cells.
ROUNDED = 1e-4


@functools.cache
def case(name):
    """Return the free cells, their navmesh, the scenarios, and both ends of all of them."""
    free = movingai.read_map(SCENES / f"movingai/{name}.map")
    scenarios = movingai.read_scenarios(SCENES / f"movingai/{name}.map.scen")
    ends = movingai.middles(scenarios.starts), movingai.middles(scenarios.goals)
    return free, squares(free), scenarios, ends


@functools.cache
def solved(name, optimal):
    _, navmesh, _, ends = case(name)
    return navmesh.find_paths(*ends, optimal=optimal)


@needs_scenes
@pytest.mark.parametrize("name", MAPS)
def test_the_navmesh_is_all_free_cells(name):
    free, navmesh, scenarios, _ = case(name)
    assert navmesh.validate() == []
    assert navmesh.area == np.count_nonzero(free)
    for cells in (scenarios.starts, scenarios.goals):
        assert free[tuple(cells.T)].all()


@needs_scenes
@pytest.mark.parametrize("optimal", [True, False])
@pytest.mark.parametrize("name", MAPS)
def test_every_scenario_is_solved_on_free_cells(name, optimal):
    free, _, _, (starts, goals) = case(name)
    paths = solved(name, optimal)
    assert len(paths) == len(starts)
    for i, (start, goal) in enumerate(zip(starts, goals, strict=True)):
        path = paths[i]
        assert path.status == "complete"
        assert path.points[0] == pytest.approx(start, abs=1e-9)
        assert path.points[-1] == pytest.approx(goal, abs=1e-9)
        assert path.points[:, 1] == pytest.approx(0.0, abs=1e-9)
        assert movingai.stays_on_cells(free, path.points[:, [0, 2]]), f"scenario {i}"


@needs_scenes
@pytest.mark.parametrize("name", MAPS)
def test_lengths_are_between_the_straight_line_and_the_optimum_on_the_grid(name):
    _, _, scenarios, (starts, goals) = case(name)
    lengths = solved(name, True).lengths
    assert np.all(lengths <= scenarios.lengths + ROUNDED)
    assert np.all(lengths >= np.linalg.norm(goals - starts, axis=1) - 1e-9)


@needs_scenes
@pytest.mark.parametrize("name", MAPS)
def test_a_corridor_is_never_shorter_than_the_optimum(name):
    assert np.all(solved(name, False).lengths >= solved(name, True).lengths - 1e-9)


def grid(*rows):
    return np.array([[cell == "." for cell in row] for row in rows]).T


def test_a_way_that_leaves_the_cells_is_noticed():
    free = grid("...", ".@.", "...")
    for way in ([(0.5, 0.5), (2.5, 0.5)], [(0.5, 1.5), (1, 1), (1.5, 0.5)], [(1, 0.2), (1, 2.8)]):
        assert movingai.stays_on_cells(free, np.array(way, dtype=float))
        assert movingai.stays_on_cells(free, np.array(way[::-1], dtype=float))
    for way in ([(0.5, 1.5), (2.5, 1.5)], [(0.5, 1.5), (1.1, 1.1), (1.5, 0.5)], [(1, 1), (2, 2)]):
        assert not movingai.stays_on_cells(free, np.array(way, dtype=float))
    assert not movingai.stays_on_cells(free, np.array([(0.5, 0.5), (0.5, -0.5)]))


def test_a_way_through_a_corner_between_two_cells_is_noticed():
    diagonal = np.array([(0.5, 0.5), (1.5, 1.5)])
    assert not movingai.stays_on_cells(grid(".@", "@."), diagonal)
    assert movingai.stays_on_cells(grid("..", "@."), diagonal)
    turning = np.array([(0.5, 0.2), (1.0, 1.0), (1.2, 1.5)])
    assert not movingai.stays_on_cells(grid(".@", "@."), turning)
    assert movingai.stays_on_cells(grid(".@", ".."), turning)


def test_maps_and_scenarios_are_read(tmp_path):
    (tmp_path / "small.map").write_text("type octile\nheight 2\nwidth 3\nmap\n.GT\n@.W\n")
    free = movingai.read_map(tmp_path / "small.map")
    assert free.tolist() == [[True, False], [True, True], [False, False]]
    line = "0\tmaps/small.map\t3\t2\t0\t0\t1\t1\t2\n"
    (tmp_path / "small.map.scen").write_text(f"version 1\n{line}")
    found = movingai.read_scenarios(tmp_path / "small.map.scen")
    assert [column.tolist() for column in found] == [[[0, 0]], [[1, 1]], [2.0]]
    navmesh = squares(free)
    assert navmesh.validate() == []
    assert navmesh.polygon_count == 3
    assert navmesh.component_count == 1
    assert len(navmesh.vertices) == 8
