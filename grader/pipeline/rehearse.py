"""Running the pack's own functions on the stimuli, in the trusted process, before any student's.

What a reference or a misconception gives is put through the wire format, so that it is compared
in the very form in which a student's answer arrives.
"""

from __future__ import annotations

import contextlib
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from grader.evidence import Ending, Observation, Stimulus, StudentError, TraceLine
from grader.pipeline.patience import impatient
from grader.sandbox.child import wire
from grader.value import Plain, same

Functions = Mapping[str, Callable[..., Any]]


NOT_PLAIN = "NotPlain"
"""The type of the error of a function that returned what is no plain data."""


def rehearse(
    stimuli: Sequence[Stimulus], functions: Functions, folder: Path
) -> tuple[Observation, ...]:
    """Make every call with the functions of the pack in a folder; what one raises, or returns that
    is no plain data, becomes the error of its observation."""
    return tuple(observation for observation, _ in timed(stimuli, functions, folder))


def timed(
    stimuli: Sequence[Stimulus], functions: Functions, folder: Path
) -> tuple[tuple[Observation, float], ...]:
    """`rehearse`, with the CPU seconds that each call took.

    That is the time of all threads of this process, because BLAS may share out a product among
    threads of its own; a child has but one.
    """
    with _quiet():
        return tuple(_perform(stimulus, functions, folder) for stimulus in stimuli)


def described(error: BaseException, folder: Path) -> StudentError:
    """An exception of the pack's own code, with the lines of the pack that it passed through."""
    frames = traceback.extract_tb(error.__traceback__)
    trace = tuple(
        TraceLine(Path(f.filename).name, f.lineno or 0, f.name, f.line or "")
        for f in frames
        if Path(f.filename).parent == folder
    )
    if isinstance(error, wire.Unencodable):
        return StudentError(NOT_PLAIN, f"returned what is no plain data ({error})", trace)
    return StudentError(type(error).__name__, str(error), trace)


def as_received(value: Any) -> Plain:
    """A value as it would come back from the sandbox: plain, and a fresh copy.

    Raises:
        TypeError: if it is not plain data.
    """
    if type(value) is np.ndarray and value.dtype.str in wire.DTYPES:
        return value.copy()
    encoder = wire.Encoder()
    tree = encoder.encode(value)
    return wire.decode(wire.loads(wire.dumps(tree)), encoder.body)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    # Misconceptions overflow and divide by zero on purpose.
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def _perform(stimulus: Stimulus, functions: Functions, folder: Path) -> tuple[Observation, float]:
    began_s = time.process_time()
    observation = _observed(stimulus, functions, folder)
    return observation, time.process_time() - began_s


def _observed(stimulus: Stimulus, functions: Functions, folder: Path) -> Observation:
    try:
        args = tuple(_evaluate(arg, functions) for arg in stimulus.args)
        given = tuple(as_received(arg) for arg in args)
        with impatient():
            returned = functions[stimulus.function](*given)
        value, kept = as_received(returned), tuple(as_received(arg) for arg in given)
    # The pack's code may raise anything, or exit; it is reported.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return Observation(Ending.RAISED, error=described(error, folder), args=stimulus.args)
    mutated = tuple(
        i for i, (before, after) in enumerate(zip(args, kept, strict=True))
        if not _identical(before, after)
    )  # fmt: skip
    return Observation(Ending.RETURNED, value, wire.type_name(returned), mutated, args)


def _identical(before: Plain, after: Plain) -> bool:
    if isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        return before.dtype == after.dtype and before.tobytes() == after.tobytes()
    return same(after, before, rtol=0, atol=0)


class Misconceptions(Mapping[str, tuple[Observation, ...]]):
    """What each misconception gives on a criterion's stimuli, worked out when first asked for.

    Only a failing submission asks, so a class of right answers never pays for it.  Threads may
    share it.
    """

    def __init__(
        self, stimuli: Sequence[Stimulus], functions: Mapping[str, Functions], folder: Path
    ) -> None:
        """`functions` maps a misconception's id to all functions as they are under it."""
        self._stimuli = stimuli
        self._folder = folder
        self._functions = functions
        self._known: dict[str, tuple[Observation, ...]] = {}

    def __getitem__(self, misconception_id: str) -> tuple[Observation, ...]:
        # Warnings are silenced for the whole process while this works.
        with _one_at_a_time:
            if misconception_id not in self._known:
                functions = self._functions[misconception_id]
                self._known[misconception_id] = rehearse(self._stimuli, functions, self._folder)
            return self._known[misconception_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)


_one_at_a_time = threading.RLock()


def _evaluate(arg: Plain, functions: Functions) -> Plain:
    if isinstance(arg, Stimulus):
        return functions[arg.function](*(_evaluate(inner, functions) for inner in arg.args))
    return as_received(arg)
