"""An evaluation gives the shares that can be worked out by hand."""

import math

import numpy as np
import pytest
import shapely

import walkmesh as wm
from walkmesh import samples
from walkmesh.evaluation.truth import Truth
from walkmesh.samples.soup import Soup

AGENT = wm.Agent()
RADIUS = AGENT.radius
BAND = 0.02
# The radii with which a wrong point is told from a doubtful one, and a missed one.
INNER, OUTER = RADIUS - BAND, RADIUS + BAND
SAMPLES = 1200


def about(share):
    """Return what a share of the samples is in all but one of many thousand draws."""
    return pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / SAMPLES) + 1e-3)


def scene_of(*shapes):
    """Return a scene with z up; a shape is called with the soup to add itself to."""
    soup = Soup()
    for shape in shapes:
        shape(soup)
    return soup.scene("z")


def sheet(u, v, u_end, v_end, h=0.0):
    return lambda soup: soup.sheet(shapely.box(u, v, u_end, v_end), h)


def box(u, v, h, u_end, v_end, h_end):
    return lambda soup: soup.box((u, v, h), (u_end, v_end, h_end))


def profile(outline, v, v_end):
    """Return the solid with an outline in (u, h) between two v."""
    return lambda soup: soup.prism(shapely.Polygon(outline), v, v_end, along="v")


def with_wall(scene, u, v, v_end, low, high):
    """Return the scene with a wall without thickness: two triangles across u."""
    corners = [(u, v, low), (u, v_end, low), (u, v_end, high), (u, v, high)]
    count = len(scene.vertices)
    faces = np.array([(0, 1, 2), (0, 2, 3)]) + count
    return wm.Scene(
        np.concatenate([scene.vertices, corners]), np.concatenate([scene.faces, faces]), "z"
    )


def navmesh_of(*rectangles, agent=AGENT):
    """Return a navmesh of rectangles (u, v, u_end, v_end, h, h_end) that may rise along u."""
    points = []
    for u, v, u_end, v_end, *heights in rectangles:
        h, h_end = (heights * 2)[:2] if heights else (0.0, 0.0)
        points += [(u, v, h), (u_end, v, h_end), (u_end, v_end, h_end), (u, v_end, h)]
    count = len(points)
    points = np.array(points).reshape(-1, 3)
    return wm.NavMesh(points, np.arange(0, count + 1, 4), np.arange(count), agent=agent, up="z")


def inset(u, v, u_end, v_end, by=RADIUS):
    return u + by, v + by, u_end - by, v_end - by


def judge(scene, navmesh, **settings):
    return wm.evaluate(scene, navmesh, samples=SAMPLES, **settings)


def assert_right(result):
    assert (result.recall.value, result.precision.value) == (1.0, 1.0), result
    assert result.recall.samples > SAMPLES / 10
    assert result.precision.samples > 0.9 * SAMPLES
    assert len(result.missed) == len(result.wrong) == 0
    assert result.overlap.value == 0.0
    assert result.connections_right.value == 1.0


PLANE = (0.0, 0.0, 6.0, 4.0)


