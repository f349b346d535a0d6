"""Names are related by WordNet and by the list of synonyms."""

import pytest

from hallascope.metrics.parsing.words import thing_names
from hallascope.metrics.parsing.words.thing_names import (
    is_acceptable,
    is_known,
    is_listed,
    is_other_thing,
    is_same_or_kind,
    is_too_general,
    listed_kinds,
)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("poodle", "dog"),
        ("poodle", "animal"),
        ("sofa", "couch"),
        ("sea lion", "seal"),
        # through the list first, and WordNet above it
        ("katana", "weapon"),
        ("hair-dryer", "hairdryer"),
    ],
)
def test_a_name_is_of_its_kinds(name: str, kind: str) -> None:
    assert is_same_or_kind(name, kind)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("dog", "poodle"), ("dog", "cat"), ("tiger", "person"), ("mannequin", "person")],
)
def test_a_name_is_of_no_other_kind(name: str, kind: str) -> None:
    assert not is_same_or_kind(name, kind)


def test_only_what_is_seen_may_be_too_general() -> None:
    assert is_acceptable("furniture", "chair")
    assert not is_acceptable("chair", "furniture")
    assert is_acceptable("poodle", "dog")


@pytest.mark.parametrize(
    ("name", "expected"), [("furniture", True), ("whole", True), ("dog", False), ("xyzzy", False)]
)
def test_general_names_are_too_general(name: str, expected: bool) -> None:
    assert is_too_general(name) is expected


def test_different_things_are_different_either_way_and_in_the_plural() -> None:
    assert is_other_thing("guinea pigs", "pig")
    assert is_other_thing("pig", "guinea pig")
    assert not is_other_thing("pig", "hog")


def test_names_are_known_by_the_list_or_by_wordnet() -> None:
    assert is_listed("blow dryer")
    assert not is_listed("aardvark")
    assert is_known("aardvark")
    assert not is_known("xyzzy")


def test_kinds_are_listed_with_their_spaces() -> None:
    assert "police officer" in listed_kinds("man")


def test_the_list_says_nothing_twice_and_nothing_against_itself() -> None:
    thesaurus = thing_names._thesaurus()
    for name, others in thesaurus.others.items():
        assert name not in others
        assert others.isdisjoint(thesaurus.equals.get(name, ()))
        assert others.isdisjoint(thesaurus.kinds.get(name, ()))
