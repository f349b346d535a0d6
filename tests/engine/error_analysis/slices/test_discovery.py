"""Slices of judged images are sentences, filters and links."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from hallascope.engine.error_analysis.conditions import Condition, parse_conditions, select_images
from hallascope.engine.error_analysis.features import image_features
from hallascope.engine.error_analysis.selection import JudgedImages
from hallascope.engine.error_analysis.slices.discovery import condition_words, find_slices
from hallascope.engine.storage.scores import FACETS

NAMES = ("ladybug", "tulip", "bee", "koala", "trout", "violin")
LOOKS = ("painted", "wooden", "broken", "shiny")
NUMBERS = ("one", "two", "three", "four", "five", "six")


def made_images(with_questions: bool) -> JudgedImages:
    """Return images of 144 prompts, of which those of numbers above three have errors."""
    chance = np.random.default_rng(0)
    rows = []
    for look, name in product(LOOKS, NAMES):
        for number, word in enumerate(NUMBERS):
            failing = number >= 3
            rows.append(
                {
                    "evaluation": len(rows),
                    "model": "model",
                    "seed": 0,
                    "prompt": f"{word} {look} {name}s",
                    "settings": "{}",
                    "error": float(chance.random() < (0.7 if failing else 0.1)),
                    **dict.fromkeys(FACETS, ""),
                }
            )
    images = pd.DataFrame(rows)
    parts = pd.DataFrame(columns=["evaluation", "coi", "wrong", "answered"])
    if with_questions:
        counted = pd.DataFrame(
            {
                "evaluation": images["evaluation"],
                "coi": "counting",
                "wrong": images["error"],
                "answered": 1,
            }
        )
        other = counted.assign(coi="color", wrong=0.0)
        parts = pd.concat([counted, other], ignore_index=True)
    return JudgedImages(images, parts, 0, ())


def test_a_slice_is_a_sentence_with_its_numbers() -> None:
    report = find_slices(made_images(with_questions=False))
    first = report.slices[0]
    assert first.conditions == (Condition("number above 3", "yes"),)
    assert first.sentence.startswith("Numbers above three: ")
    assert first.sentence.endswith(f"times the rest, n = {first.images}")
    assert (first.images, first.prompts) == (72, 72)
    assert first.lift == pytest.approx(first.error_rate / first.rest_error_rate)
    assert first.low is not None
    assert first.high is not None
    assert first.low <= first.error_rate <= first.high
    assert not report.by_questions


def test_a_slice_is_a_filter_that_selects_its_images() -> None:
    judged = made_images(with_questions=False)
    first = find_slices(judged).slices[0]
    chosen = select_images(image_features(judged.images), parse_conditions(first.address))
    assert set(judged.images["evaluation"][chosen]) == set(first.evaluations)


def test_the_worst_images_come_first() -> None:
    judged = made_images(with_questions=False)
    errors = judged.images.set_index("evaluation")["error"]
    shown = [errors[evaluation] for evaluation in find_slices(judged).slices[0].evaluations]
    assert shown == sorted(shown, reverse=True)


def test_the_question_type_that_fails_is_part_of_a_slice() -> None:
    report = find_slices(made_images(with_questions=True))
    assert report.by_questions
    assert set(report.slices[0].conditions) == {
        Condition("number above 3", "yes"),
        Condition("question type", "counting"),
    }


def test_no_image_has_no_slice() -> None:
    judged = made_images(with_questions=False)
    empty = judged._replace(images=judged.images.iloc[:0])
    assert find_slices(empty).slices == ()


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (Condition("number above 3", "yes"), "numbers above three"),
        (Condition("model", "primer/hasty"), "model primer/hasty"),
        (Condition("question type", "color"), "questions about color"),
        (Condition("negation", "yes"), "with negation"),
        (Condition("setting steps", "20"), "steps 20"),
        (Condition("concept", "ladybug"), "concept ladybug"),
    ],
)
def test_a_condition_is_read_as_words(condition: Condition, words: str) -> None:
    assert condition_words(condition) == words
