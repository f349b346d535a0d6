"""Reads what a text says not to be: "no hat", "without a hat or gloves", "not red".

Three rules, each used where its words are read:

- A noun phrase is absent behind "no", "without", or "neither" before "nor" (`is_absent`), and so
  is what follows it with "or" or "nor" (`extend_absence`).
- An adjective that is negated, itself or by its verb, describes nothing (`is_negated_word`).
- A negated verb is no action of its thing, except where it says that something is not worn, held or
  had (`denies_object`): "a man who is not wearing a hat".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.words.language import wordset

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.rules.noun_phrases.drafts import PhraseDraft

_ABSENCE_BEFORE = ("without", "no")
_ABSENCE_CONJUNCTIONS = ("or", "nor")
_DEFINITE = wordset("the this that these those its his her their")
_HAVING_VERBS = wordset("have wear hold carry contain")

# --- noun phrases


def is_absent(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether a phrase begins with "no", or stands behind "no", "without" or "neither"."""
    first = doc[draft.first].lower_
    before = doc[draft.first - 1].lower_ if draft.first else ""
    if first == "no" or before in _ABSENCE_BEFORE:
        return True
    # "neither the dog nor the cat is red" says nothing of what is there.
    is_definite = any(token.lower_ in _DEFINITE for token in doc[draft.first : draft.stop])
    is_neither = "neither" in (first, before) and not is_definite
    behind = doc[draft.stop].lower_ if draft.stop < len(doc) else ""
    return is_neither and behind == "nor"


def extend_absence(doc: Doc, drafts: Sequence[PhraseDraft]) -> None:
    """Mark what follows "or" or "nor" behind something absent: "without a hat or gloves"."""
    for draft, following in pairwise(drafts):
        between = [token.lower_ for token in doc[draft.stop : following.first]]
        is_joined = len(between) == 1 and between[0] in _ABSENCE_CONJUNCTIONS
        if draft.absent and following.is_thing and is_joined:
            following.is_thing = False
            following.absent = True


# --- verbs and adjectives


def is_negated(token: Token) -> bool:
    """Return whether "not" or the like depends on a word."""
    return any(child.dep_ == "neg" for child in token.children)


def is_negated_word(token: Token) -> bool:
    """Return whether an adjective or the word that it depends on is negated."""
    return is_negated(token) or is_negated(token.head)


def denies_object(verb: Token) -> bool:
    """Return whether a verb says of its object that it is not there, where it is negated."""
    return verb.lemma_ in _HAVING_VERBS
