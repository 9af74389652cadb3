"""What verifying a pack finds: aspects, each with findings and the figures that they rest on.

Frozen nouns that `verify` makes and `report` shows; beside `result`, which is about students.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad a finding is: an error or a warning keeps a pack from being called sound."""

    ERROR = "error"
    """Students would get wrong grades."""
    WARNING = "warning"
    """Some wrong answer may pass, or some right one fail."""
    NOTE = "note"
    """Worth knowing."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to tell the author of a pack."""

    level: Level
    about: str
    """The id of what it is about: a criterion, a misconception, a sample, a mutant; or a place in
    problem.toml."""
    text: str
    """A sentence, with the numbers."""
    mend: str = ""
    """What to do about it."""
    block: str = ""
    """Preformatted: a diff, a case."""


@dataclass(frozen=True, slots=True)
class Aspect:
    """One of the questions that a pack is asked."""

    name: str
    """``mutants``; short, unique in a verification."""
    title: str
    summary: str
    """One line: what was tried and how it came out."""
    findings: tuple[Finding, ...] = ()
    took_s: float = 0.0
    skipped: str = ""
    """Why it was not asked, if so: nothing is known then, and nothing is claimed."""

    @property
    def sound(self) -> bool:
        """Whether it was asked and no error or warning was found."""
        return not self.skipped and all(f.level is Level.NOTE for f in self.findings)


@dataclass(frozen=True, slots=True)
class Kill:
    """One wrong version of the pack's functions or formulas, and what it cost."""

    wrong: str
    """Id of the misconception or mutant."""
    lost: tuple[str, ...]
    """Ids of the criteria that it lost points on, in the order of the file."""
    recognised: tuple[str, ...] = ()
    """Ids of the criteria whose feedback named it (misconceptions only)."""


class Fate(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    EQUIVALENT = "equivalent"
    """Gives what the original gives, to rounding, on everything tried."""
    EXPLAINED = "explained"
    """Survived, and the pack says why that is right."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """The reference with one thing changed."""

    id: str
    """Stable as long as the line is: ``attend.arithmetic.3f2a9c``."""
    about: str
    """The function it is in, or the symbolic criterion whose formula it is."""
    line: int
    operator: str
    """The kind of change: ``arithmetic``, ``axis``, ``drop_max`` …"""
    diff: str
    fate: Fate
    lost: tuple[str, ...] = ()
    """Ids of the criteria that killed it."""
    why: str = ""
    """The pack's explanation, or what shows that it is equivalent."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How far honest answers to one criterion lie apart, and how far the nearest wrong one.

    Errors are relative to the tolerance's own yardstick: the largest, over all elements, of
    |answer − expected| / (atol + rtol·|expected|), so 1 is what just passes.
    """

    criterion: str
    rtol: float
    atol: float
    honest: float | None
    """None where they differ by more than any tolerance reaches."""
    honest_by: str
    """The formulation that lies furthest out, like ``float64, summed backwards``."""
    wrong: float | None
    """That of the nearest misconception on the case that gives it away; None if there is none."""
    wrong_by: str = ""
    proposal: str = ""
    """A better tolerance, where this one is too tight or too loose."""
    precision: str = "float64"
    """``float64``, or ``float32``: the tolerance for answers in that precision."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The time that one criterion takes of each submission, for the reference."""

    criterion: str
    calls: int
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Verification:
    """Everything that verifying a pack found."""

    problem_id: str
    problem_title: str
    problem_version: str
    aspects: tuple[Aspect, ...]
    misconceptions: tuple[Kill, ...] = ()
    mutants: tuple[Mutant, ...] = ()
    spreads: tuple[Spread, ...] = ()
    costs: tuple[Cost, ...] = ()
    quick: bool = False
    seed: int = 0
    took_s: float = 0.0

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the aspects."""
        return tuple(finding for aspect in self.aspects for finding in aspect.findings)

    @property
    def sound(self) -> bool:
        """Whether nothing that was asked came out with an error or a warning."""
        return all(aspect.sound or aspect.skipped for aspect in self.aspects)

    @property
    def mutation_score(self) -> float | None:
        """The share of mutants that are not equivalent and were killed or explained; None without
        any."""
        counted = [m for m in self.mutants if m.fate is not Fate.EQUIVALENT]
        if not counted:
            return None
        return sum(m.fate is not Fate.SURVIVED for m in counted) / len(counted)
