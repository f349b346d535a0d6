"""Finds and matches the pairs of FiG by appendix A.1, algorithms 1 and 2, with our word lists.

Algorithm 1: a pair is (noun, attribute) wherever the attribute stands in the subtree of the noun in
the dependency tree. "A white plate with a red apple" has (plate, white), (apple, red) and (plate,
red), and "the ball is red" has none. Algorithm 2 intersects the pairs of prompt and meta-caption.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from hallascope.metrics.reading.parsed import Parsed, Phrase
from hallascope.metrics.reading.rules.written import mask_spans
from hallascope.metrics.reading.words import language
from hallascope.metrics.reading.words.language import one_spelling
from hallascope.metrics.reading.words.number_words import number_value
from hallascope.metrics.reading.words.relations import LONGEST_SPELLING, box_relation, spellings
from hallascope.metrics.reading.words.spacy_model import dependency_tree

if TYPE_CHECKING:
    from spacy.tokens import Doc


class Occurrence(NamedTuple):
    """Holds a value of an attribute, such as "red", and which tokens of a sentence say it."""

    value: str
    tokens: range


# Finds where a sentence says values of an attribute; `Parsed` has what is quoted in it.
OccurrenceFinder = Callable[["Doc", Parsed], Iterable[Occurrence]]


class TreePair(NamedTuple):
    """Holds a pair of algorithm 1: the lemma of a noun, and a value of the attribute."""

    noun: str
    value: str


def tree_pairs(text: Parsed, find: OccurrenceFinder) -> frozenset[TreePair]:
    """Return the pairs of an attribute in a text (algorithm 1).

    Nouns are spaCy's common and proper nouns; what is quoted names nothing.
    """
    quoted = [range(*quote.span) for quote in text.texts]
    doc = dependency_tree(mask_spans(text.text, [quote.span for quote in text.texts]))
    nouns = [
        token
        for token in doc
        if token.pos_ in ("NOUN", "PROPN") and not any(token.idx in span for span in quoted)
    ]
    return frozenset(
        TreePair(noun.lemma_.lower(), value)
        for value, tokens in find(doc, text)
        for noun in nouns
        if noun.i not in tokens and {*tokens} <= {token.i for token in noun.subtree}
    )


def equal_names(name: Phrase, other: Phrase) -> bool:
    """Return whether two names have the same lemmas, or name the same concept of Primer."""
    return (name.concept or name.lemmas) == (other.concept or other.lemmas)


# --- where a sentence says an attribute


def find_words(doc: Doc, text: Parsed, words: frozenset[str]) -> Iterator[Occurrence]:
    """Yield the words of a list, such as colors."""
    for token in doc:
        if token.lower_ in words:
            yield Occurrence(one_spelling(token.lower_), range(token.i, token.i + 1))


def find_number_words(doc: Doc, text: Parsed) -> Iterator[Occurrence]:
    """Yield the numbers; "2" and "two" are one."""
    for token in doc:
        if token.pos_ == "NUM":
            number = number_value(token.lower_)
            value = token.lower_ if number is None else language.number_word(number)
            yield Occurrence(value, range(token.i, token.i + 1))


def find_position_words(doc: Doc, text: Parsed) -> Iterator[Occurrence]:
    """Yield the words that say a position, by the relation: "on its right" is "right of"."""
    at = 0
    while at < len(doc):
        for stop in range(min(len(doc), at + LONGEST_SPELLING), at, -1):
            spelling = spellings().get(tuple(token.lower_ for token in doc[at:stop]))
            if spelling:
                relation = box_relation(spelling.relation) or spelling.relation
                yield Occurrence(relation, range(at, stop))
                at = stop - 1
                break
        at += 1


def find_quoted_words(doc: Doc, text: Parsed) -> Iterator[Occurrence]:
    """Yield what is quoted, without regard to case and spaces."""
    for quote in text.texts:
        start, stop = quote.span
        tokens = [token.i for token in doc if start <= token.idx < stop]
        if tokens:
            value = " ".join(quote.text.casefold().split())
            yield Occurrence(value, range(tokens[0], tokens[-1] + 1))
