"""What other systems take: each format valid, its numbers right, and nothing hidden in it."""

from __future__ import annotations

import base64
import json
import re
from datetime import UTC, datetime
from fractions import Fraction
from html.parser import HTMLParser
from xml.etree import ElementTree

import ci_grades
import jsonschema
import pytest
import schemas
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from runner_model import read_log, reporter_log, reporter_points

from grader.report.ci import classroom, classroom50, gradescope, junit, markdown
from grader.report.ci.plain import Place, headline, shares, transcript
from grader.result import Outcome

NOON = datetime(2026, 3, 1, 12, 0, 5, tzinfo=UTC)
RUN = {
    "CLASSROOM": "ml-2026",
    "ASSIGNMENT": "copying",
    "SUBMISSION_TAG": "submit/2026-03-01T11-59-00Z-abc1234",
    "COMMIT_URL": "https://git.invalid/o/r/commit/abc",
    "RELEASE_URL": "https://git.invalid/o/r/releases/x",
    "REVIEW_URL": "https://git.invalid/o/r/compare/a...b",
}
TEXT = st.text(st.characters(codec=None), max_size=60) | st.just(ci_grades.HOSTILE)

quick = settings(max_examples=30, deadline=None)


def to_junit(grade, places=None):
    return junit.document(grade, places or {}, elapsed_s=1.5, when=NOON)


FORMATS = {
    "log": lambda grade: "\n".join(transcript(grade)),
    "markdown": markdown.summary,
    "classroom": lambda grade: json.dumps(classroom.result(grade)),
    "classroom50": lambda grade: json.dumps(classroom50.result(grade, RUN, NOON)),
    "gradescope": lambda grade: json.dumps(gradescope.results(grade, 2.0)),
    "junit": to_junit,
}


def every_grade(test):
    return pytest.mark.parametrize("make", ci_grades.ALL, ids=lambda make: make.__name__)(test)


# --- in all formats ----------------------------------------------------------------------------


@pytest.mark.parametrize("make", [ci_grades.hidden, ci_grades.broken])
@pytest.mark.parametrize("name", FORMATS)
def test_nothing_hidden_is_in_any_format(name, make):
    assert ci_grades.SECRET not in FORMATS[name](make())


@pytest.mark.parametrize("name", ["log", "markdown", "gradescope", "junit"])
def test_every_text_names_what_is_open(name):
    said = FORMATS[name](ci_grades.pending())
    assert "provisional: 3 points pending" in said


@pytest.mark.parametrize("name", ["log", "markdown", "gradescope", "junit"])
def test_every_text_says_so_where_the_grader_failed(name):
    assert "not graded in full: 1 point pending" in FORMATS[name](ci_grades.broken())


@pytest.mark.parametrize("name", ["log", "markdown", "gradescope"])
def test_every_text_says_that_there_are_hidden_criteria(name):
    assert "1 criterion is hidden" in FORMATS[name](ci_grades.hidden())


@every_grade
def test_shares_add_up_to_the_score(make):
    grade = make()
    assert sum((share.earned for share in shares(grade)), Fraction(0)) == grade.score


def test_a_final_score_is_said_without_reserve():
    assert headline(ci_grades.perfect()) == "3 of 3 points"


def test_more_than_the_cap_is_not_handed_on():
    grade = ci_grades.capped()
    assert sum(share.earned for share in shares(grade)) == 4
    assert reporter_points(classroom.encoded(grade)) == (pytest.approx(4), 4)


# --- GitHub Classroom --------------------------------------------------------------------------


@every_grade
def test_classroom_result_is_valid(make):
    jsonschema.validate(classroom.result(make()), schemas.CLASSROOM)


def test_classroom_gets_partial_credit():
    assert reporter_points(classroom.encoded(ci_grades.mixed())) == (pytest.approx(9 / 28), 3)


def test_classroom_gets_no_points_where_the_grader_failed():
    encoded = classroom.encoded(ci_grades.broken())
    assert reporter_points(encoded) is None
    result = json.loads(base64.b64decode(encoded))
    assert result["status"] == "error"
    assert [test["status"] for test in result["tests"]] == ["pass", "error"]


@pytest.mark.parametrize(
    ("make", "status"),
    [(ci_grades.perfect, "pass"), (ci_grades.pending, "pass"), (ci_grades.mixed, "fail")],
)
def test_classroom_fails_for_what_is_wrong_and_not_for_what_waits(make, status):
    assert classroom.result(make())["status"] == status


def test_classroom_says_in_words_what_its_table_leaves_out():
    tests = classroom.result(ci_grades.mixed())["tests"]
    half = next(test for test in tests if test["name"] == "i. Half")
    assert half["message"].startswith("Partly right: 0.1071 of 0.2143 points.")


