"""Fingerprints by name, and how those of two runs differ."""

from __future__ import annotations

import hashlib
import json
import sys
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

import walkmesh as wm
from named_scenes import FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Made = TypeVar("Made")

LONGEST = 300  # characters of what is kept as it is


def fingerprint(value: Any) -> str:
    """Return a digest of an array or of bytes; a short text or number is kept as it is."""
    if isinstance(value, np.ndarray):
        head = f"{value.dtype.descr} {value.shape} "
        digest = hashlib.sha256(head.encode() + np.ascontiguousarray(value).tobytes())
        return f"{digest.hexdigest()} {value.dtype.str} {value.shape}"
    if isinstance(value, bytes):
        return f"{hashlib.sha256(value).hexdigest()} {len(value)} bytes"
    text = json.dumps(value, sort_keys=True)
    if len(text) <= LONGEST:
        return text
    return f"{hashlib.sha256(text.encode()).hexdigest()} {len(text)} characters"


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return words for each name whose fingerprints differ, or that only one of both has."""
    found = []
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if new is None:
            found.append(f"missing: {name}")
        elif old is None:
            found.append(f"new:     {name}")
        elif old != new:
            found.append(f"differs: {name}\n         {old}\n         {new}")
    return found


class Prints:
    """Fingerprints by name, such as ``build/house/exact/vertices``.

    Attributes
    ----------
    entries : dict of str to str
        The fingerprint of each name.
    unexpected : list of str
        What failed and should not, or with an error that walkmesh does not raise on purpose.
    """

    def __init__(self) -> None:
        self.entries: dict[str, str] = {}
        self.unexpected: list[str] = []

    def add(self, name: str, value: Any) -> None:
        """Keep the fingerprint of one result."""
        if name in self.entries:
            raise KeyError(f"{name} is there already")
        self.entries[name] = fingerprint(value)

    def add_all(self, name: str, value: Any, attributes: Sequence[str]) -> None:
        """Keep those of some attributes of a result."""
        for attribute in attributes:
            self.add(f"{name}/{attribute}", getattr(value, attribute))

    def attempt(self, name: str, make: Callable[[], Made], *, may_fail: bool = True) -> Made | None:
        """Return what is made; where that fails, the error's type and text are the result."""
        try:
            return make()
        except Exception as error:
            text = f"{type(error).__name__}: {error}".replace(str(FOLDER), "scenes")
            self.add(f"{name}/error", text)
            if not (may_fail and isinstance(error, wm.WalkmeshError)):
                self.unexpected.append(f"{name}: {text}")
                print(f"  {self.unexpected[-1]}", file=sys.stderr, flush=True)
            return None
