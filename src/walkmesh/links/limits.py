"""How far links may lead, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from walkmesh.errors import SettingsError
from walkmesh.links.kernels.sweep import Body
from walkmesh.links.kernels.tolerances import BEYOND_LEDGE, BODY_SLACK, THINNEST
from walkmesh.settings import check, setting

if TYPE_CHECKING:
    from walkmesh.agent import Agent


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


def body_of(agent: Agent) -> Body:
    """Return the cylinder that must be clear: what is within a step of the feet stops no one."""
    radius = max(agent.radius, THINNEST) - BODY_SLACK
    return Body(radius, agent.max_step + BODY_SLACK, agent.height - BODY_SLACK)


def reach_down(limits: Limits, agent: Agent) -> float:
    """Return how far in plan links may lead down: as far as a jump, or past the ledge."""
    return max(limits.max_jump, ledge_width(agent) + BEYOND_LEDGE)


def ledge_width(agent: Agent) -> float:
    """Return how far from where it stands at a ledge a body comes down past it, in m."""
    return agent.radius + max(agent.radius, THINNEST)
