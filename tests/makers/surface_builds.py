"""Scenes for the surface method, builds of them, and what can be counted on navmeshes."""

import numpy as np
import shapely

import walkmesh as wm
from tests.checks.surface_checks import fans
from tests.twins.naive_surface import layers_over, normals_of, sample_faces
from walkmesh.samples.soup import Soup

AGENT = wm.Agent()
R = AGENT.radius
# Boundaries as they come, and arcs close to round.
PLAIN = {"boundary_tolerance": 0.0, "arc_error": 1e-3}


def build(scene, agent=AGENT, **settings):
    """Build a navmesh by the surface method, which must be sound."""
    navmesh = wm.build(scene, agent, wm.Surface(**settings))
    assert navmesh.validate() == []
    return navmesh


# Scenes


def moved(scene, rotation=None, shift=(0.0, 0.0, 0.0)):
    """Return a scene turned by a (3, 3) rotation and then moved; its up stays."""
    rotation = np.eye(3) if rotation is None else rotation
    return wm.Scene(scene.vertices @ np.asarray(rotation).T + shift, scene.faces, scene.up)


def flipped(scene):
    """Return a scene with all triangles facing the other way."""
    return wm.Scene(scene.vertices, scene.faces[:, ::-1], scene.up)


def together(*scenes):
    """Return all triangles of some scenes as one; up is that of the first."""
    starts = np.cumsum([0] + [len(scene.vertices) for scene in scenes])
    return wm.Scene(
        np.concatenate([scene.vertices for scene in scenes]),
        np.concatenate([scene.faces + start for scene, start in zip(scenes, starts, strict=False)]),
        scenes[0].up,
    )


def plate(polygon, *boxes, height=0.0):
    """Return a level polygon of (u, v), with boxes from (u, v, h) to (u, v, h) on it."""
    soup = Soup()
    soup.sheet(polygon, height)
    for low, high in boxes:
        soup.box(low, high)
    return soup.scene("y")


def folded(polygon, line, degrees):
    """Return a polygon of (u, v) whose part beyond u = `line` goes up by an angle there.

    Negative angles fold it down. It is as large as before, and so is every distance along it.
    """
    angle = np.radians(degrees)
    low, _, high, _ = polygon.bounds
    soup = Soup()
    for start, stop, turn in ((low, line, 0.0), (line, high, angle)):
        part = shapely.clip_by_rect(polygon, start, -1e3, stop, 1e3)
        flat = Soup()
        flat.sheet(part, 0.0)
        u, v, _ = flat.triangles().reshape(-1, 3).T
        beyond = u - line
        soup.add(np.stack([line + beyond * np.cos(turn), v, beyond * np.sin(turn)], axis=1))
    return soup.scene("y")


def shuffled(scene, seed=0):
    """Return a scene with its triangles in another order, each beginning at another corner."""
    random = np.random.default_rng(seed)
    faces = scene.faces[random.permutation(len(scene.faces))]
    first = random.integers(0, 3, len(faces))[:, None]
    return wm.Scene(
        scene.vertices, np.take_along_axis(faces, (first + np.arange(3)) % 3, axis=1), scene.up
    )


# Navmeshes


def is_closed(navmesh):
    """Tell whether no edge of a navmesh is its boundary."""
    return bool(np.all(navmesh.neighbors >= 0))


def euler_characteristic(navmesh):
    """Return V - E + F: 2 for what is like a sphere, 0 for a torus or a tube."""
    boundary = np.count_nonzero(navmesh.neighbors < 0)
    edges = (len(navmesh.neighbors) + boundary) / 2
    return len(np.unique(navmesh.polygon_vertices)) - edges + navmesh.polygon_count


def component_areas(navmesh):
    """Return the area of each component, the largest first."""
    triangles, owners = fans(navmesh)
    a, b, c = navmesh.vertices[triangles].transpose(1, 0, 2)
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2.0
    return np.sort(np.bincount(navmesh.components[owners], weights=areas))[::-1]


def surface_area(scene):
    """Return the area of all triangles of a scene."""
    a, b, c = scene.vertices[scene.faces].transpose(1, 0, 2)
    return np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0


def has_one_layer(navmesh, samples=500, reach=None):
    """Tell whether over and under points of a navmesh there is nothing else of it."""
    triangles, _ = fans(navmesh)
    points, drawn = sample_faces(navmesh.vertices, triangles, samples)
    normals = normals_of(navmesh.vertices[triangles])[drawn]
    reach = navmesh.agent.height / 2.0 if reach is None else reach
    return bool(np.all(layers_over(navmesh.vertices, triangles, points, normals, reach) == 1))


def plan_of(navmesh, scene):
    """Return a navmesh in the plan of a scene, as one shapely geometry."""
    points = scene.frame.to_plan(navmesh.vertices)[:, :2]
    corners = np.split(navmesh.polygon_vertices, navmesh.polygon_offsets[1:-1])
    return shapely.union_all([shapely.Polygon(points[ids]) for ids in corners], grid_size=1e-7)
