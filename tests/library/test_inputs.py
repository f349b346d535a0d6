"""Tests how models, images and prompts are read, and refused in one sentence."""

from pathlib import Path
from typing import Any

import pytest

import hallascope
from hallascope.backends.base import UnknownModel
from hallascope.engine.errors import BadRequest
from tests.support.drawing_functions import PENGUIN, plain_red


@pytest.mark.parametrize(
    ("images", "prompts", "sentence"),
    [
        ([plain_red("", 0)], ["a", "b"], "1 images and 2 prompts"),
        ([Path("gone.png")], {"other.png": "a"}, "no prompt for the image 'gone.png'"),
        ([Path("gone.png")], None, "prompts.csv"),
        ([Path("gone.png")], "a red circle", "gone.png"),
    ],
)
def test_images_without_their_prompts_are_refused_in_one_sentence(
    images: Any, prompts: Any, sentence: str, tmp_path: Path
) -> None:
    with pytest.raises((BadRequest, Exception), match=sentence):
        hallascope.judge_images(images, prompts, home=tmp_path)


def test_what_is_no_model_is_named_before_anything_is_drawn(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="is no model"):
        hallascope.evaluate(PENGUIN, models=[3], home=tmp_path)
    with pytest.raises(UnknownModel, match="did you mean"):
        hallascope.evaluate(PENGUIN, models="primer/exakt", home=tmp_path)
    with pytest.raises(BadRequest, match="Two models"):
        hallascope.evaluate(PENGUIN, models=[plain_red, plain_red], home=tmp_path)
