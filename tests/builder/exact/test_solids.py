"""Closed solids that stand on the ground: nobody stands inside of them."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

import walkmesh as wm
from walkmesh.samples.soup import Soup

PILLAR = shapely.box(4.0, 4.0, 4.5, 6.0)
INSIDE = np.array([(4.25, 5.0)])


def room(height: float, *, sides: bool = True) -> wm.Scene:
    """A floor that ends at a pillar, which is closed, or of which there is only the bottom."""
    soup = Soup()
    soup.sheet(shapely.difference(shapely.box(0.0, 0.0, 10.0, 10.0), PILLAR), 0.0)
    west, south, east, north = PILLAR.bounds
    if sides:
        soup.box((west, south, 0.0), (east, north, height))
    else:
        corners = np.array([(west, south, 0.0), (west, north, 0.0), (east, north, 0.0)])
        others = np.array([(west, south, 0.0), (east, north, 0.0), (east, south, 0.0)])
        soup.add(np.stack([corners, others]))
    return soup.scene("z")


def is_ground(navmesh: wm.NavMesh) -> bool:
    """Tell whether the navmesh has ground inside the pillar, at the height of the floor."""
    triangles = navmesh.vertices[navmesh.triangles]
    low = triangles[triangles[..., 2].max(axis=1) < 0.1]
    plan = shapely.union_all(shapely.polygons(low[..., :2]))
    return bool(shapely.contains_xy(plan, *INSIDE[0]))


@pytest.mark.parametrize("radius", [0.0, 0.01, 0.1, 0.3])
def test_nobody_stands_inside_a_pillar(radius: float) -> None:
    scene = room(2.7)
    navmesh = wm.build(scene, wm.Agent(radius=radius), wm.Exact(min_patch_area=0.0))
    assert navmesh.validate() == []
    assert not is_ground(navmesh)
    evaluation = wm.evaluate(scene, navmesh, samples=2000, pairs=0)
    assert evaluation.precision.value == evaluation.recall.value == 1.0


@pytest.mark.parametrize("radius", [0.0, 0.1])
def test_a_rug_that_faces_down_is_stepped_over(radius: float) -> None:
    navmesh = wm.build(room(0.0, sides=False), wm.Agent(radius=radius))
    assert navmesh.validate() == []
    assert is_ground(navmesh)
    assert navmesh.component_count == 1


@pytest.mark.parametrize("radius", [0.0, 0.05])
def test_nobody_stands_beside_the_core_of_a_wall(radius: float) -> None:
    """The top of what ends inside of a wall is ground, and the bottom of the wall around it not."""
    wall, core = shapely.box(4.0, 1.0, 4.55, 9.0), shapely.box(4.17, 1.0, 4.37, 8.0)
    soup = Soup()
    soup.sheet(shapely.difference(shapely.box(0.0, 0.0, 10.0, 10.0), wall), 0.0)
    soup.box((4.0, 1.0, 0.0), (4.55, 9.0, 2.7))
    soup.sheet(core, 0.0)
    scene = soup.scene("z")
    navmesh = wm.build(scene, wm.Agent(radius=radius), wm.Exact(min_patch_area=0.0))
    assert navmesh.validate() == []
    triangles = navmesh.vertices[navmesh.triangles]
    low = triangles[triangles[..., 2].max(axis=1) < 0.1]
    plan = shapely.union_all(shapely.polygons(low[..., :2]))
    assert plan.intersection(wall.difference(core)).area < 0.01
    evaluation = wm.evaluate(scene, navmesh, samples=4000, pairs=0)
    assert evaluation.precision.value >= 0.9995
    assert evaluation.recall.value >= 0.9995


def test_an_agent_without_width_keeps_out_of_the_walls_of_a_house() -> None:
    """The floor behind the sofa is no ramp up to its arm either."""
    scene = wm.samples.house()
    for radius in (0.0, 0.01):
        navmesh = wm.build(scene, wm.Agent(radius=radius), wm.Exact(min_patch_area=0.0))
        evaluation = wm.evaluate(scene, navmesh, samples=2000, pairs=0)
        assert evaluation.precision.value >= 0.9995
        assert evaluation.recall.value >= 0.999
