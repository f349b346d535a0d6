"""Reads who owns what with "'s": of "the tiger's stripes" the tiger and its stripes.

A name that owns ("McDonald's") and a kind ("women's shoes", "a farmer's market") are no things of
their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.words.grammar import PLURALS
from hallascope.metrics.parsing.words.language import wordset

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.rules.noun_phrases.drafts import PhraseDraft

# with "'s" these say what kind a thing is
_KINDS = wordset("""
    bird farmer driver valentine mother father new-year season today yesterday tomorrow world
    traveler baker butcher barber jack sheep crow cat lady gentleman women men children ladies kids
""")


def split_owners(doc: Doc, start: int, head: int) -> Iterator[tuple[int, int]]:
    """Yield start and head of the owner and of what is owned; of the whole, where none owns."""
    for mark in range(start + 1, head):
        if doc[mark].tag_ == "POS":
            if _is_owner(doc[mark - 1]):
                yield start, mark - 1
            yield from split_owners(doc, mark + 1, head)
            return
    yield start, head


def take_owners(doc: Doc, drafts: Sequence[PhraseDraft]) -> list[PhraseDraft]:
    """Return the phrases that own what follows, each with it, and begin that where they begin.

    So "in the tiger's cage" is in the cage. The drafts come in their order.
    """
    owners = []
    for draft, following in pairwise(drafts):
        is_marked = draft.stop < len(doc) and doc[draft.stop].tag_ == "POS"
        if is_marked and following.first <= draft.stop + 1 <= following.head:
            draft.owned = following.head
            following.described_from = following.first
            following.first = draft.first
            following.definite = draft.definite
            owners.append(draft)
    return owners


def _is_owner(noun: Token) -> bool:
    return noun.pos_ == "NOUN" and noun.tag_ not in PLURALS and noun.lower_ not in _KINDS
