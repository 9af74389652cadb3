"""`grader grade` on a zip as an instructor downloads it from a learning management system."""

from __future__ import annotations

import zipfile
from pathlib import Path

from mini_pack import RIGHT, SQUARES, grader, outcomes, results, write_pack


def test_a_class_downloaded_from_canvas_is_graded_student_by_student(tmp_path: Path) -> None:
    helper = "def twice(x):\n    return x + x\n"
    uses = "from helper import twice\n\n\ndef double(x):\n    return twice(x)\n"
    with zipfile.ZipFile(tmp_path / "submissions.zip", "w") as download:
        for name, text in {
            "doejane_1001_50001_work.py": RIGHT,
            "doejane_LATE_1002_50002_work-1.py": SQUARES,
            "leesam_1003_50003_work.py": uses,
            "leesam_1003_50004_helper-2.py": helper,
            "parkjin_1004_text.html": "<p>My code is on paper.</p>",
        }.items():
            download.writestr(name, text)
    pack = write_pack(tmp_path / "pack")
    done = grader("grade", pack, tmp_path / "submissions.zip", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    said = " ".join((done.stdout + done.stderr).split())
    assert "read as a bulk download from Canvas: 4 students" in said
    assert "Handed in late, by their names: doejane_1002." in said
    assert "parkjin_1004" in said
    graded = results(tmp_path / "out")
    assert list(graded) == ["doejane_1001", "doejane_1002", "leesam_1003", "parkjin_1004"]
    right = outcomes(graded["doejane_1001"])
    assert outcomes(graded["leesam_1003"]) == right
    assert outcomes(graded["doejane_1002"]) != right
    assert all((tmp_path / "out" / f"{id_}.html").is_file() for id_ in graded)
