"""Clearance on surfaces: polygons that are cut have no more corners than there is room for."""

import importlib

import numpy as np
import pytest

import walkmesh as wm
from walkmesh.builder.ground import cut_in_chunks
from walkmesh.builder.kernels.clearance import TOO_MANY_CORNERS, clear_polygons
from walkmesh.builder.kernels.fragments import MOST_CORNERS
from walkmesh.builder.surface.kernels.clear_sheet import clear_sheet
from walkmesh.errors import BuildError

# wm.build is a function, which hides the package from an import statement.
clearance = importlib.import_module("walkmesh.builder.surface.stages.clearance")


def rough_disc(count, reach, roughness):
    """Return needles around a centre, with heights of the rim from a normal distribution."""
    turns = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    heights = np.random.default_rng(0).normal(0.0, roughness, count)
    rim = np.stack([reach * np.cos(turns), heights, reach * np.sin(turns)], axis=1)
    i = np.arange(count)
    faces = np.stack([np.zeros(count, dtype=int), 1 + (i + 1) % count, 1 + i], axis=1)
    return wm.Scene(np.concatenate([[[0.0, 0.0, 0.0]], rim]), faces)


def test_polygons_to_cut_have_few_corners(monkeypatch):
    sizes, sheets = [], []

    def watched(polygons, chosen, start, stop, *rest):
        sizes.append(np.diff(polygons[0])[chosen[start:stop]].max())
        return clear_sheet(polygons, chosen, start, stop, *rest)

    def cut(sheet):
        sheets.append((sheet, few_corners(sheet)))
        return sheets[-1][1]

    few_corners = clearance._with_few_corners
    monkeypatch.setattr(clearance, "clear_sheet", watched)
    monkeypatch.setattr(clearance, "_with_few_corners", cut)
    for name, _ in wm.stages(rough_disc(800, 3.0, 0.02), wm.Agent(), wm.Surface(sides="both")):
        if name == "clearance":
            break
    before, after = sheets[0]
    assert np.diff(before.offsets).max() > MOST_CORNERS
    assert np.diff(after.offsets).max() <= MOST_CORNERS
    assert max(sizes) <= MOST_CORNERS
    # What hung together still does, along the same edges.
    mated = np.flatnonzero(after.mates >= 0)
    assert np.array_equal(after.mates[after.mates[mated]], mated)
    ends = after.corners[after.following]
    assert np.array_equal(after.corners[mated], ends[after.mates[mated]])
    boundary = after.mates < 0
    assert np.count_nonzero(boundary) == np.count_nonzero(before.mates < 0)
    assert after.areas.sum() == pytest.approx(before.areas.sum(), abs=1e-3)
    assert after.components.max() == before.components.max()


def ring(count):
    """Return a polygon of many corners in the plane, as offsets and corners (u, v, h)."""
    turns = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    corners = np.stack([np.cos(turns), np.sin(turns), np.zeros(count)], axis=1)
    return np.array([0, count], dtype=np.int32), np.ascontiguousarray(corners)


def output():
    return (
        np.zeros(65, dtype=np.int32),
        np.empty((400, 3)),
        np.empty(64, dtype=np.int32),
        np.zeros(2, dtype=np.int64),
    )


@pytest.mark.parametrize(
    ("corners", "sides", "reached"),
    [
        (MOST_CORNERS, 4, 1),
        (MOST_CORNERS + 1, 4, TOO_MANY_CORNERS),
        (4, 41, TOO_MANY_CORNERS),
    ],
)
def test_kernels_refuse_what_they_have_no_room_for(corners, sides, reached):
    offsets, places = ring(corners)
    turns = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    lines = np.stack([np.cos(turns), np.sin(turns), np.full(sides, 0.25)], axis=1)
    side_offsets = np.array([0, sides], dtype=np.int64)
    done = clear_sheet(
        (offsets, places, np.array([[0.0, 0.0, 1.0]])), np.zeros(1, dtype=np.int32), 0, 1,
        np.array([0, 1], dtype=np.int64), np.zeros(1, dtype=np.int32), side_offsets, lines,
        output(),
    )  # fmt: skip
    assert done == reached
    box = np.array([[-2.0, -2.0, -1.0, 2.0, 2.0, 1.0]])
    done = clear_polygons(
        (offsets, places, np.zeros((1, 3))), 0, 1, (lines, side_offsets, np.zeros((1, 3)), box),
        (box, np.zeros(1, dtype=np.int32), box), 0.9, 0, output(),
    )  # fmt: skip
    assert done == reached


def test_too_many_corners_are_an_error():
    with pytest.raises(BuildError, match="more corners than can be cut"):
        cut_in_chunks(1, lambda *_: TOO_MANY_CORNERS, lambda _: None, 1)
