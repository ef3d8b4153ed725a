"""Long work in threads of its own: one piece at a time, with progress, and a way to stop it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from walkmesh.errors import Cancelled
from walkmesh.kernels.warmup import kernels_reached, warm_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from walkmesh.progress import Progress

# Progress is told no more often than this. [s]
_PAUSE = 0.1


@dataclass(frozen=True)
class State:
    """How far the work is.

    Attributes
    ----------
    title : str
        What is being done; empty when nothing is.
    words : str
        What it is at; or, when nothing is being done, how the last thing ended, if there is
        something to say about that.
    share : float
        How much of it is done, from 0 to 1.
    stopping : bool
        Whether it was told to stop.
    """

    title: str = ""
    words: str = ""
    share: float = 0.0
    stopping: bool = False


class Work:
    """Does one thing at a time.

    Parameters
    ----------
    tell : callable
        Called with the :class:`State` whenever it changes.
    fail : callable
        Called with what was being done and the exception that ended it.
    """

    def __init__(
        self, tell: Callable[[State], None], fail: Callable[[str, Exception], None]
    ) -> None:
        self._tell, self._fail = tell, fail
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._title = ""

    def start(self, title: str, stages: tuple[str, ...], work: Callable[[Progress], None]) -> bool:
        """Start work that tells its progress by the names of stages; False if some is under way.

        Whatever it raises ends it; what is not :class:`Cancelled` is passed on to `fail`.
        """
        with self._lock:
            if self._thread is not None:
                return False
            self._stop.clear()
            self._title = title
            self._thread = threading.Thread(
                target=self._run, args=(title, stages, work), name=title, daemon=True
            )
            self._thread.start()
        return True

    @property
    def title(self) -> str:
        """What is being done; empty when nothing is."""
        with self._lock:
            return "" if self._thread is None else self._title

    def cancel(self) -> None:
        """Ask the work to stop, which it does when it next tells its progress."""
        with self._lock:
            if self._thread is None:
                return
            self._stop.set()
            self._tell(State(self._title, "stopping", stopping=True))

    def wait(self, timeout: float | None = None) -> None:
        """Wait until nothing is being done."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout)

    def _run(self, title: str, stages: tuple[str, ...], work: Callable[[Progress], None]) -> None:
        told = 0.0

        def progress(stage: str, fraction: float, /) -> None:
            nonlocal told
            if self._stop.is_set():
                raise Cancelled(f"{title} was cancelled")
            now = time.monotonic()
            if now - told >= _PAUSE:
                told = now
                share = (stages.index(stage) + fraction) / len(stages)
                with self._lock:
                    if not self._stop.is_set():
                        self._tell(State(title, stage, min(share, 1.0)))

        self._tell(State(title, "starting"))
        words = ""
        try:
            work(progress)
        except Cancelled:
            words = f"{title}: cancelled"
        except Exception as error:  # whatever it is, the page must live on
            words = f"{title}: failed"
            self._fail(title, error)
        with self._lock:
            self._thread = None
            self._tell(State(words=words))


class Latest:
    """Runs a function in a thread whenever asked; what is asked meanwhile is done once, after."""

    def __init__(self, function: Callable[[], None], name: str) -> None:
        self._function = function
        self._changed = threading.Condition()
        # How often it was asked, and how many of these are done.
        self._asked = self._done = 0
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def ask(self) -> None:
        """Have the function run soon."""
        with self._changed:
            self._asked += 1
            self._changed.notify_all()

    def wait(self, timeout: float) -> bool:
        """Wait until all that was asked is done; False if that takes longer."""
        with self._changed:
            wanted = self._asked
            return self._changed.wait_for(lambda: self._done >= wanted, timeout)

    def close(self) -> None:
        """End the thread, once it is done with what it is at."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._asked > self._done)
                if self._closed:
                    return
                wanted = self._asked
            self._function()
            with self._changed:
                self._done = wanted
                self._changed.notify_all()


def compile_kernels(packages: tuple[str, ...], progress: Progress) -> None:
    """Make sure that the kernels of packages are compiled; `progress` may stop it."""
    warm_up(kernels_reached(*packages), lambda ready, count: progress(COMPILING, ready / count))


COMPILING = "compiling kernels, once for this machine"
"""The stage of work that waits for kernels."""
