"""The survey of a scene: headroom at places spread over its level faces.

What a build loses shows in areas, and these come from places that stand for equal shares of the
level faces: far cheaper than cutting them, and right to a few per cent, which is all that a hint
needs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.kernels.faces import GROUND, LOW
from walkmesh.builder.kernels.headroom import find_nearest_faces, spread_places
from walkmesh.builder.kernels.tolerances import SURVEY_LAYER

if TYPE_CHECKING:
    from walkmesh.arrays import Bools, Bytes, Floats, Ids
    from walkmesh.builder.faces import Faces

# How many places there are on faces to stand on, and on the backs of level ones: one for every so
# many faces, within limits.
_FACES_PER_PLACE = 8
_FEWEST_PLACES, _MOST_PLACES = 256, 512
# So far beyond the sides of a face its neighbours are looked for: just outside, and further than
# the top of a wall beside a ceiling is wide. [m]
_BESIDE = (1e-3, 0.5)
# About so many places share a cell of the grid.
_PER_CELL = 2


@dataclass(frozen=True)
class Look:
    """What lies above and below places."""

    above: Floats  # (p,): how far away the next face is; infinity for none [m]
    front_above: Bools  # (p,): whether it faces up, however steep it is
    below: Floats  # (p,): the same below [m]
    front_below: Bools  # (p,)
    grounds: Bytes  # (p,): how many faces that are ground are at the height of the place
    on_back: Bools  # (p,): whether the back of a level face is


@dataclass(frozen=True)
class Survey:
    """What an agent of some height finds on a scene's level faces, by area in plan."""

    standable: float  # faces to stand on with headroom [m2]
    # The same with less headroom, but more than three quarters of the agent's height. [m2]
    low: float
    highest: float  # the most headroom over any ground; infinity under the open sky [m]
    covered: float  # the share of what is standable that has something above it
    ceiling: float  # the median height of that; infinity without any [m]
    # What is standable under other ground with nothing in between: mostly inside of a solid that
    # stands on it. [m2]
    buried: float
    # Backs of level faces with headroom, not under ground, that have ground beside them in the same
    # surface: their neighbours are wound the other way. [m2]
    mixed: float
    # Backs of level faces with headroom, which are not the ceiling of anything, under the open sky
    # or another back. [m2]
    open_backs: float
    # The same under ground: inside a solid, or a room of a scene that is wound the other way. [m2]
    closed_backs: float


# Ground with so much of the headroom that is needed is lost for being low; under less there is
# mostly no room at all but the inside of things.
_NEARLY = 0.75
# With so much room below it, as a share of the agent's height or in metres, a back is a ceiling;
# slabs are thinner than that. [1, m]
_CRAWL, _CRAWL_HEIGHT = 0.5, 0.9
# Backs have headroom from this on, however low the agent is: a mouse has room inside of any solid.
_LEAST_HEADROOM = 1.0  # m


def survey(faces: Faces, height: float) -> Survey:
    """Look up and down from places on all level faces, for an agent so high [m]."""
    area, places, _ = _spread(faces, GROUND)
    back_area, back_places, backs = _spread(faces, LOW)
    look, look_back = _look(faces, places, back_places)
    # Of several faces at one place and height each stands for its part.
    weights = area / max(len(look.grounds), 1) / np.maximum(look.grounds, 1)
    standable = look.above >= height
    low = ~standable & (look.above >= _NEARLY * height)
    ceilings = look.above[standable & np.isfinite(look.above)]
    # What has ground below it, with room to look around, is a ceiling.
    ceiling = look_back.front_below & (look_back.below >= min(_CRAWL * height, _CRAWL_HEIGHT))
    free = (look_back.above >= max(height, _LEAST_HEADROOM)) & (look_back.grounds == 0)
    lonely = free & ~ceiling
    mixed = np.zeros(len(free), dtype=bool)
    exposed = free & ~look_back.front_above
    mixed[exposed] = _beside_ground(faces, backs[exposed])
    return Survey(
        standable=float(weights[standable].sum()),
        low=float(weights[low].sum()),
        highest=float(look.above.max(initial=0.0)),
        covered=len(ceilings) / max(int(np.count_nonzero(standable)), 1),
        ceiling=float(np.median(ceilings)) if len(ceilings) else math.inf,
        buried=float(weights[standable & look.front_above].sum()),
        mixed=back_area * _share(mixed),
        open_backs=back_area * _share(lonely & ~look_back.front_above),
        closed_backs=back_area * _share(lonely & look_back.front_above),
    )


