"""What GitHub's runner obeys: our annotations, and nothing that a student wrote."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import ci_grades
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runner_model import Command, read_log, read_outputs

from grader.report.ci import actions
from grader.report.ci.actions import Annotation
from grader.report.ci.plain import Place, transcript
from grader.result import Feedback, Outcome

TOKEN = "5f0c1d"
TRICKY = st.text(
    st.sampled_from("::##[]%0A0D,=\r\n \t\v\x85\u2028\x00errorstop-commands|`<>é\ud800")
) | st.sampled_from(
    [
        "::error::x",
        "##[error]x",
        "\r::add-mask::a",
        "::stop-commands::x",
        "::5f0c1d::",
        " ::echo::on",
    ]
)

quick = settings(max_examples=60, deadline=None)


def printed(grade, places=None):
    """All that is printed of a grade, as the command prints it."""
    begin, end = actions.shield(TOKEN)
    annotations = [actions.command(a) for a in actions.to_annotate(grade, places or {})]
    return "\n".join([begin, *actions.log(transcript(grade)), end, *annotations]) + "\n"


def controls(text):
    return {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs") and c != "\t"}


@quick
@given(TRICKY)
def test_no_text_is_obeyed_from_a_log_line_even_without_a_shield(text):
    log = read_log("\n".join(actions.harmless(text)))
    assert log.obeyed == []
    assert log.stopped is None


@quick
@given(TRICKY, TRICKY, TRICKY)
def test_an_annotation_is_one_command_whatever_stands_in_it(title, message, file):
    annotation = Annotation("error", title, message, Place(file, 3))
    line = actions.command(annotation)
    assert not controls(line)
    log = read_log(line)
    assert [command.name for command in log.obeyed] == ["error"]
    assert log.obeyed[0].properties.get("line") == "3"


def test_an_annotation_says_what_and_where():
    message = "50% of cases:\nf(x), not g%0A%25"
    annotation = Annotation("warning", "i. A: b, c", message, Place("src/a,b:c.py", 12))
    [command] = read_log(actions.command(annotation)).obeyed
    where = {"file": "src/a,b:c.py", "line": "12", "title": "i. A: b, c"}
    assert command == Command("warning", message, where)


def test_without_a_place_an_annotation_names_no_file():
    [command] = read_log(actions.command(Annotation("notice", "Score", "1 of 2"))).obeyed
    assert command.properties == {"title": "Score"}


@pytest.mark.parametrize("make", ci_grades.ALL, ids=lambda make: make.__name__)
def test_only_annotations_get_through(make):
    log = read_log(printed(make()))
    assert {command.name for command in log.obeyed} <= {"error", "warning", "notice"}
    assert log.shielded == []
    assert log.stopped is None


@quick
@given(TRICKY)
def test_only_as_many_annotations_get_through_as_there_are(text):
    grade = ci_grades.hostile(text)
    expected = actions.to_annotate(grade, {})
    log = read_log(printed(grade))
    assert [command.name for command in log.obeyed] == [a.level for a in expected]


@pytest.mark.parametrize("make", ci_grades.ALL, ids=lambda make: make.__name__)
def test_nothing_printed_controls_a_terminal(make):
    text = printed(make(), {"c0": Place(ci_grades.HOSTILE, 1)})
    assert controls(text) <= {"\n"}


def test_failures_of_each_kind_have_their_level_and_place():
    places = {"wrong": Place("work.py", 7), "half": Place("work.py", 2)}
    found = actions.to_annotate(ci_grades.mixed(), places)
    told = [(a.level, a.title, a.place) for a in found]
    assert ("warning", "i. Half: Partly right", Place("work.py", 2)) in told
    assert ("error", "ii. Wrong: Not right yet", Place("work.py", 7)) in told
    assert ("error", "ii. Raised: Stopped by an error", None) in told
    assert not [title for _, title, _ in told if "Right:" in title]


def test_what_failed_at_one_place_is_told_once_with_all_titles():
    places = dict.fromkeys(("wrong", "raised", "slow"), Place("work.py", 3))
    found = [a for a in actions.to_annotate(ci_grades.mixed(), places) if a.place]
    assert len(found) == 1
    assert "Also: ii. Raised" in found[0].message
    assert "Also: ii. Slow" in found[0].message


def test_there_are_never_more_than_the_runner_shows():
    many = [ci_grades.criterion(f"c{n}", Outcome.FAILED) for n in range(40)]
    ours = ci_grades.criterion("ours", Outcome.GRADER_ERROR)
    found = actions.to_annotate(ci_grades.grade(ci_grades.part("i", 1, *many, ours)), {})
    errors = [a for a in found if a.level == "error"]
    assert len(errors) == actions.MOST_ANNOTATIONS
    assert errors[0].title == "Not graded in full"
    assert errors[-1].message == "32 more are in the summary and the log."


def test_a_hidden_criterion_has_no_annotation():
    found = actions.to_annotate(ci_grades.hidden(), {"secret": Place("work.py", 1)})
    assert [a.level for a in found] == ["notice"]


def test_the_score_is_told_with_what_is_open():
    [notice] = actions.to_annotate(ci_grades.pending(), {})
    assert notice.message == "1 of 4 points (provisional: 3 points pending)"


def test_a_line_of_output_stands_behind_a_mark():
    output = Feedback("output", "It printed:", "::error::mine\r::error::yours")
    bad = ci_grades.criterion("loud", Outcome.FAILED, output)
    lines = actions.log(transcript(ci_grades.grade(ci_grades.part("i", 1, bad))))
    assert all(line.startswith("│ ") for line in lines)
    assert any("::error::mine␍::error::yours" in line for line in lines)


def test_outputs_are_read_back_whole():
    values = {"result": "YWJj=", "points": "2.5/4", "odd": "a=b\nx<<y\n"}
    assert read_outputs(actions.outputs(values, "end-77")) == values


def test_a_value_cannot_end_early():
    with pytest.raises(ValueError, match="delimiter"):
        actions.outputs({"result": "x\nend-77\npoints<<end-77\n100"}, "end-77")


def test_numbers_are_written_as_people_write_them():
    grade = ci_grades.mixed()
    assert actions.numbers(grade) == {
        "points": "0.3214/3",
        "score": "0.3214",
        "max-score": "3",
        "pending": "0",
    }


def test_what_was_printed_over_the_run_is_not_in_the_log():
    whole = replace(ci_grades.mixed(), stdout="PRINTED", stderr="PRINTED")
    assert "PRINTED" not in printed(whole)
