"""What a pack preloads works inside as it does outside, and nothing besides can be read."""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from routines import NUMPY, NUMPY_PRELUDE, SCIPY, SCIPY_PRELUDE

from grader.errors import SandboxError
from grader.evidence import Chunk, Ending, Observation, Stimulus, Submission
from grader.problem import Limits
from grader.sandbox import server
from grader.sandbox.batch import make_batch
from grader.sandbox.child import packages
from grader.sandbox.server import Sandbox
from grader.sandbox.zygote import Zygote
from grader.value import same

if sys.platform != "linux":
    pytest.skip("fork servers are Linux's", allow_module_level=True)

LIMITS = Limits(call_time_s=30, import_time_s=30, submission_time_s=120, memory_mb=512)
SITE = Path(np.__file__).parents[1]
LIBRARIES = "tests.sandbox.libraries"
HERE = Path(__file__).parent / "libraries"

Observe = Callable[[str, list[Stimulus]], tuple[Observation, ...]]


def observe(sandbox: Sandbox, code: str, calls: list[Stimulus]) -> tuple[Observation, ...]:
    submission = Submission("x", "x", (Chunk("work.py", code.encode()),), {}, {}, "d")
    ran = sandbox.run(submission, make_batch([[call] for call in calls], LIMITS))
    assert ran.load.ending is Ending.RETURNED, ran.load.error
    return ran.observations


def value(sandbox: Sandbox, code: str, *arguments: Any) -> Any:
    (seen,) = observe(sandbox, code, [Stimulus("f", arguments)])
    assert seen.ending is Ending.RETURNED, (seen.error, seen.note)
    return seen.value


@pytest.fixture(scope="module")
def scipy_sandbox() -> Iterator[Sandbox]:
    with Sandbox(["scipy.linalg"]) as sandbox:
        yield sandbox


@pytest.fixture(scope="module")
def library_sandbox() -> Iterator[Sandbox]:
    needs_libraries()
    with Sandbox([f"{LIBRARIES}.single", f"{LIBRARIES}.package"]) as sandbox:
        yield sandbox


def needs_libraries() -> None:
    program = f"import {LIBRARIES}"
    if subprocess.run([sys.executable, "-I", "-c", program], cwd="/", check=False).returncode:
        pytest.skip("the libraries of this test are found only if grader is installed editable")


# --- the same inside and outside -----------------------------------------------------------


def _assert_same_inside(sandbox: Sandbox, prelude: str, table: str) -> None:
    expressions = table.strip().split("\n")
    code = f"{prelude}\nEXPRESSIONS = {expressions!r}\n"
    code += "def f(i): return plain(eval(EXPRESSIONS[i]))\n"
    outside: dict[str, Any] = {}
    exec(code, outside)
    seen = observe(sandbox, code, [Stimulus("f", (i,)) for i in range(len(expressions))])
    for index, (expression, inside) in enumerate(zip(expressions, seen, strict=True)):
        assert inside.ending is Ending.RETURNED, (expression, inside.error, inside.note)
        expected = outside["f"](index)
        assert same(inside.value, expected, rtol=1e-9, atol=1e-12), expression


def test_numpys_routines_work_the_same_inside(sandbox: Sandbox) -> None:
    _assert_same_inside(sandbox, NUMPY_PRELUDE, NUMPY)


def test_scipys_routines_work_the_same_inside(scipy_sandbox: Sandbox) -> None:
    """Of which only scipy.linalg was loaded beforehand."""
    _assert_same_inside(scipy_sandbox, SCIPY_PRELUDE, SCIPY)


TORCH = """
import torch
def f():
    torch.manual_seed(3)
    x, y = torch.randn(64, 8), torch.randn(64, 1)
    model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(5):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    attended, _ = attention(x[None], x[None], x[None])
    image = torch.nn.functional.conv2d(torch.randn(1, 3, 16, 16), torch.randn(4, 3, 3, 3))
    found = [loss, attended.sum(), image.sum(), torch.linalg.svdvals(x).sum()]
    found += [torch.fft.fft(x).abs().sum(), torch.einsum('ij,ij->i', x, x).sum()]
    return [float(each.detach()) for each in found] + [x[:2].numpy()]
"""


def test_torch_works_inside() -> None:
    if importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed")
    with Sandbox(["torch"]) as sandbox:
        inside = value(sandbox, TORCH)
    program = f"{TORCH}\ntorch.set_num_threads(1)\nprint([x for x in f()[:-1]])"
    outside = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert np.allclose(inside[:-1], eval(outside.stdout), rtol=1e-4)


