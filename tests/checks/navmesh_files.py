"""Navmesh files: what comes back of them, and what does not after they were changed."""

import struct
import zipfile

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


ARRAYS = (
    "vertices",
    "polygon_offsets",
    "polygon_vertices",
    "neighbors",
    "areas",
    "components",
    "links",
    "triangles",
)


def assert_equal(loaded, saved):
    for name in ARRAYS:
        here, there = getattr(saved, name), getattr(loaded, name)
        assert here.dtype == there.dtype, name
        assert here.shape == there.shape, name
        assert here.tobytes() == there.tobytes(), name
        assert not there.flags.writeable, name
    assert loaded.agent == saved.agent
    assert loaded.up == saved.up
    assert loaded.surface is saved.surface
    if saved.report is not None:
        assert loaded.report == saved.report.without_measurements()


def npy(array, **header):
    """Return an npy file, with parts of its header changed."""
    values = {"descr": array.dtype.str, "fortran_order": False, "shape": array.shape} | header
    text = (repr(values) + "\n").encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + array.tobytes()


def change_members(file, changes):
    """Change members of a saved archive to other bytes, or leave them out."""
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in (members | changes).items():
            if content is not None:
                archive.writestr(name, content)
