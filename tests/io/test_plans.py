"""Reading floor plans: GeoJSON, buildings, WKT, and what all formats share."""

import codecs
import json
import math
from pathlib import Path

import pytest

from tests.makers.plan_files import BLOCK, MAP, ROOM, YARD, collection, feature, load, polygon
from walkmesh.errors import SceneError, SettingsError
from walkmesh.io import plans
from walkmesh.io.geojson import read_features
from walkmesh.io.plans import load_building, load_floors, load_plan


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
