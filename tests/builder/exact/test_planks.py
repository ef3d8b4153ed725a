"""Ground made of planks: slits that can be stepped over do not end it, however narrow it is."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
import shapely
import shapely.affinity
from hypothesis import given, settings
from hypothesis import strategies as st

import walkmesh as wm
from tests.makers.planks import box, scene_of

# How far the boundary of a navmesh may be moved inwards by default. [m]
TOLERANCE = 0.025


@dataclass(frozen=True)
class Deck:
    """Planks side by side along u, tilted and turned; see :meth:`scene`."""

    width: float = 0.14
    slit: float = 0.02
    extent: float = 2.2
    length: float = 2.0
    thickness: float = 0.04
    sides: bool = True
    rise: float = 0.0  # from plank to plank
    slope: float = 0.0  # degrees
    along: bool = False  # whether planks run up the slope, not across it
    angle: float = 0.0  # degrees, in plan
    landing: float = 0.0  # width of the last plank, if it is another one
    floor: float | None = None  # below the lowest point

    @property
    def count(self):
        return math.ceil(self.extent / (self.width + self.slit))

    @property
    def end(self):
        end = self.count * (self.width + self.slit) - self.slit
        return end + self.slit + self.landing if self.landing else end

    def scene(self):
        planks = [(k * (self.width + self.slit), self.width) for k in range(self.count)]
        if self.landing:
            planks.append((self.end - self.landing, self.landing))
        triangles = np.concatenate([
            box((u, 0.0, k * self.rise - self.thickness), (u + width, self.length, k * self.rise),
                sides=self.sides)
            for k, (u, width) in enumerate(planks)
        ])  # fmt: skip
        axis, tilt = (1 if self.along else 0), math.radians(self.slope)
        across, up = triangles[..., axis].copy(), triangles[..., 2].copy()
        triangles[..., axis] = math.cos(tilt) * across - math.sin(tilt) * up
        triangles[..., 2] = math.sin(tilt) * across + math.cos(tilt) * up
        if self.floor is not None:
            low, high = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
            low, high = (
                low - (1, 1, self.floor + 1),
                np.array([*(high[:2] + 1), low[2] - self.floor]),
            )
            triangles = np.concatenate([triangles, box(low, high, sides=False)])
        turn = math.radians(self.angle)
        u, v = triangles[..., 0].copy(), triangles[..., 1].copy()
        triangles[..., 0] = math.cos(turn) * u - math.sin(turn) * v
        triangles[..., 1] = math.sin(turn) * u + math.cos(turn) * v
        return scene_of(triangles)

    def free(self, radius=0.3):
        """Return the plan of the free ground: all of the deck, but for the radius."""
        shrink = math.cos(math.radians(self.slope))
        high = (self.end, self.length * shrink) if self.along else (self.end * shrink, self.length)
        whole = shapely.box(0, 0, *high).buffer(-radius, join_style="mitre")
        return shapely.affinity.rotate(whole, self.angle, origin=(0, 0))


def plan_of(navmesh):
    triangles = shapely.polygons(navmesh.vertices[navmesh.triangles][..., :2])
    return shapely.union_all(triangles, grid_size=1e-5)


def assert_right(deck, agent=None, method=None, samples=0):
    """Build and check a navmesh of one component that is where the deck is free."""
    agent, scene = agent or wm.Agent(), deck.scene()
    navmesh = wm.build(scene, agent, method or wm.Exact())
    assert navmesh.validate() == []
    assert navmesh.component_count == 1
    plan, free = plan_of(navmesh), deck.free(agent.radius)
    assert free.buffer(-TOLERANCE - 1e-3).difference(plan).area < 1e-4
    # Ends of boards that lean are closed with what is left of the slits.
    assert plan.difference(free.buffer(0.02, join_style="mitre")).area < 1e-4
    if not deck.rise:
        # No slit is left as a groove, nor is there any spike.
        assert navmesh.area * math.cos(math.radians(deck.slope)) == pytest.approx(
            plan.area, rel=1e-3
        )
    if samples:
        result = wm.evaluate(scene, navmesh, samples=samples, pairs=0)
        assert result.recall.samples > samples / 4
        assert min(result.recall.value, result.precision.value) >= 0.995
    return navmesh


@pytest.mark.parametrize("sides", [False, True])
@pytest.mark.parametrize("slit", [0.0004, 0.001, 0.02, 0.03])
def test_level_deck(slit, sides):
    deck = Deck(slit=slit, sides=sides)
    navmesh = assert_right(deck, samples=40)
    assert navmesh.area == pytest.approx(deck.free().area, abs=1e-3)
    assert_right(Deck(slit=slit, sides=sides, angle=31.0))


@pytest.mark.parametrize("width", [0.02, 0.05, 0.1])
def test_narrow_planks(width):
    deck = Deck(width=width, slit=0.03, angle=20.0, extent=0.9, length=1.1)
    # Less than the agent's footprint is free.
    assert_right(deck, method=wm.Exact(min_patch_area=0.1), samples=10)


@pytest.mark.parametrize("radius", [0.0, 0.1, 0.9])
def test_agents_of_any_radius(radius):
    deck = Deck(angle=13.0, extent=3.0, length=3.0)
    # For the widest agent, less than its footprint is free.
    assert_right(deck, wm.Agent(radius=radius), wm.Exact(min_patch_area=0.1))


def test_a_deck_joined_to_wide_ground():
    assert_right(Deck(landing=1.5, angle=7.0), samples=40)


@pytest.mark.parametrize(("slit", "sides"), [(0.0005, True), (0.001, False), (0.03, True)])
def test_stairs_of_planks(slit, sides):
    assert_right(Deck(width=0.28, slit=slit, sides=sides, rise=0.17, landing=1.0), samples=40)


@pytest.mark.parametrize("angle", [0.0, 31.0])
@pytest.mark.parametrize("along", [False, True])
@pytest.mark.parametrize("width", [0.14, 0.7])
def test_boards_with_sides_up_a_slope(width, along, angle):
    """Sides that lean are low faces, and those of long boards reach from below to far above."""
    assert_right(Deck(width=width, slope=10.0, along=along, angle=angle, length=5.5))


def test_a_ramp_with_wider_slits():
    deck = Deck(width=0.4, slit=0.035, extent=1.2, slope=20.0, along=True, angle=25.0)
    assert_right(deck, method=wm.Exact(gap_distance=0.04))


def test_slits_are_not_closed_without_a_gap_distance():
    with pytest.raises(wm.BuildError, match="can stand nowhere"):
        wm.build(Deck(slit=0.02).scene(), wm.Agent(), wm.Exact(gap_distance=0.0))


def test_slits_that_are_too_wide_stay_open():
    with pytest.raises(wm.BuildError, match="can stand nowhere"):
        wm.build(Deck(slit=0.032).scene())


@pytest.mark.parametrize("below", [0.05, 0.5, 1.0])
def test_a_floor_seen_through_the_slits(below):
    """It is a step down, or has no headroom left: in neither case does it end the deck."""
    deck = Deck(angle=20.0, floor=below, length=2.5)
    navmesh = wm.build(deck.scene())
    assert navmesh.validate() == []
    assert navmesh.component_count == (1 if below < 0.4 else 2)
    corners = navmesh.vertices[navmesh.triangles]
    upper = shapely.polygons(corners[corners[..., 2].min(axis=1) > -0.01][..., :2])
    upper = shapely.union_all(upper, grid_size=1e-5)
    assert deck.free().buffer(-TOLERANCE).difference(upper).area < 1e-4
    if below > 0.4:
        assert upper.area == pytest.approx(deck.free().area, rel=1e-3)


def test_tiles():
    tiles = [box((u, v, -0.1), (u + 0.1, v + 0.1, 0.0))
             for u in np.arange(12) * 0.12 for v in np.arange(12) * 0.12]  # fmt: skip
    navmesh = wm.build(scene_of(np.concatenate(tiles)))
    assert navmesh.component_count == 1
    assert navmesh.area == pytest.approx((12 * 0.12 - 0.02 - 0.6) ** 2, abs=1e-3)


def test_slits_that_are_not_parallel():
    u, planks = np.zeros(2), []
    for k in range(14):
        (a, b), high = u, u + 0.14
        corners = np.array([(a, 0, 0), (high[0], 0, 0), (high[1], 3, 0), (b, 3, 0)])
        planks.append(corners[[(0, 1, 2), (0, 2, 3)]])
        u = high + ((0.002, 0.028) if k % 2 else (0.028, 0.002))
    navmesh = wm.build(scene_of(np.concatenate(planks)))
    assert navmesh.component_count == 1
    assert navmesh.area == pytest.approx((14 * 0.14 + 13 * 0.015 - 0.6) * 2.4, rel=0.01)


@st.composite
def decks(draw):
    width = draw(st.sampled_from([0.05, 0.14, 0.28, 0.7]))
    stairs = width >= 0.14 and draw(st.booleans())
    return Deck(
        width=width,
        slit=draw(st.sampled_from([0.0004, 0.001, 0.01, 0.02, 0.03])),
        extent=draw(st.floats(1.2, 2.0)),
        length=draw(st.floats(1.2, 3.0)),
        thickness=draw(st.sampled_from([0.02, 0.04, 0.1])),
        sides=draw(st.booleans()),
        rise=draw(st.floats(0.03, 0.2)) if stairs else 0.0,
        slope=0.0 if stairs else draw(st.sampled_from([0.0, 5.0, 10.0, 20.0])),
        along=draw(st.booleans()),
        angle=draw(st.floats(0.0, 360.0)),
        landing=draw(st.sampled_from([0.0, 1.0])),
    )


@given(decks(), st.sampled_from([0.1, 0.3]))
@settings(max_examples=20)
def test_any_deck(deck, radius):
    assert_right(deck, wm.Agent(radius=radius), samples=20)
