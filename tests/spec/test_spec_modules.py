"""A pack's Python is loaded by path, in isolation, and its faults are told like all others."""

from __future__ import annotations

import sys
import threading

import numpy as np
import pytest
from sound_pack import PackFolder, assert_in_plain_words

from grader import spec

MODULES = {"reference", "inputs", "checks", "misconceptions", "shared_arrays"}


def test_nothing_is_left_behind(pack: PackFolder):
    pack.write("shared_arrays.py", "ONE = 1\n")
    pack.change(
        "checks.py", "def", "import sys\nimport shared_arrays\nsys.path.insert(0, '/x')\n\n\ndef"
    )
    before = {*sys.modules}, [*sys.path], [*sys.meta_path]

    pack.load()

    assert ({*sys.modules} & MODULES, sys.path, sys.meta_path) == (set(), before[1], before[2])
    assert not list(pack.path.rglob("__pycache__"))


def test_nothing_is_left_behind_by_a_pack_that_fails(pack: PackFolder):
    pack.write("checks.py", "import reference\nimport sys\nsys.path.clear()\nraise OSError\n")
    before = [*sys.path], [*sys.meta_path]
    pack.faults()
    assert ({*sys.modules} & MODULES, sys.path, sys.meta_path) == (set(), *before)


def test_a_module_of_the_same_name_from_elsewhere_is_neither_used_nor_lost(pack, monkeypatch):
    stranger = type(sys)("reference")
    stranger.variance = lambda x: "a stranger's"
    monkeypatch.setitem(sys.modules, "reference", stranger)

    loaded = pack.load()

    assert loaded.misconceptions["sample_variance"](np.array([0.0, 2.0])) == 2.0
    assert sys.modules["reference"] is stranger


def test_a_file_beside_the_working_folder_never_stands_in_for_the_packs(
    pack, tmp_path, monkeypatch
):
    (tmp_path / "reference.py").write_text("variance = None\n")
    monkeypatch.syspath_prepend(tmp_path)
    (pack.path / "reference.py").unlink()
    faults = {fault.where: fault for fault in pack.faults()}
    assert "the pack has no reference.py" in faults["misconceptions.py line 1"].problem


def test_two_packs_do_not_mix(pack: PackFolder, tmp_path):
    other = PackFolder(tmp_path / "other")
    other.change("reference.py", "return", "return 10 *")
    one, two = pack.load(), other.load()
    x = np.array([0.0, 2.0])
    assert (one.reference["variance"](x), two.reference["variance"](x)) == (1.0, 10.0)
    assert one.misconceptions["sample_variance"](x) == 2.0
    assert two.misconceptions["sample_variance"](x) == 20.0


