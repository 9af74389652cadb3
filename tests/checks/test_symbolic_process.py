"""The judge's worker: killed when it hangs, replaced when it dies, never outliving the grader."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import pytest

from grader.checks.symbolic_judge import FormulaJudge
from grader.checks.symbolic_points import Range, points
from grader.checks.symbolic_process import Worker
from grader.checks.symbolic_verdict import Finding
from grader.problem import Domain

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

REFERENCE = "1/(1+(n-1)*exp(-m))"
VARIABLES = {"m": Domain(min=-20, max=20), "n": Domain(type="integer", min=2, max=50)}
RIGHT = "exp(m)/(exp(m)+n-1)"


def workers_of(parent: int) -> set[int]:
    """The pids of a process's formula workers that are alive."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, ppid = status.read_text().rpartition(")")[2].split()[:2]
            command = (status.parent / "cmdline").read_text()
        except OSError:
            continue  # gone meanwhile
        if int(ppid) == parent and state != "Z" and "symbolic_worker" in command:
            found.add(int(status.parent.name))
    return found


def until(happened: Callable[[], object], *, limit_s: float = 30.0) -> None:
    end = time.monotonic() + limit_s
    while not happened():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.02)


def finding(judge: FormulaJudge, formula: str = RIGHT, reference: str = REFERENCE) -> Finding:
    return judge.judge(reference, VARIABLES, formula, 0).finding


def test_starts_at_the_first_question_and_ends_with_the_judge() -> None:
    before = workers_of(os.getpid())
    with FormulaJudge() as judge:
        assert workers_of(os.getpid()) == before
        assert finding(judge) is Finding.PROVED
        assert len(workers_of(os.getpid()) - before) == 1
    assert workers_of(os.getpid()) == before


def test_warming_up_starts_it_and_an_unused_judge_closes() -> None:
    before = workers_of(os.getpid())
    with FormulaJudge() as judge:
        judge.warm_up(sympy=True)
        until(lambda: workers_of(os.getpid()) - before)
    assert workers_of(os.getpid()) == before
    FormulaJudge().close()


def test_a_judgement_that_hangs_is_undecided_and_the_next_one_works() -> None:
    before = workers_of(os.getpid())
    with FormulaJudge(wall_limit_s=3.0) as judge:
        assert finding(judge, "n") is Finding.REFUTED
        (worker,) = workers_of(os.getpid()) - before
        os.kill(worker, signal.SIGSTOP)
        verdict = judge.judge(REFERENCE, VARIABLES, RIGHT, 0)
        assert verdict.finding is Finding.UNDECIDED
        assert "more than 3 s" in verdict.reason
        assert finding(judge, "1/(1+(n-1)e^-m)") is Finding.PROVED
        assert worker not in workers_of(os.getpid())


def test_a_judgement_that_only_waits_for_a_processor_has_time() -> None:
    before = workers_of(os.getpid())
    with FormulaJudge(time_limit_s=2.0) as judge, ThreadPoolExecutor(1) as pool:
        assert finding(judge, "n") is Finding.REFUTED
        (worker,) = workers_of(os.getpid()) - before
        os.kill(worker, signal.SIGSTOP)  # as a busy machine would let it stand
        waiting = pool.submit(finding, judge)
        time.sleep(2.5)
        os.kill(worker, signal.SIGCONT)
        assert waiting.result(timeout=60) is Finding.PROVED


def test_a_judgement_that_computes_too_long_is_ended_by_its_cpu_time() -> None:
    with FormulaJudge(time_limit_s=0.02) as judge:  # it takes longer to import what it needs
        verdict = judge.judge(REFERENCE, VARIABLES, RIGHT, 0)
    assert verdict.finding is Finding.BROKEN, "not even the pack's own formula was judged"
    assert "more than 0.02 s" in verdict.reason


def test_a_worker_that_was_killed_between_questions_is_replaced() -> None:
    before = workers_of(os.getpid())
    with FormulaJudge() as judge:
        assert finding(judge, "n") is Finding.REFUTED
        (worker,) = workers_of(os.getpid()) - before
        os.kill(worker, signal.SIGKILL)
        until(lambda: worker not in workers_of(os.getpid()))
        assert finding(judge) is Finding.PROVED


