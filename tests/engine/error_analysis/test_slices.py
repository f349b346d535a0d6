"""The search finds groups of images that fail more and nothing in chance; slices are sentences,
filters and links.
"""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from hallascope.engine.error_analysis.conditions import Condition, parse_conditions, select_images
from hallascope.engine.error_analysis.features import image_features
from hallascope.engine.error_analysis.selection import JudgedImages
from hallascope.engine.error_analysis.slices.discovery import find_slices
from hallascope.engine.error_analysis.slices.search import Units, find_groups, members
from hallascope.engine.error_analysis.slices.trial import run_slice_trial
from hallascope.engine.storage.scores import FACETS

PROMPTS = 120
IMAGES = 4  # of each prompt
# the columns: a third of the prompts, a sixth of the prompts, and every second image
THIRD, SECOND = 0, 2


def made_units(chance: np.random.Generator) -> Units:
    prompts = np.repeat(np.arange(PROMPTS), IMAGES)
    image = np.tile(np.arange(IMAGES), PROMPTS)
    conditions = np.array([prompts % 3 == 0, prompts % 6 == 0, image % 2 == 0]).T
    usual = chance.beta(1.2, 10, PROMPTS)[prompts]
    errors = chance.binomial(1, usual).astype(float)
    return Units(
        errors=errors,
        weights=np.ones(len(errors)),
        prompts=prompts,
        models=np.zeros(len(errors), dtype=np.intp),
        conditions=conditions,
        features=[0, 1, 2],
    )


def fail(units: Units, inside: np.ndarray, chance: np.random.Generator) -> Units:
    """Let two thirds of a group fail."""
    errors = np.where(inside, chance.binomial(1, 0.67, len(inside)), units.errors)
    return units._replace(errors=errors.astype(float))


def test_the_group_that_fails_is_found_and_neither_a_wider_nor_a_narrower_one() -> None:
    chance = np.random.default_rng(1)
    units = made_units(chance)
    found = find_groups(fail(units, members(units, [THIRD]), chance))
    assert [group.conditions for group in found.groups] == [(THIRD,)]
    assert found.groups[0].p <= found.groups[0].corrected_p <= 0.05


def test_a_conjunction_that_fails_is_found_as_one() -> None:
    chance = np.random.default_rng(2)
    units = made_units(chance)
    found = find_groups(fail(units, members(units, [THIRD, SECOND]), chance))
    assert found.groups[0].conditions == (THIRD, SECOND)


def test_two_weaknesses_are_two_groups() -> None:
    chance = np.random.default_rng(9)
    units = made_units(chance)
    other = units.prompts % 4 == 1
    units = units._replace(
        conditions=np.column_stack([units.conditions, other]), features=[*units.features, 3]
    )
    found = find_groups(fail(units, members(units, [THIRD]) | other, chance))
    assert {group.conditions for group in found.groups} == {(THIRD,), (3,)}


def test_chance_is_seldom_reported() -> None:
    chance = np.random.default_rng(4)
    reported = sum(bool(find_groups(made_units(chance)).groups) for _ in range(40))
    assert reported <= 4


def test_a_prompt_that_fails_in_all_its_images_is_no_group() -> None:
    """Images of one prompt are not independent: a group of four prompts is not tested."""
    units = made_units(np.random.default_rng(5))
    rare = units.prompts < 4
    units = units._replace(
        errors=rare.astype(float),
        conditions=np.column_stack([units.conditions, rare]),
        features=[*units.features, 3],
    )
    assert all(3 not in group.conditions for group in find_groups(units).groups)


def test_prompts_that_only_a_bad_model_drew_are_no_group() -> None:
    chance = np.random.default_rng(8)
    units = made_units(chance)
    third = members(units, [THIRD])
    units = fail(units, third, chance)
    assert find_groups(units).groups
    assert find_groups(units._replace(models=third.astype(np.intp))).groups == ()


NAMES = ("ladybug", "tulip", "bee", "koala", "trout", "violin")
LOOKS = ("painted", "wooden", "broken", "shiny")
NUMBERS = ("one", "two", "three", "four", "five", "six")


def made_images(with_questions: bool) -> JudgedImages:
    """Return images of 144 prompts, of which those of numbers above three have errors."""
    chance = np.random.default_rng(0)
    rows: list[dict[str, object]] = []
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


def test_the_question_type_that_fails_is_part_of_a_slice() -> None:
    report = find_slices(made_images(with_questions=True))
    assert report.by_questions
    assert set(report.slices[0].conditions) == {
        Condition("number above 3", "yes"),
        Condition("question type", "counting"),
    }


def test_nothing_is_reported_of_chance_and_the_planted_slice_comes_first() -> None:
    trial = run_slice_trial(6, prompts=250)
    assert trial.nothing_reported.successes >= 5
    assert trial.planted_first.successes >= 5
    assert trial.planted_images > 0
