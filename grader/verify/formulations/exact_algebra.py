"""Means and linear algebra in high precision, where mpmath has it or a formula is short."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.verify.formulations.exact import CONTEXT, DIGITS, Exact, Unavailable, divide, lifted

_NEGLIGIBLE = CONTEXT.mpf(10) ** (-DIGITS // 2 - 10)
"""A pivot below this, relatively, is the zero of a dependent row: in doubles, the squares of
singular values that `lstsq` takes for zero are below 1e-30."""
_SMALL = 1e-10
"""A larger cut-off for singular values is there to change the answer."""
_MOST_ROWS = 80


def mean(a: Any, axis: int | None = None, **options: Any) -> Any:
    """``np.mean``."""
    array = _array(a)
    count = array.size if axis is None else array.shape[axis]
    return _over(array.sum(axis, **_kept(options, "mean")), count)


def var(a: Any, axis: int | None = None, ddof: int = 0, **options: Any) -> Any:
    """``np.var``."""
    array = _array(a)
    count = array.size if axis is None else array.shape[axis]
    apart = array - _over(array.sum(axis, keepdims=True), count)
    return _over((apart * apart).sum(axis, **_kept(options, "var")), count - ddof)


def std(a: Any, axis: int | None = None, ddof: int = 0, **options: Any) -> Any:
    """``np.std``."""
    return root(var(a, axis, ddof, **options))


def root(a: Any) -> Any:
    """The square root of a number or an array."""
    return np.sqrt(a) if isinstance(a, Exact) else CONTEXT.sqrt(a)


def norm(a: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """``np.linalg.norm``: Euclidean, of a vector or along an axis; Frobenius of a matrix."""
    array = _array(a)
    if not (ord is None or (ord == 2 and (axis is not None or array.ndim == 1))):
        raise Unavailable(f"linalg.norm with ord={ord}")
    if axis is None:
        array, axis = array.ravel(), 0
        if keepdims:
            raise Unavailable("linalg.norm with keepdims")
    return root((array * array).sum(axis, keepdims=keepdims))


def solve(a: Any, b: Any) -> Any:
    """``np.linalg.solve``, by elimination with partial pivoting."""
    matrix, right = _square(a, "solve"), _array(b)
    n = len(matrix)
    columns = right if right.ndim == 2 else right[:, None]
    eliminated, _ = _eliminated(np.hstack([matrix, columns]).view(Exact), n)
    solved = np.zeros_like(eliminated[:, n:])
    for row in range(n - 1, -1, -1):
        rest = eliminated[row, n:] - eliminated[row, row + 1 : n] @ solved[row + 1 :]
        solved[row] = rest / eliminated[row, row]
    return solved if right.ndim == 2 else solved[:, 0]


def inv(a: Any) -> Any:
    """``np.linalg.inv``."""
    matrix = _square(a, "inv")
    return solve(matrix, lifted(np.eye(len(matrix))))


def det(a: Any) -> Any:
    """``np.linalg.det``."""
    matrix = _square(a, "det")
    eliminated, sign = _eliminated(matrix.copy(), len(matrix))
    return sign * np.prod(np.diagonal(eliminated))


def _eliminated(rows: Any, n: int) -> tuple[Any, int]:
    """Rows in echelon form over their first n columns, and the sign of the exchanges."""
    size = max((abs(x) for x in rows[:, :n].ravel()), default=0)
    sign = 1
    for column in range(n):
        pivot = column + int(np.argmax(np.abs(rows[column:, column])))
        if abs(rows[pivot, column]) <= _NEGLIGIBLE * size:
            raise Unavailable("linalg of a matrix without full rank")
        if pivot != column:
            rows[[column, pivot]] = rows[[pivot, column]]
            sign = -sign
        below = rows[column + 1 :, column : column + 1] / rows[column, column]
        rows[column + 1 :, column:] -= below * rows[column, column:]
    return rows, sign


def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[Any, ...]:
    """``np.linalg.lstsq`` by the normal equations, which 50 digits bear; full rank only.

    The residuals, rank and singular values are not worked out: each is an empty tuple.
    """
    if rcond is not None and rcond > _SMALL:
        raise Unavailable("linalg.lstsq with a cut-off")
    return lstsq_solution(_array(a), _array(b)), (), (), ()


def lstsq_solution(matrix: Any, right: Any) -> Any:
    """The solution of least squares, or the shortest of all solutions, of full rank."""
    if matrix.ndim != 2 or max(matrix.shape) > _MOST_ROWS:
        raise Unavailable("linalg.lstsq of so large a matrix")
    wide = matrix.shape[0] <= matrix.shape[1]
    if wide:
        return matrix.T @ solve(matrix @ matrix.T, right)
    return solve(matrix.T @ matrix, matrix.T @ right)


def pinv(a: Any, *args: Any, **options: Any) -> Any:
    """``np.linalg.pinv`` of a matrix of full rank."""
    matrix = _array(a)
    if args or options:
        raise Unavailable("linalg.pinv with a cut-off")
    return lstsq_solution(matrix, lifted(np.eye(matrix.shape[0])))


def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08) -> bool:
    """``np.allclose``, of finite numbers."""
    apart = np.abs(_array(a) - _array(b))
    return bool(np.all(apart <= atol + rtol * np.abs(_array(b))))


def linspace(start: Any, stop: Any, num: int = 50) -> Any:
    """``np.linspace`` of two numbers."""
    step = divide(stop - start, num - 1) if num > 1 else 0
    return lifted(np.array([start + i * step for i in range(num)], object))


def _over(total: Any, count: int) -> Any:
    return total / CONTEXT.mpf(count) if isinstance(total, Exact) else divide(total, count)


def _kept(options: dict[str, Any], name: str) -> dict[str, Any]:
    """`keepdims` alone; a dtype is of no account here."""
    rest = options.keys() - {"keepdims", "dtype"}
    if rest:
        raise Unavailable(f"{name} with {', '.join(sorted(rest))}")
    return {"keepdims": options["keepdims"]} if "keepdims" in options else {}


def _array(value: Any) -> Any:
    """An array, exact where it holds real numbers; whole numbers are made exact as well."""
    array = lifted(value if isinstance(value, np.ndarray) else np.asarray(value, object))
    if not isinstance(array, np.ndarray):
        array = np.asarray(array, object)
    return array.astype(object).view(Exact) if not isinstance(array, Exact) else array


def _square(value: Any, name: str) -> Any:
    array = _array(value)
    if array.ndim != 2 or array.shape[0] != array.shape[1] or len(array) > _MOST_ROWS:
        raise Unavailable(f"linalg.{name} of a stack, or of so large a matrix")
    return array
