"""Written answers: files, headings, formulas, and what students write that is neither."""

from __future__ import annotations

from pathlib import Path

import pytest
from collecting import ANSWERS, CODE, PROBLEM, lay, only
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.evidence import Submission
from grader.submission import discover, read


def hand_in(tmp_path: Path, text: str | bytes, name: str = "answers.md") -> Submission:
    """Hand in a text in a student's folder and read it."""
    data = text if isinstance(text, bytes) else text.encode()
    lay(tmp_path / "jane", {"attention.py": CODE, name: data})
    return only(tmp_path / "jane")


# --- files ---------------------------------------------------------------------------------------


def test_text_before_the_first_heading_and_formula_lines_are_no_text(tmp_path: Path) -> None:
    text = "Jane Doe\n\n## i\n\nThey are\n\npositive.\n\n## ii\nWide.\n\nm = log(n)\n\nVery wide.\n"
    submission = hand_in(tmp_path, text)
    assert submission.answers["i"].text == "They are\n\npositive."
    assert submission.answers["ii"].text == "Wide.\n\nVery wide."
    assert submission.answers["ii"].formulas == {"m": "log(n)"}
    assert (submission.warnings, submission.answers_problem) == ((), "")


@pytest.mark.parametrize("name", ["my answers.md", "written.txt", "Antworten.MARKDOWN"])
def test_a_sole_text_is_taken_with_a_warning(tmp_path: Path, name: str) -> None:
    submission = hand_in(tmp_path, ANSWERS, name)
    assert set(submission.answers) == {"i", "ii"}
    assert submission.warnings == (f"{name} was read as answers.md.",)


def test_of_several_texts_the_one_with_the_answers_is_taken(tmp_path: Path) -> None:
    jane = lay(tmp_path / "jane", {"a.md": ANSWERS, "log.txt": b"epoch 1", "README.md": ANSWERS})
    assert set(only(jane).answers) == {"i", "ii"}
    lay(jane, {"b.md": ANSWERS})
    submission = only(jane)
    assert submission.answers == {}
    assert "a.md, b.md" in submission.answers_problem


def test_answers_may_lie_above_the_code(tmp_path: Path) -> None:
    jane = lay(tmp_path / "jane", {"answers.md": ANSWERS, "src/attention.py": CODE})
    submission = only(jane)
    assert submission.chunks
    assert submission.answers


def test_the_starter_s_answers_yield_to_the_filled_in(tmp_path: Path) -> None:
    files = {"answers.md": b"## i\n", "final/answers.md": ANSWERS, "attention.py": CODE}
    assert only(lay(tmp_path / "jane", files)).answers["i"].text == "They sum to one."


@pytest.mark.parametrize(
    ("data", "guess"),
    [
        ("## i\né → ü".encode(), ""),
        ("## i\né → ü".encode("utf-8-sig"), ""),
        ("## i\né → ü".encode("utf-16"), ""),
        ("## i\né ü € “so”".encode("cp1252"), "Windows-1252"),
        ("## i\nso it is".encode("utf-16-le"), "UTF-16-LE"),
        ("## i\n权重非负且和为一，所以是分布".encode("gb18030"), "GB18030"),
    ],
)
def test_encodings(tmp_path: Path, data: bytes, guess: str) -> None:
    submission = hand_in(tmp_path, data)
    assert submission.answers["i"].text in (
        "é → ü", "é ü € “so”", "so it is", "权重非负且和为一，所以是分布",
    )  # fmt: skip
    assert (guess in "".join(submission.warnings)) if guess else not submission.warnings


def test_text_that_cannot_be_read_is_not_blank(tmp_path: Path) -> None:
    assert "1 MB" in hand_in(tmp_path, b"#" * 1_000_001).answers_problem


def test_documents_are_told_where_no_answers_are(tmp_path: Path) -> None:
    assert "hw.docx" in hand_in(tmp_path, b"PK", "hw.docx").answers_problem
    assert hand_in(tmp_path, ANSWERS).answers_problem == ""


