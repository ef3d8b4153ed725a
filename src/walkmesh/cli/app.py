"""The command line: what all commands share, from the start of a process to its exit code."""

from __future__ import annotations

import io
import os
import sys

import click

from walkmesh import __version__
from walkmesh.errors import WalkmeshError

INTERRUPTED = 130


@click.group(help="Navigation meshes from any triangle soup, and paths on them.")
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