@pytest.mark.parametrize("make", [ci_grades.hostile, ci_grades.mixed])
def test_nothing_is_obeyed_from_the_reporters_own_log(make):
    assert read_log(reporter_log(classroom.encoded(make()))).obeyed == []


@quick
@given(TEXT)
def test_no_text_is_obeyed_from_the_reporters_own_log(text):
    assert read_log(reporter_log(classroom.encoded(ci_grades.hostile(text)))).obeyed == []


def test_the_result_fits_in_an_environment_variable():
    encoded = classroom.encoded(ci_grades.huge())
    assert len(encoded) < 128 * 1024
    jsonschema.validate(json.loads(base64.b64decode(encoded)), schemas.CLASSROOM)
    assert reporter_points(encoded) == (0, 1)


# --- Classroom 50 ------------------------------------------------------------------------------


@every_grade
def test_classroom50_result_is_valid(make):
    result = classroom50.result(make(), RUN, NOON)
    jsonschema.validate(result, schemas.CLASSROOM50)
    assert result["score"] <= result["max-score"]
    assert all(test["score"] <= test["max-score"] for test in result["tests"])


def test_classroom50_counts_a_hundred_for_a_point():
    result = classroom50.result(ci_grades.mixed(), RUN, NOON)
    assert (result["score"], result["max-score"]) == (32, 300)
    assert result["submission"] == RUN["SUBMISSION_TAG"]
    assert result["review"] == RUN["REVIEW_URL"]
    assert result["datetime"] == "2026-03-01T12:00:05Z"
    passed = {test["test-name"]: test["passed"] for test in result["tests"]}
    assert passed["i. Right"] is True
    assert passed["i. Half"] is False


def test_classroom50_gets_no_points_where_the_grader_failed():
    result = classroom50.result(ci_grades.broken(), RUN, NOON)
    assert (result["score"], result["max-score"], result["tests"]) == (0, 0, [])


def test_classroom50_result_is_valid_where_the_runner_says_little():
    little = {"CLASSROOM": "c", "ASSIGNMENT": "a"}
    jsonschema.validate(classroom50.result(ci_grades.perfect(), little, NOON), schemas.CLASSROOM50)


@pytest.mark.parametrize(
    ("environment", "there"),
    [(RUN, True), ({"CLASSROOM": "c"}, False), ({"CLASSROOM": "", "ASSIGNMENT": "a"}, False)],
)
def test_classroom50_is_known_by_its_environment(environment, there):
    assert classroom50.is_there(environment) is there


# --- Gradescope --------------------------------------------------------------------------------


@every_grade
def test_gradescope_results_are_valid(make):
    results = json.loads(json.dumps(gradescope.results(make(), 1.25)))
    jsonschema.validate(results, schemas.GRADESCOPE)
    assert results["execution_time"] == 1.25


def test_gradescope_gets_the_score_and_each_share_of_it():
    results = gradescope.results(ci_grades.mixed(), 1)
    assert results["score"] == pytest.approx(9 / 28)
    assert sum(test["score"] for test in results["tests"]) == pytest.approx(9 / 28)
    assert sum(test["max_score"] for test in results["tests"]) == pytest.approx(3)
    assert [test["number"] for test in results["tests"]][:3] == ["1.1", "1.2", "2.1"]


def test_gradescope_hides_hidden_criteria_and_its_log():
    results = gradescope.results(ci_grades.hidden(), 1)
    assert [test["visibility"] for test in results["tests"]] == ["visible", "hidden"]
    assert results["stdout_visibility"] == "hidden"


def test_gradescope_is_told_neither_pass_nor_fail_of_what_waits():
    waiting = gradescope.results(ci_grades.pending(), 1)["tests"][1]
    assert "status" not in waiting
    assert (waiting["score"], waiting["max_score"]) == (0, 3)
    assert waiting["name"].endswith("Waits for review")


def test_gradescope_gets_no_points_where_the_grader_failed():
    results = gradescope.results(ci_grades.broken(), 1)
    assert "score" not in results
    assert not any("score" in test for test in results["tests"])


def test_gradescope_never_reads_text_as_markup():
    results = gradescope.results(ci_grades.hostile(), 1)
    formats = ("output_format", "test_output_format", "test_name_format")
    assert {results[name] for name in formats} == {"text"}


# --- JUnit -------------------------------------------------------------------------------------


@every_grade
def test_junit_is_well_formed_and_counts_right(make):
    grade = make()
    root = ElementTree.fromstring(to_junit(grade))
    assert root.tag == "testsuites"
    cases = list(root.iter("testcase"))
    assert len(cases) == len(shares(grade)) == int(root.get("tests"))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert int(root.get(name)) == len(list(root.iter(tag)))
        assert int(root.get(name)) == sum(int(s.get(name)) for s in root.iter("testsuite"))
    for case in cases:
        assert case.get("classname")
        assert case.get("name")
        assert next(child.tag for child in case) == "properties"


