"""Holds the attributes of scene-graph QA: kinds of words, synonyms, and judges' choices.

The kinds are the paper's (color, shape, texture), with "state" for whatever else describes a thing;
the words are in ``attributes.toml``.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from hallascope.metrics.reading.words import language
from hallascope.metrics.reading.words.language import COLORS, wordset

# These are asked of every thing that is seen.
ASKED = ("color", "shape", "texture")
STATE = "state"
NUMBER = "number"
_WORDS: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
CHOICES: Mapping[str, Sequence[str]] = _WORDS["choices"]
_SHAPES, _UNSEEN, _NAMES = (wordset(_WORDS[name]) for name in ("shapes", "unseen", "names"))


@cache
def _normal_words() -> Mapping[str, str]:
    return {word: group.split()[0] for group in _WORDS["synonyms"] for word in group.split()}


def is_shape(label: str) -> bool:
    """Return whether a thing is called by its shape."""
    return label.casefold() in _SHAPES


def normal(word: str) -> str:
    """Return the word we use for a word: "grey" for "gray", "round" for "circular"."""
    plain = " ".join(word.casefold().split())
    return _normal_words().get(plain, plain)


def meets(expected: str, observed: str) -> bool:
    """Return whether what is seen is what was asked for, by our words and their neighbors."""
    expected = normal(expected)
    observed = normal(observed)
    return expected == observed or observed in _WORDS["near"].get(expected, ())


@cache
def _kinds() -> Mapping[str, str]:
    """Return the kind of every word of the lists."""
    kinds = {word: kind for kind, words in CHOICES.items() for word in words}
    kinds |= {word: kind for kind, words in _WORDS["more"].items() for word in words.split()}
    return kinds | dict.fromkeys(COLORS, "color")


def kind(word: str) -> str | None:
    """Return the kind of attribute that a word is; None where nothing of it could be seen."""
    plain = word.casefold()
    if plain in _UNSEEN or plain in language.STOP or plain.isdigit():
        return None
    return _kinds().get(plain) or _kinds().get(normal(plain)) or STATE


@cache
def describing_words() -> frozenset[str]:
    """Return the words that describe and do not name: "leather" in "a leather wallet"."""
    single = {word for word in _kinds() if " " not in word}
    synonyms = {word for word, ours in _normal_words().items() if ours in _kinds()}
    return frozenset((single | synonyms) - _NAMES)


def choices(attribute_kind: str, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """Return what a judge may choose from, the words that were asked for among them."""
    return tuple(dict.fromkeys((*CHOICES[attribute_kind], *(normal(word) for word in asked))))
