"""Vertices that wait in a heap, each under one key, for their turn to be looked at."""

from collections import namedtuple

import numpy as np

from walkmesh.builder.exact.kernels.fans import NONE
from walkmesh.kernels.kernel import borrowing, kernel
from walkmesh.kernels.search.heap import heap_pop, heap_push

# The key of a vertex that has not looked yet, and that of one which does not wait.
FIRST = -1.0
_ABSENT = -2.0

# keys, items: a heap. current: for each vertex the key it waits under. first: 1 if it waits, also,
# under FIRST. waiting: (1,) int64, the number of entries.
Queue = namedtuple("Queue", "keys items current first waiting")


@kernel
def make_queue(vertices):
    """Make an empty queue; there is room for two valid entries of each vertex and one stale."""
    return Queue(
        np.empty(3 * vertices + 16, np.float64),
        np.empty(3 * vertices + 16, np.int64),
        np.full(vertices, _ABSENT, np.float64),
        np.zeros(vertices, np.uint8),
        np.zeros(1, np.int64),
    )


@borrowing
def enqueue(queue, key, vertex):
    """Let a vertex wait under a key, in place of the one it had; or first of all."""
    if key == FIRST:
        if queue.first[vertex]:
            return
        queue.first[vertex] = 1
    elif queue.current[vertex] == key:
        return
    else:
        queue.current[vertex] = key
    if queue.waiting[0] == len(queue.keys):
        _drop_stale(queue)
    heap_push(queue.keys, queue.items, queue.waiting[0], key, vertex)
    queue.waiting[0] += 1


@borrowing
def _drop_stale(queue):
    """Take out all entries of vertices that have another key by now."""
    count = queue.waiting[0]
    queue.waiting[0] = 0
    for i in range(count):
        key, item = queue.keys[i], queue.items[i]
        if key == FIRST or key == queue.current[item]:
            heap_push(queue.keys, queue.items, queue.waiting[0], key, item)
            queue.waiting[0] += 1
            if key != FIRST:
                queue.current[item] = _ABSENT  # a vertex that came back to a key stays once
    for i in range(queue.waiting[0]):
        if queue.keys[i] != FIRST:
            queue.current[queue.items[i]] = queue.keys[i]


@borrowing
def dequeue(queue):
    """Return the first key and its vertex; NONE for the vertex if it has another key by now."""
    key, vertex = heap_pop(queue.keys, queue.items, queue.waiting[0])
    queue.waiting[0] -= 1
    if key == FIRST:
        queue.first[vertex] = 0
    elif key == queue.current[vertex]:
        queue.current[vertex] = _ABSENT
    else:
        return key, NONE
    return key, vertex