# --- headings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heading", "part"),
    [
        ("## i", "i"), ("## ii", "ii"), ("## iii", "iii"), ("## iv", "iv"), ("##ii", "ii"),
        ("# II", "ii"), ("## (a) ii", "ii"), ("# Part ii.", "ii"), ("### ii)", "ii"),
        ("## (ii)", "ii"), ("## (a)(iii)", "iii"), ("## a.ii", "ii"), ("## 1.a.iv", "iv"),
        ("## Question 1 (a) iv", "iv"), ("## a) i)", "i"), ("## iv: Intuition", "iv"),
        ("## iv — Intuition (1 point)", "iv"), ("## ii The margin", "ii"), ("## i. Why", "i"),
        ("## i The distribution", "i"), ("## iii ##", "iii"), ("## **iii**", "iii"),
        ("**ii.**", "ii"), ("**Part iii**:", "iii"), ("__iv__", "iv"), ("a.ii", "ii"),
        ("(iii)", "iii"), ("Part iv:", "iv"), ("ii\n--", "ii"), ("Part iii\n====", "iii"),
        ("## Ⅲ", "iii"), ("## （ii）", "ii"), ("## Teil iii", "iii"),
    ],
)  # fmt: skip
def test_headings_of_parts(tmp_path: Path, heading: str, part: str) -> None:
    submission = hand_in(tmp_path, f"before\n\n{heading}\n\nThe answer.\n")
    assert {id_: answer.text for id_, answer in submission.answers.items()} == {part: "The answer."}


@pytest.mark.parametrize(
    "line",
    ["## I think so", "## i.e. this", "## i-th key", "## Answer", "### 1. Positive", "# note",
     "I think so.", "**Therefore**", "(i) and (ii) hold", "(i)", "v = 1"],
)  # fmt: skip
def test_other_lines_are_text(tmp_path: Path, line: str) -> None:
    submission = hand_in(tmp_path, f"## iii\nfirst\n{line}\nlast\n")
    assert submission.answers["iii"].text == f"first\n{line}\nlast"
    assert set(submission.answers) == {"iii"}


def test_a_heading_twice_is_joined_with_a_warning(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, "## i\none\n## ii\ntwo\n## i\nthree\n")
    assert submission.answers["i"].text == "one\n\nthree"
    assert any("2 headings of part i" in warning for warning in submission.warnings)


@pytest.mark.parametrize("heading", ["## v", "## iiii", "## Part (b)", "## ix."])
def test_a_heading_of_no_part_ends_the_part_and_is_told(tmp_path: Path, heading: str) -> None:
    submission = hand_in(tmp_path, f"## iv\nfour\n{heading}\nfive\n")
    assert submission.answers["iv"].text == "four"
    assert any(heading in warning for warning in submission.warnings)


def test_a_heading_of_two_parts_is_told(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, "## i, ii\nboth\n## iii\nthree\n")
    assert set(submission.answers) == {"iii"}
    assert any("i, ii" in warning for warning in submission.warnings)


def test_text_without_headings_is_told_and_not_blank(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, "The weights sum to one.\n")
    assert submission.answers == {}
    assert "“## i”, “## ii”" in submission.answers_problem
    assert submission.answers_problem in submission.warnings
    assert hand_in(tmp_path, " \n\n").answers_problem == ""


def test_without_marked_headings_labels_in_order_are_taken(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, "i. one\nmore\n(ii) two\niii) three\n**iv.** four\n")
    texts = {id_: answer.text for id_, answer in submission.answers.items()}
    assert texts == {"i": "one\nmore", "ii": "two", "iii": "three", "iv": "four"}
    assert "no marked headings" in submission.warnings[0]
    assert hand_in(tmp_path, "ii. two\ni. one\n").answers == {}


