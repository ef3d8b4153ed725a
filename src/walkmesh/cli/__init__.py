"""The command line.

Exit code 0 when all went well; 2 with one line on standard error for bad input or bad usage; 130
when interrupted. Results go to standard output, everything else to standard error.
"""

# Each module adds its command to the app.
from walkmesh.cli import (  # noqa: F401
    bridge,
    build,
    demo,
    evaluate,
    info,
    links,
    path,
    plan,
    view,
)
from walkmesh.cli.app import app, main, run

__all__ = ["app", "main", "run"]
