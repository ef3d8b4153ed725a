"""Hostile values for arguments, and damage to bytes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Random = np.random.Generator

_NUMBERS: list[Any] = [
    0, 1, -1, 2, 3, 255, 256, 0.5, -0.0, 0.3, 1e-300, 1e300, 1e9, -1e9, 2**31, 2**63, 2**64,
    -(2**63), 10**30, math.inf, -math.inf, math.nan, True, False, np.float32(1.5), np.int8(-3),
    np.uint64(2**63), np.float64(math.nan), 1j, np.bool_(True),
]  # fmt: skip
_OTHERS: list[Any] = [
    None, "", "a", "front", "y", "1", "\0", "é" * 50, b"bytes", object(), (), [], {}, set(),
    {1: 2.0}, {"a": 1}, {None: None}, {0: math.nan}, {1: -1}, {0: "x"}, {2.5: 1}, {-1: 1.0},
    {10**30: 1.0}, {0: []}, [[]], [[], [1]], [[1, 2], [3]], [[1, 2, 3], [4, 5]], [None],
    [[None] * 3], ["a", "b", "c"], [0, 1, 2], (0.0, 0.0, 0.0), [[0, 0, 0]],
    [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0]], [[math.nan, 0, 0]], [[1e300, -1e300, 0]],
    [1e308, 1e308, 1e308], [True, False, True], np.zeros(3), np.zeros((0, 3)), np.zeros((2, 2)),
    np.zeros((2, 3, 3)), np.zeros((3, 3), dtype=complex), np.array(["a", "b"]),
    np.array([object()] * 3, dtype=object), np.zeros(0), np.array(5),
    np.zeros((4, 3), dtype=np.float32)[::2], np.zeros((1, 3), dtype="M8[s]"),
    np.full((5, 3), np.inf), np.zeros(3, dtype=[("a", float)]), range(3), slice(None), lambda: 1,
    type, ...,
]  # fmt: skip


def value(random: Random, *, depth: int = 0) -> Any:
    """Return something that a caller may hand over by mistake."""
    kind = random.integers(10)
    if kind < 4:
        return pick(random, _NUMBERS)
    if kind < 8 or depth == 2:
        return pick(random, _OTHERS)
    if kind == 8:
        count = int(random.integers(5))
        items = [value(random, depth=depth + 1) for _ in range(count)]
        return tuple(items) if random.random() < 0.5 else items
    size = tuple(int(n) for n in random.integers(0, 5, size=random.integers(1, 4)))
    return random.normal(0.0, 10.0 ** random.integers(-3, 10), size=size)


def pick(random: Random, items: list[Any]) -> Any:
    """Return one of some items."""
    return items[int(random.integers(len(items)))]


_SNIPPETS = [
    b"", b"0", b"-1", b"1e309", b"nan", b"-inf", b"999999999999", b"4294967295", b"1e-320", b"0x10",
    b"\xff\xff\xff\xff", b"\0" * 8, b"\n", b" ", b"/", b"//", b"[", b"]", b"{", b"}", b'"', b"<",
    b"</", b">", b"&#0;", b"null", b"\xef\xbb\xbf", b"\xff\xfe", b"M", b"Z", b"A", b"#", b",",
    b"\x7f\xff\xff\xff", b"\x00\x00\x80\x7f", b"1" * 400, b"(" * 200,
]  # fmt: skip


def damage(random: Random, data: bytes) -> bytes:
    """Return bytes with one change or a few: cut, repeated, replaced, exchanged."""
    content = bytearray(data)
    for _ in range(int(random.geometric(0.5))):
        at = int(random.integers(len(content) + 1))
        to = min(len(content), at + int(random.integers(1, 1 + 2 ** int(random.integers(8)))))
        kind = random.integers(8)
        if kind == 0:
            del content[at:to]
        elif kind == 1:
            content[at:at] = content[at:to] * int(random.integers(1, 20))
        elif kind == 2:
            content[at:to] = pick(random, _SNIPPETS)
        elif kind == 3 and at < len(content):
            content[at] ^= 1 << int(random.integers(8))
        elif kind == 4:
            content[at:to] = random.bytes(to - at)
        elif kind == 5:
            del content[at:]
        elif kind == 6:
            _change_text(random, content, at)
        else:
            _change_number(random, content, at)
    return bytes(content)


def _change_text(random: Random, content: bytearray, at: int) -> None:
    """Replace what stands between the next two quotes, such as an attribute or a key."""
    start = content.find(b'"', at) + 1
    stop = content.find(b'"', start)
    if 0 < start <= stop:
        content[start:stop] = pick(random, [*_SNIPPETS, content[start:stop] * 3])


def _change_number(random: Random, content: bytearray, at: int) -> None:
    """Replace the number, in text, that follows a place."""
    digits = b"0123456789.-+e"
    while at < len(content) and content[at] not in digits:
        at += 1
    to = at
    while to < len(content) and content[to] in digits:
        to += 1
    number = pick(random, [0, -1, 1, 1e9, 1e-9, 1e30, 1e308, 65535, 65536, 2**31, 2**32, 2**63])
    content[at:to] = f"{number}".encode()
