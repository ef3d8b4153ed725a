"""Malformed and hostile plans: a floor plan or a clear error, never a crash or a hang."""

import io
import itertools
import json
import struct
import warnings
import zlib

import ezdxf
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.checks.small_memory import check_refused
from walkmesh.errors import SceneError
from walkmesh.io.movingai import load_scenarios
from walkmesh.io.plans import load_building, load_plan

SUFFIXES = ["geojson", "json", "wkt", "svg", "dxf", "map", "png", "pgm", "bmp", "tif", "yaml"]
SQUARE = [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]]


def refuse(tmp_path, name, data, load=load_plan):
    """Return the message with which a file is refused, without its name."""
    file = tmp_path / name
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    with pytest.raises(SceneError) as error:
        load(file)
    message = str(error.value)
    assert "\n" not in message
    assert message.startswith(f"{file}: ")
    assert len(message) < 400
    return message.removeprefix(f"{file}: ")


def png(pixels):
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "png")
    return file.getvalue()


def dxf():
    document = ezdxf.new("R12", units=6)
    space = document.modelspace()
    space.add_polyline2d([(0, 0, 0.5), (9, 0), (9, 9)], format="xyb", close=True)
    space.add_circle((2, 2), 1)
    space.add_line((1, 1), (2, 5))
    document.blocks.new("B").add_arc((0, 0), 1, 0, 90)
    space.add_blockref("B", (4, 4))
    file = io.StringIO()
    document.write(file)
    return file.getvalue().encode()


FILES = {
    "geojson": json.dumps(
        {
            "type": "FeatureCollection",
            "features": [
                {
                    "type": "Feature",
                    "geometry": {"type": "Polygon", "coordinates": [SQUARE]},
                    "properties": {"walkable": True, "level": 0, "height": 2.5},
                },
                {
                    "type": "Feature",
                    "geometry": {"type": "LineString", "coordinates": [[1, 1], [2, 3]]},
                    "properties": {"role": "wall"},
                },
            ],
        }
    ).encode(),
    "wkt": b"POLYGON ((0 0, 4 0, 4 4, 0 0), (1 0.5, 2 0.5, 2 1, 1 0.5))\nLINESTRING (1 0, 1 1)",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><defs><rect id="a" '
    b'width="2" height="1" rx=".2"/></defs><g transform="rotate(30 1 2) scale(2)" id="l">'
    b'<path d="M0 0H9V9A3 4 20 0 1 0 9C1 2 3 4 5 6 Q1 1 2 2Z"/><use href="#a" x="3"/></g>'
    b'<polyline points="1,1 2,2 3,1" style="fill:none;stroke:red"/></svg>',
    "dxf": dxf(),
    "map": b"type octile\nheight 3\nwidth 4\nmap\n.G@T\nSS@W\n..O.\n",
    "png": png(np.random.default_rng(0).integers(0, 256, (9, 12, 4)).astype(np.uint8) | 240),
    "yaml": b"image: floor.png\nresolution: 0.05\norigin: [-1.0, 2.0, 0.5]\nnegate: 0\n"
    b"occupied_thresh: 0.65\nfree_thresh: 0.196\nmode: trinary\n",
}


class TestPaths:
    def test_missing(self, tmp_path):
        for load in (load_plan, load_building, load_scenarios):
            with pytest.raises(SceneError, match=r"absent\.json: there is no such file"):
                load(tmp_path / "absent.json")

    def test_folder(self, tmp_path):
        (tmp_path / "folder.svg").mkdir()
        with pytest.raises(SceneError, match="it is a folder"):
            load_plan(tmp_path / "folder.svg")

    def test_unknown_suffix(self, tmp_path):
        assert refuse(tmp_path, "a.dwg", b"AC1032").startswith("unsupported file type '.dwg'")
        assert "supported: .geojson, .json" in refuse(tmp_path, "a.svg", b"<svg/>", load_building)

    @pytest.mark.parametrize("suffix", SUFFIXES)
    def test_empty(self, tmp_path, suffix):
        assert refuse(tmp_path, f"a.{suffix}", b"") == "it is empty"
        for content in (b"\xef\xbb\xbf", b" \n", b"\0", b"\n" * 1000):
            refuse(tmp_path, f"a.{suffix}", content)

    @pytest.mark.parametrize("suffix", SUFFIXES)
    @pytest.mark.parametrize("kind", FILES)
    def test_content_of_another_kind(self, tmp_path, suffix, kind):
        is_image = suffix in ("png", "pgm", "bmp", "tif") and kind == "png"
        if {suffix, kind} != {"json", "geojson"} and suffix != kind and not is_image:
            refuse(tmp_path, f"a.{suffix}", FILES[kind])


