"""DXF drawings, with ezdxf."""

from __future__ import annotations

import io
import itertools
import logging
import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from walkmesh.errors import SceneError
from walkmesh.extras import require
from walkmesh.io.curves import bulge_points, ellipse_points, tolerance_of
from walkmesh.io.drawing import Drawing, check_size, filled_shapes, line_shape, polygon_shape

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
_MOST_POINTS = 250_000  # of a curve
_DEEPEST = 32

_BINARY = b"AutoCAD Binary DXF\r\n\x1a\x00"

# What is no line or face, but written beside them or put over them; everything else that is not
# read is counted.
_ANNOTATIONS = (
    *("TEXT", "MTEXT", "RTEXT", "ATTRIB", "ATTDEF", "ACAD_TABLE", "TABLE", "TOLERANCE"),
    *("DIMENSION", "ARC_DIMENSION", "LARGE_RADIAL_DIMENSION", "LEADER", "MLEADER", "MULTILEADER"),
    *("POINT", "VIEWPORT", "WIPEOUT", "LIGHT", "SUN", "SEQEND"),
)


class _Piece(NamedTuple):
    """Lines of an entity: rings that it fills, or lines that may be closed."""

    rings: list[Floats]
    closed: bool = False
    filled: bool = False


def read_dxf(data: bytes, scale: float) -> Drawing:
    """Read the model space, without what is switched off or frozen.

    `scale` is how many metres a metre of the file is, or a unit if it has none.
    """
    document = _document(data)
    factor = _METRES.get(document.units, 1.0) * scale
    shapes: list[Shape] = []
    passed_over: list[tuple[str, ...]] = []
    points = 0
    for entity, layer, is_placed in _entities(document):
        with _naming(entity):
            piece = _piece(entity, factor) if is_placed else None
        if piece is None:
            if entity.dxftype() not in _ANNOTATIONS:
                passed_over.append((layer,))
            continue
        points += sum(len(ring) for ring in piece.rings)
        check_size(points)
        shapes += _shapes(piece, (layer,))
    return Drawing(shapes, passed_over=tuple(passed_over))


@contextmanager
def _naming(entity: Any) -> Iterator[None]:
    """Raise SceneError, with the kind of an entity, for whatever its reading raises."""
    try:
        yield
    except (SceneError, MemoryError):
        raise
    except Exception as error:  # what ezdxf and its entities raise has no common base
        reason = " ".join(str(error).split())
        raise SceneError(f"its {entity.dxftype()} cannot be read: {reason}") from None


def _document(data: bytes) -> Any:
    require("ezdxf", "DXF files")
    from ezdxf import recover
    from ezdxf.document import Drawing as Document
    from ezdxf.lldxf.tagger import binary_tags_loader

    logging.getLogger("ezdxf").setLevel(logging.CRITICAL)  # what it mends is of no interest
    try:
        if data.startswith(_BINARY):
            return Document.load(binary_tags_loader(data))
        document, _ = recover.read(io.BytesIO(data))
    except MemoryError:
        raise
    except Exception as error:  # damage comes up as almost anything
        raise SceneError(
            f"not a DXF file that can be read: {' '.join(str(error).split())}"
        ) from None
    return document


def _entities(document: Any) -> Iterator[tuple[Any, str, bool]]:
    """Yield the entities that are shown, their layers, and whether they are where they belong.

    Blocks are yielded as what they hold, and that is not placed which ezdxf cannot transform.
    """
    if _count(document, document.modelspace(), {}, ()) > _MOST_ENTITIES:
        raise SceneError(f"its blocks make more than the {_MOST_ENTITIES} entities that are read")
    # Names of layers are the same in capitals and small letters.
    hidden = {
        layer.dxf.name.casefold()
        for layer in document.layers
        if layer.is_off() or layer.is_frozen()
    }
    stack = [(entity, "", True) for entity in reversed([*document.modelspace()])]
    while stack:
        entity, outer_layer, is_placed = stack.pop()
        layer = str(_property(entity, "layer", "0"))
        if outer_layer and layer == "0":  # in a block, this stands for the layer of the block
            layer = outer_layer
        if layer.casefold() in hidden or _property(entity, "invisible", 0):
            continue
        skipped: list[Any] = []
        with _naming(entity):
            inner = _parts(entity, skipped) if is_placed else None
        if inner is None:
            yield entity, layer, is_placed
        else:
            stack += [(part, layer, False) for part in skipped]
            stack += [(part, layer, True) for part in reversed(inner)]


