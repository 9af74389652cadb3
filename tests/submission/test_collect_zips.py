"""Zips: whose they are, and those that are broken or meant to do harm."""

from __future__ import annotations

import io
import stat
import tracemalloc
import warnings
import zipfile
from pathlib import Path

import pytest
from collecting import ANSWERS, CODE, PROBLEM, collect, ids, lay, notebook, only, zipped
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.submission import discover, read

GOOD = zipped({"attention.py": CODE, "answers.md": ANSWERS})


def with_entries(*entries: tuple[zipfile.ZipInfo | str, bytes]) -> bytes:
    """A zip of entries in the order given, made without complaint."""
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for info, data in entries:
                archive.writestr(info, data)
    return buffer.getvalue()


def special(name: str, mode: int) -> zipfile.ZipInfo:
    """An entry that claims to be a link, a device or a pipe."""
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (mode | 0o777) << 16
    return info


def encrypted() -> bytes:
    """A zip whose entry says that it is encrypted."""
    data = bytearray(zipped({"attention.py": CODE}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


@pytest.mark.parametrize("wrappers", ["", "hw/", "hw/src/"])
def test_a_zip_is_one_student_with_up_to_two_wrappers(tmp_path: Path, wrappers: str) -> None:
    files = {
        f"{wrappers}attention.py": CODE,
        f"{wrappers}util.py": b"x=1",
        "__MACOSX/._a.py": b"\0",
    }
    lay(tmp_path, {"jane.zip": zipped(files)})
    submission = only(tmp_path / "jane.zip")
    assert (submission.id, submission.chunks[0].source) == ("jane", CODE)
    assert set(submission.modules) == {"util"}


def test_a_zip_of_folders_files_and_zips_is_a_class(tmp_path: Path) -> None:
    inner = zipped({"hw/attention.py": CODE, "hw/answers.md": ANSWERS})
    files = {"class/ann/attention.py": CODE, "class/ben.py": CODE, "class/cem.zip": inner}
    lay(tmp_path, {"class.zip": zipped(files)})
    work = collect(tmp_path / "class.zip")
    assert list(work) == ["ann", "ben", "cem"]
    assert all(submission.chunks[0].source == CODE for submission in work.values())
    assert set(work["cem"].answers) == {"i", "ii"}
    assert work["ann"].origin.endswith("class.zip/class/ann")


def test_a_class_zip_may_lie_alone_in_a_folder(tmp_path: Path) -> None:
    lay(tmp_path, {"all.zip": zipped({"ann/attention.py": CODE, "ben/attention.py": CODE})})
    assert ids(tmp_path) == ["ann", "ben"]
    lay(tmp_path, {"all.zip": GOOD})
    assert ids(tmp_path) == ["all"]


def test_an_empty_folder_in_a_zip_is_an_empty_submission(tmp_path: Path) -> None:
    lay(tmp_path, {"c.zip": with_entries(("ann/attention.py", CODE), ("ben/", b""))})
    work = collect(tmp_path / "c.zip")
    assert (list(work), work["ben"].chunks) == (["ann", "ben"], ())


@pytest.mark.parametrize("names", [("ann.zip", "ben.zip"), ("ann/hw.zip", "ben/hw.zip"),
                                   ("x_1_500_hw.zip", "y_2_501_hw.zip")])  # fmt: skip
@pytest.mark.parametrize("as_zip", [False, True])
def test_zips_nest_once_and_no_deeper_however_the_class_came(
    tmp_path: Path, names: tuple[str, str], as_zip: bool
) -> None:
    twice = zipped({"hw.zip": GOOD})
    files = dict(zip(names, (twice, zipped({"hw.zip": twice})), strict=True))
    lay(tmp_path / "c", {"c.zip": zipped(files)} if as_zip else files)
    ann, ben = collect(tmp_path / "c").values()
    assert ann.chunks
    assert "a zip that lies in a zip" in ben.code_problem
    assert ben.answers_problem


def test_names_in_a_zip_are_utf8_even_where_it_does_not_say_so(tmp_path: Path) -> None:
    data = zipped({"José/attention.py": CODE, "ann/attention.py": CODE})
    unflagged = data.replace(b"\x00\x08\x08\x00", b"\x00\x00\x08\x00")
    assert unflagged != data
    lay(tmp_path, {"c.zip": unflagged})
    assert ids(tmp_path / "c.zip") == ["ann", "José"]


def test_backslashes_in_a_zip_separate_folders(tmp_path: Path) -> None:
    data = with_entries(("ann\\attention.py", CODE), ("ben\\attention.py", CODE))
    lay(tmp_path, {"c.zip": data})
    assert ids(tmp_path / "c.zip") == ["ann", "ben"]


# --- faults ------------------------------------------------------------------------------------

BAD = {
    "broken": (GOOD[:-30], "damaged"),
    "empty": (b"", "damaged"),
    "no zip": (b"Rar!\x1a\x07", "damaged"),
    "encrypted": (encrypted(), "encrypted"),
    "slip": (with_entries(("../attention.py", CODE)), "not safe"),
    "slip inside": (with_entries(("a/../../attention.py", CODE)), "not safe"),
    "backslash slip": (with_entries(("..\\attention.py", CODE)), "not safe"),
    "absolute": (with_entries(("/etc/attention.py", CODE)), "not safe"),
    "drive": (with_entries(("C:/attention.py", CODE)), "not safe"),
    "deep": (with_entries(("a/" * 40 + "attention.py", CODE)), "folders deep"),
    "bomb": (with_entries(*[(f"{n}.txt", bytes(9_000_000)) for n in range(4)]), "times its size"),
}


@pytest.mark.parametrize(("data", "words"), BAD.values(), ids=BAD)
def test_a_bad_zip_in_a_class_is_its_student_s_fault(
    tmp_path: Path, data: bytes, words: str
) -> None:
    lay(tmp_path, {"ann/attention.py": CODE, "ben/hw.zip": data, "cem.zip": data})
    work = collect(tmp_path)
    assert work["ann"].chunks
    assert words in work["ben"].code_problem
    assert words in work["cem"].code_problem
    assert "hw.zip" in work["ben"].code_problem
    # It may have held answers, so they are not known to be blank.
    assert work["ben"].answers_problem


@pytest.mark.parametrize(("data", "words"), BAD.values(), ids=BAD)
def test_a_bad_zip_that_was_named_is_refused(tmp_path: Path, data: bytes, words: str) -> None:
    lay(tmp_path, {"jane.zip": data})
    if "bomb" in words or words == "times its size":
        data = with_entries(("attention.py", CODE), ("big", bytes(30_000_000)))
        lay(tmp_path, {"jane.zip": data})
    with pytest.raises(SubmissionError, match=rf"jane\.zip.*{words}"):
        discover([tmp_path / "jane.zip"], PROBLEM)


def test_one_bad_zip_of_several_that_were_named_is_its_student_s_fault(tmp_path: Path) -> None:
    lay(tmp_path, {"ann.zip": GOOD, "ben.zip": GOOD[:-30]})
    work = collect(tmp_path / "ann.zip", tmp_path / "ben.zip")
    assert work["ann"].chunks
    assert "damaged" in work["ben"].code_problem


@pytest.mark.parametrize(
    ("mode", "words"),
    [(stat.S_IFLNK, "symbolic link"), (stat.S_IFCHR, "device"), (stat.S_IFIFO, "named pipe")],
)
def test_special_entries_are_not_read(tmp_path: Path, mode: int, words: str) -> None:
    entry = (special("ann/attention.py", mode), b"/etc/passwd")
    lay(tmp_path, {"c.zip": with_entries(entry, ("ben/attention.py", CODE))})
    work = collect(tmp_path / "c.zip")
    assert words in work["ann"].code_problem
    assert work["ben"].chunks


def test_an_entry_that_stands_twice_is_refused_where_it_matters(tmp_path: Path) -> None:
    data = with_entries(
        ("ann/attention.py", CODE), ("ann/attention.py", STUB_LIKE), ("b/a.py", CODE)
    )
    lay(tmp_path, {"c.zip": data})
    work = collect(tmp_path / "c.zip")
    assert "stands twice" in work["ann"].code_problem
    assert work["b"].chunks


STUB_LIKE = b"def weights(q, K):\n    return q\n"


def test_a_rare_compression_is_told(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("attention.py", CODE)
    lay(tmp_path / "c", {"ann.zip": buffer.getvalue(), "ben.zip": GOOD})
    assert "rare way" in collect(tmp_path / "c")["ann"].code_problem


def test_an_entry_of_1_gb_in_a_class_costs_nothing_and_no_one_else(tmp_path: Path) -> None:
    big = bytearray(with_entries(("ann/attention.py", CODE), ("ben/attention.py", CODE)))
    # The table of contents claims 1 GB for the first entry.
    at = big.index(b"PK\x01\x02") + 24
    big[at : at + 4] = (1_000_000_000).to_bytes(4, "little")
    lay(tmp_path, {"c.zip": bytes(big)})
    tracemalloc.start()
    work = collect(tmp_path / "c.zip")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "1,000 MB" in work["ann"].code_problem
    assert work["ben"].chunks
    assert peak < 5_000_000


def test_an_entry_that_lies_about_its_size_is_damaged(tmp_path: Path) -> None:
    data = bytearray(zipped({"attention.py": b"#" * 5_000_000}))
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = (100).to_bytes(4, "little")
    lay(tmp_path / "c", {"ann.zip": bytes(data), "ben.zip": GOOD})
    assert "damaged" in collect(tmp_path / "c")["ann"].code_problem


def test_an_endless_table_of_contents_is_refused_before_it_is_read(tmp_path: Path) -> None:
    # An end record that claims 6.5 MB of table, in front of which there are as many bytes.
    table = b"PK\x01\x02" + bytes(6_500_000)
    end = b"PK\x05\x06" + bytes(4) + b"\xff\x7f" * 2 + len(table).to_bytes(4, "little") + bytes(6)
    lay(tmp_path / "c", {"ann.zip": table + end, "ben.zip": GOOD})
    assert "table of contents" in collect(tmp_path / "c")["ann"].code_problem


def test_a_zip_in_which_a_file_is_also_a_folder_is_read(tmp_path: Path) -> None:
    data = with_entries(("attention.py", CODE), ("attention.py/x", b""))
    lay(tmp_path, {"jane.zip": data})
    assert only(tmp_path / "jane.zip").chunks[0].source == CODE


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_no_damage_to_a_zip_ever_raises(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    damaged = bytearray(zipped({"a/attention.py": CODE, "nb.ipynb": notebook(("code", "x=1"))}))
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(damaged)))
    root = tmp_path_factory.mktemp("damaged")
    lay(root, {"ann.py": CODE, "ben.zip": bytes(damaged[:cut] if cut % 3 == 0 else damaged)})
    for source in discover([root], PROBLEM).sources:
        assert len(read(source, PROBLEM).digest) == 64


@settings(max_examples=30, deadline=None)
@given(
    st.integers(-3, 40).filter(bool), st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
)
def test_a_file_of_another_size_than_its_zip_declares_is_not_taken_as_whole(
    tmp_path_factory: pytest.TempPathFactory, more: int, method: int
) -> None:
    folder = tmp_path_factory.mktemp("sizes")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        archive.writestr("attention.py", CODE)
    data = bytearray(buffer.getvalue())
    # The size before compression: 22 bytes into the local header, 24 into the central one.
    for position in (22, data.index(b"PK\x01\x02") + 24):
        data[position : position + 4] = (len(CODE) + more).to_bytes(4, "little")
    (folder / "jane.zip").write_bytes(data)
    submission = only(folder / "jane.zip")
    assert submission.chunks == ()
    assert submission.code_problem
