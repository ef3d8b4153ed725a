"""Putting things on the page, and taking them off; what did not change is not sent again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.viewer.page.things import ColoredTriangles, Dots, Lines

if TYPE_CHECKING:
    from viser import LineSegmentsHandle, MeshHandle, PointCloudHandle, ViserServer

    from walkmesh.viewer.page.page_frame import PageFrame
    from walkmesh.viewer.page.things import Thing

    Handle = MeshHandle | LineSegmentsHandle | PointCloudHandle


# How bright the lights are, so that what is level is neither dull nor pale, and where the sun is:
# high, so that all walls are darker than the ground, each side in its own way.
_AMBIENT, _SUN = 1.3, 3.4
_SUN_AT = np.array([-3.0, -5.0, 12.0])


class Canvas:
    """The nodes of a viser server's tree that stand for things, the same on all its pages."""

    def __init__(self, server: ViserServer) -> None:
        self._server = server
        self._shown: dict[str, tuple[Thing, Handle]] = {}

    def light(self, frame: PageFrame) -> None:
        """Turn the page upright, and light it so that level ground has about its own colour."""
        scene = self._server.scene
        scene.set_up_direction(frame.frame.up)
        scene.configure_default_lights(enabled=False, cast_shadow=False)
        scene.configure_environment_map(None)
        scene.add_light_ambient("/light/ambient", intensity=_AMBIENT)
        x, y, z = frame.turned(_SUN_AT).tolist()
        scene.add_light_directional("/light/sun", intensity=_SUN, position=(x, y, z))

    def show(self, things: dict[str, Thing]) -> None:
        """Show these things, by their names, and no others."""
        with self._server.atomic():
            for name in self._shown.keys() - things.keys():
                self._shown.pop(name)[1].remove()
            for name, thing in things.items():
                before = self._shown.get(name)
                if before is None or not _same_shape(before[0], thing):
                    handle = self._add(name, thing)
                else:
                    handle = before[1]
                    if isinstance(thing, ColoredTriangles) and thing.opacity != before[0].opacity:  # type: ignore[union-attr]
                        handle.opacity = _opacity(thing)  # type: ignore[union-attr]
                self._shown[name] = thing, handle

    def _add(self, name: str, thing: Thing) -> Handle:
        scene = self._server.scene
        if isinstance(thing, ColoredTriangles):
            return scene.add_mesh_simple(
                name, thing.points, thing.faces, color=thing.color, opacity=_opacity(thing),
                side="front" if thing.one_sided else "double", flat_shading=True,
                cast_shadow=False, receive_shadow=False,
            )  # fmt: skip
        if isinstance(thing, Lines):
            return scene.add_line_segments(
                name, thing.segments, thing.color,
                thickness=thing.width, thickness_units="screen",
            )  # fmt: skip
        assert isinstance(thing, Dots)
        return scene.add_point_cloud(
            name, thing.points, thing.color, point_size=thing.size, point_shape="circle"
        )


def _same_shape(before: Thing, now: Thing) -> bool:
    """Tell whether two things are alike but for their opacity."""
    if before is now:
        return True
    if not (isinstance(before, ColoredTriangles) and isinstance(now, ColoredTriangles)):
        return False
    return before.points is now.points and before.faces is now.faces and before.color == now.color


def _opacity(surface: ColoredTriangles) -> float | None:
    """Return an opacity for viser, which draws what is opaque faster if it is told so."""
    return None if surface.opacity >= 1.0 else surface.opacity
