"""Finds and reads a student's written answers: a text file, a notebook's markdown, or both."""

from __future__ import annotations

from grader.evidence import Answer
from grader.problem import Problem
from grader.submission import limits
from grader.submission.answers import Written, read_answers
from grader.submission.decoding import decode
from grader.submission.names import Kind, listed, same_name, shown
from grader.submission.notebook import read_notebook
from grader.submission.places import Unreadable
from grader.submission.student import Haul, Item
from grader.submission.survey import is_text_for_answers

_TEXTS = 20
"""So many texts are looked at to find the one with the answers."""


def written_answers(haul: Haul, problem: Problem, code: Item | None, *, named: bool) -> Written:
    """Read the answers; a part that the text leaves blank is taken from the notebook.

    `code` is the file that was chosen as the code; `named`, the files were handed over by name.
    """
    text = _from_texts(haul, problem, named=named)
    notebook = _from_notebook(haul, problem, code)
    if not (text.answers or text.problem) and not notebook.answers:
        text = text if notebook.problem else _unread(haul)
    answers = dict(text.answers)
    twice = []
    for part_id, answer in notebook.answers.items():
        if _is_blank(answers.get(part_id)):
            answers[part_id] = answer
        elif not _is_blank(answer):
            twice.append(part_id)
    warnings = list(text.warnings)
    if notebook.answers or not text.answers:
        warnings += notebook.warnings
    if twice:
        parts = listed(sorted(twice))
        warnings.append(f"Answered in a text and in a notebook: {parts}; the text counts.")
    fault = "" if answers else text.problem or notebook.problem
    return Written(answers, tuple(warnings), fault)


def _from_texts(haul: Haul, problem: Problem, *, named: bool) -> Written:
    name = problem.files.answers
    exact = [item for item in haul.items if same_name(item.path[-1], name)]
    texts = [i for i in haul.of(Kind.TEXT) if is_text_for_answers(i.path[-1])]
    # A starter may come with the statement, which is nobody's answer.
    items = exact or [i for i in texts if not same_name(i.path[-1], problem.statement)]
    if not items:
        return Written()
    if len(items) == 1:
        written, note = _read(items[0], problem), f"{items[0].shown} was read as {name}."
        return written if exact or named else _noted(written, note)
    read = [(item, _read(item, problem)) for item in items[:_TEXTS]]
    filled = [(item, written) for item, written in read if _filled(written)]
    names = listed([item.shown for item, _ in filled or read])
    if len(filled) == 1 or (filled and exact):
        item, written = max(filled, key=lambda pair: _filled(pair[1]))
        return _noted(written, f"{item.shown} was read as the {name}, of {len(items)} texts.")
    if not filled and exact:
        return read[0][1]
    fault = f"Several texts may hold the answers: {names}. Put the answers into one {name}."
    return Written({}, (fault,), fault if filled else "")


def _read(item: Item, problem: Problem) -> Written:
    try:
        data = item.file.read(limits.ANSWERS_BYTES)
    except Unreadable as fault:
        return Written({}, (str(fault),), str(fault))
    text, guessed = decode(data)
    written = read_answers(text, item.path[-1], problem)
    if not guessed:
        return written
    name = shown(item.path[-1])
    return _noted(written, f"{name} is not UTF-8; it was read as {guessed}. Save it as UTF-8.")


def _from_notebook(haul: Haul, problem: Problem, code: Item | None) -> Written:
    """The markdown of the notebook that is the code, or else of the only one there is."""
    notebooks = haul.of(Kind.NOTEBOOK)
    if code is not None and code.kind is Kind.NOTEBOOK:
        notebooks = [code]
    if len(notebooks) != 1:
        return Written()
    name = notebooks[0].path[-1]
    try:
        data = notebooks[0].file.read(limits.NOTEBOOK_BYTES)
        markdown = read_notebook(data, name, problem.functions).markdown
    except Unreadable as fault:
        return Written(problem=str(fault))
    return read_answers(markdown, name, problem)


def _unread(haul: Haul) -> Written:
    """No answers, which is nobody's fault unless something was handed in that may hold them."""
    faults = list(haul.faults)
    if documents := haul.of(Kind.DOCUMENT, Kind.OTHER_ARCHIVE):
        names = listed([item.shown for item in documents])
        faults.append(f"Answers in {names} are not read. Write them into a plain text file.")
    return Written({}, tuple(faults), " ".join(faults))


def _noted(written: Written, note: str) -> Written:
    return Written(written.answers, (note, *written.warnings), written.problem)


def _filled(written: Written) -> int:
    return sum(not _is_blank(answer) for answer in written.answers.values())


def _is_blank(answer: Answer | None) -> bool:
    return answer is None or not (answer.text or answer.formulas)
