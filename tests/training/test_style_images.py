"""Images outside the style are the same for a seed, and none that is measured is learned from."""

import csv
import random

import pytest
from PIL import Image

from bench.style_trial import OTHER_STYLES, OUTSIDE, measure
from hallascope.backends import domain
from training import packages
from training.style_images import change_file, paint


def test_images_that_are_painted_are_those_of_their_seed() -> None:
    seeds = [*range(8), *range(8)]
    images = [paint(random.Random(seed)).tobytes() for seed in seeds]
    assert images[:8] == images[8:]
    assert len(set(images)) == 8


def test_a_changed_file_is_the_same_for_a_seed_and_keeps_its_bounds() -> None:
    image = Image.linear_gradient("L").resize((512, 512)).convert("RGB")
    for seed in range(12):
        changed, again = (change_file(image, random.Random(seed)) for _ in range(2))
        assert changed.tobytes() == again.tobytes()
        assert 128 <= max(changed.size) <= 1024
        assert 0.85 < changed.width / changed.height < 1.18, "a slight crop"


def test_no_package_that_is_measured_or_sets_the_limit_is_learned_from() -> None:
    with (OTHER_STYLES / "sources.csv").open(encoding="utf-8", newline="") as file:
        measured = {row["package"] for row in csv.DictReader(file)}
    assert not measured & {*packages.LEARNED, *packages.VALIDATED}
    assert not {*packages.LEARNED} & {*packages.VALIDATED}


@pytest.mark.full
def test_the_detector_refuses_most_other_images_and_hardly_any_in_the_style() -> None:
    sorts = measure(domain.load_detector().accepts, drawings=65)
    assert sorts[OUTSIDE]["images"].sum() == 544
    for kinds in sorts.values():
        assert kinds["wrong"].sum() <= 0.01 * kinds["images"].sum(), kinds
