"""The rounds for a judge that ranks choices: criterion by criterion, tried with a judge that knows
how everything was drawn.
"""

from pathlib import Path
from typing import Any

from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.records import CANNOT_TELL, Picture, Question, Report, Score
from hallascope.data.requests import Answer, Ask, Reply
from hallascope.data.wordings.templates import template
from hallascope.metrics.base import Case, run
from hallascope.metrics.factualbench import plan as factualbench
from hallascope.metrics.factualbench.choices import (
    QUESTIONS,
    THING,
    TOGETHER,
    concept_in_sentence,
)
from hallascope.metrics.factualbench.replies import CONCEPT
from hallascope.metrics.factualbench.report import as_json
from hallascope.primer.benchmark import pair_criteria

PICTURE, REFERENCE = (Picture(name * 32, Path(f"{name}.png")) for name in ("ab", "cd"))
LADYBUG = ConceptRef(name="ladybug", domain="animal", reference=REFERENCE, phrase="a ladybug")
ZEBRA = ConceptRef(
    name="zebra", domain="animal", reference=Picture("ef" * 32, Path("zebra.png")), phrase="a zebra"
)
CHECK = Question(
    text="What is on the left in the image?",
    choices=("Zebra", "Ladybug", "Tulip", "Comet", "None of the above"),
    gold="B",
    coi="relation",
)
SKCM = FactualPrompt(prompt="An image of a ladybug", concepts=(LADYBUG,))
SKCU = FactualPrompt(
    prompt="a ladybug on a leaf", concepts=(LADYBUG,), task="action", variations=("on a leaf",)
)
MKCC = FactualPrompt(
    prompt="a ladybug to the left of a zebra",
    concepts=(LADYBUG, ZEBRA),
    task="interaction",
    variations=("side by side",),
    checks=(CHECK,),
)


def asked(prompt: FactualPrompt) -> list[Ask]:
    return [
        ask
        for ask in next(
            factualbench.metric().plan(
                Case(prompt=prompt.prompt, image=PICTURE, factual=prompt, judge_ranks_choices=True)
            )
        )
        if isinstance(ask, Ask)
    ]


def as_document(report: Report) -> dict[str, Any]:
    return as_json(report)


def judged(prompt: FactualPrompt, said: dict[str, str], otherwise: str = "Yes") -> Report:
    """By a judge that gives these answers to questions, and the other to all others."""
    case = Case(prompt=prompt.prompt, image=PICTURE, factual=prompt, judge_ranks_choices=True)
    replies: list[Reply] = [Answer(said.get(ask.question, otherwise)) for ask in asked(prompt)]
    return run(factualbench.metric().plan(case), [replies])


def test_the_questions_are_those_that_the_primer_judge_is_trained_on() -> None:
    primer = {
        kind: pair_criteria.QUESTIONS[kind]
        for kind in pair_criteria.ASPECTS
        if kind in (*CONCEPT, "thing")
    }
    assert primer == {"thing": THING, **QUESTIONS}


def test_the_rating_is_the_number_of_criteria_that_are_met() -> None:
    report = judged(SKCM, {QUESTIONS["color"]: "No"})
    assert report.score == Score(0.75, 1, 0)
    (said,) = as_document(report)["concepts"]
    assert (said["rating"], said["criteria"]["color"]["met"], said["criteria"]["shape"]["met"]) == (
        3,
        False,
        True,
    )


def test_a_criterion_that_cannot_be_told_is_left_out_of_the_rating_and_named() -> None:
    report = judged(
        SKCM,
        {
            QUESTIONS["texture"]: CANNOT_TELL,
            QUESTIONS["color"]: "No",
            QUESTIONS["shape"]: "perhaps",
        },
    )
    assert report.score == Score(0.5, 1, 0)
    (said,) = as_document(report)["concepts"]
    assert (said["rating"], said["score"]) == (None, 0.5)
    assert {kind: one["state"] for kind, one in said["criteria"].items()} == {
        "shape": "unreadable",
        "color": "incorrect",
        "texture": "abstained",
        "details": "correct",
    }
    assert said["flag"] == "2 of 4 criteria could not be told and are left out of the rating."


