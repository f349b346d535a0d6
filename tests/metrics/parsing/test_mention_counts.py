"""A text tells of each thing once."""

from hallascope.metrics.parsing.mention_counts import instances, total
from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.parsing.words.language import wordset

COLORS = wordset("red blue")


def is_circle(phrase: Phrase) -> bool:
    return phrase.head == "circle"


def test_the_parts_count_and_not_the_whole() -> None:
    text = parse("three circles (two red circles and one blue circle)")
    counted = instances(text, is_circle, COLORS)
    assert [(one.number, set(one.words)) for one in counted] == [(2, {"red"}), (1, {"blue"})]
    assert total(counted) == 3


def test_what_follows_the_first_sentence_describes_and_does_not_count() -> None:
    (circle,) = instances(parse("A circle. The circle is red."), is_circle, COLORS)
    assert (circle.number, set(circle.words)) == (1, {"red"})


def test_another_one_counts_and_a_plural_without_a_number_has_no_total() -> None:
    assert total(instances(parse("A circle. Another circle is blue."), is_circle, COLORS)) == 2
    assert total(instances(parse("circles"), is_circle, COLORS)) is None
    assert instances(parse("a square"), is_circle, COLORS) == []