def test_code_blocks_hold_no_headings(tmp_path: Path) -> None:
    text = "## i\n```python\n# ii\n## v\nx = 1\n```\nend\n## ii\ntwo"
    submission = hand_in(tmp_path, text)
    assert submission.answers["i"].text == "```python\n# ii\n## v\nx = 1\n```\nend"
    assert submission.answers["ii"].text == "two"


def test_a_code_block_never_closed_swallows_nothing(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, "## i\n```\nx\n\n## ii\ntwo\n\n## iii\n```\ny\n```\n")
    assert submission.answers["ii"].text == "two"
    assert "iii" in submission.answers


def test_an_answer_written_into_the_heading_is_found(tmp_path: Path) -> None:
    text = "## i: It is nonnegative and sums to one\n## iv: What does this mean, in short?\n"
    submission = hand_in(tmp_path, text)
    assert submission.answers["i"].text == "It is nonnegative and sums to one"
    assert submission.answers["iv"].text == ""


def test_comments_and_invitations_are_no_answer(tmp_path: Path) -> None:
    text = (
        "## i\n<!-- Say why the weights are\na distribution. ## ii -->\n"
        "## iii\n*Your answer here.*\n## iv\n_Type your answer here, replacing this text._\n"
    )
    submission = hand_in(tmp_path, text)
    assert {id_: answer.text for id_, answer in submission.answers.items()} == {
        "i": "", "iii": "", "iv": "",
    }  # fmt: skip
    assert any("<!-- and --> is not read" in warning for warning in submission.warnings)


def test_a_comment_never_closed_swallows_nothing(tmp_path: Path) -> None:
    assert hand_in(tmp_path, "## i\n<!-- one\n## ii\ntwo").answers["ii"].text == "two"


# --- formulas ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "m = log(n)", "m=log(n)", "m := log(n)", "$m = log(n)$", "$$m = log(n)$$", "`m = log(n)`",
        "- m = log(n)", "* $m = log(n)$.", "1. m = log(n)", "> m = log(n)", "m(n, eps) = log(n)",
        "$m(n, \\varepsilon) = log(n)$", "**m** = $log(n)$", "**m = log(n)**", "m &= log(n) \\\\",
        "\\(m = log(n)\\)", "\\[m = log(n)\\]", "So m = log(n).", "Answer: `m = log(n)`",
        "```\nm = log(n)\n```", "$$\nm = log(n)\n$$", "𝑚 = log(n)", "m ＝ log(n)", "m == log(n)",
    ],
)  # fmt: skip
def test_formula_lines_in_any_dress(tmp_path: Path, line: str) -> None:
    submission = hand_in(tmp_path, f"## ii\n{line}\n")
    assert submission.answers["ii"].formulas == {"m": "log(n)"}
    assert submission.answers["ii"].text == ""
    assert submission.warnings == ()


@pytest.mark.parametrize(
    "name",
    ["alpha_j", "\\alpha_j", "\\alpha_{j}", "α_j", "αⱼ", "alpha_{j}", "\\alpha_j(m, n)", "𝛼_j"],
)
def test_spellings_of_a_symbol(tmp_path: Path, name: str) -> None:
    submission = hand_in(tmp_path, f"## iii\n{name} = 1/n\n")
    assert submission.answers["iii"].formulas == {"alpha_j": "1/n"}


@pytest.mark.parametrize(
    "line",
    ["m = the margin between the logits", "n = log(m)", "m + 1 = log(n)", "alpha_j = 1", "x <= m",
     "M_j = 1", "m"],
)  # fmt: skip
def test_other_lines_are_no_formula(tmp_path: Path, line: str) -> None:
    submission = hand_in(tmp_path, f"## ii\n{line}\n")
    assert submission.answers["ii"].formulas == {}
    assert submission.answers["ii"].text == line


@pytest.mark.parametrize("rest", ["", " ", "...", "…", "?", "___", "<your formula>", "TODO"])
def test_a_formula_left_open_is_blank(tmp_path: Path, rest: str) -> None:
    answer = hand_in(tmp_path, f"## ii\nm = {rest}\n").answers["ii"]
    assert (answer.text, answer.formulas) == ("", {})


