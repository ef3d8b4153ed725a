"""What an evaluation says of planted errors, of foreign triangles, and of passages."""

import json
import math

import numpy as np
import pytest
import shapely

import walkmesh as wm
from walkmesh import samples
from walkmesh.evaluation import Share, cover
from walkmesh.evaluation.discs import label_joined, room_between
from walkmesh.evaluation.kernels.forest import find_joints, grow_forest
from walkmesh.evaluation.triangles import as_navmesh
from walkmesh.samples.soup import Soup

AGENT = wm.Agent()
SAMPLES = 2000


def without(navmesh, unwanted):
    """Return a navmesh without some polygons."""
    kept = np.flatnonzero(~unwanted)
    corners = [navmesh.polygon_vertices[slice(*navmesh.polygon_offsets[p : p + 2])] for p in kept]
    offsets = np.cumsum([0, *map(len, corners)])
    return wm.NavMesh(
        navmesh.vertices, offsets, np.concatenate(corners), agent=navmesh.agent, up=navmesh.up
    )


def with_polygons(navmesh, *polygons):
    """Return a navmesh with more polygons, given by their corners in the world."""
    points = np.concatenate([navmesh.vertices, *polygons])
    corners = [navmesh.polygon_vertices, np.arange(len(navmesh.vertices), len(points))]
    counts = [*np.diff(navmesh.polygon_offsets), *map(len, polygons)]
    return wm.NavMesh(
        points, np.cumsum([0, *counts]), np.concatenate(corners), agent=navmesh.agent, up=navmesh.up
    )


def middles(navmesh):
    return np.array([navmesh.polygon(p).mean(axis=0) for p in range(navmesh.polygon_count)])


def rooms(widths, angle=0.0):
    """Return rooms in a row, and their navmesh cut into polygons that end at the doors."""
    scene = samples.doorways(widths, angle)
    return scene, wm.build(scene)


# Planted errors


@pytest.mark.parametrize("angle", [0.0, 17.0])
def test_a_lost_doorway_is_found(angle):
    scene, navmesh = rooms((0.9, 0.9), angle)
    whole = wm.evaluate(scene, navmesh, samples=SAMPLES)
    assert whole.connections_kept.value == whole.connections_right.value == 1.0
    assert math.isnan(whole.widest_lost)
    assert whole.narrowest_kept == pytest.approx(0.9, rel=0.1)

    # Cut the navmesh apart at the first door: two pieces of the scene, judged as one navmesh.
    first, second, third = samples.doorway_rooms(3, angle)
    shut = wm.build(samples.doorways((0.0, 0.9), angle))
    lost = wm.evaluate(scene, shut, samples=SAMPLES)
    assert lost.connections_right.value == 1.0
    # Of two points at random, one is in the first of three rooms and the other is not.
    assert 0.1 < 1.0 - lost.connections_kept.value < 4.0 / 9.0
    assert lost.widest_lost == pytest.approx(0.9, rel=0.1)
    assert len(lost.lost_pairs) == round(
        (1.0 - lost.connections_kept.value) * lost.connections_kept.samples
    )
    side = np.linalg.norm(lost.lost_pairs - first, axis=2) < np.linalg.norm(
        lost.lost_pairs - second, axis=2
    )
    assert (side[:, 0] != side[:, 1]).all()
    assert lost.precision.value == 1.0
    assert np.linalg.norm(third - second) > 0.0


def test_a_way_through_a_wall_is_found():
    scene = samples.doorways((0.0,))
    navmesh = wm.build(scene)
    first, second = samples.doorway_rooms(2)
    assert wm.evaluate(scene, navmesh, samples=SAMPLES).connections_right.value == 1.0
    # A navmesh of the scene with a door, judged against the scene without.
    false = wm.evaluate(scene, wm.build(samples.doorways((0.9,))), samples=SAMPLES)
    assert false.connections_kept.value == 1.0
    assert 0.1 < 1.0 - false.connections_right.value < 0.5
    near = np.linalg.norm(false.false_pairs - first, axis=2) < np.linalg.norm(
        false.false_pairs - second, axis=2
    )
    assert len(near)
    assert (near[:, 0] != near[:, 1]).all()


