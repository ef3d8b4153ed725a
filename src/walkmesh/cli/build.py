"""``walkmesh build``: from a scene to its navmesh."""

from __future__ import annotations

import dataclasses
import sys

import click

from walkmesh import Agent, NavMesh, Scene, load_scene
from walkmesh.build import METHODS
from walkmesh.cli.app import app
from walkmesh.cli.options import AGENT_FLAGS, METHOD_HELP, NUMBER, chosen_method, setting_options
from walkmesh.cli.products import Products, product_options
from walkmesh.frame import read_up


@app.command("build")
@click.argument("scene")
@click.option("--method", default="exact", show_default=True, help=METHOD_HELP)
@click.option("--up", default="y", show_default=True, help="x, y, z, or like 0,0,1.")
@click.option(
    "--scale", type=NUMBER, default=1.0, show_default=True, help="Metres for a unit of the scene."
)
@setting_options(Agent, *METHODS.values())
@product_options
def build_command(
    scene: str,
    output: tuple[str, ...],
    polygons: bool,
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
    chosen = {name: value for name, value in settings.items() if value is not None}
    agent = Agent(**{name: chosen.pop(name) for name in AGENT_FLAGS if name in chosen})  # type: ignore[arg-type]
    way = chosen_method(method, chosen)
    products = Products.checked(scene, output, polygons, report, stages, image, image_shows)
    loaded = load_scene(scene, up=read_up(up), scale=scale)
    navmesh = products.make(loaded, agent, way, workers)
    _print_build(loaded, navmesh, products.written)


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
