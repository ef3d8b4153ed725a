"""Pictures of evaluations show errors where they are, and are the same bytes every time."""

import dataclasses

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from tests.checks.pictures import pixels
from tests.makers.merged import navmesh_of
from walkmesh import samples
from walkmesh.agent import Agent
from walkmesh.errors import FormatError
from walkmesh.evaluation import Share, evaluate
from walkmesh.navmesh import NavMesh
from walkmesh.scene import Scene
from walkmesh.viewer.levels import Missed, level_heights
from walkmesh.viewer.verdict import (
    DOUBLED_COLOR,
    MISSED_COLOR,
    MOST_PAIRS,
    RIGHT_COLOR,
    WRONG_COLOR,
    draw_verdict,
    save_verdict,
)

NOWHERE = np.empty((0, 3))
NO_PAIRS = np.empty((0, 2, 3))


@dataclasses.dataclass
class Found:
    """What a picture needs of an evaluation."""

    missed: np.ndarray = dataclasses.field(default_factory=NOWHERE.copy)
    wrong: np.ndarray = dataclasses.field(default_factory=NOWHERE.copy)
    doubled: np.ndarray = dataclasses.field(default_factory=NOWHERE.copy)
    lost_pairs: np.ndarray = dataclasses.field(default_factory=NO_PAIRS.copy)
    false_pairs: np.ndarray = dataclasses.field(default_factory=NO_PAIRS.copy)
    area: float = 100.0
    samples: int = 1000

    def share(self, bad):
        return Share.of(self.samples - len(bad), self.samples)

    recall = property(lambda self: self.share(self.missed))
    precision = property(lambda self: self.share(self.wrong))
    overlap = property(lambda self: Share.of(len(self.doubled), self.samples))


def square(low, high, height=0.0):
    """Return the corners of a square in the world, y up, counter-clockwise from above."""
    return [(low, height, low), (low, height, high), (high, height, high), (high, height, low)]


def floor_of(*squares):
    """Return a scene without walls."""
    corners = np.concatenate(squares)
    quads = np.arange(len(corners)).reshape(-1, 4)
    return Scene(corners, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]))


def mesh_of(*squares):
    corners = np.concatenate(squares)
    return NavMesh(corners, range(0, len(corners) + 1, 4), range(len(corners)))


def scattered(low, high, height=0.0, count=200):
    points = np.random.default_rng(1).uniform(low, high, (count, 3))
    points[:, 1] = height
    return points


def drawn(axes, name):
    """Return the middles of the squares of a kind, (n, 2) in plan coordinates."""
    (squares,) = [c for c in axes.collections if c.get_label() == name]
    paths = squares.get_paths()
    return np.array([path.vertices[:4].mean(axis=0) for path in paths]).reshape(-1, 2)


def names(figure):
    return [axes.get_title(loc="left") for axes in figure.axes]


def test_errors_are_drawn_where_they_are():
    missed, wrong, doubled = (scattered(x, x + 1.0) for x in (1.0, 4.0, 7.0))
    found = Found(missed=missed, wrong=wrong, doubled=doubled)
    figure = draw_verdict(floor_of(square(0, 10)), mesh_of(square(0, 10)), found)
    (axes,) = figure.axes
    for name, points in (("missed", missed), ("wrong", wrong), ("doubled", doubled)):
        # With y up, u is z and v is x.
        assert drawn(axes, name) == pytest.approx(points[:, [2, 0]])
    assert names(figure) == ["level 0.0 m, missed 200, wrong 200, doubled 200"]


def test_colours_can_be_seen(tmp_path):
    found = Found(missed=scattered(1, 2), wrong=scattered(4, 5), doubled=scattered(7, 8))
    save_verdict(tmp_path / "a.png", floor_of(square(0, 10)), mesh_of(square(0, 10)), found)
    save_verdict(tmp_path / "none.png", floor_of(square(0, 10)), mesh_of(square(0, 10)), Found())
    for color in (MISSED_COLOR, WRONG_COLOR, DOUBLED_COLOR):
        # The legend has a few pixels of each.
        assert pixels(tmp_path / "a.png", color) > 5 * pixels(tmp_path / "none.png", color) > 0
    assert pixels(tmp_path / "none.png", RIGHT_COLOR) > 100_000


def test_a_missed_room_looks_filled():
    scene = floor_of(square(0, 10), square(20, 30))
    missed = scattered(20, 30, count=1000)
    found = Found(missed=missed, area=100.0, samples=2000)
    figure = draw_verdict(scene, mesh_of(square(0, 10)), found)
    inside = shown(figure, (21, 21), (29, 29))
    share = np.all(np.abs(inside - np.array(to_rgb(MISSED_COLOR)) * 255.0) < 2.0, axis=2).mean()
    assert share > 0.7


def test_a_single_sample_can_be_seen():
    found = Found(wrong=np.array([(500.0, 0.0, 500.0)]), area=1.0, samples=10**6)
    figure = draw_verdict(floor_of(square(0, 1000)), mesh_of(square(0, 1000)), found)
    inside = shown(figure, (490, 490), (510, 510))
    assert np.all(np.abs(inside - np.array(to_rgb(WRONG_COLOR)) * 255.0) < 2.0, axis=2).any()


