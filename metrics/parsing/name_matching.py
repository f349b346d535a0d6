"""Decides whether two noun phrases name the same thing.

Strictly it goes by lemmas, leniently also by synonyms and hypernyms.

The lenient rule is our reading of the paper's stated weakness (its figure 4b: a clock described,
and not called a clock).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from hallascope.metrics.parsing.parsed import Phrase

SYNONYMS = Path(__file__).parents[2] / "data" / "synonyms.txt"


def same_name(expected: Phrase, observed: Phrase) -> bool:
    """Return whether the nouns are equal, and the observed name has every word of the expected.

    This is the strict rule. Two names that the Primer world knows are the same where they are of
    one concept.
    """
    if expected.concept and observed.concept:
        return expected.concept == observed.concept
    return expected.head == observed.head and set(expected.lemmas) <= set(observed.lemmas)


def alike(expected: Phrase, observed: Phrase) -> bool:
    """Return whether two names are alike: the same either way, a synonym, or a kind.

    This is the lenient rule, also for "a slice of pizza" and "pizza".
    """
    if same_name(expected, observed) or same_name(observed, expected):
        return True
    if expected.head in _words_behind_noun(observed) or observed.head in _words_behind_noun(
        expected
    ):
        return True
    return any(
        other in synonyms().get(name, ()) or name in synonyms().get(other, ())
        for name in _names(expected)
        for other in _names(observed)
    )


def is_animate(phrase: Phrase) -> bool:
    """Return whether a phrase names a person or an animal."""
    return any(phrase.head in _kinds_of(kind) for kind in ("person", "animal"))


@cache
def _kinds_of(name: str) -> frozenset[str]:
    """Return a name, its kinds, and the kinds of these."""
    kinds = {name}
    waiting = [name]
    while waiting:
        new = set(synonyms().get(waiting.pop(), ())) - kinds
        kinds |= new
        waiting += new
    return frozenset(kinds)


def _words_behind_noun(phrase: Phrase) -> tuple[str, ...]:
    """Return the words of a name behind its noun: "pizza" in "slice of pizza"."""
    if phrase.concept or phrase.head not in phrase.lemmas:
        return ()
    return phrase.lemmas[phrase.lemmas.index(phrase.head) + 1 :]


def _names(phrase: Phrase) -> set[str]:
    names = {
        " ".join(phrase.lemmas),
        phrase.head,
        phrase.concept.casefold(),
        phrase.name.casefold(),
    }
    return names - {""}


@cache
def synonyms() -> Mapping[str, frozenset[str]]:
    """Return for each name of ``data/synonyms.txt`` the names that count for it."""
    others: dict[str, set[str]] = defaultdict(set)
    for line in SYNONYMS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            for name, other in _synonym_pairs(line):
                others[name].add(other)
    return {name: frozenset(names) for name, names in others.items()}


def _synonym_pairs(line: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of "sofa = couch", each both ways, or of "animal: dog, cat"."""
    name, colon, kinds = line.partition(":")
    if colon:
        yield from ((name.strip(), kind.strip()) for kind in kinds.split(","))
        return
    equal = [name.strip() for name in line.split("=")]
    yield from ((name, other) for name in equal for other in equal if name != other)
