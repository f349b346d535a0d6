"""A writer's reply becomes the same records as the reading by rules, or nothing; never an error."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.prompt_reading import MANY, PICTURE, Count
from hallascope.data.wordings.templates import template
from hallascope.metrics.parsing.reading import read_prompt
from hallascope.metrics.parsing.readings.differences import reading_differences
from hallascope.metrics.parsing.readings.model_reading import (
    MOST_OBJECTS,
    SCHEMA,
    parse_model_reading,
    reading_request,
    write_model_reading,
)

GERMAN = "Zwei rote Katzen links auf einem Schild, auf dem RUHE steht, ohne Hund, Ölgemälde"
REPLY = {
    "language": "de",
    "translation": "Two red cats on the left on a sign that says RUHE, without a dog, oil painting",
    "objects": [
        {"id": "a", "name": "cat", "count": "2", "attributes": ["Red"], "absent": False},
        {"id": "b", "name": "sign", "count": "", "attributes": [], "absent": False},
        {"id": "c", "name": "dog", "count": "many", "attributes": [], "absent": True},
    ],
    "relations": [
        {"subject": "a", "relation": "on", "target": "b"},
        {"subject": "a", "relation": "left", "target": "picture"},
    ],
    "texts": [{"text": "RUHE", "on": "b"}],
    "style": ["oil painting"],
}


def test_a_reply_is_read_in_full() -> None:
    reading = parse_model_reading(GERMAN, json.dumps(REPLY))
    assert reading is not None
    assert (reading.source, reading.language) == ("model", "de")
    assert reading.translation.startswith("Two red cats")
    cat, sign, dog = reading.objects
    assert (cat.count, [word.value for word in cat.attributes]) == (Count.exactly(2), ["red"])
    assert (dog.count, dog.absent) == (MANY, True)
    assert [(one.subject, one.words, one.target) for one in reading.relations] == [
        (cat.id, "on", sign.id),
        (cat.id, "left", PICTURE),
    ]
    (text,) = reading.texts
    assert (text.text, text.on) == ("RUHE", sign.id)
    assert text.span is not None
    assert GERMAN[slice(*text.span)] == "RUHE"
    assert [words.text for words in reading.style] == ["oil painting"]


def test_words_around_the_reply_and_thinking_are_ignored() -> None:
    wrapped = f"<think>a {{cat}}?</think>Here it is:\n```json\n{json.dumps(REPLY)}\n```"
    reading = parse_model_reading(GERMAN, wrapped)
    assert reading is not None
    assert len(reading.objects) == 3


def test_what_a_reply_makes_up_is_left_out() -> None:
    reply = {
        "objects": [
            {"id": 1, "name": "cat", "count": "a few"},
            {"id": 1, "name": "cat"},
            {"id": 2, "name": ""},
            "dog",
        ],
        "relations": [
            {"subject": 1, "relation": "on", "target": 7},
            {"subject": 1, "relation": "on", "target": 1},
            {"subject": "picture", "relation": "left", "target": 1},
        ],
    }
    reading = parse_model_reading("a cat", json.dumps(reply))
    assert reading is not None
    assert [(asked.name, asked.count) for asked in reading.objects] == [("cat", None)]
    assert reading.relations == ()


def test_a_reply_has_at_most_so_many_objects() -> None:
    objects = [{"id": str(at), "name": f"cat {at}"} for at in range(MOST_OBJECTS + 5)]
    reading = parse_model_reading("cats", json.dumps({"objects": objects}))
    assert reading is not None
    assert len(reading.objects) == MOST_OBJECTS


def test_a_prompt_without_objects_has_an_empty_reading() -> None:
    reading = parse_model_reading("hope", '{"objects": []}')
    assert reading is not None
    assert reading.objects == ()


@pytest.mark.parametrize("reply", ["", "I cannot help with that.", '{"objects": "cat"}', "[1, 2]"])
def test_a_reply_that_is_no_reading_is_none(reply: str) -> None:
    assert parse_model_reading("a cat", reply) is None


def test_the_request_has_the_prompt_and_its_examples_fit_the_schema() -> None:
    form = template("prompt_reading")
    request = reading_request("a {prompt}\nof a cat", form)
    assert "a {prompt} of a cat" in request.text
    assert request.schema == SCHEMA
    jsonschema = pytest.importorskip("jsonschema")
    examples = [line for line in form.text.splitlines() if line.startswith("{")]
    prompts = [line.partition(": ")[2] for line in form.text.splitlines() if "Prompt: " in line]
    for prompt, example in zip(prompts, examples[-len(prompts) :], strict=True):
        jsonschema.validate(json.loads(example), SCHEMA)
        assert parse_model_reading(prompt, example) is not None


@pytest.mark.parametrize(
    "prompt",
    [
        "two or three red cats and a sign that says STOP, without a dog",
        "at least three birds above a house on the left, oil painting",
        "about ten apples",
    ],
)
def test_a_reading_is_written_as_a_model_would_and_read_again(prompt: str) -> None:
    reading = read_prompt(prompt)
    again = parse_model_reading(prompt, write_model_reading(reading))
    assert again is not None
    assert reading_differences(reading, again) == ()
    assert [words.text for words in again.style] == [words.text for words in reading.style]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "name", "count", "attributes", "subject", "relation", "target"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.text(max_size=30), st.text(max_size=200))
def test_no_text_raises(prompt: str, reply: str) -> None:
    parse_model_reading(prompt, reply)


@given(st.lists(json_values, max_size=4), st.lists(json_values, max_size=4), json_values)
def test_no_json_raises(objects: list[object], relations: list[object], other: object) -> None:
    reply = json.dumps({"objects": objects, "relations": relations, "texts": other, "style": other})
    reading = parse_model_reading("a cat", reply)
    assert reading is not None
    assert all(asked.name for asked in reading.objects)
