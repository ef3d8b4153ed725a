"""Sources of kernels: which files the code of a kernel is made of, and their digests."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).parents[2]
# How code is kept and who compiles it does not change the code.
_NOT_IN_CODE = {
    f"walkmesh.kernels.{name}" for name in ("compilers", "messages", "sources", "store")
}
# An import at the start of a line; the names may stand in brackets over several lines.
_IMPORT = re.compile(r"^from (walkmesh[\w.]*) import (\([^)]*\)|.*)|^import (walkmesh[\w.]*)", re.M)


@cache
def kernel_packages() -> tuple[str, ...]:
    """Return all packages of kernels: those that are named so, and the packages in them."""
    folders = (f.parent.relative_to(_ROOT) for f in (_ROOT / "walkmesh").rglob("__init__.py"))
    return tuple(sorted(".".join(f.parts) for f in folders if "kernels" in f.parts))


@cache
def module_digest(module: str) -> str:
    """Return a digest of all sources that the kernels of a module can reach.

    It is empty for a module outside walkmesh.
    """
    if not _source(module):
        return ""
    reached, waiting = {module}, [module]
    while waiting:
        new = _imports(waiting.pop()) - reached
        reached |= new
        waiting.extend(new)
    return _digest(*(_source(name) for name in sorted(reached)))


@cache
def package_digest() -> str:
    """Return a digest of the sources of all kernels."""
    files = (
        file
        for package in kernel_packages()
        for file in sorted(_ROOT.joinpath(*package.split(".")).glob("*.py"))
    )
    return _digest(*(file.read_bytes() for file in files))


def _digest(*sources: bytes) -> str:
    digest = hashlib.sha256()
    for source in sources:
        digest.update(len(source).to_bytes(8, "little") + source)
    return digest.hexdigest()


@cache
def _imports(module: str) -> set[str]:
    """Return the modules of walkmesh that a module of kernels imports."""
    names: set[str] = set()
    for package, imported, whole in _IMPORT.findall(_source(module).decode()):
        names.add(package or whole)
        # What is imported from a package may be a module of it.
        names.update(f"{package}.{name}" for name in re.findall(r"\w+", imported) if package)
    return {name for name in names - _NOT_IN_CODE if _source(name)}


@cache
def _source(module: str) -> bytes:
    """Return the source of a module or package; nothing if there is none of that name."""
    path = _ROOT.joinpath(*module.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file.read_bytes()
    return b""