class TestDamage:
    """Whatever happens to a file's bytes, there is a plan or a SceneError."""

    @staticmethod
    def attempt(folder, name, data, load=load_plan):
        file = folder / f"a.{name}"
        file.write_bytes(data)
        (folder / "floor.png").write_bytes(FILES["png"])
        plan, message = None, f"{file}: "
        try:
            plan = load(file)
        except SceneError as error:
            message = str(error)
        assert message.startswith(f"{file}: ")
        assert "\n" not in message
        assert plan is None or np.all(np.isfinite(plan.bounds))

    @pytest.mark.parametrize("name", FILES)
    def test_whole(self, tmp_path, name):
        (tmp_path / "floor.png").write_bytes(FILES["png"])
        (tmp_path / f"a.{name}").write_bytes(FILES[name])
        assert load_plan(tmp_path / f"a.{name}").boundary.area > 0

    @pytest.mark.parametrize("name", FILES)
    @given(st.data())
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_cut_off(self, tmp_path, name, data):
        self.attempt(tmp_path, name, FILES[name][: data.draw(st.integers(0, len(FILES[name])))])

    @pytest.mark.parametrize("name", FILES)
    @given(st.data())
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_changed_bytes(self, tmp_path, name, data):
        content = bytearray(FILES[name])
        place = st.integers(0, len(content) - 1)
        byte = st.one_of(st.integers(0, 255), st.sampled_from(b"0123456789-.e \n()[]{}<>&#,:"))
        for at, value in data.draw(st.lists(st.tuples(place, byte), min_size=1, max_size=4)):
            content[at] = value
        self.attempt(tmp_path, name, bytes(content))

    @given(st.data())
    @settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_changed_json(self, tmp_path, data):
        tree = json.loads(FILES["geojson"])
        junk = [None, True, -1, 0, 1.5, 1e308, 1e999, 10**30, 10**400, "x", "", [], [0], {}, [[]]]
        parts = [tree]
        for part in parts:
            values = part.values() if isinstance(part, dict) else part
            parts.extend(value for value in values if isinstance(value, dict | list) and value)
        for _ in range(data.draw(st.integers(1, 3))):
            part = data.draw(st.sampled_from(parts))
            keys = list(part) if isinstance(part, dict) else range(len(part))
            part[data.draw(st.sampled_from(keys))] = data.draw(st.sampled_from(junk))
        content = json.dumps(tree).encode()
        self.attempt(tmp_path, "geojson", content)
        self.attempt(tmp_path, "json", content, load_building)

    @pytest.mark.parametrize("name", ["geojson", "wkt", "svg", "dxf", "yaml"])
    @pytest.mark.parametrize("number", ["1e999", "-1e308", "1e200", "1e20", "1e-320", "9" * 400])
    def test_absurd_numbers(self, tmp_path, name, number):
        content = FILES[name]
        for word in (b"4", b"9.0", b"0.05", b"2.0", b"0.5"):
            self.attempt(tmp_path, name, content.replace(word, number.encode()))
            self.attempt(tmp_path, name, content.replace(word, number.encode(), 1))


