"""A record is read as it was written, and nothing else is read as one."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.engine.export.records import (
    SharedRating,
    UnusableRecord,
    parse_record,
    record_line,
)
from tests.support.shared_runs import PROMPT

_SAID = st.text(st.characters(codec="utf-8"), max_size=20)


@given(
    st.builds(
        SharedRating,
        image=st.just("ab" * 32),
        metric=st.just("ihalla"),
        prompt=_SAID,
        finding=_SAID,
        rater=_SAID,
        value=_SAID.filter(str.strip),
        created=st.floats(0, 1e10),
    )
)
def test_whatever_a_person_said_is_read_as_it_was_written(said: SharedRating) -> None:
    assert parse_record(record_line(said)) == said


@pytest.mark.parametrize(
    "wrong",
    [
        {"image": "../x"},
        {"value": " "},
        {"metric": ""},
        {"created": "yesterday"},
        {"created": 2**70},
    ],
)
def test_what_a_person_cannot_have_said_is_refused(wrong: dict[str, Any]) -> None:
    said = json.loads(
        record_line(
            SharedRating(
                image="ab" * 32,
                metric="grade",
                prompt=PROMPT,
                finding="",
                rater="Ann",
                value="6",
                created=0.0,
            )
        )
    )
    with pytest.raises(UnusableRecord):
        parse_record(json.dumps(said | wrong))


@given(st.binary(max_size=200))
def test_no_line_whatever_makes_the_reader_stumble(said: bytes) -> None:
    with pytest.raises(UnusableRecord):
        parse_record(said)


_FIELDS = st.sampled_from(["kind", "format", "id", "run", "request", "report"])


_LEAVES = (
    st.none()
    | st.booleans()
    | st.floats()
    | st.text(max_size=9)
    | st.sampled_from(["run", "evaluation", 1])
)


_JSON = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_FIELDS, inner, max_size=6)
)


@settings(max_examples=50)
@given(_JSON)
def test_no_json_whatever_makes_the_reader_stumble(said: object) -> None:
    with pytest.raises(UnusableRecord):
        parse_record(json.dumps(said))