def shown(figure, low, high):
    """Return the pixels of the only plan between two (u, v)."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    picture = np.asarray(canvas.buffer_rgba())[:, :, :3].astype(float)
    (axes,) = figure.axes
    (left, bottom), (right, top) = np.round(axes.transData.transform([low, high])).astype(int)
    return picture[len(picture) - top : len(picture) - bottom, left:right]


def test_a_lost_storey_has_a_plan():
    scene = floor_of(square(0, 10), square(0, 10, 3.0))
    found = Found(missed=scattered(0, 10, 3.0, 500))
    figure = draw_verdict(scene, mesh_of(square(0, 10)), found)
    assert names(figure) == ["level 3.0 m, missed 500", "level 0.0 m"]
    assert [len(drawn(axes, "missed")) for axes in figure.axes] == [500, 0]


def test_a_small_lost_storey_has_a_plan_before_large_ones_that_are_there():
    floors = [square(0, 10, 3.0 * storey) for storey in range(6)]
    scene = floor_of(*floors, square(0, 2, 18.0))
    found = Found(missed=scattered(0, 2, 18.0, 100), area=600.0, samples=6100)
    figure = draw_verdict(scene, mesh_of(*floors), found)
    assert names(figure)[0] == "level 18.0 m, missed 100"
    assert len(figure.axes) == 4


def test_a_missed_hill_is_no_storey():
    hill = [(0, 0, 0), (0, 0, 10), (10, 6, 10), (10, 6, 0)]
    missed = scattered(0, 10, count=300)
    missed[:, 1] = 0.6 * missed[:, 0]
    figure = draw_verdict(floor_of(hill), NavMesh([], [0], []), Found(missed=missed, area=0.0))
    assert len(figure.axes) == 1


def test_missed_table_tops_are_no_level_of_their_own():
    navmesh = mesh_of(square(0, 10))
    tops = Missed(np.full(500, 0.75), np.ones(500, dtype=bool), 0.1)
    assert level_heights(navmesh, tops).tolist() == [0.0]


def test_levels_are_those_of_the_navmesh_when_nothing_is_missed():
    navmesh = navmesh_of(samples.house())
    nothing = Missed(np.empty(0), np.empty(0, dtype=bool), 1.0)
    assert level_heights(navmesh, nothing).tolist() == level_heights(navmesh).tolist()


def test_pairs_are_drawn_on_their_level_only():
    scene = floor_of(square(0, 10), square(0, 10, 3.0))
    on_floor = [[(1, 0, 1), (9, 0, 9)]] * 20
    between = [[(1, 0, 1), (9, 3, 9)]] * 5
    found = Found(lost_pairs=np.array(on_floor + between), false_pairs=np.array(between))
    figure = draw_verdict(scene, mesh_of(square(0, 10), square(0, 10, 3.0)), found)
    upper, lower = ([ln for ln in a.lines if ln.get_marker() == "o"] for a in figure.axes)
    assert len(upper) == 0
    assert len(lower) == MOST_PAIRS
    assert lower[0].get_xydata().tolist() == [[1.0, 1.0], [9.0, 9.0]]
    (legend,) = figure.legends
    labels = [text.get_text() for text in legend.get_texts()]
    assert labels[-2:] == [f"lost pairs 25, {MOST_PAIRS} drawn", "false pairs 5, 0 drawn"]


def test_title_and_legend_have_the_figures():
    found = Found(missed=scattered(0, 10, count=25), samples=1000)
    figure = draw_verdict(floor_of(square(0, 10)), mesh_of(square(0, 10)), found)
    assert figure.texts[0].get_text().split() == ["recall", "0.9750", "precision", "1.0000"]
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == [
        "right", "missed 25 of 1000, 2.50 %", "wrong 0 of 1000, 0.00 %", "doubled 0 of 1000, 0.00 %"
    ]  # fmt: skip


@pytest.mark.parametrize("missed", [NOWHERE, scattered(0, 10), scattered(3, 3, count=1)])
def test_an_empty_navmesh_can_be_judged(tmp_path, missed):
    found = Found(missed=missed, area=0.0, samples=len(missed))
    empty = NavMesh([], [0], [])
    save_verdict(tmp_path / "a.png", floor_of(square(0, 10)), empty, found)
    assert (pixels(tmp_path / "a.png", MISSED_COLOR) > 1000) == (len(missed) > 1)


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_the_same_verdict_is_the_same_bytes(tmp_path, suffix):
    scene, found = floor_of(square(0, 10)), Found(missed=scattered(0, 5), wrong=scattered(6, 8))
    for name in ("a", "b"):
        save_verdict((tmp_path / name).with_suffix(suffix), scene, mesh_of(square(0, 10)), found)
    first, second = ((tmp_path / name).with_suffix(suffix).read_bytes() for name in ("a", "b"))
    assert first == second
    assert len(first) > 1000


@pytest.mark.parametrize("name", ["verdict.jpg", "verdict"])
def test_an_unknown_suffix_is_an_error_and_leaves_nothing(tmp_path, name):
    with pytest.raises(FormatError, match=rf"cannot write .*{name}: .* \.png, \.svg"):
        save_verdict(tmp_path / name, floor_of(square(0, 1)), mesh_of(square(0, 1)), Found())
    assert list(tmp_path.iterdir()) == []


def test_an_evaluation_of_the_house_is_drawn():
    scene = samples.house()
    whole = navmesh_of(scene)
    heights = whole.vertices[whole.polygon_vertices.reshape(-1, 3), 1]
    lower = whole.polygon_vertices.reshape(-1, 3)[heights.max(axis=1) < 2.5]
    navmesh = NavMesh(whole.vertices, range(0, lower.size + 1, 3), lower.ravel(), agent=Agent())
    found = evaluate(scene, navmesh, samples=500)
    figure = draw_verdict(scene, navmesh, found)
    assert len(figure.axes) == 2
    upper, lower = (len(drawn(axes, "missed")) for axes in figure.axes)
    assert upper > 100 > lower
    assert sum(len(drawn(axes, "wrong")) for axes in figure.axes) == len(found.wrong) > 0
