"""Reading DXF drawings: entities, units, blocks and layers, against areas that are known."""

import math

import ezdxf
import numpy as np
import pytest
import shapely
from ezdxf.acis import api as acis
from ezdxf.render import forms

from walkmesh.errors import SceneError
from walkmesh.io.plans import load_plan


def dxf(tmp_path, draw, units=6, name="a.dxf", **options):
    document = ezdxf.new(units=units)
    draw(document)
    file = tmp_path / name
    document.saveas(file, fmt="bin" if name.startswith("binary") else "asc")
    return load_plan(file, **options)


def square(space, size, **attributes):
    corners = [(0, 0), (size, 0), (size, size), (0, size)]
    space.add_lwpolyline(corners, close=True, dxfattribs=attributes)


class TestDxf:
    @pytest.mark.parametrize(
        ("units", "metres"), [(0, 1), (1, 0.0254), (4, 1e-3), (5, 0.01), (6, 1)]
    )
    def test_units(self, tmp_path, units, metres):
        plan = dxf(tmp_path, lambda d: square(d.modelspace(), 10), units, scale=2)
        assert plan.boundary.area == pytest.approx((20 * metres) ** 2, rel=1e-12)

    def test_binary(self, tmp_path):
        plan = dxf(tmp_path, lambda d: square(d.modelspace(), 10), name="binary.dxf")
        assert plan.boundary.area == 100

    @pytest.mark.parametrize(
        ("draw", "area"),
        [
            (lambda m: m.add_circle((3, 4), 5), math.pi * 25),
            (lambda m: m.add_circle((3, 4), 5, dxfattribs={"extrusion": (0, 0, -1)}), math.pi * 25),
            (lambda m: m.add_ellipse((3, 4), (0, 5), 0.4), math.pi * 10),
            (lambda m: m.add_lwpolyline([(0, 0, 1), (4, 0, 1)], "xyb", close=True), math.pi * 4),
            (
                lambda m: m.add_polyline2d([(0, 0, 1), (4, 0, 1)], format="xyb", close=True),
                math.pi * 4,
            ),
            (lambda m: m.add_polyline3d([(0, 0, 9), (4, 0, 1), (0, 3, 0)], close=True), 6),
            (lambda m: m.add_lwpolyline([(0, 0), (4, 0), (0, 3), (0, 0)]), 6),
            (lambda m: m.add_solid([(0, 0), (4, 0), (0, 3), (4, 3)]), 12),
            (lambda m: m.add_spline().set_closed([(0, 0, 0), (4, 0, 0), (4, 4, 0)], 1), 8),
        ],
    )
    def test_areas(self, tmp_path, draw, area):
        plan = dxf(tmp_path, lambda d: draw(d.modelspace()))
        assert area * (1 - 1e-3) <= plan.boundary.area <= area + 1e-9

    def test_mirrored(self, tmp_path):
        mirrored = {"extrusion": (0, 0, -1)}
        plan = dxf(tmp_path, lambda d: square(d.modelspace(), 4, **mirrored))
        np.testing.assert_allclose(plan.bounds, [[-4, 0], [0, 4]], atol=1e-12)

    def test_lines_are_walls(self, tmp_path):
        def draw(document):
            space = document.modelspace()
            square(space, 100)
            space.add_line((1, 1), (1, 4))
            space.add_line((1, 4), (5, 1))
            space.add_line((5, 1), (1, 1))  # lines that happen to form a loop
            space.add_arc((50, 50), 10, 270, 90)
            space.add_spline([(10, 10), (20, 15), (30, 10)])
            space.add_text("kitchen")

        plan = dxf(tmp_path, draw)
        assert plan.boundary.area == 10_000
        assert [round(wall.length, 2) for wall in plan.walls[:3]] == [3, 5, 4]
        assert plan.walls[3].length == pytest.approx(10 * math.pi, rel=1e-4)
        np.testing.assert_allclose(plan.walls[3].coords[0], (50, 40), atol=1e-9)
        np.testing.assert_allclose(plan.walls[4].coords[-1], (30, 10), atol=1e-9)

    def test_blocks(self, tmp_path):
        def draw(document):
            chair = document.blocks.new("CHAIR")
            square(chair, 1)
            chair.add_circle((0, 0), 0.25, dxfattribs={"layer": "round"})
            table = document.blocks.new("TABLE")
            table.add_blockref("chair", (0, 0))
            space = document.modelspace()
            square(space, 100, layer="floor")
            space.add_blockref("TABLE", (10, 20), {"xscale": 2, "yscale": 3, "layer": "things"})
            grid = {"row_count": 2, "column_count": 3, "row_spacing": 5, "column_spacing": 5}
            space.add_blockref("CHAIR", (50, 50), {**grid, "layer": "things"})

        plan = dxf(tmp_path, draw)
        assert len(plan.obstacles) == 14
        plan = dxf(tmp_path, draw, layers=["floor", "things"])
        assert sorted(block.area for block in plan.obstacles) == pytest.approx([1] * 6 + [6])
        plan = dxf(tmp_path, draw, layers=["floor", "round"])
        assert plan.obstacles[0].area == pytest.approx(math.pi * 6 / 16, rel=2e-2)
        with pytest.raises(
            SceneError, match="no shape is in the layer 'doors'; there are 'floor', "
        ):
            dxf(tmp_path, draw, layers="doors")

    def test_blocks_of_other_files_are_counted(self, tmp_path):
        def draw(document):
            square(document.modelspace(), 5)
            document.add_xref_def("walls.dxf", "WALLS")
            document.modelspace().add_blockref("WALLS", (0, 0))

        assert dxf(tmp_path, draw).passed_over == 1

    def test_helix_and_mpolygon(self, tmp_path):
        def draw(document):
            space = document.modelspace()
            space.add_mpolygon().paths.add_polyline_path([(0, 0), (9, 0), (9, 9), (0, 9)])
            space.add_helix(2, 1, 1).translate(4, 4, 0)

        plan = dxf(tmp_path, draw)
        assert (plan.boundary.area, plan.passed_over) == (81, 0)
        assert len(plan.walls) + len(plan.obstacles) == 1

    def test_hatches_have_holes(self, tmp_path):
        def draw(document):
            hatch = document.modelspace().add_hatch()
            hatch.paths.add_polyline_path([(0, 0), (9, 0), (9, 9), (0, 9)])
            hatch.paths.add_polyline_path([(2, 2, 1), (4, 2, 1)])
            edges = hatch.paths.add_edge_path()
            edges.add_line((6, 6), (8, 6))
            edges.add_line((8, 6), (8, 8))
            edges.add_line((8, 8), (6, 6))

        plan = dxf(tmp_path, draw)
        assert plan.boundary.area == pytest.approx(81 - math.pi - 2, rel=1e-3)

    def test_what_is_hidden_is_passed_over(self, tmp_path):
        def draw(document):
            document.layers.add("frozen").freeze()
            document.layers.add("off").off()
            for layer in ("frozen", "off", "0"):
                square(document.modelspace(), 5 if layer == "0" else 50, layer=layer)

        assert dxf(tmp_path, draw).boundary.area == 25

    def test_capitals_are_small_letters_in_names_of_layers(self, tmp_path):
        def draw(document):
            document.layers.add("Hidden").off()
            square(document.modelspace(), 50, layer="HIDDEN")
            square(document.modelspace(), 5, layer="Walls")
            square(document.modelspace(), 3, layer="WALLS")
            square(document.modelspace(), 70, layer="roof")

        plan = dxf(tmp_path, draw, layers="walls")
        assert (plan.boundary.area, plan.obstacles[0].area) == (25, 9)
        with pytest.raises(SceneError, match="no shape is in the layer 'hidden'; there are 'Wal"):
            dxf(tmp_path, draw, layers=["roof", "hidden"])

    def test_parallel_lines(self, tmp_path):
        def draw(document):
            square(document.modelspace(), 100)
            corners, double = [(10, 10), (40, 10), (40, 50)], {"scale_factor": 2}
            document.modelspace().add_mline(corners, dxfattribs=double)
            wall = document.blocks.new("WALL")
            wall.add_mline([(0, 0), (10, 0)], dxfattribs={"layer": "walls"})
            document.modelspace().add_blockref("WALL", (60, 60), {"rotation": 90})

        plan = dxf(tmp_path, draw)
        assert sorted(wall.length for wall in plan.walls) == pytest.approx(
            [10, 10, 30, 32, 40, 42], abs=1e-9
        )
        assert plan.passed_over == 0

    def test_faces(self, tmp_path):
        def draw(document):
            space = document.modelspace()
            space.add_3dface([(0, 0, 1), (9, 0, 1), (9, 5, 2), (0, 5, 1)])
            space.add_3dface([(1, 1), (3, 1), (1, 3)])
            space.add_3dface([(5, 1, 0), (5, 3, 0), (5, 3, 2), (5, 1, 2)])  # upright

        plan = dxf(tmp_path, draw)
        assert plan.boundary.area == 45
        assert [block.area for block in plan.obstacles] == [2]
        assert shapely.union_all(plan.walls).length == 2

    def test_what_is_not_read_is_counted(self, tmp_path):
        cube = acis.body_from_mesh(forms.cube())

        def draw(document):
            space = document.modelspace()
            square(space, 100, layer="floor")
            space.add_text("kitchen")
            space.add_mtext("kitchen")
            space.add_point((1, 1))
            space.add_linear_dim((0, 0), (0, 0), (100, 0)).render()
            document.layers.add("off").off()
            for add in (space.add_region, space.add_3dsolid, space.add_body):
                for layer in ("floor", "off"):
                    acis.export_dxf(add(dxfattribs={"layer": layer}), [cube])
            forms.cube().render_mesh(space, {"layer": "floor"})
            space.add_polymesh((3, 3))
            space.add_polyface().append_face([(0, 0), (1, 0), (1, 1)])
            block = document.blocks.new("BLOCK")
            acis.export_dxf(block.add_region(), [cube])
            forms.cube().render_mesh(block)
            space.add_blockref("BLOCK", (1, 1), {"row_count": 2, "row_spacing": 3, "layer": "x"})

        plan = dxf(tmp_path, draw)
        assert plan.passed_over == plan.counts["passed_over"] == 4 + 2 + 4
        assert dxf(tmp_path, draw, layers="FLOOR").passed_over == 4
        with pytest.raises(SceneError, match="no polygons and no lines, and 4 of its shapes"):
            dxf(tmp_path, draw, layers="x")
        # Kinds of other programs, which ezdxf cannot move to where a block is.
        file = tmp_path / "a.dxf"
        file.write_text(file.read_text().replace("\nMESH\n", "\nAEC_WALL\n"))
        assert load_plan(file).passed_over == 4 + 2 + 4
        assert load_plan(file, layers="floor").passed_over == 4
