"""What counts as on a cut, as flat and as wide enough, when polygons are cut.

What each of them must be larger or smaller than stands beside it, and is tested.
"""

from walkmesh.tolerances import NO_WIDTH, TOUCHING

# A corner of a polygon this close to a cut is on it, and no cut makes a piece narrower than this:
# closer, a vertex would count as lying on edges that it is no corner of. [m]
ON_CUT = TOUCHING
# Corners of triangles this close to a cut count as on it: a hundredth of what a polygon's corners
# do, so that triangles end where their polygon does, and ten times what has no width. [m]
TRIANGLE_ON_CUT = 1e-8
# Triangles narrower than this are left out; those narrower than half of it would be a violation,
# as they have no width. [m] Below TRIANGLE_ON_CUT.
NARROWEST = 2.0 * NO_WIDTH
# A polygon whose corners are this close to a plane has the same ground however it is cut. [m] No
# more than ON_CUT.
PLANAR = 1e-6
