"""Compilers: processes that compile kernels in the order in which they are needed.

Each process takes the next kernel when it is done with the last, from the same module if there is
one: kernels of a module call the same others, which a process compiles once. The caller goes on
working with the kernels that are ready, and waits only for one that is not.

Processes are started by command line, not by :mod:`multiprocessing`, which would import the
caller's main module again. They talk through pipes, so no folder need be writable.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import subprocess
import sys
import threading
from typing import IO, TYPE_CHECKING

from walkmesh.kernels import store
from walkmesh.kernels.messages import say_progress
from walkmesh.kernels.object_code import target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_SIZE_BYTES = 8
_GREETING = b"walkmesh compiles for\n"
_LONGEST_LINE, _MOST_LINES = 1 << 16, 1000  # of what is read before a process is given up
# How long a process waits for more: a scene, its build and a path ask one after the other. [s]
_PATIENCE = 3.0


class Compilers:
    """Processes that compile, and the kernels that wait for one.

    Parameters
    ----------
    progress : callable, optional
        Called with the number of kernels compiled so far and the number of all, from any thread.
    keep : bool
        Whether compiled kernels go into the store.
    """

    def __init__(
        self, progress: Callable[[int, int], None] | None = None, *, keep: bool = True
    ) -> None:
        self._changed = threading.Condition()
        self._progress = progress or (lambda *_: None)
        self._keep = keep
        self._waiting: list[str] = []  # the next one first
        self._urgent = ""  # the one that somebody waits for
        self._working: dict[int, str] = {}  # what each process compiles
        self._finished: dict[str, bytes] = {}
        self._failed: set[str] = set()
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._started = self._asked = self._done = 0

    def ask(self, kernels: Iterable[str]) -> None:
        """Have kernels compiled, in this order, after those that were asked for before."""
        with self._changed:
            known = {*self._waiting, *self._working.values(), *self._finished, *self._failed}
            new = [name for name in kernels if name not in known]
            self._waiting += new
            self._asked += len(new)
            if new:
                self._progress(self._done, self._asked)
                self._changed.notify_all()
            while len(self._processes) < min(_cores(), len(self._waiting) + len(self._working)):
                if not self._start():
                    break

    def take(self, kernel: str) -> bytes | None:
        """Wait for a kernel that was asked for, before all others that wait.

        Returns
        -------
        bytes or None
            Its code; None if it was not asked for, or no process could compile it.
        """
        with self._changed:
            if kernel in self._waiting:
                self._waiting.remove(kernel)
                self._waiting.insert(0, kernel)
                self._urgent = kernel
            while kernel in self._waiting or kernel in self._working.values():
                self._changed.wait()
            return self._finished.pop(kernel, None) or store.read(kernel)

    def stop(self) -> None:
        """End all processes at once, with what they work on."""
        with self._changed:
            self._waiting.clear()
            for process in self._processes.values():
                process.kill()

    def _start(self) -> bool:
        """Start a process with a thread that feeds it; return whether there is one."""
        # -P: what lies in the current folder must not be taken for a module.
        command = [sys.executable or "python", "-P", "-m", "walkmesh.kernels.compilers"]
        paths = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        try:
            if getattr(sys, "frozen", False):  # the program itself would be started
                raise OSError
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=os.environ | paths,
            )
        except OSError:  # no more processes to be had here
            if not self._processes:
                self._give_up()
            return False
        self._started += 1
        self._processes[self._started] = process
        threading.Thread(target=self._feed, args=(self._started, process), daemon=True).start()
        return True

    def _feed(self, number: int, process: subprocess.Popen[bytes]) -> None:
        """Give a process one kernel after another until none is left, or it fails."""
        try:
            with contextlib.suppress(OSError, ValueError):
                self._converse(number, process)
        finally:
            # Whatever happened, nobody must wait for what this process will not make.
            with self._changed:
                if self._processes.pop(number, None) is not None:
                    self._failed.add(self._working.pop(number, ""))
                    if not self._processes:
                        self._give_up()
                self._changed.notify_all()
            process.kill()
            with contextlib.suppress(OSError), process:
                pass

    def _converse(self, number: int, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        if not _is_ready(process.stdout):
            return
        last = ""
        while (name := self._next(number, last)) is not None:
            process.stdin.write(f"{name}\n".encode())
            process.stdin.flush()
            code = _receive(process.stdout)
            if code is None:
                return
            is_kept = bool(code) and self._keep and store.keep(name, code)
            self._finish(number, name, code, is_kept)
            last = name

    def _next(self, number: int, last: str) -> str | None:
        """Take the kernel that a process is to compile next; None if there is none."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting, _PATIENCE)
            if not self._waiting:
                del self._processes[number]  # whoever asks from now on starts another
                return None
            module = last.rpartition(".")[0]
            alike = (name for name in self._waiting if name.rpartition(".")[0] == module)
            first = self._waiting[0]
            name = first if first == self._urgent else next(alike, first)
            self._waiting.remove(name)
            self._working[number] = name
            return name

    def _finish(self, number: int, name: str, code: bytes, is_kept: bool) -> None:
        with self._changed:
            del self._working[number]
            if not code:
                self._failed.add(name)
            elif not is_kept:
                self._finished[name] = code
            self._done += 1
            self._progress(self._done, self._asked)
            self._changed.notify_all()

    def _give_up(self) -> None:
        """Leave what waits to those who need it: without processes, or when all have died."""
        self._failed.update(self._waiting)
        self._waiting.clear()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _is_ready(stream: IO[bytes]) -> bool:
    """Tell whether a process compiles for what this one does; read its greeting up to that.

    What is set up at the start of Python may print before it, and settings of numba that were
    changed by a program are not those of its processes.
    """
    lines = (stream.readline(_LONGEST_LINE) for _ in range(_MOST_LINES))
    greeting = next((line for line in lines if not line or line.endswith(_GREETING)), b"")
    return bool(greeting) and json.loads(stream.readline(_LONGEST_LINE)) == target()


def _receive(stream: IO[bytes]) -> bytes | None:
    """Read one answer of a process; None if it ended."""
    size = stream.read(_SIZE_BYTES)
    if len(size) < _SIZE_BYTES:
        return None
    code = stream.read(int.from_bytes(size, "little"))
    return code if len(code) == int.from_bytes(size, "little") else None


def _compile_on_request() -> None:
    """Run as a process: a line in is a kernel to compile, its size and its code are the answer."""
    from walkmesh.kernels.kernel import ENTRY_POINTS
    from walkmesh.kernels.object_code import hasten

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not be taken for an answer
    answers.write(_GREETING + json.dumps(target()).encode() + b"\n")
    answers.flush()
    hasten()
    for line in sys.stdin:
        name = line.strip()
        try:
            importlib.import_module(name.rpartition(".")[0])
            code = ENTRY_POINTS[name].compile_anew()
        except Exception:  # whoever needs the kernel compiles it again, and is told why it fails
            code = b""
        answers.write(len(code).to_bytes(_SIZE_BYTES, "little") + code)
        answers.flush()


shared = Compilers(say_progress)
atexit.register(shared.stop)
if hasattr(os, "register_at_fork"):  # a fork has no threads, and no right to these processes
    os.register_at_fork(after_in_child=lambda: Compilers.__init__(shared, say_progress))

if __name__ == "__main__":
    _compile_on_request()
