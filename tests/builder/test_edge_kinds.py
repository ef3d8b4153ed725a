"""Kinds of edges of every stage's mesh: inner, open, blocked, inner wall."""

import pickle

import numpy as np
import pytest
import trimesh

import walkmesh as wm
from walkmesh.builder.edge_kinds import Surroundings, pair_edges
from walkmesh.io.navmeshes import save_stage
from walkmesh.kernels.meshes.kinds import BLOCKED, INNER, INNER_WALL, OPEN
from walkmesh.samples.soup import Soup

FLOOR, BOX = 10.0, 2.0


def floor_with_box(height=1.0):
    """Return a floor of 10 m x 10 m with a box of 2 m x 2 m amid it."""
    soup = Soup()
    soup.box((0.0, 0.0, -1.0), (FLOOR, FLOOR, 0.0))
    soup.box((4.0, 4.0, 0.0), (4.0 + BOX, 4.0 + BOX, height))
    return soup.scene("y")


def meshes(scene, method=None, agent=None):
    return {name: mesh for name, mesh in wm.stages(scene, agent, method)}  # noqa: C416


def lengths(mesh, *, lowest=-0.1, highest=0.1):
    """Return the length of all edges by kind, of those between two heights."""
    edges = mesh.vertices[np.stack([mesh.triangles, mesh.triangles[:, [1, 2, 0]]], axis=2)]
    heights = edges[..., 1]
    chosen = ((heights > lowest) & (heights < highest)).all(axis=2)
    sizes = np.linalg.norm(edges[:, :, 1] - edges[:, :, 0], axis=2)
    return {
        kind: sizes[(mesh.edge_kinds == kind) & chosen].sum()
        for kind in (INNER, OPEN, BLOCKED, INNER_WALL)
    }


@pytest.mark.parametrize("stage", ["stitch", "gaps"])
def test_ground_ends_at_ledges_and_at_what_stands_on_it(stage):
    found = lengths(meshes(floor_with_box())[stage])
    assert found[OPEN] == pytest.approx(4 * FLOOR)
    assert found[BLOCKED] == pytest.approx(4 * BOX)
    assert found[INNER_WALL] == 0.0
    assert found[INNER] > 0.0


@pytest.mark.parametrize("stage", ["slope", "cut", "detail"])
def test_pieces_that_share_no_vertices_know_their_neighbours(stage):
    # The floor is of pieces whose edges overlap: those that lead past the box end there in part.
    found = lengths(meshes(floor_with_box())[stage])
    assert found[OPEN] == pytest.approx(4 * FLOOR)
    assert found[BLOCKED] <= 2 * 4 * BOX
    assert found[INNER] > 0.0


@pytest.mark.parametrize("stage", ["clearance", "patches", "ramps", "simplify", "polygons"])
def test_with_clearance_edges_end_at_the_same(stage):
    radius = 0.3
    found = lengths(meshes(floor_with_box(), agent=wm.Agent(radius=radius))[stage])
    assert found[OPEN] == pytest.approx(4 * (FLOOR - 2 * radius), rel=1e-3)
    around = 4 * BOX + 2 * np.pi * radius
    assert found[BLOCKED] == pytest.approx(around, rel=0.02)


def test_what_can_be_stepped_on_blocks_nothing():
    found = lengths(meshes(floor_with_box(0.3))["gaps"], highest=0.31)
    assert found[BLOCKED] == 0.0
    assert found[OPEN] == pytest.approx(4 * FLOOR)


@pytest.mark.parametrize(("front", "kind"), [(True, BLOCKED), (False, INNER_WALL)])
def test_a_wall_with_one_side(front, kind):
    # A wall along x = 10, whose normal leads to the floor or away from it.
    corners = [(0, 0, 0), (0, 0, 8), (10, 0, 8), (10, 0, 0), (10, 2, 8), (10, 2, 0)]
    wall = [(3, 2, 4), (3, 4, 5)] if front else [(3, 4, 2), (3, 5, 4)]
    scene = wm.Scene(np.array(corners, float), [(0, 1, 2), (0, 2, 3), *wall])
    normal = np.cross(*(scene.vertices[scene.faces[2, 1:]] - scene.vertices[scene.faces[2, 0]]))
    assert (normal[0] < 0) == front
    found = lengths(meshes(scene)["gaps"])
    assert found[kind] == pytest.approx(8.0)
    assert found[OPEN] == pytest.approx(28.0)


def test_kinds_are_found_only_when_someone_looks(monkeypatch):
    def fail(*_):
        raise AssertionError("no one looks at edges")

    monkeypatch.setattr(Surroundings, "kinds_of", fail)
    seen = []
    wm.build(floor_with_box(), on_stage=lambda _, mesh: seen.append(mesh))
    assert len(seen) == len(wm.Exact().stage_names)
    for mesh in seen:
        with pytest.raises(AssertionError, match="no one looks"):
            _ = mesh.edge_kinds


