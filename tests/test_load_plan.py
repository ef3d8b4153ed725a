"""Reading floor plans: every format, against areas and places that are known."""

import codecs
import json
import math
import struct
import zlib
from pathlib import Path

import ezdxf
import numpy as np
import pytest
import shapely
import svgelements
from ezdxf.acis import api as acis
from ezdxf.render import forms
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from scenes import SCENES, needs_scenes
from walkmesh.errors import SceneError, SettingsError
from walkmesh.io import plans
from walkmesh.io.geojson import read_features
from walkmesh.io.movingai import load_scenarios
from walkmesh.io.occupancy import free_polygons
from walkmesh.io.plans import load_building, load_floors, load_plan
from walkmesh.io.svg_path import Affine, read_path

ROOM = [[0, 0], [8, 0], [8, 5], [0, 5], [0, 0]]
BLOCK = [[2, 1], [4, 1], [4, 3], [2, 3], [2, 1]]
YARD = [[20, 0], [26, 0], [26, 5], [20, 5], [20, 0]]


def load(tmp_path, name, data, **options):
    file = tmp_path / name
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    return load_plan(file, **options)


def polygon(*rings):
    return {"type": "Polygon", "coordinates": list(rings)}


def feature(geometry, **properties):
    return {"type": "Feature", "geometry": geometry, "properties": properties}


def collection(*features):
    return json.dumps({"type": "FeatureCollection", "features": list(features)})


def svg(body, attributes='viewBox="0 0 100 50"'):
    spaces = (
        'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
    )
    return f"<svg {spaces} {attributes}>{body}</svg>"


class TestGeoJson:
    def test_a_room_with_a_block(self, tmp_path):
        plan = load(
            tmp_path, "a.geojson", collection(feature(polygon(ROOM)), feature(polygon(BLOCK)))
        )
        assert plan.boundary.area == 40
        assert [block.area for block in plan.obstacles] == [4]

    def test_a_bare_geometry(self, tmp_path):
        plan = load(tmp_path, "a.json", json.dumps(polygon(ROOM, BLOCK)), scale=0.5, height=3)
        assert plan.boundary.area == 9
        assert (plan.height, plan.bounds.tolist()) == (3, [[0, 0], [4, 2.5]])

    def test_one_feature_and_a_collection_of_geometries(self, tmp_path):
        parts = [
            {"type": "MultiPolygon", "coordinates": [[ROOM], [YARD]]},
            {"type": "Point", "coordinates": [100, 100]},
            {"type": "LineString", "coordinates": [[1, 1, 7], [1, 4, 7], [3, 4]]},
            {"type": "MultiLineString", "coordinates": [[[5, 1], [5, 4]], [[6, 1], [6, 4]]]},
        ]
        entry = feature({"type": "GeometryCollection", "geometries": parts})
        plan = load(tmp_path, "a.geojson", json.dumps(entry))
        assert plan.boundary.area == 70
        assert [wall.length for wall in plan.walls] == [5, 3, 3]

    @pytest.mark.parametrize("said", [{"walkable": True}, {"role": "boundary"}])
    def test_what_says_that_it_is_floor_is_the_only_floor(self, tmp_path, said):
        plan = load(
            tmp_path,
            "a.geojson",
            collection(
                feature(polygon(YARD), **said),
                feature(polygon(ROOM)),
                feature(polygon(BLOCK), role="wall"),
                feature({"type": "LineString", "coordinates": [[0, 0], [1, 0]]}, walkable=False),
            ),
        )
        assert plan.boundary.area == 30
        assert [block.area for block in plan.obstacles] == [40]
        assert [wall.length for wall in plan.walls] == [8, 1]

    def test_obstacles_alone_stand_in_the_rectangle_around_them(self, tmp_path):
        plan = load(tmp_path, "a.geojson", collection(feature(polygon(ROOM), walkable=False)))
        assert plan.boundary.area == plan.obstacles[0].area == 40

    def test_one_level(self, tmp_path):
        plan = load(tmp_path, "a.geojson", collection(feature(polygon(ROOM), level=3)))
        assert (plan.boundary.area, plan.height) == (40, 0)

    def test_the_height_of_the_level(self, tmp_path):
        level = feature(polygon(ROOM), level=3, height=9)
        file = collection(level, feature(polygon(BLOCK), height=2))  # which is 2 tall
        assert load(tmp_path, "a.geojson", file, scale=0.5).height == 4.5
        assert load(tmp_path, "a.geojson", file, height=0).height == 0
        file = collection(feature(polygon(ROOM), height=9))
        assert load(tmp_path, "a.geojson", file).height == 0

    def test_a_level_of_two_heights(self, tmp_path):
        rooms = [feature(polygon(ring), level=0, height=len(ring)) for ring in (ROOM, YARD[:4])]
        with pytest.raises(SceneError, match="it has the heights 4 and 5 for one floor"):
            load(tmp_path, "a.geojson", collection(*rooms))
        assert load(tmp_path, "a.geojson", collection(*rooms), height=1).height == 1


