"""find_links: what is found in scenes whose links are known, and held against a slow twin."""

import inspect
from functools import cache

import numpy as np
import pytest
import shapely

import walkmesh as wm
from tests.makers.scenes import SCENES, needs_scenes
from tests.twins import naive_links
from walkmesh import LINK_DTYPE
from walkmesh.links import STAGES, Limits
from walkmesh.links.kernels.sweep import BOUND, LEAP, LEGS, sweep_links
from walkmesh.links.sweep import LinkObstacles, arcs_of
from walkmesh.samples.soup import Soup

pytestmark = pytest.mark.plain_python

JUMP, DROP, CLIMB = wm.LinkKind.JUMP, wm.LinkKind.DROP, wm.LinkKind.CLIMB
RADIUS = wm.Agent().radius
ALL_PARTS = wm.Exact(min_patch_area=0.0)


def plates(gap=1.0, fall=0.0, width=5.0, up="y", more=()):
    """Return two plates of 4 m by `width`, the second `gap` away along u and lower by `fall`.

    Plates are 0.2 m thick; `more` are boxes (low, high) that are added. With y up, u is z.
    """
    soup = Soup()
    soup.box((0, 0, -0.2), (4, width, 0))
    soup.box((4 + gap, 0, -0.2 - fall), (8 + gap, width, -fall))
    for low, high in more:
        soup.box(low, high)
    return soup.scene(up)


def boxes(*corners, up="y"):
    soup = Soup()
    for low, high in corners:
        soup.box(low, high)
    return soup.scene(up)


def found(scene, agent=None, **settings):
    """Build a navmesh, find links, and hold all of them against the rules."""
    navmesh = wm.build(scene, agent or wm.Agent(), ALL_PARTS)
    links = wm.find_links(scene, navmesh, **settings)
    check(scene, navmesh, links, **settings)
    return links


def check(scene, navmesh, links, **settings):
    """Hold links against what all of them must be."""
    limits, agent = Limits(**settings), navmesh.agent
    assert links.dtype == LINK_DTYPE
    assert navmesh.with_links(links).validate() == []
    assert np.abs(navmesh.nearest(links["start"]).distances).max(initial=0) < 1e-6
    assert np.abs(navmesh.nearest(links["goal"]).distances).max(initial=0) < 1e-6
    starts, goals = (naive_links.in_plan(links[end], scene.up) for end in ("start", "goal"))
    across = np.hypot(*(goals - starts)[:, :2].T)
    falls = (starts - goals)[:, 2]
    lengths = np.linalg.norm(goals - starts, axis=1)
    jumps, drops, climbs = (links["kind"] == kind for kind in (JUMP, DROP, CLIMB))
    assert np.all(jumps | drops | climbs)
    assert np.all(across[jumps] <= limits.max_jump + 1e-4)
    assert np.all(across <= max(limits.max_jump, 2 * agent.radius + 0.55) + 1e-4)
    assert np.all(np.abs(falls[jumps]) <= agent.max_step + 1e-4)
    assert np.all(falls[~jumps] > agent.max_step)
    assert np.all(falls[climbs] <= limits.max_climb + 1e-4)
    assert np.all(falls[drops] <= limits.max_drop + 1e-4)
    assert np.all(falls[drops] > limits.max_climb)
    assert links["two_way"].tolist() == (~drops).tolist()
    rates = np.select([jumps, drops, climbs], [1.5, 1.0, 3.0])
    assert links["cost"] == pytest.approx(rates * lengths)
    # Walking takes at least twice as long, in plan and so along slopes.
    ways = navmesh.without_links().find_paths(links["start"], links["goal"])
    assert np.all(ways.costs >= 2 * lengths - 1e-9)
    assert np.all(ways.lengths >= 2 * lengths - 1e-3)
    # No two do the same.
    for i in range(len(links)):
        near = np.linalg.norm(starts - starts[i], axis=1) < limits.spacing - 1e-3
        near &= np.linalg.norm(goals - goals[i], axis=1) < limits.spacing - 1e-3
        near &= links["kind"] == links["kind"][i]
        same = navmesh.components[links["start_polygon"]]
        near &= same == same[i]
        same = navmesh.components[links["goal_polygon"]]
        near &= same == same[i]
        assert near.sum() <= 1
    confirm(scene, navmesh, links)


