"""Tags of images are short, kept once, and found again by image."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.errors import BadRequest
from hallascope.engine.image_tags import (
    LONGEST,
    MOST,
    clean_tag,
    image_tags,
    keep_tag,
    remove_tag,
    tagged_images,
)

IMAGE = "ab" * 32
PROMPT = "a molecule"


def test_a_tag_is_kept_once_and_can_be_removed_whoever_gave_it(services: Any) -> None:
    store = services.store
    keep_tag(store, IMAGE, PROMPT, "  Extra   Fingers ", "Ann")
    keep_tag(store, IMAGE, PROMPT, "extra fingers", "Bob")
    keep_tag(store, IMAGE, PROMPT, "blurry")
    keep_tag(store, IMAGE, "another prompt", "blurry")
    assert image_tags(store, IMAGE, PROMPT) == ("extra fingers", "blurry")
    assert tagged_images(store) == {
        (IMAGE, PROMPT): ("extra fingers", "blurry"),
        (IMAGE, "another prompt"): ("blurry",),
    }
    remove_tag(store, IMAGE, PROMPT, "extra fingers")
    remove_tag(store, IMAGE, PROMPT, "never given")
    assert image_tags(store, IMAGE, PROMPT) == ("blurry",)


def test_an_image_has_no_endless_number_of_tags(services: Any) -> None:
    for number in range(MOST):
        keep_tag(services.store, IMAGE, PROMPT, f"tag {number}")
    keep_tag(services.store, IMAGE, PROMPT, "tag 0")
    with pytest.raises(BadRequest, match="at most 20 tags"):
        keep_tag(services.store, IMAGE, PROMPT, "one more")


@pytest.mark.parametrize("text", ["", "  ", "x" * (LONGEST + 1)])
def test_what_is_no_tag_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(BadRequest, match="extra fingers"):
        clean_tag(text)


@given(st.text())
def test_a_tag_stays_the_same_when_it_is_cleaned_again(text: str) -> None:
    try:
        tag = clean_tag(text)
    except BadRequest:
        return
    assert 0 < len(tag) <= LONGEST
    assert tag == tag.strip()
    assert clean_tag(tag) == tag
