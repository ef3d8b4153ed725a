"""The command line.

Exit code 0 when all went well; 2 with one line on standard error for bad input or bad usage; 130
when interrupted. Results go to standard output, everything else to standard error.
"""

from __future__ import annotations

import dataclasses
import io
import json
import os
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from walkmesh import (
    Agent,
    Exact,
    LinkKind,
    NavMesh,
    Voxel,
    __version__,
    bridge_gaps,
    build,
    evaluate,
    find_links,
    load_navmesh,
    load_scene,
    samples,
)
from walkmesh.build import METHODS
from walkmesh.errors import FormatError, SettingsError, WalkmeshError
from walkmesh.files import check_target, replacing
from walkmesh.frame import read_up
from walkmesh.links import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from walkmesh import Scene
    from walkmesh.progress import Progress

# Flags of the agent that are shorter than the names of its settings.
AGENT_FLAGS = {"height": "height", "radius": "radius", "max_slope": "slope", "max_step": "step"}
INTERRUPTED = 130


def main() -> None:
    """Run the command line, and turn what is expected to go wrong into one line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name may not fit the encoding
    try:
        code = run(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:  # whoever read the output, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:  # such as a full disk behind standard output
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = _fail(f"cannot print the result: {error.strerror}")
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code."""
    try:
        app.main(arguments, prog_name="walkmesh", standalone_mode=False)
    except (KeyboardInterrupt, click.Abort):
        print("walkmesh: interrupted", file=sys.stderr)
        return INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message())
    except click.ClickException as error:
        return _fail(error.format_message())
    except WalkmeshError as error:
        return _fail(str(error))
    except SystemExit:  # so click leaves when a pipe breaks, as below
        return 0
    return 0


def _fail(message: str) -> int:
    print(f"walkmesh: {' '.join(message.split())}", file=sys.stderr)
    return 2


class _Number(click.ParamType):  # type: ignore[type-arg]
    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            return float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number", param, ctx)


NUMBER = _Number()


