"""A sign has the text that its prompt asks for, or a misspelling that is known."""

import random

import pytest

from hallascope.primer import scenes
from hallascope.primer.signs import LETTERS, TEXTS, prompt, sample_prompts, sign


@pytest.mark.parametrize(
    "words",
    [
        'a sign that says "OPEN"',
        "A sign that reads 'open'.",
        "an image of a sign saying “Open”",
        'the sign with the word "open"',
    ],
)
def test_a_prompt_for_a_sign_has_its_text_as_its_only_fact(words: str) -> None:
    scene = scenes.parse(words)
    assert scene.truths() == {"text": "OPEN"}
    (question,) = scene.questions().questions
    assert question.choice(question.gold) == "OPEN"


@pytest.mark.parametrize(
    "words", ["a sign", 'a sign that says "no entry"', 'two signs that say "OPEN"']
)
def test_a_sign_of_another_form_is_not_drawn(words: str) -> None:
    with pytest.raises(scenes.CannotDraw):
        scenes.parse(words)


def test_a_misspelling_has_one_letter_wrong_missing_or_doubled() -> None:
    for text in TEXTS:
        (fact,) = sign(text).facts
        wrong, missing, doubled = map(str, fact.violations)
        assert sum(a != b for a, b in zip(wrong, text, strict=True)) == 1
        assert len(missing) == len(text) - 1
        assert len(doubled) == len(text) + 1
        assert set("".join(map(str, fact.values))) <= set(LETTERS)


def test_a_model_without_errors_misspells_nothing_and_a_careless_one_most() -> None:
    scene = scenes.parse(prompt("HOTEL"))
    wrong = {
        share: sum(
            scenes.violate(scene, share, random.Random(seed)) != scene.truths()
            for seed in range(200)
        )
        for share in (0.0, 0.75)
    }
    assert wrong[0.0] == 0
    assert 130 <= wrong[0.75] <= 170


def test_the_drawing_has_a_letter_for_each_that_is_written() -> None:
    scene = scenes.parse(prompt("OPEN"))
    for written in ("OPEN", "OPN"):
        parts = scene.draw({"text": written}, 1).parts
        assert [part.name for part in parts].count("letter") == len(written)


def test_sampled_prompts_are_distinct_and_apart_from_the_grammar_by_chance() -> None:
    assert len(set(sample_prompts(len(TEXTS), 0))) == len(TEXTS)
    assert sample_prompts(3, 1) != sample_prompts(3, 2)
    assert not [each for each in scenes.benchmark(400) if "sign" in each.split()]
