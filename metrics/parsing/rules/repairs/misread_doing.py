"""Finds verbs in -ing that spaCy's small model reads into a name: "a woman hauling baggage"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.rules.repairs.stand_ins import StandIn
from hallascope.metrics.parsing.words import wordnet
from hallascope.metrics.parsing.words.grammar import (
    NOUNS,
    is_living,
    lemma,
    stands_without_article,
)
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import NOUNS_IN_ING
from hallascope.metrics.parsing.words.spacy_model import verbs

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# words in -ing that names have, and that persons and animals do: "a bear swimming underwater"
_DONE_OR_NAMED = wordset("swimming cutting dining sewing washing shopping frying cooking loading")
_SHORTEST_DOING = 6  # letters of a word in -ing
_NOUN_TAGS = ("NN", "NNP", "NNS", "NNPS")


def find_misread_doing(doc: Doc) -> Iterator[tuple[int, StandIn]]:
    """Yield verbs in -ing behind who does them, and the bare noun behind: "a woman hauling bags".

    The model takes "hauling" for a part of the name of the bags.
    """
    for token in doc[1:]:
        if not _is_misread_doing(token):
            continue
        following = token.nbor(1) if token.i + 1 < len(doc) else None
        has_object = following is not None and _is_bare_object(following)
        if token.pos_ in NOUNS:
            word = "holding" if has_object else "standing"
            yield token.i, StandIn(word, _base_form(token))
        if following is not None and has_object:
            yield following.i, StandIn("them", lemma(following), following.tag_)


def _is_misread_doing(token: Token) -> bool:
    """Return whether a word in -ing that was read into a name says what the noun before it does."""
    word = token.lower_
    is_name = word in NOUNS_IN_ING and word not in _DONE_OR_NAMED
    if not word.endswith("ing") or is_name or len(word) < _SHORTEST_DOING:
        return False
    is_in_name = token.pos_ in NOUNS or token.dep_ in ("amod", "compound", "nmod")
    doer = token.nbor(-1)
    # the model takes "kitten" for an adjective
    is_noun = doer.tag_ in _NOUN_TAGS or (doer.tag_ == "JJ" and is_living(doer))
    if not is_in_name or not is_noun or wordnet.senses(f"{doer.lower_} {word}"):
        return False
    following = token.nbor(1) if token.i + 1 < len(token.doc) else None
    if following is not None and wordnet.senses(f"{word} {following.lower_}"):
        return False
    if is_living(doer):
        return bool(token.head.i != doer.i)
    # "a woman on a bench feeding pigeons", but "near a wood burning stove"
    is_fed = following is not None and stands_without_article(following)
    first = next((other for other in token.sent if other.pos_ in NOUNS), None)
    return is_fed and first is not None and first.i < doer.i and is_living(first)


def _is_bare_object(noun: Token) -> bool:
    """Return whether a noun stands alone behind a verb: no noun follows that it would belong to."""
    following = noun.nbor(1) if noun.i + 1 < len(noun.doc) else None
    is_last = following is None or following.pos_ not in NOUNS
    return is_last and noun.tag_ in _NOUN_TAGS and stands_without_article(noun)


def _base_form(token: Token) -> str:
    """Return "surf" of "surfing" and "ride" of "riding"."""
    stem = str(token.lower_).removesuffix("ing")
    known = verbs()
    undoubled = stem[:-1] if stem[-1] == stem[-2] else stem
    return next((form for form in (f"{stem}e", undoubled, stem) if form in known), stem)
