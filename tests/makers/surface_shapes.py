"""Navmeshes of surfaces made by hand: polygons at any angle, with known answers."""

import numpy as np

import walkmesh as wm
from walkmesh.polygon_planes import Planes

AGENT = wm.Agent(height=0.5, radius=0.1)


def surface(vertices, polygons, agent=AGENT, **further):
    """Return the surface navmesh of lists of vertex ids."""
    offsets = np.cumsum([0, *map(len, polygons)])
    corners = [corner for polygon in polygons for corner in polygon]
    return wm.NavMesh(vertices, offsets, corners, agent=agent, surface=True, **further)


def box(size=(4.0, 3.0, 5.0), *, inside=False, **further):
    """Return the six sides of a box, facing out or in."""
    vertices = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * size
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return surface(vertices, [side[::-1] for side in sides] if inside else sides, **further)


def sphere(rounds=3, radius=2.0, *, inside=False, **further):
    """Return an octahedron blown up to a sphere: 8 * 4**rounds triangles, facing out or in."""
    vertices = np.concatenate([np.eye(3), -np.eye(3)])
    signs = [(x, y, z) for x in (0, 3) for y in (0, 3) for z in (0, 3)]
    triangles = np.array(signs) + (0, 1, 2)
    odd = np.count_nonzero(signs, axis=1) % 2 == 1
    triangles[odd] = triangles[odd][:, ::-1]
    for _ in range(rounds):
        vertices, triangles = _halved(vertices, triangles)
    return surface(radius * vertices, triangles[:, :: -1 if inside else 1], **further)


def plates(gap, *, second="up", size=3.0, **further):
    """Return two parallel squares; the one at the height of the gap faces up or down."""
    square = np.array([(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)]) * size
    vertices = np.concatenate([square, square + (0.25, gap, 0.125)])
    return surface(
        vertices, [(0, 1, 2, 3), (4, 5, 6, 7) if second == "up" else (7, 6, 5, 4)], **further
    )


def stairs(steps=6, tread=0.3, rise=0.18, width=1.0, **further):
    """Return treads and risers, connected."""
    profile = [(0.0, 0.0)]
    for _ in range(steps):
        x, y = profile[-1]
        profile += [(x + tread, y), (x + tread, y + rise)]
    vertices = [(x, y, z) for x, y in profile for z in (0.0, width)]
    polygons = [(2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2) for k in range(len(profile) - 1)]
    return surface(vertices, polygons, **further)


def normals(navmesh):
    """Return the (p, 3) normals of polygons."""
    return Planes.of(navmesh.vertices, navmesh.polygon_offsets, navmesh.polygon_vertices).normals


def _halved(vertices, triangles):
    edges = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    edges, ids = np.unique(edges, axis=0, return_inverse=True)
    middles = vertices[edges].mean(axis=1)
    middles /= np.linalg.norm(middles, axis=1)[:, None]
    ab, bc, ca = (ids.reshape(-1, 3) + len(vertices)).T
    a, b, c = triangles.T
    parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return (
        np.concatenate([vertices, middles]),
        np.concatenate([np.stack(part, axis=1) for part in parts]),
    )
