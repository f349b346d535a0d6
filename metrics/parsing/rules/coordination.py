"""Reads things in a row: "a hat and a coat", "a laptop and three cellphones".

Four rules, each used where its words are read:

- The parser's noun chunk may hold several things; it ends at "and", a comma or a verb in -ing
  (`split_chunk`).
- A verb or preposition that governs a noun governs those in a row with it (`conjoined_nouns`): "a
  man with a hat and a coat".
- A position is said of further anchors only where each is "the" so and so
  (`next_definite_anchor`): "left of the square, the tulips and the ladybug".
- Things in brackets or behind a colon tell apart what was counted before (`mark_parts`): "three
  circles (two red circles and a blue circle)".

What follows "or" behind something absent is read in `negation`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.words.grammar import NOUNS
from hallascope.metrics.parsing.words.noun_words import NOUNS_IN_ING

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

_CONNECTORS = (",", "and")
_SPLITTING_TAGS = ("CC", ",", "VBG")

# --- within a noun chunk


def split_chunk(
    doc: Doc, start: int, head: int, describing: frozenset[str]
) -> Iterator[tuple[int, int]]:
    """Yield start and head of each thing in a chunk, of which there may be several.

    "A car playing soccer" and "a laptop and three cellphones" are two.
    """
    for token in range(start + 1, head + 1):
        before = doc[token - 1]
        ends_a_name = (
            before.pos_ in NOUNS and before.lower_ not in describing and not before.like_num
        )
        if ends_a_name and _splits(doc, token, head):
            yield start, token - 1
            start = token + 1
    if start <= head:
        yield start, head


def _splits(doc: Doc, at: int, head: int) -> bool:
    """Return whether a word ends a thing: "and", a comma, or a verb in -ing read as a noun."""
    token = doc[at]
    if token.tag_ in _SPLITTING_TAGS:
        return True
    if not token.lower_.endswith("ing") or token.lower_ in NOUNS_IN_ING or token.tag_ != "NN":
        return False
    return at < head or (at + 1 < len(doc) and doc[at + 1].pos_ in ("ADP", "ADV", "SCONJ", "ADJ"))


# --- between phrases


def conjoined_nouns(token: Token, index: PhraseIndex) -> Iterator[int]:
    """Yield the thing that a noun names, and those in a row with it.

    A word that names no thing ends the row; what is said not to be there is no thing.
    """
    thing = index.thing_of(token)
    if thing is None:
        return
    yield thing
    for child in token.children:
        if child.dep_ == "conj" and child.pos_ in NOUNS:
            yield from conjoined_nouns(child, index)


def next_definite_anchor(words: Sequence[str], at: int, index: PhraseIndex) -> int | None:
    """Return the phrase after a comma or "and" at a token, where it is "the" so and so."""
    while at < len(words) and words[at] in _CONNECTORS:
        at += 1
        following = index.by_first_token.get(at)
        if following is None or not index.is_thing(following):
            continue
        if index.phrases[following].definite:
            return following
    return None


def joins(words: Sequence[str]) -> bool:
    """Return whether some words are a comma, "and", or both."""
    return 1 <= len(words) <= 2 and set(words) <= set(_CONNECTORS)


# --- a count and its parts


def mark_parts(text: str, phrases: Sequence[Phrase]) -> list[Phrase]:
    """Mark the phrases that tell apart what was counted before."""
    marked = list(phrases)
    whole = None
    for at, (before, phrase) in enumerate(pairwise(phrases), 1):
        between = text[before.span[1] : phrase.span[0]]
        if phrase.sentence != before.sentence or ")" in between or ";" in between:
            whole = None
        if whole is None and between.strip() in ("(", ":"):
            whole = before.head
        if whole == phrase.head:
            marked[at] = replace(phrase, is_part=True)
    return marked