class TestJson:
    def test_very_deep(self, tmp_path):
        assert "nested too deeply" in refuse(tmp_path, "a.geojson", b"[" * 200_000)
        nested = b'{"type":"GeometryCollection","geometries":[' * 900 + b"]}" * 900
        assert refuse(tmp_path, "a.json", nested) in (
            "it is nested too deeply",
            "its JSON is nested too deeply",
            "it has no polygons and no lines",
        )

    @pytest.mark.parametrize(
        ("tree", "message"),
        [
            ([], "its JSON is a list; GeoJSON is an object"),
            ({"type": "Topology"}, "feature 0 has a geometry of type 'Topology'"),
            ({"type": "FeatureCollection"}, "its FeatureCollection has no list of 'features'"),
            (
                {"type": "FeatureCollection", "features": [1]},
                "feature 0 is 1; it must be an object",
            ),
            ({"type": "FeatureCollection", "features": []}, "it has no polygons and no lines"),
            ({"type": "Point", "coordinates": [1, 2]}, "it has no polygons and no lines"),
            ({"type": "Polygon", "coordinates": [[[0, 0], [1]]]}, "feature 0 has a position that"),
            ({"type": "Polygon", "coordinates": [[["0", "1"]]]}, "feature 0 has a position that"),
            ({"type": "Polygon", "coordinates": [[SQUARE]]}, "feature 0 has a position that"),
            ({"type": "LineString", "coordinates": [SQUARE]}, "feature 0 has a position that"),
            ({"type": "LineString", "coordinates": [[SQUARE]]}, "feature 0 has a position that"),
            (
                {"type": "MultiPolygon", "coordinates": [[[SQUARE]]]},
                "feature 0 has a position that",
            ),
            ({"type": "MultiPolygon", "coordinates": [SQUARE]}, "feature 0 has a position that"),
            ({"type": "Polygon", "coordinates": SQUARE}, "feature 0 has a position that"),
            ({"type": "Polygon", "coordinates": [SQUARE[:2] + [[1, 0]]]}, "has no area"),
            ({"type": "LineString", "coordinates": 3}, "feature 0 has 3 where its coordinates"),
            (
                {"type": "LineString", "coordinates": [[0, 0], [float("nan"), 0]]},
                "feature 0: it has a coordinate that is not finite",
            ),
            (
                {"type": "LineString", "coordinates": [[0, 0], [1e10, 0]]},
                "feature 0: it has a coordinate of 1e+10 m; at most 1e+09 m are read",
            ),
            (
                {"type": "Feature", "geometry": None, "properties": {"role": "door"}},
                "feature 0 has the role 'door'; roles are boundary, obstacle, wall",
            ),
            (
                {"type": "Feature", "geometry": None, "properties": {"walkable": "yes"}},
                "feature 0 has walkable 'yes'; it is true or false",
            ),
        ],
    )
    def test_errors(self, tmp_path, tree, message):
        assert message in refuse(tmp_path, "a.geojson", json.dumps(tree))

    def test_broken(self, tmp_path):
        assert "its JSON cannot be read" in refuse(tmp_path, "a.geojson", b'{"type": ')
        assert "its JSON cannot be read" in refuse(tmp_path, "a.geojson", b"[" + b"1" * 9999 + b"]")
        assert "its JSON cannot be read" in refuse(tmp_path, "a.geojson", b"\xff\xfe\xfa")


class TestWkt:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (
                "POINT (1 1)\n\nPOLYGON ((0 0, 1 0",
                "line 3: 'POLYGON ((0 0, 1 0' is not readable WKT",
            ),
            ("CIRCULARSTRING (0 0, 1 1, 2 0)", "Nonlinear geometry types"),
            ("POLYGON ((0 0, 1 0, 1 1, 0 1))", "do not form a closed linestring"),
            ("POINT (1 1)", "it has no polygons and no lines"),
            ("POLYGON ((0 0, 1 nan, 1 1, 0 0))", "it has a coordinate that is not finite"),
            (")" * 1000, "line 1: ')' is not readable WKT"),
        ],
    )
    def test_errors(self, tmp_path, text, message):
        assert message in refuse(tmp_path, "a.wkt", text)

    def test_very_deep(self, tmp_path):
        deep = "GEOMETRYCOLLECTION (" * 100_000
        assert "nested more than 64 deep" in refuse(tmp_path, "a.wkt", deep)


SVG = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'


