"""Scenes with gaps, and what they look like with bridges over those that can be crossed."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import shapely
import shapely.affinity

from walkmesh.samples.soup import Soup
from walkmesh.scene import Scene  # noqa: TC001 - a NamedTuple's annotations are looked at

DISTANCE = 0.35


class Gap(NamedTuple):
    """Level plates, and the ground with bridges, as polygons in plan."""

    scene: Scene
    plates: shapely.Geometry
    bridged: shapely.Geometry
    components: int


def level(plates: shapely.Geometry, bridged: shapely.Geometry, components: int = 1) -> Gap:
    """Return a scene of plates at height 0."""
    return Gap(scene_of((plates, 0.0)), plates, bridged, components)


def scene_of(*sheets: tuple[shapely.Geometry, float], up: str = "y") -> Scene:
    """Return a scene of plates, each with its height."""
    soup = Soup()
    for plates, height in sheets:
        for plate in shapely.get_parts(plates):
            soup.sheet(plate, height)
    return soup.scene(up)


def two_plates(gap: float, width: float = 4.0) -> shapely.MultiPolygon:
    """Return two plates of 3 m beside each other."""
    return shapely.MultiPolygon(
        [shapely.box(0.0, 0.0, 3.0, width), shapely.box(3.0 + gap, 0.0, 6.0 + gap, width)]
    )


def strip(length: float, width: float, angle: float) -> shapely.Polygon:
    """Return a strip that leaves the origin at an angle, in degrees."""
    flat = shapely.box(0.0, -width / 2.0, length, width / 2.0)
    return shapely.affinity.rotate(flat, angle, origin=(0.0, 0.0))


def plates_apart(gap: float) -> Gap:
    plates = two_plates(gap)
    if gap > DISTANCE:
        return level(plates, plates, 2)
    return level(plates, shapely.box(0.0, 0.0, 6.0 + gap, 4.0))


def star(arms: int, gap: float) -> Gap:
    """As many plates as gaps that meet, each across a straight side of the whole."""
    turns = np.radians((np.arange(arms) + 0.5) * 360.0 / arms)
    whole = shapely.Polygon(
        3.0 / math.cos(math.pi / arms) * np.column_stack([np.cos(turns), np.sin(turns)])
    )
    cuts = shapely.union_all([strip(9.0, gap, k * 360.0 / arms) for k in range(arms)])
    return level(shapely.difference(whole, cuts), whole)


def tee(gap: float) -> Gap:
    """One long plate, and two beside it with a gap between."""
    whole = shapely.box(-3.0, -3.0, 3.0, 3.0)
    cuts = shapely.union(shapely.box(-3.0, 0.0, 3.0, gap), shapely.box(0.0, gap, gap, 3.0))
    return level(shapely.difference(whole, cuts), whole)


def tee_with_a_wide_foot(gap: float) -> Gap:
    """As :func:`tee`, but the gap between the two plates is too wide, and stays."""
    wide = 2.0 * DISTANCE
    whole = shapely.box(-3.0, -3.0, 3.0, 3.0)
    foot = shapely.box(0.0, gap, wide, 3.0)
    cuts = shapely.union(shapely.box(-3.0, 0.0, 3.0, gap), foot)
    left = shapely.union(foot, shapely.box(0.0, 0.0, wide, gap))
    return level(shapely.difference(whole, cuts), shapely.difference(whole, left))


def square_ring(gap: float) -> Gap:
    """A plate in a frame, all around with a gap."""
    whole = shapely.box(-3.0, -3.0, 3.0, 3.0)
    slot = shapely.difference(
        shapely.box(-1.0 - gap, -1.0 - gap, 1.0 + gap, 1.0 + gap), shapely.box(-1.0, -1.0, 1.0, 1.0)
    )
    return level(shapely.difference(whole, slot), whole)


def round_ring(gap: float) -> Gap:
    """A round plate in a round hole, with corners that do not lie across from each other."""
    whole = shapely.box(-3.0, -3.0, 3.0, 3.0)
    slot = shapely.difference(_round(1.2 + gap, 41), _round(1.2, 64))
    return level(shapely.difference(whole, slot), whole)


def ring_of_plates(gap: float) -> Gap:
    """Six plates around a pit, which stays."""
    whole = shapely.difference(_round(4.0, 12), _round(2.0, 12))
    cuts = shapely.union_all([strip(9.0, gap, 15.0 + k * 60.0) for k in range(6)])
    return level(shapely.difference(whole, cuts), whole)


def bars(width: float, gap: float) -> Gap:
    """A grate of bars that do not touch each other, in a frame."""
    whole = shapely.box(-2.0, -2.0, 3.0, 3.0)
    hole = shapely.box(0.0, 0.0, 1.0, 1.0)
    starts = np.arange(gap, 1.0 - width, width + gap)
    lying = shapely.union_all([shapely.box(u, 0.02, u + width, 0.98) for u in starts])
    return level(shapely.union(shapely.difference(whole, hole), lying), whole)


def lattice(bar: float, gap: float) -> Gap:
    """A grate with square holes."""
    whole = shapely.box(-2.0, -2.0, 3.0, 3.0)
    starts = np.arange(0.0, 1.0 - gap, bar + gap)
    holes = [shapely.box(u, v, u + gap, v + gap) for u in starts for v in starts]
    return level(shapely.difference(whole, shapely.union_all(holes)), whole)


def wedge() -> tuple[Gap, float]:
    """Two plates with a gap from 0.1 to 0.6 m; and from where on it is too wide."""
    left = shapely.box(0.0, 0.0, 3.0, 5.0)
    right = shapely.Polygon([(3.1, 0.0), (7.0, 0.0), (7.0, 5.0), (3.6, 5.0)])
    plates = shapely.MultiPolygon([left, right])
    return Gap(scene_of((plates, 0.0)), plates, plates, 1), (DISTANCE - 0.1) * 10.0


def disc_beside_plate(gap: float) -> Gap:
    """A round plate beside a straight edge."""
    plate = shapely.box(-4.0, -3.0, -1.5 - gap, 3.0)
    plates = shapely.MultiPolygon([plate, _round(1.5, 90)])
    return level(plates, plates)


def _round(radius: float, corners: int) -> shapely.Polygon:
    turns = np.linspace(0.0, 2.0 * math.pi, corners, endpoint=False)
    return shapely.Polygon(np.round(radius * np.column_stack([np.cos(turns), np.sin(turns)]), 4))


def random_plates(seed: int) -> Scene:
    """Return plates of any size, turned, tilted, across each other, with some boxes on them."""
    rng = np.random.default_rng(seed)
    soup = Soup()
    for _ in range(rng.integers(2, 40)):
        size, middle = rng.uniform(0.05, 2.5, 2), rng.uniform(0.0, 6.0, 2)
        angle, tilt = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(-0.3, 0.3, 2)
        height = rng.choice([0.0, 0.1, 0.3, 0.5, 2.5]) + rng.uniform(-0.05, 0.05)
        corners = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]) * size / 2.0
        cosine, sine = math.cos(angle), math.sin(angle)
        plan = corners @ np.array([[cosine, sine], [-sine, cosine]])
        heights = height + plan @ tilt * rng.integers(0, 2)
        places = np.column_stack([plan + middle, heights])
        soup.add(places[[[0, 1, 2], [0, 2, 3]]])
    for _ in range(rng.integers(0, 4)):
        u, v = rng.uniform(0.0, 6.0, 2)
        wide, deep = rng.uniform(0.02, 0.5, 2)
        soup.box((u, v, -0.5), (u + wide, v + deep, rng.uniform(0.2, 2.0)))
    return soup.scene("y")
