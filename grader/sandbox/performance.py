"""A submission's whole performance: as many attempts as it takes, put together into one `Run`."""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from grader.evidence import Ending, Observation, Run, Stimulus, StudentError, Submission
from grader.sandbox.attempt import Attempt, Process, Terms, Watch
from grader.sandbox.batch import Batch
from grader.sandbox.child import perform, wire
from grader.sandbox.clock import WALL_FACTOR
from grader.sandbox.replies import Failure, Sources, read_call, read_loaded

Fork = Callable[[bytes, Batch], Process]

_MARK_BYTES = 16
_LOADED_WELL = Observation(Ending.RETURNED)


class Performance:
    """Performs a batch on one submission and collects what was seen."""

    def __init__(
        self, fork: Fork, submission: Submission, batch: Batch, available: Sequence[str]
    ) -> None:
        self._fork = fork
        self._available = available
        self._submission = submission
        self._batch = batch
        self._stimuli = batch.stimuli
        self._groups = batch.group_of()
        files = {chunk.name: chunk.source for chunk in submission.chunks}
        files |= {f"{name}.py": source for name, source in submission.modules.items()}
        self._sources = Sources(files)
        self._seen: dict[int, Observation] = {}
        self._load: Observation | None = None
        self._defined: dict[str, str] = {}
        self._failed_chunks: dict[str, StudentError] = {}
        self._stops: Counter[str] = Counter()
        """Of each function; and, below, whether in a hidden call."""
        self._stopped: Counter[bool] = Counter()
        self._last_stop = Ending.TIMEOUT
        self._stdout, self._stderr = "", ""
        self._cpu_s = 0.0
        self._wall_s = 0.0

    def run(self) -> Run:
        """Make attempts until every call has an observation.

        Raises:
            SandboxError: if the sandbox itself failed.
        """
        while todo := self._todo():
            self._take(self._attempt(todo), todo)
            self._give_up()
        observations = tuple(self._seen[i] for i in range(len(self._stimuli)))
        return Run(
            observations=observations,
            load=self._load or _LOADED_WELL,
            defined=self._defined,
            failed_chunks=self._failed_chunks,
            stdout=self._stdout,
            stderr=self._stderr,
            cpu_s=self._cpu_s,
        )

    def _todo(self) -> list[int]:
        """The calls of the next attempt: those of functions that were stopped least often.

        So a function that hangs keeps no other from its turn.  Hidden calls wait until no public
        one is left for a later child: when a child gets them, all that is public is answered,
        and nothing that it learns, or makes of its limits, can show there.
        """
        left = [i for i in range(len(self._stimuli)) if i not in self._seen]
        public = [i for i in left if not self._is_hidden(i)]
        now = self._least_stopped(public)
        if len(now) < len(public):
            return now
        return now + self._least_stopped([i for i in left if self._is_hidden(i)])

    def _is_hidden(self, index: int) -> bool:
        return index >= self._batch.public_calls

    def _least_stopped(self, indices: list[int]) -> list[int]:
        fewest = min((self._stops_of(index) for index in indices), default=0)
        return [index for index in indices if self._stops_of(index) == fewest]

    def _stops_of(self, index: int) -> int:
        return max(self._stops[name] for name in _called(self._stimuli[index]))

    def _attempt(self, todo: list[int]) -> Attempt:
        public = [index for index in todo if not self._is_hidden(index)]
        hidden = todo[len(public) :]
        mark = secrets.token_bytes(_MARK_BYTES)
        work = {
            "chunks": [[chunk.name, chunk.source.hex()] for chunk in self._submission.chunks],
            "modules": {name: source.hex() for name, source in self._submission.modules.items()},
            "available": self._available,
            "notebook": self._submission.notebook,
            "todo": public,
            "hidden": hidden,
            # Random state is fresh in each child and unrelated to the seed of the inputs.
            "entropy": secrets.randbits(63),
            "mark": mark.hex(),
        }
        child = self._fork(json.dumps(work).encode(), self._batch)
        terms = Terms(
            public=tuple(public),
            hidden=tuple(hidden),
            limits=self._batch.limits,
            call_limits_s=self._batch.call_limits_s,
            body_limit=self._batch.body_limit,
            cpu_left_s=self._batch.submission_limit_s - self._cpu_s,
            wall_left_s=WALL_FACTOR * self._batch.submission_limit_s - self._wall_s,
            mark=mark,
        )
        watch = Watch(child, terms)
        attempt = watch.run()
        if self._load is None:  # the first
            self._stdout, self._stderr = watch.printed.out.text(), watch.printed.err.text()
        return attempt

    def _take(self, attempt: Attempt, todo: list[int]) -> None:
        self._cpu_s += attempt.cpu_s
        self._wall_s += attempt.wall_s
        load = _LOADED_WELL
        for index, (text, body, printed) in attempt.frames.items():
            if index == perform.LOADED:
                load = self._take_loaded(text, printed)
            elif index >= 0:
                seen = read_call(text, body, self._stimuli[index], self._sources)
                self._seen[index] = replace(seen, stdout=printed)
        if attempt.stopped_at == perform.LOADED and attempt.stopped_by is not None:
            load = attempt.stopped_by
        self._load = self._load or load  # later children know more, and must not tell
        if load.ending is not Ending.RETURNED:
            self._fill(load, range(len(self._stimuli)))
        elif attempt.stopped_at is not None and attempt.stopped_by is not None:
            self._take_stop(attempt.stopped_at, attempt.stopped_by)
        elif any(index not in self._seen for index in todo):
            early = Observation(Ending.CRASHED, note="It ended before it had answered every call.")
            self._fill(early, range(len(self._stimuli)))

    def _take_loaded(self, text: bytes, printed: str) -> Observation:
        try:
            defined, failures = read_loaded(text, self._sources)
        except wire.WireError:
            note = "What it said about loading could not be read."
            return Observation(Ending.CRASHED, note=note)
        if self._load is None:
            self._defined = defined
        if self._submission.notebook:
            if self._load is None:
                self._failed_chunks = {failure.chunk: failure.error for failure in failures}
        elif failures:
            return replace(_failed_load(failures[0]), stdout=printed)
        return replace(_LOADED_WELL, stdout=printed)

    def _take_stop(self, index: int, stop: Observation) -> None:
        self._seen[index] = stop
        self._stopped[self._is_hidden(index)] += 1
        self._last_stop = stop.ending
        # Of calls within calls, one that was stopped before is the likeliest, then the innermost.
        self._stops[max(_called(self._stimuli[index]), key=lambda name: self._stops[name])] += 1
        rest = [i for i, group in enumerate(self._groups) if group == self._groups[index]]
        after = replace(stop, note=f"Not tried, after an earlier case. {stop.note}")
        self._fill(after, rest)

    def _fill(self, observation: Observation, indices: list[int] | range) -> None:
        for index in indices:
            self._seen.setdefault(index, observation)

    def _give_up(self) -> None:
        """Try no more what had to be stopped too often: a function, or the public or hidden calls.

        They are counted apart, because public calls that hang must not keep hidden ones of other
        functions from their turn.
        """
        for index in [i for i in range(len(self._stimuli)) if i not in self._seen]:
            stops = max(self._stops_of(index), self._stopped[self._is_hidden(index)])
            if stops > self._batch.limits.restarts:
                note = f"Not tried: the submission had to be stopped {stops} times before."
                self._seen[index] = Observation(self._last_stop, note=note)


def _called(stimulus: Stimulus) -> list[str]:
    """Names of the functions that a stimulus calls, the innermost first."""
    nested = [argument for argument in stimulus.args if isinstance(argument, Stimulus)]
    return [name for call in nested for name in _called(call)] + [stimulus.function]


def _failed_load(failure: Failure) -> Observation:
    error = failure.error
    if error.type == "SystemExit":
        note = f"The code called sys.exit({error.message}) while it was loaded."
        return Observation(Ending.EXITED, error=error, note=note)
    ending = Ending.MEMORY_LIMIT if failure.out_of_memory else Ending.RAISED
    return Observation(ending, error=error)
