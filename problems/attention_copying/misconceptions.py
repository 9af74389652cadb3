"""Known-wrong answers, as students write them.

Two uses: a submission that gives the same wrong results is told which mistake it is, and each of
these must lose points, or the pack does not see the mistake.  `[[misconceptions]]` in
problem.toml says which function here stands for which of the students' functions.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from reference import attend, attention_weights, peaked_query

Weights = Callable[[np.ndarray, np.ndarray], np.ndarray]
Attend = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def attend_with(weights: Weights) -> Attend:
    """Make the attend of a student whose only mistake is in the weights."""

    def attend_wrongly(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
        return weights(q, K) @ V

    return attend_wrongly


def softmax(logits: np.ndarray) -> np.ndarray:
    """The right softmax, for mistakes made elsewhere."""
    exponentials = np.exp(logits - logits.max())
    return exponentials / exponentials.sum()


def softmax_less(logits: np.ndarray, shift: float) -> np.ndarray:
    """A softmax after subtracting `shift`: nan where that leaves exponents that overflow."""
    with np.errstate(over="ignore", invalid="ignore"):
        exponentials = np.exp(logits - shift)
        return exponentials / exponentials.sum()


# --- the weights: a wrong softmax ---------------------------------------------------------------


def scaled_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    return softmax(K @ q / np.sqrt(len(q)))


def overflowing_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    return softmax_less(K @ q, 0)


def min_shifted_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    return softmax_less(K @ q, (K @ q).min())


def half_max_shifted_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    return softmax_less(K @ q, (K @ q).max() / 2)


def exponential_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return np.exp(K @ q)


def query_axis_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    scores = (K @ q)[None, :]  # one row for the only query, then normalised down the column
    exponentials = np.exp(scores - scores.max(axis=0))
    return (exponentials / exponentials.sum(axis=0))[0]


def logit_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    return K @ q


def l1_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return (K @ q) / np.abs(K @ q).sum()


def hard_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    return np.eye(len(K))[np.argmax(K @ q)]


scaled_attend = attend_with(scaled_weights)
overflowing_attend = attend_with(overflowing_weights)
min_shifted_attend = attend_with(min_shifted_weights)
half_max_shifted_attend = attend_with(half_max_shifted_weights)
exponential_attend = attend_with(exponential_weights)
query_axis_attend = attend_with(query_axis_weights)
logit_attend = attend_with(logit_weights)
l1_attend = attend_with(l1_weights)
hard_attend = attend_with(hard_weights)


# --- the weights: a softmax of the wrong numbers ------------------------------------------------


def cosine_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return softmax(K @ q / (np.linalg.norm(K, axis=1) * np.linalg.norm(q)))


def column_key_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    return softmax(K.T @ q)  # raises an exception unless n = d


def value_weighted_attend(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    return softmax(V @ q) @ V


def column_value_attend(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    return V @ attention_weights(q, K)  # raises an exception unless n = d


cosine_attend = attend_with(cosine_weights)
column_key_attend = attend_with(column_key_weights)


# --- the right numbers in the wrong place -------------------------------------------------------


def truncated_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    weights = np.zeros_like(K @ q)
    weights[:] = attention_weights(q, K)
    return weights


def truncated_attend(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    output = np.zeros_like(V[0])
    output[:] = attend(q, K, V)
    return output


def scribbling_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    K *= q
    return softmax(K.sum(axis=1))


def scribbling_attend(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    weights = scribbling_weights(q, K)
    return weights @ V


def scribbling_query(K: np.ndarray, j: int, eps: float) -> np.ndarray:
    q = peaked_query(K, j, eps)
    K[j] = q
    return K[j]


def column_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    return attention_weights(q, K)[:, None]


def column_attend(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    return attend(q, K, V)[:, None]


def column_query(K: np.ndarray, j: int, eps: float) -> np.ndarray:
    return peaked_query(K, j, eps)[:, None]


def list_weights(q: np.ndarray, K: np.ndarray) -> list[float]:
    return list(attention_weights(q, K).tolist())


def list_attend(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> list[float]:
    return list(attend(q, K, V).tolist())


def list_query(K: np.ndarray, j: int, eps: float) -> list[float]:
    return list(peaked_query(K, j, eps).tolist())


def paired_attend(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return attend(q, K, V), attention_weights(q, K)


# --- peaked_query and copy_value ----------------------------------------------------------------


def plain_key_query(K: np.ndarray, j: int, eps: float) -> np.ndarray:
    return K[j].copy()


def scaled_key_query(K: np.ndarray, j: int, eps: float) -> np.ndarray:
    rivals = max(len(K) - 1, 1)
    return np.log(rivals * (1 - eps) / eps) * K[j]


def scaled_unit_key_query(K: np.ndarray, j: int, eps: float) -> np.ndarray:
    return scaled_key_query(K, j, eps) / (K[j] @ K[j])


def one_rival_query(K: np.ndarray, j: int, eps: float) -> np.ndarray:
    wanted = np.zeros(len(K))
    wanted[j] = np.log((1 - eps) / eps)
    return np.linalg.pinv(K) @ wanted


def unguarded_query(K: np.ndarray, j: int, eps: float) -> np.ndarray:
    wanted = np.zeros(len(K))
    with np.errstate(divide="ignore", invalid="ignore"):
        wanted[j] = np.log((len(K) - 1) * (1 - eps) / eps)
        return np.linalg.pinv(K) @ wanted


def indexed_copy(K: np.ndarray, V: np.ndarray, j: int, eps: float) -> np.ndarray:
    return V[j].copy()
