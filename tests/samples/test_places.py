"""The large places are what their docstrings say."""

import re
from collections import namedtuple

import numpy as np
import pytest

import walkmesh as wm
from tests.checks.plan_triangles import (
    enclosed_volume,
    normals_and_areas,
    plan_triangles,
    unmatched_edges,
)
from walkmesh import SettingsError, samples
from walkmesh.samples import details
from walkmesh.samples.soup import Soup
from walkmesh.samples.station import openings
from walkmesh.topology import plan_points

Place = namedtuple("Place", "make least full size start goal")

PLACES = {
    "station": Place(
        samples.station, 13_848, 568_418, (351.05, 40.2, 8.3),
        samples.STATION_START, samples.STATION_GOAL,
    ),
    "platform": Place(
        samples.platform, 17_494, 119_601, (40.0, 52.25, 48.1895),
        samples.PLATFORM_START, samples.PLATFORM_GOAL,
    ),
    "buildings": Place(
        samples.buildings, 44_192, 1_121_127, (500.0, 500.0, 16.0),
        samples.BUILDINGS_START, samples.BUILDINGS_GOAL,
    ),
}  # fmt: skip


@pytest.fixture(scope="module", params=PLACES)
def place(request):
    return PLACES[request.param]


@pytest.fixture(scope="module")
def navmeshes():
    """Return the navmesh of each place without details."""
    return {name: wm.build(p.make(p.least), wm.Agent(), wm.Exact()) for name, p in PLACES.items()}


def parts(navmesh):
    """Return the plan area of each component, largest first, and its number."""
    u_v = plan_points(navmesh)[:, :2][navmesh.triangles]
    areas = np.abs(np.linalg.det(u_v[:, 1:] - u_v[:, :1])) / 2.0
    owner = navmesh.components[navmesh.triangle_polygons]
    sums = np.bincount(owner, areas)
    order = np.argsort(-sums, kind="stable")
    return sums[order], order


def component_at(navmesh, point):
    """Return the component that a point stands on, or is at most 0.6 m above or below."""
    (polygon,) = navmesh.nearest([point], max_snap=0.6).polygons
    assert polygon >= 0
    return navmesh.components[polygon]


def test_the_full_size_has_the_count_and_the_bounds(place):
    scene = place.make()
    assert len(scene.faces) == place.full
    assert scene.left_out.total == 0
    triangles = plan_triangles(scene)
    np.testing.assert_array_equal(triangles, np.round(triangles, 4))
    extent = triangles.max(axis=(0, 1)) - triangles.min(axis=(0, 1))
    assert extent == pytest.approx(place.size, abs=1e-3)


@pytest.mark.parametrize("more", [0, 1, 2, 13, 5_000])
def test_any_number_of_triangles_is_met(place, more):
    scene = place.make(place.least + more)
    assert len(scene.faces) == place.least + more
    assert scene.left_out.total == 0


def test_the_docstring_tells_the_counts(place):
    text = place.make.__doc__
    assert f"The least number of triangles is {place.least:,}." in re.sub(r"\s+", " ", text)
    with pytest.raises(SettingsError, match=f"whole number from {place.least} to"):
        place.make(place.least - 1)
    with pytest.raises(SettingsError, match="triangles is '1e9'"):
        place.make("1e9")


def test_a_place_is_the_same_each_time_and_turned_by_up(place):
    first, again, turned = (place.make(60_000, up=up) for up in ("y", "y", "z"))
    np.testing.assert_array_equal(first.vertices, again.vertices)
    np.testing.assert_array_equal(first.faces, again.faces)
    np.testing.assert_array_equal(plan_triangles(first), plan_triangles(turned))


@pytest.mark.parametrize("name", PLACES)
def test_there_is_a_way_from_start_to_goal(navmeshes, name):
    place = PLACES[name]
    path = navmeshes[name].find_path(place.start, place.goal)
    assert path.status == "complete"
    ends, wanted = path.points[[0, -1]], np.array([place.start, place.goal])
    np.testing.assert_allclose(ends[:, [0, 2]], wanted[:, [0, 2]], atol=1e-6)
    # Feet of ramps are welded to a quarter of a millimetre, and the floors around them follow.
    np.testing.assert_allclose(ends[:, 1], wanted[:, 1], atol=2.5e-4)


def test_the_station_is_platforms_with_hall_and_tracks(navmeshes):
    navmesh = navmeshes["station"]
    areas, order = parts(navmesh)
    assert np.sum(areas > 5.0) == 2
    opposite, tracks = (28.0, 1.1, 300.0), (19.0, 0.0, 10.0)
    for point in (samples.STATION_START, samples.STATION_GOAL, opposite):
        assert component_at(navmesh, point) == order[0]
    assert component_at(navmesh, tracks) == order[1]
    assert navmesh.find_path(samples.STATION_START, tracks).status != "complete"


def test_nothing_hangs_over_the_flights_of_the_station():
    middles = plan_triangles(samples.station()).mean(axis=1)
    below_ceiling = middles[middles[:, 2] < 8.0]
    for west, south, east, north in openings():
        over = below_ceiling[np.all(below_ceiling[:, :2] > (west, south), axis=1)]
        over = over[np.all(over[:, :2] < (east, north), axis=1)]
        climbed = over[:, 0] - west if west < 175.0 else east - over[:, 0]
        assert len(over) > 0
        assert np.all(over[:, 2] < 1.1 + 4.0 * climbed / 7.6 + 1.2)


