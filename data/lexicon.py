"""Holds known names of things: vocabularies of detectors, and singulars and plurals.

A vocabulary is a file ``data/vocabularies/NAME.csv`` with a thing a line. "general" are the 80
classes of COCO (Lin et al. 2014). A vocabulary may also tell what no rule tells: that one says "the
planet Saturn" and "molecules of water".
"""

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

VOCABULARIES = Path(__file__).parent / "vocabularies"
GENERAL = "general"
_VOWEL_SOUND = re.compile(
    r"(?!uni(?![dmn])|us[aeu]|ut[eio]|uk[eru]|ura|ufo\b|eu|ewe|one\b|once\b)[aeiou]"
    r"|hour|honest|honou?r|heir|x-ray",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class NamedThing:
    """Holds a thing of a vocabulary.

    `name` has no article. `phrase` names one of them with its article, `plural` several of them;
    both are "" where the rules of English tell them. `kind` is what things of one sort share.
    """

    name: str
    phrase: str = ""
    plural: str = ""
    kind: str = ""


class NounForm(NamedTuple):
    """Holds what a form of a name stands for: the thing, and whether the form is of several."""

    thing: NamedThing
    plural: bool


def vocabulary_names() -> tuple[str, ...]:
    """Return the names of all vocabularies."""
    return tuple(sorted(file.stem for file in VOCABULARIES.glob("*.csv")))


@cache
def read_vocabulary(name: str) -> tuple[NamedThing, ...]:
    """Return the things of a vocabulary in their order.

    Raises FileNotFoundError where there is none.
    """
    with (VOCABULARIES / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return tuple(NamedThing(**row) for row in csv.DictReader(lines))


@cache
def vocabulary(name: str) -> tuple[str, ...]:
    """Return the names of the things of a vocabulary."""
    return tuple(thing.name for thing in read_vocabulary(name))


@cache
def noun_forms() -> Mapping[str, NounForm]:
    """Return all forms of irregular names, in lower case and without article."""
    forms: dict[str, NounForm] = {}
    for vocabulary in vocabulary_names():
        for thing in read_vocabulary(vocabulary):
            if thing.phrase:
                forms[thing.plural.lower()] = NounForm(thing, True)
                forms[without_article(thing.phrase)] = NounForm(thing, False)
                forms[thing.name.lower()] = NounForm(thing, False)
    return forms


def without_article(phrase: str) -> str:
    """Return the phrase in lower case, without "a", "an" or "the" before it."""
    return re.sub(r"^(a|an|the)\s+", "", phrase.lower())


def with_article(words: str) -> str:
    """Return some words with "an" before the sound of a vowel ("an hour"), else "a"."""
    return f"{'an' if _VOWEL_SOUND.match(words) else 'a'} {words}"


def shorten(text: str, most: int = 60) -> str:
    """Return a text for a sentence, cut with dots after so many characters."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def capitalize(text: str) -> str:
    """Return the text with a capital as its first letter, the rest as it is."""
    return text[:1].upper() + text[1:]
