"""What a figure was measured on."""

from __future__ import annotations

import importlib.metadata
import os
import platform


def describe(*packages: str) -> str:
    """Return the versions of packages, Python and the machine, in two lines."""
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages)
    return (
        f"{versions}, python {platform.python_version()}\n"
        f"{platform.platform()}, {os.cpu_count()} cores"
    )
