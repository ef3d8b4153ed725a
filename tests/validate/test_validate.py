"""Each way to break a good mesh, broken at random, must be found and named."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.twins import naive_mesh
from walkmesh import LINK_DTYPE
from walkmesh.topology import edge_ends

pytestmark = pytest.mark.plain_python

ARRAYS = ("vertices", "polygon_offsets", "polygon_vertices", "neighbors", "areas", "components")


def changed(navmesh, **arrays):
    """Return a copy of a navmesh with some arrays replaced, and all others as they were."""
    values = {name: getattr(navmesh, name) for name in ARRAYS} | arrays
    return wm.NavMesh(**values, agent=navmesh.agent, up=navmesh.up)


def rederived(navmesh, **arrays):
    """Return a copy with some arrays replaced, and neighbours and components as they follow."""
    values = {name: getattr(navmesh, name) for name in ARRAYS[:3]} | arrays
    return wm.NavMesh(**values, agent=navmesh.agent, up=navmesh.up)


def kinds(navmesh):
    return {violation.kind for violation in navmesh.validate()}


@st.composite
def good_meshes(draw):
    columns, rows = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    size = (columns + 1) * (rows + 1)
    heights = draw(st.lists(st.floats(-0.3, 0.3), min_size=size, max_size=size))
    return naive_mesh.grid_mesh(columns, rows, np.reshape(heights, (columns + 1, rows + 1)))


@given(good_meshes())
def test_good_meshes_are_sound(navmesh):
    assert navmesh.validate() == []


@given(good_meshes(), st.data())
def test_vertex_out_of_range(navmesh, data):
    corners = navmesh.polygon_vertices.copy()
    corner = data.draw(st.integers(0, len(corners) - 1))
    corners[corner] = data.draw(st.sampled_from([-1, len(navmesh.vertices), 2**30]))
    found = changed(navmesh, polygon_vertices=corners).validate()
    named = [v for v in found if v.kind == "vertex out of range"]
    assert [(v.polygon, v.edge) for v in named] == [(corner // 4, corner % 4)]
    assert str(corners[corner]) in named[0].message


@given(good_meshes(), st.data())
def test_vertex_not_finite(navmesh, data):
    vertices = navmesh.vertices.copy()
    vertex = data.draw(st.integers(0, len(vertices) - 1))
    vertices[vertex, data.draw(st.integers(0, 2))] = data.draw(
        st.sampled_from([np.nan, np.inf, -np.inf])
    )
    found = changed(navmesh, vertices=vertices).validate()
    assert {v.kind for v in found} == {"vertex not finite"}
    assert f"vertex {vertex} " in found[0].message


@given(good_meshes())
def test_unused_vertex(navmesh):
    vertices = np.concatenate([navmesh.vertices, [(0.5, 0.0, 0.5)]])
    found = changed(navmesh, vertices=vertices).validate()
    assert [v.kind for v in found] == ["vertex unused"]
    assert f"vertex {len(navmesh.vertices)} " in found[0].message


@given(good_meshes(), st.data())
def test_repeated_vertex(navmesh, data):
    corners = navmesh.polygon_vertices.copy()
    polygon = data.draw(st.integers(0, navmesh.polygon_count - 1))
    corners[4 * polygon + 2] = corners[4 * polygon + 1]
    found = rederived(navmesh, polygon_vertices=corners).validate()
    assert [(v.polygon, v.edge) for v in found if v.kind == "vertex repeated"] == [(polygon, 2)]


@given(good_meshes(), st.data())
def test_neighbors_not_mutual(navmesh, data):
    neighbors = navmesh.neighbors.copy()
    corner = data.draw(st.integers(0, len(neighbors) - 1))
    wrong = st.integers(-3, navmesh.polygon_count + 2).filter(lambda n: n != neighbors[corner])
    neighbors[corner] = data.draw(wrong)
    found = [v for v in changed(navmesh, neighbors=neighbors).validate() if v.kind == "neighbor"]
    assert [(v.polygon, v.edge) for v in found] == [(corner // 4, corner % 4)]


@given(good_meshes(), st.data())
def test_winding(navmesh, data):
    corners = navmesh.polygon_vertices.copy()
    polygon = data.draw(st.integers(0, navmesh.polygon_count - 1))
    corners[4 * polygon : 4 * polygon + 4] = corners[4 * polygon : 4 * polygon + 4][::-1]
    found = rederived(navmesh, polygon_vertices=corners).validate()
    assert [v.polygon for v in found if v.kind == "winding"] == [polygon]
    # Its edges are now run through the same way by both sides.
    assert "edge overused" in {v.kind for v in found}


@given(good_meshes(), st.data())
def test_not_convex(navmesh, data):
    # The corner (1, 1) is moved far into one of the four squares around it.
    vertices = navmesh.vertices.copy()
    middle = np.flatnonzero((vertices[:, 0] == 1) & (vertices[:, 2] == 1))[0]
    toward = data.draw(st.sampled_from([(-1, -1), (-1, 1), (1, -1), (1, 1)]))
    vertices[middle, [0, 2]] += 0.75 * np.array(toward)
    found = changed(navmesh, vertices=vertices).validate()
    assert {v.kind for v in found} == {"not convex"}
    square = navmesh.nearest([(1 + 0.9 * toward[0], 0, 1 + 0.9 * toward[1])]).polygons[0]
    assert [v.polygon for v in found] == [square]
    assert navmesh.polygon_vertices[4 * square + found[0].edge] == middle


def test_a_star_winds_around_twice():
    angles = np.arange(5) * 4 * np.pi / 5
    star = np.column_stack([np.sin(angles), np.zeros(5), np.cos(angles)])
    found = wm.NavMesh(star, [0, 5], range(5)).validate()
    assert [v.kind for v in found] == ["not convex"]
    assert "more than once" in found[0].message


def test_a_bow_tie_is_not_convex():
    corners = [(0, 0, 0), (0, 0, 4), (3, 0, 1), (3, 0, 4.5)]
    assert kinds(wm.NavMesh(corners, [0, 4], [0, 1, 3, 2])) == set()
    crossed = wm.NavMesh(corners, [0, 4], [0, 1, 2, 3])
    assert kinds(crossed) <= {"not convex", "winding"}
    assert kinds(crossed)


@pytest.mark.compiled_only
@pytest.mark.parametrize(("depth", "sound"), [(0.0, True), (5e-6, True), (2e-5, False)])
@pytest.mark.parametrize("corners", [1, 9, 999])
def test_a_side_that_bends_inwards_is_not_convex_however_fine_its_corners(corners, depth, sound):
    x = np.linspace(0, 10, corners + 2)
    side = np.column_stack([x, np.zeros_like(x), 4 * depth * x * (10 - x) / 100])
    count = len(side) + 2
    mesh = wm.NavMesh([(0, 0, 5), (10, 0, 5), *side[::-1]], [0, count], range(count))
    assert kinds(mesh) == (set() if sound else {"not convex"})


@pytest.mark.filterwarnings("error")
def test_coordinates_next_to_nothing_divide_nothing_by_zero():
    corners = [(0, 0, 0), (1, 0, 0), (-9e-305, 0.6, 0), (0, 0.6, 0)]
    assert kinds(wm.NavMesh(corners, [0, 4], [0, 1, 2, 3], up="z")) <= {"not convex"}


def test_a_needle_is_thin_and_nothing_else():
    needle = [(0, 0, 0), (10, 0, 0), (5, 0, -5e-7)]
    assert kinds(wm.NavMesh(needle, [0, 3], [0, 1, 2])) == set()
    split = [*needle, (5, 0, -5)]
    assert kinds(wm.NavMesh(split, [0, 3, 6, 9], [0, 1, 2, 0, 2, 3, 2, 1, 3])) == set()


@given(good_meshes(), st.data())
def test_no_area(navmesh, data):
    # A polygon of three vertices on one line, hung on an edge of the border.
    corner = data.draw(st.sampled_from(np.flatnonzero(navmesh.neighbors < 0).tolist()))
    a, b = navmesh.polygon_vertices[corner], edge_ends(navmesh)[corner]
    beyond = 2 * navmesh.vertices[b] - navmesh.vertices[a]
    found = rederived(
        navmesh,
        vertices=np.concatenate([navmesh.vertices, [beyond]]),
        polygon_offsets=np.append(navmesh.polygon_offsets, len(navmesh.polygon_vertices) + 3),
        polygon_vertices=np.append(navmesh.polygon_vertices, [b, a, len(navmesh.vertices)]),
    ).validate()
    assert [v.polygon for v in found if v.kind == "no area"] == [navmesh.polygon_count]


@given(good_meshes(), st.data())
def test_edge_shared_by_three(navmesh, data):
    corner = data.draw(st.sampled_from(np.flatnonzero(navmesh.neighbors >= 0).tolist()))
    a, b = navmesh.polygon_vertices[corner], edge_ends(navmesh)[corner]
    # A fin high above the edge: far enough to be no overlap.
    top = navmesh.vertices[[a, b]].mean(axis=0) + (0.1, 100.0, 0.2)
    found = rederived(
        navmesh,
        vertices=np.concatenate([navmesh.vertices, [top]]),
        polygon_offsets=np.append(navmesh.polygon_offsets, len(navmesh.polygon_vertices) + 3),
        polygon_vertices=np.append(navmesh.polygon_vertices, [b, a, len(navmesh.vertices)]),
    ).validate()
    overused = [v for v in found if v.kind == "edge overused"]
    assert len(overused) == 1
    assert "(too many)" in overused[0].message
    assert str(navmesh.polygon_count) in overused[0].message


@given(good_meshes(), st.data())
def test_t_junction(navmesh, data):
    # One square gets a triangle of its own beside it that shares no vertex, only a border.
    part = data.draw(st.floats(0.01, 0.99))
    corner = data.draw(st.sampled_from(np.flatnonzero(navmesh.neighbors < 0).tolist()))
    a = navmesh.vertices[navmesh.polygon_vertices[corner]]
    b = navmesh.vertices[edge_ends(navmesh)[corner]]
    along = b - a
    outward = np.array([along[2], 0.0, -along[0]])
    inside = a + part * along
    center = navmesh.vertices.mean(axis=0)
    if outward @ (inside - center) < 0:
        outward = -outward
    tip = [inside, a + outward + 0.3 * along, a + outward + 0.7 * along]
    count = len(navmesh.vertices)
    mesh = rederived(
        navmesh,
        vertices=np.concatenate([navmesh.vertices, tip]),
        polygon_offsets=np.append(navmesh.polygon_offsets, len(navmesh.polygon_vertices) + 3),
        polygon_vertices=np.append(navmesh.polygon_vertices, [count, count + 1, count + 2]),
    )
    found = [v for v in mesh.validate() if v.kind != "winding"]
    assert [(v.kind, v.polygon, v.edge) for v in found] == [("T-junction", corner // 4, corner % 4)]
    assert f"vertex {count} " in found[0].message
    raised = mesh.vertices.copy()
    raised[count:, 1] += 5e-6
    assert "T-junction" not in kinds(changed(mesh, vertices=raised))


@pytest.mark.parametrize(
    ("gap", "sound"), [(0.0, False), (1e-9, False), (0.5, False), (1.79, False), (1.81, True)]
)
@given(good_meshes())
def test_overlap_by_height(gap, sound, navmesh):
    flat = navmesh.vertices * (1, 0, 1)
    count = len(flat)
    mesh = rederived(
        navmesh,
        vertices=np.concatenate([flat, flat + (0.3, gap, 0.2)]),
        polygon_offsets=np.append(
            navmesh.polygon_offsets,
            navmesh.polygon_offsets[1:] + len(navmesh.polygon_vertices),
        ),
        polygon_vertices=np.append(navmesh.polygon_vertices, navmesh.polygon_vertices + count),
    )
    found = [v for v in mesh.validate() if v.kind == "overlap"]
    expected = naive_mesh.overlapping_pairs(mesh, 1.8 - 1e-3)
    assert (not expected) == sound
    assert len(found) == len(expected)
    for violation, (low, high) in zip(found, sorted(expected), strict=True):
        assert f"polygons {low} and {high} " in violation.message


@given(st.integers(0, 2**32 - 1))
def test_overlaps_match_the_referee(seed):
    rng = np.random.default_rng(seed)
    corners = rng.uniform(0, 4, (12, 3, 2))
    (ax, az), (bx, bz) = (corners[:, 1] - corners[:, 0]).T, (corners[:, 2] - corners[:, 0]).T
    area = ax * bz - az * bx
    corners = corners[np.abs(area) > 0.2]
    area = area[np.abs(area) > 0.2]
    corners[area > 0] = corners[area > 0][:, ::-1]  # x right, z down: clockwise in (x, z)
    heights = rng.uniform(0, 6, corners.shape[:2])
    vertices = np.stack([corners[..., 0], heights, corners[..., 1]], axis=-1).reshape(-1, 3)
    navmesh = wm.NavMesh(vertices, np.arange(0, len(vertices) + 1, 3), np.arange(len(vertices)))
    found = navmesh.validate()
    assert {v.kind for v in found} <= {"overlap", "rise"}
    found = [v for v in found if v.kind == "overlap"]  # some triangles are as steep as walls
    surely = naive_mesh.overlapping_pairs(navmesh, 1.8 - 1e-3, area=1e-4)
    perhaps = naive_mesh.overlapping_pairs(navmesh, 1.8 - 1e-3, area=1e-12)
    named = {f"polygons {low} and {high} lie" for low, high in perhaps}
    assert len(surely) <= len(found) <= len(perhaps)
    assert all(v.message[: v.message.index("lie") + 3] in named for v in found)


def climb(rise, run, steps=1):
    """Return a navmesh of a floor, a rise that is cut into so many strips, and a floor above."""
    x = [-1.0, *np.linspace(0.0, run, steps + 1), run + 1.0]
    y = [0.0, *np.linspace(0.0, rise, steps + 1), rise]
    vertices = [(a, b, c) for a, b in zip(x, y, strict=True) for c in (0.0, 1.0)]
    quads = [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2) for i in range(len(x) - 1)]
    offsets = np.arange(0, 4 * len(quads) + 1, 4)
    return wm.NavMesh(vertices, offsets, np.ravel(quads), agent=wm.Agent(max_step=0.4))


@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize(
    ("rise", "run", "climbed"),
    [
        (0.6, 0.005, True),  # the side of a plinth
        (0.6, 0.05, True),
        (-0.6, 0.005, True),  # down is no better
        (0.39, 0.005, False),  # a step
        (4.0, 2.0, False),  # stairs with the highest steps and treads of 0.2 m
        (4.0, 4.0, False),
    ],
)
def test_rises_that_no_agent_climbs(rise, run, climbed, steps):
    found = climb(rise, run, steps).validate()
    assert {v.kind for v in found} == ({"rise"} if climbed else set())
    if climbed:
        assert {v.polygon for v in found} == set(range(1, steps + 1))
        assert "rises by 0.6 m" in found[0].message


@given(good_meshes(), st.data())
def test_components_that_do_not_match(navmesh, data):
    components = navmesh.components.copy()
    polygon = data.draw(st.integers(0, navmesh.polygon_count - 1))
    components[polygon] = 7
    found = changed(navmesh, components=components).validate()
    assert {v.kind for v in found} == {"component"}
    assert polygon in {v.polygon for v in found}


def test_two_islands_said_to_be_one():
    here = naive_mesh.grid_mesh(1, 1)
    mesh = wm.NavMesh(
        np.concatenate([here.vertices, here.vertices + (5, 0, 0)]),
        [0, 4, 8],
        [0, 1, 3, 2, 4, 5, 7, 6],
        components=[0, 0],
    )
    assert [v.kind for v in mesh.validate()] == ["component"]


def test_links_to_nowhere():
    links = np.zeros(3, dtype=LINK_DTYPE)
    links["goal_polygon"] = [0, 9, 0]
    links["start"][2] = np.nan
    here = naive_mesh.grid_mesh(1, 1)
    mesh = wm.NavMesh(here.vertices, here.polygon_offsets, here.polygon_vertices, links=links)
    assert [str(v) for v in mesh.validate()] == [
        "link: link 1: its goal is on polygon 9, which does not exist",
        "link: link 2: its start is not finite",
    ]


@pytest.mark.parametrize("offset", [(0, 0, 0), (500_000, 300, -450_000)])
def test_far_from_the_origin(offset):
    rng = np.random.default_rng(5)
    mesh = naive_mesh.grid_mesh(20, 20, rng.uniform(-0.3, 0.3, (21, 21)))
    assert changed(mesh, vertices=mesh.vertices + offset).validate() == []


def test_rounding_far_away_does_not_lead_outside_the_clipped_polygon():
    # At 2**51 m coordinates are half metres apart, and cutting makes more corners than it can.
    corners = np.array(
        [(1, 1.5, 2), (2, 2.5, 2), (0, 1.5, 0), (0.5, 2, 4), (0, 1, 1), (2.5, 2.5, 0)]
    )
    agent = wm.Agent(height=1.001, max_step=0.1)
    far = corners + (2.0**51, 2.0**51, 0.0)
    wm.NavMesh(far, [0, 3, 6], range(6), up="z", agent=agent).validate()
