"""Entry 6, and with it 5, 7, 8 and 9: there is nothing to steal.  Secrets are planted in every part
of a pack and of the grader, and a submission searches its own process for them."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

import pytest
from grading import grader, managed, results
from pack import write_pack
from scanner import SCANNER, secret_float, secret_integer

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="memory is read as on Linux")

ENOUGH_BYTES = 20 << 20
"""So much of a process with numpy in it must have been read for the search to mean anything."""


class Planted:
    """Secrets by where they were planted, in the form in which the search names them."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def text(self, where: str) -> str:
        self.names[where] = f"MARK-{secrets.token_hex(8)}"
        return self.names[where]

    def float(self, where: str) -> float:
        number = secrets.randbits(32)
        self.names[where] = f"float-{number}"
        return secret_float(number)

    def integer(self, where: str) -> int:
        number = secrets.randbits(29)
        self.names[where] = f"integer-{number}"
        return secret_integer(number)


def pack_with(planted: Planted, folder: Path) -> Path:
    """The pack, with a secret in every file and every kind of answer."""
    pack = write_pack(folder, planted.text("reference, as text"))
    toml = (pack / "problem.toml").read_text()
    toml = toml.replace("seed = 4242", f"seed = {planted.integer('seed')}")
    toml = toml.replace('check = "kept"', f'check = "kept"\nhint = "{planted.text("hidden hint")}"')
    toml = toml.replace('title = "Doubles arrays"', f'title = "{planted.text("hidden title")}"')
    toml = toml.replace("import_time_s = 1.0", "import_time_s = 60.0")
    toml = toml.replace("submission_time_s = 4.0", "submission_time_s = 90.0")
    toml = toml.replace("memory_mb = 32", "memory_mb = 512")
    misconception = planted.text("misconception")
    toml += (
        f'\n[[misconceptions]]\nid = "known"\ntitle = "Known"\nhint = "{misconception}"\n'
        'functions = { double = "wrong" }\n'
    )
    (pack / "problem.toml").write_text(toml)
    public, hidden = planted.float("public input"), planted.float("hidden input")
    wrong = planted.float("answer of a misconception")
    (pack / "misconceptions.py").write_text(f"def wrong(x):\n    return {wrong!r}\n")
    extra = f"\n\ndef arrays(rng):\n    yield Case(np.array([{hidden!r}]))\n"
    extra += f"\n\ndef numbers(rng):\n    yield Case({public!r})\n"
    (pack / "inputs.py").write_text((pack / "inputs.py").read_text() + extra)
    expected, whole = planted.float("expected value"), planted.integer("expected integer")
    word = planted.text("expected text")
    (pack / "reference.py").write_text(
        (pack / "reference.py").read_text()
        + "import numpy as np\n\n\n"
        + f"def double(x):\n    if np.size(x) == 1 and np.ndim(x): return np.array([{expected!r}])\n"
        + f"    return 2 * x\n\n\ndef half(x): return x / 2 if x else [{whole}, {word!r}]\n"
    )
    check = (
        f"\nSECRET = '{planted.text('predicate')}'\nTHRESHOLD = {planted.float('threshold')!r}\n"
    )
    (pack / "checks.py").write_text((pack / "checks.py").read_text() + check)
    (pack / "statement.md").write_text(f"Double. {planted.text('statement')}\n")
    return pack


def submission(own: Planted) -> str:
    """The search, and things of its own that it must find: in every kind of place."""
    return f"""{SCANNER}
import numpy, mmap, struct
def half_of(word): return word[:9]
own_text = "MARK-" + "".join({list(own.text("own text")[5:])!r})
own_array = numpy.zeros(3)
own_array[:] = struct.unpack("<d", struct.pack("<I", {own_number(own, "own array", "float")})
                             + bytes.fromhex("dec05e40"))[0]
own_integer = (0x2BADC0DE << 30) | {own_number(own, "own integer", "integer")}
own_page = mmap.mmap(-1, 4096)
own_page.write(b"MARK-" + bytes.fromhex("{own.text("own page")[5:].encode().hex()}"))
own_buffer = ctypes.create_string_buffer(b"MARK-" + bytes.fromhex("{own.text("own buffer")[5:].encode().hex()}"))
os.environ["OWN"] = "MARK-" + "".join({list(own.text("own environment")[5:])!r})
search = Search()
search.objects()
search.files()
search.memory()
def double(x): return 2 * x
def half(x): return x / 2
def managed(): return " ".join(sorted(search.found, key=lambda s: (s[0] != "M", s))[:400] + [str(search.bytes)])
"""


def own_number(own: Planted, where: str, kind: str) -> int:
    _ = own.float(where) if kind == "float" else own.integer(where)
    return int(own.names[where].partition("-")[2])


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("secrets")
    planted, own = Planted(), Planted()
    pack = pack_with(planted, folder / "pack")
    # A neighbour that is right and one that is wrong have the answer key worked out in full.
    for name, code in {"aaa": "def double(x): return 0 * x\n", "searches": submission(own)}.items():
        (folder / "class" / name).mkdir(parents=True)
        (folder / "class" / name / "work.py").write_text(code)
    neighbour = f"# {planted.text('another submission')}\ndef double(x): return 2 * x\n"
    (folder / "class" / "aab").mkdir()
    (folder / "class" / "aab" / "work.py").write_text(neighbour)
    environment = {**os.environ, planted.text("name in the environment"): "x",
                   "HOSTILE": planted.text("environment")}  # fmt: skip
    inherited = os.open(pack / "reference.py", os.O_RDONLY)
    done = grader(
        "grade", pack, folder / "class", "-o", folder / planted.text("output folder"), "-j", "1",
        env=environment, pass_fds=(inherited,),
    )  # fmt: skip
    os.close(inherited)
    assert done.returncode == 0, done.stdout + done.stderr
    result = results(folder / planted.names["output folder"])["searches"]
    *found, size = managed(result).split() or [""]
    return {
        "planted": planted.names,
        "own": own.names,
        "found": found,
        "bytes": size,
        "result": result,
    }


def test_the_search_finds_what_is_there(searched: dict[str, Any]) -> None:
    """Its own secrets, wherever it put them, and the public inputs that it is called with."""
    assert int(searched["bytes"]) > ENOUGH_BYTES, searched["result"]
    missed = {where for where, name in searched["own"].items() if name not in searched["found"]}
    assert missed == set()
    assert searched["planted"]["public input"] in searched["found"]


def test_nothing_that_was_planted_is_found(searched: dict[str, Any]) -> None:
    """Hidden inputs are not there as long as a student will be shown what is said."""
    known = {k: v for k, v in searched["planted"].items() if k != "public input"}
    assert len(known) >= 15
    stolen = {where for where, name in known.items() if name in searched["found"]}
    assert stolen == set()