def test_a_formula_in_a_sentence_counts_where_no_line_gives_it(tmp_path: Path) -> None:
    sentence = "The margin is $m = \\log(n)$, or `alpha_j = 1`, at least."
    submission = hand_in(tmp_path, f"## ii\n{sentence}\n")
    assert submission.answers["ii"].formulas == {"m": "\\log(n)"}
    assert submission.answers["ii"].text == sentence
    assert any("one in the text was taken" in warning for warning in submission.warnings)
    submission = hand_in(tmp_path, f"## ii\n{sentence}\nm = n\n")
    assert submission.answers["ii"].formulas == {"m": "n"}


def test_of_different_formulas_the_last_counts_with_a_warning(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, "## ii\nm = 1\nm = 2\nm =\n")
    assert submission.answers["ii"].formulas == {"m": "2"}
    assert any("2 different formulas" in warning for warning in submission.warnings)
    assert hand_in(tmp_path, "## ii\nm = 1\n$m = 1$\n").warnings == ()


def test_an_inequality_is_told(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, "## ii\n$m \\geq \\log(n)$\n")
    assert submission.answers["ii"].formulas == {}
    assert any("Write “m = …”" in warning for warning in submission.warnings)


# --- hostile text ------------------------------------------------------------------------------

PIECES = st.sampled_from(
    "## i\n|## ii\n|# v\n|**iii**\n|(iv)\n|m = |alpha_j := |$|`|```\n|<!--|-->|\n| |\\(|\\alpha|"
    "---\n|\0|\ud800|é|𝑚|i. |=\n".split("|")
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES | st.text(max_size=8), max_size=25))
def test_no_text_makes_the_reader_raise(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str]
) -> None:
    path = tmp_path_factory.mktemp("text") / "answers.md"
    path.write_bytes("".join(pieces).encode("utf-8", "surrogatepass"))
    submission = read(discover([path], PROBLEM).sources[0], PROBLEM)
    assert set(submission.answers) <= {"i", "ii", "iii", "iv"}
    for answer in submission.answers.values():
        assert "\0" not in answer.text.encode().decode()
        assert set(answer.formulas) <= {"m", "alpha_j"}


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_make_the_reader_raise(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    root = tmp_path_factory.mktemp("bytes")
    lay(root / "jane", {"answers.md": data, "attention.py": data, "hw.ipynb": data})
    assert len(only(root / "jane").digest) == 64


def test_endless_lines_are_cut(tmp_path: Path) -> None:
    submission = hand_in(tmp_path, "## i\n" + "a\n" * 30_000)
    assert submission.answers["i"].text.count("a") < 20_000
    assert any("20,000 lines" in warning for warning in submission.warnings)


@pytest.mark.parametrize("unit", ["$m = ", "\\(", "`", "## i\n", "<!--", "m(", " ", "\\alpha_{"])
def test_repetition_costs_linear_work(tmp_path: Path, unit: str) -> None:
    """Quadratic reading of a megabyte would take minutes; a test that hangs is one that fails."""
    text = "## ii\n" + unit * (990_000 // len(unit))
    assert hand_in(tmp_path, text).chunks


@pytest.mark.parametrize("length", [400, 1_100, 5_000, 100_000])
def test_a_formula_of_any_length_is_there_and_never_cut_to_a_shorter_one(
    tmp_path: Path, length: int
) -> None:
    formula = "1" + "+1" * (length // 2)
    found = hand_in(tmp_path, f"## ii\nm = {formula}\n").answers["ii"].formulas["m"]
    assert formula.startswith(found)
    assert len(found) >= min(length, 1_000)
    spaced = f"## ii\nm = 1{' ' * length}+ n\n"
    assert hand_in(tmp_path, spaced).answers["ii"].formulas["m"].split() == ["1", "+", "n"]
