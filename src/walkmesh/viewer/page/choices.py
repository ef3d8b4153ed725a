"""What there is to choose about the view."""

from __future__ import annotations

from dataclasses import dataclass

from walkmesh.viewer.page.section import EVERYTHING, Section

COLOR_BY = ("component", "area", "height")
"""What the colour of a polygon may tell."""

SHOWN = ("Both", "Scene", "Navmesh")


@dataclass(frozen=True)
class Choices:
    """How a document is to be looked at.

    Attributes
    ----------
    shown : {"Both", "Scene", "Navmesh"}
    scene_opacity, navmesh_opacity : float
        From 0 to 1.
    color_by : {"component", "area", "height"}
        What the colour of polygons tells.
    edges, links, verdict : bool
        Whether edges of polygons, links, and what an evaluation found are drawn.
    stage : int or None
        The stage of the build to show instead of the navmesh; None for the navmesh.
    section : Section
        The heights to show, in the plan frame of the page.
    """

    shown: str = "Both"
    scene_opacity: float = 1.0
    navmesh_opacity: float = 1.0
    color_by: str = "component"
    edges: bool = True
    links: bool = True
    verdict: bool = True
    stage: int | None = None
    section: Section = EVERYTHING