def test_closing_ends_a_judgement_under_way() -> None:
    before = workers_of(os.getpid())
    judge = FormulaJudge(wall_limit_s=300)
    assert finding(judge, "n") is Finding.REFUTED
    (worker,) = workers_of(os.getpid()) - before
    os.kill(worker, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(finding, judge)
        time.sleep(0.2)
        judge.close()
        assert waiting.result(timeout=30) is Finding.BROKEN


def test_dies_with_a_grader_that_is_killed() -> None:
    code = (
        "import time; from grader.checks.symbolic_judge import FormulaJudge\n"
        "judge = FormulaJudge(); print(judge.judge('1', {}, '1', 0).finding, flush=True)\n"
        "time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as grader:
        assert grader.stdout is not None
        assert grader.stdout.readline() == b"proved\n"
        (worker,) = workers_of(grader.pid)
        os.kill(worker, signal.SIGSTOP)  # so that it cannot notice the end of its input
        grader.kill()
    until(lambda: not Path(f"/proc/{worker}").exists())


def test_outlives_the_thread_that_asked_first() -> None:
    before = workers_of(os.getpid())
    with FormulaJudge() as judge:
        first = threading.Thread(target=finding, args=(judge, "n"))
        first.start()
        first.join()
        (worker,) = workers_of(os.getpid()) - before
        assert finding(judge) is Finding.PROVED
        assert workers_of(os.getpid()) - before == {worker}


def test_has_limits_and_nothing_of_the_graders_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    before = workers_of(os.getpid())
    with FormulaJudge(memory_mb=700) as judge:
        assert finding(judge) is Finding.PROVED
        (worker,) = workers_of(os.getpid()) - before
        assert b"hunter2" not in Path(f"/proc/{worker}/environ").read_bytes()
        limits = Path(f"/proc/{worker}/limits").read_text()
        assert str(700 << 20) in limits


def test_threads_share_one_worker_and_one_judgement(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    ask = Worker.ask
    monkeypatch.setattr(
        Worker, "ask", lambda self, r: (asked.append(r["formula"]), ask(self, r))[1]
    )
    formulas = [RIGHT, "n", "(("] * 40
    with FormulaJudge() as judge, ThreadPoolExecutor(8) as pool:
        findings = set(zip(formulas, pool.map(lambda f: finding(judge, f), formulas), strict=True))
    expected = {RIGHT: Finding.PROVED, "n": Finding.REFUTED, "((": Finding.UNREADABLE}
    assert findings == set(expected.items())
    assert sorted(asked) == sorted(expected)


def test_the_same_points_for_the_same_seed_and_others_for_another() -> None:
    ranges = [
        Range("m", False, Fraction(-20), Fraction(20)),
        Range("n", True, Fraction(2), Fraction(50)),
    ]
    assert points(ranges, "1") == points(ranges, "1")
    assert points(ranges, "1") != points(ranges, "2")
    assert all(-20 < p["m"] < 20 and 2 <= p["n"] <= 50 for p in points(ranges, "1"))
    assert {p["n"] for p in points(ranges, "1")} >= {2, 50}


def test_the_graders_own_process_loads_no_parser_and_no_algebra() -> None:
    code = (
        "import sys; from grader.checks import symbolic\n"
        "loaded = {'mpmath', 'sympy', 'grader.checks.symbolic_parse'} & set(sys.modules)\n"
        "assert not loaded, loaded"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# --- a worker that is not what it should be ------------------------------------------------


def pretend(folder: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Let a shell script stand in for the worker."""
    script = folder / "python"
    script.write_text("\n".join(["#!/bin/sh", *lines]))
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))


def test_a_worker_that_cannot_be_started_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with FormulaJudge() as judge:
        judge.warm_up()
        verdict = judge.judge(REFERENCE, VARIABLES, RIGHT, 0)
    assert verdict.finding is Finding.BROKEN
    assert "could not be started" in verdict.reason


def test_a_worker_that_fails_at_once_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(tmp_path, monkeypatch, "echo 'no module named mpmath' >&2", "exit 3")
    with FormulaJudge() as judge:
        verdict = judge.judge(REFERENCE, VARIABLES, RIGHT, 0)
    assert verdict.finding is Finding.BROKEN
    assert "no module named mpmath" in verdict.reason
    assert "exit status 3" in verdict.reason


def test_a_grader_error_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with FormulaJudge() as judge:
        with monkeypatch.context() as broken:
            broken.setattr(sys, "executable", "/nowhere/python")
            assert finding(judge) is Finding.BROKEN
        assert finding(judge) is Finding.PROVED


@pytest.mark.parametrize(
    "reply",
    [
        "exit 1",
        "echo garbage",
        "echo '[1, 2]'",
        "exec tr '\\0' x < /dev/zero",
        "exec sleep 300",
    ],
)
def test_a_worker_that_breaks_on_the_packs_own_formula_is_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reply: str
) -> None:
    pretend(tmp_path, monkeypatch, "echo '{\"ready\": true}'", "read -r line", reply)
    with FormulaJudge(wall_limit_s=0.5) as judge:
        assert finding(judge) is Finding.BROKEN


def test_a_proof_that_takes_too_long_leaves_the_verdict_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    so_far = '{"verdict": {"finding": "agrees", "points": 44, "at": []}}'
    pretend(
        tmp_path, monkeypatch, "echo '{\"ready\": true}'", "read -r line",
        f"echo '{so_far}'", "exec sleep 300",
    )  # fmt: skip
    with FormulaJudge(wall_limit_s=1.0) as judge:
        verdict = judge.judge(REFERENCE, VARIABLES, RIGHT, 0)
    assert (verdict.finding, verdict.points) == (Finding.AGREES, 44)
