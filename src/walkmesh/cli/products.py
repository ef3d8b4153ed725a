"""What a build makes: files of the navmesh, a report, stages and a picture."""

from __future__ import annotations

import functools
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from walkmesh import build
from walkmesh.cli.options import (
    check_image,
    check_polygons,
    output_option,
    polygons_option,
    save_all,
    workers_option,
)
from walkmesh.cli.output import make_folder, print_written, progress_bar, write_json
from walkmesh.errors import FormatError
from walkmesh.files import check_target

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh import Agent, Building, FloorPlan, NavMesh, Scene
    from walkmesh.builder import Method


def product_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that builds the options for what it makes, as `products`."""

    @functools.wraps(command)
    def run(**given: Any) -> None:
        products = Products(**{name: given.pop(name) for name in Products.__annotations__})
        command(products=products, **given)

    for option in (
        click.option(
            "--image-shows",
            help="What the picture shows: both (an oblique view and plans), plans, oblique, or "
            "stages, what each of them made.  [default: both]",
        ),
        click.option("--image", help="Picture to draw: .png or .svg."),
        click.option("--stages", help="Folder for a PLY of every stage."),
        click.option("--report", help="JSON file for the build's report."),
        workers_option,
        polygons_option,
        output_option,
    ):
        run = option(run)
    return run


def check_apart(source: str, targets: list[str]) -> None:
    """Refuse to write over what the navmesh is built from, and twice to one file."""
    taken = {Path(source).resolve(): "it is what the navmesh is built from"}
    for target in targets:
        place = Path(target).resolve()
        if place in taken:
            raise FormatError(f"cannot write {target}: {taken[place]}")
        taken[place] = "another result goes there too"


@dataclass(frozen=True)
class Products:
    """Where the results of a build go; None for those that nobody asked for."""

    output: tuple[str, ...]
    polygons: bool
    workers: int | None
    report: str | None
    stages: str | None
    image: str | None
    image_shows: str | None

    def check(self, source: str) -> None:
        """Refuse places that cannot be written to, before any work is done."""
        from walkmesh.io.navmeshes import SUFFIXES
        from walkmesh.viewer.picture import SHOWS

        for target in self.output:
            check_target(target, SUFFIXES)
        check_image(self.image, self.image_shows, (*SHOWS, "stages"))
        if self.report is not None:
            check_target(self.report, (".json",))
        check_polygons(self.output, self.polygons)
        check_apart(source, self.written)

    def make(self, source: Scene | FloorPlan | Building, agent: Agent, way: Method) -> NavMesh:
        """Build, and write everything."""
        from walkmesh.io.navmeshes import save_stage
        from walkmesh.viewer.picture import SHOWS, save_picture
        from walkmesh.viewer.plan import save_figure
        from walkmesh.viewer.stage_strip import StageStrip

        folder = None if self.stages is None else make_folder(self.stages)
        strip = StageStrip(source, agent, way) if self.image_shows == "stages" else None

        def look_at_stage(name: str, mesh: Any) -> None:
            if folder is not None:
                number = 1 + way.stage_names.index(name)
                save_stage(folder / f"{number:02d}-{name}.ply", mesh)
            if strip is not None:
                strip.add(name, mesh)

        with progress_bar(way.stage_names) as progress:
            navmesh = build(
                source,
                agent,
                way,
                workers=self.workers,
                progress=progress,
                # Meshes of stages are only made if someone asks for them.
                on_stage=None if folder is None and strip is None else look_at_stage,
            )
        save_all(navmesh, self.output, self.polygons)
        if self.report is not None:
            assert navmesh.report is not None
            write_json(navmesh.report.as_dict(), self.report)
        if self.image is not None:
            if strip is not None:
                save_figure(self.image, strip.figure)
            else:
                show = self.image_shows or next(iter(SHOWS))
                save_picture(self.image, navmesh, scene=source, show=show)
        return navmesh

    @property
    def written(self) -> list[str]:
        """The names of all files and folders that are made."""
        return [*self.output, *filter(None, [self.report, self.stages, self.image])]

    def tell(self, navmesh: NavMesh, *more: str) -> None:
        """Print what was written, `more` files among it, and what the build noticed."""
        print_written([*self.written, *more])
        assert navmesh.report is not None
        for note in navmesh.report.notes:
            print(f"note: {note}", file=sys.stderr)
