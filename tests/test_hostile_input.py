"""Hostile input: the matching exception in one line, in bounded time and memory."""

import importlib
import io
import json
import os
import pickle
import subprocess
import sys

import ezdxf
import numpy as np
import pytest

import walkmesh as wm
from tests.makers.plan_files import svg
from walkmesh.errors import WalkmeshError

NAVMESH = wm.build(wm.samples.floor(width=4, depth=4))
RAGGED = [[0, 0, 0], [1, 2]]


class TestMessages:
    def test_one_line_whatever_the_value(self):
        error = wm.SettingsError(f"n is {np.zeros((3, 3))!r};\n it must be a number")
        assert str(error).startswith("n is array([[0., 0., 0.], [0., 0., 0.]")
        assert str(error).endswith("]]); it must be a number")

    def test_not_too_long(self):
        error = wm.SettingsError(f"n is {list(range(10_000))}; it must be a number")
        assert len(str(error)) <= 1000
        assert str(error).endswith("9999]; it must be a number")

    def test_pickled(self):
        error = pickle.loads(pickle.dumps(wm.SceneError("a\nb")))
        assert (type(error), str(error)) == (wm.SceneError, "a b")
        assert wm.Cancelled().args == ()


class TestArguments:
    @pytest.mark.parametrize("costs", [np.ones(3), np.zeros((0, 3)), [1, 2], 5, "a", {0: []}, {1j}])
    def test_area_costs(self, costs):
        for surface in (False, True):
            navmesh = surface_navmesh() if surface else NAVMESH
            for call in (navmesh.find_path, navmesh.find_paths, navmesh.distances):
                points = (1.0, 0.0, 1.0) if call == navmesh.find_path else [(1.0, 0.0, 1.0)]
                with pytest.raises(wm.SettingsError, match="area_costs"):
                    call(points, points, area_costs=costs)

    def test_without_area_costs(self):
        assert NAVMESH.find_path((1, 0, 1), (2, 0, 2), area_costs={}).status == "complete"

    @pytest.mark.parametrize("index", [-1, 1, 2**63, 0.0, None, True, [0], np.zeros(2)])
    def test_polygon(self, index):
        with pytest.raises(wm.SettingsError, match="index is"):
            NAVMESH.polygon(index)

    @pytest.mark.parametrize("count", [2**63, 2**62, 10**30])
    def test_samples_that_do_not_fit(self, count):
        with pytest.raises(wm.SettingsError, match=r"n is \d+; so many places do not fit"):
            NAVMESH.sample(count)

    @pytest.mark.parametrize("points", [RAGGED, [[1j, 0, 0]], np.zeros((2, 3), dtype=complex), "a"])
    def test_points(self, points):
        good = [(1.0, 0.0, 1.0)]
        for navmesh in (NAVMESH, surface_navmesh()):
            for call in (
                lambda n=navmesh: n.nearest(points),
                lambda n=navmesh: n.contains(points),
                lambda n=navmesh: n.find_path(points, good[0]),
                lambda n=navmesh: n.find_paths(points, good),
                lambda n=navmesh: n.distances(good, points),
                lambda n=navmesh: n.reachable(points, good),
                lambda n=navmesh: n.raycast(good, points),
                lambda n=navmesh: n.wall_distance(points),
                lambda n=navmesh: n.with_links(points, good),
                lambda n=navmesh: n.prune(points),
            ):
                with pytest.raises(wm.SettingsError):
                    call()
        for call in (
            lambda: wm.Scene(points, [[0, 1, 2]]),
            lambda: wm.FloorPlan(points),
            lambda: wm.Stairs(points),
            lambda: wm.samples.floor(up=points),
        ):
            with pytest.raises(WalkmeshError):
                call()

    @pytest.mark.parametrize("flag", [[1], np.zeros(2), "a", None])
    def test_flags(self, flag):
        for navmesh in (NAVMESH, surface_navmesh()):
            for name in ("optimal", "partial"):
                with pytest.raises(wm.SettingsError, match=f"{name} is"):
                    navmesh.find_path((1, 0, 1), (2, 0, 2), **{name: flag})
                with pytest.raises(wm.SettingsError, match=f"{name} is"):
                    navmesh.find_paths([(1, 0, 1)], [(2, 0, 2)], **{name: flag})

    @pytest.mark.parametrize("area", [RAGGED, [1], np.zeros(2), None, 2.0, True, 256, -1])
    def test_paint(self, area):
        with pytest.raises(wm.SettingsError, match="area is"):
            NAVMESH.paint(area, box=[(0, -1, 0), (1, 1, 1)])

    @pytest.mark.parametrize("path", [None, 1.5, ["a"], object()])
    def test_paths_that_are_none(self, path):
        for call in (wm.load_scene, wm.load_plan, wm.load_building, wm.load_navmesh, NAVMESH.save):
            with pytest.raises(WalkmeshError, match=r"path is .*must be the name of a file"):
                call(path)

    @pytest.mark.parametrize("callback", [5, "a", [], np.zeros(2)])
    def test_callbacks(self, callback):
        scene = wm.samples.floor(width=4, depth=4)
        for call in (wm.build, lambda s, **k: wm.find_links(s, NAVMESH, **k),
                     lambda s, **k: wm.evaluate(s, NAVMESH, **k)):  # fmt: skip
            with pytest.raises(wm.SettingsError, match=r"progress is .*must be callable"):
                call(scene, progress=callback)
        with pytest.raises(wm.SettingsError, match=r"on_stage is .*must be callable"):
            wm.build(scene, on_stage=callback)

    @pytest.mark.parametrize("workers", [0, -1, 1.5, "2", True, [1], np.zeros(2), 2j])
    def test_workers(self, workers):
        scene = wm.samples.floor(width=4, depth=4)
        with pytest.raises(wm.SettingsError, match="workers is"):
            wm.build(scene, workers=workers)
        with pytest.raises(wm.SettingsError, match="workers is"):
            NAVMESH.find_paths([(1, 0, 1)], [(2, 0, 2)], workers=workers)

    @pytest.mark.parametrize("value", [None, "a", [1, 2], RAGGED, 1j, np.zeros((2, 2)), -1, np.nan])
    def test_samples(self, value):
        samples = wm.samples
        for call in (
            lambda: samples.floor(width=value),
            lambda: samples.box_room(thickness=value),
            lambda: samples.ramp(slope_degrees=value),
            lambda: samples.two_levels(gap=value),
            lambda: samples.headroom_line(30.0, height=value),
            lambda: samples.stairs(tread=value),
            lambda: samples.stairs_with_landing(turn=value),
            lambda: samples.terrain(triangles=value),
            lambda: samples.doorways(widths=[value]),
            lambda: samples.doorway_rooms(count=value),
            lambda: samples.tilted_ramps(angles=[value]),
        ):
            with pytest.raises(wm.SettingsError):
                call()

    @pytest.mark.parametrize("value", [True, np.bool_(True), np.array([0.5]), b"1", 1e10, 10**400])
    def test_lengths_of_samples(self, value):
        samples = wm.samples
        for name, call in (
            ("width", samples.floor),
            ("thickness", samples.box_room),
            ("thickness", samples.doorways),
            ("riser", samples.spiral_stairs),
            ("tread", samples.spiral_stairs),
            ("spacing", samples.scanned_room),
            ("noise", samples.scanned_room),
            ("gap", samples.tilted_ramps),
            ("radius", samples.torus),
        ):
            with pytest.raises(wm.SettingsError, match=f"^{name} is .*; it must be a number"):
                call(**{name: value})

    @pytest.mark.filterwarnings("error")
    @pytest.mark.parametrize("one", [np.float32(1.0), np.int8(1), np.uint64(1), np.array(1)])
    def test_numbers_of_numpy(self, one):
        for call in (wm.samples.box_room, wm.samples.kerb):
            assert np.array_equal(call(height=one).vertices, call(height=1.0).vertices)
        assert NAVMESH.nearest([(1, 0, 1)], max_snap=one).polygons.tolist() == [0]
        assert wm.Agent(height=one) == wm.Agent(height=1.0)

    @pytest.mark.parametrize("spacing", [1e-300, 1e-4, np.float64(0.0)])
    def test_sheets_without_end(self, spacing):
        for call in (wm.samples.scanned_room, wm.samples.rock_cave):
            with pytest.raises(wm.SettingsError, match=r"^spacing is .*; .* at least 0\.005"):
                call(spacing=spacing)

    @pytest.mark.parametrize("flag", [None, "yes", 2, 0.0, [], np.zeros(0), np.zeros((2, 3, 3))])
    def test_flags_of_other_calls(self, flag, tmp_path):
        square = ([(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 0, 0)], [0, 4], [0, 1, 2, 3])
        for name, call in (
            ("inside", wm.samples.sphere),
            ("inside", wm.samples.cube),
            ("solids", wm.samples.tilted_ramps),
            ("open_risers", wm.samples.stairs),
            ("side_walls", wm.samples.stairs),
            ("open_risers", wm.samples.stairs_with_landing),
            ("open_risers", wm.samples.spiral_stairs),
            ("open_risers", wm.samples.storeys),
            ("surface", lambda **k: wm.NavMesh(*square, **k)),
            ("polygons", lambda **k: NAVMESH.save(tmp_path / "a.obj", **k)),
            ("partial", lambda **k: NAVMESH.find_paths([(1, 0, 1)], [(2, 0, 2)], radius=0.5, **k)),
            ("optimal", lambda **k: NAVMESH.find_path((1, 0, 1), (2, 0, 2), radius=0.5, **k)),
        ):
            with pytest.raises(wm.SettingsError, match=f"^{name} is .*; it must be True or False"):
                call(**{name: flag})

    @pytest.mark.filterwarnings("error")
    @pytest.mark.parametrize("size", [1e308, -1e308, np.finfo(float).max])
    def test_far_starts_and_goals(self, size):
        far = [np.float64(size)] * 3
        for start, goal in ((far, (1, 0, 1)), ((1, 0, 1), far), (far, far)):
            assert NAVMESH.find_path(start, goal).status == "unreachable"

    @pytest.mark.filterwarnings("error")
    @pytest.mark.parametrize("angle", [1e-300, 1e-200])
    def test_kerbs_without_end(self, angle):
        with pytest.raises(wm.SettingsError, match="differ by too much to be drawn"):
            wm.samples.kerb(bevel_degrees=angle)

    @pytest.mark.filterwarnings("error")
    @pytest.mark.parametrize("values", [1j, [1j, 2.0], RAGGED, "a"])
    def test_heights_of_stairs(self, values):
        with pytest.raises(wm.SceneError, match="heights of stairs must be an array of numbers"):
            wm.Stairs([[(0, 0), (1, 0)], [(0, 3), (1, 3)]], heights=values)

    @pytest.mark.parametrize("links", [[[], [1]], RAGGED, [1], "a", np.zeros(3)])
    def test_links(self, links):
        with pytest.raises(wm.FormatError, match="links is not"):
            wm.NavMesh([(0, 0, 0), (0, 0, 1), (1, 0, 0)], [0, 3], [0, 1, 2], links=links)

    @pytest.mark.filterwarnings("error")
    def test_masked_numbers(self):
        masked = np.ma.masked_array([1.0, 2.0, 3.0], [False, True, False])
        with pytest.raises(wm.SettingsError, match="gravity_center is"):
            wm.Surface(gravity_center=masked)
        with pytest.raises(wm.SettingsError, match="height is masked"):
            wm.Agent(height=masked[1])

    @pytest.mark.parametrize("seeds", [[[]], []])
    def test_no_seeds(self, seeds):
        found = wm.evaluate(wm.samples.floor(width=4, depth=4), NAVMESH, samples=10, seeds=seeds)
        assert found.islands == NAVMESH.component_count

    @pytest.mark.parametrize("seeds", [RAGGED, "a", 1j, [1.0]])
    def test_seeds(self, seeds):
        with pytest.raises(wm.SettingsError, match="seeds"):
            wm.evaluate(wm.samples.floor(width=4, depth=4), NAVMESH, samples=10, seeds=seeds)

    @pytest.mark.parametrize("values", [None, "a", 1.0, {1: 2}, iter([1.0])])
    def test_sequences_of_samples(self, values):
        for call in (lambda: wm.samples.doorways(values), lambda: wm.samples.tilted_ramps(values)):
            with pytest.raises(wm.SettingsError, match="must be a sequence of numbers"):
                call()


