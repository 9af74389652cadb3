"""Every way to write a single key of problem.toml wrong."""

from __future__ import annotations

import pytest
from sound_pack import PackFolder, assert_in_plain_words

VALUES = "parts.a.criteria.values"
FORMULA = "parts.b.criteria.formula"

# What is changed, to what, the path of ids, and words of the problem and of the mend.
KEYS = {
    "typo in a key": ("weight = 3", "wieght = 3", f"{VALUES}.wieght", "not a key", "mean weight?"),
    "typo at the top": ("seed = 7", "sed = 7", "sed", "not a key of the problem", "mean seed?"),
    "capital in a key": ("seed = 7", "Seed = 7", "Seed", "not a key", "mean seed?"),
    "typo in limits": (
        "call_time_s = 1.5",
        "call_time = 1.5",
        "limits.call_time",
        "not a key of [limits]",
        "mean call_time_s?",
    ),
    "typo in a table's name": ("[limits]", "[limit]", "limit", "not a key", "mean limits?"),
    "typo in a variable": (
        "aliases = [",
        "alias = [",
        f"{FORMULA}.variables.y.alias",
        "not a key of a variable",
        "mean aliases?",
    ),
    "key of another kind": (
        "rtol = 1e-6",
        "max_sentences = 2",
        f"{VALUES}.max_sentences",
        "not a key of a matches criterion",
        "a key of a written criterion",
    ),
    "top key below a table": (
        "rtol = 1e-6",
        'points_policy = "sum"',
        f"{VALUES}.points_policy",
        "not a key",
        "move it to the top of the file",
    ),
    "unknown key": (
        "seed = 7",
        "xyzzy = 7",
        "xyzzy",
        "not a key of the problem",
        "the keys of the problem are id, title",
    ),
    "what the loader fills in": (
        'rubric = "rubric.toml"',
        'rubric = "rubric.toml"\nreading = {}',
        "parts.a.criteria.why.reading",
        "not a key of a written criterion",
        "the file that rubric names",
    ),
    "missing title": ('title = "Spread"\n', "", "title", "is missing", 'add title = "'),
    "missing version": ('version = "1.0"\n', "", "version", "is missing", 'add version = "1.0"'),
    "missing id": ('id = "values"\n', "", "parts.a.criteria.#1.id", "is missing", "add id ="),
    "missing weight": ("weight = 3\n", "", f"{VALUES}.weight", "is missing", "add weight = 1"),
    "missing kind": (
        'kind = "matches"\n',
        "",
        f"{VALUES}.kind",
        "is missing",
        'one of "matches", "property", "symbolic", "written" or "manual"',
    ),
    "missing function": (
        'function = "variance"\ninputs = "samples"\nrtol',
        'inputs = "samples"\nrtol',
        f"{VALUES}.function",
        "is missing",
        "add function =",
    ),
    "missing variables": (
        "[parts.criteria.variables]\nx = { min = -10, max = 10 }\n"
        'y = { min = -10, max = 10.5, aliases = ["upsilon"] }\n',
        "",
        f"{FORMULA}.variables",
        "is missing",
        "add variables = {",
    ),
    "missing max": (
        "x = { min = -10, max = 10 }",
        "x = { min = -10 }",
        f"{FORMULA}.variables.x.max",
        "is missing",
        "add max = 1",
    ),
    "typo in a kind": (
        '"matches"',
        '"matchs"',
        f"{VALUES}.kind",
        'the text "matchs" is none of "matches", "property"',
        "mean matches?",
    ),
    "kind of nothing like it": ('"manual"', '"xyz"', "style.kind", "none of", "write one of"),
    "kind is a number": ('"manual"', "3", "style.kind", "none of", "write one of"),
    "unknown visibility": (
        '"hidden"',
        '"Hidden"',
        "parts.a.criteria.sign.visibility",
        'none of "public" or "hidden"',
        "mean hidden?",
    ),
    "unknown policy": (
        "points = 3\n",
        'points = 3\npoints_policy = "scaled"\n',
        "points_policy",
        'none of "scale", "cap" or "sum"',
        "mean scale?",
    ),
    "unknown variable type": (
        "x = { min",
        'x = { type = "int", min',
        f"{FORMULA}.variables.x.type",
        'none of "real" or "integer"',
        "mean integer?",
    ),
    "weight as a text": (
        "weight = 3",
        'weight = "3"',
        f"{VALUES}.weight",
        'this is the text "3"; a whole number is wanted',
        "weight = 1",
    ),
    "weight as a fraction": (
        "weight = 3",
        "weight = 1.5",
        f"{VALUES}.weight",
        "this is the number 1.5; a whole number is wanted",
        "weight = 1",
    ),
    "weight true": ("weight = 3", "weight = true", f"{VALUES}.weight", "this is true", "weight ="),
    "weight zero": ("weight = 3", "weight = 0", f"{VALUES}.weight", "at least 1", "weight = 1"),
    "weight negative": ("weight = 3", "weight = -1", f"{VALUES}.weight", "at least 1", "weight"),
    "weight of many digits": (
        "weight = 3",
        "weight = 0x" + "f" * 9000,
        f"{VALUES}.weight",
        "a very long number; it must be at most 1000000",
        "weight = 1",
    ),
    "title as a number": ('"Spread"', "3", "title", "the whole number 3; a text", "title ="),
    "title blank": ('"Spread"', '" "', "title", "not blank", "title ="),
    "title a list": ('"Spread"', '["Spread"]', "title", "a list of 1; a text", "title ="),
    "title a date": ('"Spread"', "2024-05-17", "title", "a date or a time", "title ="),
    "version as a number": ('"1.0"', "1.0", "version", "the number 1.0; a text", 'version = "1.0"'),
    "id with a space": ('"spread"', '"my pack"', "id", "begins with a letter", "id ="),
    "id with a digit first": ('id = "a"', 'id = "1a"', "parts.1a.id", "begins with a letter", ""),
    "function with a space": (
        'function = "variance"',
        'function = "the variance"',
        f"{VALUES}.function",
        "a name in Python",
        "function =",
    ),
    "parts as a table": (
        '[[parts]]\nid = "a"',
        '[part]\n[[parts]]\nid = "a"',
        "part",
        "not a key",
        "mean parts?",
    ),
    "limits as a number": (
        '\n[files]\ncode = "spread.py"\n\n[limits]\ncall_time_s = 1.5\n',
        "limits = 3\n",
        "limits",
        "the whole number 3; a table is wanted",
        "[limits]",
    ),
    "aliases as a text": (
        '["upsilon"]',
        '"upsilon"',
        f"{FORMULA}.variables.y.aliases",
        "a list is wanted",
        "aliases = [",
    ),
    "alias as a number": (
        '["upsilon"]',
        '["upsilon", 3]',
        f"{FORMULA}.variables.y.aliases.#2",
        "a text in quotes is wanted",
        "aliases = [",
    ),
    "variables as a list": (
        "x = { min = -10, max = 10 }",
        "x = [-10, 10]",
        f"{FORMULA}.variables.x",
        "a list of 2; a table is wanted",
        "",
    ),
    "variable with a space": (
        "x = { min",
        '"x y" = { min',
        f'{FORMULA}.variables."x y"',
        "a name in Python",
        "rename it",
    ),
    "function with a space in a misconception": (
        "{ variance =",
        '{ "the variance" =',
        'misconceptions.sample.functions."the variance"',
        "a name in Python",
        "rename it",
    ),
    "wrong version with a space": (
        '"sample_variance"',
        '"sample variance"',
        "misconceptions.sample.functions.variance",
        "a name in Python",
        "",
    ),
    "formula that is no text": (
        'formulas = { formula = "(x - y)^2 / 2" }',
        "formulas = { formula = 2 }",
        "misconceptions.sample.formulas.formula",
        "a text in quotes",
        'formula = "',
    ),
    "key in odd letters": ("seed = 7", '"#1 é" = 7', '"#1 é"', "not a key", "the keys of"),
    "rtol negative": ("1e-6", "-1e-6", f"{VALUES}.rtol", "at least 0", "rtol ="),
    "rtol that accepts all": ("1e-6", "1.0", f"{VALUES}.rtol", "less than 1", "rtol ="),
    "rtol nan": ("1e-6", "nan", f"{VALUES}.rtol", "the number nan; a finite", "rtol ="),
    "rtol infinite": ("rtol = 1e-6", "atol = inf", f"{VALUES}.atol", "a finite number", "atol ="),
    "no time": ("call_time_s = 1.5", "call_time_s = 0", "limits.call_time_s", "more than 0", ""),
    "endless time": (
        "call_time_s = 1.5",
        "call_time_s = 1e9",
        "limits.call_time_s",
        "at most 600",
        "call_time_s = 2.0",
    ),
    "memory with a point": (
        "call_time_s = 1.5",
        "memory_mb = 512.0",
        "limits.memory_mb",
        "a whole number is wanted",
        "memory_mb = 512",
    ),
    "seed negative": ("seed = 7", "seed = -7", "seed", "at least 0", "seed ="),
    "code that is no Python": ('"spread.py"', '"spread.txt"', "files.code", "a .py file", "code ="),
    "code in a folder": ('"spread.py"', '"src/spread.py"', "files.code", "without a folder", ""),
    "points zero": ("points = 2", "points = 0", "parts.a.points", "more than 0", "points = 2"),
    "points negative": ("points = 2", "points = -2", "parts.a.points", "more than 0", "points = 2"),
    "points as words": ("points = 2", 'points = "two"', "parts.a.points", "a number", "points = 2"),
    "points over zero": ("points = 2", 'points = "1/0"', "parts.a.points", "no 0 below", "points"),
    "points nan": ("points = 2", "points = nan", "parts.a.points", "a number, like", "points = 2"),
    "points with a huge exponent": (
        "points = 2",
        "points = 1e999999999",
        "parts.a.points",
        "a number, like",
        "points = 2",
    ),
    "points of many digits": (
        "points = 2",
        "points = 0x" + "f" * 9000,
        "parts.a.points",
        "at most 1000000",
        "points = 2",
    ),
}


@pytest.mark.parametrize("name", KEYS)
def test_a_wrong_key_is_told_by_its_path_with_its_mend(pack: PackFolder, name: str):
    old, new, where, problem, mend = (KEYS)[name]
    pack.change("problem.toml", old, new)

    (fault,) = pack.faults()  # one mistake, one message

    assert fault.where.endswith(where)
    assert problem in fault.problem
    assert mend in fault.mend
    assert_in_plain_words(fault)
