"""TOML → plain data, or the line that is wrong, shown, with the mend."""

from __future__ import annotations

import re
import tomllib
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from grader.errors import SpecError, SpecFault
from grader.spec.files import one_fault, read_text

_POSITION = re.compile(r"(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end.*)\)")

# A sign in tomllib's message, what it means, and the mend.
_MEANINGS = (
    (
        "Invalid value",
        "the value is not one that TOML knows",
        'text stands in quotes, like title = "Variance"; true and false are lower case',
    ),
    (
        "Cannot overwrite",
        "this key or table is there already",
        "say each key once; a list of tables is opened with [[double brackets]] only",
    ),
    (
        "Cannot declare",
        "this table is opened a second time",
        "a [table] is opened once; where there are several of a kind, write [[double brackets]]",
    ),
    (
        "Unescaped '\\'",
        "a backslash in a text needs care",
        "write it twice, or put the text in 'single quotes'",
    ),
    (
        "Illegal character",
        "the text does not end on this line",
        'close it with the quote that opened it, or use """three quotes""" for several lines',
    ),
    ("Unterminated string", "the text does not end", "close it with the quotes that opened it"),
    ("Expected \"'", "the text does not end", "close it with the quotes that opened it"),
    ("Unclosed array", "the list does not end", "close it with ]"),
    ("Unclosed inline table", "the table in braces does not end", "close it with }"),
    (
        "Invalid initial character",
        "a key cannot begin like this",
        "a key is letters, digits, - and _; a table in { } stays on one line, without a last comma",
    ),
    ("Expected newline", "there is more after the value", "write one key = value on each line"),
    ("Expected ']", "the brackets of this table do not close", "close [ with ], and [[ with ]]"),
    (
        "",
        "this is neither key = value, nor a [table], nor a # comment",
        "mend the line: text stands in quotes, and a key is letters, digits, - and _",
    ),
)


def read_toml(file: Path, where: str) -> dict[str, Any]:
    """Read a TOML file, its numbers as decimals.

    Raises:
        SpecError: if it cannot be read or is not TOML, showing the line.
    """
    text = read_text(file, where)
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise SpecError(where, [_syntax_fault(text, str(error), where)]) from None
    except RecursionError:
        raise one_fault(where, "nests lists or tables too deeply", "flatten it") from None
    except (ValueError, InvalidOperation):  # what int and Decimal say of absurd numbers
        raise one_fault(where, "holds a number with far too many digits", "shorten it") from None


def _syntax_fault(text: str, message: str, where: str) -> SpecFault:
    lines = text.split("\n")
    found = _POSITION.fullmatch(message)
    if found and found["line"]:
        number, column = int(found["line"]), int(found["column"])
    else:  # tomllib only says "at end of document"
        number = max((i for i, line in enumerate(lines, 1) if line.strip()), default=1)
        column = len(lines[number - 1]) + 1
    what, mend = next((what, mend) for sign, what, mend in _MEANINGS if sign in message)
    return SpecFault(
        f"{where} line {number}, column {column}",
        f"{what}\n{_pointed_out(lines[number - 1], number, column)}\n   ",
        mend,
    )


def _pointed_out(line: str, number: int, column: int) -> str:
    """The line with an arrow under the column, cut around it if it is long."""
    start = max(0, column - 60)
    shown = line[start : start + 100].replace("\t", " ")
    printable = "".join(c if c.isprintable() else "�" for c in shown)
    margin = f"      {number} | "
    return f"{margin}{printable}\n{' ' * (len(margin) + column - 1 - start)}^"
