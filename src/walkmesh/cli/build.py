"""``walkmesh build``: from a scene to its navmesh."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any

import click

from walkmesh import Agent, NavMesh, Scene, build, load_scene
from walkmesh.build import METHODS
from walkmesh.cli.app import app
from walkmesh.cli.options import (
    AGENT_FLAGS,
    METHOD_HELP,
    NUMBER,
    check_image,
    chosen_method,
    output_option,
    setting_options,
)
from walkmesh.cli.output import make_folder, progress_bar, write_json
from walkmesh.errors import FormatError
from walkmesh.files import check_target
from walkmesh.frame import read_up


@app.command("build")
@click.argument("scene")
@output_option
@click.option("--method", default="exact", show_default=True, help=METHOD_HELP)
@click.option("--up", default="y", show_default=True, help="x, y, z, or like 0,0,1.")
@click.option(
    "--scale", type=NUMBER, default=1.0, show_default=True, help="Metres for a unit of the scene."
)
@setting_options(Agent, *METHODS.values())
@click.option("--workers", type=int, help="Threads to use.  [default: as many as cores]")
@click.option("--report", help="JSON file for the build's report.")
@click.option("--stages", help="Folder for a PLY of every stage.")
@click.option("--image", help="Picture to draw: .png or .svg.")
@click.option(
    "--image-shows",
    help="What the picture shows: both (an oblique view and plans), plans, oblique, or stages, "
    "what each of them made.  [default: both]",
)
def build_command(
    scene: str,
    output: tuple[str, ...],
    method: str,
    up: str,
    scale: float,
    workers: int | None,
    report: str | None,
    stages: str | None,
    image: str | None,
    image_shows: str | None,
    **settings: float | str | None,
) -> None:
    """Build the navmesh of SCENE: .obj .glb .gltf .ply .stl .off."""
    from walkmesh.io.navmeshes import SUFFIXES, save_stage
    from walkmesh.viewer.picture import SHOWS, save_picture
    from walkmesh.viewer.plan import save_figure
    from walkmesh.viewer.stage_strip import StageStrip

    chosen = {name: value for name, value in settings.items() if value is not None}
    agent = Agent(**{name: chosen.pop(name) for name in AGENT_FLAGS if name in chosen})  # type: ignore[arg-type]
    way = chosen_method(method, chosen)
    for target in output:
        check_target(target, SUFFIXES)
        if Path(target).resolve() == Path(scene).resolve():
            raise FormatError(f"cannot write {target}: it is the scene itself")
    show = check_image(image, image_shows, (*SHOWS, "stages"))
    if report is not None:
        check_target(report, (".json",))
    loaded = load_scene(scene, up=read_up(up), scale=scale)
    folder = None if stages is None else make_folder(stages)
    strip = StageStrip(loaded, agent, way) if show == "stages" else None

    def look_at_stage(name: str, mesh: Any) -> None:
        if folder is not None:
            number = 1 + way.stage_names.index(name)
            save_stage(folder / f"{number:02d}-{name}.ply", mesh)
        if strip is not None:
            strip.add(name, mesh)

    with progress_bar(way.stage_names) as progress:
        navmesh = build(
            loaded,
            agent,
            way,
            workers=workers,
            progress=progress,
            # Meshes of stages are only made if someone asks for them.
            on_stage=None if folder is None and strip is None else look_at_stage,
        )
    for target in output:
        navmesh.save(target)
    if report is not None:
        assert navmesh.report is not None
        write_json(navmesh.report.as_dict(), report)
    if image is not None:
        if strip is not None:
            save_figure(image, strip.figure)
        else:
            save_picture(image, navmesh, scene=loaded, show=show)
    _print_build(loaded, navmesh, [*output, *filter(None, [report, stages, image])])


def _print_build(scene: Scene, navmesh: NavMesh, written: list[str]) -> None:
    report = navmesh.report
    assert report is not None
    print(f"{navmesh!r} from {len(scene.faces)} triangles in {report.total_seconds:.3f} s")
    if scene.left_out.total:
        parts = dataclasses.asdict(scene.left_out).items()
        reasons = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in parts if n)
        print(f"left out: {reasons}")
    for name in written:
        print(f"wrote {name}")
    for note in report.notes:
        print(f"note: {note}", file=sys.stderr)
