"""What to say of a call that gave no value: an exception, a limit, a missing function, an exit."""

from __future__ import annotations

from collections.abc import Iterator

from grader.checks import exceptions, naming
from grader.checks.attempt import Attempt
from grader.checks.counterexample import call_text
from grader.evidence import Ending, Observation, StudentError, TraceLine
from grader.result import Feedback, Outcome
from grader.value import cut

_NOTE_LIMIT = 600
_OUTPUT_LIMIT = 2000
_CHUNKS_SHOWN = 3
_TRACE_ENDS = 6
"""Lines of a long traceback that are kept at each end."""

_SAID = {
    Ending.RAISED: "{call} raised an exception.",
    Ending.TIMEOUT: "{call} did not finish within its time limit.",
    Ending.MEMORY_LIMIT: "{call} needed more memory than it may use.",
    Ending.OUTPUT_LIMIT: "{call} printed more than it may.",
    Ending.STUB: "{call} is still empty: not attempted.",
    Ending.EXITED: "{call} ended the whole program instead of returning.",
    Ending.CRASHED: "{call} crashed the Python process.",
    Ending.UNREADABLE: "{call} returned something that cannot be read.",
}

_LOAD_SAID = {
    Ending.TIMEOUT: "Your code did not finish loading within its time limit.",
    Ending.MEMORY_LIMIT: "Loading your code needed more memory than it may use.",
    Ending.OUTPUT_LIMIT: "Loading your code printed more than it may.",
    Ending.EXITED: "Your code ended the whole program while it was being loaded.",
    Ending.CRASHED: "Your code crashed the Python process while it was being loaded.",
    Ending.MISSING: "There is no code in this submission.",
    Ending.STUB: "There is no code in this submission.",
}


def not_there(attempt: Attempt) -> str:
    """Summarise why a function is missing: loading failed, or the code has no such name."""
    name = attempt.missing
    if attempt.run.load.ending is not Ending.RETURNED:
        if attempt.load_outcome is Outcome.MISSING:
            return f"There is no code that defines `{name}`: not attempted."
        return f"Your code could not be loaded, so there is no `{name}` to call."
    return naming.missing(name, attempt.run.defined)


def errors(attempt: Attempt, index: int) -> Iterator[Feedback]:
    """The exception, limit or exit that a call ended with, as feedback of the kind "error"."""
    observation = attempt.observations[index]
    if observation.ending is Ending.MISSING:
        yield from _load_errors(attempt)
    elif observation.ending is not Ending.RETURNED:
        yield _call_error(attempt, index)


def output(observation: Observation) -> Iterator[Feedback]:
    """What a call printed, cut, as feedback of the kind "output"."""
    if observation.stdout.strip():
        yield Feedback("output", "It printed:", cut(observation.stdout, _OUTPUT_LIMIT))


def _call_error(attempt: Attempt, index: int) -> Feedback:
    observation = attempt.observations[index]
    error, note = observation.error, cut(observation.note, _NOTE_LIMIT)
    if error is None or observation.ending is Ending.STUB:
        said = _SAID[observation.ending].format(call=f"`{call_text(attempt, index)}`")
        return Feedback("error", f"{said} {note}".strip())
    criterion, key = attempt.criterion, attempt.key
    meaning = exceptions.explanation(error, criterion.function, key.parameters, attempt.run.defined)
    return _error(error, meaning, note)


def _load_errors(attempt: Attempt) -> Iterator[Feedback]:
    load, defined = attempt.run.load, attempt.run.defined
    note = cut(load.note, _NOTE_LIMIT)
    if load.error is not None:
        yield _error(load.error, exceptions.explanation(load.error, defined=defined), note)
    elif load.ending in _LOAD_SAID:
        yield Feedback("error", f"{_LOAD_SAID[load.ending]} {note}".strip())
    for name, error in list(attempt.run.failed_chunks.items())[:_CHUNKS_SHOWN]:
        meaning = exceptions.explanation(error, defined=defined)
        said = _error(error, meaning)
        yield Feedback("error", f"{cut(name, 100)} failed: {said.text}", said.block)


def _error(error: StudentError, meaning: str, note: str = "") -> Feedback:
    sentences = filter(None, (exceptions.headline(error), meaning, note))
    return Feedback("error", "\n".join(sentences), traceback(error))


def traceback(error: StudentError) -> str:
    """The student's own lines of a traceback, outermost first; a long one keeps both its ends."""
    lines = [_line(line) for line in error.trace]
    left_out = len(lines) - 2 * _TRACE_ENDS
    if left_out > 1:
        middle = f"… {left_out} more lines …"
        lines = [*lines[:_TRACE_ENDS], middle, *lines[-_TRACE_ENDS:]]
    return "\n".join(lines)


def _line(line: TraceLine) -> str:
    named = line.function and line.function != "<module>"
    place = f", in {cut(line.function, 60)}" if named else ""
    text = f": {cut(line.text.strip(), 160)}" if line.text.strip() else ""
    return f"{cut(line.file, 100)} line {line.line}{place}{text}"
