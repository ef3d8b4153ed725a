"""Build a wheel with compiled kernels for every CPython that is found, into ``dist``.

Usage: ``python tools/build_wheels.py [3.11 3.12 ...]``. Each is built by its own interpreter, in an
environment of its own below ``.venv-wheels``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSIONS = ("3.11", "3.12", "3.13")
# What builds, and what kernels are compiled with; walkmesh itself is taken from its sources.
NEEDED = (
    "build",
    "hatchling>=1.26",
    "numpy>=2.0",
    "numba>=0.61",
    "shapely>=2.1",
    "lazy-loader>=0.4",
)


def main() -> None:
    """Build for each version, and say which were not found."""
    built = [version for version in sys.argv[1:] or VERSIONS if build(version)]
    if not built:
        sys.exit("no CPython was found to build a wheel for")


def build(version: str) -> bool:
    """Build a wheel for a version of Python, and return whether that was found."""
    interpreter = find(version)
    if interpreter is None:
        print(f"Python {version}: not found")
        return False
    folder = ROOT / ".venv-wheels" / version
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        subprocess.run([interpreter, "-m", "venv", folder], check=True)
    install = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        *NEEDED,
    ]
    subprocess.run(install, check=True)
    wheel = [
        str(python),
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        f"{ROOT}/dist",
        f"{ROOT}",
    ]
    subprocess.run(wheel, env=os.environ | {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true"}, check=True)
    return True


def find(version: str) -> str | None:
    """Return an interpreter: this one, one on the path, or one that pyenv has installed."""
    if version == "{}.{}".format(*sys.version_info):
        return sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    places = [shutil.which(f"python{version}"), *sorted(pyenv.glob(f"{version}.*/bin/python"))]
    return next((str(place) for place in places if place and runs(str(place), version)), None)


def runs(interpreter: str, version: str) -> bool:
    """Tell whether an interpreter is of a version; a shim may lead nowhere."""
    code = "import sys; print('{}.{}'.format(*sys.version_info))"
    done = subprocess.run([interpreter, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip() == version


if __name__ == "__main__":
    main()
