"""The command line: what all commands share, from the start of a process to its exit code."""

from __future__ import annotations

import importlib
import io
import os
import sys

import click

from walkmesh import __version__
from walkmesh.errors import WalkmeshError

INTERRUPTED = 130

# Each command, the module that adds it to the app, and what the list of commands says. A module is
# imported when its command is used: listing them all takes a fifth of a second, importing them one.
COMMANDS = {
    "bridge": ("bridge", "Bridge the gaps of a navmesh that its agent can step across."),
    "build": ("build", "Build the navmesh of a scene: .obj .glb .gltf .ply .stl .off."),
    "demo": ("demo", "Build the navmesh of a house, find a path in it, and draw both."),
    "evaluate": ("evaluate", "Tell how right a navmesh is for its scene."),
    "info": ("info", "Tell what is in a navmesh or a scene, and what is wrong with it."),
    "links": ("links", "Find where the agent of a navmesh can jump, drop or climb."),
    "path": ("path", "Find the shortest path on a navmesh: .walkmesh .obj .glb .ply."),
    "plan": ("plan", "Build the navmesh of a floor plan."),
    "view": ("view", "Look at a scene or a navmesh in the browser; build, measure, save."),
    "warmup": ("demo", "Compile all kernels now, so that nothing has to later."),
}


class _Commands(click.Group):
    """A group whose commands are imported when they are used."""

    def list_commands(self, context: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name in COMMANDS:
            importlib.import_module(f"walkmesh.cli.{COMMANDS[name][0]}")
        return super().get_command(context, name)

    def format_commands(
        self,
        context: click.Context,  # noqa: ARG002
        formatter: click.HelpFormatter,
    ) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in COMMANDS.items()])


@click.group(cls=_Commands, help="Navigation meshes from any triangle soup, and paths on them.")
@click.version_option(__version__, message="walkmesh %(version)s")
def app() -> None:
    """Hold the commands."""


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
    except MemoryError:
        return _fail("this does not fit into this machine's memory")
    except SystemExit:  # so click leaves when a pipe breaks, as in main()
        return 0
    return 0


def _fail(message: str) -> int:
    print(f"walkmesh: {' '.join(message.split())}", file=sys.stderr)
    return 2
