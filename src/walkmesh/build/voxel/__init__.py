"""The voxel method: a navmesh from columns of solid spans, for any input and any size."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from walkmesh.build.faces import filter_slope
from walkmesh.build.losses import Losses, mesh_opened_area
from walkmesh.build.smallest_part import SmallestPart
from walkmesh.build.stage import Stage
from walkmesh.build.voxel.cells import Shown, cell_mesh
from walkmesh.build.voxel.contours import outline_patches
from walkmesh.build.voxel.finish import finish
from walkmesh.build.voxel.ground import lay_ground
from walkmesh.build.voxel.heightfield import Lattice, keep_clear, open_columns
from walkmesh.build.voxel.kernels.spans import WALKABLE
from walkmesh.build.voxel.kernels.tolerances import (
    CLEAR_PART,
    CONTOUR_ERROR,
    CONTOUR_SHARE,
    LEAST_CLEARANCE,
    OFF_LINE,
    OVERHANG,
    WHOLE_LEVELS,
)
from walkmesh.build.voxel.regions import join_tiles
from walkmesh.build.voxel.slices.contours import merge_slices, slice_tile
from walkmesh.build.voxel.slices.join import join_slices
from walkmesh.build.voxel.slices.steps import drop_small_slices, lay_slices, make_stepped
from walkmesh.build.voxel.tiles import over_tiles
from walkmesh.build.voxel.watershed import flood_tile, label_spans
from walkmesh.errors import SettingsError
from walkmesh.settings import check, choice, setting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from walkmesh.agent import Agent
    from walkmesh.arrays import Floats, Ids
    from walkmesh.build.faces import Faces
    from walkmesh.build.mesh import TriangleMesh
    from walkmesh.build.voxel.heightfield import Columns
    from walkmesh.build.voxel.kernels.distance import GroundLimits
    from walkmesh.build.voxel.kernels.window import Window
    from walkmesh.navmesh import NavMesh
    from walkmesh.progress import Progress
    from walkmesh.scene import Scene

# Steps along a common edge get a link in every so many metres.
_LINK_SPACING = 1.0


@dataclass(frozen=True, kw_only=True)
class Voxel:
    """Settings of the voxel method, which works on columns of cells, tile by tile.

    It takes any input, however dirty, and any size. What is solid in each column is found by
    clipping the triangles to it. Where the ground ends is known better than to a cell, and the
    agent's radius is kept from there, not from the cells.

    Parameters
    ----------
    sides : {"front", "back", "both"}, default "front"
        Which sides of the scene's triangles are walked on, as long as they lie on top. The front is
        where a triangle is counter-clockwise. With "back", a scene that is wound the other way is
        walked on; with "both", every level face that has headroom above it is, and so is the inside
        of solids higher than the agent.
    cell_size : float, default 0.1
        The side of a cell in plan. [Limit: >= 0.001, <= 100] [Unit: m]
    cell_height : float, default 0.05
        The height of a voxel. Solids closer than this are one, and slices are this high.
        [Limit: >= 0.001, <= 100] [Unit: m]
    partition : {"watershed", "slices"}
        How the ground is parted. With watersheds it follows the heights, and boundaries lie
        where they are. Slices are level and have vertices at the corners of cells alone, with
        links where there are steps.
    tile_voxels : int, default 256
        The side of the tiles that are worked on one by one; 0 for one tile. Tiles change memory
        and time, and leave no trace in the navmesh. [Limit: 0, or >= 16] [Unit: voxels]
    triangulation : {"delaunay", "ears", "min_area"}
        How contours are cut into triangles before these are merged to convex polygons.
    boundary_tolerance : float, default 0.5
        How far the boundary may be moved inwards to make it simpler, at most a tenth of the width
        that a passage has. Slices stay as they are. [Limit: >= 0, <= 10] [Unit: cells]
    height_tolerance : float, default 0.05
        How far the navmesh may leave the heights of the cells. [Limit: >= 0] [Unit: m]
    min_patch_area : float, optional
        Connected parts with less area in plan are left out. By default twice the square of the
        radius, 0.18 m2 for 0.3 m, but parts four radii long stay. [Limit: >= 0] [Unit: m2]

    Raises
    ------
    SettingsError
        When a value is outside its limit.
    """

    sides: Literal["front", "back", "both"] = choice(
        "front", "Which sides of the triangles are walked on", "back", "both"
    )
    cell_size: float = setting(0.1, "The side of a cell in plan", "m", minimum=0.001, maximum=100.0)
    cell_height: float = setting(0.05, "The height of a voxel", "m", minimum=0.001, maximum=100.0)
    partition: Literal["watershed", "slices"] = choice(
        "watershed", "How the ground is parted", "slices"
    )
    tile_voxels: int = setting(256, "The side of a tile, 0 for one tile", "voxels", whole=True)
    triangulation: Literal["delaunay", "ears", "min_area"] = choice(
        "delaunay", "How contours are cut into triangles", "ears", "min_area"
    )
    boundary_tolerance: float = setting(
        0.5, "How far the boundary may be moved inwards to make it simpler", "cells", maximum=10.0
    )
    height_tolerance: float = setting(
        0.05, "How far the navmesh may leave the heights of the cells", "m"
    )
    min_patch_area: float | None = setting(
        None,
        "Connected parts with less area are left out",
        "m2",
        derived="twice the square of the radius, unless four radii long",
    )

    stage_names: ClassVar[tuple[str, ...]] = (
        "heightfield",
        "distance",
        "regions",
        "contours",
        "polygons",
    )
    notes: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        check(self)
        if 0 < self.tile_voxels < 16:
            raise SettingsError(
                f"Voxel.tile_voxels is {self.tile_voxels}; it must be 0 or at least 16 voxels"
            )

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages whose modules a build runs."""
        more = ("walkmesh.build.voxel.slices",) if self.partition == "slices" else ()
        return ("walkmesh.build.voxel", "walkmesh.build.triangulation", *more)

    def run(
        self, scene: Scene, agent: Agent, progress: Progress, workers: int | None
    ) -> Iterator[Stage]:
        """Yield every stage in order; the last one's mesh is the navmesh."""
        if self.partition == "slices":
            yield from self._run_slices(scene, agent, progress, workers)
        else:
            yield from self._run_watershed(scene, agent, progress, workers)

    def _run_watershed(
        self, scene: Scene, agent: Agent, progress: Progress, workers: int | None
    ) -> Iterator[Stage]:
        tiles = _Tiles(self, scene, agent, agent.radius, progress, workers)

        def flood(window: Window, limits: Any) -> Any:
            radius = max(agent.radius, OFF_LINE * self.cell_size)
            return flood_tile(window, limits, self.cell_size, radius, self.height_tolerance)

        parts = tiles.run(flood)
        yield from tiles.stages()
        losses = tiles.losses
        regions, counts, losses.free, losses.small = join_tiles(parts, self.cell_size, losses.least)
        del parts  # what is joined is not needed twice
        small = counts["small_components"]
        losses.check_any(regions.patches)
        losses.check_any(regions.loops.ends, after_patches=True)
        yield tiles.regions_stage(_label_watershed, regions.patches, **counts)

        progress("contours", 0.0)
        contours, counts = outline_patches(
            regions,
            self.cell_size,
            min(
                min(CONTOUR_ERROR, self.boundary_tolerance) * self.cell_size,
                CONTOUR_SHARE * agent.radius,
            ),
            self.height_tolerance / 2.0,
            agent.max_step / 2.0,
            agent.height,
        )
        del regions
        lay = partial(
            lay_ground,
            cell=self.cell_size,
            method=self.triangulation,
            frame=scene.frame,
            workers=workers,
        )
        bare = replace(
            contours,
            samples=contours.samples[:0].copy(),
            sample_heights=contours.sample_heights[:0].copy(),
            patch_samples=np.zeros_like(contours.patch_samples),
        )
        yield Stage(
            "contours",
            lambda: lay(bare, height_tolerance=np.inf, on_chunk=_unheard)[0],
            counts,
            clearance=agent.radius,
        )

        progress("polygons", 0.0)
        ground, left_out = lay(
            contours,
            height_tolerance=self.height_tolerance / 2.0,
            on_chunk=partial(progress, "polygons"),
        )
        del contours
        losses.check_any(ground.triangles)
        navmesh, removed = finish(
            ground,
            agent,
            self.height_tolerance / 2.0,
            max(OFF_LINE, self.boundary_tolerance) * self.cell_size,
            OFF_LINE * self.cell_size,
            losses.least,
            workers,
        )
        counts = {"patches_left_out": left_out, "triangles_in": len(ground.triangles), **removed}
        counts["polygons_out"] = navmesh.polygon_count
        losses.wide = max(losses.survey.standable - losses.survey.buried, 0.0)
        losses.opened = _opened_area(navmesh, scene, agent.radius)
        if small:  # parts that were wide enough as well, taken for squares
            side = np.sqrt(losses.small / small) + 2.0 * agent.radius
            losses.opened += float(small * side**2)
        yield Stage("polygons", lambda: navmesh, counts, losses=losses)

    def _label_slices(self, window: Window) -> tuple[Floats, int]:
        """Return the levels that spans lie in; tiles share them."""
        levels = np.floor(window.heights.astype(np.float64) / self.cell_height)
        return np.where(window.kept == 1, levels, 0.0), 0

    def _run_slices(
        self, scene: Scene, agent: Agent, progress: Progress, workers: int | None
    ) -> Iterator[Stage]:
        if 3.0 * self.cell_height > agent.height:
            raise SettingsError(
                f"Voxel.cell_height is {self.cell_height:g}; slices need it to be at most a third "
                f"of the agent's height, {agent.height / 3.0:g} m"
            )
        spread = max(CLEAR_PART, 0.5 - OVERHANG * agent.radius / self.cell_size)
        clearance = max(agent.radius, LEAST_CLEARANCE)
        tiles = _Tiles(self, scene, agent, clearance, progress, workers, spread)
        parts = tiles.run(lambda window, _: slice_tile(window, self.cell_height))
        yield from tiles.stages()
        contours = merge_slices(parts)
        losses = tiles.losses
        losses.check_any(contours.levels)
        yield tiles.regions_stage(self._label_slices, None, regions=len(contours.levels))

        progress("contours", 0.0)
        joined = join_slices(
            contours,
            int(agent.max_step / self.cell_height + WHOLE_LEVELS),
            cell=self.cell_size,
            cell_height=self.cell_height,
            spacing=_LINK_SPACING,
            radius=agent.radius,
        )
        stays, dropped = drop_small_slices(joined, contours, self.cell_size, losses.least)
        losses.check_any(np.flatnonzero(stays), after_patches=True)
        cells = contours.cells * self.cell_size**2
        losses.free, losses.small = float(cells.sum()), float(cells[~stays].sum())
        lay = partial(lay_slices, joined, stays, self.cell_size, self.triangulation, scene.frame)
        counts = {"vertices": len(joined.points), "rings": len(joined.ring_offsets) - 1, **dropped}
        yield Stage("contours", lambda: lay(workers, _unheard), counts, clearance=agent.radius)

        progress("polygons", 0.0)
        ground = lay(workers, partial(progress, "polygons"))
        navmesh = make_stepped(ground, joined, stays, agent, self.cell_size, self.cell_height)
        counts = {
            "triangles_in": len(ground.triangles),
            "polygons_out": navmesh.polygon_count,
            "step_links": len(navmesh.links),
        }
        # How much is narrow is not known: the boundaries of slices are those of cells.
        yield Stage("polygons", lambda: navmesh, counts, losses=losses)


