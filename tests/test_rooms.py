"""Tests live in folders as src/walkmesh has them, each in the room of what it tests."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
HOUSE = TESTS.parent / "src/walkmesh"
# Packages of what tests are made of, each with tests of its own where it needs them.
HELPERS = {"checks", "makers", "twins", "wheel"}
METHODS = {"builder/exact", "builder/plan", "builder/surface", "builder/voxel"}
# Rooms that tests of other rooms use as well: scenes, and ways to look at what was made of them.
LENT = {"cli", "evaluation", "io", "kernels", "samples", "viewer"}


def folders(root):
    """Return the folders below another that hold Python files, by their path from there."""
    return {file.parent.relative_to(root).as_posix() for file in root.rglob("*.py")} - {"."}


def helper(name):
    return name.partition("/")[0] in HELPERS


def test_folders_of_tests_are_those_of_the_house():
    assert {name for name in folders(TESTS) if not helper(name)} <= folders(HOUSE)


def imports_of(file):
    """Return the modules that a file imports, a name that is imported of a package among them."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                path = TESTS.parent.joinpath(*f"{node.module}.{alias.name}".split("."))
                if str(node.module).startswith("walkmesh"):
                    path = TESTS.parent / "src" / path.relative_to(TESTS.parent)
                inside = path.is_dir() or path.with_suffix(".py").is_file()
                found.add(f"{node.module}.{alias.name}" if inside else node.module)
    return found


def room_of(module):
    """Return the folder of the house that a module or its kernels are for; none for a noun."""
    parts = module.split(".")[1:]
    if not HOUSE.joinpath(*parts).is_dir():
        parts = parts[:-1]
    return "/".join(parts).partition("/kernels")[0]


def around(room, other):
    """Tell whether a room is another one, or has it inside."""
    return f"{other}/".startswith(f"{room}/") or not room


FILES = sorted(file.relative_to(TESTS).as_posix() for file in TESTS.rglob("test_*.py"))


@pytest.mark.parametrize("name", [name for name in FILES if "/" in name and not helper(name)])
def test_a_test_lies_in_the_room_whose_inner_parts_it_imports(name):
    here = Path(name).parent.as_posix()
    modules = {module for module in imports_of(TESTS / name) if module.startswith("walkmesh.")}
    rooms = {room_of(module) for module in modules} - {""}
    own = {room for room in rooms if around(room, here) or around(here, room)}
    # Of what is inside a method, no other room's tests need to know.
    assert own >= rooms & METHODS
    assert own or {room.partition("/")[0] for room in rooms} <= LENT


def test_the_ground_truth_is_tested_without_the_build():
    waiting = list((TESTS / "evaluation").glob("*.py"))
    seen, found = set(waiting), set()
    while waiting:
        for module in imports_of(waiting.pop()):
            file = TESTS.parent.joinpath(*module.split(".")).with_suffix(".py")
            if module.startswith("tests.") and file not in seen:
                seen.add(file)
                waiting.append(file)
            elif module.startswith("walkmesh.builder"):
                found.add(module)
    assert len(seen) > len(list((TESTS / "evaluation").glob("*.py")))
    assert found == set()
