"""A Python function generates images, and what it raises fails one image alone."""

import io

import pytest
from PIL import Image

from hallascope.backends.base import Stopped
from hallascope.backends.in_memory import FunctionGenerator
from hallascope.data.requests import Failure, Generate, Generated


def _draw(prompt: str, seed: int) -> Image.Image:
    if prompt == "stop":
        raise Stopped("Stopped.")
    if prompt == "fail":
        raise ZeroDivisionError("nothing to divide")
    return Image.new("RGBA", (4, 4), (seed, 0, 0, 255))


def test_each_request_is_drawn_and_an_error_is_the_failure_of_its_image_alone() -> None:
    generator = FunctionGenerator("mine", _draw)
    failed, drawn = generator.generate([Generate("fail", 0), Generate("a cat", 7)])
    assert failed == Failure(
        "cannot_draw", "'mine' failed with ZeroDivisionError: nothing to divide"
    )
    assert isinstance(drawn, Generated)
    with Image.open(io.BytesIO(drawn.png)) as image:
        assert (image.format, image.mode, image.getpixel((0, 0))) == ("PNG", "RGB", (7, 0, 0))


def test_a_stop_comes_through() -> None:
    with pytest.raises(Stopped):
        FunctionGenerator("mine", _draw).generate([Generate("stop", 0)])
