"""What an instructor writes: a problem, its parts, their criteria, as strict frozen models.

`spec` reads `problem.toml` into these; everything later only looks at them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field
from pydantic.json_schema import SkipJsonSchema

from grader.fields import (
    ANSWERS_FILE_PATTERN,
    CALL_PATTERN,
    CODE_FILE_PATTERN,
    Id,
    Model,
    Module,
    Name,
    Points,
    Real,
    Text,
)
from grader.variant import Parameter, Variant


def _filled_in_later(value: object) -> None:
    if value is not None:
        raise ValueError("is filled in by the loader")


Visibility = Literal["public", "hidden"]


class Limits(Model):
    """What one submission may use.  Times are CPU seconds; a wall clock of 5×, which stands still
    while the code only waits for a processor, is behind them."""

    call_time_s: Real = Field(default=2.0, gt=0, le=600)
    """For one call, at least: where the reference itself takes long, `call_time_factor` gives
    more."""
    call_time_factor: Real = Field(default=10.0, ge=1, le=1000)
    """A call may take so many times the reference's own time for that very call.  Ten leaves room
    for temporary arrays, a loop or two in Python, and a first call that fills caches, but not for
    an algorithm of another order on inputs that are large enough to tell."""
    import_time_s: Real = Field(default=10.0, gt=0, le=600)
    submission_time_s: Real = Field(default=60.0, gt=0, le=3600)
    """For the whole submission, at least, and `call_time_factor` times the reference's total; the
    calls that are left when it is used up are timeouts."""
    memory_mb: int = Field(default=512, ge=16, le=1_048_576)
    output_kb: int = Field(default=8192, ge=1, le=1_048_576)
    restarts: int = Field(default=4, ge=0, le=50)
    """After a call that had to be killed, how often the rest is tried in a fresh process; public
    and hidden calls are counted apart."""


class Files(Model):
    """The names of what students hand in."""

    code: str = Field(default="attention.py", pattern=CODE_FILE_PATTERN)
    answers: str = Field(default="answers.md", pattern=ANSWERS_FILE_PATTERN)


class Domain(Model):
    """Where a variable of a formula lives: open bounds for reals, inclusive ones for integers."""

    type: Literal["real", "integer"] = "real"
    min: Real
    max: Real
    aliases: tuple[Text, ...] = Field(default=(), strict=False)
    """Other spellings a student may use for it: ε for eps."""


class Carried(Model):
    """How an answer may be judged by the student's own earlier result instead of the right one."""

    earlier: str = Field(pattern=CALL_PATTERN)
    """A call of the student's earlier function on this criterion's arguments, by the names that
    they have in the reference: ``attention_weights(q, K)``.  Calls may be nested."""
    usable: Name
    """Name of a predicate in `checks.py`: whether the earlier results of all cases, a list of
    `Returned`, can be carried; not where they make the later answers trivial."""


class CarriedAnswer(Carried):
    """As `Carried`, where the answer is compared with a reference's."""

    reference: Name
    """Name in `reference.py`: the right answer, given the earlier result and the arguments."""


class _Criterion(Model):
    id: Id
    title: Text
    weight: int = Field(ge=1, le=1_000_000)
    """Share of the part's points, relative to the part's other criteria."""
    visibility: Visibility = "public"
    reveal: Literal["outcome", "hint"] = "outcome"
    """What a student is told of a hidden criterion: its outcome only, or hints and misconceptions
    too (never its inputs or expected values)."""
    asks: str = ""
    """One sentence: what was asked."""
    hint: str = ""
    """Shown when the criterion is not passed."""


class MatchesCriterion(_Criterion):
    """A function of the student's against the reference's, on the cases of a generator."""

    kind: Literal["matches"]
    function: Name
    inputs: Name
    """Name of a generator in the pack's `inputs.py`."""
    reference: Name | None = None
    """Name in the pack's `reference.py`; the function's own name if left out."""
    rtol: Real = Field(default=1e-7, ge=0, lt=1)
    atol: Real = Field(default=1e-9, ge=0)
    """|returned − expected| ≤ atol + rtol·|expected|, element by element."""
    float32_rtol: Real = Field(default=1e-4, ge=0, lt=1)
    """Used instead of rtol (and for atol, if larger) where returned values are float32 or less."""
    credit: Literal["all", "share"] = "all"
    """Points for every case right, or for the share of cases that are."""
    carried: CarriedAnswer | None = None
    """An answer that is wrong, but right for the student's own wrong earlier result, counts."""


class PropertyCriterion(_Criterion):
    """A predicate in the pack's `checks.py` over what the student's function returned."""

    kind: Literal["property"]
    function: Name
    inputs: Name
    check: Name
    """Name of a predicate in `checks.py`."""
    over: Literal["case", "all"] = "case"
    """Whether the predicate gets one `Returned` at a time, or the list of all of them."""
    reference: Name | None = None
    """Name in `reference.py`, when the predicate wants the reference's answer; else the function's
    own name if `reference.py` has it."""
    credit: Literal["all", "share"] = "all"
    false_alarm: Real | None = Field(default=None, gt=0, le=0.01)
    """For a statistical criterion, whose predicate answers with a `PValue`: the probability that
    a right answer fails it.  Shared out among the cases (Bonferroni), so it holds for them all."""
    carried: Carried | None = None
    """Where the property fails, the predicate is asked again, given the student's own wrong
    earlier result as `Returned.earlier`."""


