"""Slow, obvious twins of slices: whole maps at once, cell by cell and edge by edge."""

from collections import defaultdict

import numpy as np
from hypothesis import strategies as st

from walkmesh.builder.voxel.kernels.window import Window

CELL_HEIGHT = 0.1


def cells_of(layers):
    """Return the set of (row, col, level) of maps of levels, in which None is no ground."""
    return {
        (row, col, level)
        for layer in layers
        for row, line in enumerate(layer)
        for col, level in enumerate(line)
        if level is not None
    }


def plan(*lines):
    """Return the cells of a drawing: a digit is a level, anything else no ground."""
    return cells_of([[[int(c) if c.isdigit() else None for c in line] for line in lines]])


@st.composite
def maps(draw, layers=1, most=9):
    """Random maps, with few levels so that regions grow, and with layers 3 levels apart."""
    rows, cols = draw(st.integers(1, most)), draw(st.integers(1, most))
    levels = draw(st.sampled_from([[0], [0, None], [0, 1], [0, 1, None], [-2, 0, 1, 2, None]]))
    cell = st.sampled_from(levels)
    line = st.lists(cell, min_size=cols, max_size=cols)
    layer = st.lists(line, min_size=rows, max_size=rows)
    cells = cells_of([draw(layer)])
    for k in range(1, layers):
        cells |= {(row, col, level + 7 * k) for row, col, level in cells_of([draw(layer)])}
    return cells


def windows_of(cells, size, margin=1, origin=(0, 0)):
    """Cut cells into tile windows of `size` rows and columns, or into a single one for None.

    Every window also has spans that are not kept: their levels must not matter.
    """
    rows = [row for row, _, _ in cells] or [0]
    cols = [col for _, col, _ in cells] or [0]
    if size is None:
        cores = [(min(rows), max(rows) + 1, min(cols), max(cols) + 1)]
    else:
        cores = [
            (row, row + size, col, col + size)
            for row in range(
                (min(rows) - origin[0]) // size * size + origin[0], max(rows) + 1, size
            )
            for col in range(
                (min(cols) - origin[1]) // size * size + origin[1], max(cols) + 1, size
            )
        ]
    columns = defaultdict(list)
    for row, col, level in cells:
        columns[row, col].append(level)
    return [_window(columns, core, margin) for core in cores]


def _window(columns, core, margin):
    row0, col0 = core[0] - margin, core[2] - margin
    rows, cols = core[1] - core[0] + 2 * margin, core[3] - core[2] + 2 * margin
    first, heights, kept = [0], [], []
    for row in range(row0, row0 + rows):
        for col in range(col0, col0 + cols):
            levels = sorted(columns.get((row, col), []))
            heights += [level * CELL_HEIGHT for level in levels]
            kept += [1] * len(levels)
            if (row + col) % 3 == 0:
                heights.append(100.0)
                kept.append(0)
            first.append(len(heights))
    return Window(
        np.array([row0, col0, rows, cols, *core], dtype=np.int64),
        np.array(first, dtype=np.int32),
        np.array(heights, dtype=np.float32),
        np.full((len(heights), 4), -1, dtype=np.int32),
        np.array(kept, dtype=np.uint8),
    )


def regions_of(cells):
    """Return the regions as sets of cells: those of equal level that touch hang together."""
    left, regions = set(cells), []
    while left:
        region, stack = set(), [left.pop()]
        while stack:
            row, col, level = cell = stack.pop()
            region.add(cell)
            for i in (-1, 0, 1):
                for j in (-1, 0, 1):
                    other = (row + i, col + j, level)
                    if other in left:
                        left.remove(other)
                        stack.append(other)
        regions.append(region)
    return regions


def unit_rings(region):
    """Return the rings of a region, with every lattice point, starting at their smallest ones."""
    plan = {(row, col) for row, col, _ in region}
    edges, starts = {}, defaultdict(list)
    for row, col in plan:
        around = [(row, col), (row + 1, col), (row + 1, col + 1), (row, col + 1)]
        across = [(row, col - 1), (row + 1, col), (row, col + 1), (row - 1, col)]
        for k in range(4):
            if across[k] not in plan:
                edge = (around[k], around[(k + 1) % 4])
                edges[edge] = (row, col)
                starts[edge[0]].append(edge)
    # Where two cells touch at a point only, the ring stays with its cell.
    following = {
        edge: min(starts[edge[1]], key=lambda other, cell=cell: edges[other] != cell)
        for edge, cell in edges.items()
    }
    rings = []
    while following:
        edge = next(iter(following))
        ring = []
        while edge in following:
            ring.append(edge[0])
            edge = following.pop(edge)
        start = ring.index(min(ring))
        rings.append(ring[start:] + ring[:start])
    return sorted(rings)


def without_collinear(ring):
    """Drop the points of a ring at which it goes straight on."""
    return [
        point
        for before, point, after in zip(
            ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1], strict=True
        )
        if not (before[0] == point[0] == after[0] or before[1] == point[1] == after[1])
    ]


