"""Pictures show what they are given, and are the same bytes every time."""

import io
from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.image import imread

from tests.checks.pictures import count, pixels
from tests.makers import surface_shapes
from tests.makers.merged import navmesh_of
from walkmesh import LINK_DTYPE, Agent, LinkKind, Path, Scene, samples
from walkmesh.errors import FormatError, SettingsError
from walkmesh.navmesh import NavMesh
from walkmesh.topology import plan_points
from walkmesh.viewer.ink import COMPONENT_COLORS, INK, PATH_COLOR, SPECK_COLOR, polygon_edges
from walkmesh.viewer.levels import level_heights, levels_of
from walkmesh.viewer.links import LINK_COLORS
from walkmesh.viewer.painter import Camera, cut_segments, cut_triangles, shade
from walkmesh.viewer.picture import save_picture
from walkmesh.viewer.sheet import PictureLayout

SHOWS = ("both", "plans", "oblique")


def drawn(figure):
    """Return the pixels of a figure, (h, w, 3) from 0 to 1."""
    target = io.BytesIO()
    figure.savefig(target, format="png")
    target.seek(0)
    return imread(target)[:, :, :3]


def panel(figure, axes):
    """Return the pixels of some axes of a figure."""
    picture, box = drawn(figure), axes.get_position()
    height, width = picture.shape[:2]
    rows = slice(round((1 - box.y1) * height), round((1 - box.y0) * height))
    return picture[rows, round(box.x0 * width) : round(box.x1 * width)]


def plates(*corners, width=10.0):
    """Return a navmesh of squares, each from a corner (x, y, z)."""
    square = np.array([(0, 0, 0), (0, 0, width), (width, 0, width), (width, 0, 0)])
    points = (np.array(corners)[:, None] + square).reshape(-1, 3)
    return NavMesh(points, range(0, len(points) + 1, 4), range(len(points)))


@pytest.fixture
def two_levels():
    return samples.two_levels()


def test_a_picture_shows_components_and_paths(tmp_path, two_levels):
    path = tmp_path / "levels.png"
    save_picture(path, navmesh_of(two_levels), scene=two_levels, paths=[[(1, 0, 1), (3, 0, 5)]])
    assert imread(path).shape[:2] == (960, 1650)
    for color in (*COMPONENT_COLORS[:2], PATH_COLOR, "white"):
        assert pixels(path, color) > 500, color
    assert pixels(path, COMPONENT_COLORS[2]) == 0


def test_specks_share_a_quiet_colour(tmp_path):
    large = [(0, 0, 0), (0, 0, 10), (10, 0, 10), (10, 0, 0)]
    speck = [(12, 0, 0), (12, 0, 1), (13, 0, 1), (13, 0, 0)]
    save_picture(tmp_path / "a.png", NavMesh(large + speck, [0, 4, 8], range(8)))
    assert pixels(tmp_path / "a.png", SPECK_COLOR) > 100
    assert pixels(tmp_path / "a.png", COMPONENT_COLORS[1]) == 0


@pytest.mark.parametrize("show", SHOWS)
@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_the_same_picture_is_the_same_bytes(tmp_path, two_levels, suffix, show):
    navmesh = navmesh_of(two_levels).with_links([(1, 0, 1)], [(4, 0, 1)], two_way=False)
    for name in ("a", "b"):
        file = (tmp_path / name).with_suffix(suffix)
        save_picture(file, navmesh, paths=[[(1, 0, 1), (3, 0, 5)]], show=show)
    first, second = ((tmp_path / name).with_suffix(suffix).read_bytes() for name in ("a", "b"))
    assert first == second
    assert len(first) > 1000


@pytest.mark.parametrize("show", SHOWS)
def test_up_only_turns_the_world(tmp_path, show):
    for up in ("y", "z"):
        scene = samples.ramp(up=up)
        navmesh = navmesh_of(scene)
        ground = plan_points(navmesh)[navmesh.polygon_vertices]
        ends = navmesh.frame.to_world(np.array([ground.min(axis=0), ground.max(axis=0)]))
        navmesh = navmesh.with_links(ends[:1], ends[1:], two_way=False)
        save_picture(tmp_path / f"{up}.png", navmesh, scene=scene, paths=[ends], show=show)
    assert (tmp_path / "y.png").read_bytes() == (tmp_path / "z.png").read_bytes()


