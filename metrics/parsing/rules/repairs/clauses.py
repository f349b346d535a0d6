"""Tells what the clause around a word says, where the word may be a verb that was misread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.rules.repairs.stand_ins import StandIn
from hallascope.metrics.parsing.words import language, wordnet
from hallascope.metrics.parsing.words.grammar import PLURALS, SUBJECTS, is_living
from hallascope.metrics.parsing.words.language import wordset
from hallascope.metrics.parsing.words.noun_words import COLORS
from hallascope.metrics.parsing.words.verb_words import MOTION_VERBS, POSTURE_VERBS, STATE_VERBS

if TYPE_CHECKING:
    from spacy.tokens import Token

SINGULAR_ARTICLES = ("a", "an", "another", "every", "each")
FINITE_TAGS = ("VBZ", "VBP", "VBD", "MD")
BASE_VERBS = (
    MOTION_VERBS
    | POSTURE_VERBS
    | STATE_VERBS
    | wordset("paddle chat talk dine fight laugh giggle stare gaze shout argue embrace cuddle bow")
)
# what may follow a verb, and hardly a noun that another one begins
BEHIND_VERB = ("IN", "DT", "PRP$", "RP", "RB", "TO", "CD")
# what a clause may begin behind
CLAUSE_WORDS = ("as", "while", "where", "when", "whose", "that", "who", ";", ":", ",")
# plurals that stand before a noun as its kind: "a sports shoe"
KINDS_IN_PLURAL = wordset("sports arms goods sales savings customs news")
WITHIN_PHRASE = ("NN", "NNP", "JJ", "JJR", "JJS", "VBN", "VBG", "HYPH", "RB")


def plain_subject(noun: Token) -> Iterator[tuple[int, StandIn]]:
    """Yield who does what a misread verb says, where the model ties the noun to the verb's name."""
    if noun.dep_ not in SUBJECTS and is_living(noun):
        is_plural = noun.tag_ in PLURALS
        yield noun.i, StandIn("men" if is_plural else "man", language.singular(noun.lower_))


def begins_object(token: Token) -> bool:
    """Return whether an object may begin with a word: "a", "two", "red", "flaming" of torches."""
    is_describing = token.tag_ in ("VBG", "VBN", "VBD") and token.i + 1 < len(token.doc)
    is_determiner = token.tag_ in ("DT", "PRP$", "CD", "JJ") or token.lower_ in COLORS
    return is_determiner or (is_describing and token.nbor(1).tag_ == "NNS")


def has_finite_verb(token: Token) -> bool:
    """Return whether a finite verb stands before a word in its clause."""
    for at in range(token.i - 1, token.sent.start - 1, -1):
        word = token.doc[at]
        if word.lower_ in CLAUSE_WORDS:
            return False
        if word.tag_ in FINITE_TAGS:
            return True
    return False


def may_be_done(token: Token) -> bool:
    """Return whether a noun may be what somebody does, and no thing: "march", not "bed"."""
    word = token.lower_
    is_thing = wordnet.is_kind_of(word, "artifact", "person", "animal")
    return word in BASE_VERBS or (bool(wordnet.senses(word)) and not is_thing)