class TestSvg:
    def test_entity_bombs(self, tmp_path):
        names = "abcdefghij"
        declared = '<!ENTITY a "haha">' + "".join(
            f'<!ENTITY {b} "' + f"&{a};" * 10 + '">' for a, b in itertools.pairwise(names)
        )
        bomb = f"<!DOCTYPE svg [{declared}]><svg>&j;</svg>"
        assert "declares the entity 'b'" in refuse(tmp_path, "a.svg", bomb)
        large = f'<!DOCTYPE svg [<!ENTITY a "{"x" * 10**6}">]><svg>{"&a;" * 10**5}</svg>'
        assert "declares the entity 'a'" in refuse(tmp_path, "a.svg", large)

    def test_outside_entities_are_not_read(self, tmp_path):
        text = (
            '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/hostname">]><svg><rect x="1"/>&a;</svg>'
        )
        assert refuse(tmp_path, "a.svg", text) == "it has no polygons and no lines"

    def test_harmless_entities_are_read(self, tmp_path):
        text = (
            '<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]>'
            '<svg xmlns="&ns;"><rect width="2" height="3"/></svg>'
        )
        (tmp_path / "a.svg").write_text(text)
        assert load_plan(tmp_path / "a.svg").boundary.area == 6

    def test_copies_of_copies(self, tmp_path):
        levels = "".join(
            f'<g id="g{i + 1}">' + f'<use href="#g{i}"/>' * 10 + "</g>" for i in range(12)
        )
        bomb = SVG.format(f'<g id="g0"></g>{levels}')
        assert "are too many, or nested too deeply" in refuse(tmp_path, "a.svg", bomb)

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ('<g id="a"><use href="#a"/></g>', "shows '#a', which it is part of"),
            ('<use href="#b"/>', "shows '#b', which is not in the file"),
            ('<use href="http://a.b/c.svg#d"/>', "which is not in the file"),
            ('<path d="1 2 3"/>', "path data starts with '1 2 3'; it must start with M"),
            ('<path d="L1 2"/>', "path data must start with M"),
            ('<path d="M1 2 3"/>', "path data has 3 numbers after M, not 2 each"),
            ('<path d="M1 2Z3"/>', "path data has numbers after Z"),
            ('<path d="M1 x"/>', "'1 x' is not a list of numbers"),
            ('<path d="M1 1A1 1 0 2 0 3 3"/>', "'2 0 3 3' is not part of an arc"),
            ('<path d="M1 1L1e99 0"/>', "the number '1e99' is too large"),
            ('<rect width="4 m" height="x"/>', "'rect' has the width '4 m', which is not a length"),
            ('<rect transform="turn(3)"/>', "'turn(3)' is not an SVG transform"),
            ('<rect transform="rotate(1 2)"/>', "the transform rotate does not take 2 numbers"),
            ('<circle r="1e12"/>', "at most 1e+09 m are read"),
            ("<text>hello</text>", "it has no polygons and no lines"),
        ],
    )
    def test_errors(self, tmp_path, body, message):
        assert message in refuse(tmp_path, "a.svg", SVG.format(body))

    def test_other_xml(self, tmp_path):
        assert refuse(tmp_path, "a.svg", "<html/>") == "its XML is 'html'; it must be svg"
        assert "its XML cannot be read" in refuse(tmp_path, "a.svg", "<svg><g></svg>")

    def test_very_deep(self, tmp_path):
        depth = 50_000
        for group in ("<g>", '<g id="a">'):
            text = SVG.format(f'{group * depth}<rect width="1" height="1"/>{"</g>" * depth}')
            (tmp_path / "a.svg").write_text(text)
            if group == "<g>":
                assert load_plan(tmp_path / "a.svg").boundary.area == 1
            else:
                assert "nested too deeply" in refuse(tmp_path, "a.svg", text)

    def test_long_texts_take_no_long_time(self, tmp_path):
        for body in (
            f"<style>{'/*' * 10**5}</style>",
            f"<style>{'a{' * 10**5}</style>",
            f'<path d="M{"1" * 10**5}x"/>',
            f'<rect width="{"1" * 10**5}x"/>',
            f'<rect transform="{"rotate(" * 10**4}"/>',
        ):
            refuse(tmp_path, "a.svg", SVG.format(body))


def dxf_with(draw):
    document = ezdxf.new(units=6)
    draw(document)
    file = io.StringIO()
    document.write(file)
    return file.getvalue()


