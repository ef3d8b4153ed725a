"""What edges join, the best first, and which of them joins two nodes."""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel


@kernel(kt.INTS, kt.INTS, kt.OUT_INTS, kt.OUT_INTS)
def grow_forest(firsts, seconds, parents, links):
    """Join nodes by edges, one after another, those that join nothing left out.

    Parameters
    ----------
    firsts, seconds : (m,) int32
        The ends of the edges.
    parents : (n,) int32, output
        The node that each hangs on; itself at the top. No node is deeper than log2(n).
    links : (n,) int32, output
        The edge by which it hangs there; m at the top. It grows on the way up.
    """
    sizes = np.ones(len(parents), np.int32)
    for n in range(len(parents)):
        parents[n] = n
        links[n] = len(firsts)
    for e in range(len(firsts)):
        a, b = firsts[e], seconds[e]
        while parents[a] != a:
            a = parents[a]
        while parents[b] != b:
            b = parents[b]
        if a == b:
            continue
        if sizes[a] < sizes[b]:
            a, b = b, a
        parents[b] = a
        links[b] = e
        sizes[a] += sizes[b]


@kernel(kt.TRIPLES, kt.INTS, kt.INTS, kt.OUT_INTS)
def find_joints(pairs, parents, links, joints):
    """Find the edge by which the two nodes of each pair were joined.

    Parameters
    ----------
    pairs : (n, 2) int32
    parents, links : (m,) int32
        See :func:`grow_forest`.
    joints : (n,) int32, output
        The edge; -1 for nodes that are not joined, and -2 for a node and itself.
    """
    for n in range(len(pairs)):
        a, b = pairs[n, 0], pairs[n, 1]
        joints[n] = -2
        while a != b:
            if links[a] > links[b]:
                a, b = b, a
            if parents[a] == a:
                joints[n] = -1
                break
            joints[n] = links[a]
            a = parents[a]
