"""Bulk downloads of learning management systems: whose each file is, and under what name."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from collecting import ANSWERS, CODE, PROBLEM, STUB, collect, ids, lay, only, zipped
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.errors import SubmissionError
from grader.submission import discover
from grader.submission.lms import LmsName, System, read_name, uploaded_again
from grader.submission.names import safe_id

CANVAS = {
    "doejane_1001_50001_attention.py": CODE,
    "doejane_1001_50002_answers.md": ANSWERS,
    "müllerjörg_LATE_1002_50003_hw1 final (2).py": CODE,
    "leesam_1006_50004_attention-2.py": CODE,
    "leesam_1006_50005_utils-1.py": b"X = 1\n",
    "leesam_1006_text.html": b"<p>see file</p>",
    "anon_Ab3dE_50006_attention.py": CODE,
    "LATE_anon_Zz9xY_50007_attention.py": CODE,
    "obrienpat_1007_text.html": b"<p>I could not upload it.</p>",
    "parkjin_1008_link.html": b"<a href='x'>x</a>",
    "parkjin_1009_50008_work.zip": zipped({"attention.py": CODE, "answers.md": ANSWERS}),
}
CANVAS_IDS = [
    "anon_Ab3dE", "anon_Zz9xY", "doejane_1001", "leesam_1006", "müllerjörg_1002", "obrienpat_1007",
    "parkjin_1008", "parkjin_1009",
]  # fmt: skip
BLACKBOARD = {
    "HW 1_jdoe01_attempt_2024-02-28-10-00-00.txt": b"Name: Jane Doe (jdoe01)\n## i\nNo.\n",
    "HW 1_jdoe01_attempt_2024-02-28-10-00-00_attention.py": STUB,
    "HW 1_jdoe01_attempt_2024-02-29-23-59-59.txt": b"Name: Jane Doe (jdoe01)\n## i\nNo.\n",
    "HW 1_jdoe01_attempt_2024-02-29-23-59-59_attention.py": CODE,
    "HW 1_jdoe01_attempt_2024-02-29-23-59-59_answers.md": ANSWERS,
    "HW 1_k_lee_attempt_2024-02-29-10-00-00_attention.py": CODE,
    "HW 1_m_lee_poging_2024-02-29-10-00-00_attention.py": STUB,
    "HW 1_nobody_attempt_2024-02-29-10-00-00.txt": b"Name: Nobody (nobody)\n",
}
MOODLE = {
    "Jane Doe_2001_assignsubmission_file/attention.py": CODE,
    "Jane Doe_2001_assignsubmission_file/sub dir/answers.md": ANSWERS,
    "Jane Doe_2001_assignsubmission_onlinetext/onlinetext.html": b"<p>Hello</p>",
    "Jane Doe_2002_assignsubmission_file_/attention.py": STUB,
    "Participant_2004_assignsubmission_file/attention.py": CODE,
    "Sam Lee_2005_assignsubmission_onlinetext/onlinetext.html": b"<p>I forgot</p>",
}
MOODLE_IDS = ["Jane Doe_2001", "Jane Doe_2002", "Participant_2004", "Sam Lee_2005"]
FLAT_MOODLE = {name.replace("/", "_", 1) if "_/" not in name else name.replace("/", "", 1): data
               for name, data in MOODLE.items() if "sub dir" not in name}  # fmt: skip


def warnings_of(*paths: Path) -> str:
    return "\n".join(discover(paths, PROBLEM).warnings)


@pytest.fixture(params=["folder", "zip", "wrapped"])
def handed_over(request: pytest.FixtureRequest, tmp_path: Path):
    """Lays out a download as a folder, as the zip that was downloaded, or in a wrapper in one."""

    def hand_over(files: dict[str, bytes], name: str = "submissions") -> Path:
        if request.param == "folder":
            return lay(tmp_path / name, files)
        wrapper = "a class/" if request.param == "wrapped" else ""
        path = tmp_path / f"{name}.zip"
        path.write_bytes(zipped({wrapper + inner: data for inner, data in files.items()}))
        return path

    return hand_over


# --- Canvas --------------------------------------------------------------------------------------


def test_canvas_puts_the_files_of_one_student_together(handed_over) -> None:
    path = handed_over(CANVAS)
    found = collect(path)
    assert list(found) == CANVAS_IDS
    jane = found["doejane_1001"]
    assert [chunk.name for chunk in jane.chunks] == ["attention.py"]
    assert jane.answers["ii"].formulas == {"m": "log((n-1)*(1-eps)/eps)"}
    assert not jane.warnings
    assert found["parkjin_1009"].answers["i"].text == "They sum to one."
    said = warnings_of(path)
    assert "bulk download from Canvas: 8 students" in said
    assert "Handed in late, by their names: anon_Zz9xY, müllerjörg_1002." in said
    assert "which is not read: obrienpat_1007, parkjin_1008." in said


def test_canvas_files_have_their_own_names_again(handed_over) -> None:
    found = collect(handed_over(CANVAS))
    sam = found["leesam_1006"]
    assert [chunk.name for chunk in sam.chunks] == ["attention.py"]
    assert sam.modules == {"utils": b"X = 1\n"}
    (warning,) = found["müllerjörg_1002"].warnings
    assert warning.startswith("hw1 final (2).py was graded as attention.py")
    assert "no Python file" in found["obrienpat_1007"].code_problem


def test_of_a_file_that_was_uploaded_again_the_latest_counts(handed_over) -> None:
    path = handed_over({
        "doejane_1001_50001_attention.py": STUB,
        "doejane_1001_50002_attention-1.py": STUB,
        "doejane_1001_50003_attention-2.py": CODE,
        "leesam_1002_50004_part-1.py": CODE,
    })  # fmt: skip
    found = collect(path)
    assert found["doejane_1001"].chunks[0].source == CODE
    assert "doejane_1001 handed in a file more than once" in warnings_of(path)


def test_names_that_are_the_same_but_for_the_number_are_two_students(tmp_path: Path) -> None:
    lay(tmp_path, {"doejane_1001_50001_a.py": CODE, "doejane_1002_50002_a.py": CODE})
    assert ids(tmp_path) == ["doejane_1001", "doejane_1002"]


def test_one_student_alone_is_named_as_in_a_class(handed_over) -> None:
    assert ids(handed_over({"doejane_1001_50001_attention.py": CODE})) == ["doejane_1001"]


def test_the_whole_prefix_in_lower_case_is_late_as_well() -> None:
    assert read_name("doejane_late_1001_50001_hw.py") == LmsName(
        System.CANVAS, "doejane_1001", "1001", "doejane", "hw.py", "50001", late=True
    )


# --- Moodle --------------------------------------------------------------------------------------


def test_moodle_folders_are_students(handed_over) -> None:
    path = handed_over(MOODLE)
    found = collect(path)
    assert list(found) == MOODLE_IDS
    assert found["Jane Doe_2001"].answers["i"].text == "They sum to one."
    assert found["Jane Doe_2002"].chunks[0].source == STUB
    assert "which is not read: Sam Lee_2005." in warnings_of(path)


def test_moodle_without_folders(handed_over) -> None:
    found = collect(handed_over(FLAT_MOODLE))
    assert list(found) == MOODLE_IDS
    assert [chunk.name for chunk in found["Participant_2004"].chunks] == ["attention.py"]
    assert not found["Participant_2004"].warnings


def test_a_moodle_folder_with_nothing_in_it_is_a_student(tmp_path: Path) -> None:
    lay(tmp_path, {
        "Jane Doe_2001_assignsubmission_file/attention.py": CODE,
        "Sam Lee_2005_assignsubmission_file/": b"",
    })  # fmt: skip
    assert ids(tmp_path) == ["Jane Doe_2001", "Sam Lee_2005"]


# --- Blackboard ----------------------------------------------------------------------------------


def test_of_blackboard_attempts_the_latest_counts_and_receipts_are_no_answers(handed_over) -> None:
    path = handed_over(BLACKBOARD)
    found = collect(path)
    assert list(found) == ["HW 1_k_lee", "HW 1_m_lee", "jdoe01", "nobody"]
    assert found["jdoe01"].chunks[0].source == CODE
    assert found["jdoe01"].answers["i"].text == "They sum to one."
    assert not found["HW 1_k_lee"].answers
    said = warnings_of(path)
    assert "of which the latest counts: jdoe01." in said
    assert "which is not read: nobody." in said


# --- Gradescope and GitHub Classroom -------------------------------------------------------------


def test_gradescope_folders_are_submissions(handed_over) -> None:
    files = {
        "submission_metadata.yml": b"submission_7001:\n  :submitters:\n  - :name: Jane Doe\n",
        "submission_7001/attention.py": CODE,
        "submission_7001/answers.md": ANSWERS,
        "submission_7002/src/attention.py": CODE,
        "submission_7002/src/old/attention.py": STUB,
    }
    path = handed_over(files, "assignment_42_export")
    found = collect(path)
    assert list(found) == ["submission_7001", "submission_7002"]
    assert found["submission_7002"].chunks[0].source == CODE
    assert "bulk download from Gradescope: 2 submissions" in warnings_of(path)


@pytest.mark.parametrize("users", [["j-doe"], ["j-doe", "lee"]])
def test_classroom_repositories_are_submissions(users: list[str], tmp_path: Path) -> None:
    files = {}
    for user in users:
        files |= {
            f"hw-1-{user}/attention.py": CODE,
            f"hw-1-{user}/tests/test_attention.py": CODE,
            f"hw-1-{user}/.git/config": b"",
        }
    path = lay(tmp_path / "hw-1-submissions", files)
    assert ids(path) == [f"hw-1-{user}" for user in users]
    assert "bulk download from GitHub Classroom" in warnings_of(path)


# --- what is no download -------------------------------------------------------------------------


def test_one_students_files_that_import_one_another_stay_together(tmp_path: Path) -> None:
    lay(tmp_path / "jane", {
        "part_1_100_weights.py": b"def weights(q, K):\n    return K @ q\n",
        "part_2_101_attend.py": b"from part_1_100_weights import weights\n" + CODE,
    })  # fmt: skip
    assert ids(tmp_path / "jane") == ["jane"]


@pytest.mark.parametrize(
    "names",
    [
        ["part_1_2_solution.py", "part_1_3_solution.py"],
        ["HW 1_1001_50001_a.py", "HW 1_1002_50002_a.py"],
        ["jane_1001_50001_a.py", "sam_1002_50001_a.py"],
        ["jane_2024_a.py", "sam_2024_b.py"],
        ["a_attempt_2024-02-29_b.py", "c.py"],
        ["Doe_assignsubmission_file_a.py", "b.py"],
    ],
)
def test_other_names_with_numbers_are_collected_as_ever(names: list[str], tmp_path: Path) -> None:
    lay(tmp_path, dict.fromkeys(names, CODE))
    assert ids(tmp_path) == sorted((name.removesuffix(".py") for name in names), key=str.casefold)
    assert "bulk download" not in warnings_of(tmp_path)


def test_a_folder_in_a_students_folder_is_not_looked_at(tmp_path: Path) -> None:
    lay(tmp_path / "jane", {"attention.py": CODE}
        | {f"downloads/x_{n}_5000{n}_y.py": CODE for n in range(3)})  # fmt: skip
    assert only(tmp_path / "jane").chunks[0].source == CODE


def test_half_a_download_is_collected_as_ever_and_said(tmp_path: Path) -> None:
    lay(tmp_path, {
        "doejane_1001_50001_a.py": CODE, "leesam_1002_50002_b.py": CODE, "pat.py": CODE,
    })  # fmt: skip
    assert ids(tmp_path) == ["doejane_1001_50001_a", "leesam_1002_50002_b", "pat"]
    assert "as in a bulk download from Canvas, and others that are not: pat.py" in warnings_of(
        tmp_path
    )


def test_a_download_beside_the_very_file_asked_for_is_refused(tmp_path: Path) -> None:
    lay(tmp_path, {
        "doejane_1001_50001_a.py": CODE, "leesam_1002_50002_b.py": CODE, "attention.py": CODE,
    })  # fmt: skip
    with pytest.raises(SubmissionError, match="folder of its own"):
        discover([tmp_path], PROBLEM)


def test_a_submission_that_came_by_mail_is_one_of_its_own(tmp_path: Path) -> None:
    lay(tmp_path, {f"student_{n}_5{n}_attention.py": CODE for n in range(100, 120)}
        | {"pat.py": CODE, "late/attention.py": CODE, "roster.csv": b"a,b\n"})  # fmt: skip
    found = ids(tmp_path)
    assert len(found) == 22
    assert {"pat", "late"} < set(found)
    assert "each taken as a submission of its own: pat.py, late." in warnings_of(tmp_path)


# --- names ---------------------------------------------------------------------------------------

WORDS = st.text(st.characters(categories=("Ll", "Nd"), include_characters="-"), max_size=12)
NUMBERS = st.integers(100, 10**12).map(str)
OWN_NAMES = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="/\0"), min_size=1)
TIMES = st.datetimes().map(lambda at: at.strftime("%Y-%m-%d-%H-%M-%S").zfill(19))


@given(WORDS, NUMBERS, NUMBERS, OWN_NAMES, st.booleans())
def test_a_canvas_name_comes_apart_into_what_it_was_made_of(
    display: str, user: str, attachment: str, original: str, late: bool
) -> None:
    assume(not display.isdecimal() and set(original) != {"_"})
    name = "_".join(filter(None, [display, "LATE" * late, user, attachment, original]))
    said = read_name(name)
    assert said == LmsName(
        System.CANVAS, f"{display}_{user}".strip("_") if display else user, user, display,
        original, attachment, late,
    )  # fmt: skip


@given(st.text(st.characters(categories=("Lu", "Ll"), include_characters=" '-_")), NUMBERS,
       OWN_NAMES, st.booleans())  # fmt: skip
def test_a_moodle_name_comes_apart_into_what_it_was_made_of(
    display: str, participant: str, original: str, is_folder: bool
) -> None:
    assume("_assignsubmission_" not in display)
    name = f"{display}_{participant}_assignsubmission_file" + f"_{original}" * (not is_folder)
    said = read_name(name)
    assert said is not None
    assert (said.student, said.id) == (f"{display}_{participant}", participant)
    assert (said.original, said.typed) == ("" if is_folder else original, False)


@given(OWN_NAMES, st.from_regex(r"[a-z0-9.]{1,12}", fullmatch=True), TIMES, OWN_NAMES)
def test_a_blackboard_name_comes_apart_into_what_it_was_made_of(
    title: str, login: str, at: str, original: str
) -> None:
    assume("_assignsubmission_" not in title + original)
    said = read_name(f"{title}_{login}_attempt_{at}_{original}")
    assert said is not None
    assert (said.system, said.id, said.attempt) == (System.BLACKBOARD, login, at)
    assert (said.student, said.original) == (f"{title}_{login}", original)


@given(OWN_NAMES)
def test_the_number_of_an_upload_comes_off(stem: str) -> None:
    assume(not stem.endswith("-") and "." not in stem)
    assert uploaded_again(f"{stem}-12.tar.gz") == (f"{stem}.tar.gz", 12)
    assert uploaded_again(stem) == (stem, 0)


@pytest.mark.parametrize(
    "part",
    ["1_", "_", "1_100_", "!_1_100_", "anon_x_", "LATE_1_", "_attempt_2024-02-29-23-59-59_", "-1.",
     "_1_assignsubmission_", "a-1.", "1_text.html_", "0"],
)  # fmt: skip
def test_a_long_name_costs_no_more_than_its_length(part: str) -> None:
    def cost_s(length: int) -> float:
        name = (part * length)[:length]
        start_s = time.process_time()
        read_name(name)
        uploaded_again(name)
        return time.process_time() - start_s

    # Ten times as long would cost a quadratic reader a hundred times as much.
    assert cost_s(200_000) < 30 * cost_s(20_000) + 0.1


@given(st.text())
def test_any_name_is_read_or_not_and_gives_a_safe_id(name: str) -> None:
    said = read_name(name)
    if said:
        assert said.student
        assert safe_id(said.student) == safe_id(safe_id(said.student))
