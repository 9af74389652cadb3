"""Trying attacks: each is handed in to a pack and graded, as any submission is, in a world of
canaries; what it left there is looked at when all are over."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from grader.attack.entries import Kind, entry_of, is_promised
from grader.attack.model import Attack, Side
from grader.attack.search import Searched, public_groups, search_for_secrets
from grader.attack.world import World
from grader.evidence import Chunk, Ending, Isolation, Observation, Run, Stimulus, Submission, Tier
from grader.pipeline.session import Session, open_session
from grader.problem import Limits
from grader.result import Grade
from grader.sandbox.batch import Batch, make_batch
from grader.value import Plain

LIMITS = Limits(
    call_time_s=0.15,
    import_time_s=1.0,
    submission_time_s=4.0,
    memory_mb=32,
    output_kb=32,
    restarts=0,
)
"""Of every attack, whatever the pack allows: each stops at some limit, and it shall be soon."""
_ASKED = ("what_it_managed", "what_stopped_it")
_LATE_S = 0.5
"""By then what an attack left in the background has done its work."""
_PROOF_S = 11
"""What one attack without the sandbox takes at most."""


@dataclass(frozen=True)
class Trial:
    """What came of one attack."""

    attack: Attack
    grade: Grade
    run: Run
    honest: Grade | None
    """The grade of the same answers without the attack, where a pack of one's own is graded."""
    side: Side
    stopped_by: str
    """What the attack itself says it ended in: the name of an error number, or an exception."""
    control: Side | None
    """What it left when it ran without the sandbox, if it was proved."""


@dataclass(frozen=True)
class Trials:
    """What came of all of them."""

    trials: tuple[Trial, ...]
    skipped: tuple[Attack, ...]
    """Attacks that the tier does not promise to stop, and that would act on this machine."""
    isolation: Isolation
    secret: str
    own_pack: bool
    searched: Searched | None
    """What a search of memory found, if one was made."""


def try_all(
    attacks: Sequence[Attack],
    pack: Path | None,
    *,
    jobs: int,
    prove: Sequence[Attack] = (),
    search: bool = False,
    begin: Callable[[Sequence[Attack], Isolation], None],
    advance: Callable[[Attack], None],
) -> Trials:
    """Try attacks on a pack, or on the one that ships with them.

    `prove` are those that are also run without the sandbox; `search` also searches the memory of a
    sandboxed process for what is secret of the pack.  At a tier that does not confine, only
    what it promises to stop is run, and what is to be proved.  `begin` is called with what will be
    tried and where, `advance` as each is done, both from this thread.

    Raises:
        SpecError: if the pack cannot be used.
        SandboxError: if there is no isolation at all.
    """
    with World(pack) as world, _session(world, jobs) as session:
        tier = session.isolation.tier
        chosen = [a for a in attacks if tier <= Tier.C or is_promised(a, tier) or a in prove]
        begin(chosen, session.isolation)
        if pack is not None:
            world.calls = len(session.prepared.batch.stimuli)
        with ThreadPoolExecutor(1) as beside:
            said = beside.submit(_unconfined, world, prove)
            bench = _Bench(world, session, own_pack=pack is not None)
            graded = bench.grade_all(chosen, jobs, advance)
            managed = said.result()
        searched = search_for_secrets(session) if search else None
        time.sleep(_LATE_S)
        return Trials(
            trials=tuple(bench.trial(attack, *graded[attack.id], managed) for attack in chosen),
            skipped=tuple(attack for attack in attacks if attack not in chosen),
            isolation=session.isolation,
            secret=world.secret,
            own_pack=pack is not None,
            searched=searched,
        )


@contextmanager
def _session(world: World, jobs: int) -> Iterator[Session]:
    # The fork servers start with the secret in the environment that they must not inherit.
    with (
        world.around_this_process(),
        open_session(world.pack, jobs=jobs, weakest=Tier.E) as session,
    ):
        yield session


def may_be_proved(attack: Attack, kinds: Sequence[Kind]) -> bool:
    """Whether an attack may run unconfined: exhaustion only where that kind is named."""
    kind = entry_of(attack).kind
    return kind is not Kind.EXHAUSTION or kind in kinds


