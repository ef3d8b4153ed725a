"""Slivers: fans of long thin triangles are cut like the slabs that they are."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.checks.exact_checks import AGENT, cut_faces, faces_of, plans, union
from tests.makers.fans import fan, holed, ring, square_rim
from walkmesh.builder.faces import lay_out_slivers
from walkmesh.builder.kernels.faces import GROUND, LOW

TURNS = st.floats(0.0, 2.0 * math.pi)
GAP = 0.03  # between two slabs, as a finish lies on a floor


def scene_of(*parts, offset=(0.0, 0.0, 0.0)):
    triangles = np.concatenate(parts)
    faces = np.arange(3 * len(triangles)).reshape(-1, 3)
    return wm.Scene(triangles.reshape(-1, 3) + offset, faces, up="z")


def edge_length(faces):
    """Return the sum of the faces' longest edges in plan."""
    corners = faces.points[faces.triangles][..., :2]
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    return sides.max(axis=1).sum()


@st.composite
def slabs(draw):
    """Return the triangles of a slab, its outline, and what faces it has: by slope and side."""
    count, turn = draw(st.integers(40, 400)), draw(TURNS)
    slope, facing = draw(st.sampled_from([0.0, 0.05, -0.4])), draw(st.sampled_from([1, -1]))
    kind = draw(st.sampled_from(["round", "square", "star", "holed"]))
    if kind == "holed":
        rim, hole = ring(count, turn=turn), ring(12, 3.0) + (5.0, -4.0)
        shaft = square_rim(1, 2.0) + (-8.0, 6.0)
        triangles = holed(rim, [hole, shaft], slope=slope, facing=facing)
        return triangles, shapely.Polygon(rim, [hole, shaft]), slope, facing
    apex = None
    if kind == "round":
        rim = ring(count, turn=turn)
    elif kind == "square":
        rim = square_rim(count // 4, turn=turn)
    else:
        rim, apex = ring(2 * (count // 2), turn=turn, wave=draw(st.floats(0.0, 0.2))), (0.5, 0.2)
    return fan(rim, slope=slope, facing=facing, apex=apex), shapely.Polygon(rim), slope, facing


@given(slabs())
def test_slivers_become_the_same_surface_in_triangles_that_do_not_overlap(slab):
    triangles, plan, slope, facing = slab
    far_above = fan(ring(8), height=50.0)
    faces = faces_of(np.concatenate([triangles, far_above]))
    laid = faces.points[faces.triangles[: -len(far_above)]]
    assert len(laid) <= len(triangles)
    parts = shapely.polygons(laid[..., :2])
    assert shapely.area(parts).sum() == pytest.approx(plan.area, abs=1e-3)
    assert shapely.symmetric_difference(union(parts), plan).area < 1e-3
    assert np.abs(laid[..., 2] - slope * laid[..., 0]).max() < 2e-6
    assert (faces.roles[: len(laid)] == (GROUND if facing > 0 else LOW)).all()


@pytest.mark.parametrize(
    "slab",
    [
        lambda count: fan(ring(count)),
        lambda count: fan(ring(count), slope=0.2),
        lambda count: fan(ring(count, wave=0.003), apex=(5.0, 2.0)),
        lambda count: holed(ring(count), [ring(24, 2.0) + (8.0, 0.0)]),
        lambda count: fan(square_rim(count // 4, turn=0.3)),
    ],
    ids=["level", "sloping", "wavy", "holed", "straight"],
)
def test_four_times_as_many_slivers_have_hardly_longer_edges(slab):
    short, long = (edge_length(faces_of(slab(count))) for count in (800, 3200))
    assert long < 1.5 * short
    assert long < 30.0 * 2.0 * math.pi * 30.0


def test_slivers_that_are_not_in_one_plane_stay_as_they_are():
    rim = ring(200)
    cone = fan(rim, apex=(0.0, 0.0))
    cone[:, 0, 2] += 5.0
    cone[::2, 1, 2] += 0.01
    cone[1::2, 2, 2] += 0.01
    points, triangles = cone.reshape(-1, 3), np.arange(len(cone) * 3, dtype=np.int32).reshape(-1, 3)
    roles = np.full(len(cone), GROUND, dtype=np.uint8)
    assert np.array_equal(lay_out_slivers(points, triangles, roles), triangles)


@given(st.integers(40, 100), TURNS, st.sampled_from([0.0, GAP]))
def test_of_fans_on_top_of_each_other_exactly_one_layer_is_left(count, turn, gap):
    lower, upper = ring(count), ring(count + 7, turn=turn) + (10.0, 0.0)
    _, pieces = cut_faces(np.concatenate([fan(lower), fan(upper, height=gap)]))
    whole = shapely.union(shapely.Polygon(lower), shapely.Polygon(upper))
    assert sum(part.area for part in plans(pieces)) == pytest.approx(whole.area, abs=1e-2)
    assert union(plans(pieces)).area == pytest.approx(whole.area, abs=1e-2)


@given(
    st.integers(100, 800), TURNS, st.sampled_from([0.5, 1.8]), st.sampled_from([0.1, 0.3, 1.0])
)  # fmt: skip
def test_the_navmesh_of_two_fans_is_their_union_without_a_margin(count, turn, height, radius):
    rims = ring(count), ring(count, turn=turn)
    agent = wm.Agent(height=height, radius=radius)
    navmesh = wm.build(scene_of(fan(rims[0]), fan(rims[1], height=GAP)), agent)
    free = shapely.union(*(shapely.Polygon(rim) for rim in rims)).buffer(-radius)
    # The boundary is made simpler by at most 2.5 cm.
    assert free.area - 0.026 * free.length < navmesh.area < free.area + 0.01
    assert not navmesh.validate()


def test_a_ceiling_of_slivers_takes_the_ground_below_it():
    floor, ceiling = ring(500), ring(500, radius=20.0, turn=1.0)
    _, pieces = cut_faces(
        np.concatenate([fan(floor), fan(ceiling, height=1.0, facing=-1)]), AGENT
    )  # fmt: skip
    heights = pieces.corners[pieces.offsets[:-1], 2]
    level = [plan for plan, h in zip(plans(pieces), heights, strict=True) if h < 0.5]
    whole = shapely.Polygon(floor).area - shapely.Polygon(ceiling).area
    assert sum(plan.area for plan in level) == pytest.approx(whole, abs=1e-2)


def test_fans_give_the_same_navmesh_with_any_number_of_workers_and_far_away():
    parts = [
        part
        for storey in range(3)
        for part in (
            fan(ring(300, turn=storey), height=3.0 * storey),
            holed(ring(300), [square_rim(1, 2.0)], height=3.0 * storey - 0.2, facing=-1),
        )
    ]
    first = wm.build(scene_of(*parts), workers=1)
    again = wm.build(scene_of(*parts), workers=3)
    assert first.vertices.tobytes() == again.vertices.tobytes()
    assert first.polygon_vertices.tobytes() == again.polygon_vertices.tobytes()
    offset = np.array([450_000.0, -300_000.0, 100.0])
    moved = wm.build(scene_of(*parts, offset=offset))
    assert np.array_equal(first.polygon_vertices, moved.polygon_vertices)
    assert np.abs(moved.vertices - offset - first.vertices).max() < 1e-6


@pytest.mark.parametrize("count", [400, 1600])
def test_slabs_rounded_to_tenths_of_a_millimetre(count):
    """Each sliver has a plane of its own, but the slab is one sheet for cutting."""
    random = np.random.default_rng(0)
    parts = []
    for k in range(2):
        part = fan(ring(count, turn=0.1 * k), height=GAP * k)
        rim = GAP * k + np.round(random.uniform(-1e-4, 1e-4, count), 4)
        part[:, 1, 2], part[:, 2, 2] = rim[: len(part)], rim[1 : len(part) + 1]
        parts.append(part)
    navmesh = wm.build(scene_of(*parts))
    assert navmesh.validate() == []
    assert navmesh.area == pytest.approx(math.pi * 29.7**2, rel=2e-3)
