"""Navmeshes with two places each, and what the best path between them costs."""

import math
from typing import NamedTuple

import numpy as np
import shapely

import walkmesh as wm
from tests.makers.regions import triangulated
from tests.twins import naive_mesh
from tests.twins.naive_paths import ground_height
from walkmesh import LINK_DTYPE


class Case(NamedTuple):
    """A navmesh, two places on it with their polygons, and the cost of the best path."""

    navmesh: wm.NavMesh
    start: tuple[float, float, float]
    start_polygon: int
    goal: tuple[float, float, float]
    goal_polygon: int
    cost: float


def flat_navmesh(region, links=()):
    """Return the navmesh of a plan region, z up, cut in triangles."""
    mesh = triangulated(region, lambda _u, _v: 0.0)
    offsets = np.arange(0, mesh.triangles.size + 1, 3)
    links = np.array(list(links), dtype=LINK_DTYPE)
    return wm.NavMesh(mesh.points, offsets, mesh.triangles.ravel(), links=links, up="z")


def polygon_at(navmesh, point):
    """Return the first polygon over or under a point of a navmesh of one floor with z up."""
    place = shapely.Point(point[:2])
    plans = (naive_mesh.plan_polygon(navmesh, p) for p in range(navmesh.polygon_count))
    return next(p for p, plan in enumerate(plans) if plan.covers(place))


def one_floor(region, start, goal, cost, links=()):
    """Return a case on a flat region; links are (start, goal, two_way, cost)."""
    bare = flat_navmesh(region)
    made = [
        ((*a, 0.0), (*b, 0.0), polygon_at(bare, a), polygon_at(bare, b), two_way, price, 0)
        for a, b, two_way, price in links
    ]
    homes = (polygon_at(bare, start), polygon_at(bare, goal))
    return Case(flat_navmesh(region, made), (*start, 0.0), homes[0], (*goal, 0.0), homes[1], cost)


def staircase(turns, steps_a_turn=8):
    """Return a spiral staircase around one vertex, 2 m wide, that rises 3 m a turn."""
    count = int(turns * steps_a_turn)
    angles = np.arange(count + 1) * 2.0 * math.pi / steps_a_turn
    # The newel is one vertex on all floors: a path may hug it, and climbs no height there in plan.
    rim = [(2 * math.cos(a), 2 * math.sin(a), 3 * a / (2 * math.pi)) for a in angles]
    triangles = [(0, i, i + 1) for i in range(1, count + 1)]
    return wm.NavMesh(
        [(0, 0, 0), *rim], np.arange(0, 3 * count + 1, 3), np.ravel(triangles), up="z"
    )


def up_stairs(turns, angle, cost, steps_a_turn=8):
    """Return a case between two places 1 m from the newel, so many radians apart."""
    navmesh = staircase(turns, steps_a_turn)
    ends = []
    for at in (0.3, 0.3 + angle):
        place, step = (math.cos(at), math.sin(at)), int(at / (2.0 * math.pi) * steps_a_turn)
        ends += [(*place, ground_height(navmesh, step, place)), step]
    return Case(navmesh, *ends, cost)


def two_storeys():
    """Return two floors above each other, and a ramp outside of them."""
    low = [(0, 0), (10, 0), (10, 2), (10, 10), (0, 10)]
    high = [(0, 0), (10, 0), (10, 8), (10, 10), (0, 10)]
    out = [(10, 0), (12, 0), (12, 2), (11, 2), (10, 2)]
    ramp = [(11, 2), (12, 2), (12, 8), (11, 8)]
    into = [(10, 8), (11, 8), (12, 8), (12, 10), (10, 10)]
    levels = [[0] * 5, [4] * 5, [0] * 5, [0, 0, 4, 4], [4] * 5]
    corners = [
        (*place, level)
        for polygon, heights in zip((low, high, out, ramp, into), levels, strict=True)
        for place, level in zip(polygon, heights, strict=True)
    ]
    vertices, ids = np.unique(np.array(corners, dtype=float), axis=0, return_inverse=True)
    offsets = np.cumsum([0, *map(len, levels)])
    cost = math.hypot(10, 1) + 6 + math.hypot(10, 1)
    return Case(wm.NavMesh(vertices, offsets, ids, up="z"), (1, 1, 0), 0, (1, 9, 4), 1, cost)


