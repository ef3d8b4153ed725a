"""Loops, crossings and steps of the voxel method, against slow twins."""

import itertools

import numba
import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from tests.twins import naive_voxel
from walkmesh.builder.voxel.borders import last_of_each
from walkmesh.builder.voxel.contours import twice_areas
from walkmesh.builder.voxel.kernels.crossings import find_crossings, find_twists
from walkmesh.builder.voxel.kernels.loops import join_chains, simplify_loops, trace_chains
from walkmesh.builder.voxel.slices.kernels.steps import find_edges

# Loops


def cycles(following):
    left, result = set(range(len(following))), []
    while left:
        here = min(left)
        cycle = []
        while here in left:
            left.discard(here)
            cycle.append(here)
            here = following[here]
        result.append(cycle)
    return result


@given(st.permutations(range(20)))
def test_loops_are_traced(following):
    order, offsets = np.empty(20, dtype=np.int32), np.empty(21, dtype=np.int32)
    count = trace_chains(np.array(following, dtype=np.int32), order, offsets)
    got = [order[a:b].tolist() for a, b in itertools.pairwise(offsets[: count + 1].tolist())]
    assert got == cycles(following)


@given(st.permutations(range(20)), st.sets(st.integers(0, 19)))
def test_chains_are_traced_from_their_first_edges_and_joined_again(following, cut):
    order, offsets = np.empty(20, dtype=np.int32), np.empty(21, dtype=np.int32)
    open_ended = [-1 if edge in cut else after for edge, after in enumerate(following)]
    count = trace_chains(np.array(open_ended, dtype=np.int32), order, offsets)
    chains = [order[a:b].tolist() for a, b in itertools.pairwise(offsets[: count + 1].tolist())]
    assert sorted(itertools.chain(*chains)) == list(range(20))
    assert [chain[-1] for chain in chains[: len(cut)]] == [
        chain[-1] for chain in sorted(chains[: len(cut)])
    ]
    for chain in chains:
        assert all(open_ended[a] == b for a, b in itertools.pairwise(chain))
        assert open_ended[chain[-1]] in (-1, chain[0])
    # Edges in the order of the chains; the chain that begins where each ends comes after it.
    firsts = [chain[0] for chain in chains]
    after = np.array([firsts.index(following[chain[-1]]) for chain in chains], dtype=np.int32)
    joined, loops = np.empty(20, dtype=np.int32), np.empty(count + 1, dtype=np.int32)
    wanted = np.ones(count, dtype=np.uint8)
    found = join_chains(offsets[: count + 1], after, order.astype(np.int64), wanted, joined, loops)
    got = [order[joined[a:b]].tolist() for a, b in itertools.pairwise(loops[: found + 1].tolist())]
    assert got == cycles(following)


def test_unwanted_loops_are_left_out():
    offsets, after = np.array([0, 2, 3, 6], dtype=np.int32), np.array([1, 0, 2], dtype=np.int32)
    keys = np.array([8, 1, 7, 3, 4, 5])
    for wanted, expected in (((1, 1, 0), [1, 2, 0]), ((0, 0, 1), [3, 4, 5])):
        order, loops = np.empty(3, dtype=np.int32), np.empty(4, dtype=np.int32)
        assert join_chains(offsets, after, keys, np.array(wanted, np.uint8), order, loops) == 1
        assert order.tolist() == expected


@given(st.lists(st.lists(st.tuples(*[st.integers(-99, 99)] * 2), min_size=3), min_size=1))
def test_loops_enclose_the_area_of_the_shoelace_formula(loops):
    offsets = np.cumsum([0, *map(len, loops)]).astype(np.int32)
    areas = twice_areas(offsets, np.array([place for loop in loops for place in loop]))
    assert areas.tolist() == [
        sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(loop, loop[1:] + loop[:1], strict=True))
        for loop in loops
    ]


def wavy(random, size, start=0.0):
    angle = np.linspace(0.0, 2.0 * np.pi, size, endpoint=False)
    radius = 3.0 + 0.4 * np.sin(3.0 * angle + start) + random.normal(0.0, 0.05, size)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.sin(2.0 * angle)])


