"""Pictures show what they are given, and are the same bytes every time."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.image import imread

from walkmesh import samples
from walkmesh.errors import FormatError
from walkmesh.navmesh import NavMesh
from walkmesh.viewer.ink import COMPONENT_COLORS, PATH_COLOR, SPECK_COLOR, polygon_edges
from walkmesh.viewer.levels import level_heights, levels_of
from walkmesh.viewer.painter import Camera, cut_segments, cut_triangles, shade
from walkmesh.viewer.picture import save_picture


def navmesh_of(scene):
    """Return all triangles of a scene that face up, welded where vertices are equal."""
    corners = scene.vertices[scene.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    up = normals @ np.array(scene.up) >= 0.7 * np.linalg.norm(normals, axis=1)
    points, vertex = np.unique(scene.vertices, axis=0, return_inverse=True)
    triangles = vertex[scene.faces[up]]
    return NavMesh(points, 3 * np.arange(len(triangles) + 1), triangles.ravel(), up=scene.up)


def pixels(path, color):
    """Count the pixels of a picture that have a colour."""
    picture = imread(path)[:, :, :3]
    return int(np.all(np.abs(picture - to_rgb(color)) < 1.5 / 255.0, axis=2).sum())


@pytest.fixture
def two_levels():
    return samples.two_levels()


def test_a_picture_shows_components_and_paths(tmp_path, two_levels):
    path = tmp_path / "levels.png"
    save_picture(path, navmesh_of(two_levels), scene=two_levels, paths=[[(1, 0, 1), (3, 0, 5)]])
    assert imread(path).shape[:2] == (960, 1650)
    for color in (*COMPONENT_COLORS[:2], PATH_COLOR, "white"):
        assert pixels(path, color) > 500, color
    assert pixels(path, COMPONENT_COLORS[2]) == 0


def test_specks_share_a_quiet_colour(tmp_path):
    large = [(0, 0, 0), (0, 0, 10), (10, 0, 10), (10, 0, 0)]
    speck = [(12, 0, 0), (12, 0, 1), (13, 0, 1), (13, 0, 0)]
    save_picture(tmp_path / "a.png", NavMesh(large + speck, [0, 4, 8], range(8)))
    assert pixels(tmp_path / "a.png", SPECK_COLOR) > 100
    assert pixels(tmp_path / "a.png", COMPONENT_COLORS[1]) == 0


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_the_same_picture_is_the_same_bytes(tmp_path, two_levels, suffix):
    navmesh = navmesh_of(two_levels)
    for name in ("a", "b"):
        save_picture((tmp_path / name).with_suffix(suffix), navmesh, paths=[[(1, 0, 1), (3, 0, 5)]])
    first, second = ((tmp_path / name).with_suffix(suffix).read_bytes() for name in ("a", "b"))
    assert first == second
    assert len(first) > 1000


def test_up_only_turns_the_world(tmp_path):
    for up in ("y", "z"):
        save_picture(tmp_path / f"{up}.png", navmesh_of(samples.ramp(up=up)))
    assert (tmp_path / "y.png").read_bytes() == (tmp_path / "z.png").read_bytes()


def test_an_empty_navmesh_is_an_empty_picture(tmp_path):
    save_picture(tmp_path / "empty.png", NavMesh([], [0], []), paths=[np.empty((0, 3))])
    assert pixels(tmp_path / "empty.png", COMPONENT_COLORS[0]) == 0


def test_a_large_navmesh_can_be_drawn_without_its_edges(tmp_path):
    navmesh = navmesh_of(samples.terrain(30_000))
    save_picture(tmp_path / "terrain.png", navmesh)
    assert pixels(tmp_path / "terrain.png", COMPONENT_COLORS[0]) > 100_000


@pytest.mark.parametrize("name", ["house.jpg", "house"])
def test_an_unknown_suffix_is_an_error_and_leaves_nothing(tmp_path, two_levels, name):
    with pytest.raises(FormatError, match=rf"cannot write .*{name}: .* \.png, \.svg"):
        save_picture(tmp_path / name, navmesh_of(two_levels))
    assert list(tmp_path.iterdir()) == []


def test_pictures_leave_the_settings_of_matplotlib_alone(tmp_path, two_levels):
    import matplotlib

    before = dict(matplotlib.rcParams)
    save_picture(tmp_path / "a.svg", navmesh_of(two_levels))
    assert dict(matplotlib.rcParams) == before


def test_the_house_has_two_levels():
    assert level_heights(navmesh_of(samples.house())) == pytest.approx([0.0, 3.0], abs=0.01)


def test_hills_are_one_level():
    assert len(level_heights(navmesh_of(samples.terrain(2_000)))) == 1


def test_a_height_belongs_to_the_level_below_it():
    levels = np.array([0.0, 3.0])
    assert levels_of(np.array([-5.0, 0.0, 2.0, 2.9, 9.0]), levels).tolist() == [0, 0, 0, 1, 1]


def test_edges_are_told_apart():
    inner, boundary = polygon_edges(navmesh_of(samples.floor(3.0, 2.0)))
    assert len(inner) == 1
    assert np.linalg.norm(boundary[:, 1] - boundary[:, 0], axis=1).sum() == pytest.approx(10.0)


def test_cutting_keeps_area_and_source():
    triangles = np.random.default_rng(0).uniform(-3.0, 3.0, (20, 3, 3))
    pieces, sources = cut_triangles(triangles, 0.5)
    sides = np.linalg.norm(pieces[:, [1, 2, 0]] - pieces, axis=2)
    assert sides.max() <= 0.5

    def areas(corners):
        edges = corners[:, 1:] - corners[:, :1]
        return np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1)

    assert np.bincount(sources, areas(pieces)) == pytest.approx(areas(triangles))


def test_segments_are_cut_evenly():
    pieces = cut_segments(np.array([[(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)]]), 0.3)
    assert pieces[:, :, 0].tolist() == [[0.0, 0.25], [0.25, 0.5], [0.5, 0.75], [0.75, 1.0]]


def test_flat_ground_keeps_its_colour_and_slopes_are_shaded():
    ground = np.array([[(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]])
    rising, falling = ground.copy(), ground.copy()
    rising[0, 1, 2], falling[0, 1, 2] = 0.5, -0.5
    assert shade(ground, 0.2) == pytest.approx([1.0])
    assert shade(falling, 0.2) < 1.0 < shade(rising, 0.2)


def test_the_camera_looks_down_from_the_front():
    camera = Camera.looking_down()
    axes = np.array([camera.right, camera.up, camera.towards])
    assert axes @ axes.T == pytest.approx(np.eye(3))
    assert np.linalg.det(axes) == pytest.approx(1.0)
    assert camera.project(np.array([0.0, 0.0, 1.0]))[1] > 0.0
    assert camera.nearness(np.array([0.0, -1.0, 1.0])) > 0.0
