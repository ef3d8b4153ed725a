"""Joining: corners, steps and slits that part the surface are walked over."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.box_tree import BoxTree
from walkmesh.builder.surface.kernels.claim_spans import claim_spans
from walkmesh.builder.surface.kernels.fill_loops import fill_loops
from walkmesh.builder.surface.kernels.look_up import look_up, touch_faces
from walkmesh.builder.surface.kernels.pair_edges import (
    BEVEL,
    CORNER,
    GAP,
    RADIUS,
    TOO_MANY_NEAR,
    pair_edges,
)
from walkmesh.builder.surface.kernels.tolerances import ARC_SLACK, NO_MEETING, SAME_SIDE
from walkmesh.builder.surface.sheet import SheetPieces
from walkmesh.builder.surface.stages.cut import find_ledges
from walkmesh.builder.surface.stages.stitch import stitch
from walkmesh.errors import BuildError
from walkmesh.polygon_layers import find_layers
from walkmesh.polygon_planes import normals_of
from walkmesh.ragged import offsets_of
from walkmesh.tolerances import SAME_LAYER, headroom

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Ids
    from walkmesh.builder.stage import Stage
    from walkmesh.builder.surface.sheet import Sheet
    from walkmesh.builder.surface.stages.faces import Sides
    from walkmesh.builder.surface.state import SurfaceBuild, Turns

# The cosine between any two directions is more than this.
_ANY_WAY = -np.inf
# Where headroom is looked for: this far from the middle of a triangle towards its corners.
_CLOSE = 0.8
# How often edges may be near others, each of which takes about 10 ns. Real scenes with both sides
# have up to 2^24, pieces of slivers that stand in each other's way the square of their number.
_MOST_NEAR = 1 << 31


def run(build: SurfaceBuild) -> Stage:
    """Lay joints across corners, steps and slits."""
    gap, turns = build.method.gap_distance, build.turns
    joined, joints = join(build.sheet, build.faces, build.agent, gap, turns)
    build.sheet = joined
    return build.made(lambda: joined.mesh(build.scene.frame), **joints)


def join(
    sheet: Sheet, faces: Sides, agent: Agent, gap_distance: float, turns: Turns
) -> tuple[Sheet, dict[str, int]]:
    """Lay polygons across corners, steps and slits, and where several of them meet.

    Returns
    -------
    Sheet
        With the joints, whose source is -1.
    dict of str to int
        How many triangles were laid across.
    """
    limits = np.array(
        [
            agent.height,
            agent.radius,
            agent.max_step,
            gap_distance,
            math.cos(math.radians(agent.max_slope)),
            math.cos(turns.limits[1]),
        ]
    )
    strips, kinds = _find_strips(sheet, faces, limits)
    if len(strips) == 0:
        return sheet, {"joints": 0}
    # Steps are walked over between two places to stand; on what lies across a corner one stands.
    free = _have_headroom(strips.reshape(-1, 3, 3), faces, agent.height)
    strips = strips[(kinds != CORNER) | free.reshape(-1, 2).all(axis=1)]
    joined, _ = stitch(SheetPieces.together(sheet, _joints(strips.reshape(-1, 3, 3))), turns)
    patches = _between(joined, faces, agent, turns)
    patches = patches[_have_headroom(patches, faces, agent.height)]
    if len(patches):
        joined, _ = stitch(SheetPieces.together(joined, _joints(patches)), turns)
    joined = _without_layers(joined, agent)
    return joined, {"joints": int(np.count_nonzero(joined.sources < 0))}


def _find_strips(sheet: Sheet, faces: Sides, limits: Floats) -> tuple[Floats, Floats]:
    """(j, 2, 3, 3) and (j,) float64: the two triangles of strips between edges, and what these are.

    The latter is SLIT, CORNER or BEVEL.
    """
    edges = np.flatnonzero(sheet.mates < 0)
    if len(edges) == 0:
        return np.empty((0, 2, 3, 3)), np.empty(0)
    starts, ends, normals = sheet.edges(edges)
    tree = BoxTree.over_lines(np.concatenate([starts, ends], axis=1))
    room = 4 * len(edges) + 256
    while True:
        pairs, spans = np.empty((room, 2), dtype=np.int32), np.empty((room, 4))
        count = pair_edges(
            (starts, ends, normals), sheet.blockers[edges], faces.normals, faces.levels,
            tree.arrays, limits, _MOST_NEAR, pairs, spans,
        )  # fmt: skip
        if count == TOO_MANY_NEAR:
            raise BuildError(
                f"the {len(edges)} boundary edges of what faces leave of each other are near each "
                f"other more than {_MOST_NEAR} times; so tangled a scene takes wm.Voxel()"
            )
        if count <= room:
            break
        room = int(count)
    real = _are_there(starts, ends, normals, pairs[:count], spans[:count], sheet, faces, limits)
    pairs, spans = pairs[:count][real], spans[:count][real]
    # The nearest first; of equally near ones those that share more.
    order = np.lexsort((spans[:, 1] - spans[:, 2], np.round(spans[:, 0], 6))).astype(np.int32)
    room = 2 * len(pairs) + 16
    while True:
        joins = np.empty((room, 13))
        found = claim_spans(starts, ends, pairs, spans, order, joins)
        if found <= room:
            break
        room = int(found)
    low, high, far_high, far_low = joins[:found, :12].reshape(-1, 4, 3).transpose(1, 0, 2)
    triangles = np.stack([high, low, far_low, high, far_low, far_high], axis=1)
    return triangles.reshape(-1, 2, 3, 3), joins[:found, 12]


def _are_there(
    starts: Floats,
    ends: Floats,
    normals: Floats,
    pairs: Ids,
    spans: Floats,
    sheet: Sheet,
    faces: Sides,
    limits: Floats,
) -> Bools:
    """Tell which pairs of edges are real: the scene is between them.

    A corner has both its sides where their planes meet. A step with a slope has that slope in the
    middle; but it is none where one can walk on the slope by itself.
    """
    real = np.ones(len(pairs), dtype=bool)
    one, two = pairs.T
    way = ends[one] - starts[one]
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    middle = starts[one] + spans[:, 1:3].mean(axis=1)[:, None] * way
    across = ends[two] - starts[two]
    # Where the other edge is beside the middle.
    share = ((middle - starts[two]) * way).sum(axis=1) / (across * way).sum(axis=1)
    other = starts[two] + share[:, None] * across

    corner = spans[:, 3] == CORNER
    outwards = np.cross(way, normals[one])
    ahead = ((other - middle) * normals[two]).sum(axis=1)
    slope = (outwards * normals[two]).sum(axis=1)
    reach = np.divide(ahead, slope, out=np.zeros_like(ahead), where=np.abs(slope) > NO_MEETING)
    meeting = middle + reach[:, None] * outwards
    distance = max(limits[GAP], 0.25 * limits[RADIUS])
    for side in (one, two):
        found = _touch(faces, meeting[corner], normals[side[corner]], SAME_SIDE, distance)
        real[corner] &= found

    sloping = spans[:, 3] == BEVEL
    if sloping.any():
        places = 0.5 * (middle + other)[sloping]
        real[sloping] = _touch(faces, places, places, _ANY_WAY, limits[GAP])
        triangles, owners = sheet.triangles
        tree = BoxTree.over(sheet.corners, triangles)
        on_sheet = np.empty(len(places), dtype=np.uint8)
        touch_faces(
            places, places, _ANY_WAY, (sheet.corners, triangles, sheet.normals[owners]),
            tree.arrays, limits[GAP], on_sheet,
        )  # fmt: skip
        real[sloping] &= on_sheet == 0
    return real


def _touch(
    faces: Sides, places: Floats, directions: Floats, cosine: float, distance: float
) -> Bools:
    """Tell which places are close to a face of the scene that faces their direction."""
    found = np.empty(len(places), dtype=np.uint8)
    touch_faces(
        np.ascontiguousarray(places), np.ascontiguousarray(directions), cosine, faces.arrays,
        faces.fine_tree.arrays, distance, found,
    )  # fmt: skip
    return np.asarray(found == 1)


def _without_layers(sheet: Sheet, agent: Agent) -> Sheet:
    """Drop joints that lie over anything, or that anything lies over, as one layer too many."""
    vertices, points = sheet.vertices
    joint = sheet.sources < 0
    heights = np.where(joint, min(SAME_LAYER, headroom(agent)), headroom(agent))
    # Before the first joint there is nothing to be dropped.
    pairs = find_layers(points, sheet.offsets, vertices, heights, int(joint.argmax()))
    wrong = np.zeros(len(joint), dtype=bool)
    wrong[pairs.ravel()] = True
    return sheet.keep(~(wrong & joint))


def _have_headroom(triangles: Floats, faces: Sides, height: float) -> Bools:
    """Tell which of (t, 3, 3) triangles have nothing above them, along their normals."""
    if len(triangles) == 0:
        return np.empty(0, dtype=bool)
    normals = normals_of(
        offsets_of(np.full(len(triangles), 3)), np.ascontiguousarray(triangles.reshape(-1, 3))
    )
    middles = triangles.mean(axis=1)
    free = np.ones(len(triangles), dtype=bool)
    # In the middle, and close to each corner.
    for towards in (middles, *triangles.transpose(1, 0, 2)):
        places = middles + _CLOSE * (towards - middles)
        found = np.empty(len(places), dtype=np.uint8)
        look_up(places, normals, faces.arrays, faces.fine_tree.arrays, height, found)
        free &= found == 0
    return free


def _joints(triangles: Floats) -> SheetPieces:
    """Return (t, 3, 3) triangles as pieces that belong to no face."""
    offsets = offsets_of(np.full(len(triangles), 3))
    corners = np.ascontiguousarray(triangles.reshape(-1, 3))
    normals = normals_of(offsets, corners)
    wide = np.linalg.norm(normals, axis=1) > 0.5
    none = np.full(int(wide.sum()), -1, dtype=np.int32)
    return SheetPieces(
        offsets_of(np.full(len(none), 3)),
        np.ascontiguousarray(triangles[wide].reshape(-1, 3)),
        np.full(3 * len(none), -1, dtype=np.int32),
        normals[wide],
        none,
    )


def _between(sheet: Sheet, faces: Sides, agent: Agent, turns: Turns) -> Floats:
    """(t, 3, 3) float64: triangles that close the holes where joints meet."""
    vertices, points = sheet.vertices
    edges = np.flatnonzero(sheet.mates < 0).astype(np.int32)
    leaving = np.full(len(points), -1, dtype=np.int32)
    leaving[vertices[edges]] = edges
    after = np.full(len(vertices), -1, dtype=np.int32)
    after[edges] = leaving[vertices[sheet.following[edges]]]
    joint = (sheet.sources[sheet.owners] < 0).astype(np.uint8)
    is_open = np.zeros(len(vertices), dtype=np.uint8)
    is_open[edges] = find_ledges(sheet, faces, edges, turns)
    normals = np.ascontiguousarray(sheet.normals[sheet.owners])
    # Around a pillar, from one of its sides to the next, arcs of up to half a turn are left over.
    most = math.pi * agent.radius + ARC_SLACK
    triangles = np.empty((len(edges) + 16, 9))
    count = fill_loops(sheet.corners, edges, after, joint, is_open, normals, most, triangles)
    return triangles[:count].reshape(-1, 3, 3)
