"""Flights of stairs of every kind, each with a place below and one above."""

import math

from walkmesh import samples


def world(u, v, h):
    """Return a plan point in world coordinates, y up."""
    return (v, h, u)


def straight(riser, tread, open_risers):
    steps = 8
    scene = samples.stairs(riser, tread, steps, open_risers=open_risers)
    return scene, world(-0.5, 0.6, 0), world((steps - 1) * tread + 0.5, 0.6, steps * riser)


def landing_90(riser, tread, open_risers):
    steps = 5
    scene = samples.stairs_with_landing(riser, tread, steps, turn=90, open_risers=open_risers)
    run = (steps - 1) * tread
    return scene, world(-0.5, 0.6, 0), world(run + 0.6, 1.2 + run + 0.5, 2 * steps * riser)


def landing_180(riser, tread, open_risers):
    steps = 5
    scene = samples.stairs_with_landing(riser, tread, steps, turn=180, open_risers=open_risers)
    return scene, world(-0.5, 0.6, 0), world(-0.5, 2.0, 2 * steps * riser)


def spiral(riser, tread, open_risers):
    steps = 7
    scene = samples.spiral_stairs(riser, tread, steps, open_risers=open_risers)
    ends = []
    for arc, height in ((-0.5, 0.0), ((steps - 1) * tread + 0.5, steps * riser)):
        angle = arc / 1.2
        ends.append(world(1.2 * math.cos(angle), 1.2 * math.sin(angle), height))
    return scene, *ends


def between_storeys(riser, tread, open_risers):
    steps = math.ceil(2.6 / riser)
    scene = samples.storeys(riser, tread, steps, open_risers=open_risers)
    top = world((steps - 1) * tread + 1.0, 0.6, steps * riser)
    return scene, world(-1.0, 0.6, 0), top


KINDS = [straight, landing_90, landing_180, spiral, between_storeys]
