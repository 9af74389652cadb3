"""Aspect: does every small mistake in the reference lose points?

Code mutants run as submissions in the sandbox, under a short limit of time; formula mutants go to
the judge of formulas.  What still earns everything is asked again, by `equivalence`, whether it is
a mistake at all, and then whether the pack explains it.
"""

from __future__ import annotations

import ast
import difflib
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from grader.checks.symbolic_verdict import Finding as Judged
from grader.evidence import Submission
from grader.pipeline.grading import Grading
from grader.problem import CodeCriterion, SymbolicCriterion
from grader.result import Grade, Outcome
from grader.verification import Aspect, Fate, Finding, Level, Mutant
from grader.verify import versions
from grader.verify.bench import Bench, Found, criteria_of
from grader.verify.equivalence import Inputs
from grader.verify.focus import reaching
from grader.verify.formula_mutation import FormulaMutant, formula_mutants
from grader.verify.haste import hurried, short_limits
from grader.verify.mutation import CodeMutant, code_mutants
from grader.verify.reach import reached

NAME = "mutants"
_QUICK_COUNT = 20
_FEW_INPUTS = 10
"""That a mutant gives the same on fewer says little of it."""


def mutants(bench: Bench) -> Found:
    """Mutate the reference and the formulas, and see what each mutant loses."""
    every = _all(bench)
    chosen = _sample(every, _QUICK_COUNT) if bench.quick else every
    trial = _Trial(bench)
    made = bench.each(trial.try_out, chosen)
    explained = [_explained(mutant, bench) for mutant in made]
    findings = [
        *_broken_checks(trial),
        *(_survived(mutant) for mutant in explained if mutant.fate is Fate.SURVIVED),
        *_hardly_tried(trial, made),
        *_stale(bench, every, explained),
    ]
    aspect = Aspect(
        NAME, "Mutants of the reference lose points", _summary(explained, len(every)),
        tuple(findings),
    )  # fmt: skip
    return Found(aspect, mutants=tuple(explained))


AnyMutant = CodeMutant | FormulaMutant


def _all(bench: Bench) -> list[AnyMutant]:
    sources = versions.sources(bench.pack)
    code: list[AnyMutant] = []
    if "reference" in sources:
        code += code_mutants(sources, versions.names(bench.pack).values())
    symbolic = [c for _, c in bench.problem.criteria() if isinstance(c, SymbolicCriterion)]
    return code + [mutant for criterion in symbolic for mutant in formula_mutants(criterion)]


def _group(mutant: AnyMutant) -> tuple[str, str]:
    return _about(mutant), mutant.operator


def _about(mutant: AnyMutant) -> str:
    return mutant.criterion if isinstance(mutant, FormulaMutant) else mutant.about


def _sample(every: Sequence[AnyMutant], count: int) -> list[AnyMutant]:
    """Some of each kind of change in each function, always the same: in turn, until it is enough.

    In their original order.
    """
    groups: dict[tuple[str, str], list[AnyMutant]] = defaultdict(list)
    for mutant in sorted(every, key=lambda m: m.id.rpartition(".")[2]):  # by digest: no order
        groups[_group(mutant)].append(mutant)
    turns = [m for turn in range(len(every)) for g in groups.values() for m in g[turn : turn + 1]]
    chosen = {id(mutant) for mutant in turns[:count]}
    return [mutant for mutant in every if id(mutant) in chosen]


@dataclass(frozen=True)
class _Loss:
    """What a grade shows of a mutant."""

    lost: tuple[str, ...]
    ungraded: tuple[str, ...]
    timed_out: bool
    """Whether time alone cost it its points."""


