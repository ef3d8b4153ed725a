"""Painting: the ground inside a shape becomes ground of another kind."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.edit.arguments import area_code, points_of
from walkmesh.edit.cut import cut_polygons, plan_boxes
from walkmesh.errors import SettingsError
from walkmesh.settings import as_number
from walkmesh.tolerances import TOUCHING
from walkmesh.topology import check_usable, plan_points
from walkmesh.triangles import plan_cross
from walkmesh.variants import changed

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from walkmesh.arrays import Floats
    from walkmesh.frame import Frame
    from walkmesh.navmesh import NavMesh


@dataclass(frozen=True)
class Prism:
    """What stands over an outline in plan, between two heights.

    Attributes
    ----------
    outline : shapely.Polygon
        In the plan frame. [Unit: m]
    lowest, highest : float
        Heights along up; infinite for no limit. [Unit: m]
    """

    outline: Any
    lowest: float
    highest: float


def shape_of(
    frame: Frame,
    polygon: ArrayLike | None,
    box: ArrayLike | None,
    lowest: float | None,
    highest: float | None,
) -> Prism:
    """Return the shape that the arguments of :meth:`NavMesh.paint` describe."""
    if polygon is not None and box is not None:
        raise SettingsError("polygon and box are both given; one of them says where to paint")
    if box is not None:
        if lowest is not None or highest is not None:
            raise SettingsError("lowest and highest go with a polygon; a box has its own heights")
        return _box_shape(frame, points_of("box", box))
    if polygon is None:
        raise SettingsError("polygon is None, and so is box; one of them says where to paint")
    heights = _height("lowest", lowest, -math.inf), _height("highest", highest, math.inf)
    if heights[0] > heights[1]:
        raise SettingsError(f"lowest is {lowest}; it must be at most highest, {highest} m")
    return Prism(_outline("polygon", frame.to_plan(points_of("polygon", polygon))), *heights)


def _box_shape(frame: Frame, corners: Floats) -> Prism:
    if len(corners) != 2:
        raise SettingsError(
            f"box has {len(corners)} corners; it must have 2, opposite to each other"
        )
    if np.count_nonzero(frame.axes) != 3:
        raise SettingsError(
            f"box stands along the axes, but up is {frame.up}; it must be given as a polygon"
        )
    plan = frame.to_plan(corners)
    (u0, v0, lowest), (u1, v1, highest) = plan.min(axis=0), plan.max(axis=0)
    around = np.array([(u0, v0), (u1, v0), (u1, v1), (u0, v1)])
    return Prism(_outline("box", around), float(lowest), float(highest))


def _height(name: str, value: float | None, default: float) -> float:
    if value is None:
        return default
    height = as_number(value)
    if math.isnan(height):
        raise SettingsError(f"{name} is {value!r}; it must be a number, in metres along up")
    return height


def _outline(name: str, corners: Floats) -> Any:
    """Return a shapely polygon of (k, 2) or (k, 3) corners in plan, if they make one."""
    import shapely

    if len(corners) < 3:
        raise SettingsError(f"{name} has {len(corners)} corners; it must have at least 3")
    outline = shapely.Polygon(corners[:, :2])
    if not outline.is_valid:
        reason = shapely.is_valid_reason(outline).split("[")[0].lower()
        raise SettingsError(
            f"{name} is not a simple polygon seen from above ({reason}); it must neither cross nor "
            "touch itself"
        )
    if outline.area <= TOUCHING * outline.length / 2.0:
        raise SettingsError(
            f"{name} has an area of {outline.area:g} m2 seen from above; it must be wider than "
            f"{TOUCHING:g} m"
        )
    return outline


def paint(
    navmesh: NavMesh,
    area: int,
    polygon: ArrayLike | None,
    box: ArrayLike | None,
    lowest: float | None,
    highest: float | None,
) -> NavMesh:
    """Return a navmesh whose ground inside a shape has an area code; see :meth:`NavMesh.paint`."""
    import shapely

    if navmesh.surface:
        raise SettingsError(
            "paint cuts along an outline seen from above, which a navmesh of a surface knows "
            "not; give its polygons other areas by with_areas"
        )
    area = area_code("area", area)
    shape = shape_of(navmesh.frame, polygon, box, lowest, highest)
    check_usable(navmesh)
    chosen = _near(navmesh, shape) & (navmesh.areas != area)
    if not chosen.any():
        return navmesh
    # Corners closer together than a cut can tell apart would only turn its direction.
    around = shapely.remove_repeated_points(shape.outline.exterior, TOUCHING).coords
    corners = np.array(around)
    result = cut_polygons(navmesh, np.flatnonzero(chosen), corners[:-1], corners[1:])
    middles = _middles(result)
    inside = shapely.contains_xy(shape.outline, middles[:, 0], middles[:, 1])
    inside &= (middles[:, 2] >= shape.lowest) & (middles[:, 2] <= shape.highest)
    return changed(result, areas=np.where(inside, area, result.areas))


def _near(navmesh: NavMesh, shape: Prism) -> NDArray[np.bool_]:
    """Tell which polygons (p,) have a box that meets the shape's."""
    if navmesh.polygon_count == 0:
        return np.zeros(0, dtype=bool)
    u0, v0, u1, v1 = shape.outline.bounds
    low, high = plan_boxes(navmesh, np.arange(navmesh.polygon_count))
    near = ((low <= (u1, v1)) & (high >= (u0, v0))).all(axis=1)
    # In height the ground counts, which may lie beyond the polygon's corners.
    heights = plan_points(navmesh)[navmesh.triangles, 2]
    lowest, highest = np.full((2, navmesh.polygon_count), [[np.inf], [-np.inf]])
    np.minimum.at(lowest, navmesh.triangle_polygons, heights.min(axis=1, initial=np.inf))
    np.maximum.at(highest, navmesh.triangle_polygons, heights.max(axis=1, initial=-np.inf))
    return np.asarray(near & (lowest <= shape.highest) & (highest >= shape.lowest))


def _middles(navmesh: NavMesh) -> Floats:
    """(p, 3) float64: the middle of each polygon's ground, in the plan frame."""
    a, b, c = (plan_points(navmesh)[navmesh.triangles[:, k]] for k in range(3))
    areas = plan_cross(b - a, c - a)
    owners, count = navmesh.triangle_polygons, navmesh.polygon_count
    # From the first corner, so that no digits are lost far from the origin.
    first = plan_points(navmesh)[navmesh.polygon_vertices[navmesh.polygon_offsets[:-1]]]
    offs = (a + b + c) / 3.0 - first[owners]
    sums = [np.bincount(owners, areas * offs[:, k], minlength=count) for k in range(3)]
    whole = np.bincount(owners, areas, minlength=count)
    share = np.stack(sums, axis=1) / np.where(whole > 0.0, whole, 1.0)[:, None]
    return np.asarray(first + share)
