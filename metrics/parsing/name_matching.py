"""Decides whether two noun phrases name the same thing.

Strictly it goes by lemmas, leniently also by synonyms and hypernyms.

The lenient rule mends the paper's stated weakness (its figure 4b: a clock described,
and not called a clock).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.words import language, thing_names
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import COLORS

# What stands in front of a thing's name where the picture shows only a toy of it.
_TOY_WORDS = wordset("toy plush stuffed lego miniature inflatable model")
# These describe, and make no compound that is another thing ("a yellow jacket" is no wasp).
_PLAIN_WORDS = COLORS | wordset(
    "big little small tiny large huge old young new long short tall high low fat thin hot cold warm"
    " cool dead living wet dry dark light bright plain great wild open closed round square flat"
    " soft hard wooden"
)


class _Words(NamedTuple):
    """Holds the words of a phrase by which it is compared; `described` stand before its name."""

    name: str
    lemmas: tuple[str, ...]
    head: str
    concept: str
    plural: bool
    described: tuple[str, ...]


@dataclass(frozen=True)
class _Name:
    """Holds what a phrase calls a thing.

    `known` is the longest end of its words that is a known name, each of `forms` a number of it.
    `contents` is what a container or a part is said to hold ("pizza" of "slice of pizza"), and
    `whole` both together. `is_toy`: it is a toy of what it names.
    """

    known: str
    forms: tuple[str, ...]
    contents: str = ""
    whole: str = ""
    is_toy: bool = False


def same_words(expected: Phrase, observed: Phrase) -> bool:
    """Return whether the nouns are equal, and the observed name has every word of the expected.

    Two names that the Primer world knows are the same where they are of one concept.
    """
    if expected.concept and observed.concept:
        return expected.concept == observed.concept
    return expected.head == observed.head and set(expected.lemmas) <= set(observed.lemmas)


def same_name(expected: Phrase, observed: Phrase) -> bool:
    """Return whether two names are of the same words, and none is a compound for another thing.

    This is the strict rule: "a wine glass" is a glass, and "a guinea pig" is no pig.
    """
    if not same_words(expected, observed):
        return False
    if expected.lemmas == observed.lemmas or (expected.concept and observed.concept):
        return True
    return _is_compatible(_name(_noun_words(expected)), _name(_noun_words(observed)))


def alike(expected: Phrase, observed: Phrase) -> bool:
    """Return whether two names are alike: the same either way, a synonym, or a kind.

    This is the lenient rule, also for "a slice of pizza" and "pizza". A more general name will do
    where it is not too general ("furniture" for "a chair").
    """
    return _alike(_words(expected), _words(observed))


def is_more_general(phrase: Phrase, other: Phrase) -> bool:
    """Return whether a phrase means what another names, or what that is a kind of.

    So "the animal" stands for "a cat" that was named before, and "the kitten" does not.
    """
    name, kind = _name(_words(other)), _name(_words(phrase))
    return not name.is_toy and any(
        thing_names.is_same_or_kind(thing, general)
        for thing in _things(name)
        for general in kind.forms
    )


def is_animate(phrase: Phrase) -> bool:
    """Return whether a phrase names a person or an animal."""
    return any(thing_names.is_same_or_kind(phrase.head, kind) for kind in ("person", "animal"))


def is_person(phrase: Phrase) -> bool:
    """Return whether a phrase names a person."""
    return thing_names.is_same_or_kind(phrase.head, "person")


@cache
def synonyms() -> Mapping[str, frozenset[str]]:
    """Return the names that are listed as kinds of a person, by "person"."""
    return {"person": thing_names.listed_kinds("person")}


# --- the words of a phrase


def _words(phrase: Phrase) -> _Words:
    described = tuple(
        modifier.text for modifier in phrase.modifiers if modifier.span[1] <= phrase.name_span[0]
    )
    return _noun_words(phrase)._replace(described=described)


def _noun_words(phrase: Phrase) -> _Words:
    return _Words(phrase.name, phrase.lemmas, phrase.head, phrase.concept, phrase.plural, ())


@cache
def _name(words: _Words) -> _Name:
    """Return the name in a phrase: the longest compound that is known, else its noun."""
    at = words.lemmas.index(words.head) + 1 if words.head in words.lemmas else len(words.lemmas)
    nouns = words.lemmas[:at]
    contents = "" if words.concept else " ".join(words.lemmas[at:])
    compound = next(
        (
            name
            for name in _compounds(words.described, nouns)
            if any(thing_names.is_known(form) for form in _forms(name, words.plural))
        ),
        words.head,
    )
    before = {*words.described, *nouns[:-1]} - set(compound.split())
    return _Name(
        known=compound,
        forms=_forms(compound, words.plural),
        contents=contents,
        whole=words.name.casefold() if contents else "",
        is_toy=not before.isdisjoint(_TOY_WORDS),
    )


def _compounds(described: tuple[str, ...], nouns: tuple[str, ...]) -> list[str]:
    """Return the ends of a name's words, the longest first.

    One that begins with a plain adjective counts only where it is listed.
    """
    words = (*described, *nouns)
    names = [" ".join(words[at:]) for at in range(len(words))]
    return [
        name
        for at, name in enumerate(names)
        if at >= len(described) or words[at] not in _PLAIN_WORDS or thing_names.is_listed(name)
    ]


def _forms(name: str, is_plural: bool) -> tuple[str, ...]:
    """Return a name, and first its plural where that is a name of its own ("glasses")."""
    return (language.plural(name), name) if is_plural else (name,)


# --- names that are alike


@cache
def _alike(expected: _Words, observed: _Words) -> bool:
    if expected.concept and observed.concept:
        return expected.concept == observed.concept or any(
            thing_names.is_acceptable(one, other)
            for one in (expected.concept, expected.name)
            for other in (observed.concept, observed.name)
        )
    few, many = sorted((set(expected.lemmas), set(observed.lemmas)), key=len)
    if expected.head == observed.head and few <= many:
        return _is_compatible(_name(expected), _name(observed))
    return _accepts(_name(expected), _name(observed))


def _is_compatible(expected: _Name, observed: _Name) -> bool:
    """Return whether two names of the same words are not those of different things."""
    if expected.known == observed.known and expected.is_toy == observed.is_toy:
        return not any(
            thing_names.is_other_thing(expected.known, name.whole) for name in (expected, observed)
        )
    return _accepts(expected, observed)


def _accepts(expected: _Name, observed: _Name) -> bool:
    """Return whether one of the things that the observed name stands for is the expected."""
    if expected.is_toy != observed.is_toy:
        return any(
            thing_names.is_same_or_kind("toy", form)
            for form in (observed if expected.is_toy else expected).forms
        )
    if expected.known == observed.known:
        # What is in the one is not in the other, or they are two kinds.
        return bool(expected.contents) and expected.contents == observed.contents
    return any(
        thing_names.is_acceptable(one, other)
        for one in _things(expected)
        for other in _things(observed)
    )


def _things(name: _Name) -> tuple[str, ...]:
    """Return what a name stands for: a thing, what it holds, and both together."""
    if not name.contents or thing_names.is_depiction(name.known):
        return name.forms
    if not thing_names.is_known(name.whole):
        return (*name.forms, name.contents)
    if not thing_names.is_listed(name.whole):
        return (name.whole,)
    holders = (form for form in name.forms if not thing_names.is_other_thing(form, name.whole))
    return (name.whole, name.contents, *holders)
