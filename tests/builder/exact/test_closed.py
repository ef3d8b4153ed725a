"""Closed slits: what lies below the ground laid there loses its headroom, and no more than that."""

import importlib

import numpy as np
import pytest
import shapely

import walkmesh as wm
from walkmesh.builder.faces import filter_slope
from walkmesh.builder.ground import join, plan_areas
from walkmesh.ragged import offsets_of

closed = importlib.import_module("walkmesh.builder.exact.closed_gaps")


def test_a_slit_closed_with_slivers_does_not_shred_what_lies_below():
    # A slit 7 cm wide and 90 m long, of whose sides one has many corners and the other has none.
    apex, side = (95.0, 0.0, 0.0), np.linspace(2.0, 92.0, 1201)
    foot = np.stack([side, np.full(1201, -0.07), np.zeros(1201)], axis=1)
    slit = np.stack([np.broadcast_to(apex, (1200, 3)), foot[:-1], foot[1:]], axis=1)
    # A sliver of ground a metre below, partly under the slit.
    below = np.array([[(79.0, 0.005, -1.0), (79.0, -0.03, -1.0), (93.5, -0.001, -1.0)]])
    triangles = np.concatenate([slit, below])
    agent = wm.Agent()
    # Neighbours in the fan share their sides.
    mates = np.full(3 * len(triangles), -1, dtype=np.int32)
    inner = 3 * np.arange(1199, dtype=np.int32) + 2
    mates[inner], mates[inner + 1] = inner + 1, inner
    corners = triangles.reshape(-1, 3)
    ground = join(
        offsets_of(np.full(len(triangles), 3)),
        np.ascontiguousarray(corners[:, :2]),
        corners[:, 2].copy(),
        mates,
        np.arange(len(triangles), dtype=np.int32),
    )
    laid = ground.sources < 1200
    faces = filter_slope(wm.samples.floor(), agent)
    left = closed._without_below(ground, laid, faces, agent, 1)
    rest = left.keep(left.sources == 1200)
    assert len(rest.sources) < 10
    over = shapely.Polygon([apex[:2], (2.0, -0.07), (92.0, -0.07)])
    outside = shapely.Polygon(below[0, :, :2]).difference(over)
    # Welding moves either side of it by up to a hair.
    hair = 2.5e-4 * outside.length / 2.0
    assert plan_areas(rest).sum() == pytest.approx(outside.area, abs=hair)
