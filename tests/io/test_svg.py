"""Reading SVG drawings: shapes, styles and layers, against areas that are known and svgelements."""

import math

import numpy as np
import pytest
import shapely
import svgelements
from hypothesis import given
from hypothesis import strategies as st

from tests.makers.plan_files import load, svg
from walkmesh.errors import SceneError
from walkmesh.io.svg_path import Affine, read_path


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
