"""The tolerances of the voxel method: their units, their reasons, and how they are related."""

# Heights and clearances

# What float32 may make of a height or a distance that is exactly at its limit: steps of exactly the
# largest height count, and cells at exactly the radius stay. Less than SAME_SURFACE. [m]
LIMIT_ROUNDING = 1e-4
# Surfaces closer in height than this are one when their areas in a cell are added up. [m]
SAME_SURFACE = 1e-3
# Slices stay clear of where the ground ends by this much at least, also for an agent without any
# radius, so that those of two grounds that are not connected never touch. More than
# LIMIT_ROUNDING, which is taken off again. [m]
LEAST_CLEARANCE = 1e-3
# Slopes steeper than this between cells are steps, and say nothing about heights beside them.
STEEPEST_SLOPE = 1.2

# Parts of cells

# Clips with less of the cell's area are what rounding leaves of a touching edge: no ground.
LEAST_CLIP_AREA = 1e-9  # cells' areas
# Ground that covers less of a cell is none. More than LEAST_CLIP_AREA.
LEAST_COVER = 0.01  # cells' areas
# Sides of the outlines of walls shorter than this are corners. More than a step of the grid that
# vertices lie on.
LEAST_SIDE = 0.01  # cells
# Limits this far beyond the radius still tell where the corners of cells belong: at least
# FARTHEST_MOVE.
BEYOND_RADIUS = 1.5  # cells
# How far the corner of a cell may be moved to where it is the radius away from its limits.
FARTHEST_MOVE = 1.0  # cells
# It has its place when a further push is shorter than this: far less than a step of the grid.
PLACED = 1e-6  # cells
# Cells of slices are kept whole where they are clear up to this part of a cell from their middles
# along both axes, at most 1/2. With 1/2, the middles of all sides are clear, and buildings turned
# against the lattice lose more ground than in Recast: 2.2 % at cells of 5 cm instead of 1.3 %.
CLEAR_PART = 0.125  # cells
# Their sides may be closer to where the ground ends than the radius by this share of it: where
# cells are large, they would lie too far beyond the free ground.
OVERHANG = 1.0 / 6.0

# Contours

# Vertices lie on a grid with so many steps to the side of a cell: on it, crossings are exact.
GRID = 256

# Vertices that only the ground's height or a border needs lie this far off their line at most: two
# steps of the grid, as they are rounded to it.
OFF_LINE = 2.0 / GRID  # cells
# How far contours may leave the exact ones to either side before they are moved inwards: where
# ground comes close to other ground there is no more between them than the radius on both sides.
# More than OFF_LINE.
CONTOUR_ERROR = 0.25  # cells
CONTOUR_SHARE = 0.5  # of the radius

# Steps between slices

# Places on the lattice that were in world coordinates meanwhile are equal to this. [m]
SAME_LATTICE_PLACE = 1e-7
# Edges along an axis have ends no further apart across it than this. They were put back on the
# lattice, so less than SAME_LATTICE_PLACE. [m]
ALONG_AXIS = 1e-9
# What rounding may make of a quotient that is whole: a step of as many levels as the agent takes,
# and a stretch that has room for as many links.
WHOLE_LEVELS = 1e-6  # levels
WHOLE_PIECES = 1e-9  # links
