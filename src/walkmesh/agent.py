"""The agent: who is going to walk."""

from __future__ import annotations

from dataclasses import dataclass

from walkmesh.errors import SettingsError
from walkmesh.settings import check, setting


@dataclass(frozen=True, kw_only=True)
class Agent:
    """An upright cylinder that walks; by default a person in metres.

    Parameters
    ----------
    height : float, default 1.8
        Free height the agent needs above the ground. [Limit: > 0] [Unit: m]
    radius : float, default 0.3
        Distance the agent's axis keeps from walls and ledges. [Limit: >= 0] [Unit: m]
    max_slope : float, default 45
        Steepest ground it stands on. [Limit: 0 <= value < 90] [Unit: degrees]
    max_step : float, default 0.4
        Highest rise or drop it takes in one step. [Limit: 0 <= value <= height] [Unit: m]

    Raises
    ------
    SettingsError
        When a value is outside its limit; the message names the field, the value and the limit.

    Examples
    --------
    >>> Agent(radius=0.25)
    Agent(height=1.8, radius=0.25, max_slope=45.0, max_step=0.4)
    >>> Agent(radius=-1)
    Traceback (most recent call last):
        ...
    walkmesh.errors.SettingsError: Agent.radius is -1; it must be a finite number at least 0 m
    """

    height: float = setting(1.8, "Free height the agent needs", "m", above_minimum=True)
    radius: float = setting(0.3, "Distance it keeps from walls and ledges", "m")
    max_slope: float = setting(
        45.0, "Steepest ground it stands on", "degrees", maximum=90.0, below_maximum=True
    )
    max_step: float = setting(0.4, "Highest rise or drop it takes in one step", "m")

    def __post_init__(self) -> None:
        check(self)
        if self.max_step > self.height:
            raise SettingsError(
                f"Agent.max_step is {self.max_step:g}; it must be at most the agent's height, "
                f"{self.height:g} m"
            )
