"""Compile all kernels of a package once, in several processes, before the first is needed.

Compiling takes seconds and happens once on a machine, for each version of walkmesh and numba; the
code is then kept in numba's cache. Compiling every kernel at once, in as many processes as there
are cores, takes less time than meeting them one by one during the first build.

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
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba

from walkmesh.kernels.kernel import ENTRY_POINTS

if TYPE_CHECKING:
    from collections.abc import Callable

_STAMP = "walkmesh-kernels.json"
# Building, queries, evaluation, links and validation have packages of their own, so that no one
# waits for kernels of the others; any may call those of the main one.
MAIN = "walkmesh.kernels"
PACKAGES = (
    MAIN,
    "walkmesh.query.kernels",
    "walkmesh.query.clearance.kernels",
    "walkmesh.query.surface.kernels",
    "walkmesh.evaluate.kernels",
    "walkmesh.build.voxel.kernels",
    "walkmesh.build.surface.kernels",
    "walkmesh.build.triangulation.kernels",
    "walkmesh.build.plan.kernels",
    "walkmesh.build.bridges.kernels",
    "walkmesh.links.kernels",
    "walkmesh.validate.kernels",
)
_lock = threading.Lock()
_done: set[str] = set()


def warm_up(package: str = MAIN, progress: Callable[[int, int], None] | None = None) -> int:
    """Make sure that every kernel of a package is compiled, and return how many had to be.

    The first kernel that runs calls it; it costs about a millisecond when there is nothing to do.

    Parameters
    ----------
    package : str
        The package.
    progress : callable, optional
        Called with the number of kernels compiled so far and the number of all; by default a
        line on standard error tells. What it raises ends the compiling.

    Returns
    -------
    int
        The number of kernels that were compiled; 0 when the cache was complete.
    """
    with _lock:
        if package in _done or numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
            return 0
        _done.add(package)
        import_all_kernels(package)
        entry_points = {n: entry for n, entry in ENTRY_POINTS.items() if entry.package == package}
        if not entry_points:
            return 0
        folder = next(iter(entry_points.values())).cache_folder
        if folder is None:  # each kernel compiles when it is met, in every run
            if sys.stderr is not None:
                print(
                    "walkmesh: no folder to keep compiled kernels in; NUMBA_CACHE_DIR can name one",
                    file=sys.stderr,
                )
            return 0
        digests, environment = _digests(package), _environment()
        ready = _read_stamp(folder / _STAMP)
        for module, digest in digests.items():
            if ready.get(module, {}).get("digest") != digest:
                _discard_cache(folder, module)
                ready[module] = {"digest": digest, "environments": []}
        stale = {
            name
            for name, entry in entry_points.items()
            if environment not in ready[entry.__module__]["environments"]
        }
        if not stale:
            return 0
        try:
            tell = progress or _print_progress
            compiled = _compile_in_processes(package, sorted(stale), tell)
        except BaseException:  # whoever is told may have had enough; the next one starts again
            _done.discard(package)
            raise
        for name in stale - compiled:  # the processes died; an error would show here
            entry_points[name].compile()
        for module in digests:
            if environment not in ready[module]["environments"]:
                ready[module]["environments"].append(environment)
        _write_stamp(folder / _STAMP, {module: ready[module] for module in digests})
        return len(stale)


def import_all_kernels(package: str) -> None:
    """Import every module of a package, so that all its entry points are known."""
    for module in pkgutil.iter_modules([str(_folder(package))]):
        if module.name != "warmup":
            importlib.import_module(f"{package}.{module.name}")


def _folder(package: str) -> Path:
    """Return where the sources of a package are."""
    return Path(importlib.import_module(package).__path__[0])


def _digests(package: str) -> dict[str, str]:
    """Return, for each module of a package, a digest of all sources that its kernels can reach."""
    modules = [f"{package}.{file.stem}" for file in sorted(_folder(package).glob("*.py"))]
    imports: dict[str, set[str]] = {}
    contents: dict[str, bytes] = {}
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module in imports:
            continue
        file = _source(module)
        contents[module] = file.read_bytes() if file else b""
        imports[module] = _imported_modules(contents[module])
        waiting.extend(imports[module])
    digests = {}
    for module in modules:
        reached, waiting = {module}, [module]
        while waiting:
            new = imports[waiting.pop()] - reached
            reached |= new
            waiting.extend(new)
        digest = hashlib.sha256()
        for name in sorted(reached):
            digest.update(contents[name])
        digests[module] = digest.hexdigest()
    return digests


def _source(module: str) -> Path | None:
    """Return the file of a module; None for a package, which has no kernels itself."""
    package, _, name = module.rpartition(".")
    source = _folder(package) / f"{name}.py"
    return source if source.exists() else None


def _imported_modules(source: bytes) -> set[str]:
    """Return the modules of walkmesh that a kernel module imports."""
    names: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("walkmesh."):
            module = str(node.module)
            parts = (f"{module}.{alias.name}" for alias in node.names)
            names.update([module] if _source(module) else parts)
    return names


def _environment() -> str:
    """Name what numba itself keeps apart in its cache: machines that share a home folder differ."""
    import llvmlite.binding

    python = ".".join(map(str, sys.version_info[:3]))
    return f"python {python}, numba {numba.__version__}, {llvmlite.binding.get_host_cpu_name()}"


def _read_stamp(stamp: Path) -> dict[str, Any]:
    """Return the digest of each module, and the environments whose cache is complete for it."""
    try:
        modules = json.loads(stamp.read_text())["modules"]
        return {
            str(name): {"digest": str(of["digest"]), "environments": list(of["environments"])}
            for name, of in modules.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _write_stamp(stamp: Path, modules: dict[str, Any]) -> None:
    temporary = stamp.with_name(f"{stamp.name}.{os.getpid()}")
    with contextlib.suppress(OSError):  # on a full disk the next run compiles again
        temporary.write_text(json.dumps({"modules": modules}))
        temporary.replace(stamp)


def _discard_cache(folder: Path, module: str) -> None:
    """Remove the compiled code of a module."""
    for suffix in ("nbi", "nbc"):
        for file in folder.glob(f"{module.rpartition('.')[2]}.*.{suffix}"):
            file.unlink(missing_ok=True)


def _compile_in_processes(
    package: str, names: list[str], progress: Callable[[int, int], None]
) -> set[str]:
    """Compile every kernel, each process taking the next one when it is done with the last.

    Processes are started by command line, not by :mod:`multiprocessing`, which would import the
    caller's main module again.

    Returns
    -------
    set of str
        The kernels that were compiled.
    """
    progress(0, len(names))
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    for name in names:
        waiting.put(name)
    done: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    workers: list[subprocess.Popen[str]] = []
    try:
        for _ in range(min(os.cpu_count() or 1, len(names))):
            workers.append(_start_worker(package))
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


def _start_worker(package: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable or "python", "-m", "walkmesh.kernels.warmup", package],
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
    if sys.stderr is None:
        return
    line = f"walkmesh: compiling kernels, once for this machine: {ready} of {count}"
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{line}" + ("\n" if ready == count else ""))
        sys.stderr.flush()
    elif ready == 0:
        print(line, file=sys.stderr, flush=True)


def _compile_on_request() -> None:
    """Run as a process of :func:`_compile_in_processes`: a line in is a kernel to compile."""
    import_all_kernels(sys.argv[1])
    for line in sys.stdin:
        ENTRY_POINTS[line.strip()].compile()
        print(line.strip(), flush=True)


if __name__ == "__main__":
    _compile_on_request()
