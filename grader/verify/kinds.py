"""What holds of all inputs that a pack's generators give, and variations that keep it.

A statement says in words which inputs count; its generators show it.  An input of our own making
therefore counts only if whatever holds of every case of the pack holds of it too: signs, whole
numbers, sizes, unit or independent rows, symmetry, order and the like.  So no mutant is held
against a pack for an input, such as dependent keys, that its students are promised never to get.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grader.evidence import Stimulus
from grader.value import Plain

Predicate = Callable[[np.ndarray], bool]

_CLOSE = 1e-9
_LARGEST = 1000
"""Arrays of more numbers are left out of account: looking at them takes too long."""


def _rows(x: np.ndarray) -> np.ndarray:
    return np.atleast_2d(x.astype(float))


def _unit_rows(x: np.ndarray) -> bool:
    return bool(np.allclose(np.linalg.norm(_rows(x), axis=1), 1, atol=_CLOSE))


def _independent_rows(x: np.ndarray) -> bool:
    return x.ndim == 2 and bool(np.linalg.matrix_rank(x.astype(float)) == len(x))


def _independent_columns(x: np.ndarray) -> bool:
    return x.ndim == 2 and _independent_rows(x.T)


def _orthogonal_rows(x: np.ndarray) -> bool:
    gram = _rows(x) @ _rows(x).T
    return bool(np.allclose(gram, np.diag(np.diag(gram)), atol=_CLOSE))


def _distinct_rows(x: np.ndarray) -> bool:
    return len(np.unique(x, axis=0)) == len(x)


def _symmetric(x: np.ndarray) -> bool:
    return x.ndim == 2 and x.shape[0] == x.shape[1] and bool(np.allclose(x, x.T, atol=_CLOSE))


def _definite(x: np.ndarray) -> bool:
    return _symmetric(x) and bool(np.linalg.eigvalsh(x.astype(float)).min() > 0)


def _sorted(x: np.ndarray) -> bool:
    return bool((np.diff(x, axis=0) >= 0).all())


def _decreasing(x: np.ndarray) -> bool:
    return bool((np.diff(x, axis=0) <= 0).all())


_PREDICATES: Mapping[str, Predicate] = {
    "finite": lambda x: bool(np.isfinite(x).all()),
    "not negative": lambda x: bool((x >= 0).all()),
    "not positive": lambda x: bool((x <= 0).all()),
    "without zeros": lambda x: bool((x != 0).all()),
    "not all zero": lambda x: bool((x != 0).any()),
    "whole numbers": lambda x: bool((x == np.round(x)).all()),
    "at most 1": lambda x: bool((np.abs(x) <= 1).all()),
    "sums of 1": lambda x: bool(np.allclose(x.astype(float).sum(axis=-1), 1, atol=_CLOSE)),
    "sum of 0": lambda x: bool(np.allclose(x.astype(float).sum(axis=0), 0, atol=_CLOSE)),
    "unit rows": _unit_rows,
    "unit columns": lambda x: _unit_rows(_rows(x).T),
    "independent rows": _independent_rows,
    "independent columns": _independent_columns,
    "orthogonal rows": _orthogonal_rows,
    "orthogonal columns": lambda x: _orthogonal_rows(_rows(x).T),
    "distinct rows": _distinct_rows,
    "symmetric": _symmetric,
    "positive definite": _definite,
    "upper triangular": lambda x: x.ndim == 2 and bool((np.tril(x, -1) == 0).all()),
    "lower triangular": lambda x: x.ndim == 2 and bool((np.triu(x, 1) == 0).all()),
    "ascending": _sorted,
    "descending": _decreasing,
}


@dataclass(frozen=True)
class Kind:
    """What all arrays that a function gets as one of its arguments have in common."""

    holds: frozenset[str]
    dtypes: frozenset[str]
    smallest: float
    """The range of the largest absolute values."""
    largest: float
    worst_condition: float
    """The largest condition number; inf where rows and columns need not be independent."""

    def fits(self, x: np.ndarray) -> bool:
        """Tell whether an array is of this kind."""
        if str(x.dtype) not in self.dtypes:
            return False
        with np.errstate(all="ignore"):
            if not all(_has(name, x) for name in self.holds):
                return False
            size_fits = self.smallest <= _size(x) <= self.largest
            near = self.worst_condition < np.inf and _condition(x) > self.worst_condition
            return size_fits and not near


def _has(name: str, x: np.ndarray) -> bool:
    try:
        return _PREDICATES[name](x)
    except (np.linalg.LinAlgError, ValueError, TypeError):  # nan, or a shape that it is not for
        return False


def kind_of(arrays: Iterable[np.ndarray]) -> Kind:
    """What some arrays have in common."""
    some = list(arrays)
    with np.errstate(all="ignore"):
        holds = {name for name in _PREDICATES if all(_has(name, x) for x in some)}
        sizes = [_size(x) for x in some]
        independent = bool(holds & {"independent rows", "independent columns"})
        conditions = [_condition(x) for x in some] if independent else [np.inf]
    return Kind(
        holds=frozenset(holds),
        dtypes=frozenset(str(x.dtype) for x in some),
        smallest=min(sizes),
        largest=max(sizes),
        worst_condition=max(conditions),
    )


def _size(x: np.ndarray) -> float:
    return float(np.max(np.abs(x), initial=0, where=np.isfinite(x)))


def _condition(x: np.ndarray) -> float:
    """Largest over smallest singular value, inf where the rank is not full."""
    if x.ndim != 2 or not x.size or not np.isfinite(x).all():
        return 0.0
    values = np.linalg.svd(x.astype(float), compute_uv=False)
    return float(values.max() / values.min()) if values.min() > 0 else np.inf


# --- variations -----------------------------------------------------------------------------


def _repeated(x: np.ndarray) -> np.ndarray:
    return np.vstack([x[:1], x[:-1]]) if x.ndim == 2 else np.append(x[:1], x[:-1])


_VARIATIONS: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    "negated": lambda x: -x,
    "doubled": lambda x: x * 2,
    "ten times as large": lambda x: x * 10,
    "a tenth as large": lambda x: x / 10,
    "all zero": np.zeros_like,
    "all equal": lambda x: np.full_like(x, x.flat[0]),
    "in reverse order": lambda x: x[::-1].copy(),
    "with a row repeated": _repeated,
    "with the first row alone": lambda x: x[:1].copy(),
    "as float32": lambda x: x.astype(np.float32),
    "as integers": lambda x: np.round(x).astype(np.int64),
}


def kinds_of(stimuli: Iterable[Stimulus]) -> dict[tuple[str, int], Kind]:
    """The kind of each array argument, by function and position."""
    seen: dict[tuple[str, int], list[np.ndarray]] = {}
    for stimulus in stimuli:
        for i, argument in enumerate(stimulus.args):
            if _varies(argument):
                seen.setdefault((stimulus.function, i), []).append(argument)
    return {place: kind_of(arrays) for place, arrays in seen.items()}


def _varies(argument: Plain) -> bool:
    return (
        isinstance(argument, np.ndarray)
        and argument.dtype.kind in "iuf"
        and argument.ndim > 0
        and 0 < argument.size <= _LARGEST
    )


def variations(stimulus: Stimulus, kinds: Mapping[tuple[str, int], Kind]) -> Iterator[Stimulus]:
    """The call with its arrays varied, one of them or all alike, where they stay of their kind."""
    places = [i for i, argument in enumerate(stimulus.args) if _varies(argument)]
    together = [places] if len(places) > 1 else []
    for name, vary in _VARIATIONS.items():
        for chosen in [*([i] for i in places), *together]:
            args = _varied(stimulus, kinds, chosen, vary)
            if args is not None:
                what = f"argument {chosen[0] + 1}" if len(chosen) == 1 else "all arrays"
                label = f"{stimulus.label}; {what} {name}".removeprefix("; ")
                yield replace(stimulus, args=args, label=label)


def _varied(
    stimulus: Stimulus,
    kinds: Mapping[tuple[str, int], Kind],
    chosen: Sequence[int],
    vary: Callable[[np.ndarray], np.ndarray],
) -> tuple[Plain, ...] | None:
    args = list(stimulus.args)
    for i in chosen:
        with np.errstate(all="ignore"):
            args[i] = vary(args[i])
        if not kinds[stimulus.function, i].fits(args[i]):
            return None
    if _lengths(args) != _lengths(stimulus.args) and len(chosen) == 1 and len(args) > 1:
        return None
    return tuple(args)


def _lengths(args: Sequence[Plain]) -> list[int]:
    return [
        len(argument) for argument in args if isinstance(argument, np.ndarray) and argument.ndim
    ]
