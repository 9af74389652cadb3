"""A verification's page: complete, in itself, accessible, and safe whatever a pack is called."""

from __future__ import annotations

import base64
import hashlib
import math
import re
from dataclasses import replace
from itertools import pairwise

import html_page
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.report.verification import page
from grader.verification import (
    Aspect,
    Cost,
    Fate,
    Finding,
    Kill,
    Level,
    Mutant,
    Spread,
    Verification,
)

DIFF = "--- reference.py\n+++ reference.py\n@@ -1 +1 @@\n-    return a + b\n+    return a - b\n"


def mutant(number: int, fate: Fate, why: str = "") -> Mutant:
    lost = ("small", "large", "third", "fourth") if fate is Fate.KILLED else ()
    return Mutant(f"f.arithmetic.{number:06x}", "f", number, "arithmetic", DIFF, fate, lost, why)


FOUND = Verification(
    problem_id="demo",
    problem_title="A demonstration",
    problem_version="1.0",
    aspects=(
        Aspect("pack", "The pack loads", "2 parts.", took_s=0.25),
        Aspect(
            "mutants",
            "Mutants lose points",
            "One survives.",
            (
                Finding(Level.NOTE, "large", "Worth knowing."),
                Finding(Level.WARNING, "f.arithmetic.000002", "It survives.", "add a case", DIFF),
                Finding(Level.ERROR, "small", "A right answer fails."),
            ),
            2.5,
        ),
        Aspect("samples", "Samples", "", skipped="there are none"),
    ),
    misconceptions=(
        Kill("scaled", ("small", "large"), ("small",)),
        Kill("flipped", ("large", "third")),
        Kill("harmless", ()),
    ),
    mutants=(
        mutant(1, Fate.KILLED),
        mutant(2, Fate.SURVIVED),
        mutant(3, Fate.EQUIVALENT, "the same on 200 inputs"),
        mutant(4, Fate.EXPLAINED, "a larger margin is right too"),
    ),
    spreads=(
        Spread("small", 1e-7, 1e-9, 1.5e-9, "summed backwards", 2.5e6, "scaled"),
        Spread("small", 1e-4, 1e-4, 2e-4, "in float32", 900.0, "scaled", precision="float32"),
        Spread("large", 1e-16, 0.0, 44.0, "with 50 digits", None, "", "write rtol = 3e-12"),
        Spread("third", 0.0, 0.0, None, "in float64 throughout", None),
    ),
    costs=(Cost("small", 3, 2e-5), Cost("large", 5, 4e-3)),
    seed=7,
    took_s=31.24,
)
SOUND = replace(FOUND, aspects=FOUND.aspects[:1], mutants=FOUND.mutants[:1])


def read(found: Verification) -> html_page.Element:
    return html_page.read(page(found))


@pytest.fixture(scope="module")
def document() -> html_page.Element:
    return read(FOUND)


def rows(table: html_page.Element) -> list[list[str]]:
    return [
        [" ".join(cell.text.split()) for cell in row.all("th", "td")] for row in table.all("tr")
    ]


def table(document: html_page.Element, caption: str) -> html_page.Element:
    (found,) = (t for t in document.all("table") if t.one("caption").text.startswith(caption))
    return found


# --- its form -----------------------------------------------------------------------------------


def test_it_is_complete_in_itself_and_runs_nothing(document):
    meta = document.one("meta", **{"http-equiv": "Content-Security-Policy"})
    policy = str(meta.attributes["content"])
    digest = hashlib.sha256(document.one("style").text.encode()).digest()
    assert f"style-src 'sha256-{base64.b64encode(digest).decode()}'" in policy
    assert "default-src 'none'" in policy
    assert {e.tag for e in document.all()} <= html_page.ELEMENTS
    for element in document.all():
        assert "style" not in element.attributes
        for name in ("src", "href"):
            assert re.fullmatch(r"(#[\w-]+)?", str(element.attributes.get(name, "")))


def test_it_has_landmarks_headings_and_scoped_heads(document):
    for landmark in ("header", "main", "footer", "h1"):
        document.one(landmark)
    levels = [int(e.tag[1]) for e in document.all("h1", "h2", "h3", "h4")]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for each in document.all("table"):
        each.one("caption")
        assert all(e.attributes.get("scope") for e in each.all("th"))
    regions = [e.attributes["aria-label"] for e in document.all("div", role="region")]
    assert len(regions) == len(set(regions))
    ids = [e.attributes["id"] for e in document.all() if "id" in e.attributes]
    assert len(ids) == len(set(ids))


def test_every_link_on_the_page_leads_somewhere(document):
    ids = {e.attributes.get("id") for e in document.all()}
    targets = [str(e.attributes["href"])[1:] for e in document.all("a")]
    assert targets
    assert set(targets) <= ids


# --- what it says -------------------------------------------------------------------------------


def test_the_verdict_stands_on_top_with_the_figures(document):
    verdict = document.one("section", **{"class": "verdict"}).text
    assert "Not sound" in verdict
    assert "1 error and 1 warning to mend" in verdict
    assert "1 question could not be asked" in verdict
    figures = document.one("dl", **{"class": "overview"}).text
    for said in ("67 %", "of 3 mutants", "2 of 3", "31.2 s"):
        assert said in figures


def test_a_sound_pack_is_called_sound_and_nothing_is_claimed_of_what_was_not_asked():
    sound = read(SOUND).one("section", **{"class": "verdict"}).text
    assert "Sound" in sound
    assert "No error and no warning was found." in " ".join(sound.split())
    quick = read(replace(SOUND, quick=True)).one("section", **{"class": "verdict"}).text
    assert "a quick look" in quick


