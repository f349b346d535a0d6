"""Reads the words that describe a thing from elsewhere: "the car is red", "a dog, brown and white".

Of "not red" there is nothing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.parsed import Modifier, Phrase
from hallascope.metrics.parsing.rules.noun_phrases.describing_words import modifier
from hallascope.metrics.parsing.rules.noun_phrases.negation import is_negated_word, says_absence
from hallascope.metrics.parsing.rules.wearing import is_garment
from hallascope.metrics.parsing.words.grammar import SUBJECTS, VERBS
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import MATERIAL_OF, NEVER_DESCRIBE
from hallascope.metrics.parsing.words.spacy_model import adjectives
from hallascope.metrics.parsing.words.verb_words import MOTION_VERBS, POSTURE_VERBS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from hallascope.metrics.parsing.phrase_index import PhraseIndex

# how an adjective depends on what leads to the thing that it describes
_DEPENDENCIES = ("acomp", "attr", "oprd", "amod", "conj", "advcl", "acl", "ROOT", "xcomp")
# "with an umbrella up"
_PARTICLES = wordset("up down open out on off apart closed ajar upright")
_STATES = wordset("up down open closed ajar")
_POSTURES = wordset("lie sit stand hang lean rest stay remain")
_WAYS = wordset("low high close near fast deep straight slow hard far upright downhill uphill")
_FARTHEST = 6  # dependencies between an adjective and its thing


def add_modifiers(doc: Doc, index: PhraseIndex, describing: frozenset[str]) -> list[Phrase]:
    """Return the phrases with the words that describe them from elsewhere."""
    more: dict[int, list[Modifier]] = defaultdict(list)
    for token in doc:
        holder = _described_behind_with(doc, token, index)
        if holder is None:
            holder = _described_behind_reference(doc, token, index)
        if holder is not None:
            more[holder].append(modifier(token))
            continue
        describes = token.pos_ == "ADJ" or token.lower_ in describing or _lies_broken(token)
        if token.lower_ in NEVER_DESCRIBE or is_negated_word(token):
            continue
        if token in index and not _is_painted(token, index, describing):
            continue
        if not describes or says_absence(token) or _says_how_it_moves(token):
            continue
        phrase = _described_phrase(token, index)
        if phrase is not None:
            more[phrase].append(modifier(token))
    return [
        replace(phrase, modifiers=(*phrase.modifiers, *more[at]))
        for at, phrase in enumerate(index.phrases)
    ]


def _lies_broken(token: Token) -> bool:
    """Return whether a participle follows a verb of posture: "his stick lies broken"."""
    return token.i > 0 and token.tag_ == "VBN" and token.nbor(-1).lemma_ in _POSTURES


def _says_how_it_moves(token: Token) -> bool:
    """Return whether a word is an adverb in truth: "a plane flies low over the trees"."""
    is_behind = token.head.i < token.i
    return is_behind and token.lower_ in _WAYS and token.head.lemma_ in MOTION_VERBS


def _described_behind_with(doc: Doc, token: Token, index: PhraseIndex) -> int | None:
    """Return the thing of "with the mast down" and "with a door open", whatever the parser says."""
    before = index.by_token.get(token.i - 1)
    if before is None or token in index or not index.is_thing(before):
        return None
    tokens = index.tokens[before]
    if tokens.stop != token.i or doc[max(0, tokens.start - 1)].lower_ != "with":
        return None
    following = doc[token.i + 1] if token.i + 1 < len(doc) else None
    is_last = following is None or following.pos_ in ("PUNCT", "CCONJ")
    if following is not None and token.lower_ in _STATES:
        # "with the lid up in a bathroom", but "with a cat up on a shelf"
        is_last = is_last or following.lower_ in ("in", "at", "and", "while", "as")
    is_worn = token.lower_ in ("on", "off") and is_garment(index.phrases[before])
    is_raised = token.tag_ == "VBN" and doc[tokens.start].tag_ == "PRP$"
    is_particle = token.lower_ in _PARTICLES and not is_worn
    describes = token.pos_ == "ADJ" or is_particle or is_raised
    return before if is_last and describes else None


def _described_behind_reference(doc: Doc, token: Token, index: PhraseIndex) -> int | None:
    """Return "four of them" of "four of them pink", "the other" of "the other empty"."""
    at = token.i
    while at > 0 and doc[at - 1].lower_ in adjectives() and doc[at - 1] not in index:
        at -= 1
    before = index.by_token.get(at - 1)
    if before is None or token in index or not index.phrases[before].reference:
        return None
    is_made = token.lower_ in MATERIAL_OF
    describes = not is_made and (token.pos_ == "ADJ" or token.tag_ == "VBN")
    following = doc[token.i + 1] if token.i + 1 < len(doc) else None
    is_last = following is None or following.pos_ in ("PUNCT", "CCONJ", "ADJ", "ADP")
    return before if describes and is_last else None


def _is_painted(token: Token, index: PhraseIndex, describing: frozenset[str]) -> bool:
    """Return whether a color is what a verb makes of its subject: "painted bright red"."""
    phrase = index.phrase_of(token)
    is_result = token.dep_ in ("oprd", "attr") and token.lower_ in describing
    return is_result and phrase is not None and not index.is_thing(phrase)


def _described_phrase(token: Token, index: PhraseIndex) -> int | None:
    """Return the phrase that an adjective describes: the subject of its verb, or what it is in."""
    for _ in range(_FARTHEST):
        head = token.head
        # "a beer sits untouched", but "a plane flies low"
        is_resting = head.pos_ == "VERB" and head.lemma_ in POSTURE_VERBS
        is_untouched = token.dep_ == "advmod" and token.tag_ == "JJ" and is_resting
        if head.i == token.i or not (token.dep_ in _DEPENDENCIES or is_untouched):
            return None
        if head in index:
            return index.phrase_of(head)
        if head.pos_ in VERBS:
            for child in head.children:
                if child.dep_ in SUBJECTS and child in index:
                    return index.phrase_of(child)
            if head.dep_ == "relcl":
                return index.phrase_of(head.head)
        token = head
    return None
