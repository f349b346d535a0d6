"""Pairs of a noun and a word that describes it, and attributes that a user adds."""

import pytest

from hallascope.data.prompt_reading import PromptReading
from hallascope.metrics.fig.attributes import ATTRIBUTES
from hallascope.metrics.fig.matching import compare
from hallascope.metrics.fig.pairs import (
    AttributePair,
    AttributeRule,
    PairVerdict,
    PictureText,
)
from hallascope.metrics.parsing.parsed import Parsed
from tests.support.fig_stages import stages_of


@pytest.mark.parametrize(
    ("prompt", "caption", "met", "note"),
    [
        ("two red circles", "two red circles", True, ""),
        ("two red circles", "two circles (one red circle and one blue circle)", False, ""),
        (
            "two red circles",
            "three circles (two red circles and one blue circle)",
            True,
            "Another is blue.",
        ),
        ("two red circles", "one red circle", True, ""),  # the number is wrong, not the color
        ("two red circles", "two circles", False, ""),
        ("red circles", "two circles (one red circle and one blue circle)", False, ""),
        ("a red circle", "The picture shows a circle. The circle is red.", True, ""),
        ("a gray dog", "a grey dog", True, ""),
        ("a red book on a blue book", "Two books. A red book lies on a blue book.", True, ""),
        ("a black and white dog", "a black dog", False, ""),
    ],
)
def test_a_color_is_wrong_where_the_number_in_that_color_is_not_reached(
    prompt: str, caption: str, met: bool, note: str
) -> None:
    rows = stages_of(prompt, caption).pairs["color"]
    assert (all(row.strict for row in rows), rows[0].note) == (met, note)


def test_colors_asked_of_others_of_the_same_name_are_no_fault() -> None:
    assert (
        stages_of(
            "a red circle and a blue circle", "two circles (one red circle and one blue circle)"
        ).share("color")
        == 1.0
    )
    stages = stages_of(
        "two red circles and a blue circle", "three circles (one red circle and two blue circles)"
    )
    assert [(row.expected, row.strict) for row in stages.pairs["color"]] == [
        ("red circle", False),
        ("blue circle", True),
    ]


def test_a_color_of_what_is_missing_is_not_met_and_says_so() -> None:
    (row,) = stages_of("a red dog", "a blue square").pairs["color"]
    assert (row.strict, row.observed, row.note) == (False, "", "The caption names no dog.")


def test_an_attribute_is_added_by_one_entry_of_words() -> None:
    own = {**ATTRIBUTES, "material": ("wooden", "metal", "brick")}
    stages = stages_of(
        "a wooden chair and a metal statue", "a red wooden chair and a brick statue", attributes=own
    )
    assert [(row.expected, row.strict) for row in stages.pairs["material"]] == [
        ("wooden chair", True),
        ("metal statue", False),
    ]
    assert stages.share("object") == 1.0
    assert "material" not in stages_of("a wooden chair", "a chair").pairs


def test_an_attribute_is_added_by_a_function_that_finds_pairs() -> None:
    def large(text: Parsed) -> list[AttributePair]:
        return [
            AttributePair(at, "large", (p.name_span,))
            for at, p in text.indexed_things()
            for word in p.modifiers
            if word.text in ("large", "huge", "big")
        ]

    stages = stages_of(
        "a big dog and a huge cat", "a large dog and a small cat", attributes={"size": large}
    )
    assert [(row.expected, row.strict) for row in stages.pairs["size"]] == [
        ("large dog", True),
        ("large cat", False),
    ]


def test_a_rule_on_the_text_of_the_prompt_keeps_its_pairs_and_judges_them() -> None:
    def find(text: Parsed) -> list[AttributePair]:
        return [AttributePair(at, "any", (p.name_span,)) for at, p in text.indexed_things()]

    def judge(pair: AttributePair, prompt: Parsed, picture: PictureText) -> PairVerdict:
        met = prompt.phrases[pair.noun or 0].name in picture.caption.text
        return PairVerdict(strict=met, soft=met)

    own = {"any": AttributeRule(find, judge)}
    stages = stages_of("a dog and a cat", "a dog", attributes=own)
    assert [(row.expected, row.strict, row.note) for row in stages.pairs["any"]] == [
        ("any dog", True, ""),
        ("any cat", False, "The caption names no cat."),
    ]


def test_pairs_of_a_translation_point_at_no_words_of_the_prompt() -> None:
    def find(text: Parsed) -> list[AttributePair]:
        return [AttributePair(at, "any", (p.name_span,)) for at, p in text.indexed_things()]

    reading = PromptReading(prompt="Hund", translation="a dog", language="de", source="model")
    (row,) = compare(reading, "a dog", attributes={"any": find}).pairs["any"]
    assert (row.expected, row.prompt_spans, row.strict) == ("any dog", (), True)