class TestPlane:
    def test_shrunk_by_the_radius_is_right(self):
        result = judge(scene_of(sheet(*PLANE)), navmesh_of(inset(*PLANE)))
        assert_right(result)
        assert result.height_error_95 < 1e-9

    def test_not_shrunk_is_wrong_along_the_edges(self):
        result = judge(scene_of(sheet(*PLANE)), navmesh_of(PLANE))
        assert result.recall.value == 1.0
        assert result.precision.value == about((6 - 2 * INNER) * (4 - 2 * INNER) / 24)
        u, v, _ = result.wrong.T
        assert (np.minimum(np.minimum(u, 6 - u), np.minimum(v, 4 - v)) < INNER + 1e-3).all()

    def test_shrunk_too_much_misses_a_frame(self):
        result = judge(scene_of(sheet(*PLANE)), navmesh_of(inset(*PLANE, by=0.5)))
        assert result.precision.value == 1.0
        assert result.recall.value == about(5 * 3 / ((6 - 2 * OUTER) * (4 - 2 * OUTER)))
        u, v, _ = result.missed.T
        assert (np.minimum(np.minimum(u, 6 - u), np.minimum(v, 4 - v)) < 0.5).all()

    @pytest.mark.parametrize("by", [RADIUS - 0.015, RADIUS + 0.015])
    def test_within_the_band_both_are_right(self, by):
        assert_right(judge(scene_of(sheet(*PLANE)), navmesh_of(inset(*PLANE, by=by))))

    def test_beyond_the_edge_is_wrong(self):
        result = judge(scene_of(sheet(*PLANE)), navmesh_of(inset(*PLANE, by=-0.04)))
        assert result.precision.value == about((6 - 2 * INNER) * (4 - 2 * INNER) / (6.08 * 4.08))

    def test_no_navmesh_covers_nothing(self):
        result = judge(scene_of(sheet(*PLANE)), navmesh_of())
        assert result.recall.value == 0.0
        assert math.isnan(result.precision.value)
        assert result.precision.samples == 0

    def test_seen_from_below_is_no_ground(self):
        scene = scene_of(sheet(*PLANE))
        flipped = wm.Scene(scene.vertices, scene.faces[:, ::-1], "z")
        result = judge(flipped, navmesh_of(inset(*PLANE)))
        assert math.isnan(result.recall.value)
        assert result.precision.value == 0.0

    def test_any_up_far_from_the_origin(self):
        up = np.array([1.0, -2.0, 3.0]) / math.sqrt(14)
        side = np.cross(up, (1.0, 0.0, 0.0))
        side /= np.linalg.norm(side)
        turn = np.array([side, np.cross(up, side), up])
        move = np.array([450_000.0, -300_000.0, 100.0])
        scene, navmesh = scene_of(sheet(*PLANE)), navmesh_of(PLANE)
        scene = wm.Scene(scene.vertices @ turn + move, scene.faces, up)
        corners = navmesh.vertices @ turn + move
        navmesh = wm.NavMesh(corners, [0, 4], [0, 1, 2, 3], agent=wm.Agent(), up=up)
        result = judge(scene, navmesh)
        assert result.recall.value == 1.0
        assert result.precision.value == about((6 - 2 * INNER) * (4 - 2 * INNER) / 24)
        assert result.height_error_95 < 1e-6
        u, v, h = ((result.wrong - move) @ turn.T).T
        assert np.abs(h).max() < 1e-6
        assert (np.minimum(np.minimum(u, 6 - u), np.minimum(v, 4 - v)) < INNER + 1e-3).all()

    def test_without_a_radius_everything_standable_is_free(self):
        agent = wm.Agent(radius=0)
        result = judge(scene_of(sheet(*PLANE)), navmesh_of(PLANE, agent=agent))
        assert (result.recall.value, result.precision.value) == (1.0, 1.0)

    def test_the_same_seed_gives_the_same_points(self):
        scene, navmesh = scene_of(sheet(*PLANE)), navmesh_of(PLANE)
        first, second = judge(scene, navmesh, seed=7), judge(scene, navmesh, seed=7)
        assert np.array_equal(first.wrong, second.wrong)
        assert not np.array_equal(first.wrong, judge(scene, navmesh, seed=8).wrong)


class TestSlope:
    def ramp(self, degrees):
        rise = 4 * math.tan(math.radians(degrees))
        outline = [(0, 0), (4, 0), (4, rise)]
        return scene_of(profile(outline, 0, 4)), (
            *inset(0, 0, 4, 4),
            0.3 * rise / 4,
            3.7 * rise / 4,
        )

    @pytest.mark.parametrize("degrees", [10, 40])
    def test_gentle_is_right(self, degrees):
        scene, rectangle = self.ramp(degrees)
        result = judge(scene, navmesh_of(rectangle))
        assert_right(result)
        # Corners are rounded to a tenth of a millimetre.
        assert result.height_error_95 < 1e-3

    def test_steep_is_no_ground(self):
        scene, rectangle = self.ramp(50)
        result = judge(scene, navmesh_of(rectangle))
        assert result.recall.samples == 0
        assert result.precision.value == 0.0

    def test_heights_are_compared(self):
        scene, (*rectangle, low, high) = self.ramp(20)
        result = judge(scene, navmesh_of((*rectangle, low + 0.05, high + 0.05)))
        assert_right(result)
        assert result.height_error_median == pytest.approx(0.05, abs=1e-3)
        assert result.height_error_95 == pytest.approx(0.05, abs=1e-3)

    @pytest.mark.parametrize("step", [0.0, 0.001, 0.01])
    def test_a_slope_is_no_step_however_low_steps_are(self, step):
        # Downhill, the ground that a walk comes from is more than a low step higher.
        scene, rectangle = self.ramp(20)
        assert_right(judge(scene, navmesh_of(rectangle, agent=wm.Agent(max_step=step))))


