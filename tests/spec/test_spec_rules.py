"""Keys that are fine each by itself, but do not fit together, or name what is not there."""

from __future__ import annotations

import pytest
from sound_pack import PackFolder, assert_in_plain_words

VALUES = "parts.a.criteria.values"
FORMULA = "parts.b.criteria.formula"

RULES = {
    "two parts of one id": (
        'id = "b"',
        'id = "a"',
        "parts.a.id",
        "another part has this id",
        "own",
    ),
    "parts that differ in capitals": (
        'id = "b"',
        'id = "A"',
        "parts.A.id",
        "differs from the part a in capitals, - or _ only",
        "its own id",
    ),
    "two criteria of one id": (
        'id = "sign"',
        'id = "values"',
        f"{VALUES}.id",
        "another criterion has this id",
        "its own id",
    ),
    "two criteria of one id in two parts": (
        'id = "style"',
        'id = "values"',
        "parts.b.criteria.values.id",
        "another criterion has this id too, in part a",
        "its own id",
    ),
    "two misconceptions of one id": (
        "[[misconceptions]]",
        '[[misconceptions]]\nid = "Sample"\ntitle = "t"\nhint = "h"\n'
        'functions = { variance = "variance" }\n\n[[misconceptions]]',
        "misconceptions.sample.id",
        "differs from the misconception Sample in capitals, - or _ only",
        "its own id",
    ),
    "parts that differ in punctuation": (
        'id = "b"',
        'id = "a_"',
        "parts.a_.id",
        "differs from the part a in capitals, - or _ only",
        "its own id",
    ),
    "a part called questions": ('id = "b"', 'id = "questions"', "id", "in a heading", "like ii"),
    "a part called part": ('id = "b"', 'id = "Part"', "parts.Part.id", "something else", "like ii"),
    "a part called score": ('id = "b"', 'id = "score"', "parts.score.id", "the gradebook", "like"),
    "a public criterion that reveals": (
        "weight = 3\n",
        'weight = 3\nreveal = "hint"\n',
        f"{VALUES}.reveal",
        "this one is public",
        'visibility = "hidden"',
    ),
    "points that disagree": (
        "points = 3\n",
        "points = 4\n",
        "points",
        "the printed total is 4, but the parts add up to 2 + 1 = 3",
        'points_policy = "scale" (a perfect 3 counts as 4), "cap" (points above 4 are cut off) or '
        '"sum" (the parts\' 3 count)',
    ),
    "points that disagree by a tenth": (
        "points = 3\n",
        "points = 3.1\n",
        "points",
        "the printed total is 3.1, but",
        "points_policy",
    ),
    "points that disagree by a third": (
        "points = 1\n",
        'points = "1/3"\n',
        "points",
        "2 + 1/3 = 7/3",
        "points_policy",
    ),
    "a cap out of reach": (
        "points = 3\n",
        'points = 4\npoints_policy = "cap"\n',
        "points_policy",
        "out of reach: the parts add up to 3",
        '"scale"',
    ),
    "a function called like a word of Python's": (
        'function = "variance"',
        'function = "lambda"',
        f"{VALUES}.function",
        "a word of Python's own",
        "another name",
    ),
    "an empty domain": (
        "x = { min = -10, max = 10 }",
        "x = { min = 10, max = 10 }",
        f"{FORMULA}.variables.x",
        "no number between 10 and 10",
        "min smaller than max",
    ),
    "a domain turned round": (
        "x = { min = -10, max = 10 }",
        "x = { min = 1e300, max = -1e300 }",
        f"{FORMULA}.variables.x",
        "no number between",
        "min smaller than max",
    ),
    "an integer domain with no integer": (
        "x = { min = -10, max = 10 }",
        'x = { type = "integer", min = 0.2, max = 0.8 }',
        f"{FORMULA}.variables.x",
        "no whole number from 0.2 to 0.8",
        "whole numbers",
    ),
    "an alias that is another variable": (
        '["upsilon"]',
        '["x"]',
        f"{FORMULA}.variables.y.aliases",
        '"x" would mean the variable x as well',
        "take out the alias",
    ),
    "an alias that is the symbol": (
        '["upsilon"]',
        '["s"]',
        f"{FORMULA}.variables.y.aliases",
        '"s" would mean the symbol s as well',
        "take out the alias",
    ),
    "one alias of two variables": (
        "max = 10 }",
        'max = 10, aliases = ["upsilon"] }',
        f"{FORMULA}.variables.y.aliases",
        '"upsilon" would mean the variable x as well',
        "take out the alias",
    ),
    "a variable that is the symbol": (
        'symbol = "s"',
        'symbol = "x"',
        f"{FORMULA}.variables.x",
        '"x" would mean the symbol x as well',
        "rename",
    ),
    "two symbols that students may write alike": (
        'id = "style"\ntitle = "Style"\nkind = "manual"\n',
        'id = "again"\ntitle = "Again"\nkind = "symbolic"\nsymbol = "S_"\nformula = "x"\n'
        "variables = { x = { min = 0, max = 1 } }\n",
        "parts.b.criteria.again.symbol",
        "the criterion formula of this part asks for s too",
        "rename one",
    ),
    "a symbol twice in a part": (
        'id = "style"\ntitle = "Style"\nkind = "manual"\n',
        'id = "again"\ntitle = "Again"\nkind = "symbolic"\nsymbol = "s"\nformula = "x"\n'
        "variables = { x = { min = 0, max = 1 } }\n",
        "parts.b.criteria.again.symbol",
        "the criterion formula of this part asks for s too",
        "rename one",
    ),
    "a misconception about no function": (
        "{ variance =",
        "{ varience =",
        "misconceptions.sample.functions.varience",
        'no criterion calls a function "varience"',
        "mean variance?",
    ),
    "a misconception about no formula": (
        "{ formula =",
        "{ forumla =",
        "misconceptions.sample.formulas.forumla",
        'no symbolic criterion has the id "forumla"',
        "mean formula?",
    ),
    "a misconception about nothing": (
        'functions = { variance = "sample_variance" }\nformulas = { formula = "(x - y)^2 / 2" }\n',
        "",
        "misconceptions.sample",
        "what the mistake looks like",
        "add functions =",
    ),
}

