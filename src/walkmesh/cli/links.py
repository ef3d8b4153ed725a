"""``walkmesh links``: places to jump, drop and climb."""

from __future__ import annotations

import json
import time

import click

from walkmesh import LinkKind, find_links, load_navmesh, load_scene
from walkmesh.cli.app import app
from walkmesh.cli.options import (
    check_outputs,
    json_option,
    output_option,
    polygons_option,
    save_all,
    scale_option,
    setting_options,
    up_option,
    workers_option,
)
from walkmesh.cli.output import print_written, progress_bar
from walkmesh.frame import read_up
from walkmesh.links import Limits


@app.command("links")
@click.argument("scene")
@click.argument("navmesh")
@output_option
@polygons_option
@up_option()
@scale_option()
@setting_options(Limits)
@workers_option
@json_option
def links_command(
    scene: str,
    navmesh: str,
    output: tuple[str, ...],
    polygons: bool,
    up: str,
    scale: float,
    workers: int | None,
    as_json: bool,
    **settings: float | None,
) -> None:
    """Find where the agent of NAVMESH can jump, drop or climb in SCENE, and write it with links.

    Links that NAVMESH has already are kept.
    """
    from walkmesh.links import STAGES

    check_outputs(output, polygons, scene)
    chosen = {name: value for name, value in settings.items() if value is not None}
    ground = load_navmesh(navmesh)
    loaded = load_scene(scene, up=read_up(up), scale=scale)
    start = time.perf_counter()
    with progress_bar(STAGES) as progress:
        found = find_links(loaded, ground, workers=workers, progress=progress, **chosen)
    seconds = time.perf_counter() - start
    linked = ground.with_links(found)
    save_all(linked, output, polygons)
    counts = {
        kind.name.lower(): int((found["kind"] == kind).sum())
        for kind in (LinkKind.JUMP, LinkKind.DROP, LinkKind.CLIMB)
    }
    if as_json:
        content = {"found": len(found), **counts, "kept": len(ground.links), "seconds": seconds}
        print(json.dumps(content, indent=2))
    else:
        parts = ", ".join(f"{count} {name}" for name, count in counts.items())
        print(f"{len(found)} links in {seconds:.3f} s: {parts}")
        if len(ground.links):
            print(f"kept: {len(ground.links)}")
    print_written(output, aside=as_json)
