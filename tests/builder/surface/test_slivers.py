"""Trees over slivers: nothing is missed, and what a fan of slivers costs."""

from __future__ import annotations

import numpy as np
import pytest

from walkmesh.box_tree import BoxTree
from walkmesh.builder.surface.kernels.look_up import look_up
from walkmesh.builder.surface.kernels.weld import find_junctions
from walkmesh.builder.surface.slivers import tree_over_edges, tree_over_faces


def fan(random, count):
    """Return the corners (n, 3) and triangles of needles around one point, at any angle."""
    turns = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    rim = np.stack([5.0 * np.cos(turns), 5.0 * np.sin(turns), random.normal(0.0, 0.5, count)], 1)
    i = np.arange(count)
    triangles = np.stack([np.zeros(count, dtype=int), 1 + i, 1 + (i + 1) % count], axis=1)
    turned = np.linalg.qr(random.normal(size=(3, 3)))[0]
    return np.concatenate([np.zeros((1, 3)), rim]) @ turned, triangles.astype(np.int32)


def soup(random, count):
    """Return triangles of any shape, some of them without any width."""
    corners = random.normal(size=(count, 3, 3)) * 10.0 ** random.uniform(-4.0, 1.0, (count, 1, 1))
    flat = random.random(count) < 0.3
    share = random.random((count, 1))
    corners[flat, 2] = (corners[:, 0] + share * (corners[:, 1] - corners[:, 0]))[flat]
    return corners.reshape(-1, 3), np.arange(3 * count, dtype=np.int32).reshape(-1, 3)


@pytest.mark.parametrize("shape", [fan, soup])
@pytest.mark.parametrize("seed", range(5))
def test_every_place_of_a_face_is_in_one_of_its_boxes(shape, seed):
    random = np.random.default_rng(seed)
    points, triangles = shape(random, 200)
    tree = tree_over_faces(points, triangles, BoxTree.over(points, triangles))
    assert len(tree.order) > len(triangles)
    for face, corners in enumerate(points[triangles]):
        weights = random.dirichlet(np.full(3, 0.4), 50)
        places = np.concatenate([weights @ corners, corners])
        # Leaves hold what their boxes say.
        boxes = tree.boxes[_parts_of(tree, points, triangles, face)]
        inside = (places[:, None] >= boxes[:, :3]) & (places[:, None] <= boxes[:, 3:])
        assert inside.all(axis=2).any(axis=1).all()


def _parts_of(tree, points, triangles, face):
    """Return the boxes of one face, which are in the order of the faces."""
    counts = np.bincount(tree.order, minlength=len(triangles))
    first = counts[:face].sum()
    return np.arange(first, first + counts[face])


@pytest.mark.parametrize("seed", range(5))
def test_looking_up_finds_the_same_with_either_tree(seed):
    random = np.random.default_rng(seed)
    points, triangles = fan(random, 300)
    whole = BoxTree.over(points, triangles)
    fine = tree_over_faces(points, triangles, whole)
    places = random.uniform(-4.0, 4.0, (500, 3))
    ways = random.normal(size=(500, 3))
    # Along an axis as well, where much is divided by nothing.
    ways[:100] = np.eye(3)[random.integers(3, size=100)]
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    found = []
    faces = points, triangles, np.zeros((len(triangles), 3))  # whose normals are not looked at
    for tree in (whole, fine):
        found.append(np.empty(len(places), dtype=np.uint8))
        look_up(places, ways, faces, tree.arrays, 3.0, found[-1])
    assert np.array_equal(*found)
    naive = [_meets(points[triangles], *line, 3.0) for line in zip(places, ways, strict=True)]
    assert np.array_equal(found[0], naive)
    assert 50 < found[0].sum() < 450


def _meets(corners, place, way, height):
    """Tell whether a line of a length meets any of (t, 3, 3) triangles."""
    a, b, c = (corners[:, k] - place for k in range(3))
    volumes = [np.cross(p, q) @ way for p, q in ((a, b), (b, c), (c, a))]
    through = (np.sign(volumes) == np.sign(volumes[0])).all(axis=0)
    normals = np.cross(b - a, c - a)
    up = (normals * a).sum(axis=1) / (normals @ way)
    return bool((through & (up > 1e-3) & (up < height - 1e-3)).any())


def test_vertices_on_long_edges_are_found_once():
    random = np.random.default_rng(0)
    short = random.uniform(-9.0, 9.0, (400, 3))
    ends = short[:, None] + np.stack([np.zeros((400, 3)), random.normal(0.0, 0.1, (400, 3))], 1)
    ends = np.concatenate([ends, [[(-9.0, -8.0, -7.0), (9.0, 8.0, 7.0)]]])
    share = np.linspace(0.01, 0.99, 99)[:, None]
    inside = ends[-1, 0] + share * (ends[-1, 1] - ends[-1, 0])
    points = np.concatenate([ends.reshape(-1, 3), inside])
    edges = np.arange(2 * len(ends), dtype=np.int32).reshape(-1, 2)
    tree = tree_over_edges(points, edges)
    assert np.count_nonzero(tree.order == 400) > 10
    vertices = np.arange(len(points), dtype=np.int32)
    found = np.empty((1000, 2), dtype=np.int32)
    count = find_junctions(points, vertices, edges, tree.arrays, 3e-5, found)
    pairs = found[:count].tolist()
    assert sorted(pairs) == [[802 + k, 400] for k in range(99)]
