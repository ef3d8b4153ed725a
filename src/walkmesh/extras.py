"""Packages that a part of walkmesh needs, and the extras that install them."""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple

from walkmesh.errors import MissingPackageError


class _Extra(NamedTuple):
    """Where a package comes from."""

    distribution: str
    name: str


# By the name that is imported. An extra is one of pyproject.toml.
EXTRAS = {
    "PIL": _Extra("pillow", "plans"),
    "ezdxf": _Extra("ezdxf", "plans"),
    "matplotlib": _Extra("matplotlib", "plot"),
    "networkx": _Extra("networkx", "plans"),
    "viser": _Extra("viser", "view"),
    "yaml": _Extra("pyyaml", "plans"),
}


def require(package: str, for_what: str) -> None:
    """Refuse what needs a package that is not installed.

    Parameters
    ----------
    package : str
        The name that is imported, one of `EXTRAS`.
    for_what : str
        What needs it, in the plural: it begins the message.

    Raises
    ------
    MissingPackageError
        With the command that installs it.
    """
    if find_spec(package) is None:
        extra = EXTRAS[package]
        raise MissingPackageError(
            f"{for_what} need {extra.distribution}: pip install 'walkmesh[{extra.name}]'"
        )