def test_two_packs_loaded_at_once_do_not_mix(pack: PackFolder, tmp_path):
    other = PackFolder(tmp_path / "other")
    other.change("reference.py", "return", "return 10 *")
    for one in (pack, other):
        one.change("reference.py", "def", "import time\ntime.sleep(0.05)\n\n\ndef")
    seen = {}

    def load(key, path):
        seen[key] = spec.load(path).misconceptions["sample_variance"](np.array([0.0, 2.0]))

    threads = [threading.Thread(target=load, args=(p.path.name, p.path)) for p in (pack, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {"spread": 2.0, "other": 20.0}


def test_a_stale_pycache_is_not_trusted(pack: PackFolder, tmp_path):
    import importlib.util
    import py_compile

    wrong = tmp_path / "wrong.py"
    wrong.write_text("def variance(x):\n    return -1\n")
    source = pack.path / "reference.py"
    cached = importlib.util.cache_from_source(str(source))
    py_compile.compile(
        str(wrong), cfile=cached, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    assert pack.load().reference["variance"](np.array([0.0, 2.0])) == 1.0


# What is written into which file; where the fault is; words of the problem and of the mend.
BROKEN = {
    "syntax": (
        "inputs.py",
        "x = 1\ndef samples(rng)\n    yield 1\n",
        "inputs.py line 2",
        "SyntaxError: expected ':'\n      2 | def samples(rng)",
        "mend this line",
    ),
    "indentation": (
        "inputs.py",
        "def f():\nx = 1\n",
        "inputs.py line 2",
        "IndentationError",
        "mend",
    ),
    "not UTF-8": (
        "inputs.py",
        b"x = 'caf\xe9'\n",
        "inputs.py line 1",
        "SyntaxError: (unicode error)",
        "mend",
    ),
    "a NUL": ("inputs.py", b"x = '\0'\n", "inputs.py", "null bytes", "mend"),
    "deep nesting": (
        "inputs.py",
        "x = " + "(" * 5000,
        "inputs.py line 1",
        "too many nested",
        "mend",
    ),
    "raises": (
        "inputs.py",
        "def f():\n    return 1 / 0\n\n\nf()\n",
        "inputs.py line 2",
        "ZeroDivisionError: division by zero, when the file is loaded\n      2 | return 1 / 0",
        "do no more than define its functions",
    ),
    "raises elsewhere": (
        "inputs.py",
        "import numpy as np\n\nX = np.zeros(3).reshape(2, 2)\n",
        "inputs.py line 3",
        "ValueError: cannot reshape array",
        "mend this line",
    ),
    "exits": ("inputs.py", "raise SystemExit(0)\n", "inputs.py line 1", "SystemExit: 0", "exits"),
    "runs away": (
        "inputs.py",
        "def f():\n    f()\n\n\nf()\n",
        "inputs.py line 2",
        "Recursion",
        "mend",
    ),
    "a message without end": (
        "inputs.py",
        "raise OSError('no\\n' * 100000)\n",
        "inputs.py line 1",
        "OSError: no no no",
        "mend",
    ),
    "no such library": (
        "inputs.py",
        "import surely_not_installed\n",
        "inputs.py line 1",
        "ModuleNotFoundError: No module named 'surely_not_installed'",
        "install surely_not_installed where the grader runs; the pack's own files are checks.py",
    ),
    "no such file": (
        "misconceptions.py",
        "from referense import variance\n",
        "misconceptions.py line 1",
        "No module named 'referense'",
        "did you mean reference?",
    ),
    "no such name": (
        "misconceptions.py",
        "from reference import varianse\n",
        "misconceptions.py line 1",
        "cannot import name 'varianse' from 'reference'",
        "did you mean variance?",
    ),
    "a late import": (
        "misconceptions.py",
        "def sample_variance(x):\n    from reference import variance\n    return variance(x)\n",
        "misconceptions.py line 2",
        "imports reference inside a function",
        "at the top of the file",
    ),
    "a late import on one line": (
        "misconceptions.py",
        "def sample_variance(x): from reference import variance; return variance(x)\n",
        "misconceptions.py line 1",
        "imports reference inside a function",
        "at the top of the file",
    ),
    "a late import of a module": (
        "misconceptions.py",
        "def sample_variance(x):\n    import numpy, reference\n    return reference.variance(x)\n",
        "misconceptions.py line 2",
        "imports reference inside a function",
        "at the top of the file",
    ),
    "a name of Python's": (
        "random.py",
        "x = 1\n",
        "random.py",
        "hides the module random",
        "another name",
    ),
    "a name of numpy's": ("numpy.py", "x = 1\n", "numpy.py", "hides the module", "another name"),
    "not a function": (
        "checks.py",
        "is_not_negative = [1]\n",
        "parts.a.criteria.sign.check",
        "is_not_negative in checks.py is of type list, not a function",
        "with def",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_told_with_its_line(pack: PackFolder, name: str):
    file, content, where, problem, mend = BROKEN[name]
    pack.write(file, content)

    (fault,) = pack.faults()

    assert fault.where == where
    assert problem in fault.problem
    assert mend in fault.mend
    assert str(pack.path) not in str(fault)
    assert_in_plain_words(fault)


def test_a_broken_file_is_told_once_though_others_import_it(pack: PackFolder):
    pack.write("reference.py", "1 / 0\n")
    (fault,) = pack.faults()
    assert fault.where == "reference.py line 1"


def test_files_that_import_each_other_in_a_circle(pack: PackFolder):
    pack.change("reference.py", "def", "from checks import is_not_negative\n\n\ndef")
    pack.change("checks.py", "def", "from reference import variance\n\n\ndef")
    faults = pack.faults()
    assert all("circular import" in fault.problem for fault in faults)


def test_a_missing_file_is_told_once_with_all_that_it_should_hold(pack: PackFolder):
    (pack.path / "inputs.py").unlink()
    pack.change("problem.toml", 'inputs = "samples"\ncheck', 'inputs = "pairs"\ncheck')
    (fault,) = pack.faults()
    assert fault.where == "inputs.py"
    assert (
        fault.problem == "is missing, though parts.a.criteria.values.inputs names a function in it"
    )
    assert fault.mend == "add it to the pack's folder, with samples and pairs"


def test_a_file_that_nothing_needs_may_be_missing(pack: PackFolder):
    (pack.path / "misconceptions.py").unlink()
    pack.change("problem.toml", "functions = { variance =", "# functions = { variance =")
    assert pack.load().misconceptions == {}


def test_private_names_are_no_functions_of_the_pack(pack: PackFolder):
    pack.change("checks.py", "def is_not", "def _is_not")
    pack.change("problem.toml", '"is_not_negative"', '"_is_not_negative"')
    (fault,) = pack.faults()
    assert "begins with _" in fault.problem
    assert "rename it" in fault.mend


def test_an_interrupt_is_not_swallowed(pack: PackFolder):
    pack.write("checks.py", "raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        pack.load()
    assert not {*sys.modules} & MODULES
