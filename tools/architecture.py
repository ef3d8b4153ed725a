"""Draw docs/images/architecture.svg: the rooms of the package, and who imports whom.

The picture is made of the imports alone, so it cannot say what is no longer so. ``python
tools/architecture.py`` writes it; with ``--check`` it fails when the file is another.
"""

from __future__ import annotations

import ast
import sys
import textwrap
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src" / "walkmesh"
PICTURE = ROOT / "docs" / "images" / "architecture.svg"

# Files at the top of the package that import no room but kernels are drawn as one box.
SHARED = "shared files"
SPINE = "builder, what methods share"

WIDTH, MARGIN = 1180, 20  # px
BOX_WIDTH, LINE, GAP, BETWEEN = 190, 14, 14, 46  # px
COLORS = {"builder": "#fde7c9", "query": "#d5e8f7", "kernels": "#e4e4e4", SHARED: "#f3f3f3"}
PLAIN = "#e2f0dc"


class Import(NamedTuple):
    """One room imports another, at once or when a function is called."""

    importer: str
    imported: str
    at_once: bool


def imports() -> Iterator[tuple[str, str, bool]]:
    """Yield module, imported module, and whether that is imported at once; types do not count."""
    modules = {_module(file): file for file in SOURCES.rglob("*.py")}
    for module, file in modules.items():
        tree = ast.parse(file.read_text())
        blocks = [n for n in ast.walk(tree) if isinstance(n, ast.If) and _is_for_types(n)]
        typing_only = {id(n) for block in blocks for n in ast.walk(block)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or id(node) in typing_only:
                continue
            if (node.module or "").partition(".")[0] != "walkmesh":
                continue
            for alias in node.names:
                if alias.name == "__version__":
                    continue
                name = f"{node.module}.{alias.name}"
                yield module, name if name in modules else str(node.module), node in tree.body


def _module(file: Path) -> str:
    parts = file.relative_to(SOURCES.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def _is_for_types(node: ast.If) -> bool:
    return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def room_of(module: str) -> str:
    """Return the package that a module is in, of the build the part of it, or its own name."""
    parts = module.split(".")[1:]
    if not parts:
        return "walkmesh"
    if parts[0] != "builder":
        return parts[0]
    if len(parts) == 1:
        return "builder"
    inner = SOURCES / "builder" / parts[1]
    return f"builder.{parts[1]}" if inner.is_dir() and parts[1] != "kernels" else SPINE


def rooms_and_imports() -> tuple[dict[str, list[str]], set[Import]]:
    """Return the rooms, those of shared files with their names, and who imports whom."""
    found = {Import(room_of(a), room_of(b), at_once) for a, b, at_once in imports()}
    found = {i for i in found if i.importer != i.imported and i.importer != "__main__"}
    files = {f.stem for f in SOURCES.glob("*.py") if not f.stem.startswith("__")}
    uses = defaultdict(set)
    for importer, imported, at_once in found:
        if at_once:
            uses[importer].add(imported)
    shared = files
    while True:  # leave out files until those that are left import each other and kernels alone
        fewer = {name for name in shared if uses[name] <= shared | {"kernels"}}
        if fewer == shared:
            break
        shared = fewer

    def box(room: str) -> str:
        return SHARED if room in shared else room

    merged = {Import(box(i.importer), box(i.imported), i.at_once) for i in found}
    merged = {i for i in merged if i.importer != i.imported}
    names = {box(room) for i in merged for room in (i.importer, i.imported)}
    return {name: sorted(shared) if name == SHARED else [] for name in sorted(names)}, merged


def levels_of(rooms: dict[str, list[str]], found: set[Import]) -> dict[str, int]:
    """Return how high each room stands above those that it imports at once."""
    levels: dict[str, int] = {}

    def level(room: str, above: tuple[str, ...]) -> int:
        if room in above:
            raise SystemExit(f"rooms import each other: {' -> '.join([*above, room])}")
        if room not in levels:
            below = [i.imported for i in found if i.importer == room and i.at_once]
            levels[room] = max((level(r, (*above, room)) + 1 for r in below), default=0)
        return levels[room]

    for room in rooms:
        level(room, ())
    return levels


def needed(found: set[Import], levels: dict[str, int]) -> list[Import]:
    """Leave out imports at once that others imply, and late ones that lead down anyway."""
    at_once = {(i.importer, i.imported) for i in found if i.at_once}
    reached: dict[str, set[str]] = {}
    for room in sorted(levels, key=levels.__getitem__):
        direct = {b for a, b in at_once if a == room}
        reached[room] = direct | {r for b in direct for r in reached[b]}
    kept = []
    for i in sorted(found):
        ways = {b for a, b in at_once if a == i.importer}
        if i.at_once:
            if not any(i.imported in reached[b] for b in ways):
                kept.append(i)
        elif i.imported not in reached[i.importer]:
            kept.append(i)
    return kept


def picture() -> str:
    """Return the picture as SVG."""
    rooms, found = rooms_and_imports()
    levels = levels_of(rooms, found)
    words = {room: _words(room, files) for room, files in rooms.items()}
    places = _lay_out(
        levels, found, {room: LINE * (len(w) + 1) + 12.0 for room, w in words.items()}
    )
    lines = [_arrow(i, places) for i in needed(found, levels)]
    boxes = [_box(room, places[room], words[room]) for room in rooms]
    height = max(y + tall for _, y, _, tall in places.values()) + MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" '
        'font-family="sans-serif" font-size="11">\n<rect width="100%" height="100%" '
        'fill="white"/>\n<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" '
        'markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" '
        'fill="#666"/></marker></defs>'
    )
    return "\n".join([head, *lines, *boxes, "</svg>\n"])


def _lay_out(
    levels: dict[str, int], found: set[Import], heights: dict[str, float]
) -> dict[str, tuple[float, float, float, float]]:
    """Return left, top, width and height of each room's box, each about above what it imports."""
    ordered: dict[str, float] = {}  # the middle of each box
    rows = []
    for level in range(max(levels.values()) + 1):
        row = [room for room in sorted(levels) if levels[room] == level]
        below = {
            room: [ordered[i.imported] for i in sorted(found) if i.importer == room and i.at_once]
            for room in row
        }
        row.sort(key=lambda room: sum(below[room]) / max(len(below[room]), 1))
        widths = [BOX_WIDTH * (3 if room == SHARED else 1) for room in row]
        x = (WIDTH - sum(widths) - GAP * (len(row) - 1)) / 2
        for room, width in zip(row, widths, strict=True):
            ordered[room] = x + width / 2
            x += width + GAP
        rows.append(row)
    places, y = {}, float(MARGIN)
    for row in reversed(rows):
        for room in row:
            width = BOX_WIDTH * (3 if room == SHARED else 1)
            places[room] = ordered[room] - width / 2, y, float(width), heights[room]
        y += max(heights[room] for room in row) + BETWEEN
    return places


def _words(room: str, files: list[str]) -> list[str]:
    """Return what stands in a room's box below its name."""
    if files:
        return textwrap.wrap(", ".join(files), 90)
    path = SOURCES / ("builder" if room == SPINE else room.replace(".", "/"))
    if room == SPINE:
        return textwrap.wrap(", ".join(sorted(f.stem for f in path.glob("[!_]*.py"))), 28)
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    file = file if file.exists() else SOURCES / "__init__.py"
    summary = (ast.get_docstring(ast.parse(file.read_text())) or "").splitlines()[0]
    return textwrap.wrap(summary.rstrip("."), 28)


def _box(room: str, place: tuple[float, float, float, float], words: list[str]) -> str:
    x, y, width, height = place
    color = COLORS.get(room.partition(".")[0].partition(",")[0], COLORS.get(room, PLAIN))
    text = [f'<text x="{x + 8:.0f}" y="{y + 16:.0f}" font-weight="bold">{escape(room)}</text>']
    for i, line in enumerate(words):
        at = y + 16 + LINE * (i + 1)
        text.append(f'<text x="{x + 8:.0f}" y="{at:.0f}" fill="#333">{escape(line)}</text>')
    frame = (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="5" '
        f'fill="{color}" stroke="#888"/>'
    )
    return "\n".join([frame, *text])


def _arrow(i: Import, places: dict[str, tuple[float, float, float, float]]) -> str:
    ax, ay, aw, ah = places[i.importer]
    bx, by, bw, bh = places[i.imported]
    down = by > ay
    x1, y1 = ax + aw / 2, ay + (ah if down else 0)
    x2, y2 = bx + bw / 2, by + (0 if down else bh)
    if by == ay:
        y1, y2 = ay, by
    bend = max(abs(y2 - y1) / 2, 24) * (1 if down else -1)
    dash = "" if i.at_once else ' stroke-dasharray="4 4"'
    return (
        f'<path d="M{x1:.0f} {y1:.0f} C{x1:.0f} {y1 + bend:.0f} {x2:.0f} {y2 - bend:.0f} '
        f'{x2:.0f} {y2:.0f}" fill="none" stroke="#666"{dash} marker-end="url(#tip)"/>'
    )


def main() -> int:
    """Write the picture, or tell whether it is as it should be."""
    made = picture()
    if sys.argv[1:] == ["--check"]:
        if PICTURE.exists() and PICTURE.read_text() == made:
            return 0
        print(f"{PICTURE.relative_to(ROOT)} is stale; run python tools/architecture.py")
        return 1
    PICTURE.write_text(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
