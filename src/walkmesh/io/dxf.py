"""DXF drawings, with ezdxf."""

from __future__ import annotations

import io
import logging
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from walkmesh.errors import SceneError
from walkmesh.io.curves import bulge_points, ellipse_points, tolerance_of
from walkmesh.io.drawing import check_size, line_shape, polygon_shape
from walkmesh.io.fill import filled_shapes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from walkmesh.arrays import Floats
    from walkmesh.io.drawing import Shape

# How many metres a unit is, by the value of $INSUNITS; without one, or without a unit, 1.
_METRES = {
    1: 0.0254, 2: 0.3048, 3: 1609.344, 4: 1e-3, 5: 1e-2, 6: 1.0, 7: 1e3, 8: 2.54e-8, 9: 2.54e-5,
    10: 0.9144, 11: 1e-10, 12: 1e-9, 13: 1e-6, 14: 0.1, 15: 10.0, 16: 100.0, 17: 1e9,
    21: 1200 / 3937, 22: 100 / 3937, 23: 3600 / 3937, 24: 6336000 / 3937,
}  # fmt: skip

# Blocks in blocks, and blocks in rows and columns, can make anything of a few lines.
_MOST_ENTITIES = 1_000_000
_DEEPEST = 32

_BINARY = b"AutoCAD Binary DXF\r\n\x1a\x00"
_CLOSED_POLYLINE = 1


class _Piece(NamedTuple):
    """Lines of an entity: rings that it fills, or a line that may be closed."""

    rings: list[Floats]
    closed: bool = False
    filled: bool = False


def read_dxf(data: bytes, scale: float) -> list[Shape]:
    """Read the model space, without what is switched off or frozen.

    Parameters
    ----------
    data : bytes
        A text or binary file.
    scale : float
        How many metres a metre of the file is, or a unit if it has none.
    """
    document = _document(data)
    factor = _METRES.get(document.units, 1.0) * scale
    shapes: list[Shape] = []
    points = 0
    for entity, layer in _entities(document):
        try:
            piece = _piece(entity, factor)
        except SceneError:
            raise
        except Exception as error:  # what ezdxf and its entities raise has no common base
            reason = " ".join(str(error).split())
            raise SceneError(f"its {entity.dxftype()} cannot be read: {reason}") from None
        points += sum(len(ring) for ring in piece.rings)
        check_size(points)
        shapes += _shapes(piece, (layer,))
    return shapes


def _document(data: bytes) -> Any:
    try:
        from ezdxf import recover
        from ezdxf.document import Drawing
        from ezdxf.lldxf.tagger import binary_tags_loader
    except ImportError:
        raise SceneError("DXF needs ezdxf: pip install 'walkmesh[plans]'") from None
    logging.getLogger("ezdxf").setLevel(logging.CRITICAL)  # what it mends is of no interest
    try:
        if data.startswith(_BINARY):
            return Drawing.load(binary_tags_loader(data))
        document, _ = recover.read(io.BytesIO(data))
    except MemoryError:
        raise
    except Exception as error:  # damage comes up as almost anything
        raise SceneError(
            f"it is no DXF file that is read: {' '.join(str(error).split())}"
        ) from None
    return document


def _entities(document: Any) -> Iterator[tuple[Any, str]]:
    """Yield the entities that are shown, and their layers; blocks as what they consist of."""
    if _count(document, document.modelspace(), {}, ()) > _MOST_ENTITIES:
        raise SceneError(f"its blocks make more than the {_MOST_ENTITIES} entities that are read")
    # Names of layers are the same in capitals and small letters.
    hidden = {
        layer.dxf.name.casefold()
        for layer in document.layers
        if layer.is_off() or layer.is_frozen()
    }
    stack = [(entity, "") for entity in reversed([*document.modelspace()])]
    while stack:
        entity, outer_layer = stack.pop()
        layer = entity.dxf.get("layer", "0")
        if outer_layer and layer == "0":  # in a block, this stands for the layer of the block
            layer = outer_layer
        if layer.casefold() in hidden or entity.dxf.get("invisible", 0):
            continue
        if entity.dxftype() == "INSERT":
            copies = entity.multi_insert() if entity.mcount > 1 else [entity]
            inner = [part for copy in copies for part in copy.virtual_entities()]
            stack += [(part, layer) for part in reversed(inner)]
        else:
            yield entity, layer


def _count(document: Any, entities: Any, counts: dict[str, int], within: tuple[str, ...]) -> int:
    """Return how many entities there will be without blocks; `counts` is that of blocks so far."""
    total = 0
    for entity in entities:
        if entity.dxftype() != "INSERT":
            total += 1
            continue
        name = str(entity.dxf.get("name", "")).lower()
        if name in within or len(within) > _DEEPEST:
            raise SceneError("its blocks are part of themselves, or nested too deeply")
        if name not in counts:
            block = document.blocks.get(name)
            counts[name] = _count(document, block or (), counts, (*within, name))
        total += max(entity.mcount, 1) * (1 + counts[name])
    return total