def _label_watershed(window: Window) -> tuple[Floats, int]:
    """Return the watershed regions of spans, and how many there are."""
    found = label_spans(window)
    return found.labels.astype(np.float64), found.regions


class _Tiles:
    """The stages that are worked on tile by tile, each tile going through all of them."""

    def __init__(
        self,
        method: Voxel,
        scene: Scene,
        agent: Agent,
        clearance: float,
        progress: Progress,
        workers: int | None,
        spread: float = 0.0,
    ) -> None:
        progress("heightfield", 0.0)
        self._agent = agent
        self._clearance = clearance, spread
        self._progress = progress
        self._workers = workers
        self._faces: Faces = filter_slope(scene, agent, method.sides)
        self.losses = Losses(
            scene, self._faces, agent, least=SmallestPart.of(method.min_patch_area, agent)
        )
        self._lattice = Lattice.over(
            self._faces, agent, method.cell_size, method.cell_height, method.tile_voxels
        )
        self._seconds = np.zeros(3)
        self._wall = 0.0
        self._spans = np.zeros(3, dtype=np.int64)

    def run(self, part: Callable[[Window, Any], Any]) -> list[Any]:
        """Return what `part` makes of every tile's window and limits."""
        began = time.perf_counter()

        def work(tile: tuple[int, int], chosen: Ids) -> Any:
            times = [time.perf_counter()]
            columns = open_columns(self._faces, chosen, self._agent, self._lattice, tile)
            times.append(time.perf_counter())
            window, limits = self._keep_clear(columns, chosen)
            times.append(time.perf_counter())
            result = part(window, limits)
            times.append(time.perf_counter())
            sizes = (len(columns.solid.spans), len(window.kept), np.count_nonzero(window.kept))
            return result, np.diff(times), sizes

        results = []
        for done, (result, seconds, sizes) in over_tiles(
            self._faces, self._lattice, work, self._workers
        ):
            results.append(result)
            self._seconds += seconds
            self._spans += sizes
            self._progress("heightfield", done)
        self._wall = time.perf_counter() - began
        return results

    def stages(self) -> Iterator[Stage]:
        """Yield the first two stages."""
        shares = self._shares()
        solid, opened, kept = (int(count) for count in self._spans)
        cell, frame = self._lattice.cell, self._faces.frame
        tiles = self._lattice.shape
        yield Stage(
            "heightfield",
            lambda: cell_mesh(self._over_tiles(self._opened), cell, frame)[0],
            {"tiles": tiles[0] * tiles[1], "solid_spans": solid, "open_spans": opened},
            shares[0],
        )
        self._progress("distance", 0.0)
        yield Stage(
            "distance",
            self._distance_mesh,
            {"kept_spans": kept},
            shares[1],
            clearance=self._clearance[0],
        )
        self._progress("regions", 0.0)

    def regions_stage(
        self, label: Callable[[Window], tuple[Floats, int]], joined: Ids | None, **counts: int
    ) -> Stage:
        """Return the third stage, whose tiles were put together since.

        Parameters
        ----------
        label : callable
            Returns the regions of a window's spans, and how many the tile has.
        joined : (r,) int32, optional
            What the regions of all tiles, one after the other, became together.
        """

        def make_mesh() -> TriangleMesh:
            return self._regions_mesh(label, joined)

        return Stage("regions", make_mesh, counts, self._shares()[2], clearance=self._clearance[0])

    def _shares(self) -> list[float]:
        """Return the time that passed for each stage; threads share it in proportion."""
        total = self._seconds.sum()
        return [float(x) for x in self._wall * self._seconds / (total or 1.0)]

    def _distance_mesh(self) -> TriangleMesh:
        cell = self._lattice.cell
        mesh, halves = cell_mesh(self._over_tiles(self._kept), cell, self._faces.frame)
        return replace(mesh, distances=self._clearance[0] + halves * cell / 2.0)

    def _keep_clear(self, columns: Columns, chosen: Ids) -> tuple[Window, GroundLimits]:
        return keep_clear(
            columns, self._faces, chosen, self._agent, self._lattice, *self._clearance
        )

    def _regions_mesh(
        self, label: Callable[[Window], tuple[Floats, int]], joined: Ids | None
    ) -> TriangleMesh:
        def labelled() -> Iterator[Shown]:
            before = 0
            for window, chosen, _ in self._over_tiles(self._kept):
                labels, count = label(window)
                yield Shown(window, chosen, labels + before)
                before += count

        mesh, values = cell_mesh(labelled(), self._lattice.cell, self._faces.frame)
        regions = values.astype(np.int32)
        return replace(mesh, regions=regions if joined is None else joined[regions])

    def _over_tiles(self, show: Callable[[Columns, Ids], Shown]) -> Iterator[Shown]:
        """Make all windows once more, to be looked at, with the spans that are of interest."""

        def work(tile: tuple[int, int], chosen: Ids) -> Shown:
            columns = open_columns(self._faces, chosen, self._agent, self._lattice, tile)
            return show(columns, chosen)

        for _, result in over_tiles(self._faces, self._lattice, work, self._workers):
            yield result

    def _opened(self, columns: Columns, _: Ids) -> Shown:
        values = np.full(len(columns.kinds), np.nan)
        return Shown(columns.window, columns.kinds == WALKABLE, values)

    def _kept(self, columns: Columns, chosen: Ids) -> Shown:
        window, _ = self._keep_clear(columns, chosen)
        return Shown(window, window.kept == 1, label_spans(window).depth.astype(np.float64))


def _opened_area(navmesh: NavMesh, scene: Scene, radius: float) -> float:
    """Return the area of the ground that the agent covers from places on its navmesh [m2]."""
    places = np.ascontiguousarray(scene.frame.to_plan(navmesh.vertices)[:, :2])
    polygons = navmesh.polygon_offsets, navmesh.polygon_vertices, navmesh.neighbors
    return mesh_opened_area(places, *polygons, radius)


def _unheard(_: float) -> None:
    """Progress of what is only made to be looked at."""
