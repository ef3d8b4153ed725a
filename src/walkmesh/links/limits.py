"""How far links may lead, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from walkmesh.errors import SettingsError
from walkmesh.settings import check, setting

if TYPE_CHECKING:
    from walkmesh.agent import Agent

# A body thinner than this is taken to be so thick: along a wall, one of no width would not know
# which side it is on. [m]
_LEAST_RADIUS = 0.05
# How much closer than its radius, and lower or higher than its heights, a body lets things come: a
# navmesh ends exactly where there is room for it no more. [m]
SLACK = 1e-3
# How much farther than past its ledge a link may lead down, even where no jump is that long. [m]
_BEYOND_LEDGE = 0.5


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How far links may lead, and how close together they may be.

    Attributes
    ----------
    max_jump : float
        How far apart in plan the ends of a link may be. [Limit: >= 0] [Unit: m]
    max_drop : float
        How far down a link may lead. [Limit: >= 0] [Unit: m]
    max_climb : float
        How far up a link may lead. [Limit: >= 0] [Unit: m]
    spacing : float
        Links closer together than this, at both ends, are merged. [Limit: > 0] [Unit: m]
    """

    max_jump: float = setting(2.0, "How far a jump leads at most", "m")
    max_drop: float = setting(3.0, "How far a drop leads down at most", "m")
    max_climb: float = setting(1.0, "How far a climb leads up at most", "m")
    spacing: float = setting(1.0, "How far apart links are", "m", above_minimum=True)

    def __post_init__(self) -> None:
        try:
            check(self)
        except SettingsError as error:  # they are arguments of a function
            raise SettingsError(str(error).removeprefix("Limits.")) from None


@dataclass(frozen=True)
class Body:
    """The cylinder that must be clear while a link is taken.

    Attributes
    ----------
    radius : float
        How close to its axis nothing may come. [Unit: m]
    low, high : float
        From where to where it reaches, over its feet. [Unit: m]
    """

    radius: float
    low: float
    high: float

    @classmethod
    def of(cls, agent: Agent) -> Body:
        """Return the body of an agent: what is within a step of its feet does not stop it."""
        radius = max(agent.radius, _LEAST_RADIUS) - SLACK
        return cls(radius, agent.max_step + SLACK, agent.height - SLACK)


def reach_down(limits: Limits, agent: Agent) -> float:
    """Return how far in plan links may lead down: as far as a jump, or past the ledge."""
    return max(limits.max_jump, ledge_width(agent) + _BEYOND_LEDGE)


def ledge_width(agent: Agent) -> float:
    """Return how far from where it stands at a ledge a body comes down past it, in m."""
    return agent.radius + max(agent.radius, _LEAST_RADIUS)
