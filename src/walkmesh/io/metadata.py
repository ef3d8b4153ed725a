"""What a saved navmesh says of itself besides its polygons.

Every format carries the same description as JSON: what the file is, the agent, the up direction,
whether polygons lie at any angle, and the report, without the times, so that equal builds make
equal files.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from walkmesh.agent import Agent
from walkmesh.errors import FormatError, SettingsError
from walkmesh.navmesh import NavMesh
from walkmesh.navmesh_arrays import LINK_DTYPE
from walkmesh.report import Report
from walkmesh.topology import check_usable

FORMAT = "walkmesh"
VERSION = 1
# What reading a description that someone has changed may raise.
_DAMAGED = (KeyError, TypeError, ValueError, AttributeError, OverflowError, SettingsError)


def describe(navmesh: NavMesh) -> dict[str, Any]:
    """Return the description of a navmesh, ready for JSON."""
    report = navmesh.report
    return {
        "format": FORMAT,
        "version": VERSION,
        "up": list(navmesh.up),
        "surface": navmesh.surface,
        "agent": dataclasses.asdict(navmesh.agent),
        "report": None if report is None else report.without_measurements().as_dict(),
    }


def describe_with_links(navmesh: NavMesh) -> dict[str, Any]:
    """Return the description with the links, for formats that have no other place for them."""
    rows = [[np.asarray(value).tolist() for value in link] for link in navmesh.links.tolist()]
    return {**describe(navmesh), "links": rows}


def navmesh_from(description: Any, arrays: dict[str, Any]) -> NavMesh:
    """Make the navmesh of a description and its arrays; FormatError if they are not ours."""
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise FormatError("it is not a navmesh that walkmesh saved")
    if description.get("version") != VERSION:
        raise FormatError(
            f"it is of version {description.get('version')!r}; this walkmesh reads {VERSION}"
        )
    try:
        agent = Agent(**description["agent"])
        content = description["report"]
        report = None if content is None else Report.from_dict(content)
        surface = description["surface"]
        if not isinstance(surface, bool):
            raise ValueError(f"surface is {surface!r}; it must be true or false")
        if surface and arrays.get("triangles") is not None:
            raise ValueError("surface is true, but there are detail triangles, which need ground")
        navmesh = NavMesh(
            **arrays, agent=agent, up=tuple(description["up"]), surface=surface, report=report
        )
    except _DAMAGED as error:
        raise FormatError(f"its description is damaged: {error}") from None
    check_usable(navmesh)
    return navmesh


def navmesh_with_links(description: Any, arrays: dict[str, Any]) -> NavMesh:
    """Make the navmesh of a description that holds the links, and its arrays."""
    try:
        rows = [tuple(link) for link in description["links"]]
        links = np.array(rows, dtype=LINK_DTYPE)
    except _DAMAGED as error:
        raise FormatError(f"its links are damaged: {error}") from None
    return navmesh_from(description, {**arrays, "links": links})