@pytest.mark.parametrize("tolerance", [0.0, 0.02, 0.1, 1.0, 50.0])
@pytest.mark.parametrize("seed", range(3))
def test_simplified_loops_stay_within_the_tolerance(seed, tolerance):
    random = np.random.default_rng(seed)
    loops = [wavy(random, size) for size in (150, 4, 3, 37)]
    offsets = np.cumsum([0, *map(len, loops)]).astype(np.int32)
    points = np.concatenate(loops)
    forced = random.random(len(points)) < 0.03
    chosen = np.full(len(points), 7, dtype=np.uint8)
    stale = np.array([1, 1, 1, 1], dtype=np.uint8)
    needed = np.empty_like(chosen)
    simplify_loops(
        offsets, points, forced.astype(np.uint8), stale, tolerance, np.inf, chosen, needed
    )
    assert not needed.any()
    assert (chosen[forced] == 1).all()
    assert set(chosen.tolist()) <= {0, 1}
    for a, b in itertools.pairwise(offsets.tolist()):
        loop, taken = points[a:b, :2], chosen[a:b] == 1
        assert taken[0]
        assert np.count_nonzero(taken) >= 3
        corners = np.flatnonzero(taken)
        for low, high in itertools.pairwise([*corners.tolist(), b - a]):
            line = loop[[low, high % (b - a)]]
            for i in range(low + 1, high):
                assert naive_voxel.away_from_loop(loop[i], line) <= tolerance + 1e-9
    if tolerance >= 1.0:
        assert np.count_nonzero(chosen) < 40
    if tolerance == 0.0:
        assert np.count_nonzero(chosen) == len(points)


def test_straight_lines_need_no_vertices_between():
    square = [(u, 0, 0) for u in range(9)] + [(9, v, 0) for v in range(9)]
    square += [(9 - u, 9, 0) for u in range(9)] + [(0, 9 - v, 0) for v in range(9)]
    points, offsets = np.array(square, dtype=float), np.array([0, 36], dtype=np.int32)
    raw, chosen = np.zeros(36, dtype=np.uint8), np.full(36, 7, dtype=np.uint8)
    stale, needed = np.zeros(1, dtype=np.uint8), np.empty(36, dtype=np.uint8)
    simplify_loops(offsets, points, raw, stale, 1e-9, 1.0, chosen, needed)
    assert (chosen == 7).all()  # it was simplified before
    simplify_loops(offsets, points, raw, 1 - stale, 1e-9, 1.0, chosen, needed)
    assert np.flatnonzero(chosen).tolist() == [0, 9, 18, 27]


@pytest.mark.parametrize("tolerance", [0.0, 0.05, 0.3, 9.0])
@pytest.mark.parametrize("seed", range(3))
def test_heights_along_simplified_loops_stay_within_the_tolerance(seed, tolerance):
    random = np.random.default_rng(seed)
    loops = [np.cumsum(random.normal(0.0, 0.1, size)) for size in (90, 4, 40)]
    offsets = np.cumsum([0, *map(len, loops)]).astype(np.int32)
    heights = np.concatenate(loops)
    chosen = (random.random(len(heights)) < 0.1).astype(np.uint8)
    chosen[offsets[:-1]] = 1
    needed = np.full(len(heights), 7, dtype=np.uint8)
    points = np.column_stack([np.zeros((len(heights), 2)), heights])
    stale = np.zeros(3, dtype=np.uint8)  # what is chosen stays
    simplify_loops(offsets, points, chosen, stale, 0.0, tolerance, chosen.copy(), needed)
    assert set(np.unique(needed)) <= {0, 1}
    for a, b in itertools.pairwise(offsets.tolist()):
        corners = a + np.flatnonzero((chosen[a:b] == 1) | (needed[a:b] == 1))
        for low, high in itertools.pairwise([*corners.tolist(), b]):
            ends = heights[low], heights[high if high < b else a]
            line = np.interp(np.arange(low, high), (low, high), ends)
            assert np.abs(heights[low:high] - line).max() <= tolerance + 1e-12
    if tolerance == 9.0:
        assert not needed.any()


