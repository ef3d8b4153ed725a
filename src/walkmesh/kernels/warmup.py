"""Have kernels ready: what a part of walkmesh can call is compiled when the first is missing.

Compiling takes seconds and happens once on a machine, for each version of walkmesh and numba,
unless compiled kernels came with walkmesh. Whoever is about to need many, as a build is, announces
them with :func:`prepare`, which takes no time. The first that turns out to be missing has all of
them compiled in the order in which they are needed, in as many processes as there are cores, while
the caller goes on with those that are ready.
"""

from __future__ import annotations

import importlib
import pkgutil
import threading
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numba

from walkmesh.kernels import compilers, store
from walkmesh.kernels.kernel import ENTRY_POINTS, EntryPoint
from walkmesh.kernels.messages import say_progress
from walkmesh.kernels.sources import kernel_packages, module_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_lock = threading.Lock()
_announced: dict[str, None] = {}  # rooms whose kernels were not looked for yet


def prepare(*rooms: str) -> None:
    """Announce that the kernels which the modules of some packages can call are about to be needed.

    Parameters
    ----------
    *rooms : str
        Packages, such as ``walkmesh.builder.exact``, in the order in which they are needed; see
        :func:`kernels_reached`.
    """
    _announced.update(dict.fromkeys(rooms))


def compile_announced(entry: EntryPoint) -> bytes | None:
    """Have a missing kernel compiled, and with it all that were announced.

    Returns
    -------
    bytes or None
        Its code; None if the caller has to compile it.
    """
    if not module_digest(entry.__module__):  # it is not walkmesh's own
        return None
    with _lock:
        reached = kernels_reached(*_announced)
        _announced.clear()
        of_module = [e for e in list(ENTRY_POINTS.values()) if e.__module__ == entry.__module__]
        names = dict.fromkeys(e.name for e in (entry, *of_module, *reached))
        missing = [name for name in names if not store.has(name)]
        missing.sort(key=lambda name: ENTRY_POINTS[name].rare)
        # Starting a process takes longer than compiling one kernel.
        if len(missing) > 1:
            compilers.shared.ask(missing)
    return compilers.shared.take(entry.name)


def warm_up(
    entry_points: Iterable[EntryPoint], progress: Callable[[int, int], None] | None = None
) -> int:
    """Make sure that kernels are compiled, and return how many had to be.

    Parameters
    ----------
    entry_points : iterable of EntryPoint
        The kernels.
    progress : callable, optional
        Called with the number of kernels compiled so far and the number of all; by default a
        line on standard error tells. What it raises ends the compiling.

    Returns
    -------
    int
        The number of kernels that were compiled; 0 when all were there.
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return 0
    missing = [entry for entry in entry_points if not store.has(entry.name)]
    tell = progress or say_progress
    pool = compilers.Compilers()
    try:
        if len(missing) > 1:
            pool.ask(entry.name for entry in missing)
        for ready, entry in enumerate(missing):
            tell(ready, len(missing))
            if pool.take(entry.name) is None:  # also where processes died: errors show here
                entry.compile()
        if missing:
            tell(len(missing), len(missing))
    finally:
        pool.stop()
    return len(missing)


def all_kernels() -> list[EntryPoint]:
    """Import every module of every package of kernels, and return all entry points."""
    for package in kernel_packages():
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
            if not module.ispkg:
                importlib.import_module(f"{package}.{module.name}")
    return list(ENTRY_POINTS.values())


def kernels_reached(*rooms: str) -> list[EntryPoint]:
    """Return the entry points that the modules of some packages can call.

    They are followed from import to import, into packages around these, but not into other ones
    that have kernels: a build that bridges no gaps needs no kernels for bridges.

    Stages of a build come in their order, and what they call behind each of them.

    Parameters
    ----------
    *rooms : str
        Packages, such as ``walkmesh.builder.exact``.
    """
    around = {name for room in rooms for name in _packages_around(room)}
    owners = {package.partition(".kernels")[0] for package in kernel_packages()}
    seen, found = set[str](), dict[str, EntryPoint]()

    def visit(name: str) -> None:
        if name in seen:
            return
        seen.add(name)
        module = importlib.import_module(name)
        for value in (*getattr(module, "STAGES", ()), *vars(module).values()):
            if isinstance(value, EntryPoint):
                found.setdefault(value.name, value)
                continue
            is_module = isinstance(value, ModuleType)
            origin = value.__name__ if is_module else _origin(value)
            if not origin.startswith("walkmesh."):
                continue
            if ".kernels." in f"{origin}.":
                # Of a module of kernels only what is named is called, unless it is imported whole.
                if is_module:
                    visit(origin)
            elif next(room for room in _packages_around(origin) if room in owners) in around:
                visit(origin)

    for room in rooms:
        for name in _modules_in(room, owners):
            visit(name)
    return list(found.values())


def _origin(value: Any) -> str:
    """Return the module that a function or class comes from, nothing for other objects."""
    return str(getattr(value, "__module__", None) or "") if callable(value) else ""


def _packages_around(name: str) -> Iterator[str]:
    """Yield a module and the packages it is in, from the inside out."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def _modules_in(room: str, owners: set[str]) -> Iterator[str]:
    """Yield the modules of a package, but not those of packages inside that have kernels."""
    yield room
    for module in pkgutil.iter_modules(getattr(importlib.import_module(room), "__path__", ())):
        name = f"{room}.{module.name}"
        if not module.ispkg:
            yield name
        elif module.name != "kernels" and name not in owners:
            yield from _modules_in(name, owners)
