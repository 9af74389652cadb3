"""Writing a found cluster into the pack as a misconception, which the instructor has named.

Both files are appended to, never rewritten, so whatever stands in them stays as it was written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.errors import GraderError
from grader.evidence import Ending, Stimulus
from grader.fields import ID_PATTERN
from grader.mine.clusters import Cluster, Keys
from grader.problem import Pack
from grader.recording import FOLDER, table
from grader.value import Plain

_CODE_FILE = "misconceptions.py"


@dataclass(frozen=True)
class Stub:
    """What is appended to which file, and the table of results where nothing explains them."""

    id: str
    toml: str
    code: str
    table: str = ""


def stub(cluster: Cluster, name: str, pack: Pack, keys: Keys, hint: str = "") -> Stub:
    """A misconception under the id that the instructor gave.

    Raises:
        GraderError: if the id cannot be used, or there is nothing that a misconception could give.
    """
    if not re.fullmatch(ID_PATTERN, name):
        raise GraderError(f"{name!r} is no id: use letters, digits, - and _, beginning with one")
    if name in {misconception.id for misconception in pack.problem.misconceptions}:
        raise GraderError(f"the pack has a misconception {name} already: choose another id")
    function = re.sub(r"\W", "_", name)
    while function in pack.misconceptions or function in pack.reference:
        function += "_found"
    told = cluster.explanation.sentence if cluster.explanation else cluster.partly
    title = (told[:1].upper() + told[1:]) or name.replace("_", " ").capitalize()
    toml = _toml(name, title, hint, cluster.function, function)
    if cluster.explanation:
        return Stub(name, toml, _code(cluster, function))
    cases = [*_table(cluster, keys)]
    if not cases:
        raise GraderError("these submissions have no results in common that could be recognised")
    return Stub(name, toml, _looked_up(cluster, function, name), table(cases))


def _toml(name: str, title: str, hint: str, function: str, wrong: str) -> str:
    hint = hint or "Say here what to tell a student who did this."
    lines = (
        "",
        "[[misconceptions]]",
        f"id = {json.dumps(name)}",
        f"title = {json.dumps(title, ensure_ascii=False)}",
        f"hint = {json.dumps(hint, ensure_ascii=False)}",
        f"functions = {{ {function} = {json.dumps(wrong)} }}",
        "",
    )
    return "\n".join(lines)


def _found(cluster: Cluster) -> str:
    count = len(cluster.members)
    return f"Found in {count} submission{'s' * (count != 1)}"


def _code(cluster: Cluster, function: str) -> str:
    assert cluster.explanation is not None
    return (
        "\n\nimport numpy as np  # noqa: E402\n"
        f"from reference import {cluster.function} as _right_{function}  # noqa: E402\n\n\n"
        f"def {function}(*args):\n"
        f'    """{_found(cluster)}: {cluster.explanation.sentence}."""\n'
        f"    right = _right_{function}\n"
        f"    return {cluster.explanation.code}\n"
    )


def _looked_up(cluster: Cluster, function: str, name: str) -> str:
    return (
        "\n\nfrom grader import recorded  # noqa: E402\n\n"
        f"# {_found(cluster)}; what they did is not known, only what came out.\n"
        f"{function} = recorded(__file__, {json.dumps(name)})\n"
    )


def _table(cluster: Cluster, keys: Keys) -> Iterator[tuple[tuple[Plain, ...], Plain]]:
    for criterion, outputs in cluster.example.outputs.items():
        for stimulus, observation in zip(keys[criterion].stimuli, outputs, strict=False):
            builds_on_another = any(isinstance(arg, Stimulus) for arg in stimulus.args)
            if observation.ending is Ending.RETURNED and not builds_on_another:
                yield stimulus.args, observation.value


def write(stub: Stub, pack: Pack) -> list[Path]:
    """Append a stub to the pack's files; returns what was written.

    Raises:
        GraderError: if a file cannot be written.
    """
    written = [pack.folder / _CODE_FILE, pack.folder / "problem.toml"]
    try:
        if stub.table:
            path = pack.folder / FOLDER / f"{stub.id}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(stub.table, encoding="utf-8")
            written.insert(0, path)
        for path, text in zip(written[-2:], (stub.code, stub.toml), strict=True):
            with path.open("a", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        raise GraderError(f"{error.filename}: {error.strerror}") from None
    return written
