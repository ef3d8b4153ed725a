"""Sets that are united: each has a root, the first of its members."""

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel


@borrowing
def find_root(parent, i):
    """Return the root of i's set, halving the way to it."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@borrowing
def unite(parent, i, j):
    """Make one set of two; the smaller root stays, so that a root is its set's first member."""
    a, b = find_root(parent, i), find_root(parent, j)
    parent[max(a, b)] = min(a, b)


@borrowing
def separate(parent):
    """Put every member in a set of its own."""
    for i in range(len(parent)):
        parent[i] = i


@borrowing
def point_at_roots(parent):
    """Make the root of its set the parent of every member."""
    for i in range(len(parent)):
        parent[i] = find_root(parent, i)


@borrowing
def number_sets(parent, numbers):
    """Write the number of each member's set, in the order of their roots; return how many."""
    count = 0
    for i in range(len(parent)):
        root = find_root(parent, i)
        if root == i:
            numbers[i] = count
            count += 1
        else:
            numbers[i] = numbers[root]
    return count


@kernel(kt.TRIPLES, kt.OUT_INTS)
def unite_pairs(pairs, firsts):
    """Unite members by pairs.

    Parameters
    ----------
    pairs : (k, 2) int32
        Members of one set.
    firsts : (n,) int32, output
        The first member of each member's set.
    """
    separate(firsts)
    for i in range(len(pairs)):
        unite(firsts, pairs[i, 0], pairs[i, 1])
    point_at_roots(firsts)
