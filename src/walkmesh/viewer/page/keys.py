"""Keys: G builds, L looks at all of it, and Shift makes W, A, S, D, Q and E faster.

The browser moves the camera by itself while one of these keys is held. With Shift, the server hears
of every repetition of the key too, and moves the camera farther than that.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from viser import CommandEvent, ViserServer

    from walkmesh.arrays import Floats
    from walkmesh.viewer.page.page import Page

FASTER = 4.0
"""How many times as fast the camera moves with Shift."""

# How fast the browser moves the camera. [page units / s]
_SPEED = 2.0
# A key that was quiet for longer than this was let go of. [s]
_HELD = 0.35
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


def add_keys(server: ViserServer, page: Page) -> None:
    """Have keys do something on every page of a server."""
    gui = server.gui
    gui.add_command("Generate the navmesh", hotkey="G").on_trigger(lambda _: page.generate())
    gui.add_command("Look at all of it", hotkey="L").on_trigger(
        lambda event: page.look_at_all(event.client)
    )
    runs: dict[int, Run] = {}

    def move(event: CommandEvent, key: MoveKey) -> None:
        if event.client is None:
            return
        camera = event.client.camera
        way = direction(camera.position, camera.look_at, camera.up_direction, _WAYS[key])
        run = runs.setdefault(event.client.client_id, Run())
        camera.position = run.go_on(time.monotonic(), camera.position, way)

    for key in _WAYS:
        gui.add_command(f"Move faster: {key}", hotkey=key, modifier="shift").on_trigger(
            lambda event, key=key: move(event, key)  # type: ignore[misc]
        )


@dataclass
class Run:
    """Where a camera is that is being moved by the server.

    It goes on from where it was sent last, not from where the browser says it is: that is old news.
    """

    moved: float = -math.inf
    place: Floats = field(default_factory=lambda: np.zeros(3))

    def go_on(self, now: float, place: Floats, way: Floats) -> Floats:
        """Return where the camera is `now`, in seconds, on its way along a unit vector.

        It starts at `place` if the key was not held until now.
        """
        pause = now - self.moved
        start, seconds = (self.place, pause) if pause < _HELD else (place, _TAP)
        self.moved, self.place = now, start + FASTER * _SPEED * seconds * way
        return self.place


def direction(
    position: Floats, look_at: Floats, up: Floats, way: tuple[float, float, float]
) -> Floats:
    """Return the unit vector of a way, seen from a camera; forward is level, as in the browser."""
    up = up / np.linalg.norm(up)
    forward = look_at - position
    forward = forward - (forward @ up) * up
    length = np.linalg.norm(forward)
    if length < 1e-9:  # looking straight down there is no level forward; any will do
        forward = np.cross(up, np.eye(3)[np.argmin(np.abs(up))])
        length = np.linalg.norm(forward)
    forward = forward / length
    return way[0] * forward + way[1] * np.cross(forward, up) + way[2] * up
