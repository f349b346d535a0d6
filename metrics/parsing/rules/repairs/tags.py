"""Reads the tags of a list that only describe: "vintage car, red", "1boy, sitting".

Such a tag describes the thing that was named last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.parsed import Phrase
from hallascope.metrics.parsing.rules.noun_phrases.describing_words import modifier
from hallascope.metrics.parsing.words.noun_words import COLORS, NOUNS_IN_ING
from hallascope.metrics.parsing.words.spacy_model import adjectives

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


def repair_tags(doc: Doc, starts: Sequence[int]) -> None:
    """Make the last word of a tag a noun, where the parser takes it for an adjective or a verb.

    It takes "castle", alone, for an adjective. `starts`: where each tag begins.
    """
    for start, stop in pairwise([*starts, len(doc.text)]):
        words = [token for token in doc if start <= token.idx < stop and token.is_alpha]
        if not words or words[-1].pos_ not in ("ADJ", "ADV", "VERB", "INTJ", "X"):
            continue
        last = words[-1]
        if last.lower_ not in COLORS | adjectives() and not last.lower_.endswith(("ing", "ed")):
            is_plural = last.lower_.endswith("s") and not last.lower_.endswith("ss")
            last.pos_ = "NOUN"
            last.tag_ = "NNS" if is_plural else "NN"


def add_tag_modifiers(
    doc: Doc,
    phrases: Sequence[Phrase],
    tokens: Sequence[range],
    starts: Sequence[int],
    describing: frozenset[str],
) -> list[Phrase]:
    """Return the phrases, each with the tags behind it that only describe.

    `tokens` are those of each phrase; `starts`: where each tag begins in the parser's text.
    """
    changed = list(phrases)
    for start, stop in pairwise([*starts, len(doc.text)]):
        words = [token for token in doc if start <= token.idx < stop and token.is_alpha]
        before = [at for at, span in enumerate(tokens) if doc[span.start].idx < start]
        things = [at for at in before if changed[at].is_thing]
        if not things or not words or not all(_only_describes(word, describing) for word in words):
            continue
        for at, span in enumerate(tokens):
            if start <= doc[span.start].idx < stop:
                changed[at] = replace(changed[at], is_thing=False)
        described = changed[things[-1]]
        new = [modifier(word) for word in words if word.tag_ != "CC"]
        changed[things[-1]] = replace(described, modifiers=(*described.modifiers, *new))
    return changed


def _only_describes(word: Token, describing: frozenset[str]) -> bool:
    """Return whether a word of a tag names nothing: a color, an adjective, a verb in -ing."""
    text = word.lower_
    is_verb = text.endswith("ing") and text not in NOUNS_IN_ING
    return text in describing or is_verb or word.pos_ == "ADJ" or word.tag_ in ("VBN", "CC")
