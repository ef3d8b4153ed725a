"""Stores: where compiled kernels are kept, and how they are found again.

A wheel of walkmesh for one kind of machine has its kernels compiled in the folder ``shipped``, for
a processor that all such machines have at least. They are used if nothing that decides about code
differs. All others are compiled where they are needed, for the processor at hand, and kept in the
first folder that can be written to: the one that ``NUMBA_CACHE_DIR`` names, ``__pycache__`` of this
package, or the user's folder for caches.

The name of a kept file says what the code was made of, so a file is right or it is not there; its
content begins with a digest of the rest, so a damaged file is as good as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
from functools import cache
from pathlib import Path

from walkmesh.kernels.messages import say
from walkmesh.kernels.object_code import runs_here, target
from walkmesh.kernels.sources import module_digest, package_digest

_SHIPPED = Path(__file__).parent / "shipped"
_MANIFEST = "manifest.json"
_DIGEST_BYTES = 32


def read(kernel: str) -> bytes | None:
    """Return the code of a kernel; None if there is none that can be used.

    Parameters
    ----------
    kernel : str
        The name of an entry point, such as ``walkmesh.kernels.meshes.soup.measure``.
    """
    if kernel in shipped_kernels():
        code = _read_sealed(_SHIPPED / f"{kernel}.code")
        if code is not None:
            return code
        say(f"the compiled kernel {kernel} that came with walkmesh is damaged; compiling it")
    name = _file_name(kernel)
    codes = (_read_sealed(folder / name) for folder in _folders() if name)
    return next((code for code in codes if code is not None), None)


def has(kernel: str) -> bool:
    """Tell whether there is code of a kernel; whether it is whole is seen when it is read."""
    if kernel in shipped_kernels():
        return True
    name = _file_name(kernel)
    return bool(name) and any((folder / name).is_file() for folder in _folders())


def keep(kernel: str, code: bytes) -> bool:
    """Keep the code of a kernel, and return whether there is a place for it."""
    name = _file_name(kernel)
    if not name:
        return False
    folder = _writable_folder()
    if folder is None:
        say("no folder to keep compiled kernels in; NUMBA_CACHE_DIR can name one")
        return False
    # A full disk costs no more than compiling again.
    with contextlib.suppress(OSError):
        _write_sealed(folder / name, code)
        for old in folder.glob(f"{kernel}-{_target_digest()}-*.code"):
            if old.name != name:
                old.unlink(missing_ok=True)
    return True


@cache
def shipped_kernels() -> frozenset[str]:
    """Return the names of the kernels that came with walkmesh, if they can be used here."""
    try:
        manifest = json.loads((_SHIPPED / _MANIFEST).read_text())
        made_for, level = dict(manifest["target"]), str(manifest["target"]["processor"])
        kernels, sources = frozenset(manifest["kernels"]), manifest["sources"]
    except FileNotFoundError:  # installed from source
        return frozenset()
    except (OSError, ValueError, KeyError, TypeError):
        why = "their list is damaged"
    else:
        here = target() | {"processor": level, "features": made_for.get("features")}
        different = [what for what in here if made_for.get(what) != here[what]]
        if different:
            what = different[0]
            why = f"they are for {what} {made_for.get(what)}, and this is {here[what]}"
        elif not runs_here(level):
            why = f"they are for processors of level {level}, and this is {target()['processor']}"
        elif sources != package_digest():
            why = "the sources of kernels have changed"
        else:
            return kernels
    say(f"the compiled kernels that came with walkmesh cannot be used: {why}")
    return frozenset()


def write_shipped(folder: Path, codes: dict[str, bytes]) -> None:
    """Write all kernels and their list, as :func:`shipped_kernels` expects them.

    Parameters
    ----------
    folder : pathlib.Path
        An empty folder.
    codes : dict of str to bytes
        The code of every kernel by name, compiled in processes with this one's target.
    """
    for kernel, code in codes.items():
        _write_sealed(folder / f"{kernel}.code", code)
    manifest = {"target": target(), "sources": package_digest(), "kernels": sorted(codes)}
    (folder / _MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")


@cache
def _folders() -> tuple[Path, ...]:
    """Return the folders that compiled kernels may be kept in, the preferred one first."""
    package = Path(__file__).parent
    # Copies of walkmesh do not share a folder: each would discard what another keeps.
    copy = f"walkmesh-{hashlib.sha256(str(package).encode()).hexdigest()[:8]}"
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        return (Path(named) / copy,)
    folders = [package / "__pycache__" / "compiled"]
    with contextlib.suppress(RuntimeError):  # there is no home folder
        folders.append(_user_caches() / "walkmesh" / copy)
    return tuple(folders)


def _user_caches() -> Path:
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return named if named.is_absolute() else Path.home() / ".cache"


@cache
def _writable_folder() -> Path | None:
    for folder in _folders():
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            return folder
    return None


@cache
def _target_digest() -> str:
    return hashlib.sha256(json.dumps(target()).encode()).hexdigest()[:8]


def _file_name(kernel: str) -> str:
    """Return the name of the file that keeps a kernel; nothing for one outside walkmesh."""
    sources = module_digest(kernel.rpartition(".")[0])
    return f"{kernel}-{_target_digest()}-{sources[:16]}.code" if sources else ""


def _read_sealed(file: Path) -> bytes | None:
    """Return the content of a file behind its digest; None if it is missing or damaged."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    digest, code = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
    return code if hashlib.sha256(code).digest() == digest else None


def _write_sealed(file: Path, code: bytes) -> None:
    """Write a file behind its digest, so that it appears only complete."""
    temporary = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        temporary.write_bytes(hashlib.sha256(code).digest() + code)
        temporary.replace(file)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
