"""A writer's reply as sets of questions: whole sets are read from JSON and text, others are
rejected alone, nothing is shifted.
"""

import json
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hallascope.data.files.questions import tidy_question
from hallascope.data.records import COIS, LETTERS, NONE_OF_THE_ABOVE, Question
from hallascope.metrics.ihalla.question_replies import RejectedQuestion, parse_questions
from tests.data.cases import cases

NUMBERS = ("Two", "Three", "Four", "Five", NONE_OF_THE_ABOVE)
FIVE = tuple(
    Question(
        text=f"How many of kind {n} are in the image?",
        choices=NUMBERS,
        gold=LETTERS[n % 4],
        coi=COIS[n],
    )
    for n in range(5)
)
Form = Callable[..., str]


def as_json(*questions: Question) -> str:
    sets = [
        {"coi": q.coi, "question": q.text, "choices": list(q.choices), "answer": q.gold}
        for q in questions
    ]
    return json.dumps({"sets": sets}, indent=2)


def as_text(*questions: Question) -> str:
    return "\n\n".join(f"Set {n}:\n{_lines(question)}" for n, question in enumerate(questions, 1))


def as_markdown(*questions: Question) -> str:
    return (
        "\n\n---\n".join(
            f"### **Set {n}**\n{_lines(question, '- **', '**')}"
            for n, question in enumerate(questions, 1)
        )
        + "\n\nI hope this helps!"
    )


def without_headings(*questions: Question) -> str:
    return "Here they are.\n\n" + "\n\n".join(map(_lines, questions))


def _lines(question: Question, before: str = "", after: str = "") -> str:
    choices = "\n".join(
        f"{letter}) {choice}" for letter, choice in zip(LETTERS, question.choices, strict=True)
    )
    said = {
        "Compositions of Interest": question.coi,
        "Question": question.text,
        "Choices": f"\n{choices}",
        "Answer": question.gold,
    }
    return "\n".join(f"{before}{label}:{after} {value}" for label, value in said.items())


@pytest.mark.parametrize("form", [as_json, as_text, as_markdown, without_headings])
def test_any_questions_are_read_as_they_were_written(form: Form) -> None:
    assert parse_questions(form(*FIVE)) == (FIVE, ())


@pytest.mark.parametrize("form", [as_json, as_text])
def test_a_reply_cut_off_anywhere_loses_only_what_comes_after(form: Form) -> None:
    whole = form(*FIVE)
    for place in range(0, len(whole), 17):
        found, rejected = parse_questions(whole[:place])
        assert found == FIVE[: len(found)]
        assert len(rejected) <= 1


@pytest.mark.parametrize("label", ["Compositions of Interest", "Question", "Choices", "Answer"])
@pytest.mark.parametrize("form", [as_text, as_markdown])
def test_a_set_of_text_without_a_label_is_rejected_alone_and_nothing_is_shifted(
    form: Form, label: str
) -> None:
    lines = form(*FIVE).splitlines()
    at = [n for n, line in enumerate(lines) if label in line][1]
    found, rejected = parse_questions("\n".join(lines[:at] + lines[at + 1 :]))
    assert found == (FIVE[0], *FIVE[2:])
    assert [each.number for each in rejected] == [2]


def changed(**fields: object) -> tuple[tuple[Question, ...], tuple[RejectedQuestion, ...]]:
    said = json.loads(as_json(*FIVE))
    said["sets"][1] |= fields
    return parse_questions(json.dumps(said))


@pytest.mark.parametrize(
    "field, value, reason",
    [
        ("answer", "F", "the answer 'F' is neither a letter A to E nor the text of a choice"),
        ("answer", "Six", "the answer 'Six' is neither a letter A to E nor the text of a choice"),
        ("answer", "B) Two", "the answer 'B) Two' contradicts choice B, 'Three'"),
        ("answer", ["B"], "'answer' is no text"),
        ("answer", None, "it has no answer"),
        ("coi", "mood", "the composition of interest 'mood' is none of"),
        ("question", " ", "it has no question"),
        ("question", FIVE[0].text.upper(), "its question stands there twice"),
        ("choices", ["Two", "Three", "two", "Five", NONE_OF_THE_ABOVE], "two choices are the same"),
        ("choices", ["Two", "", "Four", "Five", NONE_OF_THE_ABOVE], "choice B is empty"),
        ("choices", ["Two", "Three"], "there are 2 choices: give five"),
        (
            "choices",
            ["Two", "Three", "Four", "Five", "Six"],
            "choice E is 'Six' and not 'None of the above'",
        ),
        ("choices", [2, 3, 4, 5], "its choices are no list of texts"),
    ],
)
def test_a_set_that_cannot_stand_is_rejected_alone_with_its_reason(
    field: str, value: object, reason: str
) -> None:
    found, (rejected,) = changed(**{field: value})
    assert found == (FIVE[0], *FIVE[2:])
    assert rejected.number == 2
    assert rejected.reason.startswith(reason)
    assert "coi" in rejected.raw


@pytest.mark.parametrize(
    "fields",
    cases("question_replies", "every_spelling_of_a_field_is_read", "metrics"),
)
def test_every_spelling_of_a_field_is_read(fields: dict[str, object]) -> None:
    found, rejected = changed(**({"answer": "C", "coi": "counting"} | fields))
    assert rejected == ()
    assert (found[1].gold, found[1].coi, found[1].choices) == ("C", "counting", NUMBERS)


def test_a_field_that_stands_twice_in_one_set_is_rejected() -> None:
    reply = as_json(*FIVE[:2]).replace('"answer": "A"', '"answer": "A", "Answer": "B"')
    assert [each.reason for each in parse_questions(reply)[1]] == ["'answer' stands there twice"]
    reply = as_json(*FIVE[:2]).replace('"answer": "A"', '"answer": "A", "correct_answer": "B"')
    assert [each.reason for each in parse_questions(reply)[1]] == ["'answer' stands there twice"]


def test_a_set_of_malformed_json_leaves_those_before_and_after() -> None:
    reply = as_json(*FIVE).replace('"coi": "color"', '"coi": color"')
    found, (rejected,) = parse_questions(reply)
    assert found == (*FIVE[:2], *FIVE[3:])
    assert (rejected.number, rejected.reason) == (3, "it breaks off, or is no readable JSON")
    assert FIVE[2].text in rejected.raw


@pytest.mark.parametrize(
    "wrap",
    [
        "{}",
        "```json\n{}\n```",
        "Sure! Here are the sets:\n\n{}\n\nAnything else {{?}}",
        "<think>{{a}}</think>{}",
    ],
)
def test_json_is_found_however_it_is_wrapped(wrap: str) -> None:
    assert parse_questions(wrap.format(as_json(*FIVE))) == (FIVE, ())


@given(st.text())
@example("{" * 100_000)
@example('{"question":' * 2_000)
@example('{"question": ' + "9" * 5_000 + "}")
@example('{"question": "\\ud800", "coi": "color", "choices": ["a","b","c","d"], "answer": "A"}')
@example("Set 1:\n" * 3_000)
@example("Question: a\nChoices:" + " B) x" * 2_000)
@example("Answer: " + "\n \n" * 2_000)
def test_no_reply_raises(text: str) -> None:
    found, _ = parse_questions(text)
    for question in found:
        assert tidy_question(question) == question