class TestWalls:
    def test_room_with_walls(self):
        scene = samples.box_room(6.0, 4.0, up="z")
        assert_right(judge(scene, navmesh_of(inset(*PLANE))))
        result = judge(scene, navmesh_of(PLANE))
        assert result.precision.value == about((6 - 2 * INNER) * (4 - 2 * INNER) / 24)

    # Between 0.4 and 1.8 m above the ground something is in the way; a wall without thickness
    # keeps the agent off a stadium around it.
    @pytest.mark.parametrize(
        ("low", "high", "blocks"),
        [
            (0.0, 2.5, True),
            (0.0, 0.45, True),
            (1.0, 1.1, True),
            (1.75, 3.0, True),
            (0.0, 0.35, False),
            (1.85, 3.0, False),
        ],
    )
    def test_wall_without_thickness(self, low, high, blocks):
        scene = with_wall(scene_of(sheet(*PLANE)), 3.0, 1.0, 3.0, low, high)
        rectangle = inset(*PLANE)
        result = judge(scene, navmesh_of(rectangle))
        assert result.recall.value == 1.0
        stadium = 2 * 2 * INNER + math.pi * INNER**2 if blocks else 0.0
        assert result.precision.value == about(1 - stadium / (5.4 * 3.4))

    def test_navmesh_through_a_wall(self):
        scene = scene_of(sheet(*PLANE), box(2.9, 0, 0, 3.1, 4, 2.5))
        halves = inset(0, 0, 2.9, 4), inset(3.1, 0, 6, 4)
        assert_right(judge(scene, navmesh_of(*halves)))
        result = judge(scene, navmesh_of(inset(*PLANE)))
        assert result.recall.value == 1.0
        assert result.precision.value == about(1 - (0.2 + 2 * INNER) / 5.4)
        assert np.abs(result.wrong[:, 0] - 3).max() < 0.1 + INNER + 1e-3

    @pytest.mark.parametrize("width", [0.004, 0.03])
    def test_thin_pole_between_two_directions(self, width):
        scene = scene_of(sheet(*PLANE), box(3, 2, 0, 3 + width, 2 + width, 2.5))
        result = judge(scene, navmesh_of(inset(*PLANE)))
        assert result.recall.value == 1.0
        around = math.pi * INNER**2 + 4 * INNER * width + width**2
        assert result.precision.value == about(1 - around / (5.4 * 3.4))

    def test_missing_doorway(self):
        wall = box(2.9, 0, 0, 3.1, 1.5, 2.5), box(2.9, 2.5, 0, 3.1, 4, 2.5)
        scene = scene_of(sheet(*PLANE), *wall)
        halves = inset(0, 0, 2.9, 4), inset(3.1, 0, 6, 4)
        doorway = (2.9 - RADIUS, 1.5 + RADIUS, 3.1 + RADIUS, 2.5 - RADIUS)
        whole = judge(scene, navmesh_of(*halves, doorway))
        assert whole.precision.value == 1.0
        # All but the rounded corners at the jambs.
        assert whole.recall.value > 0.98
        result = judge(scene, navmesh_of(*halves))
        assert result.precision.value == 1.0
        assert result.recall.value < whole.recall.value - 0.01
        assert (np.abs(result.missed - (3, 2, 0)) <= (0.1 + RADIUS, 0.5, 1e-6)).all()

    def test_doorway_that_is_too_narrow(self):
        wall = box(2.9, 0, 0, 3.1, 1.75, 2.5), box(2.9, 2.25, 0, 3.1, 4, 2.5)
        scene = scene_of(sheet(*PLANE), *wall)
        centre = [(3.0, 2.0, 0.0)]
        ground = Truth(scene, AGENT)
        assert not ground.free(centre)
        assert ground.free(centre, radius=0.2)


