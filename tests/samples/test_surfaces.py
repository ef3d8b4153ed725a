"""The sample scenes of floors, walls and ceilings are what their docstrings say."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from tests.checks.plan_triangles import area, enclosed_volume, normals_and_areas, plan_triangles
from walkmesh import SettingsError, samples


def edge_counts(scene):
    """Return how many faces run along each edge, as a count of counts; every way at most once."""
    ways = Counter((int(face[k - 1]), int(face[k])) for face in scene.faces for k in range(3))
    assert set(ways.values()) == {1}
    return dict(Counter(Counter(frozenset(way) for way in ways).values()))


def euler_characteristic(scene):
    return len(scene.vertices) - sum(edge_counts(scene).values()) + len(scene.faces)


def is_welded(scene):
    return len(np.unique(np.round(scene.vertices, 6), axis=0)) == len(np.unique(scene.faces))


def turns(scene):
    """Return the turn at each edge of two faces in degrees, positive where it is convex."""
    normals, _ = normals_and_areas(scene.vertices[scene.faces])
    owners, found = {}, []
    for index, face in enumerate(scene.faces.tolist()):
        for k in range(3):
            other, apex = owners.setdefault(frozenset((face[k - 1], face[k])), (index, face[k - 2]))
            if other != index:
                angle = math.degrees(math.acos(min(1.0, normals[index] @ normals[other])))
                below = normals[index] @ (scene.vertices[apex] - scene.vertices[face[k]]) < 0.0
                found.append(angle if below else -angle)
    return np.array(found)


CLOSED = [
    (samples.sphere(subdivisions=2), 2, 1),
    (samples.sphere(subdivisions=2, inside=True), 2, -1),
    (samples.cube(cells=3), 2, 1),
    (samples.cube(inside=True), 2, -1),
    (samples.room(cells=2), 2, -1),
    (samples.torus(), 0, 1),
    (samples.planet(subdivisions=3), 2, 1),
    (samples.cave(subdivisions=3), 2, -1),
]


@pytest.mark.parametrize(("scene", "euler", "sign"), CLOSED)
def test_closed_surfaces_face_where_one_walks(scene, euler, sign):
    assert is_welded(scene)
    assert scene.left_out.total == 0
    assert set(edge_counts(scene)) == {2}
    assert euler_characteristic(scene) == euler
    assert np.sign(enclosed_volume(plan_triangles(scene))) == sign


@pytest.mark.parametrize("inside", [False, True])
def test_spheres_are_round_and_even(inside):
    scene = samples.sphere(10.0, 4, inside=inside)
    assert (len(scene.faces), len(scene.vertices)) == (20 * 4**4, 10 * 4**4 + 2)
    np.testing.assert_allclose(np.linalg.norm(scene.vertices, axis=1), 10.0)
    triangles = scene.vertices[scene.faces]
    normals, areas = normals_and_areas(triangles)
    assert areas.sum() == pytest.approx(4.0 * math.pi * 100.0, rel=3e-3)
    assert areas.max() < 2.0 * areas.min()
    outwards = np.einsum("ij,ij->i", normals, triangles.mean(axis=1) / 10.0)
    assert np.all(outwards < -0.99 if inside else outwards > 0.99)


@pytest.mark.parametrize("cells", [1, 4])
def test_cubes_and_rooms_have_six_sides(cells):
    block = samples.cube(4.0, cells)
    assert (len(block.faces), len(block.vertices)) == (12 * cells**2, 6 * cells**2 + 2)
    assert area(plan_triangles(block)) == pytest.approx(6 * 16.0)
    assert enclosed_volume(plan_triangles(block)) == pytest.approx(64.0)
    assert Counter(np.round(turns(block), 6).tolist())[90.0] == 12 * cells
    hollow = samples.room(6.0, 4.0, 3.0, cells)
    assert area(plan_triangles(hollow)) == pytest.approx(2 * (24.0 + 18.0 + 12.0))
    assert enclosed_volume(plan_triangles(hollow)) == pytest.approx(-72.0)
    assert plan_triangles(hollow).max(axis=(0, 1)).tolist() == [6.0, 4.0, 3.0]
    assert Counter(np.round(turns(hollow), 6).tolist())[-90.0] == 12 * cells


def test_a_cube_from_inside_is_a_room():
    hollow, same = samples.cube(5.0, inside=True), samples.room(5.0, 5.0, 5.0)
    np.testing.assert_array_equal(hollow.vertices[hollow.faces], same.vertices[same.faces])


def test_tunnels_are_open_at_both_ends():
    scene = samples.tunnel(3.0, 20.0, sides=24, cells=5)
    assert is_welded(scene)
    assert edge_counts(scene) == {1: 2 * 24, 2: 24 * (3 * 5 - 1)}
    assert euler_characteristic(scene) == 0
    triangles = plan_triangles(scene)
    normals, areas = normals_and_areas(triangles)
    assert areas.sum() == pytest.approx(2 * 24 * 3.0 * math.sin(math.pi / 24) * 20.0)
    to_axis = -triangles.mean(axis=1)[:, 1:]
    assert np.all(np.einsum("ij,ij->i", normals[:, 1:], to_axis) > 0.0)
    np.testing.assert_allclose(np.hypot(triangles[..., 1], triangles[..., 2]), 3.0)
    assert turns(scene).min() == pytest.approx(-15.0)
    assert turns(scene).max() < 1e-5


def test_tori_have_their_volume_and_area():
    scene = samples.torus(8.0, 3.0, around=64, across=32)
    triangles = plan_triangles(scene)
    assert len(triangles) == 2 * 64 * 32
    ring = 32 * math.sin(2 * math.pi / 64) * 8.0
    assert enclosed_volume(triangles) == pytest.approx(ring * 32 * math.sin(math.pi / 16) * 9.0)
    assert area(triangles) == pytest.approx(4 * math.pi**2 * 8.0 * 3.0, rel=0.01)
    assert np.ptp(triangles[..., 2]) == pytest.approx(6.0)
    assert -360 / 64 <= turns(scene).min() < -3.0


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_planets_are_hilly_and_face_outwards(seed):
    scene = samples.planet(10.0, 4, seed)
    distances = np.linalg.norm(scene.vertices, axis=1)
    assert 7.3 <= distances.min() < 9.6
    assert 10.4 < distances.max() <= 12.7
    triangles = scene.vertices[scene.faces]
    normals, _ = normals_and_areas(triangles)
    middles = triangles.mean(axis=1)
    tilt = np.einsum("ij,ij->i", normals, middles) / np.linalg.norm(middles, axis=1)
    assert 10.0 < np.degrees(np.arccos(tilt.min())) < 48.0


@pytest.mark.parametrize(("seed", "crease"), [(0, 40.0), (1, 40.0), (2, 15.0), (3, 60.0)])
def test_caves_have_creases_up_to_the_wanted_one(seed, crease):
    scene = samples.cave(10.0, 3, crease, seed)
    assert len(scene.faces) == 1280
    found = turns(scene)
    assert found.min() == pytest.approx(-crease)
    # Triangles of one facet lie in one plane: three inner edges each, to some last digits.
    assert np.count_nonzero(np.abs(found) < 1e-4) >= 3 * 320
    triangles = scene.vertices[scene.faces]
    normals, _ = normals_and_areas(triangles)
    assert np.all(np.einsum("ij,ij->i", normals, triangles.mean(axis=1)) < 0.0)


@pytest.mark.parametrize("make", [samples.planet, samples.cave])
def test_bumps_depend_on_the_seed_only(make):
    first, again, other = make(seed=7), make(seed=7), make(seed=8)
    np.testing.assert_array_equal(first.vertices, again.vertices)
    assert np.any(first.vertices != other.vertices)


@pytest.mark.parametrize("gap", [0.0, 0.5])
@pytest.mark.parametrize("angles", [(15, 30, 45, 60, 75), (60, 30, 30, 75, 20), (50,)])
def test_ramps_are_one_sheet_with_the_rim_of_the_floor(angles, gap):
    scene = samples.tilted_ramps(angles, width=3.0, height=2.0, gap=gap, margin=1.0)
    assert is_welded(scene)
    assert scene.left_out.total == 0
    assert edge_counts(scene)[1] == 4
    assert euler_characteristic(scene) == 1
    lengths = 2.0 / np.tan(np.radians(angles))
    triangles = plan_triangles(scene)
    # The divergence theorem on the sheet alone: its open underside is at height 0.
    assert enclosed_volume(triangles) == pytest.approx((lengths * 3.0).sum())
    normals, areas = normals_and_areas(triangles)
    across = len(angles) * 3.0 + (len(angles) - 1) * gap + 2.0
    floor = (lengths.max() + 2.0) * across - (lengths * 3.0).sum()
    assert areas[normals[:, 2] > 1.0 - 1e-9].sum() == pytest.approx(floor)
    assert areas[normals[:, 0] > 1.0 - 1e-9].sum() == pytest.approx(6.0 * len(angles))
    slopes = np.degrees(np.arccos(normals[:, 2]))
    for angle in set(angles):
        ramps = areas[np.abs(slopes - angle) < 1e-6].sum()
        assert ramps == pytest.approx(angles.count(angle) * 6.0 / math.sin(math.radians(angle)))
    sides = lengths.copy()
    if gap == 0.0:
        # What a shorter and a longer neighbour have in common is hidden on both of their sides.
        for a, b in pairwise(lengths):
            short, long = sorted((a, b))
            sides[0] -= short**2 / long
    assert areas[np.abs(normals[:, 1]) > 0.5].sum() == pytest.approx(2 * sides.sum())


def test_ramps_as_solids_stand_on_a_whole_floor():
    scene = samples.tilted_ramps((30, 60), width=3.0, height=2.0, margin=1.0, solids=True)
    triangles = plan_triangles(scene)
    assert is_welded(scene)
    lengths = 2.0 / np.tan(np.radians((30, 60)))
    assert enclosed_volume(triangles) == pytest.approx((lengths * 3.0).sum())
    normals, areas = normals_and_areas(triangles)
    floor = (lengths.max() + 2.0) * 8.0
    assert areas[normals[:, 2] > 1.0 - 1e-9].sum() == pytest.approx(floor)
    assert areas[normals[:, 2] < -0.5].sum() == pytest.approx((lengths * 3.0).sum())
    assert areas[np.abs(normals[:, 1]) > 0.5].sum() == pytest.approx(2 * lengths.sum())


@pytest.mark.parametrize("make", [samples.cube, samples.torus, samples.tilted_ramps, samples.cave])
def test_up_only_turns_the_surface(make):
    np.testing.assert_array_equal(plan_triangles(make(up="x")), plan_triangles(make(up="z")))


@pytest.mark.parametrize(
    ("make", "arguments"),
    [
        (samples.sphere, {"radius": 0}),
        (samples.sphere, {"subdivisions": -1}),
        (samples.cube, {"cells": 0}),
        (samples.room, {"height": -1}),
        (samples.tunnel, {"sides": 2}),
        (samples.torus, {"tube": 3, "radius": 3}),
        (samples.planet, {"seed": -1}),
        (samples.cave, {"crease": 5}),
        (samples.cave, {"subdivisions": 1}),
        (samples.tilted_ramps, {"angles": (30, 90)}),
        (samples.tilted_ramps, {"angles": ()}),
        (samples.tilted_ramps, {"gap": -1}),
    ],
)
def test_what_cannot_be_made_is_named(make, arguments):
    with pytest.raises(SettingsError, match=list(arguments)[-1]):
        make(**arguments)
