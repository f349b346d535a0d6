"""Repairs what stands behind its verb: of "under the bridge swims a swan" the swan is the subject.

The model takes it for the object, and of "between the door and the window hangs a clock" the window
for the subject.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hallascope.metrics.parsing.words import wordnet
from hallascope.metrics.parsing.words.grammar import NOUNS, SUBJECTS
from hallascope.metrics.parsing.words.verb_words import MOTION_VERBS, POSTURE_VERBS, STATE_VERBS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_VERBS = POSTURE_VERBS | MOTION_VERBS | STATE_VERBS
_FINITE_TAGS = ("VBZ", "VBP", "VBD", "VB")
_LONGEST_ADVERB = 2  # words between a verb and its subject: "hang at least a dozen"


def repair_inversions(doc: Doc) -> None:
    """Make the noun behind a verb its subject where a place stands before the verb, in place."""
    for verb in doc:
        if verb.tag_ == "VBG" and verb.dep_ == "ccomp":
            _part_object(verb)
        if verb.tag_ not in _FINITE_TAGS or verb.lemma_ not in _VERBS:
            continue
        noun = _noun_behind(verb)
        if noun is not None:
            _join_second_of_pair(verb)
        if noun is not None and _is_behind_place(verb):
            noun.dep_ = "nsubj"


def _part_object(verb: Token) -> None:
    """Make the street the object in "a woman crosses the street talking on her phone".

    What lives does itself what follows: "a man watches a dog running".
    """
    governor = verb.head
    subjects = [child for child in verb.lefts if child.dep_ in SUBJECTS and child.pos_ in NOUNS]
    has_auxiliary = any(child.dep_ in ("aux", "auxpass") for child in verb.children)
    if not subjects or has_auxiliary or governor.pos_ != "VERB":
        return
    noun = subjects[0]
    if noun.left_edge.i != governor.i + 1:
        return
    noun.head = governor
    noun.dep_ = "dobj"
    if wordnet.is_kind_of(noun.lower_, "person", "animal"):
        verb.head = noun
        verb.dep_ = "acl"
    else:
        verb.dep_ = "advcl"


def _join_second_of_pair(verb: Token) -> None:
    """Make the second noun behind "between", read as the subject of a verb, one of the pair."""
    nouns = [noun for child in verb.lefts if child.lower_ == "between" for noun in child.rights]
    subjects = [child for child in verb.lefts if child.dep_ in SUBJECTS]
    if not nouns or not subjects:
        return
    has_second = any(child.dep_ == "conj" for child in nouns[0].children)
    if subjects[0].left_edge.nbor(-1).tag_ == "CC" and not has_second:
        subjects[0].dep_ = "conj"
        subjects[0].head = nouns[0]


def _noun_behind(verb: Token) -> Token | None:
    """Return the noun whose words follow a verb at once."""
    for child in verb.rights:
        if child.pos_ in NOUNS and child.dep_ in ("dobj", "attr", "npadvmod", "oprd"):
            is_near = child.left_edge.i <= verb.i + 1 + _LONGEST_ADVERB
            return child if is_near else None
    return None


def _is_behind_place(verb: Token) -> bool:
    """Return whether a preposition begins the clause of a verb that has no subject."""
    if any(child.dep_ in (*SUBJECTS, "expl") for child in verb.children):
        return False
    before = [child for child in verb.lefts if child.dep_ in ("prep", "advmod")]
    has_place = any(child.pos_ == "ADP" or child.lower_ == "next" for child in before)
    return has_place and verb.nbor(-1).tag_ not in ("CC", ",", "TO")
