"""The cutaway: no roof and no sky hides the navmesh in a picture."""

import numpy as np
import pytest

import walkmesh as wm
from tests.makers.boxes import boxes
from walkmesh.topology import plan_points
from walkmesh.viewer.cutaway import cut_away
from walkmesh.viewer.picture import draw
from walkmesh.viewer.subject import PIECES_ACROSS, Subject

WALLS = [
    ((0, -0.2, 0), (10, 0, 8)),
    ((-0.2, 0, -0.2), (0, 2.7, 8.2)),
    ((10, 0, -0.2), (10.2, 2.7, 8.2)),
    ((0, 0, -0.2), (10, 2.7, 0)),
    ((0, 0, 8), (10, 2.7, 8.2)),
]
# Too steep to walk on, and not a wall.
ROOF = [
    [(-0.5, 2.7, -0.5), (-0.5, 8.7, 4.0), (10.5, 8.7, 4.0)],
    [(-0.5, 2.7, 8.5), (10.5, 8.7, 4.0), (-0.5, 8.7, 4.0)],
]


def scene_with(*more):
    room = boxes(*WALLS)
    corners = np.array(more, dtype=float).reshape(-1, 3)
    faces = len(room.vertices) + np.arange(len(corners)).reshape(-1, 3)
    return wm.Scene(np.concatenate([room.vertices, corners]), np.concatenate([room.faces, faces]))


def in_view(scene, seed=(5.0, 0.0, 4.0)):
    navmesh = wm.build(scene).prune([seed])
    return navmesh, Subject.of(navmesh, scene, (), None).faces_in_view


def level(pieces):
    normals = np.cross(pieces[:, 1] - pieces[:, 0], pieces[:, 2] - pieces[:, 0])
    return np.abs(normals[:, 2]) > 0.5 * np.linalg.norm(normals, axis=1)


def test_a_roof_is_lifted_off():
    navmesh, pieces = in_view(scene_with(*ROOF))
    bare_navmesh, bare = in_view(scene_with())
    assert navmesh.area == pytest.approx(bare_navmesh.area)
    high = pieces[level(pieces)][:, :, 2].min(axis=1) - plan_points(navmesh)[:, 2].min()
    over_floor = np.abs(pieces[level(pieces)].mean(axis=1)[:, :2]).max(axis=1) < 3.0
    assert (high[over_floor] < 1.0).all()
    # The walls are still there.
    assert pieces[~level(pieces)][:, :, 2].max() == pytest.approx(bare[:, :, 2].max())


@pytest.mark.parametrize("size", [40.0, 500.0, 1e5])
def test_a_sky_neither_hides_nor_dwarfs_a_level(size):
    sky = boxes(((-size, -size, -size), (size, size, size)))
    around = sky.vertices[sky.faces][:, ::-1].reshape(-1, 3, 3)
    scene = scene_with(*around)
    navmesh, pieces = in_view(scene)
    extent = np.ptp(pieces.reshape(-1, 3), axis=0)
    assert extent.max() < 3.0 * np.ptp(plan_points(navmesh)[:, :2], axis=0).max()
    assert len(pieces) < 60 * PIECES_ACROSS**2
    draw(navmesh, scene=scene)


def test_the_floor_of_another_storey_stays():
    storeys = boxes(((0, -0.2, 0), (10, 0, 8)), ((0, 2.8, 0), (10, 3, 8)))
    navmesh = wm.build(storeys)
    pieces = Subject.of(navmesh, storeys, (), None).faces_in_view
    areas = np.linalg.norm(
        np.cross(pieces[:, 1] - pieces[:, 0], pieces[:, 2] - pieces[:, 0]), axis=1
    )
    corners = navmesh.frame.to_plan(storeys.vertices)[storeys.faces]
    whole = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    assert areas.sum() == pytest.approx(whole.sum())


def test_without_a_navmesh_all_of_a_scene_is_shown():
    faces = np.array([[(0, 0, 0), (1, 0, 0), (0, 1, 5)]], dtype=float)
    assert cut_away(faces, np.empty((0, 3, 3)), 1.8, 8) is faces
    assert len(cut_away(faces[:0], faces, 1.8, 8)) == 0
