"""Slices of images that fail more are found and nothing in chance; two runs are compared image by
image.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from hallascope.engine.error_analysis.conditions import Condition, parse_conditions, select_images
from hallascope.engine.error_analysis.features import image_features
from hallascope.engine.error_analysis.selection import JudgedImages
from hallascope.engine.error_analysis.slices.change_report import (
    html_report,
    markdown_report,
)
from hallascope.engine.error_analysis.slices.discovery import find_slices
from hallascope.engine.error_analysis.slices.run_changes import RunChanges, compare_run_errors
from hallascope.engine.error_analysis.slices.search import Units, find_groups, members
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import UPLOADED, EvaluateRequest
from hallascope.engine.run_history.history import RunHistory
from hallascope.engine.storage.scores import FACETS
from hallascope.engine.storage.store import PictureSlot, Store
from tests.engine.run_history.test_comparison import MODELS, FilledServices, judged, keep_sweep
from tests.support.filled_store import Said, keep
from tests.support.images import png

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
    for failing in ((THIRD,), (THIRD, SECOND)):
        chance = np.random.default_rng(1)
        units = made_units(chance)
        found = find_groups(fail(units, members(units, failing), chance))
        assert found.groups[0].conditions == failing
        assert found.groups[0].p <= found.groups[0].corrected_p <= 0.05
    assert len(found.groups) == 1


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


def test_a_slice_is_a_sentence_with_its_numbers_and_a_filter_that_selects_its_images() -> None:
    judged = made_images(with_questions=False)
    report = find_slices(judged)
    first = report.slices[0]
    assert first.conditions == (Condition("number above 3", "yes"),)
    assert first.sentence.startswith("Numbers above three: ")
    assert f" % wrong in {first.images} images (elsewhere " in first.sentence
    rare = replace(first, error_rate=0.76, rest_error_rate=0.001)
    assert rare.sentence.endswith(f"76 % wrong in {first.images} images (elsewhere 0.1 %)")
    assert (first.images, first.prompts) == (72, 72)
    assert first.lift == pytest.approx(first.error_rate / first.rest_error_rate)
    assert first.low is not None
    assert first.high is not None
    assert first.low <= first.error_rate <= first.high
    assert not report.by_questions
    chosen = select_images(image_features(judged.images), parse_conditions(first.address))
    assert set(judged.images["evaluation"][chosen]) == set(first.evaluations)


def test_the_question_type_that_fails_is_part_of_a_slice() -> None:
    report = find_slices(made_images(with_questions=True))
    assert report.by_questions
    assert set(report.slices[0].conditions) == {
        Condition("number above 3", "yes"),
        Condition("question type", "counting"),
    }


CATS = tuple(f"{number} cats" for number in range(2, 10))


def compared(store: Store, *names: str, metric: str = "ihalla") -> RunChanges:
    history = RunHistory(FilledServices(store))  # type: ignore[arg-type]
    one, other = (history.find(name) for name in names)
    return compare_run_errors(store, one, other, metric)


def test_two_runs_by_a_metric_without_bounds_have_errors_over_one_range(store: Store) -> None:
    for run, values in (("before", (0.1, 0.2)), ("after", (0.8, 0.9))):
        for prompt, value in zip(CATS, values, strict=False):
            said = Said(prompt, run=run, metric="sharpness", values={"score": value})
            keep(store, said)
    changes = compared(store, "before", "after", metric="sharpness")
    assert changes.whole.error_rates == pytest.approx((0.9375, 0.0625))
    assert changes.whole.counts == (2, 0, 0)


def test_a_run_that_got_worse_in_all_prompts_is_worse_and_the_other_way_better(
    store: Store,
) -> None:
    keep_sweep(store, "before", dict.fromkeys(CATS, (0.8,)))
    keep_sweep(store, "after", dict.fromkeys(CATS, (0.2,)), seed=0)
    changes = compared(store, "before", "after")
    assert changes.whole.verdict == "worse"
    assert changes.is_worse
    assert changes.whole.counts == (0, 8, 0)
    assert changes.whole.difference == pytest.approx(0.6)
    # all eight signs the same way: 2 of 2 ** 8 flips, times at least as many tests as one
    assert changes.whole.p == pytest.approx(2 / 2**8)
    assert changes.whole.corrected_p is not None
    assert changes.whole.corrected_p >= 2 / 2**8
    assert changes.sentence.startswith("The second run is worse than the first")
    back = compared(store, "after", "before")
    assert (back.whole.verdict, back.is_worse, back.whole.counts) == ("better", False, (8, 0, 0))
    assert back.whole.difference == pytest.approx(-0.6)


def test_images_are_paired_by_prompt_and_model_and_the_rest_is_counted(store: Store) -> None:
    keep_sweep(store, "before", {"a cat": (0.2, 0.6), "a dog": (0.2, 0.6)})
    keep_sweep(store, "after", {"a cat": (0.2, 0.8), "a cow": (1.0, 1.0)})
    changes = compared(store, "before", "after")
    assert changes.unpaired == (2, 2)
    assert changes.whole.counts == (1, 0, 1)
    (image,) = changes.images
    assert (image.prompt, image.models, image.change) == ("a cat", (MODELS[1],) * 2, "better")
    assert image.errors == pytest.approx((0.4, 0.2))


def keep_judged(store: Store, run: str, images: Mapping[str, tuple[str, float]]) -> None:
    """Keep a run that judged images that people brought; prompt and score by image."""
    slots = [PictureSlot(name, prompt, UPLOADED, "", 0, {}) for name, (prompt, _) in images.items()]
    store.start_run(run, EvaluateRequest(prompt=slots[0].prompt), slots)
    for slot in slots:
        prompt, value = images[slot.id]
        store.keep_picture(slot, store.keep_image(png(slot.id)))
        store.keep_evaluation(run, judged(slot, prompt, value))


def test_the_same_image_is_paired_with_itself_and_each_prompt_counts_once(store: Store) -> None:
    first = {"a": ("a cat", 1.0), "b": ("a cat", 0.5), "c": ("a dog", 0.5)}
    second = {"c": ("a dog", 0.5), "b": ("a cat", 0.5), "a": ("a cat", 0.0)}
    keep_judged(store, "before", first)
    keep_judged(store, "after", second)
    changes = compared(store, "before", "after")
    assert changes.unpaired == (0, 0)
    (image,) = changes.images
    assert image.errors == (0.0, 1.0)
    assert changes.whole.error_rates == pytest.approx((0.375, 0.625))
    assert changes.whole.difference == pytest.approx(0.25)


def test_runs_without_a_common_image_are_refused(store: Store) -> None:
    keep_sweep(store, "before", {"a cat": (0.2, 0.6)})
    keep_sweep(store, "after", {"a dog": (0.2, 0.6)})
    with pytest.raises(BadRequest, match="These runs share no image pair"):
        compared(store, "before", "after")
    with pytest.raises(BadRequest, match="compared with itself"):
        compared(store, "before", "before")


EVIL = "<img src=x> | `cat`"
REPORTED = (EVIL, *CATS)


def test_reports_have_a_row_for_each_slice_and_no_markup_of_a_prompt(store: Store) -> None:
    keep_sweep(store, "before", dict.fromkeys(REPORTED, (0.8,)))
    keep_sweep(store, "after", dict.fromkeys(REPORTED, (0.2,)))
    changes = compared(store, "before", "after")
    report = markdown_report(changes)
    assert "| All images | 0.200 | 0.800 | +0.600 |" in report
    assert r"\<img src=x\> \| \`cat\`" in report
    assert "<img" not in report.replace(r"\<img", "")
    assert "### Images that got worse (9)" in report
    rows = [line for line in report.splitlines() if line.startswith("|")]
    assert len({line.replace(r"\|", "").count("|") for line in rows}) == 1
    page = html_report(changes, {})
    assert "&lt;img src=x&gt;" in page
    assert "<img src=x>" not in page
    assert 'src="http' not in page, "it needs no other file"
