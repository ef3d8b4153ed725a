"""The strip of stages shows every stage in order, what it changed, and where its ground ends."""

import io
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.image import imread

import walkmesh as wm
from tests.makers import surface_shapes
from walkmesh import samples
from walkmesh.builder.edge_kinds import Surroundings, pair_edges
from walkmesh.builder.mesh import PolygonMesh, TriangleMesh
from walkmesh.kernels.meshes.kinds import INNER, OPEN
from walkmesh.topology import plan_points
from walkmesh.viewer.links import LINK_COLORS
from walkmesh.viewer.plan import save_figure
from walkmesh.viewer.stage_strip import (
    ADDED_COLOR,
    GONE_COLOR,
    KEPT_COLOR,
    KIND_COLORS,
    StageStrip,
    edges_by_kind,
)

IMAGES = Path(__file__).parents[2] / "docs/images"


def panels(figure):
    """Return the pixels of every stage by its name, as (h, w, 3) float64 from 0 to 1."""
    target = io.BytesIO()
    figure.savefig(target, format="png")
    target.seek(0)
    picture = imread(target)[:, :, :3]
    height, width = picture.shape[:2]
    parts = {}
    for axes in figure.axes:
        box = axes.get_position()
        rows = slice(round((1 - box.y1) * height), round((1 - box.y0) * height))
        parts[axes.get_label()] = picture[rows, round(box.x0 * width) : round(box.x1 * width)]
    return parts


def count(picture, color):
    return int(np.all(np.abs(picture - to_rgb(color)) < 1.5 / 255.0, axis=2).sum())


def texts(axes):
    return [text.get_text() for text in axes.texts]


@pytest.fixture(scope="module")
def walled():
    """Return a floor with a wall across it, and its strip by the exact method."""
    scene = wm.Scene(
        [(0, 0, 0), (0, 0, 8), (6, 0, 8), (6, 0, 0), (1, 0, 4), (1, 2, 4), (6, 2, 4), (6, 0, 4)],
        [(0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7)],
    )
    return scene, wm.plot_stages(scene)


@pytest.mark.parametrize("method", [wm.Exact(), wm.Voxel(), wm.Voxel(partition="slices")])
def test_every_stage_has_its_name_and_number_of_triangles(method):
    scene = samples.floor()
    figure = wm.plot_stages(scene, method=method)
    meshes = list(wm.stages(scene, method=method))
    assert [axes.get_label() for axes in figure.axes] == [name for name, _ in meshes]
    for number, (axes, (name, mesh)) in enumerate(zip(figure.axes, meshes, strict=True), 1):
        title, counts = texts(axes)
        assert title == f"{number}  {name}"
        assert counts.endswith(f"{len(mesh.triangles):,} triangles")
    assert counts.startswith(f"{meshes[-1][1].polygon_count}, in ")


def test_what_a_stage_took_away_is_shown_there_and_nowhere_else(walled):
    parts = panels(walled[1])
    assert list(parts) == list(wm.Exact.stage_names)
    gone = {name: count(picture, GONE_COLOR) for name, picture in parts.items()}
    assert gone["clearance"] > 1000
    assert sum(gone.values()) - gone["clearance"] < 0.02 * gone["clearance"]
    for name, picture in parts.items():
        assert count(picture, KEPT_COLOR) > 2000, name
        boundary = sum(count(picture, color) for color in KIND_COLORS.values())
        assert boundary > 20, name
    assert count(parts["polygons"], KEPT_COLOR) < 0.9 * count(parts["slope"], KEPT_COLOR)


def test_walls_are_grey(walled):
    bare = wm.Scene(walled[0].vertices, walled[0].faces[:2])

    def greys(figure):
        picture = panels(figure)["slope"]
        return int(((np.ptp(picture, axis=2) < 0.03) & (picture[:, :, 0] < 0.97)).sum())

    assert greys(walled[1]) > 200
    assert greys(wm.plot_stages(bare)) < greys(walled[1]) / 4


def test_what_a_stage_added_is_shown():
    plates = [(0, 0, 0), (0, 0, 4), (4, 0, 4), (4, 0, 0)]
    beyond = [(x + 4.3, y, z) for x, y, z in plates]
    scene = wm.Scene(plates + beyond, [(0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7)])
    parts = panels(wm.plot_stages(scene, method=wm.Exact(bridge_distance=0.35)))
    added = {name: count(picture, ADDED_COLOR) for name, picture in parts.items()}
    assert added["gaps"] > 100
    assert sum(added.values()) == added["gaps"]


