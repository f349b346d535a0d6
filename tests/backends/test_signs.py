"""The models that ship read signs off their pixels, and see a sign in no other drawing."""

import io
import random
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import gradio
import pytest
from PIL import Image, ImageFilter

from hallascope.backends import registry
from hallascope.backends.signs import find_sign, read_sign
from hallascope.data import masks
from hallascope.data.models.specs import read_models
from hallascope.data.records import NONE_OF_THE_ABOVE, Picture
from hallascope.data.requests import Answer, Ask, Describe, Detect, Failure, ReadText, Segment
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


@pytest.mark.parametrize("size", [384, 1024])
def test_a_sign_is_read_at_another_size(size: int, keep: Keep) -> None:
    assert read(draw("LIBRARY", "LIBRRARY", size), keep) == "LIBRRARY"


def test_a_sign_that_cannot_be_read_is_none(keep: Keep) -> None:
    assert read(draw("LIBRARY", "LIBRARY").filter(ImageFilter.GaussianBlur(14)), keep) == ""


def test_no_other_drawing_shows_a_sign(keep: Keep) -> None:
    chance = random.Random("no sign")
    for number, words in enumerate(chance.sample(scenes.benchmark(400), 60)):
        scene = scenes.parse(words)
        values = scenes.violate(scene, 0.5, chance)
        assert read(scene.draw(values, number).image(512), keep) == "", words


def test_only_models_that_ship_see_signs(keep: Keep) -> None:
    spec = read_models()["primer/segmenter"]
    picture = keep(draw("OPEN", "OPEN"))
    assert find_sign(spec, picture)
    assert find_sign(replace(spec, repository="some/model"), picture) is None


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


def test_the_segmenter_finds_a_sign_and_nothing_else_on_its_image(keep: Keep) -> None:
    segmenter: Any = registry.load(read_models()["primer/segmenter"])
    picture = keep(draw("OPEN", "OPEN"))
    (found,) = segmenter.detect([Detect(picture, ("sign", "circle"))])
    (detection,) = found.detections
    assert detection.phrase == "sign"
    (cut_out,) = segmenter.segment([Segment(picture, (detection.box,), ("sign",))])
    box = masks.box(cut_out.masks[0])
    assert box is not None
    assert masks.overlap(box, detection.box) > 0.98


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


def test_seeds_on_a_strawberry_are_no_letters(keep: Keep) -> None:
    strawberry = scenes.parse("a bitten strawberry")
    for number in range(12):
        assert read(strawberry.draw({}, str(number)).image(512), keep) == ""
