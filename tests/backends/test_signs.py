"""The models that ship read signs off their pixels, and see a sign in no other drawing."""

import io
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import gradio
import pytest
from PIL import Image

from hallascope.backends import registry
from hallascope.backends.signs import read_sign
from hallascope.data.models.specs import read_models
from hallascope.data.records import NONE_OF_THE_ABOVE, Picture
from hallascope.data.requests import Answer, Ask, Describe, Failure, ReadText
from hallascope.primer import scenes
from hallascope.primer.signs import QUESTION, TEXTS, prompt

PHOTOGRAPH = Path(gradio.__file__).parent / "media_assets" / "images" / "cheetah.jpg"
Keep = Callable[[Image.Image], Picture]


@pytest.fixture
def keep(tmp_path: Path) -> Keep:
    def keep(image: Image.Image) -> Picture:
        image.convert("RGB").save(stream := io.BytesIO(), "PNG")
        path = tmp_path / f"{sha256(stream.getvalue()).hexdigest()}.png"
        path.write_bytes(stream.getvalue())
        return Picture(path.stem, path, is_drawn=True)

    return keep


def draw(asked: str, written: str, size: int = 512) -> Image.Image:
    return scenes.parse(prompt(asked)).draw({"text": written}, asked).image(size)


def read(image: Image.Image, keep: Keep) -> str:
    sign = read_sign(keep(image))
    return sign.line.text if sign else ""


def ask(picture: Picture, question: str, *choices: str) -> Ask:
    return Ask(images=(picture,), text=question, question=question, choices=choices)


def test_every_text_is_read_as_it_is_written(keep: Keep) -> None:
    for number, text in enumerate((*TEXTS, "XKVWMY", "DFGI")):
        (fact,) = scenes.parse(prompt(text)).facts
        written = str(list(fact.values)[number % len(fact.values)])
        assert read(draw(text, written), keep) == written


def test_the_reader_reads_a_sign_and_refuses_a_photograph(keep: Keep) -> None:
    reader: Any = registry.load(read_models()["primer/reader"])
    photograph = replace(keep(Image.open(PHOTOGRAPH)), is_drawn=False)
    penguin = scenes.parse("a gentoo penguin")
    drawings = (draw("OPEN", "OPBN"), penguin.draw(penguin.truths(), 1).image(512))
    images = (*map(keep, drawings), photograph)
    sign, other, refused = reader.read_text([ReadText(image) for image in images])
    assert [line.text for line in sign.lines] == ["OPBN"]
    assert other.lines == ()
    assert isinstance(refused, Failure)
    assert "The built-in text reader cannot see photos" in refused.message


def test_the_judge_says_what_a_sign_says_and_no_more(keep: Keep) -> None:
    judge: Any = registry.load(read_models()["primer/judge"])
    picture = keep(draw("OPEN", "OPN"))
    (caption,) = judge.describe([Describe(picture, "Describe it.")])
    assert caption == Answer('A sign that says "OPN"')
    choices = ("OPEN", "OPN", "OPEEN", NONE_OF_THE_ABOVE)
    text, none, other = judge.ask(
        [
            ask(picture, QUESTION, *choices),
            ask(picture, QUESTION, "OPEN", "OPEEN", NONE_OF_THE_ABOVE),
            ask(picture, "What color is it?", "Red", "Blue"),
        ]
    )
    assert text.text == "B) OPN"
    assert none.text == f"C) {NONE_OF_THE_ABOVE}"
    assert isinstance(other, Failure)