def contours_of(cells):
    """Return [(level, number of cells, rings)] of all regions, in their order."""
    contours = []
    for region in regions_of(cells):
        rings = [without_collinear(ring) for ring in unit_rings(region)]
        contours.append((next(iter(region))[2], len(region), rings))
    return sorted(contours, key=lambda contour: (contour[0], contour[2][0][0]))


def rings_with_vertices(cells):
    """Return, region by region, rings of (point, vertex) where ground a level apart is joined.

    Also returns the lowest and the highest level of every vertex.
    """
    regions = _ordered_regions(cells)
    nodes, edges, parents = [], {}, {}
    for index, (level, region) in enumerate(regions):
        for number, ring in enumerate(unit_rings(region)):
            corners = {k for k in range(len(ring)) if ring[k] in without_collinear(_near(ring, k))}
            for k, point in enumerate(ring):
                node, following = (index, number, k), (index, number, (k + 1) % len(ring))
                parents[node] = node
                nodes.append((node, point, level, k in corners))
                edges[point, ring[(k + 1) % len(ring)], level] = node, following

    def root(node):
        while parents[node] != node:
            node = parents[node]
        return node

    is_corner = {node: corner for node, _, _, corner in nodes}
    is_vertex = dict(is_corner)
    for (start, end, level), (first, second) in edges.items():
        if (end, start, level + 1) in edges:
            other_second, other_first = edges[end, start, level + 1]
            for a, b in ((first, other_first), (second, other_second)):
                is_vertex[a] |= is_corner[b]
                is_vertex[b] |= is_corner[a]
                parents[root(a)] = root(b)
    rings, levels = defaultdict(list), defaultdict(list)
    for node, point, level, _ in nodes:
        levels[root(node)].append(level)
        if is_vertex[node]:
            rings[node[:2]].append((point, root(node)))
    return list(rings.values()), {v: (min(found), max(found)) for v, found in levels.items()}


def _near(ring, k):
    """Return the three points of a ring around one, as a ring."""
    return [ring[k - 1], ring[k], ring[(k + 1) % len(ring)]]


def _ordered_regions(cells):
    regions = [(next(iter(region))[2], region) for region in regions_of(cells)]
    return sorted(regions, key=lambda item: (item[0], unit_rings(item[1])[0][0]))


def unit_steps(cells, most):
    """Return {(lower region, upper region, row, col)} of the middles of unit edges at steps."""
    number = {
        cell: index for index, (_, region) in enumerate(_ordered_regions(cells)) for cell in region
    }
    steps = set()
    for row, col, level in cells:
        for other, place in (
            ((row + 1, col), (row + 1, col + 0.5)),
            ((row - 1, col), (row, col + 0.5)),
            ((row, col + 1), (row + 0.5, col + 1)),
            ((row, col - 1), (row + 0.5, col)),
        ):
            # A contour runs there only where the cell across is of another region.
            for upper in range(level + 2, level + most + 1):
                if (
                    (*other, upper) in cells
                    and (row, col, upper) not in cells
                    and (*other, level) not in cells
                ):
                    steps.add((number[row, col, level], number[*other, upper], *place))
    return steps


def facing_edges(cells, most, radius):
    """Return [(lower region, upper region, middle, middle)] of edges that face each other."""
    edges = []
    for index, (level, _, rings) in enumerate(contours_of(cells)):
        for ring in rings:
            for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
                edges.append((np.array(a), np.array(b), index, level))
    joined, used = set(), set()
    for e in edges:
        for f in edges:
            if 0 < f[3] - e[3] <= max(most, 1) and _run_along(e, f):
                joined.add((e[2], f[2]))
                used |= {id(e), id(f)}
    found = []
    for i, e in enumerate(edges):
        for j, f in enumerate(edges):
            if not 0 < f[3] - e[3] <= most:
                continue
            if {id(e), id(f)} & used or (e[2], f[2]) in joined:
                continue
            d, across = e[1] - e[0], f[0] - e[1]
            near, far = across @ across, (f[1] - e[0]) @ (f[1] - e[0])
            facing = d @ (f[1] - f[0]) < 0 and d[0] * across[1] - d[1] * across[0] < 0
            if facing and max(near, far) < radius**2:
                found.append((e[2], f[2], near + far, i, j))
    links, taken = [], set()
    for low, high, _, i, j in sorted(found):
        if not {(i, low, high), (j, low, high)} & taken:
            taken |= {(i, low, high), (j, low, high)}
            middles = [tuple((edges[k][0] + edges[k][1]) / 2) for k in (i, j)]
            links.append((low, high, *middles))
    return links


def _run_along(e, f):
    """Tell whether two edges run along each other the other way round."""
    for axis in (0, 1):
        if e[0][axis] == e[1][axis] == f[0][axis] == f[1][axis]:
            a, b, c, d = e[0][1 - axis], e[1][1 - axis], f[0][1 - axis], f[1][1 - axis]
            return (b - a) * (d - c) < 0 and max(min(a, b), min(c, d)) < min(max(a, b), max(c, d))
    return False
