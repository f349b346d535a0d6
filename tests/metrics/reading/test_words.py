"""Names are compared as a person would, and single words are formed, as `words.yaml` says."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hallascope
from bench.gold import gold_name_pairs, labels_alike
from hallascope.data.files.readings.written_counts import read_count
from hallascope.data.lexicon import with_article
from hallascope.data.prompt_reading import Count
from hallascope.metrics.reading import thing_names
from hallascope.metrics.reading.mention_counts import instances, total
from hallascope.metrics.reading.names import (
    label_phrase,
    name_phrase,
    same_name,
)
from hallascope.metrics.reading.parser import parse
from hallascope.metrics.reading.thing_names import american
from hallascope.metrics.reading.words import language, relations
from hallascope.metrics.reading.words.language import wordset
from hallascope.metrics.reading.words.lists import is_unseen
from hallascope.metrics.reading.words.number_words import read_number
from tests.metrics.reading.tables import table

WORDS = table("words")


# --- names


def test_names_are_alike_where_a_person_accepts_one_for_the_other() -> None:
    wrong = [
        f"{rule}: {asked}, {seen}"
        for table, is_same in (("same_thing", True), ("another_thing", False))
        for rule, pairs in WORDS[table].items()
        for asked, seen in pairs
        if labels_alike(asked, seen) != is_same
    ]
    assert wrong == []


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.full)])
def test_on_gold_names_the_rule_decides_as_a_person_does(step: int) -> None:
    pairs = gold_name_pairs("development")[::step]
    right = [pair for pair in pairs if labels_alike(pair.expected, pair.observed) == pair.same]
    assert len(right) >= 0.97 * len(pairs)


def test_the_strict_rule_compares_words_alone() -> None:
    same, other = WORDS["same_words"], WORDS["other_words"]
    assert [pair for pair in same if not same_name(*map(name_phrase, pair))] == []
    assert [pair for pair in other if same_name(*map(name_phrase, pair))] == []
    assert name_phrase("bottle of wine").lemmas == ("bottle", "wine")
    eyes = label_phrase("eyes")
    assert eyes is not None
    assert eyes.head == "eye"


def test_kinds_are_those_of_wordnet_and_of_the_list() -> None:
    kinds, others = WORDS["kinds"], WORDS["no_kinds"]
    assert [pair for pair in kinds if not thing_names.is_same_or_kind(*pair)] == []
    assert [pair for pair in others if thing_names.is_same_or_kind(*pair)] == []
    assert thing_names.is_acceptable("furniture", "chair")
    assert not thing_names.is_acceptable("chair", "furniture")
    general = [name for name in ("furniture", "whole", "dog") if thing_names.is_too_general(name)]
    assert general == ["furniture", "whole"]
    assert thing_names.is_other_thing("guinea pigs", "pig")
    assert not thing_names.is_other_thing("pig", "hog")
    assert thing_names.is_same_or_kind("police officer", "man")


def test_the_list_of_synonyms_lies_in_the_package() -> None:
    assert thing_names.SYNONYMS.is_relative_to(Path(hallascope.__file__).parent)


def test_what_cannot_be_seen_is_told_from_what_can() -> None:
    def unseen(name: str) -> bool:
        return is_unseen(name, name.split()[-1])

    assert [name for name in WORDS["unseen"] if not unseen(name)] == []
    assert [name for name in WORDS["seen"] if unseen(name)] == []


# --- forms of words


def test_words_have_the_forms_that_the_tables_say() -> None:
    for one, many in WORDS["plurals"].items():
        forms = (language.plural(one), language.singular(many), language.singular(one))
        assert forms == (many, one, one)
    for verb, form in WORDS["in_ing"].items():
        assert language.gerund(verb) == form
    for british, expected in WORDS["american"].items():
        assert american(british) == expected
    assert language.plural("red box") == "red boxes"
    assert language.content("The two red boats of a Fisherman") == ["boat", "fisherman"]


def test_numbers_and_counts_are_read_and_written_in_words() -> None:
    numbers = {
        text: expected and tuple(expected) for text, expected in WORDS["number_words"].items()
    }
    assert {text: read_number(text.split(), 0) for text in numbers} == numbers
    rows = read_number(["thousand"] * 300, 0)
    assert rows is not None
    assert rows.stop == 300, "and at once"
    for count, said in WORDS["counts_in_words"].items():
        assert language.count_words(read_count(count) or Count.exactly(0)) == said


def test_spellings_of_places_lead_to_one_relation_and_inverses_lead_back() -> None:
    spellings = relations.spellings()
    found = {words: spellings.get(tuple(words.split())) for words in WORDS["spelled_places"]}
    places = {words: spelling and spelling.relation for words, spelling in found.items()}
    assert places == WORDS["spelled_places"]
    inverse = relations.INVERSE
    assert all(inverse[other] == relation for relation, other in inverse.items())
    assert relations.relation_words("left of") == "to the left of"
    boxes = [relations.box_relation(words) for words in ("left", "On the right", "under", "riding")]
    assert boxes == ["left of", "right of", "below", ""]


# --- how many a caption tells of


def circles(caption: str) -> tuple[Count, list[tuple[int | None, set[str]]]]:
    """Return how many circles a caption tells of, and the number and color of each mention."""
    text = parse(caption)
    found = instances(text, lambda phrase: phrase.head == "circle", wordset("red blue"))
    return total(text, found), [(each.number, set(each.words)) for each in found]


def test_a_text_tells_of_each_thing_once() -> None:
    expected = {caption: read_count(count) for caption, count in WORDS["circles"].items()}
    assert {caption: circles(caption)[0] for caption in expected} == expected
    _, found = circles("three circles (two red circles and one blue circle)")
    assert found == [(2, {"red"}), (1, {"blue"})]


@given(st.integers(1, 20))
def test_a_number_is_read_as_it_is_written(value: int) -> None:
    assert language.number(language.number_word(value)) == value


@pytest.mark.parametrize(
    "article, names",
    [
        ("a", "dog house uniform unicorn university union euro user utensil ukulele one-eyed UFO"),
        ("an", "hour hourglass honest heirloom umbrella uninhabited usher urn onion oak X-ray"),
    ],
)
def test_an_article_goes_by_the_first_sound(article: str, names: str) -> None:
    wrong = [name for name in names.split() if with_article(name) != f"{article} {name}"]
    assert wrong == []