class SymbolicCriterion(_Criterion):
    """A formula against a formula, over declared domains."""

    kind: Literal["symbolic"]
    symbol: Name
    """What stands left of the = in the student's answer: ``m = log(...)``."""
    formula: Text
    variables: dict[Name, Domain]


class WrittenCriterion(_Criterion):
    """An explanation in words: constraints that warn, and concepts looked for with evidence."""

    kind: Literal["written"]
    max_sentences: int | None = Field(default=None, ge=1, le=1_000_000)
    max_words: int | None = Field(default=None, ge=1, le=1_000_000)
    rubric: Text
    """Name of a TOML file in the pack: how to read the answers."""
    reading: SkipJsonSchema[Annotated[Any, BeforeValidator(_filled_in_later)]] = None
    """A `Rubric`, filled in by `spec` from the rubric's file, never written in problem.toml.  Its
    type is loaded for packs that have one: many have not, and its models take their time."""


class ManualCriterion(_Criterion):
    """A person decides; always needs review."""

    kind: Literal["manual"]


Criterion: TypeAlias = Annotated[
    MatchesCriterion | PropertyCriterion | SymbolicCriterion | WrittenCriterion | ManualCriterion,
    Field(discriminator="kind"),
]
CodeCriterion: TypeAlias = MatchesCriterion | PropertyCriterion


class Part(Model):
    """A lettered or numbered question, with the points its statement prints."""

    id: Id
    title: Text
    points: Points
    criteria: tuple[Criterion, ...] = Field(min_length=1, strict=False)

    @property
    def weight(self) -> int:
        """The sum of the criteria's weights, at least 1."""
        return sum(criterion.weight for criterion in self.criteria)


class Misconception(Model):
    """A known-wrong answer and what to tell whoever gave it."""

    id: Id
    title: Text
    hint: Text
    functions: dict[Name, Name] = Field(default={})
    """Student's function → its wrong implementation in the pack's `misconceptions.py`."""
    formulas: dict[Id, Text] = Field(default={})
    """Symbolic criterion's id → the wrong formula."""


class AcceptedMutants(Model):
    """Mutants of the reference that rightly earn full marks."""

    mutants: tuple[Text, ...] = Field(min_length=1, strict=False)
    """Their ids, as `grader verify` prints them."""
    why: Text
    """Why they are no mistakes, or none that students are to lose points by."""


class Verify(Model):
    """What `grader verify` has to know to judge the pack."""

    accepted: tuple[AcceptedMutants, ...] = Field(default=(), strict=False)


class Problem(Model):
    """A whole problem, as `problem.toml` says it."""

    id: Id
    title: Text
    version: Text
    points: Points | None = None
    """The total the statement prints; the parts' sum if left out."""
    points_policy: Literal["scale", "cap", "sum"] | None = None
    """Needed where the printed total differs from the parts' sum."""
    statement: Text = "statement.md"
    starter: Text = "starter"
    seed: int = Field(default=0, ge=0, lt=2**63)
    files: Files = Files()
    limits: Limits = Limits()
    preload: tuple[Module, ...] = Field(default=("numpy",), max_length=100, strict=False)
    """The modules that student code may import besides the standard library, with all that is in
    their packages.  numpy is always among them."""
    variants: dict[Name, Parameter] = Field(default={})
    """What differs from student to student: ``{{NAME}}`` in the statement, the starter, and a
    criterion's or misconception's `asks`, `hint` and formulas, and a keyword-only parameter
    `variant` of the pack's functions, stand for a student's own values."""
    parts: tuple[Part, ...] = Field(min_length=1, strict=False)
    misconceptions: tuple[Misconception, ...] = Field(default=(), strict=False)
    verify: Verify = Verify()

    def criteria(self) -> Iterator[tuple[Part, Criterion]]:
        """Every criterion with its part, in the order of the file."""
        for part in self.parts:
            for criterion in part.criteria:
                yield part, criterion

    @property
    def raw_points(self) -> Fraction:
        """The sum of the parts' points."""
        return sum((part.points for part in self.parts), Fraction(0))

    @property
    def max_score(self) -> Fraction:
        """The points a perfect submission ends with, after the points policy."""
        if self.points is None or self.points_policy == "sum":
            return self.raw_points
        return self.points

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions that the code criteria call, in order of first use."""
        code = (c for _, c in self.criteria() if isinstance(c, CodeCriterion))
        return tuple(dict.fromkeys(c.function for c in code))

    def symbols(self, part_id: str) -> tuple[str, ...]:
        """The symbols whose formulas a part's written answer may define."""
        part = next(part for part in self.parts if part.id == part_id)
        return tuple(c.symbol for c in part.criteria if isinstance(c, SymbolicCriterion))


@dataclass(frozen=True)
class Pack:
    """A problem with the trusted Python that came with it.

    `digest` is a hash of every file of the pack that can change a grade.  `variant` holds the
    values of one student where the problem has variants and this is that student's.
    """

    problem: Problem
    folder: Path
    digest: str
    reference: Mapping[str, Callable[..., Any]]
    inputs: Mapping[str, Callable[..., Any]]
    checks: Mapping[str, Callable[..., Any]]
    misconceptions: Mapping[str, Callable[..., Any]]
    statement: str = ""
    variant: Variant = field(default_factory=dict)
