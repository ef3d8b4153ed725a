"""Pixels of pictures."""

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.image import imread


def count(picture, color):
    """Count the pixels of (h, w, 3) that have a colour."""
    return int(np.all(np.abs(picture - to_rgb(color)) < 1.5 / 255.0, axis=2).sum())


def pixels(path, color):
    """Count the pixels of a file that have a colour."""
    return count(imread(path)[:, :, :3], color)
