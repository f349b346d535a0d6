"""Finds where in a parsed text a thing may be named.

These are the parser's noun chunks, cut where two things are in one, and nouns it left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.noun_words import ARTICLES, GERUNDS, NO_NOUNS, NOUN_PLACES, NOUNS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


def chunks(doc: Doc) -> Iterator[tuple[int, int, int]]:
    """Start, stop and head of each noun chunk; "a canoe like boat" is one."""
    waiting: tuple[int, int, int] | None = None
    for chunk in doc.noun_chunks:
        start = chunk.start
        stop = chunk.end
        head = chunk.root.i
        if (
            waiting
            and waiting[1] + 1 == start
            and doc[waiting[1]].lower_ == "like"
            and head == start
        ):
            waiting = (waiting[0], stop, head)
            continue
        if waiting:
            yield waiting
        waiting = (start, stop, head)
    if waiting:
        yield waiting


def pieces(
    doc: Doc, chunk: tuple[int, int, int], describing: frozenset[str]
) -> Iterator[tuple[int, int]]:
    """Return start and head of each thing in a chunk, of which there may be two.

    "A car playing soccer" and "a laptop and three cellphones" are two.
    """
    start, _, head = chunk
    for at in range(start + 1, head + 1):
        before = doc[at - 1]
        if (
            before.pos_ in NOUNS
            and before.lower_ not in describing
            and not before.like_num
            and _splits(doc, at, head)
        ):
            yield start, at - 1
            start = at + 1
    if start <= head:
        yield start, head


def _splits(doc: Doc, at: int, head: int) -> bool:
    token = doc[at]
    if token.tag_ in ("CC", ",", "VBG"):
        return True
    gerund = token.lower_.endswith("ing") and token.lower_ not in GERUNDS and token.tag_ == "NN"
    return gerund and (
        at < head or (at + 1 < len(doc) and doc[at + 1].pos_ in ("ADP", "ADV", "SCONJ", "ADJ"))
    )


def left_over(doc: Doc, covered: set[int], describing: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Return start and head of nouns that stand in no chunk.

    The parser takes "a carnivorous mammal" for an adjective at times.

    It takes "a blue sled" for a verb, too.
    """
    for token in doc:
        if _is_named(token, describing) and not covered & {token.i - 2, token.i - 1, token.i}:
            yield token.i - 2, token.i
            continue
        noun = token.pos_ in NOUNS and token.dep_ not in (
            "compound",
            "nmod",
            "amod",
            "poss",
            "npadvmod",
            "advmod",
        )
        odd = (
            token.pos_ == "ADJ"
            and token.dep_ in NOUN_PLACES
            and any(child.dep_ == "det" for child in token.lefts)
        )
        action = token.lower_.endswith("ing") and token.lower_ not in GERUNDS
        if (noun or odd) and not action and token.lower_ not in NO_NOUNS and token.i not in covered:
            start = token.i
            while (
                start > 0
                and start - 1 not in covered
                and (doc[start - 1].head == token or doc[start - 1].lower_ in ARTICLES)
            ):
                start -= 1
            yield start, token.i


def _is_named(token: Token, describing: frozenset[str]) -> bool:
    """Return whether a supposed verb stands behind an article and a word that describes."""
    doc = token.doc
    return (
        token.pos_ == "VERB"
        and token.i > 1
        and doc[token.i - 1].lower_ in describing
        and doc[token.i - 2].lower_ in ARTICLES
    )
