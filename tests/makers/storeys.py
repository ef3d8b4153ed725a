"""Random navmeshes to search paths on: floors with holes above each other, ramps and links."""

import numpy as np
import shapely

import walkmesh as wm
from tests.makers.merged import make_navmesh
from tests.twins.naive_paths import Walks, ground_height
from walkmesh import LINK_DTYPE
from walkmesh.builder.mesh import TriangleMesh
from walkmesh.frame import Frame, up_vector

SIDE = 10  # of a floor, m
STOREY = 4.0  # from one floor to the next, m
# Places lie on multiples of this, so that what touches in the drawing touches in numbers. [m]
GRID = 1.0 / 64.0


def random_navmesh(rng):
    """Return one to three floors, z up, cut in triangles or merged, perhaps turned, with links."""
    floors = int(rng.integers(1, 4))
    slopes = rng.choice([0.0, 0.05], size=(floors, 2)) * rng.uniform(-1.0, 1.0, size=(floors, 2))

    def height(floor, u, v):
        return STOREY * floor + slopes[floor] @ (u, v)

    triangles, doors = [], [[] for _ in range(floors)]
    for floor in range(floors - 1):
        # Ramps from even floors never meet those from odd ones: each has its own sides.
        for side in range(floor % 2, 4, 2)[: rng.choice([0, 1, 1, 2])]:
            ends, pieces = random_ramp(rng, side)
            for door, at in zip(ends, (floor, floor + 1), strict=True):
                doors[at].append(door)
            for piece, levels in pieces:
                corners = [
                    (u, v, height(floor + level, u, v))
                    for (u, v), level in zip(piece, levels, strict=True)
                ]
                triangles += cut(np.array(corners), rng)
    for floor in range(floors):
        region = random_region(rng, doors[floor])
        for part in shapely.constrained_delaunay_triangles(region).geoms:
            ring = shapely.get_coordinates(shapely.orient_polygons(part))[:3]
            triangles.append([(u, v, height(floor, u, v)) for u, v in ring])
    points, corners = np.unique(np.reshape(triangles, (-1, 3)), axis=0, return_inverse=True)
    navmesh = of_triangles(points, corners.reshape(-1, 3), rng)
    return with_links(navmesh, rng, int(rng.choice([0, 0, 1, 3, 6])))


def random_region(rng, doors):
    """Return a floor with holes, along the grid or at any angle, and none right behind doors."""
    corners = {(u, v) for u in (0, SIDE) for v in (0, SIDE)}.union(*doors)
    angles = {p: np.arctan2(p[1] - SIDE / 2, p[0] - SIDE / 2) for p in corners}
    hall = shapely.Polygon(sorted(corners, key=angles.__getitem__))
    holes = []
    turned = rng.random() < 0.5
    for _ in range(rng.integers(0, 9)):
        u, v = rng.integers(0, SIDE - 1, size=2)
        hole = shapely.box(u, v, *((u, v) + rng.integers(1, 4, size=2)))
        if turned:
            hole = shapely.affinity.rotate(hole, rng.uniform(0.0, 90.0))
        holes.append(hole)
    kept = [shapely.LineString(door).buffer(1.0, cap_style="square") for door in doors]
    blocked = shapely.difference(shapely.union_all(holes), shapely.union_all(kept), grid_size=GRID)
    # What holes leave beside doors may be lines as well.
    blocked = shapely.union_all([p for p in shapely.get_parts(blocked) if p.area > 0.0])
    region = shapely.difference(hall, blocked, grid_size=GRID)
    return hall if region.is_empty else region


def random_ramp(rng, side):
    """Return a strip that leads out of one floor, up along its side, and into the next::

            +---+-------+
            | C         |   into the next floor, through the door on the left
            +---+-------+
                |   B   |   up
            +---+-------+
            | A         |   out of the floor
            +---+-------+

    Parameters
    ----------
    rng : numpy.random.Generator
    side : int
        Of the floor, in quarter turns from the right.

    Returns
    -------
    doors : list of 2 lists of plan points
        The ends of the edges shared with the lower and the upper floor.
    pieces : list of (list of plan points, list of int)
        Corners, and whether each is at the level of the lower floor, 0, or the upper, 1.
    """
    a, b, c, d = sorted(rng.choice(SIDE + 1, size=4, replace=False).tolist())
    near, middle, far = SIDE, SIDE + 1, SIDE + 2
    lower = [(near, a), (far, a), (far, b), (middle, b), (near, b)]
    upward = [(middle, b), (far, b), (far, c), (middle, c)]
    upper = [(near, c), (middle, c), (far, c), (far, d), (near, d)]
    levels = [[0] * 5, [0, 0, 1, 1], [1] * 5]
    doors = [[(near, a), (near, b)], [(near, c), (near, d)]]
    if rng.random() < 0.5:
        levels = [[1 - h for h in each] for each in levels]
        doors.reverse()
    pieces = [[turn(p, side) for p in piece] for piece in (lower, upward, upper)]
    doors = [[turn(p, side) for p in door] for door in doors]
    return doors, list(zip(pieces, levels, strict=True))


