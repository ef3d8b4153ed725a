"""Grid maps and scenarios of the MovingAI benchmarks, and the navmesh of a map's free cells.

The formats are those of N. Sturtevant, Benchmarks for Grid-Based Pathfinding (2012).
"""

import itertools
import math
from typing import NamedTuple

import numpy as np

# Ground, and swamp, which is entered from ground; trees, water and what is out of bounds block.
FREE = (".", "G", "S")


class Scenarios(NamedTuple):
    """The scenarios of one map.

    Attributes
    ----------
    starts, goals : (n, 2) int64
        Cells as (x, y): x counts columns to the right, y rows downwards.
    lengths : (n,) float64
        Of the shortest ways from cell middle to cell middle in steps to the eight neighbours,
        where a diagonal step needs both cells beside it. [Unit: cells]
    """

    starts: np.ndarray
    goals: np.ndarray
    lengths: np.ndarray


def read_map(path):
    """Return which cells of a ``.map`` file are free, (width, height) bool."""
    lines = path.read_text().splitlines()
    header = dict(line.split() for line in lines[:3])
    assert header["type"] == "octile"
    assert lines[3] == "map"
    cells = np.array([list(line) for line in lines[4:] if line])
    assert cells.shape == (int(header["height"]), int(header["width"]))
    return np.isin(cells, FREE).T


def read_scenarios(path):
    """Return all scenarios of a ``.scen`` file."""
    version, *lines = path.read_text().splitlines()
    assert version.startswith("version 1")
    rows = [line.split("\t") for line in lines if line]
    places = np.array([row[4:8] for row in rows], dtype=np.int64)
    lengths = np.array([row[8] for row in rows], dtype=np.float64)
    return Scenarios(places[:, :2], places[:, 2:], lengths)


def middles(cells):
    """Return the middles of (n, 2) cells as (n, 3) points of a navmesh of squares."""
    return np.column_stack([cells[:, 0] + 0.5, np.zeros(len(cells)), cells[:, 1] + 0.5])


def stays_on_cells(free, points, tolerance=1e-9):
    """Tell whether the line through (k, 2) points never leaves the free cells.

    The line is cut wherever it crosses the grid. Each piece must have a free cell on either side,
    or be inside one, and from piece to piece the way must lead over sides of cells: where two free
    cells have nothing but a corner in common, it may not slip through.
    """
    previous = None
    for here, there in itertools.pairwise(points):
        cuts = [0.0, 1.0]
        for a, b in zip(here, there, strict=True):
            lines = np.arange(np.ceil(min(a, b)), np.floor(max(a, b)) + 1)
            if a != b:
                cuts += ((lines - a) / (b - a)).tolist()
        cuts = np.unique(cuts)
        for t in (cuts[:-1] + cuts[1:]) / 2.0:
            cells = cells_at(free, here + t * (there - here), tolerance)
            if not cells or (previous and not joined(free, previous, cells)):
                return False
            previous = cells
    return True


def cells_at(free, point, tolerance):
    """Return the free cells that a point is in, or between."""
    choices = [{math.floor(c - tolerance), math.floor(c + tolerance)} for c in point]
    return [(x, y) for x in choices[0] for y in choices[1] if is_free(free, x, y)]


def joined(free, here, there):
    """Tell whether one of some cells is one of others, beside it, or around a corner from it."""
    return any(
        abs(x - a) + abs(y - b) <= 1
        or (abs(x - a) == abs(y - b) == 1 and (is_free(free, x, b) or is_free(free, a, y)))
        for x, y in here
        for a, b in there
    )


def is_free(free, x, y):
    return 0 <= x < free.shape[0] and 0 <= y < free.shape[1] and bool(free[x, y])
