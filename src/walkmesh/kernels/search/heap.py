"""A binary heap in two arrays: keys, and the items that go with them.

Equal keys come out in the order of their items, so that a search takes the same way every time.
"""

from walkmesh.kernels.kernel import kernel


@kernel
def heap_push(keys, items, count, key, item):
    """Add an item to a heap of `count` items; there must be room."""
    place = count
    while place > 0:
        above = (place - 1) // 2
        if not _before(key, item, keys[above], items[above]):
            break
        keys[place], items[place] = keys[above], items[above]
        place = above
    keys[place], items[place] = key, item


@kernel
def heap_pop(keys, items, count):
    """Take the first of `count` items off the heap, and return its key and itself."""
    first_key, first = keys[0], items[0]
    key, item = keys[count - 1], items[count - 1]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= count - 1:
            break
        if below + 1 < count - 1 and _before(
            keys[below + 1], items[below + 1], keys[below], items[below]
        ):
            below += 1
        if not _before(keys[below], items[below], key, item):
            break
        keys[place], items[place] = keys[below], items[below]
        place = below
    keys[place], items[place] = key, item
    return first_key, first


@kernel
def _before(key, item, other_key, other_item):
    return key < other_key or (key == other_key and item < other_item)