def test_a_mesh_inside_a_wall_is_found():
    scene = samples.doorways((0.9,))
    grown = wm.build(scene, wm.Agent(radius=0.0))
    result = wm.evaluate(scene, grown, AGENT, samples=SAMPLES)
    right = wm.build(scene).area / grown.area
    assert result.precision.value == pytest.approx(right, abs=0.06)
    assert result.precision.value > right  # by the band of doubt
    assert result.recall.value == 1.0


@pytest.mark.parametrize(("lift", "precision"), [(0.2, 1.0), (0.44, 1.0), (0.46, 0.0), (3.0, 0.0)])
def test_a_floating_mesh_is_found(lift, precision):
    scene = samples.floor(6.0, 4.0)
    navmesh = wm.build(scene)
    floating = wm.NavMesh(
        navmesh.vertices + (0.0, lift, 0.0),
        navmesh.polygon_offsets,
        navmesh.polygon_vertices,
        agent=navmesh.agent,
    )
    result = wm.evaluate(scene, floating, samples=500)
    assert result.precision.value == result.recall.value == precision
    if precision:
        assert result.height_error_median == pytest.approx(lift)
        assert result.height_error_largest == pytest.approx(lift)
    else:
        assert math.isnan(result.height_error_median)


@pytest.mark.parametrize("lift", [0.0, 0.001, 0.3])
def test_a_double_layer_is_found(lift):
    scene = samples.floor(6.0, 4.0)
    navmesh = wm.build(scene)
    patch = np.array([(1, lift, 1), (1, lift, 3), (3, lift, 3), (3, lift, 1)], dtype=float)
    result = wm.evaluate(scene, with_polygons(navmesh, patch), samples=SAMPLES)
    # Points are drawn from both layers.
    assert result.overlap.value == pytest.approx(8.0 / (navmesh.area + 4.0), abs=0.04)
    assert (np.abs(result.doubled[:, [0, 2]] - 2.0) <= 1.0 + 1e-6).all()
    assert wm.evaluate(scene, navmesh, samples=500).overlap.value == 0.0


def test_a_lost_storey_is_found():
    scene = samples.two_levels()
    navmesh = wm.build(scene)
    low = middles(navmesh)[:, 1] < 1.0
    result = wm.evaluate(scene, without(navmesh, ~low), samples=SAMPLES)
    assert result.precision.value == 1.0
    assert 0.2 < result.recall.value < 0.8
    assert result.missed[:, 1].min() > 1.0


# Passages


@pytest.mark.parametrize("angle", [0.0, 7.0, 45.0])
@pytest.mark.parametrize("width", [0.61, 0.66, 0.75, 1.0, 1.3])
def test_the_width_of_the_narrowest_passage(width, angle):
    scene, navmesh = rooms((1.5, width), angle)
    result = wm.evaluate(scene, navmesh, samples=1000)
    assert result.connections_kept.value == result.connections_right.value == 1.0
    assert result.narrowest_kept == pytest.approx(width, rel=0.1)


@pytest.mark.parametrize(
    ("width", "angle", "seed"),
    [
        (0.75, 0.0, 3),
        (0.75, 30.0, 3),
        (0.9, 0.0, 0),
        (1.0, 0.0, 3),
        (1.0, 7.0, 5),
        (1.0, 17.0, 1),
        (1.15, 0.0, 5),
        (1.15, 45.0, 0),
        (1.3, 0.0, 5),
        (1.3, 17.0, 5),
    ],
)
def test_a_point_beside_the_post_of_a_door_does_not_narrow_it(width, angle, seed):
    # With these samples, one with little room covers the front of the door.
    scene, navmesh = rooms((1.5, width), angle)
    result = wm.evaluate(scene, navmesh, samples=1000, seed=seed)
    assert result.connections_kept.value == result.connections_right.value == 1.0
    assert result.narrowest_kept == pytest.approx(width, rel=0.1)


