"""Patches are labeled by the parts that are drawn there, and questions have right answers."""

import random

import numpy as np
import pytest

from hallascope.backends.embedded.training.dataset import samples
from hallascope.primer import scenes
from hallascope.primer.drawing.parts import PALETTE


def test_parts_are_numbered_from_one_without_gaps() -> None:
    numbers = samples.part_numbers()
    assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))
    assert "circle / circle" in numbers


def test_the_patches_of_a_red_circle_are_the_circle_and_one_is_its_red_center() -> None:
    scene = scenes.parse("a red circle")
    drawing = scene.draw(scene.truths(), 0)
    pixels = np.asarray(drawing.image(64), dtype=np.uint8)
    parts, centers, colors = samples.patch_labels(drawing, pixels, 8)
    circle = samples.part_numbers()["circle / circle"]
    assert parts.shape == centers.shape == colors.shape == (8, 8)
    assert set(np.unique(parts)) == {0, circle}
    [[row, column]] = np.argwhere(centers)
    assert centers[row, column] == parts[row, column] == circle
    assert list(PALETTE)[colors[row, column] - 1] == "red"
    assert np.count_nonzero(colors) == 1


def test_centers_are_listed_with_their_parts_and_colors_the_largest_part_first() -> None:
    scene = scenes.parse("a molecule of methane")
    drawing = scene.draw(scene.truths(), 0)
    pixels = np.asarray(drawing.image(128), dtype=np.uint8)
    parts, centers = samples.label_parts(drawing, pixels)
    numbers = samples.part_numbers()
    hydrogen = next(n for name, n in numbers.items() if name.endswith("/ hydrogen atom"))
    there = centers[centers[:, 2] > 0]
    assert parts.shape == (32, 32)
    assert centers.shape == (samples.CENTERS, 4)
    assert (there[:, 2] == hydrogen).sum() == 4
    index = drawing.part_map(128)
    areas = [(index == index[y, x]).sum() for y, x, number, _ in there if number == hydrogen]
    assert areas == sorted(areas, reverse=True)


@pytest.mark.parametrize("seed", range(10))
def test_a_drawing_is_rendered_at_the_size_of_the_judge(seed: int) -> None:
    scene = scenes.parse("a ladybug")
    drawing = scene.draw(scene.truths(), 0)
    pixels = samples.render(drawing, 64, random.Random(seed))
    assert pixels.shape == (64, 64, 3)
    assert np.array_equal(pixels, samples.render(drawing, 64, random.Random(seed)))


@pytest.mark.parametrize("prompt", ["a ladybug", "a red circle", "a spider and a zebra"])
def test_questions_on_facts_have_right_answers(prompt: str) -> None:
    scene = scenes.parse(prompt)
    values = scenes.violate(scene, 0.5, random.Random(1))
    right = {fact.question: scenes.right_answer(fact, values) for fact in scene.facts}
    for seed in range(20):
        *facts, (question, answer) = samples.questions_on_facts(scene, values, random.Random(seed))
        assert 0 < len(facts) <= samples.FACTS
        assert all(right[asked] == reply for asked, reply in facts)
        if question.startswith("Is there"):
            assert answer in ("Yes", "No")
        elif question not in right and question != "What is shown in the image?":
            fact = max((fact for fact in right if question.startswith(fact)), key=len)
            assert (answer == "Yes") == (question == f"{fact} {right[fact]}?")