def _setting_options(
    *kinds: type[Agent | Exact | Voxel | Limits],
) -> Callable[..., Callable[..., None]]:
    """Give a command an option for every setting of the agent or of methods."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        # A setting that several methods have is one option, with the words of the first.
        fields: dict[str, dict[type, dataclasses.Field[Any]]] = {}
        for kind in kinds:
            for field in dataclasses.fields(kind):
                fields.setdefault(field.name, {})[kind] = field
        for name, by_kind in reversed(fields.items()):
            flag = AGENT_FLAGS.get(name, name).replace("_", "-")
            words, is_number = _help_of(by_kind)
            option = click.option(f"--{flag}", name, type=NUMBER if is_number else str, help=words)
            command = option(command)
        return command

    return decorate


def _help_of(fields: dict[type, dataclasses.Field[Any]]) -> tuple[str, bool]:
    """Return the help of a setting that one or more classes have, and whether it is a number."""
    first = next(iter(fields.values()))
    choices = first.metadata.get("choices")
    if choices is not None:
        return f"{choices.help}: {', '.join(choices.words)}.  [default: {first.default}]", False
    if len({field.metadata["limits"].unit for field in fields.values()}) == 1:
        unit = f", in {first.metadata['limits'].unit}"
        defaults = [f"{field.default:g}" for field in fields.values()]
    else:
        unit = ""
        defaults = [f"{f.default:g} {f.metadata['limits'].unit}" for f in fields.values()]
    if len(set(defaults)) == 1:
        default = defaults[0]
    else:
        names = [kind.__name__.lower() for kind in fields]
        default = ", ".join(f"{n} {d}" for n, d in zip(names, defaults, strict=True))
    return f"{first.metadata['limits'].help}{unit}.  [default: {default}]", True


@click.group(help="Navigation meshes from any triangle soup, and paths on them.")
@click.version_option(__version__, message="walkmesh %(version)s")
def app() -> None:
    """Hold the commands."""


_output_option = click.option(
    "-o",
    "--output",
    multiple=True,
    required=True,
    help="Navmesh to write: .walkmesh .obj .glb .ply; may be repeated.",
)


@app.command("build")
@click.argument("scene")
@_output_option
@click.option("--method", default="exact", show_default=True, help="How to build: exact or voxel.")
@click.option("--up", default="y", show_default=True, help="x, y, z, or like 0,0,1.")
@click.option(
    "--scale", type=NUMBER, default=1.0, show_default=True, help="Metres for a unit of the scene."
)
@_setting_options(Agent, *METHODS.values())
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
    way = _method(method, chosen)
    for target in output:
        check_target(target, SUFFIXES)
        if Path(target).resolve() == Path(scene).resolve():
            raise FormatError(f"cannot write {target}: it is the scene itself")
    show = _image_shows(image, image_shows, (*SHOWS, "stages"))
    if report is not None:
        check_target(report, (".json",))
    loaded = load_scene(scene, up=read_up(up), scale=scale)
    folder = None if stages is None else _make_folder(stages)
    strip = StageStrip(loaded, agent, way) if show == "stages" else None

    def look_at_stage(name: str, mesh: Any) -> None:
        if folder is not None:
            number = 1 + way.stage_names.index(name)
            save_stage(folder / f"{number:02d}-{name}.ply", mesh)
        if strip is not None:
            strip.add(name, mesh)

    with _progress_bar(way.stage_names) as progress:
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
        _write_json(navmesh.report.as_dict(), report)
    if image is not None:
        if strip is not None:
            save_figure(image, strip.figure)
        else:
            save_picture(image, navmesh, scene=loaded, show=show)
    _print_build(loaded, navmesh, [*output, *filter(None, [report, stages, image])])


def _method(name: str, settings: dict[str, Any]) -> Exact | Voxel:
    if name not in METHODS:
        raise SettingsError(f"--method is {name!r}; it must be one of {', '.join(METHODS)}")
    known = {field.name for field in dataclasses.fields(METHODS[name])}
    for setting in settings:
        if setting not in known:
            flag = setting.replace("_", "-")
            raise SettingsError(f"--{flag} is no setting of the {name} method")
    return METHODS[name](**settings)


def _image_shows(image: str | None, shows: str | None, known: tuple[str, ...]) -> str:
    """Check where a picture is to go and what it is to show, and return the latter."""
    from walkmesh.viewer.plan import SUFFIXES

    if shows is not None and shows not in known:
        raise SettingsError(f"--image-shows is {shows!r}; it must be one of {', '.join(known)}")
    if image is not None:
        check_target(image, SUFFIXES)
    elif shows is not None:
        raise SettingsError("--image-shows is given without --image; there is no picture to draw")
    return shows or known[0]


def _make_folder(name: str) -> Path:
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot make the folder {folder}: {error.strerror}") from None
    return folder


def _write_json(content: dict[str, Any], path: str) -> None:
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(content, indent=2) + "\n")


@contextmanager
def _progress_bar(stage_names: tuple[str, ...]) -> Iterator[Progress | None]:
    """Show a bar on a terminal, and nothing in a pipe."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description:12}"), BarColumn(), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(stage_names[0], total=len(stage_names))

        def progress(stage: str, fraction: float, /) -> None:
            done = stage_names.index(stage) + fraction
            bar.update(task, description=stage, completed=done)

        yield progress


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


@app.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--up", default="y", show_default=True, help="Up of a scene, as for build.")
def info(file: str, as_json: bool, up: str) -> None:
    """Tell what is in FILE: a navmesh, with everything that is wrong with it, or a scene."""
    from walkmesh.io.navmeshes import is_navmesh

    content = (
        _describe_navmesh(load_navmesh(file))
        if is_navmesh(file)
        else _describe_scene(load_scene(file, up=read_up(up)))
    )
    if as_json:
        print(json.dumps(content, indent=2))
        return
    for key, value in content.items():
        if key == "violations":
            print(f"{key.replace('_', ' ')}: {len(value)}")
            for line in value[:20]:
                print(f"  {line}")
            if len(value) > 20:
                print(f"  and {len(value) - 20} more; --json lists all")
        else:
            print(f"{key.replace('_', ' ')}: {value}")