class _Trial:
    """Tries mutants out, one by one; threads may share it."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._right = versions.reference(bench.pack)
        self._limits = short_limits(bench, self._right)
        grade = criteria_of(bench.grade(self._right))
        self._passed = {id_ for id_, c in grade.items() if c.result.fraction == 1}
        self._inputs = Inputs(bench, self._right, self._limits)
        self._users = _users(bench)
        self._lock = threading.Lock()
        self._gradings: dict[frozenset[str], Grading] = {}
        self.broken: dict[str, str] = {}
        """Criteria whose check broke → the first mutant that did it."""
        self.compared: dict[str, int] = {}
        """Mutants that gave the same as the reference → on how many inputs."""

    def try_out(self, mutant: AnyMutant) -> Mutant:
        """See what becomes of one mutant."""
        if isinstance(mutant, FormulaMutant):
            return self._try_formula(mutant)
        submission = versions.reference(self._bench.pack, {mutant.module: mutant.source})
        loss = self._tried(submission, self._users[mutant.module, mutant.about])
        for criterion_id in loss.ungraded:
            self.broken.setdefault(criterion_id, mutant.id)
        fate, why = (Fate.KILLED, "") if loss.lost else self._compared(submission, mutant)
        return Mutant(
            mutant.id, mutant.about, mutant.line, mutant.operator, mutant.diff, fate,
            loss.lost, why,
        )  # fmt: skip

    def _tried(self, submission: Submission, functions: frozenset[str]) -> _Loss:
        """What a mutant loses where its change can show; else, for it might leave traces there,
        on all other criteria."""
        own = reaching(self._bench.prepared, functions)
        loss = self._loss(self._grading(own).grade(submission, self._bench.perform))
        others = self._bench.prepared.keys.keys() - own
        if others and not loss.lost:
            more = self._loss(self._grading(others).grade(submission, self._bench.perform))
            loss = replace(more, ungraded=(*loss.ungraded, *more.ungraded))
        if loss.lost and loss.timed_out:  # only the pack's own limits tell whether that is right
            loss = self._loss(self._bench.grade(submission))
        return loss

    def _grading(self, criterion_ids: Set[str]) -> Grading:
        kept = frozenset(criterion_ids)
        with self._lock:
            if kept not in self._gradings:
                self._gradings[kept] = hurried(self._bench, self._limits, kept)
            return self._gradings[kept]

    def _loss(self, grade: Grade) -> _Loss:
        code = {c.id for _, c in self._bench.problem.criteria() if isinstance(c, CodeCriterion)}
        results = [c.result for id_, c in criteria_of(grade).items() if id_ in code & self._passed]
        lost = [r for r in results if r.fraction < 1 and not r.outcome.pending]
        broken = [r.criterion_id for r in results if r.outcome is Outcome.GRADER_ERROR]
        timed_out = all(r.outcome is Outcome.TIMEOUT for r in lost)
        return _Loss(tuple(r.criterion_id for r in lost), tuple(broken), timed_out)

    def _compared(self, submission: Submission, mutant: CodeMutant) -> tuple[Fate, str]:
        functions = self._users[mutant.module, mutant.about]
        difference, count = self._inputs.difference(submission, functions)
        if difference:
            return Fate.SURVIVED, difference
        self.compared[mutant.id] = count
        return Fate.EQUIVALENT, f"gives the same on {count} inputs, to rounding"

    def _try_formula(self, mutant: FormulaMutant) -> Mutant:
        criterion = next(
            c
            for _, c in self._bench.problem.criteria()
            if isinstance(c, SymbolicCriterion) and c.id == mutant.criterion
        )
        verdict = self._bench.judge.judge(
            criterion.formula, criterion.variables, mutant.after, self._bench.seed
        )
        fate, why = Fate.SURVIVED, f"the judge of formulas cannot decide: {verdict.reason}"
        if verdict.equal:
            fate, why = Fate.EQUIVALENT, f"the judge of formulas: {verdict.finding}"
        elif verdict.finding is Judged.REFUTED:
            fate, why = Fate.KILLED, ""
        lost = (criterion.id,) if fate is Fate.KILLED else ()
        diff = f"- {mutant.before}\n+ {mutant.after}"
        return Mutant(mutant.id, criterion.id, 0, mutant.operator, diff, fate, lost, why)


def _users(bench: Bench) -> dict[tuple[str, str], frozenset[str]]:
    """Definition → the students' functions whose right answers stand on it."""
    trees = {name: ast.parse(source) for name, source in versions.sources(bench.pack).items()}
    users: dict[tuple[str, str], set[str]] = defaultdict(set)
    for function, name in versions.names(bench.pack).items():
        for definition in reached(trees, [name]):
            users[definition.module, definition.name].add(function)
    return {place: frozenset(functions) for place, functions in users.items()}


