"""What a build makes: files of the navmesh, a report, stages and a picture."""

from __future__ import annotations

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
)
from walkmesh.cli.output import make_folder, progress_bar, write_json
from walkmesh.errors import FormatError
from walkmesh.files import check_target

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh import Agent, Building, FloorPlan, NavMesh, Scene
    from walkmesh.build import Method


def product_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that builds the options for what it makes."""
    for option in (
        click.option(
            "--image-shows",
            help="What the picture shows: both (an oblique view and plans), plans, oblique, or "
            "stages, what each of them made.  [default: both]",
        ),
        click.option("--image", help="Picture to draw: .png or .svg."),
        click.option("--stages", help="Folder for a PLY of every stage."),
        click.option("--report", help="JSON file for the build's report."),
        click.option("--workers", type=int, help="Threads to use.  [default: as many as cores]"),
        polygons_option,
        output_option,
    ):
        command = option(command)
    return command


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
    report: str | None
    stages: str | None
    image: str | None
    show: str

    @classmethod
    def checked(
        cls,
        source: str,
        output: tuple[str, ...],
        polygons: bool,
        report: str | None,
        stages: str | None,
        image: str | None,
        image_shows: str | None,
    ) -> Products:
        """Refuse places that cannot be written to, before any work is done."""
        from walkmesh.io.navmeshes import SUFFIXES
        from walkmesh.viewer.picture import SHOWS

        for target in output:
            check_target(target, SUFFIXES)
        show = check_image(image, image_shows, (*SHOWS, "stages"))
        if report is not None:
            check_target(report, (".json",))
        check_polygons(output, polygons)
        products = cls(output, polygons, report, stages, image, show)
        check_apart(source, products.written)
        return products

    def make(
        self, source: Scene | FloorPlan | Building, agent: Agent, way: Method, workers: int | None
    ) -> NavMesh:
        """Build, and write everything."""
        from walkmesh.io.navmeshes import save_stage
        from walkmesh.viewer.picture import save_picture
        from walkmesh.viewer.plan import save_figure
        from walkmesh.viewer.stage_strip import StageStrip

        folder = None if self.stages is None else make_folder(self.stages)
        strip = StageStrip(source, agent, way) if self.show == "stages" else None

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
                workers=workers,
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
                save_picture(self.image, navmesh, scene=source, show=self.show)
        return navmesh

    @property
    def written(self) -> list[str]:
        """The names of all files and folders that are made."""
        return [*self.output, *filter(None, [self.report, self.stages, self.image])]