class TestDxf:
    def test_blocks_of_blocks(self, tmp_path):
        def draw(document):
            document.blocks.new("B0").add_line((0, 0), (1, 1))
            for i in range(12):
                block = document.blocks.new(f"B{i + 1}")
                for _ in range(10):
                    block.add_blockref(f"B{i}", (0, 0))
            document.modelspace().add_blockref("B12", (0, 0))

        assert "its blocks make more than" in refuse(tmp_path, "a.dxf", dxf_with(draw))

    def test_rows_and_columns(self, tmp_path):
        def draw(document):
            document.blocks.new("B").add_line((0, 0), (1, 1))
            grid = {
                "row_count": 30_000,
                "column_count": 30_000,
                "row_spacing": 1,
                "column_spacing": 1,
            }
            document.modelspace().add_blockref("B", (0, 0), grid)

        assert "its blocks make more than" in refuse(tmp_path, "a.dxf", dxf_with(draw))

    def test_a_block_within_itself(self, tmp_path):
        def draw(document):
            block = document.blocks.new("B")
            block.add_line((0, 0), (1, 1))
            block.add_blockref("B", (1, 1))
            document.modelspace().add_blockref("B", (0, 0))

        refuse(tmp_path, "a.dxf", dxf_with(draw))

    def test_a_block_that_is_missing(self, tmp_path):
        def draw(document):
            document.modelspace().add_blockref("GONE", (0, 0))

        assert refuse(tmp_path, "a.dxf", dxf_with(draw)) == "it has no polygons and no lines"

    def test_huge_circles_have_few_points(self, tmp_path):
        file = tmp_path / "a.dxf"
        file.write_text(dxf_with(lambda d: d.modelspace().add_circle((0, 0), 5e8)))
        assert len(load_plan(file).boundary.geoms[0].exterior.coords) < 3000

    def test_binary_that_is_cut_off(self, tmp_path):
        refuse(tmp_path, "a.dxf", b"AutoCAD Binary DXF\r\n\x1a\x00" + bytes(range(200)))


class TestMovingAi:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("hello", "not a MovingAI map"),
            ("type hex\nmap\n", "its type is 'hex'; octile is read"),
            ("type octile\nheight 2\nwidth 2\n", "it has no line 'map'"),
            ("type octile\nheight 2\nmap\n..\n", "it has no width"),
            ("type octile\nheight -2\nwidth 2\nmap\n..\n", "its height is '-2'; it must be"),
            (
                "type octile\nheight 999999999\nwidth 999999999\nmap\n..\n",
                "it claims 999999999 x 999999999 cells; it has 3 bytes of them",
            ),
            ("type octile\nheight 9999999999999\nwidth 2\nmap\n..\n", "its height is"),
            ("type octile\nheight 2\nwidth 2\nmap\n..\n.\n..\n", "it has 3 rows; its height is 2"),
            ("type octile\nheight 2\nwidth 2\nmap\n...\n.\n", "row 0 has 3 cells; the width is 2"),
            ("type octile\nheight 1\nwidth 2\nmap\n.x\n", "row 0, column 1 is 'x'; cells are one"),
            ("type octile\nheight 1\nwidth 2\nmap\n@T\n", "none of its 2 x 1 cells is free"),
        ],
    )
    def test_maps(self, tmp_path, text, message):
        assert message in refuse(tmp_path, "a.map", text)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("0\tm\t4\t3\t0\t0\t1\t2\t1", "it does not start with the word version"),
            ("version 1\n0\tm\t4\t3\t0\t0\t1\t2", "line 2: a scenario has 9 fields; here are 8"),
            ("version 1\n0\tm\t4\t3\t0\t0\tx\t2\t1", "line 2: a field is no number"),
            ("version 1\n0\tm\t4\t3\t0\t0\t4\t2\t1", "line 2: its cells are not within 4 x 3"),
            ("version 1\n0\tm\t4\t3\t0\t0\t1\t2\tnan", "line 2: its length nan is not"),
            ("version 1\n0\tm\t4\t" + "9" * 99 + "\t0\t0\t1\t2\t1", "line 2: its cells are not"),
        ],
    )
    def test_scenarios(self, tmp_path, text, message):
        assert message in refuse(tmp_path, "a.scen", text, load_scenarios)


def png_chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png_that_claims(width, height):
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = png_chunk(b"IHDR", header) + png_chunk(b"IDAT", zlib.compress(bytes(1000)))
    return b"\x89PNG\r\n\x1a\n" + chunks + png_chunk(b"IEND", b"")


