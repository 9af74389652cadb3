"""The JSON Schema of problem.toml, for editors that complete and check TOML as it is written."""

from __future__ import annotations

import ast
import inspect
import json
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

from grader import problem as nouns

SCHEMA_FILE = Path(nouns.__file__).with_name("problem.schema.json")


def json_schema() -> dict[str, Any]:
    """What problem.toml may say, with the models' own words as descriptions."""
    schema = nouns.Problem.model_json_schema()
    documented = _attribute_docstrings(nouns)
    for name, model in [("Problem", schema), *schema["$defs"].items()]:
        for key, field in model.get("properties", {}).items():
            field.pop("title", None)  # only the key again
            bases = (base.__name__ for base in getattr(nouns, name).__mro__)
            words = [documented[base, key] for base in bases if (base, key) in documented]
            if words:
                field["description"] = words[0]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def write_json_schema() -> None:
    """Write the schema to where editors find it, beside the models: `problem.schema.json`."""
    text = json.dumps(json_schema(), indent=2, ensure_ascii=False)
    SCHEMA_FILE.write_text(text + "\n", encoding="utf-8")


def _attribute_docstrings(module: ModuleType) -> dict[tuple[str, str], str]:
    """The texts that stand under the attributes of a module's classes, by class and attribute."""
    found = {}
    classes = ast.parse(inspect.getsource(module)).body
    for node in (node for node in classes if isinstance(node, ast.ClassDef)):
        for field, below in pairwise(node.body):
            match field, below:
                case (
                    ast.AnnAssign(target=ast.Name(id=key)),
                    ast.Expr(value=ast.Constant(value=str(words))),
                ):
                    found[node.name, key] = inspect.cleandoc(words).replace("\n", " ")
    return found