def surface_navmesh():
    return wm.build(wm.samples.floor(width=4, depth=4), method=wm.Surface())


class TestScenes:
    @pytest.mark.parametrize("across", [1e-3, 1e-5, 1e-7, 1e-100])
    @pytest.mark.parametrize("method", [wm.Exact(), wm.Voxel(), wm.Surface(sides="both")])
    def test_too_small_to_stand_in(self, across, method):
        room = wm.samples.box_room()
        size = float(np.ptp(room.bounds, axis=0).max())
        for agent in (wm.Agent(), wm.Agent(radius=0.0), wm.Agent(height=1e-6, max_step=0.0)):
            with pytest.raises(WalkmeshError) as error:
                wm.build(wm.Scene(room.vertices * (across / size), room.faces), agent, method)
            assert type(error.value) in (wm.BuildError, wm.SceneError)


SMALL_MEMORY = """
import resource, sys
import walkmesh as wm
from walkmesh.kernels.warmup import all_kernels, warm_up
warm_up(all_kernels())
scene = wm.samples.terrain(40_000)
wm.build(wm.samples.terrain(2_000), method=wm.{method})  # kernels are loaded
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
refused = built = 0
for spare in (1 << 12, 1 << 18, 1 << 20, 1 << 22):
    resource.setrlimit(resource.RLIMIT_AS, (used + spare, resource.RLIM_INFINITY))
    try:
        wm.build(scene, method=wm.{method}, workers=1)
        built += 1
    except wm.BuildError as error:
        assert "memory" in str(error), error
        refused += 1
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(refused, "refused")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc and RLIMIT_AS")
class TestMemory:
    @pytest.mark.parametrize("method", ["Exact()", "Voxel(cell_size=0.2)", "Surface()"])
    def test_build(self, method):
        program = SMALL_MEMORY.replace("{method}", method)
        # Arrays are mapped anew instead of taken from what the heap has left. Small buffers have
        # room there: numpy 2.4 crashes when it gets none of 64 KiB to cast an index array.
        heap = {
            "MALLOC_MMAP_THRESHOLD_": "131072",
            "MALLOC_TOP_PAD_": "2097152",
            "MALLOC_ARENA_MAX": "1",
        }
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, **heap},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert int(done.stdout.split()[0]) >= 2

    def test_command_line(self, monkeypatch, capsys):
        from walkmesh.cli import app, run

        def without_memory(*arguments, **options):
            raise np._core._exceptions._ArrayMemoryError((2**40,), np.dtype(float))

        monkeypatch.setattr(app, "main", without_memory)
        assert run(["build"]) == 2
        captured = capsys.readouterr()
        assert captured.err == "walkmesh: this does not fit into this machine's memory\n"
        assert captured.out == ""


class TestPlans:
    @pytest.mark.parametrize("data", ["", " ", "\n"])
    def test_path_without_commands(self, tmp_path, data):
        file = tmp_path / "a.svg"
        file.write_text(svg(f'<path d="{data}"/><rect width="50" height="20"/>'))
        assert wm.load_plan(file).bounds.shape == wm.samples.office().bounds.shape
        file.write_text(svg(f'<path d="{data}"/>'))
        with pytest.raises(wm.SceneError, match=str(file)):
            wm.load_plan(file)

    @staticmethod
    def load_dxf(tmp_path, add):
        document = ezdxf.new("R2000", units=6)
        space = document.modelspace()
        space.add_lwpolyline([(-9, -9), (9, -9), (9, 9), (-9, 9)], close=True)
        add(space)
        text = io.StringIO()
        document.write(text)
        file = tmp_path / "a.dxf"
        file.write_text(text.getvalue())
        return wm.load_plan(file)

    @pytest.mark.parametrize("height", [0.0, 1e9, 1e15])
    def test_spline_is_flattened_in_plan(self, tmp_path, height):
        points = [(0, 0, 0), (3, 1, height), (5, 4, -height), (7, 0, 0)]
        plan = self.load_dxf(tmp_path, lambda space: space.add_open_spline(points))
        flat = self.load_dxf(tmp_path, lambda space: space.add_open_spline([p[:2] for p in points]))
        assert plan.counts == flat.counts
        assert np.array_equal(plan.bounds, flat.bounds)

    def test_points_of_a_curve_are_limited(self, tmp_path, monkeypatch):
        monkeypatch.setattr("walkmesh.io.dxf._MOST_POINTS", 10)
        with pytest.raises(wm.SceneError, match="a curve has more than 10 points"):
            self.load_dxf(
                tmp_path, lambda space: space.add_open_spline([(0, 0), (3, 9), (5, 0), (7, 9)])
            )


class TestNavmeshesTooLarge:
    SQUARE = np.array([(0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (1.0, 0.0, 0.0)])

    @pytest.mark.filterwarnings("error")
    @pytest.mark.parametrize("surface", [False, True])
    @pytest.mark.parametrize("size", [1e61, 1e160, 1.7e308])
    def test_refused(self, size, surface, tmp_path):
        for corner in range(4):
            vertices = self.SQUARE.copy()
            vertices[corner] = (size, -size, size)
            navmesh = wm.NavMesh(vertices, [0, 4], [0, 1, 2, 3], surface=surface)
            assert "vertex not finite" in {violation.kind for violation in navmesh.validate()}
            for call in (
                lambda n=navmesh: n.nearest([(0, 0, 0)]),
                lambda n=navmesh: n.find_path((0, 0, 0), (1, 0, 1)),
                lambda n=navmesh: n.save(tmp_path / "a.walkmesh"),
            ):
                with pytest.raises(wm.FormatError, match="beyond 1e\\+60 m"):
                    call()

    @pytest.mark.filterwarnings("error")
    @pytest.mark.parametrize("suffix", [".walkmesh", ".obj", ".ply"])
    @pytest.mark.parametrize("surface", [False, True])
    def test_largest(self, suffix, surface, tmp_path):
        navmesh = wm.NavMesh(self.SQUARE * 1e60, [0, 4], [0, 1, 2, 3], surface=surface)
        navmesh.save(tmp_path / f"a{suffix}")
        navmesh = wm.load_navmesh(tmp_path / f"a{suffix}")
        assert navmesh.validate() == []
        assert navmesh.nearest([(0, 0, 0)]).polygons.tolist() == [0]

    @pytest.mark.parametrize("size", ["1e200", "1e308"])
    def test_files(self, size, tmp_path):
        file = tmp_path / "a.obj"
        wm.NavMesh(self.SQUARE, [0, 4], [0, 1, 2, 3]).save(file)
        text = file.read_text()
        assert "v 1.0 " in text or "v 1 " in text
        file.write_text(text.replace("v 1.0 ", f"v {size} ").replace("v 1 ", f"v {size} "))
        with pytest.raises(wm.FormatError, match=str(file)):
            wm.load_navmesh(file)


def test_geojson_of_nothing(tmp_path):
    file = tmp_path / "a.geojson"
    for tree in ({"type": "Polygon", "coordinates": []}, {"type": "Polygon", "coordinates": [[]]}):
        file.write_text(json.dumps(tree))
        with pytest.raises(wm.SceneError, match=str(file)):
            wm.load_plan(file)


def test_tangled_needles_are_refused_in_time():
    random = np.random.default_rng(0)
    turns = random.uniform(0.0, 2.0 * np.pi, 2002)
    along = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    across = 1e-3 * np.stack([-along[:, 1], along[:, 0]], axis=1)
    middles = random.uniform(-2.0, 2.0, (2002, 2))
    plan = np.stack(
        [middles - 5 * along, middles + 5 * along + across, middles + 5 * along - across], axis=1
    )
    heights = random.normal(0.0, 0.02, (2002, 3))
    corners = np.stack([plan[..., 0], heights, plan[..., 1]], axis=2).reshape(-1, 3)
    scene = wm.Scene(corners, np.arange(len(corners)).reshape(-1, 3))
    agent = wm.Agent(radius=0.0, max_slope=89.99)
    with pytest.raises(wm.BuildError, match="cut each other into more than 114064 pieces"):
        wm.build(scene, agent, wm.Surface())


def test_edges_near_each_other_too_often_are_refused(monkeypatch):
    """Pieces are few, but each of their edges has most others near it: time is their square."""
    random = np.random.default_rng(0)
    corners = random.uniform(-2.0, 2.0, (60, 1, 3)) + random.normal(size=(60, 3, 3))
    scene = wm.Scene(corners.reshape(-1, 3), np.arange(180).reshape(-1, 3))
    method = wm.Surface(sides="both", min_patch_area=0)
    assert wm.build(scene, method=method).validate() == []
    monkeypatch.setattr(
        importlib.import_module("walkmesh.builder.surface.stages.joints"), "_MOST_NEAR", 1000
    )
    with pytest.raises(wm.BuildError, match=r"near each other more than 1000 times; so tangled"):
        wm.build(scene, method=method)
