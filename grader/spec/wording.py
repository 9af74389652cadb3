"""The words that every message of the load step shares: values, keys and near misses."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from decimal import Decimal

_BARE_KEY = re.compile(r"[A-Za-z0-9_#-]+")
_LONGEST = 60


def quoted(text: str) -> str:
    """A text in double quotes on one line, escaped as TOML would, cut if it is long."""
    shown = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return json.dumps(shown, ensure_ascii=False).replace("\x7f", "\\u007f")


def key_path(names: Iterable[str]) -> str:
    """Join keys and ids with dots, quoting those that TOML would want quoted."""
    return ".".join(name if _BARE_KEY.fullmatch(name) else quoted(name) for name in names)


def given(value: object) -> str:
    """Say what stands in the file: ``the text "two"``, ``the number 0.5``, ``a list of 3``."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return f"the whole number {value}" if abs(value) < 10**18 else "a very long number"
        case float() | Decimal():
            return f"the number {value}".replace("Infinity", "inf").replace("NaN", "nan")
        case str():
            return f"the text {quoted(value)}" if value else "an empty text"
        case list() | tuple():
            return f"a list of {len(value)}" if value else "an empty list"
        case dict():
            return "a table"
        case date() | datetime() | time():
            return "a date or a time"
        case _:
            return f"a {type(value).__name__}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """Enumerate: ``a``, ``a and b``, ``a, b and c``."""
    *head, tail = [*words] or ["nothing"]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The one of the known words that was most likely meant, if any is near, ignoring case."""
    by_folded = {name.casefold(): name for name in reversed(known)}
    near = difflib.get_close_matches(word[:_LONGEST].casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[near[0]] if near else None


def did_you_mean(word: str, known: Sequence[str], otherwise: str = "") -> str:
    """``did you mean "weight"?``, or the other sentence where nothing is near."""
    near = nearest(word, known)
    return f"did you mean {near}?" if near else otherwise
