import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import walkmesh as wm

pytestmark = pytest.mark.plain_python

SQUARE = [(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)]


def test_valid_triangles_stay_in_order_and_positions_are_untouched():
    vertices = np.array([*SQUARE, (9, 9, 9)], dtype=np.float64)
    scene = wm.Scene(vertices, [(0, 2, 3), (0, 1, 2)])
    assert scene.faces.tolist() == [[0, 2, 3], [0, 1, 2]]
    assert (scene.vertices == vertices).all()
    assert scene.left_out.total == 0
    assert scene.bounds.tolist() == [[0, 0, 0], [1, 0, 1]]  # the unused vertex does not count


def test_invalid_triangles_are_left_out_and_counted():
    vertices = [*SQUARE, (np.nan, 0, 0), (np.inf, 0, 0), (1e308, 1e308, 0), (2, 0, 0)]
    faces = [(0, 1, 2), (0, 1, 4), (0, 1, 5), (0, 1, 6), (0, 0, 1), (0, 3, 7), (0, 2, 3)]
    scene = wm.Scene(vertices, faces)
    assert scene.faces.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert scene.left_out == type(scene.left_out)(non_finite=3, no_area=2, repeated=0)


def test_repeats_are_found_by_position_and_winding():
    vertices = [*SQUARE, *SQUARE, (-0.0, 0.0, -0.0)]
    same = [(0, 1, 2), (1, 2, 0), (4, 5, 6), (2, 4, 1), (8, 1, 2)]
    flipped = [(0, 2, 1), (2, 1, 0)]
    scene = wm.Scene(vertices, same + flipped)
    assert scene.faces.tolist() == [[0, 1, 2], [0, 2, 1]]
    assert scene.left_out.repeated == 5


@given(
    faces=st.lists(
        st.tuples(*[st.integers(0, 7)] * 3).filter(lambda f: len(set(f)) == 3), min_size=1
    )
)
def test_repeats_match_a_naive_search(faces):
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    seen = {frozenset([(f[i], f[(i + 1) % 3]) for i in range(3)]) for f in faces}
    scene = wm.Scene(corners, faces)
    assert len(scene.faces) == len(seen)
    assert scene.left_out.repeated == len(faces) - len(seen)


def test_numerically_collinear_far_away():
    far = np.array([(4.5e5, 0, 0), (4.5e5 + 1, 0, 1), (4.5e5 + 2, 0, 2), (4.5e5, 0, 3)])
    scene = wm.Scene(far, [(0, 1, 2), (0, 1, 3)])
    assert scene.faces.tolist() == [[0, 1, 3]]


@pytest.mark.parametrize(
    ("vertices", "faces", "words"),
    [
        (SQUARE, [], "no triangles"),
        ([], [], "no triangles"),
        ([], [(0, 1, 2)], "there are 0 vertices"),
        (SQUARE, [(0, 1, 4)], "vertex 4"),
        (SQUARE, [(0, 1, -1)], "vertex -1"),
        (SQUARE, [(0, 1)], "shape"),
        (SQUARE, [(0.5, 1, 2)], "integers"),
        (SQUARE, [(0, 1, 2), (0, 1)], "faces"),
        ([(0, 0)], [(0, 0, 0)], "shape"),
        (["abc"], [(0, 0, 0)], "numbers"),
        (np.ones((4, 3)) * 1j, [(0, 1, 2)], "numbers"),
        (np.full((3, 3), np.nan), [(0, 1, 2)], "1 are not finite"),
        ([(0, 0, 0)] * 3, [(0, 1, 2)], "1 have no area"),
    ],
)
def test_what_is_no_scene(vertices, faces, words):
    with pytest.raises(wm.SceneError, match=words):
        wm.Scene(vertices, faces)


def test_a_scene_cannot_be_changed():
    vertices = np.array(SQUARE, dtype=np.float64)
    scene = wm.Scene(vertices, [(0, 1, 2)])
    vertices[:] = 7.0
    assert scene.vertices.max() == 1.0
    with pytest.raises(ValueError, match="read-only"):
        scene.vertices[0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        scene.faces[0, 0] = 1
    with pytest.raises(AttributeError):
        scene.up = (1.0, 0.0, 0.0)


@given(offset=st.tuples(*[st.integers(-500_000, 500_000)] * 3))
def test_a_scene_moved_by_metres_has_the_same_plan(offset):
    vertices = np.array([*SQUARE, (0.25, 0.5, 2.0**-20)])
    faces = [(0, 1, 2), (0, 2, 3), (0, 1, 4)]
    here, there = wm.Scene(vertices, faces), wm.Scene(vertices + offset, faces)
    assert (here.frame.to_plan(here.vertices) == there.frame.to_plan(there.vertices)).all()


def test_a_read_only_view_of_what_can_change_is_copied():
    vertices = np.array(SQUARE, dtype=np.float64)
    view = vertices.view()
    view.flags.writeable = False
    scene = wm.Scene(view, [(0, 1, 2)])
    vertices[:] = 7.0
    assert scene.vertices.max() == 1.0