# --- what may be read, and what may be imported --------------------------------------------

READ = """
import os
def f(paths):
    seen = []
    for path in paths:
        try:
            os.listdir(path) if os.path.isdir(path) else open(path, 'rb').read(1)
            seen.append(True)
        except OSError:
            seen.append(False)
    return seen
"""


def _own_zygote(monkeypatch: pytest.MonkeyPatch, **denied: bool) -> None:
    """Have sandboxes do without Landlock, or without namespaces."""

    class Without(Zygote):
        def __init__(self, preload: Any, *, landlock: bool, namespaces: bool) -> None:
            asked = {"landlock": landlock, "namespaces": namespaces} | denied
            super().__init__(preload, **asked)

    monkeypatch.setattr(server, "Zygote", Without)
    monkeypatch.setattr(server, "take_ahead", lambda: None)


def _assert_no_more_is_readable(sandbox: Sandbox) -> None:
    import click
    import pydantic

    grader_folder = Path(server.__file__).parents[1]
    wanted = {
        SITE / "numpy" / "linalg": True,
        SITE / "scipy" / "stats" / "__init__.py": True,
        SITE / "scipy.libs": True,
        SITE: False,
        Path(pydantic.__file__).parent: False,
        Path(click.__file__): False,
        grader_folder: False,
        grader_folder / "sandbox" / "child" / "load.py": False,
        grader_folder.parent / "pyproject.toml": False,
        next(SITE.glob("scipy-*.dist-info")): False,
    }
    there = {str(path): readable for path, readable in wanted.items() if path.exists()}
    found = value(sandbox, READ, list(there))
    assert dict(zip(there, found, strict=True)) == there


def test_the_preloaded_packages_folders_can_be_read_and_no_more(scipy_sandbox: Sandbox) -> None:
    _assert_no_more_is_readable(scipy_sandbox)


def test_the_same_is_readable_where_there_are_no_namespaces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _own_zygote(monkeypatch, namespaces=False)
    with Sandbox(["scipy"]) as sandbox:
        assert sandbox.isolation.tier == "B"
        _assert_no_more_is_readable(sandbox)


def test_of_a_namespace_only_what_was_loaded_can_be_read(library_sandbox: Sandbox) -> None:
    wanted = {"single.py": True, "package": True, "package/later.py": True}
    wanted |= {"beside.py": False, "threads.py": False, ".": False, "..": False}
    found = value(library_sandbox, READ, [str(HERE / name) for name in wanted])
    assert dict(zip(wanted, found, strict=True)) == wanted


def test_a_package_loads_its_other_modules_on_first_use(library_sandbox: Sandbox) -> None:
    code = f"def f():\n    from {LIBRARIES}.package.later import ANSWER\n    return ANSWER\n"
    assert value(library_sandbox, code) == 42


def test_what_lies_beside_a_preloaded_module_cannot_be_imported(library_sandbox: Sandbox) -> None:
    code = f"def f():\n    import {LIBRARIES}.beside\n"
    (seen,) = observe(library_sandbox, code, [Stimulus("f", ())])
    assert seen.error is not None
    assert seen.error.type == "ModuleNotFoundError"


def test_dev_null_is_there_to_print_to(sandbox: Sandbox) -> None:
    code = "def f():\n    with open('/dev/null', 'w') as out: return print('quiet', file=out)\n"
    assert value(sandbox, code) is None


IMPORT = """
def f(name):
    try:
        __import__(name)
    except ImportError as error:
        return [type(error).__name__, str(error)]
"""
ASK = "only the author of the problem can add"
ONLY = "here you may import the standard library, numpy and scipy"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pandas", f"No module named 'pandas': {ONLY}; {ASK} pandas"),
        ("mine", f"No module named 'mine': {ONLY}"),
        ("click", f"No module named 'click': {ONLY}"),
        ("grader", f"No module named 'grader': {ONLY}"),
        ("pydantic", f"No module named 'pydantic': {ONLY}"),
        ("scipy.linlag", "No module named 'scipy.linlag'"),
        ("numpy.linlag", "No module named 'numpy.linlag'"),
        ("json.nothing", "No module named 'json.nothing'"),
    ],
)  # fmt: skip
def test_another_import_is_told_what_there_is(scipy_sandbox: Sandbox, name: str, said: str) -> None:
    assert value(scipy_sandbox, IMPORT, name) == ["ModuleNotFoundError", said]


