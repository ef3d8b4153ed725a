"""A slow, obvious referee for navmeshes on surfaces: one point of the surface after another.

It shares no code with walkmesh. Every point stands on the front of a face, whose normal is its up;
"above" and "horizontal" below are meant in this frame.
"""

import heapq
from itertools import combinations

import numpy as np

# What is closer to the ends of a span than this counts as outside of it. [m]
CLOSE = 1e-4
# How far a ray may pass beside a face and still hit it, as a share of the face; so that none slips
# through between two faces.
SLACK = 1e-9


class Referee:
    """Tells where an agent whose up is the normal of the ground can stand in a scene.

    Parameters
    ----------
    vertices, faces : (n, 3) float, (m, 3) int
        The scene; both sides of its faces are in the way.
    agent : Agent
        Its height H, radius r and max_step count.
    left_out : (k,) int or (m,) bool, optional
        Faces that are in nobody's way.
    """

    def __init__(self, vertices, faces, agent, left_out=None):
        self.agent = agent
        self.corners = np.asarray(vertices)[faces]
        self.normals = normals_of(self.corners)
        kept = np.ones(len(self.corners), dtype=bool)
        if left_out is not None:
            kept[left_out] = False
        self.obstacles = Boxes(self.corners[kept])

    def has_headroom(self, points, faces_of_points):
        """Tell, (n,) bool, above which points there is nothing up to the agent's height."""
        low, high = CLOSE, self.agent.height - CLOSE
        result = np.empty(len(points), dtype=bool)
        for i, (point, normal) in enumerate(self._stands(points, faces_of_points)):
            near = self.obstacles.near(point, point + high * normal, 0.0)
            heights = heights_over_origin(in_frame(near, point, normal))
            result[i] = not np.any((heights > low) & (heights < high))
        return result

    def body_distance(self, points, faces_of_points, within=np.inf):
        """Return the horizontal distance of each point, (n,), to what its body could touch.

        That is any part of the scene between max_step and H above the point; inf if there is none,
        or none closer than `within`. The body is free where it is at least r.
        """
        low, high = self.agent.max_step + CLOSE, self.agent.height - CLOSE
        result = np.full(len(points), np.inf)
        for i, (point, normal) in enumerate(self._stands(points, faces_of_points)):
            near = self.obstacles.near(point + low * normal, point + high * normal, within)
            if len(near):
                away = distances_to_slab(in_frame(near, point, normal), low, high).min()
                result[i] = away if away < within else np.inf
        return result

    def is_free_of_obstacles(self, points, faces_of_points, radius):
        """Tell, (n,) bool, where there is headroom and the body keeps `radius` from all."""
        result = self.has_headroom(points, faces_of_points)
        some = np.flatnonzero(result)
        where = np.asarray(points)[some], np.asarray(faces_of_points)[some]
        result[some] = self.body_distance(*where, within=2.0 * radius + CLOSE) >= radius
        return result

    def _stands(self, points, faces_of_points):
        return zip(np.asarray(points), self.normals[faces_of_points], strict=True)


class Boxes:
    """Triangles, (t, 3, 3), that can be asked for by place."""

    def __init__(self, corners):
        self.corners = corners
        self.low, self.high = corners.min(axis=1), corners.max(axis=1)

    def ids_near(self, start, end, reach):
        """Return the triangles whose boxes come within `reach` of the box of a line's ends."""
        low, high = np.minimum(start, end) - reach, np.maximum(start, end) + reach
        return np.flatnonzero(np.all((self.low <= high) & (self.high >= low), axis=1))

    def near(self, start, end, reach):
        return self.corners[self.ids_near(start, end, reach)]


# Geometry


