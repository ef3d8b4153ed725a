"""What a figure was measured on."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

PACKAGES = ("walkmesh", "numpy", "numba", "shapely", "trimesh")
RECAST_PACKAGE = "librecast-dev"


def describe() -> list[str]:
    """Return the processor and the memory, the system, and all versions, one line each."""
    versions = [f"{name} {importlib.metadata.version(name)}" for name in PACKAGES]
    return [
        f"{_processor()}, {os.cpu_count()} cores, {_memory_gibibytes():.0f} GiB",
        f"{platform.platform()}, Python {platform.python_version()}",
        ", ".join([*versions, f"{RECAST_PACKAGE} {_recast_version()}"]),
    ]


def peak_mebibytes() -> float:
    """Return the most that this process has had in memory, NaN where the system does not tell.

    Not ``resource.getrusage``: on Linux its figure starts with that of the process that started
    this one.
    """
    return _kibibytes(Path("/proc/self/status"), "VmHWM") / 1024.0


def memory_mebibytes() -> float:
    """Return what this process has in memory, NaN where the system does not tell."""
    return _kibibytes(Path("/proc/self/status"), "VmRSS") / 1024.0


def _processor() -> str:
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M)
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()


def _memory_gibibytes() -> float:
    return _kibibytes(Path("/proc/meminfo"), "MemTotal") / 2**20


def _kibibytes(file: Path, name: str) -> float:
    try:
        found = re.search(rf"^{name}:\s*(\d+) kB$", file.read_text(), re.M)
    except OSError:
        found = None
    return float(found[1]) if found else float("nan")


def _recast_version() -> str:
    if shutil.which("dpkg-query") is None:
        return "unknown"
    command = ["dpkg-query", "--showformat=${Version}", "--show", RECAST_PACKAGE]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout or "unknown"
