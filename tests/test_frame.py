import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm
from walkmesh.frame import Frame, up_vector

coordinates = st.floats(-1e6, 1e6)
directions = st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda d: max(map(abs, d)) > 1e-3)


@pytest.mark.parametrize("up", ["x", "y", "z", (0, 0, -1), (0, -3, 0)])
@given(points=st.lists(st.tuples(coordinates, coordinates, coordinates), min_size=1))
def test_an_axis_as_up_loses_no_bit(up, points):
    frame = Frame(up_vector(up))
    points = np.array(points)
    assert (frame.to_world(frame.to_plan(points)) == points).all()


@given(up=directions)
def test_axes_are_right_handed_and_orthonormal(up):
    axes = Frame(up_vector(up)).axes
    assert np.allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1.0)
    assert np.allclose(axes[2] * np.linalg.norm(up), up, atol=1e-9)


@given(up=directions, point=st.tuples(coordinates, coordinates, coordinates))
def test_there_and_back(up, point):
    frame = Frame(up_vector(up), (1000.0, -2000.0, 3.0))
    back = frame.to_world(frame.to_plan([point]))
    assert np.allclose(back, [point], atol=1e-6)


def test_height_is_along_up():
    plan = Frame(up_vector("y"), (1.0, 2.0, 3.0)).to_plan([(1, 7, 3), (1, 2, 4), (2, 2, 3)])
    assert plan.tolist() == [[0, 0, 5], [1, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize(
    "up", ["w", "", (0, 0, 0), (1, 2), (0, np.nan, 1), (np.inf, 0, 0), 5, None, ("a", "b", "c")]
)
def test_impossible_up(up):
    with pytest.raises(wm.SettingsError, match="up is"):
        up_vector(up)


def test_tiny_and_huge_directions_are_unit_vectors():
    assert up_vector((0, 1e-200, 0)) == (0.0, 1.0, 0.0)
    assert up_vector((0, 0, 1e200)) == (0.0, 0.0, 1.0)
