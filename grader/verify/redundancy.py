"""Aspect: does every criterion decide something, and do hidden ones hide something?

Every wrong version that was tried shows what each criterion catches.  One more is built here for
hidden criteria: code that knows the answers to the public cases, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.evidence import Chunk, Submission
from grader.problem import CodeCriterion, Criterion
from grader.value import Plain
from grader.verification import Aspect, Finding, Kill, Level, Mutant
from grader.verify import versions
from grader.verify.bench import Bench, Found, criteria_of
from grader.verify.hard_coded import hard_coded

NAME = "redundancy"
Caught = Mapping[str, frozenset[str]]
"""Criterion id → the wrong versions that lose points on it."""


def redundancy(bench: Bench, kills: Sequence[Kill], mutants: Sequence[Mutant]) -> Found:
    """Look for criteria that no wrong version needs."""
    code = [c for _, c in bench.problem.criteria() if isinstance(c, CodeCriterion)]
    caught = _caught(
        code, [*((k.wrong, k.lost) for k in kills), *((m.id, m.lost) for m in mutants)]
    )
    tried = frozenset().union(*caught.values()) if caught else frozenset()
    findings = [*_idle(code, caught, bench)]
    if not bench.quick:  # a sample of the mutants shows too little of what criteria share
        findings += _shared(code, caught)
    findings += _hard_coding(bench, code)
    unique = sum(bool(_alone(c.id, caught)) for c in code)
    summary = (
        f"{unique} of {len(code)} code criteria caught something that no other did, among "
        f"{len(tried)} wrong versions."
        if code
        else "No criterion runs code."
    )
    return Found(Aspect(NAME, "Every criterion decides something", summary, tuple(findings)))


def _caught(code: Sequence[Criterion], lost: Sequence[tuple[str, tuple[str, ...]]]) -> Caught:
    return {c.id: frozenset(wrong for wrong, ids in lost if c.id in ids) for c in code}


def _alone(criterion_id: str, caught: Caught) -> frozenset[str]:
    others = (wrong for id_, wrong in caught.items() if id_ != criterion_id)
    return caught[criterion_id].difference(*others)


def _idle(code: Sequence[CodeCriterion], caught: Caught, bench: Bench) -> Iterator[Finding]:
    """Criteria that could be left out, and no wrong version would get more points."""
    # A sample of the mutants is too little to blame a criterion by.
    level = Level.NOTE if bench.quick else Level.WARNING
    for criterion in code:
        if caught[criterion.id] and not _is_outdone(criterion, code, caught):
            continue
        yield Finding(
            level,
            criterion.id,
            "Nothing that was tried loses points on it, no misconception and no mutant"
            + (", except what fails everything." if caught[criterion.id] else "."),
            "give it inputs that a mistake shows on, add the misconception that it is there "
            "for, or take it out",
        )


def _is_outdone(criterion: CodeCriterion, code: Sequence[CodeCriterion], caught: Caught) -> bool:
    """Whether a public criterion fails only where all of its function do, as on an exception, and
    another public one fails elsewhere too.

    Not asked of hidden ones: they are there for answers made for the public cases.
    """
    if criterion.visibility == "hidden":
        return False
    own = caught[criterion.id]
    others = [c for c in code if c.function == criterion.function and c.id != criterion.id]
    return all(own <= caught[c.id] for c in others) and any(
        own < caught[c.id] for c in others if c.visibility == "public"
    )


def _shared(code: Sequence[Criterion], caught: Caught) -> Iterator[Finding]:
    """Notes: to say a thing in other words may teach, and is no fault."""
    public = [caught[c.id] for c in code if c.visibility == "public"]
    seen = frozenset().union(*public) if public else frozenset()
    same = [c.id for c in code if caught[c.id] and not _alone(c.id, caught)]
    implied = [
        c.id for c in code if c.visibility == "hidden" and caught[c.id] and caught[c.id] <= seen
    ]
    if same:
        text = f"Others catch as well whatever is caught by {', '.join(same)}."
        yield Finding(Level.NOTE, NAME, text)
    if implied:
        text = (
            f"Every mistake tried that fails the hidden {', '.join(implied)} fails something "
            "public, too; they are there for answers made for the public cases."
        )
        yield Finding(Level.NOTE, NAME, text)


def _hard_coding(bench: Bench, code: Sequence[CodeCriterion]) -> Iterator[Finding]:
    """Who answers the public cases from a table must be caught by what is hidden."""
    for function in dict.fromkeys(c.function for c in code):
        own = [c for c in code if c.function == function]
        hidden = [c for c in own if c.visibility == "hidden"]
        if not hidden:
            continue
        shown = [a for c in own if c.visibility == "public" for a in _arguments(bench, c)]
        if not shown or function in versions.without_reference(bench.pack):
            continue
        graded = criteria_of(bench.grade(_submission(bench, function, shown)))
        if all(graded[c.id].result.fraction == 1 for c in hidden):
            yield Finding(
                Level.WARNING,
                function,
                f"A {function} that answers the public cases from a table, and gives None for all "
                "others, passes the hidden criteria as well.",
                f"ask something else in {', '.join(c.id for c in hidden)}",
            )


def _arguments(bench: Bench, criterion: CodeCriterion) -> list[tuple[Plain, ...]]:
    """The arguments of a criterion's calls, with calls within calls answered by the reference."""
    key = bench.prepared.keys[criterion.id]
    return [observation.args for observation in key.expected] or [s.args for s in key.stimuli]


def _submission(bench: Bench, function: str, shown: Sequence[tuple[Plain, ...]]) -> Submission:
    right = versions.reference(bench.pack)
    table = hard_coded(function, shown)
    return Submission(
        id="hard-coded",
        origin="",
        chunks=(*right.chunks, Chunk("table.py", table)),
        modules=right.modules,
        answers={},
        digest="",
    )
