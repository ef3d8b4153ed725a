"""The stages of the voxel method, one file each.

The first three are worked on tile by tile: each tile goes through all of them at once, when the
first one is run.
"""

from walkmesh.builder.voxel.stages import contours, distance, heightfield, polygons, regions

STAGES = (heightfield, distance, regions, contours, polygons)
"""In their order."""
