"""What SVG's styles say about shapes: whether they are shown, filled and stroked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from walkmesh.io.xml_tree import local_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

_INHERITED = (
    *("fill", "fill-opacity", "fill-rule", "stroke", "stroke-opacity", "stroke-width"),
    "visibility",
)
_PROPERTIES = (*_INHERITED, "display", "opacity")

_NOT_GIVEN = (None, "", "inherit")
_MARKS = re.compile(r"[{};]")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")


class Style(NamedTuple):
    """How an element is shown.

    Attributes
    ----------
    values : dict of str to str
        The values of properties that it inherits, or passes on; what is not there is as SVG has
        it by default: filled in black, and not stroked.
    displayed : bool
        Whether it, and what it holds, is shown at all.
    """

    values: dict[str, str]
    displayed: bool = True

    @property
    def filled(self) -> bool:
        """Whether the inside can be seen."""
        return self._paints("fill", "black")

    @property
    def stroked(self) -> bool:
        """Whether the line can be seen."""
        return self._paints("stroke", "none") and not _is_zero(self.values.get("stroke-width"))

    @property
    def even_odd(self) -> bool:
        """Whether that is filled which is inside an odd number of times."""
        return self.values.get("fill-rule") == "evenodd"

    @property
    def visible(self) -> bool:
        """Whether anything of it can be seen."""
        is_visible = self.values.get("visibility", "visible") == "visible"
        return is_visible and (self.filled or self.stroked)

    def _paints(self, name: str, default: str) -> bool:
        paint = self.values.get(name, default)
        return paint not in ("none", "transparent") and not _is_zero(
            self.values.get(f"{name}-opacity")
        )


class StyleSheet(NamedTuple):
    """The declarations of a drawing's style sheets, by selectors that are a single name.

    Attributes
    ----------
    rules : dict of str to dict of str to str
        By ``*``, ``name``, ``.class`` and ``#id``; the values of properties.
    """

    rules: dict[str, dict[str, str]]

    def style(self, element: Element, name: str, inherited: Style) -> Style:
        """Return the style of an element among those that it inherits from."""
        values = {key: element.get(key, "").strip() for key in _PROPERTIES if key in element.attrib}
        classes = [f".{name}" for name in element.get("class", "").split()]
        for selector in ("*", name, *classes, f"#{element.get('id')}"):
            values.update(self.rules.get(selector, {}))
        values.update(_declarations(element.get("style", "")))
        values = {key: value.lower() for key, value in values.items()}
        own = {key: values[key] for key in _INHERITED if values.get(key) not in _NOT_GIVEN}
        is_displayed = values.get("display") != "none" and not _is_zero(values.get("opacity"))
        return Style({**inherited.values, **own} if own else inherited.values, is_displayed)


def read_style_sheet(root: Element) -> StyleSheet:
    """Read the ``style`` elements of a drawing."""
    rules: dict[str, dict[str, str]] = {}
    for element in root.iter():
        if local_name(element.tag) != "style":
            continue
        first, *others = (element.text or "").split("/*")
        text = first + "".join(other.partition("*/")[2] for other in others)
        for selectors, body in _rules(text):
            declarations = _declarations(body)
            for selector in selectors.split(",") if declarations else ():
                rules.setdefault(selector.strip(), {}).update(declarations)
    return StyleSheet(rules)


def _rules(text: str) -> Iterator[tuple[str, str]]:
    """Yield the selectors and the declarations of each rule, but of none in ``@media`` and such."""
    depth, start, inside = 0, 0, 0
    for found in _MARKS.finditer(f"{text}}}"):  # what is left open ends with the text
        mark = found.group()
        if mark == "{":
            depth += 1
            inside = found.end() if depth == 1 else inside
        elif mark == "}" and depth:
            depth = depth - 1 if found.end() <= len(text) else 0
            selectors = text[start : inside - 1].strip()
            if not depth and not selectors.startswith("@"):
                yield selectors, text[inside : found.start()]
        if mark != "{" and not depth:
            start = found.end()


def _is_zero(value: str | None) -> bool:
    """Tell whether a number, a length or a share is 0; what is none of these does not count."""
    found = _NUMBER.match(value or "")
    return found is not None and float(found.group()) == 0.0


def _declarations(text: str) -> dict[str, str]:
    """Return the properties that matter here."""
    pairs = (declaration.partition(":") for declaration in text.split(";"))
    named = ((key.strip(), value) for key, _, value in pairs)
    return {
        key: value.replace("!important", "").strip() for key, value in named if key in _PROPERTIES
    }
