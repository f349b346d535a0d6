"""The animated image of the README repeats, keeps its times and stays small."""

import io
import random
from pathlib import Path

import pytest
from PIL import Image

from bench import hero
from bench.hero import Frame, save_animation


def noise(seed: int) -> bytes:
    """A PNG of 40 x 30 pixels at random, which compresses badly."""
    pixels = random.Random(seed).randbytes(40 * 30 * 3)
    Image.frombytes("RGB", (40, 30), pixels).save(made := io.BytesIO(), "PNG")
    return made.getvalue()


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hero, "WIDTH", 20)


def test_frames_are_shown_as_long_as_they_say_and_repeat(tmp_path: Path) -> None:
    file = tmp_path / "hero.webp"
    size = save_animation([Frame(noise(1), 900), Frame(noise(2), 100), Frame(noise(3), 2000)], file)
    assert size == file.stat().st_size
    with Image.open(file) as image:
        assert (image.size, getattr(image, "n_frames", 1)) == ((20, 15), 3)
        assert image.info["loop"] == 0
        durations = []
        for number in range(3):
            image.seek(number)
            image.load()
            durations.append(image.info["duration"])
    assert durations == [900, 100, 2000]


def test_what_does_not_fit_is_refused_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hero, "HEAVIEST", 100)
    with pytest.raises(ValueError, match="2 frames take more than 100 bytes"):
        save_animation([Frame(noise(1), 100), Frame(noise(2), 100)], tmp_path / "hero.webp")
    assert list(tmp_path.iterdir()) == []
