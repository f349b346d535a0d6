"""The template writer's meta-caption groups, says what the captions say, and parses back."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.data.regions import Box
from hallascope.metrics.detection.geometry import middle
from hallascope.metrics.fig.caption import LONGEST, NOTHING, write
from hallascope.metrics.fig.groups import SegmentCaption
from hallascope.metrics.reading.words.language import article
from hallascope.primer.concepts import concepts
from hallascope.primer.groups import NUMBERS
from hallascope.primer.shapes import COLORS, SHAPES
from hallascope.primer.world import Concept
from tests.support.fig_stages import stages_of


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
    assert stages_of("a dog to the left of a cat", text).share("position") == 1.0
    assert stages_of("a dog above a cat", text).share("position") == 0.0


def test_many_things_give_a_text_of_bounded_length() -> None:
    chance = random.Random(0)
    many = [
        seen(
            f"{article(shape.name)} in {colour} {'very ' * 9}clear",
            chance.random() * 0.8,
            chance.random() * 0.8,
        )
        for shape in SHAPES
        for colour in COLORS
    ]
    assert len(write(many)) <= LONGEST
    assert stages_of("a circle", write(many)).share("object") == 1.0


_PLACES = {
    "to the left of": ((0.0, 0.0, 0.5, 1.0), (0.5, 0.0, 1.0, 1.0)),
    "to the right of": ((0.5, 0.0, 1.0, 1.0), (0.0, 0.0, 0.5, 1.0)),
    "above": ((0.0, 0.0, 1.0, 0.5), (0.0, 0.5, 1.0, 1.0)),
    "below": ((0.0, 0.5, 1.0, 1.0), (0.0, 0.0, 1.0, 0.5)),
}
_SHAPES = st.tuples(st.sampled_from(SHAPES), st.sampled_from(COLORS))
_GROUPS = st.one_of(_SHAPES, st.tuples(st.sampled_from(concepts()), st.none()))


def named(thing: Concept, colour: str | None, count: int) -> str:
    if count == 1 and not colour:
        return thing.phrase
    words = " ".join(filter(None, (colour, thing.name if count == 1 else thing.plural)))
    return article(words) if count == 1 else f"{NUMBERS[count]} {words}"


def cells(count: int, room: tuple[float, float, float, float]) -> list[Box]:
    left, top, right, bottom = room
    columns, rows = min(count, 2), -(-count // 2)
    width, height = (right - left) / columns, (bottom - top) / rows
    half = min(width, height) * 0.4
    places = [(left + (i % 2 + 0.5) * width, top + (i // 2 + 0.5) * height) for i in range(count)]
    return [Box(x - half, y - half, x + half, y + half) for x, y in places]


@given(
    _GROUPS,
    _GROUPS,
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from(list(_PLACES)),
    st.booleans(),
)
@settings(max_examples=40)
def test_what_was_drawn_as_asked_is_found_so_and_a_swapped_position_is_not(
    one: tuple[Concept, str | None],
    other: tuple[Concept, str | None],
    many: int,
    more: int,
    relation: str,
    swapped: bool,
) -> None:
    if one[0] == other[0]:
        return
    rooms = _PLACES[relation][::-1] if swapped else _PLACES[relation]
    each = [(*one, many, rooms[0]), (*other, more, rooms[1])]
    shown = [
        SegmentCaption(named(thing, colour, 1), middle(box), box)
        for thing, colour, count, room in each
        for box in cells(count, room)
    ]
    stages = stages_of(f"{named(*one, many)} {relation} {named(*other, more)}", write(shown))
    assert stages.share("position") == (0.0 if swapped else 1.0)
    assert stages.share("object") == 1.0
    assert stages.share("color") in (None, 1.0)
    assert stages.share("number") in (None, 1.0)
    assert stages.extras == ()


def test_things_of_one_name_are_counted_together_and_told_apart() -> None:
    text = write([seen("A red circle"), seen("A blue circle", 0.02), seen("A red circle", 0.04)])
    assert text == "The picture shows three circles (two red circles and one blue circle)."


@pytest.mark.parametrize(
    ("caption", "expected"),
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
