"""``walkmesh evaluate``: how right a navmesh is."""

from __future__ import annotations

import dataclasses
import json
import sys

import click

from walkmesh import Agent, NavMesh, Scene, evaluate, load_navmesh, load_scene
from walkmesh.cli.app import app
from walkmesh.cli.options import NUMBER, read_point, setting_options
from walkmesh.cli.output import progress_bar, write_json
from walkmesh.files import check_target
from walkmesh.frame import read_up


@app.command("evaluate")
@click.argument("scene")
@click.argument("navmesh")
@click.option("--up", default="y", show_default=True, help="Up of the scene, as for build.")
@click.option(
    "--scale",
    type=NUMBER,
    default=1.0,
    show_default=True,
    help="Metres for a unit of the scene, and of a navmesh that is plain triangles.",
)
@setting_options(Agent)
@click.option("--samples", type=int, default=20_000, show_default=True, help="Points to draw.")
@click.option(
    "--pairs", type=int, help="Pairs to search ways between; 0 for none.  [default: samples / 20]"
)
@click.option(
    "--band",
    type=NUMBER,
    default=0.02,
    show_default=True,
    help="Half the strip along boundaries that is left out, in m.",
)
@click.option(
    "--gap-distance",
    type=NUMBER,
    help="Widest slit that is stepped over, in m.  [default: as built, or 0.03]",
)
@click.option(
    "--bridge-distance",
    type=NUMBER,
    help="Widest gap that is ground, in m.  [default: as built, or 0]",
)
@click.option(
    "--from",
    "seeds",
    multiple=True,
    metavar="X,Y,Z",
    help="Where agents start; what cannot be reached from there is told. May be repeated.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the samples.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--report", help="JSON file for the figures.")
@click.option("--image", help="Picture of what is right and what is not: .png or .svg.")
def evaluate_command(
    scene: str,
    navmesh: str,
    up: str,
    scale: float,
    samples: int,
    pairs: int | None,
    band: float,
    gap_distance: float | None,
    bridge_distance: float | None,
    seeds: tuple[str, ...],
    seed: int,
    as_json: bool,
    report: str | None,
    image: str | None,
    **settings: float | None,
) -> None:
    """Tell how right NAVMESH is for SCENE: what it covers, what of it is free, what it connects.

    NAVMESH is one of ours, or any triangles: .obj .glb .gltf .ply .stl .off, with the scene's up.
    The agent's settings are by default those that the navmesh was built for.
    """
    from walkmesh.evaluate import STAGES
    from walkmesh.io.navmeshes import is_navmesh
    from walkmesh.viewer.plan import SUFFIXES as PICTURE_SUFFIXES

    chosen = {name: value for name, value in settings.items() if value is not None}
    places = [read_point("--from", text) for text in seeds]
    if image is not None:
        check_target(image, PICTURE_SUFFIXES)
    if report is not None:
        check_target(report, (".json",))
    loaded = load_scene(scene, up=read_up(up), scale=scale)
    judged: NavMesh | Scene
    if is_navmesh(navmesh):
        judged = load_navmesh(navmesh)
        agent = dataclasses.replace(judged.agent, **chosen)
    else:
        judged = load_scene(navmesh, up=read_up(up), scale=scale)
        agent = Agent(**chosen)
    with progress_bar(STAGES) as progress:
        result = evaluate(
            loaded, judged, agent, samples=samples, band=band, pairs=pairs, seeds=places or None,
            seed=seed, gap_distance=gap_distance, bridge_distance=bridge_distance,
            progress=progress,
        )  # fmt: skip
    if report is not None:
        write_json(result.as_dict(), report)
    if image is not None:
        result.save_picture(image)
    print(json.dumps(result.as_dict(), indent=2) if as_json else result)
    for name in filter(None, [report, image]):
        print(f"wrote {name}", file=sys.stderr if as_json else sys.stdout)
