"""What commands show and write."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from walkmesh.errors import FormatError
from walkmesh.files import replacing
from walkmesh.kernels.messages import progress_shown_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from walkmesh.progress import Progress


def make_folder(name: str) -> Path:
    """Make sure that there is a folder of this name."""
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot make the folder {folder}: {error.strerror}") from None
    return folder


def write_json(content: dict[str, Any], path: str) -> None:
    """Write a file that appears only when it is complete."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(content, indent=2) + "\n")


def print_written(names: Iterable[str], *, aside: bool = False) -> None:
    """Print what was written; with `aside` not where the results go."""
    for name in names:
        print(f"wrote {name}", file=sys.stderr if aside else sys.stdout)


@contextmanager
def progress_bar(stage_names: tuple[str, ...]) -> Iterator[Progress | None]:
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

        compiling = bar.add_task("compiling", total=None, visible=False)

        def show_kernels(ready: int, count: int) -> None:
            bar.update(compiling, completed=ready, total=count, visible=ready < count)

        with progress_shown_by(show_kernels):
            yield progress
