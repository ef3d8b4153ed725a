"""Queries in hard places: on vertices, beside needles, on navmeshes that are not sound."""

import copy
import pickle

import numpy as np
import pytest

import walkmesh as wm
from tests.twins import naive_mesh
from walkmesh import LINK_DTYPE
from walkmesh.query.ground import paths, scratch


def tiles(count, **settings):
    """Squares of 1 m, `count` by `count`."""
    return naive_mesh.grid_mesh(count, count, **settings)


def link(**values):
    """One link across `tiles(4)`."""
    result = np.zeros(1, dtype=LINK_DTYPE)
    result["start"], result["goal"], result["goal_polygon"] = (0.5, 0, 0.5), (3.5, 0, 3.5), 15
    result["cost"] = 1.0
    for name, value in values.items():
        result[name] = value
    return result


def test_from_and_to_vertices_inside_the_ground():
    navmesh = tiles(4)
    places = np.concatenate([navmesh.vertices, navmesh.vertices * 0.75 + (0.5, 0, 0.5)])
    straight = np.linalg.norm(places[:, None] - places, axis=-1)
    np.testing.assert_allclose(navmesh.distances(places[:, None], places), straight, atol=1e-9)
    for start, row in zip(places, straight, strict=True):
        np.testing.assert_allclose(navmesh.find_paths(start, places).lengths, row, atol=1e-9)


def test_links_that_end_on_vertices_inside_the_ground():
    island = tiles(3)
    far = np.concatenate([island.vertices, island.vertices + (100, 0, 0)])
    corners = np.concatenate([island.polygon_vertices, island.polygon_vertices + 16])
    navmesh = wm.NavMesh(far, np.arange(0, len(corners) + 1, 4), corners)
    linked = navmesh.with_links((1, 0, 1), (101, 0, 1), cost=2)
    for x in (0.5, 1.0, 2.0, 2.7):
        path = linked.find_path((1, 0, 2), (100 + x, 0, 2))
        assert path.cost == pytest.approx(3 + np.hypot(x - 1, 1), abs=1e-9)


def test_a_free_link_is_not_taken_there_and_back():
    linked = tiles(4).with_links((1, 0, 1), (3, 0, 1), cost=0)
    path = linked.find_path((1, 0, 1), (0, 0, 3))
    assert len(path.links) == 0
    assert path.length == pytest.approx(5**0.5)


def dented():
    """A room whose wall is bent inwards by ten nanometres, beside an opening in line with it."""
    places = [(0, 0), (4, 0), (4, 4), (2, 4 - 1e-8), (0, 4), (4, 8), (2, 8)]
    vertices = [(v, 0, u) for u, v in places]
    return wm.NavMesh(vertices, [0, 5, 9], [0, 1, 2, 3, 4, 3, 2, 5, 6])


def test_walls_in_line_with_an_opening_do_not_stop_rays():
    navmesh = dented()
    ends = [(7, 0, u) for u in np.linspace(2.1, 3.9, 19)]
    rays = navmesh.raycast([(1, 0, u) for u in np.linspace(3.9, 2.1, 19)], ends)
    assert not rays.hits.any()
    np.testing.assert_allclose(rays.points, ends, atol=1e-9)
    assert navmesh.raycast((1, 0, 1), (7, 0, 1)).hits.all()
    assert not navmesh.raycast((1, 0, 1), (3.9, 0, 1)).hits.any()


def test_walls_in_line_with_an_opening_do_not_stop_larger_agents():
    navmesh = dented()
    for u in np.linspace(2.3, 3.7, 15):
        path = navmesh.find_path((1, 0, 6 - u), (7, 0, u), radius=0.2)
        assert path.status == "complete"
        assert path.points[-1] == pytest.approx((7, 0, u))


def test_a_needle_does_not_pull_a_path_to_its_tip():
    # The edge between two polygons is bent in height; the vertex in its middle lies a little beside
    # it on one side, where a needle starts from it.
    places = [
        (0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0), (1, 1, -0.5),
        (0, 2, 0), (2, 2, 0), (1, 1 + 2e-8, -0.5), (2, 1 + 1e-5, 0),
    ]  # fmt: skip
    vertices = [(v, h, u) for u, v, h in places]
    triangles = [
        (0, 1, 4), (1, 2, 4), (0, 4, 3),
        (7, 2, 8), (7, 8, 6), (7, 6, 5), (3, 7, 5),
    ]  # fmt: skip
    navmesh = wm.NavMesh(
        vertices, [0, 4, 9], [0, 1, 2, 3, 3, 2, 8, 6, 5],
        triangles=triangles, triangle_polygons=[0] * 3 + [1] * 4,
    )  # fmt: skip
    for u in (0.2, 0.3, 0.7):
        path = navmesh.find_path((0.5, -0.5 * u, u), (1.5, -0.5 * u, u))
        found = np.interp(1.0, path.points[:, 0], path.points[:, 1])
        assert found == pytest.approx(-0.5 * u, abs=1e-3)
        assert path.points[:, 1].min() > -0.5 * u - 1e-3


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"goal_polygon": 16}, "links has ids out of range"),
        ({"start_polygon": -1}, "links has ids out of range"),
        ({"start": (np.nan, 0, 0)}, "links has ends that are not finite"),
        ({"cost": np.nan}, "links has costs that are not lengths"),
        ({"cost": -1.0}, "links has costs that are not lengths"),
        ({"cost": np.inf}, "links has costs that are not lengths"),
    ],
)
def test_unusable_links_are_refused(values, message):
    navmesh = tiles(4, links=link(**values))
    assert len(navmesh.validate()) == 1
    with pytest.raises(wm.FormatError, match=message):
        navmesh.find_path((0.5, 0, 0.5), (3.5, 0, 3.5))
    with pytest.raises(wm.FormatError, match=message):
        navmesh.distances((0.5, 0, 0.5), [(3.5, 0, 3.5)] * 20)