@pytest.mark.parametrize("show", SHOWS)
def test_an_empty_navmesh_is_an_empty_picture(show):
    picture = drawn(NavMesh([], [0], []).plot(paths=[np.empty((0, 3))], show=show))
    assert count(picture, COMPONENT_COLORS[0]) == 0
    assert count(picture, "white") > 0.9 * picture.shape[0] * picture.shape[1]


@pytest.mark.parametrize("show", SHOWS)
def test_every_picture_shows_scene_navmesh_path_and_links(show, two_levels):
    navmesh = navmesh_of(two_levels).with_links([(1, 0, 1)], [(4, 0, 1)], kind=LinkKind.JUMP)
    path = navmesh.find_path((1, 0, 3), (4, 0, 3))
    bare = drawn(navmesh.without_links().plot(show=show))
    full = drawn(navmesh.plot(scene=two_levels, paths=[path], show=show))
    for color in (PATH_COLOR, LINK_COLORS[LinkKind.JUMP]):
        assert count(full, color) > 100, color
        assert count(bare, color) == 0, color
    assert count(full, COMPONENT_COLORS[0]) > 5000


@pytest.mark.parametrize("show", SHOWS)
def test_a_picture_fills_its_page_and_nothing_is_cut_off(show, two_levels):
    navmesh = navmesh_of(two_levels)
    corners = [navmesh.vertices.min(axis=0), navmesh.vertices.max(axis=0)]
    navmesh = navmesh.with_links(*[[corner] for corner in corners], kind=LinkKind.DROP)
    picture = drawn(navmesh.plot(scene=two_levels, paths=[corners], show=show))
    inked = (picture < 0.99).any(axis=2)
    for edge in (inked[0], inked[-1], inked[:, 0], inked[:, -1]):
        assert not edge.any()
    rows, columns = (np.flatnonzero(inked.any(axis=axis)) for axis in (1, 0))
    assert np.ptp(rows) > 0.9 * len(inked)
    assert np.ptp(columns) > 0.9 * len(inked[0])


def test_plans_and_view_have_pages_of_their_shape():
    long, tall = (
        NavMesh([(0, 0, 0), (0, 0, x), (z, 0, x), (z, 0, 0)], [0, 4], range(4))
        for z, x in ((5.0, 50.0), (50.0, 5.0))
    )
    for show in ("plans", "oblique"):
        wide, high = (navmesh.plot(show=show).get_size_inches() for navmesh in (long, tall))
        assert wide[0] == pytest.approx(11.0)
        assert wide[1] < wide[0]
        assert high[1] <= 8.0 + 1e-9
    assert high[0] < 11.0


def test_plans_take_the_columns_that_make_them_largest():
    wide = PictureLayout.holding(4, np.array([30.0, 5.0]), header=0.0, name=0.3)
    square = PictureLayout.holding(4, np.array([10.0, 10.0]), header=0.0, name=0.3)
    high = PictureLayout.holding(4, np.array([5.0, 30.0]), header=0.0, name=0.3)
    assert [page.columns for page in (wide, square, high)] == [1, 2, 4]


