"""Every question that a navmesh answers, with fingerprints of the answers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    import walkmesh as wm
    from prints import Prints

    Points = NDArray[np.float64]

NAVMESH = ("vertices", "polygon_offsets", "polygon_vertices", "neighbors", "areas", "components",
           "links", "triangles", "triangle_polygons", "area", "up", "surface")  # fmt: skip
PATHS = ("points", "offsets", "polygons", "polygon_offsets", "links", "link_offsets", "statuses",
         "lengths", "costs", "optimal")  # fmt: skip
PLACES = ("polygons", "points", "distances")
RAYS = ("hits", "points", "polygons", "edges", "distances")
NODES = ("positions", "kinds", "polygons", "polygon_offsets", "edges", "lengths", "costs",
         "one_way", "via", "edge_polygons", "edge_links")  # fmt: skip
ALONE = 5  # paths that are also asked for one by one
# A concave outline to paint inside of, in parts of the navmesh's size from its middle.
OUTLINE = ((-0.4, -0.35), (0.3, -0.4), (0.05, 0.02), (0.37, 0.33), (-0.11, 0.4))


def ask(prints: Prints, name: str, navmesh: wm.NavMesh, count: int) -> None:
    """Ask everything, with `count` pairs of places on the navmesh and beside it."""
    drawn = navmesh.sample(2 * count, seed=1)
    prints.add_all(f"{name}/sample", drawn, PLACES)
    spread = np.random.default_rng(7).normal(0.0, 0.3, drawn.points.shape)
    around = drawn.points + spread
    ask_about_places(prints, name, navmesh, around, spread)
    ask_for_paths(prints, name, navmesh, around[:count], around[count:])
    ask_about_areas(prints, name, navmesh, around[:count], around[count:])
    linked = link(navmesh, drawn.points, min(8, count // 2))
    prints.add_all(f"{name}/linked", linked, NAVMESH)
    prints.add_all(f"{name}/pruned", linked.prune(drawn.points[0]), NAVMESH)
    paths = linked.find_paths(around[:count], around[count:])
    prints.add_all(f"{name}/paths/linked", paths, PATHS)
    prints.add(f"{name}/distances/linked", linked.distances(around[0], around[count:]))
    for title in ("centers", "midpoints", "corners", "centers midpoints corners"):
        nodes = (linked if title == "corners" else navmesh).path_nodes(title.split())
        prints.add_all(f"{name}/nodes/{title}", nodes, NODES)
        over = [nodes.find_path(*ends) for ends in pairs(around[:count], around[count:])]
        add_paths(prints, f"{name}/path/over {title}", over)


def ask_about_places(
    prints: Prints, name: str, navmesh: wm.NavMesh, places: Points, spread: Points
) -> None:
    prints.add_all(f"{name}/nearest", navmesh.nearest(places, max_snap=0.3), PLACES)
    prints.add_all(f"{name}/nearest of far", navmesh.nearest(places + 5.0 * spread), PLACES)
    prints.add(f"{name}/contains", navmesh.contains(places))
    prints.add(f"{name}/wall_distance", navmesh.wall_distance(places))
    starts, goals = np.split(places, 2)
    prints.add_all(f"{name}/raycast", navmesh.raycast(starts, goals), RAYS)
    for kind, first in (("pairs", starts), ("one", starts[0]), ("all", starts[:5, None])):
        prints.add(f"{name}/distances/{kind}", navmesh.distances(first, goals))
        prints.add(f"{name}/reachable/{kind}", navmesh.reachable(first, goals))


def ask_for_paths(
    prints: Prints, name: str, navmesh: wm.NavMesh, starts: Points, goals: Points
) -> None:
    radius = navmesh.agent.radius
    kinds: dict[str, dict[str, Any]] = {
        "shortest": {},
        "corridor": {"optimal": False},
        "partial": {"partial": True, "max_snap": 0.5},
    }
    if not navmesh.surface:
        kinds |= {f"{extra} m wider": {"radius": radius + extra} for extra in (0.05, 0.3)}
    for kind, options in kinds.items():
        paths = navmesh.find_paths(starts, goals, **options)
        prints.add_all(f"{name}/paths/{kind}", paths, PATHS)
        one_by_one = [navmesh.find_path(*ends, **options) for ends in pairs(starts, goals)]
        add_paths(prints, f"{name}/path/{kind}", one_by_one)
    located = navmesh.find_paths(navmesh.nearest(starts), goals[0], workers=1)
    prints.add_all(f"{name}/paths/located", located, PATHS)


def ask_about_areas(
    prints: Prints, name: str, navmesh: wm.NavMesh, starts: Points, goals: Points
) -> None:
    """Give the ground areas, and ask for ways that depend on them."""
    if navmesh.surface:
        painted = navmesh.with_areas(np.arange(navmesh.polygon_count) % 3)
    else:
        low, high = navmesh.vertices.min(axis=0), navmesh.vertices.max(axis=0)
        middle, size = (low + high) / 2.0, high - low
        box = [middle - size / 5.0 - 0.5, middle + size / 7.0 + 0.5]
        sides = (high - low) * navmesh.frame.axes[:2]
        painted = navmesh.paint(1, box=box) if 1.0 in navmesh.up else navmesh
        painted = painted.paint(2, polygon=[middle + place @ sides for place in np.array(OUTLINE)])
    prints.add_all(f"{name}/painted", painted, NAVMESH)
    kinds: dict[str, dict[str, Any]] = {
        "costs": {"area_costs": {1: 2.5, 2: 0.5}},
        "barred": {"area_costs": {2: math.inf}, "partial": True},
        "corridor of costs": {"area_costs": {1: 4.0, 2: math.inf}, "optimal": False},
    }
    for kind, options in kinds.items():
        prints.add_all(f"{name}/paths/{kind}", painted.find_paths(starts, goals, **options), PATHS)
    barred = painted.distances(starts[0], goals, area_costs={1: 2.0, 2: math.inf})
    prints.add(f"{name}/distances/barred", barred)


def link(navmesh: wm.NavMesh, places: Points, count: int) -> wm.NavMesh:
    """Return the navmesh with links, of which some lead one way and some cost little."""
    starts, goals = places[:count], places[-count:]
    numbers = np.arange(count)
    linked = navmesh.with_links(starts, goals, two_way=numbers % 3 > 0, kind=numbers)
    return linked.with_links(goals[:2], starts[1:3], cost=0.5, two_way=False)


def add_paths(prints: Prints, name: str, paths: Sequence[wm.Path]) -> None:
    about = [(p.status, p.length, p.cost, p.optimal, len(p.points), repr(p)) for p in paths]
    prints.add(f"{name}/about", about)
    for attribute in ("points", "polygons", "links"):
        prints.add(f"{name}/{attribute}", np.concatenate([getattr(p, attribute) for p in paths]))


def pairs(starts: Points, goals: Points) -> list[list[list[float]]]:
    """Return the first few starts, each with its goal."""
    ends: list[list[list[float]]] = np.stack([starts, goals], axis=1)[:ALONE].tolist()
    return ends
