"""Shortest paths the slow and obvious way: by all straight walks between all places to turn at.

Everything is measured in plan. A walk leads along a straight line from polygon to polygon, through
edges that they share, so floors above each other are kept apart without looking at heights.
"""

import itertools
import math

import numpy as np
import shapely

from tests.twins import naive_mesh
from walkmesh.topology import plan_points

# What is nearer than this to a line is on it. [m]
NEAR = 1e-9
# How far a path may leave the ground in height. [m]
GROUND_TOLERANCE = 1e-3


class Walks:
    """Straight walks on a navmesh.

    Parameters
    ----------
    navmesh : NavMesh
        What to walk on; its links are not taken.
    near : float
        What is nearer to a line is on it. [Unit: m]
    """

    def __init__(self, navmesh, near=NEAR):
        self.near = near
        self.places = plan_points(navmesh)[:, :2].tolist()
        neighbors = iter(navmesh.neighbors.tolist())
        # The edges of every polygon as ((start vertex, end vertex), polygon across or -1).
        self.sides = [
            [(edge, next(neighbors)) for edge in naive_mesh.edges_of(polygon)]
            for polygon in naive_mesh.polygons_of(navmesh)
        ]

    def around(self, place, polygon):
        """Return the polygons that have a place, which `polygon` has, in common around it.

        They are one inside a polygon, two on an edge, and all around a vertex; those that have
        nothing but the vertex in common with them, beyond a boundary, do not count.
        """
        return self.walk(place, place, {polygon})

    def walk(self, start, goal, polygons):
        """Return the polygons in which a straight walk can end, none if it leaves the ground.

        Parameters
        ----------
        start, goal : 2 float
            In plan. [Unit: m]
        polygons : set of int
            Those to start in.
        """
        reached = self.along(start, goal, polygons)
        return {p for p in reached if self.is_in(goal, p)}

    def along(self, start, goal, polygons):
        """Return the polygons that a straight walk comes through, and how far along it it enters.

        A walk may touch a vertex or follow an edge, and then more than one polygon leads on: all
        are tried. It never turns back, which matters around the vertex of a spiral staircase.
        """
        entered = dict.fromkeys((p for p in polygons if self.is_in(start, p)), 0.0)
        stack = list(entered)
        while stack:
            here = stack.pop()
            for (a, b), there in self.sides[here]:
                if there < 0:
                    continue
                touched = touches(start, goal, self.places[a], self.places[b], self.near)
                if touched is None or touched[1] < entered[here] - self.near:
                    continue
                distance = max(entered[here], touched[0])
                if distance < entered.get(there, math.inf):
                    entered[there] = distance
                    stack.append(there)
        return entered

    def is_in(self, place, polygon):
        """Tell whether a polygon has a place, which may be just outside of it."""
        return all(
            side_of(self.places[a], self.places[b], place) >= -self.near
            for (a, b), _ in self.sides[polygon]
        )


def side_of(a, b, place):
    """Return how far to the left a place is of the line from a to b, negative to the right."""
    u, v = b[0] - a[0], b[1] - a[1]
    return (u * (place[1] - a[1]) - v * (place[0] - a[0])) / math.hypot(u, v)


def touches(start, goal, a, b, near):
    """Return from where to where, in metres from the start, a way comes near the edge from a to b.

    None if it does not. The way may also be a single place.
    """
    length = math.dist(start, goal)
    if length <= near:
        t = nearest_share(start, a, b)
        foot = (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))
        return (0.0, 0.0) if math.dist(start, foot) <= near else None
    u, v = (goal[0] - start[0]) / length, (goal[1] - start[1]) / length
    # Where the edge begins and ends, along the way and to the left of it.
    along_a, along_b = (u * (p[0] - start[0]) + v * (p[1] - start[1]) for p in (a, b))
    left_a, left_b = (u * (p[1] - start[1]) - v * (p[0] - start[0]) for p in (a, b))
    low, high = 0.0, 1.0  # the part of the edge that is near the line
    if abs(left_b - left_a) > 1e-300:
        shares = sorted((bound - left_a) / (left_b - left_a) for bound in (-near, near))
        low, high = max(low, shares[0]), min(high, shares[1])
        if low > high:
            return None
    elif abs(left_a) > near:
        return None
    ends = sorted(along_a + share * (along_b - along_a) for share in (low, high))
    if ends[1] < -near or ends[0] > length + near:
        return None
    return max(ends[0], 0.0), min(ends[1], length)