def test_where_another_thing_is_shown_no_criterion_is_met() -> None:
    report = judged(SKCM, {THING: "No"}, CANNOT_TELL)
    assert report.score == Score(0.0, 1, 0)


def test_where_nobody_can_tell_what_is_shown_no_criterion_counts() -> None:
    assert judged(SKCM, {THING: CANNOT_TELL}).score == Score(None, 0, 1)


def test_the_task_is_presence_and_then_the_variation_and_nothing_is_asked_twice() -> None:
    questions = [ask.question for ask in asked(SKCU)]
    assert questions == [THING, *QUESTIONS.values(), "Does the image show this: on a leaf?"]
    assert judged(SKCU, {}).scores["task"] == Score(1.0, 1, 0)
    assert judged(SKCU, {"Does the image show this: on a leaf?": "No"}).scores["task"] == Score(
        0.0, 1, 0
    )
    assert judged(SKCU, {"Does the image show this: on a leaf?": CANNOT_TELL}).scores[
        "task"
    ] == Score(None, 0, 1)
    assert judged(SKCU, {THING: "No"}).scores["task"] == Score(0.0, 1, 0)
    assert judged(SKCU, {THING: "perhaps"}).scores["task"] == Score(None, 0, 1)
    assert judged(SKCU, {THING: "perhaps", "Does the image show this: on a leaf?": "No"}).scores[
        "task"
    ] == Score(0.0, 1, 0)


def test_a_pair_with_checks_of_its_own_is_asked_these_alone() -> None:
    questions = [ask.question for ask in asked(MKCC)]
    assert questions[10:] == [CHECK.text]
    report = judged(MKCC, {CHECK.text: "B) Ladybug"})
    assert (report.scores["task"], report.scores["composition"]) == (
        Score(1.0, 1, 0),
        Score(1.0, 1, 0),
    )
    report = judged(MKCC, {CHECK.text: "A) Zebra"})
    assert (report.scores["task"], report.scores["composition"]) == (
        Score(0.0, 1, 0),
        Score(0.0, 1, 0),
    )
    told = as_document(report)["composition"]
    assert {kind: one["state"] for kind, one in told["criteria"].items()} == {
        **dict.fromkeys(TOGETHER, "abstained"),
        "following": "incorrect",
    }
    assert judged(MKCC, {CHECK.text: "E) None of the above"}).scores["task"] == Score(0.0, 1, 0)
    assert judged(MKCC, {CHECK.text: "a bird"}).scores["task"] == Score(None, 0, 1)


def test_a_pair_without_checks_is_asked_for_each_concept_by_name() -> None:
    plain = FactualPrompt(
        prompt=MKCC.prompt, concepts=MKCC.concepts, task="interaction", variations=("side by side",)
    )
    there = ["Is there a ladybug in the image?", "Is there a zebra in the image?"]
    questions = [ask.question for ask in asked(plain)]
    together = [text.replace("{prompt}", plain.prompt) for text in TOGETHER.values()]
    assert questions[10:] == [*there, "Does the image show this: side by side?", *together]
    assert judged(plain, {}).scores["task"] == Score(1.0, 1, 0)
    report = judged(plain, {there[1]: "No"})
    assert report.scores["task"] == Score(0.0, 1, 0)
    assert as_document(report)["task"]["seen"] == "not there: zebra"


def test_reports_of_the_two_ways_are_never_averaged() -> None:
    told = judged(SKCM, {})
    assert told.version != factualbench.metric().version
    assert told.version.endswith(f"{template('factualbench_choice').version}+choices")


def test_a_concept_is_called_as_sentences_call_it() -> None:
    assert concept_in_sentence(LADYBUG) == "a ladybug"
    assert concept_in_sentence(ConceptRef(name="Egyptian Mau cat")) == "Egyptian Mau cat"
    assert concept_in_sentence(ConceptRef(name="octopus")) == "an octopus"
