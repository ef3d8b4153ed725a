"""The one decorator that every kernel uses.

``@kernel`` alone marks a function that other kernels call. ``@kernel(kt.POINTS, ...)`` marks an
entry point that Python calls, with the types of its arguments::

    from walkmesh.kernels import types as kt

    @kernel
    def cross(a, b): ...

    @kernel(kt.POINTS, kt.INTS, kt.OUT_INTS)
    def label(points, corners, labels): ...

``@borrowing`` is ``@kernel`` for those that make no array; it is worth it where many arrays go
around in named tuples. ``@shared`` is ``@kernel`` for large ones that are called from many places,
and ``@shared_borrowing`` is both.

An entry point has exactly one compiled form, for the types it was declared with: writable arrays
are accepted where read-only ones are declared, and a call with any other type is an error instead
of seconds of compiling. It is compiled, or loaded from where it was kept, at its first call, so
importing walkmesh compiles nothing. All of them run without the interpreter lock.

With ``NUMBA_DISABLE_JIT=1`` the same functions run as plain Python.
"""

from __future__ import annotations

import threading
from typing import Any

import numba
from numba import types

from walkmesh.kernels import store
from walkmesh.kernels.object_code import InnerCompiler, load, to_bytes

_jit: Any = numba.njit  # whose annotations leave out the options for wrappers

# Without the wrappers that only other ways of calling need: they are a third of the compile time.
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
# A call that is not inlined counts a reference up and down for every array it hands on: scanning an
# OBJ file took twice as long that way. Compiling takes about as long either way.
_INNER_OPTIONS: dict[str, Any] = {
    **_OPTIONS,
    "no_cpython_wrapper": True,
    "forceinline": True,
    "pipeline_class": InnerCompiler,
}

# Every entry point by "module.name", of all modules that are imported.
ENTRY_POINTS: dict[str, EntryPoint] = {}


class EntryPoint:
    """A kernel that Python calls, compiled once for the types it was declared with.

    Parameters
    ----------
    function : callable
        The kernel's Python function.
    argument_types : tuple of numba types
        One for each of its arguments.
    rare : bool
        Whether few scenes need it, so that it is compiled after all others.
    """

    def __init__(
        self, function: Any, argument_types: tuple[types.Type, ...], rare: bool = False
    ) -> None:
        self.name = f"{function.__module__}.{function.__name__}"
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.rare = rare
        self._argument_types = argument_types
        self._lock = threading.Lock()
        self._dispatcher = _jit(**_OPTIONS)(function)
        self._compiled: Any = None

    def compile(self) -> None:
        """Load the compiled code, or compile."""
        from walkmesh.kernels.warmup import compile_announced

        with self._lock:
            if self._compiled is not None:
                return
            code = store.read(self.name) or compile_announced(self)
            if code is not None:
                try:
                    load(self._dispatcher, code)
                except Exception:  # code that another numba wrote fails in many ways
                    self._dispatcher = _jit(**_OPTIONS)(self._dispatcher.py_func)
                    code = None
            if code is None:
                store.keep(self.name, self.compile_anew())
            self._dispatcher.disable_compile()
            self._compiled = self._dispatcher

    def compile_anew(self) -> bytes:
        """Compile, and return the code."""
        self._dispatcher.compile(self._argument_types)
        return to_bytes(self._dispatcher)

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel; the first call loads or compiles it."""
        if self._compiled is None:
            self.compile()
        return self._compiled(*arguments)


def borrowing(function: Any) -> Any:
    """Mark a kernel that other kernels call, and that makes no array.

    It only borrows the arrays it is given, alone or in named tuples, and counts no references.
    Inlining takes most counting away, but not that for the fields of a named tuple across
    branches: closing gaps spent half its time on it.
    """
    return _jit(**_INNER_OPTIONS, _nrt=False)(function)


def shared(function: Any) -> Any:
    """Mark a kernel that other kernels call from many places, and that is too large to inline.

    It is compiled once in each entry point instead of once for each call.
    """
    return _jit(**{**_INNER_OPTIONS, "forceinline": False})(function)


def shared_borrowing(function: Any) -> Any:
    """Mark a kernel that is both: it makes no array, and is too large to inline."""
    return _jit(**{**_INNER_OPTIONS, "forceinline": False}, _nrt=False)(function)


def kernel(*declaration: Any, rare: bool = False) -> Any:
    """Mark a function as a kernel; see the module's description.

    Parameters
    ----------
    *declaration
        Nothing but the function itself for a kernel that kernels call, or the types of the
        arguments for an entry point.
    rare : bool
        See :class:`EntryPoint`.
    """
    if len(declaration) == 1 and not isinstance(declaration[0], types.Type):
        return _jit(**_INNER_OPTIONS)(declaration[0])

    def declare(function: Any) -> Any:
        if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
            return function
        entry = EntryPoint(function, declaration, rare)
        ENTRY_POINTS[entry.name] = entry
        return entry

    return declare
