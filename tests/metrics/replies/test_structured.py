"""Tests how JSON objects are read from replies, whatever stands around them."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.metrics.replies.structured import labelled_texts, objects, text_of

NAMES = ("score", "reason")


@given(st.text(max_size=200))
def test_no_text_raises(text: str) -> None:
    for item in objects(text, NAMES):
        assert isinstance(item.raw, str)


@given(
    st.dictionaries(st.sampled_from(NAMES), st.integers() | st.text(max_size=20), min_size=1),
    st.text(alphabet="abc .,:`\n", max_size=30),
    st.text(alphabet="abc .,:`\n", max_size=30),
)
def test_an_object_is_read_with_any_words_around_it(
    fields: dict[str, object], before: str, after: str
) -> None:
    (item,) = objects(f"{before}{json.dumps(fields)}{after}", NAMES)
    assert item.fields == fields


def test_objects_within_a_list_come_in_their_order() -> None:
    items = objects('{"answers": [{"score": 1}, {"score": 2}]}', NAMES)
    assert [item.fields["score"] for item in items] == [1, 2]


def test_names_are_read_whatever_their_case_and_underscores() -> None:
    (item,) = objects('{"Visual_Reason": "red"}', ["visual reason"])
    assert item.fields == {"visual reason": "red"}


def test_an_object_that_breaks_off_has_no_fields_and_the_next_one_is_read() -> None:
    broken, whole = objects('{"score": 1, "reason": "it', NAMES), objects('{"score": 3}', NAMES)
    assert [item.fields for item in broken] == [{}]
    assert [item.fields for item in whole] == [{"score": 3}]


def test_a_field_that_stands_there_twice_is_refused() -> None:
    (item,) = objects('{"score": 1, "score": 2}', NAMES)
    with pytest.raises(ValueError, match="'score' stands there twice"):
        text_of(item.fields, "score")


@pytest.mark.parametrize(
    ("fields", "text"),
    [({"score": 4}, "4"), ({"score": " a "}, "a"), ({}, ""), ({"score": None}, "")],
)
def test_a_number_counts_as_a_text_and_nothing_as_none(
    fields: dict[str, object], text: str
) -> None:
    assert text_of(fields, "score") == text


def test_a_list_is_no_text() -> None:
    with pytest.raises(ValueError, match="'score' is no text"):
        text_of({"score": [1]}, "score")


def test_a_label_has_the_text_up_to_the_next_label_and_the_last_one_the_rest() -> None:
    texts = labelled_texts(re.compile(r"(\w+):"), "Sure. shape: 1 color: 0, blue")
    assert [(label[1], text) for label, text in texts] == [("shape", " 1 "), ("color", " 0, blue")]
    assert list(labelled_texts(re.compile(r"(\w+):"), "no label")) == []
