"""A floor, and plinths with leaning sides that stand on it."""

import math

import numpy as np

import walkmesh as wm

REACH = 4.0  # of the floor from its middle [m]


def frustum(radius, height, lean, *, sides=4, turn=0.0, base=0.0, bands=1, tip=0.0):
    """Return vertices and faces of a plinth that is narrower at its top by `lean` on every side.

    Parameters
    ----------
    radius, height, lean : float
        From the axis to the corners of its foot, up to its top, and inwards. [Unit: m]
    base : float
        How deep it reaches below the floor. [Unit: m]
    bands : int
        Rows of faces that its sides are made of.
    tip : float
        How high the middle of its top is above its rim. [Unit: m]
    """
    angles = turn + 2.0 * math.pi * np.arange(sides) / sides
    rings = []
    for part in np.linspace(0.0, 1.0, bands + 1):
        # Corners move further than sides.
        corners = radius - lean * part / math.cos(math.pi / sides)
        level = np.full(sides, -base + part * (height + base))
        rings.append(np.column_stack([corners * np.cos(angles), level, -corners * np.sin(angles)]))
    vertices = np.concatenate([*rings, [(0.0, height + tip, 0.0)]])
    faces = []
    for i in range(sides):
        j = (i + 1) % sides
        for band in range(bands):
            a, b = band * sides, (band + 1) * sides
            faces += [(a + i, a + j, b + j), (a + i, b + j, b + i)]
        faces.append((bands * sides + i, bands * sides + j, len(vertices) - 1))
    return vertices, np.array(faces)


def floor(rise=0.0):
    """Return a floor of two triangles, which rises by so much for each metre along x."""
    corners = [(-REACH, REACH), (REACH, REACH), (REACH, -REACH), (-REACH, -REACH)]
    vertices = np.array([(x, rise * x, z) for x, z in corners])
    return vertices, np.array([(0, 1, 2), (0, 2, 3)])


def scene_of(*parts):
    """Return a scene of parts, each vertices and faces."""
    counts = np.cumsum([0, *(len(vertices) for vertices, _ in parts)])
    faces = [faces + count for (_, faces), count in zip(parts, counts, strict=False)]
    return wm.Scene(np.concatenate([vertices for vertices, _ in parts]), np.concatenate(faces))


def is_climbed(navmesh, height):
    """Tell whether there is a way from the floor beside a plinth to its middle."""
    return navmesh.find_path((-3.0, 0.0, -3.0), (0.0, height, 0.0)).status == "complete"