def test_each_flight_of_the_station_leads_up(navmeshes):
    lanes = [v for lane in (4.2, 6.2, 7.5) for v in (lane, 40.2 - lane)]
    ways = [(u, u + 9.6) for u in (109.0, 134.0)] + [(u, u - 9.6) for u in (242.05, 217.05)]
    for v in lanes:
        for low, high in ways:
            path = navmeshes["station"].find_path((v, 1.1, low), (v, 5.1, high))
            # One metre of floor at either end, and 4 m up on a slope or on steps between them.
            assert path.status == "complete"
            across = np.abs(path.points[:, 0] - v).max()
            assert across < 0.1


def test_all_decks_of_the_platform_are_one_component(navmeshes):
    navmesh = navmeshes["platform"]
    areas, order = parts(navmesh)
    decks = [component_at(navmesh, (12.5, 4.0 * deck, 20.0)) for deck in range(11)]
    assert set(decks) == {order[0]}
    # Inside the tanks: 16 sides, all of them 0.3 m nearer to the middle.
    inner = 3.0 * np.cos(np.pi / 16) - 0.3
    assert areas[1:6] == pytest.approx(16 * np.tan(np.pi / 16) * inner**2, abs=0.01)
    assert areas[0] > 20_000.0
    assert areas[6] < 5.0


def test_streets_and_roofs_of_the_buildings(navmeshes):
    navmesh = navmeshes["buildings"]
    areas, order = parts(navmesh)
    assert np.sum(areas > 10.0) == 361
    assert areas[1:361] == pytest.approx(13.4**2, abs=0.01)
    # The first block has stairs up to a roof in its first building; the park is in the middle.
    roof, ground, hill = (12.0, 6.15, 16.0), (12.0, 0.15, 34.0), (250.0, 2.15, 250.0)
    for point in (samples.BUILDINGS_START, samples.BUILDINGS_GOAL, roof, ground, hill):
        assert component_at(navmesh, point) == order[0]


@pytest.mark.parametrize(
    ("batch", "volume"),
    [
        (details.boxes([(0, 0, 0), (5, 5, 5)], [(1, 2, 3), (6, 7, 8)]), 6.0),
        (details.pipes([(0, 0, 0)], [(0, 0, 2)], 1.0, 64, 3), 2.0 * 32 * np.sin(np.pi / 32)),
        (details.pipes([(0, 0, 1)], [(3, 4, 1)], 1.0, 4), 5.0 * 2.0),
        (details.pipes([(0, 0, 1)], [(3, 0, 5)], 1.0, 4, 7), 5.0 * 2.0),
        (details.cones([(1, 2, 3)], 1.0, 3.0, 4), 2.0),
    ],
)
def test_shapes_are_closed_and_face_outwards(batch, volume):
    for piece in np.round(batch, 9):
        assert unmatched_edges(piece) == 0
        assert enclosed_volume(piece) == pytest.approx(volume)


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("thickness", [None, 0.1])
def test_flights_are_closed(back, thickness):
    soup = Soup()
    side_view = details.flight(2.0, 1.0, 0.2, 0.3, 10, back=back, thickness=thickness)
    soup.prism(side_view, 0.0, 1.2, along="v")
    triangles = plan_triangles(soup.scene("z"))
    assert unmatched_edges(triangles) == 0
    normals, areas = normals_and_areas(triangles)
    assert areas[normals[:, 2] > 0.99].sum() == pytest.approx(9 * 0.3 * 1.2)
    assert triangles[:, :, 2].max() == pytest.approx(2.8)


@pytest.mark.parametrize(("along", "axis"), [("u", 0), ("v", 1), ("h", 2)])
@pytest.mark.parametrize("turned", [False, True])
def test_tiles_face_along_their_axis(along, axis, turned):
    grid = details.tiles((0, 2, 3), (0, 1, 4), 7.0, along, holes=[(2, 1, 3, 4)], turned=turned)
    normals, areas = normals_and_areas(grid)
    assert normals[:, axis] == pytest.approx(-1.0 if turned else 1.0)
    assert areas.sum() == pytest.approx(3 * 4 - 3)
    assert np.all(grid[:, :, axis] == 7.0)


@pytest.mark.parametrize("count", [2, 3, 4, 8, 16, 101])
def test_surfaces_are_cut_without_loss(count):
    soup = Soup()
    soup.box((0, 0, 0), (1, 1, 1))
    details.spend(soup, 12 + count, [], [details.tiles((0, 4), (0, 3), 2.0)])
    cut = soup.triangles()[12:]
    normals, areas = normals_and_areas(cut)
    assert len(cut) == count
    assert normals[:, 2] == pytest.approx(1.0)
    assert areas.sum() == pytest.approx(12.0)
    assert areas.max() <= 4.01 * areas.min()
    if count & (count - 1) == 0:
        # All triangles were cut equally often, so only edges of the outline have no partner.
        middles = (cut + np.roll(cut, -1, axis=1)) / 2.0
        outline = np.isin(middles[:, :, 0], (0.0, 4.0)) | np.isin(middles[:, :, 1], (0.0, 3.0))
        assert unmatched_edges(cut) == np.sum(outline)