def properties(element):
    return {p.get("name"): p.get("value") for p in element.find("properties")}


def test_junit_has_points_as_properties():
    root = ElementTree.fromstring(to_junit(ci_grades.mixed()))
    totals = properties(root.find("testsuite"))
    assert (totals["score"], totals["max-score"], totals["status"]) == ("0.3214", "3", "graded")
    half = next(case for case in root.iter("testcase") if case.get("name") == "Half")
    told = properties(half)
    assert (told["points"], told["max-points"], told["outcome"]) == ("0.1071", "0.2143", "partial")


@pytest.mark.parametrize(
    ("make", "title", "tag", "kind"),
    [
        (ci_grades.mixed, "Wrong", "failure", "failed"),
        (ci_grades.mixed, "Absent", "failure", "missing"),
        (ci_grades.mixed, "Raised", "error", "error"),
        (ci_grades.mixed, "Slow", "error", "timeout"),
        (ci_grades.pending, "Words", "skipped", "needs_review"),
        (ci_grades.broken, "Ours", "error", "grader_error"),
    ],
)
def test_junit_tells_outcomes_apart(make, title, tag, kind):
    root = ElementTree.fromstring(to_junit(make()))
    case = next(case for case in root.iter("testcase") if case.get("name") == title)
    assert case.find(tag).get("type") == kind


def test_junit_names_the_line_but_not_of_a_hidden_criterion():
    place = Place("src/work.py", 4)
    wrong = ElementTree.fromstring(to_junit(ci_grades.mixed(), {"wrong": place}))
    case = next(case for case in wrong.iter("testcase") if case.get("name") == "Wrong")
    assert (case.get("file"), case.get("line")) == ("src/work.py", "4")
    hidden = ElementTree.fromstring(to_junit(ci_grades.hidden(), {"secret": place}))
    assert all(case.get("line") is None for case in hidden.iter("testcase"))


@quick
@given(TEXT)
def test_junit_is_xml_whatever_a_student_writes(text):
    document = to_junit(ci_grades.hostile(text), {"c0": Place(text, 1)})
    root = ElementTree.fromstring(document.encode())
    assert len(list(root.iter("testcase"))) == 4


# --- Markdown ----------------------------------------------------------------------------------


class Page(HTMLParser):
    """The tags, attributes and text of a piece of HTML."""

    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.text = [], [], ""
        self.feed(MarkdownIt("commonmark", {"html": True}).enable("table").render(source))

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data):
        self.text += data


OURS = set("h2 ul li p table thead tbody tr th td code pre details summary".split())


@every_grade
def test_summary_holds_our_markup_alone(make):
    grade = make()
    page = Page(markdown.summary(grade))
    assert set(page.tags) <= OURS
    assert set(page.attributes) <= {"style"}  # the alignment of a table's columns
    rows = len(shares(grade)) + 1
    assert page.tags.count("tr") == rows
    assert page.tags.count("td") + page.tags.count("th") == 4 * rows


@quick
@given(TEXT)
def test_no_text_adds_markup_to_the_summary(text):
    page, plain = (Page(markdown.summary(ci_grades.hostile(t))) for t in (text, "x"))
    counted = {tag: page.tags.count(tag) for tag in page.tags if tag not in ("code", "li", "p")}
    assert counted == {tag: plain.tags.count(tag) for tag in counted}
    assert set(page.tags) <= OURS


def test_text_in_the_summary_is_still_readable():
    bad = ci_grades.criterion("x", Outcome.FAILED, title="a|b <c> `d_e` *f* & $g$")
    page = Page(markdown.summary(ci_grades.grade(ci_grades.part("i", 1, bad))))
    assert "a|b <c> d_e *f* & $g$" in page.text
    assert "code" in page.tags


def test_nobody_is_mentioned_and_nothing_linked():
    source = markdown.summary(ci_grades.hostile("@octocat a@b.example www.example.org"))
    # GitHub makes links of what the source shows to be one, and of rendered text outside of <pre>.
    assert "www." not in source.partition("<pre>")[0]
    rendered = Page(source.partition("<pre>")[0]).text
    assert "@\u2060octocat a@\u2060b.example" in rendered
    assert not re.search(r"@\w", rendered)


def test_summary_stays_within_githubs_limit_and_says_what_is_missing():
    source = markdown.summary(ci_grades.huge())
    assert len(source.encode()) <= markdown.MOST_BYTES + 200
    assert "more sections did not fit" in source
    assert source.count("| ❌") == 120


def test_summary_folds_the_feedback_of_what_is_not_passed():
    page = Page(markdown.summary(ci_grades.mixed()))
    assert page.tags.count("details") == 7
    assert "returned: np.array([1.0, 2.0])" in page.text
    assert "expected: np.array([2.0, 4.0])" in page.text
    assert "isolation tier B, seed 7" in page.text
