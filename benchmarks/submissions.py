"""Generated submissions: half right in various ways, half with a common fault."""

from __future__ import annotations

from pathlib import Path

_CODE = '''"""Submission {number}."""

import numpy as np


def attention_weights(q, K):
    logits = {logits}
    e = np.exp({exponent})
    return e / {total}


def attend(q, K, V):
    return {output}


def peaked_query(K, j, eps):
    n = K.shape[0]
    m = np.log(max(n - 1, 1) * (1 - eps) / eps)
    return {query} * K[j]
'''
_LOGITS = ("K @ q", "np.dot(K, q)", "np.einsum('nd,d->n', K, q)", "(K * q).sum(axis=1)")
_EXPONENTS = ("logits - logits.max()", "logits - np.max(logits)", "logits", "logits - logits.min()")
_TOTALS = ("e.sum()", "np.sum(e)", "sum(e)")
_OUTPUTS = ("attention_weights(q, K) @ V", "(attention_weights(q, K)[:, None] * V).sum(0)")
_QUERIES = ("m", "(m + 1)", "1", "max(m, 5)")
_MARGINS = ("log((n-1)*(1-eps)/eps)", "ln(n-1) + ln((1-eps)/eps)", "log(n/eps)")
_ANSWERS = """## iii

m = {margin}

alpha_j = 1/(1 + (n-1)*exp(-m))
"""


def write(folder: Path, count: int) -> None:
    """Write `count` submissions, a folder each with an attention.py."""
    for number in range(count):
        home = folder / f"student{number:04}"
        home.mkdir(parents=True)
        code = _CODE.format(
            number=number,
            logits=_LOGITS[number % len(_LOGITS)],
            exponent=_EXPONENTS[number // 4 % len(_EXPONENTS)],
            total=_TOTALS[number % len(_TOTALS)],
            output=_OUTPUTS[number // 2 % len(_OUTPUTS)],
            query=_QUERIES[number // 8 % len(_QUERIES)],
        )
        (home / "attention.py").write_text(code)
        (home / "answers.md").write_text(_ANSWERS.format(margin=_MARGINS[number % len(_MARGINS)]))
