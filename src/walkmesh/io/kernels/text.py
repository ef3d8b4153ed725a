"""Scanning text: numbers, and rows of numbers, straight from the bytes of a file.

A *token* is a run of bytes that are neither blank nor a line end; a backslash ends it too. A *row*
is a line that holds more than blanks and a comment; ``#`` starts a comment. Bytes beyond ASCII have
no meaning here, so the encoding of names and comments does not matter.

A number is read correctly rounded. Most have few digits, and then one multiplication or division of
two exact floats is correct (Clinger 1990, "How to read floating point numbers accurately"). The
others are listed for the caller, who has an exact, slower way to read them.
"""

import numpy as np

from walkmesh.kernels import types as kt
from walkmesh.kernels.kernel import kernel

LINE_FEED, CARRIAGE_RETURN, SPACE = 10, 13, 32
HASH, PLUS, MINUS, POINT, SLASH, ZERO, NINE, BACKSLASH = 35, 43, 45, 46, 47, 48, 57, 92
LETTER_A, LETTER_E, LETTER_F, LETTER_I, LETTER_N = 97, 101, 102, 105, 110
LOWER_CASE = 32  # the bit that makes an ASCII letter lower case

# What became of a token that should be a number.
EXACT, LONG, NO_NUMBER = 0, 1, 2

# Integers up to 2**53 and powers of ten up to 10**22 are floats without rounding.
MAX_EXACT_INTEGER = 2**53
MAX_EXACT_POWER = 22
POWERS_OF_TEN = np.array([float(10**k) for k in range(MAX_EXACT_POWER + 1)])
MAX_DIGITS = 18  # of a mantissa that surely fits into 63 bits
MAX_EXPONENT = 100_000  # larger ones all mean infinity or zero


@kernel
def is_line_end(byte):
    """Tell whether a byte ends a line; of CR LF each does, which leaves an empty line between."""
    return byte in (LINE_FEED, CARRIAGE_RETURN)


@kernel
def is_blank(byte):
    """Tell whether a byte separates the tokens of a line: a space, a tab or another control."""
    return byte <= SPACE and not is_line_end(byte)


# The loops over single bytes call functions of bytes only: handing an array to a function that is
# not inlined counts a reference up and down, which made them four times slower.


@kernel
def ends_token(data, i):
    """Tell whether a token that started before i does not go on there."""
    return i >= len(data) or data[i] <= SPACE or data[i] == BACKSLASH


@kernel
def ends_row(data, i):
    """Tell whether the line has no token from i on: it ends there, or a comment starts."""
    return i >= len(data) or is_line_end(data[i]) or data[i] == HASH


@kernel
def skip_blanks(data, i):
    """Return the place of the first byte from i on that is not blank."""
    while i < len(data) and is_blank(data[i]):
        i += 1
    return i


@kernel
def skip_token(data, i):
    """Return the place after the token at i."""
    i += 1
    while i < len(data) and data[i] > SPACE and data[i] != BACKSLASH:
        i += 1
    return i


@kernel
def skip_line(data, i):
    """Return the place after the end of the line that i is in."""
    while i < len(data) and not is_line_end(data[i]):
        i += 1
    return i + 1


@kernel
def scan_number(data, i):
    """Read the token at i as a number.

    Returns the number, NaN unless its kind is EXACT; the place after the token; and the kind:
    EXACT; LONG, a number whose value must be found another way; or NO_NUMBER.
    """
    negative = i < len(data) and data[i] == MINUS
    if negative or (i < len(data) and data[i] == PLUS):
        i += 1
    mantissa, exponent, digits, significant = 0, 0, 0, 0
    fraction = False
    while i < len(data):
        byte = int(data[i])
        if ZERO <= byte <= NINE:
            digits += 1
            if significant < MAX_DIGITS:
                mantissa = mantissa * 10 + (byte - ZERO)
                exponent -= 1 if fraction else 0
            significant += 1 if mantissa > 0 else 0
        elif byte == POINT and not fraction:
            fraction = True
        else:
            break
        i += 1
    if digits == 0:
        return _scan_non_finite(data, i, negative)
    if i < len(data) and (data[i] | LOWER_CASE) == LETTER_E:
        power, i = _scan_exponent(data, i + 1)
        exponent += power
    if not ends_token(data, i):
        # The C library of Windows writes "1.#QNAN" and "-1.#IND" for what is not a number.
        not_a_number = data[i] == HASH and data[i - 1] == POINT
        return np.nan, skip_token(data, i), EXACT if not_a_number else NO_NUMBER
    if mantissa == 0:
        value = 0.0
    elif (
        significant > MAX_DIGITS
        or mantissa > MAX_EXACT_INTEGER
        or exponent < -MAX_EXACT_POWER
        or exponent > MAX_EXACT_POWER
    ):
        return np.nan, i, LONG
    elif exponent < 0:
        value = mantissa / POWERS_OF_TEN[-exponent]
    else:
        value = mantissa * POWERS_OF_TEN[exponent]
    return (-value if negative else value), i, EXACT


