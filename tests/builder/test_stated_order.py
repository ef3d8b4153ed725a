"""Tolerances of surfaces and bridges are in the order that the comments before them state."""

import re
from pathlib import Path

import pytest

from walkmesh import tolerances as navmesh
from walkmesh.builder.bridges.kernels import tolerances as bridges
from walkmesh.builder.exact.kernels import tolerances as exact
from walkmesh.builder.kernels import tolerances as shared
from walkmesh.builder.surface.kernels import tolerances as surface

ROOMS = [surface, bridges]


def names_in(module):
    return {name for name in vars(module) if name.isupper()}


def stated(module):
    """Yield (name, sign, other) for each "> OTHER" or "< OTHER" in the comment before a name."""
    comment = []
    for line in Path(module.__file__).read_text().splitlines():
        if line.startswith("#"):
            comment.append(line)
        elif found := re.match(r"([A-Z_]+) = ", line):
            for sign, other in re.findall(r"([<>]) ([A-Z_]+)\b", " ".join(comment)):
                yield found[1], sign, other
            comment = []
        elif not line:
            comment = []


@pytest.mark.parametrize("module", ROOMS, ids=lambda module: module.__name__)
def test_order_is_as_stated(module):
    values = vars(module)
    relations = list(stated(module))
    assert len(relations) >= 10
    for name, sign, other in relations:
        low, high = (name, other) if sign == "<" else (other, name)
        assert values[low] < values[high], f"{name} {sign} {other}"


@pytest.mark.parametrize("module", ROOMS, ids=lambda module: module.__name__)
def test_every_tolerance_has_a_reason(module):
    lines = Path(module.__file__).read_text().splitlines()
    for number, line in enumerate(lines):
        if re.match(r"[A-Z_]+ = ", line):
            before = lines[number - 1]
            assert before.startswith("#") or re.match(r"[A-Z_]+ = ", before), line


def test_no_name_stands_elsewhere_too():
    rooms = [*ROOMS, exact, shared, navmesh]
    for i, module in enumerate(ROOMS):
        for other in rooms[i + 1 :]:
            assert not names_in(module) & names_in(other)


def test_rounded_places():
    # Places are whole micrometres: each coordinate is up to half of one off.
    assert surface.FACE_WIDTH > 1e-6
    assert bridges.GAP_ROUNDING > 1e-6
    # Welding moves corners by less than anything is looked for beyond edges.
    assert surface.WELD < surface.BEYOND_EDGE < shared.BEYOND_BOUNDARY
