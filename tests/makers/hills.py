"""Navmeshes with detail triangles: hills of known height, and what is true of them."""

import math

import numpy as np
import shapely

import walkmesh as wm
from walkmesh.topology import plan_points


def grid_triangles(cells):
    """Return the triangles of a grid of vertices i * (cells + 1) + j, counter-clockwise."""
    i, j = (index.ravel() for index in np.indices((cells, cells)))
    here = i * (cells + 1) + j
    right, up = here + cells + 1, here + 1
    lower = np.column_stack([here, right, right + 1])
    return np.concatenate([lower, np.column_stack([here, right + 1, up])])


def wave(u, v):
    return 0.6 * np.sin(1.3 * u) * np.cos(0.9 * v)


def hill(height=wave, cells=16, size=4.0, origin=(0.0, 0.0)):
    """Return vertices (z up), the corners of a square, and the triangles above it."""
    places = np.arange(cells + 1) * (size / cells)
    u, v = (index.ravel() for index in np.meshgrid(places, places, indexing="ij"))
    u, v = u + origin[0], v + origin[1]
    corners = [0, cells * (cells + 1), (cells + 1) ** 2 - 1, cells]
    return np.column_stack([u, v, height(u, v)]), corners, grid_triangles(cells)


def one_hill(**options):
    vertices, corners, triangles = hill(**options)
    return wm.NavMesh(
        vertices,
        [0, 4],
        corners,
        triangles=triangles,
        triangle_polygons=np.zeros(len(triangles), dtype=int),
        up="z",
    )


def pyramid(height=1.0):
    """Return a square of 4 m by 4 m with a peak in its middle."""
    vertices = [(0, 0, 0), (4, 0, 0), (4, 4, 0), (0, 4, 0), (2, 2, height)]
    sides = [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]
    return wm.NavMesh(
        vertices, [0, 4], range(4), triangles=sides, triangle_polygons=[0] * 4, up="z"
    )


def two_hills(step=0.0, cells=(16, 16)):
    """Return two squares that meet at u = 4 along an edge that is not straight in height.

    Their triangles share no vertices; those of the second one lie higher by `step`, but for the
    corners of the polygon, which both share.
    """
    left, corners, first = hill(cells=cells[0])
    right, others, second = hill(lambda u, v: wave(u, v) + step, cells[1], origin=(4.0, 0.0))
    second, others = second + len(left), np.array(others) + len(left)
    shared = [corners[1], corners[2]]
    polygons = [corners, [shared[0], others[1], others[2], shared[1]]]
    return wm.NavMesh(
        np.concatenate([left, right]),
        [0, 4, 8],
        np.concatenate(polygons),
        triangles=np.concatenate([first, second]),
        triangle_polygons=np.repeat([0, 1], [len(first), len(second)]),
        up="z",
    )


def ground(navmesh, polygon, places):
    """Return the heights of the ground of one polygon at (n, 2) places; NaN beside it."""
    triangles = plan_points(navmesh)[navmesh.triangles[navmesh.triangle_polygons == polygon]]
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    matrices = np.stack([b - a, c - a], axis=2)[:, :2]
    offsets = np.asarray(places)[:, None] - a[None, :, :2]
    shares = np.einsum("tij,ntj->nti", np.linalg.inv(matrices), offsets)
    lowest = np.minimum(shares.min(axis=2), 1.0 - shares.sum(axis=2))
    found = lowest.argmax(axis=1)
    rows = np.arange(len(found))
    rise = np.column_stack([b[found, 2] - a[found, 2], c[found, 2] - a[found, 2]])
    heights = a[found, 2] + (rise * shares[rows, found]).sum(axis=1)
    return np.where(lowest[rows, found] > -1e-9, heights, np.nan)


def off_ground(navmesh, path, samples=60):
    """Return how far a path leaves the ground at most, sampled along each of its segments."""
    places = [path.points[:1]]
    for a, b in zip(path.points[:-1], path.points[1:], strict=True):
        parts = np.linspace(0.0, 1.0, 2 + int(samples * math.dist(a, b)))
        places.append(a + parts[:, None] * (b - a))
    places = np.concatenate(places)
    heights = [ground(navmesh, p, places[:, :2]) for p in dict.fromkeys(path.polygons.tolist())]
    return np.nanmin(np.abs(np.array(heights) - places[:, 2]), axis=0).max()


def polyline(navmesh, start, goal):
    """Return the length of the ground straight above the line from start to goal, by GEOS."""
    line = shapely.LineString([start, goal])
    corners = plan_points(navmesh)[navmesh.triangles][:, :, :2]
    cuts = {0.0, line.length}
    for triangle in corners:
        crossed = line.intersection(shapely.LinearRing(triangle))
        cuts |= {line.project(shapely.Point(c)) for c in shapely.get_coordinates(crossed)}
    places = shapely.get_coordinates(line.interpolate(sorted(cuts)))
    heights = [ground(navmesh, k, places) for k in range(navmesh.polygon_count)]
    points = np.column_stack([places, np.nanmin(heights, axis=0)])
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
