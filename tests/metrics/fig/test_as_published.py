"""Stages 1 and 2 by the paper's own rule (algorithm 2): sets of equal names and of equal pairs."""

import pytest

from hallascope.metrics.fig.as_published import equal_names
from hallascope.metrics.fig.matching import StageRow
from hallascope.metrics.parsing.labels import name_phrase
from tests.support.fig_stages import stages_of


def row_of(prompt: str, caption: str, kind: str) -> StageRow:
    return next(row for row in stages_of(prompt, caption).rows if row.kind == kind)


@pytest.mark.parametrize(
    ("name", "other", "equal"),
    [
        ("cup", "cups", True),
        ("wine glass", "wine glass", True),
        ("glass", "wine glass", False),
        ("dog", "puppy", False),
        ("hamburger", "a hamburger", True),
    ],
)
def test_names_are_equal_by_their_lemmas_or_as_one_concept(
    name: str, other: str, equal: bool
) -> None:
    assert equal_names(name_phrase(name), name_phrase(other)) is equal


@pytest.mark.parametrize(
    ("prompt", "caption", "kind", "strict", "as_published"),
    [
        ("a glass", "A wine glass.", "object", True, False),
        ("a glass on a table", "A wine glass is on a table.", "position", True, False),
        ("a cup on a table", "A cup is on a table.", "position", True, True),
        ("three red balls", "A red ball and two blue balls.", "color", False, True),
        (
            "a cup above a dish",
            "A dish is below a cup. The cup is above the dish.",
            "position",
            True,
            True,
        ),
        ("a red car", "A red sports car.", "color", True, False),
        ("at least two dogs", "Three dogs.", "number", True, False),
        ("two dogs", "Two dogs.", "number", True, True),
        ("two dogs", "A black dog and a white dog.", "number", True, False),
        ('a sign that says "STOP"', 'A sign with the text "Stop".', "text", True, True),
    ],
)
def test_where_our_strict_rule_and_the_paper_differ(
    prompt: str, caption: str, kind: str, strict: bool, as_published: bool
) -> None:
    row = row_of(prompt, caption, kind)
    assert (row.strict, row.as_published) == (strict, as_published)


def test_the_paper_has_no_row_for_what_must_not_be_there() -> None:
    row = row_of("no dogs and a cat", "A cat.", "object")
    forbidden = next(
        row for row in stages_of("a cat without a dog", "A cat.").rows if row.forbidden
    )
    assert row.as_published
    assert not forbidden.as_published
