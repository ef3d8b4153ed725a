"""How long work tells how far it is."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """A callback that is told how far long work is, and may stop it.

    It is called with the name of the stage and the part of that stage that is done, from 0 to 1,
    and may raise :class:`walkmesh.Cancelled`, which ends the work.
    """

    def __call__(self, stage: str, fraction: float, /) -> None:
        """Take note that `fraction` of `stage` is done."""
        ...
