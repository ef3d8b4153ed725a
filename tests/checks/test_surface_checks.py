"""The checks of navmeshes on surfaces tell right from wrong."""

from itertools import product

import numpy as np
import pytest

import walkmesh as wm
from tests.checks.surface_checks import check_navmesh, room_area
from walkmesh import samples
from walkmesh.frame import Frame

AGENT = wm.Agent(height=1.8, radius=0.3, max_step=0.4)
EXTENT = (6.0, 4.0, 3.0)


def room_navmesh(extent, r, inset=None):
    """Return what the navmesh of a room has to be, by hand; or with sides inset by less, or more.

    Each corner of the room gives three vertices, one on each side that meets there. Sides have the
    vertices of four corners, edges those of two corners on two sides, corners those of all sides.
    """
    extent, inset = np.asarray(extent), r if inset is None else inset
    ids, points = {}, []
    for corner in product((0, 1), repeat=3):
        for axis in range(3):
            place = np.where(corner, extent - inset, inset)
            place[axis] = extent[axis] * corner[axis]
            ids[corner, axis] = len(points)
            points.append(place)
    polygons = [[ids[corner, axis] for axis in range(3)] for corner in product((0, 1), repeat=3)]
    for axis in range(3):
        for end in (0, 1):
            # Once around each side of the room.
            ring = [np.insert(pair, axis, end) for pair in ((0, 0), (1, 0), (1, 1), (0, 1))]
            polygons.append([ids[tuple(corner.tolist()), axis] for corner in ring])
        one, other = (axis + 1) % 3, (axis + 2) % 3
        for i, j in product((0, 1), repeat=2):
            ends = np.zeros((2, 3), dtype=int)
            ends[:, one], ends[:, other], ends[1, axis] = i, j, 1
            low, high = (tuple(corner) for corner in ends.tolist())
            polygons.append([ids[low, one], ids[high, one], ids[high, other], ids[low, other]])
    points = np.array(points)
    middle = extent / 2.0
    for polygon in polygons:
        a, b, c = points[polygon[:3]]
        if np.cross(b - a, c - a) @ (middle - a) < 0.0:
            polygon.reverse()
    return navmesh_of(points, polygons)


def navmesh_of(points, polygons):
    """Return a navmesh of points in the plan frame."""
    return wm.NavMesh(
        Frame((0.0, 1.0, 0.0)).to_world(np.asarray(points, dtype=float)),
        np.cumsum([0] + [len(polygon) for polygon in polygons]),
        np.concatenate(polygons),
        agent=AGENT,
        surface=True,
    )


def without(navmesh, polygon):
    """Return a navmesh without one of its polygons."""
    kept = [p for p in range(navmesh.polygon_count) if p != polygon]
    corners = np.split(navmesh.polygon_vertices, navmesh.polygon_offsets[1:-1])
    points = Frame(navmesh.up).to_plan(navmesh.vertices)
    return navmesh_of(points, [corners[p] for p in kept])


@pytest.fixture
def sound(monkeypatch):
    """Take every navmesh for sound: what is looked at here is where it lies."""
    monkeypatch.setattr(wm.NavMesh, "validate", lambda _: [])


@pytest.mark.usefixtures("sound")
def test_the_navmesh_of_a_room_is_right():
    navmesh = room_navmesh(EXTENT, 0.3)
    assert navmesh.component_count == 1
    assert np.all(navmesh.neighbors >= 0)
    shares = check_navmesh(navmesh, samples.room(*EXTENT), AGENT, max_turn_concave=60.0)
    assert (shares.recall, shares.precision) == (1.0, 1.0)
    chamfers = room_area(*EXTENT, 0.3) - 2 * (5.4 * 3.4 + 5.4 * 2.4 + 3.4 * 2.4)
    assert shares.chamfer == pytest.approx(chamfers / room_area(*EXTENT, 0.3), abs=0.06)
    # In the middle of an edge's chamfer it is half a radius, in that of a corner's two thirds.
    assert 0.14 < shares.chamfer_distance < 0.2 + 1e-9


