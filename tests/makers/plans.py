"""Floor plans for tests, and what must hold for the navmesh of any plan."""

import math

import numpy as np
import shapely

import walkmesh as wm

POINT = wm.Agent(radius=0)
# What snapping to the grid, and stitching after clearance, may move a corner by. [m]
MOVED = 6e-4


def rectangle(width, depth, at=(0.0, 0.0)):
    x, y = at
    return [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)]


def turned(outline, degrees):
    """Return corners turned around the origin."""
    angle = math.radians(degrees)
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return np.asarray(outline, dtype=float) @ turn


def two_rooms(door, thickness=0.2, degrees=0.0):
    """Return two rooms of 4 m by 4 m with a doorway of some width between them."""
    walls = [rectangle(thickness, 2 - door / 2, (4, 0)), rectangle(thickness, 2, (4, 2 + door / 2))]
    outline = rectangle(8 + thickness, 4)
    return wm.FloorPlan(turned(outline, degrees), [turned(wall, degrees) for wall in walls])


def free_area(plan):
    """Return what is free of a plan without walls, by shapely alone."""
    return shapely.difference(plan.boundary, shapely.union_all(plan.obstacles))


def covered(navmesh):
    """Return what a navmesh covers in plan, where z is up."""
    polygons = [shapely.Polygon(navmesh.polygon(i)[:, :2]) for i in range(navmesh.polygon_count)]
    return shapely.union_all(polygons)


def check_sound(navmesh):
    """Hold a navmesh against its own rules, and its polygons against those of a grid."""
    assert navmesh.validate() == []
    polygons = [navmesh.polygon(i) for i in range(navmesh.polygon_count)]
    step = 1e-4
    for corners in polygons:
        places = np.round(corners[:, :2] / step).astype(np.int64)
        ahead = np.roll(places, -1, axis=0) - places
        after = np.roll(ahead, -1, axis=0)
        assert np.all(ahead[:, 0] * after[:, 1] >= ahead[:, 1] * after[:, 0])  # exactly convex


def check_clear(navmesh, plan, radius, arc_error):
    """Hold the navmesh of one floor against GEOS: nothing too close, and nothing missing."""
    free, ground = free_area(plan), covered(navmesh)
    nearest = shapely.difference(ground, free.buffer(-(radius - MOVED), quad_segs=64))
    assert nearest.area < 1e-9
    missing = free.buffer(-(radius + arc_error + MOVED), quad_segs=64).difference(ground)
    # Where a free place is no wider than a hair it may be lost.
    assert missing.buffer(-MOVED).area == 0.0
