"""What pydantic found wrong, said in an instructor's words: which key, what is there, what to
write.  The models say what is allowed; nothing about a single key is decided here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from grader import fields, variant
from grader import problem as nouns
from grader.errors import SpecFault
from grader.spec.place import AnyModel, Place, keys_of, models_under, tags, trace
from grader.spec.wording import did_you_mean, given, listed, nearest, quoted

Read = TypeVar("Read", bound=BaseModel)

# What is wanted in words, and in TOML.
_WANTED = {
    "string_type": ("a text in quotes", '"…"'),
    "int_type": ("a whole number", "1"),
    "int_from_float": ("a whole number", "1"),
    "float_type": ("a number", "0.5"),
    "finite_number": ("a finite number", "0.5"),
    "bool_type": ("true or false", "true"),
    "tuple_type": ("a list", '["…"]'),
    "list_type": ("a list", '["…"]'),
    "dict_type": ("a table", "{ … }"),
    "model_type": ("a table", "{ … }"),
    "model_attributes_type": ("a table", "{ … }"),
}
_BOUNDS = {
    "greater_than": ("more than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}
_PATTERNS = {
    fields.ID_PATTERN: "an id, which begins with a letter and goes on with letters, digits, - and "
    "_ (64 at most)",
    fields.NAME_PATTERN: "a name in Python: letters, digits and _, not beginning with a digit",
    fields.MODULE_PATTERN: "a module's name, like numpy or scipy.linalg",
    fields.TEXT_PATTERN: "a text that is not blank",
    fields.CALL_PATTERN: "a call of a function by the names of its arguments",
    fields.CODE_FILE_PATTERN: "the name of a .py file, without a folder",
    fields.ANSWERS_FILE_PATTERN: "the name of a .md file, without a folder",
}
_EXAMPLES = {
    "id": '"margin"',
    "title": '"The margin"',
    "version": '"1.0"',
    "points": "2",
    "weight": "1",
    "function": '"variance"',
    "inputs": '"small_samples"',
    "reference": '"variance"',
    "check": '"is_not_negative"',
    "earlier": '"variance(x)"',
    "usable": '"is_usable_variance"',
    "symbol": '"m"',
    "formula": '"log(n/eps)"',
    "variables": '{ n = { type = "integer", min = 2, max = 50 } }',
    "rubric": '"rubric_i.toml"',
    "hint": '"Divide by n."',
    "asks": '"variance(x) returns the mean of the squared deviations."',
    "variants": '{ n = { type = "integer", min = 2, max = 9 } }',
    "choices": '["rows", "columns"]',
    "step": "0.25",
    "min": "0",
    "max": "1",
    "max_sentences": "2",
    "preload": '["numpy", "scipy"]',
    "max_words": "100",
    "aliases": '["ε", "epsilon"]',
    "functions": '{ variance = "forgets_to_square" }',
    "formulas": '{ margin = "log(n)" }',
}
_HEADERS = {
    "limits": "[limits]",
    "files": "[files]",
    "parts": "[[parts]]",
    "criteria": "[[parts.criteria]]",
    "misconceptions": "[[misconceptions]]",
    "concepts": "[[concepts]]",
}
_ELSEWHERE = {"reading": "it is read from the file that rubric names"}
_NOUNS: dict[AnyModel, str] = {
    nouns.Problem: "the problem",
    nouns.Domain: "a variable",
    variant.Parameter: "a parameter of [variants]",
    nouns.Carried: "[parts.criteria.carried] of a property criterion",
    nouns.CarriedAnswer: "[parts.criteria.carried]",
    nouns.Limits: "[limits]",
    nouns.Files: "[files]",
}


def read_model(
    model: type[Read], data: Mapping[str, Any], file: str = ""
) -> tuple[Read | None, list[SpecFault]]:
    """Validate a file's data: the model, or None and every fault.

    `file` goes before the path of each fault, for files other than problem.toml.
    """
    try:
        return model.model_validate(data), []
    except ValidationError as error:
        found = error.errors(include_url=False)
    return None, _explained(found, model, data, f"{file}: " if file else "")


def _explained(
    errors: Sequence[ErrorDetails], model: AnyModel, data: Mapping[str, Any], prefix: str
) -> list[SpecFault]:
    places = [trace(model, data, error["loc"]) for error in errors]
    pairs = list(zip(errors, places, strict=True))
    meant = {
        (*place.names[:-1], nearest(place.key, keys_of(place.owner)))
        for error, place in pairs
        if error["type"] == "extra_forbidden"
    }
    return [
        _fault(error, place, model, prefix)
        for error, place in pairs
        # A key that is only mistyped is not missing as well, and pydantic calls a list too short
        # when it is only its items that are wrong.
        if not (error["type"] == "missing" and place.names in meant)
        and not (error["type"] == "too_short" and error["input"])
    ]


def _fault(error: ErrorDetails, place: Place, root: AnyModel, prefix: str) -> SpecFault:
    context = error.get("ctx", {})
    filled_in = place.key in place.owner.model_fields and place.key not in keys_of(place.owner)
    match "extra_forbidden" if filled_in else error["type"]:
        case "extra_forbidden":
            problem, mend = _unknown_key(place, root)
        case "missing":
            problem, mend = "is missing", f"add {_example(place)}"
        case "union_tag_not_found":
            place = place.inside("kind")
            problem, mend = "is missing", f"add kind = …, one of {_kinds(root)}"
        case "union_tag_invalid":
            place = place.inside("kind")
            problem, mend = _wrong_choice(context["tag"], context["expected_tags"])
        case "literal_error":
            problem, mend = _wrong_choice(error["input"], context["expected"])
        case _:
            problem = _wrong_value(error, context)
            is_key = error["loc"][-1] == "[key]"
            _, otherwise = _WANTED.get(error["type"], ("", "…"))
            example = _example(place, otherwise)
            mend = "rename it" if is_key else f"write, for example, {example}"
            if not is_key and example == f"{place.key} = …":  # which would say nothing
                mend = "mend this text" if isinstance(error["input"], str) else "mend this value"
    return SpecFault(f"{prefix}{place.where}", problem, mend)


def _unknown_key(place: Place, root: AnyModel) -> tuple[str, str]:
    here = _noun(place.owner)
    known = keys_of(place.owner)
    problem = f"is not a key of {here}"
    models = dict.fromkeys(models_under(root))
    owners = [model for model in models if place.key in keys_of(model)]
    if root in owners:
        return problem, (
            "it is a key of the problem itself: move it to the top of the file, above the first "
            "[table], for in TOML every key belongs to the table above it"
        )
    if place.key in _ELSEWHERE:
        return problem, _ELSEWHERE[place.key]
    if owners and not nearest(place.key, known):
        return problem, f"it is a key of {listed(map(_noun, owners), 'or')}"
    return problem, did_you_mean(place.key, known, f"the keys of {here} are {listed(known)}")


def _wrong_choice(value: object, expected: str) -> tuple[str, str]:
    choices = re.findall(r"'([^']*)'", expected)
    problem = f"{given(value)} is none of {listed(map(quoted, choices), 'or')}"
    otherwise = f"write one of {listed(map(quoted, choices), 'or')}"
    return problem, did_you_mean(value, choices, otherwise) if isinstance(value, str) else otherwise


def _wrong_value(error: ErrorDetails, context: Mapping[str, Any]) -> str:
    kind, value = error["type"], error["input"]
    if kind in _WANTED:
        return f"this is {given(value)}; {_WANTED[kind][0]} is wanted"
    if kind in _BOUNDS and value == value:  # nan is no number, rather than a small or large one
        words, bound = _BOUNDS[kind]
        return f"this is {given(value)}; it must be {words} {_plain(context[bound])}"
    if kind in _BOUNDS:
        return f"this is {given(value)}; a finite number is wanted"
    if kind == "string_pattern_mismatch" and context["pattern"] in _PATTERNS:
        return f"this is {given(value)}; wanted is {_PATTERNS[context['pattern']]}"
    if kind == "too_short":
        return f"this is {given(value)}; at least {context['min_length']} is needed"
    if kind == "value_error":
        return f"this is {given(value)}; {context['error']}"
    if value is None:
        return error["msg"]
    return f"this is {given(value)}; {error['msg'].replace('Input', 'it')}"


def _plain(bound: float) -> str:
    return str(int(bound)) if bound == int(bound) else str(bound)


def _example(place: Place, otherwise: str = "…") -> str:
    """A line that would be right: the key with an example, else with its default."""
    if place.key in _HEADERS:
        return _HEADERS[place.key]
    field = place.owner.model_fields.get(place.key)
    default = field.default if field else None
    if isinstance(default, str) and default:
        otherwise = f'"{default}"'
    elif isinstance(default, int | float):
        otherwise = str(default)
    return f"{place.key} = {_EXAMPLES.get(place.key, otherwise)}"


def _kinds(root: AnyModel) -> str:
    kinds = (tag for model in dict.fromkeys(models_under(root)) for tag in tags(model))
    return listed(map(quoted, kinds), "or")


def _noun(model: AnyModel) -> str:
    tag = next(iter(tags(model)), "")
    return f"a {tag} criterion" if tag else _NOUNS.get(model, f"a {model.__name__.lower()}")
