"""What a model says of a prompt becomes the same records as the reading by rules, or nothing."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.data.prompt_reading import MANY, PICTURE, Count, PromptReader, PromptReading
from hallascope.data.records import Picture
from hallascope.data.requests import Answer, Failure, ReadPrompt, Reply, Request
from hallascope.metrics.base import Case
from hallascope.metrics.reading.case_reading import (
    ACCEPTED,
    CaseReading,
    parser_version,
    read_case,
)
from hallascope.metrics.reading.model_reading import (
    MOST_OBJECTS,
    SCHEMA,
    parse_model_reading,
    reading_request,
    reading_template,
)
from tests.metrics.reading.tables import table
from tests.support.any_json import any_json

FORM = reading_template()
REPLIES = table("model_replies")
GERMAN, REPLY = REPLIES["german"], REPLIES["reply"]


def read(reply: object, prompt: str = "a cat") -> PromptReading:
    reading = parse_model_reading(prompt, reply if isinstance(reply, str) else json.dumps(reply))
    assert reading is not None
    return reading


# --- replies in JSON


def test_a_reply_is_read_in_full() -> None:
    reading = read(REPLY, GERMAN)
    assert (reading.source, reading.language) == ("model", "de")
    cat, sign, dog = reading.objects
    assert (cat.count, [word.value for word in cat.attributes]) == (Count.exactly(2), ["red"])
    assert (sign.count, dog.count, dog.absent) == (None, MANY, True)
    assert [(one.subject, one.words, one.target) for one in reading.relations] == [
        (cat.id, "on", sign.id),
        (cat.id, "left", PICTURE),
    ]
    (text,) = reading.texts
    assert (text.text, text.on) == ("RUHE", sign.id)
    assert text.span is not None
    assert GERMAN[slice(*text.span)] == "RUHE"
    assert [words.text for words in reading.style] == ["oil painting"]
    wrapped = f"<think>a {{cat}}?</think>Here it is:\n```json\n{json.dumps(REPLY)}\n```"
    assert read(wrapped, GERMAN) == reading


def test_what_a_reply_makes_up_is_left_out() -> None:
    reading = read(REPLIES["made_up"])
    assert [(asked.name, asked.count) for asked in reading.objects] == [("cat", None)]
    assert reading.relations == ()
    many = [{"id": str(at), "name": f"cat {at}"} for at in range(MOST_OBJECTS + 5)]
    assert len(read({"objects": many}).objects) == MOST_OBJECTS
    assert read({"objects": []}).objects == ()


def test_a_reply_that_is_no_reading_is_none() -> None:
    replies = REPLIES["no_readings"]
    assert [reply for reply in replies if parse_model_reading("a cat", reply)] == []


def test_the_request_has_the_prompt_and_its_examples_fit_the_schema() -> None:
    request = reading_request("a {prompt}\nof a cat", FORM)
    assert "a {prompt} of a cat" in request.text
    assert request.schema == SCHEMA
    jsonschema = pytest.importorskip("jsonschema")
    lines = FORM.text.splitlines()
    prompts = [line.partition(": ")[2] for line in lines if "Prompt: " in line]
    examples = [line for line in lines if line.startswith("{")][-len(prompts) :]
    for prompt, example in zip(prompts, examples, strict=True):
        jsonschema.validate(json.loads(example), SCHEMA)
        assert parse_model_reading(prompt, example) is not None


# --- who reads the prompt of a case

CASE = Case(
    prompt="two dogs", image=Picture("aa", Path("aa.png")), roles=frozenset({"parser", "judge"})
)
FOREIGN = replace(CASE, prompt=GERMAN)
THREE = Answer(json.dumps({"objects": [{"id": "1", "name": "dog", "count": "3"}]}))
FAULTS: dict[str, Answer | Failure] = {
    "The service is down.": Failure("unavailable", "The service is down."),
    "The service refuses.": Failure("refused", "The service refuses."),
    "Its reply cannot be read.": Answer('{"objects": [{"id": "1", "na'),
    "Its reply was cut off at its limit of tokens.": replace(THREE, truncated=True),
}


def read_with(
    case: Case, *replies: Reply, reader: PromptReader = "model"
) -> tuple[CaseReading, list[Request]]:
    """Return what comes of a case with these replies of the parser, and what it was asked."""
    steps = read_case(replace(case, prompt_reader=reader), FORM, "fig")
    asked: list[Request] = []
    try:
        requests = next(steps)
        for reply in replies:
            asked += requests
            requests = steps.send([reply])
    except StopIteration as end:
        return end.value, asked
    raise AssertionError("it asks on")


def test_a_person_goes_before_the_parser_and_the_parser_before_the_rules() -> None:
    corrected = PromptReading(prompt=CASE.prompt, source="person")
    unread, uncounted = read_with(replace(CASE, reading=corrected))
    assert (unread, uncounted) == (CaseReading(corrected, version=parser_version(FORM)), [])
    by_rule, unasked = read_with(replace(CASE, roles=frozenset({"judge"})))
    assert (by_rule.reading.source, by_rule.notes, by_rule.version) == ("rules", (), "")
    assert unasked == []
    result, (request,) = read_with(CASE, THREE)
    assert isinstance(request, ReadPrompt)
    assert request.prompt == "two dogs"
    assert (result.reading.source, result.reading.objects[0].count) == ("model", Count.exactly(3))
    assert len(result.notes) == 1, "the number that the rules read is said"
    assert result.version == parser_version(FORM) != ""


UNSURE = replace(CASE, prompt="the man a woman near a dog sees holds what none of them ever had")


def test_a_model_reads_only_what_the_rules_are_not_sure_of_unless_it_reads_all() -> None:
    sure, unasked = read_with(CASE, reader="auto")
    unsure, asked = read_with(UNSURE, THREE, reader="auto")
    assert (sure.reading.source, unasked) == ("rules", [])
    assert (unsure.reading.source, len(asked)) == ("model", 1)
    person = PromptReading(prompt=CASE.prompt, source="person")
    corrected, _ = read_with(replace(CASE, reading=person), reader="auto")
    versions = {sure.version, unsure.version, corrected.version}
    assert versions == {f"{parser_version(FORM)}-auto"}
    assert read_with(UNSURE, reader="rules")[1] == []


def test_what_the_rules_are_not_sure_of_is_scored_only_where_it_is_accepted() -> None:
    alone = replace(UNSURE, roles=frozenset({"judge"}))
    withheld, _ = read_with(alone, reader="auto")
    assert "confirm or correct" in withheld.reading.unreadable
    assert (withheld.reading.objects, withheld.version) == ((), "")
    accepted, _ = read_with(replace(alone, accept_readings=True), reader="auto")
    assert (accepted.reading.unreadable, accepted.notes) == ("", (ACCEPTED,))
    assert accepted.reading.objects
    failed, _ = read_with(UNSURE, Failure("unavailable", "It is down."), reader="auto")
    assert "confirm or correct" in failed.reading.unreadable


def test_another_language_is_read_with_its_translation() -> None:
    result, _ = read_with(FOREIGN, Answer(json.dumps(REPLY)))
    assert (result.reading.language, result.reading.unreadable, result.notes) == ("de", "", ())
    assert result.reading.translation == REPLY["translation"]
    result, _ = read_with(FOREIGN, THREE)
    assert "English only" in result.reading.unreadable
    assert result.version == ""


@pytest.mark.parametrize("reason", FAULTS)
def test_a_parser_that_fails_leaves_the_prompt_to_the_rules_and_says_so(reason: str) -> None:
    result, _ = read_with(CASE, FAULTS[reason])
    assert result.reading == read_with(replace(CASE, roles=frozenset()))[0].reading
    (note,) = result.notes
    assert note.endswith(reason)
    assert result.version == ""
    nobody, _ = read_with(FOREIGN, FAULTS[reason])
    assert nobody.reading.unreadable.endswith(f"so there is no score: {reason}")
    assert (nobody.reading.objects, nobody.notes) == ((), ())


KEYS = st.sampled_from(["id", "name", "count", "attributes", "subject", "relation", "target"])


JSON = any_json(KEYS)


@given(st.lists(JSON, max_size=4), st.lists(JSON, max_size=4), JSON)
def test_no_json_raises(objects: list[object], relations: list[object], other: object) -> None:
    reply = {"objects": objects, "relations": relations, "texts": other, "style": other}
    assert all(asked.name for asked in read(reply).objects)
