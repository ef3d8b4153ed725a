"""``walkmesh plan``: from a floor plan to its navmesh."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
import numpy as np

from walkmesh import Agent, Planar
from walkmesh.cli.app import app
from walkmesh.cli.options import NUMBER, chosen_settings, scale_option, setting_options
from walkmesh.cli.products import Products, check_apart, product_options
from walkmesh.errors import SettingsError
from walkmesh.files import check_target
from walkmesh.floor_plan import in_world
from walkmesh.frame import up_name

if TYPE_CHECKING:
    from walkmesh import NavMesh
    from walkmesh.io.movingai import Scenarios

# How much longer than the best way over cell middles a path may be, as files round that.
_ROUNDED = 1e-4


@app.command("plan")
@click.argument("floorplan")
@scale_option("Metres for a unit, a cell or a pixel of the plan.")
@click.option("--layers", help="Layers to read, of SVG and DXF: names with commas between them.")
@click.option(
    "--floor-height",
    type=NUMBER,
    default=3.0,
    show_default=True,
    help="Metres between storeys whose heights the file does not say.",
)
@setting_options(Agent, Planar)
@product_options
@click.option("--graph", help="Graph of path nodes to write: .json or .graphml.")
@click.option(
    "--nodes",
    help="Where path nodes are: centers, midpoints, corners, or several with commas.  "
    "[default: midpoints]",
)
@click.option("--scenarios", help="MovingAI .scen file, to find all its paths.")
def plan_command(
    floorplan: str,
    scale: float,
    layers: str | None,
    floor_height: float,
    products: Products,
    graph: str | None,
    nodes: str | None,
    scenarios: str | None,
    **settings: float | str | None,
) -> None:
    """Build the navmesh of FLOORPLAN.

    A plan is .geojson .json .wkt .svg .dxf, .map of MovingAI, an image such as .png, or .yaml of
    ROS. A .geojson with levels is a building, whose floors are joined by stairs.
    """
    from walkmesh.io.graphs import SUFFIXES, check_networkx, save_graph
    from walkmesh.io.movingai import load_scenarios
    from walkmesh.io.plans import load_floors
    from walkmesh.query.path_nodes import chosen_places

    of_agent, of_method = chosen_settings(settings)
    agent, way = Agent(**of_agent), Planar(**of_method)
    products.check(floorplan)
    at = (nodes or "midpoints").split(",")
    if graph is not None:
        check_target(graph, SUFFIXES)
        check_apart(floorplan, [*products.written, graph])
        chosen_places(at)
        check_networkx(graph)
    elif nodes is not None:
        raise SettingsError("--nodes is given without --graph; there is no graph to write")
    trips = None if scenarios is None else load_scenarios(scenarios, scale=scale)
    names = None if layers is None else layers.split(",")
    plan = load_floors(floorplan, scale=scale, floor_height=floor_height, layers=names)
    navmesh = products.make(plan, agent, way)
    if graph is not None:
        save_graph(graph, navmesh.path_nodes(at))
    assert navmesh.report is not None
    print(f"{navmesh!r} from {plan!r} in {navmesh.report.total_seconds:.3f} s")
    counts = {name: n for stage in navmesh.report.stages for name, n in stage.counts.items()}
    if plan.counts["passed_over"]:
        print(f"passed over: {plan.counts['passed_over']} shapes of kinds that are not read")
    for name in ("stairs_too_steep", "stair_parts_too_narrow"):
        if counts[name]:
            print(f"left out: {counts[name]} {name.replace('_', ' ')} for the agent")
    if trips is not None:
        _print_scenarios(navmesh, trips)
    products.tell(navmesh, *([] if graph is None else [graph]))


def _print_scenarios(navmesh: NavMesh, trips: Scenarios) -> None:
    """Find the paths of all scenarios, and print how they compare with the best over cells."""
    starts, goals = (
        in_world(places, np.zeros(len(places)), up_name(navmesh.up))
        for places in (trips.starts, trips.goals)
    )
    paths = navmesh.find_paths(starts, goals)
    solved = paths.statuses == "complete"
    longer = solved & (paths.lengths > trips.lengths * (1.0 + _ROUNDED) + _ROUNDED)
    print(
        f"{solved.sum()} of {len(solved)} scenarios solved, {longer.sum()} longer than over cells"
    )
    doubtful = solved & ~paths.optimal
    if doubtful.any():
        print(f"{doubtful.sum()} of them may not be the shortest")
    some = solved & (trips.lengths > 0.0)
    if some.any():
        share = paths.lengths[some].sum() / trips.lengths[some].sum()
        print(f"length of all paths: {share:.4f} of that over cells")
