"""The floor plan: outlines to walk within, seen from above, and what stands in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import shapely

from walkmesh.arguments import FARTHEST
from walkmesh.arrays import as_floats
from walkmesh.errors import SceneError
from walkmesh.settings import as_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import ArrayLike

    from walkmesh.arrays import Floats
    from walkmesh.scene import Scene

    # One shape or several: arrays of corners, or shapely's geometries, which have no types.
    Outlines: TypeAlias = ArrayLike | Sequence[Any]
    Lines: TypeAlias = ArrayLike | Sequence[Any]


# The most corners of an outline that crosses itself: with so many, repairing takes a second or two.
MOST_TO_REPAIR = 20_000
# By how much of a floor's size walls may stick out of it, as they do in drawings.
STICKING_OUT = 0.05


@dataclass(frozen=True, init=False, eq=False, repr=False)
class FloorPlan:
    """Outlines to walk within, seen from above, and obstacles and walls in them.

    An outline is an array of its corners, either way around, or a shapely polygon, whose holes are
    not part of it. Outlines may touch, overlap and share corners or edges: floors are united, and
    so are obstacles.

    Parameters
    ----------
    boundary : outline, sequence of outlines, or None
        Where the floor is. None for the rectangle around everything else. [Unit: m]
    obstacles : sequence of outlines, default ()
        Where one cannot walk. One without area counts as a wall. [Unit: m]
    walls : sequence of (n, 2) array_like of float or shapely lines, default ()
        Lines that one cannot cross. [Unit: m]
    height : float, default 0
        How high the floor lies. [Unit: m]
    passed_over : int, default 0
        How many shapes of a file are of a kind that is not read.

    Attributes
    ----------
    boundary : shapely.MultiPolygon
    obstacles : tuple of shapely.Polygon
    walls : tuple of shapely.LineString
        As given. The coordinates are x and y of the world; z is up.
    hairlines : tuple of shapely.LinearRing
        Outlines of obstacles that crossed themselves. Parts of them may enclose nothing; they are
        in the way all the same, as lines without thickness.
    height : float
    repaired : int
        How many outlines crossed themselves. Of a floor, what lies inside an odd number of times
        was kept; of an obstacle, everything that its outline encloses.
    passed_over : int
        How many shapes of a file are of a kind that is not read.

    Raises
    ------
    SceneError
        When an outline is none: too few corners, or coordinates that are not finite.

    Examples
    --------
    >>> room = FloorPlan([(0, 0), (8, 0), (8, 5), (0, 5)], [[(3, 2), (5, 2), (4, 4)]])
    >>> room
    FloorPlan(8 x 5 m, 1 obstacle, 0 walls, height=0)
    """

    boundary: shapely.MultiPolygon
    obstacles: tuple[shapely.Polygon, ...]
    walls: tuple[shapely.LineString, ...]
    hairlines: tuple[shapely.LinearRing, ...]
    height: float
    repaired: int
    passed_over: int

    def __init__(
        self,
        boundary: Outlines | None,
        obstacles: Outlines = (),
        walls: Lines = (),
        *,
        height: float = 0.0,
        passed_over: int = 0,
    ) -> None:
        floors = _array([] if boundary is None else _polygons("boundary", boundary))
        blocks = _array(_polygons("obstacle", obstacles))
        lines = list(_lines(walls))
        flat = shapely.area(blocks) == 0.0
        lines += [block.exterior for block in blocks[flat]]
        blocks = blocks[~flat]
        broken_floors, broken_blocks = ~shapely.is_valid(floors), ~shapely.is_valid(blocks)
        hairlines = [block.exterior for block in blocks[broken_blocks]]
        _check_repairable("boundary", floors, broken_floors)
        _check_repairable("obstacle", blocks, broken_blocks)
        floors[broken_floors] = shapely.make_valid(floors[broken_floors])
        blocks[broken_blocks] = [_enclosed(block) for block in blocks[broken_blocks]]
        if boundary is None:
            floors = _array([_rectangle([*blocks, *lines])])
        floor = _united(floors)
        if not floor.area > 0.0:
            raise SceneError("the boundary has no area; it must be the outline of a floor")
        values = {
            "boundary": shapely.MultiPolygon(list(_parts(floor))),
            "obstacles": tuple(_parts(blocks)),
            "walls": tuple(lines),
            "hairlines": tuple(hairlines),
            "height": _height(height),
            "repaired": int(broken_floors.sum() + broken_blocks.sum()),
            "passed_over": passed_over,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        (left, low), (right, high) = self.bounds
        counts = ", ".join(
            f"{len(shapes)} {noun}{'s' if len(shapes) != 1 else ''}"
            for shapes, noun in ((self.obstacles, "obstacle"), (self.walls, "wall"))
        )
        size = f"{right - left:g} x {high - low:g} m"
        return f"FloorPlan({size}, {counts}, height={self.height:g})"

    @property
    def counts(self) -> dict[str, int]:
        """How many outlines, obstacles and walls there are, were repaired, and were passed over."""
        return {
            "outlines": len(self.boundary.geoms),
            "obstacles": len(self.obstacles),
            "walls": len(self.walls),
            "repaired": self.repaired,
            "passed_over": self.passed_over,
        }

    @property
    def bounds(self) -> Floats:
        """(2, 2) float64: the lowest and the highest x and y of the floor. In metres."""
        return np.array(self.boundary.bounds).reshape(2, 2)

    def to_scene(self, *, wall_height: float = 2.5, headroom: float = 1.8, up: str = "z") -> Scene:
        """Return the plan as triangles: the free floor, and a wall on every edge of it.

        For pictures, for engines, and to hold the navmesh of a plan against that of a scene. Walls
        that are given as lines are as thin as can be.

        Parameters
        ----------
        wall_height : float, default 2.5
            How high walls are. [Limit: > 0] [Unit: m]
        headroom : float, default 1.8
            In a building, floors are cut where stairs are less than this above or below: the
            height of the agent. [Limit: > 0] [Unit: m]
        up : {"z", "y"}
            Which way is up in the scene; see :class:`walkmesh.Planar`.
        """
        from walkmesh.builder import extrude
        from walkmesh.building import Building

        return extrude(Building([self]), wall_height, headroom, up)

    @classmethod
    def of_shapes(
        cls,
        polygons: Outlines,
        lines: Lines = (),
        *,
        height: float = 0.0,
        passed_over: int = 0,
    ) -> FloorPlan:
        """Make a plan of shapes that do not tell what they are, as drawings have them.

        The largest polygon is a floor; one that overlaps a larger floor is an obstacle in it, and
        any other a floor too. Where lines reach beyond the rectangle around all floors, by more
        than a twentieth of its size, the drawing has no outline of the floor: this is then the
        rectangle around everything, and all polygons are obstacles.

        Parameters
        ----------
        polygons : sequence of outlines
            As of :class:`FloorPlan`. [Unit: m]
        lines : sequence of (n, 2) array_like of float or shapely lines, default ()
            Walls. [Unit: m]
        height : float, default 0
            How high the floor lies. [Unit: m]
        passed_over : int, default 0
            How many shapes of a file are of a kind that is not read.
        """
        shapes, walls = _array(_polygons("polygon", polygons)), list(_lines(lines))
        is_floor = np.zeros(len(shapes), dtype=bool)
        _check_repairable("polygon", shapes, ~shapely.is_valid(shapes))
        overlapping = _overlapping(shapes)
        for i in np.argsort(-shapely.area(shapes), kind="stable").tolist():
            is_floor[i] = not is_floor[overlapping.get(i, [])].any()
        floors = shapes[is_floor]
        if len(walls) and not _reaches_around(floors, walls):
            return cls(None, shapes, walls, height=height, passed_over=passed_over)
        blocks = shapes[~is_floor]
        return cls(floors, blocks, walls, height=height, passed_over=passed_over)


def _reaches_around(floors: Any, walls: list[Any]) -> bool:
    """Tell whether walls stay within the rectangle around floors, but for ends that stick out."""
    if len(floors) == 0:
        return False
    left, low, right, high = shapely.total_bounds(floors)
    margin = STICKING_OUT * max(right - left, high - low)
    inside = left - margin, low - margin, right + margin, high + margin
    return bool(shapely.covers(shapely.box(*inside), walls).all())


def in_world(places: Floats, heights: Floats, up: str) -> Floats:
    """(n, 3) float64: places (n, 2) of a plan at heights (n,), in a world where z or y is up."""
    x, y = places.T
    columns = [x, y, heights] if up == "z" else [x, heights, -y]
    return np.ascontiguousarray(np.stack(columns, axis=1) + 0.0)


def _overlapping(shapes: Any) -> dict[int, list[int]]:
    """Return, for each polygon, those whose inside has something in common with its own."""
    shapes = shapely.make_valid(shapes)
    first, second = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    apart = (first == second) | shapely.touches(shapes[first], shapes[second])
    result: dict[int, list[int]] = {}
    for a, b in zip(first[~apart].tolist(), second[~apart].tolist(), strict=True):
        result.setdefault(a, []).append(b)
    return result


def _polygons(name: str, outlines: Any) -> Iterator[shapely.Polygon]:
    """Yield outlines in any of the forms that are accepted as polygons."""
    for i, outline in enumerate(_sequence(outlines)):
        what = f"{name} {i}"
        if isinstance(outline, shapely.Polygon | shapely.MultiPolygon):
            _check_finite(what, shapely.get_coordinates(outline))
            yield from shapely.get_parts(outline)
            continue
        corners = _coordinates(what, outline)
        if len(corners) < 3:
            raise SceneError(f"{what} has {len(corners)} corners; an outline has at least 3")
        yield shapely.Polygon(corners)


def _lines(walls: Any) -> Iterator[shapely.LineString]:
    """Yield walls in any of the forms that are accepted as lines."""
    for i, wall in enumerate(_sequence(walls)):
        what = f"wall {i}"
        if isinstance(wall, shapely.LineString | shapely.MultiLineString):
            _check_finite(what, shapely.get_coordinates(wall))
            yield from (part for part in shapely.get_parts(wall) if not part.is_empty)
            continue
        points = _coordinates(what, wall)
        if len(points) < 2:
            raise SceneError(f"{what} has {len(points)} points; a line has at least 2")
        yield shapely.LineString(points)


def _sequence(shapes: Any) -> list[Any]:
    """Return one shape, or a sequence of them, as a list."""
    if isinstance(shapes, shapely.Geometry):
        return [shapes]
    try:
        is_one = np.asarray(shapes).ndim == 2 and np.asarray(shapes).dtype.kind != "O"
    except ValueError:  # outlines of different lengths
        is_one = False
    try:
        return [shapes] if is_one else list(shapes)
    except TypeError:
        raise SceneError(f"outlines are {shapes!r}; they must be arrays of corners") from None


def _coordinates(what: str, values: Any) -> Floats:
    try:
        points = as_floats(values)
    except (TypeError, ValueError, OverflowError):
        raise SceneError(f"{what} is {values!r}; it must be an (n, 2) array of numbers") from None
    if points.ndim != 2 or points.shape[1] != 2:
        raise SceneError(f"{what} has shape {points.shape}; it must have shape (n, 2)")
    _check_finite(what, points)
    return points


def _check_finite(what: str, points: Floats) -> None:
    if not np.isfinite(points).all():
        raise SceneError(f"{what} has a coordinate that is not finite")
    if np.abs(points).max(initial=0.0) > FARTHEST:
        raise SceneError(
            f"{what} has the coordinate {np.abs(points).max():g}; it must be at most {FARTHEST:g} m"
        )


def _height(value: Any) -> float:
    height = as_number(value)
    if not abs(height) <= FARTHEST:
        raise SceneError(f"height is {value!r}; it must be a number of metres up to {FARTHEST:g}")
    return height


def _array(shapes: Iterable[Any]) -> Any:
    """(n,) object: shapes in an array, which numpy would not take apart."""
    listed = list(shapes)
    array = np.empty(len(listed), dtype=object)
    array[:] = listed
    return array


def _united(floors: Any) -> shapely.Geometry:
    """Return floors as one shape."""
    # Floors apart from each other, as images have thousands, are united already; an overlay would
    # take a minute for the specks of an image of a million pixels, and this takes seconds.
    if all(isinstance(floor, shapely.Polygon) for floor in floors):
        apart = shapely.MultiPolygon(list(floors))
        if apart.is_valid:
            return apart
    return shapely.union_all(floors)


def _check_repairable(name: str, shapes: Any, broken: Any) -> None:
    """Refuse outlines that cross themselves all over: every pair of edges may, and takes time."""
    sizes = np.where(broken, shapely.get_num_coordinates(shapes), 0)
    if sizes.max(initial=0) > MOST_TO_REPAIR:
        i = int(sizes.argmax())
        raise SceneError(
            f"{name} {i} crosses itself, and has {sizes[i]} corners; outlines of more than "
            f"{MOST_TO_REPAIR} are not repaired"
        )


def _parts(shapes: Any) -> Any:
    """(n,) object: the polygons of shapes that have area, and none of their lines and points."""
    parts = shapely.get_parts(shapely.get_parts(shapes))
    is_polygon = shapely.get_type_id(parts) == shapely.GeometryType.POLYGON
    return parts[is_polygon & (shapely.area(parts) > 0.0)]


def _enclosed(polygon: shapely.Polygon) -> shapely.Geometry:
    """Return everything that an outline which crosses itself encloses, without its holes."""
    rings = [shapely.node(ring) for ring in (polygon.exterior, *polygon.interiors)]
    shell, *holes = (shapely.union_all(shapely.polygonize([ring]).geoms) for ring in rings)
    return shell if not holes else shapely.difference(shell, shapely.union_all(holes))


def _rectangle(shapes: list[Any]) -> shapely.Polygon:
    if not shapes:
        raise SceneError("the plan is empty: there is no boundary, and nothing to draw one around")
    return shapely.box(*shapely.total_bounds(shapes))
