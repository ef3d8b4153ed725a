"""Look at every stage of a build, at the report, and at what is wrong with the navmesh."""

from collections import Counter

import walkmesh as wm

scene = wm.samples.house()
for name, mesh in wm.stages(scene):
    print(f"{name:10} {len(mesh.triangles):5} triangles, {len(mesh.vertices):5} vertices")

navmesh = wm.build(scene)
for stage in navmesh.report.stages:
    print(stage.name, f"{stage.seconds * 1e3:.1f} ms", stage.counts)

print(navmesh.validate() or "nothing is wrong with it")

# What is wrong is told in words: seen from below, all polygons are wound the wrong way round.
from_below = wm.NavMesh(
    navmesh.vertices, navmesh.polygon_offsets, navmesh.polygon_vertices, up=(0, -1, 0)
)
violations = from_below.validate()
print(Counter(violation.kind for violation in violations))
print(violations[0])
