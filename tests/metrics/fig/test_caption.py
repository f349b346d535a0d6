"""The template writer's meta-caption groups, says what the captions say, and parses back."""

import pytest

from hallascope.data.regions import Box
from hallascope.metrics.detection.geometry import middle
from hallascope.metrics.fig.caption import NOTHING, write
from hallascope.metrics.fig.groups import SegmentCaption
from tests.support.fig_stages import met_share, stages_of


def seen(caption: str, left: float = 0.0, top: float = 0.0, size: float = 0.2) -> SegmentCaption:
    box = Box(left, top, left + size, top + size)
    return SegmentCaption(caption, middle(box), box)


def test_two_things_read_as_a_person_would_say_it() -> None:
    text = write([seen("A red circle.", 0.1, 0.1), seen("The planet Saturn", 0.1, 0.7)])
    assert (
        text == "The picture shows a red circle and the planet Saturn. It shows the red circle,"
        " which is above the planet Saturn. It shows the planet Saturn, which is below the red"
        " circle."
    )


def test_nothing_seen_is_said_and_names_nothing() -> None:
    assert write([]) == NOTHING
    assert stages_of("a dog", NOTHING).extras == ()


def test_positions_hold_of_all_of_a_group_or_of_one_of_it() -> None:
    text = write([seen("A dog", 0.0, 0.4), seen("A dog", 0.8, 0.4), seen("A cat", 0.4, 0.4)])
    assert "It shows one of the two dogs, which is to the left of the cat." in text
    assert (
        "the cat, which is to the right of one of the two dogs, and next to one of the two dogs."
        not in text
    )
    assert met_share(stages_of("a dog to the left of a cat", text), "position") == 1.0
    assert met_share(stages_of("a dog above a cat", text), "position") == 0.0


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(
    "relation, is_vertical, is_mirrored",
    [
        ("to the left of", False, False),
        ("to the right of", False, True),
        ("above", True, False),
        ("below", True, True),
    ],
)
def test_what_was_drawn_as_asked_is_found_so_and_a_swapped_position_is_not(
    relation: str, is_vertical: bool, is_mirrored: bool, swapped: bool
) -> None:
    shown = []
    for name, along, across in (
        ("a red circle", 0.1, 0.1),
        ("a red circle", 0.1, 0.4),
        ("the planet Saturn", 0.7, 0.25),
    ):
        along = 0.8 - along if is_mirrored != swapped else along
        shown.append(seen(name, *((across, along) if is_vertical else (along, across))))
    stages = stages_of(f"two red circles {relation} the planet Saturn", write(shown))
    assert met_share(stages, "position") == (0.0 if swapped else 1.0)
    assert [met_share(stages, kind) for kind in ("object", "color", "number")] == [1.0] * 3
    assert stages.extras == ()


def test_things_of_one_name_are_counted_together_and_told_apart() -> None:
    text = write([seen("A red circle"), seen("A blue circle", 0.02), seen("A red circle", 0.04)])
    assert text == "The picture shows three circles (two red circles and one blue circle)."


@pytest.mark.parametrize(
    "caption, expected",
    [
        (
            "The image shows a car with a large grille.",
            "The picture shows a car. It shows the car, which is seen with a large grille.",
        ),
        (
            "A dog is sitting on a bench.",
            "The picture shows a dog. It shows the dog, which is sitting on a bench.",
        ),
        (
            "This is a dog that wears a hat. It is happy.",
            "The picture shows a dog. It shows the dog, which wears a hat. It is happy.",
        ),
        (
            'A sign which says "Helo World"',
            'The picture shows a sign. It shows the sign, which says "Helo World".',
        ),
        (
            "It is a vase made of glass",
            "The picture shows a vase. It shows the vase, which is made of glass.",
        ),
        (
            "there is a cat and a dog",
            "The picture shows a cat. It shows the cat, which is seen with a dog.",
        ),
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


@pytest.mark.parametrize(
    "prompt", ["a glass of red wine", "a bowl of green apples", "a vase of red roses"]
)
def test_a_color_inside_a_name_is_found_in_the_caption_of_a_perfect_image(prompt: str) -> None:
    stages = stages_of(prompt, write([seen(prompt)]))
    assert list(stages.extras) == []
    assert all(row.strict for row in stages.rows)
