"""``walkmesh demo`` and ``walkmesh warmup``: what a fresh machine runs first."""

from __future__ import annotations

import time

import click

from walkmesh import Exact, build, samples
from walkmesh.cli.app import app
from walkmesh.cli.output import make_folder, progress_bar
from walkmesh.extras import require
from walkmesh.kernels.warmup import prepare


@app.command()
@click.option("--out", default="walkmesh-demo", show_default=True, help="Folder for its files.")
def demo(out: str) -> None:
    """Build the navmesh of a two-storey house, find a path through it, and draw a picture."""
    from rich.console import Console
    from rich.table import Table

    from walkmesh.viewer.picture import save_picture

    require("matplotlib", "pictures")
    folder = make_folder(out)
    prepare("walkmesh.scene", *Exact().packages, "walkmesh.validate", "walkmesh.query.ground")
    scene = samples.house()
    with progress_bar(Exact.stage_names) as progress:
        navmesh = build(scene, progress=progress)
    # The first search compiles kernels if need be, and prepares what all later ones need.
    path = navmesh.find_path(samples.HOUSE_START, samples.HOUSE_GOAL)
    start = time.perf_counter()
    navmesh.find_path(samples.HOUSE_START, samples.HOUSE_GOAL)
    path_seconds = time.perf_counter() - start
    files = [folder / f"house.{suffix}" for suffix in ("glb", "obj", "png")]
    navmesh.save(files[0])
    navmesh.save(files[1])
    save_picture(files[2], navmesh, scene=scene, paths=[path])

    report = navmesh.report
    assert report is not None
    assert report.total_seconds is not None
    table = Table("house", "", title="walkmesh demo", title_justify="left")
    table.columns[1].justify = "right"
    for name, value in (
        ("scene", f"{len(scene.faces)} triangles"),
        ("navmesh", f"{report.polygons} polygons, {report.vertices} vertices"),
        ("components", f"{report.components}"),
        ("area", f"{report.area:.1f} m2"),
        ("build", f"{report.total_seconds * 1e3:.1f} ms"),
        ("path across both floors", f"{path.status}, {path.length:.2f} m{path.doubt}"),
        ("path search, after the first", f"{path_seconds * 1e3:.3f} ms"),
        ("wrote", "\n".join(str(file) for file in files)),
        ("look at it in the browser", f"walkmesh view {files[0]}"),
    ):
        table.add_row(name, value)
    Console().print(table)
    for note in report.notes:
        print(f"note: {note}")


@app.command()
def warmup() -> None:
    """Compile all kernels now, so that nothing has to later."""
    from walkmesh.kernels.warmup import all_kernels, warm_up

    start = time.perf_counter()
    compiled = warm_up(all_kernels())
    if compiled:
        print(f"{compiled} kernels compiled in {time.perf_counter() - start:.1f} s")
    else:
        print("all kernels were compiled already")