class TestLevels:
    def test_two_levels(self):
        scene = scene_of(sheet(*PLANE), box(0, 0, 2.8, 6, 4, 3.0))
        rectangle = inset(*PLANE)
        assert_right(judge(scene, navmesh_of((*rectangle, 0.0), (*rectangle, 3.0))))
        assert judge(scene, navmesh_of((*rectangle, 3.0))).recall.value == about(0.5)

    def test_floating_navmesh(self):
        scene = scene_of(sheet(*PLANE))
        high = judge(scene, navmesh_of((*inset(*PLANE), 1.0)))
        assert (high.recall.value, high.precision.value) == (0.0, 0.0)
        low = judge(scene, navmesh_of((*inset(*PLANE), 0.1)))
        assert_right(low)
        assert low.height_error_median == pytest.approx(0.1)

    @pytest.mark.parametrize(("clearance", "low"), [(1.7, True), (1.85, False)])
    def test_low_ceiling(self, clearance, low):
        scene = scene_of(sheet(*PLANE), box(3, 0, clearance, 6, 4, clearance + 0.2))
        top = (*inset(3, 0, 6, 4), clearance + 0.2)
        result = judge(scene, navmesh_of(inset(*PLANE)))
        assert result.precision.value == about((2.7 - INNER) / 5.4 if low else 1.0)
        if low:
            assert_right(judge(scene, navmesh_of(inset(0, 0, 3, 4), top)))
        else:
            assert_right(judge(scene, navmesh_of(inset(*PLANE), top)))

    def test_ceiling_in_the_plane_of_the_floor_above(self):
        upper = scene_of(sheet(*PLANE, 2.5))
        vertices = np.concatenate([scene_of(sheet(*PLANE)).vertices, upper.vertices])
        faces = scene_of(sheet(*PLANE)).faces
        count = len(vertices) // 2
        both = [faces, upper.faces + count, upper.faces[:, ::-1] + count]
        scene = wm.Scene(vertices, np.concatenate(both), "z")
        rectangle = inset(*PLANE)
        assert_right(judge(scene, navmesh_of((*rectangle, 0.0), (*rectangle, 2.5))))

    def test_layers_of_ground_are_one(self):
        scene = scene_of(sheet(*PLANE), sheet(*PLANE, 0.005))
        result = judge(scene, navmesh_of((*inset(*PLANE), 0.005)))
        assert_right(result)
        assert result.height_error_95 < 1e-9


