"""Stitching pieces to a part of the ground only, against stitching everything."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

import walkmesh as wm
from tests.makers import gap_scenes
from tests.makers.scenes import SCENES, needs_scenes
from walkmesh.builder.exact import bridges
from walkmesh.builder.ground import Pieces
from walkmesh.builder.stitch import stitch, stitch_to
from walkmesh.samples.soup import Soup

AGENT = wm.Agent()


def tiles(count: int, height: float = 0.0) -> Pieces:
    """Return a square of as many times as many unit tiles."""
    u, v = np.divmod(np.arange(count * count), count)
    square = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    corners = np.concatenate(
        [np.stack([u, v], axis=1)[:, None] + square, np.full((len(u), 4, 1), height)], axis=2
    )
    offsets = np.arange(0, 4 * len(u) + 1, 4, dtype=np.int32)
    return Pieces(offsets, corners.reshape(-1, 3), np.arange(len(u), dtype=np.int32))


def moved(pieces: Pieces, by: tuple[float, float, float]) -> Pieces:
    return Pieces(pieces.offsets, pieces.corners + by, pieces.sources)


def boundary_length(ground) -> float:
    ends = ground.corners[ground.following] - ground.corners
    return float(np.hypot(*ends[ground.mates < 0, :2].T).sum())


@pytest.mark.parametrize("by", [(4.0, 0.0, 0.0), (4.0, 0.5, 0.0), (4.0001, 0.0, 0.3)])
def test_pieces_beside_the_ground_are_joined_as_if_all_were_stitched(by) -> None:
    ground, _ = stitch(tiles(4), AGENT)
    pieces = moved(tiles(4), by)
    near = ground.corners[ground.offsets[:-1], 0] >= 3.0
    local, _ = stitch_to(ground, near, pieces, AGENT)
    whole, _ = stitch(Pieces.together(ground, pieces), AGENT)
    assert len(np.unique(local.components)) == len(np.unique(whole.components)) == 1
    assert boundary_length(local) == pytest.approx(boundary_length(whole), abs=1e-3)
    # Everyone's mate has it as its own.
    there = np.flatnonzero(local.mates >= 0)
    assert np.array_equal(local.mates[local.mates[there]], there)


def test_what_moves_takes_more_of_the_ground_along() -> None:
    ground, _ = stitch(tiles(4), AGENT)
    # A vertex on the edge between two tiles that are not near, and one that is.
    corners = np.array([(2.0, 1.5, 0.0), (2.5, 1.9, 0.0), (1.5, 1.9, 0.0)])
    pieces = Pieces(
        np.array([0, 3], dtype=np.int32), corners + (0.0, 0.0, 9.0), np.zeros(1, dtype=np.int32)
    )
    near = np.zeros(16, dtype=bool)
    near[[5]] = True
    local, _ = stitch_to(ground, near, pieces, AGENT)
    assert len(np.unique(local.components)) == 2
    assert boundary_length(local) == pytest.approx(16.0 + boundary_length(stitch(pieces, AGENT)[0]))


def test_ground_of_several_storeys_keeps_its_edges() -> None:
    storeys = Pieces.together(*(tiles(3, 3.0 * k) for k in range(3)))
    ground, _ = stitch(storeys, AGENT)
    near = ground.corners[ground.offsets[:-1], 0] >= 2.0
    pieces = moved(tiles(3, 3.0), (3.0, 0.0, 0.0))
    local, _ = stitch_to(ground, near, pieces, AGENT)
    assert sorted(np.bincount(local.components).tolist()) == [9, 9, 18]


@needs_scenes
@pytest.mark.parametrize(
    "file", ["recast/dungeon.obj", "ifc/Ifc2x3_Duplex_Architecture_nodoors.obj"]
)
def test_real_scenes_come_out_the_same(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = wm.load_scene(SCENES / file, up="z" if "ifc" in file else "y")
    local = wm.build(scene, AGENT, wm.Exact(bridge_distance=0.35))
    monkeypatch.setattr(
        bridges,
        "stitch_to",
        lambda ground, _, pieces, agent: stitch(Pieces.together(ground, pieces), agent),
    )
    whole = wm.build(scene, AGENT, wm.Exact(bridge_distance=0.35))
    assert local.component_count == whole.component_count
    assert local.area == pytest.approx(whole.area, rel=1e-4)


def test_narrow_parts_stay_if_bridges_may_join_them() -> None:
    soup = Soup()
    gap = gap_scenes.bars(0.03, 0.2)
    for plate in shapely.get_parts(gap.plates):
        soup.sheet(plate, 0.0)
    soup.sheet(shapely.box(10.0, 0.0, 10.2, 5.0), 0.0)  # too narrow, and far from everything
    soup.sheet(shapely.box(20.0, 0.0, 20.25, 5.0), 0.0)  # two that are wide enough together
    soup.sheet(shapely.box(20.5, 0.0, 20.75, 5.0), 0.0)
    navmesh = wm.build(soup.scene("y"), AGENT, wm.Exact(bridge_distance=0.35))
    assert navmesh.report is not None
    counts = {stage.name: stage.counts for stage in navmesh.report.stages}
    assert counts["stitch"]["patches_too_narrow"] == 1
    assert navmesh.component_count == 2
    assert navmesh.area == pytest.approx(4.4**2 + 0.15 * 4.4, abs=1e-3)