def confirm(scene, navmesh, links):
    """Sweep a cylinder along every link, the slow way."""
    arcs = arcs_of(scene, navmesh, links)
    assert np.all(arcs >= 0)
    corners = scene.vertices[scene.faces].reshape(-1, 3)
    corners = naive_links.in_plan(corners, scene.up).reshape(-1, 3, 3)
    sweep = naive_links.Sweep(corners, navmesh.agent)
    for link, arc in zip(links, arcs, strict=True):
        ends = naive_links.in_plan([link["start"], link["goal"]], scene.up)
        assert sweep.is_clear(*ends, int(arc)), link


def heights(links, end):
    return links[end][:, 1]


# Jumps


def test_a_gap_is_jumped_both_ways_at_every_spacing():
    links = found(plates())
    assert set(links["kind"].tolist()) == {JUMP}
    assert links["two_way"].all()
    assert 4 <= len(links) <= 5  # along 4.4 m
    # From one boundary to the other: the gap and two radii, straight across.
    offset = np.abs(links["goal"] - links["start"])
    assert offset[:, 2] == pytest.approx(1.0 + 2 * RADIUS, abs=1e-4)
    assert offset[:, :2] == pytest.approx(0.0, abs=1e-4)
    places = np.sort(links["start"][:, 0])
    assert np.diff(places).min() >= 1.0 - 1e-3
    assert np.diff(places).max() <= 1.3


@pytest.mark.parametrize(("max_jump", "any_found"), [(1.59, False), (1.6, True), (5.0, True)])
def test_gaps_are_jumped_up_to_the_longest_jump(max_jump, any_found):
    assert (len(found(plates(), max_jump=max_jump)) > 0) == any_found


@pytest.mark.parametrize("spacing", [0.25, 0.5, 2.0, 10.0])
def test_spacing_says_how_many(spacing):
    count = len(found(plates(), spacing=spacing))
    assert max(1, int(4.4 / spacing) * 0.7) <= count <= 4.4 / spacing + 1


def test_few_links_are_still_looked_for_everywhere():
    # A wall stands in the gap, with two openings of 1 m.
    walls = [((4.4, v, -1), (4.6, v + 9, 3)) for v in (-1, 9, 19)]
    links = found(plates(width=28.0, more=walls), spacing=20.0)
    assert len(links) == 1


def test_no_spacing_is_too_small():
    assert 20 <= len(found(plates(), spacing=1e-9)) <= 80


MIDDLE = 4.5


@pytest.mark.parametrize(
    ("low", "high", "arc"),
    [
        (-1.0, 2.5, None),  # a wall
        (-1.0, 1.0, None),  # a fence too high to jump over
        (-1.0, 0.65, BOUND),
        (-1.0, 0.45, LEAP),  # it takes no more than the least of leaps
        (-1.0, 0.0, LEAP),
        (1.85, 2.0, None),  # a low ceiling
        (1.0, 1.2, None),
        (1.9985, 2.2, None),  # the head is at 2 m, less the slack of a millimetre
        (1.9995, 2.2, LEAP),
    ],
)
def test_what_stands_or_hangs_in_a_gap(low, high, arc):
    scene = plates(more=[((MIDDLE - 0.05, 0, low), (MIDDLE + 0.05, 5, high))])
    links = found(scene)
    if arc is None:
        assert len(links) == 0
    else:
        assert len(links) >= 4
        arcs = arcs_of(scene, wm.build(scene, wm.Agent(), ALL_PARTS), links)
        assert set(arcs.tolist()) == {arc}


def test_a_wall_with_a_window_is_jumped_through_the_window():
    # It is open between v = 2 and v = 3, up to any height.
    walls = [((4.4, 0, -1), (4.6, 2, 3)), ((4.4, 3, -1), (4.6, 5, 3))]
    links = found(plates(more=walls), spacing=0.25)
    assert len(links) >= 1
    for end in ("start", "goal"):
        assert np.all((links[end][:, 0] > 2.0) & (links[end][:, 0] < 3.0))


