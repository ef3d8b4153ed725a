"""The figure that pictures are drawn on. Importing this imports matplotlib, which takes a while."""

from __future__ import annotations

import io

from matplotlib.figure import Figure


class Picture(Figure):
    """A matplotlib figure that a notebook shows by itself.

    One that does not come from pyplot is otherwise shown as text, until pyplot is imported.
    """

    def _repr_png_(self) -> bytes:
        target = io.BytesIO()
        self.savefig(target, format="png")
        return target.getvalue()
