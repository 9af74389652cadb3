"""Notebooks: cells become chunks of plain Python, markdown becomes answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from collecting import CODE, PROBLEM, lay, notebook, only
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.evidence import Submission
from grader.submission import discover, read


def hand_in(tmp_path: Path, data: bytes) -> Submission:
    """Hand in a notebook as hw.ipynb and read it."""
    lay(tmp_path, {"hw.ipynb": data})
    return only(tmp_path / "hw.ipynb")


def plain(tmp_path: Path, source: str) -> str:
    """What becomes of one code cell; empty if it is dropped."""
    chunks = hand_in(tmp_path, notebook(("code", source))).chunks
    return chunks[0].source.decode() if chunks else ""


def test_code_cells_are_chunks_numbered_as_the_student_sees_cells(tmp_path: Path) -> None:
    data = notebook(
        ("markdown", "# Homework"),
        ("code", "import numpy as np"),
        ("raw", "not for anyone"),
        ("code", ""),
        ("code", CODE.decode()),
        ("markdown", "## i\nThey sum to one."),
        ("markdown", "## ii\n$m = \\log(n)$"),
    )
    submission = hand_in(tmp_path, data)
    assert submission.notebook
    assert [chunk.name for chunk in submission.chunks] == ["hw.ipynb cell 2", "hw.ipynb cell 5"]
    assert submission.chunks[1].source == CODE.rstrip(b"\n") + b"\n"
    assert submission.answers["i"].text == "They sum to one."
    assert submission.answers["ii"].formulas == {"m": "\\log(n)"}


def test_format_3_is_read(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["ii"]},
        {"cell_type": "markdown", "source": ["m = n"]},
        {"cell_type": "code", "input": ["x = 1\n", "y = 2"], "language": "python", "outputs": []},
    ]
    data = json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}).encode()
    submission = hand_in(tmp_path, data)
    assert submission.chunks[0].source == b"x = 1\ny = 2"
    assert submission.answers["ii"].formulas == {"m": "n"}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!pip install numpy\nx = 1", "pass\nx = 1"),
        ("pip install numpy\nx = 1", "pass\nx = 1"),
        ("files = !ls\nx = 1", "pass\nx = 1"),
        ("t = %timeit -o f()\nx = 1", "pass\nx = 1"),
        ("np.exp?\nx = 1", "pass\nx = 1"),
        ("?np.exp\nx = 1", "pass\nx = 1"),
        ("%time y = 2\nx = 1", "y = 2\nx = 1"),
        ("%time %time y = 2\nx = 1", "y = 2\nx = 1"),
        ("%time !ls \\\n -l\nx = 1", "pass\n\nx = 1"),
        ("%time %run other.py\nx = 1", "pass\nx = 1"),
        ("%%time\nx = 1", "\nx = 1"),
        ("\n%%capture out\nx = 1", "\n\nx = 1"),
        ("if True:\n    %time\n    !ls\nx = 1", "if True:\n    pass\n    pass\nx = 1"),
        ("!echo a \\\n  b \\\n  c\nx = 1", "pass\n\n\nx = 1"),
    ],
)
def test_magics_go_and_lines_keep_their_numbers(tmp_path: Path, source: str, expected: str) -> None:
    assert plain(tmp_path, source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "x = (7\n     % 3)",
        "x = 7 \\\n  % 3",
        's = """\n%matplotlib inline\n!ls\nwhat?\n"""',
        "s = '''it's\n!not a command'''",
        "s = 'a\\\n!b'",
        "x = [\n  # ( '\n  1,\n]\ny = x != 1",
        'print("really?")',
        "# is it?\nx = 1  # ( what?",
        "ok = a == b\nnot_ok = a != b",
        "s = '#' + \"'\" + '(' + \"\"\"'''\"\"\"\nx = 1",
        "s = r'\\d('\nx = {'a': 1}",
    ],
)
def test_python_that_looks_like_magic_is_left_alone(tmp_path: Path, source: str) -> None:
    assert plain(tmp_path, source) == source


@pytest.mark.parametrize("magic", ["%%bash", "%%html", "%%writefile a.py", "%%javascript", "%%R"])
def test_a_cell_in_another_language_is_dropped_and_told(tmp_path: Path, magic: str) -> None:
    submission = hand_in(tmp_path, notebook(("code", f"{magic}\nls -l"), ("code", "x = 1")))
    assert [chunk.name for chunk in submission.chunks] == ["hw.ipynb cell 2"]
    assert f"hw.ipynb cell 1 is {magic.split()[0]}: it was not run." in submission.warnings


# --- grading metadata --------------------------------------------------------------------------


def graded(kind: str, source: str, grade_id: str, **more: Any) -> dict[str, Any]:
    """A cell with nbgrader's metadata."""
    return {
        "cell_type": kind,
        "source": source,
        "metadata": {"nbgrader": {"grade_id": grade_id, **more}},
    }


def test_of_cells_with_one_grading_id_the_last_worked_on_is_used(tmp_path: Path) -> None:
    stub = "def weights(q, K):\n    raise NotImplementedError()\n"
    cells = [
        graded("code", stub, "w", solution=True),
        graded("code", "def weights(q, K):\n    return 1\n", "w"),
        graded("code", "def weights(q, K):\n    return 2\n", "w"),
        graded("code", stub, "w"),
        graded("markdown", "## i\nfirst", "a"),
        graded("markdown", " ", "a"),
    ]
    submission = hand_in(tmp_path, json.dumps({"cells": cells}).encode())
    assert [chunk.name for chunk in submission.chunks] == ["hw.ipynb cell 3"]
    assert submission.answers["i"].text == "first"
    assert any("“w”; cell 3 was used" in warning for warning in submission.warnings)


