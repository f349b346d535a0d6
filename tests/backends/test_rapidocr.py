"""What is written on a sign is read back as it was written, with where it stands, and nothing is
read where nothing is written.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib import util
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from hallascope.backends import rapidocr, registry
from hallascope.backends.base import BadWeights, CallLimits, Reader, Stopped, Unavailable
from hallascope.backends.rapidocr import TextReader
from hallascope.data.models.specs import read_models
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Failure, ReadText, TextRead

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


@pytest.mark.full
def test_a_sign_askew_and_light_on_dark_is_read_and_of_an_empty_one_nothing(
    reader: Reader, sign: Sign
) -> None:
    askew = sign({(100, 90): "Deep Learning"}, turned=8, colours=("navy", "yellow"))
    assert texts(read(reader, ReadText(askew))[0]) == ["Deep Learning"]
    assert read(reader, ReadText(sign({}))) == [TextRead(())]


@pytest.mark.full
def test_a_damaged_picture_is_a_failure_and_the_next_one_is_read(
    reader: Reader, sign: Sign, tmp_path: Path
) -> None:
    whole = sign({(100, 90): "Stop"})
    (tmp_path / "damaged.png").write_bytes(whole.path.read_bytes()[:200])
    damaged, gone, good = reader.read_text(
        [
            ReadText(Picture("00", tmp_path / "damaged.png")),
            ReadText(Picture("11", tmp_path / "gone.png")),
            ReadText(whole),
        ]
    )
    for reply in (damaged, gone):
        assert isinstance(reply, Failure)
        assert reply.kind == "broken"
        assert "cannot be read" in reply.message
    assert isinstance(good, TextRead)
    assert texts(good) == ["Stop"]


@pytest.mark.full
def test_a_stop_is_heard_before_each_picture(reader: Reader, sign: Sign) -> None:
    def stop(step: int, steps: int) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        reader.read_text([ReadText(sign({}))], stop)


# --- without the models ---


class Told:
    """The package's reader, saying what it is told; keeps the pixels it was shown."""

    def __init__(self, *said: tuple[str, float, list[list[float]]]) -> None:
        self.said, self.shown = said, np.zeros(())

    def __call__(self, pixels: Any) -> SimpleNamespace:
        self.shown = pixels
        if not self.said:
            return SimpleNamespace(boxes=None, txts=None, scores=None)
        lines, scores, boxes = zip(*self.said, strict=True)
        return SimpleNamespace(boxes=np.array(boxes), txts=lines, scores=scores)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[TextReader, Told]]:
    def make(*said: tuple[str, float, list[list[float]]]) -> tuple[TextReader, Told]:
        library = Told(*said)
        monkeypatch.setattr(rapidocr, "_load", lambda spec: library)
        return TextReader(SPEC), library

    return make


def test_corners_become_a_box_of_the_whole_picture_and_what_is_outside_the_region_is_left_out(
    told: Any, sign: Sign
) -> None:
    askew = [[10.0, 20.0], [30.0, 10.0], [32.0, 18.0], [12.0, 28.0]]
    reader, library = told(
        (" Google ", 0.9, askew),
        ("neighbour", 0.9, [[-20.0, 0.0], [8.0, 0.0], [8.0, 6.0], [-20.0, 6.0]]),
    )
    (reply,) = read(reader, ReadText(sign({}), Box(0.5, 0.5, 0.75, 0.75)))
    left, top = 228, 108  # the region's 240 and 120, less a tenth of its longer side of 120
    (line,) = reply.lines
    assert (line.text, line.score) == ("Google", 0.9)
    assert line.box.sides == pytest.approx(
        ((left + 10) / 480, (top + 10) / 240, (left + 32) / 480, (top + 28) / 240)
    )
    assert library.shown.shape == (84, 144, 3)


def test_the_library_is_shown_blue_first(told: Any, sign: Sign) -> None:
    reader, library = told()
    assert read(reader, ReadText(sign({}, colours=("red", "black")))) == [TextRead(())]
    assert library.shown[0, 0].tolist() == [0, 0, 255]


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
