"""Compile all kernels for a processor level, as they are shipped in a wheel.

Usage: ``python tools/compile_kernels.py FOLDER [LEVEL]``. A process that compiles for another
processor than its own cannot run what it compiles, so only processes of their own do.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from walkmesh.kernels.object_code import processor_level


def main() -> None:
    """Set the processor that numba compiles for, and start again with it."""
    folder = Path(sys.argv[1])
    level = sys.argv[2] if len(sys.argv) > 2 else processor_level()
    target = {
        "NUMBA_CPU_NAME": level,
        "NUMBA_CPU_FEATURES": "",  # those of the level alone
        "NUMBA_DISABLE_INTEL_SVML": "1",  # it is not everywhere, and rounds otherwise
    }
    if any(os.environ.get(name) != value for name, value in target.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | target)
    folder.mkdir(parents=True, exist_ok=True)
    ship(folder)


def ship(folder: Path) -> None:
    """Compile all kernels in as many processes as there are cores, and write them."""
    from walkmesh.kernels import store
    from walkmesh.kernels.compilers import Compilers
    from walkmesh.kernels.warmup import all_kernels

    pool = Compilers(keep=False)
    names = sorted(entry.name for entry in all_kernels())
    pool.ask(names)
    print(f"compiling {len(names)} kernels for {os.environ['NUMBA_CPU_NAME']}", flush=True)
    codes = {name: pool.take(name) for name in names}
    failed = [name for name, code in codes.items() if code is None]
    if failed:
        sys.exit(f"not compiled: {', '.join(failed)}")
    store.write_shipped(folder, {name: code for name, code in codes.items() if code is not None})


if __name__ == "__main__":
    main()
