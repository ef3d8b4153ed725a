"""The plots of the results."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

OURS = "#0b6fb8"
THEIRS = "#c8502d"
MARKS = "osD^vP"
COLUMNS = 3


def draw_error_against_time(
    scenes: Mapping[str, Sequence[tuple[float | None, str, float, float]]], samples: int
) -> Figure:
    """Draw one panel a scene.

    Parameters
    ----------
    scenes : mapping of str to sequence of tuple
        For each navmesh Recast's cell size or None, who built it, the time in ms and the error.
    samples : int
        How many were drawn: smaller errors than one of them cannot be told from none.
    """
    figure, panels = _panels(len(scenes))
    floor = 0.5 / samples
    for axes, (name, points) in zip(panels, scenes.items(), strict=True):
        theirs = [(t, max(e, floor), cell) for cell, _, t, e in points if cell is not None]
        axes.plot([p[0] for p in theirs], [p[1] for p in theirs], "x-", color=THEIRS)
        for time, error, cell in theirs:
            axes.annotate(f"{cell:g}", (time, error), (3, 4), textcoords="offset points", size=7)
        ours = [(builder, t, max(e, floor)) for cell, builder, t, e in points if cell is None]
        for mark, (builder, time, error) in zip(MARKS, ours, strict=False):
            axes.plot([time], [error], mark, color=OURS, label=builder, fillstyle="none")
        axes.set(title=name, xscale="log", yscale="log", ylim=(floor / 1.5, 2.0))
        axes.grid(alpha=0.3)
        axes.set_xlabel("ms")
        axes.set_ylabel("error")
    handles, labels = panels[0].get_legend_handles_labels()
    handles.append(panels[0].lines[0])
    labels.append("Recast, cell size in m")
    figure.legend(handles, labels, loc="outside lower center", ncols=2, fontsize=8)
    figure.suptitle(f"Missing and wrong ground; none is drawn at {floor:.1g}", fontsize=9)
    return figure


def draw_scaling(
    lines: Mapping[str, Mapping[str, Sequence[tuple[int, float, float]]]],
) -> Figure:
    """Draw time and memory against triangles, one row a kind of scene.

    Parameters
    ----------
    lines : mapping of str to mapping of str to sequence of tuple
        For each kind and builder: triangles, seconds and MiB.
    """
    figure = Figure(figsize=(9.0, 3.2 * len(lines)), layout="constrained")
    for row, (kind, builders) in enumerate(lines.items()):
        for column, what in ((1, "seconds"), (2, "MiB")):
            axes = figure.add_subplot(len(lines), 2, 2 * row + column)
            for mark, (builder, points) in zip(MARKS, builders.items(), strict=False):
                color = THEIRS if builder.startswith("Recast") else OURS
                values = [p[column] for p in points]
                axes.plot([p[0] for p in points], values, f"{mark}-", color=color, label=builder)
            axes.set(title=kind, xscale="log", yscale="log", xlabel="triangles", ylabel=what)
            axes.grid(alpha=0.3)
            axes.legend(fontsize=7)
    return figure


def draw_steps(scenes: Mapping[str, Mapping[str, float]]) -> Figure:
    """Draw how the time of a build is shared by its steps, one bar a scene."""
    figure = Figure(figsize=(9.0, 1.2 + 0.4 * len(scenes)), layout="constrained")
    axes = figure.add_subplot()
    names = list(next(iter(scenes.values()), {}))
    totals = {scene: sum(steps.values()) for scene, steps in scenes.items()}
    starts = dict.fromkeys(scenes, 0.0)
    for number, name in enumerate(names):
        shares = {scene: steps[name] / totals[scene] for scene, steps in scenes.items()}
        shade = f"C{number % 10}"
        axes.barh(list(scenes), list(shares.values()), left=list(starts.values()), color=shade)
        starts = {scene: starts[scene] + shares[scene] for scene in scenes}
    labels = [f"{scene}, {totals[scene]:.0f} ms" for scene in scenes]
    axes.set_yticks(range(len(scenes)), labels=labels)
    axes.invert_yaxis()
    axes.set(xlim=(0.0, 1.0), xlabel="share of the build")
    one_each = axes.patches[:: max(1, len(scenes))]
    figure.legend(one_each, names, loc="outside right upper", fontsize=8)
    return figure


def _panels(count: int) -> tuple[Figure, list[Axes]]:
    columns = min(COLUMNS, max(1, count))
    rows = math.ceil(max(1, count) / columns)
    figure = Figure(figsize=(3.6 * columns, 3.0 * rows + 0.8), layout="constrained")
    return figure, [figure.add_subplot(rows, columns, i + 1) for i in range(count)]
