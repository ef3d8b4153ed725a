"""Keys: G builds, L looks at all of it, and Shift makes W, A, S, D, Q and E faster.

The browser moves the camera by itself while one of these keys is held. With Shift, the server hears
of every repetition of the key and moves the camera on by the rest.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from viser import CommandEvent, ViserServer

    from walkmesh.arrays import Floats
    from walkmesh.viewer.page.tabs import Actions

FASTER = 4.0
"""How many times as fast the camera moves with Shift."""

# How fast the browser moves the camera. [page units / s]
_SPEED = 2.0
# A key that was quiet for longer than this was let go of. [s]
_HELD = 0.15
# How long a key counts as held when it is pressed first. [s]
_TAP = 0.05

MoveKey = Literal["W", "A", "S", "D", "Q", "E"]
# Forward, to the right and up.
_WAYS: dict[MoveKey, tuple[float, float, float]] = {
    "W": (1.0, 0.0, 0.0),
    "S": (-1.0, 0.0, 0.0),
    "D": (0.0, 1.0, 0.0),
    "A": (0.0, -1.0, 0.0),
    "E": (0.0, 0.0, 1.0),
    "Q": (0.0, 0.0, -1.0),
}


def add_keys(server: ViserServer, actions: Actions) -> None:
    """Have keys do something on every page of a server."""
    gui = server.gui
    gui.add_command("Generate the navmesh", hotkey="G").on_trigger(lambda _: actions.generate())
    gui.add_command("Look at all of it", hotkey="L").on_trigger(
        lambda event: actions.look_at_all(event.client)
    )
    last: dict[tuple[int | None, str], float] = {}

    def move(event: CommandEvent, key: MoveKey) -> None:
        if event.client is None:
            return
        now = time.monotonic()
        pause = now - last.get((event.client_id, key), -np.inf)
        last[event.client_id, key] = now
        seconds = pause if pause < _HELD else _TAP
        camera = event.client.camera
        way = direction(camera.position, camera.look_at, _WAYS[key])
        camera.position = camera.position + (FASTER - 1.0) * _SPEED * seconds * way

    for key in _WAYS:
        gui.add_command(f"Move faster: {key}", hotkey=key, modifier="shift").on_trigger(
            lambda event, key=key: move(event, key)  # type: ignore[misc]
        )


def direction(position: Floats, look_at: Floats, way: tuple[float, float, float]) -> Floats:
    """Return the unit vector of a way, seen from a camera; forward is level, as in the browser."""
    forward = np.array([*(look_at - position)[:2], 0.0])
    length = np.linalg.norm(forward)
    # Looking straight down there is no level forward; any will do.
    forward = forward / length if length > 1e-9 else np.array([0.0, 1.0, 0.0])
    right = np.array([forward[1], -forward[0], 0.0])
    return way[0] * forward + way[1] * right + way[2] * np.array([0.0, 0.0, 1.0])