@pytest.mark.parametrize("width", [0.55, 0.5, 0.0])
def test_doors_that_are_too_narrow_connect_nothing(width):
    scene, navmesh = rooms((width,))
    result = wm.evaluate(scene, navmesh, samples=1000)
    assert result.connections_kept.value == result.connections_right.value == 1.0
    assert result.connections_kept.samples < 50  # of the 50 pairs, those in one room
    opened = wm.evaluate(scene, wm.build(samples.doorways((0.9,))), samples=1000)
    assert opened.connections_right.value < 1.0


@pytest.mark.parametrize("width", [0.59, 0.61])
@pytest.mark.parametrize("navmesh_width", [0.0, 0.9])
def test_doors_as_wide_as_the_agent_may_be_open_or_shut(width, navmesh_width):
    result = wm.evaluate(
        samples.doorways((width,)), wm.build(samples.doorways((navmesh_width,))), samples=1000
    )
    assert result.connections_kept.value == result.connections_right.value == 1.0
    assert result.connections_undecided == 0


def test_of_two_doors_the_wider_one_counts():
    wall = [(3.0, 3.1, 0.0, 2.0), (3.0, 3.1, 3.0, 5.0), (3.0, 3.1, 6.4, 8.0)]
    plan = shapely.box(0.0, 0.0, 6.1, 8.0) - shapely.union_all(
        [shapely.box(u, v, u_end, v_end) for u, u_end, v, v_end in wall]
    )
    soup = Soup()
    soup.sheet(plan, 0.0)
    for u, u_end, v, v_end in wall:
        soup.box((u, v, 0.0), (u_end, v_end, 2.5))
    scene = soup.scene("z")
    result = wm.evaluate(scene, wm.build(scene), samples=1000)
    assert result.narrowest_kept == pytest.approx(1.4, rel=0.1)


def test_small_parts_have_pairs_of_their_own():
    soup = Soup()
    for u in range(0, 40, 10):
        for v in range(0, 40, 10):
            soup.sheet(shapely.box(u, v, u + 3.0, v + 3.0), 0.0)
    scene = soup.scene("z")
    result = wm.evaluate(scene, wm.build(scene), samples=2000)
    # Of 50 random pairs about three are on one of the sixteen floors.
    assert result.connections_kept.samples > 25
    assert result.connections_kept.value == 1.0


@pytest.mark.parametrize(
    "scene",
    [
        pytest.param(samples.house, id="house"),
        pytest.param(lambda: samples.spiral_corridor(0.12), id="spiral corridor"),
        pytest.param(lambda: samples.spiral_corridor(0.02), id="narrow spiral corridor"),
        pytest.param(lambda: samples.stairs(0.17, 0.28, 8), id="stairs"),
        pytest.param(samples.spiral_stairs, id="spiral stairs"),
        pytest.param(samples.two_levels, id="two levels"),
        pytest.param(lambda: samples.box_room(6.0, 4.0), id="box room"),
        pytest.param(lambda: samples.ramp(), id="ramp"),
        pytest.param(lambda: samples.kerb(), id="kerb"),
        pytest.param(lambda: samples.storeys(), id="storeys"),
        pytest.param(lambda: samples.terrain(2000), id="terrain"),
    ],
)
def test_right_navmeshes_connect_what_is_connected(scene):
    made = scene()
    result = wm.evaluate(made, wm.build(made, AGENT, wm.Exact(min_patch_area=0.0)), samples=3000)
    assert result.connections_kept.value in (1.0, pytest.approx(math.nan, nan_ok=True))
    assert result.connections_right.value == 1.0
    assert result.connections_kept.samples > 50
    assert result.connections_undecided <= 1


def halls(width, length=4.0, size=12.0):
    """Return two square halls and a corridor between them."""
    return within_walls(
        (0.0, 0.0, size, size),
        (size, (size - width) / 2.0, size + length, (size + width) / 2.0),
        (size + length, 0.0, 2.0 * size + length, size),
    )


def within_walls(*rectangles):
    """Return a floor of rectangles (u, v, u_end, v_end), with walls around that end it."""
    plan = shapely.union_all([shapely.box(*rectangle) for rectangle in rectangles])
    soup = Soup()
    soup.sheet(plan, 0.0)
    soup.curtain(np.array(plan.exterior.coords), 0.0, 2.5)
    return soup.scene("z")


