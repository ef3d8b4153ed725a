"""The command line.

Exit code 0 when all went well; 2 with one line on standard error for bad input or bad usage; 130
when interrupted. Results go to standard output, everything else to standard error.
"""

from walkmesh.cli.app import app, main, run

__all__ = ["app", "main", "run"]