@pytest.mark.parametrize(("width", "any_found"), [(0.599, True), (0.597, False)])
def test_a_window_is_wide_enough_to_the_millimetre(width, any_found):
    # A link starts in the middle of the plates, and so of the window.
    low, high = 2.5 - width / 2, 2.5 + width / 2
    walls = [((4.4, 0, -1), (4.6, low, 3)), ((4.4, high, -1), (4.6, 5, 3))]
    assert (len(found(plates(more=walls))) > 0) == any_found


def test_a_wide_wall_is_met_in_its_middle():
    # No corner of it is near, and both ends of the link are far from it.
    wall = ((4.69, -20, -9), (4.71, 25, 9))
    assert len(found(plates(1.4, 1.5))) > 0
    assert len(found(plates(1.4, 1.5, more=[wall]))) == 0


def test_jumps_are_no_longer_for_what_leads_down():
    # Down, links lead 1.1 m past a ledge; about level, no farther than a jump.
    assert len(found(plates(0.45), max_jump=1.0)) == 0
    assert len(found(plates(0.45, 0.8), max_jump=1.0)) > 0
    assert len(found(plates(0.55, 0.8), max_jump=1.0)) == 0


def slotted(depth):
    """Return a floor of 10 m by 10 m with a slot 1 m wide that reaches `depth` into it."""
    soup = Soup()
    soup.sheet(shapely.box(0, 0, 10, 10) - shapely.box(4, -1, 5, depth), 0.0)
    return soup.scene("y")


def test_a_slot_that_is_soon_walked_around_is_not_jumped():
    # Over its end the way is 1.6 m wide, and 2 (depth + 0.3 - v) long besides, from v = 0.3 on.
    assert len(found(slotted(0.7))) == 0
    links = found(slotted(4.0))
    assert set(links["kind"].tolist()) == {JUMP}
    # It pays 0.5 m and more before the end, around corners of radius 0.3.
    assert 3 <= len(links) <= 4
    assert links["start"][:, 0].max() <= 4.0


# Drops and climbs


def ledge(rise, width=5.0, up="y"):
    """Return a floor, and on it a block of 4 m by `width` whose top is higher by `rise`."""
    return boxes(((0, 0, 0), (12, width, 0.1)), ((0, 0, 0), (4, width, 0.1 + rise)), up=up)


@pytest.mark.parametrize(
    ("rise", "kind"),
    [(0.6, CLIMB), (1.0, CLIMB), (1.01, DROP), (2.0, DROP), (3.0, DROP), (3.01, None)],
)
def test_a_ledge_is_climbed_if_it_is_low_and_dropped_from_if_not(rise, kind):
    links = found(ledge(rise))
    if kind is None:
        assert len(links) == 0
        return
    assert set(links["kind"].tolist()) == {kind}
    assert 4 <= len(links) <= 5
    assert heights(links, "start") == pytest.approx(0.1 + rise)
    assert heights(links, "goal") == pytest.approx(0.1)
    offset = np.abs(links["goal"] - links["start"])
    assert offset[:, 2] == pytest.approx(2 * RADIUS, abs=1e-4)


def test_a_step_is_walked():
    assert len(found(ledge(0.3))) == 0


@pytest.mark.parametrize(
    ("settings", "kinds"),
    [
        ({"max_climb": 0}, {DROP}),
        ({"max_drop": 0}, {CLIMB}),
        ({"max_drop": 0, "max_climb": 0}, set()),
        ({"max_jump": 0}, {CLIMB}),
        ({"max_climb": 0.3}, {DROP}),
    ],
)
def test_kinds_are_switched_off_by_0(settings, kinds):
    assert set(found(ledge(0.8), **settings)["kind"].tolist()) == kinds


def test_without_jumps_a_gap_stays():
    assert len(found(plates(), max_jump=0)) == 0


