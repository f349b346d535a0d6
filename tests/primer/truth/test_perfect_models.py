"""Perfect eyes answer from what is drawn, and nothing that judges pictures uses them."""

import random
import re
from pathlib import Path

import pytest

from hallascope.data import masks
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import (
    Answer,
    Ask,
    Describe,
    Detect,
    Detected,
    Failure,
    Segment,
    Segmented,
)
from hallascope.primer import scenes
from hallascope.primer.benchmark.composition_sampler import ROOM
from hallascope.primer.groups import NUMBERS, OPPOSITE
from hallascope.primer.scenes import parse
from hallascope.primer.truth import perfect_models
from hallascope.primer.truth.compositions import Composition, CompositionItem, things
from tests.support.compositions import made_of

SIDES = {"left": (0, -1), "right": (0, 1), "above": (1, -1), "below": (1, 1)}


PICTURE = Picture("", None)  # type: ignore[arg-type]


SHOWN = things(
    made_of("two red circles and a ladybug", "one red circle and one blue circle", "a ladybug"), 96
)


@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        ("circle", 2),
        ("circles", 2),
        ("a red circle", 1),
        ("Ladybug", 1),
        ("the ladybugs", 1),
        ("star", 0),
        ("red ladybug", 0),
        ("", 0),
        ("thing", 0),
    ],
)
def test_perfect_eyes_find_every_thing_that_goes_by_a_phrase_and_no_other(
    phrase: str, found: int
) -> None:
    reply = perfect_models.answer(Detect(PICTURE, (phrase,)), SHOWN)
    assert isinstance(reply, Detected)
    assert len(reply.detections) == found
    assert {detection.box for detection in reply.detections} <= {thing.box for thing in SHOWN}


def test_perfect_eyes_cut_out_and_describe_what_is_in_a_box() -> None:
    masks_of = perfect_models.answer(Segment(PICTURE, tuple(thing.box for thing in SHOWN)), SHOWN)
    assert masks_of == Segmented(tuple(thing.mask for thing in SHOWN))
    texts = [perfect_models.answer(Describe(PICTURE, "", thing.box), SHOWN) for thing in SHOWN]
    assert texts == [Answer("A red circle"), Answer("A blue circle"), Answer("A ladybug")]
    assert perfect_models.answer(Describe(PICTURE, ""), SHOWN) == Answer(
        "A red circle and a blue circle and a ladybug"
    )


def test_where_nothing_is_perfect_eyes_see_nothing() -> None:
    corner = Box(0, 0, 0.001, 0.001)
    reply = perfect_models.answer(Segment(PICTURE, (corner,)), SHOWN)
    assert isinstance(reply, Segmented)
    assert masks.area(reply.masks[0]) == 0
    assert perfect_models.answer(Describe(PICTURE, "", corner), SHOWN) == Answer("Nothing")
    assert isinstance(
        perfect_models.answer(Ask(images=(PICTURE,), text="?", question="?"), SHOWN), Failure
    )


def test_every_thing_that_can_be_drawn_is_seen_and_found_by_every_name_of_it() -> None:
    names = list(scenes.nouns())
    for name in random.Random(0).sample(names, 20):
        thing = parse(name).groups[0]
        only, *_ = things(
            Composition(1, parse(name), ((CompositionItem(thing.concept, thing.colour),),), None),
            96,
        )
        assert perfect_models.is_called(name, only)
        assert masks.area(only.mask) > 100
    assert set(OPPOSITE) == set(SIDES)
    assert NUMBERS.index("six") >= ROOM[1]


def test_no_model_metric_or_page_reads_its_answer_from_the_truth() -> None:
    root = Path(perfect_models.__file__).parents[3]
    files = [
        file
        for room in ("backends", "metrics", "pages", "components")
        for file in (root / room).rglob("*.py")
    ]
    assert files
    assert not [
        file.name
        for file in files
        if re.search(
            r"primer\.truth|primer import [^\n]*\btruth\b", file.read_text(encoding="utf-8")
        )
    ]