def _piece(entity: Any, factor: float) -> _Piece:
    """Return an entity as lines in metres; none for what is no line."""
    kind = entity.dxftype()
    if kind == "LINE":
        return _Piece([_plan([entity.dxf.start, entity.dxf.end], factor)])
    if kind in ("CIRCLE", "ARC", "ELLIPSE"):
        return _round(entity, kind, factor)
    if kind == "LWPOLYLINE":
        vertices = np.array(entity.get_points("xyb"), dtype=np.float64).reshape(-1, 3)
        points = _bulged(vertices, bool(entity.closed), entity.ocs(), factor)
        return _Piece([points], closed=bool(entity.closed) or _meets(points))
    if kind == "POLYLINE" and not (entity.is_polygon_mesh or entity.is_poly_face_mesh):
        rows = [(*v.dxf.location.vec2, v.dxf.get("bulge", 0.0)) for v in entity.vertices]
        vertices = np.array(rows, dtype=np.float64).reshape(-1, 3)
        ocs = entity.ocs() if entity.is_2d_polyline else None
        points = _bulged(vertices, bool(entity.is_closed), ocs, factor)
        return _Piece([points], closed=bool(entity.is_closed) or _meets(points))
    if kind == "SPLINE":
        return _spline(entity, factor)
    if kind in ("SOLID", "TRACE"):
        return _Piece([_plan(entity.wcs_vertices(), factor)], closed=True)
    if kind == "HATCH":
        return _Piece([*_hatch_rings(entity, factor)], filled=True)
    return _Piece([])


def _round(entity: Any, kind: str, factor: float) -> _Piece:
    """Return a circle, an ellipse, or a part of one."""
    dxf = entity.dxf
    if kind == "ELLIPSE":
        centre, first, second = dxf.center, dxf.major_axis, entity.minor_axis
        start, end = dxf.start_param, dxf.end_param
    else:
        ocs, radius = entity.ocs(), abs(dxf.radius)
        centre, first, second = ocs.points_to_wcs([dxf.center, (radius, 0, 0), (0, radius, 0)])
        start, end = 0.0, 2.0 * math.pi
        if kind == "ARC":
            start, end = math.radians(dxf.start_angle), math.radians(dxf.end_angle)
    sweep = (end - start) % (2.0 * math.pi)
    is_full = sweep < 1e-9 or sweep > 2.0 * math.pi - 1e-9
    middle, first, second = _plan([centre, first, second], factor)
    points = ellipse_points(middle, first, second, start, 2.0 * math.pi if is_full else sweep)
    return _Piece([points[:-1] if is_full else points], closed=is_full)


def _spline(entity: Any, factor: float) -> _Piece:
    given = _plan([*entity.control_points, *entity.fit_points], factor)
    points = _plan(entity.flattening(tolerance_of(given) / factor), factor)
    return _Piece([points], closed=bool(entity.closed) or _meets(points))


def _hatch_rings(entity: Any, factor: float) -> Iterator[Floats]:
    from ezdxf.path import from_hatch_boundary_path

    ocs = entity.ocs()
    for boundary in entity.paths:
        if boundary.type.name == "POLYLINE":
            vertices = np.array(boundary.vertices, dtype=np.float64).reshape(-1, 3)
            yield _bulged(vertices, True, ocs, factor)
            continue
        loops = from_hatch_boundary_path(boundary, ocs)
        for loop in loops.sub_paths():
            given = _plan(loop.control_vertices(), factor)
            yield _plan(loop.flattening(tolerance_of(given) / factor), factor)


def _bulged(vertices: Floats, closed: bool, ocs: Any, factor: float) -> Floats:
    """Return the points of a polyline; (n, 3) vertices are x, y and the bulge after them."""
    corners, bulges = vertices[:, :2] * factor, vertices[:, 2]
    if bulges.any():
        ends = np.roll(corners, -1, axis=0)
        pieces = [
            bulge_points(start, end, bulge)[:-1]
            for start, end, bulge in zip(corners, ends, bulges.tolist(), strict=True)
        ]
        last = pieces.pop() if closed else corners[-1:]
        corners = np.concatenate([*pieces, last])
    if ocs is None or not ocs.transform:
        return corners
    return _plan(ocs.points_to_wcs([(x, y, 0.0) for x, y in corners.tolist()]), 1.0)


def _plan(points: Any, factor: float) -> Floats:
    """Return points as (n, 2) float64 in metres, without their heights."""
    return (
        np.array([(point[0], point[1]) for point in points], dtype=np.float64).reshape(-1, 2)
        * factor
    )


def _meets(points: Floats) -> bool:
    """Tell whether a line ends where it starts."""
    return len(points) > 3 and bool(np.all(points[0] == points[-1]))


def _shapes(piece: _Piece, layers: tuple[str, ...]) -> list[Shape]:
    if piece.filled:
        return filled_shapes(piece.rings, layers, even_odd=True)
    if piece.closed:
        return [shape for ring in piece.rings for shape in polygon_shape([ring], None, layers)]
    return [shape for ring in piece.rings for shape in line_shape(ring, None, layers)]
