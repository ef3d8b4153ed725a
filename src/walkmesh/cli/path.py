"""``walkmesh path``: a way on a navmesh."""

from __future__ import annotations

import json

import click

from walkmesh import load_navmesh
from walkmesh.cli.app import app
from walkmesh.cli.options import NUMBER, check_image, json_option, read_point
from walkmesh.errors import SettingsError


@app.command()
@click.argument("navmesh")
@click.option("--from", "start", required=True, metavar="X,Y,Z", help="Where to start.")
@click.option("--to", "goal", required=True, metavar="X,Y,Z", help="Where to go.")
@click.option(
    "--radius", type=NUMBER, help="Radius of an agent larger than the navmesh was built for, in m."
)
@click.option("--corridor", is_flag=True, help="A path of the corridor search, not the shortest.")
@click.option("--partial", is_flag=True, help="Go as near as possible to an unreachable goal.")
@click.option(
    "--area-cost",
    "area_costs",
    multiple=True,
    metavar="AREA=COST",
    help="What a metre costs in an area; inf to keep out of it. May be repeated.",
)
@click.option(
    "--max-snap",
    type=NUMBER,
    help="How far from the navmesh the points may be, in m.  [default: the agent's height]",
)
@json_option
@click.option("--image", help="Picture of the path on the navmesh: .png or .svg.")
@click.option(
    "--image-shows",
    help="What the picture shows: both (an oblique view and plans), plans or oblique.  "
    "[default: both]",
)
def path(
    navmesh: str,
    start: str,
    goal: str,
    radius: float | None,
    corridor: bool,
    partial: bool,
    area_costs: tuple[str, ...],
    max_snap: float | None,
    as_json: bool,
    image: str | None,
    image_shows: str | None,
) -> None:
    """Find the shortest path on NAVMESH: .walkmesh .obj .glb .ply.

    Prints how it came out, its length, and its points one a line; or JSON.
    """
    from walkmesh.viewer.picture import SHOWS, save_picture

    ends = read_point("--from", start), read_point("--to", goal)
    costs = dict(_area_cost(text) for text in area_costs)
    show = check_image(image, image_shows, tuple(SHOWS))
    ground = load_navmesh(navmesh)
    found = ground.find_path(
        *ends,
        radius=radius,
        optimal=not corridor,
        area_costs=costs,
        max_snap=max_snap,
        partial=partial,
    )
    if image is not None:
        save_picture(image, ground, paths=[found], show=show)
    if as_json:
        # JSON knows no infinity.
        way = found.status != "unreachable"
        content = {
            "status": found.status,
            "length": found.length if way else None,
            "cost": found.cost if way else None,
            "optimal": found.optimal,
            "points": found.points.tolist(),
            "polygons": found.polygons.tolist(),
            "links": found.links.tolist(),
        }
        print(json.dumps(content, indent=2))
    elif found.status == "unreachable":
        print("unreachable")
    else:
        print(f"{found.status}, {found.length:.3f} m{found.doubt}")
        for point in found.points:
            print(" ".join(f"{coordinate:.6g}" for coordinate in point))


def _area_cost(text: str) -> tuple[int, float]:
    area, _, cost = text.partition("=")
    try:
        return int(area), float(cost)
    except ValueError:
        raise SettingsError(f"--area-cost is {text!r}; it must be like 3=2.5 or 3=inf") from None
