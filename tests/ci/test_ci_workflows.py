"""The ready files under docs/ci: their shell is run as the service would run it."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import schemas
import yaml
from ci_checkout import GRADER, RIGHT, environment, make_checkout, make_pack
from runner_model import read_log, read_outputs, reporter_points

DOCS = Path(__file__).parents[2] / "docs" / "ci"
WORKFLOWS = sorted(DOCS.glob("*.yml"))


def steps_of(name):
    workflow = yaml.safe_load((DOCS / name).read_text(encoding="utf-8"))
    [job] = workflow["jobs"].values()
    return job["steps"]


def step_called(name, steps):
    return next(step for step in steps if step["name"] == name)


class Job:
    """A job on a runner: a workspace, the runner's files, and steps run one after another."""

    def __init__(self, folder: Path) -> None:
        self.workspace, self.temporary = folder / "workspace", folder / "temporary"
        self.workspace.mkdir()
        self.temporary.mkdir()
        self.outputs: dict[str, dict[str, str]] = {}
        self.log = b""

    def run(self, step, **expressions):
        """Run a step's shell; `expressions` gives what stands in ``${{ … }}`` of its variables."""
        files = {
            name: self.temporary / f"{name}-{len(self.outputs)}"
            for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")
        }
        for path in files.values():
            path.write_text("")
        variables = {k: _filled(v, expressions) for k, v in step.get("env", {}).items()}
        done = subprocess.run(
            ["bash", "-e", "-c", step["run"]],
            cwd=self.workspace / step.get("working-directory", "."),
            env=environment(
                GITHUB_ACTIONS="true",
                GITHUB_WORKSPACE=str(self.workspace),
                RUNNER_TEMP=str(self.temporary),
                **{name: str(path) for name, path in files.items()},
                **variables,
            ),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=120,
            check=False,
        )
        self.log += done.stdout
        self.outputs[step.get("id", step["name"])] = read_outputs(
            files["GITHUB_OUTPUT"].read_text(encoding="utf-8")
        )
        return done.returncode


def _filled(value, expressions):
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda match: expressions[match[1]], value)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_no_expression_is_pasted_into_a_shell(path):
    shells = [step["run"] for step in steps_of(path.name) if "run" in step]
    assert shells
    assert not [shell for shell in shells if "${{" in shell]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_asks_for_little_and_installs_the_grader_by_name(path):
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(workflow["permissions"]) <= {"contents", "checks"}
    assert workflow["permissions"]["contents"] == "read"
    steps = steps_of(path.name)
    assert step_called("Install the grader", steps)["run"] == "pip install --quiet grader"
    for step in steps:
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize(
    ("source", "points", "status"),
    [(RIGHT, (3, 4), "pass"), ("def double(x):\n    return 0\n", (1, 4), "fail")],
)
def test_the_classroom_workflow_grades_and_hands_on(tmp_path, source, points, status):
    steps = steps_of("github-classroom.yml")
    job = Job(tmp_path)
    make_checkout(job.workspace / "work", {"work.py": source})
    make_pack(job.workspace / "pack" / "problems" / "attention_copying")
    assert job.run(step_called("Grade", steps)) == 0

    report = step_called("Report to GitHub Classroom", steps)
    runner = report["with"]["runners"]
    value = report["env"][f"{runner.upper()}_RESULTS"]
    encoded = _filled(value, {f"steps.{runner}.outputs.result": job.outputs[runner]["result"]})
    assert reporter_points(encoded) == points
    result = json.loads(base64.b64decode(encoded))
    jsonschema.validate(result, schemas.CLASSROOM)
    assert result["status"] == status
    assert "if" not in report


def test_the_classroom_workflow_stops_where_the_grader_is_at_fault(tmp_path):
    job = Job(tmp_path)
    make_checkout(job.workspace / "work", {"work.py": RIGHT})
    make_pack(job.workspace / "pack" / "problems" / "attention_copying", reference="1 / 0\n")
    assert job.run(step_called("Grade", steps_of("github-classroom.yml"))) == 1
    assert [command.name for command in read_log(job.log).obeyed] == ["error"]


