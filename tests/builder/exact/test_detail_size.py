"""Detail triangles of terrain: no more than the scene had, and near its ground."""

import numpy as np
import pytest

import walkmesh as wm
from tests.makers.scenes import SCENES, needs_scenes
from walkmesh.builder.exact.stages import polygons as partition

TOLERANCE = wm.Exact().height_tolerance


@pytest.fixture
def none_are_few(monkeypatch):
    """Hold small scenes to the bound that otherwise only large ones have."""
    monkeypatch.setattr(partition, "FEW", 0)


def heightfield(heights, spacing):
    """Return the scene of a grid of heights (n, n), z up, cut from (0, 0) to (1, 1)."""
    count = len(heights)
    u, v = np.meshgrid(spacing * np.arange(count), spacing * np.arange(count), indexing="ij")
    corner = np.arange(count * count).reshape(count, count)
    a, b, c, d = corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:]
    faces = np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3)
    return wm.Scene(np.stack([u, v, heights], axis=2).reshape(-1, 3), faces, up="z")


def height_at(heights, spacing, places):
    """Return the heights of the scene at (k, 2) places."""
    cell = np.clip((places / spacing).astype(int), 0, len(heights) - 2)
    s, t = (places / spacing - cell).T
    i, j = cell.T
    a, b, c, d = heights[i, j], heights[i + 1, j], heights[i + 1, j + 1], heights[i, j + 1]
    return np.where(s >= t, a + s * (b - a) + t * (c - b), a + t * (d - a) + s * (c - d))


def rough(cells, spacing, roughness, seed):
    """Return heights (n, n) of which every one is a surprise, with no slope of 45 degrees."""
    noise = np.random.default_rng(seed).uniform(-1.0, 1.0, (cells + 1, cells + 1))
    return roughness * spacing * noise / np.sqrt(8.0)


def waves(cells, spacing, roughness, seed):
    """Return heights (n, n) of smooth waves as steep as `roughness`."""
    places = spacing * np.arange(cells + 1)
    u, v = np.meshgrid(places, places, indexing="ij")
    along, across = np.random.default_rng(seed).uniform(0.5, 2.0, 2)
    return roughness * (np.sin(along * u) / along + np.cos(across * v) / across) / 2.0


@pytest.mark.parametrize("relief", [rough, waves])
@pytest.mark.parametrize(("cells", "spacing"), [(8, 0.5), (40, 0.1), (40, 0.25), (90, 0.5)])
@pytest.mark.parametrize("roughness", [0.05, 0.3, 0.9])
@pytest.mark.usefixtures("none_are_few")
def test_no_more_triangles_than_went_in(relief, cells, spacing, roughness):
    for seed in range(2):
        heights = relief(cells, spacing, roughness, seed)
        scene = heightfield(heights, spacing)
        navmesh = wm.build(scene)
        assert navmesh.validate() == []
        # Where no vertex can go, those at which the outline crosses edges of the grid come on top:
        # two for each cell of its border, where the scene has one.
        every_vertex_counts = relief is rough and (roughness > 0.5 or cells < 10)
        more = 4 * (cells + 1) if every_vertex_counts else 0
        assert len(navmesh.triangles) <= len(scene.faces) + more
        shares = np.random.default_rng(seed).dirichlet((0.5, 0.5, 0.5), (len(navmesh.triangles), 4))
        corners = navmesh.vertices[navmesh.triangles]
        places = np.concatenate(
            [navmesh.vertices, np.einsum("tkc,tcx->tkx", shares, corners).reshape(-1, 3)]
        )
        ground = height_at(heights, spacing, places[:, :2])
        assert np.abs(ground - places[:, 2]).max() <= TOLERANCE + 1e-6


def triangles_of(navmesh, stage):
    """Return how many triangles came out of a stage."""
    return next(s.counts["triangles_out"] for s in navmesh.report.stages if s.name == stage)


@pytest.mark.parametrize("roughness", [1.2, 1.6, 2.0, 2.4])
@pytest.mark.parametrize(("cells", "spacing"), [(60, 0.1), (60, 0.25), (40, 0.5)])
@pytest.mark.usefixtures("none_are_few")
def test_rough_ground_full_of_holes(cells, spacing, roughness):
    heights = rough(cells, spacing, roughness, 0)
    scene = heightfield(heights, spacing)
    navmesh = wm.build(scene)
    assert navmesh.validate() == []
    # Around holes the outline alone can take more than the scene had; polygons add nothing to it
    # but slivers, where sides are straight but for rounding.
    most = 1.01 * triangles_of(navmesh, "simplify")
    assert len(navmesh.triangles) <= max(len(scene.faces), most)


def test_large_scenes_have_no_more_than_went_in():
    heights = rough(120, 0.1, 2.0, 0)
    scene = heightfield(heights, 0.1)
    navmesh = wm.build(scene)
    assert navmesh.validate() == []
    assert len(scene.faces) > partition.FEW
    assert len(navmesh.triangles) <= max(len(scene.faces), triangles_of(navmesh, "simplify"))


@pytest.mark.parametrize("seed", range(3))
def test_few_triangles_make_large_polygons(seed, monkeypatch):
    scene = heightfield(rough(90, 0.1, 2.0, seed), 0.1)
    large = wm.build(scene)
    # Well above the bound that small scenes are not held to, so that much would have to go.
    assert 1.05 * len(scene.faces) < len(large.triangles) <= partition.FEW
    monkeypatch.setattr(partition, "FEW", 0)
    small = wm.build(scene)
    assert len(small.triangles) <= len(scene.faces)
    assert large.polygon_count < small.polygon_count / 2


def test_ditches_keep_their_ground():
    """Steep sides of a hollow are walked down and up, unless it is no wider than a slit."""
    heights = rough(60, 0.1, 2.0, 0)
    navmesh = wm.build(heightfield(heights, 0.1))
    ground = height_at(heights, 0.1, navmesh.vertices[:, :2])
    assert np.abs(ground - navmesh.vertices[:, 2]).max() <= TOLERANCE + 1e-6


@needs_scenes
@pytest.mark.parametrize(
    ("name", "up"),
    [
        ("recast/undulating.obj", "y"),
        ("recast/nav_test.obj", "y"),
        ("mesh_navigation/parking_garage.obj", "z"),
        ("city/delft_3dfier.obj", "z"),
    ],
)
@pytest.mark.usefixtures("none_are_few")
def test_real_scenes(name, up):
    scene = wm.load_scene(SCENES / name, up=up)
    navmesh = wm.build(scene)
    assert navmesh.validate() == []
    # Sides that are straight but for rounding cut slivers off.
    most = 1.01 * triangles_of(navmesh, "simplify")
    assert len(navmesh.triangles) <= max(len(scene.faces), most)


@pytest.mark.parametrize("triangles", [300, 3_000, 30_000])
def test_smooth_hills_need_a_third(triangles):
    scene = wm.samples.terrain(triangles)
    navmesh = wm.build(scene)
    assert navmesh.validate() == []
    assert len(navmesh.triangles) <= len(scene.faces) / 3
