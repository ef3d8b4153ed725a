"""Shortest paths along a surface the slow and obvious way: by a graph of many places on edges."""

import heapq
import itertools

import numpy as np

from tests.twins import naive_mesh


class Graph:
    """Vertices and places on edges, joined in straight lines through the triangles they lie on.

    What it finds is never shorter than the shortest path, and close to it.

    Parameters
    ----------
    navmesh : NavMesh
        A navmesh of a surface.
    between : int
        How many places each edge has between its ends.
    """

    def __init__(self, navmesh, between):
        self.navmesh = navmesh
        self._parents = {}
        owners = navmesh.triangle_polygons.tolist()
        triangles = navmesh.triangles.tolist()
        across = {}
        neighbors = iter(navmesh.neighbors.tolist())
        for p, polygon in enumerate(naive_mesh.polygons_of(navmesh)):
            for edge in naive_mesh.edges_of(polygon):
                across[p, *edge] = next(neighbors)
        sides = {}
        for t, (a, b, c) in enumerate(triangles):
            for edge in ((a, b), (b, c), (c, a)):
                sides[owners[t], *edge] = t
        # Triangles that share an edge have its places in common, and both its ends.
        for (p, a, b), t in sides.items():
            q = across.get((p, a, b), p)
            other = sides.get((q, b, a))
            if other is not None:
                for item in (a, b, (min(a, b), max(a, b))):
                    self._join((t, item), (other, item))
        self.places, self.members = [], [[] for _ in triangles]
        numbers = {}
        for t, corners in enumerate(triangles):
            for a in corners:
                self._add(numbers, t, a, 0, navmesh.vertices[a])
            for a, b in itertools.combinations(sorted(corners), 2):
                for k in range(1, between + 1):
                    part = k / (between + 1)
                    place = (1 - part) * navmesh.vertices[a] + part * navmesh.vertices[b]
                    self._add(numbers, t, (a, b), k, place)
        self.places = np.array(self.places)
        self.triangles_of = [[] for _ in self.places]
        for t, members in enumerate(self.members):
            for i in members:
                self.triangles_of[i].append(t)

    def _find(self, item):
        while self._parents.get(item, item) != item:
            item = self._parents[item]
        return item

    def _join(self, one, other):
        one, other = self._find(one), self._find(other)
        if one != other:
            self._parents[max(one, other, key=str)] = min(one, other, key=str)

    def _add(self, numbers, triangle, item, k, place):
        key = self._find((triangle, item)), k
        if key not in numbers:
            numbers[key] = len(self.places)
            self.places.append(place)
        self.members[triangle].append(numbers[key])

    def triangle_at(self, point):
        """The triangle that a point on the navmesh lies on."""
        away = [
            np.linalg.norm(
                naive_mesh.nearest_on_triangle(point, *self.navmesh.vertices[corners]) - point
            )
            for corners in self.navmesh.triangles
        ]
        return int(np.argmin(away))

    def distance(self, start, goal, links=()):
        """The length of the shortest way from one point on the navmesh to another.

        Links are (start, goal, cost), each to be taken one way.
        """
        jumps = {}
        for a, b, cost in links:
            jumps.setdefault(self.triangle_at(a), []).append((np.array(a), np.array(b), cost))
        goal_triangle, goal = self.triangle_at(goal), np.array(goal)
        best, done = np.inf, set()
        waiting = [(0.0, 0, ("point", tuple(start), self.triangle_at(start)))]
        known, ties = {}, itertools.count(1)
        while waiting:
            gone, _, node = heapq.heappop(waiting)
            if gone >= best:
                break
            if node in done:
                continue
            done.add(node)
            if node[0] == "point":
                place, around = np.array(node[1]), [node[2]]
            else:
                place, around = self.places[node[1]], self.triangles_of[node[1]]
            for t in around:
                if t == goal_triangle:
                    best = min(best, gone + np.linalg.norm(goal - place))
                away = np.linalg.norm(self.places[self.members[t]] - place, axis=1)
                for i, way in zip(self.members[t], away.tolist(), strict=True):
                    if gone + way < known.get(i, np.inf):
                        known[i] = gone + way
                        heapq.heappush(waiting, (gone + way, next(ties), ("place", i)))
                for a, b, cost in jumps.get(t, ()):
                    way = gone + np.linalg.norm(a - place) + cost
                    node_there = ("point", tuple(b), self.triangle_at(b))
                    heapq.heappush(waiting, (way, next(ties), node_there))
        return best
