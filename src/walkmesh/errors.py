"""What can go wrong, as one small tree of exceptions.

::

    WalkmeshError
    ├── SceneError           the scene (file or arrays) cannot be used
    ├── SettingsError        an agent or method setting is impossible
    ├── BuildError           a build could not make a navmesh of this scene
    ├── FormatError          not a navmesh, or an unsupported format
    ├── MissingPackageError  a package that only some of walkmesh needs is not installed
    └── Cancelled            the caller's progress callback asked to stop

A message is one line; it names the thing, its value, and what would be right.
"""

# Values of any size are named in messages; of a longer message the middle is left out. [characters]
_LONGEST = 1000


class WalkmeshError(Exception):
    """Base of every exception that walkmesh raises on purpose."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*(_one_line(a) if isinstance(a, str) else a for a in arguments))


def _one_line(message: str) -> str:
    """Return a message in one line; the text of arrays and of other libraries has several."""
    line = " ".join(part.strip() for part in message.splitlines())
    if len(line) > _LONGEST:
        half = _LONGEST // 2 - 3
        line = f"{line[:half]} ... {line[-half:]}"
    return line


class SceneError(WalkmeshError):
    """The scene cannot be used: missing, malformed, or without a single valid triangle."""


class SettingsError(WalkmeshError):
    """A setting of an agent or a method is out of its limits."""


class BuildError(WalkmeshError):
    """A build could not make a navmesh of this scene."""


class FormatError(WalkmeshError):
    """A file or a set of arrays is not a navmesh, or its format is not known."""


class MissingPackageError(WalkmeshError, ImportError):
    """A package that only some of walkmesh needs is not installed."""


class Cancelled(WalkmeshError):  # noqa: N818 - it is a request that was heard, not an error
    """Raise this from a ``progress`` callback to stop a build."""
