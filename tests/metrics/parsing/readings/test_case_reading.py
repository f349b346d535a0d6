"""Who reads the prompt of a case, and what becomes of a parser that fails."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hallascope.data.prompt_reading import Count, PromptReading
from hallascope.data.records import Picture
from hallascope.data.requests import Answer, Failure, ReadPrompt, Reply, Request
from hallascope.metrics.base import Case
from hallascope.metrics.parsing.readings.case_reading import (
    CaseReading,
    is_readable_reading,
    parser_version,
    read_case,
)
from hallascope.metrics.parsing.readings.model_reading import reading_template

FORM = reading_template()
CASE = Case(
    prompt="two dogs", image=Picture("aa", Path("aa.png")), roles=frozenset({"parser", "judge"})
)
GERMAN = replace(CASE, prompt="zwei rote Hunde und eine Katze")
THREE = Answer(json.dumps({"objects": [{"id": "1", "name": "dog", "count": "3"}]}))
TRANSLATED = Answer(
    json.dumps(
        {
            "language": "de",
            "translation": "two red dogs and a cat",
            "objects": [{"id": "1", "name": "dog", "count": "2", "attributes": ["red"]}],
        }
    )
)


def read(case: Case, *replies: Reply) -> tuple[CaseReading, list[Request]]:
    """What comes of a case with these replies of the parser, and what it was asked."""
    steps = read_case(case, FORM)
    asked: list[Request] = []
    try:
        requests = next(steps)
        for reply in replies:
            asked += requests
            requests = steps.send([reply])
    except StopIteration as end:
        return end.value, asked
    raise AssertionError("it asks on")


def test_without_a_parser_the_rules_read_and_nobody_is_asked() -> None:
    result, asked = read(replace(CASE, roles=frozenset({"judge"})))
    assert (result.reading.source, result.notes, result.version, asked) == ("rules", (), "", [])


def test_what_a_person_corrected_goes_before_the_parser() -> None:
    corrected = PromptReading(prompt=CASE.prompt, source="person")
    result, asked = read(replace(CASE, reading=corrected))
    assert (result.reading, asked) == (corrected, [])


def test_a_parser_is_asked_once_and_what_the_rules_read_otherwise_is_said() -> None:
    result, asked = read(CASE, THREE)
    (request,) = asked
    assert isinstance(request, ReadPrompt)
    assert request.prompt == "two dogs"
    assert "two dogs" in request.text
    assert result.reading.source == "model"
    assert result.reading.objects[0].count == Count.exactly(3)
    assert result.notes == ("The rules read two dogs, the model reads three dogs.",)
    assert result.version == parser_version(FORM) != ""


def test_the_text_of_a_scene_graph_parser_is_a_reading_as_well() -> None:
    result, _ = read(CASE, Answer("( dogs , is , 2 )"))
    assert (result.reading.source, result.reading.language, result.notes) == ("model", "en", ())


def test_a_scene_graph_parser_is_not_believed_of_another_language() -> None:
    result, _ = read(GERMAN, Answer("( hunde , is , rote )"))
    assert "It reads English only" in result.reading.unreadable
    assert result.version == ""


def test_other_languages_are_read_with_their_translation() -> None:
    result, _ = read(GERMAN, TRANSLATED)
    assert (result.reading.language, result.reading.unreadable) == ("de", "")
    assert result.reading.translation == "two red dogs and a cat"
    assert result.notes == ()


FAULTS: list[tuple[Answer | Failure, str]] = [
    (Failure("unavailable", "The service is down."), "The service is down."),
    (Failure("refused", "The service refuses."), "The service refuses."),
    (Answer("I cannot help with that."), "Its reply cannot be read."),
    (Answer('{"objects": [{"id": "1", "na'), "Its reply cannot be read."),
    (replace(THREE, truncated=True), "Its reply was cut off at its limit of tokens."),
]


@pytest.mark.parametrize(("reply", "reason"), FAULTS)
def test_a_parser_that_fails_leaves_the_prompt_to_the_rules_and_says_so(
    reply: Reply, reason: str
) -> None:
    result, _ = read(CASE, reply)
    assert result.reading == read(replace(CASE, roles=frozenset()))[0].reading
    assert result.notes == (f"The parser gave no reading, so the rules read the prompt: {reason}",)
    assert result.version == ""


@pytest.mark.parametrize(("reply", "reason"), FAULTS)
def test_where_the_rules_cannot_read_either_there_is_one_sentence_and_no_reading(
    reply: Reply, reason: str
) -> None:
    result, _ = read(GERMAN, reply)
    assert result.reading.unreadable == (
        f"The parser gave no reading of the prompt, so there is no score: {reason}"
    )
    assert (result.reading.objects, result.notes) == ((), ())


@pytest.mark.parametrize("kind", ["stopped", "over_budget"])
def test_what_is_asked_again_later_has_no_other_reading_in_its_place(kind: str) -> None:
    result, _ = read(CASE, Failure(kind, "Not yet."))  # type: ignore[arg-type]
    assert result.reading.unreadable.endswith("Not yet.")


def test_only_a_whole_reading_is_worth_keeping() -> None:
    request = ReadPrompt("two dogs", "?")
    assert is_readable_reading(request, THREE)
    assert is_readable_reading(request, Answer("( dogs , is , 2 )"))
    assert not any(is_readable_reading(request, reply) for reply, _ in FAULTS)


def test_another_kind_of_reply_is_a_wrong_line_up() -> None:
    from hallascope.data.requests import Matched

    with pytest.raises(TypeError, match="parser replied with Matched"):
        read(CASE, Matched(0.5))
