"""Names: which functions a student's code has in place of the one that was asked."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from grader.value import cut

_NAME_LIMIT = 60
_NAMES_SHOWN = 8
_CALLABLE = ("function", "builtin", "ufunc", "method", "partial", "vectorize")


def missing(function: str, defined: Mapping[str, str]) -> str:
    """Say that a function is missing, what there is instead, and which of it may be meant."""
    kind = defined.get(function, "")
    bound = bool(kind) and not _is_function(kind)
    if bound:
        said = f"In your code `{function}` is {article(kind)}, not a function."
        others = {name: k for name, k in defined.items() if name != function}
    else:
        said = f"Your code defines no `{function}`."
        others = dict(defined)
    functions = [name for name, k in others.items() if _is_function(k)]
    meant = suggestion(function, functions) or _in_a_class(others, functions)
    parts = (said, _inventory(others, bound=bound), meant)
    return " ".join(filter(None, parts))


def suggestion(name: str, known: Iterable[str]) -> str:
    """``Did you mean `x`?`` for the known name nearest to a missing one, or ""."""
    by_plain: dict[str, str] = {}
    for candidate in known:
        by_plain.setdefault(_plain(candidate), candidate)
    near = difflib.get_close_matches(_plain(name), by_plain, n=1, cutoff=0.7)
    return f"Did you mean `{cut(by_plain[near[0]], _NAME_LIMIT)}`?" if near else ""


def article(noun: str) -> str:
    """A noun with its indefinite article."""
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {cut(noun, _NAME_LIMIT)}"


def _in_a_class(others: Mapping[str, str], functions: Iterable[str]) -> str:
    """Methods are not looked for: an instance would have to be made first, who knows how."""
    if list(functions) or "class" not in others.values():
        return ""
    return "Define it outside of any class, at the left margin of the file."


def _is_function(kind: str) -> bool:
    return any(word in kind for word in _CALLABLE)


def _plain(name: str) -> str:
    """A name without case and underscores, so that camelCase meets snake_case."""
    return name[: 2 * _NAME_LIMIT].replace("_", "").casefold()


def _inventory(defined: Mapping[str, str], *, bound: bool) -> str:
    """What the code defines, functions first; `bound` tells that the name itself is taken."""
    if not defined:
        return "It defines nothing else." if bound else "It defines nothing at all."
    ranked = sorted(defined.items(), key=lambda item: not _is_function(item[1]))
    shown = [_entry(name, kind) for name, kind in ranked[:_NAMES_SHOWN]]
    more = f" and {len(ranked) - _NAMES_SHOWN} more" if len(ranked) > _NAMES_SHOWN else ""
    none = "" if _is_function(ranked[0][1]) else ", but no function"
    return f"It defines {', '.join(shown)}{more}{none}."


def _entry(name: str, kind: str) -> str:
    shown = f"`{cut(name, _NAME_LIMIT)}`"
    return shown if _is_function(kind) else f"{shown} ({article(kind)})"
