"""WordNet says which nouns are kinds of which others, and which name nothing to be seen."""

import pytest

from hallascope.metrics.parsing.words import wordnet


def _above(noun: str) -> set[str]:
    (first, *_) = wordnet.senses(noun)
    return {name for synset in wordnet.ancestors(first) for name in wordnet.nouns(synset)}


@pytest.mark.parametrize(
    ("noun", "kind"),
    [
        ("poodle", "dog"),
        ("Poodles", "dog"),
        ("sofa", "furniture"),
        ("alarm clock", "clock"),
        ("fire-engine", "truck"),
        ("seagull", "bird"),
    ],
)
def test_a_noun_stands_below_its_kinds(noun: str, kind: str) -> None:
    assert kind in _above(noun)


def test_nouns_of_one_synset_mean_the_same() -> None:
    assert {"sofa", "couch"} <= set(wordnet.nouns(wordnet.senses("couch")[0]))


def test_the_most_common_sense_is_the_first() -> None:
    first, *others = wordnet.senses("mouse")
    assert "rodent" in {
        name for synset in wordnet.ancestors(first) for name in wordnet.nouns(synset)
    }
    assert others


def test_a_root_has_no_ancestors() -> None:
    (entity,) = wordnet.senses("entity")
    assert list(wordnet.ancestors(entity)) == []
    assert wordnet.depth(entity) == 0
    assert wordnet.parent(entity) is None


def test_the_parent_is_the_nearest_ancestor() -> None:
    (poodle, *_) = wordnet.senses("poodle")
    assert wordnet.parent(poodle) == next(wordnet.ancestors(poodle))


@pytest.mark.parametrize("noun", ["energy", "change", "tranquility", "movement", "argument"])
def test_what_cannot_be_seen_is_abstract(noun: str) -> None:
    assert wordnet.is_abstract(noun)


@pytest.mark.parametrize(
    "noun", ["dog", "crowd", "triangle", "rain", "sea", "finger", "sign", "letter", "xyzzy"]
)
def test_what_can_be_seen_and_what_is_unknown_are_not(noun: str) -> None:
    assert not wordnet.is_abstract(noun)


def test_an_unknown_noun_has_no_senses() -> None:
    assert wordnet.senses("xyzzy") == ()
