"""The ready lessons that ship are what the code makes and the judge answers today."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hallascope.data.models.specs import read_models
from hallascope.data.teaching.class_lesson import (
    FOLDER,
    LessonFact,
    LessonImage,
    read_class_lessons,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from hallascope.engine.teaching.class_lessons import SIDE, judge_case, make_lessons


def test_what_ships_is_what_is_made(tmp_path: Path) -> None:
    services = Services(Store(folder=tmp_path / "home"), read_models(), {})
    try:
        made = make_lessons(services, tmp_path / "lessons")
    finally:
        services.store.close()
    assert made == read_class_lessons()
    files = sorted(file.name for file in FOLDER.glob("*.webp"))
    assert files == sorted(file.name for file in (tmp_path / "lessons").glob("*.webp"))
    for file in files:
        now, shipped = (
            np.asarray(Image.open(folder / file).convert("RGB"), dtype=float)
            for folder in (tmp_path / "lessons", FOLDER)
        )
        assert now.shape == shipped.shape == (SIDE, SIDE, 3)
        # another version of the WebP library may give other bytes, no other image
        assert np.abs(now - shipped).mean() < 2, file


def test_an_image_on_which_the_judge_errs_twice_makes_no_question() -> None:
    facts = tuple(
        LessonFact(question="?", expected="Six", drawn=drawn, asked=True, state="incorrect")
        for drawn in ("Six", "Eight")
    )
    with pytest.raises(BadRequest, match="errs more than once on “a ladybug”"):
        judge_case(LessonImage(file="", prompt="a ladybug", seed=1, facts=facts))
