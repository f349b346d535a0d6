"""The baselines beside scene-graph QA: their numbers by hand, and that what fails is left out and
never scored 0.
"""

from collections.abc import Callable
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope import metrics
from hallascope.data.graphs import SceneGraphs
from hallascope.data.records import Report, Score
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Embed,
    Embedded,
    Failure,
    Match,
    Matched,
    Reply,
    Request,
    Write,
)
from hallascope.metrics.baselines.llmscore import parse_rating
from tests.support.scripted_vision import look

PROMPT = "a red circle and two blue squares"
GONE = Failure("timeout", "The model did not answer in 30 s.")
LEFT_OUT = Score(None, 0, 1)


def said(
    name: str,
    reply: Callable[[Request], Reply],
    asked: list[Request] | None = None,
    prompt: str = PROMPT,
) -> Report:
    return look(metrics.get(name), prompt, reply, asked)


# --- CLIPScore
# --------------------------------------------------------------------------------------------------


def vectors(seen: tuple[float, ...], text: tuple[float, ...]) -> Callable[[Request], Reply]:
    return lambda one: Embedded(seen if isinstance(one, Embed) and one.image else text)


@pytest.mark.parametrize(
    ("text", "cosine", "score"),
    [((0.6, 0.8), 0.6, 1.5), ((1.0, 0.0), 1.0, 2.5), ((-0.6, 0.8), -0.6, 0.0)],
)
def test_clipscore_is_two_and_a_half_times_the_cosine_and_never_below_zero(
    text: tuple[float, ...], cosine: float, score: float
) -> None:
    report = said("clipscore", vectors((1.0, 0.0), text))
    assert report.scores["cosine"].value == pytest.approx(cosine)
    assert report.score == Score(report.score.value, 1, 0)
    assert report.score.value == pytest.approx(score)
    low, high = metrics.score("clipscore", "score").bounds
    assert low <= score <= high


def test_vectors_of_two_lengths_are_left_out_and_said() -> None:
    report = said("clipscore", vectors((1.0, 0.0), (1.0,)))
    assert report.score == LEFT_OUT
    assert report.evidence
    assert "choose one with a common space" in report.evidence.findings[0].note


# --- BLIP
# --------------------------------------------------------------------------------------------------


def test_image_text_matching_is_the_models_probability() -> None:
    asked: list[Request] = []
    report = said("blip-itm", lambda _: Matched(0.83), asked)
    assert report.score == Score(0.83, 1, 0)
    assert [one.text for one in asked if isinstance(one, Match)] == [PROMPT]


def chances(*each: float) -> Callable[[Request], Reply]:
    rest = iter(each)
    return lambda _: Answer("Yes", (chance := next(rest), 1 - chance))


def test_blip_vqa_is_the_product_over_the_noun_phrases_asked_one_by_one() -> None:
    asked: list[Request] = []
    report = said("blip-vqa", chances(0.9, 0.4), asked)
    assert [one.question for one in asked if isinstance(one, Ask)] == [
        "a red circle?",
        "two blue squares?",
    ]
    assert report.score == Score(report.score.value, 1, 0)
    assert report.score.value == pytest.approx(0.36)
    assert report.evidence
    assert [(one.expected, one.state) for one in report.evidence.findings] == [
        ("a red circle", "correct"),
        ("two blue squares", "incorrect"),
    ]
    assert [PROMPT[slice(*one.prompt_spans[0])] for one in report.evidence.findings] == [
        "a red circle",
        "two blue squares",
    ]


def test_a_judge_without_probabilities_is_left_out_and_told_what_to_choose() -> None:
    report = said("blip-vqa", lambda _: Answer("Yes"))
    assert report.score == LEFT_OUT
    assert report.evidence
    assert "choose one that ranks answers" in report.evidence.findings[0].note


def test_a_prompt_without_noun_phrases_has_no_score() -> None:
    assert said("blip-vqa", lambda _: Answer("Yes", (1.0, 0.0)), prompt="!").score == LEFT_OUT


@given(st.lists(st.floats(0, 1), min_size=2, max_size=2))
def test_the_product_stays_between_zero_and_the_least(each: list[float]) -> None:
    value = said("blip-vqa", chances(*each)).score.value
    assert value == pytest.approx(prod(each))
    assert value is not None
    assert 0 <= value <= min(each) + 1e-12


