"""Samples of the judge are labeled by what is drawn, and their questions are mixed."""

from collections import Counter

from hallascope.backends.embedded.training.dataset import judge_samples, samples
from hallascope.backends.embedded.training.dataset.judge_samples import draw_sample
from hallascope.data.records import CANNOT_TELL


def test_a_sample_is_the_same_for_the_same_seed_and_labels_what_its_pixels_show() -> None:
    for first, again in zip(
        draw_sample(5, 64, 8).pictures, draw_sample(5, 64, 8).pictures, strict=True
    ):
        assert (first.pixels == again.pixels).all()
        assert first.pairs == again.pairs
        assert first.parts.shape == first.centers.shape == (8, 8)
        assert (first.centers > 0).any()
        assert ((first.colors > 0) == (first.centers > 0)).all()


def test_kinds_of_questions_are_mixed_and_no_answer_is_the_rule() -> None:
    whole, region, pair = Counter[str](), Counter[str](), Counter[str]()
    for seed in range(80):
        drawn = draw_sample(seed, 32, 8)
        for counter, pairs in (
            (whole, drawn.picture.pairs + drawn.reference.pairs),
            (region, drawn.region.pairs),
            (pair, drawn.compared),
        ):
            counter.update(
                answer if answer in ("Yes", "No", CANNOT_TELL) else "other" for _, answer in pairs
            )
        assert max(len(p.pairs) for p in drawn.pictures) <= judge_samples.QUESTIONS
        assert drawn.region.pairs
    for told in (whole, region, pair):
        assert 0.38 < told["Yes"] / (told["Yes"] + told["No"]) < 0.7
        assert 0.01 < told[CANNOT_TELL] / told.total() < 0.35
    assert whole["other"] > 0.6 * whole.total()


def test_no_two_questions_of_a_picture_contradict_each_other() -> None:
    for seed in range(40):
        for sample in draw_sample(seed, 32, 8).pictures:
            told: dict[str, str] = {}
            assert all(
                told.setdefault(question, answer) == answer for question, answer in sample.pairs
            )


def test_the_patches_of_a_region_are_labelled_by_what_the_region_shows() -> None:
    shown = 0
    for seed in range(20):
        drawn = draw_sample(seed, 64, 8)
        names = {number: name for name, number in samples.part_numbers().items()}
        said = next((a for q, a in drawn.region.pairs if q == "What is this?"), "").lower()
        owners = {
            name
            for number in drawn.region.parts.flatten()
            if number
            for name in names[int(number)].lower().split(" / ")
        }
        shown += said in owners
    assert shown >= 17
