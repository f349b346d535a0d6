"""Samples of the judge are labeled by what is drawn, and their questions are mixed."""

import random
from collections import Counter

from hallascope.backends.embedded.training.dataset import judge_samples, samples
from hallascope.backends.embedded.training.dataset.judge_samples import draw_sample
from hallascope.data.records import CANNOT_TELL
from hallascope.primer import scenes


def test_a_sample_is_the_same_for_the_same_seed_and_labels_what_its_pixels_show() -> None:
    for first, again in zip(draw_sample(5, 64), draw_sample(5, 64), strict=True):
        assert (first.pixels == again.pixels).all()
        assert first.pairs == again.pairs
        assert first.parts.shape == (16, 16)
        there = first.centers[:, 2] > 0
        assert there.any()
        assert (first.centers[there, 3] > 0).all()
        assert (first.centers[:, :2] < 64).all()


def is_sitting(seed: int) -> bool:
    """Return whether the sample of a seed is three pictures, without drawing them."""
    return random.Random(f"judge sample {seed}").random() < judge_samples.SITTINGS


def test_kinds_of_questions_are_mixed_and_no_answer_is_the_rule() -> None:
    sittings = [seed for seed in range(500) if is_sitting(seed)][:70]
    alone = [seed for seed in range(150) if not is_sitting(seed)][:70]
    whole, region = Counter[str](), Counter[str]()
    for seed in (*sittings, *alone):
        drawn = draw_sample(seed, 64)
        assert len(drawn) == (3 if seed in sittings else 1)
        for number, picture in enumerate(drawn):
            assert 0 < len(picture.pairs) <= judge_samples.QUESTIONS
            (region if number == 2 else whole).update(
                answer if answer in ("Yes", "No", CANNOT_TELL) else "other"
                for _, answer in picture.pairs
            )
    for told in (whole, region):
        assert 0.3 < told["Yes"] / (told["Yes"] + told["No"]) < 0.7
        assert 0.01 < told[CANNOT_TELL] / told.total() < 0.35
    assert whole["other"] > 0.6 * whole.total()


def test_the_usual_number_of_hydrogens_is_no_safe_answer() -> None:
    scene = scenes.parse("a molecule of methane")
    counting = next(fact for fact in scene.facts if fact.coi == "counting")
    chance = random.Random(0)
    shown = Counter(
        judge_samples.sample_values(scene, chance)[counting.parameter] for _ in range(600)
    )
    assert shown.keys() == counting.values.keys()
    assert shown[counting.truth] < 0.65 * shown.total()
    assert min(shown.values()) > 0.06 * shown.total()


def test_no_two_questions_of_a_picture_contradict_each_other() -> None:
    for seed in range(60):
        for sample in draw_sample(seed, 64):
            told: dict[str, str] = {}
            assert all(
                told.setdefault(question, answer) == answer for question, answer in sample.pairs
            )


def test_the_parts_of_a_region_are_those_that_the_region_shows() -> None:
    names = {number: name for name, number in samples.part_numbers().items()}
    sittings = [seed for seed in range(150) if is_sitting(seed)]
    regions = [draw_sample(seed, 64)[2] for seed in sittings]
    shown = 0
    for region in regions:
        said = next((a for q, a in region.pairs if q == "What is this?"), "").lower()
        owners = {
            name
            for number in region.parts.flatten()
            if number
            for name in names[int(number)].lower().split(" / ")
        }
        shown += said in owners
    assert len(regions) > 10
    assert shown >= 0.8 * len(regions)
