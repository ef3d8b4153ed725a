"""The stages of the surface method, one file each."""

from walkmesh.builder.surface.stages import (
    clearance,
    cut,
    faces,
    joints,
    patches,
    polygons,
    simplify,
    stitch,
)

STAGES = (faces, cut, stitch, joints, clearance, patches, simplify, polygons)
"""In their order."""
