"""Reading maps of cells: MovingAI, images and ROS, against cells united by shapely."""

import math
import struct
import zlib

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.makers.plan_files import MAP, load
from tests.makers.scenes import SCENES, needs_scenes
from walkmesh.errors import SceneError, SettingsError
from walkmesh.io.movingai import load_scenarios
from walkmesh.io.occupancy import free_polygons
from walkmesh.io.plans import load_plan

pytestmark = pytest.mark.plain_python


def cells_union(free):
    rows, columns = np.nonzero(free)
    return shapely.union_all(shapely.box(columns, rows, columns + 1, rows + 1))


class TestGrids:
    @given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**63))
    def test_outlines_are_those_of_the_united_cells(self, rows, columns, seed):
        rng = np.random.default_rng(seed)
        free = rng.random((rows, columns)) < rng.random()
        polygons = free_polygons(free)
        united = cells_union(free)
        shape = shapely.MultiPolygon(polygons)
        assert shape.is_valid
        assert shape.area == np.count_nonzero(free)
        assert shape.equals(united)
        assert len(polygons) == sum(part.area > 0 for part in shapely.get_parts(united))
        for part in polygons:  # no corner on a straight line
            for ring in (part.exterior, *part.interiors):
                steps = np.diff(np.array(ring.coords), axis=0)
                assert np.all((steps != 0).sum(axis=1) == 1)
                assert np.all((steps[1:, 0] == 0) == (steps[:-1, 0] != 0))

    @pytest.mark.parametrize("share", [0.4, 0.6, 0.9])
    def test_large_grids(self, share):
        free = np.random.default_rng(1).random((120, 150)) < share
        shape = shapely.MultiPolygon(free_polygons(free, 0.5, (3, 4)))
        assert shape.is_valid
        assert shape.area == np.count_nonzero(free) / 4
        assert shapely.transform(shape, lambda xy: (xy - (3, 4)) * 2).equals(cells_union(free))

    def test_cells_that_touch_by_corners_are_apart(self):
        polygons = free_polygons(np.eye(3, dtype=bool))
        assert [part.area for part in polygons] == [1, 1, 1]


class TestMovingAi:
    def test_cells(self, tmp_path):
        plan = load(tmp_path, "a.map", MAP, scale=2)
        expected = shapely.union_all([shapely.box(0, 0, 4, 6), shapely.box(6, 0, 8, 2)])
        assert plan.boundary.equals(expected)
        assert load(tmp_path, "a.map", MAP.replace("\n", "\r\n")).boundary.area == 7

    def test_scenarios(self, tmp_path):
        file = tmp_path / "a.scen"
        file.write_text(
            "version 1.0\n0\ta b.map\t4\t3\t0\t0\t1\t2\t2.41421356\n7\tm\t4\t3\t3\t2\t3\t2\t0\n"
        )
        with pytest.raises(SettingsError, match="scale is '2'; it must be a finite number"):
            load_scenarios(file, scale="2")
        scenarios = load_scenarios(file, scale=2)
        assert scenarios.buckets.tolist() == [0, 7]
        assert scenarios.starts.tolist() == [[1, 5], [7, 1]]
        assert scenarios.goals.tolist() == [[3, 1], [7, 1]]
        assert scenarios.lengths.tolist() == [2 * 2.41421356, 0]

    @needs_scenes
    @pytest.mark.parametrize("name", ["arena", "Berlin_0_256"])
    def test_real_maps(self, name):
        file = SCENES / "movingai" / f"{name}.map"
        plan = load_plan(file)
        cells = file.read_text().split("map\n", 1)[1]
        assert plan.boundary.area == sum(cells.count(c) for c in ".GS")
        assert plan.repaired == 0
        scenarios = load_scenarios(file.with_name(f"{name}.map.scen"))
        shapely.prepare(plan.boundary)
        for places in (scenarios.starts, scenarios.goals):
            assert shapely.contains_xy(plan.boundary, places).all()
        straight = np.linalg.norm(scenarios.goals - scenarios.starts, axis=1)
        assert np.all(straight <= scenarios.lengths + 1e-4)
        assert len(scenarios.buckets) == {"arena": 160, "Berlin_0_256": 930}[name]


# Two rows: free, unknown, blocked above; blocked, free, free below.
SHADES = np.array([[255, 205, 0], [100, 254, 206]], dtype=np.uint8)


def save(tmp_path, pixels, name="a.png", **options):
    Image.fromarray(pixels).save(tmp_path / name, **options)
    return tmp_path / name


