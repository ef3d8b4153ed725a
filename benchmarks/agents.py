"""Agents of every kind: robots, people, animals and giants; and limits of what can be asked for."""

from __future__ import annotations

import walkmesh as wm

DEFAULT = "person"

# height, radius, max_step [m], max_slope [degrees]
_SIZES = {
    DEFAULT: (1.8, 0.3, 0.4, 45.0),
    "robot vacuum": (0.1, 0.17, 0.02, 10.0),
    "lawn mower": (0.3, 0.25, 0.04, 20.0),
    "TurtleBot": (0.42, 0.18, 0.015, 15.0),
    "delivery robot": (0.7, 0.35, 0.1, 20.0),
    "quadruped": (0.6, 0.3, 0.2, 40.0),
    "warehouse robot": (0.4, 0.5, 0.01, 3.0),
    "drone dock": (0.3, 0.6, 0.02, 5.0),
    "toddler": (0.85, 0.15, 0.18, 30.0),
    "child": (1.2, 0.2, 0.3, 40.0),
    "tall person": (2.05, 0.25, 0.5, 50.0),
    "crowd": (1.9, 0.25, 0.2, 35.0),
    "wheelchair": (1.4, 0.4, 0.02, 5.0),
    "pram": (1.1, 0.3, 0.06, 8.0),
    "firefighter": (2.0, 0.45, 0.45, 50.0),
    "horse": (2.2, 0.6, 0.5, 35.0),
    "car": (1.6, 1.0, 0.15, 20.0),
    "lorry": (4.0, 1.4, 0.2, 15.0),
    "elephant": (3.2, 1.2, 0.6, 30.0),
    "giant": (10.0, 3.0, 1.0, 45.0),
    "mouse": (0.05, 0.02, 0.03, 60.0),
    "cat": (0.3, 0.08, 0.3, 60.0),
    "point": (1.8, 0.0, 0.4, 45.0),
    "low point": (0.05, 0.0, 0.0, 45.0),
    "needle": (1.8, 0.01, 0.4, 45.0),
    "thin": (1.8, 0.1, 0.4, 45.0),
    "broad": (1.8, 1.0, 0.4, 45.0),
    "no step": (1.8, 0.3, 0.0, 45.0),
    "level only": (1.8, 0.3, 0.4, 1.0),
    "climber": (1.8, 0.3, 1.0, 80.0),
}

AGENTS = {
    name: wm.Agent(height=height, radius=radius, max_step=step, max_slope=slope)
    for name, (height, radius, step, slope) in _SIZES.items()
}
