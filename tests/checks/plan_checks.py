"""What must hold of a triangulation of a floor plan, told from its rings and from shapely."""

import itertools
from collections import Counter

import numpy as np
import shapely


def doubled_areas(points, triangles):
    a, b, c = (points.astype(np.int64)[triangles[:, k]] for k in range(3))
    return (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]


def doubled_ring_area(rings):
    return sum(
        int(a[0]) * int(b[1]) - int(a[1]) * int(b[0])
        for ring in rings
        for a, b in zip(ring, [*ring[1:], ring[0]], strict=True)
    )


def edges_of(triangles):
    return [(t[k], t[(k + 1) % 3]) for t in triangles.tolist() for k in range(3)]


def ring_edges(offsets, corners):
    return [
        (int(corners[k]), int(corners[k + 1 if k + 1 < stop else start]))
        for start, stop in itertools.pairwise(offsets)
        for k in range(start, stop)
    ]


def cover_faults(points, offsets, corners, triangles):
    """Return what is wrong with how triangles cover the free space."""
    faults = []
    areas = doubled_areas(points, triangles)
    if np.any(areas <= 0):
        faults.append("a triangle turns right, or has no area")
    places = points.tolist()
    rings = [[places[k] for k in corners[i:j]] for i, j in itertools.pairwise(offsets)]
    if sum(areas.tolist()) != doubled_ring_area(rings):
        faults.append("the area is not that of the rings")
    pieces = shapely.polygons(points[triangles].astype(float))
    one, two = shapely.STRtree(pieces).query(pieces, predicate="intersects")
    one, two = one[one < two], two[one < two]
    if np.any(shapely.relate_pattern(pieces[one], pieces[two], "T********")):
        faults.append("triangles overlap")
    return faults


def adjacency_faults(points, offsets, corners, triangles):
    """Return what is wrong with who is whose neighbour, so that a border is shared unseen.

    A ring edge is known by the vertex it leaves and the place it arrives at: where rings touch,
    what lies on its left may end in another vertex there.
    """
    faults = []
    places = list(map(tuple, points.tolist()))
    walls = Counter((a, places[b]) for a, b in ring_edges(offsets, corners))
    edges = Counter(edges_of(triangles))
    sides = Counter((a, places[b]) for a, b in edges.elements())
    if edges and max(edges.values()) > 1:
        faults.append("an edge has two triangles on one side")
    if any(sides[wall] != count for wall, count in walls.items()):
        faults.append("a ring edge is not the edge of exactly one triangle")
    inner = [(a, b) for a, b in edges if (a, places[b]) not in walls]
    if any(edges[b, a] != 1 or (b, places[a]) in walls for a, b in inner):
        faults.append("an edge that is no ring edge has no neighbour")
    if _vertices_in_edges(points, corners, edges):
        faults.append("a vertex lies in the middle of an edge")
    return faults


def component_areas(points, triangles):
    """Return the doubled areas of the triangles that shared edges hold together, sorted."""
    owner = {edge: row // 3 for row, edge in enumerate(edges_of(triangles))}
    areas = doubled_areas(points, triangles).tolist()
    left, found = set(range(len(triangles))), []
    while left:
        waiting, area = [left.pop()], 0
        while waiting:
            row = waiting.pop()
            area += areas[row]
            a, b, c = triangles[row].tolist()
            for edge in ((b, a), (c, b), (a, c)):
                if owner.get(edge) in left:
                    left.remove(owner[edge])
                    waiting.append(owner[edge])
        found.append(area)
    return sorted(found)


def part_areas(free):
    """Return the doubled areas of a free space's parts, sorted."""
    polygons = [part for part in shapely.get_parts(free) if part.area > 0]
    return sorted(round(2 * part.area) for part in polygons)


def _vertices_in_edges(points, corners, edges):
    """Count vertices that lie strictly between the ends of an edge."""
    if not edges:
        return 0
    vertices = np.unique(points[corners], axis=0)
    ends = points[np.array(list(edges))]
    edge, vertex = shapely.STRtree(shapely.points(vertices.astype(float))).query(
        shapely.linestrings(ends.astype(float))
    )
    a, b, c = ends[edge, 0], ends[edge, 1], vertices[vertex]
    cross = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
    inner = np.any(a != c, axis=1) & np.any(b != c, axis=1)  # the query kept c in the edge's box
    return np.count_nonzero((cross == 0) & inner)
