"""Per-student variants: a pack as one student has it, made ready when that student's turn comes.

Behind it nothing knows of variants: the texts are filled in, and the functions have their values.
"""

from __future__ import annotations

import inspect
import json
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

from grader.checks.symbolic_judge import FormulaJudge
from grader.errors import SubmissionError
from grader.evidence import Isolation, Submission
from grader.pipeline.formulas import require_sound
from grader.pipeline.grading import Grading
from grader.pipeline.prepare import Prepared, prepare
from grader.problem import Criterion, Misconception, Pack, Problem, SymbolicCriterion
from grader.submission.names import safe_id
from grader.variant import Variant, draw, filled, filled_formula

_MOST_READY = 16
"""Variants kept ready.  A class whose students all differ needs each once; one of few variants
finds them here."""
_MARK = re.compile(r"^#[ \t]*grader student:(.*)$", re.MULTILINE)

Functions = Mapping[str, Callable[..., Any]]


def variant_of(problem: Problem, student: str) -> Variant:
    """The values of a student, whose id is made a safe file name first, as in a gradebook."""
    return draw(problem.id, problem.variants, safe_id(student))


def for_variant(pack: Pack, variant: Variant) -> Pack:
    """A pack as it is for these values; the same pack where nothing varies."""
    if not pack.problem.variants:
        return pack
    return replace(
        pack,
        problem=_filled_problem(pack.problem, variant),
        statement=filled(pack.statement, variant),
        variant=variant,
        reference=_bound_all(pack.reference, variant),
        inputs=_bound_all(pack.inputs, variant),
        checks=_bound_all(pack.checks, variant),
        misconceptions=_bound_all(pack.misconceptions, variant),
    )


def for_student(pack: Pack, student: str) -> Pack:
    """A pack as one student has it."""
    return for_variant(pack, variant_of(pack.problem, student))


def _bound_all(functions: Functions, variant: Variant) -> Functions:
    return {name: bound(function, variant) for name, function in functions.items()}


def bound(function: Callable[..., Any], variant: Variant) -> Callable[..., Any]:
    """A function with the values as its keyword-only `variant`, if it has one."""
    try:
        signature = inspect.signature(function)
    except (ValueError, TypeError):  # one without a signature, such as some of C
        return function
    own = signature.parameters.get("variant")
    if own is None or own.kind is not inspect.Parameter.KEYWORD_ONLY:
        return function

    @wraps(function)
    def with_values(*args: Any) -> Any:
        return function(*args, variant=variant)

    others = [p for name, p in signature.parameters.items() if name != "variant"]
    with_values.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
    return with_values


def _filled_problem(problem: Problem, variant: Variant) -> Problem:
    parts = tuple(
        part.model_copy(update={"criteria": tuple(_criterion(c, variant) for c in part.criteria)})
        for part in problem.parts
    )
    known = tuple(_misconception(m, variant) for m in problem.misconceptions)
    return problem.model_copy(update={"parts": parts, "misconceptions": known})


def _criterion(criterion: Criterion, variant: Variant) -> Criterion:
    texts = {"asks": filled(criterion.asks, variant), "hint": filled(criterion.hint, variant)}
    if isinstance(criterion, SymbolicCriterion):
        texts["formula"] = filled_formula(criterion.formula, variant)
    return criterion.model_copy(update=texts)


def _misconception(misconception: Misconception, variant: Variant) -> Misconception:
    formulas = {k: filled_formula(v, variant) for k, v in misconception.formulas.items()}
    hint = filled(misconception.hint, variant)
    return misconception.model_copy(update={"hint": hint, "formulas": formulas})


# --- whose work it is ----------------------------------------------------------------------------


def mark(student: str) -> str:
    """The line of a starter that says whose variant it is."""
    return f"# grader student: {safe_id(student)}"


def marked_student(submission: Submission) -> str | None:
    """The student whose variant a submission says it is, by the line its starter came with."""
    for chunk in submission.chunks:
        text = chunk.source.decode("utf-8-sig", "replace").replace("\r", "\n")
        named = (str(found[1]).strip(" \t") for found in _MARK.finditer(text))
        for student in filter(None, named):
            return student
    return None


def whose(problem: Problem, submission: Submission, student: str | None) -> str:
    """The student by whose variant to look at work that comes without a class: the one named, else
    the one that the work names.

    Raises:
        SubmissionError: if it has to be known and is not.
    """
    known = student or marked_student(submission)
    if known is None and problem.variants:
        raise SubmissionError(
            "This problem differs from student to student, and no line of the code says whose "
            f"work this is: write “{mark('ID')}” at its top, with the right ID, or give --student "
            "ID."
        )
    return known or ""


def other_variant(problem: Problem, submission: Submission) -> str:
    """Why a submission is not graded: it was begun as the variant of somebody else; "" if not."""
    student = marked_student(submission) if problem.variants else None
    if student is None:
        return ""
    if variant_of(problem, student) == variant_of(problem, submission.id):
        return ""
    return (
        f"A line of the code says that it was begun as the variant of {safe_id(student)}, but it "
        f"was handed in as {submission.id}, whose variant is another. Rename the submission, or "
        "mend that line."
    )


# --- made ready, one after the other -------------------------------------------------------------


@dataclass(frozen=True)
class Ready:
    """A student's variant, ready to grade by."""

    prepared: Prepared
    grading: Grading


class Variants:
    """The variants of a pack, each made ready when it is first needed.  Threads may share it.

    A bounded number is kept, the last ones used, so that memory does not grow with a class.
    """

    def __init__(
        self, pack: Pack, base: Prepared, judge: FormulaJudge, isolation: Isolation
    ) -> None:
        """`base` is the pack made ready for one variant, or for everybody where nothing varies."""
        self._pack = pack
        self._base = base
        self._judge = judge
        self._isolation = isolation
        self._ready: OrderedDict[str, Ready] = OrderedDict()
        # Held while one is made ready: warnings are then silenced for the whole process.
        self._lock = threading.Lock()
        self._keep(base)

    @property
    def base(self) -> Prepared:
        """What is ready from the start."""
        return self._base

    @property
    def pack(self) -> Pack:
        """The pack as it is written, without anybody's values."""
        return self._pack

    def of(self, student: str) -> Variant:
        """The values of a student."""
        return variant_of(self._pack.problem, student)

    def ready(self, student: str) -> Ready:
        """A student's variant, made ready.

        Raises:
            SpecError: if the pack is at fault for these values.
        """
        variant = self.of(student)
        with self._lock:
            key = text_of(variant)
            found = self._ready.get(key)
            if found is not None:
                self._ready.move_to_end(key)
                return found
            prepared = prepare(
                for_variant(self._pack, variant),
                self._base.seed,
                public_only=self._base.left_out > 0,
            )
            require_sound(prepared, self._judge)
            return self._keep(prepared)

    def unready(self, student: str) -> Grading:
        """For the grade of a student that cannot be graded: only the texts are filled in."""
        pack = for_variant(self._pack, self.of(student))
        return Grading(replace(self._base, pack=pack), self._judge, self._isolation)

    def _keep(self, prepared: Prepared) -> Ready:
        ready = Ready(prepared, Grading(prepared, self._judge, self._isolation))
        self._ready[text_of(prepared.pack.variant)] = ready
        while len(self._ready) > _MOST_READY:
            self._ready.popitem(last=False)
        return ready


def text_of(variant: Variant) -> str:
    """The values as one text, the same for the same values; "" where nothing varies."""
    return json.dumps(dict(variant), sort_keys=True) if variant else ""
