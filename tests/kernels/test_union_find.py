"""Uniting sets, against graphs of networkx's."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel
from walkmesh.kernels.meshes.union_find import number_sets, separate, unite, unite_pairs

pytestmark = pytest.mark.plain_python

COUNT = 12
pairs_of_members = st.lists(st.tuples(*[st.integers(0, COUNT - 1)] * 2), max_size=20)


@kernel(kt.TRIPLES, kt.INTS, kt.OUT_INTS)
def number(pairs, order, numbers):
    parent = np.empty(len(numbers), np.int32)
    separate(parent)
    for i in order:
        unite(parent, pairs[i, 0], pairs[i, 1])
    return number_sets(parent, numbers)


def sets_of(pairs):
    graph = nx.Graph(pairs)
    graph.add_nodes_from(range(COUNT))
    return sorted(map(sorted, nx.connected_components(graph)))


def as_rows(pairs):
    return np.array(pairs, dtype=np.int32).reshape(-1, 2)


@given(pairs_of_members)
def test_each_member_is_told_the_first_of_its_set(pairs):
    firsts = np.empty(COUNT, dtype=np.int32)
    unite_pairs(as_rows(pairs), firsts)
    assert {i: firsts[i] for i in range(COUNT)} == {i: s[0] for s in sets_of(pairs) for i in s}


@given(pairs_of_members, st.randoms())
def test_sets_are_numbered_by_their_first_members_whatever_the_order_of_the_pairs(pairs, random):
    order = np.array(random.sample(range(len(pairs)), len(pairs)), dtype=np.int32)
    numbers = np.empty(COUNT, dtype=np.int32)
    sets = sets_of(pairs)
    assert number(as_rows(pairs), order, numbers) == len(sets)
    assert all((numbers[members] == k).all() for k, members in enumerate(sets))