def test_places_on_another_navmesh_are_refused():
    elsewhere = tiles(9).nearest([(8.5, 0, 8.5)])
    with pytest.raises(wm.SettingsError, match="goals was located on another navmesh"):
        tiles(2).find_paths((0.5, 0, 0.5), elsewhere)


@pytest.mark.parametrize("setting", ["radius", "max_snap", "area_costs"])
def test_numbers_too_large_are_refused(setting):
    value = {0: 10**400} if setting == "area_costs" else 10**400
    with pytest.raises(wm.SettingsError, match=setting):
        tiles(2).find_path((0.5, 0, 0.5), (1.5, 0, 1.5), **{setting: value})


def test_copies_are_read_only_and_as_small():
    navmesh = tiles(4)
    size = len(pickle.dumps(navmesh))
    path = navmesh.find_path((0.5, 0, 0.5), (3.5, 0, 3.5), radius=0.2)
    assert len(pickle.dumps(navmesh)) == size
    for other in (pickle.loads(pickle.dumps(navmesh)), copy.copy(navmesh), copy.deepcopy(navmesh)):
        assert not other.vertices.flags.writeable
        again = other.find_path((0.5, 0, 0.5), (3.5, 0, 3.5), radius=0.2)
        np.testing.assert_array_equal(again.points, path.points)


def test_wall_distance_on_a_slope_is_straight_below():
    slope = wm.NavMesh([(0, 0, 0), (0, 0, 4), (4, 4, 4), (4, 4, 0)], [0, 4], [0, 1, 2, 3])
    assert slope.wall_distance([(1, 1.2, 2)]).tolist() == [1.0]


def test_larger_agents_pass_corners_in_line_at_any_angle():
    # Squares of which some are missing: many corners are in line, but for rounding.
    draw = np.random.default_rng(0)
    whole = tiles(30)
    kept = draw.random(whole.polygon_count) >= 0.3
    corners = whole.polygon_vertices.reshape(-1, 4)[kept].ravel()
    offsets = np.arange(0, len(corners) + 1, 4)
    places = wm.NavMesh(whole.vertices, offsets, corners).sample(400, seed=2).points
    costs = []
    for angle in (0.0, 0.3, 0.7, 1.1):
        c, s = np.cos(angle), np.sin(angle)
        turned = np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])
        navmesh = wm.NavMesh(whole.vertices @ turned, offsets, corners)
        ends = places @ turned
        costs.append(navmesh.find_paths(ends[:200], ends[200:], radius=0.2).costs)
    for others in costs[1:]:
        # They are not always the very shortest.
        np.testing.assert_allclose(others, costs[0], rtol=5e-3)


def test_searches_that_would_take_too_much_memory_take_the_corridor(monkeypatch):
    def navmesh():
        squares = naive_mesh.grid_mesh(12, 12)
        # A pillar in every third square of every third row.
        centres = squares.vertices[squares.polygon_vertices.reshape(-1, 4)].mean(axis=1)
        free = (centres[:, 0].astype(int) % 3 != 1) | (centres[:, 2].astype(int) % 3 != 1)
        corners = squares.polygon_vertices.reshape(-1, 4)[free]
        return wm.NavMesh(squares.vertices, np.arange(0, corners.size + 1, 4), corners.ravel())

    start, goals = (0.1, 0.0, 0.2), navmesh().sample(60).points
    corridors = navmesh().find_paths(start, goals, optimal=False).lengths
    shortest = navmesh().find_paths(start, goals).lengths
    assert (shortest < corridors - 1e-3).any()
    monkeypatch.setattr(scratch, "_NODES", 4)
    monkeypatch.setattr(paths, "_MOST_NODES", 8)
    capped_paths = navmesh().find_paths(start, goals)
    capped = capped_paths.lengths
    # Searches with few nodes are still for the shortest.
    assert ((capped == corridors) | (capped == shortest)).all()
    differs = shortest < corridors - 1e-3
    assert (capped[differs] == corridors[differs]).any()
    np.testing.assert_array_equal(navmesh().distances(start, goals), capped)
    # And every path says which of both it is.
    assert not capped_paths.optimal[capped > shortest + 1e-9].any()
    assert capped_paths.optimal.any()
    one = navmesh()
    for goal, is_optimal in zip(goals, capped_paths.optimal, strict=True):
        assert one.find_path(start, goal).optimal is bool(is_optimal)