def test_the_question_in_a_locked_cell_is_no_answer(tmp_path: Path) -> None:
    cells = [
        graded("markdown", "## i\nWhy is it a distribution?", "q", locked=True),
        graded("markdown", "Because it sums to one.", "a", locked=False, solution=True),
        {"cell_type": "markdown", "metadata": {"editable": False}, "source": "## ii\nWhen?"},
    ]
    submission = hand_in(tmp_path, json.dumps({"cells": cells}).encode())
    assert submission.answers["i"].text == "Because it sums to one."
    assert submission.answers["ii"].text == ""


# --- with a text beside it -----------------------------------------------------------------------


def test_parts_left_blank_in_the_text_are_taken_from_the_notebook(tmp_path: Path) -> None:
    book = notebook(("markdown", "## i\nfrom the book"), ("markdown", "## ii\nalso there"))
    lay(tmp_path / "jane", {"hw.ipynb": book, "answers.md": b"## i\nfrom the text\n## ii\n"})
    submission = only(tmp_path / "jane")
    assert submission.answers["i"].text == "from the text"
    assert submission.answers["ii"].text == "also there"
    assert any("in a text and in a notebook: i;" in warning for warning in submission.warnings)


def test_answers_in_a_notebook_beside_the_code_are_read(tmp_path: Path) -> None:
    lay(tmp_path / "jane", {"attention.py": CODE, "w.ipynb": notebook(("markdown", "## i\nyes"))})
    submission = only(tmp_path / "jane")
    assert not submission.notebook
    assert submission.answers["i"].text == "yes"


# --- notebooks that are none -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not valid JSON"),
        (b"{'cells': []}", "not valid JSON"),
        (b"\x80\x81", "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b"[" * 300_000, "200,000 entries"),
        (b"[1, 2]", "without cells"),
        (b'{"a": 1}', "without cells"),
        (b"9" * 10_000, "JSON"),
        (notebook(metadata={"kernelspec": {"language": "R"}}), "written for R"),
        (b" " * 5_000_001, "limit is 5 MB"),
        (notebook(("code", "#" * 1_000_001)), "limit is 1 MB"),
    ],
)
def test_what_is_no_notebook_is_told_with_the_mend(tmp_path: Path, data: bytes, words: str) -> None:
    submission = hand_in(tmp_path, data)
    assert submission.chunks == ()
    assert "hw.ipynb" in submission.code_problem
    assert words in submission.code_problem
    # The answers may have been in it, so they are not known to be blank.
    assert submission.answers_problem == submission.code_problem


@pytest.mark.parametrize(
    "document",
    [
        {"cells": None},
        {"cells": [None, 1, [], {}, {"cell_type": 3}, {"cell_type": "code"}]},
        {"cells": [{"cell_type": "code", "source": [1, None, {}]}], "metadata": []},
        {"worksheets": [None, {"cells": 3}], "metadata": {"kernelspec": None}},
        {"cells": [{"cell_type": "code", "source": "", "metadata": {"nbgrader": 1}}]},
    ],
)
def test_what_is_missing_in_a_notebook_is_borne(tmp_path: Path, document: object) -> None:
    submission = hand_in(tmp_path, json.dumps(document).encode())
    assert (submission.chunks, submission.code_problem) == ((), "")


def test_text_that_no_encoding_has_is_replaced(tmp_path: Path) -> None:
    data = b'{"cells": [{"cell_type": "code", "source": "x = \\"\\ud800\\u0000\\""}]}'
    assert hand_in(tmp_path, data).chunks[0].source == b'x = "?"'


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "cells worksheets cell_type source input metadata nbgrader grade_id locked"
                " editable level kernelspec language".split()
            ),
            inner | st.sampled_from(["code", "markdown", "heading", "%%time\n!ls", "## ii\nm = 1"]),
            max_size=5,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=120, deadline=None)
@given(JSON)
def test_no_json_makes_the_reader_raise(
    tmp_path_factory: pytest.TempPathFactory, document: object
) -> None:
    root = tmp_path_factory.mktemp("any")
    cells = [document] if not isinstance(document, list) else document
    for data in (document, {"cells": cells}, {"worksheets": [{"cells": cells}]}):
        path = root / "hw.ipynb"
        path.write_text(json.dumps(data))
        submission = read(discover([path], PROBLEM).sources[0], PROBLEM)
        assert all(chunk.source.decode().strip() for chunk in submission.chunks)


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("\n \\%!?'\"#()[]{}=x")))
def test_lines_keep_their_numbers_whatever_the_cell(
    tmp_path_factory: pytest.TempPathFactory, source: str
) -> None:
    path = tmp_path_factory.mktemp("cell") / "hw.ipynb"
    path.write_bytes(json.dumps({"cells": [{"cell_type": "code", "source": source}]}).encode())
    for chunk in read(discover([path], PROBLEM).sources[0], PROBLEM).chunks:
        assert chunk.source.decode().count("\n") == source.count("\n")