def test_without_files_only_what_was_preloaded_can_be_imported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _own_zygote(monkeypatch, landlock=False)
    with Sandbox(["scipy.special", "colorsys"]) as sandbox:
        assert sandbox.isolation.tier == "C"
        code = f"import scipy.special\n{IMPORT}"
        names = ("scipy.special", "colorsys", "statistics", "scipy.stats", "wave", "pandas")
        calls = [Stimulus("f", (name,)) for name in names]
        *there, stats, wave, pandas = (seen.value for seen in observe(sandbox, code, calls))
    only = "here you may import only what was loaded beforehand: numpy, scipy and the most usual"
    assert there == [None, None, None]
    assert stats[1].startswith(f"No module named 'scipy.stats': {only}")
    assert wave[1].startswith(f"No module named 'wave': {only}")
    assert pandas[1].endswith("; only the author of the problem can add pandas")


# --- what cannot be preloaded --------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("threads", "threads cannot be preloaded: importing it starts threads"),
        ("leaves", "leaves cannot be preloaded: SystemExit: this machine will not do"),
        ("nowhere", r"nowhere cannot be preloaded: ModuleNotFoundError"),
        ("dies", r"died: .*while preloading json, tests\.sandbox\.libraries\.dies"),
    ],
)
def test_what_cannot_be_preloaded_is_an_error_that_names_it(module: str, said: str) -> None:
    needs_libraries()
    with (
        Sandbox(["json", f"{LIBRARIES}.{module}"]) as sandbox,
        pytest.raises(SandboxError, match=f"(?s){said}"),
    ):
        assert sandbox.isolation


def test_without_a_fork_server_it_is_an_error_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "has_fork_server", lambda: False)
    with (
        Sandbox(["unittest.nowhere"]) as sandbox,
        pytest.raises(SandboxError, match=r"unittest\.nowhere cannot be preloaded"),
    ):
        value(sandbox, "def f(): return 1\n")


def test_another_preload_replaces_the_fork_server_and_numpy_alone_does_not() -> None:
    parent = "import os\ndef f(): return os.getppid()\n"
    with Sandbox() as sandbox:
        first = value(sandbox, parent)
        sandbox.preload(["numpy"])
        assert value(sandbox, parent) == first
        sandbox.preload(["numpy", "json.tool"])
        second = value(sandbox, parent)
        assert second != first
        assert sandbox.available == ("numpy",)
        with Sandbox(like=sandbox) as other:
            code = "import sys\ndef f(): return 'json.tool' in sys.modules\n"
            assert value(other, code) is True


# --- which paths belong to a package -------------------------------------------------------

_fresh = itertools.count()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Writes a package's files into a folder of packages, and imports it."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(*files: str) -> str:
        name = f"fake{next(_fresh)}"
        for file in files:
            path = tmp_path / file.replace("NAME", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{name}/__init__.py,sha256=x,1\n" if "RECORD" in file else "")
        importlib.import_module(name)
        return name

    return install


def test_a_package_has_its_libraries_by_its_own_or_its_distributions_name(
    installed: Callable[..., str], tmp_path: Path
) -> None:
    others = ("other.libs/c.so", "other-1.dist-info/METADATA")
    first = installed("NAME/__init__.py", "NAME.libs/a.so", *others)
    dist = ("fake_dist.libs/b.so", "fake_dist-1.0.dist-info/RECORD")
    second = installed("NAME/__init__.py", *dist, *others)
    search = [str(tmp_path)]
    assert packages.paths_of([first], search) == [tmp_path / first, tmp_path / f"{first}.libs"]
    assert packages.paths_of([second], search) == [tmp_path / second, tmp_path / "fake_dist.libs"]


def test_a_package_whose_folder_holds_other_packages_is_refused(
    installed: Callable[..., str], tmp_path: Path
) -> None:
    name = installed("NAME/__init__.py", "NAME/site-packages/other.py")
    with pytest.raises(packages.TooWide, match="site-packages"):
        packages.paths_of([name], [str(tmp_path), str(tmp_path / name / "site-packages")])


def test_the_graders_own_folder_is_never_granted() -> None:
    for name in ("grader", "grader.sandbox.child", "grader.problem"):
        with pytest.raises(packages.TooWide):
            packages.paths_of([name], [os.getcwd()])
