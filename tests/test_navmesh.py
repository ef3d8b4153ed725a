import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from tests.twins import naive_mesh
from walkmesh import LINK_DTYPE
from walkmesh.topology import plan_points

pytestmark = pytest.mark.plain_python

polygon_lists = st.lists(
    st.lists(st.integers(0, 9), min_size=3, max_size=5, unique=True), min_size=1, max_size=12
)


def ragged(polygons):
    return np.cumsum([0, *map(len, polygons)]), np.concatenate(polygons)


@given(polygon_lists)
def test_neighbors_and_components_match_a_naive_search(polygons):
    navmesh = wm.NavMesh(np.zeros((10, 3)), *ragged(polygons))
    expected = naive_mesh.neighbors(polygons)
    assert navmesh.neighbors.tolist() == expected
    assert navmesh.components.tolist() == naive_mesh.components(polygons, expected)


@st.composite
def convex_polygons(draw):
    """A convex polygon, some of its sides with further corners on them."""
    points = draw(
        st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=3, max_size=12)
    )
    hull = shapely.MultiPoint(points).convex_hull
    if hull.geom_type != "Polygon":
        hull = shapely.box(0, 0, 4, 4)
    corners = shapely.get_coordinates(shapely.orient_polygons(hull))[:-1] * 4
    result = []
    for here, there in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        parts = sorted(draw(st.sets(st.sampled_from([0.25, 0.5, 0.75]), max_size=3)))
        result += [here, *(here + part * (there - here) for part in parts)]
    return np.array(result)


@given(convex_polygons())
def test_triangles_cover_a_polygon_and_all_have_an_area(corners):
    vertices = np.column_stack([corners[:, 1], np.zeros(len(corners)), corners[:, 0]])
    navmesh = wm.NavMesh(vertices, [0, len(corners)], np.arange(len(corners)))
    triangles = [shapely.Polygon(plan_points(navmesh)[t, :2]) for t in navmesh.triangles]
    assert len(triangles) == len(corners) - 2
    assert all(t.area > 0 and t.exterior.is_ccw for t in triangles)
    assert shapely.union_all(triangles).area == pytest.approx(shapely.Polygon(corners).area)
    assert sum(t.area for t in triangles) == pytest.approx(shapely.Polygon(corners).area)


def test_a_polygon_of_many_corners_on_one_side():
    side = [(x, 0, 0) for x in range(300)]
    navmesh = wm.NavMesh([*side, (150, 0, 10)][::-1], [0, 301], range(301))
    assert navmesh.validate() == []
    corners = navmesh.vertices[navmesh.triangles]
    areas = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    assert areas.min() > 1.0
    assert areas.sum() / 2 == pytest.approx(navmesh.area) == pytest.approx(1495.0)


def test_arrays_are_what_the_documentation_says():
    navmesh = naive_mesh.grid_mesh(3, 2)
    expected = {
        "vertices": (np.float64, (12, 3)),
        "polygon_offsets": (np.int32, (7,)),
        "polygon_vertices": (np.int32, (24,)),
        "neighbors": (np.int32, (24,)),
        "areas": (np.uint8, (6,)),
        "components": (np.int32, (6,)),
        "links": (LINK_DTYPE, (0,)),
        "triangles": (np.int32, (12, 3)),
        "triangle_polygons": (np.int32, (12,)),
    }
    for name, (dtype, shape) in expected.items():
        array = getattr(navmesh, name)
        assert array.dtype == dtype, name
        assert array.shape == shape, name
        assert not array.flags.writeable, name
    assert navmesh.area == 6.0
    assert navmesh.polygon(5).shape == (4, 3)
    with pytest.raises(AttributeError):
        navmesh.areas = np.ones(6)


@pytest.mark.parametrize(
    ("arguments", "more", "words"),
    [
        (([(0, 0)], [0], []), {}, "vertices has shape"),
        ((["a"], [0], []), {}, "vertices is not"),
        (([(0, 0, 0)], [], []), {}, "polygon_offsets must run"),
        (([(0, 0, 0)], [0, 4], [0, 0, 0]), {}, "polygon_offsets must run"),
        (([(0, 0, 0)], [1, 3], [0, 0, 0]), {}, "polygon_offsets must run"),
        (([(0, 0, 0)], [0, 2, 6], [0] * 6), {}, "polygon 0 has fewer"),
        (([(0, 0, 0)], [0, 4, 3, 6], [0] * 6), {}, "polygon 1 has fewer"),
        (([(0, 0, 0)], [0, 2**31 - 1, 2 - 2**31, 0, 3], [0] * 3), {}, "polygon 1 has fewer"),
        (([(0, 10**400, 0)], [0, 3], [0, 0, 0]), {}, "vertices is not"),
        (([(0, 0, 0)], [0, 3], [0.5, 0, 0]), {}, "polygon_vertices is of type"),
        (([(0, 0, 0)], [0, 3], [2**40, 0, 0]), {}, "32 bits"),
        (([(0, 0, 0)], [0, 3], [[0, 0, 0]]), {}, "polygon_vertices has shape"),
        (([(0, 0, 0)], [0, 3], [0, 0, 0]), {"neighbors": [0]}, "neighbors has shape"),
        (([(0, 0, 0)], [0, 3], [0, 0, 0]), {"areas": [256]}, "0 to 255"),
        (([(0, 0, 0)], [0, 3], [0, 0, 0]), {"components": [0, 1]}, "components has shape"),
        (([(0, 0, 0)], [0, 3], [0, 0, 0]), {"links": [1, 2]}, "links is not"),
    ],
)
def test_arrays_that_do_not_fit_together(arguments, more, words):
    with pytest.raises(wm.FormatError, match=words):
        wm.NavMesh(*arguments, **more)


def test_an_empty_navmesh():
    navmesh = wm.NavMesh([], [0], [])
    assert navmesh.polygon_count == navmesh.component_count == len(navmesh.triangles) == 0
    assert navmesh.area == 0.0
    assert navmesh.validate() == []
    assert navmesh.find_path((0, 0, 0), (1, 0, 0)).status == "unreachable"
    assert repr(navmesh) == "NavMesh(0 polygons, 0 vertices, 0 components, 0.0 m2)"


def test_without_an_agent_the_boundary_is_the_wall():
    assert naive_mesh.grid_mesh(1, 1).agent == wm.Agent(radius=0)
    assert naive_mesh.grid_mesh(1, 1, agent=wm.Agent()).agent.radius == 0.3


def test_what_is_no_agent_polygon_or_distance():
    with pytest.raises(wm.SettingsError, match="agent is 'me'"):
        wm.NavMesh([], [0], [], agent="me")
    navmesh = naive_mesh.grid_mesh(1, 1)
    for index in (-1, 1):
        with pytest.raises(wm.SettingsError, match="index is"):
            navmesh.polygon(index)
    for distance in ("far", None, [1, 2], float("nan"), -1):
        with pytest.raises(wm.SettingsError, match="max_snap is"):
            navmesh.nearest([(0, 0, 0)], max_snap=distance)
    with pytest.raises(wm.FormatError, match="cannot write"):
        navmesh.save("a\0b.obj")
