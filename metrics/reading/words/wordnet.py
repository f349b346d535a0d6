"""Knows which noun is a kind of which other, and which name nothing that can be seen.

From the nouns of WordNet (``data/wordnet``; Fellbaum, WordNet: An Electronic Lexical Database,
1998).
"""

import gzip
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hallascope.metrics.reading.words import language
from hallascope.metrics.reading.words.language import LISTS

FILE = Path(__file__).parents[3] / "data" / "wordnet" / "nouns.txt.gz"
_SEEN = frozenset(LISTS["wordnet"]["seen"])
_CLASSES: Mapping[str, str] = LISTS["wordnet"]["classes"]
MADE = frozenset(LISTS["wordnet"]["made"])


class _Synset(NamedTuple):
    """A line of the file: its nouns, and the line of what it is a kind of (None of a root)."""

    nouns: tuple[str, ...]
    parent: int | None


class _Dictionary(NamedTuple):
    """All synsets, and for each noun its synsets, the most common sense first."""

    synsets: tuple[_Synset, ...]
    senses: Mapping[str, tuple[int, ...]]


@cache
def _dictionary() -> _Dictionary:
    text = gzip.decompress(FILE.read_bytes()).decode()
    synsets: list[_Synset] = []
    senses: dict[str, list[tuple[int, int]]] = {}
    path: list[int] = []
    for at, line in enumerate(text.splitlines()):
        depth, _, names = line.partition(" ")
        del path[int(depth) :]
        nouns = []
        for name in filter(None, names.split(", ")):
            noun = name.rstrip("23")
            senses.setdefault(noun, []).append((int(name[len(noun) :] or 1), at))
            nouns.append(noun)
        synsets.append(_Synset(tuple(nouns), path[-1] if path else None))
        path.append(at)
    ordered = {noun: tuple(at for _, at in sorted(found)) for noun, found in senses.items()}
    return _Dictionary(tuple(synsets), ordered)


def senses(noun: str) -> tuple[int, ...]:
    """Return the synsets of a noun in the singular or plural, the most common sense first."""
    name = noun.casefold().replace("-", " ")
    known = _dictionary().senses
    first, space, last = name.rpartition(" ")
    forms = (name, f"{first}{space}{language.singular(last)}", name.replace(" ", ""))
    return next((known[form] for form in forms if form in known), ())


def has_noun(noun: str) -> bool:
    """Return whether WordNet has a noun in just this form."""
    return noun in _dictionary().senses


def ancestors(synset: int) -> Iterator[int]:
    """Yield what a synset is a kind of, the nearest first."""
    above = parent(synset)
    while above is not None:
        yield above
        above = parent(above)


def parent(synset: int) -> int | None:
    """Return what a synset is a kind of, None of a root."""
    return _dictionary().synsets[synset].parent


@cache
def is_kind_of(noun: str, *kinds: str) -> bool:
    """Return whether the most common sense of a noun is a kind of one of `kinds`, or that itself.

    "Person", "animal", "vehicle", "clothing" and the like are kinds.
    """
    # "people" are persons
    known = senses(language.singular(noun)) or senses(noun)
    if not known:
        return False
    named = {name for synset in (known[0], *ancestors(known[0])) for name in nouns(synset)}
    return not named.isdisjoint(kinds)


@cache
def may_be_kind_of(noun: str, *kinds: str) -> bool:
    """Return whether one of the two most common senses of a noun is a kind of one of `kinds`."""
    known = senses(language.singular(noun)) or senses(noun)
    return any(
        not named.isdisjoint(kinds)
        for sense in known[:2]
        for named in [{name for synset in (sense, *ancestors(sense)) for name in nouns(synset)}]
    )


def nouns(synset: int) -> tuple[str, ...]:
    """Return the nouns of a synset."""
    return _dictionary().synsets[synset].nouns


def is_abstract(noun: str) -> bool:
    """Return whether no common sense of a noun names something that can be seen.

    A noun that WordNet does not know may be seen.
    """
    known = senses(noun)
    return bool(known) and not any(is_visible(synset) for synset in known)


@cache
def is_visible(synset: int) -> bool:
    """Return whether what a synset means can be seen."""
    return any(not _SEEN.isdisjoint(nouns(other)) for other in (synset, *ancestors(synset)))


@cache
def thing_class(synset: int) -> str:
    """Return the class of things that a synset belongs to ("animal", "container"), "" of others."""
    names = (name for at in (synset, *ancestors(synset)) for name in nouns(at))
    return next((_CLASSES[name] for name in names if name in _CLASSES), "")
