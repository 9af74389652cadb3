"""A pack that cannot be used: everything that is wrong with it, from every step of loading."""

from __future__ import annotations

from pathlib import Path

from grader import spec
from grader.checks.symbolic_judge import FormulaJudge
from grader.errors import SpecError, SpecFault
from grader.pipeline.formulas import require_sound
from grader.pipeline.prepare import Prepared
from grader.pipeline.variants import for_student
from grader.sandbox.batch import make_batch
from grader.verification import Aspect, Finding, Level


def refused(folder: Path, error: SpecError) -> Aspect:
    """The only aspect of a pack that opening a session refused."""
    faults = list(dict.fromkeys([*error.faults, *_of_formulas(folder)]))
    findings = tuple(Finding(Level.ERROR, f.where, f.problem, f.mend) for f in faults)
    said = "1 thing is wrong" if len(faults) == 1 else f"{len(faults)} things are wrong"
    summary = f"{said} in {error.file}; until that is mended nothing else can be asked."
    return Aspect("pack", "The pack loads", summary, findings)


def _of_formulas(folder: Path) -> tuple[SpecFault, ...]:
    """Formulas are judged last, when everything else is in order; here they are in any case."""
    try:
        pack = for_student(spec.load(folder), "")
        bare = Prepared(pack, pack.problem.seed, {}, make_batch([], pack.problem.limits))
        with FormulaJudge() as judge:
            require_sound(bare, judge)
    except SpecError as error:  # where loading fails, that is all there is
        return error.faults
    return ()
