"""Tolerances of queries stand in one file, and fit together."""

import ast
from pathlib import Path

import pytest

import walkmesh.query
from walkmesh.query.kernels import tolerances

FOLDER = Path(walkmesh.query.__file__).parent


@pytest.mark.parametrize(("larger", "smaller", "reason"), tolerances.LARGER_THAN)
def test_tolerances_fit_together(larger, smaller, reason):
    assert larger > smaller > 0.0, reason


def test_no_tolerance_stands_elsewhere():
    for file in FOLDER.rglob("*.py"):
        if file.name != "tolerances.py":
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, float):
                    assert node.value == 0.0 or abs(node.value) >= 0.05, (file, node.lineno)


def test_every_tolerance_is_used_and_told():
    source = (FOLDER / "kernels/tolerances.py").read_text()
    everything = "".join(file.read_text() for file in FOLDER.rglob("*.py"))
    for name in vars(tolerances):
        if name.isupper() and name != "LARGER_THAN":
            assert everything.count(name) > source.count(name), name
            before = source[: source.index(f"\n{name} = ")].rsplit("\n", 1)[-1]
            assert before.startswith("#") or " = " in before, name
