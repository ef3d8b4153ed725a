"""The slow, obvious twin of the greedy triangulation of floor plans, in fractions."""

import itertools
from fractions import Fraction

from tests.checks.plan_checks import ring_edges


def greedy_triangles(points, ring_offsets, rings, between=True):
    """Return the triangles, counter-clockwise triples of places, in the order they are made."""
    places = [tuple(place) for place in points.tolist()]
    edges = [(places[a], places[b]) for a, b in ring_edges(ring_offsets, rings)]
    vertices = list(dict.fromkeys(tail for tail, _ in edges))
    valid = {
        (a, b): is_valid(a, b, edges, vertices, between)
        for a, b in itertools.combinations(vertices, 2)
    }
    made = []
    for a, b, c in itertools.combinations(vertices, 3):
        if not (valid[a, b] and valid[a, c] and valid[b, c]) or turn(a, b, c) == 0:
            continue
        triangle = (a, b, c) if turn(a, b, c) > 0 else (a, c, b)
        if any(overlap(triangle, other) for other in made):
            continue
        if any(runs_inside(triangle, p, q) for p, q in edges):
            continue
        if winding(middle(*triangle), edges) == 1:
            made.append(triangle)
    return made


def is_valid(a, b, edges, vertices, between):
    """An edge of an obstacle is valid, and one that no obstacle is in the way of."""
    on_the_way = sorted((v for v in vertices if lies_between(a, b, v)), key=lambda v: dot(a, b, v))
    if between and on_the_way:
        return False
    if any(cross_properly(a, b, p, q) for p, q in edges):
        return False
    return all(
        (p, q) in edges or (q, p) in edges or winding(middle(p, q), edges) == 1
        for p, q in itertools.pairwise([a, *on_the_way, b])
    )


def turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def dot(a, b, c):
    return (b[0] - a[0]) * (c[0] - a[0]) + (b[1] - a[1]) * (c[1] - a[1])


def middle(*places):
    return tuple(Fraction(sum(values), len(places)) for values in zip(*places, strict=True))


def lies_between(a, b, c):
    return turn(a, b, c) == 0 and dot(a, b, c) > 0 and dot(b, a, c) > 0


def cross_properly(a, b, p, q):
    return turn(a, b, p) * turn(a, b, q) < 0 and turn(p, q, a) * turn(p, q, b) < 0


def winding(place, edges):
    """Return how many times rings run around a place, counter-clockwise."""
    around = 0
    for a, b in edges:
        if (a[1] <= place[1]) != (b[1] <= place[1]):
            upward = b[1] > a[1]
            if (turn(a, b, place) > 0) == upward:
                around += 1 if upward else -1
    return around


def clip(polygon, a, b):
    """Return the part of a convex polygon to the left of a -> b."""
    kept = []
    for p, q in zip(polygon, [*polygon[1:], *polygon[:1]], strict=True):
        one, two = turn(a, b, p), turn(a, b, q)
        if one >= 0:
            kept.append(p)
        if one * two < 0:
            share = Fraction(one, one - two)
            kept.append((p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])))
    return kept


def overlap(one, two):
    common = list(one)
    for k in range(3):
        common = clip(common, two[k], two[(k + 1) % 3])
    return any(turn(common[0], p, q) > 0 for p, q in itertools.pairwise(common[1:]))


def runs_inside(triangle, p, q):
    """Tell whether a segment has points strictly inside a triangle."""
    part = [p, q]
    for k in range(3):
        part = clip(part, triangle[k], triangle[(k + 1) % 3])
    if not part:
        return False
    inner = middle(*part)
    return all(turn(triangle[k], triangle[(k + 1) % 3], inner) > 0 for k in range(3))
