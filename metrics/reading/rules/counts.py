"""Reads how many objects a phrase says there are: "two dogs", "at least 12 cats", "a few coins".

A number that is of a unit, a clock, a year or a dose, that stands behind a name ("Boeing 747") or
belongs to a word ("a ten-speed bicycle") counts nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from hallascope.data.prompt_reading import MANY, Count
from hallascope.metrics.reading.rules.elements import NounPhrase, is_plural_noun, is_plural_only
from hallascope.metrics.reading.words.lists import BOUNDS, BOUNDS_BEHIND, MODIFIERS, NOUNS
from hallascope.metrics.reading.words.number_words import (
    SCALES,
    number_value,
    read_number,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc

# "a plane over four trees" and "over fifty trees"
_FEW = 20
_BEFORE_PLACES = ("NOUN", "PROPN", "VERB", "ADV", "PART")
_OR_PREPOSITIONS = ("about", "above", "around", "below", "beyond", "over", "under")
GROUP_NUMBERS = {"pair": 2, "couple": 2, "duo": 2, "trio": 3, "quartet": 4, "quintet": 5}
# of these a singular is meant as a plural: "a herd of giraffe"
_CROWDS = ("group", "collection", "row", "crowd", "herd", "flock", "swarm")
_DIGITS = re.compile(r"\d")


class Counted(NamedTuple):
    """A count, and the tokens that say it."""

    number: Count
    first: int
    stop: int


def leading_count(doc: Doc, first: int, head: int, is_plural: bool = False) -> Counted | None:
    """Return the count that the words from `first` to a noun say.

    `is_plural`: the noun is a plural, whatever its tag says.
    """
    words = [token.lower_ for token in doc[first:head]]
    noun = doc[head]
    may_be_several = is_plural or is_plural_noun(noun) or noun.lower_ in NOUNS["invariant"]
    for at, word in enumerate(words):
        if word == "both":
            if may_be_several:
                return Counted(Count.exactly(2), first + at, first + at + 1)
            continue
        if word in MODIFIERS["quantifier"] and not any(map(number_value, words[at + 1 : at + 2])):
            stop = at + 1 + any(other in SCALES for other in words[at + 1 : at + 2])
            return Counted(MANY, first + at, first + stop) if may_be_several else None
        read = read_number(words, at)
        if read is not None:
            start, stop = first + at, first + read.stop
            if _counts_nothing(doc, read.value, start, stop, head, may_be_several):
                return None
            return _bounded(doc, read.value, start, stop)
    return None


def _counts_nothing(
    doc: Doc, value: int, start: int, stop: int, head: int, may_be_several: bool
) -> bool:
    """Return whether a number is of a unit, a year or a name, or a part of a word."""
    following = doc[stop]
    if following.text in ("-", "°", "%", "/", ":") and number_value(doc[stop + 1].lower_) is None:
        return True
    if following.lower_ in NOUNS["unit"] or following.lower_.startswith(("°", "º")):
        return True
    before = doc[start - 1] if start else None
    if before is not None and before.pos_ == "PROPN" and _DIGITS.match(doc[start].text):
        return True
    if before is not None and (before.text in "$£€#°" or before.lower_ in ("number", "size")):
        return True
    return value != 1 and not (may_be_several or is_plural_only(doc[head]))


def _bounded(doc: Doc, value: int, start: int, stop: int) -> Counted:
    """Return a number with the bound that the words around it set."""
    behind = [token.lower_ for token in doc[stop : stop + 4]]
    before = [token.lower_ for token in doc[max(0, start - 4) : start]]
    if behind[:1] and behind[0] in ("to", "or", "-", "–"):
        last = read_number(behind, 1) if len(behind) > 1 else None
        if last is not None and last.value > value:
            return Counted(Count(least=value, most=last.value), start, stop + last.stop)
    for length in (2, 1):
        spelling = " ".join(behind[:length])
        if spelling in BOUNDS_BEHIND:
            return Counted(_with_bound(value, BOUNDS_BEHIND[spelling]), start, stop + length)
    for length in range(len(before), 0, -1):
        spelling = " ".join(before[-length:])
        is_place = start > 1 and value < _FEW and doc[start - 2].pos_ in _BEFORE_PLACES
        is_preposition = spelling in _OR_PREPOSITIONS and (
            is_place or doc[start - 1].dep_ == "prep"
        )
        if spelling in BOUNDS and not is_preposition:
            return Counted(_with_bound(value, BOUNDS[spelling]), start - length, stop)
    return Counted(Count.exactly(value), start, stop)


def _with_bound(value: int, bound: str) -> Count:
    """Return the count of "at least two"; the bounds are those of ``words.toml``."""
    match bound:
        case "least":
            return Count.at_least(value)
        case "most":
            return Count.at_most(value)
        case "more":
            return Count.at_least(value + 1)
        case "fewer":
            return Count.at_most(max(0, value - 1))
        case "about":
            return Count.approximately(value)
    return Count.exactly(value)


def group_count(doc: Doc, first: int, head: int, member: int) -> Counted | None:
    """Return the count of "a pair of skiers" and "dozens of birds": their noun is at `member`."""
    word, noun = doc[head].lower_, doc[member]
    own = leading_count(doc, first, head)
    is_plural = is_plural_noun(noun) or noun.lower_ in NOUNS["invariant"] or word in _CROWDS
    if word in ("pair", "pairs") and is_plural_only(noun):
        return own
    if not is_plural:
        return None
    each = GROUP_NUMBERS.get(word.removesuffix("s")) or SCALES.get(word)
    number = 1 if own is None else own.number.exact
    if each is None or number is None or (word.endswith("s") and own is None):
        return Counted(MANY, head, head + 1)
    start = own.first if own is not None else head
    return Counted(Count.exactly(each * number), start, head + 1)


def set_count(phrase: NounPhrase, counted: Counted | None) -> None:
    """Set the count of a phrase, where there is one."""
    if counted is not None:
        phrase.count = counted.number
        phrase.count_tokens = (counted.first, counted.stop)
        phrase.plural = phrase.plural or counted.number.least > 1
