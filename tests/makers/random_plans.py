"""Random floor plans on an integer grid: rings around the free space, and the same as shapely."""

import math
from collections import Counter
from typing import NamedTuple

import numpy as np
import shapely

# Obstacles are about this many lattice steps wide at most.
WIDTH = 4


class RandomPlan(NamedTuple):
    """The free space of a floor with obstacles.

    Attributes
    ----------
    points : (n, 2) int64
    ring_offsets, rings : (r + 1,) and (c,) int32
        As for `walkmesh.builder.triangulation.triangulate`.
    free : shapely.Geometry
        The free space, a polygon or several.
    """

    points: np.ndarray
    ring_offsets: np.ndarray
    rings: np.ndarray
    free: shapely.Geometry


def random_plan(seed, obstacles, *, step=7, flat=True, shared=False):
    """Return the plan of a rectangular floor with random obstacles.

    Parameters
    ----------
    seed : int
    obstacles : int
        How many rectangles, triangles and other polygons. They may overlap, touch and stick out.
    step : int
        Corners lie on multiples of it, so that many are aligned and touch; but for a third of the
        obstacles, which lie anywhere, and with a step of 1000 hardly touch any other.
    flat : bool
        Keep vertices in the middle of straight edges, and add more; or leave out those at which
        no other ring touches.
    shared : bool
        One vertex for all corners at a place, instead of one for each.
    """
    generator = np.random.default_rng(seed)
    side = WIDTH * math.ceil(math.sqrt(obstacles) + 1)
    shapes = [random_obstacle(generator, side, step) for _ in range(obstacles)]
    shapes = [shape for shape in shapes if shape.area > 0]
    floor = shapely.box(0, 0, side * step, side * step)
    free = shapely.difference(floor, shapely.union_all(shapes, grid_size=1), grid_size=1)
    rings = rings_of(free)
    rings = split_straight(generator, rings, step) if flat else without_flat(rings)
    return RandomPlan(*pack(rings, shared=shared), free)


def random_obstacle(generator, side, step):
    """Return a polygon with integer corners, within `side` lattice steps or a little outside."""
    middle = generator.integers(0, side + 1, 2)
    if generator.random() < 1 / 3:
        middle, step = middle * step + generator.integers(0, step, 2), max(step, 2)
        corners = generator.integers(-WIDTH * step // 2, WIDTH * step // 2 + 1, (6, 2)) + middle
    else:
        corners = (generator.integers(-WIDTH // 2, WIDTH // 2 + 1, (6, 2)) + middle) * step
    kind = generator.integers(4)
    if kind == 0:
        low, high = corners[:2].min(axis=0), corners[:2].max(axis=0) + 1
        return shapely.box(*low, *high)
    if kind == 1:
        shape = shapely.Polygon(corners[:3])
    elif kind == 2:
        shape = shapely.convex_hull(shapely.MultiPoint(corners))
    else:
        around = corners - corners.mean(axis=0)
        shape = shapely.Polygon(corners[np.argsort(np.arctan2(around[:, 1], around[:, 0]))])
    return shape if shape.is_valid else shapely.convex_hull(shapely.MultiPoint(corners))


def rings_of(free):
    """Return the rings of polygons as lists of places, with the free space on their left."""
    parts = [part for part in shapely.get_parts(free) if part.area > 0]
    return [
        [(round(x), round(y)) for x, y in ring.coords[:-1]]
        for part in parts
        for ring in shapely.get_rings(shapely.orient_polygons(part))
    ]


def split_straight(generator, rings, step):
    """Return rings with more vertices on some edges that run along the axes."""
    split = []
    for ring in rings:
        more = []
        for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
            more.append((ax, ay))
            pieces = max(abs(bx - ax), abs(by - ay)) // step
            if pieces > 1 and (ax == bx or ay == by) and generator.random() < 0.3:
                dx, dy = np.sign(bx - ax) * step, np.sign(by - ay) * step
                for k in range(1, pieces):
                    place = (int(ax + k * dx), int(ay + k * dy))
                    if place != (bx, by):
                        more.append(place)
        split.append(more)
    return split


def without_flat(rings):
    """Return rings without the vertices in the middle of straight edges, but where rings touch."""
    counts = Counter(place for ring in rings for place in ring)
    thinned = []
    for ring in rings:
        kept = []
        for k, place in enumerate(ring):
            before, after = ring[k - 1], ring[(k + 1) % len(ring)]
            ux, uy = place[0] - before[0], place[1] - before[1]
            vx, vy = after[0] - place[0], after[1] - place[1]
            if ux * vy != uy * vx or counts[place] > 1:
                kept.append(place)
        thinned.append(kept)
    return thinned


def pack(rings, *, shared=False):
    """Return rings of places as points, offsets and vertex ids."""
    offsets = np.cumsum([0] + [len(ring) for ring in rings]).astype(np.int32)
    points = np.array([place for ring in rings for place in ring], dtype=np.int64).reshape(-1, 2)
    ids = np.arange(len(points), dtype=np.int32)
    if shared and len(points):
        points, inverse = np.unique(points, axis=0, return_inverse=True)
        ids = inverse.reshape(-1).astype(np.int32)
    return points, offsets, ids
