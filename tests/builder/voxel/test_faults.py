"""What the voxel method says to bad input, and what it makes of dirt."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import walkmesh as wm
from walkmesh.builder.voxel import tiles
from walkmesh.builder.voxel.stages import distance, heightfield, regions
from walkmesh.cli import run

PARTITIONS = ["watershed", "slices"]
both = pytest.mark.parametrize("partition", PARTITIONS)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("cell_size", (0.0, -1.0, 1e-4, 101.0, np.nan, np.inf, "a", None)),
        ("cell_height", (0.0, -1.0, 1e-4, 101.0, np.nan)),
        ("partition", ("x", "", None, 1, ("watershed",))),
        ("tile_voxels", (5, 15, -1, 2.5, 16.5, np.nan, np.inf, "64")),
        ("triangulation", ("fan", None)),
        ("boundary_tolerance", (-0.1, 10.1, np.nan)),
        ("height_tolerance", (-0.1, np.inf, np.nan)),
        ("min_patch_area", (-1.0, np.nan)),
    ],
)
def test_settings_outside_their_limits_are_named(name, values):
    for value in values:
        with pytest.raises(wm.SettingsError, match=rf"Voxel\.{name} is .*; it must be") as caught:
            wm.Voxel(**{name: value})
        assert "\n" not in str(caught.value)


def test_settings_at_their_limits_are_taken():
    assert wm.Voxel(tile_voxels=16.0).tile_voxels == 16
    assert wm.Voxel(tile_voxels=0).tile_voxels == 0
    wm.Voxel(cell_size=0.001, cell_height=100.0, boundary_tolerance=10.0, min_patch_area=0.0)


def test_slices_need_low_voxels():
    method = wm.Voxel(partition="slices", cell_height=0.7)
    with pytest.raises(wm.SettingsError, match=r"Voxel\.cell_height is 0\.7; slices need"):
        wm.build(wm.samples.floor(), method=method)
    wm.build(wm.samples.floor(), method=wm.Voxel(cell_height=0.7))
    wm.build(wm.samples.floor(), method=wm.Voxel(partition="slices", cell_height=0.6))


def triangle(size, at=(0.0, 0.0, 0.0)):
    return np.array([(0, 0, 0), (0, 0, 1), (1, 0, 0)]) * size + np.array(at)


def with_floor(*triangles):
    """Return a floor of 10 m x 8 m and more triangles."""
    floor = wm.samples.floor()
    vertices = np.concatenate([floor.vertices, *triangles])
    return wm.Scene(vertices, np.arange(len(vertices)).reshape(-1, 3))


FLOOR = 69.56  # (10 - 0.6) (8 - 0.6)


@both
@pytest.mark.parametrize("cell", [20.0, 100.0])
def test_cells_larger_than_the_scene(cell, partition):
    method = wm.Voxel(cell_size=cell, partition=partition)
    try:
        navmesh = wm.build(wm.samples.floor(), method=method)
    except wm.BuildError as error:
        assert "\n" not in str(error)  # noqa: PT017 - either is an answer
    else:
        assert navmesh.validate() == []
        assert navmesh.area <= 80.0


@both
def test_a_triangle_smaller_than_a_cell(partition):
    scene = wm.Scene(triangle(0.05), [(0, 1, 2)])
    with pytest.raises(wm.BuildError, match="is the scale right"):
        wm.build(scene, method=wm.Voxel(partition=partition))
    with pytest.raises(wm.BuildError, match="is the scale right"):
        wm.build(scene, wm.Agent(radius=0.0), wm.Voxel(partition=partition))


@both
def test_an_upside_down_floor_is_no_ground(partition):
    floor = wm.samples.floor()
    flipped = wm.Scene(floor.vertices, floor.faces[:, ::-1])
    with pytest.raises(wm.BuildError, match="if that is the right up"):
        wm.build(flipped, method=wm.Voxel(partition=partition))


@both
@pytest.mark.parametrize("size", [1e9, 1e12])
def test_scenes_too_wide_for_their_cells_say_so_before_there_are_cells(size, partition):
    scene = wm.Scene(triangle(size), [(0, 1, 2)])
    method = wm.Voxel(cell_size=0.01, partition=partition)
    tracemalloc.start()
    with pytest.raises(wm.BuildError, match="too wide for cells"):
        wm.build(scene, method=method)
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()


@both
def test_a_stray_triangle_far_away_makes_no_tiles_on_the_way(monkeypatch, partition):
    seen = []

    def counted(faces, chosen, agent, lattice, tile):
        seen.append(tile)
        return open_columns(faces, chosen, agent, lattice, tile)

    open_columns = tiles.open_columns
    monkeypatch.setattr(tiles, "open_columns", counted)
    scene = with_floor(triangle(0.5, (1e6, 0.0, 1e6)))
    navmesh = wm.build(scene, method=wm.Voxel(partition=partition))
    # The floor and the triangle may each lie across the corner of four tiles.
    assert 2 <= len(seen) <= 8
    assert navmesh.validate() == []
    assert navmesh.component_count == 1
    assert navmesh.area == pytest.approx(FLOOR, rel=0.05)


@both
def test_triangles_without_area_change_nothing(partition):
    flat = [
        np.array([(1, 0, 1), (5, 0, 5), (3, 0, 3)], float),
        np.array([(2, 0, 2), (2, 0, 2), (2, 0, 2)], float),
        np.array([(2, 1, 2), (2, 1, 2), (3, 1, 2)], float),
        np.array([(1, 0, 1), (4, 0, 1 + 1e-7), (7, 0, 1)], float),
    ]
    navmesh = wm.build(with_floor(*flat), method=wm.Voxel(partition=partition))
    assert navmesh.validate() == []
    assert navmesh.area == pytest.approx(FLOOR, rel=1e-3)


@both
def test_floors_in_the_same_place_are_one(partition):
    floor = wm.samples.floor()
    vertices = np.concatenate([floor.vertices, floor.vertices[::-1], floor.vertices + (0, 1e-4, 0)])
    faces = np.arange(len(vertices)).reshape(-1, 3)
    # The second lies face down, the third a tenth of a millimetre higher.
    navmesh = wm.build(wm.Scene(vertices, faces), method=wm.Voxel(partition=partition))
    assert navmesh.validate() == []
    assert navmesh.component_count == 1
    assert navmesh.area == pytest.approx(FLOOR, abs=1e-3)


@pytest.mark.parametrize("partition", PARTITIONS)
@settings(max_examples=15)
@given(
    seed=st.integers(0, 2**32 - 1),
    count=st.integers(1, 60),
    size=st.sampled_from([0.1, 1.0, 4.0]),
    flat=st.booleans(),
    cell=st.sampled_from([0.1, 0.3, 0.5]),
)
def test_soups_have_a_sound_navmesh(partition, seed, count, size, flat, cell):
    random = np.random.default_rng(seed)
    soup = random.uniform(0.0, 8.0, (count, 1, 3)) + random.uniform(-size, size, (count, 3, 3))
    soup[..., 1] *= 0.1 if flat else 0.5
    soup = np.where(random.random((count, 3, 3)) < 0.2, np.round(soup), soup)
    scene = with_floor(*soup)
    navmesh = wm.build(scene, method=wm.Voxel(partition=partition, cell_size=cell))
    assert navmesh.validate() == []
    assert navmesh.area > 0.0


@both
@pytest.mark.parametrize(
    "agent",
    [
        {"radius": 0.0},
        {"radius": 3.0},
        {"max_step": 0.0},
        {"max_step": 1.8},
        {"height": 0.2, "max_step": 0.1},
        {"height": 1e6},
        {"max_slope": 0.0},
        {"max_slope": 89.9},
    ],
    ids=str,
)
def test_extreme_agents_have_a_sound_navmesh(agent, partition):
    method = wm.Voxel(partition=partition)
    for scene in (wm.samples.floor(), wm.samples.house(), wm.samples.ramp(44.0)):
        try:
            navmesh = wm.build(scene, wm.Agent(**agent), method)
        except wm.BuildError as error:
            assert agent.get("radius") == 3.0, error  # noqa: PT017
            continue
        assert navmesh.validate() == []


@pytest.mark.parametrize(
    "how",
    [
        {"boundary_tolerance": 0.0},
        {"boundary_tolerance": 10.0},
        {"height_tolerance": 0.0},
        {"height_tolerance": 1e3},
        {"min_patch_area": 0.0},
        {"cell_height": 1.5},
        {"cell_height": 0.001},
        {"tile_voxels": 16},
        *({"cell_size": size} for size in (0.02, 0.03, 0.04, 0.07, 0.2, 0.33, 0.5)),
    ],
    ids=str,
)
def test_extreme_settings_have_a_sound_navmesh(how):
    for scene in (wm.samples.floor(), wm.samples.house(), wm.samples.ramp(44.0)):
        navmesh = wm.build(scene, method=wm.Voxel(**how))
        assert navmesh.polygon_count > 0
        assert navmesh.validate() == []


# The command line


@pytest.fixture
def floor_file(tmp_path):
    file = tmp_path / "floor.obj"
    file.write_text("v 0 0 0\nv 0 0 4\nv 4 0 4\nv 4 0 0\nf 1 2 3 4\n")
    return file


@both
def test_the_command_line_builds_by_voxels(tmp_path, floor_file, capsys, partition):
    target = tmp_path / "out.walkmesh"
    words = ["build", str(floor_file), "-o", str(target), "--method", "voxel"]
    words += ["--partition", partition, "--cell-size", "0.1", "--tile-voxels", "32"]
    words += ["--triangulation", "ears", "--stages", str(tmp_path / "stages")]
    assert run(words) == 0, capsys.readouterr().err
    navmesh = wm.load_navmesh(target)
    assert navmesh.area == pytest.approx(3.4 * 3.4, abs=1e-6)
    assert navmesh.report.method == "Voxel"
    assert navmesh.report.settings["tile_voxels"] == 32
    assert sorted(f.name for f in (tmp_path / "stages").iterdir()) == [
        f"{i + 1:02d}-{name}.ply" for i, name in enumerate(wm.Voxel.stage_names)
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--partition", "x"], "Voxel.partition is 'x'"),
        (["--cell-size", "0"], "Voxel.cell_size is 0.0"),
        (["--cell-size", "nan"], "Voxel.cell_size is nan"),
        (["--tile-voxels", "5"], "Voxel.tile_voxels is 5"),
        (["--tile-voxels", "2.5"], "Voxel.tile_voxels is 2.5"),
        (["--stair-slope", "30"], "--stair-slope is not a setting of the voxel method"),
        (["--method", "exact", "--cell-size", "1"], "--cell-size is not a setting of the exact"),
        (["--partition", "slices", "--cell-height", "1"], "Voxel.cell_height is 1"),
        (["--radius", "3"], "is the scale right"),
        (["--no-such-flag"], "No such option"),
    ],
)
def test_wrong_flags_are_one_line(tmp_path, monkeypatch, capsys, floor_file, arguments, words):
    monkeypatch.chdir(tmp_path)
    build = ["build", str(floor_file), "-o", "out.obj", "--method", "voxel", *arguments]
    assert run(build) == 2
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.err.startswith("walkmesh: ")
    assert printed.err.count("\n") == 1
    assert not (tmp_path / "out.obj").exists()


@both
def test_grounds_far_apart_stay_where_they_are(partition):
    # More cells apart than an int32 has room for on the grid of the contours.
    square = np.array([(0, 0, 0), (3, 0, 0), (3, 3, 0), (0, 3, 0)], dtype=float)
    far = 1.7e6
    scene = wm.Scene(
        np.concatenate([square, square + (far, 0, 0)]),
        [(0, 1, 2), (0, 2, 3), (4, 5, 6), (4, 6, 7)],
        up="z",
    )
    navmesh = wm.build(scene, method=wm.Voxel(partition=partition))
    assert navmesh.validate() == []
    assert navmesh.component_count == 2
    assert navmesh.vertices[:, 0].min() == pytest.approx(0.3, abs=0.11)
    assert navmesh.vertices[:, 0].max() == pytest.approx(far + 2.7, abs=0.11)
    assert navmesh.vertices[:, 1].min() == pytest.approx(0.3, abs=0.11)


def floor_with_boxes(seed, count, size):
    """Return vertices and faces of a level floor with boxes 0.3 m high on it, z up."""
    random = np.random.default_rng(seed)
    vertices, faces = [], []
    sizes = [(size, size, 0.0), *((2.0, 2.0, 0.3),) * count]
    corners = [(0.0, 0.0), *random.uniform(1.0, size - 3.0, (count, 2)).round(1).tolist()]
    for (width, depth, height), (x, y) in zip(sizes, corners, strict=True):
        base = 8 * len(vertices)
        box = [
            (0, 0, 0),
            (1, 0, 0),
            (1, 1, 0),
            (0, 1, 0),
            (0, 0, 1),
            (1, 0, 1),
            (1, 1, 1),
            (0, 1, 1),
        ]
        vertices.append(np.array(box) * (width, depth, height) + (x, y, 0.0))
        quads = [(4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
        for a, b, c, d in quads if height > 0 else quads[:1]:
            faces += [(base + a, base + b, base + c), (base + a, base + c, base + d)]
    return np.concatenate(vertices), np.array(faces)


@pytest.mark.parametrize("seed", range(4))
def test_slices_at_any_angle_have_links_at_their_steps(seed):
    vertices, faces = floor_with_boxes(seed, 5, 12.0)
    tops = vertices.reshape(-1, 8, 3)[1:, 4:].mean(axis=1)
    method = wm.Voxel(partition="slices")
    upright = wm.build(wm.Scene(vertices, faces, up="z"), method=method)
    assert upright.validate() == []
    assert np.isfinite(upright.find_paths((0.5, 0.5, 0.0), tops).lengths).all()
    turn, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    turn *= np.sign(np.linalg.det(turn))
    turned = wm.build(wm.Scene(vertices @ turn.T, faces, up=turn[:, 2]), method=method)
    assert turned.validate() == []
    paths = turned.find_paths(turn @ (0.5, 0.5, 0.0), tops @ turn.T)
    assert np.isfinite(paths.lengths).all()


def test_the_command_line_makes_no_stages_that_nobody_asked_for(
    tmp_path, floor_file, monkeypatch, capsys
):
    def fail(*_):
        raise AssertionError("a stage was made")

    for stage in (heightfield, distance, regions):
        monkeypatch.setattr(stage, "cell_mesh", fail)
    target = tmp_path / "floor.walkmesh"
    assert run(["build", str(floor_file), "-o", str(target), "--method", "voxel"]) == 0
    assert target.is_file()
    capsys.readouterr()


@pytest.mark.parametrize("method", [wm.Exact, wm.Voxel])
def test_parts_that_are_all_too_small_are_said_to_be(method):
    with pytest.raises(wm.BuildError, match=r"has 1e\+09 m2; .* min_patch_area=0"):
        wm.build(wm.samples.house(), method=method(min_patch_area=1e9))


def helix(rise, turns):
    """Return level plates of 4 m x 4 m, one a quadrant, that wind up around the origin."""
    corners = []
    for quarter in range(4 * turns):
        u, v = ((1, 1), (-1, 1), (-1, -1), (1, -1))[quarter % 4]
        # They stay a centimetre away from the axes, so that no cell is shared by two.
        plate = np.array([(0.01, 0.01), (4, 0.01), (4, 4), (0.01, 4)])[:: u * v] * (u, v)
        corners.append(np.column_stack((plate, np.full(4, rise * quarter))))
    first = 4 * np.arange(len(corners))[:, None]
    faces = np.concatenate([first + (0, 1, 2), first + (0, 2, 3)])
    return wm.Scene(np.concatenate(corners), faces, up="z")


@both
@pytest.mark.parametrize("tile", [0, 16])
@pytest.mark.parametrize("radius", [0.0, 0.1])
def test_ground_that_winds_around_a_corner_of_cells(partition, radius, tile):
    agent = wm.Agent(height=0.5, radius=radius, max_step=0.4)
    method = wm.Voxel(cell_size=0.1, partition=partition, tile_voxels=tile)
    navmesh = wm.build(helix(0.3, 3), agent, method)
    assert navmesh.validate() == []
    assert navmesh.area > 0.9 * 12 * (4.0 - 2 * radius) ** 2
    # Around the axis one connection of each turn is cut, and none further out.
    assert navmesh.find_path((2.0, 2.0, 0.0), (2.0, -2.0, 3.3)).length < 40.0
