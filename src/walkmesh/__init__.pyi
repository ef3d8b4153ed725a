"""Where the public names of walkmesh come from; __init__.py imports each when it is first used."""

__version__: str

from . import samples as samples
from .agent import Agent as Agent
from .builder import Exact as Exact
from .builder import Planar as Planar
from .builder import Surface as Surface
from .builder import Voxel as Voxel
from .builder import bridge_gaps as bridge_gaps
from .builder import build as build
from .builder import stages as stages
from .building import Building as Building
from .building import Stairs as Stairs
from .errors import BuildError as BuildError
from .errors import Cancelled as Cancelled
from .errors import FormatError as FormatError
from .errors import MissingPackageError as MissingPackageError
from .errors import SceneError as SceneError
from .errors import SettingsError as SettingsError
from .errors import WalkmeshError as WalkmeshError
from .evaluation import Evaluation as Evaluation
from .evaluation import evaluate as evaluate
from .floor_plan import FloorPlan as FloorPlan
from .io.navmeshes import load_navmesh as load_navmesh
from .io.plans import load_building as load_building
from .io.plans import load_plan as load_plan
from .io.scenes import load_scene as load_scene
from .links import LinkKind as LinkKind
from .links import find_links as find_links
from .navmesh import NavMesh as NavMesh
from .navmesh_arrays import LINK_DTYPE as LINK_DTYPE
from .query.located import Located as Located
from .query.located import Rays as Rays
from .query.path import Path as Path
from .query.path import Paths as Paths
from .query.path_nodes import PathNodes as PathNodes
from .report import Report as Report
from .scene import Scene as Scene
from .validate import Violation as Violation
from .viewer.stage_strip import plot_stages as plot_stages
from .viewer.view import view as view
