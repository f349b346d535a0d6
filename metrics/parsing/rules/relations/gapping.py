"""Reads a verb that is left out: "one has a cello, another a trumpet".

What follows a phrase without a noun at once stands to it as in the clause before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.parsed import Action

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from hallascope.metrics.parsing.phrase_index import PhraseIndex


def gapped_actions(doc: Doc, index: PhraseIndex, actions: Sequence[Action]) -> Iterator[Action]:
    """Yield what a verb is left out of: "one has a cello, another a trumpet"."""
    for at, (phrase, thing) in enumerate(pairwise(index.phrases)):
        first = index.tokens[at].start
        is_item = first > 0 and doc[first - 1].lower_ in (",", ";", "and", "while")
        has_article = doc[index.tokens[at + 1].start].lower_ in ("a", "an", "the")
        adjoins = index.tokens[at].stop == index.tokens[at + 1].start
        if not (phrase.reference and is_item and adjoins and has_article and thing.is_thing):
            continue
        said = [
            action
            for action in actions
            if action.subject < at and index.phrases[action.subject].reference
            if action.object is not None and action.object < at
        ]
        if said:
            yield Action(at, said[-1].words, at + 1, phrase.span)
