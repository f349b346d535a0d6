"""Making questions: five answers a picture, difficulty, what is kept and merged, and every failure
as a value.
"""

import json
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from hallascope.data.records import NONE_OF_THE_ABOVE, Picture, Question
from hallascope.data.requests import Answer, Ask, Failure, Reply, Request, Write
from hallascope.data.wordings.templates import template
from hallascope.metrics.ihalla import reasoning
from hallascope.metrics.ihalla.agents import (
    GeneratedQuestions,
    MergedReasoning,
    ask_questions,
    reason,
)
from hallascope.metrics.ihalla.reasoning import LabeledPicture

T = TypeVar("T")
PROMPT = "A molecule of methane."
RIGHT = LabeledPicture(Picture("aa" * 32, Path("right.png")), factual=True)
WRONG = LabeledPicture(Picture("bb" * 32, Path("wrong.png")), factual=False)
LOST = Failure("timeout", "The judge did not answer in 30 s.")
CHOICES = ("Two", "Three", "Four", "Five", NONE_OF_THE_ABOVE)
ATOMS = Question(
    text="How many outer atoms are in the image?", choices=CHOICES, gold="C", coi="counting"
)


def says(response: str, visual: str = "four atoms", contextual: str = "CH4") -> Answer:
    return Answer(
        json.dumps(
            {"response": response, "visual_evidence": visual, "contextual_evidence": contextual}
        )
    )


def finish(
    plan: Generator[list[Request], list[Reply], T], *steps: Sequence[Reply]
) -> tuple[T, list[list[Request]]]:
    """The plan's result, and what it asked in each step."""
    asked: list[list[Request]] = []
    try:
        asked.append(next(plan))
        for step in steps:
            asked.append(plan.send(list(step)))
    except StopIteration as end:
        return end.value, asked
    raise AssertionError(f"the plan asks on: {asked[-1]}")


def write(requests: list[Request]) -> Write:
    (request,) = requests
    assert isinstance(request, Write)
    return request


# --- reasoning


def test_the_judge_is_asked_five_times_of_each_picture_each_time_a_draw_of_its_own() -> None:
    asks = next(reason(PROMPT, [RIGHT, WRONG]))
    assert len(asks) == len(set(map(repr, asks))) == 10
    assert all(isinstance(ask, Ask) for ask in asks)
    said = [
        (ask.images, ask.temperature, ask.seed, ask.choices) for ask in asks if isinstance(ask, Ask)
    ]
    assert said == [
        ((material.picture,), 1.0, seed, ()) for material in (RIGHT, WRONG) for seed in range(5)
    ]
    ask = asks[0]
    assert isinstance(ask, Ask)
    assert PROMPT in ask.text
    assert ask.template == template("ihalla_reason").version
    assert ask.schema == reasoning.SCHEMA


def test_what_tells_right_of_both_pictures_is_merged_by_the_writer() -> None:
    told = [
        says("Normal", "R1"),
        says("Weird", "R2"),
        *[says("Normal", "R3")] * 3,
        *[says("Normal", "W1")] * 4,
        says("Weird", "W5"),
    ]
    found, asked = finish(
        reason(PROMPT, [RIGHT, WRONG]),
        told,
        [Answer("Visual evidence:  four.\n\n\n\nContextual evidence: CH4.")],
    )
    merge = write(asked[1])
    factual, wrong = merge.text.split("pictures that are wrong")
    assert all(word in factual for word in ("R1", "R3"))
    assert "R2" not in merge.text
    assert "W1" not in merge.text
    assert "W5" in wrong
    assert found.text == "Visual evidence: four.\n\nContextual evidence: CH4."
    assert found.problem == ""
    assert found.difficulty == {RIGHT.picture.sha256: "easy", WRONG.picture.sha256: "hard"}
    assert [one.state for one in found.reasonings].count("correct") == 5
    assert found.templates == {
        name: template(name).version for name in ("ihalla_reason", "ihalla_merge")
    }


def test_one_kept_reasoning_needs_no_merging_and_says_what_it_is_about() -> None:
    found, asked = finish(
        reason(PROMPT, [WRONG]), [says("Weird", "five atoms", ""), *[says("Normal")] * 4]
    )
    assert len(asked) == 1
    assert found.text == "About a picture that is wrong:\nVisual evidence: five atoms"
    assert found.difficulty == {WRONG.picture.sha256: "hard"}


def test_without_pictures_the_writer_reasons_from_the_prompt_alone() -> None:
    found, asked = finish(
        reason("  a molecule\nof methane "), [Answer("<think>Hm.</think>Four hydrogen atoms.")]
    )
    assert "a molecule of methane" in write(asked[0]).text
    assert found == MergedReasoning(
        "Four hydrogen atoms.",
        templates={"ihalla_reason_unseen": template("ihalla_reason_unseen").version},
    )


