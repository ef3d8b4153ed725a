"""``python -m walkmesh``: the command line, where its script is not on the path."""

from walkmesh.cli import main

main()
