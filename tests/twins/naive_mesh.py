"""Slow, obvious twins of the mesh kernels, and meshes to try them on."""

import itertools

import numpy as np
import shapely

from walkmesh.navmesh import NavMesh
from walkmesh.topology import plan_points


def polygons_of(navmesh):
    """Return the corners of every polygon as a list of lists of vertex ids."""
    return [
        navmesh.polygon_vertices[a:b].tolist()
        for a, b in itertools.pairwise(navmesh.polygon_offsets)
    ]


def edges_of(polygon):
    return [(polygon[i], polygon[(i + 1) % len(polygon)]) for i in range(len(polygon))]


def neighbors(polygons):
    """Return the polygon across every edge: the only other one that has it, the other way."""
    users = {}
    for p, polygon in enumerate(polygons):
        for edge in edges_of(polygon):
            users.setdefault(frozenset(edge), []).append((p, edge))
    result = []
    for p, polygon in enumerate(polygons):
        for edge in edges_of(polygon):
            others = [(q, e) for q, e in users[frozenset(edge)] if (q, e) != (p, edge)]
            fits = len(users[frozenset(edge)]) == 2 and len(others) == 1
            mutual = fits and others[0][1] == edge[::-1]
            result.append(others[0][0] if mutual else -1)
    return result


def components(polygons, neighbor_list):
    """Label polygons by flooding, in the order of the first polygon."""
    offsets = np.cumsum([0, *map(len, polygons)])
    labels = [-1] * len(polygons)
    count = 0
    for seed in range(len(polygons)):
        if labels[seed] >= 0:
            continue
        stack = [seed]
        while stack:
            p = stack.pop()
            if labels[p] < 0:
                labels[p] = count
                stack += [q for q in neighbor_list[offsets[p] : offsets[p + 1]] if q >= 0]
        count += 1
    return labels


def plan_polygon(navmesh, index):
    a, b = navmesh.polygon_offsets[index : index + 2]
    return shapely.Polygon(plan_points(navmesh)[navmesh.polygon_vertices[a:b], :2])


def height_on(points, triangle, u, v):
    """Return the height of a plan triangle's plane at (u, v)."""
    a, b, c = (points[i] for i in triangle)
    matrix = np.array([b - a, c - a])[:, :2]
    gradient = np.linalg.solve(matrix, [b[2] - a[2], c[2] - a[2]])
    return a[2] + gradient @ (np.array([u, v]) - a[:2])


def overlapping_pairs(navmesh, height, area=1e-5):
    """Return the pairs of polygons that overlap in plan with less than `height` between them.

    Polygons are compared triangle by triangle; where the gap between two planes passes the
    height inside their overlap, the corners of the overlap tell.
    """
    pairs = set()
    points, triangles, owners = plan_points(navmesh), navmesh.triangles, navmesh.triangle_polygons
    plans = [shapely.Polygon(points[t, :2]) for t in triangles]
    for i, j in itertools.combinations(range(len(triangles)), 2):
        if owners[i] == owners[j]:
            continue
        common = plans[i].intersection(plans[j])
        if common.area <= area:
            continue
        gaps = [
            height_on(points, triangles[j], u, v) - height_on(points, triangles[i], u, v)
            for u, v in shapely.get_coordinates(common)
        ]
        if min(gaps) < height and max(gaps) > -height:
            pairs.add((min(owners[i], owners[j]), max(owners[i], owners[j])))
    return pairs


def nearest(navmesh, point):
    """Return how far the ground is that a world point stands on, by a look at all triangles.

    What is more than a step above the point counts as twice the agent's height farther away.
    """
    best, distance = np.inf, np.inf
    for triangle in navmesh.triangles:
        place = nearest_on_triangle(point, *navmesh.vertices[triangle])
        score = far = np.linalg.norm(point - place)
        if (place - point) @ navmesh.up > navmesh.agent.max_step:
            score += 2.0 * navmesh.agent.height
        if score < best:
            best, distance = score, far
    return distance


def nearest_on_triangle(point, a, b, c):
    """Return the nearest of: the foot of the perpendicular if inside, else those on the sides."""
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal)
    foot = point - normal * ((point - a) @ normal)
    inside = all(np.cross(q - p, foot - p) @ normal >= 0.0 for p, q in ((a, b), (b, c), (c, a)))
    if inside:
        return foot
    candidates = []
    for p, q in ((a, b), (b, c), (c, a)):
        t = np.clip((point - p) @ (q - p) / ((q - p) @ (q - p)), 0.0, 1.0)
        candidates.append(p + t * (q - p))
    return min(candidates, key=lambda place: np.linalg.norm(point - place))


def grid_mesh(columns, rows, heights=None, **settings):
    """Return a navmesh of unit squares, y up, with `heights` at its (columns+1, rows+1) corners."""
    x, z = np.meshgrid(np.arange(columns + 1.0), np.arange(rows + 1.0), indexing="ij")
    y = np.zeros_like(x) if heights is None else np.asarray(heights, dtype=float)
    ids = np.arange(x.size).reshape(x.shape)
    squares = np.stack([ids[:-1, :-1], ids[:-1, 1:], ids[1:, 1:], ids[1:, :-1]], axis=-1).reshape(
        -1, 4
    )
    vertices = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    return NavMesh(vertices, np.arange(0, squares.size + 1, 4), squares.ravel(), **settings)