@pytest.mark.parametrize("seed", range(3))
def test_long_narrow_corridors(seed):
    scene = halls(0.72)
    navmesh = wm.build(scene)
    whole = wm.evaluate(scene, navmesh, samples=3000, seed=seed)
    assert whole.connections_kept.value == whole.connections_right.value == 1.0
    assert whole.narrowest_kept == pytest.approx(0.72, rel=0.1)
    inside = np.abs(middles(navmesh)[:, 0] - 14.0) < 2.0
    lost = wm.evaluate(scene, without(navmesh, inside), samples=3000, seed=seed)
    assert lost.connections_kept.value < 0.85
    assert lost.widest_lost == pytest.approx(0.72, rel=0.1)


def test_points_in_a_lost_corridor_do_not_hide_its_width():
    # A tenth of the free ground is in the corridor itself.
    scene = halls(1.0, 20.0, 6.0)
    navmesh = wm.build(scene)
    inside = np.abs(middles(navmesh)[:, 0] - 16.0) < 10.0
    lost = wm.evaluate(scene, without(navmesh, inside), samples=2000)
    assert len(lost.missed) > 0
    assert lost.widest_lost == pytest.approx(1.0, rel=0.1)


def test_a_door_is_searched_for_though_another_one_is_asked_about():
    # The navmesh connects the first two rooms, and neither of the others.
    scene = samples.doorways((0.66, 0.0, 0.66))
    result = wm.evaluate(scene, wm.build(samples.doorways((0.66, 0.0, 0.0))), samples=2000)
    assert result.connections_right.value == 1.0
    assert result.connections_kept.value < 1.0
    assert result.widest_lost == pytest.approx(0.66, rel=0.1)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("clearance", [0.02, 0.12])
def test_spirals_are_followed_to_the_middle(clearance, seed):
    scene = samples.spiral_corridor(clearance)
    result = wm.evaluate(scene, wm.build(scene), samples=3000, seed=seed)
    assert result.connections_kept.value == result.connections_right.value == 1.0


@pytest.mark.parametrize("seed", range(3))
def test_a_corridor_that_branches_off_another_is_found(seed):
    # Two rooms, a corridor between them, and off its middle another one to a larger hall.
    scene = within_walls(
        (0.0, 0.0, 4.0, 4.0),
        (10.0, 0.0, 14.0, 4.0),
        (4.0, 1.64, 10.0, 2.36),
        (6.64, -4.0, 7.36, 2.0),
        (0.0, -16.0, 14.0, -4.0),
    )
    navmesh = wm.build(scene)
    u, v, _ = middles(navmesh).T
    shut = without(navmesh, (np.abs(u - 7.0) < 1.0) & (v > -4.2) & (v < 1.6))
    assert wm.evaluate(scene, navmesh, samples=600, seed=seed).connections_kept.value == 1.0
    result = wm.evaluate(scene, shut, samples=600, seed=seed)
    assert result.connections_kept.value < 1.0
    assert result.widest_lost == pytest.approx(0.72, rel=0.1)


@pytest.mark.parametrize("size", [1e6, 1e9])
def test_huge_floors_are_one(size):
    scene = samples.floor(size, size)
    result = wm.evaluate(scene, wm.build(scene), samples=2000)
    assert result.recall.value == result.precision.value == 1.0
    assert result.connections_kept == result.connections_right == Share.of(100, 100)
    assert result.connections_undecided == 0


def test_huge_floors_beside_each_other_are_two(monkeypatch):
    monkeypatch.setattr(cover, "_MOST_PLACES", 15_000)
    size = 1e6
    soup = Soup()
    soup.sheet(shapely.box(0.0, 0.0, size, size / 2.0 - 5.0), 0.0)
    soup.sheet(shapely.box(0.0, size / 2.0 + 5.0, size, size), 0.0)
    scene = soup.scene("z")
    result = wm.evaluate(scene, wm.build(scene), samples=2000)
    assert result.connections_kept.value == result.connections_right.value == 1.0
    # On so much ground, narrow ways from one to the other cannot be ruled out.
    assert 20 < result.connections_undecided < 80
    bridged = wm.evaluate(scene, wm.build(samples.floor(size, size, up="z")), samples=2000)
    assert len(bridged.false_pairs) == 0
    assert bridged.connections_undecided > result.connections_undecided


