"""What a metre costs in each area."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arguments import is_whole
from walkmesh.errors import SettingsError
from walkmesh.settings import as_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from walkmesh.arrays import Floats

AREAS = 256


def area_prices(area_costs: Mapping[int, float]) -> Floats:
    """Return (256,) costs of a metre in each area; infinite for those that are barred."""
    prices = np.ones(AREAS)
    for area, cost in area_costs.items():
        if not is_whole(area) or not 0 <= area < AREAS:
            raise SettingsError(f"area_costs has the area {area!r}; areas are 0 to 255")
        price = as_number(cost)
        if not price > 0.0:
            raise SettingsError(
                f"area_costs[{area}] is {cost!r}; it must be a number above 0, or inf to bar it"
            )
        prices[area] = price
    return prices
