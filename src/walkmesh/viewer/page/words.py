"""Words of the page, as HTML in which nothing that came from a file can be markup."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from walkmesh.links.kind import LinkKind
from walkmesh.viewer.links import LINK_COLORS
from walkmesh.viewer.page.look import EDGE_COLORS, VERDICT_COLORS

if TYPE_CHECKING:
    from walkmesh.viewer.page.document import Document

ERROR_COLOR = "#B3261E"

_BOX = "padding: 0 0.75em 0.5em; font-size: 0.85em; line-height: 1.4; overflow-wrap: anywhere;"
_SWATCH = (
    "display: inline-block; width: 0.9em; height: 0.9em; margin: 0 0.35em 0 0.8em;"
    "vertical-align: -0.1em; border: 1px solid #8a8f98; background: "
)


def paragraph(*lines: str, color: str | None = None, name: str = "") -> str:
    """Return lines of plain text as HTML; tests find it by its name."""
    style = _BOX + ("" if color is None else f"color: {color};")
    return (
        f'<div style="{style}" data-walkmesh="{name}">' + "<br>".join(map(escape, lines)) + "</div>"
    )


def legend() -> str:
    """Return what the colours of edges, links and samples mean."""
    rows = [
        ("edges", {kind.replace("_", " "): color for kind, color in EDGE_COLORS.items()}),
        ("links", {kind.name.lower(): LINK_COLORS[kind] for kind in LinkKind}),
        ("samples", VERDICT_COLORS),
    ]
    lines = []
    for title, colors in rows:
        swatches = "".join(
            f'<span style="{_SWATCH}{color};"></span>{name}' for name, color in colors.items()
        )
        lines.append(f"<div>{title}:{swatches}</div>")
    return f'<div style="{_BOX}">{"".join(lines)}</div>'


def about(document: Document) -> list[str]:
    """Return what is open, in a line for each part."""
    lines = []
    scene, navmesh = document.scene, document.navmesh
    if scene is not None:
        size = scene.bounds[1] - scene.bounds[0]
        extent = " x ".join(f"{side:.4g}" for side in size.tolist())
        title = "scene" if document.name in ("scene", "navmesh") else f"scene {document.name}"
        lines.append(f"{title}: {len(scene.faces):,} triangles, {extent} m")
        if document.left_out:
            lines.append(f"{document.left_out:,} triangles could not be used")
    if navmesh is not None:
        report = navmesh.report
        took = (
            ""
            if report is None or report.total_seconds is None
            else f", built in {report.total_seconds:.2f} s"
        )
        lines.append(
            f"navmesh: {navmesh.polygon_count:,} polygons, {navmesh.component_count:,} components, "
            f"{navmesh.area:,.1f} m2, {len(navmesh.links):,} links{took}"
        )
    return lines or ["Nothing is open. Open a scene or a navmesh in the File tab."]
