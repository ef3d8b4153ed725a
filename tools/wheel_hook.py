"""Build hook of hatch: a wheel for one kind of machine, with all kernels compiled.

It is off unless ``HATCH_BUILD_HOOK_ENABLE_CUSTOM`` is set, as ``make wheel`` does; without it the
wheel is for any machine, and kernels are compiled where they are needed. It needs numba and numpy
where it runs (``--no-isolation``).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledHook(BuildHookInterface[Any]):
    """Compiles kernels into a folder that goes into the wheel."""

    PLUGIN_NAME = "custom"
    _folder = ""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and name the machines that the wheel is for."""
        if version == "editable":
            return
        self._folder = tempfile.mkdtemp(prefix="walkmesh-kernels-")
        root = Path(self.root)
        level = os.environ.get("WALKMESH_LEVEL")  # by default the one that walkmesh ships
        subprocess.run(
            [
                sys.executable,
                root / "tools" / "compile_kernels.py",
                self._folder,
                *filter(None, [level]),
            ],
            env=os.environ | {"PYTHONPATH": str(root / "src")},
            check=True,
        )
        build_data["force_include"][self._folder] = "walkmesh/kernels/shipped"
        build_data["pure_python"] = False
        build_data["tag"] = _tag()

    def finalize(self, *_: object) -> None:
        """Remove what was compiled; the wheel has it."""
        shutil.rmtree(self._folder, ignore_errors=True)


def _tag() -> str:
    """Return the tag of numba's wheel: the code calls nothing but what numba brings."""
    text = distribution("numba").read_text("WHEEL") or ""
    tags = [line.split()[-1].split("-") for line in text.splitlines() if line.startswith("Tag:")]
    return "-".join(".".join(dict.fromkeys(part)) for part in zip(*tags, strict=True))
