"""Reads how many things a phrase says there are: "two dogs", "at least 12 cats", "a pair of shoes".

Numbers themselves are read in `words.number_words`. The words before one may set a bound ("at
least", "no more than") or make it rough ("about"), and those behind it, too ("two or more", "three
to five"). "Several", "many", "a few" are many.

"A" is no number, nor is a number that counts units ("a 30 cm ruler"), is a year, or
belongs to a word ("a ten-speed bicycle", "a two story house"). "A pair of skiers" are two skiers,
and "two pairs of scissors" two; "a bunch of bananas" are bananas of no number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hallascope.data.prompt_reading import MANY, Count
from hallascope.metrics.parsing.rules.noun_phrases.drafts import DraftCount, PhraseDraft
from hallascope.metrics.parsing.words.grammar import PLURALS, is_plural_only, lemma
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import (
    CONTAINER_NUMBERS,
    DEFINITE,
    INVARIANT_PLURALS,
    NEVER_PLURAL,
    SEVERAL_WHEN_BARE,
    UNITS,
)
from hallascope.metrics.parsing.words.number_words import (
    QUANTIFIERS,
    SCALES,
    SCALES_IN_PLURAL,
    number_value,
    read_number,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_Bound = Callable[[int], Count]


def _more_than(number: int) -> Count:
    return Count.at_least(number + 1)


def _fewer_than(number: int) -> Count:
    return Count.at_most(max(0, number - 1))


# what stands before a number, the longer first
_BOUNDS: Sequence[tuple[tuple[str, ...], _Bound]] = (
    (("a", "maximum", "of"), Count.at_most),
    (("a", "minimum", "of"), Count.at_least),
    (("no", "more", "than"), Count.at_most),
    (("not", "more", "than"), Count.at_most),
    (("no", "fewer", "than"), Count.at_least),
    (("not", "fewer", "than"), Count.at_least),
    (("no", "less", "than"), Count.at_least),
    (("not", "less", "than"), Count.at_least),
    (("at", "the", "very", "least"), Count.at_least),
    (("at", "least"), Count.at_least),
    (("at", "most"), Count.at_most),
    (("more", "than"), _more_than),
    (("fewer", "than"), _fewer_than),
    (("less", "than"), _fewer_than),
    (("close", "to"), Count.approximately),
    (("up", "to"), Count.at_most),
    (("exactly",), Count.exactly),
    (("precisely",), Count.exactly),
    (("only",), Count.exactly),
    (("just",), Count.exactly),
    (("roughly",), Count.approximately),
    (("approximately",), Count.approximately),
    (("nearly",), Count.approximately),
    (("almost",), Count.approximately),
    (("some",), Count.approximately),
    (("circa",), Count.approximately),
)
# these are prepositions, too: "a dog runs around two trees"
_BOUNDS_OR_PREPOSITIONS: dict[str, _Bound] = {
    "about": Count.approximately,
    "around": Count.approximately,
    "over": _more_than,
    "under": _fewer_than,
}
_SINGULAR_DETERMINERS = wordset("a an this that one each every another")
_PLURAL_DETERMINERS = wordset("these those some all both other our their")
# what follows these with "of" can be counted
_OF_COUNTED_THINGS = wordset("group number collection set series row crowd herd flock swarm")
_OF_KINDS = wordset("assortment variety array collection selection range mix")
# these have members, whose number stands behind "of"
_OF_MEMBERS = ("family", "party", "team", "crew", "band", "gang", "squad")
_FEWEST_MEMBERS = 2
_YEARS = range(1500, 2100)


def leading_count(doc: Doc, draft: PhraseDraft) -> DraftCount | None:
    """Return the count that the words before a name say, with its bound."""
    words = [token.lower_ for token in doc[draft.first : draft.name]]
    if draft.first > 1 and doc[draft.first - 2].lower_ == "both" and _is_of(doc, draft.first - 1):
        return DraftCount(Count.exactly(2), draft.first - 2, draft.first - 1)
    for at, word in enumerate(words):
        if word in QUANTIFIERS and not _is_followed_by_number(words, at):
            if _is_quantifier(doc, draft, word):
                return _many(words, draft.first, at)
            continue
        if word == "only" and words[0] in DEFINITE and _is_one(doc[draft.head]):
            # "his only fish"
            return DraftCount(Count.exactly(1), draft.first + at, draft.first + at + 1)
        if word == "both":
            return DraftCount(Count.exactly(2), draft.first + at, draft.first + at + 1)
        number = read_number(words, at)
        if number is None:
            continue
        start, stop = draft.first + at, draft.first + number.stop
        if _counts_no_thing(doc, draft, number.value, start, stop):
            return None
        return _bounded_count(doc, number.value, start, stop)
    return None


def _is_one(noun: Token) -> bool:
    return noun.tag_ == "NN" or noun.lower_ in INVARIANT_PLURALS


def _is_of(doc: Doc, at: int) -> bool:
    return bool(doc[at].lower_ == "of")


# --- many


def _is_followed_by_number(words: Sequence[str], at: int) -> bool:
    """Return whether a word like "some" stands before a number: "some twenty people"."""
    return words[at] == "some" and at + 1 < len(words) and number_value(words[at + 1]) is not None


def _is_quantifier(doc: Doc, draft: PhraseDraft, word: str) -> bool:
    """Return whether a word says that there are many: "some dogs", not "some grass"."""
    return _is_several(doc, draft) or word not in ("some", "various")


def _many(words: Sequence[str], first: int, at: int) -> DraftCount:
    """Return the count of "several", "a few" and "several hundred"."""
    stop = at + 1
    while stop < len(words) and words[stop] in SCALES:
        stop += 1
    return DraftCount(MANY, first + at, first + stop)


# --- a number and what bounds it


def _counts_no_thing(doc: Doc, draft: PhraseDraft, value: int, start: int, stop: int) -> bool:
    """Return whether a number is of units, of a year, or a part of a word."""
    following = doc[stop]
    if following.tag_ == "HYPH" and number_value(doc[stop + 1].lower_) is None:
        return True
    if following.lower_ in UNITS and stop < draft.head:
        return True
    head = doc[draft.head]
    is_singular = head.tag_ not in PLURALS and head.lower_ not in INVARIANT_PLURALS
    if value == 1 or not is_singular or draft.plural or is_plural_only(head):
        return False
    if value in _YEARS and stop - start == 1 and doc[start].is_digit:
        return True
    # "a two story house"
    return bool(stop < draft.head and following.tag_ == "NN")


def _bounded_count(doc: Doc, value: int, start: int, stop: int) -> DraftCount:
    """Return a number with the bound that the words around it set."""
    before = [token.lower_ for token in doc[max(0, start - 4) : start]]
    behind = [token.lower_ for token in doc[stop : stop + 4]]
    range_end = _range_end(before, behind)
    if range_end is not None:
        number, length = range_end
        is_between = before[-1:] == ["between"]
        if number > value:
            count = Count(least=value, most=number)
            return DraftCount(count, start - is_between, stop + length)
    if behind[:1] == ["+"]:
        # "20+ balloons"
        return DraftCount(Count.at_least(value), start, stop + 1)
    if behind[:2] == ["or", "more"]:
        return DraftCount(Count.at_least(value), start, stop + 2)
    if behind[:2] in (["or", "fewer"], ["or", "less"]):
        return DraftCount(Count.at_most(value), start, stop + 2)
    for spelling, bound in _BOUNDS:
        if tuple(before[-len(spelling) :]) == spelling:
            return DraftCount(bound(value), start - len(spelling), stop)
    word = doc[start - 1] if start else None
    if word is not None and word.lower_ in _BOUNDS_OR_PREPOSITIONS and word.dep_ != "prep":
        return DraftCount(_BOUNDS_OR_PREPOSITIONS[word.lower_](value), start - 1, stop)
    return DraftCount(Count.exactly(value), start, stop)


def _range_end(before: Sequence[str], behind: Sequence[str]) -> tuple[int, int] | None:
    """Return the second number of "three to five", and how many words it takes."""
    joints = ("to", "or", "-", "–") if before[-1:] != ["between"] else ("and",)
    if len(behind) < 2 or behind[0] not in joints:
        return None
    number = read_number(behind, 1)
    return None if number is None else (number.value, number.stop)


# --- containers


def member_count(doc: Doc, draft: PhraseDraft) -> DraftCount | None:
    """Return how many belong to "a family of four", where no noun follows, and to "a couple"."""
    at = draft.stop + 1
    head = doc[draft.head]
    is_of = draft.stop < len(doc) and _is_of(doc, draft.stop)
    if head.lower_ == "couple" and not is_of:
        return DraftCount(Count.exactly(2), draft.head, draft.head + 1)
    if doc[draft.head].lower_ not in _OF_MEMBERS or at >= len(doc) or not _is_of(doc, at - 1):
        return None
    number = number_value(doc[at].lower_)
    is_followed = at + 1 < len(doc) and doc[at + 1].pos_ in ("NOUN", "PROPN", "ADJ", "NUM")
    if number is None or number < _FEWEST_MEMBERS or is_followed:
        return None
    return DraftCount(Count.exactly(number), at, at + 1)


def container_count(doc: Doc, container: PhraseDraft, thing: PhraseDraft) -> DraftCount | None:
    """Return how many things a container says: 2 of "a pair of skiers", 4 of "two pairs of"."""
    head = doc[container.head]
    start = container.count.start if container.count else container.head
    if head.lower_ in SCALES_IN_PLURAL or (head.tag_ in PLURALS and container.count is None):
        return DraftCount(MANY, start, container.head + 1) if _is_several(doc, thing) else None
    word = lemma(head)
    if word == "pair" and is_plural_only(doc[thing.head]):
        return container.count
    each = SCALES.get(word) or CONTAINER_NUMBERS.get(word)
    if each is None:
        # "a flock of sheep", and "a collection of nail" for nails
        is_many = doc[thing.head].lower_ in INVARIANT_PLURALS or word in _OF_COUNTED_THINGS
        is_many = is_many or (word in _OF_KINDS and is_plural_only(doc[thing.head]))
        return DraftCount(MANY, start, container.head + 1) if is_many else None
    times = container.count.count if container.count else Count.exactly(1)
    most = None if times.most is None else times.most * each
    count = Count(least=times.least * each, most=most, approximate=times.approximate)
    return DraftCount(count, start, container.head + 1)


# --- plurals


def names_several(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether a phrase names several things by its form: "dogs", "some sheep".

    "Pants" and "broccoli" are one, and so is what stands behind "a" or "this".
    """
    if draft.count is not None:
        return draft.count.count.least > 1 or _has_plural_form(doc, draft)
    head = doc[draft.head]
    # "a bunch of bananas" are several, whatever stands before "bunch"
    first = doc[draft.described_from or draft.first].lower_
    if first in _SINGULAR_DETERMINERS and not draft.plural:
        return False
    if head.lower_ in INVARIANT_PLURALS:
        is_bare = draft.first == draft.name or doc[draft.first].pos_ == "ADJ"
        return first in _PLURAL_DETERMINERS or (is_bare and head.lower_ in SEVERAL_WHEN_BARE)
    return _has_plural_form(doc, draft)


def _has_plural_form(doc: Doc, draft: PhraseDraft) -> bool:
    head = doc[draft.head]
    if draft.singular:
        return draft.plural
    return head.tag_ in PLURALS and not is_plural_only(head) and head.lower_ not in NEVER_PLURAL


def _is_several(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether a phrase behind "a group of" names several things: "birds", not "food"."""
    return _has_plural_form(doc, draft) or doc[draft.head].lower_ in INVARIANT_PLURALS
