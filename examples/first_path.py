"""Build a navmesh, find a path on it, and draw both."""

import walkmesh as wm

scene = wm.samples.house()
agent = wm.Agent(height=1.8, radius=0.3, max_slope=45, max_step=0.4)
navmesh = wm.build(scene, agent, progress=lambda stage, part: print(f"{stage}: {part:.0%}"))

path = navmesh.find_path(wm.samples.HOUSE_START, wm.samples.HOUSE_GOAL)
print(path)
for x, y, z in path.points:
    print(f"  {x:6.2f} {y:6.2f} {z:6.2f}")

navmesh.plot(scene=scene, paths=[path]).savefig("first_path.png")
