"""Object code: what numba makes of a kernel, as bytes, and as quickly as can be.

All that is used of numba beyond its documented interface is in this file; tests/kernels tells when
it changes.

A kernel that kernels call is never run by itself: its code goes into every entry point that it is
inlined into. numba nevertheless optimises it on its own and emits machine code for it. A pipeline
of our own leaves that out, which takes a third of the time of compiling.
"""

from __future__ import annotations

import gc
import pickle
import sys
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import codegen, compiler, compiler_lock, serialize, typed_passes
from numba.core.compiler_machinery import register_pass

# The features that a processor needs for each level of x86-64, as LLVM names them, beyond those of
# the level before. https://gitlab.com/x86-psABIs/x86-64-ABI
_LEVELS = {
    "x86-64": ("cmov", "cx8", "fxsr", "mmx", "sse", "sse2"),
    "x86-64-v2": ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3"),
    "x86-64-v3": ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"),
}
_settings: Any = numba.config
# Those that change the code.
_OPTIONS = (
    "BOUNDSCHECK",
    "OPT",
    "LOOP_VECTORIZE",
    "SLP_VECTORIZE",
    "DEBUGINFO_DEFAULT",
    "USING_SVML",
)


class _InnerLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The code of a kernel that is only linked into others: no machine code is made of it."""

    def _optimize_final_module(self) -> None:
        # What it calls is inlined, and reference counts are pruned; the rest is done once where it
        # ends up.
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap"
        )
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _InnerLowering(typed_passes.NativeLowering):  # type: ignore[misc]
    """Lowering that ends with LLVM's intermediate code."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        context = state.targetctx
        name = state.func_id.func_qualname
        state.library = _InnerLibrary(context.codegen(), name)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        module = lowered.fndesc.lookup_module()
        # The key by which callers find it; nothing is at address 0 to be called.
        key = _dynfunc.make_function(module, name, "", 0, lowered.env, (state.library,))
        context.insert_user_function(key, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=key)
        return True


class InnerCompiler(compiler.Compiler):  # type: ignore[misc]
    """The pipeline for kernels that kernels call."""

    def define_pipelines(self) -> list[Any]:
        """Return numba's own pipeline with another last pass."""
        (pipeline,) = super().define_pipelines()
        pipeline.passes = [
            (_InnerLowering if kind is typed_passes.NativeLowering else kind, words)
            for kind, words in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]


def hasten() -> None:
    """Make a process that only compiles compile faster.

    Compiling makes many objects and few cycles: looking for these takes a tenth of the time. When
    it looks for them rarely, a process grows to 0.6 GiB, and to 0.8 when it never does.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000_000, 20, 100)


def to_bytes(dispatcher: Any) -> bytes:
    """Return the code that a dispatcher has compiled, for :func:`load`.

    Parameters
    ----------
    dispatcher : numba dispatcher
        With one compiled form.
    """
    (result,) = dispatcher.overloads.values()
    (name, kind, (code, _)), *rest = result._replace(type_annotation="")._reduce()
    # numba keeps LLVM's code too, to link it into others, and types as text: three quarters of all.
    # No kernel is linked with an entry point; the names that it defines are all that is needed.
    names = [f.name for f in result.library._final_module.functions if not f.is_declaration]
    lines = (f'define void @"{name}"() {{ unreachable }}' for name in names)
    stub = llvm.parse_assembly("\n".join(lines)).as_bitcode()
    return bytes(serialize.dumps(((name, kind, (code, stub)), *rest)))


def load(dispatcher: Any, data: bytes) -> None:
    """Give a dispatcher its compiled form, as :func:`to_bytes` returned it.

    Parameters
    ----------
    dispatcher : numba dispatcher
        Of the same function.
    data : bytes
        Must be trusted: it is machine code, and pickled.
    """
    context = dispatcher.targetctx
    context.refresh()
    with compiler_lock.global_compiler_lock:
        result = compiler.CompileResult._rebuild(context, *pickle.loads(data))
        dispatcher.add_overload(result)


def target() -> dict[str, str]:
    """Return what decides, beside its source, which code a kernel becomes in this process."""
    features = _settings.CPU_FEATURES
    return {
        "numba": f"{numba.__version__} with llvmlite {llvmlite.__version__}",
        "Python": str(sys.implementation.cache_tag),
        "system": llvm.get_process_triple(),
        "processor": _settings.CPU_NAME or llvm.get_host_cpu_name(),
        "features": codegen.get_host_cpu_features() if features is None else features,
        "options": " ".join(f"{name}={getattr(_settings, name)}" for name in _OPTIONS),
    }


def processor_level() -> str:
    """Return the processor that shipped kernels are compiled for on this kind of machine."""
    return "x86-64-v2" if llvm.get_process_triple().startswith("x86_64") else "generic"


def runs_here(level: str) -> bool:
    """Tell whether the processor has all that code for a level needs."""
    if level not in _LEVELS:
        return level == processor_level()
    try:
        features = llvm.get_host_cpu_features()
    except RuntimeError:  # LLVM cannot tell
        return False
    needed = list(_LEVELS)[: list(_LEVELS).index(level) + 1]
    return all(features.get(feature) for name in needed for feature in _LEVELS[name])
