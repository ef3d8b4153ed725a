"""What has to hold for every navmesh on a surface, by the referee's word.

Where two sides of a scene meet in a corner too sharp for the agent's body, a *chamfer* may join
what is left of them: flat polygons across the corner, off the scene::

      wall |                        free ground ends r before the corner on either side
           |.
           | .   chamfer
           |  .
           +---'-----  floor

Only on chamfers may a navmesh leave the scene.
"""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from tests.twins.naive_surface import (
    Boxes,
    Referee,
    distances_to_triangles,
    geodesic_boundary_distance,
    layers_over,
    normals_of,
    sample_faces,
)

# A polygon that is farther off the scene than this is a chamfer. [m]
CHAMFER = 0.02
# How far a navmesh may lie over or under a point of the scene that it covers. [m]
COVER = 0.05


@dataclass
class Shares:
    """How right a navmesh is, of points drawn evenly by area.

    `recall` is the share of the scene's free points that the navmesh covers, `precision` the share
    of the navmesh's points beside chamfers that are free, `chamfer` the share of its points that
    are on chamfers, and `chamfer_distance` how far these are from the scene at most, in metres.
    `faults` counts what is wrong with points beside chamfers, `missed` has the (n, 3) free points
    that are not covered, and `wrong` the (n, 3) points of the navmesh that are not free.
    """

    recall: float
    precision: float
    chamfer: float
    chamfer_distance: float
    faults: dict[str, int]
    missed: np.ndarray = field(repr=False)
    wrong: np.ndarray = field(repr=False)


def check_navmesh(
    navmesh,
    scene,
    agent,
    *,
    samples=500,
    seed=0,
    tolerance=0.01,
    normal_tolerance=15.0,
    max_turn_convex=180.0,
    max_turn_concave=180.0,
    rims=True,
    left_out=None,
    allowed=0.0,
):
    """Check that a navmesh is sound and lies where the referee calls the scene free.

    Parameters
    ----------
    samples, seed : int
        Points to draw on the navmesh, and as many on the scene.
    tolerance : float
        How far the navmesh may leave the scene beside chamfers, and how much its boundary may be
        beside the right one: points that a larger or smaller radius by this decides about are not
        judged. [m]
    normal_tolerance : float
        How much the normals of navmesh and scene may differ. [degrees]
    max_turn_convex, max_turn_concave : float
        Edges of the scene that turn by more are ends of the ground. [degrees]
    rims : bool
        Whether the agent keeps its radius from the ends of the ground. Faces of the scene hang
        together where they share whole edges, so where they do not this cannot be judged.
    left_out : faces of the scene, optional
        That are in nobody's way.
    allowed : float
        The share of points that may be wrong in any way.

    Returns
    -------
    Shares
    """
    assert navmesh.validate() == []
    judge = _Judge(scene, agent, left_out, rims, max_turn_convex, max_turn_concave)
    triangles, owners = fans(navmesh)
    points, drawn = sample_faces(navmesh.vertices, triangles, samples, seed)
    normals = normals_of(navmesh.vertices[triangles])[drawn]
    beside = ~on_chamfers(navmesh, judge.faces, points, owners[drawn])

    faults = {}
    wrong = np.zeros(samples, dtype=bool)

    def blame(name, ids):
        faults[name] = len(ids)
        wrong[ids] = True

    layers = layers_over(navmesh.vertices, triangles, points, normals, agent.height / 2.0)
    blame("layers", np.flatnonzero(layers != 1))
    ids = np.flatnonzero(beside)
    away, feet, faces, angles = judge.faces.standing(points[ids], normals[ids])
    blame("off", ids[away > tolerance])
    blame("normal", ids[angles > normal_tolerance])
    for name, free in judge.verdicts(feet, faces, agent.radius - tolerance):
        blame(name, ids[~free])
    assert wrong.mean() <= allowed, f"{faults} of {samples}, such as at {points[wrong][:5]}"

    off = judge.faces.distances(points[~beside])
    missed, free = _missed(
        navmesh, triangles, scene, judge, agent.radius + tolerance, samples, seed
    )
    return Shares(
        recall=1.0 - len(missed) / max(free, 1),
        precision=1.0 - np.count_nonzero(wrong & beside) / max(len(ids), 1),
        chamfer=1.0 - beside.mean(),
        chamfer_distance=off.max(initial=0.0),
        faults=faults,
        missed=missed,
        wrong=points[wrong],
    )


