"""A small problem for the targets that need one."""

from __future__ import annotations

from typing import Any

from grader.problem import Problem

_VARIABLES = {"n": {"type": "integer", "min": 2, "max": 9}, "eps": {"min": 0, "max": 1}}


def _formula(symbol: str) -> dict[str, Any]:
    return {
        "id": f"formula-{symbol.replace('_', '-')}", "title": "formula", "kind": "symbolic",
        "weight": 1, "symbol": symbol, "formula": "n", "variables": _VARIABLES,
    }  # fmt: skip


_BY_HAND = {"id": "look", "title": "look", "kind": "manual", "weight": 1}

PROBLEM = Problem.model_validate(
    {
        "id": "fuzzed",
        "title": "Fuzzed",
        "version": "1",
        "parts": [
            {"id": "i", "title": "A distribution", "points": 1, "criteria": [_BY_HAND]},
            {"id": "ii", "title": "The margin", "points": 1, "criteria": [_formula("m")]},
            {"id": "iii", "title": "The output", "points": 1, "criteria": [_formula("alpha_j")]},
        ],
    }
)
SYMBOLS = {"i": set[str](), "ii": {"m"}, "iii": {"alpha_j"}}
"""Part → the symbols whose formulas it asks for."""
