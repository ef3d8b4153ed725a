"""What a case finds wrong."""


class Fault(Exception):  # noqa: N818 - it is found, not raised in error
    """Something that a case found wrong; the first argument names its kind."""
