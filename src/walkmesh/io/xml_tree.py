"""XML as a tree, without what entities can do."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from walkmesh.errors import SceneError
from walkmesh.io.text import shown

_LONGEST_ENTITY = 200  # characters; Illustrator declares addresses of namespaces


def read_xml(data: bytes) -> Element:
    """Return the root element; names are ``{namespace}name``, as ElementTree has them.

    Nothing outside the file is read, and entities are no longer than an address and hold no
    others, so that a small file cannot stand for a huge one.
    """
    builder = TreeBuilder()
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True

    def start(name: str, attributes: dict[str, str]) -> None:
        builder.start(_full(name), {_full(key): value for key, value in attributes.items()})

    def declare(name: str, _: Any, value: str | None, *__: Any) -> None:
        if value is not None and ("&" in value or len(value) > _LONGEST_ENTITY):
            raise SceneError(f"its XML declares the entity {shown(name)}, which is not read")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: builder.end(_full(name))
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = declare
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise SceneError(f"its XML cannot be read: {error}") from None
    return builder.close()


def local_name(name: Any) -> str:
    """Return a name without its namespace."""
    return str(name).rpartition("}")[2]


def _full(name: str) -> str:
    return f"{{{name}" if "}" in name else name
