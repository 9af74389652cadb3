"""A pack that preloads a library, as its instructor and its students meet it."""

from __future__ import annotations

from pathlib import Path

from mini_pack import PROBLEM, RIGHT, feedback, grader, outcomes, results, write_class, write_pack

CODES = {
    "uses_it": "from scipy import special\ndef double(x): return special.xlogy(2, 1) + 2 * x\n",
    "wants_more": f"import pandas as pd\n{RIGHT}",
    "mistypes_it": f"import scipy.linlag\n{RIGHT}",
}


def preloading(folder: Path, modules: str) -> Path:
    text = PROBLEM.replace('version = "1"', f'version = "1"\npreload = {modules}')
    return write_pack(folder, {"problem.toml": text})


def test_a_preloaded_library_is_there_and_others_are_told(tmp_path: Path) -> None:
    pack = preloading(tmp_path / "pack", '["scipy.linalg"]')
    write_class(tmp_path / "class", CODES)
    done = grader("grade", pack, tmp_path / "class", "-o", tmp_path / "out", "-j", "2")
    assert done.returncode == 0, done.stderr
    graded = results(tmp_path / "out")
    assert outcomes(graded["uses_it"])["doubles"] == "passed"
    assert outcomes(graded["wants_more"])["doubles"] == "error"
    more, typo = feedback(graded["wants_more"]), feedback(graded["mistypes_it"])
    assert "here you may import the standard library, numpy and scipy" in more
    assert "only the author of the problem can add pandas" in more
    assert "`scipy` is there, but no `linlag` in it" in typo


def test_a_library_that_is_not_installed_is_told_before_anything_runs(tmp_path: Path) -> None:
    pack = preloading(tmp_path / "pack", '["scipyy"]')
    write_class(tmp_path / "class", {"right": RIGHT})
    done = grader("check", pack, tmp_path / "class" / "right", columns=200)
    assert done.returncode != 0
    assert 'preload.#1: "scipyy" is not installed' in done.stderr
    assert "did you mean scipy?" in done.stderr
    assert "Traceback" not in done.stderr