# --- what there is to say -------------------------------------------------------------------


def _explained(mutant: Mutant, bench: Bench) -> Mutant:
    whys = {name: some.why for some in bench.problem.verify.accepted for name in some.mutants}
    if mutant.fate is not Fate.SURVIVED or mutant.id not in whys:
        return mutant
    return replace(mutant, fate=Fate.EXPLAINED, why=whys[mutant.id])


def _survived(mutant: Mutant) -> Finding:
    where = f"line {mutant.line} of {mutant.about}" if mutant.line else "the formula"
    return Finding(
        Level.WARNING,
        mutant.id,
        f"This change of {where} loses no points, and yet it matters: {mutant.why}",
        "add a case that shows it; or, if it is no mistake, say so in problem.toml, in "
        f'[[verify.accepted]]: mutants = ["{mutant.id}"], why = "…"',
        mutant.diff,
    )


def _broken_checks(trial: _Trial) -> Iterator[Finding]:
    for criterion_id, mutant_id in trial.broken.items():
        yield Finding(
            Level.WARNING,
            criterion_id,
            f"Its check itself fails on a wrong answer (mutant {mutant_id}): whoever hands that in "
            "stays ungraded.",
            "let the predicate read what was returned with as_array, and expect anything",
        )


def _hardly_tried(trial: _Trial, tried: Sequence[Mutant]) -> Iterator[Finding]:
    """Equivalent mutants of which too little was asked, by the function they are about."""
    few = [m for m in tried if trial.compared.get(m.id, _FEW_INPUTS) < _FEW_INPUTS]
    for about in dict.fromkeys(mutant.about for mutant in few):
        them = [mutant for mutant in few if mutant.about == about]
        yield Finding(
            Level.WARNING,
            about,
            f"The cases are too few, or too much alike, to tell mutants from {about}: what gives "
            f"the same counts as equivalent ({len(them)}), but only "
            f"{trial.compared[them[0].id]} inputs of their kind could be tried, on this one:",
            "let the generators yield more cases, and let some come from rng",
            them[0].diff,
        )


def _stale(bench: Bench, every: Sequence[AnyMutant], tried: Sequence[Mutant]) -> Iterator[Finding]:
    known = [mutant.id for mutant in every]
    fates = {mutant.id: mutant.fate for mutant in tried}
    for name in (name for some in bench.problem.verify.accepted for name in some.mutants):
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            mend = f"did you mean {near[0]}? Else take it out" if near else "take it out"
            text = "It is accepted in [verify], but there is no such mutant (any more)."
            yield Finding(Level.WARNING, name, text, mend)
        elif fates.get(name) in (Fate.KILLED, Fate.EQUIVALENT):
            text = f"It is accepted in [verify], which is not needed: it is {fates[name]}."
            yield Finding(Level.NOTE, name, text, "take it out")


def _summary(tried: Sequence[Mutant], total: int) -> str:
    if not total:
        return "There is nothing to mutate: no reference.py that code criteria use, no formula."
    counts: Mapping[Fate, int] = Counter(mutant.fate for mutant in tried)
    caught = counts[Fate.KILLED] + counts[Fate.EXPLAINED]
    differing = len(tried) - counts[Fate.EQUIVALENT]
    some = f"{len(tried)} of {total} mutants (a fixed sample)" if len(tried) < total else (
        f"{total} mutants"
    )  # fmt: skip
    parts = [f"{counts[Fate.KILLED]} caught"]
    if counts[Fate.EXPLAINED]:
        parts.append(f"{counts[Fate.EXPLAINED]} explained in the pack")
    if counts[Fate.EQUIVALENT]:
        parts.append(f"{counts[Fate.EQUIVALENT]} equivalent to the reference")
    parts.append(f"{counts[Fate.SURVIVED]} surviving")
    score = f"{100 * caught / differing:.0f} %" if differing else "none to score"
    return f"{some}: {', '.join(parts)}. Mutation score {score}."
