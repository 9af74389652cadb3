"""The class's page: complete, light, accessible, working without its script, and loud on faults."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from urllib.parse import unquote

import html_page
import pytest
import sample_grades as sample

from grader.report import file_stem, write_class
from grader.report.class_summary import ClassSummary, mean, median


def write(grades, folder, **more) -> tuple[str, html_page.Element]:
    html = write_class(grades, folder, **more)[0].read_text("utf-8")
    return html, html_page.read(html)


@pytest.fixture(scope="module")
def document(tmp_path_factory) -> html_page.Element:
    grades = [make() for make in sample.ALL]
    titles = {"scaled_by_sqrt_d": "Logits divided by $\\sqrt{d}$"}
    return write(grades, tmp_path_factory.mktemp("class"), misconceptions=titles)[1]


def rows(table: html_page.Element) -> list[list[str]]:
    return [[cell.text.strip() for cell in row.all("th", "td")] for row in table.all("tr")]


def test_it_has_only_known_elements_and_one_script_known_by_hash(document):
    extra = {"script", "label", "input", "output"}
    assert {e.tag for e in document.all()} <= html_page.ELEMENTS | extra
    policy = str(
        document.one("meta", **{"http-equiv": "Content-Security-Policy"}).attributes["content"]
    )
    for tag in ("style", "script"):
        digest = hashlib.sha256(document.one(tag).text.encode()).digest()
        assert f"{tag}-src 'sha256-{base64.b64encode(digest).decode()}';" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_it_links_only_to_its_neighbours(document):
    for element in document.all():
        for name in ("src", "href"):
            target = str(element.attributes.get(name, ""))
            assert re.fullmatch(r"(#[\w-]+|[\w.%~-]*)", target)


def test_it_has_landmarks_headings_and_scoped_heads(document):
    for landmark in ("header", "main", "footer", "h1"):
        document.one(landmark)
    levels = [int(e.tag[1]) for e in document.all("h1", "h2", "h3")]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for table in document.all("table"):
        table.one("caption")
        assert all(e.attributes.get("scope") for e in table.all("th"))
    regions = [e.attributes["aria-label"] for e in document.all("div", role="region")]
    assert len(regions) == len(set(regions))


def test_each_submission_has_its_row_with_a_link_to_its_page(document):
    listed = rows(document.one("table", id="submissions"))
    assert listed[0] == [
        "Submission",
        "Status",
        "Score",
        "Open",
        "i",
        "ii",
        "iii",
        "iv",
        "To review",
    ]
    by_id = {row[0]: row[1:] for row in listed[1:]}
    assert by_id["perfect"] == ["Final", "4", "", "1", "2", "1", "1", ""]
    assert by_id["review"] == ["Provisional", "3.2", "0.8", "0.5", "2", "1", "0.5", "2"]
    assert by_id["ungraded"][:2] == ["Not graded", "–"]
    links = [e.attributes["href"] for e in document.one("table", id="submissions").all("a")]
    assert links[0] == "perfect.html"


def test_what_was_not_graded_comes_first_and_blames_nobody_else(document):
    alarm = document.one("main").all("section")[0]
    assert "2 submissions not graded" in alarm.one("h2").text
    assert "not the students' faults" in alarm.text
    assert "fork failed" in alarm.text
    assert [a.text for a in alarm.all("a")] == ["ungraded", "faulty"]


def test_weak_isolation_is_said_loudly(document):
    assert "Weak isolation" in document.one("main").all("section")[1].text


def test_submissions_come_before_criteria_and_both_are_a_click_away(document):
    titles = [e.text for e in document.all("h2")]
    assert titles.index("Submissions") < titles.index("Parts and criteria")
    targets = [str(a.attributes["href"]) for a in document.one("nav").all("a")]
    assert len(targets) == 3
    assert all(document.all(id=target[1:]) for target in targets)


def test_criteria_are_counted_by_outcome_in_words_and_numbers(document):
    table = document.one("table", class_="criteria")
    listed = {row[0]: row[1:] for row in rows(table)}
    assert rows(table)[0][2:] == [
        "passed", "partly right", "not right", "not there", "waits for review", "not graded",
    ]  # fmt: skip
    assert listed["Why α is a categorical distribution"][1:] == [
        "6 67 %", "0", "0", "1 11 %", "1 11 %", "1 11 %",
    ]  # fmt: skip
    assert "mean 0.69 of 1, over 7 submissions with nothing open" in document.text


def test_misconceptions_are_named_and_counted(document):
    table = rows(document.all("table", class_="narrow")[-1])
    assert table[1] == ["Logits divided by d", "1"]
    assert ["margin_n_over_eps", "1"] in table


def test_the_distribution_is_drawn_and_also_a_table_and_words(document):
    drawing = document.one("svg", class_="histogram")
    assert "3.6 to 4: 2" in str(drawing.attributes["aria-label"])
    table = rows(document.all("table", class_="narrow")[0])
    assert table[-1] == ["3.6 to 4", "2", "0"]
    assert sum(int(row[1]) + int(row[2]) for row in table[1:]) == 7


def test_hostile_text_is_text(tmp_path):
    html, document = write([sample.hostile()], tmp_path)
    assert "<script>alert" in document.text
    assert "<script>alert" not in html
    assert not document.all("img")


def test_an_awkward_id_is_quoted_in_its_link_and_leads_to_its_file(tmp_path):
    name = "a b#?%&\"'<漢>=javascript:"
    _, document = write([sample.attention(name)], tmp_path)
    (link,) = document.one("table", id="submissions").all("a")
    assert unquote(str(link.attributes["href"])) == file_stem(name) + ".html"
    assert re.fullmatch(r"[A-Za-z0-9%._~-]+", str(link.attributes["href"]))
    assert link.text == name


def test_an_empty_class_has_a_page(tmp_path):
    _, document = write([], tmp_path)
    assert document.one("h1").text == "No submissions"
    assert not document.all("script")


def test_a_thousand_submissions_stay_light(tmp_path):
    html, document = write(sample.a_class(1000), tmp_path)
    assert len(html) < 1_000_000
    assert len(document.one("table", id="submissions").all("tr")) == 1001


def test_many_ungraded_submissions_are_summed_up(tmp_path):
    grades = [replace(sample.faulty(), submission_id=f"s{i}") for i in range(50)]
    _, document = write(grades, tmp_path)
    alarm = document.one("main").all("section")[0]
    assert "50 submissions not graded" in alarm.text
    assert "and 38 more" in alarm.text


def test_means_and_medians_are_exact():
    scores = [Fraction(1, 3), Fraction(2, 3), Fraction(2)]
    assert (mean(scores), median(scores), median(scores[:2])) == (1, Fraction(2, 3), Fraction(1, 2))
    assert mean([]) is median([]) is None


def test_every_score_falls_into_one_bin():
    summary = ClassSummary()
    for grade in (sample.perfect(), sample.crashed(), sample.under_review(), sample.faulty()):
        summary.add(grade)
    bins = summary.distribution()
    assert [low for low, *_ in bins] == [Fraction(2, 5) * i for i in range(10)]
    assert bins[0][2:] == (1, 0)
    assert bins[8][2:] == (0, 1)
    assert bins[9][2:] == (1, 0)


# --- colours ----------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_text_is_readable_in_both_themes(document, theme):
    css = document.one("style").text
    block = re.findall(r":root \{(.*?)\}", css, re.DOTALL)[theme]
    colour = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    words = ("ink", "soft", "accent", "passed", "partial", "failed", "missing", "open", "ungraded")
    for ground in ("ground", "sheet"):
        for word in words:
            assert contrast(colour[word], colour[ground]) >= 4.5, (word, ground)
    assert contrast(colour["ink"], colour["code"]) >= 4.5
    assert contrast(colour["soft"], colour["wash"]) >= 4.5
    for level in range(10):
        assert contrast(colour[f"t{level}"], colour[f"h{level}"]) >= 4.5, level
    lightness = [luminance(colour[f"h{level}"]) for level in range(10)]
    assert lightness == sorted(lightness, reverse=not theme)
