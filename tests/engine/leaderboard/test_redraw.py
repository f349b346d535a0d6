"""Pictures of models that ship are drawn again, and no others."""

from typing import Any

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.leaderboard.redraw import FOLDER, redraw_at_once, redraw_picture

PROMPT = "a ladybug"


def test_a_picture_is_drawn_once_and_kept(services: Any) -> None:
    path = redraw_picture(services, "primer/exact", PROMPT, 0)
    assert path.parent.name == FOLDER
    drawn = path.stat().st_mtime_ns
    assert redraw_picture(services, "primer/exact", PROMPT, 0) == path
    assert path.stat().st_mtime_ns == drawn
    assert redraw_picture(services, "primer/exact", PROMPT, 1) != path


def test_the_picture_of_another_model_is_refused(services: Any) -> None:
    with pytest.raises(BadRequest, match="are not drawn again"):
        redraw_picture(services, "sd-turbo", PROMPT, 0)


def test_in_a_list_only_what_draws_in_a_moment_or_was_drawn_is_drawn_again(services: Any) -> None:
    path = redraw_at_once(services, "primer/careless", PROMPT, 3)
    assert path == redraw_picture(services, "primer/careless", PROMPT, 3)
    slow = "primer/diffusion-small"
    assert redraw_at_once(services, slow, PROMPT, 0) is None
    folder = services.store.folder / "images" / FOLDER
    assert [file.name for file in folder.iterdir()] == [path.name], "nothing else was drawn"


def test_in_a_list_what_cannot_be_drawn_is_no_error(services: Any) -> None:
    assert redraw_at_once(services, "nobody/knows", PROMPT, 0) is None
    assert redraw_at_once(services, "primer/exact", "the Eiffel Tower in fog", 0) is None
