"""``walkmesh bridge``: gaps of a navmesh become ground."""

from __future__ import annotations

import click

from walkmesh import bridge_gaps, load_navmesh, load_scene
from walkmesh.cli.app import app
from walkmesh.cli.options import (
    NUMBER,
    check_outputs,
    output_option,
    polygons_option,
    save_all,
    scale_option,
    up_option,
)
from walkmesh.cli.output import print_written
from walkmesh.frame import read_up


@app.command("bridge")
@click.argument("navmesh")
@output_option
@polygons_option
@click.option("--distance", type=NUMBER, required=True, help="The widest gap to bridge, in m.")
@click.option("--scene", help="What NAVMESH was built from; nothing is bridged through it.")
@up_option()
@scale_option()
def bridge_command(
    navmesh: str,
    output: tuple[str, ...],
    polygons: bool,
    distance: float,
    scene: str | None,
    up: str,
    scale: float,
) -> None:
    """Bridge the gaps of NAVMESH that its agent can step across.

    Distances are between boundary edges of the navmesh, which keep the agent's radius from ledges;
    to bridge gaps of the scene, use build --bridge-distance.
    """
    check_outputs(output, polygons, scene)
    apart = load_navmesh(navmesh)
    loaded = None if scene is None else load_scene(scene, up=read_up(up), scale=scale)
    bridged = bridge_gaps(apart, distance, scene=loaded)
    save_all(bridged, output, polygons)
    added = bridged.polygon_count - apart.polygon_count
    print(f"polygons of bridges: {added}")
    print(f"components: {bridged.component_count}, before {apart.component_count}")
    print_written(output)
