"""Running submissions: `Sandbox.run(submission, batch)` → `Run`, plain observations only.

The one entry of the run step.  A call that must be killed costs that call and the rest of its
group; the others are performed by a fresh child, a few times at most.
"""

from __future__ import annotations

import itertools
import secrets
import sys
from collections.abc import Sequence
from functools import cached_property
from types import TracebackType

from grader.evidence import Ending, Isolation, Observation, Run, Submission
from grader.sandbox import isolation as tiers
from grader.sandbox.attempt import Process
from grader.sandbox.batch import Batch
from grader.sandbox.performance import Performance
from grader.sandbox.spawn import Spawner
from grader.sandbox.zygote import Zygote, has_fork_server, take_ahead

_serial = itertools.count(secrets.randbelow(1 << 20))
_NO_CODE = Observation(Ending.MISSING, note="No code was handed in.")


class Sandbox:
    """A fork server and the means to use it.  One per thread; a context manager.

    Starting returns at once; numpy, and what else `preload` names, loads in the zygote meanwhile.
    `like` preloads the same as another sandbox, which was probed before, and saves probing again.
    """

    def __init__(self, preload: Sequence[str] = (), *, like: Sandbox | None = None) -> None:
        self._like = like
        self._preload: tuple[str, ...] = like._preload if like else _besides_numpy(preload)
        self._server = self._start()

    def preload(self, names: Sequence[str]) -> None:
        """Have these modules loaded before any student code, besides numpy, which always is.

        A fork server that has loaded something else is replaced: call it before anything runs.
        """
        if _besides_numpy(names) != self._preload:
            self._preload = _besides_numpy(names)
            self.restart()

    @property
    def available(self) -> tuple[str, ...]:
        """The packages that student code may import, besides the standard library."""
        packages = (name.partition(".")[0] for name in ("numpy", *self._preload))
        return tuple(dict.fromkeys(p for p in packages if p not in sys.stdlib_module_names))

    def _start(self) -> Zygote | Spawner:
        if has_fork_server():
            from grader.sandbox.child import confine  # imports what only Linux has

            # Where no filter can be set, a child of the same user could else read our memory.
            confine.hide()
            ahead = None if self._preload else take_ahead()
            return ahead or Zygote(self._preload, landlock=True, namespaces=True)
        return Spawner(self._preload)

    def restart(self) -> None:
        """Replace a fork server that broke down by a fresh one."""
        self._server.close()
        self._server = self._start()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the fork server and whatever it forked."""
        self._server.close()

    def kill(self) -> None:
        """Kill the fork server from another thread; a run under way ends in a SandboxError."""
        self._server.kill()

    @cached_property
    def _measured(self) -> tuple[Isolation, tiers.Layers]:
        if self._like is not None:
            return self._like._measured
        if isinstance(self._server, Zygote):
            return tiers.measure(self._server)
        return tiers.nothing(), tiers.ONLY_LIMITS

    @property
    def isolation(self) -> Isolation:
        """The isolation that probes found; measured on first use.

        Raises:
            SandboxError: if nothing works.
        """
        return self._measured[0]

    def run(self, submission: Submission, batch: Batch) -> Run:
        """Perform every call of the batch on a submission's code.

        Raises:
            SandboxError: if the sandbox itself failed; nothing is known of the code then.
        """
        if not submission.chunks:
            observations = (_NO_CODE,) * len(batch.stimuli)
            return Run(observations, _NO_CODE)
        return Performance(self.fork, submission, batch, self.available).run()

    def fork(self, work: bytes, batch: Batch) -> Process:
        """Start a confined child on `work`.

        Raises:
            SandboxError: if there is no isolation at all, or the fork server is gone.
        """
        _, layers = self._measured
        request = tiers.child_request(
            layers,
            batch.limits,
            body_limit=batch.body_limit,
            serial=next(_serial),
            needed_cpu_s=batch.needed_cpu_s,
        )
        return self._server.fork(request, work, batch.encoded, batch.hidden)


def _besides_numpy(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys(names) if name != "numpy")
