"""The stages of the method for floor plans, one file each."""

from walkmesh.builder.plan.stages import clearance, outline, polygons, triangles

STAGES = (outline, clearance, triangles, polygons)
"""In their order."""