@pytest.mark.parametrize("partition", ["watershed", "slices"])
def test_stages_of_the_voxel_method(partition):
    scene = floor_with_box()
    found = meshes(scene, wm.Voxel(cell_size=0.1, cell_height=0.1, partition=partition))
    for name in ("distance", "regions", "contours", "polygons"):
        mesh = found[name]
        assert mesh.edge_kinds.shape == mesh.triangles.shape
        by_kind = lengths(mesh)
        # Along cells, which are up to half as long again as the line that they stand for.
        assert by_kind[OPEN] == pytest.approx(4 * (FLOOR - 0.6), rel=0.1)
        assert 0.8 * 4 * BOX < by_kind[BLOCKED] < 1.6 * (4 * BOX + 2 * np.pi * 0.3)
    distances = found["distance"].distances
    assert distances.shape == (len(found["distance"].triangles),)
    assert 0.25 < distances.min() < 0.45
    # Half way between the box and the edge of the floor, from either.
    assert distances.max() == pytest.approx(2.0, abs=0.4)
    regions = found["regions"].regions
    assert regions.shape == (len(found["regions"].triangles),)
    assert len(np.unique(regions)) >= (1 if partition == "watershed" else 2)


def test_a_closed_surface_has_inner_edges_only():
    found = meshes(wm.samples.sphere(), wm.Surface())
    for stage in ("stitch", "polygons"):
        assert (found[stage].edge_kinds == INNER).all()


def test_a_plan_ends_where_something_is_in_the_way():
    plan = wm.FloorPlan([(0, 0), (10, 0), (10, 8), (0, 8)])
    found = meshes(plan)
    for stage in ("outline", "polygons"):
        kinds = found[stage].edge_kinds
        assert set(np.unique(kinds)) <= {INNER, BLOCKED}
        assert (kinds == BLOCKED).sum() == 4


def test_the_last_stage_is_a_navmesh_like_any_other():
    scene = floor_with_box()
    mesh = meshes(scene)["polygons"]
    built = wm.build(scene)
    assert isinstance(mesh, wm.NavMesh)
    assert not hasattr(built, "edge_kinds")
    assert mesh.validate() == []
    assert mesh.area == built.area
    again = pickle.loads(pickle.dumps(mesh))
    assert (again.edge_kinds == mesh.edge_kinds).all()
    # What is made of it leaves the scene behind.
    assert type(mesh.prune((1.0, 0.0, 1.0))) is wm.NavMesh


def test_stages_of_the_house_have_all_kinds():
    for name, mesh in wm.stages(wm.samples.house()):
        kinds = mesh.edge_kinds
        assert kinds.dtype == np.uint8, name
        assert kinds.shape == mesh.triangles.shape, name
        assert {INNER, OPEN, BLOCKED} <= set(np.unique(kinds).tolist()), name


def test_edges_at_two_heights_belong_together_within_a_step():
    tread = np.array([[(0, 0, 0), (1, 0, 0), (1, 1, 0)], [(1, 0, 0.2), (0, 0, 0.2), (0, -1, 0.2)]])
    assert pair_edges(tread.astype(float), 0.4).tolist() == [3, -1, -1, 0, -1, -1]
    assert (pair_edges(tread.astype(float), 0.1) == -1).all()
    assert (pair_edges(tread.astype(float), None) == -1).all()


@pytest.mark.parametrize("stage", ["gaps", "polygons"])
def test_a_stage_file_has_the_kinds_of_edges(tmp_path, stage):
    mesh = meshes(floor_with_box())[stage]
    save_stage(tmp_path / "gaps.ply", mesh)
    content = (tmp_path / "gaps.ply").read_bytes()
    header, _, body = content.partition(b"end_header\n")
    count = mesh.triangles.size
    assert (
        f"element face_edge {count}\nproperty int vertex1\nproperty int vertex2\n".encode()
        in header
    )
    records = np.frombuffer(body[-9 * count :], dtype="<i4, <i4, u1")
    assert records["f2"].tolist() == mesh.edge_kinds.ravel().tolist()
    assert records["f0"].tolist() == mesh.triangles.ravel().tolist()
    assert records["f1"].tolist() == mesh.triangles[:, [1, 2, 0]].ravel().tolist()
    # Everyone else reads the triangles.
    assert len(trimesh.load_mesh(tmp_path / "gaps.ply").faces) == len(mesh.triangles)
    assert len(wm.load_scene(tmp_path / "gaps.ply").faces) == len(mesh.triangles)


def test_stage_pictures_show_what_was_found():
    from matplotlib.colors import to_rgba

    from walkmesh.viewer.stage_strip import KIND_COLORS

    scene = floor_with_box()
    figure = wm.plot_stages(scene, method=wm.Voxel(cell_size=0.2, cell_height=0.1))

    def colors(label):
        axes = next(axes for axes in figure.axes if axes.get_label() == label)
        return axes.collections[0].get_facecolors()

    # A gradient has many blues; regions have colours of their own; boundaries those of their kind.
    assert len(np.unique(colors("distance").round(2), axis=0)) > 10
    for label in ("distance", "contours"):
        shown = {tuple(np.round(color, 3)) for color in colors(label).tolist()}
        for kind in (OPEN, BLOCKED):
            assert tuple(np.round(to_rgba(KIND_COLORS[kind]), 3)) in shown, (label, kind)
