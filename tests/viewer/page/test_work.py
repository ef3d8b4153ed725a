"""Long work of the page, and keys that move its camera."""

import threading
import time

import numpy as np
import pytest

from walkmesh.viewer.page.keys import FASTER, Run, direction
from walkmesh.viewer.page.work import Latest, State, Work

# Keys


@pytest.mark.parametrize("turn", range(3))
def test_ways_of_the_camera_are_level(turn):
    def way(position, right, forward, up):
        camera = [np.roll(v, turn) for v in (position, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))]
        return np.roll(direction(*camera, (forward, right, up)), -turn)

    place = (3.0, -4.0, 10.0)
    assert way(place, 0.0, 1.0, 0.0) == pytest.approx([-0.6, 0.8, 0.0])
    assert way(place, 1.0, 0.0, 0.0) == pytest.approx([0.8, 0.6, 0.0])
    assert way(place, 0.0, 0.0, -1.0) == pytest.approx([0.0, 0.0, -1.0])
    straight_down = way((0.0, 0.0, 9.0), 0.0, 1.0, 0.0)
    assert np.linalg.norm(straight_down) == pytest.approx(1.0)
    assert straight_down[2] == pytest.approx(0.0)


def test_a_held_key_goes_on_from_where_it_sent_the_camera():
    run, way = Run(), np.array([1.0, 0.0, 0.0])
    place = run.go_on(10.0, np.zeros(3), way)
    for step in range(1, 31):
        # The browser has not moved yet, or says so late.
        place = run.go_on(10.0 + step / 30.0, np.zeros(3), way)
    assert place[0] == pytest.approx(FASTER * 2.0 * 1.05)
    # After a pause it starts from where the camera is.
    assert run.go_on(20.0, np.array([5.0, 0.0, 0.0]), way)[0] < 6.0


# Work


class Told:
    """Keeps what work tells."""

    def __init__(self):
        self.states, self.failures = [], []
        self.work = Work(self.states.append, lambda *failure: self.failures.append(failure))


def test_work_tells_its_progress_and_ends():
    told = Told()

    def work(progress):
        for stage in ("a", "b"):
            progress(stage, 0.5)
            time.sleep(0.15)

    assert told.work.start("Do", ("a", "b"), work)
    assert told.work.title == "Do"
    told.work.wait(10.0)
    assert told.work.title == ""
    assert [s.words for s in told.states] == ["starting", "a", "b", ""]
    assert [s.share for s in told.states] == [0.0, 0.25, 0.75, 0.0]
    assert told.failures == []


def test_work_is_cancelled_and_one_at_a_time():
    told, go_on = Told(), threading.Event()

    def work(progress):
        while True:
            go_on.wait(10.0)
            progress("a", 0.5)

    assert told.work.start("Do", ("a",), work)
    assert not told.work.start("Other", ("a",), work)
    told.work.cancel()
    assert told.states[-1] == State("Do", "stopping", stopping=True)
    go_on.set()
    told.work.wait(10.0)
    assert told.states[-1] == State(words="Do: cancelled")
    assert told.failures == []
    told.work.cancel()  # nothing to cancel
    assert told.states[-1] == State(words="Do: cancelled")
    assert told.work.start("Again", ("a",), lambda progress: progress("a", 1.0))
    told.work.wait(10.0)
    assert told.states[-1] == State()


def test_work_that_fails_says_so_and_more_can_be_done():
    told = Told()

    def work(_):
        raise ValueError("no")

    told.work.start("Do", ("a",), work)
    told.work.wait(10.0)
    assert [(title, str(error)) for title, error in told.failures] == [("Do", "no")]
    assert told.work.title == ""


def test_only_the_latest_wish_is_done():
    runs, go_on = [], threading.Event()

    def function():
        runs.append(len(runs))
        go_on.wait(10.0)

    latest = Latest(function, "draw")
    latest.ask()
    while not runs:
        time.sleep(0.01)
    for _ in range(100):
        latest.ask()
    go_on.set()
    assert latest.wait(10.0)
    assert len(runs) == 2
    latest.close()
