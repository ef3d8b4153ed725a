"""Proportions: whether the unit and the up of a scene can be right for an agent.

Rooms, walls and triangles have usual sizes, and floors lie in few layers that are wider than they
are high. What is far from that is likely to be a unit or an axis mistaken. Landscapes can be of any
size, so nothing is said of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.builder.kernels.proportions import CLASSES, SIZES, SMALLEST, weigh_faces

if TYPE_CHECKING:
    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats
    from walkmesh.builder.faces import Faces
    from walkmesh.builder.survey import Survey

# Of scenes with fewer faces nothing is said, unless nothing can be stood on: they are made to try
# something out.
_FEWEST_FACES = 200

# Layers of faces are this thick, or more where there would be too many of them. [m]
_LAYER = 0.05
_MOST_LAYERS = 4096
# Another axis is likely to be up if its layers weigh so many times those of the one that is said to
# be: of 19 scenes none comes above 1.2, and with the wrong up none but two below 2.3. Where much
# of the level area faces down or is low as well, as the walls of a room are then, less is enough.
_WRONG_UP = 2.2
_WRONG_UP_IN_DOUBT = 1.5

# Where ceilings, edges or walls are mostly larger than this, and so many times the agent's height,
# the unit is likely to be wrong. [m, 1]
_CEILING = (40.0, 12.0)
_EDGE = (60.0, 30.0)
_WALL = (150.0, 80.0)
# Where so little of the ground has a ceiling, it says nothing.
_FEWEST_COVERED = 0.05
# Ceilings and walls are usually this many times as high as the agent. If either is larger than that
# by the factor below, the unit is likely to be a millimetre: 11 scenes, scaled up 100 times, stay
# below 275; scaled up 1000 times, they are above 515. The size of triangles says less.
_USUAL_CEILING = 1.7
_MILLIMETRES = 300.0

# A scene with this share of faces that are not level, lower and narrower than so many times the
# agent's height, is likely to be too small.
_FEWEST_STEEP = 0.05
_TOO_LOW, _TOO_NARROW = 0.35, 10.0
# The same where nothing can be stood on; of scenes with few faces less is said.
_TOO_LOW_TO_STAND, _TOO_NARROW_TO_STAND = 1.0, 2.0


@dataclass(frozen=True)
class Proportions:
    """How a scene's faces lie, in the plan frame, whose third axis is up."""

    count: int  # how many faces there are
    extent: Floats  # (3,): the size of the scene [m]
    across: Floats  # (3,): the share of the area of faces that lie across each axis
    weight: Floats  # (3,): the same, times how much these lie in few layers
    edge: float  # the median of the longest sides of faces [m]
    wall: float  # the median height of upright faces, by area [m]

    @classmethod
    def of(cls, faces: Faces) -> Proportions:
        """Measure the faces of a scene."""
        lowest, highest = (np.array([f(x) for x in faces.points.T]) for f in (np.min, np.max))
        extent = highest - lowest
        bins = np.maximum(extent / _MOST_LAYERS, _LAYER)
        across, layers = np.zeros(4), np.zeros((3, _MOST_LAYERS + 1))
        edges, walls = np.zeros(SIZES), np.zeros(SIZES)
        weigh_faces(faces.points, faces.triangles, lowest, bins, across, layers, edges, walls)
        shares = across[:3] / max(across[3], np.finfo(np.float64).tiny)
        total = layers.sum(axis=1, keepdims=True)
        few = (np.divide(layers, total, out=np.zeros_like(layers), where=total > 0.0) ** 2).sum(
            axis=1
        )
        return cls(len(faces.roles), extent, shares, shares * few, _median(edges), _median(walls))

    @property
    def size(self) -> str:
        """The size of the scene, for people."""
        u, v, h = self.extent
        return f"{u:.3g} x {v:.3g} m wide and {h:.3g} m high"

    def better_up(self, *, doubtful: bool = False) -> int | None:
        """Return the axis of the plan, 0 or 1, that is far more likely to be up; None for none.

        Parameters
        ----------
        doubtful : bool, default False
            Whether something else is wrong as well, so that less is needed.
        """
        best = int(np.argmax(self.weight[:2]))
        times = _WRONG_UP_IN_DOUBT if doubtful else _WRONG_UP
        likelier = self.weight[best] > times * self.weight[2]
        lower = self.extent[best] < self.extent[2]
        return best if self.count >= _FEWEST_FACES and likelier and lower else None

    def too_large(self, agent: Agent, survey: Survey | None) -> str | None:
        """Say what of the scene is far too large for an agent, if anything is."""
        h = agent.height
        covered = survey is not None and survey.covered >= _FEWEST_COVERED
        ceiling = survey.ceiling if survey is not None and covered else 0.0
        many = self.count >= _FEWEST_FACES
        edge, wall = (self.edge, self.wall) if many else (0.0, 0.0)
        highest = max((value for value in (ceiling, wall) if np.isfinite(value)), default=0.0)
        factor = highest / (_USUAL_CEILING * h)
        for words, value, limit in (
            ("ceilings are {} m high", ceiling, _CEILING),
            ("triangles are {} m long", edge, _EDGE),
            ("walls are {} m high", wall, _WALL),
        ):
            if max(limit[0], limit[1] * h) < value < np.inf:
                unit = (
                    "millimetres (scale 0.001)"
                    if factor > _MILLIMETRES
                    else "centimetres (scale 0.01) or inches (scale 0.0254)"
                )
                return (
                    "the scene looks too large for the agent: its "
                    f"{words.format(f'{value:.3g}')} as a rule; is it in {unit}?"
                )
        return None

    def too_small(self, agent: Agent, *, nowhere: bool = False) -> str | None:
        """Say that the scene is far too small for an agent, if it is.

        Parameters
        ----------
        nowhere : bool, default False
            Whether the agent can stand nowhere, so that less doubt is needed.
        """
        h = agent.height
        wide = float(np.hypot(*self.extent[:2]))
        many = self.count >= _FEWEST_FACES
        if nowhere:
            narrow = _TOO_NARROW if many else _TOO_NARROW_TO_STAND
            small = self.extent[2] < _TOO_LOW_TO_STAND * h and wide < narrow * h
        else:
            small = (
                many
                and self.extent[2] < _TOO_LOW * h
                and wide < _TOO_NARROW * h
                and 1.0 - self.across[2] > _FEWEST_STEEP
            )
        if not small:
            return None
        return (
            f"the scene looks too small for the agent: it is {self.size}; is the scale right, or "
            "should it be 100 or 1000 times as large?"
        )


def _median(counts: Floats) -> float:
    """Return the median of sizes that were counted by class; 0 if there are none. [Unit: m]."""
    reached = np.cumsum(counts)
    if reached[-1] <= 0.0:
        return 0.0
    middle = int(np.searchsorted(reached, reached[-1] / 2.0))
    return float(2.0 ** ((middle + 0.5) / CLASSES + SMALLEST))
