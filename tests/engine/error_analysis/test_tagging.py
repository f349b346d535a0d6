"""Tags of images and of questions are kept, and filter the analysis."""

import pytest

from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.engine.error_analysis.tagging import (
    read_tag_choices,
    tag_images,
    untag_images,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.image_tags import (
    image_tags,
)
from hallascope.engine.storage.store import Store
from tests.support.filled_store import Said, keep


@pytest.fixture
def ids(store: Store) -> list[int]:
    """Two images of one prompt with an error in color, one of another, one without an error."""
    keep(store, Said(states=("incorrect",), cois=("color",), run="a"))
    keep(store, Said(states=("incorrect",), cois=("color",), model="m/two", run="b"))
    keep(store, Said(prompt="a dog", states=("incorrect",), cois=("color",), run="c"))
    keep(store, Said(prompt="a cup", states=("correct",), cois=("color",), run="d"))
    return read_judged_images(store, ErrorSelection()).images["evaluation"].tolist()


def test_a_tag_of_a_question_stands_with_the_question(store: Store, ids: list[int]) -> None:
    tag_images(store, ids[:1], "judge error", "Ann", question="0?")
    choices = read_tag_choices(store, ids[:1])
    assert choices.questions == {"0?": ("judge error",)}
    found = read_judged_images(store, ErrorSelection(tags=("judge error",)))
    assert found.images["evaluation"].tolist() == ids[:1], "it filters as a tag of the image does"
    image = found.images.iloc[0]
    assert image_tags(store, image["image"], image["prompt"]) == ()
    with pytest.raises(BadRequest, match="not a question of this image"):
        tag_images(store, ids[:1], "judge error", question="Which color?")
    untag_images(store, ids[:1], "judge error", question="0?")
    assert read_tag_choices(store, ids[:1]).questions == {"0?": ()}
