"""The calls behind an error carried forward: the student's earlier function, on the arguments of a
later criterion, and what the reference gives there."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.checks.closeness import Tolerance, compare
from grader.evidence import AnswerKey, EarlierKey, Observation, Stimulus
from grader.pipeline.rehearse import Functions, rehearse, timed
from grader.pipeline.timing import ReferenceTimes
from grader.problem import Carried, CarriedAnswer, CodeCriterion, MatchesCriterion, Pack, Problem
from grader.spec.wording import did_you_mean, listed
from grader.value import Plain, show


class BadCarry(Exception):
    """A `carried` that cannot be used: which of its keys is wrong, how, and what would do."""

    def __init__(self, key: str, problem: str, mend: str) -> None:
        super().__init__(problem)
        self.key = key
        self.problem = problem
        self.mend = mend


@dataclass(frozen=True)
class _Names:
    """What may be written in an `earlier`."""

    functions: Sequence[str]
    parameters: Sequence[str]


def earlier_key(
    pack: Pack, criterion: CodeCriterion, key: AnswerKey, times: ReferenceTimes
) -> EarlierKey | None:
    """The key of a criterion's earlier calls, None where it carries nothing; they are timed.

    Raises:
        BadCarry: if `earlier` is no call, or names what is no function or argument; if the
            reference gives no answer for one of the calls; or if what is right given the
            reference's own earlier results is not the reference's answer.
    """
    carried = criterion.carried
    if carried is None:
        return None
    tree = _parsed(carried.earlier)
    known = _Names([*_counted(pack.problem)], key.parameters)
    called = list(_functions(tree, known))
    calls = tuple(_stimulus(tree, stimulus, known) for stimulus in key.stimuli)
    earlier = EarlierKey(
        stimuli=calls,
        expected=_expected(pack, called, calls, times),
        usable=pack.checks[carried.usable],
        reference=_reference(pack, carried),
        parts={name: _counted(pack.problem)[name] for name in called},
    )
    _require_agreement(criterion, key, earlier)
    return earlier


def _require_agreement(criterion: CodeCriterion, key: AnswerKey, earlier: EarlierKey) -> None:
    """On the right earlier results, what is right is what the reference answers."""
    if not isinstance(criterion, MatchesCriterion) or earlier.reference is None:
        return
    # A pack's slip is far larger; a case in single precision is allowed its rounding.
    wide = criterion.float32_rtol
    tolerance = Tolerance(max(criterion.rtol, wide), max(criterion.atol, wide))
    functions = {"reference": earlier.reference}
    for before, right, case in zip(earlier.expected, key.expected, key.stimuli, strict=True):
        call = Stimulus("reference", (before.value, *right.args))
        (given,) = rehearse((call,), functions, Path())
        if given.error is None and compare(given.value, right.value, tolerance).close:
            continue
        raised = given.error and f"raises {given.error.type}: {given.error.message}"
        raise BadCarry(
            "reference",
            f"on the reference's own earlier result it {raised or f'gives {show(given.value)}'}, "
            f"not what the reference itself answers (case “{case.label}”)",
            "mend it: it gets the earlier result first, then the arguments of this function",
        )


def _parsed(earlier: str) -> ast.Call:
    try:
        tree = ast.parse(earlier, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        tree = None
    if isinstance(tree, ast.Call):
        return tree
    raise BadCarry("earlier", f"{earlier} is no call", "write it like attention_weights(q, K)")


def _counted(problem: Problem) -> Mapping[str, str]:
    """The students' functions, each with the part in which it is asked for first."""
    parts: dict[str, str] = {}
    for part, criterion in problem.criteria():
        if isinstance(criterion, CodeCriterion):
            parts.setdefault(criterion.function, part.id)
    return parts


def _functions(tree: ast.Call, known: _Names) -> list[str]:
    """Names of the functions called, the outermost first."""
    name = tree.func.id if isinstance(tree.func, ast.Name) else ""
    if name not in known.functions:
        otherwise = f"the functions that criteria call are {listed(known.functions)}"
        raise BadCarry(
            "earlier",
            f"no criterion calls a function {name or ast.unparse(tree.func)}",
            did_you_mean(name, known.functions, otherwise),
        )
    inner = [_functions(arg, known) for arg in tree.args if isinstance(arg, ast.Call)]
    return list(dict.fromkeys([name, *(found for names in inner for found in names)]))


def _stimulus(tree: ast.Call, later: Stimulus, known: _Names) -> Stimulus:
    args = tuple(_argument(arg, later, known) for arg in tree.args)
    return Stimulus(ast.unparse(tree.func), args, later.label)


def _argument(tree: ast.expr, later: Stimulus, known: _Names) -> Plain:
    if isinstance(tree, ast.Call):
        return _stimulus(tree, later, known)
    name = tree.id if isinstance(tree, ast.Name) else ast.unparse(tree)
    if name not in known.parameters:
        otherwise = f"the arguments of {later.function} are {listed(known.parameters)}"
        raise BadCarry(
            "earlier",
            f"{later.function} has no argument {name}",
            did_you_mean(name, known.parameters, otherwise),
        )
    position = known.parameters.index(name)
    if position >= len(later.args):
        raise BadCarry(
            "earlier", f"a case of {later.function} has no argument {name}", "give it in inputs.py"
        )
    return later.args[position]


def _expected(
    pack: Pack, called: Sequence[str], calls: tuple[Stimulus, ...], times: ReferenceTimes
) -> tuple[Observation, ...]:
    found = timed(calls, _references(pack, called), pack.folder)
    expected = tuple(observation for observation, _ in found)
    times.add(called[0], calls, [taken_s for _, taken_s in found])
    for call, observation in zip(calls, expected, strict=True):
        if observation.error is not None:
            told = f"{observation.error.type}: {observation.error.message}"
            raise BadCarry(
                "earlier",
                f"the reference gives no answer on the case “{call.label}”: {told}",
                "mend the reference, or call it with other arguments",
            )
    return expected


def _references(pack: Pack, called: Sequence[str]) -> Functions:
    """The student's earlier functions as the reference has them."""
    names: dict[str, str] = {}
    for _, criterion in pack.problem.criteria():
        if isinstance(criterion, CodeCriterion):
            names.setdefault(criterion.function, criterion.reference or criterion.function)
    absent = [name for name in called if names[name] not in pack.reference]
    if absent:
        raise BadCarry(
            "earlier",
            f"reference.py has no function {names[absent[0]]}",
            "define it there: nothing else tells whether the student's own result is wrong",
        )
    # A case may nest calls in its arguments, of functions that are not named here.
    return {**pack.reference, **{name: pack.reference[names[name]] for name in called}}


def _reference(pack: Pack, carried: Carried) -> Callable[..., Any] | None:
    return pack.reference[carried.reference] if isinstance(carried, CarriedAnswer) else None
