"""``walkmesh build``: from a scene to its navmesh."""

from __future__ import annotations

import dataclasses

import click

from walkmesh import Agent, load_scene
from walkmesh.builder import METHODS
from walkmesh.cli.app import app
from walkmesh.cli.options import (
    METHOD_HELP,
    chosen_method,
    chosen_settings,
    scale_option,
    setting_options,
    up_option,
)
from walkmesh.cli.products import Products, product_options
from walkmesh.frame import read_up
from walkmesh.kernels.warmup import prepare


@app.command("build")
@click.argument("scene")
@click.option("--method", default="exact", show_default=True, help=METHOD_HELP)
@up_option("x, y, z, or like 0,0,1.")
@scale_option()
@setting_options(Agent, *METHODS.values())
@product_options
def build_command(
    scene: str,
    method: str,
    up: str,
    scale: float,
    products: Products,
    **settings: float | str | None,
) -> None:
    """Build the navmesh of SCENE: .obj .glb .gltf .ply .stl .off."""
    of_agent, of_method = chosen_settings(settings)
    agent, way = Agent(**of_agent), chosen_method(method, of_method)
    products.check(scene)
    prepare("walkmesh.scene", *way.packages, "walkmesh.validate")
    loaded = load_scene(scene, up=read_up(up), scale=scale)
    navmesh = products.make(loaded, agent, way)
    assert navmesh.report is not None
    print(f"{navmesh!r} from {len(loaded.faces)} triangles in {navmesh.report.total_seconds:.3f} s")
    if loaded.left_out.total:
        parts = dataclasses.asdict(loaded.left_out).items()
        reasons = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in parts if n)
        print(f"left out: {reasons}")
    products.tell(navmesh)
