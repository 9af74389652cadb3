"""What an instructor writes to have an explanation in words read: the concepts of a rubric.

A noun of the pack, part of `Problem`; `checks.written` applies it.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Concept(BaseModel):
    """One idea that an answer should hold."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    id: str
    title: str
