"""Records of binary files whose lists make each of them another size."""

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel


@kernel(kt.BYTES, kt.INT, kt.INT, kt.LONGS, kt.LONGS, kt.INT, kt.OUT_LONGS)
def locate_fields(data, start, records, count_sizes, item_sizes, big_endian, places):
    """Find where each field of each record lies.

    Parameters
    ----------
    data : (n,) uint8
        The bytes of a file.
    start : int
        Where the first record starts.
    records : int
        How many there are.
    count_sizes : (f,) int64
        For each field that is a list, the size in bytes of the number of items it starts with;
        0 for a field that is one item.
    item_sizes : (f,) int64
        The size of an item. [Unit: bytes]
    big_endian : int
        Whether the most significant byte of a number of items comes first.
    places : (2 * records * f,) int64, output
        Where the first item of each field starts, and how many items there are.

    Returns
    -------
    int
        The place after the last record; -1 when the file ends before.
    """
    place, k = start, 0
    for _ in range(records):
        for field in range(len(item_sizes)):
            size = count_sizes[field]
            if place + size > len(data):
                return -1
            items = 1 if size == 0 else 0
            for j in range(size):
                byte = int(data[place + (j if big_endian else size - 1 - j)])
                items = (items << 8) | byte
            place += size
            places[k] = place
            places[k + 1] = items
            k += 2
            place += items * item_sizes[field]
            if place > len(data):
                return -1
    return place


@kernel(kt.BYTES, kt.LONGS, kt.LONGS, kt.INT, kt.OUT_BYTES)
def gather_items(data, places, counts, item_size, items):
    """Copy the items of one field of all records, end to end.

    Parameters
    ----------
    data : (n,) uint8
        The bytes of a file.
    places, counts : (r,) int64
        Where the first item of each record starts, and how many there are.
    item_size : int
        The size of an item. [Unit: bytes]
    items : (sum of counts * item_size,) uint8, output
        The bytes of all items.
    """
    k = 0
    for record in range(len(places)):
        for j in range(counts[record] * item_size):
            items[k] = data[places[record] + j]
            k += 1
