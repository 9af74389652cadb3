"""A library of generic explanations: ways to get a wrong result out of the right function.

Each is a small program, given as text, that calls the right function under the name `right` with
the arguments `args`: what explains a cluster is also what its misconception will run.  A number
that is found from the results stands in the text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.value import Plain, as_array

Right = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Guess:
    """One possible explanation."""

    sentence: str
    """What was done, for whoever names the misconception: ``the sign is turned``."""
    code: str
    """A Python expression over `right`, `args` and `np`."""

    def apply(self, right: Right, args: Sequence[Plain]) -> Any:
        """What the wrong function gives."""
        # The text is our own: only numbers, written by repr, are filled in.
        names = {"right": right, "args": args, "np": np, "__builtins__": {}}
        return eval(self.code, names)  # noqa: S307


@dataclass(frozen=True, slots=True)
class Seen:
    """One case: the arguments, the right result and the wrong one."""

    args: tuple[Plain, ...]
    right: Plain
    wrong: Plain


_OF_THE_RESULT = (
    Guess("the sign is turned", "-right(*args)"),
    Guess("absolute values are taken", "np.abs(right(*args))"),
    Guess("the order is reversed", "right(*args)[::-1]"),
    Guess("every entry is one place too far on", "np.roll(right(*args), 1)"),
    Guess("every entry is one place too early", "np.roll(right(*args), -1)"),
    Guess("the last entry is missing", "right(*args)[:-1]"),
    Guess("the first entry is missing", "right(*args)[1:]"),
    Guess("the result is transposed", "right(*args).T"),
    Guess("negative numbers are clipped to 0", "np.maximum(right(*args), 0)"),
    Guess("numbers are clipped to 0 … 1", "np.minimum(np.maximum(right(*args), 0), 1)"),
    Guess("fractions are cut off", "np.trunc(right(*args))"),
    Guess("numbers are rounded to whole ones", "np.round(right(*args))"),
    Guess("the result is squared", "np.square(right(*args))"),
    Guess("the root of the result is taken", "np.sqrt(right(*args))"),
    Guess("the logarithm of the result is taken", "np.log(right(*args))"),
    Guess("the logarithm has base 10", "right(*args) / np.log(10.0)"),
    Guess("the logarithm has base 2", "right(*args) / np.log(2.0)"),
    Guess("the result is exponentiated", "np.exp(right(*args))"),
    Guess("the reciprocal is taken", "1 / right(*args)"),
    Guess("degrees stand for radians in the result", "np.rad2deg(right(*args))"),
    Guess("the result is divided by its sum", "right(*args) / np.sum(right(*args))"),
    Guess("the result is divided by its length", "right(*args) / np.sqrt(np.sum(right(*args)**2))"),
    Guess("the result is divided by its largest entry", "right(*args) / np.max(right(*args))"),
    Guess("only the position of the largest entry is given", "np.argmax(right(*args))"),
    Guess(
        "all goes to the largest entry",
        "(np.arange(np.size(right(*args))) == np.argmax(right(*args))) * 1.0",
    ),
    Guess("the sum of the entries is given", "np.sum(right(*args))"),
    Guess("the mean of the entries is given", "np.mean(right(*args))"),
    Guess("cumulative sums are given", "np.cumsum(right(*args))"),
    Guess("zeros are given", "right(*args) * 0"),
)
"""Whatever the function is."""


def guesses(seen: Sequence[Seen]) -> Iterator[Guess]:
    """Every explanation worth trying on these cases, the plainest first."""
    yield from _OF_THE_RESULT
    yield from _factors(seen)
    yield from _offsets(seen)
    count = min(len(case.args) for case in seen)
    values = [[case.args[i] for case in seen] for i in range(count)]
    # An index that is off by one is a plainer reason than an array that lacks its first entry.
    for i in sorted(range(count), key=lambda i: isinstance(values[i][0], np.ndarray)):
        yield from _of_an_argument(i, values[i])
    for i in range(count):
        for j in range(i):
            order = ", ".join(f"args[{_swapped(k, i, j)}]" for k in range(count))
            yield Guess(f"arguments {j + 1} and {i + 1} are swapped", f"right({order})")


def _swapped(k: int, i: int, j: int) -> int:
    return j if k == i else i if k == j else k


def _with(i: int, new: str) -> str:
    """The call of the right function with argument i replaced."""
    return f"right(*args[:{i}], {new}, *args[{i + 1}:])"


def _of_an_argument(i: int, values: Sequence[Plain]) -> Iterator[Guess]:
    nth = f"argument {i + 1}"
    a = f"args[{i}]"
    yield Guess(f"{nth} is returned as it is", a)
    if all(isinstance(value, int) and not isinstance(value, bool) for value in values):
        yield Guess(f"{nth} is one too large", _with(i, f"{a} + 1"))
        yield Guess(f"{nth} is one too small", _with(i, f"{a} - 1"))
        return
    if any(as_array(value) is None for value in values):
        return
    for sentence, new in (
        ("has its sign turned", f"-{a}"),
        ("is taken without its sign", f"np.abs({a})"),
        ("is squared", f"np.square({a})"),
        ("is doubled", f"2 * {a}"),
        ("is halved", f"{a} / 2"),
        ("is taken for degrees", f"np.deg2rad({a})"),
        ("is taken in degrees", f"np.rad2deg({a})"),
        ("is replaced by zeros", f"{a} * 0"),
        ("is computed with in float32", f"np.float32({a})"),
        ("is cut to whole numbers", f"np.trunc({a})"),
        ("is subtracted from 1", f"1 - {a}"),
    ):
        yield Guess(f"{nth} {sentence}", _with(i, new))
    if all(isinstance(value, np.ndarray) for value in values):
        yield from _of_an_array(nth, i, a)


def _of_an_array(nth: str, i: int, a: str) -> Iterator[Guess]:
    for sentence, new in (
        ("is transposed, or taken along the wrong axis", f"{a}.T"),
        ("is reversed", f"{a}[::-1]"),
        ("lacks its last entry", f"{a}[:-1]"),
        ("lacks its first entry", f"{a}[1:]"),
        ("is divided by √d, where d is its last dimension", f"{a} / np.sqrt({a}.shape[-1])"),
        ("is multiplied by √d, where d is its last dimension", f"{a} * np.sqrt({a}.shape[-1])"),
        ("is divided by its last dimension", f"{a} / {a}.shape[-1]"),
        ("is divided by its length", f"{a} / np.sqrt(np.sum({a}**2, axis=-1, keepdims=True))"),
        ("has its mean subtracted", f"{a} - np.mean({a}, axis=0)"),
        ("is sorted", f"np.sort({a}, axis=0)"),
    ):
        yield Guess(f"{nth} {sentence}", _with(i, new))
    along = f"{_with(i, f'{a}.T')}.T"
    yield Guess(f"{nth} is taken along the wrong axis, and the result has its shape", along)


# --- numbers that the results tell ---------------------------------------------------------------

_KNOWN: Mapping[str, float] = {
    "2": 2.0, "1/2": 0.5, "3": 3.0, "1/3": 1 / 3, "4": 4.0, "1/4": 0.25, "10": 10.0, "1/10": 0.1,
    "100": 100.0, "1/100": 0.01, "1000": 1000.0, "1/1000": 0.001, "π": math.pi, "1/π": 1 / math.pi,
    "2π": 2 * math.pi, "1/(2π)": 1 / (2 * math.pi), "√2": math.sqrt(2), "1/√2": 1 / math.sqrt(2),
    "√π": math.sqrt(math.pi), "√(2π)": math.sqrt(2 * math.pi), "ln 2": math.log(2),
    "ln 10": math.log(10), "e": math.e, "1/e": 1 / math.e, "180/π": 180 / math.pi,
    "π/180": math.pi / 180,
}  # fmt: skip
_SIZES = {
    "n": "{s}", "1/n": "1 / {s}", "√n": "np.sqrt({s})", "1/√n": "1 / np.sqrt({s})",
    "n/(n − 1)": "{s} / ({s} - 1)", "(n − 1)/n": "({s} - 1) / {s}", "n − 1": "({s} - 1)",
    "1/(n − 1)": "1 / ({s} - 1)", "n + 1": "({s} + 1)", "1/(n + 1)": "1 / ({s} + 1)",
}  # fmt: skip
"""How a factor may depend on the size of an argument; n/(n − 1) is the other ddof."""


def _factors(seen: Sequence[Seen]) -> Iterator[Guess]:
    ratios = [_ratio(case) for case in seen]
    known = [ratio for ratio in ratios if ratio is not None]
    if not known or None in ratios:
        return
    if np.allclose(known, known[0], rtol=1e-6):
        value = known[0]
        name = next((n for n, v in _KNOWN.items() if abs(v - value) < 1e-6 * v), f"{value:.6g}")
        yield Guess(f"there is a factor {name} too many", f"{value!r} * right(*args)")
        return
    for i, argument in enumerate(seen[0].args):
        for axis in range(argument.ndim if isinstance(argument, np.ndarray) else 0):
            size = f"args[{i}].shape[{axis}]"
            for name, code in _SIZES.items():
                where = f"where n is dimension {axis} of argument {i + 1}"
                factor = code.format(s=size)
                yield Guess(f"there is a factor {name}, {where}", f"{factor} * right(*args)")


def _ratio(case: Seen) -> float | None:
    """The one number by which the wrong result differs; None if there is not one."""
    right, wrong = as_array(case.right), as_array(case.wrong)
    if right is None or wrong is None or right.shape != wrong.shape or right.dtype.kind == "c":
        return None
    right, wrong = right.astype(float).ravel(), wrong.astype(float).ravel()
    if not (np.isfinite(right).all() and np.isfinite(wrong).all()):
        return None
    largest = int(np.abs(right).argmax()) if right.size else 0
    if not right.size or right[largest] == 0:
        return None
    ratio = float(wrong[largest] / right[largest])
    close = np.allclose(wrong, ratio * right, rtol=1e-6, atol=1e-9 * abs(ratio * right[largest]))
    return ratio if close and ratio != 0 else None


def _offsets(seen: Sequence[Seen]) -> Iterator[Guess]:
    offset = None
    for case in seen:
        right, wrong = as_array(case.right), as_array(case.wrong)
        if right is None or wrong is None or right.shape != wrong.shape or not right.size:
            return
        with np.errstate(all="ignore"):
            gap = wrong - right
        first = gap.ravel()[0]
        if not np.allclose(gap, first, rtol=1e-6, atol=1e-9):
            return
        if offset is not None and not np.isclose(first, offset, rtol=1e-6, atol=1e-9):
            return
        offset = first
    if offset is not None and np.isfinite(offset):
        yield Guess(f"{offset:.6g} is added", f"right(*args) + {float(offset)!r}")
