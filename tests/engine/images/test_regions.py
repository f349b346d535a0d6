"""The regions shown are those of the stored picture, not of another drawing."""

import io
import random

import pytest
from PIL import Image

from hallascope.backends.draughtsman import Draughtsman
from hallascope.data.models.specs import read_models
from hallascope.data.requests import Generate, Generated
from hallascope.engine.images.regions import regions
from hallascope.primer import scenes


@pytest.mark.parametrize(
    "prompt",
    [
        "a ladybug",
        "three honeybees",
        "a zebra to the left of a honeybee",
        "two red circles",
        "A Molecule of Methane",
    ],
)
def test_drawing_again_from_the_truth_gives_the_same_pixels(prompt: str) -> None:
    (made,) = Draughtsman(read_models()["primer/hasty"]).generate([Generate(prompt, 3)])
    assert isinstance(made, Generated)
    assert made.truth is not None
    again = scenes.parse(prompt).draw(made.truth["values"], made.truth["chance"]).image(512)  # type: ignore[arg-type]
    assert Image.open(io.BytesIO(made.png)).convert("RGB").tobytes() == again.tobytes()
    assert regions(made.truth)


def test_every_question_of_a_factual_drawing_finds_its_regions() -> None:
    for prompt in random.Random(0).sample(scenes.prompts(), 12):
        scene = scenes.parse(prompt)
        found = regions({"prompt": prompt, "chance": 0, "values": scene.truths()})
        for question in scene.questions().questions:
            assert not question.regions or set(question.regions) & set(found), (prompt, question)


def test_nothing_is_shown_where_nothing_is_known() -> None:
    assert regions({}) == {}
