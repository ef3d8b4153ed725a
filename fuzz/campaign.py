"""A campaign: many cases in processes of their own, with limits on time and memory."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "benchmarks" / ".build" / "fuzz"
# A first case may have to load or compile kernels. [s]
START_LIMIT = 900.0


@dataclass
class Outcome:
    """What became of a campaign.

    Attributes
    ----------
    passed, refused : int
        Cases that ended well, and cases that ended with a clear error.
    findings : dict of str to list of int
        For each kind of fault the cases that showed it.
    """

    passed: int = 0
    refused: int = 0
    findings: dict[str, list[int]] = field(default_factory=dict)

    def __str__(self) -> str:
        cases = self.passed + self.refused + sum(map(len, self.findings.values()))
        return (
            f"{cases} cases: {self.passed} passed, {self.refused} refused, "
            f"{sum(map(len, self.findings.values()))} failed in {len(self.findings)} ways"
        )


def run(
    target: str,
    *,
    first: int = 0,
    cases: int | None = None,
    seconds: float | None = None,
    case_limit: float = 60.0,
    memory: int = 6 << 30,
    folder: Path = FOLDER,
) -> Outcome:
    """Run the cases of a target, until there are enough of them or the time is up.

    Parameters
    ----------
    target : str
        A module of this package with a function ``case(number)``.
    first : int
        The number of the first case; the others follow.
    cases : int, optional
        How many.
    seconds : float, optional
        How long.
    case_limit : float
        A case that takes more processor time counts as hung, whatever else the machine is doing;
        so does one that takes ten times as long without. [Unit: s]
    memory : int
        What the address space of a process is limited to. [Unit: bytes]
    folder : Path
        Where findings are written, one file for each kind.
    """
    outcome = Outcome()
    end = time.monotonic() + (seconds if seconds is not None else float("inf"))
    worker = None
    number = first
    try:
        while (cases is None or number < first + cases) and time.monotonic() < end:
            if worker is None:
                worker = _start(target, memory, case_limit)
                answer = _ask(worker, None, START_LIMIT)
                if answer.get("result") != "ready":
                    raise RuntimeError(f"the process of fuzz.{target} did not start: {answer}")
            answer = _ask(worker, number, 10.0 * case_limit)
            if answer["result"] == "passed":
                outcome.passed += 1
            elif answer["result"] == "refused":
                outcome.refused += 1
            else:
                _write_down(outcome, folder / target, number, answer)
            if answer["result"] in ("crashed", "hung"):
                _stop(worker)
                worker = None
            number += 1
    finally:
        if worker is not None:
            _stop(worker)
    return outcome


def _start(target: str, memory: int, case_limit: float) -> subprocess.Popen[bytes]:
    paths = [str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    return subprocess.Popen(
        [sys.executable, "-m", "fuzz.worker", target, str(memory), str(case_limit)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
    )


def _ask(worker: subprocess.Popen[bytes], number: int | None, limit: float) -> dict[str, Any]:
    """Have a case run; None waits for the process to be ready."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    try:
        if number is not None:
            worker.stdin.write(f"{number}\n".encode())
            worker.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(worker.stdout, selectors.EVENT_READ)
            if not selector.select(limit):
                return _hung(f"more than {limit:g} s")
        line = worker.stdout.readline()
    except BrokenPipeError:
        line = b""
    if line:
        answer: dict[str, Any] = json.loads(line)
        return answer
    code = worker.wait()
    if code == -signal.SIGPROF:
        return _hung("more processor time than a case may take")
    return {"result": "crashed", "kind": f"exit {code}", "text": f"the process ended with {code}"}


def _hung(text: str) -> dict[str, Any]:
    return {"result": "hung", "kind": "hang", "text": text}


def _stop(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    worker.wait()
    for stream in (worker.stdin, worker.stdout):
        assert stream is not None
        stream.close()


def _write_down(outcome: Outcome, folder: Path, number: int, answer: dict[str, Any]) -> None:
    """Keep a finding: the first of its kind with its text, of others the number."""
    seen = outcome.findings.setdefault(answer["kind"], [])
    seen.append(number)
    if len(seen) > 1:
        return
    folder.mkdir(parents=True, exist_ok=True)
    name = "".join(c if c.isalnum() else "-" for c in answer["kind"])[:100]
    text = f"case {number}: {answer['kind']}\n{answer['text']}\n"
    (folder / f"{number}-{name}.txt").write_text(text)
    print(f"case {number}: {answer['kind']}", flush=True)