@pytest.mark.parametrize("places", [500, 2000])
def test_what_a_short_search_finds_is_right(monkeypatch, places):
    scene, navmesh = rooms((0.9, 0.66))
    assert wm.evaluate(scene, navmesh, samples=2000).connections_undecided == 0
    monkeypatch.setattr(cover, "_MOST_PLACES", places)
    result = wm.evaluate(scene, navmesh, samples=2000)
    assert result.connections_kept.value == result.connections_right.value == 1.0
    assert 0 < result.connections_kept.samples < 100
    assert result.connections_undecided > 0


def test_links_connect_too():
    scene = samples.doorways((0.9,))
    shut = wm.build(samples.doorways((0.0,)))
    links = np.zeros(1, dtype=wm.LINK_DTYPE)
    first, second = samples.doorway_rooms(2)
    links["start"], links["goal"] = first, second
    links["start_polygon"], links["goal_polygon"] = shut.nearest([first, second]).polygons
    linked = wm.NavMesh(
        shut.vertices, shut.polygon_offsets, shut.polygon_vertices, links=links, agent=shut.agent
    )
    assert wm.evaluate(scene, shut, samples=1000).connections_kept.value < 1.0
    assert wm.evaluate(scene, linked, samples=1000).connections_kept.value == 1.0


def test_room_between_circles():
    first, second, away = np.array([(0.5, 0.5, 0.6), (0.5, 0.5, 1.1), (0.5, 0.2, 0.1)]).T
    circle, other = shapely.Point(0, 0).buffer(0.5, 256), shapely.Point(0.6, 0).buffer(0.5, 256)
    half = (circle & other).bounds[3]
    assert room_between(first, second, away) == pytest.approx([half, 0.0, 0.2], abs=1e-4)


def test_the_widest_way_is_found():
    random = np.random.default_rng(0)
    for _ in range(20):
        count = int(random.integers(2, 30))
        ends = random.integers(count, size=(int(random.integers(1, 60)), 2)).astype(np.int32)
        # By Floyd and Warshall: the best that the worst edge of a way can be.
        best = np.full((count, count), len(ends))
        for e, (a, b) in reversed(list(enumerate(ends))):
            best[a, b] = best[b, a] = e
        np.fill_diagonal(best, -1)
        for k in range(count):
            best = np.minimum(best, np.maximum(best[:, k, None], best[None, k]))
        firsts, seconds = np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])
        parents, links = np.empty((2, count), dtype=np.int32)
        grow_forest(firsts, seconds, parents, links)
        pairs = np.ascontiguousarray(np.argwhere(np.ones((count, count))), dtype=np.int32)
        joints = np.empty(len(pairs), dtype=np.int32)
        find_joints(pairs, parents, links, joints)
        joints = joints.reshape(count, count)
        assert (joints[best == len(ends)] == -1).all()
        assert (joints[np.eye(count, dtype=bool)] == -2).all()
        other = (best < len(ends)) & ~np.eye(count, dtype=bool)
        assert (joints[other] == best[other]).all()
        labels = label_joined(firsts, seconds, count)
        assert ((labels[:, None] == labels) == (best < len(ends))).all()


# Seeds


def test_islands_are_what_no_seed_is_on():
    scene = samples.doorways((0.9, 0.0))
    navmesh = wm.build(scene)
    first, second, third = samples.doorway_rooms(3)
    alone = navmesh.area / 3.0
    result = wm.evaluate(scene, navmesh, samples=100, seeds=[first, second])
    assert result.islands == 1
    assert result.island_area == pytest.approx(alone, rel=0.2)
    assert wm.evaluate(scene, navmesh, samples=100, seeds=[first, third]).islands == 0
    assert wm.evaluate(scene, navmesh, samples=100).islands is None
    with pytest.raises(wm.SettingsError, match=r"seed \[0.0, 50.0, 0.0\] is further than"):
        wm.evaluate(scene, navmesh, samples=100, seeds=[(0, 50, 0)])


