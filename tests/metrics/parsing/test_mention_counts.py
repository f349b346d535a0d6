"""A text tells of each thing once."""

from hallascope.data.prompt_reading import MANY, Count
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
    assert total(text, counted) == Count.exactly(3)


def test_what_follows_the_first_sentence_describes_and_does_not_count() -> None:
    (circle,) = instances(parse("A circle. The circle is red."), is_circle, COLORS)
    assert (circle.number, set(circle.words)) == (1, {"red"})


def test_another_one_counts_and_bounds_are_those_of_the_text() -> None:
    def circles(caption: str) -> Count:
        text = parse(caption)
        return total(text, instances(text, is_circle, COLORS))

    assert circles("A circle. Another circle is blue.") == Count.exactly(2)
    assert circles("circles") == MANY
    assert circles("at least three red circles and a blue circle") == Count.at_least(4)
    assert circles("a square") == Count.exactly(0)
    assert instances(parse("a square"), is_circle, COLORS) == []


def test_one_of_several_named_before_is_not_counted_again() -> None:
    text = parse("Two circles on a table with one circle on a plate.")
    assert total(text, instances(text, is_circle, COLORS)) == Count.exactly(2)