def _describe_navmesh(navmesh: NavMesh) -> dict[str, Any]:
    report = navmesh.report
    return {
        "kind": "navmesh",
        "polygons": navmesh.polygon_count,
        "vertices": len(navmesh.vertices),
        "triangles": len(navmesh.triangles),
        "components": navmesh.component_count,
        "links": len(navmesh.links),
        "area_m2": navmesh.area,
        "bounds": [navmesh.vertices.min(axis=0).tolist(), navmesh.vertices.max(axis=0).tolist()]
        if len(navmesh.vertices)
        else None,
        "up": list(navmesh.up),
        "agent": dataclasses.asdict(navmesh.agent),
        "method": None if report is None else report.method,
        "settings": None if report is None else report.settings,
        "built_by": None if report is None else f"walkmesh {report.version}",
        "notes": [] if report is None else list(report.notes),
        "violations": [str(violation) for violation in navmesh.validate()],
    }


def _describe_scene(scene: Scene) -> dict[str, Any]:
    return {
        "kind": "scene",
        "triangles": len(scene.faces),
        "vertices": len(scene.vertices),
        "left_out": dataclasses.asdict(scene.left_out),
        "bounds": scene.bounds.tolist(),
        "up": list(scene.up),
    }


@app.command("evaluate")
@click.argument("scene")
@click.argument("navmesh")
@click.option("--up", default="y", show_default=True, help="Up of the scene, as for build.")
@click.option(
    "--scale",
    type=NUMBER,
    default=1.0,
    show_default=True,
    help="Metres for a unit of the scene, and of a navmesh that is plain triangles.",
)
@_setting_options(Agent)
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
    "--from",
    "seeds",
    multiple=True,
    metavar="X,Y,Z",
    help="Where agents start; what cannot be reached from there is told. May be repeated.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the samples.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--report", help="JSON file for the figures.")
@click.option("--image", help="Picture of what is right and what is not: .png or .svg.")
def evaluate_command(
    scene: str,
    navmesh: str,
    up: str,
    scale: float,
    samples: int,
    pairs: int | None,
    band: float,
    seeds: tuple[str, ...],
    seed: int,
    as_json: bool,
    report: str | None,
    image: str | None,
    **settings: float | None,
) -> None:
    """Tell how right NAVMESH is for SCENE: what it covers, what of it is free, what it connects.

    NAVMESH is one of ours, or any triangles: .obj .glb .gltf .ply .stl .off, with the scene's up.
    The agent's settings are by default those that the navmesh was built for.
    """
    from walkmesh.evaluate import STAGES
    from walkmesh.io.navmeshes import is_navmesh
    from walkmesh.viewer.plan import SUFFIXES as PICTURE_SUFFIXES

    chosen = {name: value for name, value in settings.items() if value is not None}
    places = [_point("--from", text) for text in seeds]
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
    with _progress_bar(STAGES) as progress:
        result = evaluate(
            loaded, judged, agent, samples=samples, band=band, pairs=pairs, seeds=places or None,
            seed=seed, progress=progress,
        )  # fmt: skip
    if report is not None:
        _write_json(result.as_dict(), report)
    if image is not None:
        result.save_picture(image)
    print(json.dumps(result.as_dict(), indent=2) if as_json else result)
    for name in filter(None, [report, image]):
        print(f"wrote {name}", file=sys.stderr if as_json else sys.stdout)


@app.command("view")
@click.argument("file", required=False)
@click.option("--scene", help="The scene of a navmesh FILE, to see both.")
@click.option(
    "--method", help="How to build: exact or voxel.  [default: as a navmesh FILE was, or exact]"
)
@click.option("--up", default="y", show_default=True, help="Up of a scene, as for build.")
@click.option(
    "--scale", type=NUMBER, default=1.0, show_default=True, help="Metres for a unit of a scene."
)
@_setting_options(Agent, *METHODS.values())
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

    chosen = {name: value for name, value in settings.items() if value is not None}
    given = {name: chosen.pop(name) for name in AGENT_FLAGS if name in chosen}
    way = None if method is None and not chosen else _method(method or "exact", chosen)
    agent = Agent(**given) if given else None  # type: ignore[arg-type]
    if max_upload < 0:
        raise SettingsError(f"--max-upload is {max_upload}; it must be a whole number from 0 up")
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
            raise SettingsError(f"{file} is no navmesh of {scene}")
    if html is not None and document.scene is not None and document.navmesh is None:
        with _progress_bar((way or Exact()).stage_names) as progress:
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


