"""Path nodes in files: JSON for programs, GraphML for tools that show graphs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from walkmesh.extras import require
from walkmesh.files import check_target, replacing

if TYPE_CHECKING:
    from os import PathLike

    from walkmesh.query.path_nodes import PathNodes

_JSON, _GRAPHML = SUFFIXES = (".json", ".graphml")


def check_networkx(path: str | PathLike[str]) -> None:
    """Refuse a file that only networkx can write, where that is not installed."""
    if Path(path).suffix.lower() == _GRAPHML:
        require("networkx", "GraphML files")


def save_graph(path: str | PathLike[str], nodes: PathNodes) -> None:
    """Write path nodes and their edges to a file, which appears only when it is complete.

    Parameters
    ----------
    path : str or path
        Where to; the suffix, ``.json`` or ``.graphml``, tells the format. JSON has `nodes`, each
        with its `position` and `kind`, and `edges`, each with its two `nodes`, `length`, `cost`,
        whether it is `one_way`, and where there is one, the place `via` and the number of the
        `link`. GraphML is the graph of :meth:`PathNodes.to_networkx`, with x, y and z apart.
    nodes : PathNodes

    Raises
    ------
    FormatError
        When the suffix is another, or the file cannot be written.
    MissingPackageError
        When networkx is needed and not installed.
    """
    check_target(path, SUFFIXES)
    check_networkx(path)
    if Path(path).suffix.lower() == _JSON:
        text = json.dumps(_as_dict(nodes))
        with replacing(path) as temporary:
            temporary.write_text(text + "\n")
        return
    import networkx

    graph = nodes.to_networkx()
    for _, attributes in graph.nodes(data=True):
        _take_apart(attributes, "position", "")
    for _, _, attributes in graph.edges(data=True):
        _take_apart(attributes, "via", "via_")
    with replacing(path) as temporary:
        networkx.write_graphml(graph, temporary)


def _take_apart(attributes: dict[str, Any], name: str, prefix: str) -> None:
    """Replace a place among attributes by its coordinates: GraphML knows no lists."""
    if name in attributes:
        place = zip("xyz", attributes.pop(name), strict=True)
        attributes.update({prefix + axis: value for axis, value in place})


def _as_dict(nodes: PathNodes) -> dict[str, Any]:
    """Return nodes and edges as plain lists and numbers."""
    places = zip(nodes.positions.tolist(), nodes.kinds.tolist(), strict=True)
    edges: list[dict[str, Any]] = [
        {"nodes": ends, "length": length, "cost": cost, "one_way": one_way}
        for ends, length, cost, one_way in zip(
            nodes.edges.tolist(),
            nodes.lengths.tolist(),
            nodes.costs.tolist(),
            nodes.one_way.tolist(),
            strict=True,
        )
    ]
    for i in np.flatnonzero(~np.isnan(nodes.via[:, 0])).tolist():
        edges[i]["via"] = nodes.via[i].tolist()
    for i in np.flatnonzero(nodes.edge_links >= 0).tolist():
        edges[i]["link"] = int(nodes.edge_links[i])
    return {
        "nodes": [{"position": position, "kind": kind} for position, kind in places],
        "edges": edges,
    }
