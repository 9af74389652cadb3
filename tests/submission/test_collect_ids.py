"""Ids: safe as file names everywhere, unique, and the same on every run."""

from __future__ import annotations

import tempfile
import unicodedata
from pathlib import Path

import pytest
from collecting import CODE, PROBLEM, ids, lay
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.submission import discover
from grader.submission.names import safe_id

NAMES = st.text(
    st.characters(exclude_categories=(), exclude_characters="/\0"), min_size=1, max_size=60
)
DEVICES = {"con", "prn", "aux", "nul"} | {f"{p}{n}" for p in ("com", "lpt") for n in range(10)}


def is_safe(name: str) -> bool:
    """What every file system and shell lets pass, and no report file of the class's own has."""
    return (
        0 < len(name.encode()) <= 120
        and not set(name) & set('<>:"/\\|?*')
        and all(unicodedata.category(c) not in ("Cc", "Cf", "Cs") for c in name)
        and name[0] not in ".-=+@~ "
        and name[-1] not in ". "
        and name.split(".")[0].rstrip().casefold() not in DEVICES
        and name.casefold() not in ("index", "results", "gradebook")
        and unicodedata.normalize("NFC", name) == name
    )


@given(st.text(max_size=400))
@example("..")
@example("../../etc/passwd")
@example("a\0b")
@example("x" * 300)
@example("é" * 300)
@example("CON")
@example("nul .txt")
@example("Lpt1.tar")
@example("-rf")
@example("=cmd|' /c calc'!A0")
@example("\u202egnp.exe")
@example("\ud800")
@example("index")
@example(". . .")
@example("")
def test_any_name_becomes_a_safe_id_once_and_for_all(name: str) -> None:
    safe = safe_id(name)
    assert is_safe(safe)
    assert safe_id(safe) == safe


@pytest.mark.parametrize("name", ["jane", "Jane Doe", "O'Brien (2)", "李雷", "müller-jörg", "a[1]"])
def test_an_ordinary_name_is_its_own_id(name: str) -> None:
    assert safe_id(name) == name


def test_long_names_that_begin_alike_stay_apart() -> None:
    assert safe_id("x" * 300) != safe_id("x" * 301)


@settings(max_examples=30, deadline=None)
@given(st.sets(NAMES, min_size=2, max_size=6))
def test_ids_of_a_class_are_unique_and_stable_or_refused(names: set[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in names:
            try:
                lay(root / name, {"attention.py": CODE})
            except (OSError, UnicodeEncodeError):
                continue
        try:
            first = discover([root], PROBLEM)
        except SubmissionError:
            return
        found = [source.id for source in first.sources]
        assert all(map(is_safe, found))
        assert len({unicodedata.normalize("NFC", id_.casefold()) for id_ in found}) == len(found)
        assert discover([root], PROBLEM) == first


def test_names_that_are_not_utf8_are_read_as_what_they_most_likely_are(tmp_path: Path) -> None:
    raw = b"Jos\xe9.py".decode("utf-8", "surrogateescape")
    try:
        lay(tmp_path, {raw: CODE, "ann.py": CODE})
    except OSError:
        pytest.skip("this file system takes only UTF-8")
    assert ids(tmp_path) == ["ann", "José"]


def test_decomposed_names_are_composed(tmp_path: Path) -> None:
    lay(tmp_path, {unicodedata.normalize("NFD", "José") + ".py": CODE, "ann.py": CODE})
    assert ids(tmp_path) == ["ann", "José"]


def test_glob_and_shell_characters_in_names_mean_nothing(tmp_path: Path) -> None:
    names = ["[ab]*", "$(reboot)", "1st-hand", "a b'c", "作业"]
    lay(tmp_path, {f"{name}/attention.py": CODE for name in names})
    assert len(ids(tmp_path)) == len(names)