def test_a_long_ledge_has_a_link_for_every_spacing():
    links = found(ledge(2.0, width=20.0))
    assert 17 <= len(links) <= 20
    places = np.sort(links["start"][:, 0])
    assert np.diff(places).max() <= 1.3
    assert places[0] <= 1.0
    assert places[-1] >= 19.0


def test_a_table_is_climbed_from_all_sides():
    table = ((4, 4, 0.75), (5.2, 4.8, 0.8))
    legs = [((u, v, 0), (u + 0.05, v + 0.05, 0.75)) for u in (4, 5.15) for v in (4, 4.75)]
    links = found(boxes(((0, 0, -0.1), (9, 9, 0)), table, *legs))
    assert set(links["kind"].tolist()) == {CLIMB}
    assert 4 <= len(links) <= 8
    assert heights(links, "start") == pytest.approx(0.8)
    out = np.sign((links["goal"] - links["start"]).round(3))[:, [0, 2]]
    assert {tuple(side) for side in out.tolist()} >= {(1, 0), (-1, 0), (0, 1), (0, -1)}


@pytest.mark.parametrize(
    ("fall", "gap", "kind"), [(1.5, 1.0, DROP), (0.8, 1.0, CLIMB), (0.3, 1.0, JUMP), (3.5, 1.0, 0)]
)
def test_plates_at_different_heights(fall, gap, kind):
    links = found(plates(gap, fall))
    assert set(links["kind"].tolist()) == ({kind} if kind else set())
    if kind in (DROP, CLIMB):
        assert heights(links, "start") == pytest.approx(0.0)
    else:
        assert set(links["two_way"].tolist()) <= {True}


def balcony(*more):
    """Return a floor and, 2.5 m above, a balcony of 2 m by 5 m along a wall."""
    floor, deck = ((0, 0, -0.1), (9, 5, 0)), ((0, 0, 2.4), (2, 5, 2.5))
    return boxes(floor, deck, ((-0.2, 0, -0.1), (0, 5, 6)), *more)


def test_from_a_balcony_one_drops_unless_there_is_a_railing():
    links = found(balcony())
    assert set(links["kind"].tolist()) == {DROP}
    assert len(links) >= 4
    assert heights(links, "start") == pytest.approx(2.5)
    front = ((1.95, 0, 2.5), (2, 5, 3.5))
    sides = ((0, 0, 2.5), (2, 0.05, 3.5)), ((0, 4.95, 2.5), (2, 5, 3.5))
    assert len(found(balcony(front, *sides))) == 0
    # A railing of thin bars, 1 m apart, keeps one back as well.
    bars = [((1.95, v, 2.5), (2, v + 0.02, 3.5)) for v in np.arange(0, 5.01, 0.5)]
    assert len(found(balcony(*bars, *sides))) == 0


def test_a_gate_in_a_railing_is_where_one_drops():
    sides = ((0, 0, 2.5), (2, 0.05, 3.5)), ((0, 4.95, 2.5), (2, 5, 3.5))
    rails = ((1.95, 0, 2.5), (2, 2, 3.5)), ((1.95, 3, 2.5), (2, 5, 3.5))
    links = found(balcony(*sides, *rails), spacing=0.25)
    assert len(links) >= 1
    assert np.all(links["start"][:, 0] > 2.0 + RADIUS - 0.1)
    assert np.all(links["start"][:, 0] < 3.0 - RADIUS + 0.1)


@pytest.mark.parametrize(("out", "any_found"), [(0.4, True), (2.5, False)])
def test_an_awning_below_a_ledge_is_in_the_way_as_far_as_it_goes(out, any_found):
    scene = balcony()
    fall = 1.7 * out if out < 1.0 else 0.0
    awning = [(2, 0, 2.3), (2, 5, 2.3), (2 + out, 5, 2.3 - fall), (2 + out, 0, 2.3 - fall)]
    soup = Soup()
    corners = naive_plan(scene.vertices)[scene.faces]
    soup.add(corners)
    soup.add(np.array(awning)[[[0, 1, 2], [0, 2, 3]]])
    links = found(soup.scene("y"))
    assert (len(links) > 0) == any_found
    ahead = links[np.abs(links["goal"] - links["start"])[:, 0] < 0.01]  # not off the sides
    assert np.all((ahead["goal"] - ahead["start"])[:, 2] >= out + 2 * RADIUS - 0.01)


