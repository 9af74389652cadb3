"""What a call that gave no value is told: exceptions, limits, exits, missing functions, loading."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attempts import failure, items, judge, key, matching, raised, returned, run, text

from grader.checks import matches
from grader.evidence import AnswerKey, Ending, Observation, Stimulus, call
from grader.result import CheckResult, Outcome


def told(kind: str, message: str, line: str = "", **more: Any) -> str:
    return text(judge([1.0], [raised(kind, message, (7, "f", line))], **more), "error")


@pytest.mark.parametrize(
    ("kind", "message", "line", "sentence"),
    [
        ("EOFError", "EOF when reading a line", "", "there is no keyboard here"),
        ("RuntimeError", "input(): lost sys.stdin", "", "input() was called"),
        ("RecursionError", "maximum recursion depth exceeded", "", "calls itself without end"),
        ("TabError", "inconsistent use of tabs", "", "Tabs and spaces are mixed"),
        ("IndentationError", "unexpected indent", "", "The indentation is wrong"),
        ("SyntaxError", "invalid character '“' (U+201C)", "", "copied from a document"),
        ("SyntaxError", "source code cannot contain null bytes", "", "may be UTF-16"),
        ("ValueError", "source code string cannot contain null bytes", "", "may be UTF-16"),
        ("SyntaxError", "(unicode error) 'utf-8' codec can't decode byte 0xe9 in position 3", "",
         "not UTF-8 text (byte 0xe9)"),
        ("SyntaxError", "Non-UTF-8 code starting with '\\xe9' in file a.py on line 3", "",
         "not UTF-8 text (byte \\xe9)"),
        ("SyntaxError", "unknown encoding: klingon", "", "(klingon): save it as UTF-8"),
        ("UnicodeDecodeError", "'ascii' codec can't decode byte 0xc3 in position 0", "",
         "The text is not ascii (byte 0xc3)"),
        ("ModuleNotFoundError", "No module named 'tools'", "", "If `tools` is a file of yours"),
        ("ModuleNotFoundError", "No module named 'torch'", "", "`torch` is not there when this is"),
        ("ModuleNotFoundError", "No module named 'matplotlib': here you may import numpy", "",
         "`matplotlib` is not there when this is graded: leave the import out"),
        ("ModuleNotFoundError",
         "No module named 'numba': here you may import …; only the author of the problem can add …",
         "", "`numba` is not there when this is graded: leave the import out"),
        ("ModuleNotFoundError", "No module named 'numpy.linlag'", "",
         "`numpy` is there, but no `linlag` in it: look at the spelling."),
        ("ModuleNotFoundError", "No module named 'torches'", "", "If `torches` is a file of yours"),
        ("ValueError", "math domain error", "", "as in log(0)"),
        ("ValueError", "expected a positive input, got 0.0", "", "as in log(0)"),
        ("OverflowError", "math range error", "", "exp does above about 709"),
        ("ValueError", "matmul: Input operand 0 does not have enough dimensions (has 0", "",
         "None from a function without `return`"),
        ("NameError", "name 'N' is not defined", "x = N + g(1)", "`N` has no value here"),
        ("NameError", "name 'other' is not defined", "x = other (1)", "no `other` to call"),
        ("FileNotFoundError", "[Errno 2] No such file: 'data.csv'", "", "on its arguments alone"),
        ("numpy._core._exceptions._UFuncOutputCastingError",
         "Cannot cast ufunc 'subtract' output from dtype('float64') to dtype('int64')", "",
         "cannot take fractions in place"),
        ("UnboundLocalError", "cannot access local variable 'x' where", "", "`x` is assigned"),
        ("AttributeError", "'list' object has no attribute 'shape'", "", "This is a plain list"),
        ("TypeError", "'NoneType' object is not subscriptable", "", "Something is None here"),
        ("ValueError", "operands could not be broadcast together", "", "shapes do not fit"),
        ("ValueError", "matmul: mismatch in its core dimension 0", "", "shapes do not fit"),
        ("IndexError", "index 3 is out of bounds for axis 0 with size 3", "", "count from 0"),
        ("numpy.linalg.LinAlgError", "Singular matrix", "", "has no inverse"),
        ("AssertionError", "", "", "An `assert` in your own code"),
        # Python 2
        ("SyntaxError", "Missing parentheses in call to 'print'. Did you mean …", "print x",
         "This looks like Python 2 (line 7): `print` is a function now."),
        ("SyntaxError", "invalid syntax", "print 'a' % b", "Python 2 (line 7): `print` is"),
        ("SyntaxError", "invalid syntax", "raise ValueError, 'no'", "`raise Error(text)` now"),
        ("SyntaxError", "multiple exception types must be parenthesized", "",
         "`except Error as e`"),
        ("SyntaxError", "invalid syntax", "except ValueError, e:", "`except Error as e` now"),
        ("SyntaxError", "invalid syntax", "if a <> b:", "`<>` is `!=` now"),
        ("SyntaxError", "invalid syntax", "s = `x`", "backticks are `repr()` now"),
        ("SyntaxError", "invalid decimal literal", "n = 10L", "no `L` any more"),
        ("NameError", "name 'xrange' is not defined", "", "`xrange` is `range` now"),
        ("AttributeError", "'dict' object has no attribute 'iteritems'", "",
         "no `iteritems` any more"),
        ("ModuleNotFoundError", "No module named 'urllib2'", "", "`urllib2` has another name now"),
        ("TypeError", "unsupported operand type(s) for >>: 'builtin_function_or_method' and "
         "'_io.TextIOWrapper'", "print >>sys.stderr, x", "`print >>file` is"),
        # names
        ("NameError", "name 'np' is not defined", "", "is `import numpy as np` missing?"),
        ("NameError", "name 'sofmax' is not defined", "", "Did you mean `softmax`?"),
        ("NameError", "name 'lenn' is not defined", "", "Did you mean `len`?"),
        # the number of arguments
        ("TypeError", "f() takes 1 positional argument but 2 were given", "",
         "called as `f(q, K)`."),
        ("TypeError", "f() missing 1 required positional argument: 'V'", "",
         "called as `f(q, K)`."),
    ],
)  # fmt: skip
def test_frequent_errors_are_explained(kind: str, message: str, line: str, sentence: str) -> None:
    student = run({"f": "function", "softmax": "function"})
    said = told(kind, message, line, student=student, parameters=("q", "K"))
    assert said.startswith(f"{kind}: {message}" if message else kind)
    assert sentence in said


@pytest.mark.parametrize(
    ("kind", "message", "line"),
    [
        ("RuntimeError", "", ""),
        ("RuntimeError", "something else", ""),
        ("ValueError", "anything else", ""),
        ("SyntaxError", "invalid syntax", "print(x) y"),
        ("SyntaxError", "'(' was never closed", "print = foo(bar"),
        ("TypeError", "g() takes 1 positional argument but 2 were given", ""),
        ("NameError", "free variable referenced before assignment", ""),
        ("AttributeError", "'dict' object has no attribute 'foo'", ""),
        ("MyOwnError", "{0} % {1}", ""),
    ],
)
def test_others_speak_for_themselves(kind: str, message: str, line: str) -> None:
    assert told(kind, message, line) == (f"{kind}: {message}" if message else kind)


def test_the_students_own_lines_are_a_block() -> None:
    seen = raised("ValueError", "no", (3, "<module>", ""), (12, "f", "  w = np.exp(x)"))
    block = items(judge([1.0], [seen]), "error")[0].block
    assert block == "attention.py line 3\nattention.py line 12, in f: w = np.exp(x)"


def test_a_long_traceback_keeps_both_ends() -> None:
    seen = raised("RecursionError", "deep", *((i, "f", "f(x)") for i in range(1, 1001)))
    lines = items(judge([1.0], [seen]), "error")[0].block.splitlines()
    assert lines[0].startswith("attention.py line 1,")
    assert lines[-1].startswith("attention.py line 1000,")
    assert len(lines) == 13


def test_what_a_student_wrote_is_bounded() -> None:
    names = {"g" * 10_000 + str(i): "t" * 10_000 for i in range(50)}
    seen = raised("E" * 10_000, "m" * 100_000, (1, "h" * 10_000, "c" * 10_000), stdout="o" * 10_000)
    for result in (
        judge([1.0], [seen], student=run(names)),
        judge([1.0], [Observation(Ending.MISSING, note="n" * 10_000)], student=run(names)),
    ):
        assert sum(len(item.text) + len(item.block) for item in result.feedback) < 6000


@pytest.mark.parametrize(
    ("ending", "sentence"),
    [
        (Ending.TIMEOUT, "`f(x)` did not finish within its time limit. Note."),
        (Ending.MEMORY_LIMIT, "`f(x)` needed more memory than it may use. Note."),
        (Ending.OUTPUT_LIMIT, "`f(x)` printed more than it may. Note."),
        (Ending.EXITED, "`f(x)` ended the whole program instead of returning. Note."),
        (Ending.CRASHED, "`f(x)` crashed the Python process. Note."),
    ],
)
def test_limits_and_exits_are_told_with_their_note(ending: Ending, sentence: str) -> None:
    result = judge([1.0], [Observation(ending, note="Note.")])
    assert text(result, "error").replace("\n", " ") == sentence
    case = items(result, "case")[0].case
    assert case is not None
    assert (case.has_returned, case.has_expected) == (False, False)


def test_a_memory_error_keeps_its_message() -> None:
    error = failure("MemoryError", "Unable to allocate 8 TiB")
    said = text(judge([1.0], [Observation(Ending.MEMORY_LIMIT, error=error)]), "error")
    assert "MemoryError: Unable to allocate 8 TiB" in said


def test_what_the_failing_call_printed_is_shown_cut() -> None:
    result = judge([1.0], [returned(2.0, stdout="hello\n")])
    assert items(result, "output")[0].block == "hello\n"
    assert not items(judge([1.0], [returned(1.0, stdout="hello\n")]), "output")
    long = items(judge([1.0], [returned(2.0, stdout="a" * 10_000)]), "output")[0].block
    assert len(long) < 2500


# --- functions that are not there ---------------------------------------------------------------


def absent(defined: dict[str, str], **more: Any) -> CheckResult:
    answers = key([1.0])
    stimuli = tuple(Stimulus("attention_weights", s.args) for s in answers.stimuli)
    criterion = matching(function="attention_weights")
    observations = [Observation(Ending.MISSING, note="attention_weights")]
    answers = AnswerKey(stimuli, ("q", "K"), answers.expected)
    return matches.check(criterion, answers, observations, run(defined, **more), ())


@pytest.mark.parametrize(
    ("defined", "summary"),
    [
        ({}, "Your code defines no `attention_weights`. It defines nothing at all."),
        (
            {"N": "int", "softmax": "function"},
            "Your code defines no `attention_weights`. It defines `softmax`, `N` (an int).",
        ),
        (
            {"N": "int"},
            "Your code defines no `attention_weights`. It defines `N` (an int), but no function.",
        ),
        (
            {"attention_weight": "function"},
            "Your code defines no `attention_weights`. It defines `attention_weight`. "
            "Did you mean `attention_weight`?",
        ),
        (
            {"AttentionWeights": "function"},
            "Your code defines no `attention_weights`. It defines `AttentionWeights`. "
            "Did you mean `AttentionWeights`?",
        ),
        (
            {"attention_weights": "list", "softmax": "function"},
            "In your code `attention_weights` is a list, not a function. It defines `softmax`.",
        ),
        (
            {"attention_weights": "class"},
            "In your code `attention_weights` is a class, not a function. It defines nothing else.",
        ),
        (
            {"Attention": "class", "N": "int"},
            "Your code defines no `attention_weights`. It defines `Attention` (a class), `N` (an "
            "int), but no function. Define it outside of any class, at the left margin of the "
            "file.",
        ),
        (
            {"Attention": "class", "softmax": "function"},
            "Your code defines no `attention_weights`. It defines `softmax`, `Attention` (a "
            "class).",
        ),
        (
            {f"g{i}": "function" for i in range(10)},
            "Your code defines no `attention_weights`. It defines `g0`, `g1`, `g2`, `g3`, `g4`, "
            "`g5`, `g6`, `g7` and 2 more.",
        ),
    ],
)
def test_a_missing_function_is_answered_with_what_there_is(
    defined: dict[str, str], summary: str
) -> None:
    result = absent(defined)
    assert result.outcome is Outcome.MISSING
    assert text(result, "summary") == summary
    assert not items(result, "case")


def test_a_nested_function_that_is_missing_is_the_one_named() -> None:
    K = np.eye(2)
    stimulus = Stimulus("attend", (call("peaked_query", K, 0), K))
    answers = AnswerKey((stimulus,), ("q", "K"), (returned(1.0),))
    for student, note in ((run({"attend": "function"}), ""), (run({}), "peaked_query")):
        seen = [Observation(Ending.MISSING, note=note)]
        result = matches.check(matching(function="attend"), answers, seen, student, ())
        assert "Your code defines no `peaked_query`." in text(result, "summary")


def test_an_empty_function_is_not_attempted() -> None:
    result = judge([1.0], [Observation(Ending.STUB, note="f")], hint="Start with the sum.")
    assert text(result, "summary") == "`f` is still empty: not attempted."
    assert [item.kind for item in result.feedback] == ["summary", "hint"]


# --- code that does not load --------------------------------------------------------------------


def test_code_that_does_not_load_is_told_why_instead() -> None:
    error = failure("NameError", "name 'nump' is not defined", (1, "<module>", "nump.exp"))
    load = Observation(Ending.RAISED, error=error)
    for seen in (load, Observation(Ending.RAISED, error=error), Observation(Ending.MISSING)):
        result = judge([1.0], [seen], student=run({}, load=load))
        assert result.outcome is Outcome.ERROR
        assert "could not be loaded, so there is no `f` to call" in text(result, "summary")
        assert text(result, "error").startswith("NameError: name 'nump' is not defined")
        assert items(result, "error")[0].block == "attention.py line 1: nump.exp"
        assert not items(result, "case")


def test_a_calls_own_error_is_not_taken_for_one_of_loading() -> None:
    load = Observation(Ending.RAISED, error=failure("NameError", "x"))
    result = judge([1.0], [raised("ValueError", "y")], student=run({}, load=load))
    assert text(result, "error") == "ValueError: y"


@pytest.mark.parametrize(
    ("ending", "outcome", "sentence"),
    [
        (Ending.TIMEOUT, Outcome.TIMEOUT, "did not finish loading"),
        (Ending.MEMORY_LIMIT, Outcome.MEMORY_LIMIT, "Loading your code needed more memory"),
        (Ending.OUTPUT_LIMIT, Outcome.OUTPUT_LIMIT, "Loading your code printed more"),
        (Ending.EXITED, Outcome.ERROR, "ended the whole program while it was being loaded"),
        (Ending.CRASHED, Outcome.ERROR, "crashed the Python process while it was being loaded"),
        (Ending.MISSING, Outcome.MISSING, "A note."),
        (Ending.UNREADABLE, Outcome.ERROR, "A note."),
    ],
)
def test_loading_that_ended_otherwise_is_told(
    ending: Ending, outcome: Outcome, sentence: str
) -> None:
    load = Observation(ending, note="A note.")
    result = judge([1.0], [load], student=run({}, load=load))
    assert result.outcome is outcome
    assert sentence in text(result, "error")
    assert "A note." in text(result, "error")
    unsaid = Observation(ending)
    alone = judge([1.0], [unsaid], student=run({}, load=unsaid))
    assert "There is no code" in text(alone, "error") or ending is not Ending.MISSING


def test_that_nothing_was_handed_in_is_said_once() -> None:
    load = Observation(Ending.MISSING, note="No code was handed in.")
    result = judge([1.0], [load], student=run({}, load=load))
    assert text(result, "error") == "No code was handed in."


def test_code_that_cannot_be_called_gets_no_hint_about_its_values() -> None:
    load = Observation(Ending.RAISED, error=failure("SyntaxError", "invalid syntax"))
    for seen, student in ((load, run({}, load=load)), (Observation(Ending.MISSING), run({}))):
        assert not items(judge([1.0], [seen], student=student, hint="Think."), "hint")
    stub = Observation(Ending.STUB)
    assert text(judge([1.0], [stub], hint="Think."), "hint") == "Think."


def test_what_was_not_tried_is_not_said_to_have_run_out_of_time() -> None:
    note = "Not tried: the submission had to be stopped 5 times before."
    assert text(judge([1.0], [Observation(Ending.TIMEOUT, note=note)]), "error") == note


def test_what_happened_comes_before_what_to_do() -> None:
    seen = raised("ValueError", "no", (3, "f", "x"), mutated=(0,), stdout="printed")
    kinds = [item.kind for item in judge([1.0], [seen], hint="Think.", asks="Do it.").feedback]
    assert kinds == ["asked", "summary", "case", "error", "output", "hint", "hint"]


def test_a_failed_notebook_cell_may_be_why_a_function_is_missing() -> None:
    cells = {f"hw.ipynb cell {i}": failure("SyntaxError", "invalid syntax") for i in range(9)}
    result = absent({"g": "function"}, failed_chunks=cells)
    assert result.outcome is Outcome.ERROR
    assert "Your code defines no `attention_weights`" in text(result, "summary")
    errors = items(result, "error")
    assert errors[0].text == "hw.ipynb cell 0 failed.\nSyntaxError: invalid syntax"
    assert len(errors) == 3
    assert judge([1.0], [1.0], student=run(failed_chunks=cells)).outcome is Outcome.PASSED
