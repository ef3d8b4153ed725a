"""Contracts for import-linter that its own ones cannot say: who may import whom directly, by rule.

Names are patterns in which ``*`` stands for anything, dots included, so a package that is added
later is found without being named here.
"""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from importlinter import Contract, ContractCheck, fields, output

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grimp import ImportGraph


class DirectImports(Contract):
    """Modules import only what they may, or not what they must not.

    Configuration options:

    - importers: the modules that are looked at; `but_not` leaves some of these out.
    - must_not_import: what they must not import, by default anything but the standard library.
    - may_import: what they may import all the same.
    """

    type_name = "direct_imports"

    importers = fields.SetField(subfield=fields.StringField())
    but_not = fields.SetField(subfield=fields.StringField(), required=False, default=set())
    may_import = fields.SetField(subfield=fields.StringField(), required=False, default=set())
    must_not_import = fields.SetField(subfield=fields.StringField(), required=False, default={"*"})

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Look at every import of every module."""
        del verbose
        importers = {
            module
            for module in graph.modules
            if _is_any(module, self.importers) and not _is_any(module, self.but_not)
        }
        broken = [
            (importer, imported)
            for importer in sorted(importers)
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if _is_any(imported, self.must_not_import)
            and not _is_any(imported, self.may_import)
            and imported not in sys.stdlib_module_names
        ]
        # A rule about nothing holds by mistake.
        return ContractCheck(kept=not broken and bool(importers), metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the imports that should not be."""
        broken: Iterable[tuple[str, str]] = check.metadata["broken"]
        if not broken:
            output.print_error("There are no modules of these names.")
        for importer, imported in broken:
            output.print_error(f"{importer} imports {imported}.")


class SeparateMethods(Contract):
    """No way to build imports another, and nothing that they share imports any of them.

    A way to build is a package of `room` that has a package ``stages``. Only `room` itself, and
    what is outside of it, may import them.

    Configuration options:

    - room: the package that they are in.
    """

    type_name = "separate_methods"

    room = fields.StringField()

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Look at every import of every module in the room."""
        del verbose
        methods = [m.removesuffix(".stages") for m in graph.modules if m.endswith(".stages")]
        methods = [m for m in methods if m.startswith(f"{self.room}.")]
        broken = [
            (importer, imported)
            for importer in sorted(graph.modules)
            if importer.startswith(f"{self.room}.")
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            for method in methods
            if _is_in(imported, method) and not _is_in(importer, method)
        ]
        return ContractCheck(kept=not broken and bool(methods), metadata={"broken": broken})

    render_broken_contract = DirectImports.render_broken_contract


def _is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _is_any(name: str, patterns: Any) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