# --- LLMScore
# --------------------------------------------------------------------------------------------------


def rated(rating: str, caption: str = "A red circle.") -> Callable[[Request], Reply]:
    return lambda one: Answer(caption if isinstance(one, Describe) else rating)


def test_llmscore_is_the_rating_of_a_writer_that_sees_the_caption_and_no_picture() -> None:
    asked: list[Request] = []
    report = said("llmscore", rated('{"score": 40, "reason": "No squares."}'), asked)
    assert report.score == Score(0.4, 1, 0)
    describe, write = asked
    assert isinstance(describe, Describe)
    assert PROMPT not in describe.text
    assert isinstance(write, Write)
    assert "A red circle." in write.text
    assert PROMPT in write.text
    assert report.evidence
    assert report.evidence.caption == "A red circle."


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"score": 100, "reason": ""}', 1.0),
        ("Score: 72/100", 0.72),
        ("85", 0.85),
        ("<think>90</think> 20", 0.2),
        ('{"score": 140}', None),
        ('{"score": true}', None),
        ("between 20 and 40", None),
        ("good", None),
        ("", None),
        ("1000", None),
        ("-5", None),
    ],
)
def test_a_rating_is_read_where_it_is_one_number_from_0_to_100(
    text: str, value: float | None
) -> None:
    assert parse_rating(text) == value


@given(st.text(max_size=80))
def test_any_reply_is_a_rating_in_bounds_or_none(text: str) -> None:
    value = parse_rating(text)
    assert value is None or 0 <= value <= 1


def test_an_unreadable_rating_is_left_out() -> None:
    report = said("llmscore", rated("splendid"))
    assert report.score == LEFT_OUT
    assert report.evidence
    assert report.evidence.findings[0].state == "unreadable"


# --- the caption ablation
# --------------------------------------------------------------------------------------------------


def graphs(caption: str, prompt: str = PROMPT) -> SceneGraphs:
    report = said("caption-ablation", lambda _: Answer(caption), prompt=prompt)
    assert report.evidence
    assert report.evidence.graphs
    return report.evidence.graphs


def test_the_same_questions_are_answered_from_the_triples_of_a_caption() -> None:
    found = graphs("The picture shows two blue squares and a red circle. A star is above them.")
    assert [one.answer for one in found.questions] == ["yes"] * 5
    assert [(error.type, error.seen) for error in found.errors] == [("extraneous", "star")]
    assert found.grade == 6
    assert len([node for node in found.seen.nodes if node.label == "square"]) == 2


def test_what_a_caption_does_not_say_is_missing() -> None:
    found = graphs(
        "There is a green circle to the right of a square.", "a red circle to the left of a square"
    )
    assert [(error.type, error.asked, error.seen) for error in found.errors] == [
        ("attribute", "red", "green"),
        ("relation", "to the left of the square", "to the right of"),
    ]


def test_an_empty_caption_is_left_out() -> None:
    report = said("caption-ablation", lambda _: Answer("  "))
    assert report.score == Score(None, 0, 5)


# --- all of them
# --------------------------------------------------------------------------------------------------

BASELINES = ("clipscore", "blip-itm", "blip-vqa", "llmscore", "caption-ablation")


@pytest.mark.parametrize("name", BASELINES)
def test_a_model_that_fails_leaves_the_picture_out_and_says_why(name: str) -> None:
    report = said(name, lambda _: GONE)
    assert (report.metric, report.score.value, report.score.counted) == (name, None, 0)
    assert report.score.left_out > 0
    assert report.published["score"] == (
        0.0 if name == "caption-ablation" else None
    )  # a share of questions, left out as wrong
    assert report.evidence
    assert all(one.state == "failed" and "30 s" in one.note for one in report.evidence.findings)


@pytest.mark.parametrize("name", BASELINES)
def test_every_baseline_asks_only_of_the_roles_it_names(name: str) -> None:
    metric, asked = metrics.get(name), list[Request]()
    said(name, lambda _: GONE, asked)
    assert {one.role for one in asked} <= set(metric.required_roles)
    assert not metric.needs_questions
