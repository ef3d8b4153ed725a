"""What can go wrong, as one small tree of exceptions.

::

    WalkmeshError
    ├── SceneError      the scene (file or arrays) cannot be used
    ├── SettingsError   an agent or method setting is impossible
    ├── BuildError      a build could not make a navmesh of this scene
    ├── FormatError     a file or set of arrays is no navmesh, or a format is not known
    └── Cancelled       the caller's progress callback asked to stop

A message names the thing, its value, and what would be right.
"""


class WalkmeshError(Exception):
    """Base of every exception that walkmesh raises on purpose."""


class SceneError(WalkmeshError):
    """The scene cannot be used: missing, malformed, or without a single valid triangle."""


class SettingsError(WalkmeshError):
    """A setting of an agent or a method is out of its limits."""


class BuildError(WalkmeshError):
    """A build could not make a navmesh of this scene."""


class FormatError(WalkmeshError):
    """A file or a set of arrays is not a navmesh, or its format is not known."""


class Cancelled(WalkmeshError):  # noqa: N818 - it is a request that was heard, not an error
    """Raise this from a ``progress`` callback to stop a build."""