def nearest_share(place, a, b):
    """Return how far along the edge from a to b its place nearest to another is, 0 to 1."""
    u, v = b[0] - a[0], b[1] - a[1]
    share = ((place[0] - a[0]) * u + (place[1] - a[1]) * v) / (u * u + v * v)
    return min(max(share, 0.0), 1.0)


class VisibilityGraph:
    """All places where a shortest path may turn, and the costs of the best ways between them.

    These are boundary vertices, once for each set of polygons that holds together around them,
    and both ends of every link.

    Parameters
    ----------
    navmesh : NavMesh
        What to walk on, and which links to take.
    """

    def __init__(self, navmesh):
        self.navmesh = navmesh
        self.walks = Walks(navmesh)
        self.nodes = [*self._turns(), *self._link_ends()]
        count = len(self.nodes)
        self.costs = np.full((count, count), np.inf)
        np.fill_diagonal(self.costs, 0.0)
        for i, j in itertools.combinations(range(count), 2):
            self.costs[i, j] = self.costs[j, i] = self._straight(self.nodes[i], self.nodes[j])
        first = count - 2 * len(navmesh.links)
        for link, start in zip(navmesh.links, range(first, count, 2), strict=True):
            for here, there in ((start, start + 1), (start + 1, start))[: 1 + link["two_way"]]:
                self.costs[here, there] = min(self.costs[here, there], link["cost"])
        # Floyd and Warshall: through the first node at best, through the first two at best, ...
        for k in range(count):
            np.minimum(self.costs, self.costs[:, k, None] + self.costs[k], out=self.costs)

    def cost(self, start, start_polygon, goal, goal_polygon):
        """Return the cost of the best path between two world points, infinite if there is none.

        Parameters
        ----------
        start, goal : 3 float
            On the ground. [Unit: m]
        start_polygon, goal_polygon : int
            The polygons they are on.

        Returns
        -------
        float
            Plan length, plus the costs of links. [Unit: m]
        """
        ends = [self._node(start, start_polygon), self._node(goal, goal_polygon)]
        out, back = (np.array([self._straight(end, node) for node in self.nodes]) for end in ends)
        through = (out[:, None] + self.costs + back).min(initial=np.inf)
        return min(self._straight(*ends), float(through))

    def _node(self, point, polygon):
        u, v, _ = self.navmesh.frame.to_plan(np.array([point], dtype=float))[0].tolist()
        polygons = self.walks.around((u, v), polygon)
        assert polygons, f"{point} is not on polygon {polygon}"
        return (u, v), polygons

    def _straight(self, here, there):
        (start, polygons), (goal, goals) = here, there
        if self.walks.walk(start, goal, polygons) & goals:
            return math.dist(start, goal)
        return math.inf

    def _turns(self):
        """Yield the boundary vertices with more than half a turn of ground around them.

        Around others a shorter path leads, so no shortest one turns there.
        """
        seen = set()
        for polygon, sides in enumerate(self.walks.sides):
            for (vertex, _), _ in sides:
                place = tuple(self.walks.places[vertex])
                fan = frozenset(self.walks.around(place, polygon))
                if (vertex, fan) in seen:
                    continue
                seen.add((vertex, fan))
                ground, is_boundary = self._ground_around(vertex, fan)
                if is_boundary and ground > math.pi - 1e-6:
                    yield place, set(fan)

    def _ground_around(self, vertex, fan):
        """Return the angle that some polygons take around a vertex, and whether it ends there."""
        ground, is_boundary = 0.0, False
        for polygon in fan:
            incoming = [side for side in self.walks.sides[polygon] if side[0][1] == vertex]
            outgoing = [side for side in self.walks.sides[polygon] if side[0][0] == vertex]
            for ((before, _), left), ((_, after), right) in zip(incoming, outgoing, strict=True):
                a, b, c = (self.walks.places[i] for i in (before, vertex, after))
                turn = math.atan2(a[1] - b[1], a[0] - b[0]) - math.atan2(c[1] - b[1], c[0] - b[0])
                ground += turn % (2.0 * math.pi)
                is_boundary |= left < 0 or right < 0
        return ground, is_boundary

    def _link_ends(self):
        for link in self.navmesh.links:
            yield self._node(link["start"], link["start_polygon"])
            yield self._node(link["goal"], link["goal_polygon"])