@pytest.mark.usefixtures("sound")
@pytest.mark.parametrize(
    "scene",
    [
        samples.sphere(4.0, 3),
        samples.sphere(4.0, 3, inside=True),
        samples.cube(),
        samples.torus(6.0, 2.0, around=32, across=16),
        samples.planet(6.0, 3),
        samples.cave(8.0, 2),
    ],
)
def test_surfaces_that_are_free_everywhere_are_their_own_navmesh(scene):
    navmesh = navmesh_of(Frame(scene.up).to_plan(scene.vertices), list(scene.faces))
    shares = check_navmesh(navmesh, scene, AGENT, samples=200)
    assert (shares.recall, shares.precision) == (1.0, 1.0)
    assert shares.chamfer == shares.chamfer_distance == 0.0


@pytest.mark.usefixtures("sound")
def test_too_little_ground_is_missed():
    room = samples.room(*EXTENT)
    shares = check_navmesh(room_navmesh(EXTENT, 0.3, inset=0.8), room, AGENT)
    full = 2 * (5.4 * 3.4 + 5.4 * 2.4 + 3.4 * 2.4)
    less = 2 * (4.4 * 2.4 + 4.4 * 1.4 + 2.4 * 1.4)
    assert shares.recall == pytest.approx(less / full, abs=0.08)
    assert shares.precision == 1.0
    shares = check_navmesh(without(room_navmesh(EXTENT, 0.3), 8), room, AGENT)
    assert 0.5 < shares.recall < 0.95


@pytest.mark.usefixtures("sound")
def test_ground_too_near_to_walls_is_wrong():
    room, navmesh = samples.room(*EXTENT), room_navmesh(EXTENT, 0.3, inset=0.2)
    with pytest.raises(AssertionError, match=r"'body': [1-9]"):
        check_navmesh(navmesh, room, AGENT)
    shares = check_navmesh(navmesh, room, AGENT, allowed=1.0)
    assert shares.recall == 1.0
    assert 0.7 < shares.precision < 0.99
    assert shares.faults["headroom"] == shares.faults["layers"] == shares.faults["off"] == 0


@pytest.mark.usefixtures("sound")
@pytest.mark.parametrize(
    ("fault", "points", "scene", "agent"),
    [
        ("off", [(1, 1, 0.015), (5, 1, 0.015), (5, 3, 0.015), (1, 3, 0.015)], None, AGENT),
        ("headroom", [(1, 1, 0), (5, 1, 0), (5, 3, 0), (1, 3, 0)], None, wm.Agent(height=3.1)),
        ("rim", [(0, 0, 0), (10, 0, 0), (10, 8, 0), (0, 8, 0)], samples.floor(), AGENT),
        ("normal", [(1, 1, 0), (1.04, 1, 0.01), (1.04, 3, 0.01), (1, 3, 0)], None, AGENT),
    ],
)
def test_every_fault_is_named(fault, points, scene, agent):
    navmesh = navmesh_of(points, [[0, 1, 2, 3]])
    scene = samples.room(*EXTENT) if scene is None else scene
    with pytest.raises(AssertionError, match=rf"'{fault}': [1-9]"):
        check_navmesh(navmesh, scene, agent, normal_tolerance=10.0, samples=200)


@pytest.mark.usefixtures("sound")
def test_two_layers_are_named():
    one = np.array([(1, 1, 0), (5, 1, 0), (5, 3, 0), (1, 3, 0)])
    navmesh = navmesh_of(np.concatenate([one, one + (0, 0, 0.005)]), [[0, 1, 2, 3], [4, 5, 6, 7]])
    with pytest.raises(AssertionError, match="'layers': 200"):
        check_navmesh(navmesh, samples.room(*EXTENT), AGENT, samples=200)


@pytest.mark.parametrize("extent", [EXTENT, (5.0, 5.0, 5.0), (12.0, 2.5, 2.2)])
@pytest.mark.parametrize("cells", [1, 3])
def test_the_navmesh_of_a_room_is_built(extent, cells):
    scene = samples.room(*extent, cells=cells)
    navmesh = wm.build(scene, AGENT, wm.Surface())
    assert navmesh.area == pytest.approx(room_area(*extent, AGENT.radius), rel=1e-4)
    assert navmesh.component_count == 1
    assert np.all(navmesh.neighbors >= 0)
    shares = check_navmesh(navmesh, scene, AGENT)
    assert (shares.recall, shares.precision) == (1.0, 1.0)
