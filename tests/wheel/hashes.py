"""Prints a digest of each of twenty builds and of a thousand paths, as any walkmesh makes them."""

import hashlib

import numpy as np

import walkmesh as wm

s = wm.samples
LOW, TALL = wm.Agent(radius=0.1, height=0.5), wm.Agent(radius=0.45, height=2.4, max_step=0.2)
BUILDS = {
    "house": (s.house, wm.Agent(), wm.Exact()),
    "house, low": (s.house, LOW, wm.Exact()),
    "house, tall": (s.house, TALL, wm.Exact()),
    "house, bridges": (s.house, wm.Agent(), wm.Exact(bridge_distance=0.35)),
    "house, watershed": (s.house, wm.Agent(), wm.Voxel()),
    "house, slices": (s.house, wm.Agent(), wm.Voxel(partition="slices")),
    "house, surface": (s.house, LOW, wm.Surface()),
    "stairs": (s.stairs, wm.Agent(), wm.Exact()),
    "spiral stairs": (s.spiral_stairs, LOW, wm.Exact()),
    "doorways": (s.doorways, wm.Agent(), wm.Exact()),
    "careless plates": (s.careless_plates, wm.Agent(), wm.Exact()),
    "rubble": (s.rubble, wm.Agent(), wm.Exact()),
    "terrain": (lambda: s.terrain(5000), wm.Agent(), wm.Exact()),
    "terrain, cells": (lambda: s.terrain(5000), wm.Agent(), wm.Voxel(cell_size=0.2)),
    "planet": (s.planet, wm.Agent(), wm.Surface()),
    "room": (s.room, wm.Agent(), wm.Surface()),
    "torus": (s.torus, wm.Agent(), wm.Surface()),
    "kerb": (s.kerb, wm.Agent(), wm.Exact()),
    "office": (s.office, wm.Agent(), wm.Planar()),
    "office building": (s.office_building, wm.Agent(), wm.Planar()),
}
ARRAYS = ("vertices", "polygon_offsets", "polygon_vertices", "neighbors", "areas", "triangles")


def digest(*arrays):
    total = hashlib.sha256()
    for array in arrays:
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:16]


def main():
    for name, (make, agent, method) in BUILDS.items():
        navmesh = wm.build(make(), agent, method)
        print(name, navmesh.polygon_count, digest(*(getattr(navmesh, a) for a in ARRAYS)))
        ends = navmesh.sample(100, seed=7).points
        paths = navmesh.find_paths(ends[:50], ends[50:])
        print(name, "paths", digest(paths.lengths, *(path.points for path in paths)))


if __name__ == "__main__":
    main()
