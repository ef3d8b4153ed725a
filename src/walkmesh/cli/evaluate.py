"""``walkmesh evaluate``: how right a navmesh is."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import click

from walkmesh import Agent, NavMesh, Scene, evaluate, load_navmesh, load_scene
from walkmesh.cli.app import app
from walkmesh.cli.options import (
    NUMBER,
    chosen_settings,
    json_option,
    read_point,
    scale_option,
    setting_options,
    up_option,
)
from walkmesh.cli.output import print_written, progress_bar, write_json
from walkmesh.files import check_target
from walkmesh.frame import read_up


@app.command("evaluate")
@click.argument("scene")
@click.argument("navmesh")
@up_option()
@scale_option("Metres for a unit of the scene, and of a navmesh that is plain triangles.")
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
@json_option
@click.option("--report", help="JSON file for the figures.")
@click.option("--image", help="Picture of what is right and what is not: .png or .svg.")
def evaluate_command(
    scene: str,
    navmesh: str,
    up: str,
    scale: float,
    seeds: tuple[str, ...],
    as_json: bool,
    report: str | None,
    image: str | None,
    **settings: Any,
) -> None:
    """Tell how right NAVMESH is for SCENE: what it covers, what of it is free, what it connects.

    NAVMESH is one of ours, or any triangles: .obj .glb .gltf .ply .stl .off, with the scene's up.
    The agent's settings are by default those that the navmesh was built for.
    """
    from walkmesh.evaluation import STAGES
    from walkmesh.io.navmeshes import is_navmesh
    from walkmesh.viewer.plan import SUFFIXES as PICTURE_SUFFIXES

    chosen, judging = chosen_settings(settings)
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
        result = evaluate(loaded, judged, agent, seeds=places or None, progress=progress, **judging)
    if report is not None:
        write_json(result.as_dict(), report)
    if image is not None:
        result.save_picture(image)
    print(json.dumps(result.as_dict(), indent=2) if as_json else result)
    print_written(filter(None, [report, image]), aside=as_json)
