"""What is beyond the edges of a navmesh: ground, walls or ledges."""

import numpy as np
import pytest

import walkmesh as wm
from walkmesh.topology import corner_polygons, edge_ends, plan_points
from walkmesh.viewer.page.edges import edges_of


def lengths(segments):
    return np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)


def room(ring, height):
    """Return a floor with four corners, and walls around it."""
    floor = np.array(ring, dtype=float)
    faces = [(0, 1, 2), (0, 2, 3)]
    for k in range(4):
        following = (k + 1) % 4
        faces += [(k, following, following + 4), (k, following + 4, k + 4)]
    return wm.Scene(np.concatenate([floor, floor + (0.0, height, 0.0)]), faces)


def test_edges_at_walls_are_blocked_and_at_ledges_open():
    # A plate of 10 x 8 m with a wall along one of its long sides.
    plate = [(0, 0, 0), (0, 0, 8), (10, 0, 8), (10, 0, 0)]
    wall = [(0, 0, 0), (10, 0, 0), (10, 3, 0), (0, 3, 0)]
    faces = [(0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7)]
    scene = wm.Scene(plate + wall, faces)
    navmesh = wm.build(scene)
    edges = edges_of(navmesh, scene, scene.frame)
    assert lengths(edges.blocked).sum() == pytest.approx(9.4, abs=0.01)
    assert lengths(edges.open).sum() == pytest.approx(9.4 + 2 * 7.4, abs=0.01)
    assert len(edges.boundary) == 0
    # Without a scene no one knows.
    unknown = edges_of(navmesh, None, scene.frame)
    assert lengths(unknown.boundary).sum() == pytest.approx(2 * (9.4 + 7.4), abs=0.01)
    assert len(unknown.open) == len(unknown.blocked) == 0


LOW = wm.Agent(height=0.2, radius=0.1, max_step=0.05)
STEPPING = wm.Agent(height=0.5, radius=0.2, max_step=0.4)


@pytest.mark.parametrize(
    ("agent", "method"),
    [
        (wm.Agent(), wm.Exact()), (wm.Agent(), wm.Voxel()), (wm.Agent(), wm.Voxel(cell_size=0.6)),
        (LOW, wm.Exact()), (STEPPING, wm.Exact()), (STEPPING, wm.Voxel(cell_size=0.2)),
    ],
)  # fmt: skip
def test_a_room_is_all_walls(agent, method):
    scene = room([(0, 0, 0), (0, 0, 10), (10, 0, 10), (10, 0, 0)], 3.0)
    edges = edges_of(wm.build(scene, agent, method), scene, scene.frame)
    assert lengths(edges.blocked).sum() > 35.0
    assert lengths(edges.open).sum() < 0.02 * lengths(edges.blocked).sum()


@pytest.mark.parametrize("angle", [0.0, 0.37, np.pi / 4.0])
@pytest.mark.parametrize("cell", [0.1, 0.3, 0.4])
def test_walls_that_are_oblique_to_the_cells_are_walls(angle, cell):
    floor = np.array([(0, 0, 0), (0, 0, 4), (6, 0, 4), (6, 0, 0)], dtype=float)
    turn = np.array(
        [(np.cos(angle), 0, np.sin(angle)), (0, 1, 0), (-np.sin(angle), 0, np.cos(angle))]
    )
    ring = floor @ turn
    scene, plate = room(ring, 2.5), wm.Scene(ring, [(0, 1, 2), (0, 2, 3)])
    navmesh = wm.build(scene, method=wm.Voxel(cell_size=cell))
    edges = edges_of(navmesh, scene, scene.frame)
    assert lengths(edges.open).sum() == 0.0
    assert lengths(edges.blocked).sum() > 10.0
    # Without the walls there is nothing in the way.
    assert len(edges_of(navmesh, plate, scene.frame).blocked) == 0


def test_a_boundary_of_a_thousand_kilometres_is_looked_at_in_longer_pieces():
    corners = [(0, 0, 0), (0, 0, 1e6), (1e6, 0, 1e6), (1e6, 0, 0)]
    scene = wm.Scene(corners, [(0, 1, 2), (0, 2, 3)])
    edges = edges_of(wm.build(scene), scene, scene.frame)
    assert 200_000 < len(edges.open) < 300_000
    assert lengths(edges.open).sum() == pytest.approx(4e6, rel=1e-5)


def test_shared_edges_come_once():
    navmesh = wm.build(wm.samples.house())
    edges = edges_of(navmesh, None, navmesh.frame)
    pairs = np.count_nonzero(navmesh.neighbors >= 0) // 2
    assert len(edges.shared) >= pairs
    ends = np.stack([navmesh.polygon_vertices, edge_ends(navmesh)], axis=1)
    inner = plan_points(navmesh)[ends[navmesh.neighbors > corner_polygons(navmesh)]]
    plan = lengths(edges.shared * (1.0, 1.0, 0.0)).sum()
    assert plan == pytest.approx(lengths(inner * (1.0, 1.0, 0.0)).sum())
