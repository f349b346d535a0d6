"""Finds where in a parsed text a thing may be named.

These are the parser's noun chunks, and nouns that it left out of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from hallascope.metrics.parsing.words.grammar import NOUN_DEPENDENCIES, NOUNS
from hallascope.metrics.parsing.words.noun_words import ARTICLES, NEVER_NOUNS, NOUNS_IN_ING
from hallascope.metrics.parsing.words.position_words import BODY_PARTS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# a noun that depends on another in one of these ways names no thing of its own
_DEPENDENT_NOUNS = ("compound", "nmod", "amod", "poss", "npadvmod", "advmod")


class Chunk(NamedTuple):
    """The first token of a noun chunk, the one after its last, and its noun."""

    start: int
    stop: int
    head: int


def noun_chunks(doc: Doc) -> Iterator[Chunk]:
    """Yield the noun chunks of a text; "a canoe like boat" is one."""
    waiting: Chunk | None = None
    spans = list(doc.noun_chunks)
    covered = {token for span in spans for token in range(span.start, span.end)}
    for span in spans:
        chunk = _with_last_noun(doc, Chunk(span.start, span.end, span.root.i), covered)
        if waiting is not None and _is_like(doc, waiting, chunk):
            chunk = Chunk(waiting.start, chunk.stop, chunk.head)
        elif waiting is not None:
            yield waiting
        waiting = chunk
    if waiting is not None:
        yield waiting


def _with_last_noun(doc: Doc, chunk: Chunk, covered: set[int]) -> Chunk:
    """Return a chunk with the noun right behind, which the parser may take for a verb's: "sink"."""
    behind = chunk.stop
    if behind >= len(doc) or behind in covered or doc[behind].tag_ not in ("NN", "NNS"):
        return chunk
    is_named = doc[chunk.head].tag_ == "NN" and chunk.head == behind - 1
    if not is_named or doc[behind].dep_ not in ("advcl", "dep", "ccomp", "conj", "appos"):
        return chunk
    return Chunk(chunk.start, behind + 1, behind)


def _is_like(doc: Doc, chunk: Chunk, following: Chunk) -> bool:
    """Return whether only "like" stands between a chunk and a bare noun."""
    return (
        chunk.stop + 1 == following.start
        and doc[chunk.stop].lower_ == "like"
        and following.head == following.start
    )


def nouns_outside_chunks(
    doc: Doc, covered: set[int], describing: frozenset[str]
) -> Iterator[tuple[int, int]]:
    """Yield start and head of nouns that no chunk covers.

    The parser takes "a carnivorous mammal" for an adjective at times, and "a blue sled" for a verb.
    """
    for token in doc:
        if _is_misread_verb(token, describing) and not covered & {
            token.i - 2,
            token.i - 1,
            token.i,
        }:
            yield token.i - 2, token.i
        elif token.i not in covered and _is_noun(token):
            yield _first_of_name(doc, token, covered), token.i


def _is_misread_verb(token: Token, describing: frozenset[str]) -> bool:
    """Return whether a supposed verb stands behind an article and a word that describes."""
    return (
        token.pos_ == "VERB"
        and token.i > 1
        and token.nbor(-1).lower_ in describing
        and token.nbor(-2).lower_ in ARTICLES
    )


def _is_noun(token: Token) -> bool:
    """Return whether a word is a noun of its own, or an adjective that stands where one would."""
    word = token.lower_
    if word in NOUNS_IN_ING and token.tag_ == "VBG" and token.dep_ in ("pobj", "dobj"):
        return True
    if word in NEVER_NOUNS or (word.endswith("ing") and word not in NOUNS_IN_ING):
        return False
    if token.pos_ in NOUNS and token.dep_ not in _DEPENDENT_NOUNS:
        return True
    if token.pos_ in NOUNS and token.dep_ == "npadvmod" and _is_in_row_with_article(token):
        return True
    if token.pos_ in NOUNS and token.dep_ == "compound" and token.head.tag_ == "VBG":
        # "a woman in a dress standing next to a man"
        return bool(token.i + 1 == token.head.i)
    if token.pos_ in NOUNS and token.dep_ == "npadvmod" and token.head.pos_ == "VERB":
        # "hovering cow abducting aliens", "going up the ramp"
        has_article = any(child.dep_ == "det" for child in token.lefts)
        is_path = has_article and token.head.i < token.i
        if token.left_edge.i == token.sent.start and _is_before_preposition(token):
            # "blender with its contents spilled around it"
            return True
        return is_path or bool(token.head.tag_ == "VBG" and token.i + 1 == token.head.i)
    # "the bold, striking stripes"
    is_before_comma = token.i + 1 < len(token.doc) and token.nbor(1).text == ","
    is_first_of_several = is_before_comma and token.i > 0 and token.nbor(-1).tag_ == "DT"
    return (
        token.pos_ == "ADJ"
        and not is_first_of_several
        and token.dep_ in NOUN_DEPENDENCIES
        and any(child.dep_ == "det" for child in token.lefts)
    )


def _is_before_preposition(noun: Token) -> bool:
    return noun.i + 1 < len(noun.doc) and bool(noun.nbor(1).pos_ == "ADP")


def _is_in_row_with_article(noun: Token) -> bool:
    """Return whether a noun is the last of a row: "on the table lie two books and a pen"."""
    first = min((child.i for child in noun.lefts), default=noun.i)
    has_article = noun.doc[first].lower_ in ("a", "an", "the") and first < noun.i
    if noun.lower_ in BODY_PARTS and noun.doc[first].lower_ in ("one", "a", "his", "her"):
        # "a woman sits on a sofa, one hand on a cat"
        return bool(first > 0 and noun.doc[first - 1].text == ",")
    return bool(has_article and first > 0 and noun.doc[first - 1].tag_ == "CC")


def _first_of_name(doc: Doc, noun: Token, covered: set[int]) -> int:
    """Return the first of the words right before a noun that depend on it or are articles."""
    start = int(noun.i)
    while start > 0 and start - 1 not in covered:
        before = doc[start - 1]
        if before.head != noun and before.lower_ not in ARTICLES:
            break
        start -= 1
    return start
