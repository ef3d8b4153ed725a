"""The process that runs cases: a number in is a case to run, a line of JSON out what became of it.

Warnings count as failures, as they do in the tests; and what is not a WalkmeshError is a fault. A
case that takes more processor time than it may ends the process.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import signal
import sys
import traceback
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numba
import numpy as np

from fuzz.fault import Fault
from walkmesh.errors import WalkmeshError
from walkmesh.kernels.search.box_tree import fit_nodes
from walkmesh.kernels.warmup import all_kernels, warm_up

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCES = str(Path(__file__).resolve().parent.parent)


def attempt(case: Callable[[int], None], number: int) -> dict[str, Any]:
    """Run a case, and return what became of it: passed, refused, or failed and how."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            case(number)
    except WalkmeshError as error:
        if "\n" in str(error) or not str(error):
            return _failed("message of several lines", error)
        return {"result": "refused"}
    except Fault as fault:
        return _failed(str(fault.args[0]), fault)
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)
        own = [f for f in frame if f.filename.startswith(SOURCES) and not _is_fuzzer(f.filename)]
        where = f"{Path(own[-1].filename).name}:{own[-1].name}" if own else "nowhere"
        return _failed(f"{type(error).__name__} in {where}", error)
    return {"result": "passed"}


def _is_fuzzer(file: str) -> bool:
    """Tell whether a file of the project is one of the fuzzers', wherever the project lies."""
    return Path(file).relative_to(SOURCES).parts[0] == "fuzz"


def _failed(kind: str, error: BaseException) -> dict[str, Any]:
    text = "".join(traceback.format_exception(error))[-4000:]
    return {"result": "failed", "kind": kind, "text": text}


def check_bounds_checked() -> None:
    """Refuse to run compiled kernels that do not look at their bounds, where they should.

    numba's cache does not tell code with and without checks apart, so a cache of code that was
    compiled without them would be used in silence.
    """
    if numba.config.BOUNDSCHECK and not _is_checked():  # type: ignore[attr-defined]
        raise SystemExit("compiled kernels do not check bounds; NUMBA_CACHE_DIR needs a new folder")


def _is_checked() -> bool:
    """Tell whether a kernel that reads one row too far notices it."""
    try:
        fit_nodes(np.zeros((1, 6)), np.ones(1, dtype=np.int32), np.empty((1, 6)))
    except IndexError:
        return True
    return False


def main() -> None:
    """Serve cases until standard input ends."""
    target, memory, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    # What libraries print must not be taken for an answer.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    warm_up(all_kernels(), lambda *_: None)
    check_bounds_checked()
    module = importlib.import_module(f"fuzz.{target}")
    module.prepare()
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    print(json.dumps({"result": "ready"}), file=answers)
    for line in sys.stdin:
        # The signal ends the process, wherever it is.
        signal.setitimer(signal.ITIMER_PROF, seconds)
        answer = attempt(module.case, int(line))
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        print(json.dumps(answer), file=answers)


if __name__ == "__main__":
    main()
