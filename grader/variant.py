"""Per-student variants: what a pack may vary, and the values that one student gets.

Values are drawn with SHA-256 from the problem's id, the parameter's name and the student's id
alone: the same on every machine, with every version of Python, of NumPy and of the pack's text.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from grader.fields import Model, Text

Drawn: TypeAlias = int | float | str
"""One value of a variant, as the pack's functions get it."""
Variant: TypeAlias = Mapping[str, Drawn]
"""Parameter → value; empty where a problem is the same for everybody."""

SAME_FOR_ALL: Variant = MappingProxyType({})
_MOST_VALUES = 10**9
_PLACEHOLDER = re.compile(r"\{\{[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t]*\}\}")


def _decimal(value: object) -> object:
    """Whole numbers count as decimals; what TOML writes with a point is read as one already."""
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    return Decimal(str(value)) if isinstance(value, float) or is_whole else value


Exact = Annotated[
    Decimal,
    BeforeValidator(_decimal),
    Field(allow_inf_nan=False, ge=-1_000_000_000_000, le=1_000_000_000_000, decimal_places=12),
    WithJsonSchema({"type": "number"}),
]
"""A number with at most 12 decimal places, exactly as it is written."""


def _choice(value: object) -> object:
    return float(value) if isinstance(value, Decimal) else value


Choice = Annotated[int | float | Text, BeforeValidator(_choice)]


class Parameter(Model):
    """What one name stands for: a number from a range, or one of a list."""

    type: Literal["integer", "real"] | None = None
    min: Exact | None = None
    max: Exact | None = None
    """Both ends are in the range."""
    step: Exact | None = Field(default=None, gt=0)
    """From one value of the range to the next; 1 for integers."""
    choices: tuple[Choice, ...] = Field(default=(), strict=False)

    @model_validator(mode="after")
    def _is_one_or_the_other(self) -> Self:
        ranged = [key for key in ("type", "min", "max", "step") if getattr(self, key) is not None]
        if self.choices and ranged:
            raise ValueError(f"choices stand alone, without {ranged[0]}")
        if not self.choices:
            self._check_range()
        if self.count < 2:
            raise ValueError("there is only one value, which is the same for everybody")
        if self.count > _MOST_VALUES:
            raise ValueError(f"there are more than {_MOST_VALUES:,} values; take a larger step")
        return self

    def _check_range(self) -> None:
        if self.type is None or self.min is None or self.max is None:
            raise ValueError("write choices, or type, min and max")
        if self.type == "real" and self.step is None:
            raise ValueError("a real parameter has a step, so that its values can be written")
        if self.min >= self.max:
            raise ValueError("min has to be smaller than max")
        whole = (self.min, self.max, self._step)
        if self.type == "integer" and any(x != x.to_integral_value() for x in whole):
            raise ValueError("min, max and step of an integer are whole numbers")

    @property
    def _step(self) -> Decimal:
        return Decimal(1) if self.step is None else self.step

    @property
    def count(self) -> int:
        """How many values there are."""
        if self.min is None or self.max is None:
            return len(self.choices)
        return int((self.max - self.min) / self._step) + 1

    def value(self, index: int) -> Drawn:
        """One of the values, by its position from 0."""
        if self.min is None:
            return self.choices[index]
        exact = self.min + index * self._step
        return int(exact) if self.type == "integer" else float(exact)


def draw(problem_id: str, parameters: Mapping[str, Parameter], student: str) -> Variant:
    """The variant of a student: always the same for the same id.

    The pack's version is no part of it: mending a problem must not change what a student was
    asked.  How an id is written in capitals, or composed of accents, makes no difference either.
    Each parameter is drawn by itself, so that adding one leaves the others as they are.
    """
    who = unicodedata.normalize("NFKC", student).casefold().strip()
    drawn = {}
    for name, parameter in parameters.items():
        text = "\0".join(("grader/variant/v1", problem_id, name, who))
        number = int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest())
        drawn[name] = parameter.value(number % parameter.count)  # 256 bits: the bias is nil
    return MappingProxyType(drawn)


def written(value: Drawn) -> str:
    """A value as a text shows it: 7, 0.25, -3."""
    if isinstance(value, float):
        return f"{Decimal(repr(value)).normalize():f}"
    return str(value)


def values_of(variant: Variant) -> str:
    """All values in a line: ``n = 7, unit = cm``."""
    return ", ".join(f"{name} = {written(value)}" for name, value in variant.items())


def placeholders(text: str) -> tuple[str, ...]:
    """The names in ``{{NAME}}``, in order, each once."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(text)))


def filled(text: str, variant: Variant) -> str:
    """A text with a student's values in the place of ``{{NAME}}``.

    Where nothing varies the text stays as it is: two braces are nothing special there.
    """

    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        return written(variant[name]) if name in variant else match.group()

    return _PLACEHOLDER.sub(value, text) if variant else text


def filled_formula(formula: str, variant: Variant) -> str:
    """A formula with a student's values, so that ``2 - {{a}}`` means what it says for a = -3."""
    safe = {
        name: f"({written(value)})" if written(value).startswith("-") else value
        for name, value in variant.items()
    }
    return filled(formula, safe)
