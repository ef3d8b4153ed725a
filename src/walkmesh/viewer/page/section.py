"""Cutting triangles and lines between two heights, to look into storeys."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.triangles import compact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats, Ids


class Section(NamedTuple):
    """The heights between which things are shown, in the plan frame. [Unit: m]."""

    low: float = -math.inf
    high: float = math.inf


EVERYTHING = Section()


def cut_faces(
    points: Floats, faces: Ids, section: Section
) -> tuple[Floats, NDArray[np.integer], NDArray[np.intp]]:
    """Cut triangles at the two planes of a section, and keep what is between them.

    Returns points, faces, and of each of these the face that it is a part of.
    """
    sources = np.arange(len(faces))
    kept: NDArray[np.integer] = faces
    if section == EVERYTHING:
        return points, kept, sources
    # What is above a plane is below it with all heights turned over.
    for limit, sign in ((section.high, 1.0), (section.low, -1.0)):
        if math.isfinite(limit):
            points, kept, parts = _cut_above(points, kept, limit * sign, sign)
            sources = sources[parts]
    return *compact(points, kept.astype(np.int32)), sources


def cut_lines(segments: Floats, section: Section) -> tuple[Floats, NDArray[np.intp]]:
    """Return the parts of (n, 2, 3) segments between two heights, and whose parts they are."""
    if section.low >= section.high:
        return segments[:0], np.empty(0, dtype=np.intp)
    heights = segments[:, :, 2]
    rise = heights[:, 1] - heights[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        to_low, to_high = ((limit - heights[:, 0]) / rise for limit in section)
    flat = rise == 0.0
    inside = (heights[:, 0] >= section.low) & (heights[:, 0] <= section.high)
    first = np.where(flat, 0.0, np.clip(np.fmin(to_low, to_high), 0.0, 1.0))
    last = np.where(flat, np.where(inside, 1.0, 0.0), np.clip(np.fmax(to_low, to_high), 0.0, 1.0))
    chosen = np.flatnonzero(first < last)
    start, way = segments[chosen, :1], segments[chosen, 1:] - segments[chosen, :1]
    shares = np.stack([first[chosen], last[chosen]], axis=1)[:, :, None]
    return start + shares * way, chosen


def _cut_above(
    points: Floats, faces: NDArray[np.integer], limit: float, sign: float
) -> tuple[Floats, NDArray[np.integer], NDArray[np.intp]]:
    """Keep the parts of triangles whose heights times `sign` are no more than `limit`."""
    over = points[:, 2] * sign - limit
    above = over[faces] > 0.0
    count = above.sum(axis=1)
    whole, one, two = (np.flatnonzero(count == k) for k in (0, 1, 2))
    # The corner that is alone on its side comes first.
    lone_above = _turned(faces[one], above[one].argmax(axis=1))
    lone_below = _turned(faces[two], above[two].argmin(axis=1))
    apexes = np.concatenate([lone_above[:, 0], lone_below[:, 0]])
    new = []
    for side in (1, 2):
        ends = np.concatenate([lone_above[:, side], lone_below[:, side]])
        share = (over[apexes] / (over[apexes] - over[ends]))[:, None]
        new.append(points[apexes] + share * (points[ends] - points[apexes]))
    first = len(points) + np.arange(len(apexes))
    second = first + len(apexes)
    a1, b1 = first[: len(one)], second[: len(one)]
    a2, b2 = first[len(one) :], second[len(one) :]
    parts = [
        faces[whole],
        # A corner is cut off: a quadrilateral is left, which is two triangles.
        np.stack([a1, lone_above[:, 1], lone_above[:, 2]], axis=1),
        np.stack([a1, lone_above[:, 2], b1], axis=1),
        np.stack([lone_below[:, 0], a2, b2], axis=1),
    ]
    sources = np.concatenate([whole, one, one, two])
    return np.concatenate([points, *new]), np.concatenate(parts), sources


def _turned(faces: NDArray[np.integer], first: NDArray[np.intp]) -> NDArray[np.integer]:
    """Return (n, 3) faces that start at another of their corners."""
    corners = (first[:, None] + np.arange(3)) % 3
    turned: NDArray[np.integer] = np.take_along_axis(faces, corners, axis=1)
    return turned
