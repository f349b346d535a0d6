"""Baselines that give one number: CLIPScore, CLIP-T, CLIP-I, DINO, BLIP and LLMScore."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hallascope import metrics
from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.records import Picture, Score
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
from hallascope.metrics.base import Case, run
from hallascope.metrics.baselines.llmscore import parse_rating
from tests.data.cases import cases
from tests.support.baseline_reports import LEFT_OUT, PROMPT, judge_by
from tests.support.scripted_vision import evidence_of

GONE = Failure("timeout", "The model did not answer in 30 s.")
BASELINES = (
    "clipscore",
    "blip-itm",
    "blip-vqa",
    "llmscore",
    "caption-ablation",
    "compbench-numeracy",
    "compbench-3-in-1",
)


@pytest.mark.parametrize("name", BASELINES)
def test_a_model_that_fails_leaves_the_picture_out_and_says_why(name: str) -> None:
    asked: list[Request] = []
    report = judge_by(name, lambda _: GONE, asked)
    assert {one.role for one in asked} <= set(metrics.get(name).required_roles)
    assert (report.metric, report.score.value, report.score.counted) == (name, None, 0)
    assert report.score.left_out > 0
    # The ablation's score is of questions: as published, those that are left out are wrong.
    assert report.published["score"] == (0.0 if name == "caption-ablation" else None)
    assert all(one.state == "failed" and "30 s" in one.note for one in evidence_of(report).findings)


def vectors(seen: tuple[float, ...], text: tuple[float, ...]) -> Callable[[Request], Reply]:
    return lambda one: Embedded(seen if isinstance(one, Embed) and one.image else text)


@pytest.mark.parametrize(
    "text, expected",
    [
        ((0.6, 0.8), {"cosine": 0.6, "score": 1.5, "share": 1.0, "percent": 60.0}),
        ((0.3, 0.954), {"cosine": 0.3, "score": 0.75, "share": 0.75, "percent": 30.0}),
        ((1.0, 0.0), {"cosine": 1.0, "score": 2.5, "share": 1.0, "percent": 100.0}),
        ((-0.6, 0.8), {"cosine": -0.6, "score": 0.0, "share": 0.0, "percent": 0.0}),
    ],
)
def test_each_normalization_of_the_cosine_has_a_score_with_its_own_range(
    text: tuple[float, ...], expected: dict[str, float]
) -> None:
    scores = judge_by("clipscore", vectors((1.0, 0.0), text)).scores
    assert {name: score.value for name, score in scores.items()} == pytest.approx(
        expected, abs=1e-4
    )
    ranges = [spec.bounds for spec in metrics.scores("clipscore")]
    assert len(set(ranges)) == len(ranges) == len(scores)


@pytest.mark.parametrize("name", ["clipscore", "clip-t", "blip-itm"])
@pytest.mark.parametrize("tokens", [77, None])
def test_a_prompt_that_the_model_cuts_is_told_in_the_report(name: str, tokens: int | None) -> None:
    def reply(one: Request) -> Reply:
        if isinstance(one, Match):
            return Matched(0.5, cut_after=tokens)
        text = isinstance(one, Embed) and one.text
        return Embedded((1.0, 0.0), cut_after=tokens if text else None)

    notes = evidence_of(judge_by(name, reply)).notes
    assert [f"reads {tokens} tokens" in note for note in notes] == [True] * (tokens is not None)


@pytest.mark.parametrize("name", ["clipscore", "clip-t"])
@pytest.mark.parametrize(
    "text, remedy",
    [((1.0,), "choose one with a common space"), ((1.0, float("nan")), "choose another embedder")],
)
def test_vectors_without_a_cosine_are_left_out(
    name: str, text: tuple[float, ...], remedy: str
) -> None:
    report = judge_by(name, vectors((1.0, 0.0), text))
    assert report.score == LEFT_OUT
    assert remedy in evidence_of(report).findings[0].note
    assert set(report.scores.values()) == {LEFT_OUT}
    assert list(report.scores) == [spec.name for spec in metrics.scores(name)]


IMAGE, ONE, TWO = (Picture(name, Path(f"{name}.png")) for name in ("image", "one", "two"))
PAIR = FactualPrompt(
    prompt="a cat and a dog",
    concepts=(ConceptRef(name="cat", reference=ONE), ConceptRef(name="dog", reference=TWO)),
)
PAIR_CASE = Case(prompt="a cat and a dog", image=IMAGE, factual=PAIR)
LOST = Failure("broken", "It is out.")


def unit(vector: np.ndarray) -> Embedded:
    return Embedded(tuple((vector / np.linalg.norm(vector)).tolist()))


def test_the_score_is_the_mean_cosine_of_the_picture_with_its_references() -> None:
    seen: list[Reply] = [unit(np.array(each)) for each in ([1.0, 0, 0], [3.0, 4, 0], [0.0, 0, -2])]
    report = run(metrics.get("clip-i").plan(PAIR_CASE), [seen])
    assert report.score.value == pytest.approx(0.3), "the mean of 0.6 and 0"
    assert (report.score.counted, report.score.left_out) == (2, 0)


def test_clip_t_compares_with_the_prompt_and_dino_with_pictures_alone() -> None:
    assert next(metrics.get("clip-t").plan(PAIR_CASE)) == [
        Embed(image=IMAGE),
        Embed(text=PAIR_CASE.prompt),
    ]
    assert next(metrics.get("dino").plan(PAIR_CASE)) == [
        Embed(image=IMAGE),
        Embed(image=ONE),
        Embed(image=TWO),
    ]
    assert next(metrics.get("dino-v1").plan(PAIR_CASE)) == next(metrics.get("dino").plan(PAIR_CASE))
    alone = Case(prompt="a cat", image=IMAGE, reference=ONE)
    assert next(metrics.get("clip-i").plan(alone)) == [Embed(image=IMAGE), Embed(image=ONE)]


def test_what_an_embedder_fails_at_is_left_out_and_said() -> None:
    same = unit(np.array([1.0, 0, 0]))
    report = run(metrics.get("clip-i").plan(PAIR_CASE), [[same, LOST, same]])
    assert (report.score.value, report.score.counted, report.score.left_out) == (1.0, 1, 1)
    assert [(one.expected, one.state, one.note) for one in evidence_of(report).findings] == [
        ("cat", "failed", "It is out.")
    ]
    assert run(metrics.get("clip-i").plan(PAIR_CASE), [[LOST, same, same]]).score.value is None


def test_a_reference_that_is_gone_is_left_out_and_with_none_nothing_is_asked() -> None:
    gone = Case(
        prompt="a cat",
        image=IMAGE,
        factual=FactualPrompt(prompt="a cat", concepts=(ConceptRef(name="cat"),)),
    )
    report = run(metrics.get("dino").plan(gone), [])
    assert (report.score.value, report.score.left_out) == (None, 1)


def test_image_text_matching_is_the_models_probability() -> None:
    asked: list[Request] = []
    report = judge_by("blip-itm", lambda _: Matched(0.83), asked)
    assert report.score == Score(0.83, 1, 0)
    assert judge_by("blip-itm", lambda _: Matched(float("nan"))).score == LEFT_OUT
    assert [one.text for one in asked if isinstance(one, Match)] == [PROMPT]


def chances(*each: float) -> Callable[[Request], Reply]:
    rest = iter(each)
    return lambda _: Answer("Yes", (chance := next(rest), 1 - chance))


def test_blip_vqa_is_the_product_over_the_noun_phrases_asked_one_by_one() -> None:
    asked: list[Request] = []
    report = judge_by("blip-vqa", chances(0.9, 0.4), asked)
    assert [one.question for one in asked if isinstance(one, Ask)] == [
        "a red circle?",
        "two blue squares?",
    ]
    assert report.score == Score(report.score.value, 1, 0)
    assert report.score.value == pytest.approx(0.36)
    assert [(one.expected, one.state) for one in evidence_of(report).findings] == [
        ("a red circle", "correct"),
        ("two blue squares", "incorrect"),
    ]
    assert [PROMPT[slice(*one.prompt_spans[0])] for one in evidence_of(report).findings] == [
        "a red circle",
        "two blue squares",
    ]


@pytest.mark.parametrize(
    "prompt, phrases",
    [
        (
            "two black sheep, a white goat and a white goat in a field",
            ["two black sheep", "a white goat", "a white goat", "a field"],
        ),
        ("a dog on the left of a cat on top of the side", ["a dog", "a cat"]),
    ],
)
def test_blip_vqa_multiplies_over_spacys_chunks_as_the_authors_code_does(
    prompt: str, phrases: list[str]
) -> None:
    report = judge_by("blip-vqa", lambda _: Answer("Yes", (0.5, 0.5)), prompt=prompt)
    assert [one.expected for one in evidence_of(report).findings] == phrases
    assert report.score.value == pytest.approx(0.5 ** len(phrases))


def test_a_judge_without_probabilities_is_left_out_and_told_what_to_choose() -> None:
    report = judge_by("blip-vqa", lambda _: Answer("Yes"))
    assert report.score == LEFT_OUT
    assert judge_by("blip-vqa", lambda _: Answer("Yes", (1.0, 0.0)), prompt="!").score == LEFT_OUT
    assert "choose one that ranks answers" in evidence_of(report).findings[0].note


@pytest.mark.parametrize("caption", [Answer("<think>It shows"), Answer("A red", truncated=True)])
def test_a_caption_that_was_cut_off_is_not_rated(caption: Answer) -> None:
    requests: list[Request] = []
    report = judge_by("llmscore", lambda _: caption, requests)
    assert (report.score, len(requests)) == (LEFT_OUT, 1)
    assert "`max_tokens`" in evidence_of(report).findings[0].note


def rated(rating: str, caption: str = "A red circle.") -> Callable[[Request], Reply]:
    return lambda one: Answer(caption if isinstance(one, Describe) else rating)


def test_llmscore_is_the_rating_of_a_writer_that_sees_the_caption_and_no_picture() -> None:
    asked: list[Request] = []
    report = judge_by("llmscore", rated('{"score": 40, "reason": "No squares."}'), asked)
    assert report.score == Score(0.4, 1, 0)
    describe, write = asked
    assert isinstance(describe, Describe)
    assert PROMPT not in describe.text
    assert isinstance(write, Write)
    assert "A red circle." in write.text
    assert PROMPT in write.text
    assert evidence_of(report).caption == "A red circle."


@pytest.mark.parametrize(
    "text, value",
    cases("numbers", "a_rating_is_read_where_it_is_one_number_from_0_to_100", "metrics"),
)
def test_a_rating_is_read_where_it_is_one_number_from_0_to_100(
    text: str, value: float | None
) -> None:
    assert parse_rating(text) == value


def test_an_unreadable_rating_is_left_out() -> None:
    report = judge_by("llmscore", rated("splendid"))
    assert report.score == LEFT_OUT
    assert evidence_of(report).findings[0].state == "unreadable"