def naive_plan(points):
    """Return world points of a scene with y up as (u, v, h)."""
    return points[:, [2, 0, 1]]


# Taking them


def test_paths_take_links_where_they_pay():
    scene = plates()
    navmesh = wm.build(scene)
    start, goal = (2.5, 0, 1), (2.5, 0, 7.5)
    assert navmesh.find_path(start, goal).status == "unreachable"
    linked = navmesh.with_links(wm.find_links(scene, navmesh, spacing=0.25))
    path = linked.find_path(start, goal)
    assert path.status == "complete"
    assert len(path.links) == 1
    link = linked.links[path.links[0]]
    walked = np.linalg.norm(link["start"] - start), np.linalg.norm(link["goal"] - goal)
    if link["start"][2] > link["goal"][2]:
        walked = np.linalg.norm(link["goal"] - start), np.linalg.norm(link["start"] - goal)
    assert path.cost == pytest.approx(sum(walked) + link["cost"])
    assert link["cost"] == pytest.approx(2.4, abs=1e-3)


def test_drops_are_taken_down_and_not_up():
    scene = ledge(2.0)
    navmesh = wm.build(scene)
    linked = navmesh.with_links(wm.find_links(scene, navmesh))
    top, floor = (2.5, 2.1, 1), (2.5, 0.1, 9)
    assert linked.find_path(top, floor).status == "complete"
    assert linked.find_path(floor, top).status == "unreachable"


@pytest.mark.parametrize("suffix", [".walkmesh", ".obj", ".glb", ".ply"])
def test_every_format_saves_found_links(suffix, tmp_path):
    scene = ledge(0.8)
    navmesh = wm.build(scene)
    links = wm.find_links(scene, navmesh)
    linked = navmesh.with_links(links)
    linked.save(tmp_path / f"a{suffix}")
    loaded = wm.load_navmesh(tmp_path / f"a{suffix}")
    assert loaded.links.tobytes() == linked.links.tobytes()
    assert set(loaded.links["kind"].tolist()) == {CLIMB}
    # A navmesh from a file has the same links, and what it has is not found again.
    assert wm.find_links(scene, loaded.without_links()).tobytes() == links.tobytes()
    assert len(wm.find_links(scene, loaded)) == 0


def test_links_that_a_navmesh_has_are_not_found_again():
    scene = plates()
    navmesh = wm.build(scene)
    links = wm.find_links(scene, navmesh)
    assert len(wm.find_links(scene, navmesh.with_links(links))) == 0
    some = wm.find_links(scene, navmesh.with_links(links[:2]))
    assert 1 <= len(some) <= len(links) - 2


def test_a_link_that_leads_both_ways_is_found_beside_one_that_does_not():
    scene = ledge(0.8)
    navmesh = wm.build(scene)
    links = wm.find_links(scene, navmesh)
    one_way = links.copy()
    one_way["two_way"], one_way["cost"] = False, links["cost"] / 3
    assert wm.find_links(scene, navmesh.with_links(one_way)).tobytes() == links.tobytes()


def test_ways_over_links_of_the_navmesh_are_ways_around():
    # A lift in the middle that costs nothing: links are 1 m long, and walks to it and back count.
    scene = ledge(0.8)
    navmesh = wm.build(scene)
    links = wm.find_links(scene, navmesh, spacing=0.25)
    lift = links[np.argmin(np.abs(links["start"][:, 0] - 2.5))][None]
    lift["cost"] = 0.0
    rest = wm.find_links(scene, navmesh.with_links(lift), spacing=0.25)
    away = rest["start"][:, 0] - lift["start"][0, 0]
    assert 1.0 - 1e-5 <= np.abs(away).min() <= 1.2
    assert away.min() < 0 < away.max()


