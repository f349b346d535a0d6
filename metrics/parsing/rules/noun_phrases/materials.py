"""Reads what a thing is made of: "a cube made of denim" is of denim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.words.language import wordset

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from hallascope.metrics.parsing.rules.noun_phrases.drafts import PhraseDraft

_MATERIAL_WORDS = wordset("made texture")


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
