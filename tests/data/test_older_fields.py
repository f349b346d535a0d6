"""Records of older versions are read wherever their type is used, however often."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from hallascope.data.older_fields import read_older


@dataclass(frozen=True)
class Thing:
    """Holds a record whose field `name` was called `label` before."""

    name: str

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return read_older(source, handler, rename_label)


@dataclass(frozen=True)
class Pair:
    """Holds two things, which share one schema."""

    first: Thing
    second: Thing
    more: tuple[Thing, ...] = ()


def rename_label(fields: object) -> object:
    if isinstance(fields, Mapping) and "label" in fields:
        return {"name": fields["label"]}
    return fields


def test_a_record_of_an_older_version_is_read_at_every_place_of_its_type() -> None:
    older = {"first": {"label": "a"}, "second": {"label": "b"}, "more": [{"label": "c"}]}
    expected = Pair(Thing("a"), Thing("b"), (Thing("c"),))
    assert TypeAdapter(Pair).validate_python(older) == expected


def test_a_record_of_today_is_read_as_it_is() -> None:
    things = TypeAdapter(list[Thing])
    assert things.validate_json('[{"name": "a"}, {"label": "b"}]') == [Thing("a"), Thing("b")]
    assert things.validate_python([Thing("c")]) == [Thing("c")]


def test_what_is_wrong_with_a_record_is_still_told() -> None:
    with pytest.raises(ValidationError, match="name"):
        TypeAdapter(Thing).validate_python({"label": 3})
