"""What an instructor writes to have an explanation in words read: a rubric.

A noun of the pack, part of `Problem`: `spec` reads a rubric's TOML into it, `checks.written`
applies it.
"""

from grader.rubric.model import Concept, Level, Refusal, Rubric
from grader.rubric.phrase import Choice, Gap, Row, Term, Word, parse, terms

__all__ = [
    "Choice",
    "Concept",
    "Gap",
    "Level",
    "Refusal",
    "Row",
    "Rubric",
    "Term",
    "Word",
    "parse",
    "terms",
]
