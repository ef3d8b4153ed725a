"""Plan regions with holes, their triangles, and navmeshes of these."""

import numpy as np
import shapely
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers.merged import make_navmesh
from walkmesh.builder.mesh import TriangleMesh
from walkmesh.frame import Frame, up_vector


def triangle_mesh(points, triangles):
    return TriangleMesh(
        np.ascontiguousarray(points, dtype=np.float64),
        np.ascontiguousarray(triangles, dtype=np.int32),
        Frame(up_vector("z")),
    )


def level(u, v):
    """Return the height of level ground."""
    return 0.0 * (u + v)


def triangulated(region, height=level):
    """Triangulate a plan region, and give its vertices a height from a function of (u, v)."""
    parts = shapely.constrained_delaunay_triangles(region).geoms
    rings = np.array([shapely.get_coordinates(shapely.orient_polygons(t))[:3] for t in parts])
    plan, ids = np.unique(rings.reshape(-1, 2), axis=0, return_inverse=True)
    points = np.column_stack([plan, [height(u, v) for u, v in plan]])
    return triangle_mesh(points, ids.reshape(-1, 3))


@st.composite
def regions(draw):
    """A plan region with holes, on a small integer grid: many straight and touching lines."""
    boxes = draw(
        st.lists(
            st.tuples(*[st.integers(0, 8)] * 2, *[st.integers(1, 3)] * 2), min_size=1, max_size=8
        )
    )
    hall = shapely.box(0, 0, 10, 10)
    holes = shapely.union_all([shapely.box(u, v, u + a, v + b) for u, v, a, b in boxes])
    region = hall.difference(holes)
    if region.is_empty:
        return hall
    if region.geom_type != "Polygon":
        region = max(region.geoms, key=lambda part: part.area)
    return region


@st.composite
def floors(draw):
    """A region with holes, its navmesh (z up, tilted), and two points in it."""
    region = draw(regions())
    navmesh = make_navmesh(triangulated(region, lambda u, _: 0.5 * u), wm.Agent(), 0.01)
    return region, navmesh, *navmesh_points(navmesh, draw(st.integers(0, 2**32 - 1)), 2)


def navmesh_points(navmesh, seed, count):
    rng = np.random.default_rng(seed)
    triangles = navmesh.triangles[rng.integers(len(navmesh.triangles), size=count)]
    weights = rng.dirichlet((1, 1, 1), size=count)
    return np.einsum("nk,nkd->nd", weights, navmesh.vertices[triangles])
