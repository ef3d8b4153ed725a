"""Losses: how much ground a build loses to which cause, in words that say what would help."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.builder.mesh import check_any
from walkmesh.builder.proportions import Proportions
from walkmesh.builder.smallest_part import SmallestPart
from walkmesh.builder.survey import survey
from walkmesh.ragged import following_corners

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.agent import Agent
    from walkmesh.arrays import Bools, Floats, Ids, Integers
    from walkmesh.builder.faces import Faces
    from walkmesh.builder.survey import Survey
    from walkmesh.scene import Scene

# A cause that takes no more than this share of the ground is not worth a word.
_WORTH_A_NOTE = 0.1
# The same where tables, sills and the tops of walls count as well: of all ground in a furnished
# house a fifth is too narrow, and nothing is wrong with it.
_TOO_NARROW = 0.25
# Some exporters write many triangles without area, which nobody misses; more than this share of
# them tells of coordinates that were rounded away.
_TOO_MANY_FLAT = 0.5
# Backs inside solids are what they should be, until there are more of them than this share.
_TOO_MANY_BACKS = 0.35
# Solids alone have no backs under the open sky, to about this share, and over each of their bottoms
# a top, to stand on: the backs under ground are less than so many times the ground. They are up to
# 0.14 times in 20 real scenes, and 1.4 times in a subway station turned over.
_SOLID = 0.05
_SOLID_BOTTOMS = 1.25
# Connected ground smaller than so many times the square around the agent is a table, a sill or the
# like, and no loss when it turns out too narrow.
_ROOM = 10.0
# What is narrower than this share of the agent's width, all in all, is the top of a wall. A strip
# has half its boundary's length times its width as area.
_PASSAGE = 0.25


@dataclass
class Losses:
    """What the build of a scene loses; filled in while the stages run."""

    # What is built.
    scene: Scene
    faces: Faces
    agent: Agent
    # Ground with headroom, and how much of it is wide enough for the agent. [m2]
    wide: float = 0.0
    opened: float = 0.0
    rooms_only: bool = False  # whether `wide` is in parts as large as a room alone
    # Where the agent fits, and what of it is in parts too small to stay. [m2]
    free: float = 0.0
    small: float = 0.0
    # The smallest part that stays.
    least: SmallestPart = SmallestPart()  # noqa: RUF009 - it is immutable

    @cached_property
    def survey(self) -> Survey:
        """What places all over the level faces say."""
        return survey(self.faces, self.agent.height)

    @cached_property
    def proportions(self) -> Proportions:
        """How the faces lie, and how large they are."""
        return Proportions.of(self.faces)

    def are_rooms(self, areas: NDArray[Any], boundaries: NDArray[Any]) -> Bools:
        """Tell which connected parts of the ground are large enough to count.

        Parameters
        ----------
        areas, boundaries : (n,) float64
            The area of each, and the length of its boundary. [Unit: m2, m]
        """
        width = 2.0 * self.agent.radius
        return np.asarray((areas >= _ROOM * width**2) & (areas >= _PASSAGE * width * boundaries))

    @property
    def areas(self) -> dict[str, float]:
        """The area that each cause takes. [Unit: m2]."""
        return {
            "reversed": max(self.survey.mixed, self.survey.open_backs),
            "headroom": self.survey.low,
            "narrow": max(self.wide - self.opened, 0.0),
            "small": self.small,
        }

    def notes(self) -> tuple[str, ...]:
        """Return a line for every cause that takes more than a tenth of the ground."""
        doubt = self._doubt(nowhere=False)
        lines = [self._left_out()]
        # With a wrong unit or up, what else is lost has no other cause.
        lines += (
            [doubt] if doubt else [self._reversed(), self._low(), self._narrow(), self._small()]
        )
        return tuple(line for line in lines if line)

    def check_any(self, left: Integers, *, after_patches: bool = False) -> None:
        """Raise unless anything is left, see :func:`walkmesh.builder.mesh.check_any`."""
        if len(left) == 0:
            least = self.least if after_patches else SmallestPart()
            check_any(left, self.agent, least, self._likely_cause(not least.any_stays))

    def _likely_cause(self, fits: bool) -> str:
        """Return the most likely reason why nothing is left, although it `fits` somewhere."""
        cause = self._doubt(nowhere=True) or self._left_out() or self._reversed()
        if cause or fits:
            return cause or ""
        found, height = self.survey, self.agent.height
        if found.standable == 0.0 and found.highest < height:
            return f"the most headroom over any ground is about {found.highest:.3g} m"
        width = 2.0 * self.agent.radius
        return (
            f"no ground with headroom is {width:g} m wide in every direction; is the scale right?"
        )

    def _doubt(self, *, nowhere: bool) -> str | None:
        """Say that the unit or up is likely to be wrong, if so."""
        small = self.proportions.too_small(self.agent, nowhere=nowhere)
        if small:
            return small
        doubtful = self._reversed() is not None or self._low() is not None
        axis = self.proportions.better_up(doubtful=doubtful)
        names = [_axis_name(self.scene, k) for k in (0, 1, 2)]
        if axis is not None and names[axis] and names[2]:
            return (
                f"up is {names[2]}, but most floors seem to lie across {names[axis]}; "
                f"is {names[axis]} up?"
            )
        return self.proportions.too_large(self.agent, self.survey)

    def _left_out(self) -> str | None:
        left = self.scene.left_out
        given = len(self.scene.faces) + left.total
        few = left.non_finite <= _WORTH_A_NOTE * given and left.no_area <= _TOO_MANY_FLAT * given
        if few:
            return None
        return (
            f"{left.non_finite + left.no_area:,} of {given:,} triangles are left out: "
            f"{left.non_finite:,} have a corner that is not finite, {left.no_area:,} have no area"
        )

    def _reversed(self) -> str | None:
        found = self.survey
        mixed, backs = self.areas["reversed"], found.open_backs + found.closed_backs
        if _share(mixed, found.standable) > _WORTH_A_NOTE:
            lost = mixed
        elif _share(backs, found.standable) > _TOO_MANY_BACKS and (
            found.open_backs > _SOLID * backs
            or found.closed_backs > _SOLID_BOTTOMS * found.standable
        ):
            lost = backs
        else:
            return None
        side = "back" if lost == backs and found.standable < backs / 2.0 else "both"
        return (
            f"about {_amount(lost, lost + found.standable)} faces down, with headroom above: it is "
            f'wound the other way; sides="{side}" walks on it'
        )

    def _low(self) -> str | None:
        low, height = self.survey.low, self.agent.height
        if _share(low, self.survey.standable) <= _WORTH_A_NOTE:
            return None
        return (
            f"about {_amount(low, low + self.survey.standable)} has less headroom than the agent's "
            f"height of {height:g} m, by a quarter at most; a smaller height keeps it"
        )

    def _narrow(self) -> str | None:
        narrow = self.areas["narrow"]
        limit = _WORTH_A_NOTE if self.rooms_only else _TOO_NARROW
        if self.wide == 0.0 or narrow <= limit * self.wide:
            return None
        return (
            f"about {_amount(narrow, self.wide)} is too narrow for the agent's radius of "
            f"{self.agent.radius:g} m; a smaller radius keeps more of it"
        )

    def _small(self) -> str | None:
        if self.small <= _WORTH_A_NOTE * self.free:
            return None
        return (
            f"{_amount(self.small, self.free)} where the agent fits is in parts with less than "
            f"{self.least.words}; a smaller min_patch_area keeps them"
        )


def opened_area(area: float, boundary: float, holes: int, radius: float) -> float:
    """Return the area of ground that a disc reaches whose centre stays in a region. [Unit: m2].

    Steiner's formula: a region whose boundary is nowhere more curved than the disc grows by a strip
    along its boundary, and by a disc for all its corners together.

    Parameters
    ----------
    area, boundary : float
        Area and length of the boundary of the region. [Unit: m2, m]
    holes : int
        The number of its connected parts less that of the holes in them.
    radius : float
        Of the disc. [Unit: m]

    Examples
    --------
    >>> round(opened_area(1.0, 4.0, 1, 0.5), 3)  # a square with round corners
    3.785
    """
    return area + boundary * radius + math.pi * radius**2 * holes


def mesh_opened_area(
    points: Floats, offsets: Ids, corners: Ids, inner: Ids, radius: float
) -> float:
    """Return the same for polygons that share vertices, see :func:`opened_area`.

    Parameters
    ----------
    points : (n, 2) float64
        Positions in plan. [Unit: m]
    offsets, corners : (p + 1,) and (c,) int32
        Polygons of vertex ids.
    inner : (c,) int32
        Negative for edges of the boundary.
    """
    following = following_corners(offsets)
    u, v = points[corners].T
    du, dv = u[following] - u, v[following] - v
    # Around a point near by, so that no digits are lost far from the origin.
    first = np.repeat(offsets[:-1], np.diff(offsets))
    area = float(((u - u[first]) * dv - (v - v[first]) * du).sum() / 2.0)
    outer = inner < 0
    boundary = float(np.hypot(du[outer], dv[outer]).sum())
    edges = (len(corners) + int(np.count_nonzero(outer))) // 2
    used = np.zeros(len(points), dtype=bool)
    used[corners] = True
    euler = int(np.count_nonzero(used)) - edges + len(offsets) - 1
    return opened_area(area, boundary, euler, radius)


def _share(part: float, rest: float) -> float:
    return part / (part + rest) if part > 0.0 else 0.0


def _amount(part: float, whole: float) -> str:
    """Return an area and its share of the ground, for people."""
    digits = 0 if part >= 10.0 else 2
    return f"{part:,.{digits}f} m2 of the ground ({100.0 * part / whole:.0f} %)"


def _axis_name(scene: Scene, axis: int) -> str | None:
    """Return which axis of the world one of the plan is; None if it is none of them."""
    ends = scene.frame.to_world(np.array([[0.0, 0.0, 0.0], np.eye(3)[axis]]))
    direction = np.abs(ends[1] - ends[0])
    return "xyz"[int(direction.argmax())] if direction.max() > 0.999 else None