def _unconfined(world: World, attacks: Sequence[Attack]) -> dict[str, str]:
    """Attack id → what it managed without a sandbox."""
    if not attacks:
        return {}
    jobs = []
    for attack in attacks:
        world.furnish(attack, "control")
        file = world.root / f"{attack.id}.control.py"
        file.write_text(attack.source(world.facts(attack, "control")))
        folder = str(world.folder(attack, "control"))
        jobs.append({"id": attack.id, "file": str(file), "folder": folder, "way": attack.control})
    asked, answered = world.root / "jobs.json", world.root / "said.json"
    asked.write_text(json.dumps(jobs))
    subprocess.run(
        [sys.executable, "-I", "-m", "grader.attack.unconfined", str(asked), str(answered)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        pass_fds=(world.inherited,),
        timeout=_PROOF_S * len(attacks),
        check=True,
    )
    said: dict[str, str] = json.loads(answered.read_text())
    return said


class _Bench:
    """Grades attacks, and the same answers without them, in one session."""

    def __init__(self, world: World, session: Session, *, own_pack: bool) -> None:
        self._world = world
        self._session = session
        self._batch = _with_questions(session.prepared.batch)
        self._functions = sorted(_functions(session.prepared.batch.stimuli)) if own_pack else ()
        self._own_pack = own_pack
        self._honest: dict[str, Grade] = {}

    def grade_all(
        self, attacks: Sequence[Attack], jobs: int, advance: Callable[[Attack], None]
    ) -> dict[str, tuple[Grade, Run]]:
        """Attack id → its grade, and what was seen of its run."""
        for attack in attacks:
            self._world.furnish(attack, "sandbox")
        threads = ThreadPoolExecutor(jobs, thread_name_prefix="attack")
        graded = {}
        try:
            for honest in {a.honest: a for a in attacks if a.honest}.values():
                if self._own_pack:
                    self._honest[honest.honest] = self._graded_honestly(honest)
            under_way: dict[Future[tuple[Grade, Run]], Attack] = {
                threads.submit(self._graded, attack): attack for attack in attacks
            }
            for future in as_completed(under_way):
                graded[under_way[future].id] = future.result()
                advance(under_way[future])
        except BaseException:
            self._session.pool.stop()  # on Ctrl-C, what is under way is cut short
            raise
        finally:
            threads.shutdown(wait=True, cancel_futures=True)
        return graded

    def _graded(self, attack: Attack) -> tuple[Grade, Run]:
        facts = self._world.facts(attack, "sandbox")
        return self._grade(attack.id, attack.source(facts, self._functions))

    def _graded_honestly(self, attack: Attack) -> Grade:
        return self._grade("honest", attack.honest_source({}, self._functions))[0]

    def _grade(self, name: str, source: str) -> tuple[Grade, Run]:
        code = Chunk(self._session.prepared.problem.files.code, source.encode())
        submission = Submission(name, name, (code,), {}, {}, "")
        seen = Run((), Observation(Ending.MISSING))

        def perform(submission: Submission, batch: Batch) -> Run:
            nonlocal seen
            if batch is not self._session.prepared.batch:  # the calls for error carried forward
                return self._session.pool.perform(submission, batch)
            seen = self._session.pool.perform(submission, self._batch)
            return seen

        return self._session.grading.grade(submission, perform), seen

    def trial(self, attack: Attack, grade: Grade, run: Run, managed: Mapping[str, str]) -> Trial:
        """What came of an attack; call it when all are over."""
        control = None
        if attack.id in managed:
            control = self._world.seen(attack, "control", managed[attack.id])
        said, stopped_by = (self._answer(run, i) for i in range(len(_ASKED)))
        return Trial(
            attack=attack,
            grade=grade,
            run=run,
            honest=self._honest.get(attack.honest),
            side=self._world.seen(attack, "sandbox", said),
            stopped_by=stopped_by,
            control=control,
        )

    def _answer(self, run: Run, question: int) -> str:
        """What it answered to one of the questions that are asked beside the pack's own."""
        position = len(self._batch.stimuli) - len(_ASKED) + question
        value: Plain = run.observations[position].value if run.observations else ""
        return value if isinstance(value, str) else ""


def _with_questions(batch: Batch) -> Batch:
    """The calls of a pack, hidden ones kept back as when it is graded, and the questions last."""
    groups = (*batch.groups, *((Stimulus(name, ()),) for name in _ASKED))
    asked = make_batch(groups, LIMITS, public_groups=public_groups(batch))
    return replace(asked, body_limit=batch.body_limit)


def _functions(stimuli: Sequence[Plain]) -> set[str]:
    """The functions that calls ask for, nested ones too."""
    nested = [stimulus for stimulus in stimuli if isinstance(stimulus, Stimulus)]
    return {s.function for s in nested} | {name for s in nested for name in _functions(s.args)}
