"""Files: read with a clear word when that fails, written so that they appear only complete."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from walkmesh.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from walkmesh.errors import WalkmeshError


def as_path(path: str | PathLike[str], error: type[WalkmeshError]) -> Path:
    """Return what a caller names a file by as a path."""
    try:
        return Path(path)
    except TypeError:
        raise error(f"path is {path!r}; it must be the name of a file") from None


@contextmanager
def naming(file: Path, error: type[WalkmeshError]) -> Iterator[None]:
    """Begin the message of every such error with the name of a file."""
    try:
        yield
    except error as reason:
        raise error(f"{file}: {reason}") from None
    except MemoryError:
        raise error(f"{file}: it does not fit into this machine's memory") from None


def read_bytes(file: Path, suffixes: tuple[str, ...], error: type[WalkmeshError]) -> bytes:
    """Return the content of a file whose suffix promises a format that is read.

    What is raised has the reason, but not the name of the file.
    """
    try:
        if not file.exists():
            raise error("there is no such file")
        if file.is_dir():
            raise error("it is a folder; name a file in it")
        if file.suffix.lower() not in suffixes:
            raise error(f"unsupported file type {file.suffix!r}; supported: {', '.join(suffixes)}")
        if not file.is_file():
            raise error("it is not a regular file")
        data = file.read_bytes()
    except (OSError, ValueError) as reason:
        what = reason.strerror if isinstance(reason, OSError) else reason
        raise error(f"it cannot be read: {what}") from None
    if not data:
        raise error("it is empty")
    return data


def check_target(path: str | PathLike[str], suffixes: tuple[str, ...]) -> None:
    """Refuse a file that could not be written, before any work is done for it."""
    target = as_path(path, FormatError)
    if target.suffix.lower() not in suffixes:
        raise FormatError(
            f"cannot write {target}: unsupported file type {target.suffix!r}; "
            f"supported: {', '.join(suffixes)}"
        )
    try:
        if target.is_dir():
            raise FormatError(f"cannot write {target}: it is a folder")
        if not target.parent.is_dir():
            raise FormatError(f"cannot write {target}: there is no folder {target.parent}")
        if not os.access(target.parent, os.W_OK):
            raise FormatError(f"cannot write {target}: its folder is not writable")
        target.exists()  # raises when the name is too long
        if "\0" in str(target):
            raise ValueError("a file name cannot contain a null character")
    except (OSError, ValueError) as error:  # a locked folder, too long a name, a null character
        reason = error.strerror if isinstance(error, OSError) else error
        raise FormatError(f"cannot write {str(target)!r}: {reason}") from None


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[Path]:
    """Give a temporary file to write to, and put it in the place of `path` when all went well.

    It is empty, in the same folder and with the same suffix. When the block raises anything, Ctrl-C
    included, it is deleted and whatever was at `path` before stays as it was. FormatError names
    `path` and the reason why it cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(f"{folder}/note.txt") as temporary:
    ...         _ = temporary.write_text("complete")
    ...     Path(folder, "note.txt").read_text()
    'complete'
    """
    target = Path(os.path.realpath(path))  # a link stays, and what it leads to is replaced
    if target.is_dir():
        raise FormatError(f"cannot write {target}: it is a folder")
    # Not tempfile.mkstemp: its files are private to the user, whereas a file that is created the
    # plain way gets the permissions that the umask asks for.
    temporary = target.with_name(f".{secrets.token_hex(8)}{target.suffix}")
    try:
        temporary.open("xb").close()
        try:
            yield temporary
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise FormatError(f"cannot write {target}: {_reason(error, target)}") from error


def _reason(error: OSError, target: Path) -> str:
    if isinstance(error, FileNotFoundError) and not target.parent.is_dir():
        return f"there is no folder {target.parent}"
    return error.strerror or str(error)
