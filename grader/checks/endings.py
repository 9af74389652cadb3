"""What to say of a call that gave no value: an exception, a limit, a missing function, an exit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grader.checks import exceptions, naming
from grader.checks.attempt import Attempt
from grader.checks.counterexample import call_text
from grader.checks.shapes import type_hint
from grader.evidence import Ending, Observation, StudentError, TraceLine
from grader.result import Feedback, Outcome
from grader.value import Opaque, cut

_NOTE_LIMIT = 600
_OUTPUT_LIMIT = 2000
_CHUNKS_SHOWN = 3
_TRACE_ENDS = 6
"""Lines of a long traceback that are kept at each end."""

_NOT_TRIED = "Not tried:"
"""How the sandbox's note on a call begins that was not made any more."""

_SAID = {
    Ending.TIMEOUT: "{call} did not finish within its time limit.",
    Ending.MEMORY_LIMIT: "{call} needed more memory than it may use.",
    Ending.OUTPUT_LIMIT: "{call} printed more than it may.",
    Ending.EXITED: "{call} ended the whole program instead of returning.",
    Ending.CRASHED: "{call} crashed the Python process.",
    Ending.UNREADABLE: "{call} returned something that cannot be graded.",
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


def not_there(attempt: Attempt, index: int) -> str:
    """Summarise why a function is missing: loading failed, or the code has no such name."""
    name = attempt.missing(index)
    if attempt.run.load.ending is not Ending.RETURNED:
        if attempt.load_outcome is Outcome.MISSING:
            return f"There is no code that defines `{name}`: not attempted."
        return f"Your code could not be loaded, so there is no `{name}` to call."
    return naming.missing(name, attempt.run.defined)


def errors(attempt: Attempt, index: int) -> Iterator[Feedback]:
    """The exception, limit or exit that a call ended with, as feedback of the kind "error"."""
    if attempt.absent(index):
        yield from _load_errors(attempt)
    elif attempt.observations[index].ending not in (Ending.RETURNED, Ending.STUB):
        yield _call_error(attempt, index)


def output(observation: Observation) -> Iterator[Feedback]:
    """What a call printed, cut, as feedback of the kind "output"."""
    if observation.stdout.strip():
        yield Feedback("output", "It printed:", cut(observation.stdout, _OUTPUT_LIMIT))


def _call_error(attempt: Attempt, index: int) -> Feedback:
    observation, criterion = attempt.observations[index], attempt.criterion
    called = (criterion.function, attempt.key.parameters)
    said = _SAID.get(observation.ending, "").format(call=f"`{call_text(attempt, index)}`")
    if observation.note.startswith(_NOT_TRIED):
        said = ""  # it is given the ending of an earlier call, and did not end so itself
    return _error(observation, said, called, attempt.run.defined)


def _load_errors(attempt: Attempt) -> Iterator[Feedback]:
    load, defined = attempt.run.load, attempt.run.defined
    if load.ending is not Ending.RETURNED:
        nothing = attempt.load_outcome is Outcome.MISSING
        said = "" if nothing and load.note else _LOAD_SAID.get(load.ending, "")
        yield _error(load, said, ("", ()), defined)
    for name, error in list(attempt.run.failed_chunks.items())[:_CHUNKS_SHOWN]:
        failed = Observation(Ending.RAISED, error=error)
        yield _error(failed, f"{cut(name, 100)} failed.", ("", ()), defined)


def _error(
    observation: Observation,
    said: str,
    called: tuple[str, Sequence[str]],
    defined: Mapping[str, str],
) -> Feedback:
    """One line each: the ending in words, the exception, what it means, and the ending's note."""
    error, note = observation.error, cut(observation.note, _NOTE_LIMIT)
    sentences = [said]
    if error is not None and observation.ending is not Ending.EXITED:
        function, parameters = called
        sentences.append(exceptions.headline(error))
        sentences.append(exceptions.explanation(error, function, parameters, defined))
    if isinstance(observation.value, Opaque):
        sentences.append(type_hint(observation.value))
    return Feedback(
        "error",
        "\n".join(filter(None, (*sentences, note))),
        traceback(error) if error is not None else "",
    )


def traceback(error: StudentError) -> str:
    """The student's own lines of a traceback, outermost first; a long one keeps both its ends."""
    lines = [_line(line) for line in error.trace]
    if len(lines) > 2 * _TRACE_ENDS + 1:
        lines = [*lines[:_TRACE_ENDS], "… more of the same kind …", *lines[-_TRACE_ENDS:]]
    return "\n".join(lines)


def _line(line: TraceLine) -> str:
    named = line.function and line.function != "<module>"
    place = f", in {cut(line.function, 60)}" if named else ""
    text = f": {cut(line.text.strip(), 160)}" if line.text.strip() else ""
    return f"{cut(line.file, 100)} line {line.line}{place}{text}"