# The same whatever


@pytest.mark.compiled_only
def test_any_number_of_workers_finds_the_same():
    scene = wm.samples.house()
    navmesh = wm.build(scene)
    first = wm.find_links(scene, navmesh, workers=1)
    assert len(first) > 0
    for workers in (None, 2, 5):
        assert wm.find_links(scene, navmesh, workers=workers).tobytes() == first.tobytes()


@pytest.mark.parametrize("make", [plates, lambda: ledge(0.8), wm.samples.house])
def test_a_scene_far_away_has_the_same_links(make):
    scene, move = make(), np.array((500_000.0, 250.0, -400_000.0))
    here = wm.find_links(scene, wm.build(scene))
    moved = wm.Scene(scene.vertices + move, scene.faces)
    there = wm.find_links(moved, wm.build(moved))
    assert len(here) == len(there) > 0
    for end in ("start", "goal"):
        assert there[end] == pytest.approx(here[end] + move, abs=1e-5)
    assert there["kind"].tolist() == here["kind"].tolist()
    assert there["cost"] == pytest.approx(here["cost"], abs=1e-5)


@pytest.mark.parametrize("up", ["x", "z", (0.0, 0.6, 0.8), (-0.3, 0.5, -0.2)])
def test_any_direction_is_up(up):
    usual, turned = found(ledge(0.8)), found(ledge(0.8, up=up))
    assert len(usual) == len(turned)
    assert turned["cost"] == pytest.approx(usual["cost"], abs=1e-4)
    assert set(turned["kind"].tolist()) == {CLIMB}


# Navmeshes and agents of other kinds


@pytest.mark.parametrize("partition", ["watershed", "slices"])
def test_voxel_navmeshes_have_links_too(partition):
    scene = ledge(2.0)
    navmesh = wm.build(scene, wm.Agent(), wm.Voxel(partition=partition))
    links = wm.find_links(scene, navmesh)
    assert set(links["kind"].tolist()) == {DROP}
    assert 2 <= len(links) <= 5
    confirm(scene, navmesh, links)
    assert navmesh.with_links(links).validate() == []


@pytest.mark.parametrize("radius", [0.0, 0.01, 0.5])
def test_agents_of_any_radius(radius):
    agent = wm.Agent(radius=radius)
    assert set(found(ledge(2.0), agent)["kind"].tolist()) == {DROP}
    links = found(plates(), agent)
    assert set(links["kind"].tolist()) == {JUMP}
    across = np.abs(links["goal"] - links["start"])[:, 2]
    assert across == pytest.approx(1 + 2 * radius, abs=1e-4)


def test_an_agent_that_steps_as_high_as_it_is():
    found(ledge(2.0), wm.Agent(height=0.5, max_step=0.5))


def test_ground_that_is_not_flat_along_its_boundary():
    # A terrain cut off 1.5 m above a floor: links start and end on its ground, wherever that is.
    rng = np.random.default_rng(1)
    lattice = np.stack(np.meshgrid(np.arange(9), np.arange(9), indexing="ij"), axis=-1)
    tops = np.concatenate([lattice, rng.uniform(1.4, 1.9, (9, 9, 1))], axis=2)
    quads = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    soup = Soup()
    soup.sheet(shapely.box(-4, -4, 12, 12), 0.0)
    for i in range(8):
        for j in range(8):
            a, b, c, d = (tops[i + du, j + dv] for du, dv in quads)
            soup.add(np.array([(a, b, c), (a, c, d)]))
    links = found(soup.scene("y"), wm.Agent(height=1.2))
    assert len(links) >= 22


def test_no_ground_has_no_links():
    scene = plates()
    empty = wm.NavMesh(np.empty((0, 3)), [0], [])
    assert len(wm.find_links(scene, empty)) == 0
    elsewhere = wm.build(wm.samples.floor())
    assert len(wm.find_links(scene, elsewhere)) == 0


# The sweep itself


