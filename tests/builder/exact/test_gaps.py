"""Gap closing: which slits close, what stays as it was, and that the mesh stays sound."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.twins.naive_gaps import (
    areas,
    boundary_length,
    component_count,
    edge_users,
    is_manifold,
    outline_counts,
    plates,
    with_kinds,
)
from walkmesh.builder.exact.kernels import candidates, fans, gaps
from walkmesh.builder.exact.kernels import contract as contracting
from walkmesh.builder.exact.kernels.fans import HEAD, KIND, MATE, VERTEX
from walkmesh.builder.exact.stages.gaps import TriangleGround, contract
from walkmesh.errors import BuildError
from walkmesh.kernels.meshes.kinds import BLOCKED, INNER_WALL, OPEN

pytestmark = pytest.mark.plain_python


def close_gaps(points, triangles, heights, kinds, distance=0.03, max_step=0.4, check=False):
    """Close gaps; every triangle has its own number as its source."""
    sources = np.arange(len(triangles), dtype=np.int32)
    mesh, counts = contract(
        TriangleGround(points, triangles, heights, kinds, sources), distance, max_step, 1.0, check
    )
    assert len(mesh.sources) == len(mesh.triangles)
    return *mesh[:4], counts


DISTANCE, MAX_STEP = 0.03, 0.4

# Kernels that kernels call have no way in from Python unless they are plain Python.
plain_only = pytest.mark.skipif(not numba.config.DISABLE_JIT, reason="needs the JIT to be off")


def close(mesh, distance=DISTANCE, max_step=MAX_STEP):
    """Close gaps with every check on, and look at what must always hold."""
    points, triangles, _, _ = mesh
    result = close_gaps(*mesh, distance, max_step, check=True)
    new_points, new_triangles, new_heights, new_kinds, _ = result
    assert is_manifold(new_triangles)
    assert (areas(new_points, new_triangles) > 0.0).all()
    assert new_heights.shape == new_kinds.shape == new_triangles.shape
    assert np.array_equal(np.unique(new_triangles), np.arange(len(new_points)))
    shared = edge_users(new_triangles)
    for t, triangle in enumerate(new_triangles.tolist()):
        for k in range(3):
            inner = (triangle[(k + 1) % 3], triangle[k]) in shared
            assert (new_kinds[t, k] == 0) == inner
    change = areas(new_points, new_triangles).sum() - areas(points, triangles).sum()
    assert abs(change) <= boundary_length(points, triangles) * distance
    return result


def test_slits_close_up_to_the_gap_distance():
    for width in (0.005, 0.015, 0.029):
        points, triangles, _, _, counts = close(plates([(0, 0, 1, 1), (1 + width, 0, 2, 1)]))
        assert component_count(triangles) == 1
        assert areas(points, triangles).sum() == pytest.approx(2.0)
        assert len(points) == 6
        assert counts["vertex_contractions"] == 2
        assert counts["contractions_refused"] == 0


def test_a_wider_slit_stays_as_it_is():
    mesh = plates([(0, 0, 1, 1), (1.031, 0, 2, 1)])
    result = close(mesh)
    assert all(new is old for new, old in zip(result[:4], mesh, strict=True))
    assert set(result[4].values()) == {0}


def test_a_mesh_without_gaps_is_handed_back():
    mesh = plates([(0, 0, 3, 2)], [(6, 4)])
    assert all(new is old for new, old in zip(close(mesh)[:4], mesh, strict=True))


def test_an_empty_mesh_is_handed_back():
    none = np.zeros((0, 3))
    mesh = (np.zeros((0, 2)), none.astype(np.int32), none, none.astype(np.uint8))
    assert len(close_gaps(*mesh, DISTANCE, MAX_STEP)[1]) == 0


@pytest.mark.parametrize("width", [0.005, 0.02, 0.029])
def test_unlike_divisions_close_vertex_by_edge(width):
    mesh = plates([(0, 0, 1, 1), (1 + width, 0, 2, 1)], [(3, 4), (2, 7)])
    points, triangles, _, _, counts = close(mesh)
    assert component_count(triangles) == 1
    assert areas(points, triangles).sum() == pytest.approx(2.0)
    assert counts["vertex_edge_contractions"] == 3 + 6
    assert outline_counts(points, triangles) == 1


@pytest.mark.parametrize("width", [0.005, 0.02, 0.029])
@pytest.mark.parametrize("divisions", [None, [(3, 2), (4, 5), (2, 2), (7, 1)]])
def test_crossing_slits_close(width, divisions):
    far = 1 + width
    mesh = plates([(0, 0, 1, 1), (far, 0, 2, 1), (0, far, 1, 2), (far, far, 2, 2)], divisions)
    points, triangles, _, _, _ = close(mesh)
    assert component_count(triangles) == 1
    assert areas(points, triangles).sum() == pytest.approx(4.0, abs=1e-6)
    assert outline_counts(points, triangles) == 1


@pytest.mark.parametrize("width", [0.005, 0.02, 0.029])
def test_slits_that_meet_in_a_t_close(width):
    far = 1 + width
    mesh = plates([(0, 0, 1, 1), (far, 0, 2, 1), (0, far, 2, 2)], [(3, 2), (4, 5), (2, 2)])
    points, triangles, _, _, _ = close(mesh)
    assert component_count(triangles) == 1
    assert areas(points, triangles).sum() == pytest.approx(4.0, abs=1e-3)
    assert outline_counts(points, triangles) == 1


def test_treads_keep_their_heights_where_they_meet():
    mesh = plates([(0, 0, 1, 1), (1.02, 0, 2, 1)], [(1, 3), (1, 5)], [0.0, 0.2])
    _, triangles, heights, _, _ = close(mesh)
    assert component_count(triangles) == 1
    assert sorted(set(heights.ravel().tolist())) == [0.0, 0.2]
    assert (heights.min(axis=1) == heights.max(axis=1)).all()


def test_treads_too_far_apart_in_height_stay_apart():
    mesh = plates([(0, 0, 1, 1), (1.02, 0, 2, 1)], None, [0.0, 0.41])
    assert close(mesh)[1] is mesh[1]
    assert component_count(close(mesh, max_step=0.42)[1]) == 1


def test_a_third_piece_does_not_join_two_that_are_too_far_apart():
    """Both ends of the slit have the height of a piece between, but its sides do not."""
    mesh = plates(
        [(0, 0, 1, 1), (1.01, 0, 2, 1), (0, -1, 2, -0.01), (0, 1.01, 2, 2)],
        heights=[0.0, 0.6, 0.3, 0.3],
    )
    _, triangles, heights, _, _ = close(mesh)
    height = {edge: heights[t[0], 0] for edge, t in edge_users(triangles).items()}
    steps = [abs(height[a, b] - height[b, a]) for a, b in height if (b, a) in height]
    assert max(steps) == pytest.approx(0.3)


def test_a_slope_stays_flat_when_its_edge_moves():
    points, triangles, heights, kinds = plates([(0, 0, 1, 1), (1.02, 0, 2, 1)], [(1, 1), (3, 4)])
    slope = triangles.min(axis=1) >= 4
    heights[slope] = 0.3 * points[triangles[slope], 0]
    heights[~slope] = 0.3 * 1.02
    new_points, new_triangles, new_heights, _, _ = close((points, triangles, heights, kinds))
    assert component_count(new_triangles) == 1
    flat = np.ptp(new_heights, axis=1) < 1e-9
    assert areas(new_points, new_triangles)[flat].sum() == pytest.approx(1.0, abs=0.03)
    sloping = 0.3 * new_points[new_triangles[~flat], 0]
    assert new_heights[~flat] == pytest.approx(sloping)


@pytest.mark.parametrize("kind", [BLOCKED, INNER_WALL])
def test_a_blocked_slit_stays(kind):
    mesh = plates([(0, 0, 1, 1), (1.02, 0, 2, 1)], [(2, 3), (2, 2)])
    points, triangles, _, kinds = mesh
    for side in ((0.99, 1.01), (1.01, 1.03)):
        kinds_before = kinds.copy()
        ends = points[np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=-1), 0]
        on_slit = ((ends > side[0]) & (ends < side[1])).all(axis=-1)
        kinds[on_slit & (kinds == OPEN)] = kind
        assert (kinds != kinds_before).any()
        _, new_triangles, _, new_kinds, _ = close(mesh)
        assert component_count(new_triangles) == 2
        assert (new_kinds == kind).sum() >= (kinds == kind).sum()


@pytest.mark.parametrize("end_width", [0.0, 0.02])
def test_a_slit_that_ends_inside_a_plate_closes(end_width):
    mouth, depth = 0.02, 0.6
    outline = [
        (0, 0),
        (0.5 - mouth / 2, 0),
        (0.5 - end_width / 2, depth),
        (0.5 + end_width / 2, depth),
        (0.5 + mouth / 2, 0),
        (1, 0),
        (1, 1),
        (0, 1),
    ]
    points = np.array(outline, dtype=float)
    triangles = [(0, 1, 2), (0, 2, 7), (7, 2, 6), (2, 3, 6), (3, 5, 6), (3, 4, 5)]
    if end_width == 0.0:
        points = np.delete(points, 3, axis=0)
        triangles = [(0, 1, 2), (0, 2, 6), (6, 2, 5), (2, 4, 5), (2, 3, 4)]
    triangles = np.array(triangles, dtype=np.int32)
    mesh = with_kinds(points, triangles, np.zeros(triangles.shape))
    assert (areas(points, triangles) > 0).all()
    new_points, new_triangles, _, _, _ = close(mesh)
    assert areas(new_points, new_triangles).sum() == pytest.approx(1.0, abs=1e-3)
    assert boundary_length(new_points, new_triangles) == pytest.approx(4.0, abs=0.05)


def test_a_wedge_closes_only_where_it_is_narrow():
    rows = 40
    mesh = plates([(0, 0, 1, 4), (1, 0, 2, 4)], [(1, rows), (1, rows)])
    points = mesh[0]
    right = np.arange(len(points)) >= 2 * (rows + 1)
    points[right, 0] += 0.025 * points[right, 1]  # 10 cm wide at the far end
    new_points, new_triangles, _, _, _ = close(mesh)
    assert component_count(new_triangles) == 1
    gap = areas(new_points, new_triangles).sum() - areas(points, mesh[1]).sum()
    assert 0.5 * 0.025 * 1.1**2 < gap < 0.5 * 0.025 * 1.4**2


def test_small_holes_close_and_larger_ones_stay():
    for width, holes in ((0.02, 0), (0.1, 1)):
        u = np.array([0, 0.5, 0.5 + width, 1.5])
        rectangles = [
            (u[i], u[j], u[i + 1], u[j + 1]) for i in range(3) for j in range(3) if (i, j) != (1, 1)
        ]
        points, triangles, heights, _ = plates(rectangles)
        _, first, welded = np.unique(points, axis=0, return_index=True, return_inverse=True)
        mesh = with_kinds(points[first], welded[triangles].astype(np.int32), heights)
        new_points, new_triangles, _, _, _ = close(mesh)
        assert outline_counts(new_points, new_triangles) == 1 + holes


def test_a_smooth_boundary_is_left_alone():
    """Neighbours along an arc are close to each other, but there is no slit between them."""
    angles = np.linspace(0.0, 2 * np.pi, 200, endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    points = np.concatenate([0.3 * circle, circle])
    i = np.arange(200)
    j = (i + 1) % 200
    triangles = np.concatenate(
        [np.stack([i, i + 200, j + 200], axis=-1), np.stack([i, j + 200, j], axis=-1)]
    ).astype(np.int32)
    mesh = with_kinds(points, triangles, np.zeros(triangles.shape))
    assert close(mesh)[1] is mesh[1]


def test_thin_triangles_go_and_pass_their_kind_on():
    points = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, -5e-5]], dtype=float)
    triangles = np.array([[0, 1, 2], [0, 2, 3], [0, 4, 1]], dtype=np.int32)
    points_, triangles_, heights_, kinds = with_kinds(points, triangles, np.zeros((3, 3)))
    kinds[2, :2] = BLOCKED
    new_points, new_triangles, _, new_kinds, counts = close((points_, triangles_, heights_, kinds))
    assert counts["thin_triangles_removed"] == 1
    assert areas(new_points, new_triangles).sum() == pytest.approx(1.0, abs=1e-4)
    assert (new_kinds == BLOCKED).sum() == 2


def test_needles_and_flat_triangles_inside_a_plate_dissolve():
    points = np.array(
        [[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5], [0.5 + 5e-5, 0.5], [0.2, 0.8 + 5e-5]]
    )
    triangles = np.array(
        [[0, 1, 4], [1, 5, 4], [1, 2, 5], [2, 4, 5], [2, 3, 4], [3, 0, 6], [0, 4, 6], [4, 3, 6]],
        dtype=np.int32,
    )
    points[6] = [0.25, 0.75 - 2e-5]
    mesh = with_kinds(points, triangles, np.zeros(triangles.shape))
    assert (areas(points, triangles) > 0).all()
    new_points, new_triangles, _, _, counts = close(mesh)
    assert counts["thin_triangles_removed"] >= 2
    assert areas(new_points, new_triangles).sum() == pytest.approx(1.0, abs=1e-4)
    assert outline_counts(new_points, new_triangles) == 1


def test_edges_of_three_triangles_are_refused():
    points = np.array([[0, 0], [1, 0], [0.5, 1], [0.5, 2]], dtype=float)
    triangles = np.array([[0, 1, 2], [0, 1, 3]], dtype=np.int32)
    with pytest.raises(BuildError, match="more than two"):
        close_gaps(points, triangles, np.zeros((2, 3)), np.ones((2, 3), np.uint8))


@st.composite
def careless_plates(draw):
    """Plates side by side, with gaps or overlaps, noise, unlike divisions, steps and walls."""
    columns, rows = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    width = draw(st.sampled_from([0.0, 0.002, 0.01, 0.02, 0.029, 0.035]))
    noise = draw(st.sampled_from([0.0, 1e-5, 5e-4, 2e-3, 1e-2]))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.sampled_from([0.1, 0.5, 2.0]))
    rectangles = [
        (i * size, j * size, (i + 1) * size - width, (j + 1) * size - width)
        for i in range(columns)
        for j in range(rows)
    ]
    divisions = [tuple(random.integers(1, 4, 2)) for _ in rectangles]
    heights = [random.choice([0.0, 0.0, 0.1, 0.3, 1.0]) for _ in rectangles]
    points, triangles, heights, kinds = plates(rectangles, divisions, heights)
    angle = draw(st.sampled_from([0.0, 0.3, 2.0]))
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    points = points @ turn + draw(st.sampled_from([0.0, 500_000.0]))
    noisy = points + random.uniform(-noise, noise, points.shape)
    if (areas(noisy, triangles) > 1e-9).all():
        points = noisy
    walls = random.random(kinds.shape) < draw(st.sampled_from([0.0, 0.2]))
    kinds[walls & (kinds == OPEN)] = BLOCKED
    return points, triangles, heights, kinds


@given(careless_plates())
def test_the_mesh_stays_sound_whatever_the_plates(mesh):
    close(mesh)


@given(careless_plates(), st.integers(0, 2**32 - 1))
def test_the_order_of_triangles_does_not_matter_much(mesh, seed):
    points, triangles, heights, kinds = mesh
    first = close_gaps(*mesh, DISTANCE, MAX_STEP)
    order = np.random.default_rng(seed).permutation(len(triangles))
    second = close((points, triangles[order], heights[order], kinds[order]))
    tolerance = 0.2 * DISTANCE * boundary_length(points, triangles)
    assert areas(*first[:2]).sum() == pytest.approx(areas(*second[:2]).sum(), abs=tolerance)


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.001, 0.01, 0.025]))
def test_the_same_pieces_hang_together_in_any_order(seed, width):
    random = np.random.default_rng(seed)
    rectangles = [
        (0.5 * i, 0.5 * j, 0.5 * (i + 1) - width, 0.5 * (j + 1) - width)
        for i in range(3)
        for j in range(2)
    ]
    heights = [random.choice([0.0, 0.3, 1.0]) for _ in rectangles]
    divisions = [tuple(random.integers(1, 4, 2)) for _ in rectangles]
    points, triangles, heights, kinds = plates(rectangles, divisions, heights)
    points += random.uniform(-5e-4, 5e-4, points.shape)
    first = close((points, triangles, heights, kinds))
    order = random.permutation(len(triangles))
    second = close((points, triangles[order], heights[order], kinds[order]))
    assert component_count(first[1]) == component_count(second[1])
    assert areas(*first[:2]).sum() == pytest.approx(areas(*second[:2]).sum(), abs=2e-3)


@given(careless_plates())
def test_arguments_are_left_as_they_are(mesh):
    before = [array.copy() for array in mesh]
    close_gaps(*mesh, DISTANCE, MAX_STEP)
    assert all(np.array_equal(a, b) for a, b in zip(mesh, before, strict=True))


# Single contractions, on meshes made by hand.


def working_mesh(points, triangles):
    points = np.array([*points, (0.0, 0.0)], dtype=float)
    triangles = np.array(triangles, dtype=np.int32)
    _, _, _, kinds = with_kinds(points, triangles, np.zeros(triangles.shape))
    corners = np.full((triangles.size + 30, 6), -1, dtype=np.int64)
    corners[: triangles.size, VERTEX] = triangles.ravel()
    corners[: triangles.size, KIND] = kinds.ravel()
    users = edge_users(triangles)
    for c in range(triangles.size):
        t, k = divmod(c, 3)
        for other in users.get((triangles[t, (k + 1) % 3], triangles[t, k]), []):
            back = triangles[other].tolist().index(triangles[t, (k + 1) % 3])
            corners[c, MATE] = 3 * other + back
    places = np.zeros((len(corners), 3))
    places[: triangles.size, 1:] = points[triangles.ravel()]
    mesh = fans.make_mesh(points, corners, places, len(triangles))
    assert fans.find_fault(mesh, 0.0) == fans.SOUND
    return mesh


HEXAGON = [(np.cos(a), np.sin(a)) for a in np.arange(6) * np.pi / 3]


@plain_only
def test_a_third_triangle_at_an_edge_is_refused():
    mesh = working_mesh(
        [(0, 0), (1, 0), (0.5, 1), (0.5, -1), (0, 0.01), (1, 0.01), (0.5, 0.9)],
        [(0, 1, 2), (1, 0, 3), (4, 5, 6)],
    )
    assert contracting.contract(mesh, 0, 4, 1.0, MAX_STEP, 1.0)  # two fans that touch at a vertex
    assert fans.find_fault(mesh, 0.0) == fans.SOUND
    assert not contracting.contract(mesh, 1, 5, 1.0, MAX_STEP, 1.0)
    assert fans.find_fault(mesh, 0.0) == fans.SOUND


@plain_only
def test_a_triangle_on_the_free_side_of_an_edge_is_joined():
    mesh = working_mesh(
        [(0, 0), (1, 0), (0.5, 1), (0, -0.01), (0.5, -1), (1, -0.01)], [(0, 1, 2), (3, 4, 5)]
    )
    assert contracting.contract(mesh, 0, 3, 1.0, MAX_STEP, 1.0)
    assert contracting.contract(mesh, 1, 5, 1.0, MAX_STEP, 1.0)
    assert fans.find_fault(mesh, 0.0) == fans.SOUND
    assert mesh.corners[0, MATE] == 5
    assert mesh.corners[0, KIND] == mesh.corners[5, KIND] == 0


@plain_only
def test_nothing_joins_a_vertex_inside_its_fan():
    ring = [(6, k, (k + 1) % 6) for k in range(6)]
    mesh = working_mesh([*HEXAGON, (0, 0), (0.01, 0), (0.5, 0.1), (0.4, 0.2)], [*ring, (7, 8, 9)])
    assert not contracting.contract(mesh, 6, 7, 1.0, MAX_STEP, 1.0)
    assert fans.find_fault(mesh, 0.0) == fans.SOUND


@plain_only
def test_a_fan_may_close_only_if_it_is_alone():
    ring = [(6, k, k + 1) for k in range(5)]  # the sixth triangle is missing
    other = [(7, 8, 9)]
    points = [*HEXAGON, (0, 0), (0.01, 0), (0.5, 0.1), (0.4, 0.2), (0.01, -0.02)]
    last = [(5, 0, 10)]
    for beside in ([], other):
        mesh = working_mesh(points, [*ring, *beside, *last])
        if beside:
            assert contracting.contract(mesh, 6, 7, 1.0, MAX_STEP, 1.0)
        assert contracting.contract(mesh, 6, 10, 1.0, MAX_STEP, 1.0) == (not beside)
        assert fans.find_fault(mesh, 0.0) == fans.SOUND


@plain_only
def test_a_fan_of_a_neighbour_may_close_only_if_it_is_alone():
    """Vertices 0 and 7 start and end the open fan around 6; contracting them closes it."""
    points = [*HEXAGON, (0, 0), (1.0, -0.01), (0.2, -0.05), (0.3, -0.06)]
    ring = [(6, k, k + 1) for k in range(5)] + [(6, 5, 7)]
    for beside in ([], [(6, 8, 9)]):
        mesh = working_mesh(points, [*ring, *[tuple(t) for t in beside]])
        assert contracting.contract(mesh, 0, 7, 1.0, MAX_STEP, 1.0) == (not beside)
        assert fans.find_fault(mesh, -1.0) == fans.SOUND


@plain_only
def test_a_quad_does_not_fold_over_its_diagonal():
    mesh = working_mesh([(0, 0), (1, 0), (1, 1), (0, 1)], [(0, 1, 2), (0, 2, 3)])
    assert not contracting.contract(mesh, 1, 3, 9.0, MAX_STEP, 1.0)
    assert fans.find_fault(mesh, 0.0) == fans.SOUND


@plain_only
def test_faces_that_vanish_pass_their_kinds_on():
    # A strip; contracting 1 and 4 removes two faces, one of them at a wall.
    points = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 0.02), (2, 1)]
    triangles = [(0, 1, 4), (1, 2, 4), (0, 4, 3), (2, 5, 4)]
    mesh = working_mesh(points, triangles)
    mesh.corners[0, KIND] = BLOCKED  # from 0 to 1
    assert contracting.contract(mesh, 1, 4, 1.0, MAX_STEP, 1.0)
    assert fans.find_fault(mesh, 0.0) == fans.SOUND
    kinds = {
        (mesh.corners[c, VERTEX], mesh.corners[fans.next_of(c), VERTEX]): mesh.corners[c, KIND]
        for c in range(12)
        if mesh.corners[c, VERTEX] >= 0
    }
    assert kinds[0, 1] == BLOCKED
    assert kinds[1, 2] == OPEN if (1, 2) in kinds else kinds[2, 1] == OPEN


@plain_only
def test_a_split_can_be_undone():
    for part in (0.3, 0.7):
        mesh = working_mesh([(0, 0), (1, 0), (0.5, 1), (1.5, 1)], [(0, 1, 2), (1, 3, 2)])
        before = [mesh.corners.copy(), mesh.places.copy()]
        new = contracting.split_edge(mesh, 0, part)
        assert fans.find_fault(mesh, 0.0) == fans.SOUND
        contracting.unsplit_edge(mesh, 0, new)
        assert fans.find_fault(mesh, 0.0) == fans.SOUND
        assert np.array_equal(mesh.corners[:6, :3], before[0][:6, :3])
        assert np.array_equal(mesh.places[:6], before[1][:6])


@plain_only
@given(careless_plates())
def test_the_grid_finds_the_same_contractions_as_a_look_at_all_edges(plates_):
    points, triangles, heights, kinds = plates_
    mesh = working_mesh(points, triangles)
    mesh.corners[: triangles.size, KIND] = kinds.ravel()
    mesh.places[: triangles.size, 0] = heights.ravel()
    grid = gaps._fill_grid(mesh, DISTANCE)
    for vertex in range(len(points)):
        if mesh.vertices[vertex, HEAD] < 0:
            continue
        best, all_best = np.empty(3), np.array([np.inf, -1.0, 0.0])
        candidates.find_best(mesh, grid, vertex, DISTANCE, MAX_STEP, -1.0, -1, best)
        for edge in range(triangles.size):
            if mesh.corners[edge, MATE] < 0 and mesh.corners[edge, KIND] == OPEN:
                candidates.try_edge(
                    mesh, vertex, edge, DISTANCE + 1e-7, MAX_STEP, -1.0, -1, all_best
                )
        assert best.tolist() == all_best.tolist()
