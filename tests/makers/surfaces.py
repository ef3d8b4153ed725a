"""Navmeshes of surfaces, made by hand."""

import numpy as np

import walkmesh as wm
from walkmesh.navmesh import NavMesh

POINT = wm.Agent(radius=0.0)


def of_polygons(vertices, polygons, **arguments):
    """A navmesh of a surface from vertices and lists of vertex ids, counter-clockwise."""
    offsets = np.cumsum([0, *map(len, polygons)])
    corners = np.concatenate([np.asarray(p, dtype=np.int64) for p in polygons])
    arguments.setdefault("agent", POINT)
    return NavMesh(vertices, offsets, corners, surface=True, **arguments)


def turned(navmesh, rotation, shift=(0.0, 0.0, 0.0)):
    """The same navmesh, turned by a (3, 3) rotation and then moved, as one of a surface."""
    return NavMesh(
        navmesh.vertices @ np.asarray(rotation).T + shift,
        navmesh.polygon_offsets,
        navmesh.polygon_vertices,
        neighbors=navmesh.neighbors,
        areas=navmesh.areas,
        agent=navmesh.agent,
        surface=True,
    )


def any_rotation(seed):
    """A random (3, 3) rotation."""
    matrix, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return matrix * np.sign(np.linalg.det(matrix))


CUBE = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
# Left, right, bottom, top, back and front, counter-clockwise seen from outside.
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def cube(size=1.0, without=(), **arguments):
    """The outside of a cube from the origin on."""
    sides = [side for i, side in enumerate(SIDES) if i not in without]
    return of_polygons(size * CUBE, sides, **arguments)


def room(size=1.0, **arguments):
    """The inside of a cube: floor, walls and ceiling."""
    return of_polygons(size * CUBE, [side[::-1] for side in SIDES], **arguments)


def icosphere(levels, radius=1.0):
    """A sphere of 20 * 4 ** levels triangles, with vertices at the poles of y."""
    golden = (1.0 + 5.0**0.5) / 2.0
    vertices = np.array(
        [(-1, golden, 0), (1, golden, 0), (-1, -golden, 0), (1, -golden, 0), (0, -1, golden),
         (0, 1, golden), (0, -1, -golden), (0, 1, -golden), (golden, 0, -1), (golden, 0, 1),
         (-golden, 0, -1), (-golden, 0, 1)]
    )  # fmt: skip
    faces = np.array(
        [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4),
         (11, 10, 2), (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9),
         (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    )  # fmt: skip
    vertices /= np.linalg.norm(vertices[0])
    for _ in range(levels):
        edges = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=2), axis=2)
        unique, ids = np.unique(edges.reshape(-1, 2), axis=0, return_inverse=True)
        middles = vertices[unique].sum(axis=1)
        ab, bc, ca = (ids.reshape(-1, 3) + len(vertices)).T
        a, b, c = faces.T
        vertices = np.vstack([vertices, middles / np.linalg.norm(middles, axis=1)[:, None]])
        parts = [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        faces = np.concatenate([np.stack(part, axis=1) for part in parts])
    pole = vertices[0] / np.linalg.norm(vertices[0])
    aside = np.cross(pole, (0.0, 0.0, 1.0))
    axes = np.stack([aside, pole, np.cross(aside, pole)])
    return of_polygons(radius * vertices @ axes.T, faces)


def sheet(columns, rows, bend, closed=(False, False), holes=(), quads=False):
    """A grid bent by `bend(u, v)`, of cells between whole numbers, without some cells.

    A closed direction joins the last column or row with the first.
    """
    across, along = columns + (not closed[0]), rows + (not closed[1])
    ids = np.arange(across * along).reshape(across, along)
    vertices = [bend(u, v) for u in range(across) for v in range(along)]
    polygons = []
    for u in range(columns):
        for v in range(rows):
            if (u, v) in holes:
                continue
            right, next_v = (u + 1) % across, (v + 1) % along
            a, b, c, d = ids[u, v], ids[right, v], ids[right, next_v], ids[u, next_v]
            polygons += [(a, b, c, d)] if quads else [(a, b, c), (a, c, d)]
    return of_polygons(np.array(vertices, dtype=float), polygons)


def tube(sides, length):
    """The outside of a cylinder of radius 1 around z, open at both ends."""

    def bend(u, v):
        angle = 2.0 * np.pi * u / sides
        return np.cos(angle), np.sin(angle), float(v)

    return sheet(sides, length, bend, (True, False), quads=True)


def torus(sides, rings, large=2.0, small=0.7):
    """The outside of a torus around z."""

    def bend(u, v):
        around, over = 2.0 * np.pi * u / sides, 2.0 * np.pi * v / rings
        far = large + small * np.cos(over)
        return far * np.cos(around), far * np.sin(around), small * np.sin(over)

    return sheet(sides, rings, bend, (True, True))


def saddle(size, curve=0.1):
    """A sheet that falls to two sides and rises to the other two, around z."""
    half = size / 2.0
    return sheet(size, size, lambda u, v: (u, v, curve * ((u - half) ** 2 - (v - half) ** 2)))


def rough(size, seed, holes=()):
    """A sheet with random heights."""
    heights = np.random.default_rng(seed).uniform(0.0, 1.5, (size + 1, size + 1))
    return sheet(size, size, lambda u, v: (u, v, heights[u, v]), holes=holes)
