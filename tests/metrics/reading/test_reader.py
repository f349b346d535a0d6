"""Tests the reader of prompts on the kinds of prompts that readers get wrong."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.data.prompt_reading import MANY, Count, PromptReading
from hallascope.metrics.reading.parser import LONGEST
from hallascope.metrics.reading.prompt import read_prompt
from hallascope.metrics.reading.words.language import wordset


def names(reading: PromptReading) -> list[str]:
    """Return the names of the objects that are to be there, in their order."""
    return [asked.name for asked in reading.objects if not asked.absent]


def absent(reading: PromptReading) -> list[str]:
    """Return the names of the objects that are not to be there."""
    return [asked.name for asked in reading.objects if asked.absent]


def count_of(reading: PromptReading, name: str) -> Count | None:
    """Return the count of the first object of a name."""
    return next(asked.count for asked in reading.objects if asked.name == name)


def attributes_of(reading: PromptReading, name: str) -> list[str]:
    """Return the attributes of the first object of a name."""
    asked = next(asked for asked in reading.objects if asked.name == name)
    return [attribute.value for attribute in asked.attributes]


def relations(reading: PromptReading) -> list[tuple[str, str, str]]:
    """Return the relations by the names of their ends."""
    known = {asked.id: asked.name for asked in reading.objects}
    return [
        (known[relation.subject], relation.words, known.get(relation.target, relation.target))
        for relation in reading.relations
    ]


@pytest.mark.parametrize(
    ("prompt", "name", "count"),
    [
        ("two red cats", "cat", Count.exactly(2)),
        ("at least three dogs on a lawn", "dog", Count.at_least(3)),
        ("no more than two cups", "cup", Count.at_most(2)),
        ("more than five kites", "kite", Count.at_least(6)),
        ("three to five birds on a wire", "bird", Count(least=3, most=5)),
        ("half a dozen eggs in a bowl", "egg", Count.exactly(6)),
        ("a pair of skiers", "skier", Count.exactly(2)),
        ("a herd of cows", "cow", MANY),
        ("several boats in a harbor", "boat", MANY),
        ("a dog", "dog", None),
    ],
)
def test_counts_are_read(prompt: str, name: str, count: Count | None) -> None:
    """A number before a noun, with its bound, is the count of the object."""
    assert count_of(read_prompt(prompt), name) == count


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("a cup of 80°C hot water on a table", "cup of water"),
        ("a train leaving the station at 8 AM", "train"),
        ("a wall covered with a Katowice 2014 sticker", "sticker"),
        ("a nurse with a 5 mg tablet", "tablet"),
        ("a 30 cm ruler on a desk", "ruler"),
        ("a two-story house", "house"),
        ("a street in Paris in 1920", "street"),
    ],
)
def test_units_clocks_years_and_doses_are_no_counts(prompt: str, name: str) -> None:
    """A number that belongs to a unit, a clock, a year or a word counts no object."""
    reading = read_prompt(prompt)
    assert name in names(reading)
    assert [asked.count for asked in reading.objects] == [None] * len(reading.objects)


def test_a_description_of_both_is_of_both() -> None:
    """What is said of "both the cat and the rug" describes each of them, and counts neither."""
    reading = read_prompt("both the cat and the rug are grey")
    assert names(reading) == ["cat", "rug"]
    assert attributes_of(reading, "cat") == attributes_of(reading, "rug") == ["grey"]
    assert count_of(reading, "cat") is None


def test_a_couple_is_two_persons() -> None:
    """A couple is two persons, and not two couples."""
    reading = read_prompt("a couple is seated on a bench")
    assert count_of(reading, "person") == Count.exactly(2)
    assert relations(reading) == [("person", "on", "bench")]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("a spoon on a saucer before any tea is poured", ["spoon", "saucer"]),
        ("a hill before the rain falls", ["hill"]),
        ("a house at dusk", ["house"]),
    ],
)
def test_time_is_no_place(prompt: str, expected: list[str]) -> None:
    """A clause that says when names no object and no place."""
    reading = read_prompt(prompt)
    assert names(reading) == expected
    assert "in front of" not in [words for _, words, _ in relations(reading)]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("the candles that the bulb replaced", ["bulb"]),
        ("a poster designed for Japan", ["poster"]),
        ("a robot thinking of a rose", ["robot"]),
        ("a horse as big as a house", ["horse"]),
        ("a dog bigger than a car", ["dog"]),
    ],
)
def test_what_is_not_shown_is_no_object(prompt: str, expected: list[str]) -> None:
    """What is replaced, compared with, thought of or the audience is no object."""
    assert names(read_prompt(prompt)) == expected


def test_a_container_is_one_object_with_what_it_holds() -> None:
    """A jar of buttons is one object, and the jar is no part of a button."""
    reading = read_prompt("a jar of 40 buttons on a table")
    assert names(reading) == ["jar of buttons", "table"]
    assert relations(reading) == [("jar of buttons", "on", "table")]


def test_a_glass_half_full_of_milk_has_milk() -> None:
    """The glass has the milk, and not the other way round."""
    reading = read_prompt("a glass half full of milk")
    assert names(reading) == ["glass", "milk"]
    assert relations(reading) == [("glass", "with", "milk")]


def test_negation_has_its_scope() -> None:
    """Of two men, one has no hat and the other has one."""
    reading = read_prompt("a man without a hat beside a man with a hat")
    assert names(reading) == ["man", "man", "hat"]
    first, hat, second, other = reading.objects
    assert hat.absent
    assert not other.absent
    said = {(relation.subject, relation.words, relation.target) for relation in reading.relations}
    assert {(first.id, "with", hat.id), (second.id, "with", other.id)} <= said


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("a dog without a collar", ["collar"]),
        ("a face with no beard", ["beard"]),
        ("a tree without leaves or flowers", ["leaf", "flower"]),
        ("a man who is not wearing a hat", ["hat"]),
        ("a beach, nobody on the sand", ["person"]),
        ("a street --no cars, people", ["car", "person"]),
    ],
)
def test_absent_objects_are_read(prompt: str, expected: list[str]) -> None:
    """What a prompt says not to be there is an absent object."""
    assert absent(read_prompt(prompt)) == expected


def test_superlatives_choose_of_a_group() -> None:
    """ "The largest" is one of several, and has its own place."""
    reading = read_prompt(
        "three owls on a branch, the largest on the left, the smallest on the right"
    )
    group, _, largest, smallest = reading.objects
    assert (largest.one_of, smallest.one_of) == (group.id, group.id)
    said = {(relation.subject, relation.words) for relation in reading.relations}
    assert {(largest.id, "left"), (smallest.id, "right")} <= said


def test_shape_words_describe() -> None:
    """A shape before a noun is an attribute and no object."""
    reading = read_prompt("two square red apples")
    assert names(reading) == ["apple"]
    assert attributes_of(reading, "apple") == ["square", "red"]


def test_adverbs_describe_nothing() -> None:
    """ "Flat" in "press their hand flat" says how, and describes nobody."""
    reading = read_prompt("people press their hand flat on the glass")
    assert attributes_of(reading, "person") == []


def test_the_same_object_is_named_twice() -> None:
    """ "The dog" is the dog that was named before, also by its breed."""
    assert names(read_prompt("A dalmatian lies on a rug. The dog wears a collar.")) == [
        "dalmatian",
        "rug",
        "collar",
    ]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("a cat on a mat", [("cat", "on", "mat")]),
        ("a dog and a cat on the grass", [("dog", "on", "grass"), ("cat", "on", "grass")]),
        ("a man riding a horse", [("man", "riding", "horse")]),
        ("a horse ridden by a man", [("man", "riding", "horse")]),
        ("a woman in a red dress", [("woman", "wearing", "dress")]),
        ("a cup to the left of a plate", [("cup", "left of", "plate")]),
        ("the wing of a ladybug", [("wing", "part of", "ladybug")]),
        ("on the table are two books", [("book", "on", "table")]),
        ("a tree on the left", [("tree", "left", "picture")]),
    ],
)
def test_relations_are_read(prompt: str, expected: list[tuple[str, str, str]]) -> None:
    """Places, actions, clothes and parts are relations."""
    assert relations(read_prompt(prompt)) == expected


def test_style_texts_and_flags_are_read() -> None:
    """Words about the image are its style, and what is quoted is a text."""
    reading = read_prompt('an oil painting of a sign that says "STOP", 8k, soft light --ar 16:9')
    assert names(reading) == ["sign"]
    assert [text.text for text in reading.texts] == ["STOP"]
    assert [words.text for words in reading.style] == [
        "an oil painting",
        "8k",
        "soft light",
        "--ar 16:9",
    ]


@pytest.mark.parametrize(
    "prompt", ["Ein roter Apfel liegt auf dem Tisch", "What is the capital of France?", ""]
)
def test_what_cannot_be_read_says_why(prompt: str) -> None:
    """Another language, a question and a prompt without an object are unreadable."""
    reading = read_prompt(prompt)
    assert reading.unreadable
    assert not reading.objects


def test_a_long_prompt_is_unreadable() -> None:
    """A prompt above the limit is not parsed."""
    assert read_prompt("cat " * LONGEST).unreadable


_WORDS = st.sampled_from(
    sorted(
        wordset(
            """
            a the two cats dog of one without no with on left right red and is half full not nobody
            other made as than before its it they riding covered largest X 1920 5% 8 8k STOP says
            , . ( ) [ ] : -- --no " ' | _ 🐱 ß \u200d
            """
        )
    )
)


@settings(deadline=None, max_examples=150)
@given(st.lists(_WORDS, max_size=14).map(" ".join) | st.text(max_size=40))
def test_no_text_raises(prompt: str) -> None:
    """Whatever is written, a reading comes back, and its relations name its objects."""
    reading = read_prompt(prompt)
    known = {asked.id for asked in reading.objects} | {"picture"}
    assert all({item.subject, item.target} <= known for item in reading.relations)
    assert {asked.one_of for asked in reading.objects} <= known | {""}
