"""Merging: of links that lead from about the same place to about the same place, the best stays."""

import math

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.search.hash_grid import enter, first_in, make_hash_grid


@kernel(kt.POINTS, kt.POINTS, kt.INTS, kt.INTS, kt.BYTES, kt.INTS, kt.BYTES, kt.FLOAT, kt.OUT_BYTES)
def merge_links(starts, goals, start_islands, goal_islands, two_way, order, given, spacing, kept):
    """Choose links so that no two do the same.

    A link does what another does if both its ends are closer to the other's than `spacing`, on the
    same islands, and it leads both ways or the other does not.

    Parameters
    ----------
    starts, goals : (n, 3) float64
        Where links lead from and to, in the plan frame. [Unit: m]
    start_islands, goal_islands : (n,) int32
        The connected sets of ground that these are on.
    two_way : (n,) uint8
        Whether links can be taken from goal to start as well.
    order : (n,) int32
        Links, the best first.
    given : (n,) uint8
        1 for those that stay whatever others do.
    spacing : float
        How close is close. [Unit: m]
    kept : (n,) uint8, output
        1 for those that stay.
    """
    links = starts, goals, start_islands, goal_islands, two_way
    grid = make_hash_grid(len(starts))
    for place in range(len(order)):
        link = order[place]
        # Close ends have close middles, whichever way round.
        row = math.floor((starts[link, 0] + goals[link, 0]) / (2.0 * spacing))
        column = math.floor((starts[link, 1] + goals[link, 1]) / (2.0 * spacing))
        covered = False
        if given[link] == 0:
            for i in range(row - 1, row + 2):
                for j in range(column - 1, column + 2):
                    other = first_in(grid, i, j)
                    while other >= 0 and not covered:
                        covered = _covers(links, other, link, spacing)
                        other = grid.links[other]
        kept[link] = 0 if covered else 1
        if not covered:
            enter(grid, link, row, column)


@kernel
def _covers(links, one, two, spacing):
    """Tell whether link one does what link two does."""
    starts, goals, start_islands, goal_islands, two_way = links
    if two_way[one] == 0 and two_way[two] != 0:
        return False
    along = (
        start_islands[one] == start_islands[two]
        and goal_islands[one] == goal_islands[two]
        and _close(starts, one, starts, two, spacing)
        and _close(goals, one, goals, two, spacing)
    )
    against = (
        two_way[one] != 0
        and start_islands[one] == goal_islands[two]
        and goal_islands[one] == start_islands[two]
        and _close(starts, one, goals, two, spacing)
        and _close(goals, one, starts, two, spacing)
    )
    return along or against


@kernel
def _close(these, i, those, j, distance):
    square = 0.0
    for k in range(3):
        square += (these[i, k] - those[j, k]) ** 2
    return square < distance * distance
