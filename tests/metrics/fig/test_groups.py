"""Segments are grouped by what their captions call them."""

import pytest

from hallascope.data.regions import Box
from hallascope.metrics.detection.geometry import middle
from hallascope.metrics.fig.caption import NOTHING, write
from hallascope.metrics.fig.groups import SegmentCaption


def seen(caption: str, left: float = 0.0, top: float = 0.0, size: float = 0.2) -> SegmentCaption:
    box = Box(left, top, left + size, top + size)
    return SegmentCaption(caption, middle(box), box)


def test_things_of_one_name_are_counted_together_and_told_apart() -> None:
    text = write([seen("A red circle"), seen("A blue circle", 0.02), seen("A red circle", 0.04)])
    assert text == "The picture shows three circles (two red circles and one blue circle)."


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        (
            "The image shows a pink car with a large grille.",
            "The picture shows a pink car. The pink car is seen with a large grille.",
        ),
        ("A dog is sitting on a bench.", "The picture shows a dog. The dog is sitting on a bench."),
        (
            "This is a dog that wears a hat. It is happy.",
            "The picture shows a dog. The dog wears a hat. It is happy.",
        ),
        ('A sign which says "Helo World"', 'The picture shows a sign. The sign says "Helo World".'),
        ("It is a vase made of glass", "The picture shows a vase. The vase is made of glass."),
        ("there is a cat and a dog", "The picture shows a cat. The cat is seen with a dog."),
        ("The circle is red.", "The picture shows a red circle."),
        ("Two tulips", "The picture shows two tulips."),
        ("tulips", "The picture shows several tulips."),
        ("An orange bottle of wine", "The picture shows an orange bottle of wine."),
        ("Darth Vader", "The picture shows Darth Vader."),
        ("The red wing cover of a ladybug", "The picture shows a red wing cover of a ladybug."),
        ("blurred", NOTHING),
        ("", NOTHING),
    ],
)
def test_what_a_caption_says_beside_the_name_follows_as_a_sentence(
    caption: str, expected: str
) -> None:
    assert write([seen(caption)]) == expected


def test_the_words_of_an_own_attribute_stay_with_their_thing() -> None:
    text = write(
        [seen("A chair that is wooden"), seen("A metal chair", 0.02)],
        frozenset({"wooden", "metal"}),
    )
    assert text.startswith("The picture shows two chairs (one wooden chair and one metal chair).")
