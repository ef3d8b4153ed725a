"""walkmesh: navigation meshes from any triangle soup, and paths on them.

>>> import walkmesh as wm
>>> scene = wm.samples.house()
>>> navmesh = wm.build(scene, wm.Agent(height=1.8, radius=0.3))
>>> navmesh.find_path(wm.samples.HOUSE_START, wm.samples.HOUSE_GOAL).status
'complete'
"""

__version__ = "0.1.0"

from walkmesh import samples
from walkmesh.agent import Agent
from walkmesh.build import Exact, Planar, Surface, Voxel, bridge_gaps, build, stages
from walkmesh.building import Building, Stairs
from walkmesh.errors import (
    BuildError,
    Cancelled,
    FormatError,
    SceneError,
    SettingsError,
    WalkmeshError,
)
from walkmesh.evaluate import Evaluation, evaluate
from walkmesh.floor_plan import FloorPlan
from walkmesh.io.navmeshes import load_navmesh
from walkmesh.io.plans import load_building, load_plan
from walkmesh.io.scenes import load_scene
from walkmesh.links import LinkKind, find_links
from walkmesh.navmesh import NavMesh
from walkmesh.navmesh_arrays import LINK_DTYPE
from walkmesh.query.located import Located, Rays
from walkmesh.query.path import Path, Paths
from walkmesh.query.path_nodes import PathNodes
from walkmesh.report import Report
from walkmesh.scene import Scene
from walkmesh.validate import Violation
from walkmesh.viewer.stage_strip import plot_stages
from walkmesh.viewer.view import view

__all__ = [
    "LINK_DTYPE",
    "Agent",
    "BuildError",
    "Building",
    "Cancelled",
    "Evaluation",
    "Exact",
    "FloorPlan",
    "FormatError",
    "LinkKind",
    "Located",
    "NavMesh",
    "Path",
    "PathNodes",
    "Paths",
    "Planar",
    "Rays",
    "Report",
    "Scene",
    "SceneError",
    "SettingsError",
    "Stairs",
    "Surface",
    "Violation",
    "Voxel",
    "WalkmeshError",
    "bridge_gaps",
    "build",
    "evaluate",
    "find_links",
    "load_building",
    "load_navmesh",
    "load_plan",
    "load_scene",
    "plot_stages",
    "samples",
    "stages",
    "view",
]
