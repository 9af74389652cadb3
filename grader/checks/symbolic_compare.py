"""Comparing two formulas by their values: at every point of the list, with as many digits as it
takes.  No sympy; part of the worker.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from mpmath import libmp

from grader.checks.symbolic_numeric import (
    GUARD_BITS,
    Interval,
    Unclear,
    Undefined,
    rational,
    value,
    width,
)
from grader.checks.symbolic_points import Point
from grader.checks.symbolic_tree import Node, decimal
from grader.checks.symbolic_verdict import Finding, Verdict

_BITS = (240, 480, 960, 1920)
"""Working precisions, tried in turn until a point is decided; the first is about 72 digits."""
_AGREE = libmp.from_rational(1, 10**50 << (GUARD_BITS + 2), 53, libmp.round_floor)
"""How narrow, relative to the value, an interval has to be to fix 50 digits, guard included."""
_SHORT, _LONG = 6, 60


class Sampled:
    """A formula with its values at the points, each computed at most once a precision.

    A value is an interval, `Undefined` with its reason, or `Unclear`.
    """

    def __init__(self, node: Node, points: Sequence[Point]) -> None:
        self.node = node
        self.points = points
        self._known: dict[tuple[int, int], Interval | Undefined | Unclear] = {}

    def value(self, index: int, bits: int) -> Interval | Undefined | Unclear:
        """The value at point number `index`."""
        where = (index, bits)
        if where not in self._known:
            at = {name: rational(exact, bits) for name, exact in self.points[index].items()}
            try:
                self._known[where] = value(self.node, at, bits)
            except (Undefined, Unclear) as none:
                self._known[where] = none.with_traceback(None)
        return self._known[where]

    def defined_at(self) -> int:
        """At how many points the formula surely has a value."""
        return sum(self._has_value(index) for index in range(len(self.points)))

    def _has_value(self, index: int) -> bool:
        return any(isinstance(self.value(index, bits), tuple) for bits in _BITS)


def compare(reference: Sampled, student: Sampled) -> Verdict:
    """Refute the student's formula, or say at how many points it agrees, or that it is undecided.

    Points where the reference has no value do not count.
    """
    agreed = unclear = 0
    for index in range(len(reference.points)):
        outcome = _at_point(reference, student, index)
        if isinstance(outcome, Verdict):
            return outcome
        agreed += outcome is True
        unclear += outcome is False
    if agreed > unclear:
        return Verdict(Finding.AGREES, points=agreed)
    reason = f"it could be evaluated at only {agreed} of {agreed + unclear} points"
    return Verdict(Finding.UNDECIDED, reason, points=agreed)


def _at_point(reference: Sampled, student: Sampled, index: int) -> Verdict | bool | None:
    """A refutation, or whether the two agree here; None where the reference says nothing."""
    for bits in _BITS:
        expected = reference.value(index, bits)
        if isinstance(expected, Undefined):
            return None
        given = student.value(index, bits)
        if isinstance(expected, Unclear) or isinstance(given, Unclear):
            continue
        if isinstance(given, Undefined):
            return _refuted(reference, index, str(given), "", _digits(expected, _SHORT))
        if _apart(given, expected):
            return _refuted(reference, index, "", *_shown_apart(given, expected))
        if _narrow(given, bits) and _narrow(expected, bits):
            return True
    return None if isinstance(reference.value(index, _BITS[-1]), Unclear) else False


def _refuted(reference: Sampled, index: int, reason: str, given: str, expected: str) -> Verdict:
    at = tuple((name, decimal(exact)) for name, exact in reference.points[index].items())
    return Verdict(Finding.REFUTED, reason, at=at, given=given, expected=expected)


def _apart(a: Interval, b: Interval) -> bool:
    """Whether a gap between the two is wide beside their widths (see `GUARD_BITS`)."""
    low, high = (a, b) if libmp.mpf_lt(a[1], b[0]) else (b, a)
    gap = libmp.mpf_sub(high[0], low[1], 53, libmp.round_floor)
    widths = libmp.mpf_add(width(a), width(b), 53, libmp.round_ceiling)
    return bool(
        libmp.mpf_gt(gap, libmp.fzero) and libmp.mpf_gt(gap, libmp.mpf_shift(widths, GUARD_BITS))
    )


def _narrow(interval: Interval, bits: int) -> bool:
    """Whether the interval fixes 50 digits, or (with all precision spent, as around an exact
    zero) 50 decimals."""
    size = libmp.mpi_abs(interval, 53)[1]
    if bits == _BITS[-1] and libmp.mpf_lt(size, libmp.fone):
        size = libmp.fone
    return bool(libmp.mpf_le(width(interval), libmp.mpf_mul(size, _AGREE, 53, libmp.round_floor)))


def _shown_apart(given: Interval, expected: Interval) -> tuple[str, str]:
    """Both values with just enough digits to tell them apart, and two more."""
    digits = _SHORT
    while digits < _LONG and _alike(_digits(given, digits), _digits(expected, digits)):
        digits += 1
    digits = digits if digits == _SHORT else digits + 2
    return _digits(given, digits), _digits(expected, digits)


def _alike(one: str, other: str) -> bool:
    """Whether two shown values look the same, or one looks whole only for being cut short."""
    return one == other or ".0…" in one or ".0…" in other


def _digits(interval: Interval, digits: int) -> str:
    """The value to so many digits, with … after them unless they are all of it."""
    middle = libmp.mpi_mid(interval, _BITS[0])
    text = str(libmp.to_str(middle, digits, min_fixed=-6, max_fixed=digits))
    mantissa, e, exponent = text.partition("e")
    shown = f"{mantissa.removesuffix('.0')}{e}{exponent}"
    if len(exponent) > 4:
        return shown
    exact = rational(Fraction(shown), _BITS[0])
    return shown if not _apart(interval, exact) else f"{mantissa}…{e}{exponent}"
