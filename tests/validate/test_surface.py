"""Navmeshes of surfaces: sound ones have no violation, and each way to break them is named."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers import surface_shapes
from tests.makers.surface_shapes import surface
from walkmesh import LINK_DTYPE
from walkmesh.polygon_planes import Planes, frames_of
from walkmesh.tolerances import FOLDED, HEADROOM_SLACK

ARRAYS = ("vertices", "polygon_offsets", "polygon_vertices", "neighbors", "areas", "components")
TALL = wm.Agent(height=1.8)


def changed(navmesh, **arrays):
    """Return a copy of a navmesh with some arrays replaced, and all others as they were."""
    values = {name: getattr(navmesh, name) for name in ARRAYS} | arrays
    return wm.NavMesh(**values, agent=navmesh.agent, up=navmesh.up, surface=True)


def kinds(navmesh):
    return {violation.kind for violation in navmesh.validate()}


def turn(seed):
    """Return a random rotation and a place far from the origin."""
    rng = np.random.default_rng(seed)
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return axes * np.linalg.det(axes), rng.uniform(-1e5, 1e5, 3)


SOUND = {
    "box": surface_shapes.box(),
    "room": surface_shapes.box(inside=True, agent=TALL),
    "ball": surface_shapes.sphere(agent=TALL),
    "cave": surface_shapes.sphere(inside=True, agent=TALL),
    "stairs": surface_shapes.stairs(agent=TALL),
    "back to back": surface_shapes.plates(-0.01, second="down"),
    "face to face": surface_shapes.plates(0.3, second="down"),
    "far apart": surface_shapes.plates(0.51),
    "nothing": surface(np.empty((0, 3)), []),
}


@pytest.mark.parametrize("name", SOUND)
@given(seed=st.integers(0, 2**32 - 1))
def test_sound_surfaces_stay_sound_however_they_lie(name, seed):
    navmesh = SOUND[name]
    axes, place = turn(seed)
    assert navmesh.validate() == []
    assert changed(navmesh, vertices=navmesh.vertices @ axes + place).validate() == []


def test_what_is_sound_on_a_surface_is_not_on_the_ground():
    room = SOUND["room"]
    flat = wm.NavMesh(room.vertices, room.polygon_offsets, room.polygon_vertices)
    assert {v.kind for v in flat.validate()} >= {"winding", "no area"}


@pytest.mark.parametrize("height", [0.5, 1.8])
@pytest.mark.parametrize("bend", [-150, -91, -90, -61, -59, -1, 1, 30, 59, 61, 90, 135, 170])
def test_a_fold_is_no_overlap(bend, height):
    # Two squares that share an edge, and a third that shares a vertex with both.
    a = np.radians(bend)
    across = np.array([np.cos(a), np.sin(a)])
    vertices = [(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)]
    vertices += [(1 + across[0], across[1], z) for z in (1, 0)]
    vertices += [(1 + across[0], across[1], 2), (1, 0, 2)]
    polygons = [(0, 1, 2, 3), (3, 2, 4, 5), (2, 7, 6, 4)]
    assert surface(vertices, polygons, agent=wm.Agent(height=height, radius=0)).validate() == []


def test_a_flipped_polygon_runs_through_its_edges_the_wrong_way():
    navmesh = SOUND["ball"]
    corners = navmesh.polygon_vertices.copy()
    corners[:3] = corners[:3][::-1]
    assert kinds(changed(navmesh, polygon_vertices=corners)) == {"edge overused", "neighbor"}


def test_an_edge_of_three_sheets():
    navmesh = SOUND["box"]
    vertices = np.concatenate([navmesh.vertices, [(-2, -2, 1)]])
    polygons = [navmesh.polygon_vertices[4 * p : 4 * p + 4] for p in range(6)] + [(0, 1, 8)]
    assert kinds(surface(vertices, polygons)) == {"edge overused"}


def test_vertices_neighbors_and_components_as_on_the_ground():
    navmesh = SOUND["stairs"]
    vertices = navmesh.vertices.copy()
    vertices[0, 1] = np.nan
    assert "vertex not finite" in kinds(changed(navmesh, vertices=vertices))
    unused = np.concatenate([navmesh.vertices, [(9, 9, 9)]])
    assert kinds(changed(navmesh, vertices=unused)) == {"vertex unused"}
    corners = navmesh.polygon_vertices.copy()
    corners[1] = 99
    assert "vertex out of range" in kinds(changed(navmesh, polygon_vertices=corners))
    corners[1] = corners[0]
    assert "vertex repeated" in kinds(changed(navmesh, polygon_vertices=corners))
    assert "neighbor" in kinds(changed(navmesh, neighbors=np.full(len(corners), -1)))
    components = np.arange(navmesh.polygon_count)
    assert kinds(changed(navmesh, components=components)) == {"component"}


@given(st.integers(0, 2**32 - 1))
def test_not_convex_and_no_area_in_the_own_plane(seed):
    axes, place = turn(seed)
    dart = np.array([(0, 0, 0), (2, 0, 0), (0.4, 0.4, 0), (0, 2, 0)]) @ axes + place
    found = surface(dart, [(0, 1, 2, 3)]).validate()
    assert [(v.kind, v.edge) for v in found] == [("not convex", 2)]
    line = np.array([(0, 0, 0), (1, 0, 0), (3, 0, 0)]) @ axes
    assert [v.kind for v in surface(line, [(0, 1, 2)]).validate()] == ["no area"]


@pytest.mark.parametrize(("lift", "found"), [(0.0, []), (0.004, []), (0.02, ["not flat"])])
def test_a_corner_off_the_plane(lift, found):
    axes, place = turn(1)
    square = np.array([(0, 0, 0), (2, 0, 0), (2, 2, lift), (0, 2, 0)]) @ axes + place
    named = surface(square, [(0, 1, 2, 3)]).validate()
    assert [v.kind for v in named] == found
    assert all(v.polygon == 0 and "0.005 m off the plane" in v.message for v in named)


def test_the_height_tolerance_of_the_build_is_flat():
    square = [(0, 0, 0), (0, 0, 2), (2, 0.02, 2), (2, 0, 0)]
    built = wm.build(wm.samples.floor(), method=wm.Exact(height_tolerance=0.01)).report
    assert kinds(surface(square, [(0, 1, 2, 3)])) == {"not flat"}
    assert kinds(surface(square, [(0, 1, 2, 3)], report=built)) == set()


def beside(*corners, angle=0.0):
    """Return a square, and a triangle with a corner inside its edge, turned around that edge."""
    square = [(0, 0, 0), (0, 0, 2), (2, 0, 2), (2, 0, 0)]
    a = np.radians(angle)
    corners = [(2 + x * np.cos(a), x * np.sin(a), z) for x, z in corners]
    return surface(square + corners, [(0, 1, 2, 3), (4, 5, 6)])


@pytest.mark.parametrize(
    ("angle", "found"),
    [(0, ["T-junction"]), (45, ["T-junction"]), (-45, ["T-junction"]), (90, []), (-90, [])],
)
def test_t_junctions_are_within_a_sheet(angle, found):
    junction = beside((0, 1), (1, 1.5), (1, 0.5), angle=angle)
    named = junction.validate()
    assert [v.kind for v in named] == found
    assert all((v.polygon, v.edge) == (0, 2) and "vertex 4" in v.message for v in named)
    assert kinds(beside((1e-5, 1), (1, 1.5), (1, 0.5), angle=angle)) == set()


def test_a_fin_and_a_back_side_touch_what_they_are_not_connected_with():
    floor = [(0, 0, 0), (0, 0, 2), (2, 0, 2), (2, 0, 0)]
    fin = [(0, 0, 1), (2, 0, 1), (2, 1, 1), (0, 1, 1)]
    both = surface(floor + fin + fin, [(0, 1, 2, 3), (4, 5, 6, 7), (11, 10, 9, 8)])
    assert both.validate() == []
    back = [(1, 0, 0), (2, 0, 0), (2, 0, 1)]
    assert surface(floor + back, [(0, 1, 2, 3), (4, 5, 6)]).validate() == []


@pytest.mark.parametrize(
    ("gap", "sound"), [(0.0, False), (1e-9, False), (0.3, False), (-0.3, False), (0.51, True)]
)
@given(seed=st.integers(0, 2**32 - 1))
def test_layers_that_face_the_same_way(gap, sound, seed):
    navmesh = surface_shapes.plates(gap)
    axes, place = turn(seed)
    found = changed(navmesh, vertices=navmesh.vertices @ axes + place).validate()
    assert [(v.kind, v.polygon) for v in found] == ([] if sound else [("overlap", 0)])
    assert all("polygons 0 and 1 lie over each other" in v.message for v in found)


def test_the_same_sphere_twice():
    ball = SOUND["ball"]
    vertices = np.concatenate([ball.vertices, 1.01 * ball.vertices])
    corners = np.append(ball.polygon_vertices, ball.polygon_vertices + len(ball.vertices))
    polygons = corners.reshape(-1, 3)
    named = surface(vertices, polygons).validate()
    assert {v.kind for v in named} == {"overlap"}
    assert {v.polygon for v in named} == set(range(ball.polygon_count))
    # A shell that is walked on from both sides is no overlap.
    back = polygons.copy()
    back[: ball.polygon_count] = back[: ball.polygon_count, ::-1]
    assert surface(vertices, back).validate() == []


@pytest.mark.parametrize(("pitch", "sound"), [(0.4, False), (0.6, True)])
def test_a_spiral_ramp_needs_headroom(pitch, sound):
    angles = np.linspace(0, 6 * np.pi, 73)
    rings = [
        (r * np.cos(a), pitch * a / (2 * np.pi), -r * np.sin(a)) for a in angles for r in (1, 2)
    ]
    polygons = [
        part
        for k in range(72)
        for part in ((2 * k, 2 * k + 1, 2 * k + 3), (2 * k, 2 * k + 3, 2 * k + 2))
    ]
    assert kinds(surface(rings, polygons)) == (set() if sound else {"overlap"})


@pytest.mark.parametrize(("back", "sound"), [(0.0015, True), (0.003, False)])
def test_a_fold_back_of_a_millimetre_is_none(back, sound):
    # A floor that goes on a little before where it ended, over a sliver between.
    vertices = [(x, y, z) for x, y in ((0, 0), (1, 0), (1 - back, 1e-3), (2, 0)) for z in (0, 1)]
    folded = surface(vertices, [(0, 1, 3, 2), (2, 3, 5, 4), (4, 5, 7, 6)])
    assert kinds(folded) == (set() if sound else {"overlap"})


def naive_layers(navmesh, height, width, lowest=0.0):
    """Return pairs of polygons over each other by more than a width, by another way."""
    planes = Planes.of(navmesh.vertices, navmesh.polygon_offsets, navmesh.polygon_vertices)
    u, v = frames_of(planes.normals)
    pairs = set()
    for i in range(navmesh.polygon_count):
        frame = np.array([u[i], v[i], planes.normals[i]]).T
        own = shapely.Polygon(((navmesh.polygon(i) - planes.middles[i]) @ frame)[:, :2])
        for j in range(navmesh.polygon_count):
            if i == j or planes.normals[i] @ planes.normals[j] <= 0.5:
                continue
            corners = (navmesh.polygon(j) - planes.middles[i]) @ frame
            # What is too high or too low is cut off in small triangles.
            shared = shapely.intersection(own, shapely.Polygon(corners[:, :2]))
            if shared.area == 0.0:
                continue
            plane = np.linalg.solve(np.column_stack([corners[:, :2], np.ones(3)]), corners[:, 2])
            for sign, offset in ((1.0, -lowest), (-1.0, height)):
                shared = shapely.intersection(shared, half_plane(sign * plane, offset))
            if shared.area > width * shared.length / 2.0:
                pairs.add((min(i, j), max(i, j)))
    return pairs


def half_plane(plane, offset, far=100.0):
    """Return the part of a large square in which a * u + b * v + c + offset >= 0."""
    a, b, c = plane
    length = np.hypot(a, b)
    along, across = np.array([-b, a]) / length, np.array([a, b]) / length
    foot = -(c + offset) * across / length
    return shapely.Polygon(
        [foot - far * along, foot + far * along, foot + far * (along + across),
         foot + far * (across - along)]
    )  # fmt: skip


@given(st.integers(0, 2**32 - 1))
def test_overlaps_match_the_referee(seed):
    rng = np.random.default_rng(seed)
    corners = rng.uniform(0, 3, (14, 3, 3))
    area = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    vertices = corners[area > 0.5].reshape(-1, 3)
    navmesh = surface(vertices, np.arange(len(vertices)).reshape(-1, 3))
    found = navmesh.validate()
    assert {v.kind for v in found} <= {"overlap"}
    height = navmesh.agent.height - HEADROOM_SLACK
    # The kernel also takes what is up to that much below.
    surely = naive_layers(navmesh, height, 1.01 * FOLDED)
    perhaps = naive_layers(navmesh, height, 0.99 * FOLDED, lowest=-FOLDED)
    named = {f"polygons {low} and {high} lie" for low, high in perhaps}
    assert len(surely) <= len(found) <= len(perhaps)
    assert all(v.message[: v.message.index("lie") + 3] in named for v in found)


def test_links_end_on_their_polygons():
    links = np.zeros(5, dtype=LINK_DTYPE)
    links["start"] = (0, 1.5, 2.5)  # the middle of the side x = 0
    links["goal"] = (4, 1.5, 2.5)
    links["goal_polygon"] = 1
    links["goal"][1] = (4.005, 3.005, 2.5)
    links["start"][2] = (0.02, 1.5, 2.5)
    links["goal"][3] = (4, 3.5, 2.5)
    links["start_polygon"][4] = 9
    named = surface_shapes.box(links=links).validate()
    assert [str(v) for v in named] == [
        "link: link 2: its start is 0.02 m off its polygon, 0",
        "link: link 3: its goal is 0.5 m off its polygon, 1",
        "link: link 4: its start is on polygon 9, which does not exist",
    ]


def test_a_cave_of_thirty_thousand_polygons_is_sound():
    cave = surface_shapes.sphere(6, radius=10.0, inside=True, agent=TALL)
    assert cave.polygon_count == 32768
    assert cave.validate() == []
