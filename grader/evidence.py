"""What a submission is, what its code is asked, and what was seen of it.

Frozen dataclasses that `submission` and `sandbox` make and `checks` reads: the facts, before any
judgement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from grader.value import Plain

# --- what is handed in ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of student source that runs as one: a whole `.py` file, or one notebook cell."""

    name: str
    """As shown to the student, unique in the submission: ``attention.py``, ``hw.ipynb cell 3``."""
    source: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What stands under one part's heading."""

    text: str
    """The written answer, without the formula lines."""
    formulas: Mapping[str, str] = field(default_factory=dict)
    """Symbol → right-hand side, of the lines ``NAME = FORMULA``."""


@dataclass(frozen=True, slots=True)
class Submission:
    """One student's work, collected.

    `id` is unique in a run and safe as a file name; `chunks` is empty when there is no code;
    `modules` maps the names of further `.py` files to their source; `digest` hashes all content.
    """

    id: str
    origin: str
    chunks: tuple[Chunk, ...]
    modules: Mapping[str, bytes]
    answers: Mapping[str, Answer]
    digest: str
    notebook: bool = False
    """Whether a failing chunk leaves the others standing, as in a notebook."""
    warnings: tuple[str, ...] = ()
    code_problem: str = ""
    """Why code that was handed in could not be read (a student's fault), if so."""
    answers_problem: str = ""
    """Why written answers that were handed in could not be read, if so: they are not blank."""


# --- what is asked of the code -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stimulus:
    """A call to make: a function of the student's, on plain arguments or nested stimuli."""

    function: str
    args: tuple[Plain, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """What a pack's input generator yields: the arguments of one call, smallest case first."""

    args: tuple[Plain, ...]
    label: str

    def __init__(self, *args: Plain, label: str = "") -> None:
        object.__setattr__(self, "args", args)
        object.__setattr__(self, "label", label)


def call(function: str, *args: Plain) -> Stimulus:
    """Nest a call of another of the student's functions inside a case's arguments."""
    return Stimulus(function, args)


class Ending(StrEnum):
    """How one call of the student's function ended."""

    RETURNED = "returned"
    RAISED = "raised"
    TIMEOUT = "timeout"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    MISSING = "missing"
    """There is no function of that name."""
    STUB = "stub"
    """The function is there but empty, or raises NotImplementedError."""
    EXITED = "exited"
    """sys.exit or os._exit."""
    CRASHED = "crashed"
    """Killed by a signal, or its reply was garbled."""
    UNREADABLE = "unreadable"
    """Returned something that is not plain data, or is far too large."""


@dataclass(frozen=True, slots=True)
class TraceLine:
    """A line of the student's own in a traceback."""

    file: str
    line: int
    function: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class StudentError:
    """An exception of the student's: exact type, message, and where in their own code."""

    type: str
    message: str
    trace: tuple[TraceLine, ...] = ()

    @property
    def where(self) -> TraceLine | None:
        """The innermost line of the student's own."""
        return self.trace[-1] if self.trace else None


@dataclass(frozen=True, slots=True)
class Observation:
    """What one call did.  `mutated` holds the positions of the arguments that it changed."""

    ending: Ending
    value: Plain = None
    type_name: str = ""
    """The returned object's own type before it was rebuilt plain, like ``numpy.matrix``."""
    mutated: tuple[int, ...] = ()
    args: tuple[Plain, ...] = ()
    """The arguments as the function got them (nested stimuli evaluated), where known."""
    error: StudentError | None = None
    note: str = ""
    """More about the ending, a sentence for the student: the limit, the signal, the exit code."""
    stdout: str = ""


class Tier(StrEnum):
    """How strong the isolation is, A best."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"
    E = "E"


@dataclass(frozen=True, slots=True)
class Protection:
    """One protection, as a probe found it."""

    name: str
    held: bool
    seen: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Isolation:
    """The isolation a submission ran under, by what was seen refused."""

    tier: Tier
    protections: tuple[Protection, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """Names of the protections that did not hold."""
        return tuple(p.name for p in self.protections if not p.held)


@dataclass(frozen=True, slots=True)
class Run:
    """What one submission's code did, call by call, in the order of the stimuli."""

    observations: tuple[Observation, ...]
    load: Observation
    """How loading the code went; its error and note explain why functions are missing."""
    defined: Mapping[str, str] = field(default_factory=dict)
    """Public top-level names the code defines → ``function``, ``class``, ``list`` …"""
    failed_chunks: Mapping[str, StudentError] = field(default_factory=dict)
    """Notebook cells that failed, by chunk name."""
    stdout: str = ""
    stderr: str = ""
    cpu_s: float = 0.0


# --- what is known in advance --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """A code criterion made ready once per run: its calls and what each ought to give.

    `expected` is empty where the pack has no reference for the function; `misconceptions` maps an
    id to what that misconception gives on the same stimuli.
    """

    stimuli: tuple[Stimulus, ...]
    parameters: tuple[str, ...]
    """Names of the function's parameters, for showing arguments."""
    expected: tuple[Observation, ...] = ()
    misconceptions: Mapping[str, tuple[Observation, ...]] = field(default_factory=dict)
    earlier: EarlierKey | None = None
    """Where an answer may be judged by the student's own earlier result."""


@dataclass(frozen=True, slots=True)
class EarlierKey:
    """The earlier results that a criterion's answers may be carried on, case by case.

    `stimuli` call the student's earlier function, one for each stimulus of the criterion, and
    `expected` is what the reference gives for them.
    """

    stimuli: tuple[Stimulus, ...]
    expected: tuple[Observation, ...]
    usable: Callable[..., Any]
    """Of a list of `Returned`, one a case: None or True if they can be carried."""
    reference: Callable[..., Any] | None = None
    """(earlier result, *arguments) → the right answer on it; None for a property."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """The student's earlier functions → the id of the part in which each counts."""


@dataclass(frozen=True, slots=True)
class Returned:
    """What a property's predicate gets: one call that returned.

    The predicate answers None (or True) if the property holds, else a sentence that says what is
    wrong (or False).
    """

    args: tuple[Plain, ...]
    value: Plain
    expected: Plain = None
    mutated: tuple[int, ...] = ()
    label: str = ""
    earlier: Plain = None
    """The student's own wrong earlier result, where the property may hold given that instead."""


@dataclass(frozen=True, slots=True)
class PValue:
    """What the predicate of a statistical criterion answers: how surprising a result is.

    `p` is the probability that a right answer gives a result at least this far off; `text` is the
    sentence for a student whose result is too far off to be chance.
    """

    p: float
    text: str = ""
