"""How many things of a name a text tells of, and which words describe them; it knows no picture.

Our reading: the first sentence that names a thing says how many there are; what follows tells more
of the same, unless it says "another". Of "three circles (two red circles and one blue circle)" the
parts count and not the whole.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from hallascope.metrics.parsing.parsed import Parsed, Phrase

_MORE = (
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

    None: a plural does not say how many.
    """

    phrase: int
    number: int | None
    words: frozenset[str]


def instances(
    text: Parsed, names: Callable[[Phrase], bool], words: frozenset[str]
) -> list[Instance]:
    """The phrases that tell of the things of a name, each thing once."""
    named = [(index, phrase) for index, phrase in text.indexed_things() if names(phrase)]
    found = [one for one in named if not one[1].owns] or named
    if not found:
        return []
    first = found[0][1].sentence
    told = [one for one in found if _is_new(text, one[1], first)] or [
        one for one in found if one[1].sentence == first
    ]
    parts = [one for one in told if one[1].part]
    wholes = [one for one in told if not one[1].part and not _is_whole(one[1], parts)]
    counted = sorted([*parts, *wholes], key=lambda one: one[0])
    later = frozenset().union(
        *(_words(phrase, words) for _, phrase in found if phrase.sentence > first)
    )
    return [
        Instance(
            index,
            count(phrase),
            _words(phrase, words) or (later if len(counted) == 1 else frozenset()),
        )
        for index, phrase in counted
    ]


def total(found: Sequence[Instance]) -> int | None:
    """How many they are in all, None where a plural does not say."""
    counts = [one.number for one in found]
    return None if None in counts else sum(number or 0 for number in counts)


def count(phrase: Phrase) -> int | None:
    if phrase.number is not None:
        return phrase.number
    if phrase.plural:
        return None
    return 1


def _is_new(text: Parsed, phrase: Phrase, first: int) -> bool:
    return text.text_at(phrase.span).casefold().startswith(_MORE) or (
        phrase.sentence == first and not phrase.definite
    )


def _is_whole(phrase: Phrase, parts: Sequence[tuple[int, Phrase]]) -> bool:
    """Whether the phrase is told apart by parts that follow it."""
    return any(part.sentence == phrase.sentence and part.head == phrase.head for _, part in parts)


def _words(phrase: Phrase, words: frozenset[str]) -> frozenset[str]:
    return frozenset(word.text for word in phrase.words if word.text in words)