STAIRS = {"type": "MultiLineString", "coordinates": [[[5, 1], [6, 1]], [[5, 4], [6, 4]]]}


class TestBuilding:
    def building(self, tmp_path, *features, **options):
        file = tmp_path / "a.geojson"
        file.write_text(collection(*features))
        return load_building(file, **options)

    def test_floors_and_stairs(self, tmp_path):
        building = self.building(
            tmp_path,
            feature(polygon(ROOM), level=1),
            feature(polygon(BLOCK), level=1),
            feature(polygon(ROOM), level=-1, height=-5),
            feature(polygon(YARD), level=0),
            feature({"type": "Point", "coordinates": [0, 0]}),
            feature(STAIRS, stairs=[-1, 1]),
        )
        assert [floor.height for floor in building.floors] == [-5, 0, 3]
        assert [floor.boundary.area for floor in building.floors] == [40, 30, 40]
        assert [len(floor.obstacles) for floor in building.floors] == [0, 0, 1]
        (flight,) = building.stairs
        assert flight.floors == (0, 2)
        assert sorted(flight.sections[1].tolist()) == [[5, 4], [6, 4]]

    def test_scales(self, tmp_path):
        floors = (feature(polygon(ROOM), level=0, height=200), feature(polygon(ROOM), level=2))
        building = self.building(tmp_path, *floors, scale=0.01, floor_height=4)
        assert [floor.height for floor in building.floors] == [2, 8]
        assert building.floors[0].boundary.area == pytest.approx(40e-4)

    @pytest.mark.parametrize(
        ("features", "message"),
        [
            ([feature(polygon(ROOM))], "none of its features has a level; load_plan reads it"),
            ([feature(polygon(ROOM), level=0), feature(polygon(ROOM))], "feature 1 has no level"),
            (
                [
                    feature(polygon(ROOM), level=0, height=1),
                    feature(polygon(ROOM), level=0, height=2),
                ],
                "level 0: it has the heights 1 and 2",
            ),
            ([feature(polygon(ROOM), level="ground")], "feature 0 has the level 'ground'"),
            (
                [feature(polygon(ROOM), level=0), feature(STAIRS, stairs=[0, 1])],
                "feature 1 leads to level 1, which has no floor",
            ),
            (
                [feature(polygon(ROOM), level=0), feature(STAIRS, stairs=0)],
                "feature 1 has stairs 0; they must be",
            ),
            (
                [
                    feature(polygon(ROOM), level=0),
                    feature(polygon(ROOM), level=1),
                    feature(polygon(BLOCK), stairs=[0, 1]),
                ],
                "feature 2 has stairs; they must be lines of two points",
            ),
        ],
    )
    def test_errors(self, tmp_path, features, message):
        with pytest.raises(SceneError) as error:
            self.building(tmp_path, *features)
        assert str(error.value).startswith(f"{tmp_path / 'a.geojson'}: {message}")

    def test_a_plan_has_one_level(self, tmp_path):
        levels = collection(feature(polygon(ROOM), level=0), feature(polygon(ROOM), level=1))
        with pytest.raises(SceneError, match="several levels; load_building reads it"):
            load(tmp_path, "a.geojson", levels)

    def test_settings(self, tmp_path):
        with pytest.raises(SettingsError, match="floor_height is 0"):
            load_building(tmp_path / "a.geojson", floor_height=0)
        for name in ("a.geojson", "a.svg"):
            with pytest.raises(SettingsError, match="floor_height is nan"):
                load_floors(tmp_path / name, floor_height=math.nan)
            with pytest.raises(SettingsError, match="scale is -1"):
                load_floors(tmp_path / name, scale=-1)

    def test_plan_or_building(self, tmp_path, monkeypatch):
        file = tmp_path / "a.geojson"
        reads = []

        def read(*arguments):
            reads.append(arguments)
            return read_features(*arguments)

        monkeypatch.setattr(plans, "read_features", read)
        file.write_bytes(codecs.BOM_UTF8 + collection(feature(polygon(ROOM))).encode())
        assert load_floors(file, scale=2).boundary.area == 160
        file.write_text(collection(feature(polygon(ROOM), level=2)))
        assert [floor.height for floor in load_floors(file, floor_height=4).floors] == [8]
        assert len(reads) == 2


