"""``walkmesh view``: the page in the browser."""

from __future__ import annotations

import dataclasses
from contextlib import suppress

import click

from walkmesh import Agent, Exact, build
from walkmesh.arguments import read_count
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
from walkmesh.cli.output import progress_bar
from walkmesh.errors import SettingsError
from walkmesh.files import check_target, replacing
from walkmesh.frame import read_up


@app.command("view")
@click.argument("file", required=False)
@click.option("--scene", help="The scene of a navmesh FILE, to see both.")
@click.option("--method", help=f"{METHOD_HELP}  [default: as a navmesh FILE was, or exact]")
@up_option("Up of a scene, as for build.")
@scale_option("Metres for a unit of a scene.")
@setting_options(Agent, *METHODS.values())
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to serve on; by default no other machine can reach it.",
)
@click.option("--port", type=int, help="Port to serve on.  [default: the first free from 8080]")
@click.option(
    "--max-upload", type=int, default=512, show_default=True, help="Largest upload, in MiB."
)
@click.option("--no-browser", is_flag=True, help="Do not open the page.")
@click.option("--html", help="Write the view to this file, with the navmesh built, and stop.")
def view_command(
    file: str | None,
    scene: str | None,
    method: str | None,
    up: str,
    scale: float,
    host: str,
    port: int | None,
    max_upload: int,
    no_browser: bool,
    html: str | None,
    **settings: float | str | None,
) -> None:
    """Look at FILE, a scene or a navmesh, in the browser; build, step through stages, find paths.

    Without FILE, open one on the page.
    """
    import webbrowser

    from walkmesh.viewer.page.document import Document, open_file
    from walkmesh.viewer.view import LOOPBACK, serve

    given, chosen = chosen_settings(settings)
    way = None if method is None and not chosen else chosen_method(method or "exact", chosen)
    agent = Agent(**given) if given else None
    read_count("--max-upload", max_upload, 0, None)
    if html is not None:
        check_target(html, (".html",))
        if file is None:
            raise SettingsError("--html needs a FILE to show")
    document = Document()
    if scene is not None:
        document = open_file(scene, read_up(up), scale, document)
        if document.scene is None:
            raise SettingsError(f"--scene is {scene}, which is a navmesh; it must be a scene")
    if file is not None:
        document = open_file(file, read_up(up), scale, document)
        if scene is not None and (document.navmesh is None or document.scene is None):
            raise SettingsError(f"{file} is not a navmesh of {scene}")
    if html is not None and document.scene is not None and document.navmesh is None:
        with progress_bar((way or Exact()).stage_names) as progress:
            navmesh = build(document.scene, agent, way, progress=progress)
        document = dataclasses.replace(document, navmesh=navmesh)
    viewer = serve(
        document, agent, way, up=up, scale=scale, max_upload=max_upload * 2**20,
        host=host if html is None else LOOPBACK, port=port if html is None else 0,
    )  # fmt: skip
    with viewer:
        if html is not None:
            with replacing(html) as temporary:
                temporary.write_text(viewer.page.as_html())
            print(f"wrote {html}")
            return
        print(f"{viewer.url}  (Ctrl-C to stop)", flush=True)
        if not no_browser:
            webbrowser.open(viewer.url)
        with suppress(KeyboardInterrupt):  # that is how one stops a server
            viewer.wait()