class TestSteps:
    # Low ground up to u = 3, high ground beyond.
    def kerb(self, rise, bevel=0.0):
        outline = [(0, -0.2), (6, -0.2), (6, rise), (3 + bevel, rise), (3, 0), (0, 0)]
        return scene_of(profile(outline, 0, 4))

    def across(self, rise):
        return navmesh_of((*inset(0, 0, 3.3, 4), 0.0), (*inset(2.7, 0, 6, 4), rise))

    @pytest.mark.parametrize("rise", [0.1, 0.3, 0.4])
    def test_kerb_that_is_stepped_on(self, rise):
        result = judge(self.kerb(rise), self.across(rise))
        assert_right(result)
        # Near the kerb no height is compared.
        assert result.height_error_95 < 1e-9

    def test_kerb_that_is_too_high(self):
        scene = self.kerb(0.5)
        assert_right(judge(scene, navmesh_of((*inset(0, 0, 3, 4), 0.0), (*inset(3, 0, 6, 4), 0.5))))
        result = judge(scene, self.across(0.5))
        assert result.recall.value == 1.0
        assert result.precision.value == about(1 - 2 * INNER / 5.4)

    def test_bevelled_kerb(self):
        # The bevel itself is too steep to stand on, and stepped over.
        scene = self.kerb(0.3, bevel=0.15)
        low, high = (*inset(0, 0, 3.3, 4), 0.0), (*inset(2.85, 0, 6, 4), 0.3)
        over = (3.0, RADIUS, 3.15, 4 - RADIUS, 0.0, 0.3)
        result = judge(scene, navmesh_of(low, over, high))
        assert_right(result)
        # Samples are drawn by area on the slope, and those on the bevel do not count.
        bevel = math.hypot(0.15, 0.3)
        share = 1 - bevel / (2.7 + bevel + 2.55)
        assert result.precision.samples / SAMPLES == about(share)

    def test_bevelled_kerb_that_is_too_high(self):
        scene = self.kerb(0.5, bevel=0.15)
        low, high = inset(0, 0, 3, 4), inset(3.15, 0, 6, 4)
        assert_right(judge(scene, navmesh_of((*low, 0.0), (*high, 0.5))))
        over = (3.0, RADIUS, 3.15, 4 - RADIUS, 0.0, 0.5)
        far_low, far_high = (*inset(0, 0, 3.3, 4), 0.0), (*inset(2.85, 0, 6, 4), 0.5)
        result = judge(scene, navmesh_of(far_low, over, far_high))
        assert result.recall.value == 1.0
        assert (np.abs(result.wrong[:, 0] - 3.075) < 0.075 + INNER + 1e-3).all()
        assert result.precision.value < about(1 - 2 * INNER / 5.4).expected + 0.01

    def test_bevel_along_a_wall(self):
        # Nobody can stand behind the bevel, so the ground ends at its foot.
        outline = [(0, -0.2), (4, -0.2), (4, 2.5), (3.1, 2.5), (3.1, 0.2), (3, 0), (0, 0)]
        scene = scene_of(profile(outline, 0, 4))
        assert_right(judge(scene, navmesh_of(inset(0, 0, 3, 4), (*inset(3.1, 0, 4, 4), 2.5))))
        result = judge(scene, navmesh_of((*inset(0, 0, 3, 4)[:2], 3.0, 4 - RADIUS)))
        assert result.precision.value == about(1 - INNER / 2.7)

    @pytest.mark.parametrize(("height", "low"), [(0.2, True), (0.6, False)])
    def test_steep_thing_on_the_ground(self, height, low):
        base = [(2.9, 1.9, 0), (3.1, 1.9, 0), (3.1, 2.1, 0), (2.9, 2.1, 0), (3, 2, height)]
        sides = [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]
        scene = scene_of(sheet(*PLANE))
        vertices = np.concatenate([scene.vertices, base])
        faces = np.concatenate([scene.faces, np.array(sides) + len(scene.vertices)])
        result = judge(wm.Scene(vertices, faces, "z"), navmesh_of(inset(*PLANE)))
        assert result.recall.value == 1.0
        # The ground ends at the foot of what is not stepped over.
        around = 0.2**2 + 4 * 0.2 * INNER + math.pi * INNER**2
        assert result.precision.value == about(1.0 if low else 1 - around / (5.4 * 3.4))

    @pytest.mark.parametrize(("lintel", "is_passed"), [(1.92, True), (1.88, False)])
    def test_sill_under_a_lintel(self, lintel, is_passed):
        # On its sill of 0.1 m a door is as much lower, whoever can stand in front of and behind it.
        sill, above = box(2.9, 0, 0, 3.1, 4, 0.1), box(2.9, 0, lintel, 3.1, 4, 3.0)
        scene = scene_of(sheet(*PLANE), sill, above)
        whole = [(*inset(*PLANE), 0.0)]
        sides = [(*inset(0, 0, 2.9, 4), 0.0), (*inset(3.1, 0, 6, 4), 0.0)]
        assert_right(judge(scene, navmesh_of(*(whole if is_passed else sides))))
        if not is_passed:
            assert judge(scene, navmesh_of(*whole)).precision.value < 0.95

    def test_small_robot(self):
        robot = wm.Agent(height=0.5, radius=0.15, max_slope=20, max_step=0.05)
        scene = self.kerb(0.1)
        low, high = (*inset(0, 0, 3, 4, 0.15), 0.0), (*inset(3, 0, 6, 4, 0.15), 0.1)
        assert_right(judge(scene, navmesh_of(low, high, agent=robot)))
        scene = self.kerb(0.04)
        low, high = (*inset(0, 0, 3.15, 4, 0.15), 0.0), (*inset(2.85, 0, 6, 4, 0.15), 0.04)
        assert_right(judge(scene, navmesh_of(low, high, agent=robot)))

    @pytest.mark.parametrize("open_risers", [False, True])
    def test_stairs(self, open_risers):
        scene = samples.stairs(0.18, 0.28, 10, 1.2, open_risers=open_risers, up="z")
        v, v_end = RADIUS, 1.2 - RADIUS
        treads = [(k * 0.28, v, (k + 1) * 0.28, v_end, (k + 1) * 0.18) for k in range(9)]
        ends = (-1 + RADIUS, v, 0.0, v_end, 0.0), (2.52, v, 3.52 - RADIUS, v_end, 1.8)
        result = judge(scene, navmesh_of(ends[0], *treads, ends[1]))
        assert (result.recall.value, result.precision.value) == (1.0, 1.0), result
        assert result.recall.samples > 500

    def test_ramp_over_stairs(self):
        scene = samples.stairs(0.18, 0.28, 10, 1.2, up="z")
        v, v_end = RADIUS, 1.2 - RADIUS
        ends = (-1 + RADIUS, v, 0.0, v_end, 0.0), (2.52, v, 3.52 - RADIUS, v_end, 1.8)
        ramp = (0.0, v, 2.52, v_end, 0.09, 1.71)
        result = judge(scene, navmesh_of(ends[0], ramp, ends[1]))
        assert (result.recall.value, result.precision.value) == (1.0, 1.0), result
        # The ramp is off by up to half a riser, which is left out of the heights.
        assert result.height_error_95 < 1e-9

    def test_stairs_that_are_too_high(self):
        scene = samples.stairs(0.45, 0.5, 5, 1.2, up="z")
        v, v_end = RADIUS, 1.2 - RADIUS
        treads = [(k * 0.5, v, (k + 1) * 0.5, v_end, (k + 1) * 0.45) for k in range(4)]
        result = judge(scene, navmesh_of(*treads))
        assert result.precision.value == 0.0


