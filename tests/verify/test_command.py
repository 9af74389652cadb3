"""`grader verify` as an author types it: its verdict, its exit status, and watching for saves."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from small_pack import FILES, write_pack

from grader.cli import main

ROOT = Path(__file__).parents[2]


def run(*arguments: str | Path) -> Result:
    done = CliRunner().invoke(main, ["verify", *map(str, arguments)], prog_name="grader")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_a_sound_pack_exits_0_and_a_quick_look_claims_no_more_than_it_tried(
    tmp_path: Path,
) -> None:
    done = run(write_pack(tmp_path), "--quick", "-v")
    assert done.exit_code == 0, done.output
    assert "Nothing wrong at a quick look" in done.output
    assert "without --quick before a class sees" in done.output
    assert "\nSOUND" not in done.output
    assert "by_largest: named by small" in done.output


def test_what_is_wrong_is_told_by_id_and_exits_1(tmp_path: Path) -> None:
    broken = FILES["problem.toml"].replace("weight = 2", "wieght = 2")
    done = run(write_pack(tmp_path, {"problem.toml": broken}))
    assert done.exit_code == 1
    assert "parts.a.criteria.small.wieght" in done.output
    assert "did you mean weight?" in done.output
    assert "NOT SOUND: 2 errors" in done.output or "NOT SOUND: 1 error" in done.output


def test_the_document_is_all_that_json_prints(tmp_path: Path) -> None:
    broken = FILES["problem.toml"].replace('id = "scale"', 'id = "the scale"')
    done = run(write_pack(tmp_path, {"problem.toml": broken}), "--json")
    assert done.exit_code == 1
    document = json.loads(done.stdout)
    assert document["schema"] == "grader/verification/v1"
    assert document["aspects"][0]["findings"][0]["level"] == "error"


def test_usage_is_2_and_no_pack_is_1(tmp_path: Path) -> None:
    assert run(tmp_path, "--watch", "--json").exit_code == 2
    assert run(tmp_path, "--jobs", "0").exit_code == 2
    assert run(tmp_path / "nowhere").exit_code == 1
    (tmp_path / "empty").mkdir()
    assert run(tmp_path / "empty").exit_code == 1


def test_watching_verifies_again_on_a_save_and_ends_on_ctrl_c(tmp_path: Path) -> None:
    broken = {"problem.toml": FILES["problem.toml"].replace("weight = 2", "wieght = 2")}
    folder = write_pack(tmp_path, broken)
    command = [sys.executable, "-m", "grader", "verify", str(folder), "--watch", "--quick"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT
    ) as process:
        try:
            assert process.stdout is not None
            _read_until(process.stdout, "Watching")
            problem = folder / "problem.toml"
            problem.write_text(problem.read_text().replace("wieght", "weihgt"))
            said = _read_until(process.stdout, "Watching")
            assert "Changed: problem.toml" in said
            assert "weihgt" in said
            process.send_signal(signal.SIGINT)
            assert "No longer watching" in process.stdout.read()
            assert process.wait(30) == 0
        finally:
            process.kill()


def _read_until(stream, word: str) -> str:
    said, until_s = "", time.monotonic() + 60
    while time.monotonic() < until_s:
        line = stream.readline()
        said += line
        if word in line:
            return said
    pytest.fail(f"{word} was not said: {said}")


def test_the_founding_pack_passes_a_quick_look() -> None:
    done = run(ROOT / "problems" / "attention_copying", "--quick")
    assert done.exit_code == 0, done.output