@pytest.mark.parametrize(
    "reply, text, said",
    [
        (
            Failure("denied", "The key is refused."),
            "",
            "The writer gave no reasoning (The key is refused): write it by hand",
        ),
        (Answer(" \n"), "", "The writer gave no reasoning (its reply is empty)"),
        (
            Answer("Four hydro", truncated=True),
            "Four hydro",
            "The writer gave no whole reasoning (its reply breaks off)",
        ),
    ],
)
def test_a_writer_without_a_whole_reasoning_is_a_problem_with_a_way_on(
    reply: Reply, text: str, said: str
) -> None:
    found, _ = finish(reason(PROMPT), [reply])
    assert found.text == text
    assert found.problem.startswith(said)


def test_a_failed_merge_loses_nothing_that_was_kept() -> None:
    found, _ = finish(
        reason(PROMPT, [RIGHT]),
        [says("Normal", "R1"), says("Normal", "R2"), LOST, LOST, LOST],
        [LOST],
    )
    assert "R1" in found.text
    assert "R2" in found.text
    assert found.problem.startswith(
        "The reasonings could not be merged (The judge did not answer in 30 s)"
    )


def test_nothing_kept_is_one_sentence_that_counts_and_says_what_to_do() -> None:
    found, asked = finish(
        reason(PROMPT, [RIGHT]),
        [says("Weird"), Answer("I cannot tell."), LOST, LOST, says("Normal", "", "")],
    )
    assert len(asked) == 1
    assert (found.text, found.difficulty) == ("", {})
    assert (
        found.problem
        == "No reasoning could be kept: of 5 answers 1 gave no evidence, 1 called the image wrong,"
        " 1 could not be read, 2 never came (first: The judge did not answer in 30 s). Write the"
        " reasoning by hand, or choose another judge."
    )
    assert [one.state for one in found.reasonings] == [
        "incorrect",
        "unreadable",
        "failed",
        "failed",
        "correct",
    ]
    assert found.reasonings[1].raw == "I cannot tell."
    assert found.reasonings[2].failure == LOST.message


def test_one_picture_cannot_be_right_and_wrong_and_the_same_twice_is_asked_once() -> None:
    found, asked = finish(reason(PROMPT, [RIGHT, replace(RIGHT, factual=False)]))
    assert asked == []
    assert found.problem.startswith("One image is given both as right and as wrong")
    elsewhere = LabeledPicture(Picture(RIGHT.picture.sha256, Path("elsewhere.png")), factual=True)
    assert len(next(reason(PROMPT, [RIGHT, elsewhere]))) == 5


# --- questions


def sets(*questions: Question) -> Answer:
    said = [
        {"coi": q.coi, "question": q.text, "choices": q.choices, "answer": q.gold}
        for q in questions
    ]
    return Answer(json.dumps({"sets": said}))


def numbered(count: int) -> list[Question]:
    return [replace(ATOMS, text=f"{ATOMS.text} {n}") for n in range(count)]


def test_five_sets_become_five_questions_that_say_who_made_them() -> None:
    found, asked = finish(
        ask_questions(PROMPT, "Four atoms.", origin="made by openai/gpt-4o"), [sets(*numbered(5))]
    )
    request = write(asked[0])
    assert PROMPT in request.text
    assert "Four atoms." in request.text
    assert (request.temperature, request.seed) == (None, None)
    assert found.questions == tuple(
        replace(question, origin="made by openai/gpt-4o") for question in numbered(5)
    )
    assert (found.rejected, found.failure, found.note) == ((), None, "")
    assert found.templates == {"ihalla_questions": template("ihalla_questions").version}


def test_four_sets_stay_four_and_that_is_said() -> None:
    found, _ = finish(ask_questions(PROMPT, "R"), [sets(*numbered(4))])
    assert len(found.questions) == 4
    assert (
        found.note
        == "The writer gave 4 of 5 sets; 4 can be used. Add what is missing, or ask again."
    )


def test_a_cut_reply_keeps_the_whole_sets_and_says_that_it_breaks_off() -> None:
    found, _ = finish(
        ask_questions(PROMPT, "R"), [Answer(sets(*numbered(5)).text[:-40], truncated=True)]
    )
    assert len(found.questions) == 4
    assert [each.number for each in found.rejected] == [5]
    assert "its reply breaks off; 4 can be used" in found.note


def test_a_reply_without_a_set_and_no_reply_are_failures_in_a_sentence() -> None:
    found, _ = finish(ask_questions(PROMPT, "R"), [Answer("I will not.")])
    assert found.failure is not None
    assert found.failure.startswith("The writer's reply holds no set of questions")
    assert found.raw == "I will not."
    assert finish(ask_questions(PROMPT, "R"), [LOST])[0].failure == LOST.message


def test_without_a_reasoning_nothing_is_asked() -> None:
    found, asked = finish(ask_questions(PROMPT, " \n"))
    assert asked == []
    assert found == GeneratedQuestions(
        failure="There is no reasoning to make questions of: write what a right image must show."
    )