class TestWkt:
    def test_geometries_line_by_line(self, tmp_path):
        text = (
            "POLYGON ((0 0, 8 0, 8 5, 0 5, 0 0), (1 1, 2 1, 2 2, 1 1))\r\n\r\nPOINT (9 9)\r\n"
            "SRID=4326;POLYGON Z ((3 1 9, 4 1 9,\r\n 4 2 9, 3 1 9))\r\nLINESTRING (5 1, 5 3)"
        )
        plan = load(tmp_path, "a.wkt", text)
        assert plan.boundary.area == 39.5
        assert [block.area for block in plan.obstacles] == [0.5]
        assert [wall.length for wall in plan.walls] == [2]

    def test_a_collection(self, tmp_path):
        text = (
            "GEOMETRYCOLLECTION (MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0)), ((9 0, 9 1, 8 0, 9 0))), "
            "POLYGON EMPTY, MULTILINESTRING ((1 0, 1 1), (2 0, 2 2)))"
        )
        plan = load(tmp_path, "a.wkt", text, scale=2)
        assert plan.boundary.area == 34
        assert [wall.length for wall in plan.walls] == [2, 4]


def svg_area(tmp_path, body, **options):
    return load(tmp_path, "a.svg", svg(body), **options).boundary.area


class TestSvg:
    def test_it_stands_upright(self, tmp_path):
        body = '<polygon points="10,10 30,10 10,40"/>'
        plan = load(tmp_path, "a.svg", svg(body, 'viewBox="0 5 100 50"'), scale=0.1)
        expected = shapely.Polygon([(1, 5), (3, 5), (1, 2)])
        assert plan.boundary.symmetric_difference(expected).area < 1e-12
        for attributes, low in (('height="40"', 0), ("", -40), ('height="100%"', -40)):
            plan = load(tmp_path, "a.svg", svg(body, attributes))
            assert plan.bounds.tolist() == [[10, low], [30, low + 30]]

    @pytest.mark.parametrize(
        ("body", "area"),
        [
            ('<rect x="1" y="2" width="10" height="5"/>', 50),
            ('<rect width="10mm" height="1in"/>', 10 * 96 / 25.4 * 96),
            ('<rect width="10%" height="50%"/>', 250),
            ('<rect width="10" height="5" rx="1"/>', 50 - 4 + math.pi),
            ('<rect width="10" height="5" rx="1" ry="2"/>', 50 - 8 + 2 * math.pi),
            ('<rect width="10" height="6" ry="100"/>', math.pi * 5 * 3),
            ('<circle cx="10" cy="10" r="5"/>', math.pi * 25),
            ('<ellipse cx="10" cy="10" rx="5" ry="2" transform="rotate(33)"/>', math.pi * 10),
            ('<polyline points="0,0 4,0 4,3"/>', 6),
            ('<polyline points="0,0 4,0 4,3 0,0" fill="none" stroke="red"/>', 6),
            ('<path d="M0 0h4v3"/>', 6),
            ('<path d="m1,1l4,0 0,3-4 0z"/>', 12),
            ('<path d="M 0 0 4 0 4 3 H0 V0"/>', 12),
            ('<path d="M5 0A5 5 0 0 1-5 0A5 5 0 015 0"/>', math.pi * 25),
            ('<path d="M0 0Q5 10 10 0"/>', 100 / 3),
            ('<path d="M0 0Q5 10 10 0T20 0"/>', 200 / 3),
            ('<path d="M0 0C0 10 10 10 10 0"/>', 60),
            ('<g transform="scale(2,3)"><circle r="1"/></g>', 6 * math.pi),
            ('<rect width="4" height="3" transform="matrix(1 2 0 1 5 5) skewX(45)"/>', 12),
            ('<rect width="4" height="3" transform="skewY(-10),translate(4) scale(-1)"/>', 12),
        ],
    )
    def test_areas(self, tmp_path, body, area):
        # Chords of a curve lie up to a millimetre inside it.
        assert area * (1 - 1e-3) <= svg_area(tmp_path, body) <= area + 1e-9

    def test_a_curve_is_within_a_millimetre(self, tmp_path):
        plan = load(tmp_path, "a.svg", svg('<circle cx="50" cy="25" r="20"/>'))
        circle = plan.boundary.geoms[0].exterior
        assert shapely.Point(50, 25).distance(circle) >= 20 - 1e-3
        assert 400 * math.pi - plan.boundary.area < 1e-3 * 40 * math.pi
        assert len(circle.coords) < 400

    def test_transforms_in_order(self, tmp_path):
        body = (
            '<g transform="translate(10, 20)"><g transform="rotate(90)">'
            '<rect width="4" height="2" transform="scale(2)"/></g></g>'
        )
        plan = load(tmp_path, "a.svg", svg(body))
        np.testing.assert_allclose(plan.bounds, [[6, 22], [10, 30]], atol=1e-12)
        turned = '<rect x="4" y="1" width="2" height="2" transform="rotate(90 4 1)"/>'
        plan = load(tmp_path, "a.svg", svg(turned))
        np.testing.assert_allclose(plan.bounds, [[2, 47], [4, 49]], atol=1e-12)

    def test_open_lines_are_walls(self, tmp_path):
        body = (
            '<g stroke="black"><rect width="100" height="50" style="fill:none"/>'
            '<line x1="5" y1="5" x2="5" y2="9"/><path fill="none" d="M10 10 20 10M30 10 40 10"/>'
            '<polyline fill="none" points="1 1 2 1"/></g>'
        )
        plan = load(tmp_path, "a.svg", svg(body))
        assert plan.boundary.area == 5000
        assert [wall.length for wall in plan.walls] == [4, 10, 10, 1]

    @pytest.mark.parametrize(
        ("attributes", "area"),
        [("", 96), ('style="fill-rule: nonzero"', 96), ('fill-rule="evenodd"', 92)],
    )
    def test_fill_rules(self, tmp_path, attributes, area):
        # A hole the other way around, and two squares the same way around that overlap by 1.
        data = "M0 0H10V10H0Z M1 1V3H3V1Z M5 5H7V7H5Z M6 6H7V8H6Z"
        assert svg_area(tmp_path, f'<path {attributes} d="{data}"/>') == area

    def test_a_path_that_goes_around_twice(self, tmp_path):
        data = "M0 0H10V10H0Z M2 2H8V8H2V4H6V6H4V2Z"  # twice around [4, 6] x [4, 6]
        assert svg_area(tmp_path, f'<path d="{data}"/>') == 100
        odd = svg_area(tmp_path, f'<path fill-rule="evenodd" d="{data}"/>')
        assert odd == 100 - 28

    def test_closed_lines_of_one_path_are_room_and_block(self, tmp_path):
        plan = load(
            tmp_path,
            "a.svg",
            svg('<path style="fill:none;stroke:red" d="M0 0H10V9H0Z M1 1V3H3V1Z"/>'),
        )
        assert (plan.boundary.area, plan.obstacles[0].area) == (90, 4)

    def test_style_sheets(self, tmp_path):
        body = (
            "<style>/* .a {} */ .a, .b { stroke: red; fill: none } #c {display:none}"
            "line{visibility:hidden}</style>"
            '<rect width="9" height="9"/><path class="x a" d="M1 1H3V3"/><path d="M4 4H6V6"/>'
            '<rect id="c" width="99" height="49"/><line x2="3" y2="4"/>'
        )
        plan = load(tmp_path, "a.svg", svg(body))
        assert (plan.boundary.area, len(plan.obstacles), len(plan.walls)) == (81, 1, 1)

    @pytest.mark.parametrize(
        "unseen",
        [
            '<rect {} fill="none"/>',
            '<rect {} style="fill: None"/>',
            '<rect {} fill="transparent" stroke="none"/>',
            '<rect {} fill-opacity="0"/>',
            '<rect {} style="fill-opacity:0%; stroke:red; stroke-width:0px"/>',
            '<rect {} fill="none" stroke="red" stroke-opacity=".0"/>',
            '<rect {} stroke="red" opacity="0"/>',
            '<g opacity="0.0"><g opacity="1"><rect {} fill="red"/></g></g>',
            '<g fill="none"><g stroke="red" stroke-width="0"><rect {}/></g></g>',
            '<g stroke="red" fill="none"><rect {} stroke="none"/></g>',
            '<g fill="none"><rect {} fill="inherit"/></g>',
            '<rect {} class="unseen"/>',
            '<line x1="0" y1="0" x2="300" y2="300"/>',
            '<path d="M0 0 300 300Z"/>',
            '<defs><rect id="r" {}/></defs><use href="#r" fill="none"/>',
        ],
    )
    def test_what_cannot_be_seen_is_passed_over(self, tmp_path, unseen):
        shape = unseen.format('width="300" height="300"')
        body = f'<style>.unseen {{fill:none}}</style>{shape}<rect width="9" height="9"/>'
        plan = load(tmp_path, "a.svg", svg(body))
        assert (plan.boundary.area, plan.obstacles, plan.walls) == (81, (), ())

    @pytest.mark.parametrize(
        "seen",
        [
            '<rect {} fill="none" stroke="red"/>',
            '<rect {} fill-opacity="0" stroke="#000" stroke-opacity="0.5" stroke-width=".01"/>',
            '<rect {} opacity="1e-3"/>',
            '<rect {} stroke="red" stroke-width="0"/>',
            '<g fill="none"><rect {} fill="url(#a)"/></g>',
            '<g fill="none" stroke="red"><g stroke-width="2mm"><rect {}/></g></g>',
            '<rect {} fill=""/>',
        ],
    )
    def test_what_can_be_seen_is_read(self, tmp_path, seen):
        assert svg_area(tmp_path, seen.format('width="20" height="10"')) == 200

    @pytest.mark.parametrize(
        "rule",
        [
            "@media print { .a { fill: red } .b { display: none } }",
            "@media print {}",
            "@media (x) { @supports (y) { .b { fill: none } } }",
            "@font-face { font-family: x; src: url(data:a;base64,b) }",
            '@charset "utf-8";',
            "@import url(a.css);",
            "} ;",
        ],
    )
    def test_rules_that_begin_with_at(self, tmp_path, rule):
        body = (
            f"<style>.c {{ display:none }} {rule} .a, .d {{ display:none }}</style>"
            '<rect class="a" width="99" height="49"/><rect class="c" width="99" height="49"/>'
            '<rect class="b" width="9" height="9"/>'
        )
        assert svg_area(tmp_path, body) == 81

    def test_a_style_sheet_that_is_left_open(self, tmp_path):
        body = (
            "<style>.b {fill:red} .a {display:none</style>"
            '<rect class="a" width="99" height="49"/><rect class="b" width="9" height="9"/>'
        )
        assert svg_area(tmp_path, body) == 81

    def test_copies(self, tmp_path):
        body = (
            '<defs><rect id="a" width="2" height="2"/><g id="b"><use href="#a" x="3"/>'
            '<use xlink:href="#a" x="6" y="3" transform="scale(2)"/></g>'
            '<symbol id="s" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5"/></symbol></defs>'
            '<use href="#b" x="1"/><use href="#s" x="50" y="10" width="20" height="40"/>'
        )
        plan = load(tmp_path, "a.svg", svg(body))
        assert plan.boundary.area == pytest.approx(4 + 16 + math.pi * 100, rel=1e-3)
        np.testing.assert_allclose(plan.bounds, [[4, 10], [70, 50]], atol=1e-12)

    def test_layers(self, tmp_path):
        body = (
            '<g inkscape:groupmode="layer" inkscape:label="Outline" id="layer1">'
            '<rect width="10" height="10"/></g>'
            '<g inkscape:groupmode="layer" inkscape:label="Furniture" id="layer2">'
            '<g id="table"><rect width="1" height="1"/></g><rect x="3" width="1" height="2"/></g>'
            '<rect width="100" height="100"/>'
        )
        file = svg(body)
        assert load(tmp_path, "a.svg", file, layers="Outline").boundary.area == 100
        plan = load(tmp_path, "a.svg", file, layers=["layer1", "table"])
        assert [block.area for block in plan.obstacles] == [1]
        with pytest.raises(SceneError) as error:
            load(tmp_path, "a.svg", file, layers=["walls"])
        names = "'Outline', 'layer1', 'Furniture', 'layer2', 'table'"
        assert str(error.value).endswith(f"no shape is in the layer 'walls'; there are {names}")

    def test_what_is_outlined_and_filled_is_one_thing(self, tmp_path):
        body = '<rect width="4" height="3"/><path d="M4 3H0V0H4Z" fill="none" stroke="red"/>'
        plan = load(tmp_path, "a.svg", svg(body))
        assert (plan.boundary.area, plan.obstacles) == (12, ())


