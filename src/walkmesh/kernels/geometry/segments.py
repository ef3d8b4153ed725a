"""Where segments cross or meet in plan: exact with coordinates of an integer grid."""

from walkmesh.kernels.geometry.turns import turn_of
from walkmesh.kernels.kernel import borrowing


@borrowing
def are_parted(points, a, b, c, d):
    """Tell whether c and d lie on different sides of the line through a and b, neither on it."""
    return _are_parted(
        points[a, 0], points[a, 1], points[b, 0], points[b, 1],
        points[c, 0], points[c, 1], points[d, 0], points[d, 1],
    )  # fmt: skip


@borrowing
def cross(points, a, b, c, d):
    """Tell whether the segments a-b and c-d cross in a point that is an end of neither."""
    return are_parted(points, a, b, c, d) and are_parted(points, c, d, a, b)


@borrowing
def cross_of(au, av, bu, bv, cu, cv, du, dv):
    """Tell whether the segments a-b and c-d cross in a point that is an end of neither."""
    return _are_parted(au, av, bu, bv, cu, cv, du, dv) and _are_parted(
        cu, cv, du, dv, au, av, bu, bv
    )


@borrowing
def meet_of(au, av, bu, bv, cu, cv, du, dv):
    """Tell whether the segments a-b and c-d, both with a length, meet but for a common end."""
    of_c, of_d = turn_of(au, av, bu, bv, cu, cv), turn_of(au, av, bu, bv, du, dv)
    of_a, of_b = turn_of(cu, cv, du, dv, au, av), turn_of(cu, cv, du, dv, bu, bv)
    if (of_c > 0 and of_d > 0) or (of_c < 0 and of_d < 0):
        return False
    if (of_a > 0 and of_b > 0) or (of_a < 0 and of_b < 0):
        return False
    if of_c == 0 and of_d == 0:
        # In one line: they must share more than a point.
        if au != bu:
            return max(min(au, bu), min(cu, du)) < min(max(au, bu), max(cu, du))
        return max(min(av, bv), min(cv, dv)) < min(max(av, bv), max(cv, dv))
    return not (
        (au == cu and av == cv)
        or (au == du and av == dv)
        or (bu == cu and bv == cv)
        or (bu == du and bv == dv)
    )


@borrowing
def _are_parted(au, av, bu, bv, cu, cv, du, dv):
    of_c, of_d = turn_of(au, av, bu, bv, cu, cv), turn_of(au, av, bu, bv, du, dv)
    return (of_c > 0 and of_d < 0) or (of_c < 0 and of_d > 0)
