"""How long work tells how far it is."""

from __future__ import annotations

from typing import Any, Protocol

from walkmesh.errors import SettingsError


class Progress(Protocol):
    """A callback that is told how far long work is, and may stop it.

    It is called with the name of the stage and the part of that stage that is done, from 0 to 1,
    and may raise :class:`walkmesh.Cancelled`, which ends the work.
    """

    def __call__(self, stage: str, fraction: float, /) -> None:
        """Take note that `fraction` of `stage` is done."""
        ...


def check_callable(**callbacks: Any) -> None:
    """Refuse callbacks that cannot be called; None stands for no callback."""
    for name, callback in callbacks.items():
        if callback is not None and not callable(callback):
            raise SettingsError(f"{name} is {callback!r}; it must be callable, or None")