@st.composite
def paths(draw):
    number = st.integers(-9, 9).map(str)
    parts = [f"M{draw(number)} {draw(number)}"]
    for _ in range(draw(st.integers(1, 6))):
        command = draw(st.sampled_from("LlHhVvCcSsQqTtAaZzMm"))
        # After a curve of the other degree svgelements mirrors its control point, unlike SVG.
        if (command in "Ss" and parts[-1][0] in "QqTt") or (
            command in "Tt" and parts[-1][0] in "CcSs"
        ):
            command = "L"
        count = {"L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "Z": 0, "M": 2}
        if command in "Aa":
            flags = draw(st.sampled_from(["0 0", "01", "10", "1,1"]))
            radii = f"{draw(st.integers(1, 9))} {draw(st.integers(1, 9))}"
            parts.append(f"{command}{radii} {draw(number)} {flags} {draw(number)},{draw(number)}")
        else:
            parts.append(command + " ".join(draw(number) for _ in range(count[command.upper()])))
    return "".join(parts)


@given(paths())
def test_paths_are_drawn_as_svgelements_draws_them(text):
    ours = [
        np.vstack([points, points[:1]]) if closed else points
        for points, closed in read_path(text, Affine())
        if np.ptp(points, axis=0).any()
    ]
    theirs = []
    for subpath in svgelements.Path(text).as_subpaths():
        curves = (svgelements.CubicBezier, svgelements.QuadraticBezier)
        segments = [s for s in subpath if isinstance(s, curves) or s.start not in (None, s.end)]
        points = [segment.npoint(np.linspace(0, 1, 200)) for segment in segments]
        if points and np.ptp(np.concatenate(points), axis=0).any():
            theirs.append(np.concatenate(points))
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs, strict=True):
        line = shapely.LineString(mine)
        assert shapely.distance(line, shapely.points(other)).max() < 2e-3
        assert shapely.distance(shapely.LineString(other), shapely.points(mine)).max() < 1e-2


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


MAP = "type octile\nheight 3\nwidth 4\nmap\n.G@T\nSS@W\n..O.\n"


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


class TestSettings:
    @pytest.mark.parametrize("scale", [0, -1, math.nan, math.inf, "2", None, True])
    def test_scale(self, tmp_path, scale):
        with pytest.raises(SettingsError, match="scale is"):
            load(tmp_path, "a.map", MAP, scale=scale)

    @pytest.mark.parametrize("suffix", ["geojson", "wkt", "map", "png", "yaml"])
    def test_formats_without_layers(self, suffix):
        with pytest.raises(SettingsError, match=rf"layers is 'x'; a \.{suffix} file has none"):
            load_plan(Path(f"a.{suffix}"), layers="x")

    @pytest.mark.parametrize("layers", [3, [], [3], {}])
    def test_layers(self, layers):
        with pytest.raises(SettingsError, match="it must be a name or a list of names"):
            load_plan("a.svg", layers=layers)

    def test_height(self, tmp_path):
        with pytest.raises(SceneError, match="height is"):
            load(tmp_path, "a.map", MAP, height=math.nan)
