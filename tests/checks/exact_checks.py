"""Ways into the stages of the exact method, and what must hold after each of them."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import shapely

import walkmesh as wm
from tests.twins import naive_exact
from walkmesh.builder.exact.stages.clearance import clear, outline
from walkmesh.builder.exact.stages.cut import cut
from walkmesh.builder.exact.stages.detail import merge_level
from walkmesh.builder.exact.stages.ramps import add_ramps
from walkmesh.builder.exact.walls import find_walls
from walkmesh.builder.faces import filter_slope
from walkmesh.builder.ground import Pieces, level_mesh, plan_areas
from walkmesh.builder.regions import Regions
from walkmesh.builder.stitch import stitch
from walkmesh.frame import Frame
from walkmesh.ragged import offsets_of

AGENT = wm.Agent()
FRAME = Frame((0.0, 0.0, 1.0))
# What stages may lose of an area by rounding, for each metre of outline. [m]
ROUNDING = 2e-6


def scene_of(triangles):
    """Return (t, 3, 3) triangles as what the first stage asks of a scene.

    The frame of a real scene lies in the middle of it; here it is the world, to compare by hand.
    """
    triangles = np.asarray(triangles, dtype=np.float64).reshape(-1, 3, 3)
    faces = np.arange(3 * len(triangles), dtype=np.int32).reshape(-1, 3)
    return SimpleNamespace(vertices=triangles.reshape(-1, 3), faces=faces, frame=FRAME, up="z")


def sheet(polygon, height):
    """Return the triangles of a polygon in plan; `height` is a number or called with (u, v)."""
    rings = shapely.get_coordinates(shapely.constrained_delaunay_triangles(polygon))
    flat = shapely.orient_polygons(shapely.polygons(rings.reshape(-1, 4, 2)))
    corners = shapely.get_coordinates(flat).reshape(-1, 4, 2)[:, :3]
    level = height if callable(height) else lambda u, _v: 0.0 * u + height
    return np.concatenate([corners, level(corners[..., 0], corners[..., 1])[..., None]], axis=2)


def curtain(a, b, low, high):
    """Return two upright triangles from a to b in plan."""
    p, q, r, s = (*a, low), (*b, low), (*b, high), (*a, high)
    return np.array([(p, q, r), (p, r, s)])


def block(polygon, low, high):
    """Return the top and the sides of a prism."""
    ring = shapely.get_coordinates(shapely.orient_polygons(polygon).exterior)
    sides = [curtain(a, b, low, high) for a, b in itertools.pairwise(ring)]
    return np.concatenate([sheet(polygon, high), *sides])


def pieces_of(polygons):
    """Return pieces of lists of corners (u, v, h)."""
    sizes = np.array([len(polygon) for polygon in polygons], dtype=int)
    corners = np.concatenate([np.asarray(polygon, dtype=np.float64) for polygon in polygons])
    sources = np.arange(len(polygons), dtype=np.int32)
    return Pieces(offsets_of(sizes), np.ascontiguousarray(corners), sources)


def plans(pieces):
    """Return every piece in plan."""
    return [shapely.Polygon(pieces.corners[a:b, :2]) for a, b in itertools.pairwise(pieces.offsets)]


def union(polygons):
    """Return the union of polygons; on a grid, since GEOS loses parts of unions without one."""
    return shapely.union_all(polygons, grid_size=1e-9)


def polygonal(region):
    """Return the polygons that a region consists of, without what has no area."""
    return [part for part in shapely.get_parts(region) if part.area > 1e-9]


# Each stage, followed by its check


def faces_of(triangles, agent=AGENT):
    return filter_slope(scene_of(triangles), agent)


def cut_faces(triangles, agent=AGENT):
    """Cut a scene and check the pieces; return the faces too."""
    faces = faces_of(triangles, agent)
    pieces = cut(faces, agent, lambda _: None, None)
    check_pieces(pieces)
    for a, b, source in zip(pieces.offsets, pieces.offsets[1:], pieces.sources, strict=False):
        triangle = faces.points[faces.triangles[source]]
        for u, v, h in pieces.corners[a:b]:
            assert abs(naive_exact.height_on(triangle, u, v) - h) < 1e-6
        plan = shapely.Polygon(triangle[:, :2])
        assert plan.buffer(1e-6).covers(shapely.Polygon(pieces.corners[a:b, :2]))
    return faces, pieces


def check_pieces(pieces):
    """Pieces are convex and counter-clockwise, and those of one source do not overlap."""
    of_source = {}
    for plan, source in zip(plans(pieces), pieces.sources.tolist(), strict=True):
        ring = np.array(plan.exterior.coords)
        side = np.diff(ring, axis=0)
        ahead = np.roll(side, -1, axis=0)
        turn = side[:, 0] * ahead[:, 1] - side[:, 1] * ahead[:, 0]
        assert (turn >= -1e-9 * (1.0 + np.hypot(*side.T))).all()
        assert turn.max() > 0.0
        assert plan.exterior.is_ccw
        of_source.setdefault(source, []).append(plan)
    for parts in of_source.values():
        outlines = sum(part.length for part in parts)
        total = sum(part.area for part in parts)
        assert abs(union(parts).area - total) <= ROUNDING * outlines


def stitched(pieces, agent=AGENT):
    ground, counts = stitch(pieces, agent)
    check_ground(ground, agent)
    return ground, counts


def check_ground(ground, agent=AGENT):
    """Mates are mutual and within a step, every vertex has one fan, all polygons an area."""
    corners = np.arange(len(ground.vertices))
    inner = corners[ground.mates >= 0]
    mates, ahead = ground.mates[inner], ground.following
    assert np.array_equal(ground.mates[mates], inner)
    assert np.array_equal(ground.vertices[inner], ground.vertices[ahead[mates]])
    assert np.array_equal(ground.vertices[ahead[inner]], ground.vertices[mates])
    step = np.abs(ground.heights[inner] - ground.heights[ahead[mates]])
    assert step.max(initial=0.0) <= agent.max_step + 3e-6
    fans = {}
    for corner, vertex in enumerate(ground.vertices.tolist()):
        fans.setdefault(vertex, set()).add(corner)
    assert set(map(frozenset, fans.values())) == naive_exact.fans(ground.offsets, ground.mates)
    assert (plan_areas(ground) > 0.0).all()
    # Around each vertex one way in and one way out at most, so the boundary never branches.
    leaving = np.bincount(ground.vertices[ground.mates < 0], minlength=len(ground.points))
    assert leaving.max(initial=0) <= 1


def ground_of(triangles, agent=AGENT):
    """Return faces and ground of a scene whose faces share their edges."""
    faces, pieces = cut_faces(triangles, agent)
    return faces, stitched(pieces, agent)[0]


def cleared(triangles, agent=AGENT, arc_error=0.025, wall_thickness=0.0):
    """Return what is left of a scene's ground after clearance, as checked pieces."""
    faces, ground = ground_of(triangles, agent)
    pieces = clear(
        merge_level(level_mesh(ground, FRAME)),
        outline(ground),
        find_walls(ground, faces, agent),
        agent,
        Regions.none(),
        arc_error,
        wall_thickness,
        lambda _: None,
        None,
    )
    check_pieces(pieces)
    return pieces


def ramped(triangles, agent=AGENT, stair_slope=45.0):
    """Return the ground of a scene with ramps for steps, as checked (n, 3) points and triangles."""
    _, ground = ground_of(triangles, agent)
    mesh, counts = add_ramps(ground, agent, stair_slope, 0.01, FRAME, None)
    check_single_heights(mesh)
    return mesh, counts


def check_single_heights(mesh):
    """Triangles face up and do not overlap: at every place there is one height."""
    corners = mesh.points[mesh.triangles]
    assert np.isfinite(corners).all()
    triangles = shapely.polygons(corners[..., :2])
    assert shapely.is_ccw(shapely.get_exterior_ring(triangles)).all()
    total, outlines = shapely.area(triangles).sum(), shapely.length(triangles).sum()
    assert abs(union(triangles).area - total) <= 2.5e-4 * outlines


def height_at(mesh, u, v):
    """Return the height of a mesh at a place, NaN outside."""
    for triangle in mesh.points[mesh.triangles]:
        if shapely.Polygon(triangle[:, :2]).buffer(1e-9).covers(shapely.Point(u, v)):
            return naive_exact.height_on(triangle, u, v)
    return math.nan
