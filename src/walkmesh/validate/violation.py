"""What is wrong with a navmesh, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from walkmesh.topology import corner_polygons

if TYPE_CHECKING:
    from walkmesh.navmesh import NavMesh


@dataclass(frozen=True)
class Violation:
    """One thing that is wrong with a navmesh.

    Attributes
    ----------
    kind : str
        One of

        - ``"vertex out of range"``, ``"vertex not finite"`` (or beyond 1e60 m),
          ``"vertex unused"``, ``"vertex repeated"`` (twice in one polygon);
        - ``"winding"`` (clockwise seen from above), ``"no area"``, ``"not convex"``;
        - ``"not flat"`` (on a surface, a corner off the plane of its polygon);
        - ``"triangle"`` (a triangle of a vertex or polygon out of range, clockwise seen from
          above, without area or reaching out of its polygon, or triangles that do not add up to
          their polygon; looked at only when they were given, not when they follow from it);
        - ``"edge overused"`` (shared by more than two polygons, or by two that run through it the
          same way);
        - ``"neighbor"`` (out of range, not mutual, or missing where an edge is shared);
        - ``"T-junction"`` (a vertex inside another polygon's edge, at the same height; on a
          surface, of polygons that face the same way);
        - ``"overlap"`` (two polygons over each other, closer than the agent's height; on a surface,
          two that face the same way, along the normal of the lower one);
        - ``"rise"`` (ground that is steeper than any stairs and rises by more than the agent's
          step; not looked for on a surface, where walls are walked on);
        - ``"component"`` (components that do not match the neighbours);
        - ``"link"`` (to a polygon that does not exist, with a place that is not finite or not on
          its polygon, or with a cost that is negative or not finite).
    message : str
        The whole story in one line.
    polygon, edge : int or None
        Where: the polygon, and the edge within it, counted from its first corner.
    other : int or None
        The second polygon, where two are at odds.
    """

    kind: str
    message: str
    polygon: int | None = None
    edge: int | None = None
    other: int | None = None

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


def at_corner(
    navmesh: NavMesh, kind: str, corner: Any, rest: str, other: int | None = None
) -> Violation:
    """Return a violation at the edge that starts at `corner`."""
    polygon = int(corner_polygons(navmesh)[corner])
    edge = int(corner - navmesh.polygon_offsets[polygon])
    return Violation(kind, f"polygon {polygon}, edge {edge}: {rest}", polygon, edge, other)


def overlap(navmesh: NavMesh, lower: Any, higher: Any) -> Violation:
    """Return the violation of two polygons over each other."""
    return Violation(
        "overlap",
        f"polygons {lower} and {higher} lie over each other, closer than the agent's height "
        f"of {navmesh.agent.height:g} m",
        int(lower),
        other=int(higher),
    )