class TestImages:
    def test_bombs(self, tmp_path):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            message = refuse(tmp_path, "a.png", png_that_claims(100_000, 100_000))
            assert "it claims more pixels than the" in message
            assert "cannot be read" in refuse(tmp_path, "a.png", png_that_claims(10_000, 10_000))
        refuse(tmp_path, "a.pgm", b"P5 999999999 999999999 255\n\0\0")

    def test_nothing_free(self, tmp_path):
        black = np.zeros((3, 2), dtype=np.uint8)
        assert refuse(tmp_path, "a.png", png(black)) == "none of its 2 x 3 cells is free"

    def test_floating_point(self, tmp_path):
        Image.fromarray(np.ones((2, 2), dtype=np.float32)).save(tmp_path / "a.tif")
        with pytest.raises(SceneError, match="its pixels are of floating point"):
            load_plan(tmp_path / "a.tif")

    def test_no_program_is_run(self, tmp_path):
        assert "not a supported image" in refuse(tmp_path, "a.png", b"%!PS-Adobe-3.0 EPSF-3.0\n")


class TestRos:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("resolution: 1\norigin: [0, 0, 0]", "its image is None; it must be"),
            ("image: floor.png\norigin: [0, 0, 0]", "it has no resolution"),
            ("image: floor.png\nresolution: -1\norigin: [0, 0, 0]", "its resolution is -1"),
            ("image: floor.png\nresolution: .nan\norigin: [0, 0, 0]", "its resolution has nan"),
            ("image: floor.png\nresolution: [1]\norigin: [0, 0, 0]", "resolution has a list where"),
            (
                f"image: a.png\nresolution: 0x{'f' * 9999}\norigin: [0, 0]",
                "its resolution has a huge number where a finite number should be",
            ),
            ("image: floor.png\nresolution: 1", "its origin is missing"),
            ("image: floor.png\nresolution: 1\norigin: [0]", "its origin is missing"),
            ("image: floor.png\nresolution: 1\norigin: [0, a]", "its origin has 'a' where"),
            ("image: gone.png\nresolution: 1\norigin: [0, 0]", "'gone.png': there is no such file"),
            ("image: ../a.png\nresolution: 1\norigin: [0, 0]", "is not in the folder of the file"),
            ("image: /etc/passwd\nresolution: 1\norigin: [0, 0]", "is not in the folder of the"),
            ("image: map.yaml\nresolution: 1\norigin: [0, 0]", "unsupported file type '.yaml'"),
            ('image: "a\\0.png"\nresolution: 1\norigin: [0, 0]', "its image"),
            (f"image: {'x' * 5000}.png\nresolution: 1\norigin: [0, 0]", "its image"),
            ("- 1\n- 2", "its YAML is not a mapping of settings"),
            ("image: [", "its YAML cannot be read"),
            ("a: &a [1]\nb: *a", "its YAML has aliases"),
            ("a: !!python/object/apply:os.getcwd []", "its YAML cannot be read"),
            ("a: 2001-99-99", "its YAML has a value that cannot be read"),
            ("[" * 30_000, "it is nested too deeply"),
            ("image: " + "x" * 70_000, "a map's YAML has at most 65536"),
        ],
    )
    def test_errors(self, tmp_path, text, message):
        (tmp_path / "floor.png").write_bytes(FILES["png"])
        assert message in refuse(tmp_path, "map.yaml", text)

    @pytest.mark.parametrize("line", ["mode: fuzzy", "negate: 7", "free_thresh: 2", "mode: [1]"])
    def test_settings(self, tmp_path, line):
        (tmp_path / "floor.png").write_bytes(FILES["png"])
        message = refuse(
            tmp_path, "a.yml", f"image: floor.png\nresolution: 1\norigin: [0, 0]\n{line}"
        )
        assert message.startswith(f"its {line.split(':')[0]} is ")


def test_memory_stays_small(tmp_path):
    files = {
        "a.map": b"type octile\nheight 999999\nwidth 999999\nmap\n..\n",
        "a.png": png_that_claims(100_000, 100_000),
        "b.png": png_that_claims(13_000, 13_000),
        "a.pgm": b"P5 60000 60000 255\n\0\0",
    }
    check_refused(tmp_path, files, "walkmesh.io.plans", "load_plan")