class TestImages:
    EXPECTED = shapely.union_all([shapely.box(0, 1, 1, 2), shapely.box(1, 0, 3, 1)])

    @pytest.mark.parametrize("name", ["a.png", "a.pgm", "a.bmp", "a.tif", "a.PNG"])
    def test_shades(self, tmp_path, name):
        assert load_plan(save(tmp_path, SHADES, name)).boundary.equals(self.EXPECTED)

    def test_kinds_of_pixels(self, tmp_path):
        colour = np.stack([SHADES] * 3, axis=2)
        assert load_plan(save(tmp_path, colour)).boundary.equals(self.EXPECTED)
        deep = SHADES.astype(np.uint16) * 257
        assert load_plan(save(tmp_path, deep)).boundary.equals(self.EXPECTED)
        Image.fromarray(SHADES).convert("P").save(tmp_path / "p.png")
        assert load_plan(tmp_path / "p.png").boundary.equals(self.EXPECTED)
        Image.fromarray(SHADES > 200).save(tmp_path / "b.png")
        assert load_plan(tmp_path / "b.png").boundary.area == 4

    def test_what_is_transparent_is_blocked(self, tmp_path):
        pixels = np.full((2, 2, 4), 255, dtype=np.uint8)
        pixels[0, 0, 3] = 254
        plan = load_plan(save(tmp_path, pixels), scale=0.5)
        assert plan.boundary.area == 0.75
        assert not plan.boundary.covers(shapely.Point(0.25, 0.75))

    @pytest.mark.parametrize(
        ("bits", "kind", "row", "transparent"),
        [  # three pixels: black, white, and nearly white or, of one bit a pixel, black
            (1, 0, b"\x40", b"\0\1"),
            (2, 0, b"\x30", b"\0\3"),
            (4, 0, b"\x0f\xe0", b"\0\x0f"),
            (8, 0, b"\0\xff\xfe", b"\0\xff"),
            (16, 0, b"\0\0\xff\xff\xff\0", b"\xff\xff"),
            (8, 2, b"\0\0\0\xff\xff\xff\xfe\xfe\xfe", b"\0\xff" * 3),
            (8, 3, b"\0\1\2", b"\xff\0"),
            (8, 3, b"\0\1\2", b"\xff\xfe"),
        ],
    )
    def test_a_shade_that_is_transparent_is_blocked(self, tmp_path, bits, kind, row, transparent):
        def chunk(name, data):
            check = struct.pack(">I", zlib.crc32(name + data))
            return struct.pack(">I", len(data)) + name + data + check

        def save(*chunks):
            header = chunk(b"IHDR", struct.pack(">IIBBBBB", 3, 1, bits, kind, 0, 0, 0))
            pixels = chunk(b"IDAT", zlib.compress(b"\0" + row)) + chunk(b"IEND", b"")
            file = tmp_path / "a.png"
            file.write_bytes(b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + pixels)
            return file

        palette = [chunk(b"PLTE", b"\0\0\0\xff\xff\xff\xfe\xfe\xfe")] if kind == 3 else []
        is_white = shapely.Point(1.5, 0.5)
        assert load_plan(save(*palette)).boundary.covers(is_white)
        file = save(*palette, chunk(b"tRNS", transparent))
        if bits <= 2:
            with pytest.raises(SceneError, match="none of its 3 x 1 cells is free"):
                load_plan(file)
        else:
            assert load_plan(file).boundary.bounds == (2, 0, 3, 1)


def ros(tmp_path, text, pixels=SHADES, **options):
    save(tmp_path, pixels, "floor.pgm")
    (tmp_path / "map.yaml").write_text(f"image: floor.pgm\n{text}")
    return load_plan(tmp_path / "map.yaml", **options).boundary


class TestRos:
    def test_resolution_and_origin(self, tmp_path):
        text = "resolution: 0.05\norigin: [-10.0, 2, 0]\nnegate: 0\noccupied_thresh: 0.65\n"
        shape = ros(tmp_path, text + "free_thresh: 0.196\nmode: trinary\n")
        assert shape.area == pytest.approx(3 * 0.05**2)
        np.testing.assert_allclose(shape.bounds, (-10, 2, -9.85, 2.1))
        shape = ros(tmp_path, "resolution: 5e-2\norigin:\n- -10.0\n- 2\n", scale=2)
        np.testing.assert_allclose(shape.bounds, (-20, 4, -19.7, 4.2))

    def test_yaw(self, tmp_path):
        shape = ros(tmp_path, f"resolution: 1\norigin: [10, 20, {math.pi / 2}]\n")
        assert shape.area == pytest.approx(3)
        # A quarter turn takes (x, y) to (-y, x).
        assert shape.covers(shapely.Point(10 - 1.5, 20.5))
        assert not shape.covers(shapely.Point(10 - 0.5, 20.5))
        np.testing.assert_allclose(shape.bounds, (8, 20, 10, 23), atol=1e-12)

    @pytest.mark.parametrize(
        ("text", "cells"),
        [
            ("negate: 1", [[0, 0, 1], [0, 0, 0]]),
            ("free_thresh: 0.7", [[1, 1, 0], [1, 1, 1]]),
            ("mode: scale\nfree_thresh: 0.2", [[1, 1, 0], [0, 1, 1]]),
            ("mode: raw", [[0, 0, 1], [0, 0, 0]]),
            ("mode: raw\nfree_thresh: 1.0", [[0, 0, 1], [0, 0, 0]]),
        ],
    )
    def test_modes(self, tmp_path, text, cells):
        shape = ros(tmp_path, f"resolution: 1\norigin: [0, 0, 0]\n{text}\n")
        assert shape.equals(cells_union(np.array(cells[::-1])))