GH = """\
#!/bin/sh
# Stands in for GitHub's own command: three repositories, of which one cannot be cloned.
case "$1 $2" in
  "repo list") printf 'hw1-ada\\nhw1-bob\\nhw2-ada\\nhw1-gone\\n' ;;
  "repo clone")
    case "$3" in *gone) exit 1 ;; esac
    mkdir -p "$4" && cp "$STUDENTS/${3#*/}.py" "$4/work.py" ;;
esac
"""


def test_the_class_workflow_fetches_and_grades_one_assignment(tmp_path, monkeypatch):
    steps = steps_of("grade-class.yml")
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "gh").write_text(GH)
    (programs / "gh").chmod(0o755)
    for name in ("hw1-ada", "hw1-bob", "hw2-ada"):
        (tmp_path / f"{name}.py").write_text(RIGHT)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    job = Job(tmp_path)
    make_pack(job.workspace / "problems" / "attention_copying")
    fetch = step_called("Fetch the submissions", steps)
    fetch["env"]["STUDENTS"] = str(tmp_path)
    secret = "secrets.STUDENT_REPOSITORIES_TOKEN"
    assert job.run(fetch, **{secret: "t0ken", "inputs.assignment": "hw1"}) == 0
    warnings = [command.data for command in read_log(job.log).obeyed]
    assert warnings == ["hw1-gone could not be fetched and is not graded"]

    grade = step_called("Grade", steps)
    assert "GH_TOKEN" not in grade.get("env", {})
    assert job.run(grade) == 0
    table = (job.temporary / "reports" / "gradebook.csv").read_text(encoding="utf-8")
    assert re.findall(r"^[\w-]+", table, re.M)[1:] == ["hw1-ada", "hw1-bob"]


def test_the_classroom_50_script_grades_the_folder_it_is_started_in(tmp_path):
    bundle = tmp_path / "bundle"
    make_pack(bundle / "pack")
    script = shutil.copy(DOCS / "classroom50" / "autograder.py", bundle)
    trap = "raise SystemExit('the student is in charge')\n"
    files = {"work.py": RIGHT, "pip.py": trap, "grader.py": trap, "click.py": trap}
    work = make_checkout(tmp_path / "work", files)
    there = {"CLASSROOM": "c", "ASSIGNMENT": "a", "SUBMISSION_TAG": "submit/x"}
    done = subprocess.run(
        [sys.executable, script],
        cwd=work,
        env=environment(PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1", **there),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result = json.loads((work / "result.json").read_text())
    jsonschema.validate(result, schemas.CLASSROOM50)
    assert result["score"] == 300


def test_the_gradescope_script_grades_what_was_handed_in(tmp_path):
    root = tmp_path / "autograder"
    make_pack(root / "source" / "pack")
    make_checkout(root / "submission", {"work.py": RIGHT})
    (root / "venv" / "bin").mkdir(parents=True)
    (root / "venv" / "bin" / "grader").symlink_to(GRADER)
    done = subprocess.run(
        [DOCS / "gradescope" / "run_autograder"],
        cwd=root,
        env=environment(GRADER_GRADESCOPE_ROOT=str(root)),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results = json.loads((root / "results" / "results.json").read_text())
    jsonschema.validate(results, schemas.GRADESCOPE)
    assert results["score"] == 3


@pytest.mark.parametrize("name", ["setup.sh", "run_autograder"])
def test_gradescope_scripts_are_sound_shell_and_can_be_started(name):
    path = DOCS / "gradescope" / name
    assert os.access(path, os.X_OK)
    assert subprocess.run(["bash", "-n", path], timeout=20, check=False).returncode == 0


def test_the_readme_names_every_file_beside_it():
    readme = (DOCS / "README.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(([^)#]+)\)", readme))
    files = {str(p.relative_to(DOCS)) for p in DOCS.rglob("*") if p.is_file()}
    assert linked == files - {"README.md"}
