"""Tells pictures in a picture from the picture itself: "a painting hangs on the wall".

"A painting of a cow" is the picture itself, "a room with a painting of a cow" shows a painting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.metrics.parsing.words.grammar import VERBS, lemma
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import PICTURE_WORDS, PICTURES

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from hallascope.metrics.parsing.rules.noun_phrases.drafts import PhraseDraft

_HOLDING_PREPOSITIONS = wordset("with on near under below beside above behind by over against")
_PICTURE_VERBS = wordset("take snap shoot show depict make create generate draw paint be")
_HANGING = wordset("hang hangs hanging hung on above over leaning propped mounted framed")


def is_picture_object(doc: Doc, draft: PhraseDraft) -> bool:
    """Return whether "picture", "painting" and the like name a thing that the picture shows."""
    if lemma(doc[draft.head]) not in PICTURES:
        return False
    start = doc[draft.first].sent.start
    if draft.first == start:
        return draft.stop < len(doc) and doc[draft.stop].lower_ in _HANGING
    words_before = doc[start : draft.first]
    if any(lemma(token) in PICTURE_WORDS or token.lower_ == "this" for token in words_before):
        return False
    before = doc[draft.first - 1]
    if before.lower_ == "of" and doc[draft.first].lower_ in ("a", "an"):
        # "a cow on the top of a painting"; "the top of the painting" is that of the picture
        return words_before[-2:-1].text in ("top", "front")
    if before.pos_ in VERBS:
        is_of_there = words_before[0].lower_ == "there"
        return before.lemma_ not in _PICTURE_VERBS or is_of_there
    return before.lower_ in _HOLDING_PREPOSITIONS or before.lower_ == "and"
