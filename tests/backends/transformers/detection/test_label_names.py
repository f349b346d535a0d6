"""A phrase finds the label that it names, and no other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.backends.transformers.detection.label_names import label

COCO = (
    "person",
    "bicycle",
    "car",
    "motorbike",
    "aeroplane",
    "hot dog",
    "dog",
    "cup",
    "knife",
    "sheep",
    "bus",
    "sofa",
    "tvmonitor",
    "teddy bear",
    "bear",
)


@pytest.mark.parametrize(
    ("phrase", "named"),
    [
        ("dog", "dog"),
        ("The Dog.", "dog"),
        ("two red cars", "car"),
        ("a hot dog", "hot dog"),
        ("buses", "bus"),
        ("three knives", "knife"),
        ("a cup of coffee", "cup"),
        ("a dog with a bicycle", "dog"),
        ("an old woman", "person"),
        ("men", "person"),
        ("airplanes", "aeroplane"),
        ("a motorcycle", "motorbike"),
        ("a couch", "sofa"),
        ("a TV", "tvmonitor"),
        ("a polar bear", "bear"),
        ("a teddy bear", "teddy bear"),
        ("a dragon", None),
        ("dog house", None),
        ("a carpet", None),
        ("", None),
        ("in", None),
    ],
)
def test_a_phrase_names_a_label_by_its_last_words(phrase: str, named: str | None) -> None:
    assert label(phrase, COCO) == named


@given(st.text())
def test_any_text_names_a_label_or_none(phrase: str) -> None:
    assert label(phrase, COCO) in (*COCO, None)


@given(st.sampled_from(COCO), st.sampled_from(("a {}", "the {}.", "two red {}s", "{} in a park")))
def test_every_label_is_found_under_its_own_name(name: str, form: str) -> None:
    assert label(form.format(name), COCO) == name
