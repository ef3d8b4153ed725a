"""What SVG's styles say about shapes: whether they are shown and how they are filled."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from walkmesh.io.xml_tree import local_name

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_PROPERTIES = ("fill", "fill-rule", "display", "visibility")


class Style(NamedTuple):
    """What is inherited, and whether an element is shown at all."""

    filled: bool = True
    even_odd: bool = False
    visible: bool = True
    displayed: bool = True


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
        fill = values.get("fill", "inherit")
        rule = values.get("fill-rule", "inherit")
        visibility = values.get("visibility", "inherit")
        return Style(
            inherited.filled if fill == "inherit" else fill not in ("none", "transparent"),
            inherited.even_odd if rule == "inherit" else rule == "evenodd",
            inherited.visible if visibility == "inherit" else visibility == "visible",
            values.get("display") != "none",
        )


def read_style_sheet(root: Element) -> StyleSheet:
    """Read the ``style`` elements of a drawing."""
    rules: dict[str, dict[str, str]] = {}
    for element in root.iter():
        if local_name(element.tag) != "style":
            continue
        first, *others = (element.text or "").split("/*")
        text = first + "".join(other.partition("*/")[2] for other in others)
        for rule in text.split("}"):
            selectors, _, body = rule.partition("{")
            declarations = _declarations(body)
            for selector in selectors.split(",") if declarations else ():
                rules.setdefault(selector.strip(), {}).update(declarations)
    return StyleSheet(rules)


def _declarations(text: str) -> dict[str, str]:
    """Return the properties that matter here."""
    pairs = (declaration.partition(":") for declaration in text.split(";"))
    named = ((key.strip(), value) for key, _, value in pairs)
    return {
        key: value.replace("!important", "").strip() for key, value in named if key in _PROPERTIES
    }