@app.command("links")
@click.argument("scene")
@click.argument("navmesh")
@_output_option
@click.option("--up", default="y", show_default=True, help="Up of the scene, as for build.")
@click.option(
    "--scale", type=NUMBER, default=1.0, show_default=True, help="Metres for a unit of the scene."
)
@_setting_options(Limits)
@click.option("--workers", type=int, help="Threads to use.  [default: as many as cores]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def links_command(
    scene: str,
    navmesh: str,
    output: tuple[str, ...],
    up: str,
    scale: float,
    workers: int | None,
    as_json: bool,
    **settings: float | None,
) -> None:
    """Find where the agent of NAVMESH can jump, drop or climb in SCENE, and write it with links.

    Links that NAVMESH has already are kept.
    """
    from walkmesh.io.navmeshes import SUFFIXES
    from walkmesh.links import STAGES

    chosen = {name: value for name, value in settings.items() if value is not None}
    for target in output:
        check_target(target, SUFFIXES)
        if Path(target).resolve() == Path(scene).resolve():
            raise FormatError(f"cannot write {target}: it is the scene itself")
    ground = load_navmesh(navmesh)
    loaded = load_scene(scene, up=read_up(up), scale=scale)
    start = time.perf_counter()
    with _progress_bar(STAGES) as progress:
        found = find_links(loaded, ground, workers=workers, progress=progress, **chosen)
    seconds = time.perf_counter() - start
    linked = ground.with_links(found)
    for target in output:
        linked.save(target)
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
    for target in output:
        print(f"wrote {target}", file=sys.stderr if as_json else sys.stdout)


@app.command("bridge")
@click.argument("navmesh")
@_output_option
@click.option("--distance", type=NUMBER, required=True, help="The widest gap to bridge, in m.")
@click.option("--scene", help="What NAVMESH was built from; nothing is bridged through it.")
@click.option("--up", default="y", show_default=True, help="Up of the scene, as for build.")
@click.option(
    "--scale", type=NUMBER, default=1.0, show_default=True, help="Metres for a unit of the scene."
)
def bridge_command(
    navmesh: str,
    output: tuple[str, ...],
    distance: float,
    scene: str | None,
    up: str,
    scale: float,
) -> None:
    """Bridge the gaps of NAVMESH that its agent can step across.

    Distances are between boundary edges of the navmesh, which keep the agent's radius from ledges;
    to bridge gaps of the scene, use build --bridge-distance.
    """
    from walkmesh.io.navmeshes import SUFFIXES

    for target in output:
        check_target(target, SUFFIXES)
        if scene is not None and Path(target).resolve() == Path(scene).resolve():
            raise FormatError(f"cannot write {target}: it is the scene itself")
    apart = load_navmesh(navmesh)
    loaded = None if scene is None else load_scene(scene, up=read_up(up), scale=scale)
    bridged = bridge_gaps(apart, distance, scene=loaded)
    for target in output:
        bridged.save(target)
    added = bridged.polygon_count - apart.polygon_count
    print(f"polygons of bridges: {added}")
    print(f"components: {bridged.component_count}, before {apart.component_count}")
    for target in output:
        print(f"wrote {target}")


def _point(flag: str, text: str) -> tuple[float, ...]:
    try:
        place = tuple(float(part) for part in text.split(","))
    except ValueError:
        place = ()
    if len(place) != 3:
        raise SettingsError(f"{flag} is {text!r}; it must be like 1,0,2.5")
    return place


