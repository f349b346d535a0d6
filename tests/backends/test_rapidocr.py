"""What is written on a sign is read back as it was written, with where it stands, and nothing is
read where nothing is written.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib import util
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from hallascope.backends import rapidocr, registry
from hallascope.backends.base import BadWeights, CallLimits, Reader, Unavailable
from hallascope.backends.rapidocr import TextReader
from hallascope.data.models.specs import read_models
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import ReadText, TextRead

SPEC = read_models()["rapidocr"]
Sign = Callable[..., Picture]


@pytest.fixture
def sign(tmp_path: Path) -> Sign:
    """A picture of 480 x 240 px with a line of writing a place, by the letters' upper left corner
    in px.
    """

    def make(
        lines: dict[tuple[int, int], str],
        turned: float = 0.0,
        colours: tuple[str, str] = ("white", "black"),
    ) -> Picture:
        paper, ink = colours
        image = Image.new("RGB", (480, 240), paper)
        for place, text in lines.items():
            ImageDraw.Draw(image).text(place, text, font=ImageFont.load_default(40), fill=ink)
        path = tmp_path / "sign.png"
        image.rotate(turned, fillcolor=paper, resample=Image.Resampling.BICUBIC).save(path)
        return Picture("ab" * 32, path)

    return make


@pytest.fixture(scope="module")
def reader() -> Reader:
    loaded = registry.load(SPEC)
    assert isinstance(loaded, Reader)
    return loaded


def read(reader: Reader, *requests: ReadText) -> list[TextRead]:
    replies = reader.read_text(requests)
    assert all(isinstance(reply, TextRead) for reply in replies), replies
    return [reply for reply in replies if isinstance(reply, TextRead)]


def texts(reply: TextRead) -> list[str]:
    return [line.text for line in reply.lines]


@pytest.mark.full
def test_lines_are_read_exactly_from_the_top_with_where_they_stand_also_of_a_region(
    reader: Reader, sign: Sign
) -> None:
    picture = sign({(40, 30): "OPEN 24 HOURS", (200, 150): "Google"})
    whole, part = read(reader, ReadText(picture), ReadText(picture, Box(0.3, 0.55, 1, 1)))
    assert texts(whole) == ["OPEN 24 HOURS", "Google"]
    first, second = (line.box for line in whole.lines)
    assert first.left == pytest.approx(40 / 480, abs=0.03)
    assert second.left == pytest.approx(200 / 480, abs=0.03)
    assert first.bottom < 0.5 < second.top
    assert all(0.9 < line.score <= 1 for line in whole.lines)
    assert texts(part) == ["Google"]
    assert part.lines[0].box.left == pytest.approx(200 / 480, abs=0.03)
    assert 0.55 < part.lines[0].box.top < part.lines[0].box.bottom < 0.95


def test_without_its_packages_or_models_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert registry.available(SPEC) is None
    assert registry.limits(SPEC) == CallLimits(1, 1)
    monkeypatch.setattr(rapidocr, "_models", dict)
    assert "came without its model 'det'" in str(registry.available(SPEC))
    monkeypatch.setattr(
        rapidocr, "find_spec", lambda name: None if name == "onnxruntime" else util.find_spec(name)
    )
    said = str(registry.available(SPEC))
    assert "the package 'onnxruntime'" in said
    assert "`pip install 'hallascope[ocr]'`" in said
    with pytest.raises(Unavailable, match="hallascope\\[ocr\\]"):
        TextReader(SPEC)


def test_a_setting_that_makes_no_sense_is_named() -> None:
    for name, value in (("threshold", 1.5), ("threshold", "high"), ("threads", 0)):
        spec = replace(SPEC, settings={name: value})
        assert f"its setting {name!r} is {value!r}: give a " in str(TextReader.check(spec))


def test_a_model_that_cannot_be_loaded_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def __init__(self, **options: object) -> None:
            raise RuntimeError("no such file\nand more")

    monkeypatch.setattr("rapidocr.RapidOCR", Broken)
    with pytest.raises(
        BadWeights,
        match=r"^rapidocr could not be loaded \(no such file\): install both .* again\.$",
    ):
        TextReader(SPEC)
