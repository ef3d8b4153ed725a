"""Scanning Wavefront OBJ: the ``v`` and ``f`` lines, everything else passed over.

A ``v`` or ``f`` line whose last byte is a backslash goes on in the next line. Other lines do not,
although the format says so: a comment or a material's path may well end in a backslash.
"""

from walkmesh.io.kernels.text import (
    BACKSLASH,
    CARRIAGE_RETURN,
    HASH,
    LETTER_F,
    LINE_FEED,
    LONG,
    MINUS,
    NINE,
    NO_NUMBER,
    PLUS,
    SLASH,
    SPACE,
    ZERO,
    ends_row,
    ends_token,
    is_line_end,
    list_token,
    scan_number,
    skip_blanks,
    skip_line,
    skip_token,
)
from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel

LETTER_V = 118
MAX_INDEX = 2**40  # beyond all that exist; larger ones are not told apart

# What is wrong with the first line that cannot be read.
FINE, BAD_COORDINATE, FEW_COORDINATES, BAD_INDEX, INDEX_ZERO, INDEX_BEYOND = 0, 1, 2, 3, 4, 5


@kernel
def _next_token(data, i):
    """Return where the next token of the line starts, also across a continuation."""
    i = skip_blanks(data, i)
    while i + 1 < len(data) and data[i] == BACKSLASH and is_line_end(data[i + 1]):
        crlf = data[i + 1] == CARRIAGE_RETURN and i + 2 < len(data) and data[i + 2] == LINE_FEED
        i = skip_blanks(data, i + 3 if crlf else i + 2)
    return i


@kernel
def _find_line(data, i):
    """Return the next line's letter, V or F, and the place after it; beyond the end if none."""
    while i < len(data):
        i = skip_blanks(data, i)
        letter = int(data[i]) if i < len(data) else 0
        known = letter in (LETTER_V, LETTER_F)
        if known and ends_token(data, i + 1):
            return letter, i + 1
        i = skip_line(data, i)
    return 0, len(data) + 1


@kernel(kt.BYTES, kt.OUT_LONGS)
def count_obj(data, counts):
    """Count what :func:`scan_obj` will write.

    Parameters
    ----------
    data : (n,) uint8
        The bytes of a file.
    counts : (3,) int64, output
        The number of vertices, of faces, and of faces' corners.
    """
    vertices, faces, corners = 0, 0, 0
    letter, i = _find_line(data, 0)
    while i <= len(data):
        if letter == LETTER_V:
            vertices += 1
        else:
            faces += 1
        tokens, i = _count_tokens(data, i)
        corners += tokens if letter == LETTER_F else 0
        letter, i = _find_line(data, i)
    counts[0] = vertices
    counts[1] = faces
    counts[2] = corners


@kernel
def _count_tokens(data, i):
    """Return how many tokens the line has from i on, and where it ends."""
    # One loop over the bytes is twice as fast as going from token to token.
    tokens = 0
    between = True
    while i < len(data) and not is_line_end(data[i]):
        byte = data[i]
        if byte <= SPACE:
            between = True
        elif byte == BACKSLASH and i + 1 < len(data) and is_line_end(data[i + 1]):
            i = _next_token(data, i) - 1
            between = True
        elif byte == HASH and between:
            break
        elif between or byte == BACKSLASH:
            tokens += 1
            between = False
        i += 1
    return tokens, i


@kernel(kt.BYTES, kt.OUT_FLOATS, kt.OUT_LONGS, kt.OUT_INTS, kt.OUT_INTS, kt.OUT_LONGS)
def scan_obj(data, coordinates, long_tokens, offsets, corners, counts):
    """Read all vertices and faces.

    Parameters
    ----------
    data : (n,) uint8
        The bytes of a file.
    coordinates : (3 v,) float64, output
        x, y and z of each vertex; not set where `long_tokens` says so.
    long_tokens : (9 v,) int64, output
        For each coordinate that was not read: its index, where its token starts and ends.
    offsets : (f + 1,) int32, output
        Where each face's corners start.
    corners : (c,) int32, output
        Vertex ids from 0.
    counts : (2,) int64, output
        How many coordinates were not read, and where the token is that cannot be used.

    Returns
    -------
    int
        FINE, or what is wrong with that token.
    """
    total = len(coordinates) // 3
    vertex, face, corner, unread = 0, 0, 0, 0
    offsets[0] = 0
    letter, i = _find_line(data, 0)
    while i <= len(data):
        if letter == LETTER_V:
            problem, i, unread = _scan_vertex(data, i, vertex, coordinates, long_tokens, unread)
            vertex += 1
        else:
            problem, i, corner = _scan_face(data, i, vertex, total, corners, corner)
            face += 1
            offsets[face] = corner
        if problem != FINE:
            counts[1] = i
            return problem
        letter, i = _find_line(data, i)
    counts[0] = unread
    return FINE


@kernel
def _scan_vertex(data, i, vertex, coordinates, long_tokens, unread):
    """Read three coordinates; what follows them (a weight, a colour) has no meaning here."""
    for k in range(3):
        i = _next_token(data, i)
        if ends_row(data, i):
            return FEW_COORDINATES, i, unread
        value, end, kind = scan_number(data, i)
        if kind == NO_NUMBER:
            return BAD_COORDINATE, i, unread
        if kind == LONG:
            list_token(long_tokens, unread, 3 * vertex + k, i, end)
            unread += 1
        coordinates[3 * vertex + k] = value
        i = end
    i = _next_token(data, i)
    while not ends_row(data, i):
        i = _next_token(data, skip_token(data, i))
    return FINE, i, unread


@kernel
def _scan_face(data, i, vertices_before, vertices, corners, corner):
    """Read the corners of a face: ``a``, ``a/b``, ``a//c`` or ``a/b/c``, of which only a counts."""
    i = _next_token(data, i)
    while not ends_row(data, i):
        index, end = _scan_index(data, i)
        if end == i:
            return BAD_INDEX, i, corner
        if index == 0:
            return INDEX_ZERO, i, corner
        # A negative index counts back from the vertex that was read last.
        vertex = index - 1 if index > 0 else vertices_before + index
        if vertex < 0 or vertex >= vertices:
            return INDEX_BEYOND, i, corner
        corners[corner] = vertex
        corner += 1
        i = _next_token(data, end)
    return FINE, i, corner


@kernel
def _scan_index(data, i):
    """Return the vertex index of the corner at i and the place after it; i if it is none."""
    start = i
    negative = data[i] == MINUS
    if negative or data[i] == PLUS:
        i += 1
    first_digit = i
    index = 0
    while i < len(data) and ZERO <= data[i] <= NINE:
        index = min(index * 10 + (int(data[i]) - ZERO), MAX_INDEX)
        i += 1
    if i == first_digit or not (ends_token(data, i) or data[i] == SLASH):
        return 0, start
    while not ends_token(data, i):
        if not (SLASH <= data[i] <= NINE or data[i] == MINUS):
            return 0, start
        i += 1
    return (-index if negative else index), i