def normals_of(corners):
    """Return the (t, 3) unit normals of (t, 3, 3) triangles."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return normals / np.linalg.norm(normals, axis=1)[:, None]


def in_frame(corners, point, normal):
    """Return (t, 3, 3) triangles with the point as origin and the normal as third axis."""
    aside = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    aside /= np.linalg.norm(aside)
    return (corners - point) @ np.stack([aside, np.cross(normal, aside), normal], axis=1)


def heights_over_origin(corners):
    """Return where the third axis meets each of (t, 3, 3) triangles, NaN where it does not."""
    a, b, c = corners[..., :2].transpose(1, 0, 2)
    # Each corner weighs as much as the triangle of the origin and the opposite side.
    weights = np.stack([cross2(b, c), cross2(c, a), cross2(a, b)], axis=1)
    total = weights.sum(axis=1)
    # A triangle that stands upright is met along a line or not at all: no point of it counts.
    size = np.square(corners[:, [1, 2, 0]] - corners).sum(axis=(1, 2))
    weights[np.abs(total) <= 1e-12 * size] = np.nan
    weights /= np.where(np.abs(total) <= 1e-12 * size, 1.0, total)[:, None]
    heights = (weights * corners[..., 2]).sum(axis=1)
    return np.where(np.all(weights >= -SLACK, axis=1), heights, np.nan)


def distances_to_slab(corners, low, high):
    """Return how far from the third axis (t, 3, 3) triangles are between two heights.

    The part of a triangle between two heights is a convex polygon, whose corners are the ends of
    what is left of the triangle's sides. Of all lines between these, the nearest is a side of the
    polygon, unless the axis goes through the polygon. inf where nothing is left.
    """
    ends = np.concatenate([clipped(corners[:, k - 1], corners[:, k], low, high) for k in range(3)])
    lines = [distance_to_line(a[:, :2], b[:, :2]) for a, b in combinations(ends, 2)]
    away = np.nan_to_num(np.fmin.reduce(lines), nan=np.inf)
    heights = heights_over_origin(corners)
    return np.where((heights >= low) & (heights <= high), 0.0, away)


def clipped(a, b, low, high):
    """Return both ends, (2, t, 3), of lines between two heights, NaN where nothing is left."""
    rise = b[:, 2] - a[:, 2]
    level = rise == 0.0
    steps = np.where(level, 1.0, rise)
    first, second = (low - a[:, 2]) / steps, (high - a[:, 2]) / steps
    start = np.where(level, 0.0, np.maximum(np.minimum(first, second), 0.0))
    stop = np.where(level, 1.0, np.minimum(np.maximum(first, second), 1.0))
    nothing = (start > stop) | (level & ((a[:, 2] < low) | (a[:, 2] > high)))
    start[nothing] = stop[nothing] = np.nan
    return np.stack([a + start[:, None] * (b - a), a + stop[:, None] * (b - a)])


def distance_to_line(a, b):
    """Return the distance of the origin from lines between (t, k) points."""
    along = b - a
    square = (along * along).sum(axis=1)
    share = -(a * along).sum(axis=1) / np.where(square == 0.0, 1.0, square)
    return np.linalg.norm(a + np.clip(share, 0.0, 1.0)[:, None] * along, axis=1)


def cross2(a, b):
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def distances_to_triangles(corners, point):
    """Return the distance of a point to each of (t, 3, 3) triangles, and the nearest places."""
    normals = normals_of(corners)
    offsets = ((point - corners[:, 0]) * normals).sum(axis=1)
    places = point - offsets[:, None] * normals
    away = np.abs(offsets)
    inside = np.ones(len(corners), dtype=bool)
    for k in range(3):
        side = corners[:, k] - corners[:, k - 1]
        inside &= (np.cross(side, places - corners[:, k - 1]) * normals).sum(axis=1) >= 0.0
    places[~inside], away[~inside] = 0.0, np.inf
    for k in range(3):
        a, side = corners[:, k - 1], corners[:, k] - corners[:, k - 1]
        share = ((point - a) * side).sum(axis=1) / (side * side).sum(axis=1)
        foot = a + np.clip(share, 0.0, 1.0)[:, None] * side
        far = np.linalg.norm(point - foot, axis=1)
        closer = far < away
        places[closer], away[closer] = foot[closer], far[closer]
    return away, places


# Points on meshes, and meshes over points


def sample_faces(vertices, faces, n, seed=0):
    """Return n points spread evenly over the area of a mesh, (n, 3), and their faces, (n,)."""
    random = np.random.default_rng(seed)
    corners = np.asarray(vertices)[faces]
    double = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(double, axis=1)
    chosen = random.choice(len(corners), n, p=areas / areas.sum())
    s, t = random.random((2, n))
    outside = s + t > 1.0
    s[outside], t[outside] = 1.0 - s[outside], 1.0 - t[outside]
    a, b, c = corners[chosen].transpose(1, 0, 2)
    return a + s[:, None] * (b - a) + t[:, None] * (c - a), chosen


def layers_over(vertices, triangles, points, normals, reach):
    """Return how many triangles lie over or under each point, (n,) int.

    These are the ones that the line along the point's normal meets no farther than `reach` in
    either direction, and that face the same way, by no more than 60 degrees.
    """
    boxes = Boxes(np.asarray(vertices)[triangles])
    facing = normals_of(boxes.corners)
    counts = np.empty(len(points), dtype=int)
    for i, (point, normal) in enumerate(zip(points, normals, strict=True)):
        near = boxes.ids_near(point - reach * normal, point + reach * normal, 0.0)
        near = near[facing[near] @ normal >= 0.5]
        heights = heights_over_origin(in_frame(boxes.corners[near], point, normal))
        counts[i] = np.count_nonzero(np.abs(heights) <= reach)
    return counts


# Distances along a mesh


def geodesic_boundary_distance(
    vertices,
    faces,
    points,
    faces_of_points,
    max_turn_convex=180.0,
    max_turn_concave=180.0,
    spacing=0.05,
    within=np.inf,
):
    """Return how far it is along a mesh from each point to where the mesh ends, (n,).

    It ends at edges that do not have two faces running through them in opposite ways (vertices in
    one place are one), and at edges that turn by more than a limit in degrees. Ways are
    searched by Dijkstra over points no farther than `spacing` apart on all edges, between which
    they are straight on each face; so distances are a little too long, by about 1 % from 5
    spacings on. inf where the mesh has no end, or none closer than `within`.
    """
    vertices, same = np.unique(vertices, axis=0, return_inverse=True)
    faces = same.reshape(-1)[faces]
    sides = sides_of(faces)
    ends = boundary_edges(vertices, faces, sides, max_turn_convex, max_turn_concave)
    if not ends:
        return np.full(len(points), np.inf)
    nodes, nodes_of_faces, faces_of_nodes = edge_points(vertices, faces, spacing)
    distances = np.full(len(nodes), np.inf)
    rims = {}
    for face, k in ends:
        rims.setdefault(face, []).append((vertices[faces[face, k - 1]], vertices[faces[face, k]]))
    # Faces that have got a shorter way to one of their nodes, the shortest first.
    queue, waiting = [], {}

    def shorten(own, ways):
        shorter = ways < distances[own] - CLOSE * spacing
        distances[own[shorter]] = ways[shorter]
        for node, way in zip(own[shorter].tolist(), ways[shorter].tolist(), strict=True):
            for face in faces_of_nodes[node]:
                if way < waiting.get(face, np.inf):
                    waiting[face] = way
                    heapq.heappush(queue, (way, face))

    # From points on a face with an end the distance to that is exact.
    for face, lines in rims.items():
        own = nodes_of_faces[face]
        shorten(own, distance_to_ends(nodes[own], lines))
    while queue:
        reached, face = heapq.heappop(queue)
        if reached > within:
            break
        if waiting.get(face) == reached:
            del waiting[face]
            own = nodes_of_faces[face]
            apart = np.linalg.norm(nodes[own][:, None] - nodes[own], axis=2)
            shorten(own, (apart + distances[own]).min(axis=1))

    def way_from(places, face):
        own = nodes_of_faces[face]
        ways = (np.linalg.norm(places[:, None] - nodes[own], axis=2) + distances[own]).min(axis=1)
        return np.minimum(ways, distance_to_ends(places, rims.get(face, [])))

    result = np.empty(len(points))
    for i, (point, face) in enumerate(zip(np.asarray(points), faces_of_points, strict=True)):
        result[i] = way_from(point[None], face)[0]
        # Next to an edge the nodes on it are all a detour: the way across goes anywhere there.
        for k in range(3):
            places = places_beside(point, *vertices[faces[face, [k - 1, k]]], spacing)
            across = np.linalg.norm(places - point, axis=1)
            for other, _ in sides[frozenset(faces[face, [k - 1, k]].tolist())]:
                result[i] = (across + way_from(places, other)).min(initial=result[i])
    result[result > within] = np.inf
    return result


def sides_of(faces):
    """Return the sides of faces by their two vertices: all pairs of a face and a corner k.

    Side k of a face leads to its corner k.
    """
    sides = {}
    for face, corners in enumerate(faces.tolist()):
        for k in range(3):
            sides.setdefault(frozenset((corners[k - 1], corners[k])), []).append((face, k))
    return sides


def places_beside(point, a, b, spacing):
    """Return (n, 3) places on the edge from a to b next to a point, none if it is not near."""
    length = np.linalg.norm(b - a)
    foot = (point - a) @ (b - a) / length
    if np.linalg.norm(a + foot / length * (b - a) - point) > 2.0 * spacing:
        return np.empty((0, 3))
    along = np.clip(foot + np.linspace(-2.0, 2.0, 41) * spacing, 0.0, length)
    return a + along[:, None] / length * (b - a)


def boundary_edges(vertices, faces, sides, max_turn_convex, max_turn_concave):
    """Return the sides of faces, as pairs of a face and a corner, at which a mesh ends."""
    normals = normals_of(vertices[faces])
    result = []
    for both in sides.values():
        if len(both) == 2:
            (one, i), (other, j) = both
            opposite_ways = faces[one, i] == faces[other, j - 1]
            cosine = np.clip(normals[one] @ normals[other], -1.0, 1.0)
            # What the other face has beyond the edge is below this one where the edge is convex.
            above = normals[one] @ (vertices[faces[other, j - 2]] - vertices[faces[one, i]]) > 0.0
            limit = max_turn_concave if above else max_turn_convex
            if opposite_ways and np.degrees(np.arccos(cosine)) <= limit + 1e-6:
                continue
        result += both
    return result


def edge_points(vertices, faces, spacing):
    """Return points on all edges, (n, 3), those of each face, and the faces of each."""
    points, ids = list(vertices), {}
    nodes_of_faces = []
    for corners in faces.tolist():
        own = list(corners)
        for k in range(3):
            a, b = sorted((corners[k - 1], corners[k]))
            if (a, b) not in ids:
                parts = int(np.ceil(np.linalg.norm(vertices[b] - vertices[a]) / spacing))
                inner = np.linspace(vertices[a], vertices[b], parts + 1)[1:-1]
                ids[a, b] = range(len(points), len(points) + len(inner))
                points.extend(inner)
            own.extend(ids[a, b])
        nodes_of_faces.append(np.array(own))
    faces_of_nodes = [[] for _ in points]
    for face, own in enumerate(nodes_of_faces):
        for node in own.tolist():
            faces_of_nodes[node].append(face)
    return np.array(points), nodes_of_faces, faces_of_nodes


def distance_to_ends(points, lines):
    """Return the distance of (n, 3) points to the nearest of some lines, each of two ends."""
    away = np.full(len(points), np.inf)
    for a, b in lines:
        away = np.minimum(away, distance_to_line(a - points, b - points))
    return away
