"""The tree of blocks: which parts of a navmesh a way between two polygons can lead through.

Two polygons are in one block if there are two ways between them that share no polygon. Blocks hang
together at single polygons, as rooms do at doorways, and make a tree; all ways from one polygon to
another lead through the blocks between them in the tree. A search leaves out all other blocks.
"""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.query.ground.kernels import columns as col


@kernel(kt.INTS, kt.INTS, kt.INTS, kt.OUT_INTS, kt.OUT_INTS, kt.OUT_INTS, kt.OUT_INTS)
def find_blocks(offsets, others, connections, blocks, tops, up, depths):
    """Find the blocks of a graph (Hopcroft and Tarjan), and the tree that they make.

    Parameters
    ----------
    offsets, others, connections : (p + 1,), (a,) and (a,) int32
        For each polygon, the polygons it is connected to, and the number of the connection, which
        is the same from both ends.
    blocks : (e,) int32, output
        The block of each connection.
    tops : (e,) int32, output
        In its first places, the polygon of each block that is nearest to the root of the tree.
    up : (p,) int32, output
        The block of each polygon that it is not the top of; -1 at a root.
    depths : (p,) int32, output
        How many blocks are above each polygon.

    Returns
    -------
    int
        The number of blocks.
    """
    count = len(offsets) - 1
    found = np.full(count, -1, np.int32)  # when each polygon was found
    low = np.empty(count, np.int32)  # the first polygon that is reached from those below it
    places = np.empty(count, np.int32)  # the next of its connections to look at
    arrivals = np.full(count, -1, np.int32)  # the connection that it was found by
    order = np.empty(count, np.int32)
    path = np.empty(count, np.int32)
    waiting = np.empty(len(blocks), np.int32)  # connections whose block is not known yet
    children = np.empty(len(blocks), np.int32)  # the polygon found by each of those, or -1
    clock, block_count = 0, 0
    for root in range(count):
        if found[root] >= 0:
            continue
        up[root] = -1
        found[root], low[root], places[root] = clock, clock, offsets[root]
        order[clock] = root
        clock += 1
        path[0] = root
        depth, stacked = 1, 0
        while depth > 0:
            here = path[depth - 1]
            if places[here] < offsets[here + 1]:
                place = places[here]
                places[here] += 1
                there, connection = others[place], connections[place]
                if there == here or connection == arrivals[here]:
                    continue
                if found[there] < 0:
                    waiting[stacked], children[stacked] = connection, there
                    stacked += 1
                    found[there], low[there], places[there] = clock, clock, offsets[there]
                    arrivals[there] = connection
                    order[clock] = there
                    clock += 1
                    path[depth] = there
                    depth += 1
                elif found[there] < found[here]:
                    waiting[stacked], children[stacked] = connection, -1
                    stacked += 1
                    low[here] = min(low[here], found[there])
                continue
            depth -= 1
            if depth == 0:
                continue
            above = path[depth - 1]
            low[above] = min(low[above], low[here])
            if low[here] < found[above]:
                continue
            # No way around `above` leads from here to before it: a block ends.
            tops[block_count] = above
            while True:
                stacked -= 1
                blocks[waiting[stacked]] = block_count
                if children[stacked] >= 0:
                    up[children[stacked]] = block_count
                if waiting[stacked] == arrivals[here]:
                    break
            block_count += 1
    for place in range(count):
        polygon = order[place]
        depths[polygon] = 0 if up[polygon] < 0 else depths[tops[up[polygon]]] + 1
    return block_count


@borrowing
def mark_blocks(mesh, marks, stamp, start, goal):
    """Mark the blocks between two polygons of one island."""
    polygons = mesh.polygons
    while start != goal:
        if polygons[start, col.DEPTH] < polygons[goal, col.DEPTH]:
            start, goal = goal, start
        block = polygons[start, col.UP]
        marks[block] = stamp
        start = mesh.tops[block]
