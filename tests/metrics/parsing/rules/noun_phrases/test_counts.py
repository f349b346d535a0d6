"""Numbers are of things, with their bounds: no articles, no units, no parts of words."""

import pytest

from hallascope.data.prompt_reading import MANY, Count
from hallascope.metrics.parsing.parser import parse
from hallascope.metrics.parsing.reading import read_prompt
from tests.support.parsed_texts import things


def counts(text: str) -> list[Count | None]:
    """Return the count of each thing of a text; many for a plural without one."""
    return [phrase.count or (MANY if phrase.plural else None) for phrase in parse(text).things]


def test_a_is_no_number_and_numbers_within_words_are_none() -> None:
    assert [
        phrase.number for phrase in parse("a dog, 12 cats, one hen and a ten-speed bicycle").things
    ] == [None, 12, 1, None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a pair of skiers", ["2 skier"]),
        ("two pairs of skiers", ["4 skier"]),
        ("a couple of dogs", ["2 dog"]),
        ("a couple dogs", ["2 dog"]),
        ("a trio of singers", ["3 singer"]),
        ("a pair of three skiers", ["3 skier"]),
        ("a stack of four pancakes", ["4 pancake"]),
        ("two dozen roses", ["24 rose"]),
        ("half a dozen empty cans", ["6 empty can"]),
        ("twenty-one red apples", ["21 red apple"]),
        ("two hundred fifty birds", ["250 bird"]),
        ("ten thousand birds", ["10000 bird"]),
        ("both dogs", ["2 dog"]),
        ("both of their schoolbags", ["2 schoolbag"]),
        ("a single skateboard", ["1 skateboard"]),
        ("exactly three cats", ["3 cat"]),
    ],
)
def test_a_number_may_be_of_several_words_and_of_a_container(
    text: str, expected: list[str]
) -> None:
    assert things(text) == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("at least three cats", Count.at_least(3)),
        ("no fewer than three cats", Count.at_least(3)),
        ("three or more cats", Count.at_least(3)),
        ("more than three cats", Count.at_least(4)),
        ("at most three cats", Count.at_most(3)),
        ("no more than one cloud", Count.at_most(1)),
        ("up to three cats", Count.at_most(3)),
        ("fewer than three cats", Count.at_most(2)),
        ("about twenty penguins", Count.approximately(20)),
        ("around twenty people", Count.approximately(20)),
        ("roughly a dozen eggs", Count.approximately(12)),
        ("some twenty boats", Count.approximately(20)),
        ("three to five cats", Count(least=3, most=5)),
        ("two or three cats", Count(least=2, most=3)),
        ("a group of about twenty penguins", Count.approximately(20)),
    ],
)
def test_words_around_a_number_bound_it(text: str, count: Count) -> None:
    (phrase,) = parse(text).things
    assert (phrase.count, phrase.modifiers) == (count, ())


@pytest.mark.parametrize(
    "text",
    [
        "dozens of bees",
        "hundreds of birds",
        "several dogs",
        "a few coins",
        "various plates",
        "multiple cars",
        "some people",
        "some sheep",
        "many fish",
        "a flock of sheep",
        "a bunch of bananas",
        "a collection of nail",
        "pairs of shoes",
    ],
)
def test_plurals_and_words_of_quantity_are_many(text: str) -> None:
    assert counts(text) == [MANY]


@pytest.mark.parametrize(
    "text",
    [
        "a 30 cm ruler",
        "a 10-inch pizza",
        "a two story house",
        "a 1950 Chevrolet truck",
        "a pair of scissors",
        "blue pants",
        "pink chaps",
        "a broccoli",
        "an open atlas",
        "a lens",
        "the sheep",
        "some grass",
        "a sheep",
    ],
)
def test_units_years_and_nouns_that_look_plural_say_no_number(text: str) -> None:
    assert counts(text) == [None]


def test_glasses_are_one_thing_where_they_are_worn() -> None:
    assert things("a man wearing glasses") == ["man", "glasses"]
    assert counts("a man wearing glasses") == [None, None]
    assert counts("two glasses on a table") == [Count.exactly(2), None]
    assert counts("two pairs of glasses") == [Count.exactly(2)]


def test_a_preposition_before_a_number_bounds_nothing() -> None:
    assert counts("a dog running around two trees") == [None, Count.exactly(2)]


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("a family of four at a picnic", 4, 4),
        ("A family of five is having dinner.", 5, 5),
        ("20+ balloons", 20, None),
    ],
)
def test_members_and_a_plus_sign_are_counted(text: str, least: int, most: int | None) -> None:
    (first, *others) = read_prompt(text).objects
    assert first.count == Count(least=least, most=most)
    assert first.name not in [asked.name for asked in others]


def test_the_members_that_a_noun_names_are_counted_themselves() -> None:
    assert [asked.name for asked in read_prompt("a team of four dogs").objects][-1] == "dog"


def test_an_only_one_is_one_and_a_couple_are_two() -> None:
    assert things("A bear steals his only fish") == ["bear", "1 fish"]
    assert things("An elderly couple dancing in a kitchen")[0].startswith("2 ")
    assert things("a couple of dogs") == ["2 dog"]