def test_vertices_inside_straight_borders_are_passed_over():
    # Two borders 0-1-2-3 and back, of which 1 and 2 are passed over.
    following = np.array([1, 2, 2, 4, 5, 5])
    assert last_of_each(following).tolist() == [2, 2, 2, 5, 5, 5]
    assert last_of_each(np.array([*range(1, 200), 199])).tolist() == [199] * 200


# Crossings


def meet_elsewhere(a, b):
    """Tell whether two segments meet anywhere but where both end."""
    lines = shapely.LineString(a), shapely.LineString(b)
    if not shapely.intersects(*lines):
        return False
    if {tuple(p) for p in a} & {tuple(p) for p in b}:
        return shapely.length(shapely.intersection(*lines)) > 1e-9
    return True


def cross(edges, patches, heights, bits, found):
    changed = np.ones(len(edges), dtype=np.uint8)
    ids = np.array(patches, dtype=np.int32)
    find_crossings(np.array(edges), ids, np.array(heights), changed, 0.2, 1.0, bits, found)


@pytest.mark.parametrize("scale_bits", [0, 10])
@pytest.mark.parametrize("bits", [1, 3, 12])
@pytest.mark.parametrize("size", [5, 12, 60])
def test_crossings_are_those_that_geos_finds(size, bits, scale_bits):
    random = np.random.default_rng(size)
    segments = random.integers(-size, size + 1, (60, 2, 2))
    segments = segments[(segments[:, 0] != segments[:, 1]).any(axis=1)]
    patches = random.integers(0, 3, len(segments)).astype(np.int32)
    heights = random.uniform(0.0, 2.0, len(segments))
    edges = np.ascontiguousarray(segments.reshape(-1, 4) << scale_bits)
    found = np.empty(len(edges), dtype=np.uint8)
    changed = random.integers(0, 2, len(edges)).astype(np.uint8)
    find_crossings(edges, patches, heights, changed, 0.2, 0.9, bits + scale_bits, found)
    expected = np.zeros(len(edges), dtype=np.uint8)
    for i, j in itertools.combinations(range(len(edges)), 2):
        if not (changed[i] or changed[j]):
            continue
        apart = abs(heights[i] - heights[j])
        matters = patches[i] == patches[j] or apart < 0.9
        if (segments[i] == segments[j][::-1]).all():  # two grounds beside each other, or a fold
            matters = patches[i] == patches[j] and apart <= 0.2
        if matters and meet_elsewhere(segments[i].tolist(), segments[j].tolist()):
            expected[i] = expected[j] = 1
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("other", "crosses"),
    [
        ((2, 1, 6, 3), 1),
        ((2, 1, 0, 0), 1),
        ((0, 0, 4, 2), 1),
        ((4, 2, 6, 3), 0),
        ((6, 3, 8, 4), 0),
        ((2, 0, 0, 0), 0),
        ((2, 1, 3, 0), 1),
    ],
)
def test_edges_in_one_line_cross_if_they_share_more_than_a_point(other, crosses):
    for edges in ([(0, 0, 4, 2), other], [other[2:] + other[:2], (4, 2, 0, 0)]):
        found = np.empty(2, dtype=np.uint8)
        cross(edges, [0, 0], [0.0, 0.0], 2, found)
        assert found.tolist() == [crosses, crosses]


def test_long_edges_that_cross_far_away_are_found():
    far = 2**29
    edges = np.array([(-far, -far, far, far - 1), (0, 5, 5, -9), (far, 0, far, 9)])
    found = np.empty(3, dtype=np.uint8)
    cross(edges, [0, 0, 0], [0.0, 0.0, 0.0], 20, found)
    assert found.tolist() == [1, 1, 0]


def test_edges_beside_each_other_fold_only_at_one_height():
    edges = np.array([(0, 0, 9, 3), (9, 3, 0, 0), (4, 4, 4, 4)])
    found = np.empty(3, dtype=np.uint8)
    for patches, heights, expected in (
        ((0, 0, 1), (0.0, 0.1, 0.0), [1, 1, 1]),
        ((0, 0, 1), (0.0, 0.5, 0.0), [0, 0, 1]),
        ((0, 2, 1), (0.0, 0.0, 0.0), [0, 0, 1]),
    ):
        cross(edges, patches, heights, 6, found)
        assert found.tolist() == expected