def _missed(navmesh, triangles, scene, judge, radius, samples, seed):
    """Return the free points of the scene that are not covered, and how many are free."""
    points, faces = sample_faces(scene.vertices, scene.faces, samples, seed)
    free = np.all([free for _, free in judge.verdicts(points, faces, radius)], axis=0)
    points, normals = points[free], judge.faces.normals[faces[free]]
    covered = layers_over(navmesh.vertices, triangles, points, normals, COVER) > 0
    return points[~covered], len(points)


def room_area(width, depth, height, r):
    """Return the area of the navmesh of a room: sides, chamfers along edges and in corners."""
    w, d, h = width - 2 * r, depth - 2 * r, height - 2 * r
    sides = 2 * (w * d + w * h + d * h)
    edges = 4 * r * np.sqrt(2) * (w + d + h)
    corners = 8 * np.sqrt(3) / 4 * (r * np.sqrt(2)) ** 2
    return sides + edges + corners


def fans(navmesh):
    """Return the polygons as (t, 3) triangles around their first corners, and their polygons."""
    corners = [
        (
            navmesh.polygon_vertices[start],
            navmesh.polygon_vertices[i],
            navmesh.polygon_vertices[i + 1],
        )
        for start, stop in pairwise(navmesh.polygon_offsets)
        for i in range(start + 1, stop - 1)
    ]
    owners = np.repeat(np.arange(navmesh.polygon_count), np.diff(navmesh.polygon_offsets) - 2)
    triangles = np.array(corners)
    a, b, c = navmesh.vertices[triangles].transpose(1, 0, 2)
    # Corners in line with the first one make triangles without area.
    sound = np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-9
    return triangles[sound], owners[sound]


def on_chamfers(navmesh, faces, points, polygons):
    """Tell, (n,) bool, which points are on polygons of which any point or the middle is off."""
    used = np.unique(polygons)
    middles = np.array([navmesh.polygon(polygon).mean(axis=0) for polygon in used])
    off = np.concatenate(
        [used[faces.distances(middles) > CHAMFER], polygons[faces.distances(points) > CHAMFER]]
    )
    return np.isin(polygons, off)


class _Faces:
    """The faces of a scene, to stand on."""

    def __init__(self, scene):
        self.boxes = Boxes(scene.vertices[scene.faces])
        self.normals = normals_of(self.boxes.corners)

    def _nearest(self, point, normal=None):
        """Return distance, place and id of the nearest face, of those on the front if asked."""
        reach = CHAMFER
        while True:
            ids = self.boxes.ids_near(point, point, reach)
            if normal is not None:
                ids = ids[self.normals[ids] @ normal > 0.0]
            if len(ids):
                away, places = distances_to_triangles(self.boxes.corners[ids], point)
                best = np.argmin(away)
                if away[best] <= reach:
                    return away[best], places[best], ids[best]
            if reach > 1e6:
                return np.inf, point, 0
            reach *= 2.0

    def distances(self, points):
        """Return how far points are from the scene, (n,)."""
        return np.array([self._nearest(point)[0] for point in points])

    def standing(self, points, normals):
        """Return what points with an up of their own stand on.

        That is distance, (n,), place, (n, 3), face, (n,), and the angle between the normals, (n,)
        in degrees.
        """
        found = [self._nearest(*pair) for pair in zip(points, normals, strict=True)]
        faces = np.array([face for _, _, face in found], dtype=int)
        cosines = np.einsum("ij,ij->i", self.normals[faces], normals)
        return (
            np.array([away for away, _, _ in found]),
            np.array([place for _, place, _ in found]).reshape(-1, 3),
            faces,
            np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0))),
        )


class _Judge:
    """The referee, the scene's ends and its faces."""

    def __init__(self, scene, agent, left_out, rims, max_turn_convex, max_turn_concave):
        self.scene, self.faces, self.rims = scene, _Faces(scene), rims
        self.referee = Referee(scene.vertices, scene.faces, agent, left_out)
        self.limits = (max_turn_convex, max_turn_concave)

    def verdicts(self, points, faces, radius):
        """Yield what makes points free, and for which points, (n,) bool, it is so."""
        yield "headroom", self.referee.has_headroom(points, faces)
        within = 2.0 * radius + COVER
        yield "body", self.referee.body_distance(points, faces, within) >= radius
        if self.rims:
            vertices, triangles = self.scene.vertices, self.scene.faces
            # Fine enough for distances that are right to a millimetre or so.
            ways = geodesic_boundary_distance(
                vertices, triangles, points, faces, *self.limits, max(radius / 10.0, 0.01), within
            )
            yield "rim", ways >= radius
