"""Reads numbers that are written in words or digits: "twenty-one", "two dozen", "1,200"."""

from collections.abc import Sequence
from typing import NamedTuple

from hallascope.metrics.reading.words import language

_TEENS = ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# these multiply the number before them: "two dozen", "ten thousand"
SCALES = {"dozen": 12, "hundred": 100, "thousand": 1_000, "million": 1_000_000}
NUMBERS = {
    **{word: number for number, word in enumerate([*language.NUMBERS, *_TEENS])},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
    **SCALES,
    "single": 1,
}
_ARTICLES = ("a", "an")
_LONGEST_DIGITS = 7


class NumberWords(NamedTuple):
    """A number, and the word after its last one."""

    value: int
    stop: int


def number_value(word: str) -> int | None:
    """Return the number that one word or digits say; None for zero and any other word."""
    digits = word.replace(",", "")
    if digits.isascii() and digits.isdigit() and len(digits) <= _LONGEST_DIGITS:
        return int(digits) or None
    return NUMBERS.get(word) or None


def read_number(words: Sequence[str], at: int) -> NumberWords | None:
    """Return the number that begins at a word; None where none does.

    "A dozen" and "half a dozen" are numbers, and "a" alone is none.
    """
    for half in (["half", "a", "dozen"], ["a", "half", "dozen"], ["half", "dozen"]):
        if list(words[at : at + len(half)]) == half:
            return NumberWords(6, at + len(half))
    if words[at] in _ARTICLES:
        following = words[at + 1] if at + 1 < len(words) else ""
        if following == "couple":
            return NumberWords(2, at + 2)
        return _with_scales(words, 1, at + 1) if following in SCALES else None
    value = number_value(words[at])
    if value is None:
        return None
    if words[at] in _TENS:
        return _with_scales(words, *_with_ones(words, value, at + 1))
    return _with_scales(words, value, at + 1)


def _with_ones(words: Sequence[str], tens: int, at: int) -> NumberWords:
    """Return "twenty-one" and "twenty one" as one number."""
    one = at + 1 if list(words[at : at + 1]) == ["-"] else at
    value = number_value(words[one]) if one < len(words) and words[one].isalpha() else None
    return NumberWords(tens + value, one + 1) if value and value < 10 else NumberWords(tens, at)


def _with_scales(words: Sequence[str], value: int, at: int) -> NumberWords:
    """Return a number times the scales behind it, and what follows with "and" or directly."""
    start = at
    while at < len(words) and words[at] in SCALES:
        value *= SCALES[words[at]]
        at += 1
    rest_at = at + 1 if list(words[at : at + 1]) == ["and"] else at
    if at > start and value >= 100 and rest_at < len(words):
        rest = read_number(words, rest_at)
        if rest is not None and rest.value < value:
            return NumberWords(value + rest.value, rest.stop)
    return NumberWords(value, at)
