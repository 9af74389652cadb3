"""The kinds of text and number that the keys of a pack's file hold, and the models' common ground.

`problem` and `variant` build their models from these.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

ID_PATTERN = r"^[A-Za-z][A-Za-z0-9_-]{0,63}$"
NAME_PATTERN = r"^[A-Za-z_][A-Za-z0-9_]*$"
MODULE_PATTERN = r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$"
TEXT_PATTERN = r"\S"
CALL_PATTERN = r"^[A-Za-z_][A-Za-z0-9_]*\([A-Za-z0-9_(), ]*\)$"
CODE_FILE_PATTERN = r"^[^/\\\x00-\x1f]+\.py$"
ANSWERS_FILE_PATTERN = r"^[^/\\\x00-\x1f]+\.md$"

Id = Annotated[str, Field(pattern=ID_PATTERN)]
Name = Annotated[str, Field(pattern=NAME_PATTERN)]
Module = Annotated[str, Field(pattern=MODULE_PATTERN)]
"""A module's full name: ``scipy.linalg``."""
Text = Annotated[str, Field(pattern=TEXT_PATTERN)]
"""Anything but blank."""


def _real(value: object) -> object:
    """TOML's numbers are read as decimals, so that points are exact; most keys want a float."""
    return float(value) if isinstance(value, Decimal) else value


Real = Annotated[float, BeforeValidator(_real), Field(allow_inf_nan=False)]
"""A finite number."""

_MAX_POINTS = 1_000_000
# Bounded, so that no exponent in a file asks for a number of a billion digits.
_EXACT = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,18})?([eE][+-]?[0-9]{1,2})?|[0-9]{1,9}/[0-9]{1,9}")


def _exact(value: object) -> Fraction:
    """Read points exactly: TOML's 0.1 is one tenth, not the nearest binary float."""
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        exact = Fraction(value)
    else:
        exact = _from_text(value)
    if not 0 < exact <= _MAX_POINTS:
        raise ValueError(f"points are more than 0 and at most {_MAX_POINTS}")
    return exact


def _from_text(value: object) -> Fraction:
    if not isinstance(value, float | Decimal | str) or not _EXACT.fullmatch(str(value)):
        raise ValueError('points are a number, like 2 or 0.5, or a fraction as text, like "1/3"')
    try:
        return Fraction(str(value))
    except ZeroDivisionError:
        raise ValueError("a fraction has no 0 below the line") from None


Points = Annotated[
    Fraction,
    BeforeValidator(_exact),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "exclusiveMinimum": 0, "maximum": _MAX_POINTS},
                {"type": "string", "pattern": "^[0-9]{1,9}/[0-9]{1,9}$"},
            ]
        }
    ),
]
"""Points, exact and more than 0."""


class Model(BaseModel):
    """Strict, frozen, and closed: an unknown key is a fault, never ignored.

    What checks a model is built when it is first needed, for most are only parts of others.
    """

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        defer_build=True,
    )
