"""Ragged polygons, against loops over lists; and measures of triangles, against GEOS."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from walkmesh.arrays import find_all
from walkmesh.overlaps import vertices_on_edges
from walkmesh.ragged import (
    across,
    following_corners,
    label_polygons,
    match_polygons,
    offsets_keeping,
    offsets_of,
    offsets_with,
    owners_of,
    ranges,
)
from walkmesh.triangles import area_vectors, first_at_place, plan_measures, twice_plan_areas

pytestmark = pytest.mark.plain_python

sizes = st.lists(st.integers(3, 6), max_size=5)


@given(st.lists(st.integers(0, 5), max_size=6))
def test_offsets_and_owners_count_corners(counts):
    offsets = offsets_of(np.array(counts, dtype=np.int64))
    assert offsets.tolist() == [sum(counts[:p]) for p in range(len(counts) + 1)]
    assert owners_of(offsets).tolist() == [p for p, n in enumerate(counts) for _ in range(n)]


@given(sizes, st.data())
def test_offsets_know_of_corners_inserted_and_left_out(counts, data):
    offsets = offsets_of(np.array(counts, dtype=np.int64))
    owners = owners_of(offsets)
    numbers = st.lists(st.integers(0, len(owners) - 1)) if len(owners) else st.just([])
    before = np.array(data.draw(numbers), dtype=np.int64)
    more = np.insert(owners, before + 1, owners[before])
    assert owners_of(offsets_with(offsets, before)).tolist() == more.tolist()
    stays = np.isin(np.arange(len(owners)), before)
    fewer = offsets_keeping(offsets, stays)
    assert owners_of(fewer).tolist() == owners[stays].tolist()
    assert len(fewer) == len(offsets)


@given(sizes)
def test_the_last_corner_of_a_polygon_is_followed_by_its_first(counts):
    following = following_corners(offsets_of(np.array(counts, dtype=np.int64))).tolist()
    expected, start = [], 0
    for n in counts:
        expected += [start + (k + 1) % n for k in range(n)]
        start += n
    assert following == expected


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), max_size=6))
def test_ranges_are_put_one_after_the_other(runs):
    starts, counts = np.array(runs, dtype=np.int64).reshape(-1, 2).T
    expected = [k for start, n in runs for k in range(start, start + n)]
    assert ranges(starts, starts + counts).tolist() == expected


@given(st.lists(st.permutations(range(6)).map(lambda p: p[:3]), max_size=6))
def test_edges_match_that_two_polygons_run_through_in_opposite_directions(polygons):
    offsets = offsets_of(np.full(len(polygons), 3))
    corners = np.array(polygons, dtype=np.int32).reshape(-1)
    mates = match_polygons(offsets, corners)
    edges = [(p[k], p[(k + 1) % 3]) for p in polygons for k in range(3)]
    for i, (a, b) in enumerate(edges):
        same, back = edges.count((a, b)), edges.count((b, a))
        assert (mates[i] >= 0) == (same == back == 1)
        if mates[i] >= 0:
            assert edges[mates[i]] == (b, a)
    neighbors = across(owners_of(offsets), mates)
    labels = label_polygons(offsets, neighbors)
    for i, other in enumerate(neighbors):
        assert other < 0 or labels[other] == labels[i // 3]


@given(st.integers(0, 40), st.integers(1, 3))
def test_all_that_a_kernel_finds_is_there_however_little_room_there_is(count, room):
    rows = np.arange(2 * count, dtype=np.int32).reshape(-1, 2)

    def find(found):
        found[:count] = rows[: len(found)]
        return count

    assert find_all(find, room=room).tolist() == rows.tolist()


def test_vertices_on_edges_are_inside_of_them():
    points = np.array([[0.0, 0, 0], [4, 0, 0], [2, 0, 0.001], [2, 1, 0], [0.001, 0, 0]])
    edges = np.array([[0, 1]], dtype=np.int32)
    assert vertices_on_edges(points, edges, 0.01).tolist() == [[2, 0]]
    assert vertices_on_edges(points, edges[:0], 0.01).shape == (0, 2)


@given(st.lists(st.tuples(*[st.integers(0, 1)] * 3), max_size=12))
def test_each_point_is_told_the_first_at_its_place(places):
    first = first_at_place(np.array(places, dtype=np.float64).reshape(-1, 3))
    assert first.tolist() == [places.index(place) for place in places]


@given(st.lists(st.tuples(*[st.integers(-9, 9)] * 9), min_size=1, max_size=5))
def test_areas_and_outlines_of_triangles_are_those_of_geos(corners):
    triangles = np.array(corners, dtype=np.float64).reshape(-1, 3, 3)
    twice, outlines = plan_measures(triangles)
    assert np.array_equal(twice, twice_plan_areas(triangles))
    shapes = shapely.polygons(triangles[:, :, :2])
    assert np.abs(twice) / 2.0 == pytest.approx(shapely.area(shapes))
    assert outlines == pytest.approx(shapely.length(shapes))
    vectors = area_vectors(triangles)
    assert vectors[:, 2] == pytest.approx(twice)
    for k in range(3):
        side = triangles[:, (k + 1) % 3] - triangles[:, k]
        assert (vectors * side).sum(axis=1) == pytest.approx(0.0)
