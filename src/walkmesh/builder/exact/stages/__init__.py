"""The stages of the exact method, one file each."""

from walkmesh.builder.exact.stages import (
    clearance,
    cut,
    detail,
    gaps,
    patches,
    polygons,
    ramps,
    simplify,
    slope,
    stitch,
)

STAGES = (slope, cut, stitch, gaps, detail, clearance, patches, ramps, simplify, polygons)
"""In their order."""
