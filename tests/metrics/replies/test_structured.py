"""Tests how JSON objects are read from replies, whatever stands around them."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.metrics.replies.structured import labeled_texts, objects, text_of

NAMES = ("score", "reason")


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


def test_objects_are_read_in_their_order_whatever_the_case_of_their_names() -> None:
    items = objects('{"answers": [{"score": 1}, {"Score": 2}]}', NAMES)
    assert [item.fields["score"] for item in items] == [1, 2]
    (item,) = objects('{"Visual_Reason": "red"}', ["visual reason"])
    assert item.fields == {"visual reason": "red"}


def test_an_object_that_breaks_off_has_no_fields() -> None:
    (item,) = objects('{"score": 1, "reason": "it', NAMES)
    assert item.fields == {}


def test_a_number_counts_as_a_text_and_nothing_as_none() -> None:
    for value, text in ((4, "4"), (" a ", "a"), (None, "")):
        assert text_of({"score": value}, "score") == text
    assert text_of({}, "score") == ""
    with pytest.raises(ValueError, match="'score' is no text"):
        text_of({"score": [1]}, "score")
    (twice,) = objects('{"score": 1, "score": 2}', NAMES)
    with pytest.raises(ValueError, match="'score' stands there twice"):
        text_of(twice.fields, "score")


def test_a_label_has_the_text_up_to_the_next_label_and_the_last_one_the_rest() -> None:
    texts = labeled_texts(re.compile(r"(\w+):"), "Sure. shape: 1 color: 0, blue")
    assert [(label[1], text) for label, text in texts] == [("shape", " 1 "), ("color", " 0, blue")]
    assert list(labeled_texts(re.compile(r"(\w+):"), "no label")) == []