def test_walls_around_a_room_are_in_its_plan():
    corners = np.array([(-0.5, 0, -0.5), (-0.5, 0, 10.5), (10.5, 0, 10.5), (10.5, 0, -0.5)])
    points = np.concatenate([corners, corners + (0, 2.5, 0)])
    sides = [(i, (i + 1) % 4) for i in range(4)]
    faces = [f for i, j in sides for f in ((i, j, j + 4), (i, j + 4, i + 4))]
    ground = NavMesh(plates((0, 0, 0)).vertices, [0, 4], range(4), agent=Agent(radius=0.3))
    figure = ground.plot(scene=Scene(points, faces), show="plans")
    room = panel(figure, figure.axes[0])
    dark = np.all(np.abs(room - to_rgb(INK)) < 0.1, axis=2)
    # Straight from the middle to each side, there are the edge of the navmesh and the wall.
    middle = [size // 2 for size in dark.shape]
    for way in (
        dark[: middle[0], middle[1]], dark[middle[0] :, middle[1]],
        dark[middle[0], : middle[1]], dark[middle[0], middle[1] :],
    ):  # fmt: skip
        assert np.count_nonzero(np.diff(way.astype(int)) == 1) + way[0] == 2


@pytest.mark.parametrize("show", SHOWS)
def test_links_have_the_colours_of_their_kinds(show):
    ground = plates((0, 0, 0))
    for kind in (*LinkKind, 77):
        navmesh = ground.with_links([(2, 0, 2)], [(8, 0, 8)], kind=kind)
        picture = drawn(navmesh.plot(show=show))
        own = LINK_COLORS.get(kind, LINK_COLORS[LinkKind.CUSTOM])
        assert count(picture, own) > 100, kind
        for other in set(LINK_COLORS.values()) - {own}:
            assert count(picture, other) == 0, kind


@pytest.mark.parametrize("show", SHOWS)
def test_links_that_lead_one_way_have_a_head_at_their_goal(show):
    ground = plates((0, 0, 0))
    starts, goals = [(2, 0, 5)], [(8, 0, 5)]
    there, back, both = (
        drawn(ground.with_links(*ends, two_way=two_way, kind=LinkKind.DROP).plot(show=show))
        for ends, two_way in (
            ((starts, goals), False), ((goals, starts), False), ((starts, goals), True),
        )
    )  # fmt: skip
    color = LINK_COLORS[LinkKind.DROP]
    assert count(there, color) > count(both, color) + 20
    assert count(back, color) > count(both, color) + 20
    assert not np.array_equal(there, back)


def test_links_are_in_the_plans_of_the_levels_where_their_ends_are():
    ground = plates((0, 0, 0), (0, 3, 0))
    ends = {
        (False, True): ((2, 0, 2), (8, 0, 8)),
        (True, False): ((2, 3, 2), (8, 3, 8)),
        (True, True): ((2, 3, 2), (8, 0, 8)),
    }
    for expected, (start, goal) in ends.items():
        figure = ground.with_links([start], [goal], kind=LinkKind.CLIMB).plot(show="plans")
        assert [axes.get_title(loc="left") for axes in figure.axes] == [
            "level 3.0 m",
            "level 0.0 m",
        ]
        seen = [count(panel(figure, axes), LINK_COLORS[LinkKind.CLIMB]) for axes in figure.axes]
        assert tuple(number > 100 for number in seen) == expected


def test_links_do_not_show_through_the_storey_above():
    # Pieces of surfaces are longer here than storeys are high.
    halls = plates((0, 0, 0), (0, 4, 0), width=250.0)
    starts = np.array([(x, 0.0, 120.0) for x in np.arange(100.0, 150.0)])
    ends = starts, starts + (0.0, 0.0, 0.5)
    hidden = halls.with_links(*ends, kind=LinkKind.JUMP)
    shown = halls.with_links(*(end + (0.0, 4.0, 0.0) for end in ends), kind=LinkKind.JUMP)
    legend, seen = (
        count(panel(figure, figure.axes[0]), LINK_COLORS[LinkKind.JUMP])
        for figure in (navmesh.plot(show="oblique") for navmesh in (hidden, shown))
    )
    assert legend == 0
    assert seen > 50


@pytest.mark.parametrize("show", SHOWS)
def test_links_that_are_nowhere_are_an_error(show):
    ground = plates((0, 0, 0))
    links = np.zeros(1, dtype=LINK_DTYPE)
    links["goal"] = np.nan
    broken = NavMesh(ground.vertices, [0, 4], range(4), links=links)
    with pytest.raises(FormatError, match="links has ends that are not finite; validate"):
        broken.plot(show=show)


def test_thousands_of_links_are_thinner_and_leave_the_ground_to_see():
    ground = plates((0, 0, 0), width=100.0)
    places = np.stack(np.meshgrid(np.arange(1.0, 99.0, 2.0), [0.0], np.arange(1.0, 99.0, 2.0)), -1)
    starts = places.reshape(-1, 3)
    navmesh = ground.with_links(starts, starts + (0.0, 0.0, 1.6), kind=LinkKind.JUMP)
    picture = drawn(navmesh.plot(show="plans"))
    assert len(navmesh.links) == 2401
    assert count(picture, COMPONENT_COLORS[0]) > 0.78 * count(
        drawn(ground.plot(show="plans")), COMPONENT_COLORS[0]
    )


def test_links_and_paths_stay_apart_for_all_eyes():
    # How the world looks without one kind of cones, in linear RGB (Machado and others 2009).
    eyes = {
        "all": np.eye(3),
        "protanopia": [(0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)],
        "deuteranopia": [(0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)],
        "tritanopia": [(1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)],
    }
    to_xyz = np.array(
        [(0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505)]
    )

    def lab(color, eye):
        gamma = np.array(to_rgb(color))
        linear = np.where(gamma <= 0.04045, gamma / 12.92, ((gamma + 0.055) / 1.055) ** 2.4)
        x, y, z = np.cbrt(to_xyz @ np.clip(eye @ linear, 0.0, 1.0) / (0.9505, 1.0, 1.089))
        return np.array([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)])

    marks = [*LINK_COLORS.values(), PATH_COLOR]
    grounds = [COMPONENT_COLORS[0], SPECK_COLOR, "#FFFFFF"]
    pairs = [*combinations(marks, 2), *((mark, ground) for mark in marks for ground in grounds)]
    for name, eye in eyes.items():
        for pair in pairs:
            first, second = (lab(color, np.array(eye)) for color in pair)
            assert np.linalg.norm(first - second) > 20.0, (name, pair)


