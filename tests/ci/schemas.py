"""The shapes that other systems take, as JSON Schemas."""

from __future__ import annotations

_POINTS = {"type": "integer", "minimum": 0}
_TEXT = {"type": "string", "minLength": 1}
_MOMENT = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}

CLASSROOM = {
    "type": "object",
    "additionalProperties": False,
    "required": ["version", "status", "max_score", "tests"],
    "properties": {
        "version": {"enum": [1, 3]},
        "status": {"enum": ["pass", "fail", "error"]},
        "max_score": {"type": "number", "minimum": 0},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": [
                    "name", "status", "score", "message", "test_code", "filename", "line_no",
                    "execution_time",
                ],
                "properties": {
                    "name": {"type": "string", "pattern": r"^[^\r\n]+$"},
                    "status": {"enum": ["pass", "fail", "error"]},
                    "score": {"type": "number", "minimum": 0},
                    "message": {"type": "string"},
                    "test_code": {"type": "string"},
                    "filename": {"type": "string"},
                    "line_no": {"const": 0},
                    "execution_time": {"type": "number"},
                },
            },
        },
    },
}  # fmt: skip

CLASSROOM50 = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        "schema", "classroom", "assignment", "submission", "commit", "release", "review",
        "datetime", "score", "max-score", "tests",
    ],
    "properties": {
        "schema": {"const": "classroom50/result/v1"},
        "classroom": _TEXT,
        "assignment": _TEXT,
        "assignment_type": {"enum": ["individual", "group"]},
        "owner": _TEXT,
        "submission": {"type": "string", "pattern": "^submit/."},
        "commit": _TEXT,
        "release": _TEXT,
        "review": _TEXT,
        "datetime": _MOMENT,
        "score": _POINTS,
        "max-score": _POINTS,
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["test-name", "passed", "score", "max-score"],
                "properties": {
                    "test-name": _TEXT,
                    "passed": {"type": "boolean"},
                    "score": _POINTS,
                    "max-score": _POINTS,
                },
            },
        },
    },
}  # fmt: skip

_FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
_VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}

GRADESCOPE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["tests"],
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "number", "minimum": 0},
        "output": {"type": "string"},
        "output_format": _FORMAT,
        "test_output_format": _FORMAT,
        "test_name_format": _FORMAT,
        "visibility": _VISIBILITY,
        "stdout_visibility": _VISIBILITY,
        "extra_data": {"type": "object"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "score": {"type": "number", "minimum": 0},
                    "max_score": {"type": "number", "minimum": 0},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "name_format": _FORMAT,
                    "number": {"type": "string", "pattern": r"^\d+(\.\d+)*$"},
                    "output": {"type": "string"},
                    "output_format": _FORMAT,
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "visibility": _VISIBILITY,
                },
            },
        },
    },
}
