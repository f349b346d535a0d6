"""Reads a verb that is left out: "one has a cello, another a trumpet".

What follows a phrase at once, or behind its place in the picture, stands to it as in the clause
before: "the man on the left wears a red hat and the man on the right a blue hat".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.parsed import Action, Position

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

_BEFORE_ITEM = (",", ";", "and", "while")


def add_gapped_actions(
    doc: Doc, index: PhraseIndex, positions: Sequence[Position], actions: Sequence[Action]
) -> list[Action]:
    """Return the actions with those of which the verb is left out.

    What the model takes for a further object of the verb before is none then.
    """
    result = list(actions)
    things = [at for at in range(len(index.phrases)) if index.is_thing(at)]
    for at, following in pairwise(things):
        if not _is_gap(doc, index, positions, at, following):
            continue
        said = _action_before(doc, index, result, at)
        if said is None:
            continue
        result = [
            action
            for action in result
            if action.span != said.span or action.object not in (at, following)
        ]
        result.append(Action(at, said.words, following, index.phrases[at].span))
    return result


def _is_gap(
    doc: Doc, index: PhraseIndex, positions: Sequence[Position], at: int, next_thing: int
) -> bool:
    """Return whether no verb stands between a thing and the next, which has an article.

    Its place in the picture may stand there: "the man on the right a blue hat".
    """
    tokens, following = index.tokens[at], index.tokens[next_thing]
    if tokens.start == 0 or doc[tokens.start - 1].lower_ not in _BEFORE_ITEM:
        return False
    articles = ("a", "an", "the") if index.phrases[at].reference else ("a", "an")
    if doc[following.start].lower_ not in articles:
        return False
    places = [place.span for place in positions if place.subject == at and place.anchor is None]
    between = doc[tokens.stop : following.start]
    return all(any(start <= token.idx < stop for start, stop in places) for token in between)


def _action_before(
    doc: Doc, index: PhraseIndex, actions: Sequence[Action], at: int
) -> Action | None:
    """Return the last action before a phrase that is done to something.

    That of a phrase without a noun where this is one, else one of the same sentence.
    """
    has_noun = not index.phrases[at].reference
    sentence = doc[index.tokens[at].start].sent
    said = [
        action
        for action in actions
        if action.subject < at
        and action.object is not None
        and action.object < at
        and not action.negated
        and (action.span[0] >= sentence.start_char if has_noun else True)
        and (has_noun or index.phrases[action.subject].reference)
    ]
    return said[-1] if said else None
