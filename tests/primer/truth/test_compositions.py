"""Compositions: what is drawn is what their errors and claims say, and perfect eyes see it all."""

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from bench.perfect_eyes import answer
from hallascope.data import masks
from hallascope.data.records import Picture
from hallascope.data.requests import (
    Answer,
    Describe,
    Detect,
    Detected,
    Segment,
    Segmented,
)
from hallascope.primer import scenes
from hallascope.primer.appearance import named_color
from hallascope.primer.benchmark.composition_sampler import composition
from hallascope.primer.claims import claims
from hallascope.primer.scenes import parse
from hallascope.primer.truth.compositions import Composition, DrawnThing, things
from tests.conftest import ROOT
from tests.data.cases import cases
from tests.support.compositions import made_of

SEEDS = st.integers(0, 5_000)
SIDES = {"left": (0, -1), "right": (0, 1), "above": (1, -1), "below": (1, 1)}
THIN = {"Big Dipper"}  # of lines and dots: it reaches far and covers little


def centre(thing: DrawnThing) -> tuple[float, float]:
    return (thing.box.left + thing.box.right) / 2, (thing.box.top + thing.box.bottom) / 2


def tone(pixels: NDArray[np.uint8], mask: NDArray[np.bool_]) -> str:
    """The middle tone of what the mask covers, in hexadecimal."""
    return "#" + "".join(f"{int(value):02x}" for value in np.median(pixels[mask], axis=0))


@given(SEEDS)
@settings(max_examples=25)
def test_every_error_is_seen_in_what_is_drawn_and_nothing_else_is_wrong(seed: int) -> None:
    """Counts, colors and places of the things, as their masks show them, against the prompt as the
    grammar reads it.
    """
    made, asked = composition(seed), parse(composition(seed).prompt)
    shown = things(made, 192)
    names = Counter(thing.name for thing in shown)
    told: set[tuple[str, str]] = set()
    for group in asked.groups:
        own = [thing for thing in shown if thing.name == group.concept.name]
        if not own:
            told.add(("omission", group.concept.name))
            continue
        if group.count > 1 and len(own) != group.count:
            told.add(("number", group.concept.name))
        if group.color and any(thing.color != group.color for thing in own):
            told.add(("color", group.concept.name))
    told |= {
        ("extraneous", name) for name in set(names) - {group.concept.name for group in asked.groups}
    }
    if (
        asked.relation
        and all(names[group.concept.name] for group in asked.groups)
        and not _stands(asked, shown)
    ):
        told.add(("position", asked.groups[0].concept.name))
    assert told == {(error.kind, error.subject) for error in made.errors}


def _stands(asked: scenes.Scene, shown: tuple[DrawnThing, ...]) -> bool:
    """Whether all of the first group stand to all of the second as the prompt says.

    If not, all must stand the other way round.
    """
    axis, sign = SIDES[str(asked.relation)]
    one, two = (
        [centre(thing)[axis] for thing in shown if thing.name == group.concept.name]
        for group in asked.groups
    )
    differences = [sign * (a - b) for a in one for b in two]
    assert min(differences) > 0.05 or max(differences) < -0.05
    return min(differences) > 0


@given(SEEDS)
@settings(max_examples=15)
def test_masks_lie_in_their_boxes_apart_from_each_other_and_have_the_color_that_is_said(
    seed: int,
) -> None:
    made = composition(seed)
    shown = things(made, 128)
    pixels = np.asarray(made.drawing.image(128))
    assert [(thing.name, thing.color) for thing in shown] == [
        (item.concept.name, item.color) for item in made.items
    ]
    together = np.zeros((128, 128), dtype=int)
    for thing in shown:
        mask = masks.array(thing.mask)
        together += mask
        assert masks.box(thing.mask) == thing.box
        assert max(thing.box.right - thing.box.left, thing.box.bottom - thing.box.top) > 0.13, (
            "large enough to be known"
        )
        assert mask.sum() > 100 or thing.name in THIN, "large enough to be known"
        if thing.color:
            assert named_color(tone(pixels, mask)) in (thing.color, None)
    assert together.max() == 1


def said(made: Composition) -> list[tuple[str, str, bool | None]]:
    return [(claim.kind, claim.asked, claim.holds) for claim in claims(made)]


def test_a_claim_is_false_where_the_picture_breaks_it_and_void_where_its_thing_is_not_there() -> (
    None
):
    wrong = made_of(
        "two red circles above a ladybug",
        "one red circle and two blue circles",
        "a ladybug",
        relation="below",
    )
    assert [error[:4] for error in wrong.errors] == [
        ("number", "circle", "two", "three"),
        ("color", "circle", "red", "blue and red"),
        ("position", "circle", "above", "below"),
    ]
    assert said(wrong)[1:3] == [("number", "two", False), ("color", "red", False)]
    assert said(wrong)[-1] == ("position", "above", False)
    without = made_of("two red circles above a ladybug", "two red stars", "a ladybug")
    assert {error.kind for error in without.errors} == {"omission", "extraneous"}
    assert [holds for _, _, holds in said(without)] == [False, None, None, True, None]


@given(SEEDS)
@settings(max_examples=60)
def test_the_spans_of_a_claim_hold_its_words_and_its_truth_agrees_with_the_errors(
    seed: int,
) -> None:
    made = composition(seed)
    found = claims(made)
    assert [claim.kind for claim in found].count("object") == len(made.scene.groups)
    for claim in found:
        start, end = claim.spans[0]
        assert made.prompt[start:end] == claim.asked
        noun = made.prompt[slice(*claim.spans[-1 if claim.kind != "position" else 1])]
        assert scenes.nouns()[noun.lower()].concept.name == claim.subject
    kinds = {"omission": "object"}
    wrong = {
        (kinds.get(error.kind, error.kind), error.subject)
        for error in made.errors
        if error.kind != "extraneous"
    }
    assert {(claim.kind, claim.subject) for claim in found if claim.holds is False} == wrong


PICTURE = Picture("", None)  # type: ignore[arg-type]
SHOWN = things(
    made_of("two red circles and a ladybug", "one red circle and one blue circle", "a ladybug"), 96
)


@pytest.mark.parametrize(
    "phrase, found",
    cases(
        "compositions", "perfect_eyes_find_every_thing_that_goes_by_a_phrase_and_no_other", "primer"
    ),
)
def test_perfect_eyes_find_every_thing_that_goes_by_a_phrase_and_no_other(
    phrase: str, found: int
) -> None:
    reply = answer(Detect(PICTURE, (phrase,)), SHOWN)
    assert isinstance(reply, Detected)
    assert len(reply.detections) == found
    assert {detection.box for detection in reply.detections} <= {thing.box for thing in SHOWN}


def test_perfect_eyes_cut_out_and_describe_what_is_in_a_box() -> None:
    masks_of = answer(Segment(PICTURE, tuple(thing.box for thing in SHOWN)), SHOWN)
    assert masks_of == Segmented(tuple(thing.mask for thing in SHOWN))
    texts = [answer(Describe(PICTURE, "", thing.box), SHOWN) for thing in SHOWN]
    assert texts == [Answer("A red circle"), Answer("A blue circle"), Answer("A ladybug")]
    assert answer(Describe(PICTURE, ""), SHOWN) == Answer(
        "A red circle and a blue circle and a ladybug"
    )


def test_no_model_metric_or_page_reads_its_answer_from_the_truth() -> None:
    root = ROOT
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
