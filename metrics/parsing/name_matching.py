"""Decides whether two noun phrases name the same thing; it knows no picture.

Strictly it goes by lemmas, leniently also by synonyms and hypernyms.

The lenient rule is our reading of the paper's stated weakness (its figure 4b: a clock described,
and not called a clock).
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from hallascope.metrics.parsing.parsed import Phrase

SYNONYMS = Path(__file__).parents[2] / "data" / "synonyms.txt"


def same_name(asked: Phrase, said: Phrase) -> bool:
    """Return whether every word of the asked name is in the said one, and nouns are equal.

    This is the strict rule.

    Two names that the Primer world knows are the same where they are of one concept.
    """
    if asked.known and said.known:
        return asked.known == said.known
    return asked.head == said.head and set(asked.lemmas) <= set(said.lemmas)


def alike(asked: Phrase, said: Phrase) -> bool:
    """Return whether two names are alike: the same either way, a synonym, or a kind.

    This is the lenient rule, also for "a slice of pizza" and "pizza".
    """
    if same_name(asked, said) or same_name(said, asked):
        return True
    if asked.head in _of_words(said) or said.head in _of_words(asked):
        return True
    return any(_related(one, other) for one in _names(asked) for other in _names(said))


def _of_words(phrase: Phrase) -> tuple[str, ...]:
    """The words of a name behind its noun: "pizza" in "slice of pizza"."""
    return (
        phrase.lemmas[phrase.lemmas.index(phrase.head) + 1 :]
        if phrase.head in phrase.lemmas and not phrase.known
        else ()
    )


def _names(phrase: Phrase) -> set[str]:
    return {
        " ".join(phrase.lemmas),
        phrase.head,
        phrase.known.casefold(),
        phrase.name.casefold(),
    } - {""}


def _related(one: str, other: str) -> bool:
    return other in synonyms().get(one, ()) or one in synonyms().get(other, ())


@cache
def synonyms() -> Mapping[str, frozenset[str]]:
    """For each name of ``data/synonyms.txt`` the names that count for it."""
    found: dict[str, set[str]] = {}
    for line in SYNONYMS.read_text(encoding="utf-8").splitlines():
        for name, other in _pairs(line):
            found.setdefault(name, set()).add(other)
    return {name: frozenset(others) for name, others in found.items()}


def _pairs(line: str) -> Iterator[tuple[str, str]]:
    if line.startswith("#"):
        return
    whole, colon, kinds = line.partition(":")
    if colon:
        yield from ((whole.strip(), kind.strip()) for kind in kinds.split(","))
    else:
        equal = [name.strip() for name in line.split("=")]
        yield from ((one, other) for one in equal for other in equal if one != other)
