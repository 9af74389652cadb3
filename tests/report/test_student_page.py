"""The student's page: safe whatever a student wrote, accessible, complete, and without secrets."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import html_page
import pytest
import sample_grades as sample
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from grader.report import student
from grader.report.outcomes import GROUPS, ICONS, OUTCOMES
from grader.report.text import block, visible
from grader.result import Feedback, Outcome

NASTY = st.text(
    st.sampled_from(
        "<>&\"'/=!-;#{}%ab \x00\x1b\x7f\x85\u202e\u2066\u200b\ufeff\ud800é漢\U0001f600]"
    )
)


def page(grade, **more) -> html_page.Element:
    return html_page.read(student.page(grade.for_student(), **more))


@pytest.fixture(params=sample.ALL, ids=lambda make: make.__name__)
def any_page(request) -> html_page.Element:
    return page(request.param(), statement=sample.STATEMENT)


# --- nothing a student wrote is markup ------------------------------------------------------


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(NASTY)
def test_a_students_text_never_changes_the_elements_of_a_page(text):
    assert page(sample.hostile("?" + text)).shape == page(sample.hostile("?")).shape


@settings(max_examples=60, deadline=None)
@example("$a\u202eb$")
@example("`\x1b`")
@given(st.text(st.sampled_from("$`\\{}^_&<>\"'ab1\n /=\x1b\u202e") | st.characters(), max_size=60))
def test_even_text_with_formulas_and_code_makes_only_the_elements_known_here(text):
    grade = sample.attention(
        why=sample.result(Outcome.FAILED, *(Feedback(kind, text, text) for kind in KINDS))
    )
    for element in page(grade).all():
        assert element.tag in html_page.ELEMENTS
        assert set(element.attributes) <= html_page.ATTRIBUTES
        assert not any(ODD.search(value or "") for value in element.attributes.values())
    assert not ODD.search(page(grade).text)


ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
KINDS = ("summary", "misconception", "hint", "error", "evidence", "constraint", "formula", "review")


def test_every_page_has_only_the_elements_and_attributes_known_here(any_page):
    assert {e.tag for e in any_page.all()} <= html_page.ELEMENTS
    assert {a for e in any_page.all() for a in e.attributes} <= html_page.ATTRIBUTES


def test_hostile_text_is_shown_as_it_is_with_control_characters_made_visible():
    shown = page(sample.hostile()).text
    assert shown.count(visible(sample.HOSTILE)) > 20
    assert "<script>alert(1)</script>" in shown
    assert "␛[31m⟨U+202E⟩␀\ufffd" in shown
    assert not ODD.search(shown)


def test_a_page_has_one_style_that_its_policy_knows_by_hash_and_nothing_else(any_page):
    policy = any_page.one("meta", **{"http-equiv": "Content-Security-Policy"})
    style = any_page.one("style").text
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    directives = dict(d.split(" ", 1) for d in str(policy.attributes["content"]).split("; "))
    assert directives == {
        "default-src": "'none'",
        "style-src": f"'sha256-{digest}'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_a_page_links_and_fetches_nothing_outside_itself(any_page):
    for element in any_page.all():
        for name in ("src", "href", "srcset", "action", "data"):
            assert str(element.attributes.get(name, "#")).startswith("#")
    style = any_page.one("style").text
    assert "@import" not in style
    assert set(re.findall(r"url\((.*?)\)", style)) == {"#hatch"}


# --- accessible ------------------------------------------------------------------------------


def test_a_page_has_its_language_landmarks_and_one_main_heading(any_page):
    assert any_page.attributes["lang"] == "en"
    for landmark in ("header", "main", "footer", "h1", "title"):
        any_page.one(landmark)
    skip = any_page.all("a")[0]
    assert skip.attributes["href"] == "#main"


def test_headings_never_skip_a_level(any_page):
    levels = [int(e.tag[1]) for e in any_page.all("h1", "h2", "h3", "h4", "h5", "h6")]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_tables_have_scoped_heads_and_captions(any_page):
    table = any_page.one("table", class_="parts")
    table.one("caption")
    assert {e.attributes["scope"] for e in table.all("th")} == {"col", "row"}


def test_ids_are_unique_and_every_reference_has_its_target(any_page):
    ids = [e.attributes["id"] for e in any_page.all() if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    wanted = [str(e.attributes["href"])[1:] for e in any_page.all("a", "use")]
    wanted += [
        e.attributes["aria-labelledby"] for e in any_page.all() if "aria-labelledby" in e.attributes
    ]
    assert set(wanted) <= set(ids)


def test_every_drawing_has_words_or_is_decoration(any_page):
    for drawing in any_page.all("svg"):
        if drawing.attributes.get("aria-hidden") != "true":
            assert drawing.attributes["role"] == "img"
            assert drawing.attributes["aria-label"]


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_has_a_word_and_an_icon_not_only_a_colour(outcome):
    look = OUTCOMES[outcome]
    assert look.group in GROUPS
    assert look.group in ICONS
    fraction = Fraction(1, 2) if outcome is Outcome.PARTIAL else None
    grade = sample.attention(why=sample.result(outcome, fraction=fraction))
    pills = page(grade).all("span", class_=f"outcome {look.group}")
    assert look.word in [pill.text for pill in pills]
    assert all(pill.all("use") for pill in pills)


# --- what a page says ------------------------------------------------------------------------


def test_a_final_score_says_that_it_is_final():
    shown = page(sample.perfect()).one("section", class_="score").text
    assert "4 of 4 points Final" in shown
    assert "this score is final" in shown
    assert "still open" not in shown


def test_a_provisional_score_says_what_is_open_and_where_it_may_end():
    shown = page(sample.under_review()).one("section", class_="score").text
    assert "3.2 of 4 points Provisional" in shown
    assert "A person still has to read 2 answers." in shown
    assert "0.8 points are still open: neither won nor lost." in shown
    assert "The score will end between 3.2 and 4 of 4." in shown


def test_an_ungraded_submission_shows_no_score_and_blames_the_grader():
    shown = page(sample.faulty()).one("section", class_="score").text
    assert "– of 4 points Not graded" in shown
    assert "our fault, not yours" in shown


def test_raw_points_and_what_they_count_are_both_shown():
    score = page(sample.mixed()).one("section", class_="score")
    assert "5 raw points, which count as 4: each raw point counts 0.8" in score.text
    rows = [[cell.text for cell in row.all("th", "td")] for row in score.all("tr")]
    assert rows[0] == ["Part", "Checks passed", "Raw points", "Count as"]
    assert rows[2] == ["ii. When one weight takes it all", "1 of 3", "1.375 of 2", "1.1 of 1.6"]
    assert rows[-1] == ["Together", "", "3.125 of 5", "2.5 of 4"]


def test_a_capped_total_is_explained_and_unscaled_points_stand_in_one_column():
    capped = page(replace(sample.perfect(), points_policy="cap")).one("section", class_="score")
    assert "add up to 5 points; the total is capped at 4" in capped.text
    plain = replace(sample.perfect(), points_policy="sum", max_score=Fraction(5))
    heads = [e.text for e in page(plain).one("table", class_="parts").all("th", scope="col")]
    assert heads == ["Part", "Checks passed", "Points"]


def criterion(document: html_page.Element, title: str) -> html_page.Element:
    (found,) = (
        e for e in document.all("article", "details") if [h.text for h in e.all("h3")] == [title]
    )
    return found


def test_a_failing_case_is_shown_whole_with_the_misconception_named():
    article = criterion(page(sample.mixed()), "Attention weights")
    code, returned, expected = (e.text for e in article.all("pre"))
    assert code == (
        "q = np.array([2.0, -1.0])\n"
        "K = np.array([[1.0, 0.0],\n              [0.0, 1.0],\n              [1.0, 1.0]])\n"
        "attention_weights(q, K)"
    )
    assert returned == "np.array([0.6285, 0.0753, 0.2961])"
    assert expected == "np.array([0.70538451, 0.03511903, 0.25949646])"
    assert "The largest error is 0.0769, at index 0 (counting from 0)." in article.text
    assert "This looks like a known mix-up" in article.text
    assert "equation (2) has no scaling" in article.text


def test_feedback_keeps_its_order_below_what_was_asked():
    said = [Feedback("summary", "first"), Feedback("hint", "second"), Feedback("summary", "third")]
    grade = sample.attention(why=sample.result(Outcome.FAILED, *said))
    words = criterion(page(grade), "Why α is a categorical distribution").text
    places = [words.index(word) for word in ("Explain why", "first", "second", "third")]
    assert places == sorted(places)


def test_advice_given_before_is_pointed_at_and_not_repeated():
    advice = Feedback("misconception", "Scaled: there is no $\\sqrt{d}$ here.")
    wrong = sample.result(Outcome.FAILED, advice)
    document = page(sample.attention(weights=wrong, attend=wrong))
    assert "there is no d here" in criterion(document, "Attention weights").text
    again = criterion(document, "The attention output")
    assert "The same mix-up as under Attention weights" in again.text
    assert "there is no" not in again.text
    assert again.one("a").attributes["href"] == "#c-weights"


def test_a_fault_of_several_criteria_is_explained_under_the_first_and_folded_under_the_others():
    case = Feedback("case", "It returned nan.", case=sample.scaled_logits())
    stopped = Feedback("error", "ValueError: no (in the same place as under “Attention weights”)")
    again = sample.result(
        Outcome.ERROR, Feedback("summary", "All 3 cases."), case, stopped, cause="line 5"
    )
    first = replace(again, feedback=(Feedback("summary", "All 8 cases."), case))
    document = page(sample.attention(weights=first, copy=again, attend=again, query=again))
    assert not criterion(document, "Attention weights").all("details")
    later = criterion(document, "The attention output")
    assert "All 3 cases." in later.text
    assert "For the same reason as under Attention weights." in later.text
    assert later.one("a").attributes["href"] == "#c-weights"
    assert later.one("details").one("div", class_="case")
    begin = document.one("section", class_="score").text
    assert "Begin with Attention weights: 4 checks are lost for the reason given there." in begin


def test_a_fault_without_a_case_is_pointed_at_alone():
    lost = sample.result(
        Outcome.ERROR, Feedback("summary", "Not loaded."), Feedback("error", "No."), cause="load"
    )
    document = page(sample.attention(weights=lost, attend=lost))
    assert "No." in criterion(document, "Attention weights").text
    later = criterion(document, "The attention output")
    assert "For the same reason as under Attention weights." in later.text
    assert "Not loaded." not in later.text
    assert not later.all("details")
    assert "Begin with" not in document.one("section", class_="score").text


def test_no_cause_is_shared_with_what_is_hidden_passed_or_decided_by_a_person():
    again = sample.result(Outcome.FAILED, Feedback("summary", "Wrong."), cause="same")
    passed = sample.result(Outcome.PASSED, Feedback("summary", "Right."), cause="same")
    for grade in (
        sample.attention(orthogonal=again, attend=again),
        sample.attention(weights=passed, attend=again),
        sample.attention(weights=again, attend=again).decided("weights", Fraction(0), "Ada", "No."),
    ):
        assert "For the same reason" not in page(grade).text


def test_what_waits_for_review_is_not_said_to_be_lost():
    unread = sample.result(
        Outcome.NEEDS_REVIEW, Feedback("summary", "No headings."), cause="unread"
    )
    names = ("why", "condition", "output", "intuition")
    document = page(sample.attention(**dict.fromkeys(names, unread)))
    assert "Begin with" not in document.text
    assert document.text.count("No headings.") == 1
    assert document.text.count("For the same reason as under") == 3


def test_what_ended_in_an_error_has_a_first_case_what_returned_a_smallest():
    returned, stopped = sample.scaled_logits(), replace(sample.scaled_logits(), has_returned=False)
    for case, word in ((returned, "Smallest"), (stopped, "First")):
        grade = sample.attention(
            weights=sample.result(Outcome.FAILED, Feedback("case", "", case=case))
        )
        assert f"{word} failing case: three keys" in page(grade).text


def test_what_passed_is_folded_and_what_did_not_is_open():
    document = page(sample.mixed())
    assert criterion(document, "The condition, in one sentence").tag == "details"
    assert criterion(document, "Attention weights").tag == "article"


def test_a_students_error_output_evidence_and_review_are_shown():
    document = page(sample.mixed())
    error = criterion(document, "Copy a value")
    assert "attention.py, line 41, in attend" in error.all("pre")[0].text
    assert error.one("details").one("pre").text == "K (3, 2)\nj = 2"
    written = criterion(document, "Properties of c")
    assert "so the output c is basically v_j" in written.one("blockquote").text
    assert "Good, but say *why*" in written.text
    assert "hw2 (final).py" in document.one("section", class_="rest").text


def test_a_formula_is_drawn_and_also_shown_as_typed():
    article = criterion(page(sample.mixed()), "The margin that guarantees it")
    drawn = article.one("div", class_="formula")
    assert drawn.one("math").all("mfrac")
    assert drawn.one("code").text == "m = log(n/eps)"


def test_what_was_not_checked_is_said():
    shown = page(sample.under_review()).one("section", class_="rest").text
    assert "2 checks are hidden" in shown
    assert "No program decided Why α is a categorical distribution, The intuition" in shown


def test_isolation_and_environment_are_stated():
    shown = page(sample.perfect()).one("footer").text
    assert "tier B" in shown
    assert "not held: namespaces" in shown
    assert "2.4.6" in shown
    assert "20240229" in shown
    assert "no code was run" in page(sample.faulty()).one("footer").text


def test_the_statement_is_rendered_with_formulas_and_lowered_headings():
    statement = page(sample.perfect(), statement=sample.STATEMENT).one(
        "details", class_="statement"
    )
    assert [e.text for e in statement.all("h3", "h4")] == [
        "Copying in attention",
        "i. Weights (1 point)",
    ]
    assert statement.all("math", display="block")
    assert not page(sample.perfect()).all("details", class_="statement")


def test_a_statement_brings_no_raw_html_script_or_picture():
    text = "<script>alert(1)</script>\n\n![x](https://example.org/x.png) [y](javascript:alert(1))"
    statement = page(sample.perfect(), statement=text).one("details", class_="statement")
    assert not statement.all("script", "img")
    assert "javascript" not in str([e.attributes for e in statement.all("a")])


# --- what a page must not say, and its size ----------------------------------------------------


def test_hidden_detail_is_not_in_the_page_nor_in_the_json(tmp_path):
    from grader.report import write_submission

    for path in write_submission(sample.hidden_details(), tmp_path):
        assert "SECRET" not in path.read_text("utf-8")


@pytest.mark.parametrize("grade", [sample.hostile(), sample.hidden_details()])
def test_what_the_code_printed_is_shown(grade):
    printed = replace(grade, stdout="to stdout", stderr="to stderr")
    shown = page(printed).one("section", class_="rest").text
    assert "to stdout" in shown
    assert "to stderr" in shown


def test_a_fault_of_ours_does_not_show_the_packs_insides(tmp_path):
    from grader.report import write_submission

    ours = sample.result(
        Outcome.GRADER_ERROR,
        Feedback("summary", "This was not graded."),
        Feedback("error", "checks.py raised KeyError", "    return SECRET_ANSWER[n]"),
    )
    grade = replace(sample.attention(why=ours), fault="SECRET path")
    for path in write_submission(grade, tmp_path):
        assert "SECRET" not in path.read_text("utf-8")
    assert json.loads(path.read_text("utf-8"))["status"] == "ungraded"


@pytest.mark.parametrize("text", ["x\n" * 500_000, "\x1b" * 1_000_000, "`$" * 500_000])
def test_a_million_characters_are_cut_in_the_middle_and_say_so(text):
    grade = replace(sample.hostile(text), submission_id="long")
    html = student.page(grade.for_student())
    assert len(html) < 2_000_000
    assert "left out) …" in html_page.read(html).text


def test_cut_output_keeps_both_ends():
    text = "begin\n" + "x\n" * 10_000 + "end\n"
    kept = block(text)
    assert kept.startswith("begin\n")
    assert kept.endswith("\nend")
    assert "(9882 lines left out)" in kept
