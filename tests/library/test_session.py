"""Tests that a session of the library draws and reads each image once."""

from pathlib import Path

import pytest
from PIL import Image

import hallascope
from hallascope.engine.images import uploads
from tests.support.drawing_functions import PENGUIN, plain_red


def test_the_same_function_is_not_asked_twice_for_one_image(tmp_path: Path) -> None:
    calls = list[int]()

    def counting(prompt: str, seed: int) -> Image.Image:
        calls.append(seed)
        return plain_red(prompt, seed)

    for _ in range(2):
        hallascope.evaluate(PENGUIN, models=counting, judge="primer/judge", home=tmp_path)
    assert calls == [0]


def test_what_a_function_drew_is_not_taken_for_another_of_its_name(tmp_path: Path) -> None:
    scores = []
    for color in ((0, 0, 0), (250, 250, 250)):

        def draw(prompt: str, seed: int, color: tuple[int, int, int] = color) -> Image.Image:
            return Image.new("RGB", (64, 64), color)

        found = hallascope.evaluate("a red circle", models={"mine": draw}, home=tmp_path)
        scores.append(found.scores[0].image)
    assert scores[0] != scores[1]


def test_a_brought_image_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[str]()

    def accept(path: Path) -> bytes:
        read.append(path.name)
        return uploads.accept(path)

    monkeypatch.setattr("hallascope.engine.services.accept", accept)
    for name, seed in (("one.png", 0), ("two.png", 9)):
        plain_red("", seed).save(tmp_path / name)
    images = [tmp_path / "one.png", tmp_path / "two.png"]
    found = hallascope.judge_images(images, PENGUIN, home=tmp_path / "home")
    assert read == ["one.png", "two.png"]
    assert list(dict.fromkeys(score.given for score in found)) == ["one.png", "two.png"]
    unnamed = hallascope.judge_images(plain_red("", 3), PENGUIN, home=tmp_path / "home")
    assert {score.given for score in unnamed} == {None}
