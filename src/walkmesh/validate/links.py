"""Links that lead nowhere, from nowhere, or at an impossible cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from walkmesh.arguments import LARGEST
from walkmesh.validate.violation import Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from walkmesh.arrays import Floats
    from walkmesh.navmesh import NavMesh


def bad_links(
    navmesh: NavMesh, off_ground: Callable[[Floats, int], str | None]
) -> Iterator[Violation]:
    """Find links that cannot be taken.

    `off_ground` tells of a (3,) place in world coordinates how far off a polygon it is, or None.
    """
    for i, link in enumerate(navmesh.links):
        for end in ("start", "goal"):
            polygon = int(link[f"{end}_polygon"])
            exists = 0 <= polygon < navmesh.polygon_count
            if not exists:
                yield Violation(
                    "link", f"link {i}: its {end} is on polygon {polygon}, which does not exist"
                )
            if not (np.abs(link[end]) <= LARGEST).all():
                yield Violation("link", f"link {i}: its {end} is not finite", polygon)
            elif exists:
                off = off_ground(link[end], polygon)
                if off is not None:
                    rest = f"{off} its polygon, {polygon}"
                    yield Violation("link", f"link {i}: its {end} is {rest}", polygon)
        if not 0.0 <= link["cost"] < np.inf:
            yield Violation("link", f"link {i}: its cost is {link['cost']:g}; that is not a length")
