"""The modules that a pack preloads: those that student code could not have are told beforehand."""

from __future__ import annotations

import importlib.util

import pytest
from sound_pack import PackFolder, assert_in_plain_words

# What stands in the list, and the problem and the mend that are told of it.
FAULTS = {
    "typo": ("scipyy", '"scipyy" is not installed', "did you mean scipy?"),
    "typo of what is likely not installed": ("tensorflwo", "not installed", "mean tensorflow?"),
    "typo in a submodule": ("numpy.linlag", 'numpy has no module "linlag"', "numpy.linalg?"),
    "submodule of a submodule": ("numpy.linalg.x", 'numpy.linalg has no module "x"', "write "),
    "submodule of a module": ("numpy.version.x", 'numpy.version has no module "x"', "write "),
    "unknown": ("xq_zz_1", "is not installed where the grader runs", "correct the name"),
    "short": ("pd", "is not installed where the grader runs", "correct the name"),
    "the grader": ("grader.sandbox", "not for student code", "take it out"),
    "no name": ("3d", "this is the text", 'preload = ["numpy", "scipy"]'),
    "a path": ("scipy/linalg", "a module's name, like numpy or scipy.linalg", "preload = ["),
    "relative": (".scipy", "a module's name", "preload = ["),
    "empty": ("", "this is an empty text", "preload = ["),
    "a line break": ("scipy\\n", "a module's name", "preload = ["),
}


def preload(pack: PackFolder, value: str) -> None:
    pack.change("problem.toml", "seed = 7", f"seed = 7\npreload = {value}")


@pytest.mark.parametrize(("name", "problem", "mend"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_preloaded_is_told_in_its_place(pack: PackFolder, name, problem, mend):
    preload(pack, f'["numpy", "{name}"]')
    (fault,) = pack.faults()
    assert fault.where == "preload.#2"
    assert problem in fault.problem
    assert mend in fault.mend
    assert_in_plain_words(fault)


@pytest.mark.parametrize(("name", "package"), [("torch", "torch"), ("sklearn", "scikit-learn")])
def test_a_package_that_is_not_installed_is_told_with_how_to_install_it(
    pack: PackFolder, monkeypatch: pytest.MonkeyPatch, name: str, package: str
):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    preload(pack, f'["{name}"]')
    (fault,) = pack.faults()
    assert str(fault) == (
        f'preload.#1: "{name}" is not installed where the grader runs — '
        f"install it: pip install {package}"
    )


def test_a_name_that_may_be_a_typo_is_never_told_to_be_installed(pack: PackFolder):
    preload(pack, '["tourch", "nunpy", "xq_zz_1"]')
    assert not any("pip install" in fault.mend for fault in pack.faults())


@pytest.mark.parametrize("value", ['"numpy"', "7", "[7]", "[[]]", "{}", "true"])
def test_what_is_no_list_of_names_is_told(pack: PackFolder, value: str):
    preload(pack, value)
    (fault,) = pack.faults()
    assert fault.where.startswith("preload")


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ('["numpy.fft", "json", "os.path"]', ("numpy.fft", "json", "os.path")),
        ("[]", ()),
        ('["numpy"]', ("numpy",)),
    ],
)  # fmt: skip
def test_what_is_there_is_taken(pack: PackFolder, value: str, names: tuple[str, ...]):
    preload(pack, value)
    assert pack.load().problem.preload == names


def test_numpy_is_what_is_there_without_a_word(pack: PackFolder):
    assert pack.load().problem.preload == ("numpy",)
