"""Counts the things of a name that a text tells of, and says which words describe them.

The first sentence that names a thing says how many there are; what follows tells more
of the same, unless it says "another". Of "three circles (two red circles and one blue circle)" the
parts count and not the whole.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from hallascope.data.prompt_reading import MANY, Count
from hallascope.metrics.reading.parsed import Parsed, Phrase

_ANOTHER = (
    "another ",
    "a second ",
    "a third ",
    "a fourth ",
    "a further ",
    "an additional ",
    "one more ",
)


class Instance(NamedTuple):
    """A phrase of things, how many they are, and the words of a list that describe them.

    `phrase` is which of the text's; `number` is None where a plural does not say how many.
    """

    phrase: int
    number: int | None
    words: frozenset[str]


def instances(
    text: Parsed, names: Callable[[Phrase], bool], words: frozenset[str]
) -> list[Instance]:
    """Return the phrases that tell of the things of a name, each thing once.

    `names`: whether a phrase has the name; `words`: those that may describe a thing.
    """
    mentions = [(index, phrase) for index, phrase in text.indexed_objects() if names(phrase)]
    owners = {phrase.owner for phrase in text.phrases}
    mentions = [mention for mention in mentions if mention[0] not in owners] or mentions
    if not mentions:
        return []
    first = mentions[0][1].sentence
    counted = _without_wholes(_new_mentions(text, mentions, first))
    later: frozenset[str] = frozenset()
    if len(counted) == 1:
        later = later.union(
            *(_words(phrase, words) for _, phrase in mentions if phrase.sentence > first)
        )
    return [
        Instance(index, count(phrase), _words(phrase, words) or later) for index, phrase in counted
    ]


def _new_mentions(
    text: Parsed, mentions: Sequence[tuple[int, Phrase]], first: int
) -> list[tuple[int, Phrase]]:
    """Return the mentions of things that were not named before; else all of the first sentence."""
    in_first = [mention for mention in mentions if mention[1].sentence == first]
    new = [
        (index, phrase)
        for index, phrase in mentions
        if text.text_at(phrase.span).casefold().startswith(_ANOTHER)
        or (phrase.sentence == first and not phrase.definite)
    ]
    return new or in_first


def _without_wholes(mentions: Sequence[tuple[int, Phrase]]) -> list[tuple[int, Phrase]]:
    """Return the mentions without those that are told apart by their parts."""
    parts = {(phrase.sentence, phrase.head) for _, phrase in mentions if phrase.is_part}
    return [
        (index, phrase)
        for index, phrase in mentions
        if phrase.is_part or (phrase.sentence, phrase.head) not in parts
    ]


def total(text: Parsed, found: Sequence[Instance]) -> Count:
    """Return how many they are in all, from the counts and bounds that the text says of each.

    Of "two dogs in a field with one dog in a hat" the one is not counted again.
    """
    phrases = {instance.phrase for instance in found}
    counts = [_count(text.phrases[at]) for at in phrases if text.phrases[at].group not in phrases]
    most = [count.most for count in counts]
    return Count(
        least=sum(count.least for count in counts),
        most=None if None in most else sum(number or 0 for number in most),
    )


def _count(phrase: Phrase) -> Count:
    """Return how many a phrase says: one without a number, several for a plural without one."""
    return phrase.count or (MANY if phrase.plural else Count.exactly(1))


def count(phrase: Phrase) -> int | None:
    """Return how many a phrase says: 1 without a number, None for a plural without one."""
    if phrase.number is None and not phrase.plural:
        return 1
    return phrase.number


def _words(phrase: Phrase, words: frozenset[str]) -> frozenset[str]:
    return frozenset(word.text for word in phrase.modifiers if word.text in words)