@pytest.mark.parametrize("seed", range(4))
def test_the_sweep_agrees_with_single_cylinders(seed):
    """What the sweep lets pass is clear, and what it stops is not by much."""
    rng = np.random.default_rng(seed)
    middles = rng.uniform((-1, -1.5, -2), (3, 1.5, 3), (12, 1, 3))
    corners = middles + rng.normal(0, 0.4, (12, 3, 3))
    corners[::3, 1:, :2] = corners[::3, :1, :2]  # upright ones, down to a needle
    corners[::3, 2, :2] += rng.normal(0, 0.3, (4, 2))
    corners[1::3, :, 2] = corners[1::3, :1, 2]  # level ones
    scene = wm.Scene(corners.reshape(-1, 3), np.arange(36).reshape(-1, 3), up="z")
    obstacles = LinkObstacles.of(scene, wm.NavMesh([(0, 0, 0)], [0], [], up="z").frame)
    agent = wm.Agent()
    # Pieces of a parabola are an eighth of a metre high, and cylinders 2 cm apart.
    stout = {
        LEGS: wm.Agent(height=1.82, radius=0.31, max_step=0.38),
        LEAP: wm.Agent(height=1.94, radius=0.31, max_step=0.26),
    }
    stout[BOUND] = stout[LEAP]
    ways = 150
    highs = rng.uniform((-1, -1, -0.5), (3, 1, 1), (ways, 3))
    angles, lengths = rng.uniform(0, 2 * np.pi, ways), rng.uniform(0.3, 2, ways)
    falls = rng.uniform(0, 2, ways) * rng.integers(0, 2, ways)
    lows = highs + np.column_stack([lengths * np.cos(angles), lengths * np.sin(angles), -falls])
    passed = 0
    for arc in (LEGS, LEAP):
        chosen, arcs = np.empty(ways, dtype=np.int32), np.empty(ways, dtype=np.int32)
        sweep_links(
            highs, lows, np.arange(ways + 1, dtype=np.int32), np.full(ways, arc == LEGS, np.uint8),
            obstacles.arrays, (agent.radius - 1e-3, agent.max_step + 1e-3, agent.height - 1e-3),
            chosen, arcs,
        )  # fmt: skip
        thin = naive_links.Sweep(corners, agent)
        thick = {other: naive_links.Sweep(corners, body) for other, body in stout.items()}
        for i in range(ways):
            if chosen[i] >= 0:
                passed += 1
                assert thin.is_clear(highs[i], lows[i], int(arcs[i]))
            tried = range(arc, arcs[i]) if chosen[i] >= 0 else range(arc, BOUND + 1)
            assert not any(thick[k].is_clear(highs[i], lows[i], k) for k in tried)
    assert 0.1 * ways < passed < 1.9 * ways


# Real scenes


RANGER = wm.Agent(height=1.75, radius=0.5, max_step=0.56)


@cache
def real(name, agent):
    scene = wm.load_scene(SCENES / name)
    # With parts smaller than the agent's footprint: they are where links are most needed.
    navmesh = wm.build(scene, agent, wm.Exact(min_patch_area=0.05))
    return scene, navmesh, wm.find_links(scene, navmesh)


REAL = [
    pytest.param("recast/dungeon.obj", wm.Agent(), 15, id="dungeon"),
    pytest.param("recast/nav_test.obj", wm.Agent(), 150, id="nav_test"),
    pytest.param("librequake/lq_e1m1.obj", RANGER, 800, id="lq_e1m1"),
]


@pytest.mark.compiled_only
@needs_scenes
@pytest.mark.parametrize(("name", "agent", "least"), REAL)
def test_links_of_real_scenes_are_sound_and_confirmed(name, agent, least):
    scene, navmesh, links = real(name, agent)
    assert least <= len(links) <= 1.3 * least
    check(scene, navmesh, links)
    assert set(links["kind"].tolist()) == {JUMP, DROP, CLIMB}


# What is asked


@pytest.mark.parametrize("name", ["max_jump", "max_drop", "max_climb", "spacing"])
@pytest.mark.parametrize("value", [-1, np.nan, np.inf, True, "far", None, [1.0, 2.0]])
def test_what_is_no_limit(name, value):
    scene = wm.samples.floor()
    with pytest.raises(wm.SettingsError, match=f"^{name} is .*; it must be a finite") as raised:
        wm.find_links(scene, wm.build(scene), **{name: value})
    assert "\n" not in str(raised.value)


