"""Items in cells, against a dictionary."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.search.hash_grid import (
    enter,
    enter_cube,
    first_in,
    first_in_cube,
    make_hash_grid,
)

pytestmark = pytest.mark.plain_python

numbers = st.one_of(st.integers(-3, 3), st.integers(-(2**31), 2**31))


@kernel(kt.LONGS_2D, kt.OUT_TRIPLES)
def look_around(cells, seen):
    """Mark in row i what is met in the cell of item i."""
    grid = make_hash_grid(len(cells))
    for i in range(len(cells)):
        enter(grid, i, cells[i, 0], cells[i, 1])
    for i in range(len(cells)):
        order = 1
        j = first_in(grid, cells[i, 0], cells[i, 1])
        while j >= 0:
            seen[i, j] = order
            order += 1
            j = grid.links[j]


@kernel(kt.LONGS_2D, kt.OUT_TRIPLES)
def look_around_in_space(cells, seen):
    grid = make_hash_grid(len(cells))
    for i in range(len(cells)):
        enter_cube(grid, i, cells[i, 0], cells[i, 1], cells[i, 2])
    for i in range(len(cells)):
        order = 1
        j = first_in_cube(grid, cells[i, 0], cells[i, 1], cells[i, 2])
        while j >= 0:
            seen[i, j] = order
            order += 1
            j = grid.links[j]


@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=12), st.booleans())
def test_every_item_of_a_cell_is_met_once_the_last_entered_first(cells, in_space):
    look, axes = (look_around_in_space, 3) if in_space else (look_around, 2)
    seen = np.zeros((len(cells), len(cells)), dtype=np.int32)
    look(np.array(cells)[:, :axes].copy(), seen)
    members = defaultdict(list)
    for i, cell in enumerate(cells):
        members[cell[:axes]].append(i)
    for i, cell in enumerate(cells):
        met = [j for j in np.argsort(-seen[i], kind="stable") if seen[i, j]][::-1]
        assert [j for j in met if j in members[cell[:axes]]] == members[cell[:axes]][::-1]