class TestSlits:
    def halves(self, width):
        return scene_of(sheet(0, 0, 3, 4), sheet(3 + width, 0, 6, 4))

    @pytest.mark.parametrize("width", [0.002, 0.02])
    def test_slit_that_is_walked_over(self, width):
        assert_right(judge(self.halves(width), navmesh_of(inset(*PLANE))))

    def test_slit_that_is_too_wide(self):
        scene = self.halves(0.05)
        assert_right(judge(scene, navmesh_of(inset(0, 0, 3, 4), inset(3.05, 0, 6, 4))))
        result = judge(scene, navmesh_of(inset(*PLANE)))
        assert result.recall.value == 1.0
        # What lies in the slit itself is not counted.
        assert result.precision.value == about(1 - 2 * INNER / 5.35)

    def test_slit_onto_a_step(self):
        scene = scene_of(sheet(0, 0, 3, 4), box(3.02, 0, 0, 6, 4, 0.3))
        navmesh = navmesh_of((*inset(0, 0, 3.3, 4), 0.0), (*inset(2.72, 0, 6, 4), 0.3))
        assert_right(judge(scene, navmesh))

    def test_hole(self):
        around = shapely.box(0, 0, 6, 4) - shapely.box(2.5, 1.5, 3.5, 2.5)
        scene = scene_of(lambda soup: soup.sheet(around, 0.0))
        result = judge(scene, navmesh_of(inset(*PLANE)))
        wrong = 1 + 4 * INNER + math.pi * INNER**2
        assert result.recall.value == 1.0
        assert result.precision.value == about(1 - wrong / (5.4 * 3.4))


def test_many_triangles_are_one_plane():
    line = np.linspace(0, 6, 61)
    u, v = (grid.ravel() for grid in np.meshgrid(line, line))
    corner = (np.arange(60)[:, None] * 61 + np.arange(60)).ravel()
    faces = np.concatenate(
        [np.column_stack([corner, corner + 1, corner + 62]),
         np.column_stack([corner, corner + 62, corner + 61])]
    )  # fmt: skip
    scene = wm.Scene(np.column_stack([u, v, 0.1 * np.sin(u)]), faces, "z")
    result = judge(
        scene,
        wm.NavMesh(
            scene.vertices,
            np.arange(0, 3 * len(faces) + 1, 3),
            faces.ravel(),
            agent=wm.Agent(),
            up="z",
        ),
    )
    assert result.recall.value == 1.0
    assert result.precision.value == about((6 - 2 * INNER) ** 2 / 36)
    assert result.height_error_95 < 1e-9


@pytest.mark.parametrize(("width", "is_stepped_over"), [(0.25, True), (0.5, True), (0.7, False)])
def test_a_bank_too_steep_to_stand_on(width, is_stepped_over):
    """Low things are stepped over up to a width of 0.6 m, and ground does not go on over others."""
    rise = 0.45
    agent = wm.Agent(max_slope=30.0, max_step=0.5, radius=0.2)
    line = [(0.0, 0.0), (4.0, 0.0), (4.0 + width, rise), (8.0, rise)]
    corners = [(u, v, h) for u, h in line for v in (0.0, 6.0)]
    quads = [(2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1) for i in range(3)]
    faces = [corner for a, b, c, d in quads for corner in ((a, b, c), (a, c, d))]
    scene = wm.Scene(np.array(corners), np.array(faces), up="z")
    navmesh = wm.build(scene, agent)
    assert (navmesh.component_count == 1) == is_stepped_over
    assert wm.evaluate(scene, navmesh, samples=2000, pairs=0).recall.value == 1.0
    over = wm.NavMesh(
        scene.vertices, np.arange(0, 13, 4), np.array(quads).ravel(), agent=agent, up="z"
    )
    wrong = wm.evaluate(scene, over, samples=2000, pairs=0).wrong
    on_bank = (wrong[:, 0] > 4.1) & (wrong[:, 0] < 3.9 + width) & (abs(wrong[:, 1] - 3.0) < 2.5)
    assert on_bank.any() != is_stepped_over
