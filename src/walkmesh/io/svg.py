"""SVG drawings: shapes, groups, transforms and copies."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from walkmesh.errors import SceneError
from walkmesh.io.curves import ellipse_points
from walkmesh.io.drawing import Drawing, check_size, filled_shapes, line_shape, polygon_shape
from walkmesh.io.svg_path import Affine, Subpath, read_numbers, read_path
from walkmesh.io.svg_style import Style, StyleSheet, read_style_sheet
from walkmesh.io.text import shown
from walkmesh.io.xml_tree import local_name, read_xml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from walkmesh.io.drawing import Shape

_GROUPS = ("svg", "g", "a", "switch")
_SHAPES = ("path", "polygon", "polyline", "line", "rect", "circle", "ellipse")
_TRANSFORM = re.compile(r"(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)")
_LENGTH = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([a-zA-Z]*|%)\s*")
# User units, of which 96 are an inch on paper.
_UNITS = {"": 1.0, "px": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "pt": 4 / 3, "pc": 16.0}

# Copies of copies can make any number of shapes of a few lines.
_MOST_COPIES = 200_000
_DEEPEST = 1000


class _Visit(NamedTuple):
    """An element, and what those around it do to it."""

    element: Element
    affine: Affine
    style: Style
    layers: tuple[str, ...]
    copied: tuple[str, ...]  # the ids of the copies that it is part of
    size: tuple[float, float] | None = None  # that a copy gives it


def read_svg(data: bytes, scale: float) -> Drawing:
    """Read everything that is shown, upright as seen from above.

    What is closed or filled are polygons, everything else lines. `scale` is how many metres a user
    unit is, whatever the size on paper.
    """
    root = read_xml(data)
    if local_name(root.tag) != "svg":
        raise SceneError(f"its XML is {shown(local_name(root.tag))}; it must be svg")
    elements = {element.get("id"): element for element in reversed([*root.iter()])}
    sheet = read_style_sheet(root)
    box = _view_box(root)
    if box:
        turn = 2.0 * box[1] + box[3]
    else:
        turn = _length(root, "height", 0.0) if not root.get("height", "").endswith("%") else 0.0
    upright = Affine(scale, 0.0, 0.0, -scale, 0.0, scale * turn)
    shapes: list[Shape] = []
    points = 0
    for visit, style in _visits(root, upright, elements, sheet):
        subpaths = _subpaths(visit.element, visit.affine, box)
        points += sum(len(subpath.points) for subpath in subpaths)
        check_size(points)
        shapes += _shapes(subpaths, style, visit.layers)
    return Drawing(shapes)


def _visits(
    root: Element, upright: Affine, elements: dict[str | None, Element], sheet: StyleSheet
) -> Iterator[tuple[_Visit, Style]]:
    """Yield every shape that is shown, as often as it is, in the order of the file."""
    stack = [_Visit(root, upright, Style({}), (), ())]
    copies = 0
    while stack:
        visit = stack.pop()
        copies += bool(visit.copied)
        if copies > _MOST_COPIES or max(len(visit.copied), len(visit.layers)) > _DEEPEST:
            raise SceneError("its groups and 'use' elements are too many, or nested too deeply")
        element = visit.element
        name = local_name(element.tag)
        style = sheet.style(element, name, visit.style)
        if not style.displayed:
            continue
        if visit.element is not root:
            visit = visit._replace(affine=visit.affine.after(_transform(element)))
        if name in _SHAPES:
            if style.visible:
                yield visit, style
        elif name == "use":
            stack.append(_copied(visit, style, elements))
        elif name in _GROUPS or (name == "symbol" and visit.size is not None):
            affine = visit.affine
            if name in ("svg", "symbol") and element is not root:
                affine = affine.after(_viewport(element, visit.size))
            names = tuple(
                value
                for key, value in element.attrib.items()
                if key == "id" or local_name(key) == "label"
            )
            inner = _Visit(element, affine, style, visit.layers + names, visit.copied)
            stack += [inner._replace(element=child) for child in reversed(element)]


def _copied(visit: _Visit, style: Style, elements: dict[str | None, Element]) -> _Visit:
    """Return what a ``use`` element shows."""
    element = visit.element
    link = next((v for k, v in element.attrib.items() if local_name(k) == "href"), "")
    target = elements.get(link[1:]) if link.startswith("#") else None
    if target is None:
        raise SceneError(f"a 'use' element shows {shown(link)}, which is not in the file")
    if link in visit.copied:
        raise SceneError(f"a 'use' element shows {shown(link)}, which it is part of")
    shift = Affine(e=_length(element, "x", 0.0), f=_length(element, "y", 0.0))
    size = (_length(element, "width", math.nan), _length(element, "height", math.nan))
    return _Visit(
        target, visit.affine.after(shift), style, visit.layers, (*visit.copied, link), size
    )


def _viewport(element: Element, size: tuple[float, float] | None) -> Affine:
    """Return the map from the coordinates inside an inner ``svg`` or ``symbol`` to those around."""
    shift = Affine(e=_length(element, "x", 0.0), f=_length(element, "y", 0.0))
    box = _view_box(element)
    if not box:
        return shift
    own = (_length(element, "width", math.nan), _length(element, "height", math.nan))
    width, height = (
        given if given == given else mine if mine == mine else default
        for given, mine, default in zip(size or (math.nan,) * 2, own, box[2:], strict=True)
    )
    across, up = width / box[2], height / box[3]
    if element.get("preserveAspectRatio", "").strip() != "none":  # centred, and all of it shown
        across = up = min(across, up)
    e, f = (width - across * box[2]) / 2.0, (height - up * box[3]) / 2.0
    return shift.after(Affine(across, 0.0, 0.0, up, e - across * box[0], f - up * box[1]))


def _view_box(element: Element) -> list[float] | None:
    numbers = read_numbers(element.get("viewBox", ""))
    return numbers if len(numbers) == 4 and numbers[2] > 0.0 and numbers[3] > 0.0 else None


def _transform(element: Element) -> Affine:
    result = Affine()
    text = element.get("transform", "")
    if _TRANSFORM.sub("", text).replace(",", " ").strip():
        raise SceneError(f"{shown(text)} is not an SVG transform")
    for kind, body in _TRANSFORM.findall(text):
        result = result.after(_simple_transform(kind, read_numbers(body)))
    return result


def _simple_transform(kind: str, numbers: list[float]) -> Affine:
    match kind, numbers:
        case "matrix", [a, b, c, d, e, f]:
            return Affine(a, b, c, d, e, f)
        case "translate", [x, *rest] if len(rest) <= 1:
            return Affine(e=x, f=rest[0] if rest else 0.0)
        case "scale", [x, *rest] if len(rest) <= 1:
            return Affine(a=x, d=rest[0] if rest else x)
        case "rotate", [degrees, *centre] if len(centre) in (0, 2):
            cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
            x, y = centre or (0.0, 0.0)
            return Affine(cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y)
        case "skewX", [degrees]:
            return Affine(c=math.tan(math.radians(degrees)))
        case "skewY", [degrees]:
            return Affine(b=math.tan(math.radians(degrees)))
    raise SceneError(f"the transform {kind} does not take {len(numbers)} numbers")


def _length(
    element: Element, name: str, default: float, box: list[float] | None = None, along: int = 0
) -> float:
    """Return a length in user units; `along` is 2 for parts of the width, 3 for the height."""
    text = element.get(name)
    if text is None or not text.strip() or text.strip() == "auto":
        return default
    found = _LENGTH.fullmatch(text)
    number = float(found.group(1)) if found else math.inf
    unit = found.group(2).lower() if found else ""
    if not abs(number) < 1e30 or (unit not in _UNITS and unit != "%"):
        raise SceneError(
            f"{local_name(element.tag)!r} has the {name} {shown(text)}, which is not a length"
        )
    if unit != "%":
        return number * _UNITS[unit]
    if not box:
        return default
    part = box[along] if along else math.hypot(box[2], box[3]) / math.sqrt(2.0)
    return number / 100.0 * part


def _subpaths(element: Element, affine: Affine, box: list[float] | None) -> list[Subpath]:
    """Return the outlines of a shape."""

    def across(name: str, default: float = 0.0) -> float:
        return _length(element, name, default, box, 2)

    def along(name: str, default: float = 0.0) -> float:
        return _length(element, name, default, box, 3)

    name = local_name(element.tag)
    if name == "path":
        return read_path(element.get("d", ""), affine)
    if name in ("polygon", "polyline"):
        numbers = read_numbers(element.get("points", ""))
        corners = np.array(numbers[: len(numbers) // 2 * 2]).reshape(-1, 2)
        is_closed = name == "polygon" or bool(len(corners) and np.all(corners[0] == corners[-1]))
        return [Subpath(affine.points(corners), is_closed)]
    if name == "line":
        ends = np.array([[across("x1"), along("y1")], [across("x2"), along("y2")]])
        return [Subpath(affine.points(ends), False)]
    if name == "rect":
        corner_sizes = across("rx", math.nan), along("ry", math.nan)
        size = across("width"), along("height")
        return _rectangle(across("x"), along("y"), size, corner_sizes, affine)
    if name == "circle":
        rx = ry = _length(element, "r", 0.0, box)
    else:
        rx, ry = across("rx"), along("ry")
    if not (rx > 0.0 and ry > 0.0):
        return []
    centre = affine.points(np.array([[across("cx"), along("cy")]]))[0]
    first, second = affine.vectors(np.array([[rx, 0.0], [0.0, ry]]))
    return [Subpath(ellipse_points(centre, first, second, 0.0, 2.0 * math.pi)[:-1], True)]


def _rectangle(
    x: float,
    y: float,
    size: tuple[float, float],
    corner_sizes: tuple[float, float],
    affine: Affine,
) -> list[Subpath]:
    """Return a rectangle, whose corners may be round."""
    width, height = size
    if not (width > 0.0 and height > 0.0):
        return []
    rx, ry = corner_sizes
    rx = rx if rx == rx else ry if ry == ry else 0.0  # nan is not given
    ry = ry if ry == ry else rx
    rx, ry = min(max(rx, 0.0), width / 2.0), min(max(ry, 0.0), height / 2.0)
    right, low = x + width, y + height
    if not (rx > 0.0 and ry > 0.0):
        corners = np.array([[x, y], [right, y], [right, low], [x, low]])
        return [Subpath(affine.points(corners), True)]
    arc = f"A {rx!r} {ry!r} 0 0 1"
    return read_path(
        f"M {x + rx!r} {y!r} H {right - rx!r} {arc} {right!r} {y + ry!r} "
        f"V {low - ry!r} {arc} {right - rx!r} {low!r} "
        f"H {x + rx!r} {arc} {x!r} {low - ry!r} V {y + ry!r} {arc} {x + rx!r} {y!r} Z",
        affine,
    )


def _shapes(subpaths: list[Subpath], style: Style, layers: tuple[str, ...]) -> list[Shape]:
    """Return what a shape's subpaths are: filled together, or each for itself."""
    if style.filled:
        rings = [subpath.points for subpath in subpaths if len(subpath.points) > 1]
        shapes = filled_shapes(rings, layers, even_odd=style.even_odd)
        # A line without a stroke, and what else encloses nothing, cannot be seen.
        return [s for s in shapes if style.stroked or s.geometry.geom_type == "Polygon"]
    return [
        shape
        for points, closed in subpaths
        for shape in (
            polygon_shape([points], None, layers) if closed else line_shape(points, None, layers)
        )
    ]
