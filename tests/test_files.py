"""Files appear complete or not at all."""

import os
import stat

import pytest

from walkmesh.errors import FormatError
from walkmesh.files import replacing


def test_a_complete_file_takes_the_place_of_the_old_one(tmp_path):
    target = tmp_path / "mesh.ply"
    target.write_text("old")
    with replacing(target) as temporary:
        assert temporary.parent == tmp_path
        assert temporary.suffix == ".ply"
        temporary.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, ValueError, SystemExit])
def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path, interruption):
    target = tmp_path / "mesh.ply"
    target.write_text("old")
    with pytest.raises(interruption), replacing(target) as temporary:  # noqa: PT012
        temporary.write_text("half of the n")
        raise interruption
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_interrupted_first_write_leaves_no_file(tmp_path):
    with pytest.raises(KeyboardInterrupt), replacing(tmp_path / "mesh.ply"):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_a_failing_disk_is_a_format_error_that_names_the_file(tmp_path):
    target = tmp_path / "mesh.ply"
    message = r"cannot write .*mesh\.ply: No space left on device"
    with pytest.raises(FormatError, match=message), replacing(target):
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []


def test_permissions_follow_the_umask(tmp_path):
    plain, replaced = tmp_path / "plain", tmp_path / "replaced"
    plain.touch()
    with replacing(replaced):
        pass
    assert stat.S_IMODE(replaced.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_a_missing_folder_is_named(tmp_path):
    message = r"cannot write .*mesh\.ply: there is no folder .*absent"
    with pytest.raises(FormatError, match=message), replacing(tmp_path / "absent" / "mesh.ply"):
        pass


def test_a_folder_is_not_overwritten(tmp_path):
    with pytest.raises(FormatError, match="it is a folder"), replacing(tmp_path):
        pass


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere"
)
def test_a_folder_without_permission_is_an_error(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(FormatError, match="Permission denied"), replacing(tmp_path / "a.ply"):
            pass
    finally:
        tmp_path.chmod(0o700)


def test_a_link_stays_and_leads_to_the_new_content(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    with replacing(tmp_path / "link.txt") as temporary:
        temporary.write_text("new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"