@kernel
def _scan_exponent(data, i):
    """Return the exponent at i and the place after it; the place before it if it has no digit."""
    before = i
    negative = i < len(data) and data[i] == MINUS
    if negative or (i < len(data) and data[i] == PLUS):
        i += 1
    first = i
    power = 0
    while i < len(data) and ZERO <= data[i] <= NINE:
        power = min(power * 10 + (int(data[i]) - ZERO), MAX_EXPONENT)
        i += 1
    if i == first:
        # The letter before is then part of the token, which therefore is no number.
        return 0, before - 1
    return (-power if negative else power), i


@kernel
def _scan_non_finite(data, i, negative):
    """Read what begins with "inf" or "nan", in any case; some writers put more behind it."""
    end = skip_token(data, i)
    if end - i >= 3:
        a, b, c = data[i] | LOWER_CASE, data[i + 1] | LOWER_CASE, data[i + 2] | LOWER_CASE
        if a == LETTER_N and b == LETTER_A and c == LETTER_N:
            return np.nan, end, EXACT
        if a == LETTER_I and b == LETTER_N and c == LETTER_F:
            return (-np.inf if negative else np.inf), end, EXACT
    return np.nan, end, NO_NUMBER


@kernel
def _find_row(data, i, keyword):
    """Return where the tokens of the next row start, after the keyword; beyond the end if none."""
    while i < len(data):
        i = skip_blanks(data, i)
        if not ends_row(data, i):
            k = 0
            while k < len(keyword) and i + k < len(data):
                if (data[i + k] | LOWER_CASE) != keyword[k]:
                    break
                k += 1
            if k == len(keyword) and (k == 0 or ends_token(data, i + k)):
                return skip_blanks(data, i + k)
        i = skip_line(data, i)
    return len(data) + 1


@kernel(kt.BYTES, kt.INT, kt.INT, kt.BYTES, kt.OUT_LONGS)
def count_rows(data, start, limit, keyword, counts):
    """Count rows and their tokens.

    Parameters
    ----------
    data : (n,) uint8
        The bytes of a file.
    start : int
        Where to start.
    limit : int
        How many rows to count at most.
    keyword : (k,) uint8
        Only rows whose first token is this, in lower case, count; empty for all rows.
    counts : (3,) int64, output
        The number of rows, of their tokens without the keyword, and the place after the last row.
    """
    rows, tokens, end = 0, 0, start
    while rows < limit:
        i = _find_row(data, end, keyword)
        if i > len(data):
            break
        while not ends_row(data, i):
            i = skip_blanks(data, skip_token(data, i))
            tokens += 1
        rows += 1
        end = i
    counts[0] = rows
    counts[1] = tokens
    counts[2] = end


@kernel(kt.BYTES, kt.INT, kt.BYTES, kt.OUT_LONGS, kt.OUT_FLOATS, kt.OUT_LONGS, kt.OUT_LONGS)
def scan_rows(data, start, keyword, offsets, values, long_tokens, counts):
    """Read the rows that :func:`count_rows` counted.

    Parameters
    ----------
    data : (n,) uint8
        The bytes of a file.
    start : int
        Where to start.
    keyword : (k,) uint8
        As for :func:`count_rows`.
    offsets : (r + 1,) int64, output
        Where each row's numbers start in `values`.
    values : (t,) float64, output
        The numbers; not set where `long_tokens` says so.
    long_tokens : (3 t,) int64, output
        For each number that was not read: its index in `values`, where its token starts and ends.
    counts : (2,) int64, output
        How many numbers were not read, and where the token is that is no number.

    Returns
    -------
    int
        EXACT, or NO_NUMBER at the first token that is no number.
    """
    token, unread, i = 0, 0, start
    offsets[0] = 0
    for row in range(len(offsets) - 1):
        i = _find_row(data, i, keyword)
        while not ends_row(data, i):
            value, end, kind = scan_number(data, i)
            if kind == NO_NUMBER:
                counts[1] = i
                return NO_NUMBER
            if kind == LONG:
                list_token(long_tokens, unread, token, i, end)
                unread += 1
            values[token] = value
            token += 1
            i = skip_blanks(data, end)
        offsets[row + 1] = token
    counts[0] = unread
    return EXACT


@kernel
def list_token(long_tokens, unread, index, start, end):
    """Note that the number with this index was not read."""
    long_tokens[3 * unread] = index
    long_tokens[3 * unread + 1] = start
    long_tokens[3 * unread + 2] = end
