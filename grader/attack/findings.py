"""What is found of each attack: whether it held, by what, and how that is known.

Two witnesses are kept apart.  What was *seen* is what the grader itself observed from outside: its
canaries, the reply, the way the process ended, the grade.  What the attack *said* is its own word,
from inside: the error number that it met.  Whether it held is decided by what was seen; the word
only tells which protection it ran into.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from grader.attack.entries import Kind, entry_of, is_promised
from grader.attack.model import (
    Attack,
    Outcomes,
    is_received,
    says_anything,
    says_secret,
)
from grader.attack.trial import Trial, Trials
from grader.evidence import Ending, Tier
from grader.result import Outcome


class Verdict(StrEnum):
    """How an attack ended."""

    HELD = "held"
    THROUGH = "through"
    NOT_PROMISED = "not promised"
    """It got through where the tier does not promise that it is stopped."""
    UNGRADED = "ungraded"
    """The grader could not do its part: nobody got points, and nothing is known."""
    SKIPPED = "skipped"
    """Not promised at this tier, and not run."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known of one attack."""

    attack: Attack
    verdict: Verdict
    blocked_by: str = ""
    seen: tuple[str, ...] = ()
    """What the grader observed from outside."""
    said: str = ""
    """What the attack itself says it met."""
    proved: bool | None = None
    """Whether it reached its goal without the sandbox; None if that was not tried."""


_STOPPED = {
    Ending.TIMEOUT: ("time limit", "stopped by the clock"),
    Ending.MEMORY_LIMIT: ("memory limit", "out of memory, by its limit"),
    Ending.OUTPUT_LIMIT: ("output limit", "stopped for its output"),
    Ending.CRASHED: ("a process apart", "its process died, and nothing else"),
    Ending.EXITED: ("a process apart", "its process ended, and nothing else"),
}
_FILTER = "seccomp"
_BY_WORD = {
    "EPERM": _FILTER,
    "ENOSYS": _FILTER,
    "EAGAIN": _FILTER,
    "BlockingIOError": _FILTER,
    "ENOMEM": "memory limit",
    "MemoryError": "memory limit",
    "EMFILE": "limits",
    "EROFS": "namespaces",
    "RecursionError": "Python's own limit",
    "ModuleNotFoundError": "nothing else to import",
}


def find(trials: Trials) -> list[Finding]:
    """The findings of a run, of those that were skipped too, in the order of the catalogue."""
    tier = trials.isolation.tier
    found = [_found(trial, trials, tier) for trial in trials.trials]
    return found + [Finding(attack, Verdict.SKIPPED) for attack in trials.skipped]


def _found(trial: Trial, trials: Trials, tier: Tier) -> Finding:
    attack = trial.attack
    reached, fault = _reached(trial, trials), _grade_fault(trial, trials)
    promised = is_promised(attack, tier)
    verdict = Verdict.HELD
    if reached or fault:
        verdict = Verdict.THROUGH if promised or fault else Verdict.NOT_PROMISED
    elif trial.grade.fault:
        verdict = Verdict.UNGRADED
    proved = None
    if trial.control is not None:
        proved = attack.goal(trial.control, trials.secret)
    return Finding(
        attack=attack,
        verdict=verdict,
        blocked_by=_blocked_by(trial, tier) if verdict is Verdict.HELD else "",
        seen=tuple(_seen(trial, trials, fault)),
        said=trial.stopped_by if verdict is Verdict.HELD else "",
        proved=proved,
    )


def _reached(trial: Trial, trials: Trials) -> bool:
    goal = trial.attack.goal
    if trials.own_pack and trial.attack.reads_reference:
        goal = says_anything  # of a reference that is not ours, any word is one too many
    return goal(trial.side, trials.secret) or trial.side.changed


