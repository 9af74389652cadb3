"""Every formulation of a pack's reference that is tried: dialects of its source, and its source on
inputs that are one rounding away or lie otherwise in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from grader.problem import Pack
from grader.verify.formulations import exact_numpy, retyped, rounding
from grader.verify.formulations.exact import METER, Unavailable, lifted, lowered
from grader.verify.formulations.load import Dialect, Functions, load

Change = Callable[[Any], Any]

FAR_ULPS = 64
"""A perturbation so much larger moves the answer of a smooth function as much further."""


class Kind(Enum):
    """What a formulation is good for."""

    HONEST = "honest"
    """Equal in exact arithmetic: must pass."""
    EXACT = "exact"
    """In higher precision: tells how far off the reference itself is.  Where that is far, but all
    honest ways in double precision agree, rounding is part of what is asked for."""
    PERTURBED = "perturbed"
    """On inputs a rounding away: shows conditioning, and tells nothing where answers jump."""
    SINGLE = "single"
    """In single precision: judged by the tolerance for float32."""


@dataclass(frozen=True)
class Formulation:
    """One way to work out the right answers."""

    name: str
    kind: Kind
    functions: Functions
    """All of reference.py, by name."""
    copies: bool
    """Whether it works on copies of its arguments, so that what it does to them is lost."""
    farther: Functions | None = None
    """Of a perturbed one: the same perturbed `FAR_ULPS` as much, to tell a jump by."""


@dataclass(frozen=True)
class Catalogue:
    """What can be tried for a pack, and what cannot, with the reason."""

    formulations: tuple[Formulation, ...]
    not_run: tuple[str, ...]


def catalogue(pack: Pack, *, draws: int, exact_time_s: float) -> Catalogue:
    """Every formulation of a pack.

    `draws` is how often the inputs are perturbed; `exact_time_s` how long one call may take in
    high precision.
    """
    found: list[Formulation] = []
    not_run: list[str] = []
    for dialect, kind, around in _dialects(exact_time_s):
        try:
            functions = load(pack, dialect)
        # The pack's own code runs here, as it was never written; it may raise anything.
        except (Exception, SystemExit) as error:  # noqa: BLE001
            reason = f"{type(error).__name__}: {error}"
            not_run.append(f"{dialect.name} ({reason})")
            continue
        wrapped = {name: around(function) for name, function in functions.items()}
        found.append(Formulation(dialect.name, kind, wrapped, kind is not Kind.HONEST))
    found += _on_other_inputs(pack.reference, draws)
    return Catalogue(tuple(found), tuple(not_run))


def _dialects(exact_time_s: float) -> Iterator[tuple[Dialect, Kind, Change]]:
    for dialect in rounding.dialects():
        yield dialect, Kind.HONEST, _same
    yield retyped.double(), Kind.HONEST, _same
    yield retyped.single(), Kind.SINGLE, _around(_single, _single)
    extended = retyped.extended()
    if extended is not None:
        yield extended, Kind.EXACT, _around(_long, _same)
    yield exact_numpy.dialect(), Kind.EXACT, _exactly(exact_time_s)


def _on_other_inputs(functions: Functions, draws: int) -> Iterator[Formulation]:
    for name, kind, given, gives in (
        ("with arrays in Fortran order", Kind.HONEST, np.asfortranarray, _same),
        ("with arrays stored backwards", Kind.HONEST, _backwards, _same),
    ):
        around = _around(_each_array(given), gives)
        yield Formulation(name, kind, {n: around(f) for n, f in functions.items()}, True)
    for draw in range(draws):
        near, far = (
            {name: _around(_perturbed(draw, ulps), _same)(f) for name, f in functions.items()}
            for ulps in (1, FAR_ULPS)
        )
        yield Formulation("with inputs one rounding off", Kind.PERTURBED, near, True, far)


# --- what is done to arguments and results ------------------------------------------------------


def _same(value: Any) -> Any:
    return value


def _around(given: Change, gives: Change) -> Change:
    """A decorator: a function on changed arguments, with its result changed."""

    def around(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args: gives(function(*map(given, args)))

    return around


def _exactly(time_s: float) -> Change:
    def around(function: Callable[..., Any]) -> Callable[..., Any]:
        def worked_out(*args: Any) -> Any:
            try:
                with METER.within(time_s):
                    return lowered(function(*map(lifted, args)))
            except (TypeError, AttributeError, ValueError) as error:
                raise Unavailable(str(error)) from error

        return worked_out

    return around


def _single(value: Any) -> Any:
    return retyped.retyped(value, np.float32)


def _long(value: Any) -> Any:
    return np.longdouble(value) if type(value) is float else retyped.retyped(value, np.longdouble)


def _each_array(change: Change) -> Change:
    def changed(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return type(value)(changed(item) for item in value)
        return change(value) if isinstance(value, np.ndarray) and value.ndim else value

    return changed


def _backwards(array: np.ndarray) -> np.ndarray:
    """The same array over a copy that holds it from its end to its beginning."""
    return np.asarray(np.flip(np.flip(array).copy()))


def _perturbed(draw: int, ulps: int) -> Change:
    rng = np.random.default_rng(draw)

    def moved(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return type(value)(moved(item) for item in value)
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            return _moved(value, ulps, rng)
        return float(_moved(np.asarray(value), ulps, rng)) if type(value) is float else value

    return moved


def _moved(array: np.ndarray, ulps: int, rng: np.random.Generator) -> np.ndarray:
    """Every finite number up or down, at random, by so many of its last places."""
    signs = rng.choice([-ulps, ulps], size=array.shape).astype(array.dtype)
    return np.where(np.isfinite(array), array + signs * np.spacing(array), array)
