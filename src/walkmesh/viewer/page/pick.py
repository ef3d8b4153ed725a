"""What a ray meets first: where on the ground a click is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.viewer.page.things import ColoredTriangles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats
    from walkmesh.viewer.page.things import Thing

# What is more transparent than this is looked through, and clicked through.
_SEE_THROUGH = 0.5

# So many triangles are looked at together; more would need hundreds of bytes each at once.
_BATCH = 1 << 18

# Triangles are larger by this part of themselves, so that no ray slips through between two.
_EDGE = 1e-6


def first_surface(
    things: dict[str, Thing], origin: Floats, direction: Floats
) -> tuple[float, int] | None:
    """Return how far along a ray the first of the drawn surfaces is, and its layer.

    What is hardly seen is clicked through, unless nothing else is there.
    """
    surfaces = [
        thing
        for name, thing in things.items()
        if isinstance(thing, ColoredTriangles) and not name.startswith("/route")
    ]
    solid = [surface for surface in surfaces if surface.opacity >= _SEE_THROUGH]
    for group in (solid, surfaces):
        hits = [
            (first_hit(s.points, s.faces, origin, direction, one_sided=s.one_sided), s.layer)
            for s in group
        ]
        near = min(((hit, layer) for hit, layer in hits if hit is not None), default=None)
        if near is not None:
            return near
    return None


def first_hit(
    points: NDArray[np.floating],
    faces: NDArray[np.integer],
    origin: Floats,
    direction: Floats,
    *,
    one_sided: bool = False,
) -> float | None:
    """Return how far along a ray the first of some triangles is, or None if it meets none.

    It is told in lengths of `direction`. Triangles that are `one_sided` are only hit where the ray
    sees them counter-clockwise.
    """
    nearest = np.inf
    for start in range(0, len(faces), _BATCH):
        corners = points[faces[start : start + _BATCH]].astype(np.float64)
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        nearest = min(nearest, _nearest(a, b - a, c - a, origin, direction, one_sided))
    return float(nearest) if np.isfinite(nearest) else None


def _nearest(
    corner: Floats,
    one: Floats,
    other: Floats,
    origin: Floats,
    direction: Floats,
    one_sided: bool,
) -> float:
    """Return the nearest hit on triangles of a corner and two sides (Moeller and Trumbore 1997)."""
    across = np.cross(direction, other)
    volume = np.einsum("ij,ij->i", one, across)
    to_origin = origin - corner
    turned = np.cross(to_origin, one)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = np.einsum("ij,ij->i", to_origin, across) / volume
        v = turned @ direction / volume
        distance = np.einsum("ij,ij->i", other, turned) / volume
        hit = (u >= -_EDGE) & (v >= -_EDGE) & (u + v <= 1.0 + _EDGE) & (distance > 0.0)
    if one_sided:
        hit &= volume > 0.0
    return float(distance[hit].min(initial=np.inf))
