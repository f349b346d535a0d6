"""Repairs verbs whose subject the model takes for an object of the verb before.

"Crates block the door, and a parrot in the window holds a pencil": the parrot holds it, and no
crate. A finite verb that no "and" or comma joins to the verb before has a subject of its own. And
what begins a sentence is no adverb of a verb in -ing that has a subject.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.metrics.parsing.words.grammar import NOUNS, PLURALS, SUBJECTS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_JOINTS = (",", ";", "and", "while", "as", "but", "whereas")
_FINITE_TAGS = ("VBZ", "VBP", "VBD")
_FIRST_TAGS = ("DT", "CD", "PRP$", "JJ", "NN", "NNS", "NNP", "VBN", "VBG")


def repair_clause_subjects(doc: Doc) -> None:
    """Make the first noun of a clause the subject of its verb, where that has none, in place."""
    for sentence in doc.sents:
        noun = next((token for token in sentence if _is_head(token)), None)
        if noun is not None and noun.dep_ == "npadvmod" and noun.left_edge.i == sentence.start:
            # "a knight on a hill, leaves falling around him": the knight is no time
            noun.dep_ = "ROOT" if noun.head.tag_ == "VBG" and noun.head.i > noun.i else noun.dep_
    for verb in doc:
        if verb.tag_ not in _FINITE_TAGS or verb.pos_ != "VERB" or verb.dep_ != "conj":
            continue
        if any(child.dep_ in (*SUBJECTS, "expl", "prep") for child in verb.lefts):
            continue
        noun = _first_noun(verb)
        if noun is not None:
            noun.head = verb
            noun.dep_ = "nsubj"


def _first_noun(verb: Token) -> Token | None:
    """Return the noun that begins the clause of a verb and agrees with it, if any does."""
    doc = verb.doc
    before = verb.i - 1
    while before > 0 and doc[before].pos_ in ("ADV", "AUX"):
        before -= 1
    if doc[before].lower_ in _JOINTS or doc[before].pos_ == "PRON":
        return None
    for joint in range(before, verb.head.i, -1):
        if doc[joint].tag_ in _FINITE_TAGS:
            return None
        if doc[joint].lower_ not in _JOINTS or doc[joint + 1].tag_ not in _FIRST_TAGS:
            continue
        noun = next((token for token in doc[joint + 1 : verb.i] if _is_head(token)), None)
        if noun is None:
            return None
        is_plural = noun.tag_ in PLURALS
        if verb.tag_ == "VBD" or is_plural == (verb.tag_ == "VBP"):
            return noun
    return None


def _is_head(token: Token) -> bool:
    """Return whether a noun is no part of the name of another."""
    return token.pos_ in NOUNS and token.dep_ not in ("compound", "nmod", "poss", "amod")
