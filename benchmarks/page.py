"""What a section of the results is made of, and how its tables are written."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Section:
    """One section of the results.

    Attributes
    ----------
    title : str
        Its heading.
    text : str
        Markdown. A line ``![words](plots/NAME.svg)`` shows the plot NAME.
    plots : dict of str to Figure
        By name.
    numbers : dict or list
        What was measured, for JSON.
    """

    title: str
    text: str
    numbers: Any
    plots: dict[str, Figure] = field(default_factory=dict)


def say(words: str) -> None:
    """Tell whoever waits what is being measured."""
    print(f"{time.strftime('%H:%M:%S')} {words}", file=sys.stderr, flush=True)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with its first column to the left and all others to the right."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    for line in lines:
        assert len(line) == len(heads), f"{line} does not fit {heads}"
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def paragraphs(*parts: str) -> str:
    """Return the parts that are not empty with an empty line between them."""
    return "\n\n".join(part for part in parts if part)
