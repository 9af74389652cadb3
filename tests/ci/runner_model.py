"""How GitHub's runner and Classroom's reporter read what they are given, for tests."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass, field
from typing import Any

COMMANDS = frozenset(
    "error warning notice debug group endgroup add-mask add-path add-matcher remove-matcher echo"
    " save-state set-env set-output stop-commands".split()
)


@dataclass(frozen=True)
class Command:
    name: str
    data: str
    properties: dict[str, str] = field(default_factory=dict)


@dataclass
class Log:
    """A step's output as the runner takes it."""

    obeyed: list[Command] = field(default_factory=list)
    shielded: list[Command] = field(default_factory=list)
    """What would have been obeyed, had commands not been stopped."""
    stopped: str | None = None


def read_log(output: bytes | str) -> Log:
    """Read a step's output; CR ends a line as LF does."""
    text = output.decode("utf-8", "replace") if isinstance(output, bytes) else output
    log = Log()
    for line in re.split("\r\n|\r|\n", text):
        known = COMMANDS | ({log.stopped} if log.stopped else set())
        command = _modern(line, known) or _old(line, known)
        if command is None:
            continue
        if log.stopped is not None:
            if command.name == log.stopped:
                log.stopped = None
            else:
                log.shielded.append(command)
        elif command.name == "stop-commands":
            log.stopped = command.data
        else:
            log.obeyed.append(command)
    return log


def _modern(line: str, known: set[str] | frozenset[str]) -> Command | None:
    match = re.match(r"::(?P<name>[^ ]*?)(?: (?P<rest>.*?))?::(?P<data>.*)", line.lstrip())
    if match is None or match["name"].lower() not in known:
        return None
    properties = {}
    for pair in filter(None, (match["rest"] or "").split(",")):
        name, equals, value = pair.partition("=")
        if equals and value:
            properties[name.strip()] = _decoded(value.replace("%3A", ":").replace("%2C", ","))
    return Command(match["name"].lower(), _decoded(match["data"]), properties)


def _old(line: str, known: set[str] | frozenset[str]) -> Command | None:
    match = re.search(r"##\[(?P<name>[^ \]]*)[^\]]*\](?P<data>.*)", line)
    if match is None or match["name"].lower() not in known:
        return None
    return Command(match["name"].lower(), _decoded(match["data"]))


def _decoded(text: str) -> str:
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def read_outputs(text: str) -> dict[str, str]:
    """Read a file of step outputs, as ``$GITHUB_OUTPUT`` names one."""
    found, lines = {}, iter(text.split("\n"))
    for line in lines:
        if not line:
            continue
        name, here, delimiter = line.partition("<<")
        if not here:
            name, _, found_value = line.partition("=")
            found[name] = found_value
            continue
        value = []
        for inner in lines:
            if inner == delimiter:
                break
            value.append(inner)
        else:
            raise AssertionError(f"the output {name} does not end")
        found[name] = "\n".join(value)
    return found


def reporter_points(encoded: str) -> tuple[float, float] | None:
    """The points that Classroom's reporter would send, or None if it would send none."""
    result: dict[str, Any] = json.loads(base64.b64decode(encoded, validate=True))
    if not result["max_score"]:
        return None
    return sum(test["score"] for test in result["tests"]), result["max_score"]


def reporter_log(encoded: str) -> str:
    """What the reporter prints of a result: names and messages as they are."""
    result = json.loads(base64.b64decode(encoded))
    lines = []
    for test in result["tests"]:
        mark = "✅" if test["status"] == "pass" else "❌"
        lines.append(f"\x1b[31m{mark} {test['name']}\n")
        lines.append(f"Error: {test['message'] or test['name']}\n\x1b[0m")
    return "\n".join(lines)
