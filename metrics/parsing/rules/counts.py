"""Reads how many things a phrase says there are: "two dogs", "12 cats", "a pair of skiers".

Our reading: "a" is no number, nor is a number that counts units ("a 30 cm ruler") or is a part of
a word ("a ten-speed bicycle"). "A pair of skiers" are two skiers; "a bunch of bananas" are bananas
of no number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.data.prompt_reading import Count
from hallascope.metrics.parsing.rules.drafts import DraftCount, PhraseDraft
from hallascope.metrics.parsing.words.grammar import lemma
from hallascope.metrics.parsing.words.noun_words import CONTAINER_NUMBERS, NUMBERS, UNITS

if TYPE_CHECKING:
    from spacy.tokens import Doc


def number_value(word: str) -> int | None:
    """Return the number that a word or digits say, from 1 to 9,999; None for any other word."""
    digits = word.replace(",", "")
    if digits.isascii() and digits.isdigit() and len(digits) < 5:
        return int(digits) or None
    return NUMBERS.get(word) or None


def leading_count(doc: Doc, draft: PhraseDraft) -> DraftCount | None:
    """Return the first number that the words before a name say."""
    for token in range(draft.first, draft.name):
        value = number_value(doc[token].lower_)
        following = doc[token + 1]
        if value is not None and following.tag_ != "HYPH" and following.lower_ not in UNITS:
            return DraftCount(Count.exactly(value), token, token + 1)
    return None


def container_count(doc: Doc, container: PhraseDraft) -> DraftCount | None:
    """Return the number that a container itself says: 2 of "a pair of", none of "two pairs of"."""
    word = lemma(doc[container.head])
    if word in CONTAINER_NUMBERS and container.count is None:
        number = Count.exactly(CONTAINER_NUMBERS[word])
        return DraftCount(number, container.head, container.head + 1)
    return None