def test_grave_findings_come_first_and_notes_are_folded(document):
    aspect = next(
        s
        for s in document.all("section", **{"class": "aspect"})
        if "Mutants lose" in s.one("h3").text
    )
    said = [" ".join(e.one("h4").text.split()) for e in aspect.all("article")]
    assert said == ["Error small", "Warning f.arithmetic.000002", "Note large"]
    assert "Worth knowing." in aspect.one("details").text
    assert "A right answer fails." not in aspect.one("details").text
    assert "add a case" in aspect.text
    assert "return a - b" in aspect.one("pre").text


def test_what_was_not_asked_says_why(document):
    assert "Not asked" in document.text
    assert "there are none" in document.text


def test_the_kill_matrix_says_in_words_what_each_cell_means(document):
    assert rows(table(document, "Misconceptions by")) == [
        ["Misconception", "small", "large", "third"],
        ["scaled", "●loses points, named", "○loses points", ""],
        ["flipped", "", "○loses points", "○loses points"],
        ["harmless loses nothing", "", "", ""],
        ["caught", "1", "2", "1"],
    ]


def test_survivors_are_shown_with_their_diff_and_the_rest_is_folded(document):
    (survivor,) = document.all("article", **{"class": "mutant"})
    assert "f.arithmetic.000002" in survivor.one("h3").text
    assert survivor.one("pre").text.strip() == DIFF.strip()
    folded = {e.one("summary").text: e for e in document.all("details")}
    assert "a larger margin is right too" in folded["1 mutant that the pack explains"].text
    assert "the same on 200 inputs" in folded["1 equivalent mutant"].text
    killed = folded["1 mutant that lost points"].text
    assert "small, large, third and 1 more" in " ".join(killed.split())


def test_tolerances_are_a_table_and_a_drawing(document):
    listed = rows(table(document, "Tolerances"))
    assert listed[1][:5] == ["small", "rtol 1e-7, atol 1e-9", "1.5e-9", "summed backwards", "2.5e6"]
    assert listed[2][0] == "small float32"
    assert listed[3][2:] == ["44", "with 50 digits", "none is near", "", "write rtol = 3e-12"]
    assert listed[4][2] == "beyond any"
    drawing = next(s for s in document.all("svg") if s.attributes.get("role") == "img")
    label = str(drawing.attributes["aria-label"])
    assert "In 2 of 4 the tolerance lies between them" in label
    for name in ("small", "small (float32)", "large", "third", "tolerance"):
        assert name in [text.text for text in drawing.all("text")]
    numbers = re.findall(
        r"[-\d.]+", " ".join(str(e.attributes.get("d")) for e in drawing.all("path"))
    )
    assert all(math.isfinite(float(n)) for n in numbers if n not in "-.")


def test_costs_come_slowest_first(document):
    assert rows(table(document, "Calls"))[1:] == [["large", "5", "4 ms"], ["small", "3", "20 µs"]]


def test_a_pack_that_could_not_be_loaded_has_a_page_too():
    refused = Aspect("pack", "The pack loads", "1 thing is wrong.",
                     (Finding(Level.ERROR, "parts.a", "is missing", "add it"),))  # fmt: skip
    document = read(Verification("bad", "bad", "", (refused,)))
    assert "1 error to mend" in document.text
    assert not document.all("table")


# --- whatever a pack holds ----------------------------------------------------------------------

HOSTILE = "<script>alert(1)</script>\"'&{{ 7*7 }}\x1b[31m\u202e"


def test_nothing_a_pack_says_becomes_markup():
    mutants = [replace(m, id=HOSTILE, about=HOSTILE, diff=HOSTILE) for m in FOUND.mutants]
    hostile = Verification(
        HOSTILE,
        HOSTILE,
        HOSTILE,
        (Aspect("x", HOSTILE, HOSTILE, (Finding(Level.ERROR, *[HOSTILE] * 4),)),),
        (Kill(HOSTILE, (HOSTILE,), (HOSTILE,)),),
        tuple(replace(m, why=m.why and HOSTILE) for m in mutants),
        (Spread(HOSTILE, 0, 0, 1.0, HOSTILE, 2.0, HOSTILE, HOSTILE),),
        (Cost(HOSTILE, 1, 1.0),),
    )
    document = read(hostile)
    assert {e.tag for e in document.all()} <= html_page.ELEMENTS
    assert "\x1b" not in document.text
    assert "\u202e" not in document.text
    assert "alert(1)" in document.text
    assert "{{ 7*7 }}" in document.text


@given(
    st.lists(st.one_of(st.none(), st.floats(0, 1e308)), min_size=1, max_size=4),
    st.lists(st.one_of(st.none(), st.floats(1e-300, 1e308)), min_size=4, max_size=4),
)
def test_any_distances_can_be_drawn(honest, wrong):
    spreads = tuple(
        Spread("c", 1e-7, 1e-9, h, "a way", w) for h, w in zip(honest, wrong, strict=False)
    )
    document = read(replace(SOUND, spreads=spreads))
    drawing = next(s for s in document.all("svg") if s.attributes.get("role") == "img")
    widths = [float(str(r.attributes["width"])) for r in drawing.all("rect")]
    assert all(0 <= width <= 500 for width in widths)


def test_many_mutants_make_no_page_of_endless_length():
    many = tuple(mutant(i, Fate.SURVIVED) for i in range(500))
    document = read(replace(FOUND, mutants=many))
    assert len(document.all("article", **{"class": "mutant"})) == 60
    assert "440 more survive" in document.text
