"""Compile kernels once, in several processes, before the first is needed.

Compiling takes seconds and happens once on a machine, for each version of walkmesh and numba; the
code is then kept in numba's cache. A kernel that is met alone is compiled with those of its module.
Whoever is about to need many, as a build is, calls :func:`prepare` first: compiling them at once,
in as many processes as there are cores, takes less time than meeting them one by one.

numba's cache looks at the file of a kernel only, not at the kernels it calls in other files. So a
stamp beside the cache holds, for each module, a digest of its source and of all sources it imports;
a module whose digest has changed is compiled again.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib
import json
import os
import pkgutil
import queue
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numba

from walkmesh.kernels.kernel import ENTRY_POINTS, EntryPoint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_STAMP = "walkmesh-kernels.json"
_lock = threading.Lock()
_prepared: set[tuple[str, ...]] = set()
_checked: set[str] = set()  # names of entry points whose compiled code is there
_said: list[str] = []  # what was printed, where a line cannot be rewritten


def prepare(*rooms: str, progress: Callable[[int, int], None] | None = None) -> None:
    """Make sure that all kernels which the modules of some packages can call are compiled.

    Parameters
    ----------
    *rooms : str
        Packages, such as ``walkmesh.build.exact``; see :func:`kernels_reached`.
    progress : callable, optional
        As for :func:`warm_up`.
    """
    if rooms not in _prepared:
        warm_up(kernels_reached(*rooms), progress)
        _prepared.add(rooms)


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
        The number of kernels that were compiled; 0 when the cache was complete.
    """
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return 0
    with _lock:
        wanted = {entry.name: entry for entry in entry_points if entry.name not in _checked}
        folders = {name: entry.cache_folder for name, entry in wanted.items()}
        if None in folders.values():  # each kernel compiles when it is met, in every run
            _say("no folder to keep compiled kernels in; NUMBA_CACHE_DIR can name one")
            return 0
        environment = _environment()
        kept = {folder: _Stamp(folder / _STAMP) for folder in set(folders.values()) if folder}
        stale = []
        for name, entry in wanted.items():
            folder = folders[name]
            assert folder is not None
            digest = _digest(entry.__module__)
            if not kept[folder].has_digest(entry.__module__, digest):
                _discard_cache(folder, entry.__module__)
            if not kept[folder].has(entry.__module__, digest, environment, name):
                stale.append(name)
        if stale:
            tell = progress or _print_progress
            tell(0, len(stale))
            # Starting a process takes longer than compiling one kernel.
            compiled = _compile_in_processes(sorted(stale), tell) if len(stale) > 1 else set()
            for name in set(stale) - compiled:  # also where processes died: errors show here
                wanted[name].compile()
            tell(len(stale), len(stale))
            for name in stale:
                folder, module = folders[name], wanted[name].__module__
                assert folder is not None
                kept[folder].add(module, _digest(module), environment, name)
            for stamp in kept.values():
                stamp.write()
        _checked.update(wanted)
        return len(stale)


def warm_up_module(entry: EntryPoint) -> None:
    """Make sure that a kernel is compiled: with those of its module, unless it was prepared."""
    if entry.name not in _checked:
        warm_up(e for e in list(ENTRY_POINTS.values()) if e.__module__ == entry.__module__)


