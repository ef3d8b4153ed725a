"""A slow twin of the sweep that links are checked by: one upright cylinder after another.

It shares no code with walkmesh: plan coordinates, arcs and distances are its own.
"""

import math

import numpy as np

LEGS, LEAP, BOUND = 0, 1, 2
SLACK = 1e-3 + 1e-6  # as the sweep allows, and a rounding
STRIDE = 0.02  # from one cylinder to the next


def confirmed(scene, agent, start, goal, arc):
    """Tell whether the agent's cylinder is clear of the scene all along an arc of a link."""
    corners = in_plan(scene.vertices[scene.faces].reshape(-1, 3), scene.up).reshape(-1, 3, 3)
    return Sweep(corners, agent).is_clear(*in_plan([start, goal], scene.up), arc)


def in_plan(points, up):
    """Return points as two coordinates across up and the height along it."""
    up = np.array(up) / np.linalg.norm(up)
    aside = np.cross(up, np.eye(3)[np.argmin(np.abs(up))])
    aside /= np.linalg.norm(aside)
    return np.asarray(points) @ np.stack([aside, np.cross(up, aside), up], axis=1)


class Sweep:
    """The triangles of a scene, (t, 3, 3) in plan coordinates, and an agent's cylinder."""

    def __init__(self, corners, agent):
        self.corners, self.agent = corners, agent
        self.low, self.high = corners.min(axis=1), corners.max(axis=1)

    def is_clear(self, start, goal, arc):
        radius = max(self.agent.radius, 0.05) - SLACK
        feet = positions(*((start, goal) if start[2] >= goal[2] else (goal, start)), arc)
        bottom = feet[:, 2] + self.agent.max_step + SLACK
        top = feet[:, 2] + self.agent.height - SLACK
        low = np.append(feet[:, :2].min(axis=0) - radius, bottom.min())
        high = np.append(feet[:, :2].max(axis=0) + radius, top.max())
        near = np.all((self.low <= high) & (self.high >= low), axis=1)
        if not near.any():
            return True
        away = distances(self.corners[near][None], feet[:, None, :2], bottom[:, None], top[:, None])
        return bool(away.min() >= radius)


def positions(high, low, arc):
    """Return where the feet are along an arc from the higher end to the lower, (n, 3)."""
    across, fall = np.linalg.norm(low[:2] - high[:2]), high[2] - low[2]
    if arc == LEGS:
        over = np.append(low[:2], high[2])
        ways = [(high, over, across), (over, low, fall)]
        return np.concatenate(
            [np.linspace(a, b, math.ceil(length / STRIDE) + 2) for a, b, length in ways]
        )
    top = high[2] + across * {LEAP: 1 / 8, BOUND: 1 / 4}[arc]
    # Thrown upwards from the start with gravity 2, it takes so long to the top and down again.
    rising, falling = math.sqrt(top - high[2]), math.sqrt(top - low[2])
    length = max(across, 2 * (top - low[2]))
    times = np.linspace(0, rising + falling, 2 * math.ceil(length / STRIDE) + 2)
    feet = high + (low - high) * (times / (rising + falling))[:, None]
    feet[:, 2] = high[2] + 2 * rising * times - times**2
    return feet


def distances(corners, axes, bottom, top):
    """Return how close the parts of triangles between two heights come to upright axes, in plan.

    corners is (1, t, 3, 3), axes (n, 1, 2), bottom and top (n, 1); the result (n, t), infinite for
    triangles that are above or below.
    """
    flat, heights = corners[..., :2], corners[..., 2]
    best = np.full(np.broadcast_shapes(axes.shape[:2], flat.shape[:2]), np.inf)

    def consider(a, b, there):
        along = b - a
        square = (along**2).sum(-1)
        share = ((axes - a) * along).sum(-1) / np.where(square > 0, square, 1)
        nearest = a + np.clip(share, 0, 1)[..., None] * along
        away = np.linalg.norm(axes - nearest, axis=-1)
        np.copyto(best, np.minimum(best, away), where=there)

    # Sides, as far as they are between the heights.
    for i in range(3):
        a, b, rise = flat[..., i, :], flat[..., i - 1, :], heights[..., i - 1] - heights[..., i]
        level = rise == 0
        ends = [(z - heights[..., i]) / np.where(level, 1, rise) for z in (bottom, top)]
        inside = (heights[..., i] >= bottom) & (heights[..., i] <= top)
        first = np.where(level, np.where(inside, 0, 2), np.clip(np.minimum(*ends), 0, 1))
        last = np.where(level, np.where(inside, 1, -1), np.clip(np.maximum(*ends), 0, 1))
        touches = level | (np.maximum(*ends) >= 0) & (np.minimum(*ends) <= 1)
        one, two = (a + share[..., None] * (b - a) for share in (first, last))
        consider(one, two, touches & (first <= last))
    # Where they are cut at either height.
    for z in (bottom, top):
        cuts = []
        for i in range(3):
            one, two = heights[..., i] - z, heights[..., i - 1] - z
            crosses = (one < 0) != (two < 0)
            share = one / np.where(crosses, one - two, 1)
            cuts.append(
                (
                    flat[..., i, :] + share[..., None] * (flat[..., i - 1, :] - flat[..., i, :]),
                    crosses,
                )
            )
        for i in range(3):
            consider(cuts[i][0], cuts[i - 1][0], cuts[i][1] & cuts[i - 1][1])
    # The axis itself, through the inside.
    a, b, c = (flat[..., i, :] - axes for i in range(3))
    shares = np.stack([cross(b, c), cross(c, a), cross(a, b)], axis=-1)
    whole = shares.sum(-1)
    within = np.all(shares > 0, axis=-1) | np.all(shares < 0, axis=-1)
    height = (shares * heights[..., None, :].squeeze(-2)).sum(-1) / np.where(within, whole, 1)
    best[within & (height >= bottom) & (height <= top)] = 0
    return best


def cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
