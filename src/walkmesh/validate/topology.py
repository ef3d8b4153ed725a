"""How polygons hang together: vertices, edges, neighbours, components and links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arguments import LARGEST
from walkmesh.kernels.meshes.adjacency import COMPLEX
from walkmesh.polygon_shapes import finite_vertices
from walkmesh.ragged import label_polygons
from walkmesh.topology import corner_polygons, detail_of, edge_ends
from walkmesh.validate.violation import Violation, at_corner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from walkmesh.arrays import Floats, Ids
    from walkmesh.navmesh import NavMesh


def bad_vertices(navmesh: NavMesh) -> Iterator[Violation]:
    """Find vertices that are out of range, not finite or unused."""
    corners, count = navmesh.polygon_vertices, len(navmesh.vertices)
    inside = (corners >= 0) & (corners < count)
    for corner in np.flatnonzero(~inside):
        yield at_corner(
            navmesh,
            "vertex out of range",
            corner,
            f"starts at vertex {corners[corner]}; there are {count}",
        )
    for vertex in np.flatnonzero(~finite_vertices(navmesh)):
        place = ", ".join(f"{c:g}" for c in navmesh.vertices[vertex])
        yield Violation("vertex not finite", f"vertex {vertex} is at ({place})")
    used = np.zeros(count, dtype=bool)
    used[corners[inside]] = True
    detail = detail_of(navmesh)
    if detail is not None:
        ids = detail[0]
        used[ids[(ids >= 0) & (ids < count)]] = True
    for vertex in np.flatnonzero(~used):
        yield Violation("vertex unused", f"vertex {vertex} belongs to no polygon")


def repeated_vertices(navmesh: NavMesh) -> Iterator[Violation]:
    """Find vertices that a polygon has twice."""
    corners = navmesh.polygon_vertices
    order = np.lexsort((np.arange(len(corners)), corners, corner_polygons(navmesh)))
    same = (corners[order[1:]] == corners[order[:-1]]) & (
        corner_polygons(navmesh)[order[1:]] == corner_polygons(navmesh)[order[:-1]]
    )
    for corner in order[1:][same]:
        yield at_corner(
            navmesh, "vertex repeated", corner, f"vertex {corners[corner]} comes a second time"
        )


def overused_edges(navmesh: NavMesh, mates: Ids) -> Iterator[Violation]:
    """Find edges that are shared by too many polygons, or by two the same way."""
    starts, ends = navmesh.polygon_vertices, edge_ends(navmesh)
    users: dict[tuple[int, int], list[int]] = {}
    for corner in np.flatnonzero(mates == COMPLEX):
        a, b = int(starts[corner]), int(ends[corner])
        users.setdefault((min(a, b), max(a, b)), []).append(int(corner))
    for (a, b), corners in users.items():
        polygons = corner_polygons(navmesh)[corners].tolist()
        how = "the same way" if len(corners) == 2 else "too many"
        yield at_corner(
            navmesh,
            "edge overused",
            corners[0],
            f"between vertices {a} and {b}, is shared by polygons {polygons} ({how})",
            polygons[-1],
        )


def wrong_neighbors(navmesh: NavMesh, mates: Ids) -> Iterator[Violation]:
    """Find neighbours that are not those of the shared edges."""
    shared = mates >= 0
    expected = np.where(shared, corner_polygons(navmesh)[np.where(shared, mates, 0)], -1)
    said = navmesh.neighbors
    for corner in np.flatnonzero(said != expected):
        neighbor = int(said[corner])
        if not -1 <= neighbor < navmesh.polygon_count:
            rest = f"neighbor {neighbor} is out of range; there are {navmesh.polygon_count}"
        elif neighbor < 0:
            rest = f"has no neighbor, but polygon {expected[corner]} shares the edge"
        elif expected[corner] >= 0:
            rest = f"neighbor is {neighbor}, but polygon {expected[corner]} shares the edge"
        else:
            rest = f"neighbor {neighbor} does not share the edge: not mutual"
        yield at_corner(navmesh, "neighbor", corner, rest)


def wrong_components(navmesh: NavMesh) -> Iterator[Violation]:
    """Find neighbours in different components, and components that do not hang together."""
    said, count = navmesh.components, navmesh.polygon_count
    valid = (navmesh.neighbors >= 0) & (navmesh.neighbors < count)
    across = said[np.where(valid, navmesh.neighbors, 0)] if count else said
    for corner in np.flatnonzero(valid & (across != said[corner_polygons(navmesh)])):
        polygon = corner_polygons(navmesh)[corner]
        yield at_corner(
            navmesh,
            "component",
            corner,
            f"is in component {said[polygon]}, its neighbor {navmesh.neighbors[corner]} in "
            f"{across[corner]}",
        )
    labels = label_polygons(navmesh.polygon_offsets, navmesh.neighbors)
    _, firsts = np.unique(labels, return_index=True)
    seen: dict[int, int] = {}
    for polygon in np.sort(firsts):
        first = seen.setdefault(int(said[polygon]), int(polygon))
        if first != polygon:
            yield Violation(
                "component",
                f"polygon {polygon} is in component {said[polygon]} like polygon {first}, but "
                "neighbors do not connect them",
                int(polygon),
            )


def bad_links(
    navmesh: NavMesh, off_ground: Callable[[Floats, int], str | None]
) -> Iterator[Violation]:
    """Find links that cannot be taken.

    `off_ground` tells of a (3,) place in world coordinates how far off a polygon it is, or None.
    """
    for i, link in enumerate(navmesh.links):
        for end in ("start", "goal"):
            polygon = int(link[f"{end}_polygon"])
            exists = 0 <= polygon < navmesh.polygon_count
            if not exists:
                yield Violation(
                    "link", f"link {i}: its {end} is on polygon {polygon}, which does not exist"
                )
            if not (np.abs(link[end]) <= LARGEST).all():
                yield Violation("link", f"link {i}: its {end} is not finite", polygon)
            elif exists:
                off = off_ground(link[end], polygon)
                if off is not None:
                    rest = f"{off} its polygon, {polygon}"
                    yield Violation("link", f"link {i}: its {end} is {rest}", polygon)
        if not 0.0 <= link["cost"] < np.inf:
            yield Violation("link", f"link {i}: its cost is {link['cost']:g}; that is not a length")
