"""walkmesh as users have it: a wheel in an environment of its own, run by a user of no rights."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

NOBODY = 65534
VERSION = "{}.{}".format(*sys.version_info)
TAG = "cp{}{}".format(*sys.version_info)


def wheels_in(folder: Path) -> list[Path]:
    """Return the wheels for this version of Python, the newest last."""
    found = folder.glob(f"walkmesh-*-{TAG}-*.whl")
    return sorted(found, key=lambda file: file.stat().st_mtime_ns)


def rights() -> dict[str, Any]:
    """Return as whom commands run: not as root, who may write anywhere."""
    if not hasattr(os, "getuid") or os.getuid() != 0:
        return {}
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []}


def interpreter() -> str | None:
    """Return a Python of this version that the user may run; root's own is often hidden."""
    own: str = getattr(sys, "_base_executable", sys.executable)
    for name in filter(None, (own, shutil.which(f"python{VERSION}", path="/usr/bin"))):
        try:
            done = subprocess.run([name, "-c", ""], cwd="/", check=False, **rights())
        except PermissionError:
            continue
        if done.returncode == 0:
            return name
    return None


def install(wheel: Path, folder: Path, *more: str) -> Path:
    """Make an environment with a wheel and further packages, and return its Python."""
    base = interpreter()
    if base is None:
        raise RuntimeError("no Python that a user of no rights may run")
    subprocess.run([base, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*pip, "--disable-pip-version-check", str(wheel), *more], check=True)
    return python


def forbid_writing(folder: Path) -> None:
    """Take the right to write from a folder and all in it."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & 0o555)


def run(command: list[Any], folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a command without a home folder."""
    kept = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
    return subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", **kept, **environ},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        **rights(),
    )