def turn(place, quarters):
    """Turn a plan point around the middle of the floors, without rounding."""
    u, v = place
    for _ in range(quarters):
        u, v = SIDE - v, u
    return u, v


def cut(polygon, rng):
    """Cut a convex polygon, which may have straight corners, into triangles that all have area."""
    first = int(rng.integers(len(polygon)))
    order = np.roll(polygon, -first, axis=0)
    fan = [(order[0], order[i], order[i + 1]) for i in range(1, len(order) - 1)]
    flat = any(shapely.Polygon([p[:2] for p in t]).area == 0.0 for t in fan)
    return cut(polygon, rng) if flat else [[tuple(p) for p in t] for t in fan]


def of_triangles(points, triangles, rng):
    """Return a navmesh of triangles, or of the convex polygons they make up, perhaps turned."""
    if rng.random() < 0.5:
        mesh = TriangleMesh(points, triangles.astype(np.int32), Frame(up_vector("z")))
        navmesh = make_navmesh(mesh, wm.Agent(), 0.01)
    else:
        navmesh = wm.NavMesh(points, np.arange(0, triangles.size + 1, 3), triangles.ravel(), up="z")
    if rng.random() < 0.5:
        return navmesh
    # No line runs along an axis, and what is straight is so but for rounding.
    angle = rng.uniform(0.0, 2.0 * np.pi)
    turned = navmesh.vertices @ [
        (np.cos(angle), np.sin(angle), 0.0),
        (-np.sin(angle), np.cos(angle), 0.0),
        (0.0, 0.0, 1.0),
    ]
    return wm.NavMesh(turned, navmesh.polygon_offsets, navmesh.polygon_vertices, up="z")


def with_links(navmesh, rng, count):
    """Return the navmesh with random links: dearer than walking straight, cheaper, and free."""
    links = np.zeros(count, dtype=LINK_DTYPE)
    for end in ("start", "goal"):
        links[end], links[f"{end}_polygon"] = random_places(navmesh, rng, count)
    plan = (links["goal"] - links["start"])[:, :2]
    links["cost"] = np.hypot(*plan.T) * rng.choice([0.0, 0.3, 1.0, 1.0, 2.0], size=count)
    links["two_way"] = rng.random(count) < 0.5
    return wm.NavMesh(
        navmesh.vertices,
        navmesh.polygon_offsets,
        navmesh.polygon_vertices,
        links=links,
        up="z",
    )


def random_places(navmesh, rng, count):
    """Return (n, 3) points on the ground of a navmesh with z up, and (n,) their polygons.

    Some of them are vertices and middles of edges, but none where it would not be clear on which
    ground they are: where polygons meet that do not hold together there.
    """
    walks = Walks(navmesh)
    points, polygons = np.empty((count, 3)), np.empty(count, dtype=np.int32)
    for i in range(count):
        while True:
            triangle = int(rng.integers(len(navmesh.triangles)))
            kind = rng.choice(["inside", "inside", "inside", "vertex", "edge"])
            weights = {"vertex": (1.0, 0.0, 0.0), "edge": (0.5, 0.5, 0.0)}.get(kind)
            weights = rng.dirichlet((1, 1, 1)) if weights is None else rng.permutation(weights)
            points[i] = weights @ navmesh.vertices[navmesh.triangles[triangle]]
            polygons[i] = navmesh.triangle_polygons[triangle]
            if is_clear(walks, navmesh, points[i], int(polygons[i])):
                break
    return points, polygons


def is_clear(walks, navmesh, point, polygon):
    """Tell whether all polygons at a point hold together there."""
    place = point[:2].tolist()
    here = {p for p in range(navmesh.polygon_count) if walks.is_in(place, p)}
    level = {p for p in here if abs(ground_height(navmesh, p, place) - point[2]) < STOREY / 2.0}
    return level == walks.around(place, polygon)
