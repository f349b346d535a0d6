"""Pictures of models that ship are drawn again, and no others."""

from typing import Any

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard.redraw import FOLDER, redraw_picture

PROMPT = "a ladybug"


def test_a_picture_is_drawn_once_and_kept(services: Any) -> None:
    path = redraw_picture(services, "primer/exact", PROMPT, 0)
    assert path.parent.name == FOLDER
    drawn = path.stat().st_mtime_ns
    assert redraw_picture(services, "primer/exact", PROMPT, 0) == path
    assert path.stat().st_mtime_ns == drawn
    assert redraw_picture(services, "primer/exact", PROMPT, 1) != path


def test_the_picture_of_another_model_is_refused(services: Any) -> None:
    with pytest.raises(BadRequest, match="are not drawn anew"):
        redraw_picture(services, "sd-turbo", PROMPT, 0)
