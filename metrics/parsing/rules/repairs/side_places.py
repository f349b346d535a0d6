"""Repairs sides where a verb is left out: "wears a cap, and the woman on the right a hat".

The model takes "on the right" for a place of the verb before; it is that of the noun before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.metrics.parsing.words.grammar import NOUNS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_JOINTS = (",", ";", "and", "while")


def repair_side_places(doc: Doc) -> None:
    """Make a side of the picture between two nouns the place of the first, in place."""
    for token in doc[2:-4]:
        words = [word.lower_ for word in doc[token.i : token.i + 4]]
        is_side = words[0] in ("on", "to") and words[1] == "the" and words[2] in ("left", "right")
        if is_side and words[3] in ("a", "an") and _begins_clause(token.nbor(-1)):
            token.head = token.nbor(-1)
            token.dep_ = "prep"


def _begins_clause(noun: Token) -> bool:
    """Return whether a noun with "the" stands behind a comma or "and"."""
    start = noun.left_edge
    is_noun = noun.pos_ in NOUNS and start.lower_ == "the" and start.i > 0
    return is_noun and start.nbor(-1).lower_ in _JOINTS