def ring_edges(*rings):
    """Return the edges (n, 4) of rings of places."""
    ends = [zip(ring, [*ring[1:], ring[0]], strict=True) for ring in rings]
    return np.array([(*a, *b) for ring in ends for a, b in ring], dtype=np.int64)


LEFT = [(0, 0), (-4, 2), (-4, -2)]
RIGHT = [(0, 0), (4, -2), (4, 2)]


@numba.njit
def twists(edges, patches, crossing):
    """Let Python call what only kernels call."""
    find_twists(edges, patches, crossing)


@pytest.mark.parametrize(
    ("rings", "twisted"),
    [
        ([LEFT, RIGHT], False),  # touching at a corner
        ([[*LEFT, *RIGHT]], False),  # one ring that does
        ([LEFT, RIGHT[::-1]], True),  # one of them the wrong way round
        ([LEFT, [(0, 0), (-4, 1), (-4, 3)]], True),  # through each other
        ([LEFT, [(0, 0), (-4, 1), (-4, -1)]], True),  # within each other
        ([LEFT, [(0, 0), (-4, -1), (-4, 1)]], False),  # the same as a hole
        ([[(-4, 2), (-4, 0), (0, 0), (-4, 0), (-4, -2), (4, 0)]], False),  # around a slit
        ([[(-4, 0), (0, 0), (2, -9), (3, -9), (0, 0)]], True),  # a fold without width
    ],
)
def test_outlines_that_cross_at_a_vertex_are_found(rings, twisted):
    edges = ring_edges(*rings)
    for turn in range(4):
        quarter = [[0, -1], [1, 0]]
        matrix = np.linalg.matrix_power(np.array(quarter), turn)
        turned = np.hstack([edges[:, :2] @ matrix, edges[:, 2:] @ matrix]) * 2**20
        found = np.zeros(len(edges), dtype=np.uint8)
        twists(np.ascontiguousarray(turned), np.zeros(len(edges), dtype=np.int32), found)
        assert found.any() == twisted
        # Rings of different patches have nothing to do with each other.
        apart = np.repeat(np.arange(len(rings)), [len(ring) for ring in rings]).astype(np.int32)
        found[:] = 0
        twists(np.ascontiguousarray(turned), apart, found)
        assert not found.any() or len(rings) == 1


# Steps


def test_edges_of_steps_are_found_by_place_and_height():
    random = np.random.default_rng(0)
    lines = random.integers(0, 5, 60) * 0.3
    starts = random.integers(0, 20, 60) * 0.3
    edges = np.column_stack([lines, starts, starts + 0.3 * random.integers(1, 6, 60)])
    edges = np.column_stack([edges, *np.repeat([random.integers(0, 4, 60) * 1.0], 2, axis=0)])
    edges = np.ascontiguousarray(edges[np.lexsort((edges[:, 1], edges[:, 0]))])
    owners = np.arange(60, dtype=np.int32)
    for axis in (0, 1):
        places = np.empty((300, 3))
        places[:, 1 - axis] = random.integers(0, 6, 300) * 0.3
        places[:, axis] = random.integers(0, 80, 300) * 0.1
        places[:, 2] = random.integers(0, 4, 300) + random.uniform(-0.1, 0.1, 300)
        polygons = np.full(300, -1, dtype=np.int32)
        find_edges(edges, owners, places, axis, 0.2, polygons)
        found = 0
        for place, polygon in zip(places, polygons, strict=True):
            across, along, height = place[1 - axis], place[axis], place[2]
            fits = np.abs(edges[:, 0] - across) < 1e-6
            fits &= (edges[:, 1] <= along + 1e-6) & (along <= edges[:, 2] + 1e-6)
            fits &= np.abs(edges[:, 3] - height) <= 0.2
            assert (polygon in np.flatnonzero(fits)) if fits.any() else polygon == -1
            found += polygon >= 0
        assert 30 < found < 270
