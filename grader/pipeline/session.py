"""A session: everything that grading needs, started in the order that wastes no time.

The fork server and the judge of formulas load their libraries while the pack is read and its
answer keys are worked out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader import spec
from grader.checks.symbolic_judge import FormulaJudge
from grader.errors import SandboxError
from grader.evidence import Isolation, Tier
from grader.pipeline.formulas import require_sound
from grader.pipeline.grading import Grading
from grader.pipeline.pool import Pool
from grader.pipeline.prepare import Prepared, prepare
from grader.pipeline.variants import Variants, for_student
from grader.sandbox.isolation import describe
from grader.sandbox.server import Sandbox


@dataclass(frozen=True)
class Session:
    """What `open_session` made ready."""

    prepared: Prepared
    grading: Grading
    pool: Pool
    isolation: Isolation
    judge: FormulaJudge
    variants: Variants
    """The pack as each student has it; `prepared` and `grading` are one of these."""


@contextmanager
def open_session(
    pack_folder: Path,
    *,
    jobs: int = 1,
    seed: int | None = None,
    public_only: bool = False,
    student: str = "",
    weakest: Tier = Tier.B,
) -> Iterator[Session]:
    """Load a pack and start what grading with it needs; everything ends with the context.

    Where the problem has variants, that of `student` is made ready first; others follow as their
    turn comes.

    Raises:
        SpecError: if the pack cannot be used.
        SandboxError: if this machine isolates less than `weakest`, or not at all.
    """
    with ExitStack() as stack:
        sandbox = stack.enter_context(Sandbox())
        judge = stack.enter_context(FormulaJudge())
        pack = spec.load(pack_folder)
        sandbox.preload(pack.problem.preload)
        prepared = prepare(for_student(pack, student), seed, public_only=public_only)
        if prepared.has_formulas:
            judge.warm_up()
        isolation = sandbox.isolation
        require(isolation, weakest)
        pool = Pool(sandbox, jobs)
        stack.callback(pool.close)
        require_sound(prepared, judge)
        variants = Variants(pack, prepared, judge, isolation)
        grading = variants.ready(student).grading
        yield Session(prepared, grading, pool, isolation, judge, variants)


def require(isolation: Isolation, weakest: Tier) -> None:
    """Refuse isolation below a tier.

    Raises:
        SandboxError: saying what is missing and what to do.
    """
    if isolation.tier <= weakest:
        return
    missing = "".join(f"\n  - {p.name}: {p.seen}" for p in isolation.protections if not p.held)
    raise SandboxError(
        f"This machine isolates student code at {describe(isolation)}; "
        f"tier {weakest} is the weakest that was allowed. Not protected:{missing}\n"
        "`grader doctor` says how to get more. --min-isolation accepts a weaker tier; "
        "--allow-unsafe runs it in any case: then student code can read and change what you can."
    )
