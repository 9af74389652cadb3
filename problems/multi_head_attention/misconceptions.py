"""Known-wrong answers, as students give them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from reference import draw_keys, head, heads

Keys = Callable[[np.ndarray, float, np.ndarray, int, int], np.ndarray]


def squared_noise_keys(
    M: np.ndarray, spread: float, stretch: np.ndarray, draws: int, seed: int
) -> np.ndarray:
    """spread and stretch taken for variances, squared once more."""
    return draw_keys(M, spread**2, stretch**2, draws, seed)


def frozen_noise_keys(
    M: np.ndarray, spread: float, stretch: np.ndarray, draws: int, seed: int
) -> np.ndarray:
    """One draw, repeated."""
    return np.repeat(draw_keys(M, spread, stretch, 1, seed), draws, axis=0)


def shared_noise_keys(
    M: np.ndarray, spread: float, stretch: np.ndarray, draws: int, seed: int
) -> np.ndarray:
    """One number along each mean, the same for all keys."""
    rng = np.random.default_rng(seed)
    round_noise = spread * rng.normal(size=(draws, 1, M.shape[1]))
    along = stretch * rng.normal(size=(draws, 1))
    return M + round_noise + along[:, :, None] * M


def round_stretch_keys(
    M: np.ndarray, spread: float, stretch: np.ndarray, draws: int, seed: int
) -> np.ndarray:
    """The stretch in all directions."""
    rng = np.random.default_rng(seed)
    size = np.hypot(spread, stretch)
    return M + size[:, None] * rng.normal(size=(draws, *M.shape))


def unstretched_keys(
    M: np.ndarray, spread: float, stretch: np.ndarray, draws: int, seed: int
) -> np.ndarray:
    """Round noise only."""
    return draw_keys(M, spread, np.zeros(len(M)), draws, seed)


def uniform_keys(
    M: np.ndarray, spread: float, stretch: np.ndarray, draws: int, seed: int
) -> np.ndarray:
    """Numbers between 0 and 1."""
    rng = np.random.default_rng(seed)
    along = stretch * rng.random(size=(draws, len(M)))
    return M + spread * rng.random(size=(draws, *M.shape)) + along[:, :, None] * M


def fixed_seed_keys(
    M: np.ndarray, spread: float, stretch: np.ndarray, draws: int, seed: int
) -> np.ndarray:
    """Seed 0, whatever is asked."""
    return draw_keys(M, spread, stretch, draws, 0)


def overflowing_head(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """No shift of the exponents."""
    exponentials = np.exp(K @ q)
    return exponentials / exponentials.sum() @ V


def scaled_head(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Divided by √d."""
    return head(q / np.sqrt(len(q)), K, V)


def scaled_heads(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Divided by √d."""
    return heads(Q / np.sqrt(Q.shape[1]), K, V)


def mean_query_heads(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """One head with the mean query."""
    return head(Q.mean(axis=0), K, V)


def summed_heads(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Not divided by the number of heads."""
    return len(Q) * heads(Q, K, V)


def joint_heads(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """One softmax over all heads and keys."""
    logits = Q @ K.T
    exponentials = np.exp(logits - logits.max())
    return (exponentials / exponentials.sum() @ V).sum(axis=0)


def unscaled_queries(M: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """The means themselves."""
    return M[[a, b]].copy()


def same_queries(M: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """β(m_a + m_b) twice."""
    beta = np.log((len(M) - 1) * (1 - eps) / eps)
    return beta * np.array([M[a] + M[b]] * 2)


def one_rival_queries(M: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """A lead that is enough against one other key."""
    return np.log((1 - eps) / eps) * M[[a, b]]


def _outputs(
    keys: Keys,
    Q: np.ndarray,
    M: np.ndarray,
    V: np.ndarray,
    spread: float,
    stretch: np.ndarray,
    draws: int,
    seed: int,
) -> np.ndarray:
    return heads(Q, keys(M, spread, stretch, draws, seed), V)


def _with_keys(keys: Keys) -> Callable[..., float]:
    def variance(Q: np.ndarray, *others: np.ndarray) -> float:
        return float(_outputs(keys, Q, *others).var(axis=0).sum())

    return variance


squared_noise_variance = _with_keys(squared_noise_keys)
frozen_noise_variance = _with_keys(frozen_noise_keys)
shared_noise_variance = _with_keys(shared_noise_keys)
round_stretch_variance = _with_keys(round_stretch_keys)
unstretched_variance = _with_keys(unstretched_keys)


def mean_query_variance(Q: np.ndarray, *others: np.ndarray) -> float:
    """Of one head with the mean query."""
    return float(_outputs(draw_keys, Q.mean(axis=0)[None], *others).var(axis=0).sum())


def summed_heads_variance(Q: np.ndarray, *others: np.ndarray) -> float:
    """Of the sum of the heads."""
    return float((len(Q) * _outputs(draw_keys, Q, *others)).var(axis=0).sum())


def one_pass_variance(Q: np.ndarray, *others: np.ndarray) -> float:
    """The mean of the squares minus the square of the mean."""
    outputs = _outputs(draw_keys, Q, *others)
    mean = outputs.mean(axis=0)
    return float((outputs**2).sum(axis=1).mean() - mean @ mean)


def second_moment(Q: np.ndarray, *others: np.ndarray) -> float:
    """The mean squared length of the output."""
    return float((_outputs(draw_keys, Q, *others) ** 2).sum(axis=1).mean())


def coordinate_variance(Q: np.ndarray, *others: np.ndarray) -> float:
    """Averaged over the coordinates."""
    return float(_outputs(draw_keys, Q, *others).var(axis=0).mean())


def deviation(Q: np.ndarray, *others: np.ndarray) -> float:
    """The root of the total variance."""
    return float(np.sqrt(_outputs(draw_keys, Q, *others).var(axis=0).sum()))


def separate_variance(Q: np.ndarray, *others: np.ndarray) -> float:
    """Averaged over the heads."""
    each = [_outputs(draw_keys, q[None], *others).var(axis=0).sum() for q in Q]
    return float(np.mean(each))
