"""Reads what a thing is made of, and a sentence that names the same thing again.

"A cube made of denim. A cube with the texture of denim." is one cube, of denim.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.rules.describing_words import describing_words
from hallascope.metrics.parsing.words.grammar import lemma
from hallascope.metrics.parsing.words.language import wordset

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

    from hallascope.metrics.parsing.rules.drafts import PhraseDraft

_MATERIAL_WORDS = wordset("made texture")
_FINITE_TAGS = ("VBZ", "VBP", "VBD", "MD")


def add_materials(doc: Doc, drafts: Sequence[PhraseDraft]) -> None:
    """Add to each thing the words for what it is made of: "a waiter made of polished copper"."""
    owner = None
    for draft in drafts:
        if owner is not None and _is_material(doc, draft) and not draft.is_thing:
            words = range(draft.first, draft.stop)
            owner.inner_modifiers = [*owner.inner_modifiers, *words]
        elif draft.is_thing:
            owner = draft


def _is_material(doc: Doc, draft: PhraseDraft) -> bool:
    before = doc[max(0, draft.first - 2) : draft.first]
    return len(before) == 2 and before[0].lower_ in _MATERIAL_WORDS


def mark_restated(doc: Doc, drafts: Sequence[PhraseDraft]) -> None:
    """Mark a thing that a sentence names again, with no word that the one before has not.

    Both are no more than a phrase: "A pink stop sign. A stop sign in the shape of a triangle."
    """
    by_first = {draft.first: draft for draft in drafts}
    for before, following in pairwise(doc.sents):
        first = by_first.get(before.start)
        again = by_first.get(following.start)
        if first is None or again is None or not _is_phrase(before) or not _is_phrase(following):
            continue
        is_same = lemma(doc[first.head]) == lemma(doc[again.head])
        if not is_same or doc[again.first].lower_ not in ("a", "an"):
            continue
        words = {word.text for word in describing_words(doc, first)}
        again.definite = {word.text for word in describing_words(doc, again)} <= words


def _is_phrase(sentence: Span) -> bool:
    return not any(token.tag_ in _FINITE_TAGS for token in sentence)