@app.command()
@click.argument("navmesh")
@click.option("--from", "start", required=True, metavar="X,Y,Z", help="Where to start.")
@click.option("--to", "goal", required=True, metavar="X,Y,Z", help="Where to go.")
@click.option(
    "--radius", type=NUMBER, help="Radius of an agent larger than the navmesh was built for, in m."
)
@click.option("--corridor", is_flag=True, help="A path of the corridor search, not the shortest.")
@click.option("--partial", is_flag=True, help="Go as near as possible to an unreachable goal.")
@click.option(
    "--area-cost",
    "area_costs",
    multiple=True,
    metavar="AREA=COST",
    help="What a metre costs in an area; inf to keep out of it. May be repeated.",
)
@click.option(
    "--max-snap",
    type=NUMBER,
    help="How far from the navmesh the points may be, in m.  [default: the agent's height]",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--image", help="Picture of the path on the navmesh: .png or .svg.")
@click.option(
    "--image-shows",
    help="What the picture shows: both (an oblique view and plans), plans or oblique.  "
    "[default: both]",
)
def path(
    navmesh: str,
    start: str,
    goal: str,
    radius: float | None,
    corridor: bool,
    partial: bool,
    area_costs: tuple[str, ...],
    max_snap: float | None,
    as_json: bool,
    image: str | None,
    image_shows: str | None,
) -> None:
    """Find the shortest path on NAVMESH: .walkmesh .obj .glb .ply.

    Prints how it came out, its length, and its points one a line; or JSON.
    """
    from walkmesh.viewer.picture import SHOWS, save_picture

    ends = _point("--from", start), _point("--to", goal)
    costs = dict(_area_cost(text) for text in area_costs)
    show = _image_shows(image, image_shows, tuple(SHOWS))
    ground = load_navmesh(navmesh)
    found = ground.find_path(
        *ends,
        radius=radius,
        optimal=not corridor,
        area_costs=costs,
        max_snap=max_snap,
        partial=partial,
    )
    if image is not None:
        save_picture(image, ground, paths=[found], show=show)
    if as_json:
        # JSON knows no infinity.
        way = found.status != "unreachable"
        content = {
            "status": found.status,
            "length": found.length if way else None,
            "cost": found.cost if way else None,
            "points": found.points.tolist(),
            "polygons": found.polygons.tolist(),
            "links": found.links.tolist(),
        }
        print(json.dumps(content, indent=2))
    elif found.status == "unreachable":
        print("unreachable")
    else:
        print(f"{found.status}, {found.length:.3f} m")
        for point in found.points:
            print(" ".join(f"{coordinate:.6g}" for coordinate in point))


def _area_cost(text: str) -> tuple[int, float]:
    area, _, cost = text.partition("=")
    try:
        return int(area), float(cost)
    except ValueError:
        raise SettingsError(f"--area-cost is {text!r}; it must be like 3=2.5 or 3=inf") from None


@app.command()
@click.option("--out", default="walkmesh-demo", show_default=True, help="Folder for its files.")
def demo(out: str) -> None:
    """Build the navmesh of a two-storey house, find a path through it, and draw a picture."""
    from rich.console import Console
    from rich.table import Table

    from walkmesh.viewer.picture import save_picture

    folder = _make_folder(out)
    scene = samples.house()
    with _progress_bar(Exact.stage_names) as progress:
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
        ("path across both floors", f"{path.status}, {path.length:.2f} m"),
        ("path search, after the first", f"{path_seconds * 1e3:.3f} ms"),
        ("wrote", "\n".join(str(file) for file in files)),
    ):
        table.add_row(name, value)
    Console().print(table)
    for note in report.notes:
        print(f"note: {note}")


@app.command()
def warmup() -> None:
    """Compile all kernels now, so that nothing has to later."""
    from walkmesh.kernels.warmup import PACKAGES, warm_up

    start = time.perf_counter()
    compiled = sum(warm_up(package) for package in PACKAGES)
    if compiled:
        print(f"{compiled} kernels compiled in {time.perf_counter() - start:.1f} s")
    else:
        print("all kernels were compiled already")
