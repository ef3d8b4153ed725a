"""Hashing of small integer keys for open-addressing tables.

A table is an int array of a power-of-two length, filled with -1, at most half full; a key goes to
the first free place at or after its hash. Products stay below 2**63, so that the kernels give the
same answers as plain Python, where an overflow would be an error.
"""

from walkmesh.kernels.kernel import kernel


@kernel
def table_size(entries):
    """Return the smallest power of two that leaves a table of `entries` at most half full."""
    size = 4
    while size < 2 * entries:
        size *= 2
    return size


@kernel
def hash_pair(a, b, mask):
    """Return the place, in 0..mask, where the search for (a, b) starts; a and b below 2**31."""
    h = (int(a) * 1640531527) ^ (int(b) * 1013904223)
    h ^= h >> 29
    return (h ^ (h >> 13)) & mask


@kernel
def hash_bits(a, b, c, mask):
    """Return the place, in 0..mask, where the search for three 64-bit patterns starts."""
    h = 0
    for bits in (int(a), int(b), int(c)):
        low = bits & 0xFFFFFFFF
        high = (bits >> 32) & 0xFFFFFFFF
        h = (h & 0xFFFFFFFF) * 1000003 ^ (low * 1640531527) ^ (high * 1013904223)
        h ^= h >> 29
    return (h ^ (h >> 13)) & mask
