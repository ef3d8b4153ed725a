"""Kernels behind box trees and chosen ground, against slow twins in numpy."""

import numpy as np

from walkmesh.builder.ground import Pieces, join, plan_areas, plan_boxes
from walkmesh.kernels.search.morton import sort_boxes


def test_boxes_are_in_morton_order():
    rng = np.random.default_rng(5)
    middles = np.repeat(np.round(rng.normal(size=(400, 3)) * 50.0, 1), 2, axis=0)
    boxes = np.concatenate([middles - 0.5, middles + 0.5], axis=1)
    order = np.empty(len(boxes), dtype=np.int32)
    sort_boxes(boxes, order)
    doubled = boxes[:, :3] + boxes[:, 3:]
    low = doubled.min(axis=0)
    cells = (doubled - low) / (doubled.max(axis=0) - low).max() * (2**21 - 1)
    codes = [
        sum(((int(c) >> bit) & 1) << (3 * bit + axis) for axis, c in enumerate(cell)
            for bit in range(21))
        for cell in cells
    ]  # fmt: skip
    assert order.tolist() == sorted(range(len(codes)), key=codes.__getitem__)


def test_chosen_polygons_keep_their_places_and_lose_other_mates():
    # Three squares in a row, each with the next as its mate.
    corners = np.array(
        [[k + u, v, k] for k in range(3) for u, v in ((0, 0), (1, 0), (1, 1), (0, 1))]
    )
    offsets = np.arange(0, 13, 4, dtype=np.int32)
    mates = np.full(12, -1, dtype=np.int32)
    mates[[1, 7, 5, 11]] = [7, 1, 11, 5]
    places, heights = (
        np.ascontiguousarray(corners[:, :2]).astype(float),
        corners[:, 2].astype(float),
    )
    ground = join(offsets, places, heights, mates, np.arange(3, dtype=np.int32))
    assert len(ground.points) == 8
    left = ground.keep(np.array([False, True, True]))
    assert left.sources.tolist() == [1, 2]
    assert np.array_equal(left.corners, corners[4:])
    assert left.mates.tolist() == [-1, 7, -1, -1, -1, -1, -1, 1]
    assert plan_areas(left).tolist() == [1.0, 1.0]
    pieces = Pieces.together(left)
    assert plan_boxes(pieces)[1].tolist() == [2.0, 0.0, 2.0, 3.0, 1.0, 2.0]