NAMES = {
    "no such generator": (
        'inputs = "samples"',
        'inputs = "sample"',
        f"{VALUES}.inputs",
        "inputs.py has no function sample",
        "mean samples?",
    ),
    "no such reference": (
        'function = "variance"',
        'function = "deviation"',
        f"{VALUES}.function",
        "reference.py has no function deviation",
        "what it has: variance",
    ),
    "no such reference by its own name": (
        "rtol = 1e-6",
        'reference = "varianz"',
        f"{VALUES}.reference",
        "reference.py has no function varianz",
        "mean variance?",
    ),
    "no such predicate": (
        '"is_not_negative"',
        '"is_negative"',
        "parts.a.criteria.sign.check",
        "checks.py has no function is_negative",
        "mean is_not_negative?",
    ),
    "no such wrong version": (
        '"sample_variance"',
        '"samplevariance"',
        "misconceptions.sample.functions.variance",
        "misconceptions.py has no function samplevariance",
        "mean sample_variance?",
    ),
    "no such rubric": (
        '"rubric.toml"',
        '"rubrik.toml"',
        "parts.a.criteria.why.rubric",
        'the pack has no "rubrik.toml"',
        "mean rubric.toml?",
    ),
    "a rubric outside the pack": (
        '"rubric.toml"',
        '"../rubric.toml"',
        "parts.a.criteria.why.rubric",
        "leads out of the pack",
        "in its folder",
    ),
    "a rubric that no file can be": (
        '"rubric.toml"',
        '"a\\u0000b"',
        "parts.a.criteria.why.rubric",
        "leads out of the pack",
        "in its folder",
    ),
    "a rubric with an endless name": (
        '"rubric.toml"',
        f'"{"r" * 5000}"',
        "parts.a.criteria.why.rubric",
        'the pack has no "rrr',
        "",
    ),
    "no such statement": (
        "seed = 7",
        'statement = "statment.md"',
        "statement",
        'the pack has no "statment.md"',
        "mean statement.md?",
    ),
    "no such rubric, and nothing like it but the problem": (
        'rubric = "rubric.toml"',
        'rubric = "problems.toml"',
        "why.rubric",
        'the pack has no "problems.toml"',
        "add it to the pack's folder",
    ),
    "no such starter": (
        "seed = 7",
        'starter = "start"',
        "starter",
        'the pack has no "start"',
        "mean starter?",
    ),
    "a starter that is a file": (
        "seed = 7",
        'starter = "statement.md"',
        "starter",
        "not a folder",
        "a folder with stubs",
    ),
}


@pytest.mark.parametrize("name", [*RULES, *NAMES])
def test_a_broken_rule_is_told_by_its_path_with_its_mend(pack: PackFolder, name: str):
    old, new, where, problem, mend = (RULES | NAMES)[name]
    pack.change("problem.toml", old, new)

    (fault,) = pack.faults()  # one mistake, one message

    assert fault.where.endswith(where)
    assert problem in fault.problem
    assert mend in fault.mend
    assert_in_plain_words(fault)
