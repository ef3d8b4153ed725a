"""Where pictures of one size are on a page: as many beside each other as makes them the largest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from walkmesh.arrays import Floats
    from walkmesh.viewer.figure import Picture

DOTS_PER_INCH = 150
POINTS_PER_INCH = 72.0

# The largest page, and what is left free at its edges and between pictures. [Unit: inches]
WIDTH, MOST_HEIGHT = 11.0, 8.0
EDGE, GAP = 0.2, 0.3


@dataclass(frozen=True)
class PictureLayout:
    """Where pictures are on the page.

    Attributes
    ----------
    columns, rows : int
        Pictures beside and below each other.
    size : (2,) float64
        Of a picture. [Unit: inches]
    scale : float
        Inches for a metre.
    header, name : float
        Heights above all pictures, and above each of them. [Unit: inches]
    width : float
        Of the page. [Unit: inches]
    """

    columns: int
    rows: int
    size: Floats
    scale: float
    header: float
    name: float
    width: float

    @classmethod
    def holding(
        cls, count: int, extent: Floats, *, header: float, name: float, least_width: float = 0.0
    ) -> PictureLayout:
        """Return the page on which `count` pictures of (2,) metres `extent` are the largest.

        It is no wider than they need, but at least `least_width` inches.
        """
        pages = []
        for columns in range(1, count + 1):
            rows = math.ceil(count / columns)
            width = (WIDTH - 2.0 * EDGE - (columns - 1) * GAP) / columns
            height = (MOST_HEIGHT - header - EDGE) / rows - name
            scale = float(min(np.array([width, height]) / extent))
            size = extent * scale
            needed = 2.0 * EDGE + columns * size[0] + (columns - 1) * GAP
            page_width = max(float(needed), least_width)
            pages.append(cls(columns, rows, size, scale, header, name, page_width))
        return max(pages, key=lambda page: page.scale)

    @property
    def height(self) -> float:
        """Of the page. [Unit: inches]."""
        return float(self.header + self.rows * (self.name + self.size[1]) + EDGE)

    def place(self, index: int) -> tuple[float, float, float, float]:
        """Return left, bottom, width and height of a picture, in parts of the page."""
        row, column = divmod(index, self.columns)
        width, height = self.size
        # Pictures that do not fill the page are spread over it.
        spare = (self.width - 2.0 * EDGE - self.columns * width) / (self.columns + 1)
        between = max(GAP, spare) if self.columns > 1 else 0.0
        left = (self.width - self.columns * width - (self.columns - 1) * between) / 2.0
        left += column * (width + between)
        bottom = EDGE + (self.rows - 1 - row) * (self.name + height)
        return left / self.width, bottom / self.height, width / self.width, height / self.height

    def figure(self) -> Picture:
        """Return an empty figure of the page's size."""
        return blank_figure(self.width, self.height)


def blank_figure(width: float, height: float) -> Picture:
    """Return an empty figure, with sizes in inches."""
    from walkmesh.viewer.figure import Picture

    return Picture(figsize=(width, height), dpi=DOTS_PER_INCH, facecolor="white")
