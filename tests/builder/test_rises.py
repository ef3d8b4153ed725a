"""Rises of voxels that no agent climbs: only the triangles concerned are left out."""

import numpy as np
import pytest

import walkmesh as wm
from walkmesh.builder.mesh import TriangleMesh
from walkmesh.builder.rises import drop_rises
from walkmesh.builder.smallest_part import SmallestPart
from walkmesh.frame import Frame


def crossing_slopes(lift=0.0):
    """Return a slope that rises along z and another along x, 0.6 m above it at z = 0.

    The step onto the second one is lower the further up it is taken from the first one.
    """
    corners = [(-4, -2, -2), (-4, 1, 1), (3, 1, 1), (3, -2, -2)]
    corners += [(x, 0.6 + lift + x, z) for x, z in ((0, -1), (0, 1), (2, 1), (2, -1))]
    faces = [(0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7)]
    return wm.Scene(np.array(corners, dtype=np.float64), faces)


@pytest.mark.parametrize("lift", [0.0, 0.01, 0.02, 0.03, 0.04])
def test_a_step_that_grows_too_high_costs_no_polygons(lift):
    navmesh = wm.build(
        crossing_slopes(lift), wm.Agent(radius=0.0), wm.Voxel(cell_size=0.05), workers=1
    )
    assert navmesh.report.notes == ()
    assert navmesh.validate() == []
    # Both slopes, of which the second hides what it leaves less than the agent's height above.
    assert navmesh.area == pytest.approx(32.0, abs=1.0)
    # The step is taken where it is low enough, and not where it is not.
    path = navmesh.find_path((-3.0, -1.5, -1.5), (1.0, 1.6 + lift, 0.0))
    assert path.status == "complete"


def test_what_is_left_out_is_counted():
    stages = wm.build(
        crossing_slopes(), wm.Agent(radius=0.0), wm.Voxel(cell_size=0.05), workers=1
    ).report.stages
    counts = stages[-1].counts
    assert 0 < counts["triangles_too_high"] < 10
    assert counts["triangles_in_specks"] == 0


def strip(heights, run):
    """Return a level strip of squares beside each other, each at its height, with ramps between."""
    at = np.cumsum([0.0] + [x for _ in heights for x in (1.0, run)][:-1])
    levels = np.repeat(np.asarray(heights, dtype=np.float64), 2)
    points = np.array([(u, v, h) for u, h in zip(at, levels, strict=True) for v in (0.0, 1.0)])
    quads = 2 * np.arange(len(at) - 1)[:, None]
    triangles = np.concatenate([quads + (0, 2, 1), quads + (1, 2, 3)]).astype(np.int32)
    return TriangleMesh(points, triangles, Frame((0.0, 1.0, 0.0)))


def test_specks_that_come_apart_are_left_out():
    agent = wm.Agent(max_step=0.4)
    low, counts = drop_rises(strip([0.0, 0.4, 0.8], 0.01), agent, SmallestPart(area=0.5))
    assert (len(low.triangles), list(counts.values())) == (10, [0, 0])
    apart, counts = drop_rises(strip([0.0, 0.4, 1.0], 0.01), agent, SmallestPart(area=0.5))
    assert (len(apart.triangles), list(counts.values())) == (8, [2, 0])
    # The third square has an area of 1 m2, and so would the second one without its ramp.
    large, counts = drop_rises(strip([0.0, 0.4, 1.0], 0.01), agent, SmallestPart(area=1.005))
    assert (len(large.triangles), list(counts.values())) == (6, [2, 2])
    # What was small before is none of its business.
    small, counts = drop_rises(strip([0.0, 0.4], 0.01), agent, SmallestPart(area=5.0))
    assert (len(small.triangles), list(counts.values())) == (6, [0, 0])
