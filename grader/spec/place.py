"""Where in a file a fault is: pydantic's location → a path of ids, and the model it lies in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel

from grader.spec.outline import name_of
from grader.spec.wording import key_path

AnyModel: TypeAlias = type[BaseModel]


@dataclass(frozen=True)
class Place:
    """A key or an item in the file, whether it is there or missing."""

    names: tuple[str, ...]
    owner: AnyModel
    """The model whose key it is, or whose key the list is that it is an item of."""

    @property
    def where(self) -> str:
        """The path of ids: ``parts.ii.criteria.margin.weight``."""
        return key_path(self.names) or "the file"

    @property
    def key(self) -> str:
        """The last key of the path, or of the list whose item this is."""
        return next((name for name in reversed(self.names) if name[:1] != "#"), "")

    def inside(self, key: str) -> Place:
        """A key of the table that this is."""
        return Place((*self.names, key), self.owner)


def trace(model: AnyModel, data: object, location: tuple[int | str, ...]) -> Place:
    """Follow a location through the model and the data, naming items of lists by their ids."""
    names: list[str] = []
    kind: Any = model
    owner = model
    for step in location:
        members = _members(kind)
        tagged = next((m for m in members if len(members) > 1 and step in tags(m)), None)
        if tagged or step == "[key]":  # pydantic's own steps, which are not in the file
            kind, owner = tagged or kind, tagged or owner
            continue
        owner = next((m for m in members if is_model(m)), owner)
        kind = _under(members, step)
        if isinstance(step, int):
            data = data[step] if isinstance(data, list) and step < len(data) else None
            names.append(name_of(data, step))
        else:
            data = data.get(step) if isinstance(data, dict) else None
            names.append(step)
    return Place(tuple(names), owner)


def is_model(kind: object) -> bool:
    """Tell whether an annotation is a model's class."""
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def tags(kind: object) -> tuple[str, ...]:
    """The values of `kind` that pick this model out of several; none for other annotations."""
    if not (is_model(kind) and isinstance(kind, type) and issubclass(kind, BaseModel)):
        return ()
    field = kind.model_fields.get("kind")
    return get_args(field.annotation) if field and get_origin(field.annotation) is Literal else ()


@cache
def keys_of(model: AnyModel) -> list[str]:
    """The keys that an author may write: those in the JSON Schema (`spec` fills in the rest)."""
    return [*model.model_json_schema().get("properties", {})]


def models_under(kind: object) -> Iterator[AnyModel]:
    """A model and all models inside it, outermost first."""
    for member in _members(kind):
        if is_model(member):
            yield member
            for field in member.model_fields.values():
                yield from models_under(field.annotation)
        else:
            for argument in get_args(member):
                yield from models_under(argument)


def _members(kind: object) -> list[Any]:
    """The alternatives of an annotation, without what decorates them."""
    origin = get_origin(kind)
    if origin is Annotated:
        return _members(get_args(kind)[0])
    if origin in (Union, UnionType):
        return [member for argument in get_args(kind) for member in _members(argument)]
    return [kind]


def _under(members: list[Any], step: int | str) -> Any:
    """The annotation of a field, of a dict's values, or of a list's items."""
    for member in members:
        if is_model(member) and step in member.model_fields:
            return member.model_fields[step].annotation
        if get_origin(member) in (dict, tuple, list):
            arguments = get_args(member)
            return arguments[1] if get_origin(member) is dict else arguments[0]
    return None
