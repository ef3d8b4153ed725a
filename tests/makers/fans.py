"""Fans of slivers, as modelling programs fill slabs with them."""

import itertools
import math

import numpy as np

from walkmesh.builder.triangulation import triangulate


def ring(count, radius=30.0, turn=0.0, wave=0.0):
    """Return (count, 2) corners around the origin, by turns inside and outside of a circle."""
    angles = turn + 2.0 * math.pi * np.arange(count) / count
    radii = radius + wave * np.where(np.arange(count) % 2, 1.0, -1.0)
    return radii[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])


def square_rim(count, half=20.0, turn=0.0):
    """Return (4 count, 2) corners along the sides of a square."""
    corners = half * np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)])
    part = (np.arange(count) / count)[:, None]
    sides = [a + part * (b - a) for a, b in itertools.pairwise(corners)]
    cos, sin = math.cos(turn), math.sin(turn)
    return np.concatenate(sides) @ np.array([(cos, sin), (-sin, cos)])


def fan(rim, height=0.0, slope=0.0, apex=None, facing=1):
    """Return (t, 3, 3) triangles from the first corner of a rim, or from an apex inside of it."""
    rim = np.column_stack([rim, height + slope * rim[:, 0]])
    first = rim[0] if apex is None else np.array([*apex, height + slope * apex[0]])
    tips = rim[1:] if apex is None else np.concatenate([rim, rim[:1]])
    triangles = np.stack([np.broadcast_to(first, tips[1:].shape), tips[:-1], tips[1:]], axis=1)
    (u, v), (x, y) = (triangles[:, k, :2].T - first[:2, None] for k in (1, 2))
    return triangles[u * y - v * x > 1e-9][:, ::facing]  # not along a straight side


def holed(rim, holes, height=0.0, slope=0.0, facing=1):
    """Return (t, 3, 3) triangles of a slab with holes, made by clipping ears."""
    rings = [rim, *(hole[::-1] for hole in holes)]
    points = np.round(np.concatenate(rings), 6)
    offsets = np.cumsum([0, *(len(corners) for corners in rings)])
    grid = np.round(points * 1e6).astype(np.int64)
    triangles = triangulate(grid, offsets, np.arange(len(points)), method="ears")
    return np.column_stack([points, height + slope * points[:, 0]])[triangles][:, ::facing]
