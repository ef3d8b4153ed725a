import walkmesh as wm

NAMES = {
    "Agent", "BuildError", "Building", "Cancelled", "Evaluation", "Exact", "FloorPlan",
    "FormatError", "LINK_DTYPE", "LinkKind", "Located", "MissingPackageError", "NavMesh", "Path",
    "PathNodes", "Paths",
    "Planar", "Rays", "Report", "Scene", "SceneError", "SettingsError", "Stairs", "Surface",
    "Violation", "Voxel", "WalkmeshError", "bridge_gaps", "build", "evaluate", "find_links",
    "load_building", "load_navmesh", "load_plan", "load_scene", "plot_stages", "samples",
    "stages", "view",
}  # fmt: skip


def test_exported_names():
    assert set(wm.__all__) == NAMES
    assert len(wm.__all__) == len(NAMES)  # ruff keeps them sorted, constants first
    for name in NAMES:
        assert getattr(wm, name) is not None


def test_every_error_is_a_walkmesh_error():
    for name in NAMES:
        value = getattr(wm, name)
        if isinstance(value, type) and issubclass(value, Exception):
            assert issubclass(value, wm.WalkmeshError)


def test_arrays_and_queries_of_a_navmesh_have_their_names():
    for name in (
        "vertices", "polygon_offsets", "polygon_vertices", "neighbors", "areas", "components",
        "links", "agent", "up", "report",
    ):  # fmt: skip
        assert name in wm.NavMesh.__annotations__
    for name in (
        "triangles", "find_path", "nearest", "validate", "save", "paint", "with_areas",
        "with_links", "without_links", "prune", "sample", "plot", "path_nodes",
    ):  # fmt: skip
        assert hasattr(wm.NavMesh, name)
