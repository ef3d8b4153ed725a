"""Painting surfaces seen at an angle from above, far ones first.

This is the painter's algorithm: what is drawn later hides what is there already. The order by
distance is right only for pieces that are small against the distance between surfaces, so large
triangles and long lines are cut up first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from walkmesh.ragged import ranges
from walkmesh.triangles import area_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkmesh.arrays import Floats

AZIMUTH = np.radians(-62.0)
ELEVATION = np.radians(48.0)

# Seen from the front, lower left and above, the way light falls in most drawings.
LIGHT = np.array([-0.35, -0.55, 0.76])


@dataclass(frozen=True)
class Camera:
    """An orthographic view of the plan frame.

    Attributes
    ----------
    right, up, towards : (3,) float64
        Unit vectors in plan coordinates: to the right and up in the picture, and to the viewer.
    """

    right: Floats
    up: Floats
    towards: Floats

    @classmethod
    def looking_down(cls, azimuth: float = AZIMUTH, elevation: float = ELEVATION) -> Camera:
        """Return the camera at an azimuth from the u axis and an elevation in radians."""
        sine, cosine = np.sin(azimuth), np.cos(azimuth)
        towards = np.array(
            [np.cos(elevation) * cosine, np.cos(elevation) * sine, np.sin(elevation)]
        )
        right = np.array([-sine, cosine, 0.0])
        return cls(right, np.cross(towards, right), towards)

    @classmethod
    def from_above(cls) -> Camera:
        """Return the camera that sees the plan."""
        return cls(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]))

    @property
    def opposite(self) -> Camera:
        """The camera that looks back from where this one looks to."""
        return Camera(-self.right, self.up, -self.towards)

    def faces(self, triangles: Floats) -> NDArray[np.bool_]:
        """Tell which (n, 3, 3) triangles are counter-clockwise for the viewer."""
        normals = area_vectors(triangles)
        towards: NDArray[np.bool_] = normals @ self.towards > 0.0
        return towards

    def project(self, points: Floats) -> Floats:
        """Return (..., 3) plan points as (..., 2) positions in the picture, in metres."""
        return points @ np.column_stack([self.right, self.up])

    def nearness(self, points: Floats) -> Floats:
        """Return how many metres towards the viewer (..., 3) points lie."""
        result: Floats = points @ self.towards
        return result


@dataclass(frozen=True)
class Strokes:
    """Pieces to draw, all of them triangles; a line is a triangle with two equal corners.

    Attributes
    ----------
    corners : (n, 3, 3) float64
        In plan coordinates. [Unit: m]
    colors : (n, 4) float64
        Red, green, blue and opacity, from 0 to 1.
    widths : (n,) float64
        Of lines; 0 for surfaces. [Unit: points]
    lift : (n,) float64
        How much nearer to the viewer than it is a piece counts. [Unit: m]
    """

    corners: Floats
    colors: Floats
    widths: Floats
    lift: Floats

    @classmethod
    def surface(cls, triangles: Floats, colors: Floats, lift: float, longest: float) -> Strokes:
        """Return (n, 3, 3) triangles with (n, 4) colours, cut until no side is over `longest`."""
        pieces, sources = cut_triangles(triangles, longest)
        count = len(pieces)
        return cls(pieces, colors[sources], np.zeros(count), np.full(count, lift))

    @classmethod
    def lines(
        cls, segments: Floats, color: tuple[float, ...], width: float, lift: float, longest: float
    ) -> Strokes:
        """Return (n, 2, 3) segments of one colour, cut until none is over `longest`."""
        pieces = cut_segments(segments, longest)[:, [0, 1, 1]]
        colors = np.tile(np.array(color), (len(pieces), 1))
        return cls(pieces, colors, np.full(len(pieces), width), np.full(len(pieces), lift))


def painted(camera: Camera, layers: list[Strokes]) -> tuple[Floats, Floats, Floats]:
    """Return all strokes as the camera sees them, the farthest first.

    Their corners are (n, 3, 2) positions in the picture in metres; colours and widths are as in
    :class:`Strokes`.
    """
    corners, colors, widths, lift = (
        np.concatenate([getattr(layer, name) for layer in layers])
        for name in ("corners", "colors", "widths", "lift")
    )
    order = np.argsort(camera.nearness(corners).mean(axis=1) + lift, kind="stable")
    return camera.project(corners[order]), colors[order], widths[order]


def shade(triangles: Floats, darkest: float, light: Floats = LIGHT) -> Floats:
    """Return (n,) brightness of (n, 3, 3) triangles: 1 where flat, `darkest` away from the light.

    What is turned to the light even more than flat ground is brighter than 1. From below, flat is
    what faces straight down.
    """
    normals = area_vectors(triangles)
    normals /= np.maximum(np.linalg.norm(normals, axis=1), np.finfo(float).tiny)[:, None]
    facing: Floats = (normals @ light + 1.0) / (abs(light[2]) + 1.0)
    return darkest + (1.0 - darkest) * facing


def cut_triangles(triangles: Floats, longest: float) -> tuple[Floats, NDArray[np.intp]]:
    """Halve triangles at their longest side until no side is over `longest`.

    Returns (m, 3, 3) pieces and the triangle that each is cut from.
    """
    done, done_sources = [], []
    sources = np.arange(len(triangles))
    while len(triangles):
        sides = np.linalg.norm(triangles[:, [1, 2, 0]] - triangles, axis=2)
        large = sides.max(axis=1) > longest
        done.append(triangles[~large])
        done_sources.append(sources[~large])
        first = sides[large].argmax(axis=1)
        turned = (first[:, None] + np.arange(3)) % 3
        a, b, c = np.moveaxis(
            np.take_along_axis(triangles[large], turned[:, :, None], axis=1), 1, 0
        )
        middle = (a + b) / 2.0
        triangles = np.concatenate(
            [np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)]
        )
        sources = np.tile(sources[large], 2)
    if not done:
        return triangles, sources
    return np.concatenate(done), np.concatenate(done_sources)


def cut_segments(segments: Floats, longest: float) -> Floats:
    """Cut (n, 2, 3) segments into equal parts that are not over `longest`."""
    start, end = segments[:, 0], segments[:, 1]
    counts = np.ceil(np.linalg.norm(end - start, axis=1) / longest).astype(np.intp)
    counts = np.maximum(counts, 1)
    source = np.repeat(np.arange(len(segments)), counts)
    step = ranges(np.zeros_like(counts), counts)
    share = np.stack([step, step + 1], axis=1)[:, :, None] / counts[source][:, None, None]
    pieces: Floats = start[source][:, None] + share * (end - start)[source][:, None]
    return pieces
