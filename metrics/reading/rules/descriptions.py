"""Reads the words that describe an object from elsewhere: "the car is red", "with a door open"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.metrics.reading.rules.coordination import whole_row
from hallascope.metrics.reading.rules.elements import SUBJECTS, Parse, Word
from hallascope.metrics.reading.rules.negation import is_negated
from hallascope.metrics.reading.words.language import COLORS, wordset
from hallascope.metrics.reading.words.lists import MODIFIERS, VERBS

if TYPE_CHECKING:
    from spacy.tokens import Token

_DEPENDENCIES = ("acomp", "attr", "oprd", "amod", "conj", "advcl", "acl", "ROOT", "xcomp")
_UNDESCRIBING = wordset("missing full up down out off apart on")
_WAYS = wordset("low high close near fast deep straight slow hard far upright downhill uphill")
_ABSENCE = wordset("devoid void bereft empty bare absent clear free")
_FARTHEST = 6  # dependencies between an adjective and its noun


def add_descriptions(parse: Parse) -> None:
    """Add to the phrases the words that describe them from elsewhere; of "not red" there is none.

    "The cat and the rug are grey" says it of both.
    """
    for token in parse.doc:
        for at in _described(parse, token):
            parse.phrases[at].words.append(Word(token.lower_, token.i, token.i + 1))


def _described(parse: Parse, token: Token) -> list[int]:
    if token.i in parse.written:
        return []
    if _is_material(parse, token):
        return parse.objects_before(token.i, token.sent.start)[-1:]
    is_color = token.lower_ in COLORS
    own = parse.by_token.get(token.i)
    if own is not None:
        is_result = is_color and token.dep_ in ("oprd", "attr", "acomp", "conj")
        if not is_result or parse.phrases[own].kind != "none":
            return []
    if not (token.pos_ == "ADJ" or is_color):
        return []
    if token.lower_ in MODIFIERS["never"] or is_negated(token) or is_negated(token.head):
        return []
    following = parse.word(token.i + 1)
    if token.lower_ in _ABSENCE and following in ("of", "from"):
        return []
    if token.lower_ in _UNDESCRIBING or _says_how(token):
        return []
    at, is_subject = _governor(parse, token)
    if at is None or parse.phrases[at].kind == "none":
        return []
    return whole_row(parse, at) if is_subject else [at]


def _is_material(parse: Parse, token: Token) -> bool:
    """Return whether a noun behind "made of" or "texture of" names a material."""
    at = parse.by_token.get(token.i)
    if at is None or parse.phrases[at].head != token.i or parse.phrases[at].kind != "none":
        return False
    before = parse.words[max(0, parse.phrases[at].first - 3) : parse.phrases[at].first]
    return before[-1:] in (["of"], ["from"]) and not {"made", "built"}.isdisjoint(before)


def _says_how(token: Token) -> bool:
    """Return whether an adjective says how something is done: "flies low", "press a hand flat"."""
    verb = token.head
    if verb.i > token.i or verb.pos_ != "VERB":
        return False
    has_object = any(child.dep_ == "dobj" and child.i < token.i for child in verb.children)
    is_color = token.lower_ in COLORS
    return (has_object and not is_color) or (
        token.lower_ in _WAYS and verb.lemma_ in VERBS["motion"]
    )


def _governor(parse: Parse, token: Token) -> tuple[int | None, bool]:
    """Return the phrase that an adjective describes, and whether it is the subject of a verb."""
    for _ in range(_FARTHEST):
        head = token.head
        if head.i == token.i or token.dep_ not in _DEPENDENCIES:
            return None, False
        if head.i in parse.by_token:
            return parse.by_token[head.i], False
        if head.pos_ in ("VERB", "AUX"):
            for child in head.children:
                subject = parse.by_token.get(child.i, parse.referents.get(child.i))
                if child.dep_ in SUBJECTS and subject is not None:
                    return subject, head.tag_ != "VBZ"
        token = head
    return None, False
