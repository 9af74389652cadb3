"""All faults of a pack are told at once, whatever its files say, and nothing else is raised."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sound_pack import FILES, PackFolder

from grader import spec
from grader.errors import SpecError

VALUES = "parts.a.criteria.values"
FORMULA = "parts.b.criteria.formula"


def test_each_fault_is_told_where_it_is_with_its_mend(pack: PackFolder):
    pack.change("problem.toml", "weight = 3", 'weight = "3"')
    (fault,) = pack.faults()
    assert str(fault) == (
        f'{VALUES}.weight: this is the text "3"; a whole number is wanted — '
        "write, for example, weight = 1"
    )


def test_all_faults_are_told_at_once(pack: PackFolder):
    pack.change("problem.toml", "seed = 7", "sed = 7")
    pack.change("problem.toml", "points = 3\n", "points = 9\n")
    pack.change("problem.toml", "weight = 3", "weight = 0")
    pack.change("problem.toml", 'id = "style"', 'id = "values"')
    pack.change("problem.toml", "x = { min = -10", "x = { min = 11")
    pack.change("problem.toml", '"is_not_negative"', '"is_positive"')
    pack.change("rubric.toml", "title", "titel")
    pack.write("inputs.py", "def samples(:\n")
    pack.write("misconceptions.py", "import reference\n1 / 0\n")
    (pack.path / "statement.md").unlink()

    wheres = {fault.where for fault in pack.faults()}

    assert wheres == {
        "sed",
        "points",
        f"{VALUES}.weight",
        "parts.b.criteria.values.id",
        f"{FORMULA}.variables.x",
        "parts.a.criteria.sign.check",
        "rubric.toml: concepts.cancel.titel",
        "inputs.py line 1",
        "misconceptions.py line 2",
        "statement",
    }


def test_the_message_lists_them_under_the_file(pack: PackFolder):
    pack.change("problem.toml", "seed = 7", "sed = 7")
    pack.change("problem.toml", "weight = 3", "weight = 0")
    with pytest.raises(SpecError) as caught:
        pack.load()
    lines = str(caught.value).splitlines()
    assert lines[0] == f"{pack.path / 'problem.toml'} has 2 problems:"
    assert all(line.startswith("  - ") for line in lines[1:])
    assert len(lines) == 3


@pytest.mark.parametrize(
    ("old", "new", "where", "problem"),
    [
        ('title = "deviations', 'titel = "deviations', "concepts.cancel.titel", "not a key"),
        ('id = "cancel"', "id = 3", "concepts.#1.id", "a text in quotes is wanted"),
        ("fraction = 1", "fraction = 2", "levels.#1.fraction", "at most 1"),
        ('needs = ["cancel"]', 'needs = ["cancle"]', "levels.#1.needs.#1", "did you mean cancel?"),
        ("[[levels]]", "[[level]]", "level", "not a key"),
        ('sure = ["', 'sure = ["(', "concepts.cancel.sure.#1", "( without its )"),
    ],
)
def test_a_rubrics_faults_are_told_under_its_own_name(pack, old, new, where, problem):
    pack.change("rubric.toml", old, new)
    told = [fault for fault in pack.faults() if fault.where == f"rubric.toml: {where}"]
    assert len(told) == 1
    assert problem in told[0].problem


# --- whatever a file says --------------------------------------------------------------------

_SCHEMA = spec.json_schema()
_MODELS = [_SCHEMA, *_SCHEMA["$defs"].values()]
_KNOWN = sorted({key for model in _MODELS for key in model["properties"]})
_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
_KEYS = st.sampled_from(_KNOWN) | _TEXTS
_IDS = ["a", "b", "A", "part", "x", "s", "#1", "variance", "samples", "lambda"]
_KINDS = ["matches", "property", "symbolic", "written", "manual", "integer", "cap"]
_WORDS = st.sampled_from([*_IDS, *_KINDS, "rubric.toml", "../x", "1/0", "1/3"])
_SCALARS = (
    st.booleans()
    | st.integers(-2, 3)
    | st.sampled_from([2**64, -(10**30)])
    | st.floats()
    | _WORDS
    | _TEXTS
    | st.dates()
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=6),
    max_leaves=25,
)


def toml(value: object) -> str:
    """Write a value as TOML: tables inline, so that any value may stand anywhere."""
    match value:
        case dict():
            return "{" + ", ".join(f"{toml(str(k))} = {toml(v)}" for k, v in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(toml, value)) + "]"
        case str():
            escaped = (
                c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in value
            )
            return '"' + "".join(escaped) + '"'
        case bool():
            return str(value).lower()
        case _:
            return str(value)


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.dictionaries(_KEYS, _VALUES, max_size=12))
def test_whatever_the_file_says_only_spec_errors_are_raised(tmp_path, data):
    folder = tmp_path / "pack"
    folder.mkdir(exist_ok=True)
    text = "".join(f"{toml(key)} = {toml(value)}\n" for key, value in data.items())
    (folder / "problem.toml").write_bytes(text.encode())
    with pytest.raises(SpecError) as caught:
        spec.load(folder)
    assert all(fault.problem for fault in caught.value.faults)
    assert "this is not TOML" not in str(caught.value)
    assert "pydantic" not in str(caught.value)


_LINES = {name: text.count("\n") for name, text in FILES.items()}
_CHANGES = st.one_of(
    st.tuples(st.just("drop"), st.none()),
    st.tuples(st.just("double"), st.none()),
    st.tuples(st.just("value"), _VALUES),
    st.tuples(st.just("key"), _KEYS),
    st.tuples(st.just("inner key"), _KEYS),
)


def changed(line: str, what: str, by: object) -> str:
    key, equals, value = line.partition(" = ")
    match what:
        case "drop":
            return ""
        case "double":
            return line * 2
        case "value" if equals:
            return f"{key} = {toml(by)}\n"
        case "key" if equals:
            return f"{toml(by)} = {value}"
        case "inner key":
            return re.sub(r"\{ \w+", lambda _: f"{{ {toml(by)}", line)
        case _:
            return line


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.integers(0, _LINES["problem.toml"] + _LINES["rubric.toml"] - 1), _CHANGES)
def test_a_sound_file_with_one_line_changed_loads_or_is_explained(pack, number, change):
    file = "problem.toml" if number < _LINES["problem.toml"] else "rubric.toml"
    lines = FILES[file].splitlines(keepends=True)
    lines[number % len(lines)] = changed(lines[number % len(lines)], *change)
    pack.write(file, "".join(lines))
    try:
        pack.load()
    except SpecError as error:
        assert error.faults  # noqa: PT017
    finally:
        pack.write(file, FILES[file])
