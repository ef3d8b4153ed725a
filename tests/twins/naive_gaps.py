"""Slow, obvious twins of what gap closing relies on, and plates to try it on."""

import numpy as np

from walkmesh.kernels.meshes.kinds import OPEN


def plates(rectangles, divisions=None, heights=None):
    """Return the mesh of rectangles (u0, v0, u1, v1), each divided into its own grid."""
    points, triangles, corner_heights = [], [], []
    for i, (u0, v0, u1, v1) in enumerate(rectangles):
        columns, rows = divisions[i] if divisions else (1, 1)
        first = len(points)
        points += [
            (u, v) for v in np.linspace(v0, v1, rows + 1) for u in np.linspace(u0, u1, columns + 1)
        ]
        for row in range(rows):
            for column in range(columns):
                a = first + row * (columns + 1) + column
                b, c, d = a + 1, a + columns + 2, a + columns + 1
                triangles += [(a, b, c), (a, c, d)]
        height = heights[i] if heights else 0.0
        corner_heights += [[height] * 3] * (2 * rows * columns)
    triangles = np.array(triangles, dtype=np.int32)
    return with_kinds(np.array(points), triangles, np.array(corner_heights))


def with_kinds(points, triangles, heights):
    """Add kinds to a mesh: all of its boundary is open."""
    kinds = np.zeros(triangles.shape, dtype=np.uint8)
    shared = edge_users(triangles)
    for t, triangle in enumerate(triangles.tolist()):
        for k in range(3):
            kinds[t, k] = OPEN if (triangle[(k + 1) % 3], triangle[k]) not in shared else 0
    return points, triangles, heights, kinds


def edge_users(triangles):
    """Return the triangles that run through each edge, by (start, end)."""
    users = {}
    for t, triangle in enumerate(triangles.tolist()):
        for k in range(3):
            users.setdefault((triangle[k], triangle[(k + 1) % 3]), []).append(t)
    return users


def areas(points, triangles):
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return 0.5 * ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])


def boundary_length(points, triangles):
    users = edge_users(triangles)
    return sum(np.linalg.norm(points[b] - points[a]) for a, b in users if (b, a) not in users)


def component_count(triangles):
    """Count the sets of triangles that hang together by edges."""
    users = edge_users(triangles)
    left = set(range(len(triangles)))
    count = 0
    while left:
        count += 1
        stack = [left.pop()]
        while stack:
            triangle = triangles[stack.pop()].tolist()
            for k in range(3):
                for other in users.get((triangle[(k + 1) % 3], triangle[k]), []):
                    if other in left:
                        left.remove(other)
                        stack.append(other)
    return count


def is_manifold(triangles):
    """Tell whether edges have two triangles at most, and a closed fan its vertex for itself."""
    if any(len(users) > 1 for users in edge_users(triangles).values()):
        return False
    links = {}
    for a, b, c in triangles.tolist():
        for vertex, x, y in ((a, b, c), (b, c, a), (c, a, b)):
            links.setdefault(vertex, {})[x] = y
    for link in links.values():
        starts = set(link) - set(link.values())
        reached = set()
        for x in starts:
            while x in link:
                reached.add(x)
                x = link[x]
        rest = set(link) - reached
        if rest:  # closed fans
            first = x = next(iter(rest))
            around = {x}
            while (x := link[x]) != first:
                around.add(x)
            if reached or around != rest or len(around) < 3:
                return False
    return True


def outline_counts(points, triangles):
    """Return the number of outlines of the boundary, by walking along it."""
    users = edge_users(triangles)
    following = {}
    for a, b in users:
        if (b, a) not in users:
            following.setdefault(a, []).append(b)
    count = 0
    while following:
        count += 1
        vertex = next(iter(following))
        while vertex in following:
            onward = following[vertex].pop()
            if not following[vertex]:
                del following[vertex]
            vertex = onward
    return count