def test_paths_are_points_or_paths(two_levels):
    navmesh = navmesh_of(two_levels)
    path = navmesh.find_path((1, 0, 1), (3, 0, 5))
    assert isinstance(path, Path)
    pictures = [
        drawn(navmesh.plot(paths=paths, show="plans"))
        for paths in ([path], [path.points], [path.points.tolist()])
    ]
    assert count(pictures[0], PATH_COLOR) > 100
    assert all(np.array_equal(pictures[0], picture) for picture in pictures)
    nowhere = navmesh.plot(paths=[Path.unreachable()], show="plans")
    assert np.array_equal(drawn(nowhere), drawn(navmesh.plot(show="plans")))


def test_edges_can_be_left_out():
    ground = plates((0, 0, 0))

    def inked(**options):
        figure = ground.plot(show="oblique", **options)
        return count(drawn(figure), INK)

    assert inked(edges=False) == 0
    assert inked() == inked(edges=True) > 50
    many = navmesh_of(samples.terrain(30_000))
    assert count(drawn(many.plot(show="oblique", edges=True)), COMPONENT_COLORS[0]) < 0.8 * count(
        drawn(many.plot(show="oblique")), COMPONENT_COLORS[0]
    )


def test_a_notebook_shows_the_figure(two_levels):
    figure = navmesh_of(two_levels).plot(show="plans")
    shown = imread(io.BytesIO(figure._repr_png_()))[:, :, :3]
    assert np.array_equal(shown, drawn(figure))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"show": "floor"}, "show is 'floor'; it must be one of 'both', 'plans', 'oblique'"),
        ({"show": None}, "show is None; it must be one of"),
        ({"show": ["plans"]}, r"show is \['plans'\]; it must be one of"),
        ({"scene": "house.obj"}, "scene is 'house.obj'; it must be a walkmesh.Scene"),
        ({"scene": samples.floor(up="z")}, r"up is \(0.0, 0.0, 1.0\) for the scene and"),
        ({"paths": [(1, 0, 1), (2, 0, 2)]}, r"paths\[0\] has shape \(3,\)"),
        ({"paths": [[(1, 0, 1), (np.nan, 0, 2)]]}, r"paths\[0\] has a coordinate"),
        ({"paths": Path.unreachable()}, r"paths is Path\(.*\); it must be a list of paths"),
        ({"paths": 3}, "paths is 3; it must be a list of paths"),
        ({"paths": np.array(3)}, r"paths is array\(3\); it must be a list of paths"),
        ({"edges": np.zeros(3)}, "edges is .*; it must be True or False"),
        ({"edges": "no"}, "edges is 'no'; it must be True or False"),
    ],
)
def test_what_cannot_be_drawn_is_an_error(options, words):
    with pytest.raises(SettingsError, match=words):
        plates((0, 0, 0)).plot(**options)


def test_a_large_navmesh_can_be_drawn_without_its_edges(tmp_path):
    navmesh = navmesh_of(samples.terrain(30_000))
    save_picture(tmp_path / "terrain.png", navmesh)
    assert pixels(tmp_path / "terrain.png", COMPONENT_COLORS[0]) > 100_000


@pytest.mark.parametrize("name", ["house.jpg", "house"])
def test_an_unknown_suffix_is_an_error_and_leaves_nothing(tmp_path, two_levels, name):
    with pytest.raises(FormatError, match=rf"cannot write .*{name}: .* \.png, \.svg"):
        save_picture(tmp_path / name, navmesh_of(two_levels))
    assert list(tmp_path.iterdir()) == []


def test_pictures_leave_the_settings_of_matplotlib_alone(tmp_path, two_levels):
    import matplotlib

    before = dict(matplotlib.rcParams)
    save_picture(tmp_path / "a.svg", navmesh_of(two_levels))
    assert dict(matplotlib.rcParams) == before


def test_the_house_has_two_levels():
    assert level_heights(navmesh_of(samples.house())) == pytest.approx([0.0, 3.0], abs=0.01)


def test_hills_are_one_level():
    assert len(level_heights(navmesh_of(samples.terrain(2_000)))) == 1