def follow(navmesh, path, start_polygon, goal_polygon, near=1e-6):
    """Walk along a path, and return what it costs, infinite if it cannot be walked.

    Every leg must be the next of the path's links, or lead straight from polygon to polygon on the
    ground, but for `near` in plan and a millimetre in height. [Unit: m]
    """
    walks = Walks(navmesh, near)
    points = navmesh.frame.to_plan(path.points)
    places = points[:, :2].tolist()
    polygons = walks.around(places[0], start_polygon)
    links = [navmesh.links[link] for link in path.links]
    cost = 0.0
    for i in range(len(points) - 1):
        leg = points[i : i + 2]
        exit_polygon = links and across(navmesh, links[0], leg, polygons, near)
        if links and exit_polygon is not None:
            cost += links.pop(0)["cost"]
            polygons = walks.around(places[i + 1], exit_polygon)
        else:
            if not is_on_ground(navmesh, walks, leg, polygons):
                return math.inf
            cost += math.dist(*places[i : i + 2])
            polygons = walks.walk(*places[i : i + 2], polygons)
    arrived = polygons & walks.around(places[-1], goal_polygon)
    return cost if arrived and not links else math.inf


def across(navmesh, link, leg, polygons, near):
    """Return the polygon that a link leads to from one of some, None if it is not a path's leg."""
    for entry, leave in (("start", "goal"), ("goal", "start"))[: 1 + link["two_way"]]:
        ends = navmesh.frame.to_plan(np.array([link[entry], link[leave]]))
        if link[f"{entry}_polygon"] in polygons and np.abs(ends - leg).max() <= near:
            return int(link[f"{leave}_polygon"])
    return None


def is_on_ground(navmesh, walks, leg, polygons):
    """Tell whether a straight walk keeps to the height of the polygons that it comes through."""
    start, goal = leg[:, :2].tolist()
    passed = walks.along(start, goal, polygons)
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        *place, height = (leg[0] + share * (leg[1] - leg[0])).tolist()
        heights = [ground_height(navmesh, p, place) for p in passed if walks.is_in(place, p)]
        if not any(abs(height - ground) <= GROUND_TOLERANCE + walks.near for ground in heights):
            return False
    return True


def ground_height(navmesh, polygon, place):
    """Return how high the ground of a polygon is at a place, by the triangle it is deepest in."""
    start, stop = navmesh.triangle_offsets[polygon : polygon + 2]
    points, triangles = plan_points(navmesh), navmesh.triangles[start:stop]

    def depth(triangle):
        return min(
            side_of(points[a], points[b], place)
            for a, b in itertools.pairwise([*triangle, triangle[0]])
        )

    return naive_mesh.height_on(points, max(triangles, key=depth), *place)


def shortest(region, start, goal):
    """Return the length of the shortest plan path, by Dijkstra on the visibility graph."""
    rings = [region.exterior, *region.interiors]
    corners = np.concatenate([shapely.get_coordinates(ring)[:-1] for ring in rings])
    nodes = [start, goal, *corners]
    grown = region.buffer(1e-9)
    cost = {0: 0.0}
    done = set()
    while True:
        open_nodes = [n for n in cost if n not in done]
        if not open_nodes:
            return math.inf
        here = min(open_nodes, key=cost.get)
        if here == 1:
            return cost[1]
        done.add(here)
        for there in range(len(nodes)):
            if there not in done and grown.covers(shapely.LineString([nodes[here], nodes[there]])):
                reached = cost[here] + math.dist(nodes[here], nodes[there])
                cost[there] = min(cost.get(there, math.inf), reached)
