"""Properties of right answers: each predicate gives None, or a sentence that says what is wrong."""

from __future__ import annotations

import numpy as np

from grader import Returned, as_array, show

UNIT = np.finfo(float).eps / 2
"""The unit roundoff of float64."""
MODEST = 100.0
"""What “a modest multiple” is: the constants of the error bounds grow with m and n, and for the
matrices here stay below 10; the classical version loses a thousand times more than this allows."""


def _factors(result: Returned) -> tuple[np.ndarray, np.ndarray] | str:
    """Q and R as finite arrays of the right shapes, or the sentence that says what is wrong."""
    m, n = result.args[0].shape
    value = result.value
    if not isinstance(value, tuple | list) or len(value) != 2:
        return f"This should be a pair, Q and R, but it is {show(value)}."
    Q, R = as_array(value[0]), as_array(value[1])
    for name, array, shape in (("Q", Q, (m, n)), ("R", R, (n, n))):
        if array is None or array.shape != shape or array.dtype.kind not in "fiu":
            return f"{name} should be an array of shape {shape}."
        if not np.isfinite(array).all():
            return f"{name} holds numbers that are not finite."
    assert Q is not None
    assert R is not None
    return Q.astype(float), R.astype(float)


def _loss(Q: np.ndarray) -> float:
    return float(np.linalg.norm(np.eye(Q.shape[1]) - Q.T @ Q))


def leaves_inputs_alone(result: Returned) -> str | None:
    """No argument was changed, by a call that did something."""
    factors = _factors(result)
    if isinstance(factors, str):
        return factors
    return "The call changed the array A." if result.mutated else None


def reconstructs(result: Returned) -> str | None:
    """QR is A to rounding, and R is upper triangular with a positive diagonal."""
    factors = _factors(result)
    if isinstance(factors, str):
        return factors
    Q, R = factors
    A = result.args[0]
    if np.abs(np.tril(R, -1)).max(initial=0.0) > 0:
        return "R is not upper triangular."
    if not (np.diag(R) > 0).all():
        return "The diagonal of R holds lengths, which are positive."
    error = np.linalg.norm(Q @ R - A) / np.linalg.norm(A)
    if error > MODEST * A.shape[1] * UNIT:
        return f"QR differs from A by {error:.3g} of the size of A, far more than rounding."
    return None


def is_orthonormal_to_rounding(result: Returned) -> str | None:
    """The loss of orthogonality is a modest multiple of the unit roundoff."""
    factors = _factors(result)
    if isinstance(factors, str):
        return factors
    Q, _ = factors
    if _loss(Q) > MODEST * Q.shape[1] * UNIT:
        return f"The loss of orthogonality is {_loss(Q):.3g}, far more than rounding."
    return None


def is_sound_factorisation(result: Returned) -> str | None:
    """QR is A, and Q is orthonormal to rounding: what every version gives for tame matrices."""
    return reconstructs(result) or loses_no_more_than_condition(result)


def is_exact_factorisation(result: Returned) -> str | None:
    """QR is A, and Q is orthonormal, both to rounding."""
    return reconstructs(result) or is_orthonormal_to_rounding(result)


def loses_no_more_than_condition(result: Returned) -> str | None:
    """The loss of orthogonality is a modest multiple of condition · unit roundoff.

    The bound of Björck (1967) for modified Gram–Schmidt.
    """
    factors = _factors(result)
    if isinstance(factors, str):
        return factors
    Q, _ = factors
    condition = np.linalg.cond(result.args[0])
    if _loss(Q) > MODEST * condition * UNIT:
        return (
            f"The condition number is {condition:.3g} and the unit roundoff {UNIT:.2g}, but the "
            f"loss of orthogonality is {_loss(Q):.3g}."
        )
    return None