HALL = shapely.box(0, 0, 10, 10)


PILLAR = HALL.difference(shapely.box(4, 4, 6, 6))


ISLANDS = shapely.box(0, 0, 4, 4).union(shapely.box(6, 0, 10, 4))


CORNERS = shapely.box(0, 0, 4, 4).union(shapely.box(4, 4, 8, 8))


# Two rooms beside a wall without thickness.
WALL = wm.NavMesh(
    [(0, 0, 0), (5, 0, 0), (6, 0, 0), (6, 3, 0), (0, 3, 0), (0, 0, 0), (0, -3, 0), (6, -3, 0)],
    [0, 5, 10],
    [0, 1, 2, 3, 4, 5, 6, 7, 2, 1],
    up="z",
)


AROUND = 2 * math.hypot(3, 1) + 2


CASES = {
    "straight": one_floor(HALL, (1, 2), (9, 8), 10.0),
    "nowhere": one_floor(HALL, (3, 3), (3, 3), 0.0),
    "around a pillar": one_floor(PILLAR, (1, 5), (9, 5), AROUND),
    "along a pillar": one_floor(PILLAR, (1, 4), (9, 4), 8.0),
    "past a pillar's corners": one_floor(PILLAR, (3, 7), (7, 3), 2 * math.hypot(3, 1)),
    "between vertices": one_floor(PILLAR, (0, 0), (6, 6), math.hypot(6, 4) + 2),
    "islands": one_floor(ISLANDS, (1, 1), (9, 1), math.inf),
    "corners that touch": one_floor(CORNERS, (1, 1), (7, 7), math.inf),
    "along a wall": Case(WALL, (1, 1e-7, 0), 0, (3, 1e-7, 0), 0, 2.0),
    "around a wall": Case(WALL, (1, 1e-7, 0), 0, (1, -1e-7, 0), 1, 8.0),
    "up part of a staircase": up_stairs(1.5, 1.0, 2 * math.sin(0.5)),
    "up half a staircase": up_stairs(1.5, math.pi, 2.0),
    "up a whole turn": up_stairs(1.5, 2 * math.pi, 2.0),
    "up more than a turn": up_stairs(2.5, 2 * math.pi + 1.0, 2.0),
    "two storeys": two_storeys(),
    "a free link": one_floor(HALL, (1, 1), (9, 9), 2.0, [((1, 2), (9, 8), False, 0.0)]),
    "a link the wrong way": one_floor(
        HALL, (9, 9), (1, 1), math.hypot(8, 8), [((1, 2), (9, 8), False, 0.0)]
    ),
    "a link both ways": one_floor(HALL, (9, 9), (1, 1), 2.0, [((1, 2), (9, 8), True, 0.0)]),
    "a link that is too dear": one_floor(HALL, (1, 1), (9, 7), 10.0, [((2, 2), (9, 6), True, 8.0)]),
    "a link to an island": one_floor(
        ISLANDS, (1, 1), (9, 1), 4.5 + 2.0, [((3, 1), (7, 1), False, 2.5)]
    ),
    "no link from an island": one_floor(
        ISLANDS, (9, 1), (1, 1), math.inf, [((3, 1), (7, 1), False, 2.5)]
    ),
    "links in a row": one_floor(
        ISLANDS,
        (1, 1),
        (1, 3),
        1.5,
        [((1, 1), (9, 1), False, 0.5), ((9, 1), (1, 3), False, 1.0)],
    ),
    "a link from vertex to vertex": one_floor(
        CORNERS, (1, 1), (7, 7), 2 * math.hypot(3, 1) + 1, [((0, 4), (4, 8), True, 1.0)]
    ),
}
