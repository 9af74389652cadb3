"""`make bench`: ratios measured in one run on one machine; seconds are only their raw material."""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.isolation import isolation
from benchmarks.measure import Cost, grader, run
from benchmarks.submissions import write

HERE = Path(__file__).parent
PEER = HERE / "peer" / "test_attention.py"
FOUNDING = HERE.parent / "problems" / "attention_copying"
SHIPPED = HERE.parent / "submissions" / "attention_copying"
CLASS = 100
ROUNDS = 7


def main() -> None:
    """Run every benchmark and print what it found."""
    packs = {"The eight checks": HERE / "pack", "The founding pack": FOUNDING}
    isolation(packs, next(SHIPPED.glob("*/ada")) / "attention.py")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _class_of_a_hundred(folder / "hundred")
        _growth(folder / "growth")
        _one_check(folder / "one")


def _pack(folder: Path) -> Path:
    shutil.copytree(HERE / "pack", folder / "pack")
    return folder / "pack"


def _class_of_a_hundred(folder: Path) -> None:
    print(f"## {CLASS} submissions, eight checks each, reports included")
    write(folder / "class", CLASS)
    pack = _pack(folder)
    ours = run(grader("grade", str(pack), "class", "-o", "out"), folder)
    _require(ours, 0)
    theirs = _pytest_each(folder / "class")
    print(f"grader grade          {_per(ours.cpu_s)} CPU a submission")
    print(f"pytest, one process   {_per(theirs)} CPU a submission")
    print(f"ratio                 {theirs / ours.cpu_s:.1f}x less CPU  (budget: 20x)\n")


def _pytest_each(students: Path) -> float:
    total_s = 0.0
    for home in sorted(students.iterdir()):
        shutil.copy(PEER, home)
        total_s += run(_pytest(), home).cpu_s
    return total_s


def _pytest() -> list[str]:
    options = ["-q", "-p", "no:cacheprovider", "--junitxml=report.xml"]
    return [sys.executable, "-m", "pytest", *options, "test_attention.py"]


def _growth(folder: Path) -> None:
    print("## Growth with the size of the class")
    folder.mkdir()
    pack = _pack(folder)
    before: Cost | None = None
    for count in (250, 500, 1000):
        write(folder / f"class{count}", count)
        cost = run(grader("grade", str(pack), f"class{count}", "-o", f"out{count}"), folder)
        _require(cost, 0)
        growth = f", {cost.cpu_s / before.cpu_s:.2f}x the CPU of half as many" if before else ""
        each_ms = 1000 * cost.wall_s / count
        print(
            f"{count:5} submissions: {cost.wall_s:6.1f} s, {each_ms:.1f} ms each, "
            f"peak {cost.peak_mb:.0f} MB{growth}"
        )
        before = cost
    print("(budget: linear, under 300 MB)\n")


def _one_check(folder: Path) -> None:
    print(f"## One student's check, medians of {ROUNDS}, turn by turn")
    write(folder, 1)
    home = folder / "student0000"
    shutil.copy(PEER, home)
    pack = _pack(folder)
    model = next(SHIPPED.glob("*/ada"))
    commands = {
        "pytest, eight checks": (_pytest(), home),
        "grader check, the same eight and two formulas": (
            grader("check", str(pack), "student0000"),
            folder,
        ),
        "grader check, founding pack (26 criteria, 4 answers in words)": (
            grader("check", str(FOUNDING), str(model)),
            folder,
        ),
    }
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, (command, where) in commands.items():
            costs[name].append(run(command, where))
            _require(costs[name][-1], 0)
    medians = {name: statistics.median(c.wall_s for c in each) for name, each in costs.items()}
    peer = medians["pytest, eight checks"]
    for name, wall_s in medians.items():
        print(f"{name:62} {wall_s:.2f} s  {wall_s / peer:.2f}x")
    print("(budget: 1x)")


def _per(cpu_s: float) -> str:
    return f"{1000 * cpu_s / CLASS:7.1f} ms"


def _require(cost: Cost, exit_code: int) -> None:
    if cost.exit_code != exit_code:
        raise SystemExit(f"the grader exited {cost.exit_code}, not {exit_code}: nothing to compare")


main()