# Foreign triangles


def as_triangles(navmesh):
    return wm.Scene(navmesh.vertices, navmesh.triangles, navmesh.up)


@pytest.mark.parametrize("turned", [False, True])
def test_triangles_are_judged_like_the_navmesh_they_are_from(turned):
    scene = samples.house()
    navmesh = wm.build(scene)
    triangles = as_triangles(navmesh)
    if turned:
        triangles = wm.Scene(triangles.vertices, triangles.faces[:, ::-1], triangles.up)
    ours = wm.evaluate(scene, navmesh, samples=1000)
    theirs = wm.evaluate(scene, triangles, AGENT, samples=1000)
    assert theirs.components == ours.components
    assert theirs.area == pytest.approx(ours.area)
    assert theirs.polygons == len(navmesh.triangles)
    assert theirs.recall.value == pytest.approx(ours.recall.value, abs=0.005)
    assert theirs.precision.value == pytest.approx(ours.precision.value, abs=0.005)
    assert theirs.connections_kept.value == theirs.connections_right.value == 1.0


def test_triangles_connect_along_parts_of_edges_with_no_more_than_a_step():
    def square(u, v, h, size=1.0):
        return [(u, v, h), (u + size, v, h), (u + size, v + size, h), (u, v + size, h)]

    squares = [
        square(0, 0, 0.0, 2.0),
        square(2, 0.5, 0.3),  # beside a part of the first, a step higher
        square(3, 0.5, 0.8),  # more than a step higher than that
        square(4.01, 0.5, 0.8),  # a centimetre further
    ]
    quads = np.arange(16).reshape(-1, 4)
    faces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    navmesh = as_navmesh(wm.Scene(np.concatenate(squares), faces, "z"), AGENT)
    lower = navmesh.components[navmesh.nearest([(1, 1, 0), (2.5, 1, 0.3)]).polygons]
    higher = navmesh.components[navmesh.nearest([(3.5, 1, 0.8), (4.5, 1, 0.8)]).polygons]
    assert lower[0] == lower[1]
    assert len({lower[0], *higher}) == 3


def test_upright_and_collapsed_triangles_are_left_out():
    vertices = [(0, 0, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (1e-5, 0, 0)]
    navmesh = as_navmesh(wm.Scene(vertices, [(0, 1, 2), (0, 2, 3), (0, 4, 1), (0, 4, 3)]), AGENT)
    assert navmesh.polygon_count == 1


def test_triangles_of_any_size():
    vertices = [(0, 0, 0), (0, 0, 1e9), (1e9, 0, 0)]
    result = wm.evaluate(samples.floor(), wm.Scene(vertices, [(0, 1, 2)]), AGENT, samples=100)
    assert result.recall.value == 1.0
    assert result.precision.value < 0.1


def test_no_triangles_at_all():
    scene = samples.floor(6.0, 4.0)
    empty = wm.NavMesh(np.empty((0, 3)), [0], [])
    result = wm.evaluate(scene, empty, samples=200)
    assert result.recall.value == 0.0
    assert math.isnan(result.precision.value)
    assert result.connections_kept.value == 0.0
    assert json.loads(json.dumps(result.as_dict(), allow_nan=False))["precision"]["value"] is None
    assert "precision     unknown (0 samples)" in str(result)


# Settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"samples": 0}, "samples is 0; it must be a whole number from 1 to"),
        ({"samples": True}, "samples is True; it must be a whole number"),
        ({"samples": 10**14}, "samples is 100000000000000; it must be a whole number from 1 to"),
        ({"band": True}, "band is True"),
        ({"samples": 2.5}, "samples is 2.5; it must be a whole number"),
        ({"samples": math.nan}, "samples is nan; it must be a whole number"),
        ({"pairs": -1}, "pairs is -1; it must be a whole number from 0 to"),
        ({"seed": -1}, "seed is -1; it must be a whole number from 0 to"),
        ({"band": -0.1}, "band is -0.1; it must be a finite number at least 0 m"),
        ({"band": math.nan}, "band is nan; it must be"),
        ({"band": math.inf}, "band is inf; it must be"),
        ({"band": "wide"}, "band is 'wide'; it must be"),
        ({"agent": 1.8}, "agent is 1.8; it must be a walkmesh.Agent"),
        ({"scene": None}, "scene is None; it must be a walkmesh.Scene"),
        ({"navmesh": None}, "navmesh is None; it must be a walkmesh.NavMesh or a Scene"),
        ({"navmesh": samples.floor()}, "a triangle mesh has no agent"),
        ({"seeds": [(0, 0)]}, r"seeds has shape \(1, 2\)"),
        ({"seeds": [(0, math.nan, 0)]}, "not finite"),
    ],
)
def test_bad_settings(settings, message):
    scene = samples.floor()
    given = {"scene": scene, "navmesh": wm.build(scene), "samples": 100, **settings}
    with pytest.raises(wm.SettingsError, match=message):
        wm.evaluate(**given)


