"""Triangles of a scene in the plan frame, and what can be measured of them."""

from collections import Counter

import numpy as np
import shapely

from walkmesh.frame import Frame


def plan_triangles(scene):
    """Return the scene's triangles, (t, 3, 3), in the plan frame."""
    return Frame(scene.up).to_plan(scene.vertices)[scene.faces]


def normals_and_areas(triangles):
    cross = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    lengths = np.linalg.norm(cross, axis=1)
    return cross / lengths[:, None], lengths / 2.0


def upward(scene, max_slope=45.0):
    """Return the triangles that face up and are no steeper than `max_slope` degrees."""
    triangles = plan_triangles(scene)
    normals, _ = normals_and_areas(triangles)
    return triangles[normals[:, 2] >= np.cos(np.radians(max_slope)) - 1e-12]


def components(triangles):
    """Return one list of triangles per set that shared edges hold together, largest area first."""
    parent = list(range(len(triangles)))

    def root(index):
        while parent[index] != index:
            index = parent[index]
        return index

    owners = {}
    for index, corners in enumerate(triangles.tolist()):
        for k in range(3):
            edge = frozenset((tuple(corners[k]), tuple(corners[k - 1])))
            parent[root(index)] = root(owners.setdefault(edge, index))
    roots = np.array([root(index) for index in range(len(triangles))])
    sets = [triangles[roots == r] for r in np.unique(roots)]
    return sorted(sets, key=lambda part: -area(part))


def area(triangles):
    return normals_and_areas(triangles)[1].sum()


def unmatched_edges(triangles):
    """Count directed edges that lack exactly one partner in the other direction."""
    edges = Counter(
        (tuple(corners[k]), tuple(corners[(k + 1) % 3]))
        for corners in triangles.tolist()
        for k in range(3)
    )
    return sum(count != 1 or edges[(b, a)] != 1 for (a, b), count in edges.items())


def enclosed_volume(triangles):
    """Return the signed volume; positive when the faces of closed solids are seen from outside."""
    return np.linalg.det(triangles).sum() / 6.0


def hits(triangles, point):
    """Tell which triangles lie over or under a plan point."""
    return np.array([shapely.Polygon(t[:, :2]).covers(shapely.Point(point)) for t in triangles])
