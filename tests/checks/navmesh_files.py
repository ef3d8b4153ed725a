"""Navmesh files that are changed after they were saved, for the tests of the formats."""

import pytest

import walkmesh as wm


def assert_refused_when_changed(navmesh, file, old, new, **options):
    """Save a navmesh, put other bytes in the place of some, and see that it is not loaded."""
    navmesh.save(file, **options)
    content = file.read_bytes()
    assert old in content
    file.write_bytes(content.replace(old, new))
    with pytest.raises(wm.FormatError):
        wm.load_navmesh(file)