def test_ways_are_searched_between_so_many_pairs():
    scene = samples.floor(6.0, 4.0)
    navmesh = wm.build(scene)
    assert wm.evaluate(scene, navmesh, samples=400).connections_kept.samples == 20
    assert wm.evaluate(scene, navmesh, samples=400, pairs=7).connections_kept.samples == 7
    none = wm.evaluate(scene, navmesh, samples=400, pairs=0)
    assert none.connections_kept.samples == none.connections_right.samples == 0
    assert none.recall.value == 1.0


def test_up_must_be_the_same():
    with pytest.raises(wm.SettingsError, match="up is"):
        wm.evaluate(samples.floor(up="z"), wm.build(samples.floor()), samples=100)


@pytest.mark.parametrize(
    "agent",
    [
        wm.Agent(radius=0.0),
        wm.Agent(radius=0.01, height=0.05, max_step=0.0),
        wm.Agent(max_step=0.0),
        wm.Agent(radius=1.5, max_slope=89.0),
    ],
)
@pytest.mark.parametrize("band", [0.0, 0.5])
def test_unusual_agents_and_bands(agent, band):
    scene = samples.box_room(6.0, 4.0)
    # For the widest agent, less than its footprint is free.
    navmesh = wm.build(scene, agent, wm.Exact(min_patch_area=0.1))
    result = wm.evaluate(scene, navmesh, samples=200, band=band)
    assert result.precision.value == 1.0
    assert result.recall.value in (1.0, pytest.approx(math.nan, nan_ok=True))
    assert result.connections_right.value == 1.0


def test_the_same_seed_gives_the_same_figures_on_any_machine(monkeypatch):
    scene = samples.house()
    navmesh = wm.build(scene)
    first = wm.evaluate(scene, navmesh, samples=1000, seed=3)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    second = wm.evaluate(scene, navmesh, samples=1000, seed=3)
    assert first.as_dict() == second.as_dict()
    assert np.array_equal(first.wrong, second.wrong)
    assert wm.evaluate(scene, navmesh, samples=1000, seed=4).as_dict() != first.as_dict()


def test_progress_may_cancel():
    scene, seen = samples.floor(), []

    def progress(stage, fraction):
        seen.append((stage, fraction))
        if stage == "precision":
            raise wm.Cancelled("enough")

    with pytest.raises(wm.Cancelled):
        wm.evaluate(scene, wm.build(scene), samples=100, progress=progress)
    assert sorted({stage for stage, _ in seen}) == ["precision", "recall"]
    assert all(0.0 <= fraction <= 1.0 for _, fraction in seen)


# Shares


def test_intervals_cover_the_truth_as_often_as_they_say():
    random = np.random.default_rng(0)
    for share in (0.5, 0.9, 0.99):
        drawn = random.binomial(2000, share, 2000)
        shares = [Share.of(int(part), 2000) for part in drawn]
        assert 0.93 < np.mean([s.low <= share <= s.high for s in shares]) < 0.975


def test_shares_of_all_and_of_nothing():
    assert Share.of(20, 20).low == pytest.approx(0.8389, abs=1e-4)
    assert Share.of(20, 20).high == 1.0
    assert math.isnan(Share.of(0, 0).value)
    assert str(Share.of(19, 20)) == "0.9500 (0.7639 to 0.9911, 20 samples)"
