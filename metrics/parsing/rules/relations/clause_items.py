"""Finds where the item of a sentence begins that a place belongs to.

Behind a comma, "while" or ";" a new item may begin, with a thing that has a place or does something
of its own: of "a smith hammers a blade, sparks flying around him" the sparks are around him. What a
list goes on with is no new item: "a man holding a book, a hat and a cane on a bench".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.metrics.parsing.rules.coordination import is_led, row_before
from hallascope.metrics.parsing.words.grammar import VERBS
from hallascope.metrics.parsing.words.verb_words import SHOWING_VERBS

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

_JOINTS = (",", "while", "as", "whereas", "–", "—")
_PARTICIPLES = ("VBG", "VBN")


def item_start(doc: Doc, index: PhraseIndex, start: int, at: int) -> int:
    """Return the first token of the item that a token is in; `start` begins its sentence.

    A comma that closes what stands in between leads back: "a cook, her face red, stirs a pot".
    """
    for token in range(at - 1, start, -1):
        phrase = index.by_first_token.get(token)
        if phrase is not None and _begins_item(doc, index, phrase, start):
            return token
        if doc[token].text == "," and token + 1 not in index.by_first_token:
            return start
    return start


def _begins_item(doc: Doc, index: PhraseIndex, phrase: int, start: int) -> bool:
    """Return whether a thing stands behind a comma, "while" or the like, and in no list."""
    if not index.is_thing(phrase):
        return False
    before = doc[index.tokens[phrase].start - 1]
    if before.lower_ in _JOINTS:
        return not _is_in_led_list(doc, index, phrase)
    stop = index.tokens[index.last_part(phrase)].stop
    does_something = stop < len(doc) and doc[stop].tag_ in _PARTICIPLES
    if before.lower_ != "and" or not does_something or doc[stop].pos_ not in VERBS:
        return False
    # "a man and a girl standing next to a cake"
    return any(
        token.pos_ == "VERB" and token.lemma_ not in SHOWING_VERBS and token not in index
        for token in doc[start : before.i]
    )


def _is_in_led_list(doc: Doc, index: PhraseIndex, phrase: int) -> bool:
    """Return whether a list goes on with "and" that a verb or preposition leads."""
    last = phrase
    while last + 1 < len(index.phrases) and index.is_thing(last + 1):
        between = doc[index.tokens[last].stop : index.tokens[last + 1].start]
        words = [token.lower_ for token in between]
        if words not in ([","], [",", "and"], ["and"]):
            break
        last += 1
    row = row_before(doc, index, last)
    return last != phrase and phrase in row and row[0] != phrase and is_led(doc, index, row)
