"""Run the benchmarks, and write what they found: ``make bench`` and ``make bench-quick``.

``python benchmarks/results.py`` measures everything and writes ``benchmarks/RESULTS.md`` with its
plots. With ``--quick`` it measures less, and with ``--only SECTION`` one section; both are written
to ``benchmarks/.build`` instead, so that they never replace the real ones; so is what was measured
before a section failed. ``--json FILE`` writes all single measurements too.
"""

from __future__ import annotations

import argparse
import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl

import cases
import gaps
import levels
import load_scene
import plan
import precision
import queries
import scaling
import startup
import surface
import viewer
import voxel
from machine import describe
from page import Section, paragraphs, say
from walkmesh.files import replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HERE = Path(__file__).parent
SECTIONS: dict[str, Callable[[bool], Section]] = {
    "precision": precision.section,
    "cases": cases.section,
    "scaling": scaling.section,
    "voxel": voxel.section,
    "gaps": gaps.section,
    "surface": surface.section,
    "plan": plan.section,
    "queries": queries.section,
    "startup": startup.section,
    "levels": levels.section,
    "load_scene": load_scene.section,
    "viewer": viewer.section,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Measure walkmesh, beside Recast, Detour and trimesh."
    )
    parser.add_argument("--quick", action="store_true", help="measure less, in two minutes")
    parser.add_argument("--only", choices=SECTIONS, action="append", help="measure only this")
    parser.add_argument("--json", type=Path, help="write all single measurements to this file")
    options = parser.parse_args()
    names = options.only or list(SECTIONS)
    start = time.perf_counter()
    sections: dict[str, Section] = {}
    try:
        for name in names:
            say(f"section {name}")
            sections[name] = SECTIONS[name](options.quick)
    finally:
        seconds = time.perf_counter() - start
        complete = not options.quick and set(sections) == set(SECTIONS)
        folder = HERE if complete else HERE / ".build"
        file = write(list(sections.values()), folder, "quick" if options.quick else "full", seconds)
        if options.json:
            with replacing(options.json) as temporary:
                numbers = {name: section.numbers for name, section in sections.items()}
                temporary.write_text(json.dumps({"machine": describe(), **numbers}, indent=1))
        print(f"{file}, after {seconds:.0f} s")


def write(sections: Sequence[Section], folder: Path, kind: str, seconds: float) -> Path:
    """Write the plots, then ``RESULTS.md``, each of them only when it is complete."""
    plots = folder / "plots"
    plots.mkdir(parents=True, exist_ok=True)
    # Equal plots are equal files: no random ids, no date. Letters as letters make them small.
    mpl.rcParams["svg.hashsalt"] = "walkmesh"
    mpl.rcParams["svg.fonttype"] = "none"
    for section in sections:
        for name, figure in section.plots.items():
            with replacing(plots / f"{name}.svg") as temporary:
                figure.savefig(temporary, format="svg", metadata={"Date": None})
    file = folder / "RESULTS.md"
    with replacing(file) as temporary:
        temporary.write_text(page(sections, kind, seconds))
    return file


def page(sections: Sequence[Section], kind: str, seconds: float) -> str:
    """Return the Markdown of all sections, with what they were measured on."""
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    return (
        paragraphs(
            "# Benchmarks",
            f"Written by `make bench`{' with --quick' if kind == 'quick' else ''} on {day} in "
            f"{seconds / 60.0:.1f} minutes; do not edit.",
            "\n".join(f"- {line}" for line in describe()),
            *(f"## {section.title}\n\n{section.text}" for section in sections),
        )
        + "\n"
    )


if __name__ == "__main__":
    main()
