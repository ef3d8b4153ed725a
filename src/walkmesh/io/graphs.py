"""Path nodes in files: JSON for programs, GraphML for tools that show graphs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from walkmesh.files import check_target, replacing

if TYPE_CHECKING:
    from os import PathLike

    from walkmesh.query.path_nodes import PathNodes

SUFFIXES = (".json", ".graphml")


def save_graph(path: str | PathLike[str], nodes: PathNodes) -> None:
    """Write path nodes and their edges to a file, which appears only when it is complete.

    Parameters
    ----------
    path : str or path
        Where to; the suffix, ``.json`` or ``.graphml``, tells the format. JSON has `nodes` with
        their `position` and `kind`, and `edges` with their `nodes`, `length`, `cost` and whether
        they are `one_way`; GraphML, which networkx writes, has the same with x, y and z apart.
    nodes : PathNodes

    Raises
    ------
    FormatError
        When the suffix is another, or the file cannot be written.
    ImportError
        When networkx is needed and not installed.
    """
    check_target(path, SUFFIXES)
    if str(path).lower().endswith(".json"):
        text = json.dumps(_as_dict(nodes))
        with replacing(path) as temporary:
            temporary.write_text(text + "\n")
        return
    graph = nodes.to_networkx()
    for _, attributes in [*graph.nodes(data=True), *((e, a) for *e, a in graph.edges(data=True))]:
        for name, prefix in (("position", ""), ("via", "via_")):
            if name in attributes:
                place = zip("xyz", attributes.pop(name), strict=True)
                attributes.update({prefix + axis: value for axis, value in place})
    import networkx

    with replacing(path) as temporary:
        networkx.write_graphml(graph, temporary)


def _as_dict(nodes: PathNodes) -> dict[str, Any]:
    """Return nodes and edges as plain lists and numbers."""
    places = zip(nodes.positions.tolist(), nodes.kinds.tolist(), strict=True)
    edges = zip(
        nodes.edges.tolist(),
        nodes.lengths.tolist(),
        nodes.costs.tolist(),
        nodes.one_way.tolist(),
        strict=True,
    )
    return {
        "nodes": [{"position": position, "kind": kind} for position, kind in places],
        "edges": [
            {"nodes": ends, "length": length, "cost": cost, "one_way": one_way}
            for ends, length, cost, one_way in edges
        ],
    }