def test_links_are_in_the_last_stage():
    figure = wm.plot_stages(samples.stairs(), method=wm.Voxel(partition="slices"))
    parts = panels(figure)
    black = {name: count(picture, LINK_COLORS[0]) for name, picture in parts.items()}
    assert black["polygons"] > 20
    assert sum(black.values()) == black["polygons"]


def test_the_same_strip_is_the_same_bytes_and_up_only_turns_the_world(tmp_path):
    for name, up in (("a", "y"), ("b", "y"), ("c", "z")):
        save_figure(tmp_path / f"{name}.png", wm.plot_stages(samples.ramp(up=up)))
    first, again, turned = ((tmp_path / f"{name}.png").read_bytes() for name in "abc")
    assert first == again == turned


def test_a_scene_far_away_is_in_the_middle_of_its_picture():
    scene = samples.floor()
    moved = wm.Scene(scene.vertices + (1000.0, 50.0, -3000.0), scene.faces)
    near, far = (panels(wm.plot_stages(s, method=wm.Exact())) for s in (scene, moved))
    for name, picture in near.items():
        blue = count(picture, KEPT_COLOR)
        assert count(far[name], KEPT_COLOR) == pytest.approx(blue, rel=0.02)


@pytest.mark.parametrize(
    ("scene", "options", "words"),
    [
        ("house", {}, "scene is 'house'; it must be a walkmesh.Scene"),
        (samples.floor(), {"method": "exact"}, "method is 'exact'; it must be a walkmesh.Method"),
        (samples.floor(), {"agent": 1.8}, "agent is 1.8; it must be a walkmesh.Agent"),
    ],
)
def test_what_cannot_be_built_is_an_error(scene, options, words):
    with pytest.raises(wm.SettingsError, match=words):
        wm.plot_stages(scene, **options)


def test_edges_are_matched_by_place_and_step():
    low = np.array([[(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]])
    high = np.array([[(1.0, 0.0, 0.3), (1.0, 1.0, 0.3), (0.0, 1.0, 0.3)]])
    both = np.concatenate([low, high])
    mates = pair_edges(both, 0.4)
    assert (mates >= 0).sum() == 2
    kinds = np.where(mates < 0, OPEN, INNER).astype(np.uint8).reshape(-1, 3)
    edges = edges_by_kind(both, kinds)
    assert (len(edges[INNER]), len(edges[OPEN])) == (1, 4)
    assert edges[INNER][0].tolist() == [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    assert (pair_edges(both, 0.2) < 0).all()
    # One that lies on the other, wound the same way, shares no edge with it.
    assert (pair_edges(np.concatenate([low, low]), 0.4) < 0).all()


@pytest.mark.parametrize("name", ["exact", "voxel"])
def test_the_documents_show_what_their_code_makes(tmp_path, name):
    """The images are that, reduced by Pillow to few colours, because they should be small.

    ``image.convert("RGB").quantize(160, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=0)``
    """
    image = IMAGES / f"{name}_stages.png"
    assert image.stat().st_size < 250_000
    method = {"exact": wm.Exact(), "voxel": wm.Voxel()}[name]
    made = tmp_path / "made.png"
    wm.plot_stages(samples.house(), method=method).savefig(made, dpi=120)
    shown, expected = imread(image)[:, :, :3], imread(made)[:, :, :3]
    assert shown.shape == expected.shape
    assert np.abs(shown - expected).mean() < 0.01


def test_edges_at_any_angle_are_matched_in_space():
    room = surface_shapes.box(inside=True)
    assert (pair_edges(room.vertices[room.triangles], None) >= 0).all()
    lower = surface_shapes.stairs(1)
    mates = pair_edges(lower.vertices[lower.triangles], None)
    assert ((mates >= 0).sum(), (mates < 0).sum()) == (6, 6)


def test_stages_at_any_angle():
    ball = surface_shapes.sphere(2)
    scene = wm.Scene(ball.vertices, ball.triangles)
    strip = StageStrip(scene, ball.agent, wm.Voxel())
    half = ball.triangles[: len(ball.triangles) // 2]
    strip.add("all", TriangleMesh(plan_points(ball), ball.triangles, ball.frame))
    strip.add("half", TriangleMesh(plan_points(ball), half, ball.frame))
    strip.add("navmesh", PolygonMesh.of(ball, Surroundings(scene, ball.agent)))
    assert [axes.get_label() for axes in strip.figure.axes] == ["all", "half", "navmesh"]
    pictures = panels(strip.figure)
    assert all(picture.std() > 0.0 for picture in pictures.values())
    gone = {name: count(picture, GONE_COLOR) for name, picture in pictures.items()}
    assert gone["all"] == gone["navmesh"] == 0