def _parts(entity: Any, skipped: list[Any]) -> list[Any] | None:
    """Return the entities that a block or parallel lines consist of; None for all others.

    Those that cannot be put to where the block is are appended to `skipped`.
    """
    if entity.dxftype() == "INSERT":
        block = entity.block()
        if block is None or block.block.is_xref:  # it is missing, or in another file
            return None
        copies = [*entity.multi_insert()] if entity.mcount > 1 else [entity]
        # Those of other programs hold a picture of themselves, or nothing that ezdxf knows.
        unknown = [part for part in block if _is_unknown(part)]
        skipped += unknown * len(copies)
        return [
            part
            for copy in copies
            for part in copy.virtual_entities(
                skipped_entity_callback=lambda part, _: skipped.append(part)
            )
        ]
    if entity.dxftype() == "MLINE":
        return [*entity.virtual_entities()] or None  # none where its style is missing
    return None


def _property(entity: Any, name: str, default: str | int) -> Any:
    if entity.dxf.is_supported(name):
        return entity.dxf.get(name, default)
    return entity.graphic_properties().get(name, default)  # of a kind that ezdxf does not know


def _is_unknown(entity: Any) -> bool:
    """Tell whether ezdxf knows nothing of an entity but its tags."""
    from ezdxf.entities.dxfentity import DXFTagStorage

    return isinstance(entity, DXFTagStorage) and not [*entity.virtual_entities()]


def _count(document: Any, entities: Any, counts: dict[str, int], within: tuple[str, ...]) -> int:
    """Return how many entities there will be without blocks; `counts` is that of blocks so far."""
    total = 0
    for entity in entities:
        if entity.dxftype() != "INSERT":
            total += _lines_of(entity) if entity.dxftype() == "MLINE" else 1
            continue
        name = str(entity.dxf.get("name", "")).lower()
        if name in within or len(within) > _DEEPEST:
            raise SceneError("its blocks are part of themselves, or nested too deeply")
        if name not in counts:
            block = document.blocks.get(name)
            counts[name] = _count(document, block or (), counts, (*within, name))
        total += max(entity.mcount, 1) * (1 + counts[name])
    return total


def _lines_of(entity: Any) -> int:
    """Return about how many lines parallel lines consist of."""
    return 1 + sum(1 + len(vertex.line_params) for vertex in entity.vertices)


def _piece(entity: Any, factor: float) -> _Piece | None:
    """Return an entity as lines in metres; None for a kind that is not read."""
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
    if kind in ("SPLINE", "HELIX"):
        return _spline(entity, factor)
    if kind in ("SOLID", "TRACE", "3DFACE"):
        return _Piece([_plan(entity.wcs_vertices(), factor)], closed=True)
    if kind in ("HATCH", "MPOLYGON"):
        return _Piece([*_hatch_rings(entity, factor)], filled=True)
    return None


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
    points = _flattened(entity.construction_tool(), factor)
    return _Piece([points], closed=bool(entity.closed) or _meets(points))


def _flattened(curve: Any, factor: float) -> Floats:
    """Return the points of a spline or path of ezdxf, in plan.

    It is laid down first: following how it rises could take any number of points.
    """
    from ezdxf.math import Matrix44

    flat = curve.transform(Matrix44.scale(1.0, 1.0, 0.0))
    vertices = getattr(flat, "control_points", None) or flat.control_vertices()
    distance = tolerance_of(_plan(vertices, factor)) / factor
    points = [*itertools.islice(flat.flattening(distance), _MOST_POINTS + 1)]
    if len(points) > _MOST_POINTS:
        raise SceneError(f"a curve has more than {_MOST_POINTS} points")
    return _plan(points, factor)


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
            yield _flattened(loop, factor)


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
