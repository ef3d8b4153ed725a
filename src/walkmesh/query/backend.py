"""What the queries need to know of a kind of navmesh; there is one for ground, one for surfaces.

:class:`walkmesh.query.methods.Queries` reads arguments and asks these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids
    from walkmesh.query.connections import Islands
    from walkmesh.query.ends import Ends, Pairs
    from walkmesh.query.located import Footing, Rays
    from walkmesh.query.path import Path, Paths


class PathKind(NamedTuple):
    """What kind of paths is wanted.

    Attributes
    ----------
    prices : (p,) float64
        What a metre costs on each polygon.
    even : bool
        Whether it does not matter where a metre is walked.
    least_price : float
        The least that a metre costs, on foot or by link.
    optimal : bool
        Whether the shortest path is wanted, not that of the corridor.
    partial : bool
        Whether to go as near as possible to a goal that cannot be reached.
    max_snap : float
        How far start and goal may be from the navmesh. [Unit: m]
    """

    prices: Floats
    even: bool
    least_price: float
    optimal: bool
    partial: bool
    max_snap: float


class PathFinder(Protocol):
    """Finds paths of one kind."""

    @property
    def backend(self) -> Backend:
        """What is walked on."""

    def find_path(self, points: Floats) -> Path:
        """Find the path between two points, (1, 6) float64."""

    def find_paths(self, ends: Ends, workers: int | None) -> Paths:
        """Find many paths over threads."""


class PathQuery(PathFinder, Protocol):
    """Finds paths of one kind, and measures them."""

    def measure(self, pairs: Pairs, workers: int | None) -> Floats:
        """Return the (m,) lengths of the paths between pairs of points."""


class Backend(Protocol):
    """Answers queries on one kind of navmesh, or on one without some of its polygons.

    Attributes
    ----------
    islands : Islands
    has_links : bool
        Whether there are any.
    both_ways : bool
        Whether every link can be taken back.
    link_price : float
        The least that any link costs for each metre that it leads on; infinite without links.
    """

    islands: Islands
    has_links: bool
    both_ways: bool
    link_price: float

    def without(self, barred: NDArray[np.bool_]) -> Backend:
        """Return one on which some polygons, (p,), are neither entered nor stood on."""

    def locate(self, points: Floats, max_snap: float) -> Footing:
        """Find what each of (n, 3) points in world coordinates stands on."""

    def pin(self, points: Floats, polygons: Ids) -> Ids:
        """Return the cells of (n,) polygons that (n, 3) points on them lie on."""

    def polygons_of(self, cells: Ids) -> Ids:
        """Return the polygons of cells, -1 for none."""

    def contains(self, points: Floats) -> NDArray[np.bool_]:
        """Tell which of (n, 3) points have ground within a step."""

    def cast(self, starts: Footing, ends: Floats) -> Rays:
        """Walk straight on towards (n, 3) ends."""

    def wall_distances(self, points: Floats) -> Floats:
        """Return how far (n, 3) points are from the boundary."""

    def path_query(self, kind: PathKind) -> PathQuery:
        """Return what finds paths of a kind."""

    def clear_paths(self, radius: float, clearance: float, max_snap: float) -> PathFinder:
        """Return what finds paths for another radius, which keep a distance from the boundary."""

    # For path nodes

    def to_measure(self, points: Floats) -> Floats:
        """Return (n, 3) points where a straight way costs its length."""

    def face_areas(self, normals: Floats) -> Floats:
        """Return how much triangles count that have (n, 3) normals as long as their areas."""

    def onto_ground(self, points: Floats, polygons: Ids) -> Floats:
        """Return (n, 3) points, moved onto the ground of (n,) polygons."""

    def onto_sides(self, points: Floats, polygons: Ids) -> Floats:
        """Return (n, 3) points on sides of (n,) polygons, moved onto the ground there."""

    def measure_lines(self, starts: Floats, stops: Floats, polygons: Ids) -> Floats:
        """Return how long straight lines inside (n,) polygons are, along the ground."""

    def lay_down(self, points: Floats, polygons: list[int]) -> Floats:
        """Return a line with further points where the ground inside its polygons leaves it."""