def _grade_fault(trial: Trial, trials: Trials) -> str:
    """What is wrong with the grade, if anything."""
    grade = trial.grade
    if grade.fault:
        return ""
    if trials.own_pack:
        return _gain(trial)
    outcomes = {c.id: c.result.outcome for part in grade.parts for c in part.criteria}
    for criterion, deserved in _deserved(trial.attack, trials.isolation.tier).items():
        if _is_unfair(outcomes[criterion], deserved):
            return f"the criterion {criterion} came out as {outcomes[criterion]}, not {deserved}"
    return "" if grade.status == "graded" else "it was left ungraded"


def _is_unfair(outcome: Outcome, deserved: str) -> bool:
    """Whether points were won or lost that should not have been.

    In which way nothing was earned is for the project's tests, on a machine that is not busy: on
    one that is, anything may run out of time.
    """
    won = outcome in (Outcome.PASSED, Outcome.PARTIAL)
    if "passed" in deserved:
        return not won and outcome is not Outcome.TIMEOUT
    return won


def _deserved(attack: Attack, tier: Tier) -> Outcomes:
    """What is promised of its grade, criterion by criterion."""
    if is_promised(attack, tier):
        return attack.deserves
    if tier > Tier.C:
        return {}
    return {c: outcome for c, outcome in attack.deserves.items() if c != "managed"}


def _gain(trial: Trial) -> str:
    """What the attack earned beyond the same answers without it."""
    if trial.honest is None or trial.grade.score <= trial.honest.score:
        return ""
    more = _short(trial.grade.score - trial.honest.score)
    return f"it earned {more} points more than the same answers without it"


def _endings(trial: Trial) -> Set[Ending]:
    return {o.ending for o in (trial.run.load, *trial.run.observations)}


def _blocked_by(trial: Trial, tier: Tier) -> str:
    """What it ran into, by the ways in which that can be told."""
    entry = entry_of(trial.attack)
    if entry.kind in (Kind.SCORE, Kind.PIPELINE):
        return entry.against
    endings = _endings(trial)
    stopped = next((_STOPPED[e][0] for e in _STOPPED if e in endings), "")
    if stopped and any("SIGSYS" in o.note for o in trial.run.observations):
        return _FILTER
    return stopped or _by_word(trial.stopped_by, tier) or entry.against or "found nothing"


def _by_word(word: str, tier: Tier) -> str:
    """Which layer answers with this error number, at this tier."""
    if tier > Tier.C:
        return {"EPERM": "rights", "EACCES": "rights"}.get(word, _BY_WORD.get(word, ""))
    if word == "EACCES":
        return _FILTER if tier is Tier.C else "Landlock"
    if word in ("ENOENT", "FileNotFoundError"):
        return "namespaces" if tier is Tier.A else "not there"
    return _BY_WORD.get(word, "")


def _seen(trial: Trial, trials: Trials, fault: str) -> Iterator[str]:
    """What was observed from outside."""
    attack, side = trial.attack, trial.side
    if attack.uses_folder:
        yield "folder CHANGED" if side.changed else "folder unchanged"
    if attack.goal is is_received:
        yield "its mark ARRIVED" if side.received else "nothing arrived"
    if attack.victim:
        yield f"other process TOUCHED: {side.victim}" if side.victim else "other process untouched"
    if attack.goal is says_secret:
        yield "secret CAME BACK" if _reached(trial, trials) else "no secret in its reply"
    endings = _endings(trial)
    if attack.goal is says_anything and not endings & _STOPPED.keys():
        yield "it REPORTS success" if side.managed else "its reply is empty"
    yield from (_STOPPED[ending][1] for ending in _STOPPED if ending in endings)
    yield fault.upper() if fault else _points(trial, trials)


def _points(trial: Trial, trials: Trials) -> str:
    if trial.grade.fault:
        return trial.grade.fault
    earned = f"{_short(trial.grade.score)}/{_short(trial.grade.max_score)}"
    if trial.honest is not None:
        return f"{earned}, {_short(trial.honest.score)} without it"
    return earned if trials.own_pack else f"{earned}, as deserved"


def _short(points: Fraction) -> str:
    return f"{round(float(points), 4):g}"