def _share(chosen: Bools) -> float:
    return float(np.count_nonzero(chosen)) / max(len(chosen), 1)


def _spread(faces: Faces, role: int) -> tuple[float, Floats, Ids]:
    """Return the area of level faces of a role, places on them and the face of each place."""
    count = int(np.clip(len(faces.roles) // _FACES_PER_PLACE, _FEWEST_PLACES, _MOST_PLACES))
    places, owners = np.empty((count, 3)), np.empty(count, dtype=np.int32)
    area = spread_places(faces.arrays, role, faces.steepest, places, owners)
    if area == 0.0:
        places, owners = places[:0], owners[:0]
    return area, places, owners


def _look(faces: Faces, *groups: Floats) -> list[Look]:
    """Look up and down from groups of places, all of them in one pass over the faces."""
    places = np.concatenate(groups)
    count = len(places)
    above, below = np.empty(count), np.empty(count)
    front_above, front_below, grounds, backs = (np.empty(count, dtype=np.uint8) for _ in range(4))
    if count:
        find_nearest_faces(
            faces.arrays, faces.steepest, faces.side, places, _sort(places), SURVEY_LAYER,
            (above, front_above), (below, front_below), grounds, backs,
        )  # fmt: skip
    found = (above, front_above == 1, below, front_below == 1, grounds, backs == 1)
    ends = np.cumsum([len(group) for group in groups])
    return [
        Look(*(values[end - len(group) : end] for values in found))  # type: ignore[arg-type]
        for group, end in zip(groups, ends, strict=True)
    ]


def _beside_ground(faces: Faces, backs: Ids) -> Bools:
    """Tell which faces have ground just beyond one of their sides, at the same height."""
    corners = faces.points[faces.triangles[backs]]
    middles = (corners + np.roll(corners, -1, axis=1)) / 2.0
    outwards = middles - corners.mean(axis=1, keepdims=True)
    lengths = np.hypot(outwards[..., :1], outwards[..., 1:2])
    outwards = outwards / np.maximum(lengths, np.finfo(np.float64).tiny)
    beside = np.ones(middles.shape[:2], dtype=bool)
    # Along the face itself, so that the height is right on a slope.
    places = ((middles + distance * outwards).reshape(-1, 3) for distance in _BESIDE)
    for look in _look(faces, *places):
        beside &= ((look.grounds > 0) & ~look.on_back).reshape(-1, 3)
    return np.asarray(beside.any(axis=1))


def _sort(places: Floats) -> tuple[Floats, Ids, Ids]:
    """Put places into a grid: the grid, where each cell starts, and the places in order."""
    low, high = places[:, :2].min(axis=0), places[:, :2].max(axis=0)
    extent = np.maximum(high - low, 1e-6)
    side = math.sqrt(float(np.prod(extent)) * _PER_CELL / len(places))
    side = max(side, float(extent.max()) * _PER_CELL / len(places))
    columns, rows = (int(e // side) + 1 for e in extent)
    col, row = (
        np.minimum((places[:, k] - low[k]) // side, most - 1)
        for k, most in ((0, columns), (1, rows))
    )
    cells = (row * columns + col).astype(np.int64)
    order = np.argsort(cells, kind="stable").astype(np.int32)
    starts = np.searchsorted(cells[order], np.arange(rows * columns + 1)).astype(np.int32)
    return np.array([*low, side, columns]), starts, order