@cache
def kernel_packages() -> tuple[str, ...]:
    """Return all packages of kernels: those that are named so, and the packages in them."""
    root = Path(__file__).parents[1]
    folders = (file.parent.relative_to(root.parent) for file in root.rglob("__init__.py"))
    return tuple(sorted(".".join(f.parts) for f in folders if "kernels" in f.parts))


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

    Parameters
    ----------
    *rooms : str
        Packages, such as ``walkmesh.build.exact``.
    """
    around = {name for room in rooms for name in _packages_around(room)}
    owners = {package.partition(".kernels")[0] for package in kernel_packages()}
    waiting = [name for room in rooms for name in _modules_in(room, owners)]
    seen, found = set(waiting), dict[str, EntryPoint]()
    while waiting:
        module = importlib.import_module(waiting.pop())
        for value in vars(module).values():
            if isinstance(value, EntryPoint):
                found[value.name] = value
                continue
            name = value.__name__ if isinstance(value, ModuleType) else _origin(value)
            if name in seen or not name.startswith("walkmesh."):
                continue
            seen.add(name)
            if ".kernels." in f"{name}.":
                # Of a module of kernels only what is named is called, unless it is imported whole.
                waiting.extend([name] if isinstance(value, ModuleType) else ())
            elif next(room for room in _packages_around(name) if room in owners) in around:
                waiting.append(name)
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


@cache
def _digest(module: str) -> str:
    """Return a digest of all sources that the kernels of a module can reach."""
    reached, waiting = {module}, [module]
    while waiting:
        new = _imports(waiting.pop()) - reached
        reached |= new
        waiting.extend(new)
    digest = hashlib.sha256()
    for name in sorted(reached):
        digest.update(_source(name))
    return digest.hexdigest()


@cache
def _imports(module: str) -> set[str]:
    """Return the modules of walkmesh that a module of kernels imports."""
    names: set[str] = set()
    for node in ast.parse(_source(module)).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("walkmesh."):
            package = str(node.module)
            parts = (f"{package}.{alias.name}" for alias in node.names)
            names.update([package] if _source(package) else parts)
    return names


@cache
def _source(module: str) -> bytes:
    """Return the source of a module; nothing for a package, which has no kernels itself."""
    package, _, name = module.rpartition(".")
    file = Path(importlib.import_module(package).__path__[0]) / f"{name}.py"
    return file.read_bytes() if file.exists() else b""


def _environment() -> str:
    """Name what numba itself keeps apart in its cache: machines that share a home folder differ."""
    import llvmlite.binding

    python = ".".join(map(str, sys.version_info[:3]))
    return f"python {python}, numba {numba.__version__}, {llvmlite.binding.get_host_cpu_name()}"


class _Stamp:
    """Which kernels of a folder are in numba's cache, by the digests of their modules.

    Kernels are listed for each environment: machines that share a home folder differ.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._modules = self._read()
        self._new: list[tuple[str, str, str, str]] = []

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            modules = json.loads(self._file.read_text())["modules"]
            return {
                str(name): {
                    "digest": str(of["digest"]),
                    "environments": {str(e): list(n) for e, n in of["environments"].items()},
                }
                for name, of in modules.items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}

    def has_digest(self, module: str, digest: str) -> bool:
        """Tell whether code of a module can be there that was made of these sources."""
        return bool(self._modules.get(module, {}).get("digest") == digest)

    def has(self, module: str, digest: str, environment: str, name: str) -> bool:
        """Tell whether the code of a kernel is there."""
        if not self.has_digest(module, digest):
            return False
        return name in self._modules[module]["environments"].get(environment, ())

    def add(self, module: str, digest: str, environment: str, name: str) -> None:
        """Note that the code of a kernel is there now."""
        self._new.append((module, digest, environment, name))

    def write(self) -> None:
        """Add what is new to the file, to which others may have added as well."""
        modules = self._read()
        for module, digest, environment, name in self._new:
            if modules.get(module, {}).get("digest") != digest:
                modules[module] = {"digest": digest, "environments": {}}
            names = modules[module]["environments"].setdefault(environment, [])
            if name not in names:
                names.append(name)
        temporary = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        with contextlib.suppress(OSError):  # on a full disk the next run compiles again
            temporary.write_text(json.dumps({"modules": modules}))
            temporary.replace(self._file)


def _discard_cache(folder: Path, module: str) -> None:
    """Remove the compiled code of a module."""
    for suffix in ("nbi", "nbc"):
        for file in folder.glob(f"{module.rpartition('.')[2]}.*.{suffix}"):
            file.unlink(missing_ok=True)


def _compile_in_processes(names: list[str], progress: Callable[[int, int], None]) -> set[str]:
    """Compile every kernel, each process taking the next one when it is done with the last.

    Processes are started by command line, not by :mod:`multiprocessing`, which would import the
    caller's main module again.

    Returns
    -------
    set of str
        The kernels that were compiled.
    """
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    for name in names:
        waiting.put(name)
    done: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    workers: list[subprocess.Popen[str]] = []
    try:
        for _ in range(min(os.cpu_count() or 1, len(names))):
            workers.append(_start_worker())
            threading.Thread(target=_feed, args=(workers[-1], waiting, done), daemon=True).start()
    except OSError:  # no more processes to be had here
        pass
    try:
        compiled: set[str] = set()
        running = len(workers)
        while running:
            line = done.get()
            if line is None:
                running -= 1
            else:
                compiled.add(line.strip())
                progress(len(compiled), len(names))
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    return compiled


def _start_worker() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable or "python", "-m", "walkmesh.kernels.warmup"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        bufsize=1,
    )


def _feed(
    worker: subprocess.Popen[str],
    waiting: queue.SimpleQueue[str],
    done: queue.SimpleQueue[str | None],
) -> None:
    """Give a process one name after another, and pass on what it has compiled; None at the end."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    with contextlib.suppress(OSError, ValueError, queue.Empty):  # it died, or nothing is left
        while True:
            worker.stdin.write(waiting.get_nowait() + "\n")
            line = worker.stdout.readline()
            if not line:
                break
            done.put(line)
    for stream in (worker.stdin, worker.stdout):
        with contextlib.suppress(OSError):
            stream.close()
    done.put(None)


def _print_progress(ready: int, count: int) -> None:
    """Tell on standard error: one line, rewritten in place on a terminal."""
    line = f"compiling kernels, once for this machine: {ready} of {count}"
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"\rwalkmesh: {line}" + ("\n" if ready == count else ""))
        sys.stderr.flush()
    elif ready == 0 and not any(line.startswith("compiling") for line in _said):
        _say(line)


def _say(line: str) -> None:
    """Print a line on standard error, once."""
    if line not in _said and sys.stderr is not None:
        _said.append(line)
        print(f"walkmesh: {line}", file=sys.stderr, flush=True)


def _compile_on_request() -> None:
    """Run as a process of :func:`_compile_in_processes`: a line in is a kernel to compile."""
    for line in sys.stdin:
        name = line.strip()
        importlib.import_module(name.rpartition(".")[0])
        ENTRY_POINTS[name].compile()
        print(name, flush=True)


if __name__ == "__main__":
    _compile_on_request()
