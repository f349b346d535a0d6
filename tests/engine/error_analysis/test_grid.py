"""A grid holds every image once, in its row and column, and says what changed from a column."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.error_analysis.gallery import GalleryImage, ShownAnswer, read_gallery_images
from hallascope.engine.error_analysis.grid import (
    build_grid,
    compare_answers,
)
from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_tags import TaggedImage, keep_tags
from hallascope.engine.storage.store import Store
from tests.support.filled_store import Said, keep


def read_images(store: Store) -> pd.DataFrame:
    return read_judged_images(store, ErrorSelection()).images


@pytest.fixture
def images(store: Store) -> pd.DataFrame:
    """Two prompts by two models, one with two seeds and with guidance; a place is empty."""
    keep(store, Said(states=("correct",), settings={"guidance": 4.0}, run="a"))
    keep(store, Said(states=("incorrect",), settings={"guidance": 12.0}, seed=1, run="b"))
    keep(store, Said(states=("incorrect",), model="m/two", run="c"))
    keep(store, Said(prompt="a dog", states=("incorrect",), model="m/two", run="d"))
    return read_images(store)


def test_cells_hold_their_images_by_prompt_and_seed(images: pd.DataFrame) -> None:
    grid = build_grid(images)
    assert [line.value for line in grid.rows] == ["a dog", "a cat"], "the most errors first"
    assert [line.value for line in grid.columns] == ["m/one", "m/two"]
    assert grid.cells == {(0, 1): (4,), (1, 0): (1, 2), (1, 1): (3,)}
    assert grid.first_rows(1).cells == {(0, 1): (4,)}


def test_what_cannot_be_an_axis_is_refused(images: pd.DataFrame) -> None:
    with pytest.raises(BadRequest, match="take one of prompt, model"):
        build_grid(images, "weather", "model")
    with pytest.raises(BadRequest, match="choose two that differ"):
        build_grid(images, "model", "model")
    with pytest.raises(BadRequest, match="take one of m/one, m/two"):
        build_grid(images).column("m/three")


def test_images_come_in_their_order_with_answers_and_tags(store: Store) -> None:
    keep(store, Said(states=("correct", "abstained", "unreadable"), seed=3, run="a"))
    keep(store, Said(states=("incorrect", "correct"), model="m/two", run="b"))
    ids = read_judged_images(store, ErrorSelection()).images["evaluation"].tolist()
    first = read_gallery_images(store, ids)[0]
    keep_tags(store, [TaggedImage(first.image, first.prompt)], "extra fingers", "Ann")
    second, first = read_gallery_images(store, [ids[1], 999, ids[0]])
    assert (first.run, first.seed, first.tags) == ("a", 3, ("extra fingers",))
    assert [answer.state for answer in first.answers] == ["correct", "abstained", "unreadable"]
    assert first.value == 0.5
    assert (second.model, second.value, second.tags) == ("m/two", 0.5, ())
    # of the third question the second image was asked nothing
    assert compare_answers(first, second) == (("1?",), ("0?",), ())
    assert compare_answers(second, first) == (("0?",), ("1?",), ())
    assert not any(compare_answers(first, first))


def shown_image(states: list[str]) -> GalleryImage:
    answers = tuple(ShownAnswer(f"{i}?", "", state) for i, state in enumerate(states))  # type: ignore[arg-type]
    return GalleryImage(
        evaluation=1,
        run="r",
        generation="g",
        image="i",
        metric="ihalla",
        model="m",
        prompt="p",
        seed=0,
        value=None,
        answers=answers,
        thumbnail=None,
        tags=(),
    )


STATES = st.lists(
    st.sampled_from(["correct", "incorrect", "abstained", "unreadable", "failed"]), max_size=6
)


@given(STATES, STATES)
def test_changes_are_the_reverse_of_those_in_the_other_direction(
    first: list[str], second: list[str]
) -> None:
    there = compare_answers(shown_image(first), shown_image(second))
    back = compare_answers(shown_image(second), shown_image(first))
    assert (there.better, there.worse) == (back.worse, back.better)
    assert set(there.other) == set(back.other)
    assert not any(compare_answers(shown_image(first), shown_image(first)))