def test_a_height_belongs_to_the_level_below_it():
    levels = np.array([0.0, 3.0])
    assert levels_of(np.array([-5.0, 0.0, 2.0, 2.9, 9.0]), levels).tolist() == [0, 0, 0, 1, 1]


def test_edges_are_told_apart():
    inner, boundary = polygon_edges(navmesh_of(samples.floor(3.0, 2.0)))
    assert len(inner) == 1
    assert np.linalg.norm(boundary[:, 1] - boundary[:, 0], axis=1).sum() == pytest.approx(10.0)


def test_cutting_keeps_area_and_source():
    triangles = np.random.default_rng(0).uniform(-3.0, 3.0, (20, 3, 3))
    pieces, sources = cut_triangles(triangles, 0.5)
    sides = np.linalg.norm(pieces[:, [1, 2, 0]] - pieces, axis=2)
    assert sides.max() <= 0.5

    def areas(corners):
        edges = corners[:, 1:] - corners[:, :1]
        return np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1)

    assert np.bincount(sources, areas(pieces)) == pytest.approx(areas(triangles))


def test_segments_are_cut_evenly():
    pieces = cut_segments(np.array([[(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)]]), 0.3)
    assert pieces[:, :, 0].tolist() == [[0.0, 0.25], [0.25, 0.5], [0.5, 0.75], [0.75, 1.0]]


def test_flat_ground_keeps_its_colour_and_slopes_are_shaded():
    ground = np.array([[(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]])
    rising, falling = ground.copy(), ground.copy()
    rising[0, 1, 2], falling[0, 1, 2] = 0.5, -0.5
    assert shade(ground, 0.2) == pytest.approx([1.0])
    assert shade(falling, 0.2) < 1.0 < shade(rising, 0.2)


def test_the_camera_looks_down_from_the_front():
    camera = Camera.looking_down()
    axes = np.array([camera.right, camera.up, camera.towards])
    assert axes @ axes.T == pytest.approx(np.eye(3))
    assert np.linalg.det(axes) == pytest.approx(1.0)
    assert camera.project(np.array([0.0, 0.0, 1.0]))[1] > 0.0
    assert camera.nearness(np.array([0.0, -1.0, 1.0])) > 0.0


def areas_of(axes, color):
    """Return how much of a picture has about the hue of a colour."""
    picture = axes[:, :, :3]
    return float(np.mean(np.abs(picture - to_rgb(color)).max(axis=2) < 0.25))


def test_a_surface_is_seen_from_two_sides():
    figure = surface_shapes.box(inside=True).plot()
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "from above",
        "from below, opposite",
    ]
    # The near walls of a room are looked through; those beyond fill the picture.
    for axes in figure.axes:
        assert areas_of(panel(figure, axes), COMPONENT_COLORS[0]) > 0.5


@pytest.mark.parametrize("color", [0, 1])
def test_back_sides_are_faint(color):
    # Two squares that are not connected, on top of each other: one faces up, the other down.
    square = np.array([(0, 0, 0), (0, 0, 3), (3, 0, 3), (3, 0, 0)])
    vertices = np.concatenate([square, square + (0.0, -0.5, 0.0)])
    navmesh = surface_shapes.surface(vertices, [(0, 1, 2, 3), (7, 6, 5, 4)])
    figure = navmesh.plot(edges=False)
    seen = areas_of(panel(figure, figure.axes[color]), COMPONENT_COLORS[color])
    hidden = areas_of(panel(figure, figure.axes[1 - color]), COMPONENT_COLORS[color])
    assert seen > 0.3
    assert hidden < 0.05


def test_plans_of_a_surface_show_what_faces_up():
    figure = surface_shapes.box(inside=True, agent=Agent()).plot(show="plans")
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["level 0.0 m, what faces up"]
    above = surface_shapes.box(agent=Agent()).plot(show="plans")
    assert [axes.get_title(loc="left") for axes in above.axes] == ["level 3.0 m, what faces up"]


@pytest.mark.parametrize("show", SHOWS)
def test_surfaces_of_nothing_and_with_a_scene_can_be_drawn(show):
    nothing = surface_shapes.surface(np.empty((0, 3)), [])
    assert nothing.plot(show=show).axes
    ball = surface_shapes.sphere(2, agent=Agent())
    scene = Scene(1.5 * ball.vertices, ball.triangles)
    line = ball.vertices[:3]
    assert drawn(ball.plot(show=show, scene=scene, paths=[line])).std() > 0.0
