"""A sign has the text that its prompt asks for, or a misspelling that is known."""

import random

import pytest

from hallascope.primer import scenes
from hallascope.primer.signs import LETTERS, TEXTS, prompt, sign


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
    assert "text" in scene.stated
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