def test_other_arguments_that_cannot_be():
    scene = wm.samples.floor()
    navmesh = wm.build(scene)
    for arguments, words in [
        ((scene, scene), "navmesh is Scene.*; it must be a walkmesh.NavMesh"),
        ((navmesh, navmesh), "scene is NavMesh.*; it must be a walkmesh.Scene"),
        ((wm.samples.floor(up="z"), navmesh), r"up is \(0.0, 0.0, 1.0\) for the scene and"),
    ]:
        with pytest.raises(wm.SettingsError, match=words):
            wm.find_links(*arguments)
    with pytest.raises(wm.SettingsError, match="spacing is 0; it must be a finite number above 0"):
        wm.find_links(scene, navmesh, spacing=0)
    with pytest.raises(wm.SettingsError, match="workers is 0"):
        wm.find_links(scene, navmesh, workers=0)
    with pytest.raises(wm.FormatError, match="out of range"):
        wm.find_links(scene, wm.NavMesh([(0, 0, 0)], [0, 3], [0, 1, 2]))


def test_defaults_are_those_of_the_limits():
    parameters = inspect.signature(wm.find_links).parameters
    for name in ("max_jump", "max_drop", "max_climb", "spacing"):
        assert parameters[name].default == getattr(Limits(), name)
        assert parameters[name].kind is inspect.Parameter.KEYWORD_ONLY


def test_progress_is_told_and_may_cancel():
    scene = plates()
    navmesh = wm.build(scene)
    told = []
    wm.find_links(scene, navmesh, progress=lambda *step: told.append(step))
    assert list(dict(told)) == list(STAGES)
    assert all(0.0 <= fraction <= 1.0 for _, fraction in told)
    assert told[-1] == (STAGES[-1], 1.0)

    def cancel(stage, fraction):
        if stage == "sweep":
            raise wm.Cancelled("enough")

    with pytest.raises(wm.Cancelled):
        wm.find_links(scene, navmesh, progress=cancel)


def test_with_links_takes_links_alone():
    scene = plates()
    navmesh = wm.build(scene)
    links = wm.find_links(scene, navmesh)
    assert navmesh.with_links(links).links.tobytes() == links.tobytes()
    assert len(navmesh.with_links(links).with_links(links).links) == 2 * len(links)
    for name, value in {"goals": links["goal"], "two_way": True, "cost": 1.0, "kind": 3}.items():
        with pytest.raises(wm.SettingsError, match=f"{name} is given, but starts are links"):
            navmesh.with_links(links, **{name: value})
    with pytest.raises(wm.SettingsError, match="goals is None; it must be points"):
        navmesh.with_links(links["start"])
    with pytest.raises(wm.SettingsError, match=r"starts has shape .* links must be an"):
        navmesh.with_links(links[["start", "goal"]])
    away = links.copy()
    away["goal"] += (0, 50, 0)
    with pytest.raises(wm.SettingsError, match=r"goals\[0\] is .*it must be within max_snap"):
        navmesh.with_links(away)


@pytest.mark.parametrize("size", [1e12, 1e30])
def test_a_navmesh_larger_than_the_world_is_refused(size: float) -> None:
    corners = np.array([(0, 0, 0), (0, 0, 4), (3, 0, 4), (3, 0, 0)]) * size
    navmesh = wm.NavMesh(corners, [0, 4], range(4))
    with pytest.raises(wm.FormatError, match=r"^the boundary of the navmesh is .* m long"):
        wm.find_links(wm.samples.floor(), navmesh)


def test_links_of_an_agent_that_takes_no_steps_are_sound() -> None:
    scene = wm.samples.house()
    navmesh = wm.build(scene, wm.Agent(radius=0.0, max_step=0.0))
    assert navmesh.with_links(wm.find_links(scene, navmesh)).validate() == []
